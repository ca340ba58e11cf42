"""Meshes made from a few numbers: spheres, cones, tori, and the patches that touch sensors feel with.

Source: MuJoCo XML reference, asset/mesh/builtin (what each number means); supersphere and supertorus: Barr, "Superquadrics and
angle-preserving transformations" (1981). Vertices are rounded to single precision at the same places as the official ones.
"""
from __future__ import annotations

import math
from types import MappingProxyType

import numpy as np

from physics.compiler.decode.raw import RawMesh
from physics.compiler.mesh.builtin_grids import GRIDS, build_grid
from physics.compiler.mesh.mesh_data import MeshError

MOST_VERTICES = 100_000   # the hull of so many takes seconds
# kind -> names of its numbers
PARAMETERS = MappingProxyType({
    "sphere": ("subdivision",), "hemisphere": ("resolution",), "cone": ("nvert", "radius"), "supersphere": ("resolution", "e", "n"),
    "supertorus": ("resolution", "radius", "s", "t"), "wedge": ("res_phi", "res_theta", "fov_phi", "fov_theta", "gamma"), "plate": ("res_x", "res_y"),
})
# number -> (whole, lowest, largest); an open end is a number just inside it
_TINY = 5e-324
_RANGES = MappingProxyType({
    ("sphere", "subdivision"): (True, 0, 4), ("hemisphere", "resolution"): (True, 0, 10), ("cone", "nvert"): (True, 3, MOST_VERTICES // 2),
    ("cone", "radius"): (False, 0, 1), ("supersphere", "resolution"): (True, 3, 300), ("supersphere", "e"): (False, 0, 1e6),
    ("supersphere", "n"): (False, 0, 1e6), ("supertorus", "resolution"): (True, 3, 300), ("supertorus", "radius"): (False, _TINY, 1),
    ("supertorus", "s"): (False, _TINY, 1e6), ("supertorus", "t"): (False, _TINY, 1e6), ("wedge", "res_phi"): (True, 1, MOST_VERTICES),
    ("wedge", "res_theta"): (True, 1, MOST_VERTICES), ("wedge", "fov_phi"): (False, _TINY, 180), ("wedge", "fov_theta"): (False, _TINY, 90),
    ("wedge", "gamma"): (False, 0, 1), ("plate", "res_x"): (True, 1, MOST_VERTICES), ("plate", "res_y"): (True, 1, MOST_VERTICES),
})
_ICOSAHEDRON = (
    (0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8),
    (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1),
)


def build_mesh(kind: str, params) -> RawMesh:
    """The mesh of a kind. Raises MeshError where the numbers do not fit it."""
    if kind in GRIDS:
        return build_grid(kind, params)
    names = PARAMETERS[kind]
    if len(params) != len(names):
        raise MeshError(f"a {kind} is made from {len(names)} number(s), not {len(params)}", "They are: " + ", ".join(names))
    values = []
    for name, value in zip(names, params):
        whole, low, high = _RANGES[kind, name]
        taken = int(value) if whole and math.isfinite(value) and abs(value) < 2**31 else value
        if not low <= taken <= high:
            ends = f"above 0 and at most {high:g}" if low == _TINY else f"from {low:g} to {high:g}"
            raise MeshError(f"the {name} of a {kind} is {ends}, not {value:g}")
        values.append(taken)
    if kind in ("wedge", "plate") and values[0] * values[1] > MOST_VERTICES:
        raise MeshError(f"a {kind} of {values[0]} x {values[1]} vertices is absurdly large")
    makers = {"sphere": _sphere, "hemisphere": _hemisphere, "cone": _cone, "supersphere": _supersphere, "supertorus": _supertorus,
              "wedge": _wedge, "plate": _plate}
    return makers[kind](*values)


def _mesh(vert, face=()) -> RawMesh:
    return RawMesh(vert=np.asarray(vert, np.float64).reshape(-1, 3).astype(np.float32), face=np.asarray(face, np.int32).reshape(-1, 3))


def _sphere(times: int) -> RawMesh:
    """An icosahedron whose triangles are cut in four again and again."""
    golden = np.float32((1 + math.sqrt(5)) / 2)
    g = float(golden)
    vert = np.array([(-1, g, 0), (1, g, 0), (-1, -g, 0), (1, -g, 0), (0, -1, g), (0, 1, g), (0, -1, -g), (0, 1, -g),
                     (g, 0, -1), (g, 0, 1), (-g, 0, -1), (-g, 0, 1)])
    vert = (vert / math.sqrt(1.0 + float(golden * golden))).astype(np.float32)
    face = np.array(_ICOSAHEDRON)
    for _ in range(times):
        edges = np.stack((face, np.roll(face, -1, axis=1)), axis=2).reshape(-1, 2)
        key = edges.min(axis=1) * len(vert) + edges.max(axis=1)
        _, first, inverse = np.unique(key, return_index=True, return_inverse=True)
        order = np.argsort(first)
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        middle = (len(vert) + place[inverse.ravel()]).reshape(-1, 3)
        one, two = vert[edges[first[order]].T]
        new = (one + two) / np.float32(2)
        new /= np.sqrt(new[:, 0] * new[:, 0] + new[:, 1] * new[:, 1] + new[:, 2] * new[:, 2])[:, None]
        vert = np.concatenate((vert, new))
        (a, b, c), (ab, bc, ca) = face.T, middle.T
        face = np.stack((a, ab, ca, b, bc, ab, c, ca, bc, ab, bc, ca), axis=1).reshape(-1, 3)
    return RawMesh(vert=vert, face=face.astype(np.int32))


def _hemisphere(rows: int) -> RawMesh:
    """Four octahedron sides drawn onto a sphere, and a flat bottom."""
    corner = ((1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0))
    vert, top = [(0.0, 0.0, 1.0)], (0, 0, 1)
    for row in range(rows + 1):
        part = (row + 1) / (rows + 1)
        for side in range(4):
            start, end = ([t + part * (c - t) for t, c in zip(top, corner[k % 4])] for k in (side, side + 1))
            step = [(e - s) / (row + 1) for s, e in zip(start, end)]
            for i in range(row + 1):
                p = [s + i * d for s, d in zip(start, step)]
                length = math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2])
                vert.append(tuple(x / length for x in p))
    vert.append((0.0, 0.0, 0.0))
    face = [(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 1)]
    for row in range(rows):
        here, n = 2 * row * (row + 1) + 1, 4 * (row + 1)
        below, m = here + n, 4 * (row + 2)
        for side in range(4):
            for i in range(row + 2):
                v, w = i + (row + 1) * side, i + (row + 2) * side
                face.append((here + v % n, below + w % m, below + (w + 1) % m))
                if i < row + 1:
                    face.append((here + v % n, below + (w + 1) % m, here + (v + 1) % n))
    rim, n = 2 * rows * (rows + 1) + 1, 4 * (rows + 1)
    face.extend((rim + i, len(vert) - 1, rim + (i + 1) % n) for i in range(n))
    return _mesh(vert, face)


def _cone(sides: int, radius: float) -> RawMesh:
    """A regular polygon below, another or a point above; the hull makes the triangles."""
    turn = [2 * i * math.pi / sides for i in range(2 * sides)]  # the second round's rounding differs, and shows in the axes of symmetric ones
    vert = [(math.cos(a), math.sin(a), -1.0) for a in turn[:sides]]
    vert += [(radius * math.cos(a), radius * math.sin(a), 1.0) for a in turn[sides:]] if radius > 0 else [(0.0, 0.0, 1.0)]
    return _mesh(vert)


def _powers(angles, exponent: float) -> tuple[np.ndarray, np.ndarray]:
    """Cosine and sine raised to a power, keeping their signs."""
    bent = [[math.copysign(abs(f(a)) ** exponent, f(a)) for a in angles] for f in (math.cos, math.sin)]
    return np.array(bent[0]), np.array(bent[1])


def _supersphere(n: int, east: float, north: float) -> RawMesh:
    cv, sv = _powers([-math.pi / 2 + i * math.pi / n for i in range(1, n)], north)
    cu, su = _powers([-math.pi + j * 2 * math.pi / n for j in range(n)], east)
    rings = np.stack(np.broadcast_arrays(np.outer(cv, cu), np.outer(cv, su), sv[:, None]), axis=2).reshape(-1, 3)
    here = np.arange(n)
    following = (here + 1) % n
    south = np.stack((np.zeros(n), 1 + following, 1 + here), axis=1)
    base = 1 + n * np.arange(n - 2)[:, None]
    a, b, c, d = base + here, base + following, base + n + following, base + n + here
    sides = np.stack((a, b, d, b, c, d), axis=2).reshape(-1, 3)
    last = 1 + (n - 2) * n
    cap = np.stack((last + here, last + following, np.full(n, len(rings) + 1)), axis=1)
    return _mesh(np.concatenate(([(0, 0, -1)], rings, [(0, 0, 1)])), np.concatenate((south, sides, cap)))


def _supertorus(n: int, radius: float, minor: float, major: float) -> RawMesh:
    angles = [2 * math.pi * i / n for i in range(n)]
    cv, sv = _powers(angles, minor)
    cu, su = _powers(angles, major)
    wide = 1 + radius * cv
    vert = np.stack(np.broadcast_arrays(np.outer(cu, wide), np.outer(su, wide), (radius * sv)[None, :]), axis=2)
    i, j = np.arange(n)[:, None], np.arange(n)
    k, m = (i + 1) % n, (j + 1) % n
    a, b, c, d = i * n + j, k * n + j, k * n + m, i * n + m
    return _mesh(vert, np.stack((a, b, d, b, c, d), axis=2))


def _edges(n: int, gamma: float = 0.0) -> np.ndarray:
    """Edges of n cells from -1 to 1, drawn together in the middle by gamma."""
    x = np.add.accumulate(np.concatenate(([-1.0], np.full(n, 2 / n))))
    return np.array([gamma * e ** 5 + (1 - gamma) * e if gamma else e for e in x.tolist()])


def _wedge(nphi: int, ntheta: int, fov_phi: float, fov_theta: float, gamma: float) -> RawMesh:
    """Points on part of a sphere, each with three axes: away from it, and along both angles."""
    phi, theta = _edges(nphi, gamma) * (fov_phi * math.pi / 180), _edges(ntheta, gamma) * (fov_theta * math.pi / 180)
    a, e = np.meshgrid(0.5 * (phi[1:] + phi[:-1]), 0.5 * (theta[1:] + theta[:-1]), indexing="ij")
    a, e = a.ravel(), e.ravel()
    ca, sa, ce, se = np.cos(a), np.sin(a), np.cos(e), np.sin(e)
    along, up = np.stack((ce * ca, 0 * a, ce * sa), axis=1), np.stack((-se * sa, ce, se * ca), axis=1)
    along, up = (v / np.sqrt((v * v).sum(axis=1))[:, None] for v in (along, up))
    mesh = _mesh(np.stack((ce * sa, se, -ce * ca), axis=1))
    mesh.normal = np.stack((np.cross(up, along), along, up), axis=1).reshape(-1, 3).astype(np.float32)
    return mesh


def _plate(nx: int, ny: int) -> RawMesh:
    """Points on a flat rectangle, each with three axes, and the triangles between them."""
    x, y = np.meshgrid(-1 + (np.arange(nx) + 0.5) * (2.0 / nx), -1 + (np.arange(ny) + 0.5) * (2.0 / ny), indexing="ij")
    i, j = np.meshgrid(np.arange(1, nx), np.arange(1, ny), indexing="ij")
    a, b, c, d = (i - 1) * ny + j - 1, i * ny + j - 1, (i - 1) * ny + j, i * ny + j
    mesh = _mesh(np.stack((x, y, np.full_like(x, -1)), axis=2), np.stack((a, b, c, d, c, b), axis=2))
    mesh.normal = np.tile(np.eye(3, dtype=np.float32), (nx * ny, 1))
    return mesh
