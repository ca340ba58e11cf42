"""The faces of a hull: triangles that lie in one plane, joined into polygons, and what contacts look up in them.

Triangles belong together whose normals agree in both angles to a hundredth of a radian; where they do not touch they make several polygons.
Order and first corners are those of the official compiler. Source: MuJoCo documentation, mjModel fields mesh_poly*; Newell's normals
(Sutherland, Sproull and Schumacker 1974).
"""
from __future__ import annotations

import math
from itertools import chain

import numpy as np

from physics.compiler.mesh.hash_order import walk_order
from physics.compiler.mesh.mesh_inertia import corners, cross, dot
from physics.compiler.native import hull_polygons as compiled
from physics.compiler.native.hull_polygons import STEP, UPRIGHT
from physics.enums import MINVAL
from physics.model.kernel_buffers import KernelBuffers
from physics.rotation.quaternion import EPS

_DIRECTIONS = tuple((x, y, z) for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0) for z in (-1.0, 0.0, 1.0))


def hull_polygons(vert: np.ndarray, face: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Corners of all polygons, how many each has, the polygons at each vertex, how many each vertex has. vert (3, n), face (m, 3) of the hull."""
    found = joined(vert, face) if compiled.join_polygons.addr else None
    return plain(vert, face) if found is None else found


def plain(vert: np.ndarray, face: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """What `hull_polygons` gives, in NumPy."""
    keys, usable = _keys(vert, face)
    words = keys[usable].view(np.uint64)
    groups: dict[tuple[int, int], list[list[int]]] = {}
    for row, azimuth, polar in zip(face[usable].tolist(), words[:, 0].tolist(), words[:, 1].tolist()):
        groups.setdefault((azimuth, polar), []).append(row)
    members = list(groups.values())
    paths: list[list[int]] = []
    for k in walk_order(_hashes(np.array(list(groups), np.uint64).reshape(-1, 2))):
        rows = members[k]
        if len(rows) == 1:
            paths.append(rows[0])
        else:
            pair = _pair(*rows) if len(rows) == 2 else None
            paths.extend([pair] if pair else _outlines(rows))
    lengths = np.array(list(map(len, paths)), np.int32)
    polyvert = np.array(list(chain.from_iterable(paths)), np.int32)
    order = np.argsort(polyvert, kind="stable")
    polymap = np.repeat(np.arange(len(paths), dtype=np.int32), lengths)[order]
    return polyvert, lengths, polymap, np.bincount(polyvert, minlength=vert.shape[1]).astype(np.int32)


def joined(vert: np.ndarray, face: np.ndarray) -> tuple[np.ndarray, ...] | None:
    """What `hull_polygons` gives, in compiled code; None where a normal is not finite."""
    points, count = vert.shape[1], len(face)
    corner, sizes, polymap, counts = (np.empty(n, np.int32) for n in (3 * count + 2, count, 3 * count, points))
    found = compiled.join_polygons(
        KernelBuffers(hull_point=np.ascontiguousarray(vert), hull_face=np.ascontiguousarray(face), poly_vert=corner, poly_size=sizes, poly_map=polymap,
                  poly_count=counts, hull_work=np.empty(2 * points + 45 * count + 64, np.int32)), points, count)
    if found < 0:
        return None
    total = int(counts.sum())
    return corner[:total].copy(), sizes[:found].copy(), polymap[:total].copy(), counts


def _keys(vert: np.ndarray, face: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rounded azimuth and polar angle (m, 2) of the normals of triangles; False where one has no normal."""
    one, two, three = corners(vert, face)
    normal = cross(two - one, three - one)
    length = np.sqrt(dot(normal, normal))
    usable = ~(length < MINVAL)
    x, y, z = normal / np.where(usable, length, 1.0) + 0.0
    upright = np.abs(z) > UPRIGHT
    azimuth = _rounded(np.arctan2(y, x) / STEP)
    polar = _rounded(np.arccos(np.clip(z, -1.0, 1.0)) / STEP)
    azimuth[upright] = 0.0
    polar[upright] = np.where(z[upright] < 0, float(round(math.pi / STEP)), 0.0)
    keys = np.stack((azimuth, polar), axis=1)
    return keys + 0.0, usable  # minus zero and zero are one key


def _hashes(words: np.ndarray) -> list[int]:
    """The hashes of pairs of numbers (n, 2) given by their bits, as boost combines them."""
    a, b = words[:, 0], words[:, 1]
    with np.errstate(over="ignore"):
        return (a ^ (b + np.uint64(0x9E3779B9) + (a << np.uint64(6)) + (a >> np.uint64(2)))).tolist()


def _rounded(x: np.ndarray) -> np.ndarray:
    """To whole numbers, halves away from zero."""
    return np.copysign(np.floor(np.abs(x) + 0.5), x)


def _pair(one: list[int], two: list[int]) -> list[int] | None:
    """What `_outlines` gives for two triangles with one edge in common; None for others."""
    a, b, c = one
    d, e, f = two
    for v, w, far in ((d, e, f), (e, f, d), (f, d, e)):
        if far in one:
            continue
        if v == b and w == a:
            return [b, c, a, far]
        if v == c and w == b:
            return [a, b, far, c]
        if v == a and w == c:
            return [a, b, c, far]
    return None


def _outlines(faces: list[list[int]]) -> list[list[int]]:
    """Outlines of triangles in one plane, one for each part that hangs together.

    Edges are kept in the order they came, those between two triangles are gone. Each triangle joins the part it touches; touching several it
    joins them. An outline starts at its part's oldest edge.
    """
    edges: dict[tuple[int, int], int] = {}
    parts = 0
    for a, b, c in faces:
        part, new = -1, []
        for v, w in ((a, b), (b, c), (c, a)):
            other = edges.pop((w, v), None)
            if other is None:
                new.append((v, w))
            elif part in (-1, other):
                part = other
            else:
                low, high = min(part, other), max(part, other)
                for edge, owner in edges.items():
                    edges[edge] = low if owner == high else owner - (owner > high)
                part, parts = low, parts - 1
        if part == -1:
            part, parts = parts, parts + 1
        for edge in new:
            edges[edge] = part
    out = []
    for part in range(parts):
        out.extend(_walk([edge for edge, owner in edges.items() if owner == part]))
    return out


def _walk(edges: list[tuple[int, int]]) -> list[list[int]]:
    """The closed path from the first edge, if there is one of three corners or more."""
    if not edges:
        return []
    follow: dict[int, int] = {}
    for v, w in edges:
        follow.setdefault(v, w)
    path = list(edges[0])
    for _ in edges:
        following = follow.get(path[-1])
        if following is None:
            return []
        if following == path[0]:
            return [path] if len(path) >= 3 else []
        path.append(following)
    return []


def polygon_normals(vert: np.ndarray, polyvert: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Unit normals (k, 3) of polygons from their whole outlines. vert: (3, n)."""
    if not compiled.find_polygon_normals.addr:
        return plain_normals(vert, polyvert, lengths)
    normal = np.empty((len(lengths), 3))
    piece = KernelBuffers(hull_point=np.ascontiguousarray(vert), poly_vert=polyvert, poly_size=lengths, poly_normal=normal)
    compiled.find_polygon_normals(piece, vert.shape[1], len(lengths))
    return normal


def plain_normals(vert: np.ndarray, polyvert: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """What `polygon_normals` gives, in NumPy."""
    start = np.cumsum(lengths) - lengths
    following = np.arange(1, len(polyvert) + 1)
    following[start + lengths - 1] = start
    here, there = vert[:, polyvert], vert[:, polyvert[following]]
    parts = np.stack([(here[(k + 1) % 3] - there[(k + 1) % 3]) * (here[(k + 2) % 3] + there[(k + 2) % 3]) for k in range(3)])
    owner = np.repeat(np.arange(len(start)), lengths)
    normal = np.stack([np.bincount(owner, part, len(start)) for part in parts])  # corner after corner, in order
    length = np.sqrt(dot(normal, normal))
    normal /= np.where(length < EPS, 1.0, length)
    normal[:, length < EPS] = np.array([[1.0], [0.0], [0.0]])  # of next to no area
    return np.ascontiguousarray(normal.T)


def extrema(vert: np.ndarray, vertex: np.ndarray) -> np.ndarray:
    """The farthest hull vertex (as index into the hull's list) along each of 27 directions, the first of equals; vert (n, 3) float32."""
    if not compiled.find_extrema.addr:
        return plain_extrema(vert, vertex)
    farthest = np.empty(27, np.int32)
    compiled.find_extrema(KernelBuffers(hull_place=vert, hull_vertex=vertex, hull_extreme=farthest, hull_single=np.empty(1, np.float32)), len(vertex))
    return farthest


def plain_extrema(vert: np.ndarray, vertex: np.ndarray) -> np.ndarray:
    """What `extrema` gives, in NumPy."""
    x, y, z = vert[vertex].T
    directions = np.array(_DIRECTIONS, np.float32)
    reach = x[:, None] * directions[:, 0] + y[:, None] * directions[:, 1] + z[:, None] * directions[:, 2]
    return reach.argmax(axis=0).astype(np.int32)
