"""Faces of more than three corners, cut into triangles.

A quadrilateral is cut along its shorter diagonal. Larger ones lose one ear after the other: the first corner that turns with its edge's
moment about the origin and holds no other corner. That is no sure sign of an ear, but what the official reader does, so that the triangles
are the same. Sums are in single precision, as the file's vertices.
"""
from __future__ import annotations

import numpy as np

MOST_CORNERS = 100  # of one face: larger ones the official reader leaves out
_FIRST = ((0, 1, 2), (0, 2, 3))
_SECOND = ((0, 1, 3), (1, 2, 3))


def cut_quads(points: np.ndarray) -> np.ndarray:
    """Corners (n, 2, 3) of the two triangles of each quadrilateral; points: (n, 4, 3) float32."""
    with np.errstate(over="ignore"):
        one, two = points[:, 2] - points[:, 0], points[:, 3] - points[:, 1]
        shorter = _square(one) < _square(two)
    return np.where(shorter[:, None, None], np.array(_FIRST), np.array(_SECOND))


def _square(v: np.ndarray) -> np.ndarray:
    return v[:, 0] * v[:, 0] + v[:, 1] * v[:, 1] + v[:, 2] * v[:, 2]


def cut_polygon(points: np.ndarray) -> list[tuple[int, int, int]]:
    """Triangles of an outline of more than four corners, as indices of its corners; points: (n, 3) float32."""
    with np.errstate(all="ignore"):
        flat = np.ascontiguousarray(points[:, _flat_axes(points)])
        return _clip(flat)


def _clip(flat: np.ndarray) -> list[tuple[int, int, int]]:
    """Take off ears of a plane outline (n, 2) until a triangle is left or a whole round finds none.

    The tries left are counted afresh only at the try after an ear: an ear found at the very last one ends it.
    """
    left, out = list(range(len(flat))), []
    at = 0
    tries = before = len(left)
    while len(left) > 3 and tries > 0:
        n = len(left)
        tries, before = (tries - 1, before) if n == before else (n, n)
        at %= n
        corners = [left[(at + k) % n] for k in range(3)]
        others = [left[(at + k) % n] for k in range(3, n)]
        if _is_ear(flat[corners], flat[others]):
            out.append(tuple(corners))
            del left[(at + 1) % n]
        else:
            at += 1
    return [*out, tuple(left)] if len(left) == 3 else out


def _flat_axes(points: np.ndarray) -> list[int]:
    """The two axes to work in: those across the largest part of the first corner's normal that is not nothing."""
    one = np.roll(points, -1, axis=0) - points
    two = np.roll(one, -1, axis=0)
    normal = np.abs(np.stack([one[:, (k + 1) % 3] * two[:, (k + 2) % 3] - one[:, (k + 2) % 3] * two[:, (k + 1) % 3] for k in range(3)], axis=1))
    real = np.flatnonzero((normal > np.finfo(np.float32).eps).any(axis=1))
    if not real.size:
        return [1, 2]
    x, y, z = normal[real[0]]
    if x > y and x > z:
        return [1, 2]
    return [0, 1] if z > x and z > y else [0, 2]


def _is_ear(three: np.ndarray, others: np.ndarray) -> bool:
    """Whether a corner with its neighbours may be taken off: it turns the right way and no other corner lies within."""
    (ax, ay), (bx, by), (cx, cy) = three
    turn = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
    if turn * ((ax * by - ay * bx) * np.float32(0.5)) < 0:
        return False
    x, y = others[:, 0], others[:, 1]
    inside = np.zeros(len(others), bool)
    for i, j in ((0, 2), (1, 0), (2, 1)):
        (ix, iy), (jx, jy) = three[i], three[j]
        crosses = ((iy > y) != (jy > y)) & (x < (jx - ix) * (y - iy) / (jy - iy) + ix)
        inside ^= crosses
    return not inside.any()
