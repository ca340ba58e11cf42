"""Quaternions (w, x, y, z) and vectors in NumPy arrays, the last axis theirs, the others broadcast.

The order of operations is that of the official compiler's bounding boxes and cables, so that what is made of them agrees to the bit; the plain
tuples of quaternion.py turn a vector by its matrix instead, which rounds otherwise.
"""
from __future__ import annotations

import numpy as np


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross products (..., 3)."""
    (ax, ay, az), (bx, by, bz) = np.moveaxis(a, -1, 0), np.moveaxis(b, -1, 0)
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], -1)


def conjugate(q: np.ndarray) -> np.ndarray:
    """The inverse turns of unit quaternions (..., 4)."""
    return q * (1, -1, -1, -1)


def rotate(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Vectors (..., 3) turned by quaternions (..., 4) as they are given: v + 2 u x (w v + u x v)."""
    w, u = q[..., :1], q[..., 1:]
    return v + 2 * cross(u, w * v + cross(u, v))
