"""Spatial algebra about one point per tree: motions and forces are (rotation, translation), inertias ten numbers.

The ten numbers are Ixx Iyy Izz Ixy Ixz Iyz, then m times the centre's offset (x, y, z), then m, all about the tree's
point and along the world's axes.

Source: Featherstone, "Rigid Body Dynamics Algorithms", chapter 2 (2.29, 2.31, 2.62, 2.63).
"""
from __future__ import annotations

from physics.kernels.decorators import helper


@helper
def add6(a, b):
    """a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]


@helper
def addscl6(a, b, s):
    """a + s b."""
    return (a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s,
            a[3] + b[3] * s, a[4] + b[4] * s, a[5] + b[5] * s)


@helper
def dot6(a, b):
    """a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]


@helper
def cross_motion(v, s):
    """v x s for a motion s: (w x s_r, w x s_t + u x s_r)."""
    return (v[1] * s[2] - v[2] * s[1],
            v[2] * s[0] - v[0] * s[2],
            v[0] * s[1] - v[1] * s[0],
            v[1] * s[5] - v[2] * s[4] + v[4] * s[2] - v[5] * s[1],
            v[2] * s[3] - v[0] * s[5] + v[5] * s[0] - v[3] * s[2],
            v[0] * s[4] - v[1] * s[3] + v[3] * s[1] - v[4] * s[0])


@helper
def cross_force(v, f):
    """v x* f for a force f: (w x f_r + u x f_t, w x f_t)."""
    return (v[1] * f[2] - v[2] * f[1] + v[4] * f[5] - v[5] * f[4],
            v[2] * f[0] - v[0] * f[2] + v[5] * f[3] - v[3] * f[5],
            v[0] * f[1] - v[1] * f[0] + v[3] * f[4] - v[4] * f[3],
            v[1] * f[5] - v[2] * f[4],
            v[2] * f[3] - v[0] * f[5],
            v[0] * f[4] - v[1] * f[3])


@helper
def world_inertia(i, r):
    """R diag(i) R' as Ixx Iyy Izz Ixy Ixz Iyz."""
    a0, a1, a2 = r[0] * i[0], r[1] * i[1], r[2] * i[2]
    b0, b1, b2 = r[3] * i[0], r[4] * i[1], r[5] * i[2]
    c0, c1, c2 = r[6] * i[0], r[7] * i[1], r[8] * i[2]
    return (a0 * r[0] + a1 * r[1] + a2 * r[2],
            b0 * r[3] + b1 * r[4] + b2 * r[5],
            c0 * r[6] + c1 * r[7] + c2 * r[8],
            a0 * r[3] + a1 * r[4] + a2 * r[5],
            a0 * r[6] + a1 * r[7] + a2 * r[8],
            b0 * r[6] + b1 * r[7] + b2 * r[8])


@helper
def inertia10(i, r, o, mass):
    """Inertia of a body with principal moments i along the axes of R, mass and centre at offset o from the point."""
    w = world_inertia(i, r)
    x, y, z = mass * o[0], mass * o[1], mass * o[2]
    return (w[0] + y * o[1] + z * o[2],
            w[1] + x * o[0] + z * o[2],
            w[2] + x * o[0] + y * o[1],
            w[3] - x * o[1], w[4] - x * o[2], w[5] - y * o[2],
            x, y, z, mass)


@helper
def add10(a, b):
    """a + b for inertias."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4],
            a[5] + b[5], a[6] + b[6], a[7] + b[7], a[8] + b[8], a[9] + b[9])


@helper
def mul_inertia(i, v):
    """Momentum of the inertia i moving with v."""
    return (i[0] * v[0] + i[3] * v[1] + i[4] * v[2] - i[8] * v[4] + i[7] * v[5],
            i[3] * v[0] + i[1] * v[1] + i[5] * v[2] + i[8] * v[3] - i[6] * v[5],
            i[4] * v[0] + i[5] * v[1] + i[2] * v[2] - i[7] * v[3] + i[6] * v[4],
            i[8] * v[1] - i[7] * v[2] + i[9] * v[3],
            i[6] * v[2] - i[8] * v[0] + i[9] * v[4],
            i[7] * v[0] - i[6] * v[1] + i[9] * v[5])
