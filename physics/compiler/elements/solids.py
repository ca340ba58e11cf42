"""Volumes, moments of inertia and bounds of the primitive shapes, solid or as a thin shell.

Sizes are half sizes; capsules and cylinders are (radius, half length). Source: any handbook of rigid-body properties; the
surface of an ellipsoid by Knud Thomsen's formula (p = 1.6075), its shell as the difference of two solids.
"""
from __future__ import annotations

import math

from physics.enums import GEOM_BOX, GEOM_CAPSULE, GEOM_CYLINDER, GEOM_ELLIPSOID, GEOM_HFIELD, GEOM_PLANE, GEOM_SPHERE
from physics.rotation.quaternion import ZERO3

FAR = 1e10  # half width given to an unbounded plane
THOMSEN = 1.6075
SKIN = 1e-6  # thickness of an ellipsoid's shell [m]


def volume(kind: int, size, shell: bool = False) -> float:
    """Volume [m3] of a shape, or its surface [m2] as a shell."""
    a, b, c = size
    if kind == GEOM_SPHERE:
        return 4 * math.pi * a * a if shell else 4 * math.pi * a * a * a / 3
    if kind == GEOM_CAPSULE:
        return 4 * math.pi * a * a + 4 * math.pi * a * b if shell else math.pi * (2 * a * a * b + 4 * a * a * a / 3)
    if kind == GEOM_CYLINDER:
        return 2 * math.pi * a * a + 4 * math.pi * a * b if shell else 2 * math.pi * a * a * b
    if kind == GEOM_ELLIPSOID:
        if shell:
            mean = ((a * b) ** THOMSEN + (b * c) ** THOMSEN + (c * a) ** THOMSEN) / 3
            return 4 * math.pi * mean ** (1 / THOMSEN)
        return 4 * math.pi * a * b * c / 3
    if kind in (GEOM_BOX, GEOM_HFIELD):   # a height field weighs as the box of its size does
        return 8 * (a * b + b * c + c * a) if shell else 8 * a * b * c
    return 0.0


def inertia(kind: int, size, mass: float, shell: bool = False) -> tuple[float, float, float]:
    """Moments of inertia [kg m2] about the shape's own axes."""
    a, b, c = size
    if kind == GEOM_SPHERE:
        i = 2 * mass * a * a / (3 if shell else 5)
        return i, i, i
    if kind == GEOM_CAPSULE:
        return _capsule_shell(a, b, mass) if shell else _capsule(a, b, mass)
    if kind == GEOM_CYLINDER:
        return _cylinder_shell(a, b, mass) if shell else _cylinder(a, b, mass)
    if kind == GEOM_ELLIPSOID:
        return _ellipsoid_shell(a, b, c, mass) if shell else _squares(a, b, c, mass / 5)
    if kind in (GEOM_BOX, GEOM_HFIELD):
        return _box_shell(a, b, c, mass) if shell else _squares(a, b, c, mass / 3)
    return ZERO3


def _squares(a, b, c, factor):
    return factor * (b * b + c * c), factor * (a * a + c * c), factor * (a * a + b * b)


def _cylinder(r, h, mass):
    side = mass * (3 * r * r + 4 * h * h) / 12
    return side, side, mass * r * r / 2


def _capsule(r, h, mass):
    ball = mass * 4 * r / (4 * r + 6 * h)  # the two halves of a ball take their part of the volume
    x, _, z = _cylinder(r, h, mass - ball)
    own = 2 * ball * r * r / 5
    side = x + own + ball * 2 * h * (3 * r + 4 * h) / 8
    return side, side, z + own


def _capsule_shell(r, h, mass):
    ball = mass * r / (r + h)
    tube = mass - ball
    own = 2 * ball * r * r / 3
    away = h + r / 2  # centre of a half shell
    side = tube * (6 * r * r + 4 * h * h) / 12 + own + ball * (away * away - r * r / 4)
    return side, side, tube * r * r + own


def _cylinder_shell(r, h, mass):
    disk = mass * r / (2 * r + 4 * h)
    tube = mass - 2 * disk
    side = tube * (6 * r * r + 4 * h * h) / 12 + 2 * (disk * r * r / 4 + disk * h * h)
    return side, side, tube * r * r + disk * r * r


def _ellipsoid_shell(a, b, c, mass):
    inner = 4 * math.pi * a * b * c / 3
    a2, b2, c2 = a + SKIN, b + SKIN, c + SKIN
    outer = 4 * math.pi * a2 * b2 * c2 / 3
    density = mass / (outer - inner)
    small, large = _squares(a, b, c, inner * density / 5), _squares(a2, b2, c2, outer * density / 5)
    return tuple(y - x for x, y in zip(small, large))


def _box_shell(a, b, c, mass):
    """Six plates: each adds its own moments and its distance from the centre."""
    area = 2 * 4 * (a * b + b * c + c * a)
    xy, yz, zx = (mass * 4 * s / area for s in (a * b, b * c, c * a))
    plate = lambda m, half: m * half * half / 3  # noqa: E731  moment of a strip about its middle
    ix = plate(xy, b) + plate(yz, b) + plate(yz, c) + plate(zx, c) + xy * c * c + zx * b * b
    iy = plate(xy, a) + plate(yz, c) + plate(zx, a) + plate(zx, c) + xy * c * c + yz * a * a
    iz = plate(xy, a) + plate(xy, b) + plate(yz, b) + plate(zx, a) + yz * a * a + zx * b * b
    return 2 * ix, 2 * iy, 2 * iz


def bounds(kind: int, size) -> tuple[float, tuple]:
    """Radius of the bounding sphere (0 for a plane) and the bounding box (centre, half sizes), in the shape's frame."""
    a, b, c = size
    if kind == GEOM_PLANE:
        return 0.0, (0.0, 0.0, -FAR / 2, FAR, FAR, FAR / 2)
    if kind == GEOM_SPHERE:
        return a, (0.0, 0.0, 0.0, a, a, a)
    if kind == GEOM_CAPSULE:
        return a + b, (0.0, 0.0, 0.0, a, a, a + b)
    if kind == GEOM_CYLINDER:
        return math.sqrt(a * a + b * b), (0.0, 0.0, 0.0, a, a, b)
    if kind == GEOM_ELLIPSOID:
        return max(a, b, c), (0.0, 0.0, 0.0, a, b, c)
    return math.sqrt(a * a + b * b + c * c), (0.0, 0.0, 0.0, a, b, c)
