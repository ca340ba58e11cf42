"""Copies of a replicate that stand around an axis: turned about one axis from copy to copy, with no step across it.

    T_k x = R(k t) x + k h a        place of copy k of what stands at x: t the turn, a the axis, h the rise (of a staircase; 0 for a ring)

What is seen of it is the angle from copy to copy and the rise: a place that is wanted of copy k gives both, and nothing else of the numbers changes. Source of T_k:
physics.expand.replicate.
"""
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

__all__ = ["Ring", "angle_about", "ring_of"]

ACROSS = 1e-9       # of an offset, as a share of its length, that counts as none
ON_THE_AXIS = 1e-6  # m: a point that near to the axis has no angle


@dataclass(frozen=True, slots=True, eq=False)
class Ring:
    """number: which number of euler is the turn; axis: unit vector (3,) that it turns about, in what the replicate stands in; rise: from copy to copy along it, in the unit of offset."""

    number: int
    axis: np.ndarray
    rise: float


def ring_of(offset: np.ndarray, euler: np.ndarray, eulerseq: str) -> Ring | None:
    """The ring that the numbers of a replicate (3,), (3,) make; None where there is no turn, one about several axes, or a step across the axis."""
    turned = np.flatnonzero(euler)
    if len(turned) != 1:
        return None
    axis = np.zeros(3)
    axis["xyz".index(eulerseq[turned[0]].lower())] = 1.0
    rise = float(offset @ axis)
    if np.linalg.norm(offset - rise * axis) > ACROSS * np.linalg.norm(offset):
        return None
    return Ring(int(turned[0]), axis, rise)


def angle_about(axis: np.ndarray, start: np.ndarray, end: np.ndarray) -> tuple[float, float] | None:
    """(angle [rad] in (-pi, pi], distance from the axis at the start [m]) of a turn about an axis through the origin that takes the one point (3,) in front of the other; None
    where one of them lies on the axis."""
    a, b = (point - (point @ axis) * axis for point in (start, end))
    radius = float(np.linalg.norm(a))
    if min(radius, float(np.linalg.norm(b))) < ON_THE_AXIS:
        return None
    return math.atan2(float(np.cross(a, b) @ axis), float(a @ b)), radius
