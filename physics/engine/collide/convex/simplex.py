"""Nearest point to the origin of a segment, triangle or tetrahedron, by its barycentric coordinates.

They come from areas and volumes measured from the origin, so they keep their digits when the origin is close.

Source: G. van den Bergen, "Collision Detection in Interactive 3D Environments", 2003, section 4.3.2;
C. Ericson, "Real-Time Collision Detection", sections 5.1.2 to 5.1.6.
"""
from __future__ import annotations

from physics.engine.collide.vectors import cross3, dot3, sub3
from physics.kernels.decorators import EXACT, helper

DEGENERATE_SINE2 = 1e-24  # squared sine below which a triangle is a line
DEGENERATE_HEIGHT = 1e-12  # height of a tetrahedron by its edge, below which it is a triangle


@helper(fastmath=EXACT)
def segment_barycentric(a, b):
    """Barycentric coordinate of b of the point of segment ab nearest to the origin; that of a is 1 less this."""
    e = sub3(b, a)
    h = dot3(e, e)
    if h <= 0.0:
        return 0.0
    t = -dot3(a, e) / h
    if t <= 0.0:
        return 0.0
    if t >= 1.0:
        return 1.0
    return t


@helper(fastmath=EXACT)
def combine2(a, b, t):
    """a (1 - t) + b t"""
    s = 1.0 - t
    return s * a[0] + t * b[0], s * a[1] + t * b[1], s * a[2] + t * b[2]


@helper(fastmath=EXACT)
def combine3(a, b, c, u, v, w):
    """a u + b v + c w"""
    return u * a[0] + v * b[0] + w * c[0], u * a[1] + v * b[1] + w * c[1], u * a[2] + v * b[2] + w * c[2]


@helper(fastmath=EXACT)
def plane_barycentric(a, b, c):
    """Barycentric coordinates (u, v, w) of the origin's projection on the plane abc, which sum to 1 and may be negative; the last number is 0 if there is no plane."""
    # n = e x f has twice the area as length; compared with the edges it tells the sine of the triangle's angles
    e = sub3(b, a)
    f = sub3(c, a)
    g = sub3(c, b)
    n = cross3(e, f)
    h = dot3(n, n)
    le = dot3(e, e)
    lf = dot3(f, f)
    lg = dot3(g, g)
    if not h > DEGENERATE_SINE2 * max(le * lf, max(le * lg, lf * lg)):
        return 1.0, 0.0, 0.0, 0.0
    # signed areas of the triangles that the projection makes with each edge, over the whole (Ericson, section 3.4)
    u = dot3(n, cross3(b, g))
    v = dot3(n, cross3(f, a))
    w = dot3(n, cross3(a, e))
    s = 1.0 / h
    return u * s, v * s, w * s, 1.0


@helper(fastmath=EXACT)
def triangle_barycentric(a, b, c):
    """Barycentric coordinates (u, v, w) of the point of triangle abc nearest to the origin."""
    # the origin's projection lies in the triangle: its barycentric coordinates, scaled to sum 1
    u, v, w, plane = plane_barycentric(a, b, c)
    if plane != 0.0 and u >= 0.0 and v >= 0.0 and w >= 0.0:
        s = 1.0 / (u + v + w)
        return u * s, v * s, w * s
    # else the nearest point is on an edge beyond which the projection lies, where a coordinate is negative; all three of a triangle without area
    every = plane == 0.0
    best = 1e300
    x = y = z = 0.0
    if every or w < 0.0:
        t = segment_barycentric(a, b)
        p = combine2(a, b, t)
        best = dot3(p, p)
        x = 1.0 - t
        y = t
        z = 0.0
    # edge bc
    if every or u < 0.0:
        t = segment_barycentric(b, c)
        p = combine2(b, c, t)
        h = dot3(p, p)
        if h < best:
            best = h
            x = 0.0
            y = 1.0 - t
            z = t
    # edge ac
    if every or v < 0.0:
        t = segment_barycentric(a, c)
        p = combine2(a, c, t)
        h = dot3(p, p)
        if h < best:
            x = 1.0 - t
            y = 0.0
            z = t
    return x, y, z


@helper(fastmath=EXACT)
def opposite_sides(a, b, c, other):
    """1 where the origin and the fourth vertex lie on different sides of abc, 0 on one, 2 where there are no sides."""
    n = cross3(sub3(b, a), sub3(c, a))
    e = sub3(other, a)
    h = dot3(n, e)
    g = -dot3(n, a)
    if h * h <= DEGENERATE_HEIGHT * DEGENERATE_HEIGHT * dot3(n, n) * dot3(e, e):
        return 2
    return 1 if (h > 0.0) != (g > 0.0) else 0
