"""Where climbing a hull begins: its farthest vertex along the middle of each of 384 cells of the directions.

A cube about the origin has 8 x 8 cells on each side. From the vertex of the cell that a direction falls into, the farthest one is
at most a few edges away, on large hulls too.
"""
from __future__ import annotations

from functools import lru_cache

import numpy as np

from physics.engine.kinematics.shapes import MESH
from physics.kernels.decorators import helper

CELLS = 8  # along a side of the cube
START_DIRECTIONS = 6 * CELLS * CELLS


def build_start_vertices(model) -> None:
    """Fill hull_start of a Model: 1 + the vertex's place in the hull, 0 for meshes without one."""
    model.hull_start[:] = 0
    if not model.nmesh:
        return
    for k in np.unique(model.geom_dataid[np.flatnonzero(used_meshes(model))]):
        graph = model.mesh_graphadr[k]
        if graph >= 0:
            count = model.mesh_graph[graph]
            ids = model.mesh_graph[graph + 2 + count:graph + 2 + 2 * count]
            model.hull_start[k] = _starts(model.mesh_vert[model.mesh_vertadr[k] + ids].tobytes())


@lru_cache(maxsize=256)
def _starts(vertices: bytes) -> np.ndarray:
    """What hull_start says of a hull with these vertices, float32 (n, 3). Kept: the next text of a model that is being edited has the same hulls."""
    points = np.frombuffer(vertices, np.float32).reshape(-1, 3).astype(float)
    found = 1 + np.argmax(cell_directions() @ points.T, axis=1)
    found.flags.writeable = False
    return found


def used_meshes(model) -> np.ndarray:
    """Whether a geom is a mesh that can collide at all."""
    paired = np.zeros(model.ngeom, bool)
    paired[model.pair_geom1] = paired[model.pair_geom2] = True
    return (model.geom_type == MESH) & (model.geom_dataid >= 0) & ((model.geom_contype != 0) | (model.geom_conaffinity != 0) | paired)


def cell_directions() -> np.ndarray:
    """The middle of each cell, by axis, sign, and the two other coordinates in cyclic order."""
    middle = (np.arange(CELLS) + 0.5) / (CELLS / 2) - 1
    u, v = (a.ravel() for a in np.meshgrid(middle, middle, indexing="ij"))
    out = []
    for axis in range(3):
        for sign in (1.0, -1.0):
            n = np.empty((len(u), 3))
            n[:, axis], n[:, (axis + 1) % 3], n[:, (axis + 2) % 3] = sign, u, v
            out.append(n)
    return np.concatenate(out)


@helper
def cell_along(x):
    """cell that a coordinate from -1 to 1 falls into"""
    if not x > -1.0:
        return 0
    return 7 if x >= 1.0 else min(7, int((x + 1.0) * 4.0))  # the sum may round up to 2


@helper
def cell_of(n):
    """Cell of a direction that is not nought."""
    # side of the cube that n points through: axis and sign of its largest component h; a, b: the two others, in cyclic order
    x = abs(n[0])
    y = abs(n[1])
    z = abs(n[2])
    if x >= y and x >= z:
        side = 0 if n[0] > 0.0 else 1
        h = x
        a = n[1]
        b = n[2]
    elif y >= z:
        side = 2 if n[1] > 0.0 else 3
        h = y
        a = n[2]
        b = n[0]
    else:
        side = 4 if n[2] > 0.0 else 5
        h = z
        a = n[0]
        b = n[1]
    # central projection onto that side, then the cell of the square
    if not h > 1e-300:
        return 0
    h = 1.0 / h
    return 64 * side + 8 * cell_along(a * h) + cell_along(b * h)
