"""What a geom type means: which sizes it has, how far it reaches, its farthest point in a direction.

Kernels use the plain numbers below; compiler and tests use the NumPy functions. Sizes: plane (x, y half extents,
0 = infinite), sphere (radius), capsule and cylinder (radius, half length), ellipsoid (radii), box (half extents).
"""
from __future__ import annotations

import math

import numpy as np

from physics import enums

PLANE = enums.GEOM_PLANE
HFIELD = enums.GEOM_HFIELD
SPHERE = enums.GEOM_SPHERE
CAPSULE = enums.GEOM_CAPSULE
ELLIPSOID = enums.GEOM_ELLIPSOID
CYLINDER = enums.GEOM_CYLINDER
BOX = enums.GEOM_BOX
MESH = enums.GEOM_MESH
SDF = enums.GEOM_SDF

INFINITE = 1e10  # half extent that stands for an unbounded direction


def bounding_radius(kind: int, size) -> float:
    """Radius of the sphere around the geom's centre that holds it; 0 for a plane, which has none."""
    a, b, c = (float(x) for x in size)
    if kind == SPHERE:
        return a
    if kind == CAPSULE:
        return a + b
    if kind == CYLINDER:
        return math.hypot(a, b)
    if kind == ELLIPSOID:
        return max(a, b, c)
    if kind == BOX:
        return math.sqrt(a * a + b * b + c * c)
    return 0.0


def half_extents(kind: int, size) -> tuple[float, float, float]:
    """Half sizes of the box, aligned with the geom, that holds it."""
    a, b, c = (float(x) for x in size)
    if kind == SPHERE:
        return a, a, a
    if kind == CAPSULE:
        return a, a, a + b
    if kind == CYLINDER:
        return a, a, b
    if kind in (ELLIPSOID, BOX):
        return a, b, c
    return (a if a > 0 else INFINITE, b if b > 0 else INFINITE, 0.0)


def support(kind: int, size, direction) -> np.ndarray:
    """A farthest point of the geom in `direction`, both in the geom's frame. Raises ValueError for unbounded types."""
    u = np.asarray(direction, float)
    a, b, c = (float(x) for x in size)
    length = float(np.linalg.norm(u))
    if length < 1e-300:
        return np.zeros(3)
    sign = np.where(u < 0, -1.0, 1.0)
    if kind == SPHERE:
        return a * u / length
    if kind == CAPSULE:
        return a * u / length + np.array([0.0, 0.0, sign[2] * b])
    if kind == ELLIPSOID:
        s = np.array([a, b, c])
        return s * s * u / max(float(np.linalg.norm(s * u)), 1e-300)
    if kind == CYLINDER:
        radial = float(np.hypot(u[0], u[1]))
        xy = a * u[:2] / radial if radial > 1e-300 else np.zeros(2)
        return np.array([xy[0], xy[1], sign[2] * b])
    if kind == BOX:
        return sign * np.array([a, b, c])
    raise ValueError(f"geom type {kind} has no support point")
