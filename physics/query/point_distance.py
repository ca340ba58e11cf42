"""The signed distance of a point from a geom, negative inside, and the nearest point of its surface.

The engine has distances of pairs of geoms; a site or a clicked point has no shape. All functions work in the geom's frame [m].
Source: Ericson, "Real-Time Collision Detection" (2005), chapter 5.1 (closest points); Eberly, "Distance from a Point to an Ellipse, an Ellipsoid, or a
Hyperellipsoid", Geometric Tools (2013).
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from physics.enums import GEOM_BOX, GEOM_CAPSULE, GEOM_CYLINDER, GEOM_ELLIPSOID, GEOM_MESH, GEOM_PLANE, GEOM_SPHERE
from physics.model.model import Model

TINY = 1e-15        # m
ITERATIONS = 100    # of the bisection for an ellipsoid: more than halving a double's range of digits takes


def point_geom(m: Model, d, point: np.ndarray, g: int) -> tuple[float, np.ndarray] | None:
    """(distance [m], nearest point of the surface [m, world]) of a point [m, world] and geom g at its present pose; None for a type without a rule: height fields, SDFs.

    Of a mesh it is its surface that counts, and the distance is never negative; contacts have its convex hull.
    """
    rule = RULES.get(int(m.geom_type[g]))
    if rule is None:
        return None
    mat = d.geom_xmat[g].reshape(3, 3)
    dist, near = rule(mat.T @ (point - d.geom_xpos[g]), m.geom_size[g], m, g)
    return float(dist), d.geom_xpos[g] + mat @ near


def _from_core(p: np.ndarray, core: np.ndarray, radius: float) -> tuple[float, np.ndarray]:
    """Surface at `radius` about the nearest point of a core (a point or a segment)."""
    off = p - core
    length = np.linalg.norm(off)
    direction = off / length if length > TINY else np.array([1.0, 0.0, 0.0])
    return length - radius, core + radius * direction


def _plane(p, size, m, g):
    return p[2], np.array([p[0], p[1], 0.0])


def _sphere(p, size, m, g):
    return _from_core(p, np.zeros(3), size[0])


def _capsule(p, size, m, g):
    return _from_core(p, np.array([0.0, 0.0, np.clip(p[2], -size[1], size[1])]), size[0])


def _box(p, size, m, g):
    out = np.abs(p) - size
    if (out > 0).any():
        near = np.clip(p, -size, size)
        return np.linalg.norm(p - near), near
    axis = int(np.argmax(out))      # the side that is nearest from inside
    near = p.copy()
    near[axis] = size[axis] if p[axis] >= 0 else -size[axis]
    return out[axis], near


def _cylinder(p, size, m, g):
    """As a box of two axes: from the middle, and along the height."""
    radial = np.hypot(p[0], p[1])
    direction = p[:2] / radial if radial > TINY else np.array([1.0, 0.0])
    dist, near = _box(np.array([radial, 0.0, p[2]]), np.array([size[0], np.inf, size[1]]), m, g)
    return dist, np.array([*(near[0] * direction), near[2]])


def _ellipsoid(p, size, m, g):
    """The nearest point is (r_i^2 p_i) / (r_i^2 + t), t the root of sum (r_i p_i / (r_i^2 + t))^2 = 1 above -min r_i^2, which bisection finds."""
    q, squares = np.where(np.abs(p) > TINY, np.abs(p), TINY), size * size
    k = int(np.argmin(size))
    low, high = -squares[k] + size[k] * q[k], -squares[k] + np.linalg.norm(size * q)
    for _ in range(ITERATIONS):
        t = 0.5 * (low + high)
        if np.sum((size * q / (squares + t)) ** 2) > 1:
            low = t
        else:
            high = t
    near = np.copysign(squares * q / (squares + 0.5 * (low + high)), p)
    inside = np.sum((p / size) ** 2) < 1
    return (-1 if inside else 1) * np.linalg.norm(p - near), near


def _mesh(p, size, m, g):
    k = int(m.geom_dataid[g])
    first, adr = int(m.mesh_vertadr[k]), int(m.mesh_faceadr[k])
    corners = m.mesh_vert[first:first + m.mesh_vertnum[k]].astype(float)[m.mesh_face[adr:adr + m.mesh_facenum[k]]]
    near = _on_triangles(p, corners)
    dist = np.linalg.norm(near - p, axis=1)
    best = int(np.argmin(dist))
    return dist[best], near[best]


def _on_triangles(p: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """(n, 3) nearest points of triangles (n, 3, 3): the foot of the perpendicular where it lies inside, else the nearest point of the three edges."""
    a, b, c = np.moveaxis(corners, 1, 0)
    ab, ac, ap = b - a, c - a, p - a
    d00, d01, d11 = (np.einsum("ij,ij->i", *pair) for pair in ((ab, ab), (ab, ac), (ac, ac)))
    d20, d21 = np.einsum("ij,ij->i", ap, ab), np.einsum("ij,ij->i", ap, ac)
    area = d00 * d11 - d01 * d01
    safe = np.where(area > 0, area, 1.0)
    v, w = (d11 * d20 - d01 * d21) / safe, (d00 * d21 - d01 * d20) / safe
    candidates = [_on_segments(p, *edge) for edge in ((a, b), (b, c), (c, a))]
    distances = np.stack([np.linalg.norm(x - p, axis=1) for x in candidates])
    near = np.stack(candidates)[np.argmin(distances, axis=0), np.arange(len(a))]
    inside = (area > 0) & (v >= 0) & (w >= 0) & (v + w <= 1)
    near[inside] = (a + v[:, None] * ab + w[:, None] * ac)[inside]
    return near


def _on_segments(p: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    along = b - a
    length = np.einsum("ij,ij->i", along, along)
    t = np.clip(np.einsum("ij,ij->i", p - a, along) / np.where(length > 0, length, 1.0), 0.0, 1.0)
    return a + t[:, None] * along


RULES: Mapping[int, Callable] = MappingProxyType({
    GEOM_PLANE: _plane, GEOM_SPHERE: _sphere, GEOM_CAPSULE: _capsule, GEOM_ELLIPSOID: _ellipsoid, GEOM_CYLINDER: _cylinder, GEOM_BOX: _box, GEOM_MESH: _mesh,
})
