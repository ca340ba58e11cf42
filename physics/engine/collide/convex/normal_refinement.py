"""Newton refinement of the contact normal of two shapes of which at least one is curved.

The support function h(n) of the Minkowski difference, how far it reaches along a unit vector n, is smallest in the wanted direction: there it is
the depth, or minus the distance. GJK and EPA come near that minimum by flat faces, so their direction is off by the root
of the error of their distance; a few Newton steps on the unit sphere remove it. Edges of flat shapes that the
nearest points lie on keep n at right angles:

    gradient of h: the support point w,   second derivative (Hessian): curvature of the curved shapes at w,
    step: (second derivative - h) s = -w, all in the plane normal to n and to the edges

Whatever comes out is used only where h is not greater than before.

Source: R. Schneider, "Convex Bodies: The Brunn-Minkowski Theory", section 2.5 (second derivatives of support functions).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.convex.shapes import CCD_CYLINDER, CCD_ELLIPSOID, CCD_SPHERE
from physics.engine.collide.convex.simplex import plane_barycentric
from physics.engine.collide.convex.simplex_vertices import interpolate_rows, simplex_size
from physics.engine.collide.convex.support import local_support, minkowski_support
from physics.engine.collide.vectors import add3, addscl3, cross3, dot3, scl3, sub3, to_local, to_world, unit3
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld9, st3, st9

SPARE_ROW = 5  # row of ccd_vert for points on the way
MAX_STEPS = 8
STEP_TOLERANCE = 1e-14  # steps that change nothing
DIVERGENCE = 0.5  # steps that make h larger by this share lead nowhere
MAX_STEP = 0.3  # longest step [rad]
CAP_SLOPE = 0.05  # slope of n to the axis of a cylinder, below which its cap is tried
CONVERGED = 1e-10  # of the size: the support point lies on the direction
ROUNDING = 1e-13  # of the size: h counts as equal


@helper
def is_curved(kind):
    """whether a kind of shape has curved parts, besides the radius that is added in the end"""
    return kind == CCD_ELLIPSOID or kind == CCD_CYLINDER


@helper(fastmath=EXACT)
def axis_of(d, s):
    """z axis of shape s in the frame of shape 0"""
    if s == 0:
        return 0.0, 0.0, 1.0
    return d.ccd_relmat[0, 2], d.ccd_relmat[0, 5], d.ccd_relmat[0, 8]


@helper(fastmath=EXACT)
def edge_direction(d, s, row, other):
    """Direction of the edge of shape s that runs from its point in one row of ccd_vert to that in another, 0 where there is none."""
    kind = d.ccd_shape[s]
    c = 3 + 3 * s
    e = (d.ccd_vert[other, c] - d.ccd_vert[row, c], d.ccd_vert[other, c + 1] - d.ccd_vert[row, c + 1], d.ccd_vert[other, c + 2] - d.ccd_vert[row, c + 2])
    if kind == CCD_CYLINDER:
        axis = axis_of(d, s)
        return axis if abs(dot3(e, axis)) > d.ccd_size[s, 1] else (0.0, 0.0, 0.0)
    if kind == CCD_SPHERE or kind == CCD_ELLIPSOID or d.ccd_vertid[row, s] == d.ccd_vertid[other, s]:
        return 0.0, 0.0, 0.0
    return e


@helper(fastmath=EXACT)
def collect_edges(d):
    """Write up to four unit edges that two vertices of the simplex lie on to ccd_edge, whose they are and one vertex to ccd_edgeshape and ccd_edgevert. -> their number"""
    # two vertices i, j of the simplex whose points on shape s differ lie on one edge of it
    n = 0
    for s in range(2):
        for i in range(3):
            for j in range(i + 1, 4):
                if d.ccd_simplex[j] >= 0 and n < 4:
                    e = edge_direction(d, s, d.ccd_simplex[i], d.ccd_simplex[j])
                    h = dot3(e, e)
                    # directions that are parallel to an earlier one, to 1e-6 rad, say nothing new
                    if h > 0.0:
                        e = scl3(e, 1.0 / sqrt(h))
                        known = False
                        for k in range(n):
                            c = cross3(e, ld3(d.ccd_edge, k))
                            if dot3(c, c) < 1e-12:
                                known = True
                        if not known:
                            st3(d.ccd_edge, n, e)
                            d.ccd_edgeshape[n] = s
                            d.ccd_edgevert[n] = d.ccd_simplex[i]
                            n += 1
    return n


@helper(fastmath=EXACT)
def support_hessian(d, s, n, t, u):
    """t' (second derivative of shape s's support function at n) u, all in the frame of shape 0"""
    # to the frame of the shape; as -K has the support function h_K(-n), the sign of n does not matter
    kind = d.ccd_shape[s]
    if s == 1:
        R = ld9(d.ccd_relmat, 0)
        n = to_local(R, n)
        t = to_local(R, t)
        u = to_local(R, u)
    a = ld3(d.ccd_size, s)
    # ellipsoid: h(n) = |A n| with A = diag(a), so h'' = (A A - (A A n)(A A n)' / h^2) / h
    if kind == CCD_ELLIPSOID:
        n = (a[0] * n[0], a[1] * n[1], a[2] * n[2])
        t = (a[0] * t[0], a[1] * t[1], a[2] * t[2])
        u = (a[0] * u[0], a[1] * u[1], a[2] * u[2])
        h = dot3(n, n)
        if h > 0.0:
            return (dot3(t, u) - dot3(n, t) * dot3(n, u) / h) / sqrt(h)
    # side of a cylinder: h(n) = r |n_xy| + half |n_z|, so h'' = r e e' / |n_xy| with e normal to n_xy; the part along z is linear
    if kind == CCD_CYLINDER:
        h = n[0] * n[0] + n[1] * n[1]
        if h > 0.0:
            x = (n[0] * t[1] - n[1] * t[0]) * (n[0] * u[1] - n[1] * u[0])
            return a[0] * x / (h * sqrt(h))
    return 0.0


@helper(fastmath=EXACT)
def support_value(m, d, n):
    """h(n); the support point goes to row SPARE_ROW of ccd_vert"""
    return dot3(n, minkowski_support(m, d, SPARE_ROW, n))


@helper(fastmath=EXACT)
def newton_step(d, n, h, w, edge):
    """Step from n towards the minimum of h, normal to n and, where there is one, to an edge; nought where h has no minimum nearby."""
    # one free direction t, normal to n and to the edge f: (h'' - h) s = -w . t
    if edge >= 0:
        f = ld3(d.ccd_edge, edge)
        t = cross3(n, f)
        b = support_hessian(d, 0, n, t, t) + support_hessian(d, 1, n, t, t) - h
        if not b > 0.0:
            return 0.0, 0.0, 0.0
        return scl3(t, -dot3(t, w) / b)
    # an orthonormal basis t, u of the tangent plane of the sphere at n
    e = (1.0, 0.0, 0.0)
    if abs(n[0]) > 0.6:
        e = (0.0, 1.0, 0.0)
    v = unit3(cross3(n, e))
    t = (v[0], v[1], v[2])
    u = cross3(n, t)
    # Riemannian Hessian of h on the sphere, [[a, b], [b, c]] = h'' - h in that basis; a step only where it is positive definite
    a = support_hessian(d, 0, n, t, t) + support_hessian(d, 1, n, t, t) - h
    b = support_hessian(d, 0, n, t, u) + support_hessian(d, 1, n, t, u)
    c = support_hessian(d, 0, n, u, u) + support_hessian(d, 1, n, u, u) - h
    det = a * c - b * b
    if not (a > 0.0 and det > 0.0):
        return 0.0, 0.0, 0.0
    # gradient (x, y) of h in that basis; p t + q u solves the 2 x 2 system by Cramer's rule
    x = dot3(t, w)
    y = dot3(u, w)
    p = (b * y - c * x) / det
    q = (b * x - a * y) / det
    return addscl3(scl3(t, p), u, q)


@helper(fastmath=EXACT)
def smooth_support_value(m, d, n, row):
    """n . w as it would be if flat shapes had only the vertex that row of ccd_vert was made from; row -1: h(n). The point goes to row SPARE_ROW of ccd_vert"""
    # polytopes keep their one vertex, which makes h linear in their part; curved shapes follow n
    if row < 0:
        return support_value(m, d, n)
    v = ld9(d.ccd_vert, row)
    a = (v[3], v[4], v[5])
    b = (v[6], v[7], v[8])
    if is_curved(d.ccd_shape[0]):
        local_support(m, d, 0, n[0], n[1], n[2])
        a = ld3(d.ccd_support, 0)
    if is_curved(d.ccd_shape[1]):
        R = ld9(d.ccd_relmat, 0)
        u = to_local(R, n)
        local_support(m, d, 1, -u[0], -u[1], -u[2])
        b = add3(to_world(R, ld3(d.ccd_support, 1)), ld3(d.ccd_relpos, 1))
    w = sub3(a, b)
    st9(d.ccd_vert, SPARE_ROW, (w[0], w[1], w[2], a[0], a[1], a[2], b[0], b[1], b[2]))
    return dot3(n, w)


@kernel("m d f f f i i", ret="f", fastmath=EXACT)
def newton_descent(m, d, x, y, z, edge, row):
    """Minimise h from (x, y, z) on, normal to a row of ccd_edge (-1: none); -> h there. The direction goes to ccd_dir.

    On the way flat shapes have only the vertex in a row of ccd_vert (-1: all), so that h bends smoothly.

    Reads: ccd_shape, ccd_size, ccd_relmat, ccd_relpos, ccd_edge
    Writes: ccd_dir, ccd_vert
    """
    # the start, projected to be normal to the edge f
    n = (x, y, z)
    if edge >= 0:
        f = ld3(d.ccd_edge, edge)
        n = addscl3(n, f, -dot3(n, f))
    v = unit3(n)
    n = (v[0], v[1], v[2])
    h = smooth_support_value(m, d, n, row)
    # Newton's method on the unit sphere: step s in the tangent plane, no longer than MAX_STEP, then back to the sphere
    for _ in range(MAX_STEPS):
        s = newton_step(d, n, h, spare_vertex(d), edge)
        length = sqrt(dot3(s, s))
        if length < STEP_TOLERANCE:
            break
        if length > MAX_STEP:
            s = scl3(s, MAX_STEP / length)
        n = (n[0] + s[0], n[1] + s[1], n[2] + s[2])
        if edge >= 0:
            f = ld3(d.ccd_edge, edge)
            n = addscl3(n, f, -dot3(n, f))
        v = unit3(n)
        n = (v[0], v[1], v[2])
        # h is the support function; where it grows much, the start was in no basin of a minimum
        before = h
        h = smooth_support_value(m, d, n, row)
        if h > before + DIVERGENCE * abs(before):
            break
    st3(d.ccd_dir, 0, n)
    return h if row < 0 else support_value(m, d, n)


@helper(fastmath=EXACT)
def spare_vertex(d):
    """point of the difference in row SPARE_ROW of ccd_vert"""
    return d.ccd_vert[SPARE_ROW, 0], d.ccd_vert[SPARE_ROW, 1], d.ccd_vert[SPARE_ROW, 2]


@kernel("m d f f f f", ret="i", fastmath=EXACT)
def newton_converges(m, d, x, y, z, size):
    """Descend from (x, y, z), free of edges; -> 1 where that ends at a minimum, kept in ccd_dir and ccd_depth (ccd_converged is 1 then).

    Reads: ccd_shape, ccd_size, ccd_relmat, ccd_relpos
    Writes: ccd_dir, ccd_depth, ccd_converged, ccd_vert
    """
    before = ld3(d.ccd_dir, 0)
    h = newton_descent(m, d, x, y, z, -1, -1)
    n = ld3(d.ccd_dir, 0)
    r = addscl3(spare_vertex(d), n, -h)
    if dot3(r, r) > CONVERGED * CONVERGED * size * size or h > d.ccd_depth[0]:
        st3(d.ccd_dir, 0, before)
        return 0
    d.ccd_depth[0] = h
    d.ccd_converged[0] = 1
    return 1


@helper(fastmath=EXACT)
def try_cap_normal(m, d, s, n):
    """h along the axis of shape s where it is a cylinder whose cap about faces n, else a large number; the axis goes to ccd_dir."""
    axis = axis_of(d, s)
    x = dot3(n, axis)
    if d.ccd_shape[s] != CCD_CYLINDER or 1.0 - abs(x) > CAP_SLOPE * CAP_SLOPE:
        return 1e300
    axis = scl3(axis, 1.0 if x > 0.0 else -1.0)
    st3(d.ccd_dir, 0, axis)
    return support_value(m, d, axis)


@helper(fastmath=EXACT)
def hits_cap(d, s, h):
    """whether the nearest point along ccd_dir lies on the cap of shape s, whose middle was its support point"""
    r = addscl3(spare_vertex(d), ld3(d.ccd_dir, 0), -h)
    return dot3(r, r) <= d.ccd_size[s, 0] * d.ccd_size[s, 0]


@helper(fastmath=EXACT)
def try_edge_normal(m, d, n, i, j):
    """h along the common normal of edges i and j on the side of n, which goes to ccd_dir."""
    c = cross3(ld3(d.ccd_edge, i), ld3(d.ccd_edge, j))
    if dot3(c, n) < 0.0:
        c = (-c[0], -c[1], -c[2])
    v = unit3(c)
    c = (v[0], v[1], v[2])
    st3(d.ccd_dir, 0, c)
    return support_value(m, d, c)


@helper(fastmath=EXACT)
def hits_face(d, s, h):
    """Whether the nearest point along ccd_dir lies in the triangle of shape s that the three vertices of the simplex have on it."""
    # x: the foot of the other shape's support point on the face's plane, along the normal in ccd_dir
    if d.ccd_simplex[2] < 0:
        return False
    c = 3 + 3 * s
    r = addscl3(spare_vertex(d), ld3(d.ccd_dir, 0), -h)
    t = -1.0 if s == 0 else 1.0
    x = (d.ccd_vert[SPARE_ROW, c] + t * r[0], d.ccd_vert[SPARE_ROW, c + 1] + t * r[1], d.ccd_vert[SPARE_ROW, c + 2] + t * r[2])
    # inside where no barycentric coordinate is negative
    i = d.ccd_simplex[0]
    j = d.ccd_simplex[1]
    k = d.ccd_simplex[2]
    u, v, w, plane = plane_barycentric((d.ccd_vert[i, c] - x[0], d.ccd_vert[i, c + 1] - x[1], d.ccd_vert[i, c + 2] - x[2]),
                           (d.ccd_vert[j, c] - x[0], d.ccd_vert[j, c + 1] - x[1], d.ccd_vert[j, c + 2] - x[2]),
                           (d.ccd_vert[k, c] - x[0], d.ccd_vert[k, c + 1] - x[1], d.ccd_vert[k, c + 2] - x[2]))
    return plane != 0.0 and u >= 0.0 and v >= 0.0 and w >= 0.0


@helper(fastmath=EXACT)
def has_unique_support(d, s, n, i, j):
    """whether shape s has one point only that lies farthest along n"""
    if d.ccd_shape[s] == CCD_CYLINDER:
        c = cross3(n, axis_of(d, s))
        if dot3(c, c) < 1e-20:
            return False
    return not (i >= 0 and d.ccd_edgeshape[i] == s) and not (j >= 0 and d.ccd_edgeshape[j] == s)


@helper(fastmath=EXACT)
def closest_midpoint(d, n, h, i, j):
    """Write the middle between the nearest points along n to ccd_midpoint; where they are not unique, one over the middle of the simplex.

    Row SPARE_ROW of ccd_vert holds support points along n, edges i and j (-1: none) are normal to it.
    """
    a = (d.ccd_vert[SPARE_ROW, 3], d.ccd_vert[SPARE_ROW, 4], d.ccd_vert[SPARE_ROW, 5])
    b = (d.ccd_vert[SPARE_ROW, 6], d.ccd_vert[SPARE_ROW, 7], d.ccd_vert[SPARE_ROW, 8])
    if has_unique_support(d, 0, n, i, j):
        st3(d.ccd_midpoint, 0, addscl3(a, n, -0.5 * h))
    elif has_unique_support(d, 1, n, i, j):
        st3(d.ccd_midpoint, 0, addscl3(b, n, 0.5 * h))
    elif j >= 0 and d.ccd_edgeshape[i] != d.ccd_edgeshape[j]:
        # a + s e and b + t f face each other along n
        e = ld3(d.ccd_edge, i)
        f = ld3(d.ccd_edge, j)
        r = sub3(sub3(a, b), scl3(n, h))
        c = dot3(e, f)
        s = (c * dot3(r, f) - dot3(r, e)) / (1.0 - c * c)
        st3(d.ccd_midpoint, 0, addscl3(addscl3(a, e, s), n, -0.5 * h))
    else:
        k = simplex_size(d)
        mid = scl3(add3(interpolate_rows(d, k, 3), interpolate_rows(d, k, 6)), 0.5)
        st3(d.ccd_midpoint, 0, addscl3(mid, n, dot3(n, sub3(a, mid)) - 0.5 * h))


@helper
def heaviest_row(d):
    """row of ccd_vert of the vertex with the largest barycentric coordinate"""
    best = 0
    for i in range(1, 4):
        if d.ccd_simplex[i] >= 0 and d.ccd_barycentric[i] > d.ccd_barycentric[best]:
            best = i
    return d.ccd_simplex[best]


@kernel("m d f f f", ret="i", fastmath=EXACT)
def refine_on_caps(m, d, x, y, z):
    """Try caps and faces about normal to (x, y, z). -> 1 where the nearest points lie on one, 2 where they may; the direction goes to ccd_normal then.

    Reads: ccd_shape, ccd_size, ccd_relmat, ccd_relpos, ccd_simplex, ccd_edge, ccd_edgeshape
    Writes: ccd_normal, ccd_depth, ccd_dir, ccd_vert
    """
    # the axis of a cylinder is the normal of its cap: taken where h along it is no greater than along n, but for rounding
    found = 0
    n = (x, y, z)
    room = ROUNDING * (abs(d.ccd_vert[SPARE_ROW, 0]) + abs(d.ccd_vert[SPARE_ROW, 1]) + abs(d.ccd_vert[SPARE_ROW, 2]))
    for s in range(2):
        h = try_cap_normal(m, d, s, n)
        if h <= d.ccd_depth[0] + room:
            d.ccd_depth[0] = h
            st3(d.ccd_normal, 0, ld3(d.ccd_dir, 0))
            found = 2
            if hits_cap(d, s, h):
                return 1
    return found


@kernel("m d f f f", fastmath=EXACT)
def refine_normal(m, d, x, y, z):
    """Improve the direction (x, y, z) of ccd_simplex and find the middle between the nearest points.

    Caps and faces of flat shapes come first, for there it ends where the nearest points are seen to lie on them.
    Reads: ccd_shape, ccd_size, ccd_relmat, ccd_relpos, ccd_simplex, ccd_vertid, ccd_converged, ccd_dir
    Writes: ccd_normal (in the frame of shape 0), ccd_depth, ccd_midpoint, ccd_edge, ccd_edgeshape, ccd_vert
    """
    # GJK or EPA ended at a minimum of h that Newton's method found: only the points are left to find
    if d.ccd_converged[0]:
        n = ld3(d.ccd_dir, 0)
        st3(d.ccd_normal, 0, n)
        closest_midpoint(d, n, support_value(m, d, n), -1, -1)
        return
    # the direction found by flat faces is what all others must beat; room allows for rounding of h
    n = (x, y, z)
    st3(d.ccd_normal, 0, n)
    d.ccd_depth[0] = support_value(m, d, n)
    p = spare_vertex(d)
    room = ROUNDING * (abs(p[0]) + abs(p[1]) + abs(p[2]))
    # a cap of a cylinder about normal to n: its axis is the normal
    done = refine_on_caps(m, d, x, y, z) == 1
    i = j = -1
    edges = 0 if done else collect_edges(d)
    # two edges that the simplex lies on: their cross product, a face normal where both are of one shape, an edge-edge normal where not
    if edges > 1:
        other = 1
        if d.ccd_edgeshape[0] != d.ccd_edgeshape[edges - 1]:
            other = edges - 1
        h = try_edge_normal(m, d, n, 0, 1)
        if h <= d.ccd_depth[0] + room:
            accept_direction(d, h)
            i = 0
            j = 1
            done = d.ccd_edgeshape[0] == d.ccd_edgeshape[1] and hits_face(d, d.ccd_edgeshape[0], h)
        # the pair of edges of both shapes, where that is not the first two
        if not done and other > 1:
            h = try_edge_normal(m, d, n, 0, other)
            if h < d.ccd_depth[0] - room:
                accept_direction(d, h)
                i = 0
                j = other
    # Newton's method free of edges (k = -1), then normal to each of them; the least h wins
    if not done:
        for k in range(-1, edges):
            h = newton_descent(m, d, x, y, z, k, d.ccd_edgevert[k] if k >= 0 else heaviest_row(d))
            if h < d.ccd_depth[0] - (room if i >= 0 else -room):
                accept_direction(d, h)
                i = k
                j = -1
    # the midpoint between the witness points along the final normal
    n = ld3(d.ccd_normal, 0)
    closest_midpoint(d, n, support_value(m, d, n), i, j)


@helper
def accept_direction(d, h):
    """Take the direction in ccd_dir, along which the difference reaches h."""
    d.ccd_depth[0] = h
    st3(d.ccd_normal, 0, ld3(d.ccd_dir, 0))
