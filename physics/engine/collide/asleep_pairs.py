"""Pairs of geoms that cannot touch anew: one of them sleeps, and the other does too or cannot move.

Source: MuJoCo documentation, Programming chapter, "Sleeping islands".
"""
from __future__ import annotations

from physics.engine.collide.filter import bodies_may_touch, bounds_apart, geom_reach, masks_match
from physics.engine.collide.sap_proxies import ROUNDING, add_candidate
from physics.engine.collide.vectors import dot3, sub3
from physics.engine.kinematics.shapes import PLANE
from physics.engine.sleep.awake import some_asleep
from physics.enums import S_AWAKE
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3

FEW = 16  # of so many geoms, one may be awake


@helper
def is_asleep_pair(m, d, g1, g2):
    """Whether neither geom's body is awake."""
    return d.body_awake[m.geom_bodyid[g1]] != S_AWAKE and d.body_awake[m.geom_bodyid[g2]] != S_AWAKE


@helper
def pair_asleep(m, d, g1, g2):
    """The same, at once where all are awake."""
    return some_asleep(m, d) and is_asleep_pair(m, d, g1, g2)


@helper
def few_awake(m, d):
    """Whether so few geoms are awake that each is better held against all than all are sorted."""
    n = 0
    for r in range(d.ngeom_run):
        n += d.geom_run[r, 1] - d.geom_run[r, 0]
    return n * FEW < m.nsapgeom + FEW * FEW


@helper
def may_meet(m, d, g, h):
    """Whether geoms g and h of lower and higher body may touch and have bounds in reach."""
    return masks_match(m, g, h) and bodies_may_touch(m, m.geom_bodyid[g], m.geom_bodyid[h]) and not bounds_apart(m, d, g, h)


@kernel("m d i", ret="i")
def awake_pairs(m, d, n):
    """Append the pairs in reach of awake geoms with swept ones after the n candidates so far, in no particular order; -> new number.

    Planes are not among the swept, and no pair of theirs is appended.
    Reads: sap_geom, body_awake, geom_xpos, geom_rbound, geom_margin, geom_gap, contact_reach, geom_contype, geom_conaffinity
    Writes: cand_geom
    """
    for r in range(d.ngeom_run):
        for g in range(d.geom_run[r, 0], d.geom_run[r, 1]):
            if m.geom_type[g] == PLANE or (m.geom_contype[g] == 0 and m.geom_conaffinity[g] == 0):
                continue
            p = ld3(d.geom_xpos, g)
            reach = geom_reach(m, d, g)
            b = m.geom_bodyid[g]
            for k in range(m.nsapgeom):
                h = m.sap_geom[k]
                e = sub3(ld3(d.geom_xpos, h), p)
                bound = geom_reach(m, d, h) + reach
                if dot3(e, e) <= bound * bound * ROUNDING:
                    other = m.geom_bodyid[h]
                    if other == b or (other < b and d.body_awake[other] == S_AWAKE):   # the same pair comes up from the other side
                        continue
                    one = g if b < other else h
                    two = h if b < other else g
                    if may_meet(m, d, one, two):
                        n = add_candidate(d, n, one, two)
    return n


@kernel("m d i", ret="i")
def drop_asleep(m, d, n):
    """Take the pairs that rest out of n candidates; -> how many are left.

    Reads: body_awake
    Writes: cand_geom
    """
    kept = 0
    for c in range(n):
        g1 = d.cand_geom[c, 0]
        g2 = d.cand_geom[c, 1]
        if not is_asleep_pair(m, d, g1, g2):
            d.cand_geom[kept, 0] = g1
            d.cand_geom[kept, 1] = g2
            kept += 1
    return kept
