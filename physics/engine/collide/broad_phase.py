"""Broad phase: find the geom pairs whose bounds are in reach, in the official order, into cand_geom.

Pairs of the model's list are tested one by one. The other geoms of a large model, single or in groups (sap_proxies.py), are swept
along the world axis in which they are spread most: sorted by their lower end there, each is compared only with those that begin before it ends; where
they are many, only with those of them that are near across the axis (sap_grid.py). This is sweep and prune.

    axis -->   [--a--]
                  [---b---]       a meets b, b meets c; a and c are never compared
                        [-c-]

A user's contact filter stands for the test of the geoms' masks. With one, a small model's pairs are gone through body by body, and
in a large one planes are held against all that is swept. So are they where bits of masks were switched on since the pairs were decided on.
"""
from __future__ import annotations

from physics.engine.collide.asleep_pairs import awake_pairs, drop_asleep, few_awake, pair_asleep
from physics.engine.collide.convex.separating_axis_cache import drop_separated
from physics.engine.collide.explicit_pairs import merge_explicit
from physics.engine.collide.filter import bodies_may_touch, body_masks_match, bounds_apart, geom_reach, masks_let_touch, masks_match
from physics.engine.collide.sap_grid import build_grid, grid_pairs
from physics.engine.collide.sap_proxies import MOVES, ROUNDING, add_candidate, bound_proxies, four_spheres_overlap, overlap_following, spheres_overlap
from physics.engine.kinematics.shapes import PLANE
from physics.engine.sleep.awake import some_asleep
from physics.enums import DSBL_FILTERPARENT, DSBL_MIDPHASE
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld4, off, st4
from physics.kernels.simd import vld, vturn

GRID_FROM = 150  # proxies from which on a grid pays
UNBOUNDED = 1e150  # reach of a plane; its square is finite
FAR = 1e308


@kernel("m d", ret="i")
def plane_pairs(m, d):
    """Append the pairs of the model's list that are in reach, where it holds pairs with planes only. Masks count as they are now.

    Reads: cpair_geom, cpair_related, geom_type, geom_contype, geom_conaffinity, geom_xpos, geom_xmat, geom_rbound, geom_margin, geom_gap, contact_reach
    Writes: cand_geom
    """
    n = 0
    parents = m.opt_disableflags & DSBL_FILTERPARENT
    for c in range(m.ncpair):
        g1 = m.cpair_geom[c, 0]
        g2 = m.cpair_geom[c, 1]
        if not pair_asleep(m, d, g1, g2) and not bounds_apart(m, d, g1, g2) and (parents or m.cpair_related[c] == 0) and masks_match(m, g1, g2):
            n = add_candidate(d, n, g1, g2)
    return n


@helper
def four_listed_meet(m, balls, c):
    """spheres_overlap of the four pairs of the model's list from number c on, as bits"""
    p = m.cpair_geom
    a = vturn(vld(balls, 4 * p[c, 0]), vld(balls, 4 * p[c + 1, 0]), vld(balls, 4 * p[c + 2, 0]), vld(balls, 4 * p[c + 3, 0]))
    b = vturn(vld(balls, 4 * p[c, 1]), vld(balls, 4 * p[c + 1, 1]), vld(balls, 4 * p[c + 2, 1]), vld(balls, 4 * p[c + 3, 1]))
    return four_spheres_overlap(a, b, ROUNDING)


@helper
def add_listed(m, d, c, n):
    """Append pair c of the model's list, whose balls touch, if it is in reach and its masks match now; -> new number"""
    g1 = m.cpair_geom[c, 0]
    g2 = m.cpair_geom[c, 1]
    if (m.opt_disableflags & DSBL_FILTERPARENT or m.cpair_related[c] == 0) and masks_match(m, g1, g2) and not bounds_apart(m, d, g1, g2):
        n = add_candidate(d, n, g1, g2)
    return n


@kernel("m d", ret="i")
def listed_pairs(m, d):
    """Append the pairs of the model's list that are in reach and whose masks match now; -> their number, which may exceed d.maxcon.

    Reads: cpair_geom, cpair_related, geom_type, geom_contype, geom_conaffinity, geom_xpos, geom_xmat, geom_rbound, geom_margin, geom_gap, contact_reach
    Writes: geom_sphere, cand_geom
    """
    if m.ncpair == 0:
        return 0
    for g in range(m.ngeom):
        p = ld3(d.geom_xpos, g)
        st4(d.geom_sphere, g, (p[0], p[1], p[2], UNBOUNDED if m.geom_rbound[g] == 0.0 else geom_reach(m, d, g)))
    n = 0
    balls = off(d.geom_sphere, 0)
    last = m.ncpair - 3
    c = 0
    while c < last:
        touched = four_listed_meet(m, balls, c)
        if touched != 0:
            for e in range(4):
                if touched & (1 << e):
                    n = add_listed(m, d, c + e, n)
        c += 4
    while c < m.ncpair:
        if spheres_overlap(ld4(d.geom_sphere, m.cpair_geom[c, 0]), ld4(d.geom_sphere, m.cpair_geom[c, 1]), ROUNDING):
            n = add_listed(m, d, c, n)
        c += 1
    return n


@kernel("m d", ret="i")
def widest_axis(m, d):
    """World axis along which the proxies are spread most (largest variance of the centres).

    Reads: nsapproxy, sap_proxysphere
    Writes: nothing
    """
    x = y = z = 0.0
    xx = yy = zz = 0.0
    for k in range(m.nsapproxy):
        p = ld4(d.sap_proxysphere, k)
        x += p[0]
        y += p[1]
        z += p[2]
        xx += p[0] * p[0]
        yy += p[1] * p[1]
        zz += p[2] * p[2]
    xx -= x * x / m.nsapproxy
    yy -= y * y / m.nsapproxy
    zz -= z * z / m.nsapproxy
    if xx >= yy and xx >= zz:
        return 0
    if yy >= zz:
        return 1
    return 2


@kernel("m d i")
def sort_by_lower_end(m, d, axis):
    """Sort sap_order (proxies) by the lower bound along the axis, which goes into sap_lower.

    Shell sort: the order of the step before is kept, so it is nearly sorted already. Any permutation gives the same
    contacts; a fresh Data holds zeros, which become one here.
    Reads: sap_proxy, sap_proxysphere
    Writes: sap_order, sap_lower, sap_sphere, sap_nextdynamic
    """
    # the order of the step before; a fresh Data holds zeros
    n = m.nsapproxy
    if n > 1 and d.sap_order[0] == d.sap_order[1]:
        for k in range(n):
            d.sap_order[k] = k
    for k in range(n):
        o = d.sap_order[k]
        low = d.sap_proxysphere[o, axis] - d.sap_proxysphere[o, 3]
        d.sap_lower[k] = low if low == low else FAR  # what is no number would spoil the order of the others
    # gaps 1, 4, 13, 40, ... (Knuth): nearly sorted data need hardly a move
    step = 1
    while step < n:
        step = 3 * step + 1
    while step > 1:
        step //= 3
        for k in range(step, n):
            low = d.sap_lower[k]
            # insertion into the sorted run of this gap
            if d.sap_lower[k - step] > low:
                o = d.sap_order[k]
                i = k
                while i >= step and d.sap_lower[i - step] > low:
                    d.sap_lower[i] = d.sap_lower[i - step]
                    d.sap_order[i] = d.sap_order[i - step]
                    i -= step
                d.sap_lower[i] = low
                d.sap_order[i] = o
    # spheres in the sorted order, and for each place the next proxy that can move
    mover = n
    for k in range(n - 1, -1, -1):
        o = d.sap_order[k]
        st4(d.sap_sphere, k, ld4(d.sap_proxysphere, o))
        if m.sap_proxy[o, MOVES] != 0:
            mover = k
        d.sap_nextdynamic[k] = mover


@kernel("m d i i", ret="i", fastmath=EXACT)
def swept_pairs(m, d, axis, n):
    """Append the swept pairs in reach after the n candidates so far, in no particular order; -> new number.

    Reads: sap_geom, sap_proxy, sap_order, sap_lower, sap_sphere, sap_nextdynamic, and what group_pairs reads
    Writes: cand_geom, sap_geomaabb, sap_overlap
    """
    for i in range(m.nsapproxy):
        a = ld4(d.sap_sphere, i)
        end = (a[0] if axis == 0 else (a[1] if axis == 1 else a[2])) + a[3]
        still = m.sap_proxy[d.sap_order[i], MOVES] == 0  # what stands still looks for movers only
        n = overlap_following(m, d, i, a, end, still, n)
    return n


@kernel("m d")
def note_written_masks(m, d):
    """Note whether masks were written since the pairs were decided on, so that others can meet: 1 bits of geoms switched on, 2 masks of bodies.

    Reads: geom_contype, geom_conaffinity, made_contype, made_conaffinity, body_contype, body_conaffinity, made_body_contype, made_body_conaffinity
    Writes: masks_written
    """
    bits = 0
    for g in range(m.ngeom):
        bits |= (m.geom_contype[g] & ~m.made_contype[g]) | (m.geom_conaffinity[g] & ~m.made_conaffinity[g])
    d.masks_written = 1 if bits != 0 else 0
    bits = 0
    for b in range(m.nbody):
        bits |= (m.body_contype[b] ^ m.made_body_contype[b]) | (m.body_conaffinity[b] ^ m.made_body_conaffinity[b])
    if bits != 0:
        d.masks_written = 2


@helper
def in_midphase(m, g):
    """whether the midphase knows the geom: not where it had no masks at all when the model was made"""
    return m.made_contype[g] != 0 or m.made_conaffinity[g] != 0


@helper
def meets_all(m, a, b):
    """whether all geoms of two bodies are held against each other: no midphase, which single geoms and bodies without bounding volumes have not either"""
    single = m.body_geomnum[a] == 1 and m.body_geomnum[b] == 1
    return single or m.opt_disableflags & DSBL_MIDPHASE != 0 or m.body_bvhadr[a] < 0 or m.body_bvhadr[b] < 0


@kernel("m d", ret="i")
def body_pairs(m, d):
    """Store the pairs in reach of bodies that may touch; the geoms' own masks count unless a filter stands for them. -> their number

    Reads: geom_type, geom_contype, geom_conaffinity, made_contype, made_conaffinity, body_contype, body_conaffinity, body_geomadr, body_geomnum, body_bvhadr,
    cb_contactfilter, geom_xpos, geom_xmat, geom_rbound, geom_margin, geom_gap, contact_reach
    Writes: cand_geom
    """
    n = 0
    filtered = d.cb_contactfilter != 0
    for a in range(m.nbody):
        for b in range(a + 1, m.nbody):
            if body_masks_match(m, a, b) and bodies_may_touch(m, a, b):
                free = meets_all(m, a, b)
                for g in range(m.body_geomadr[a], m.body_geomadr[a] + m.body_geomnum[a]):
                    for h in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]):
                        known = free or (in_midphase(m, g) and in_midphase(m, h))
                        planes = m.geom_type[g] == PLANE and m.geom_type[h] == PLANE
                        if known and not planes and (filtered or masks_match(m, g, h)) and not bounds_apart(m, d, g, h):
                            n = add_candidate(d, n, g, h)
    return n


@helper
def unlisted_planes(m, d):
    """Store the pairs in reach of planes and swept geoms of bodies that may touch, as body_pairs; -> their number."""
    n = 0
    for p in range(m.ngeom):
        if m.geom_type[p] == PLANE and in_midphase(m, p):
            for k in range(m.nsapgeom):
                g = p
                h = m.sap_geom[k]
                if m.geom_bodyid[g] > m.geom_bodyid[h]:
                    g, h = h, g
                if masks_let_touch(m, d, g, h) and bodies_may_touch(m, m.geom_bodyid[g], m.geom_bodyid[h]) and not bounds_apart(m, d, g, h):
                    n = add_candidate(d, n, g, h)
    return n


@helper
def ordered_before(m, by_type, a1, a2, b1, b2):
    """whether pair a comes before pair b, both with the same lower body"""
    x = m.geom_bodyid[a2]
    y = m.geom_bodyid[b2]
    if x != y:
        return x < y
    if by_type and m.geom_type[a1] > m.geom_type[a2]:
        a1, a2 = a2, a1
    if by_type and m.geom_type[b1] > m.geom_type[b2]:
        b1, b2 = b2, b1
    if a1 != b1:
        return a1 < b1
    return a2 < b2


@kernel("m d i")
def order_pairs(m, d, n):
    """Bring n candidates into the official order: counting sort by lower body, then insertion sort.

    Pairs of the same two bodies follow their geom ids: that of the smaller type first with the midphase, else that of
    the lower body first.
    Writes: cand_geom, cand_swap, cand_bodyend
    """
    # counting sort by the lower body: histogram, prefix sums, scatter
    for b in range(m.nbody):
        d.cand_bodyend[b] = 0
    for k in range(n):
        d.cand_bodyend[m.geom_bodyid[d.cand_geom[k, 0]]] += 1
    total = 0
    for b in range(m.nbody):
        count = d.cand_bodyend[b]
        d.cand_bodyend[b] = total
        total += count
    for k in range(n):
        b = m.geom_bodyid[d.cand_geom[k, 0]]
        to = d.cand_bodyend[b]
        d.cand_bodyend[b] = to + 1
        d.cand_swap[to, 0] = d.cand_geom[k, 0]
        d.cand_swap[to, 1] = d.cand_geom[k, 1]
    # cand_bodyend[b] is now the end of body b's pairs
    # insertion sort among the pairs of one lower body, which are few
    by_type = not m.opt_disableflags & DSBL_MIDPHASE
    begin = 0
    for b in range(m.nbody):
        end = d.cand_bodyend[b]
        for k in range(begin, end):
            g1 = d.cand_swap[k, 0]
            g2 = d.cand_swap[k, 1]
            i = k
            while i > begin and ordered_before(m, by_type, g1, g2, d.cand_geom[i - 1, 0], d.cand_geom[i - 1, 1]):
                d.cand_geom[i, 0] = d.cand_geom[i - 1, 0]
                d.cand_geom[i, 1] = d.cand_geom[i - 1, 1]
                i -= 1
            d.cand_geom[i, 0] = g1
            d.cand_geom[i, 1] = g2
        begin = end


@kernel()
def broad(m, d):
    """Find candidate pairs; where they do not fit, set need_ncon and leave none.

    Reads: cpair_geom, sap_geom, pair_geom1, pair_geom2, geom_xpos, geom_xmat, cb_contactfilter, and what note_written_masks and body_pairs read
    Writes: ncand, cand_geom, cand_pair, need_ncon, masks_written
    Source: D. Baraff, "Dynamic Simulation of Non-Penetrating Rigid Bodies", 1992, section 2.3 (sweep and prune).
    """
    # what is asleep or fixed cannot touch anew; masks written since the model was made open pairs that its list lacks
    asleep = some_asleep(m, d)
    d.ncand = 0
    if asleep and d.ngeom_run == 0:
        return   # nothing that is awake could touch anything
    note_written_masks(m, d)
    # unlisted: pairs beside those that were found with the model may touch
    unlisted = d.cb_contactfilter != 0 or d.masks_written != 0
    # which way to the pairs: body by body where masks or a filter say so, the list of a small model, the few awake geoms, else sweep and prune
    if unlisted and (m.nsapgeom == 0 or d.masks_written == 2 or m.opt_disableflags & DSBL_MIDPHASE):
        n = body_pairs(m, d)
    elif m.nsapgeom == 0:
        n = listed_pairs(m, d)
    elif asleep and few_awake(m, d) and not unlisted:
        n = awake_pairs(m, d, plane_pairs(m, d))
    else:
        # sweep and prune along the axis of largest variance; planes are unbounded and held against all; many proxies go through a grid too
        bound_proxies(m, d)
        axis = widest_axis(m, d)
        sort_by_lower_end(m, d, axis)
        n = unlisted_planes(m, d) if unlisted else plane_pairs(m, d)
        if m.nsapproxy < GRID_FROM:
            n = swept_pairs(m, d, axis, n)
        else:
            build_grid(m, d, axis)
            n = grid_pairs(m, d, axis, n)
    # no room: tell how much there must be
    if n > d.maxcon:
        d.need_ncon = n + m.npair
        return
    # cull: pairs asleep, and meshes whose boxes are apart
    if asleep:
        n = drop_asleep(m, d, n)
    if m.nmesh > 0 and m.nsapgeom > 0 and d.cb_contactfilter == 0:
        n = drop_separated(m, d, n)
    # the official order, then the explicit pairs in it
    if m.nsapgeom > 0 or m.opt_disableflags & DSBL_MIDPHASE or unlisted:
        order_pairs(m, d, n)
    if m.npair > 0:
        n = merge_explicit(m, d, n)
        if n > d.maxcon:
            d.need_ncon = n
            return
    d.ncand = n
