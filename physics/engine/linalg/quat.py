"""Unit quaternions (w, x, y, z) as tuples. Angular velocities are in the child's frame, so rotations multiply on the right.

Source: MuJoCo documentation, Computation chapter (joint coordinates); Sola, "Quaternion kinematics for the
error-state Kalman filter", 2017, sections 2 and 4.
"""
from __future__ import annotations

from math import atan2, pi, sqrt

from physics.engine.linalg.angle import sin_cos
from physics.enums import MINVAL
from physics.kernels.decorators import helper


@helper
def unit4(q):
    """q / |q|, (1, 0, 0, 0) where q is shorter than MINVAL, q itself where its length is 1 to MINVAL."""
    n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if n < MINVAL:
        return 1.0, 0.0, 0.0, 0.0
    if abs(n - 1.0) > MINVAL:
        s = 1.0 / n
        return q[0] * s, q[1] * s, q[2] * s, q[3] * s
    return q[0], q[1], q[2], q[3]


@helper
def conj4(q):
    """The inverse rotation."""
    return q[0], -q[1], -q[2], -q[3]


@helper
def mul4(a, b):
    """Hamilton's product: the rotation b in the frame of a."""
    return (a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0])


@helper
def rotate(q, v):
    """The vector v turned by q."""
    t0 = q[0] * v[0] + q[2] * v[2] - q[3] * v[1]
    t1 = q[0] * v[1] + q[3] * v[0] - q[1] * v[2]
    t2 = q[0] * v[2] + q[1] * v[1] - q[2] * v[0]
    return (v[0] + 2.0 * (q[2] * t2 - q[3] * t1),
            v[1] + 2.0 * (q[3] * t0 - q[1] * t2),
            v[2] + 2.0 * (q[1] * t1 - q[2] * t0))


@helper
def axis_angle(axis, angle):
    """Rotation about a unit axis."""
    s, c = sin_cos(angle * 0.5)
    return c, axis[0] * s, axis[1] * s, axis[2] * s


@helper
def to_mat(q):
    """Rotation matrix, nine numbers by rows."""
    x2 = q[1] + q[1]
    y2 = q[2] + q[2]
    z2 = q[3] + q[3]
    wx = q[0] * x2
    wy = q[0] * y2
    wz = q[0] * z2
    ww = q[0] * q[0]
    yy = q[2] * q[2]
    less = ww - q[1] * q[1]
    apart = yy - q[3] * q[3]
    return (ww + q[1] * q[1] - (yy + q[3] * q[3]), q[1] * y2 - wz, q[1] * z2 + wy,
            q[1] * y2 + wz, less + apart, q[2] * z2 - wx,
            q[1] * z2 - wy, q[2] * z2 + wx, less - apart)


@helper
def to_rotvec(q):
    """Rotation vector of a unit quaternion, angle in (-pi, pi]."""
    s = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if s < MINVAL:
        return 0.0, 0.0, 0.0
    angle = 2.0 * atan2(s, q[0])
    if angle > pi:
        angle -= 2.0 * pi
    k = angle / s
    return q[1] * k, q[2] * k, q[3] * k


@helper
def sub_quat(a, b):
    """Rotation vector that turns b into a, in the frame of b."""
    return to_rotvec(mul4(conj4(b), a))


@helper
def turn(q, w, h):
    """q after turning with the body's angular velocity w for the time h: unit(q) exp(h w)."""
    n = sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2])
    u = unit4(q)
    if n < MINVAL:
        return u
    s, c = sin_cos(0.5 * h * n)
    s /= n
    return mul4(u, (c, w[0] * s, w[1] * s, w[2] * s))
