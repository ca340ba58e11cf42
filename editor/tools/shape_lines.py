"""The outline of a shape as lines of points, to be seen before it is written."""
from __future__ import annotations

import math
from collections.abc import Sequence
from types import MappingProxyType

import numpy as np

__all__ = ["shape_lines"]

POINTS = 49
CORNERS = ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))


def shape_lines(shape: str, size: Sequence[float], pose: np.ndarray) -> list[np.ndarray]:
    """Lines of points (n, 3) [m] in the world of a shape with a size as MJCF has it and a pose (4, 4)."""
    return [line @ pose[:3, :3].T + pose[:3, 3] for line in _DRAW[shape](*size)]


def _circle(a: float, b: float, axes: tuple[int, int], offset: float = 0.0, start: float = 0.0, span: float = 2 * math.pi) -> np.ndarray:
    """(n, 3) an ellipse, or a part of it, in the plane of two axes at a distance along the third."""
    turn, out = np.linspace(start, start + span, POINTS), np.zeros((POINTS, 3))
    out[:, axes[0]], out[:, axes[1]], out[:, 3 - sum(axes)] = a * np.cos(turn), b * np.sin(turn), offset
    return out


def _plane(a: float, b: float, _spacing: float = 0.0) -> list[np.ndarray]:
    return [np.array([(a * x, b * y, 0.0) for x, y in CORNERS])]


def _box(a: float, b: float, c: float) -> list[np.ndarray]:
    return [np.array([(a * x, b * y, sign * c) for x, y in CORNERS]) for sign in (-1, 1)] + [np.array([(a * x, b * y, -c), (a * x, b * y, c)]) for x, y in CORNERS[:4]]


def _ellipsoid(a: float, b: float, c: float) -> list[np.ndarray]:
    return [_circle(a, b, (0, 1)), _circle(a, c, (0, 2)), _circle(b, c, (1, 2))]


def _cylinder(r: float, half: float) -> list[np.ndarray]:
    return [_circle(r, r, (0, 1), sign * half) for sign in (-1, 1)] + [np.array([(r * x, r * y, -half), (r * x, r * y, half)]) for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1))]


def _capsule(r: float, half: float) -> list[np.ndarray]:
    caps = []
    for k in (0, 1):
        for sign in (-1, 1):
            arc = _circle(r, r, (k, 2), 0.0, 0.0 if sign > 0 else math.pi, math.pi)
            arc[:, 2] += sign * half
            caps.append(arc)
    return _cylinder(r, half) + caps


_DRAW = MappingProxyType({"sphere": lambda r: _ellipsoid(r, r, r), "capsule": _capsule, "cylinder": _cylinder, "box": _box, "ellipsoid": _ellipsoid, "plane": _plane})
