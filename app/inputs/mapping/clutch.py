"""Hold to move: a source's motion since the clutch was closed, carried over to the target.

With S0 = (p_s0, q_s0) the source's pose and T0 = (p_t0, q_t0) the target's when the clutch closes, R the rotation from the source's frame to the world's:

    p = p_t0 + a R (p_s - p_s0)         q = (R * dq * R^-1) q_t0,  dq = exp(b log(q_s q_s0^-1))

with a the scale of ways, times the `gain` of the scene's frame where hands have made one, and b that of turns. Opened, the target stays where it is: there is no return spring.
"""
from __future__ import annotations

from math import isfinite

from app.inputs.mapping.rotation import IDENTITY, conj4, exp, log, mul4, rotate, unit4
from app.inputs.sample import Pose

SMALLEST, LARGEST = 0.25, 4.0       # of a scale that is changed while it is used


class Clutch:
    """scale: (of ways, of turns). gain: of ways beside it, to be changed only while it is open."""

    def __init__(self, scale: tuple[float, float] = (1.0, 1.0)):
        self.scale, self.gain = scale, 1.0
        self.closed = False
        self._source, self._target, self._rotation = Pose(), Pose(), IDENTITY

    def close(self, source: Pose, target: Pose, rotation=IDENTITY) -> None:
        """From now on the target follows. rotation: quaternion R from the source's frame to the world's."""
        self._source, self._target, self._rotation = source, target, unit4(rotation)
        self.closed = True

    def open(self) -> None:
        """The target stays."""
        self.closed = False

    def target(self, source: Pose) -> Pose:
        """Where the target is wanted. Raises ValueError while the clutch is open."""
        if not self.closed:
            raise ValueError("the clutch is open")
        ways, turns = self.gain * self.scale[0], self.scale[1]
        s0, t0, r = self._source, self._target, self._rotation
        way = rotate(r, tuple(ways * (a - b) for a, b in zip(source.pos, s0.pos)))
        turn = mul4(source.quat, conj4(s0.quat))
        if turns != 1.0:
            turn = exp(tuple(turns * w for w in log(turn)))
        turn = mul4(mul4(r, turn), conj4(r))
        return Pose(tuple(a + b for a, b in zip(t0.pos, way)), unit4(mul4(turn, t0.quat)))

    def rescale(self, factor: float, source: Pose, target: Pose) -> None:
        """Change the scale of ways, SMALLEST to LARGEST, without moving the target: both poses are the new reference."""
        if not isfinite(factor) or factor <= 0:
            return
        self.scale = min(max(self.scale[0] * factor, SMALLEST), LARGEST), self.scale[1]
        if self.closed:
            self.close(source, target, self._rotation)
