"""Where a source's space is in the scene: what two hands that take hold of the scene move, as one pulls a map about with two fingers.

    scene = s Rz(psi) p + t

With both hands closed on it at l0, r0 under the frame (s0, psi0, t0) and now at l, r, the scene goes with the hands if the frame brings l and r to where it brought l0 and r0. A frame that stays upright does so for the middle between
the hands, their distance and their bearing:

    s = s0 |r0 - l0| / |r - l|        psi = psi0 + bearing(r0 - l0) - bearing(r - l)        t = G0((l0 + r0) / 2) - s Rz(psi) (l + r) / 2

Source: Umeyama, "Least-squares estimation of transformation parameters between two point patterns", 1991, for two points and turns about one axis; the gesture as in Mapes and Moshell, "A two-handed interface for object manipulation in
virtual environments", 1995.
"""
from __future__ import annotations

from math import atan2, cos, dist, hypot, pi, sin
from typing import NamedTuple

from app.inputs.mapping.clutch import LARGEST, SMALLEST

NEAR = 0.02     # m between two hands, below which they say nothing about a size or a bearing

Point = tuple[float, float, float]


class SceneFrame(NamedTuple):
    """scale s: metres of the scene for one of the source; yaw psi [rad] about z; pos t (3) [m]."""

    scale: float = 1.0
    yaw: float = 0.0
    pos: Point = (0.0, 0.0, 0.0)

    def of(self, p: Point) -> Point:
        """A point of the source's space in the scene."""
        x, y, z = self._turned(p)
        return x + self.pos[0], y + self.pos[1], z + self.pos[2]

    def dragged(self, held: tuple[Point, Point], hands: tuple[Point, Point]) -> SceneFrame:
        """This frame after both hands have gone from `held` to `hands` with the scene between them; its scale stays within SMALLEST and LARGEST."""
        before, now = (tuple(b - a for a, b in zip(*pair)) for pair in (held, hands))
        scale, yaw = self.scale, self.yaw
        if dist(*held) > NEAR and dist(*hands) > NEAR:
            scale = min(max(scale * hypot(*before) / hypot(*now), SMALLEST), LARGEST)
        if hypot(*before[:2]) > NEAR and hypot(*now[:2]) > NEAR:
            yaw += atan2(before[1], before[0]) - atan2(now[1], now[0])
            yaw -= 2 * pi * round(yaw / (2 * pi))
        there = self.of(_middle(held))
        here = SceneFrame(scale, yaw).of(_middle(hands))
        return SceneFrame(scale, yaw, tuple(a - b for a, b in zip(there, here)))

    def _turned(self, p: Point) -> Point:
        c, s = self.scale * cos(self.yaw), self.scale * sin(self.yaw)
        return c * p[0] - s * p[1], s * p[0] + c * p[1], self.scale * p[2]


def _middle(pair: tuple[Point, Point]) -> Point:
    return tuple(0.5 * (a + b) for a, b in zip(*pair))
