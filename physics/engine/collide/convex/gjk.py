"""Gilbert, Johnson and Keerthi: the distance of two convex shapes from a few of their support points.

The difference of the shapes holds the origin when they overlap; else its point nearest to the origin is the vector
between their nearest points. A simplex of up to four of its points is moved towards the origin until the support point
against its nearest point brings nothing nearer.

Source: E. Gilbert, D. Johnson, S. Keerthi, "A fast procedure for computing the distance between complex objects in
three-dimensional space", IEEE J. Robotics and Automation 4, 1988; G. van den Bergen, "A fast and robust GJK
implementation for collision detection of convex objects", J. Graphics Tools 4, 1999 (when to stop); W. Blaschke, "Kreis und Kugel", 1916 (balls that roll inside convex bodies).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.convex.normal_refinement import settles
from physics.engine.collide.convex.shapes import ROUND
from physics.engine.collide.convex.simplex import beyond, mixed3, segment_share, triangle_shares
from physics.engine.collide.convex.simplex_vertices import mixed_rows, vertex
from physics.engine.collide.convex.support import difference_tip
from physics.engine.collide.vectors import EXACT, dot3, scl3, sub3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, st3

FAR, APART, OVERLAP = range(3)  # what gjk finds
MOST_ROUNDS = 100
NEAR = 1e-14  # share of the squared distance that the next point must bring
CURVED = 1e-8  # the same for curved shapes
HALFWAY = 0.01  # the same, where Newton steps may know the rest
EARLY, LATER = 2, 5  # rounds in which they are tried in any case
TOUCHING = 1e-9  # of the size of the difference: nearer shapes count as overlapping


@helper(fastmath=EXACT)
def same_corners(d, k, n):
    """Whether row k of ccd_vert repeats one of the n corners of the simplex."""
    if d.ccd_id[k, 0] < 0 or d.ccd_id[k, 1] < 0:
        return False
    for i in range(n):
        j = d.ccd_simplex[i]
        if d.ccd_id[j, 0] == d.ccd_id[k, 0] and d.ccd_id[j, 1] == d.ccd_id[k, 1]:
            return True
    return False


@helper
def unused_row(d, n):
    """First row of ccd_vert that the n corners of the simplex leave free."""
    for k in range(4):
        taken = False
        for i in range(n):
            if d.ccd_simplex[i] == k:
                taken = True
        if not taken:
            return k
    return 4


@helper(fastmath=EXACT)
def keep_used(d, n):
    """Drop corners without a share. -> how many stay"""
    left = 0
    for i in range(n):
        if d.ccd_weight[i] > 0.0:
            d.ccd_simplex[left] = d.ccd_simplex[i]
            d.ccd_weight[left] = d.ccd_weight[i]
            left += 1
    for i in range(left, 4):
        d.ccd_simplex[i] = -1
        d.ccd_weight[i] = 0.0
    return left


@kernel("m d i", ret="i", fastmath=EXACT)
def nearest_of_simplex(m, d, n):
    """Find the shares of the n corners of the simplex in its point nearest to the origin. -> corners that have one, 4: it holds the origin.

    Reads: ccd_vert
    Writes: ccd_simplex, ccd_weight
    """
    p = vertex(d, d.ccd_simplex[0])
    if n == 1:
        d.ccd_weight[0] = 1.0
        return 1
    q = vertex(d, d.ccd_simplex[1])
    if n == 2:
        t = segment_share(p, q)
        d.ccd_weight[0] = 1.0 - t
        d.ccd_weight[1] = t
        return keep_used(d, 2)
    r = vertex(d, d.ccd_simplex[2])
    if n == 3:
        u, v, w = triangle_shares(p, q, r)
        d.ccd_weight[0] = u
        d.ccd_weight[1] = v
        d.ccd_weight[2] = w
        return keep_used(d, 3)
    s = vertex(d, d.ccd_simplex[3])
    best = 1e300
    shares = (0.0, 0.0, 0.0, 0.0)
    inside = True
    # the face without the newest corner held the nearest point before: the new corner lies on the origin's side of it
    for k in range(3):
        a = p if k != 0 else s
        b = q if k != 1 else s
        c = r if k != 2 else s
        e = p if k == 0 else (q if k == 1 else r)
        if beyond(a, b, c, e) != 0:
            inside = False
            u, v, w = triangle_shares(a, b, c)
            x = mixed3(a, b, c, u, v, w)
            h = dot3(x, x)
            if h < best:
                best = h
                if k == 0:
                    shares = (0.0, v, w, u)
                elif k == 1:
                    shares = (u, 0.0, w, v)
                else:
                    shares = (u, v, 0.0, w)
    if inside:
        return 4
    write_weights(d, shares)
    return keep_used(d, 4)


@helper
def write_weights(d, shares):
    """Write ccd_weight."""
    for k in range(4):
        d.ccd_weight[k] = shares[0] if k == 0 else (shares[1] if k == 1 else (shares[2] if k == 2 else shares[3]))


@helper(fastmath=EXACT)
def extent2(d, row):
    """squared size of what a row of ccd_vert was computed from"""
    a = (d.ccd_vert[row, 3], d.ccd_vert[row, 4], d.ccd_vert[row, 5])
    b = sub3((d.ccd_vert[row, 6], d.ccd_vert[row, 7], d.ccd_vert[row, 8]), ld3(d.ccd_at, 1))
    w = vertex(d, row)
    return max(dot3(w, w), max(dot3(a, a), dot3(b, b)))


@helper(fastmath=EXACT)
def rolling_radius(d, s):
    """Radius of the largest ball that can roll along the inside of shape s."""
    if d.ccd_kind[s] != ROUND:
        return 0.0
    a = ld3(d.ccd_size, s)
    low = min(a[0], min(a[1], a[2]))
    return low * low / max(a[0], max(a[1], a[2]))


@kernel("m d f i", ret="i", fastmath=EXACT)
def gjk(m, d, limit, curved):
    """Find the simplex nearest to the origin. -> FAR (farther apart than limit), APART or OVERLAP (touching ones too).

    With curved shapes Newton steps may end it (ccd_exact is 1 then): where they find the direction in which shapes that
    are apart are nearest, and also one of least depth, if that is less than the radius of a ball that rolls along the
    inside of the difference. That ball touches the surface there from within and holds a ball of that depth about the
    origin, so no other way out is shorter.
    Reads: ccd_kind, ccd_at, ccd_turn, ccd_size, ccd_mesh
    Writes: ccd_simplex, ccd_weight, ccd_vert, ccd_id, ccd_exact, ccd_depth, ccd_try (a direction that separates them, where they are FAR)
    """
    v = sub3(ld3(d.ccd_at, 0), ld3(d.ccd_at, 1))
    if not dot3(v, v) > 1e-200:
        v = (1.0, 0.0, 0.0)
    for i in range(4):
        d.ccd_simplex[i] = -1
    near = HALFWAY if curved else NEAR
    roll = rolling_radius(d, 0) + rolling_radius(d, 1)
    d.ccd_exact[0] = 0
    d.ccd_depth[0] = 1e300
    n = 0
    vv = 1e300
    size = 0.0
    for k in range(MOST_ROUNDS):
        row = unused_row(d, n)
        w = difference_tip(m, d, row, (-v[0], -v[1], -v[2]))
        vw = dot3(v, w)
        if vw > 0.0 and (limit <= 0.0 or vw * vw > limit * limit * dot3(v, v)):
            st3(d.ccd_try, 0, scl3(v, -1.0 / sqrt(dot3(v, v))))
            return FAR
        if curved and ((roll > 0.0 and (k == EARLY or k == LATER)) or (k > 0 and near == HALFWAY and vv - vw <= near * vv)):
            if vv - vw <= near * vv:
                near = CURVED
            if settles(m, d, -v[0], -v[1], -v[2], sqrt(size)) and d.ccd_depth[0] <= roll:
                return FAR if -d.ccd_depth[0] > limit else APART
            d.ccd_exact[0] = 0
            d.ccd_depth[0] = 1e300
        if k > 0 and (vv - vw <= near * vv or same_corners(d, row, n)):
            return APART
        size = max(size, extent2(d, row))
        corners = (d.ccd_simplex[0], d.ccd_simplex[1], d.ccd_simplex[2])
        shares = (d.ccd_weight[0], d.ccd_weight[1], d.ccd_weight[2])
        d.ccd_simplex[n] = row
        n = nearest_of_simplex(m, d, n + 1)
        if n == 4:
            return OVERLAP
        v = mixed_rows(d, n, 0)
        h = dot3(v, v)
        if not h > TOUCHING * TOUCHING * size:
            return OVERLAP
        if k > 0 and h >= vv:
            # rounding has the last word: what was there before is nearer
            for i in range(3):
                d.ccd_simplex[i] = corners[0] if i == 0 else (corners[1] if i == 1 else corners[2])
                d.ccd_weight[i] = shares[0] if i == 0 else (shares[1] if i == 1 else shares[2])
            return APART
        vv = h
    return APART
