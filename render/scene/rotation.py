"""Quaternions in NumPy arrays for pictures: products, rotated vectors, matrices, by pyrr.

Ours are MuJoCo's: (w, x, y, z), Hamilton's product, matrices act on columns (M v). pyrr's are (x, y, z, w), its 4x4 matrices act on rows (v M): the
turn from one order to the other is made here and in render.scene.camera, nowhere else, and pinned by tests. All functions take arrays whose
last axis is the quaternion's or the vector's; the others broadcast. pyrr's functions on quaternions work component by component, so they
take components as arrays.
"""
from __future__ import annotations

import numpy as np
from pyrr import matrix33, quaternion

TINY, NO_LENGTH = 1e-10, 1e-15


def _to_pyrr(q, shape: tuple) -> np.ndarray:
    """(w, x, y, z) in the last axis -> (x, y, z, w) in the first."""
    return np.moveaxis(np.roll(np.broadcast_to(np.asarray(q, float), (*shape, 4)), -1, axis=-1), -1, 0)


def _from_pyrr(q) -> np.ndarray:
    return np.roll(np.moveaxis(q, 0, -1), 1, axis=-1)


def _common(a, b) -> tuple:
    return np.broadcast_shapes(np.shape(a)[:-1], np.shape(b)[:-1])


def multiply(a, b) -> np.ndarray:
    """Hamilton's product (..., 4): the rotation b followed by a."""
    shape = _common(a, b)
    return _from_pyrr(quaternion.cross(_to_pyrr(a, shape), _to_pyrr(b, shape)))


def conjugate(q) -> np.ndarray:
    """The inverse (..., 4) of unit quaternions."""
    return np.asarray(q, float) * (1, -1, -1, -1)


def rotate(q, v) -> np.ndarray:
    """Vectors (..., 3) turned by unit quaternions (..., 4): q v q*."""
    shape = _common(q, v)
    turn = _to_pyrr(q, shape)
    pure = np.zeros((4, *shape))
    pure[:3] = np.moveaxis(np.broadcast_to(np.asarray(v, float), (*shape, 3)), -1, 0)
    return np.moveaxis(quaternion.cross(turn, quaternion.cross(pure, quaternion.conjugate(turn)))[:3], 0, -1)


def matrix(q) -> np.ndarray:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4)."""
    if np.ndim(q) == 1:
        return matrix33.create_from_quaternion(_to_pyrr(q, ()))
    return np.stack([rotate(q, axis) for axis in np.eye(3)], axis=-1)


def from_matrix(mat) -> np.ndarray:
    """Unit quaternion (4,), w >= 0, of a rotation matrix (9,) or (3, 3)."""
    q = quaternion.normalize(_from_pyrr(quaternion.create_from_matrix(np.reshape(np.asarray(mat, float), (3, 3)))))
    return q if q[0] >= 0 else -q


def from_axis_angle(axis, angle: float) -> np.ndarray:
    """Unit quaternion (4,) turning by `angle` [rad] about the unit `axis`."""
    return _from_pyrr(quaternion.create_from_axis_rotation(np.asarray(axis, float), angle))


def angle_of(q) -> np.ndarray:
    """Angles (...) of unit quaternions, 0 to pi [rad]."""
    q = np.asarray(q, float)
    return 2 * np.arctan2(np.linalg.norm(q[..., 1:], axis=-1), np.abs(q[..., 0]))


def turn_z(direction: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 9) that turn z by the smallest angle into the directions (n, 3); identity for a vector of no length."""
    length = np.linalg.norm(direction, axis=1)[:, None]
    v = np.where(length > NO_LENGTH, direction / np.maximum(length, NO_LENGTH), (0.0, 0.0, 1.0))
    x, y, z = v.T
    down = z < -1 + TINY
    k = 1 / np.where(down, 1, 1 + z)
    rows = np.stack([1 - k * x * x, -k * x * y, x, -k * x * y, 1 - k * y * y, y, -x, -y, z], axis=1)
    rows[down] = (1, 0, 0, 0, -1, 0, 0, 0, -1)
    return rows
