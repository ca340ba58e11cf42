"""Meshes and height fields of a Model as triangle meshes for the renderer; height fields are numbered after the meshes."""
from __future__ import annotations

import numpy as np

from physics.model import Model
from render.scene.snapshot import MeshAsset

SHARPEST = 0.8     # cosine between a corner's normal and its triangle's own, below which the triangle takes its own


def mesh_assets(m: Model) -> list[MeshAsset]:
    """All meshes, then all height fields."""
    return [_mesh(m, i) for i in range(m.nmesh)] + [_hfield(m, i) for i in range(m.nhfield)]


def _part(m: Model, field: str, i: int, adr: str, num: str) -> np.ndarray:
    start = int(getattr(m, adr)[i])
    return np.asarray(getattr(m, field)[start:start + int(getattr(m, num)[i])])


def _mesh(m: Model, i: int) -> MeshAsset:
    """Corners that share a vertex but not its normal or texture coordinate become vertices of their own.

    As in the official picture a mesh without texture coordinates is drawn flat where its own normals are too far off its triangles.
    """
    vertex = _part(m, "mesh_vert", i, "mesh_vertadr", "mesh_vertnum")
    face = _part(m, "mesh_face", i, "mesh_faceadr", "mesh_facenum")
    normal = _part(m, "mesh_normal", i, "mesh_normaladr", "mesh_normalnum")
    by_normal = _part(m, "mesh_facenormal", i, "mesh_faceadr", "mesh_facenum")
    textured = m.mesh_texcoordadr[i] >= 0
    corners = np.arange(face.size, dtype=np.int32).reshape(-1, 3)
    if textured:
        texcoord = _part(m, "mesh_texcoord", i, "mesh_texcoordadr", "mesh_texcoordnum")[_part(m, "mesh_facetexcoord", i, "mesh_faceadr", "mesh_facenum").ravel()]
        return MeshAsset(vertex[face.ravel()], normal[by_normal.ravel()], corners, texcoord)
    if not (np.array_equal(face, by_normal) and len(normal) == len(vertex)):
        vertex, normal, face = vertex[face.ravel()], normal[by_normal.ravel()], corners
    return _sharpened(vertex, normal, face.astype(np.int32))


def _sharpened(vertex: np.ndarray, normal: np.ndarray, face: np.ndarray) -> MeshAsset:
    """The mesh with new vertices for corners whose normal leans too far off their triangle's own."""
    own = _own_normals(vertex, face)
    corner, side = np.nonzero(np.einsum("nkj,nj->nk", normal[face], own) < SHARPEST)
    new = face.copy()
    new[corner, side] = len(vertex) + np.arange(len(corner), dtype=np.int32)
    return MeshAsset(np.concatenate([vertex, vertex[face[corner, side]]]), np.concatenate([normal, own[corner].astype(normal.dtype)]), new)


def _own_normals(vertex: np.ndarray, face: np.ndarray) -> np.ndarray:
    """Unit normals (n, 3) of triangles (n, 3); zero where a triangle has no area."""
    a, b, c = (vertex[face[:, k]].astype(float) for k in range(3))
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    return np.where(length > 0, normal / np.maximum(length, np.finfo(float).tiny), 0)


def _hfield(m: Model, i: int) -> MeshAsset:
    """The surface, the four sides down to the base, and the bottom; every triangle flat, as in the official picture."""
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
    first, vertex, face = 0, [], []
    for points, triangles in parts:
        vertex.append(points)
        face.append(triangles + first)
        first += len(points)
    vertex, face = np.concatenate(vertex).astype(np.float32), np.concatenate(face)
    normal = np.repeat(_own_normals(vertex, face), 3, axis=0).astype(np.float32)
    return MeshAsset(vertex[face.ravel()], normal, np.arange(face.size, dtype=np.int32).reshape(-1, 3))


def _grid(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and triangles of a grid of points (rows, columns, 3); it faces along columns x rows."""
    rows, columns = points.shape[:2]
    at = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = at[:-1, :-1].ravel(), at[:-1, 1:].ravel(), at[1:, 1:].ravel(), at[1:, :-1].ravel()
    return points.reshape(-1, 3), np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
