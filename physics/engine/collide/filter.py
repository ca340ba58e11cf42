"""Whether two geoms may touch at all, and whether their bounds are near enough to look closer.

Margins and gaps of two geoms are added up, and the gap is beyond the margin; in models that keep the older rule
(flg_maxmargin) the larger of each counts, and the gap is the outer part of the margin.
"""
from __future__ import annotations

from physics.engine.collide.vectors import dot3, sub3, z_axis
from physics.engine.kinematics.shapes import PLANE
from physics.enums import DSBL_FILTERPARENT, ENBL_OVERRIDE
from physics.kernels.decorators import EXACT, helper
from physics.kernels.rows import ld3, ld9


@helper(fastmath=EXACT)
def pair_gap(m, g1, g2):
    """distance beyond the margin up to which contacts of the two geoms are listed [m]"""
    if m.flg_maxmargin:
        return max(m.geom_gap[g1], m.geom_gap[g2])
    return m.geom_gap[g1] + m.geom_gap[g2]


@helper(fastmath=EXACT)
def pair_margin(m, g1, g2):
    """distance below which the two geoms push on each other [m]"""
    if m.flg_maxmargin:
        margin = max(m.geom_margin[g1], m.geom_margin[g2])
        if m.opt_enableflags & ENBL_OVERRIDE:
            margin = m.opt_o_margin
        return margin - pair_gap(m, g1, g2)
    if m.opt_enableflags & ENBL_OVERRIDE:
        return m.opt_o_margin
    return m.geom_margin[g1] + m.geom_margin[g2]


@helper(fastmath=EXACT)
def approach(d, g1, g2):
    """how far the two geoms may come nearer within a step whose end is solved for, 0 in the soft engine [m]"""
    return d.contact_reach[g1] + d.contact_reach[g2]


@helper(fastmath=EXACT)
def pair_reach(m, d, g1, g2):
    """distance up to which contacts of the two geoms are listed: margin + gap [m]"""
    return pair_margin(m, g1, g2) + pair_gap(m, g1, g2) + approach(d, g1, g2)


@helper(fastmath=EXACT)
def explicit_margin(m, p):
    """distance below which the geoms of explicit pair p push on each other [m]"""
    inner = m.pair_gap[p] if m.flg_maxmargin else 0.0
    if m.opt_enableflags & ENBL_OVERRIDE:
        return m.opt_o_margin - inner
    return m.pair_margin[p] - inner


@helper(fastmath=EXACT)
def explicit_reach(m, d, p):
    """distance up to which contacts of explicit pair p are listed [m]"""
    return explicit_margin(m, p) + m.pair_gap[p] + approach(d, m.pair_geom1[p], m.pair_geom2[p])


@helper(fastmath=EXACT)
def geom_reach(m, d, g):
    """share of one geom in bounding radius + reach of its pairs; for the older rule more than that [m]"""
    margin = m.geom_margin[g]
    if m.opt_enableflags & ENBL_OVERRIDE:
        margin = 0.5 * m.opt_o_margin
    elif m.flg_maxmargin:
        margin = max(0.0, margin)
    return m.geom_rbound[g] + margin + m.geom_gap[g] + d.contact_reach[g]


@helper(fastmath=EXACT)
def balls_apart(d, g1, g2, bound):
    """whether the geoms' centres are farther apart than bound, or that is below 0"""
    e = sub3(ld3(d.geom_xpos, g1), ld3(d.geom_xpos, g2))
    return dot3(e, e) > bound * bound or bound < 0.0


@helper(fastmath=EXACT)
def above_plane(d, plane, g, bound):
    """whether the centre of g is higher than bound over the plane"""
    return dot3(sub3(ld3(d.geom_xpos, g), ld3(d.geom_xpos, plane)), z_axis(ld9(d.geom_xmat, plane))) > bound


@helper(fastmath=EXACT)
def bounds_apart(m, d, g1, g2):
    """whether the bounds of two geoms show that they are out of reach"""
    return bounds_beyond(m, d, g1, g2, pair_reach(m, d, g1, g2))


@helper(fastmath=EXACT)
def bounds_beyond(m, d, g1, g2, reach):
    """whether the bounds of two geoms show that they are farther apart than `reach`"""
    r1 = m.geom_rbound[g1]
    r2 = m.geom_rbound[g2]
    if r1 > 0.0 and r2 > 0.0:
        return balls_apart(d, g1, g2, r1 + r2 + reach)
    if r2 > 0.0 and m.geom_type[g1] == PLANE:
        return above_plane(d, g1, g2, r2 + reach)
    if r1 > 0.0 and m.geom_type[g2] == PLANE:
        return above_plane(d, g2, g1, r1 + reach)
    return False


@helper
def masks_match(m, g1, g2):
    """whether contype of one geom shares a bit with conaffinity of the other"""
    return (m.geom_contype[g1] & m.geom_conaffinity[g2]) != 0 or (m.geom_contype[g2] & m.geom_conaffinity[g1]) != 0


@helper
def body_masks_match(m, b1, b2):
    """the same of two bodies"""
    return (m.body_contype[b1] & m.body_conaffinity[b2]) != 0 or (m.body_contype[b2] & m.body_conaffinity[b1]) != 0


@helper
def masks_let_touch(m, d, g1, g2):
    """masks_match, unless a user's filter stands for it; then, and where bits were switched on, the bodies' masks must match too"""
    if d.cb_contactfilter == 0:
        if not masks_match(m, g1, g2):
            return False
        if d.masks_written == 0:
            return True
    return body_masks_match(m, m.geom_bodyid[g1], m.geom_bodyid[g2])


@helper
def excluded(m, b1, b2):
    """whether an exclude names the bodies b1 < b2 (binary search of the sorted signatures)"""
    signature = (b1 << 16) + b2
    lo = 0
    hi = m.nexclude
    while lo < hi:
        mid = (lo + hi) >> 1
        if m.exclude_signature[mid] < signature:
            lo = mid + 1
        else:
            hi = mid
    return lo < m.nexclude and m.exclude_signature[lo] == signature


@helper
def bodies_may_touch(m, b1, b2):
    """whether contacts between bodies b1 < b2 are allowed: weld groups, dofs, parents, excludes"""
    w1 = m.body_weldid[b1]
    w2 = m.body_weldid[b2]
    if w1 == w2 or (m.body_dofnum[w1] == 0 and m.body_dofnum[w2] == 0):
        return False
    if w1 != 0 and w2 != 0 and not m.opt_disableflags & DSBL_FILTERPARENT:
        if m.body_weldid[m.body_parentid[w1]] == w2 or m.body_weldid[m.body_parentid[w2]] == w1:
            return False
    return not (m.nexclude > 0 and excluded(m, b1, b2))
