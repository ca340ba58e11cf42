"""Rows that span two points: arrows, capsules, cylinders; and the axes of a frame. All at once, as arrays.

The official picture draws arrows with one head at half of the vector's length; so do we, or forces would look twice as large.
"""
from __future__ import annotations

import numpy as np

from render.scene import shapes
from render.scene.snapshot import Instances

CENTERED = (shapes.CAPSULE, shapes.CYLINDER)
HALVED = (shapes.ARROW, shapes.ARROW1)
AXES_RGBA = ((0.9, 0, 0, 1), (0, 0.9, 0, 1), (0, 0, 0.9, 1))
TINY = 1e-10


def turn_z(direction: np.ndarray) -> np.ndarray:
    """Rotation matrices (n, 9) that turn z by the smallest angle into the directions (n, 3); identity for a zero vector."""
    length = np.linalg.norm(direction, axis=1)
    v = np.where(length[:, None] > 0, direction / np.maximum(length, 1e-300)[:, None], (0.0, 0.0, 1.0))
    x, y, z = v.T
    down = z < -1 + TINY
    k = 1 / np.where(down, 1, 1 + z)
    rows = np.stack([1 - k * x * x, -k * x * y, x, -k * x * y, 1 - k * y * y, y, -x, -y, z], axis=1)
    rows[down] = (1, 0, 0, 0, -1, 0, 0, 0, -1)
    return rows


def connect(out: Instances, shape, radius: float, start, end, rgba, **columns) -> slice:
    """Append shapes (one number, or one per row) of this radius from start (n, 3) to end (n, 3); the new rows."""
    start, end = np.atleast_2d(start), np.atleast_2d(end)
    vec = end - start
    length = np.linalg.norm(vec, axis=1)
    shape = np.broadcast_to(np.asarray(shape, np.int8), length.shape)
    mat = turn_z(vec)
    rows = out.add(len(length))
    centered, double = np.isin(shape, CENTERED), shape == shapes.ARROW2
    shift = np.where(centered, 0.5, np.where(double, -0.5, 0.0))
    out.shape[rows], out.mat[rows], out.rgba[rows] = shape, mat, rgba
    out.pos[rows] = start + shift[:, None] * vec
    out.size[rows, :2] = radius
    out.size[rows, 2] = length * np.where(centered | np.isin(shape, HALVED), 0.5, 1.0)
    out.flags[rows] = shapes.DECOR
    for name, value in columns.items():
        getattr(out, name)[rows] = value
    return rows


def axes(out: Instances, pos, mat, length: float, width: float, objid=None) -> None:
    """Append three coloured cylinders per frame: pos (n, 3), mat (n, 9)."""
    pos, mat = np.atleast_2d(pos), np.reshape(mat, (-1, 3, 3))
    if not len(pos):
        return
    start = np.repeat(pos, 3, axis=0)
    end = start + length * np.transpose(mat, (0, 2, 1)).reshape(-1, 3)
    rows = connect(out, shapes.CYLINDER, width, start, end, np.tile(AXES_RGBA, (len(pos), 1)))
    if objid is not None:
        out.objid[rows] = np.repeat(objid, 3)
