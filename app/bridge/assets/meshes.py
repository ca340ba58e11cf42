"""Meshes, height fields and convex hulls of a Model as triangle meshes for the renderer.

They are numbered in that order: all meshes, all height fields, then the hulls of the meshes that have one (`hull_numbers`).

Facets: normals that a compiler averages are of no use at sharp edges. The official picture therefore shades a corner flat whose normal is
more than about 37 degrees off its triangle's (measured: cosine below 0.8), unless the mesh has texture coordinates; and height fields and
hulls flat throughout: a normal of zero tells the renderer to take the triangle's.
"""
from __future__ import annotations

import numpy as np

from app.bridge.derived_from import derived_from
from physics.enums import GEOM_MESH, GEOM_SDF
from physics.model.model import Model
from render.geometry import height_field
from render.scene.snapshot import MeshAsset

SHARP = 0.8     # cosine between a corner's normal and its triangle's below which the corner is flat


@derived_from("mesh_vert", "mesh_face", "mesh_normal", "mesh_facenormal", "mesh_texcoord", "mesh_facetexcoord", "mesh_graph", "hfield_data", "hfield_size")
def mesh_assets(m: Model) -> list[MeshAsset]:
    """All meshes, then all height fields, then all hulls."""
    return [_mesh(m, i) for i in range(m.nmesh)] + [_hfield(m, i) for i in range(m.nhfield)] + [_hull(m, i) for i in np.flatnonzero(m.mesh_graphadr >= 0)]


@derived_from("geom_type", "geom_dataid", "geom_contype", "geom_conaffinity", "mesh_graphadr")
def hull_numbers(m: Model) -> np.ndarray:
    """(ngeom,) number of the hull to show in place of each geom's mesh, -1: none. As in the official window only what may collide shows its hull."""
    rank = np.cumsum(m.mesh_graphadr >= 0) - 1
    shown = np.isin(m.geom_type, (GEOM_MESH, GEOM_SDF)) & (m.geom_dataid >= 0) & ((m.geom_contype != 0) | (m.geom_conaffinity != 0))
    mesh = np.where(shown, m.geom_dataid, 0)
    shown[shown] = m.mesh_graphadr[mesh[shown]] >= 0
    return np.where(shown, m.nmesh + m.nhfield + (rank[mesh] if m.nmesh else 0), -1)


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
    own = _facets(vertex, face)
    flat = np.einsum("ij,ikj->ik", own, normal[by_normal]) < (-2 if textured else SHARP)
    if not textured and not flat.any() and np.array_equal(face, by_normal) and len(normal) == len(vertex):
        return MeshAsset(vertex.copy(), normal.copy(), face.astype(np.int32))
    key = by_normal.astype(np.int64) * len(vertex) + face
    key[flat] = len(vertex) * len(normal) + np.flatnonzero(flat)
    if textured:
        texcoord = _part(m, "mesh_texcoord", i, "mesh_texcoordadr", "mesh_texcoordnum")
        by_texcoord = _part(m, "mesh_facetexcoord", i, "mesh_faceadr", "mesh_facenum").astype(np.int64)
        key += by_texcoord * (len(vertex) * len(normal) + face.size)
    _, first, corner = np.unique(key.ravel(), return_index=True, return_inverse=True)
    directions = np.where(flat[..., None], own[:, None], normal[by_normal]).reshape(-1, 3)[first]
    return MeshAsset(vertex[face.ravel()[first]], directions.astype(np.float32), corner.reshape(-1, 3).astype(np.int32),
                     texcoord[by_texcoord.ravel()[first]] if textured else None)


def _facets(vertex: np.ndarray, face: np.ndarray) -> np.ndarray:
    """Unit normals (m, 3) of triangles; NaN where a triangle has no area, so that it is never found too far off."""
    a, b, c = (vertex[face[:, k]].astype(float) for k in range(3))
    normal = np.cross(b - a, c - a)
    length = np.linalg.norm(normal, axis=1, keepdims=True)
    return normal / np.where(length > 0, length, np.nan)


def _hull(m: Model, i: int) -> MeshAsset:
    """The convex hull of a mesh; the layout of mesh_graph is that of the official engine: counts, edges, vertices, edges, triangles."""
    graph = np.asarray(m.mesh_graph[int(m.mesh_graphadr[i]):])
    vertices, faces = int(graph[0]), int(graph[1])
    used = graph[2 + vertices:2 + 2 * vertices]
    start = 2 + 2 * vertices + vertices + 3 * faces
    place = np.full(int(m.mesh_vertnum[i]), -1, np.int32)
    place[used] = np.arange(vertices)
    vertex = _part(m, "mesh_vert", i, "mesh_vertadr", "mesh_vertnum")[used]
    return MeshAsset(vertex.copy(), np.zeros_like(vertex), place[graph[start:start + 3 * faces].reshape(-1, 3)], _at_vertices(m, i, used))


def _at_vertices(m: Model, i: int, vertices: np.ndarray) -> np.ndarray | None:
    """(n, 2) texture coordinates that a mesh has at these vertices, of the first triangle where it has several; None if it has none."""
    if m.mesh_texcoordadr[i] < 0:
        return None
    texcoord = _part(m, "mesh_texcoord", i, "mesh_texcoordadr", "mesh_texcoordnum")
    face, by_texcoord = (_part(m, name, i, "mesh_faceadr", "mesh_facenum").ravel()[::-1] for name in ("mesh_face", "mesh_facetexcoord"))
    row = np.zeros(int(m.mesh_vertnum[i]), np.int32)
    row[face] = by_texcoord
    return texcoord[row[vertices]]


def _hfield(m: Model, i: int) -> MeshAsset:
    """Every triangle is flat, as in the official picture."""
    rows, columns, start = (int(getattr(m, "hfield_" + name)[i]) for name in ("nrow", "ncol", "adr"))
    half_x, half_y, top, base = m.hfield_size[i]
    heights = np.asarray(m.hfield_data[start:start + rows * columns], float).reshape(rows, columns) * top
    x, y = np.meshgrid(np.linspace(-half_x, half_x, columns), np.linspace(-half_y, half_y, rows))
    vertex, face = height_field.surface(np.dstack([x, y, heights]), -base)
    return MeshAsset(vertex, np.zeros_like(vertex), face, grid=(rows, columns))
