"""Rotations of the mapping: quaternions (w, x, y, z) as tuples, from physics.engine.linalg.quat, and exponential and logarithm.

Source: Sola, "Quaternion kinematics for the error-state Kalman filter", 2017, section 2.
"""
from __future__ import annotations

from math import acos, cos, hypot, sin

import numpy as np

from physics.engine.linalg.quat import conj4, mul4, rotate, to_rotvec, unit4
from physics.rotation.orientation import from_matrix

__all__ = ["IDENTITY", "angle_between", "conj4", "exp", "log", "mul4", "of_matrix", "rotate", "unit4", "yaw"]

IDENTITY = (1.0, 0.0, 0.0, 0.0)


def exp(v) -> tuple:
    """The rotation of a rotation vector [rad]."""
    angle = hypot(*v)
    s = sin(0.5 * angle) / angle if angle > 1e-12 else 0.5
    return cos(0.5 * angle), v[0] * s, v[1] * s, v[2] * s


def log(q) -> tuple:
    """The rotation vector of the shorter way [rad]."""
    return to_rotvec(q)


def angle_between(a, b) -> float:
    """Angle of the rotation from one orientation to another, 0..pi [rad]."""
    return 2.0 * acos(min(1.0, abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3])))


def yaw(angle: float) -> tuple:
    """A turn about z [rad]."""
    return cos(0.5 * angle), 0.0, 0.0, sin(0.5 * angle)


def of_matrix(matrix) -> tuple:
    """The quaternion of a rotation matrix (9,) or (3, 3)."""
    return tuple(from_matrix(np.reshape(matrix, (3, 3))).tolist())
