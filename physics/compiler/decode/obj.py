"""Wavefront OBJ: text lines of vertices (v), texture coordinates (vt), normals (vn) and faces (f).

Vertices stay as they are written; only the faces of the first group or object that has any are taken. A face of four corners is cut along
its shorter diagonal, one of more by clipping ears. The second texture coordinate is turned round, so that pictures start at the top.
A file that is plainly written is read by compiled code where that is at hand (obj_plain.py), any other line by line (obj_lines.py).
"""
from __future__ import annotations

import numpy as np

from physics.compiler.decode import obj_lines, obj_plain
from physics.compiler.decode.polygon import MOST_CORNERS, cut_polygon, cut_quads
from physics.compiler.decode.raw import MeshFileError, RawMesh

_LARGEST = 3.4028234663852886e38


def read_obj(data: bytes) -> RawMesh:
    """Vertices and triangles of an OBJ file. Raises MeshFileError."""
    plain = obj_plain.read(data) if obj_plain.ready() else None
    if plain is None:
        lines = obj_lines.read(data)
        vectors, counts = [_single(v) for v in lines.vectors], lines.counts
        corners = _resolved(lines)
    else:
        vectors, corners, counts = plain.vectors, plain.corners, plain.counts
    vert, texcoord, normal = vectors
    large = counts > MOST_CORNERS
    if large.any():
        kept = ~np.repeat(large, counts)
        corners, counts = [column[kept] for column in corners], counts[~large]
    if not counts.size:
        return RawMesh(vert=vert)
    index, texture, shading = _triangles(corners, counts, vert)
    mesh = RawMesh(vert=vert, face=index)
    if len(normal):
        mesh.normal, mesh.facenormal = normal, shading
        _check_normals(shading, len(normal))
    amiss = np.count_nonzero((texture < 0) | (texture >= len(texcoord))) if len(texcoord) else 0
    mesh.left_out = int(np.count_nonzero(counts < 3) + np.count_nonzero(large)), int(amiss)
    if len(texcoord) and texture.size and not amiss:
        texcoord[:, 1] = np.float32(1) - texcoord[:, 1]
        mesh.texcoord, mesh.facetexcoord = texcoord, texture
    return mesh


def _single(values: np.ndarray) -> np.ndarray:
    """In single precision, with 0 for -0."""
    return np.clip(values, -_LARGEST, _LARGEST).astype(np.float32) + np.float32(0)


def _resolved(lines: obj_lines.ObjLines) -> list[np.ndarray]:
    """Vertices, texture coordinates and normals of corners from 0, -1 where none is written; negative ones count back from their line. Raises MeshFileError."""
    corners, counts, at = lines.corners, lines.counts, lines.line
    if (corners[:, 0] == 0).any():
        bad = np.repeat(at, counts)[np.flatnonzero(corners[:, 0] == 0)[0]]
        raise MeshFileError(f"line {bad + 1}: a face names vertex 0 or none; vertices count from 1")
    back = corners < 0
    out = np.where(back, corners + np.repeat(lines.before, counts, axis=0), corners - 1)
    lost = (back & (out < 0)).any(axis=1)
    if lost.any():
        raise MeshFileError(f"line {np.repeat(at, counts)[np.flatnonzero(lost)[0]] + 1}: a face counts back to before the first vertex")
    return [column.astype(np.int32) for column in np.minimum(out, 2**31 - 1).T]


def _triangles(corners: list[np.ndarray], counts: np.ndarray, vert: np.ndarray) -> list[np.ndarray]:
    """Triangles (m, 3) of vertices, texture coordinates and normals."""
    if (counts == 3).all():
        return [column.reshape(-1, 3) for column in corners]
    starts = np.cumsum(counts, dtype=np.int64) - counts
    threes, fours, more = np.flatnonzero(counts == 3), np.flatnonzero(counts == 4), np.flatnonzero(counts > 4)
    pieces = [(threes, starts[threes][:, None] + np.arange(3))]
    if fours.size:
        two = cut_quads(_points(vert, corners[0][starts[fours][:, None] + np.arange(4)]))
        pieces.append((np.repeat(fours, 2), (starts[fours][:, None, None] + two).reshape(-1, 3)))
    for face in more:
        of = np.arange(starts[face], starts[face] + counts[face])
        cut = np.array(cut_polygon(_points(vert, corners[0][of])), np.int64).reshape(-1, 3)
        pieces.append((np.full(len(cut), face), of[cut]))
    order = np.argsort(np.concatenate([face for face, _of in pieces]), kind="stable")
    corner = np.concatenate([of for _face, of in pieces])[order]
    return [column[corner] for column in corners]


def _points(vert: np.ndarray, index: np.ndarray) -> np.ndarray:
    """Places of vertices; those that do not exist are refused later, here they are the first."""
    if not len(vert):
        return np.zeros((*index.shape, 3), np.float32)
    return vert[np.where(index < len(vert), index, 0)]


def _check_normals(shading: np.ndarray, count: int) -> None:
    bad = (shading < 0) | (shading >= count)
    if bad.any():
        face = int(np.flatnonzero(bad.any(axis=1))[0])
        value = int(shading[face][bad[face]][0])
        raise MeshFileError(f"triangle {face + 1} names " + (f"normal {value + 1}, but there are {count}" if value >= 0 else
                                                           f"no normal, but the file has {count}: give all faces normals or none"))
