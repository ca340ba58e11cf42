"""Normals of vertices where a mesh has none: means of the triangles around, weighted by area.

Unless all is to be smooth, a triangle that leans far from the mean of a vertex does not count there, so that edges stay sharp. Sums are in
single precision, one triangle after the other, as the official compiler's are. A kernel (native/vertex_normals.py) adds them up where it is loaded.
Source: MuJoCo XML reference, asset/mesh/smoothnormal.
"""
from __future__ import annotations

import numpy as np

from physics.compiler.mesh.mesh_inertia import corners, cross, dot
from physics.compiler.native import vertex_normals as native
from physics.enums import MINVAL
from physics.model.kernel_buffers import KernelBuffers
from physics.rotation.quaternion import EPS


def vertex_normals(vert: np.ndarray, face: np.ndarray, smooth: bool) -> np.ndarray:
    """Unit normals (n, 3) float32 of vertices (3, n); those of no triangle point along z."""
    if native.vertex_normals.addr:
        return _compiled_normals(vert, face, smooth)
    count = vert.shape[1]
    one, two, three = corners(vert, face)
    normal, length = _unit(cross(two - one, three - one))
    weighted = normal * length
    corner, vertices, reach = _rounds(face.ravel(), count)
    parts = weighted.take(corner // 3, axis=1)
    sums = _add(parts, vertices, reach)
    if not smooth:
        mean, _ = _unit(sums.astype(np.float64))
        leans = np.stack([dot(normal, mean.take(face[:, k], axis=1)) < native.SHARP for k in range(3)], axis=1).ravel()
        sums -= _add(np.where(leans.take(corner), parts, 0.0), vertices, reach)
    long = np.sqrt(dot(sums, sums))
    flat = ~(long > MINVAL)
    out = sums / np.where(flat, np.float32(1), long)
    out[:, flat] = np.array([[0], [0], [1]], np.float32)
    return np.ascontiguousarray(out.T)


def _compiled_normals(vert: np.ndarray, face: np.ndarray, smooth: bool) -> np.ndarray:
    """The same from a kernel."""
    count = vert.shape[1]
    out = np.empty((count, 3), np.float32)
    piece = KernelBuffers(tri_point=np.ascontiguousarray(vert), tri_face=np.ascontiguousarray(face, np.int32), tri_normal=np.empty((len(face), 4)),
                      shade_sum=out, shade_mean=np.empty((count, 3)), shade_less=np.empty((count, 3), np.float32))
    native.vertex_normals(piece, len(face), count, smooth)
    return out


def _unit(v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Columns at unit length and their lengths; those too short stay as they are, with length 0."""
    square = dot(v, v)
    length = np.sqrt(square)
    keep = (square < EPS) | (np.abs(length - 1.0) <= EPS)
    return v / np.where(keep, 1.0, length), np.where(square < EPS, 0.0, length)


def _rounds(index: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Corners in rounds: the first at every vertex, the second at every vertex, ...

    Gives the corners of all rounds one after the other, the vertices with the busiest first, and how many of these each round has.
    """
    order = np.argsort(index.astype(np.uint16) if count <= 65536 else index, kind="stable")
    size = np.bincount(index, minlength=count)
    start = np.cumsum(size) - size
    vertices = np.argsort(-size, kind="stable")  # busiest first, so that each round is a prefix
    size, start = size[vertices], start[vertices]
    most = int(size[0]) if count else 0
    reach = np.searchsorted(-size, -np.arange(most), side="left")
    corner = [order.take(start[:n] + k) for k, n in enumerate(reach.tolist())]
    return np.concatenate(corner) if corner else order[:0], vertices, reach


def _add(parts: np.ndarray, vertices: np.ndarray, reach: np.ndarray) -> np.ndarray:
    """Sums (3, n) at vertices of parts (3, corners) in rounds: one after the other, rounded to single precision every time."""
    sums = np.zeros((3, len(vertices)), np.float32)
    at = 0
    for n in reach.tolist():
        sums[:, :n] = sums[:, :n] + parts[:, at:at + n]
        at += n
    out = np.empty_like(sums)
    out[:, vertices] = sums
    return out
