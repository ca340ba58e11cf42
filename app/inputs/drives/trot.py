"""A trot: diagonal legs in phase, each foot back with the ground while it stands and forward through the air while the other diagonal does.

In the frame of the trunk, for a foot whose place at rest is p0 and a twist (v, w) that is commanded:

    stance    dp/dt = -(u + r x p),    (u, r) = (v, w) + c,    dc/dt = ki ((v, w) - (v, w)_trunk)
    swing     from where it left to  p0 + T_stance / 2 (u + r x p0) + k (v_trunk - v),  on a cycloid of the height `lift`

c makes up for what the feet lose: soft servos, feet that slip, knees that all point one way. It is bounded, so that a walker at a wall does not wind up.

Source: Raibert, "Legged robots that balance", 1986 (where to put a foot for a speed, and more so to lose what is too much of it); Ijspeert, "Central pattern generators for locomotion control in animals and robots", 2008 (phases of a gait
as clocks that are coupled; here they are rigidly so); Sakakibara, Kan, Hosoda, Hattori and Fujie, "Foot trajectory for a quadruped walking machine", 1990 (the cycloid).
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, exp, hypot, pi, sin

HOME = 0.012        # m from its place, within which a foot may stay where it is when nothing is commanded
STILL = 1e-3        # m/s, and rad/s, that count as no command
SMOOTH = 0.15       # s that the trunk's speed is averaged over: within a stride it swings


@dataclass(frozen=True, slots=True)
class Gait:
    """period [s] of a stride; duty: share of it that a foot stands; lift [m] of a foot in the air; reach [m] of a foot from its place at most; k [s]: how far a foot goes farther for each m/s that the trunk is too fast; ki [1/s]: how
    fast what the trunk lacks is made up for; rise [m/s^2]: how fast the speed that is followed changes, with that of turns [rad/s^2] RISE_TURN times as fast."""

    period: float = 0.36
    duty: float = 0.55
    lift: float = 0.06
    reach: float = 0.12
    k: float = 0.06
    ki: float = 1.0
    rise: float = 1.0


RISE_TURN = 4.0
MOST = (0.3, 0.3, 0.8)      # m/s, m/s, rad/s that are made up for at most


class Trot:
    """places (4, 2) [m]: of the feet at rest, in the trunk's frame (x forward, y left); which are a diagonal is told by them. Raises ValueError where they are not two diagonals of two.

    twist: (v forward, v left, w) that is followed by now; walking: False while all feet stand at their places."""

    def __init__(self, gait: Gait, places: Sequence[Sequence[float]]):
        self.gait, self.places = gait, [(float(x), float(y)) for x, y in places]
        self._offset = [0.0 if x * y > 0 else 0.5 for x, y in self.places]
        if len(self.places) != 4 or len({(x > 0, y > 0) for x, y in self.places}) != 4:
            raise ValueError("a trot needs four feet, one at each corner of the trunk")
        self.reset()

    def reset(self) -> None:
        """All feet at their places, nothing commanded."""
        self.twist, self.walking, self.phase = (0.0, 0.0, 0.0), False, 0.0
        self._at = [(0.0, 0.0, 0.0)] * 4        # from its place
        self._left = [(0.0, 0.0)] * 4           # where it left the ground
        self._trunk = self._made_up = (0.0, 0.0, 0.0)

    def advance(self, wanted: tuple[float, float, float], trunk: tuple[float, float, float], h: float) -> list[tuple[float, float, float]]:
        """The feet from their places (4, 3) [m] after h [s]. wanted: the twist; trunk: how fast it goes forward and to the left [m/s] and turns [rad/s]."""
        gait = self.gait
        self.twist = tuple(_towards(a, b, rise * h) for a, b, rise in zip(self.twist, wanted, (gait.rise, gait.rise, RISE_TURN * gait.rise)))
        share = 1.0 - exp(-h / SMOOTH)
        self._trunk = tuple(a + share * (b - a) for a, b in zip(self._trunk, trunk))
        commanded = any(abs(v) > STILL for v in (*self.twist, *wanted))
        if not self.walking and not commanded:
            return self._at
        gain, kept = (gait.ki * h, 1.0) if commanded else (0.0, exp(-h / SMOOTH))
        self._made_up = tuple(min(max(kept * c + gain * (v - have), -most), most) for c, v, have, most in zip(self._made_up, self.twist, self._trunk, MOST))
        before, self.walking = self.phase, True
        self.phase = (before + h / gait.period) % 1.0
        self._at = [self._foot(k, h) for k in range(4)]
        if not commanded and self.phase < before and all(hypot(x, y) < HOME for x, y, _z in self._at):
            self.walking, self.phase = False, 0.0       # a stride has ended with all feet at home
            self._at = [(x, y, 0.0) for x, y, _z in self._at]
            self._made_up = (0.0, 0.0, 0.0)
        return self._at

    def _foot(self, k: int, h: float) -> tuple[float, float, float]:
        gait, (x0, y0), (x, y, _z) = self.gait, self.places[k], self._at[k]
        vx, vy, w = (v + c for v, c in zip(self.twist, self._made_up))
        phase = (self.phase + self._offset[k]) % 1.0
        if phase < gait.duty:
            x, y = self._within(x - h * (vx - w * (y0 + y)), y - h * (vy + w * (x0 + x)))
            self._left[k] = x, y
            return x, y, 0.0
        u = (phase - gait.duty) / (1.0 - gait.duty)
        half = 0.5 * gait.duty * gait.period
        ends = self._within(half * (vx - w * y0) + gait.k * (self._trunk[0] - self.twist[0]), half * (vy + w * x0) + gait.k * (self._trunk[1] - self.twist[1]))
        gone = u - sin(2 * pi * u) / (2 * pi)
        x, y = (a + gone * (b - a) for a, b in zip(self._left[k], ends))
        return x, y, 0.5 * gait.lift * (1.0 - cos(2 * pi * u))

    def _within(self, x: float, y: float) -> tuple[float, float]:
        far = hypot(x, y) / self.gait.reach
        return (x / far, y / far) if far > 1.0 else (x, y)


def _towards(a: float, b: float, most: float) -> float:
    return min(max(b, a - most), a + most)
