"""Rigid motions as (4, 4) matrices: of frames, from positions with quaternions, about points."""
from __future__ import annotations

import numpy as np

from physics.rotation.orientation import from_matrix
from physics.rotation.quaternion import UNIT, matrix, unit
from render.scene import rotation

__all__ = ["IDENTITY", "about", "inverse", "pose", "pose_of_matrix", "quat_of", "shift", "smallest_turn", "turn"]

IDENTITY = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))


def pose(pos, quat=(1.0, 0.0, 0.0, 0.0)) -> np.ndarray:
    """Frame (4, 4) at a position (3,) [m], turned by a quaternion (4,) of any length."""
    out = np.array(IDENTITY)
    turn = unit(tuple(map(float, quat)))[0]
    if turn != UNIT:
        out[:3, :3] = np.reshape(matrix(turn), (3, 3))
    out[:3, 3] = pos
    return out


def pose_of_matrix(pos, mat) -> np.ndarray:
    """The same of a rotation matrix (9,) or (3, 3)."""
    out = np.array(IDENTITY)
    out[:3, :3], out[:3, 3] = np.reshape(np.asarray(mat, float), (3, 3)), pos
    return out


def inverse(frame: np.ndarray) -> np.ndarray:
    """Inverse (4, 4) of a rigid motion."""
    out, back = np.array(IDENTITY), frame[:3, :3].T
    out[:3, :3], out[:3, 3] = back, -back @ frame[:3, 3]
    return out


def shift(vector) -> np.ndarray:
    """Motion (4, 4) by a vector (3,)."""
    out = np.array(IDENTITY)
    out[:3, 3] = vector
    return out


def turn(axis, angle: float) -> np.ndarray:
    """Rotation matrix (3, 3) by an angle [rad] about an axis (3,) of any length."""
    axis = np.asarray(axis, float)
    return rotation.matrix(rotation.from_axis_angle(axis / np.linalg.norm(axis), angle))


def about(point, mat) -> np.ndarray:
    """Motion (4, 4) that turns by a matrix (3, 3) about a point (3,)."""
    return shift(point) @ pose_of_matrix((0.0, 0.0, 0.0), mat) @ shift(-np.asarray(point, float))


def quat_of(frame: np.ndarray) -> np.ndarray:
    """Unit quaternion (4,) with w >= 0 of a frame (4, 4)."""
    mat = frame[:3, :3]
    quat = from_matrix(mat)
    return quat if quat[0] >= 0 else -quat


def smallest_turn(start, end) -> np.ndarray:
    """Rotation matrix (3, 3) by the smallest angle that takes one direction to another."""
    a, b = (np.asarray(v, float) / np.linalg.norm(v) for v in (start, end))
    axis, cosine = np.cross(a, b), float(a @ b)
    length = np.linalg.norm(axis)
    if length < 1e-12:
        if cosine > 0:
            return np.eye(3)
        other = np.array((1.0, 0.0, 0.0) if abs(a[0]) < 0.9 else (0.0, 1.0, 0.0))     # from z about x, as the compiler turns
        return turn(other - (other @ a) * a, np.pi)
    return turn(axis / length, float(np.arctan2(length, cosine)))
