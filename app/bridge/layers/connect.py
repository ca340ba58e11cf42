"""Rows that span points: arrows, capsules, cylinders, triangles, the edges of boxes, the axes of a frame. All at once, as arrays.

The official picture draws arrows with one head at half of the vector's length; so do we, or forces would look twice as large.
"""
from __future__ import annotations

import numpy as np

from render.scene import shapes
from render.scene.rotation import turn_z
from render.scene.snapshot import Instances, Lines

CENTERED = (shapes.CAPSULE, shapes.CYLINDER)
HALVED = (shapes.ARROW, shapes.ARROW1)
AXES_RGBA = ((0.9, 0, 0, 1), (0, 0.9, 0, 1), (0, 0, 0.9, 1))
CORNERS = tuple((x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0))
EDGES = tuple((a, b) for a in range(8) for b in range(a + 1, 8) if bin(a ^ b).count("1") == 1)
BOX_WIDTH = 1.5   # pixels, of the lines of a box


def _fill(out, rows: slice, columns) -> slice:
    for name, value in columns.items():
        getattr(out, name)[rows] = value
    return rows


def connect(out: Instances, shape, radius, start, end, rgba, **columns) -> slice:
    """Append shapes (one number, or one per row) of this radius (one, or one per row) from start (n, 3) to end (n, 3); the new rows."""
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
    out.size[rows, :2] = np.reshape(radius, (-1, 1))
    out.size[rows, 2] = length * np.where(centered | np.isin(shape, HALVED), 0.5, 1.0)
    out.flags[rows] = shapes.DECOR
    return _fill(out, rows, columns)


def balls(out: Instances, pos, radius: float, rgba, **columns) -> slice:
    """Append balls of one radius at positions (n, 3); the new rows."""
    rows = out.add(len(pos))
    out.shape[rows], out.flags[rows], out.pos[rows], out.size[rows], out.rgba[rows] = shapes.SPHERE, shapes.DECOR, pos, radius, rgba
    return _fill(out, rows, columns)


def triangles(out: Instances, corners, rgba, **columns) -> slice:
    """Append triangles with these corners (n, 3, 3), counter-clockwise seen from their front; the new rows."""
    a = corners[:, 0]
    u, v = corners[:, 1] - a, corners[:, 2] - a
    normal = np.cross(u, v)
    lengths = np.stack([np.linalg.norm(x, axis=1) for x in (u, v, normal)], axis=1)
    frame = np.stack([u, v, normal], axis=2) / np.maximum(lengths, 1e-300)[:, None, :]
    rows = out.add(len(a))
    out.shape[rows], out.flags[rows], out.pos[rows], out.mat[rows], out.rgba[rows] = shapes.TRIANGLE, shapes.DECOR, a, frame.reshape(-1, 9), rgba
    out.size[rows, :2], out.size[rows, 2] = lengths[:, :2], 1.0
    return _fill(out, rows, columns)


def boxes(out: Lines, pos, mat, half, rgba, **columns) -> None:
    """Append the edges of boxes: centres (n, 3), frames (n, 9), half sizes (n, 3), colours (4,) or (n, 4); columns one value or one per box."""
    n = len(pos)
    local = np.asarray(CORNERS) * np.reshape(half, (-1, 1, 3))
    corners = np.einsum("nij,nkj->nki", np.reshape(mat, (-1, 3, 3)), local) + np.reshape(pos, (-1, 1, 3))
    ends = corners[:, np.asarray(EDGES)]
    per_edge = {name: np.repeat(np.broadcast_to(value, (n,)), len(EDGES)) for name, value in columns.items()}
    rgba = np.repeat(np.broadcast_to(rgba, (n, 4)), len(EDGES), axis=0)
    out.put(ends[:, :, 0].reshape(-1, 3), ends[:, :, 1].reshape(-1, 3), rgba, BOX_WIDTH, **per_edge)


def axes(out: Instances, pos, mat, length: float, width: float, **columns) -> None:
    """Append three coloured cylinders per frame: pos (n, 3), mat (n, 9); columns one value or one per frame."""
    pos, mat = np.atleast_2d(pos), np.reshape(mat, (-1, 3, 3))
    n = len(pos)
    start = np.repeat(pos, 3, axis=0)
    end = start + length * np.transpose(mat, (0, 2, 1)).reshape(-1, 3)
    per_axis = {name: np.repeat(np.broadcast_to(value, (n,)), 3) for name, value in columns.items()}
    connect(out, shapes.CYLINDER, width, start, end, np.tile(AXES_RGBA, (n, 1)), **per_axis)
