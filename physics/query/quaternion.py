"""Quaternions (w, x, y, z) and rotations of scripts, by the official functions' names: sequences in, new NumPy arrays out.

Quaternions need not have length 1 where a rotation is asked for: they count as of length 1. Angles are in radians.
Source: MuJoCo documentation, API reference, "Quaternions"; Sola, "Quaternion kinematics for the error-state Kalman filter", 2017.
"""
from __future__ import annotations

import math

import numpy as np

from physics.engine.linalg import quat
from physics.simulate.arguments import vector


def _quat(values, what: str = "quat") -> tuple:
    return tuple(vector(values, 4, what).tolist())


def _unit(values, what: str = "quat") -> tuple:
    return quat.unit4(_quat(values, what))


def mul_quat(a, b) -> np.ndarray:
    """Hamilton's product (4): the rotation b, followed by a, both in the same fixed axes. Raises ValueError where a or b is not four numbers."""
    return np.array(quat.mul4(_quat(a, "a"), _quat(b, "b")))


def neg_quat(q) -> np.ndarray:
    """The inverse rotation (4), of a unit quaternion."""
    return np.array(quat.conj4(_quat(q)))


def rot_vec_quat(vec, q) -> np.ndarray:
    """The vector (3) turned by q."""
    return np.array(quat.rotate(_unit(q), tuple(vector(vec, 3, "vec").tolist())))


def axis_angle2_quat(axis, angle: float) -> np.ndarray:
    """The rotation (4) about an axis of unit length."""
    return np.array(quat.axis_angle(tuple(vector(axis, 3, "axis").tolist()), float(angle)))


def quat2_vel(q, dt: float) -> np.ndarray:
    """The angular velocity (3) [rad/s] that turns as q in the time dt [s]. Raises ValueError for dt = 0."""
    if not dt:
        raise ValueError("dt is 0")
    return np.array(quat.to_rotvec(_unit(q))) / dt


def sub_quat(a, b) -> np.ndarray:
    """The rotation vector (3) [rad] in the axes of b that turns b into a."""
    return np.array(quat.sub_quat(_unit(a, "a"), _unit(b, "b")))


def quat_integrate(q, vel, dt: float) -> np.ndarray:
    """q (4) after turning with the angular velocity vel (3) [rad/s] in its own axes for the time dt [s]."""
    return np.array(quat.turn(_quat(q), tuple(vector(vel, 3, "vel").tolist()), float(dt)))


def quat2_mat(q) -> np.ndarray:
    """Rotation matrix (3, 3)."""
    return np.array(quat.to_mat(_unit(q))).reshape(3, 3)


def mat2_quat(mat) -> np.ndarray:
    """The unit quaternion (4) of a rotation matrix, (3, 3) or nine numbers by rows; w is not negative. Raises ValueError for another size.

    Source: Shepperd, "Quaternion from rotation matrix", Journal of Guidance and Control 1 (1978): the largest of the four components is found first.
    """
    m = vector(np.ravel(mat), 9, "mat").reshape(3, 3)
    squares = np.array([1 + m[0, 0] + m[1, 1] + m[2, 2], 1 + m[0, 0] - m[1, 1] - m[2, 2], 1 - m[0, 0] + m[1, 1] - m[2, 2], 1 - m[0, 0] - m[1, 1] + m[2, 2]])   # 4 w^2, ...
    off = np.array([[0, m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]], [0, 0, m[0, 1] + m[1, 0], m[0, 2] + m[2, 0]], [0, 0, 0, m[1, 2] + m[2, 1]], [0, 0, 0, 0]])
    products = off + off.T + np.diag(squares)   # 4 q q'
    q = products[np.argmax(squares)]
    q = q / np.linalg.norm(q)
    return -q if q[0] < 0 else q


def euler2_quat(euler, seq: str = "xyz") -> np.ndarray:
    """The rotation (4) of three angles [rad] about the axes of seq: small letters turn with the body, capitals are fixed. Raises ValueError for other letters."""
    if len(seq) != 3 or set(seq.lower()) - set("xyz"):
        raise ValueError(f"seq must be three of the letters xyz and XYZ, not {seq!r}")
    q = (1.0, 0.0, 0.0, 0.0)
    for angle, letter in zip(vector(euler, 3, "euler").tolist(), seq):
        turn = [math.cos(angle / 2), 0.0, 0.0, 0.0]
        turn[1 + "xyz".index(letter.lower())] = math.sin(angle / 2)
        q = quat.mul4(q, tuple(turn)) if letter.islower() else quat.mul4(tuple(turn), q)
    return np.array(q)
