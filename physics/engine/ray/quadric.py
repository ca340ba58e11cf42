"""Rays against planes and against solids with curved sides, in the solid's own frame.

A ray is p + x v, x >= 0; v need not have length 1. Each function returns (x, normal): the least x at which the ray meets the
surface, from outside or inside, and the outer unit normal there; x is MISS where it does not.

    sphere, ellipsoid   one quadratic equation
    cylinder            the round side, cut at the caps, and the two caps
    capsule             the round side, cut, and the outer halves of two spheres

Source: A. Glassner (editor), "An Introduction to Ray Tracing", 1989, chapter 2; MuJoCo documentation, API, "Ray casting".
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.vectors import addscl3, dot3, unit3
from physics.enums import MINVAL
from physics.kernels.decorators import EXACT, helper

MISS = -1.0


@helper(fastmath=EXACT)
def direction(a):
    """a divided by its length, the x-axis where it has none."""
    u = unit3(a)
    return u[0], u[1], u[2]


@helper(fastmath=EXACT)
def roots(a, b, c):
    """Both solutions of a x^2 + 2 b x + c = 0, the smaller first; MISS twice where there are none."""
    det = b * b - a * c
    if det < 0.0 or a < MINVAL:
        return MISS, MISS
    s = sqrt(det)
    return (-b - s) / a, (s - b) / a


@helper(fastmath=EXACT)
def first_root(a, b, c):
    """The smaller solution that is not negative, or MISS."""
    x0, x1 = roots(a, b, c)
    if x0 >= 0.0:
        return x0
    if x1 >= 0.0:
        return x1
    return MISS


@helper(fastmath=EXACT)
def meets_ball(r2, p, v):
    """Whether the ray meets a ball of squared radius r2 about the origin."""
    return first_root(dot3(v, v), dot3(v, p), dot3(p, p) - r2) >= 0.0


@helper(fastmath=EXACT)
def meet_plane(size, p, v):
    """The front of a plane, within its drawn rectangle where it has one."""
    if v[2] > -MINVAL:
        return MISS, (0.0, 0.0, 1.0)
    x = -p[2] / v[2]
    if size[0] > 0.0 and abs(p[0] + x * v[0]) > size[0]:
        x = MISS
    if size[1] > 0.0 and abs(p[1] + x * v[1]) > size[1]:
        x = MISS
    if x < 0.0:
        x = MISS
    return x, (0.0, 0.0, 1.0)


@helper(fastmath=EXACT)
def meet_sphere(size, p, v):
    """A sphere."""
    x = first_root(dot3(v, v), dot3(v, p), dot3(p, p) - size[0] * size[0])
    return x, direction(addscl3(p, v, x))


@helper(fastmath=EXACT)
def meet_ellipsoid(size, p, v):
    """An ellipsoid: a unit sphere after scaling."""
    a = 1.0 / (size[0] * size[0])
    b = 1.0 / (size[1] * size[1])
    c = 1.0 / (size[2] * size[2])
    q = (a * v[0], b * v[1], c * v[2])
    x = first_root(dot3(q, v), dot3(q, p), a * p[0] * p[0] + b * p[1] * p[1] + c * p[2] * p[2] - 1.0)
    h = addscl3(p, v, x)
    return x, direction((a * h[0], b * h[1], c * h[2]))


@helper(fastmath=EXACT)
def meet_side(size, p, v):
    """The round side of a cylinder or capsule, between its ends."""
    x = first_root(v[0] * v[0] + v[1] * v[1], v[0] * p[0] + v[1] * p[1], p[0] * p[0] + p[1] * p[1] - size[0] * size[0])
    if x >= 0.0 and abs(p[2] + x * v[2]) > size[1]:
        x = MISS
    return x


@helper(fastmath=EXACT)
def meet_cylinder(size, p, v):
    """A cylinder."""
    if not meets_ball(size[0] * size[0] + size[1] * size[1], p, v):
        return MISS, (0.0, 0.0, 0.0)
    x = meet_side(size, p, v)
    cap = 0.0
    if abs(v[2]) > MINVAL:
        for k in range(2):
            up = 2.0 * k - 1.0
            y = (up * size[1] - p[2]) / v[2]
            if y >= 0.0 and (y <= x or x < 0.0):
                h = addscl3(p, v, y)
                if h[0] * h[0] + h[1] * h[1] <= size[0] * size[0]:
                    x = y
                    cap = up
    if cap != 0.0:
        return x, (0.0, 0.0, cap)
    return x, direction((p[0] + x * v[0], p[1] + x * v[1], 0.0))


@helper(fastmath=EXACT)
def meet_capsule(size, p, v):
    """A capsule."""
    reach = size[0] + size[1]
    if not meets_ball(reach * reach, p, v):
        return MISS, (0.0, 0.0, 0.0)
    x = meet_side(size, p, v)
    end = 0.0
    for k in range(2):
        up = 2.0 * k - 1.0
        q = (p[0], p[1], p[2] - up * size[1])
        x0, x1 = roots(dot3(v, v), dot3(v, q), dot3(q, q) - size[0] * size[0])
        # of the two points, the nearest that lies on the outer half
        if x0 < 0.0 or up * (q[2] + x0 * v[2]) < 0.0:
            x0 = x1
        if x0 >= 0.0 and up * (q[2] + x0 * v[2]) >= 0.0 and (x0 < x or x < 0.0):
            x = x0
            end = up
    z = 0.0
    if end != 0.0:
        z = p[2] + x * v[2] - end * size[1]
    return x, direction((p[0] + x * v[0], p[1] + x * v[1], z))
