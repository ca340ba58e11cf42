"""Rays against triangles.

The triangle is seen along the ray: two axes across the ray, chosen once, make it a triangle in a plane, which holds the
origin where the ray meets it. Both sides count.

Source: A. Glassner (editor), "An Introduction to Ray Tracing", 1989, section 2.3 (crossing a polygon in a projection).
"""
from __future__ import annotations

from physics.engine.collide.vectors import addscl3, cross3, dot3, sub3
from physics.engine.ray.quadric import MISS, direction
from physics.enums import MINVAL
from physics.kernels.decorators import EXACT, helper


@helper(fastmath=EXACT)
def across(v):
    """Two unit vectors perpendicular to v and to each other."""
    a = (1.0, 1.0, 1.0)
    x, y, z = abs(v[0]), abs(v[1]), abs(v[2])
    if x >= y and x >= z:
        a = (0.0, 1.0, 1.0)
    elif y >= z:
        a = (1.0, 0.0, 1.0)
    else:
        a = (1.0, 1.0, 0.0)
    second = direction(addscl3(a, v, -dot3(v, a) / dot3(v, v)))
    return direction(cross3(second, v)), second


@helper(fastmath=EXACT)
def normal_of(a, b, c):
    """Unit normal of a triangle whose corners run round it counter-clockwise."""
    return direction(cross3(sub3(a, c), sub3(b, c)))


@helper(fastmath=EXACT)
def meet_triangle(a, b, c, p, v, u, w):
    """x at which the ray meets the triangle a b c, MISS where it does not; u, w: two axes across the ray."""
    # the vertices in the plane across the ray, where it is the origin; all on one side of an axis: it misses
    da = sub3(a, p)
    db = sub3(b, p)
    dc = sub3(c, p)
    ax, ay = dot3(u, da), dot3(w, da)
    bx, by = dot3(u, db), dot3(w, db)
    cx, cy = dot3(u, dc), dot3(w, dc)
    if (ax > 0.0 and bx > 0.0 and cx > 0.0) or (ax < 0.0 and bx < 0.0 and cx < 0.0):
        return MISS
    if (ay > 0.0 and by > 0.0 and cy > 0.0) or (ay < 0.0 and by < 0.0 and cy < 0.0):
        return MISS
    # the origin's coordinates in the triangle: c + s (a - c) + t (b - c) = 0
    ex, ey, fx, fy = ax - cx, ay - cy, bx - cx, by - cy
    det = ex * fy - fx * ey
    if abs(det) < MINVAL:
        return MISS
    s = (fx * cy - fy * cx) / det
    t = (ey * cx - ex * cy) / det
    if s < 0.0 or t < 0.0 or s + t > 1.0:
        return MISS
    # x of the triangle's plane
    n = cross3(sub3(a, c), sub3(b, c))
    along = dot3(v, n)
    if abs(along) < MINVAL:
        return MISS
    x = dot3(dc, n) / along
    if x < 0.0:
        return MISS
    return x
