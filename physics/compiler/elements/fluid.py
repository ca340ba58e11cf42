"""Coefficients of drag, lift and added mass of a shape seen as an ellipsoid.

Source: Tuck and Lazauskas; Lamb, "Hydrodynamics", articles 114 and 121 (added mass); the integral by a 15-point Kronrod
rule whose nodes are rounded to eight digits, as in the official engine.
"""
from __future__ import annotations

import math

import numpy as np

from physics.enums import GEOM_CAPSULE, GEOM_CYLINDER, GEOM_SPHERE

_HALF_NODES = (0.00427231, 0.02544604, 0.06756779, 0.12923441, 0.20695638, 0.29707742, 0.39610752)
_HALF_WEIGHTS = (0.01146766, 0.03154605, 0.05239501, 0.07032663, 0.08450236, 0.09517529, 0.10221647)
NODES = (*_HALF_NODES, 0.5, *(1 - x for x in reversed(_HALF_NODES)))
WEIGHTS = (*_HALF_WEIGHTS, 0.10474107, *reversed(_HALF_WEIGHTS))


def semiaxes(kind: int, size) -> tuple:
    """Half axes of the ellipsoid that stands for a shape."""
    if kind == GEOM_SPHERE:
        return size[0], size[0], size[0]
    if kind == GEOM_CAPSULE:
        return size[0], size[0], size[1] + size[0]
    if kind == GEOM_CYLINDER:
        return size[0], size[0], size[1]
    return tuple(size)


def kappa(a: float, b: float, c: float) -> float:
    """Added-mass integral along the first axis: of abc / sqrt((a2+l)^3 (b2+l)(c2+l)) from 0 to infinity."""
    scale = (a * a * a * b * c) ** 0.4
    total = 0.0
    for x, weight in zip(NODES, WEIGHTS):
        level = scale * x ** 3 / (1 - x) ** 2
        slope = x * x * (3 - x) / (1 - x) ** 3
        fa, fb, fc = 1 + level / (a * a), 1 + level / (b * b), 1 + level / (c * c)
        total += scale * slope * weight / (fa * math.sqrt(fa * fb * fc))
    return total / (a * a)


def coefficients(kind: int, size, given) -> tuple:
    """The twelve numbers of geom_fluid: switch, five drag and lift coefficients, added mass, added inertia.

    Of an endless plane, and of sizes that no number can hold when multiplied, some are nan, as in the official model.
    """
    try:
        return _coefficients(kind, size, given)
    except ArithmeticError:
        with np.errstate(all="ignore"):   # NumPy's numbers go on where Python's raise
            return tuple(map(float, _coefficients(kind, np.array(size, float), given)))


def _coefficients(kind: int, size, given) -> tuple:
    a, b, c = semiaxes(kind, size)
    volume = 4.0 / 3.0 * math.pi * a * b * c
    k = kappa(a, b, c), kappa(b, c, a), kappa(c, a, b)
    mass = tuple(volume * x / max(1e-14, 2 - x) for x in k)
    squares = a * a, b * b, c * c
    inertia = tuple(_inertia(squares[(i + 1) % 3], squares[(i + 2) % 3], k[(i + 1) % 3], k[(i + 2) % 3]) * volume / 5 for i in range(3))
    return (1.0, *given, *mass, *inertia)


def _inertia(b2: float, c2: float, kb: float, kc: float) -> float:
    top = (b2 - c2) * (b2 - c2) * abs(kc - kb)
    return top / max(1e-14, abs(2 * (b2 - c2) + (b2 + c2) * (kb - kc)))
