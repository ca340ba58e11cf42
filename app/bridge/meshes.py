"""Meshes and height fields of a Model as triangle meshes for the renderer; height fields are numbered after the meshes."""
from __future__ import annotations

import numpy as np

from physics.model import Model
from render.scene.snapshot import MeshAsset

_TINY = 1e-12


def mesh_assets(m: Model) -> list[MeshAsset]:
    """All meshes, then all height fields."""
    return [_mesh(m, i) for i in range(m.nmesh)] + [_hfield(m, i) for i in range(m.nhfield)]


def _part(m: Model, field: str, i: int, adr: str, num: str) -> np.ndarray:
    start = int(getattr(m, adr)[i])
    return np.asarray(getattr(m, field)[start:start + int(getattr(m, num)[i])])


def _mesh(m: Model, i: int) -> MeshAsset:
    """Corners that share a vertex but not its normal or texture coordinate become vertices of their own."""
    vertex = _part(m, "mesh_vert", i, "mesh_vertadr", "mesh_vertnum")
    face = _part(m, "mesh_face", i, "mesh_faceadr", "mesh_facenum")
    normal = _part(m, "mesh_normal", i, "mesh_normaladr", "mesh_normalnum")
    by_normal = _part(m, "mesh_facenormal", i, "mesh_faceadr", "mesh_facenum")
    textured = m.mesh_texcoordadr[i] >= 0
    if not textured and np.array_equal(face, by_normal) and len(normal) == len(vertex):
        return MeshAsset(vertex.copy(), normal.copy(), face.astype(np.int32))
    texcoord = None
    if textured:
        texcoord = _part(m, "mesh_texcoord", i, "mesh_texcoordadr", "mesh_texcoordnum")[_part(m, "mesh_facetexcoord", i, "mesh_faceadr", "mesh_facenum").ravel()]
    corners = np.arange(face.size, dtype=np.int32).reshape(-1, 3)
    return MeshAsset(vertex[face.ravel()], normal[by_normal.ravel()], corners, texcoord)


def _hfield(m: Model, i: int) -> MeshAsset:
    """The surface, the four sides down to the base, and the bottom."""
    rows, columns, start = (int(getattr(m, "hfield_" + name)[i]) for name in ("nrow", "ncol", "adr"))
    half_x, half_y, top, base = m.hfield_size[i]
    heights = np.asarray(m.hfield_data[start:start + rows * columns], float).reshape(rows, columns) * top
    x, y = np.meshgrid(np.linspace(-half_x, half_x, columns), np.linspace(-half_y, half_y, rows))
    parts = [_grid(np.dstack([x, y, heights]))]
    rim = [np.s_[0, :], np.s_[:, -1], np.s_[-1, ::-1], np.s_[::-1, 0]]   # counterclockwise, seen from above
    for side in rim:
        edge = np.stack([x[side], y[side], heights[side]], 1)
        floor = np.stack([x[side], y[side], np.full(len(edge), -base)], 1)
        parts.append(_grid(np.stack([floor, edge])))
    corners = np.array([[[-half_x, half_y, -base], [half_x, half_y, -base]], [[-half_x, -half_y, -base], [half_x, -half_y, -base]]])
    parts.append(_grid(corners))
    first, vertex, normal, face = 0, [], [], []
    for points, directions, triangles in parts:
        vertex.append(points)
        normal.append(directions)
        face.append(triangles + first)
        first += len(points)
    return MeshAsset(np.concatenate(vertex).astype(np.float32), np.concatenate(normal).astype(np.float32), np.concatenate(face).astype(np.int32))


def _grid(points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vertices (n, 3), normals (n, 3) and triangles of a grid of points (rows, columns, 3); it faces along columns x rows."""
    rows, columns = points.shape[:2]
    along, across = np.gradient(points, axis=1), np.gradient(points, axis=0)
    normal = np.cross(along, across)
    normal /= np.maximum(np.linalg.norm(normal, axis=2, keepdims=True), _TINY)
    at = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = at[:-1, :-1].ravel(), at[:-1, 1:].ravel(), at[1:, 1:].ravel(), at[1:, :-1].ravel()
    return points.reshape(-1, 3), normal.reshape(-1, 3), np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
