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

from physics.engine.collide.convex.normal_refinement import newton_converges
from physics.engine.collide.convex.shapes import CCD_ELLIPSOID
from physics.engine.collide.convex.simplex import combine3, opposite_sides, segment_barycentric, triangle_barycentric
from physics.engine.collide.convex.simplex_vertices import interpolate_rows, minkowski_vertex
from physics.engine.collide.convex.support import minkowski_support
from physics.engine.collide.vectors import dot3, scl3, sub3
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, st3

FAR, APART, OVERLAP = range(3)  # what gjk finds
MAX_ITERATIONS = 100
RELATIVE_GAP = 1e-14  # part of the squared distance that the next point must bring
RELATIVE_GAP_CURVED = 1e-8  # the same for curved shapes
RELATIVE_GAP_NEWTON = 0.01  # the same, where Newton steps may know the rest
NEWTON_FIRST, NEWTON_SECOND = 2, 5  # rounds in which they are tried in any case
TOUCHING = 1e-9  # of the size of the difference: nearer shapes count as overlapping


@helper(fastmath=EXACT)
def repeats_vertex(d, k, n):
    """Whether row k of ccd_vert repeats one of the n vertices of the simplex."""
    if d.ccd_vertid[k, 0] < 0 or d.ccd_vertid[k, 1] < 0:
        return False
    for i in range(n):
        j = d.ccd_simplex[i]
        if d.ccd_vertid[j, 0] == d.ccd_vertid[k, 0] and d.ccd_vertid[j, 1] == d.ccd_vertid[k, 1]:
            return True
    return False


@helper
def free_row(d, n):
    """First row of ccd_vert that the n vertices of the simplex leave free."""
    for k in range(4):
        taken = False
        for i in range(n):
            if d.ccd_simplex[i] == k:
                taken = True
        if not taken:
            return k
    return 4


@helper(fastmath=EXACT)
def drop_zero_weights(d, n):
    """Drop vertices whose barycentric coordinate is zero. -> how many stay"""
    left = 0
    for i in range(n):
        if d.ccd_barycentric[i] > 0.0:
            d.ccd_simplex[left] = d.ccd_simplex[i]
            d.ccd_barycentric[left] = d.ccd_barycentric[i]
            left += 1
    for i in range(left, 4):
        d.ccd_simplex[i] = -1
        d.ccd_barycentric[i] = 0.0
    return left


@kernel("m d i", ret="i", fastmath=EXACT)
def closest_on_simplex(m, d, n):
    """Barycentric coordinates, in the n vertices of the simplex, of its point nearest to the origin. -> vertices with one, 4: it holds the origin.

    Reads: ccd_vert
    Writes: ccd_simplex, ccd_barycentric
    """
    p = minkowski_vertex(d, d.ccd_simplex[0])
    # distance subalgorithm: a point is its own nearest point
    if n == 1:
        d.ccd_barycentric[0] = 1.0
        return 1
    q = minkowski_vertex(d, d.ccd_simplex[1])
    # segment pq: parameter of the origin's projection, clamped to [0, 1] (Ericson, section 5.1.2)
    if n == 2:
        t = segment_barycentric(p, q)
        d.ccd_barycentric[0] = 1.0 - t
        d.ccd_barycentric[1] = t
        return drop_zero_weights(d, 2)
    r = minkowski_vertex(d, d.ccd_simplex[2])
    # triangle pqr: barycentric coordinates u, v, w of the nearest point; those of vertices that do not carry it are zero and are dropped
    if n == 3:
        u, v, w = triangle_barycentric(p, q, r)
        d.ccd_barycentric[0] = u
        d.ccd_barycentric[1] = v
        d.ccd_barycentric[2] = w
        return drop_zero_weights(d, 3)
    s = minkowski_vertex(d, d.ccd_simplex[3])
    # tetrahedron pqrs: of the faces whose plane has the origin outside, the one whose nearest point x is nearest (section 5.1.6)
    best = 1e300
    weights = (0.0, 0.0, 0.0, 0.0)
    inside = True
    # the face without the newest vertex held the nearest point before: the new vertex lies on the origin's side of it
    for k in range(3):
        a = p if k != 0 else s
        b = q if k != 1 else s
        c = r if k != 2 else s
        e = p if k == 0 else (q if k == 1 else r)
        if opposite_sides(a, b, c, e) != 0:
            inside = False
            u, v, w = triangle_barycentric(a, b, c)
            x = combine3(a, b, c, u, v, w)
            h = dot3(x, x)
            # barycentric coordinates in the order of the simplex; that of the vertex opposite the face is zero
            if h < best:
                best = h
                if k == 0:
                    weights = (0.0, v, w, u)
                elif k == 1:
                    weights = (u, 0.0, w, v)
                else:
                    weights = (u, v, 0.0, w)
    # outside of no face: the origin is in the tetrahedron, the shapes overlap
    if inside:
        return 4
    write_weights(d, weights)
    return drop_zero_weights(d, 4)


@helper
def write_weights(d, weights):
    """Write ccd_barycentric."""
    for k in range(4):
        d.ccd_barycentric[k] = weights[0] if k == 0 else (weights[1] if k == 1 else (weights[2] if k == 2 else weights[3]))


@helper(fastmath=EXACT)
def scale2(d, row):
    """squared size of what a row of ccd_vert was computed from"""
    a = (d.ccd_vert[row, 3], d.ccd_vert[row, 4], d.ccd_vert[row, 5])
    b = sub3((d.ccd_vert[row, 6], d.ccd_vert[row, 7], d.ccd_vert[row, 8]), ld3(d.ccd_relpos, 1))
    w = minkowski_vertex(d, row)
    return max(dot3(w, w), max(dot3(a, a), dot3(b, b)))


@helper(fastmath=EXACT)
def rolling_ball_radius(d, s):
    """Radius of the largest ball that can roll along the inside of shape s."""
    if d.ccd_shape[s] != CCD_ELLIPSOID:
        return 0.0
    a = ld3(d.ccd_size, s)
    low = min(a[0], min(a[1], a[2]))
    return low * low / max(a[0], max(a[1], a[2]))


@kernel("m d f i", ret="i", fastmath=EXACT)
def gjk(m, d, limit, curved):
    """Find the simplex nearest to the origin. -> FAR (farther apart than limit), APART or OVERLAP (touching ones too).

    With curved shapes Newton steps may end it (ccd_converged is 1 then): where they find the direction in which shapes that
    are apart are nearest, and also one of least depth, if that is less than the radius of a ball that rolls along the
    inside of the difference. That ball touches the surface there from within and holds a ball of that depth about the
    origin, so no other way out is shorter.
    Reads: ccd_shape, ccd_relpos, ccd_relmat, ccd_size, ccd_mesh
    Writes: ccd_simplex, ccd_barycentric, ccd_vert, ccd_vertid, ccd_converged, ccd_depth, ccd_dir (a direction that separates them, where they are FAR)
    """
    # v, the point of the simplex nearest to the origin, begins as a point inside the difference: that of the centres
    v = sub3(ld3(d.ccd_relpos, 0), ld3(d.ccd_relpos, 1))
    if not dot3(v, v) > 1e-200:
        v = (1.0, 0.0, 0.0)
    for i in range(4):
        d.ccd_simplex[i] = -1
    # shapes with curves end their steps early, for Newton's method finishes them; a ball of radius ball_radius rolls inside their difference
    relative_gap = RELATIVE_GAP_NEWTON if curved else RELATIVE_GAP
    ball_radius = rolling_ball_radius(d, 0) + rolling_ball_radius(d, 1)
    d.ccd_converged[0] = 0
    d.ccd_depth[0] = 1e300
    n = 0
    v_norm2 = 1e300
    scale = 0.0
    for k in range(MAX_ITERATIONS):
        # support point w of the Minkowski difference against v; the plane through w normal to v bounds the distance from below by v.w / |v|
        row = free_row(d, n)
        w = minkowski_support(m, d, row, (-v[0], -v[1], -v[2]))
        v_dot_w = dot3(v, w)
        # that bound is beyond the limit: -v / |v| is a separating axis (van den Bergen 1999)
        if v_dot_w > 0.0 and (limit <= 0.0 or v_dot_w * v_dot_w > limit * limit * dot3(v, v)):
            st3(d.ccd_dir, 0, scl3(v, -1.0 / sqrt(dot3(v, v))))
            return FAR
        # curved shapes: half of the way there, and in two early iterations where a ball rolls inside, Newton's method tries to end the search
        halfway = k > 0 and relative_gap == RELATIVE_GAP_NEWTON and v_norm2 - v_dot_w <= relative_gap * v_norm2
        if curved and (halfway or (ball_radius > 0.0 and (k == NEWTON_FIRST or k == NEWTON_SECOND))):
            if v_norm2 - v_dot_w <= relative_gap * v_norm2:
                relative_gap = RELATIVE_GAP_CURVED
            if newton_converges(m, d, -v[0], -v[1], -v[2], sqrt(scale)) and d.ccd_depth[0] <= ball_radius:
                return FAR if -d.ccd_depth[0] > limit else APART
            d.ccd_converged[0] = 0
            d.ccd_depth[0] = 1e300
        # |v|^2 - v.w bounds the error of |v|^2: below relative_gap v is the answer, as where w is a vertex of the simplex again
        if k > 0 and (v_norm2 - v_dot_w <= relative_gap * v_norm2 or repeats_vertex(d, row, n)):
            return APART
        # add w to the simplex and keep of it only what carries its nearest point (Johnson's subalgorithm, by areas: simplex.py)
        scale = max(scale, scale2(d, row))
        rows = (d.ccd_simplex[0], d.ccd_simplex[1], d.ccd_simplex[2])
        weights = (d.ccd_barycentric[0], d.ccd_barycentric[1], d.ccd_barycentric[2])
        d.ccd_simplex[n] = row
        n = closest_on_simplex(m, d, n + 1)
        # all four vertices are needed: the origin is inside
        if n == 4:
            return OVERLAP
        # the new v; as long as its square h falls, the iteration converges
        v = interpolate_rows(d, n, 0)
        h = dot3(v, v)
        if not h > TOUCHING * TOUCHING * scale:
            return OVERLAP
        if k > 0 and h >= v_norm2:
            # rounding has the last word: what was there before is nearer
            for i in range(3):
                d.ccd_simplex[i] = rows[0] if i == 0 else (rows[1] if i == 1 else rows[2])
                d.ccd_barycentric[i] = weights[0] if i == 0 else (weights[1] if i == 1 else weights[2])
            return APART
        v_norm2 = h
    return APART
