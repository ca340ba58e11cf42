"""An orientation in the notation that an element uses: the inverse of physics.rotation.orientation.

Source: MuJoCo's MJCF reference, chapter "Frame orientations"; angles of three turns from a matrix: Diebel, "Representing Attitude" (2006), for any sequence of axes.
"""
from __future__ import annotations

import math

import numpy as np

from physics.rotation.orientation import from_notation
from render.scene import rotation

__all__ = ["euler_angles", "in_notation", "is_reached"]

LOCKED = 1e-7   # cosine of the middle angle (sine, where the outer axes are the same) below which only the sum of the outer angles is known
REACHED = 1e-6  # rad


def in_notation(name: str, mat: np.ndarray, degrees: bool, eulerseq: str, before: np.ndarray | None = None) -> np.ndarray | None:
    """Numbers of an orientation (3, 3) in a notation; None where that cannot say it. before: the numbers that stand there, near which those of several meanings are chosen."""
    if name == "quat":
        quat = rotation.from_matrix(mat)
        return -quat if before is not None and float(quat @ before) < 0 else quat
    if name == "xyaxes":
        return np.concatenate((mat[:, 0], mat[:, 1]))
    unit = math.degrees(1.0) if degrees else 1.0
    if name == "euler":
        angles = euler_angles(mat, eulerseq, None if before is None else np.asarray(before) / unit)
        return None if angles is None else angles * unit
    if name == "axisangle":
        return _axis_angle(mat, unit, before)
    length = 1.0 if before is None else max(float(np.linalg.norm(before)), 1e-9)
    return mat[:, 2] * length       # zaxis


def is_reached(name: str, numbers: np.ndarray, mat: np.ndarray, degrees: bool, eulerseq: str) -> bool:
    """Whether numbers of a notation mean that orientation (3, 3)."""
    quat = from_notation(name, np.asarray(numbers, float), degrees, eulerseq)
    lead = rotation.matrix(np.asarray(quat)).T @ mat
    return bool(np.abs(lead - np.eye(3)).max() < REACHED)


def _axis_angle(mat: np.ndarray, unit: float, before: np.ndarray | None) -> np.ndarray:
    quat = rotation.from_matrix(mat)
    sine = float(np.linalg.norm(quat[1:]))
    angle = 2 * math.atan2(sine, float(quat[0]))
    axis = quat[1:] / sine if sine > 1e-9 else np.array([0.0, 0.0, 1.0])
    if before is not None:
        length = float(np.linalg.norm(before[:3]))
        if sine <= 1e-9:
            return np.append(before[:3], 0.0)
        if float(axis @ before[:3]) < 0:
            axis, angle = -axis, -angle
        axis = axis * length
        angle += 2 * math.pi * round((before[3] / unit - angle) / (2 * math.pi))
    return np.append(axis, angle * unit)


def euler_angles(mat: np.ndarray, sequence: str, before: np.ndarray | None = None) -> np.ndarray | None:
    """Three angles [rad] about the letters of a sequence (lower case: the moving axes), the triple nearest to `before`; None for a sequence that cannot reach all orientations."""
    order = [0]
    for k, letter in enumerate(sequence[1:], 1):    # a turn about a fixed axis comes before all that there are
        order = [*order, k] if letter.islower() else [k, *order]
    i, j, k = ("xyz".index(sequence[place].lower()) for place in order)
    if i == j or j == k:
        return None
    near = np.zeros(3) if before is None else np.asarray(before, float)[order]
    found = _about_three(mat, i, j, k, near) if i != k else _about_two(mat, i, j, near)
    best = min((_unwound(angles, near) for angles in found), key=lambda angles: float(np.abs(angles - near).sum()))
    out = np.zeros(3)
    out[order] = best
    return out


def _unwound(angles, near) -> np.ndarray:
    angles = np.asarray(angles, float)
    return angles + 2 * math.pi * np.round((near - angles) / (2 * math.pi))


def _about_three(m: np.ndarray, i: int, j: int, k: int, near) -> list[tuple]:
    """Angles about three different moving axes."""
    s = 1.0 if (i, j, k) in ((0, 1, 2), (1, 2, 0), (2, 0, 1)) else -1.0
    cosine = math.hypot(m[i, i], m[i, j])
    b = math.atan2(s * m[i, k], cosine)
    if cosine < LOCKED:
        return [_locked(m, i, j, k, b, near[0])]
    a, c = math.atan2(-s * m[j, k], m[k, k]), math.atan2(-s * m[i, j], m[i, i])
    return [(a, b, c), (a + math.pi, math.pi - b, c + math.pi)]


def _about_two(m: np.ndarray, i: int, j: int, near) -> list[tuple]:
    """Angles about moving axes, the first and the last the same."""
    k = 3 - i - j
    s = 1.0 if (i, j, k) in ((0, 1, 2), (1, 2, 0), (2, 0, 1)) else -1.0
    sine = math.hypot(m[j, i], m[k, i])
    b = math.atan2(sine, m[i, i])
    if sine < LOCKED:
        return [_locked(m, i, j, i, b, near[0])]
    a, c = math.atan2(m[j, i], -s * m[k, i]), math.atan2(m[i, j], s * m[i, k])
    return [(a, b, c), (a + math.pi, -b, c + math.pi)]


def _locked(m: np.ndarray, i: int, j: int, k: int, b: float, a: float) -> tuple:
    """The outer axes are the same line: the first angle stays, the last one has the rest."""
    first, middle = (_turn_about(axis, angle) for axis, angle in ((i, a), (j, b)))
    rest = middle.T @ first.T @ m
    u, v = (k + 1) % 3, (k + 2) % 3
    return a, b, math.atan2(rest[v, u], rest[u, u])


def _turn_about(axis: int, angle: float) -> np.ndarray:
    vector = np.zeros(3)
    vector[axis] = 1.0
    return rotation.matrix(rotation.from_axis_angle(vector, angle))
