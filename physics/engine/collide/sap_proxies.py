"""The proxies of sweep and prune: single geoms, and groups of geoms that are fixed to each other.

Geoms of one weld group never touch each other. Where a moving group has many they are one proxy, so that
they are not compared among themselves; only where two proxies' bounds overlap one looks at their geoms, each first against
the other proxy's box. So are many geoms of a body that stands still; those of the world, which may lie anywhere, are
swept one by one. What stands still is never compared with what stands still as well.

Source: C. Ericson, "Real-Time Collision Detection", 2005, chapters 4.2 (boxes along the axes) and 6.1 (volumes around groups).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.filter import bounds_apart, excluded, geom_reach, masks_let_touch
from physics.engine.collide.vectors import add3, to_world
from physics.enums import DSBL_FILTERPARENT
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld4, ld6, ld9, off, st4, st6
from physics.kernels.simd import vbc, vld, vle, vturn

ROUNDING = 1.0 + 1e-12  # balls only prune: bounds_apart decides
INSIDE = 1.0 - 1e-12  # and nothing else can come out of it nearer than this
SLACK = 1e-12  # of coordinates and sizes: boxes are wider by more than rounding
BIG = 1e300
FIRST, NUM, WELD, PARENT, MOVES, CONTYPE, CONAFFINITY = range(7)  # columns of sap_proxy


@helper
def add_candidate(d, n, g1, g2):
    """Store pair n if there is room; -> n + 1"""
    if n < d.maxcon:
        d.cand_geom[n, 0] = g1
        d.cand_geom[n, 1] = g2
    return n + 1


@helper(fastmath=EXACT)
def spheres_overlap(a, b, scale):
    """Whether two balls touch, with their squared reach times `scale`; False where a number is none"""
    x = a[0] - b[0]
    y = a[1] - b[1]
    z = a[2] - b[2]
    reach = a[3] + b[3]
    return x * x + y * y + z * z <= reach * abs(reach) * scale


@helper(fastmath=EXACT)
def four_spheres_overlap(a, b, scale):
    """spheres_overlap of four pairs, as bits; a, b: the four x, y, z and reaches [m] of each side"""
    ax, ay, az, ar = a
    bx, by, bz, br = b
    x = ax - bx
    y = ay - by
    z = az - bz
    reach = ar + br
    return vle(x * x + y * y + z * z, reach * reach * vbc(scale)) & vle(vbc(0.0), reach)


@helper
def four_rows(p, k):
    """Columns of the four rows of four numbers from row k on"""
    return vturn(vld(p, 4 * k), vld(p, 4 * k + 4), vld(p, 4 * k + 8), vld(p, 4 * k + 12))


@helper(fastmath=EXACT)
def aabbs_overlap(a, b):
    """Whether two boxes along the axes touch; True where a number is none"""
    return not (a[0] > b[3] or b[0] > a[3] or a[1] > b[4] or b[1] > a[4] or a[2] > b[5] or b[2] > a[5])


@helper(fastmath=EXACT)
def interval(p, c, h, ball, more):
    """Lower and upper end along one axis of what is in a ball around p and within h of c, and `more`"""
    more += SLACK * (abs(p) + abs(c) + h + ball)
    return max(p - ball, c - h) - more, min(p + ball, c + h) + more


@helper(fastmath=EXACT)
def aabb_of_geom(m, d, g):
    """Box along the axes around a geom and its reach"""
    p = ld3(d.geom_xpos, g)
    R = ld9(d.geom_xmat, g)
    b = ld6(m.geom_aabb, g)
    c = add3(p, to_world(R, (b[0], b[1], b[2])))
    ball = m.geom_rbound[g]
    more = geom_reach(m, d, g) - ball
    x = interval(p[0], c[0], abs(R[0]) * b[3] + abs(R[1]) * b[4] + abs(R[2]) * b[5], ball, more)
    y = interval(p[1], c[1], abs(R[3]) * b[3] + abs(R[4]) * b[4] + abs(R[5]) * b[5], ball, more)
    z = interval(p[2], c[2], abs(R[6]) * b[3] + abs(R[7]) * b[4] + abs(R[8]) * b[5], ball, more)
    return x[0], y[0], z[0], x[1], y[1], z[1]


@kernel("m d i", fastmath=EXACT)
def bound_group(m, d, i):
    """Write the boxes of a group's geoms, and the box and the ball of the whole.

    Reads: sap_geom, sap_proxy, geom_xpos, geom_xmat, geom_rbound, geom_aabb, geom_margin, geom_gap, contact_reach
    Writes: sap_geomaabb, sap_proxyaabb, sap_proxysphere
    """
    first = m.sap_proxy[i, FIRST]
    end = first + m.sap_proxy[i, NUM]
    box = (BIG, BIG, BIG, -BIG, -BIG, -BIG)
    for k in range(first, end):
        b = aabb_of_geom(m, d, m.sap_geom[k])
        st6(d.sap_geomaabb, k, b)
        box = (min(box[0], b[0]), min(box[1], b[1]), min(box[2], b[2]), max(box[3], b[3]), max(box[4], b[4]), max(box[5], b[5]))
    st6(d.sap_proxyaabb, i, box)
    c = (0.5 * (box[0] + box[3]), 0.5 * (box[1] + box[4]), 0.5 * (box[2] + box[5]))
    x = 0.5 * (box[3] - box[0])
    y = 0.5 * (box[4] - box[1])
    z = 0.5 * (box[5] - box[2])
    st4(d.sap_proxysphere, i, (c[0], c[1], c[2], sqrt(x * x + y * y + z * z)))


@kernel(fastmath=EXACT)
def bound_proxies(m, d):
    """Write the bounding spheres of all proxies.

    Reads: sap_geom, sap_proxy, geom_xpos, geom_rbound, geom_margin, geom_gap, contact_reach, and what bound_group reads
    Writes: sap_proxysphere, and what bound_group writes
    """
    for i in range(m.nsapproxy):
        if m.sap_proxy[i, NUM] > 1:
            bound_group(m, d, i)
        else:
            g = m.sap_geom[m.sap_proxy[i, FIRST]]
            p = ld3(d.geom_xpos, g)
            st4(d.sap_proxysphere, i, (p[0], p[1], p[2], geom_reach(m, d, g)))


@helper
def sap_proxyaabb(m, d, i):
    """Box along the axes of a proxy; that of a single geom goes to sap_geomaabb too, where those of groups' geoms are"""
    if m.sap_proxy[i, NUM] > 1:
        return ld6(d.sap_proxyaabb, i)
    k = m.sap_proxy[i, FIRST]
    b = aabb_of_geom(m, d, m.sap_geom[k])
    st6(d.sap_geomaabb, k, b)
    return b


@kernel("m d i i i", ret="i", fastmath=EXACT)
def group_pairs(m, d, one, two, n):
    """Append the geoms of two proxies that are in reach and may touch; -> new number. That the groups may touch is known.

    Reads: sap_geom, sap_proxy, sap_geomaabb, sap_proxyaabb, sap_proxysphere, cb_contactfilter, masks_written, geom_bodyid, geom_contype, geom_conaffinity,
    body_contype, body_conaffinity, and what bounds_apart reads
    Writes: cand_geom, sap_geomaabb, sap_overlap
    """
    f = m.sap_proxy
    box1 = sap_proxyaabb(m, d, one)
    box2 = sap_proxyaabb(m, d, two)
    if not aabbs_overlap(box1, box2):
        return n
    hits = 0
    for k in range(f[two, FIRST], f[two, FIRST] + f[two, NUM]):
        d.sap_overlap[hits] = k
        hits += 1 if aabbs_overlap(ld6(d.sap_geomaabb, k), box1) else 0
    for j in range(f[one, FIRST], f[one, FIRST] + f[one, NUM]):
        box = ld6(d.sap_geomaabb, j)
        if not aabbs_overlap(box, box2):
            continue
        for q in range(hits):
            k = d.sap_overlap[q]
            if aabbs_overlap(box, ld6(d.sap_geomaabb, k)):
                g = m.sap_geom[j]
                h = m.sap_geom[k]
                if m.geom_bodyid[g] > m.geom_bodyid[h]:
                    g, h = h, g
                if masks_let_touch(m, d, g, h) and not bounds_apart(m, d, g, h) and not (m.nexclude > 0 and excluded(m, m.geom_bodyid[g], m.geom_bodyid[h])):
                    n = add_candidate(d, n, g, h)
    return n


@helper(fastmath=EXACT)
def add_proxy_pair(m, d, a, b, one, two, n):
    """Append the geoms of proxies one and two, whose spheres a and b overlap, as far as they are in reach and may touch; -> new number.

    The rules are those of bodies_may_touch and masks_match, and the balls those of bounds_apart, which decides where rounding may.
    """
    f = m.sap_proxy
    w1 = f[one, WELD]
    w2 = f[two, WELD]
    if w1 == w2 or (f[one, MOVES] == 0 and f[two, MOVES] == 0):
        return n
    if (f[one, CONTYPE] & f[two, CONAFFINITY]) == 0 and (f[two, CONTYPE] & f[one, CONAFFINITY]) == 0 and d.cb_contactfilter == 0 and d.masks_written == 0:
        return n
    if (f[one, PARENT] == w2 or f[two, PARENT] == w1) and w1 != 0 and w2 != 0 and not m.opt_disableflags & DSBL_FILTERPARENT:
        return n
    if f[one, NUM] + f[two, NUM] > 2:
        return group_pairs(m, d, one, two, n)
    g = m.sap_geom[f[one, FIRST]]
    h = m.sap_geom[f[two, FIRST]]
    if m.geom_bodyid[g] > m.geom_bodyid[h]:
        g, h = h, g
    if m.nexclude > 0 and excluded(m, m.geom_bodyid[g], m.geom_bodyid[h]):
        return n
    if not masks_let_touch(m, d, g, h):  # masks may have changed since sap_proxy were made
        return n
    if (m.flg_maxmargin or not spheres_overlap(a, b, INSIDE)) and bounds_apart(m, d, g, h):
        return n
    return add_candidate(d, n, g, h)


@helper(fastmath=EXACT)
def overlap_following(m, d, i, a, end, still, n):
    """Append the pairs of proxy i, in sphere a, with those that begin after it and before `end`; of what stands still only with movers. -> new number"""
    k = i + 1
    if not still:
        balls = off(d.sap_sphere, 0)
        fours = (vbc(a[0]), vbc(a[1]), vbc(a[2]), vbc(a[3]))
        while k + 3 < m.nsapproxy and d.sap_lower[k + 3] <= end:
            touched = four_spheres_overlap(fours, four_rows(balls, k), ROUNDING)
            if touched != 0:
                for e in range(4):
                    if touched & (1 << e):
                        n = add_proxy_pair(m, d, a, ld4(d.sap_sphere, k + e), d.sap_order[i], d.sap_order[k + e], n)
            k += 4
    while k < m.nsapproxy:
        if still:
            k = d.sap_nextdynamic[k]
            if k >= m.nsapproxy:
                break
        if d.sap_lower[k] > end:
            break
        b = ld4(d.sap_sphere, k)
        if spheres_overlap(a, b, ROUNDING):
            n = add_proxy_pair(m, d, a, b, d.sap_order[i], d.sap_order[k], n)
        k += 1
    return n
