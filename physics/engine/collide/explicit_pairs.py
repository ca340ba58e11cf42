"""Explicit contact pairs: two geoms that touch whatever the filters say, by settings of their own.

They join the candidates just before those of their two bodies, in the order of the model (by bodies); what the filters
find of the same two geoms goes. Two geoms may be named more than once, and a pair may be of one body: such contacts are
listed, and those that can move nothing have no rows.

Source: MuJoCo documentation, chapter Computation, "Collision", "Selection"; XML reference, contact/pair.
"""
from __future__ import annotations

from physics.engine.collide.asleep_pairs import is_asleep_pair
from physics.engine.collide.filter import bounds_beyond, explicit_reach
from physics.enums import ENBL_SLEEP
from physics.kernels.decorators import helper, kernel


@helper
def first_explicit(m, signature):
    """Index of the first explicit pair whose bodies do not come before those of the signature."""
    lo = 0
    hi = m.npair
    while lo < hi:
        mid = (lo + hi) >> 1
        if m.pair_signature[mid] < signature:
            lo = mid + 1
        else:
            hi = mid
    return lo


@helper
def is_explicit(m, g1, g2):
    """Whether an explicit pair names the geoms g1, g2, the one of the lower body first."""
    signature = (m.geom_bodyid[g1] << 16) + m.geom_bodyid[g2]
    p = first_explicit(m, signature)
    while p < m.npair and m.pair_signature[p] == signature:
        a = m.pair_geom1[p]
        b = m.pair_geom2[p]
        if (a == g1 and b == g2) or (a == g2 and b == g1):
            return True
        p += 1
    return False


@helper
def explicit_in_reach(m, d):
    """Write the explicit pairs in reach to cand_explicit; -> their number. Where trees may sleep those of two bodies that are not awake are left out, fixed ones too."""
    n = 0
    sleepy = m.opt_enableflags & ENBL_SLEEP != 0
    for p in range(m.npair):
        g1 = m.pair_geom1[p]
        g2 = m.pair_geom2[p]
        if not (sleepy and is_asleep_pair(m, d, g1, g2)) and not bounds_beyond(m, d, g1, g2, explicit_reach(m, d, p)):
            d.cand_explicit[n] = p
            n += 1
    return n


@kernel("m d i", ret="i")
def merge_explicit(m, d, n):
    """Merge the explicit pairs in reach into n candidates that are in order; -> how many there are now, or would be with room.

    Reads: pair_geom1, pair_geom2, pair_signature, pair_margin, pair_gap, contact_reach, geom_xpos, geom_xmat, geom_rbound, body_awake
    Writes: cand_geom, cand_pair, cand_explicit
    """
    more = explicit_in_reach(m, d)
    if n + more > d.maxcon:
        return n + more
    # what the filters found of explicit pairs goes: those have settings of their own
    kept = 0
    for c in range(n):
        g1 = d.cand_geom[c, 0]
        g2 = d.cand_geom[c, 1]
        if not is_explicit(m, g1, g2):
            d.cand_geom[kept, 0] = g1
            d.cand_geom[kept, 1] = g2
            kept += 1
    # from the back, so that nothing is overwritten before it has moved
    total = kept + more
    c = kept - 1
    k = more - 1
    for at in range(total - 1, -1, -1):
        found = -1
        if k >= 0:
            p = d.cand_explicit[k]
            if c < 0 or m.pair_signature[p] > (m.geom_bodyid[d.cand_geom[c, 0]] << 16) + m.geom_bodyid[d.cand_geom[c, 1]]:
                found = p
        d.cand_pair[at] = found
        if found >= 0:
            d.cand_geom[at, 0] = m.pair_geom1[found]
            d.cand_geom[at, 1] = m.pair_geom2[found]
            k -= 1
        else:
            d.cand_geom[at, 0] = d.cand_geom[c, 0]
            d.cand_geom[at, 1] = d.cand_geom[c, 1]
            c -= 1
    return total
