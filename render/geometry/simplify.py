"""Coarser copies of large triangle meshes, for when they are small in the picture: vertices in one cell of a grid become one.

    cells across the mesh >= pixels across it  ->  outlines stay within a pixel

Within a cell, vertices of different directions (or places in the texture) stay apart, so that edges stay sharp; they share the cell's
position, so that nothing tears.

Source: Rossignac and Borrel, Multi-resolution 3D approximations for rendering complex scenes, 1993.
"""
import numpy as np

TEXTURE_CELLS = 32      # per unit of the texture


def simplify(vertex, normal, face, texcoord, cells: int):
    """(vertex, normal, face, texcoord) of a mesh of those of MeshAsset, coarser: a grid of `cells` along its longest side."""
    low = vertex.min(0).astype(float)
    step = max(float((vertex.max(0) - low).max()), 1e-30) / cells
    at = np.minimum((vertex - low) / step, cells - 1).astype(np.int64)
    _, cell = np.unique((at[:, 0] * cells + at[:, 1]) * cells + at[:, 2], return_inverse=True)
    count = np.bincount(cell)
    place = np.stack([np.bincount(cell, vertex[:, k]) / count for k in range(3)], 1)
    first, group = _groups(cell, normal, texcoord)
    turned = np.stack([np.bincount(group, normal[:, k]) for k in range(3)], 1)
    length = np.linalg.norm(turned, axis=1, keepdims=True)
    turned = np.where(length > 1e-6, turned / np.maximum(length, 1e-6), normal[first])
    return (place[cell[first]].astype(np.float32), turned.astype(np.float32), _triangles(group[face], cell[face]),
            None if texcoord is None else texcoord[first])


def _groups(cell, normal, texcoord):
    """(first vertex of each group, group of each vertex): same cell, about the same direction and place in the texture."""
    key = cell.astype(np.int64) * 27 + (np.rint(normal) + 1).astype(np.int64) @ (9, 3, 1)
    if texcoord is not None:
        _, patch = np.unique(np.floor(texcoord * TEXTURE_CELLS).astype(np.int64) @ (1 << 24, 1), return_inverse=True)
        key = key * (int(patch.max(initial=0)) + 1) + patch
    _, first, group = np.unique(key, return_index=True, return_inverse=True)
    return first, group


def _triangles(corner, cell):
    """Triangles (m, 3) that still have three different places, each once for each side it shows."""
    kept = (cell[:, 0] != cell[:, 1]) & (cell[:, 1] != cell[:, 2]) & (cell[:, 0] != cell[:, 2])
    corner, cell = corner[kept], cell[kept]
    turn = (np.argmin(cell, 1)[:, None] + np.arange(3)) % 3     # smallest first, same way round
    ordered = np.take_along_axis(cell, turn, 1).astype(np.int64)
    n = int(cell.max(initial=0)) + 1
    if n < 1 << 21:
        _, one = np.unique((ordered[:, 0] * n + ordered[:, 1]) * n + ordered[:, 2], return_index=True)
        corner = corner[np.sort(one)]
    return corner.astype(np.int32)
