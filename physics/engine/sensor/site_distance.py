"""Signed distance of a point from the surface of a site, negative inside, and the direction in which it grows.

Source: I. Quilez, "Distance functions" (sphere, capsule, cylinder, box); D. Eberly, "Distance from a Point to an Ellipse, an Ellipsoid, or a
Hyperellipsoid", section 3 (the root that gives the nearest point of an ellipsoid).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.kinematics.shapes import BOX, CYLINDER, ELLIPSOID, SPHERE
from physics.engine.linalg.vec import mat_t_vec3, mat_vec3, sub3
from physics.kernels.decorators import helper
from physics.kernels.rows import ld3, ld9

ROUNDS = 60  # of Newton's method for the nearest point of an ellipsoid; it takes about ten


@helper
def from_corner(x, y, z):
    """(distance, direction) of a point from the corner at the origin of the octant of negative numbers."""
    if x <= 0.0 and y <= 0.0 and z <= 0.0:
        if x >= y and x >= z:
            return x, 1.0, 0.0, 0.0
        if y >= z:
            return y, 0.0, 1.0, 0.0
        return z, 0.0, 0.0, 1.0
    x, y, z = max(x, 0.0), max(y, 0.0), max(z, 0.0)
    r = sqrt(x * x + y * y + z * z)
    return r, x / r, y / r, z / r


@helper
def from_ellipsoid(a, p):
    """(distance, direction) of a point with coordinates that are not negative from an ellipsoid of half axes a."""
    small = min(a[0], min(a[1], a[2]))
    u, v, w = a[0] * p[0], a[1] * p[1], a[2] * p[2]
    # the point x_i = a_i^2 p_i / (t + a_i^2) lies on the ellipsoid: a convex sum falls to 1; where it begins no part of it is larger
    lowest = -small * small
    t = max(lowest, max(u - a[0] * a[0], max(v - a[1] * a[1], w - a[2] * a[2])))
    for _ in range(ROUNDS):
        x, y, z = u / max(t + a[0] * a[0], 1e-300), v / max(t + a[1] * a[1], 1e-300), w / max(t + a[2] * a[2], 1e-300)
        f = x * x + y * y + z * z - 1.0
        if not f > 0.0:
            break
        slope = x * x / max(t + a[0] * a[0], 1e-300) + y * y / max(t + a[1] * a[1], 1e-300) + z * z / max(t + a[2] * a[2], 1e-300)
        step = 0.5 * f / slope
        if t + step <= t:
            break
        t += step
    # normal at the nearest point; on the plane of symmetry of the shortest axis what is left of the sum belongs to that axis
    n0, n1, n2 = p[0] / max(t + a[0] * a[0], 1e-300), p[1] / max(t + a[1] * a[1], 1e-300), p[2] / max(t + a[2] * a[2], 1e-300)
    q0, q1, q2 = a[0] * n0, a[1] * n1, a[2] * n2
    rest = sqrt(max(0.0, 1.0 - q0 * q0 - q1 * q1 - q2 * q2))
    if t == lowest:
        if a[0] == small:
            n0 = rest / small
        elif a[1] == small:
            n1 = rest / small
        else:
            n2 = rest / small
    r = sqrt(n0 * n0 + n1 * n1 + n2 * n2)
    if not r > 0.0:
        return -small, 1.0, 0.0, 0.0
    n0, n1, n2 = n0 / r, n1 / r, n2 / r
    reach = sqrt(a[0] * a[0] * n0 * n0 + a[1] * a[1] * n1 * n1 + a[2] * a[2] * n2 * n2)
    return n0 * p[0] + n1 * p[1] + n2 * p[2] - reach, n0, n1, n2


@helper
def from_shape(kind, a, p):
    """(distance, direction) of a point from a shape of a type and size in its own frame."""
    x, y, z = abs(p[0]), abs(p[1]), abs(p[2])
    if kind == BOX:
        r, i, j, k = from_corner(x - a[0], y - a[1], z - a[2])
    elif kind == ELLIPSOID:
        r, i, j, k = from_ellipsoid(a, (x, y, z))
    else:
        across = sqrt(x * x + y * y)
        i, j = 1.0, 0.0
        if across > 0.0:
            i, j = x / across, y / across
        if kind == CYLINDER:
            r, radial, k, _ = from_corner(across - a[0], z - a[1], -1e300)
        else:
            if kind != SPHERE:
                z = max(z - a[1], 0.0)
            r = sqrt(across * across + z * z)
            radial, k = 1.0, 0.0
            if r > 0.0:
                radial, k = across / r, z / r
            r -= a[0]
        i, j = i * radial, j * radial
    return r, -i if p[0] < 0.0 else i, -j if p[1] < 0.0 else j, -k if p[2] < 0.0 else k


@helper
def site_distance(m, d, s, point):
    """(distance, direction) of a point in the world from site s."""
    R = ld9(d.site_xmat, s)
    r, i, j, k = from_shape(m.site_type[s], ld3(m.site_size, s), mat_t_vec3(R, sub3(point, ld3(d.site_xpos, s))))
    n = mat_vec3(R, (i, j, k))
    return r, n[0], n[1], n[2]
