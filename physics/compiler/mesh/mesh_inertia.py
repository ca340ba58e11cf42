"""Volume, centre of mass and moments of inertia of a mesh, as a sum over pyramids from its triangles to a point.

Sums run in the order of the triangles, each term in the order of the official compiler: where a mesh is symmetric, the direction of its
principal axes hangs on the last bit. Source: O'Rourke, "Computational Geometry in C", 1.3.8; MuJoCo XML reference, asset/mesh/inertia.
"""
from __future__ import annotations

import numpy as np

from physics.compiler.mesh.mesh_data import MeshError
from physics.enums import MINVAL

_PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


def total(rows: np.ndarray) -> np.ndarray:
    """Sum over the last axis in order, without regrouping."""
    return np.add.accumulate(rows, axis=-1)[..., -1] if rows.shape[-1] else np.zeros(rows.shape[:-1])


def corners(vert: np.ndarray, face: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The three corners of every triangle, each (3, m): coordinates first, so that they are read in one go. vert: (3, n)."""
    return tuple(vert.take(face[:, k], axis=1) for k in range(3))


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross products of columns."""
    return np.stack((a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]))


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Inner products of columns."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def triangles(one: np.ndarray, two: np.ndarray, three: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Areas, unit normals and centres of triangles given by their corners; tiny ones have no area."""
    normal = cross(two - one, three - one)
    length = np.sqrt(dot(normal, normal))
    small = length < MINVAL
    normal /= np.where(small, 1.0, length)
    return np.where(small, 0.0, 0.5 * length), normal, (one + two + three) / 3


def surface_centre(area: np.ndarray, centre: np.ndarray) -> tuple[float, np.ndarray]:
    """Surface and the centre of the triangles, weighted by area. Raises MeshError where there is no surface."""
    whole = float(total(area))
    if not whole >= MINVAL:
        raise MeshError(f"the surface of the mesh is {whole:g} m2: there is nothing of it", "Check the vertices, the faces and the scale")
    return whole, total(area * centre) / whole


def volume_centre(area, normal, centre, middle, kind: str) -> tuple[float, np.ndarray]:
    """Volume (surface of a shell) and centre of mass. middle: where the pyramids' points meet. Raises MeshError."""
    if kind == "shell":
        size = area
    else:
        size = dot(centre - middle[:, None], normal) * area / 3
        if kind == "legacy":
            size = np.abs(size)
    whole = float(total(size))
    if whole < MINVAL and kind != "shell":
        if whole < 0:
            raise MeshError(f"the volume of the mesh is {whole:g} m3, below 0: its triangles are turned inwards",
                            "Turn the faces round, or write inertia=\"legacy\" or \"convex\"")
        raise MeshError(f"the volume of the mesh is {whole:g} m3, which is too small", 'Give it thickness, or write inertia="shell"')
    return whole, total(size * (centre * 3.0 / 4.0 + (middle / 4.0)[:, None])) / whole


def second_moments(one, two, three, kind: str) -> tuple[float, tuple]:
    """Volume (surface of a shell) and moments of inertia (xx, yy, zz, xy, xz, yz) about the origin at unit density; corners as (3, m)."""
    area, normal, centre = triangles(one, two, three)
    if kind == "shell":
        size = area
    else:
        size = dot(centre, normal) * area / 3
        if kind == "legacy":
            size = np.abs(size)
    part = size / (12 if kind == "shell" else 20)
    terms = np.empty((7, size.size))
    for row, (j, k) in zip(terms, _PAIRS):
        d, e, f, dd, ee, ff = one[j], two[j], three[j], one[k], two[k], three[k]
        row[:] = part * (2 * (d * dd + e * ee + f * ff) + d * ee + dd * e + d * ff + dd * f + e * ff + ee * f)
    terms[6] = size
    p = total(terms).tolist()
    return p[6], (p[1] + p[2], p[0] + p[2], p[0] + p[1], -p[3], -p[4], -p[5])


def check_moments(moments) -> None:
    """Principal moments in falling order must belong to a body. Raises MeshError."""
    a, b, c = moments
    text = f"its principal moments are {a:g}, {b:g}, {c:g} at unit density"
    if c <= 0:
        raise MeshError(f"the mesh has no inertia about one of its axes: {text}", 'Check the vertices, or write inertia="shell"')
    if b + c < a * (1.0 - 1e-6) - 1e-9:
        raise MeshError(f"the mesh has moments of inertia that no body has: {text}", 'Write inertia="convex" or close the mesh')


def equal_box(moments, volume: float) -> np.ndarray:
    """Half sizes of the box with these moments and this volume."""
    a, b, c = moments
    squares = np.array([b + c - a, a + c - b, a + b - c])
    with np.errstate(invalid="ignore"):
        return 0.5 * np.sqrt(6 * squares / volume)
