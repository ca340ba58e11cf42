"""Quaternions (w, x, y, z) in NumPy, as the hard engine's maps between coordinates need them."""
from __future__ import annotations

import numpy as np


def product(a, b) -> np.ndarray:
    """a times b."""
    a, b = np.asarray(a), np.asarray(b)
    return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


def inverse(q) -> np.ndarray:
    """The inverse of a unit quaternion."""
    return np.array([q[0], -q[1], -q[2], -q[3]])


def unit(q) -> np.ndarray:
    """q of length 1."""
    return np.asarray(q) / np.linalg.norm(q)


def cross(v) -> np.ndarray:
    """The matrix of v x."""
    x, y, z = v
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def matrix(q) -> np.ndarray:
    """Rotation matrix of a unit quaternion."""
    v = cross(q[1:])
    return np.eye(3) + 2 * q[0] * v + 2 * v @ v


def exp(r) -> np.ndarray:
    """Quaternion of a rotation vector."""
    half = 0.5 * float(np.linalg.norm(r))
    return np.array([np.cos(half), *(0.5 * np.sinc(half / np.pi) * np.asarray(r))])


def log(q) -> np.ndarray:
    """Rotation vector of a unit quaternion, the short way."""
    q = np.asarray(q) if q[0] >= 0 else -np.asarray(q)
    size = float(np.linalg.norm(q[1:]))
    return q[1:] * (2 * np.arctan2(size, q[0]) / size if size > 0 else 2.0)
