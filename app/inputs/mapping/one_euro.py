"""The one-euro filter: a first-order low pass whose cutoff rises with speed, so that a hand at rest does not tremble and a quick one does not lag.

    x^_k = x^_{k-1} + alpha (x_k - x^_{k-1}),   alpha = 1 - exp(-2 pi f dt),   f = min_cutoff + beta |dx^/dt|

and the speed filtered alike at SPEED_CUTOFF. alpha is the low pass's own step; r / (r + 1) with r = 2 pi f dt, as it is published, is the first order of it, and lags by another sample where these are rare. Of orientations the difference is the logarithm of the rotation between them, and the step its exponential.
Source: Casiez, Roussel and Vogel, "1 euro filter: a simple speed-based low-pass filter for noisy input in interactive systems", CHI 2012.
"""
from __future__ import annotations

from math import exp as decay
from math import hypot, pi

from app.inputs.mapping.rotation import conj4, exp, log, mul4, unit4
from app.inputs.sample import Pose

SPEED_CUTOFF = 1.0      # Hz
MOST_LEAD = 0.03        # s
LONGEST = 0.25          # s without a sample: begin anew
ZERO = (0.0, 0.0, 0.0)


def _share(cutoff: float, dt: float) -> float:
    return 1.0 - decay(-2.0 * pi * cutoff * dt)


class OneEuro:
    """min_cutoff [Hz]: of a pose at rest, 0: the filter is off; beta: by how much the cutoff rises with speed [Hz per m/s, or per rad/s]; lead [s]: how far the filtered pose is
    extrapolated by its filtered speed."""

    def __init__(self, min_cutoff: float = 0.0, beta: float = 0.0, lead: float = 0.0):
        self.min_cutoff, self.beta = min_cutoff, beta
        self.lead = min(max(lead, 0.0), MOST_LEAD)
        self._time: float | None = None
        self._pose = Pose()
        self._speed = self._turning = ZERO

    def reset(self) -> None:
        """Forget what came before: the next pose is taken as it is."""
        self._time = None

    def __call__(self, pose: Pose, time: float) -> Pose:
        """The filtered pose at `time` [s]; a pose that is not later than the last one changes nothing."""
        dt = None if self._time is None else time - self._time
        if dt is None or dt > LONGEST:
            self._time, self._pose, self._speed, self._turning = time, pose, ZERO, ZERO
            return pose
        if dt > 0:
            self._time = time
            self._pose, self._speed, self._turning = self._step(pose, dt)
        return self._ahead()

    def _step(self, pose: Pose, dt: float) -> tuple[Pose, tuple, tuple]:
        before, slow = self._pose, _share(SPEED_CUTOFF, dt)
        way = tuple(a - b for a, b in zip(pose.pos, before.pos))
        turn = log(mul4(pose.quat, conj4(before.quat)))
        speed = tuple(v + slow * (d / dt - v) for v, d in zip(self._speed, way))
        turning = tuple(w + slow * (d / dt - w) for w, d in zip(self._turning, turn))
        if self.min_cutoff <= 0:
            return pose, speed, turning
        a = _share(self.min_cutoff + self.beta * hypot(*speed), dt)
        b = _share(self.min_cutoff + self.beta * hypot(*turning), dt)
        return Pose(tuple(p + a * d for p, d in zip(before.pos, way)), unit4(mul4(exp(tuple(b * d for d in turn)), before.quat))), speed, turning

    def _ahead(self) -> Pose:
        if not self.lead:
            return self._pose
        pos = tuple(p + self.lead * v for p, v in zip(self._pose.pos, self._speed))
        return Pose(pos, unit4(mul4(exp(tuple(self.lead * w for w in self._turning)), self._pose.quat)))
