"""Friction as it comes out: the slope at which something slides, how fast it creeps on a slope that should hold it, and whether it sticks and slips by turns.

Each test runs on a Model and Data of its own, copied from those that are asked about, in which gravity turns instead of the ground: about an axis in the plane of contact, so
that it pulls along `heading` (angle in that plane from the first tangent). What else is in the model goes on acting.

    slope test: gravity turns slowly until the contact slips          drift: it stands still at an angle, the mean speed of slipping is measured

An elliptic cone holds up to tan(angle) = mu in all headings; a pyramidal one, |f1|/mu1 + |f2|/mu2 <= 1, up to mu along a tangent and mu / sqrt(2) between two. Rows are soft:
within the cone a contact creeps, by (1 - d) over the tangents' damping; impratio makes that less, noslip takes it away.

Source: MuJoCo documentation, chapter Computation, "Friction cones"; chapter Modeling, "Preventing slip"; XML reference, option cone, impratio, noslip_iterations.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import atan, cos, degrees, hypot, isnan, nan, radians, sin

import numpy as np

from physics.enums import CONE_ELLIPTIC
from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import model_beside
from physics.model.state_fields import State
from physics.simulate.step import forward, step
from physics.tuning.slip import held, slip_of
from physics.tuning.target import Target, contacts_of

__all__ = ["Drift", "GivenUp", "Slope", "drift_test", "expected_slope", "slope_test"]

SETTLE = 0.3            # s in which what was disturbed by the turn comes to rest
RATE = radians(10.0)    # rad/s by which gravity turns
STEEPEST = radians(85.0)
WINDOW, MEASURED = 0.02, 0.2      # s over which sliding is looked for, and measured
SLIDES = 0.05           # of the acceleration of gravity along the slope: a contact that gains speed so fast slides
OFTEN = 50              # steps after which it is asked whether anybody still waits


class GivenUp(Exception):
    """Nobody waits for the result any more."""


def never() -> bool:
    """Of work that nobody ends early."""
    return False


@dataclass(frozen=True, slots=True)
class Slope:
    """angle [rad] at which it slid, NaN where it held up to the steepest, or left the ground; friction: its tangent; expected: friction that the cone has in this heading;
    text: in words."""

    angle: float
    friction: float
    expected: float
    text: str


@dataclass(frozen=True, slots=True)
class Drift:
    """angle [rad] of the slope; speed [m/s]: mean speed of slipping down it; normal, tangential [N]: mean forces; share: of the cone that is used, on average; changes: how
    often it went from sticking to slipping or back; times [s], slips [m/s]: each step's."""

    angle: float
    speed: float
    normal: float
    tangential: float
    share: float
    changes: int
    times: np.ndarray
    slips: np.ndarray

    @property
    def text(self) -> str:
        """In words."""
        if isnan(self.speed):
            return f"{degrees(self.angle):.3g} deg: it leaves the ground"
        how = f", sticking and slipping {self.changes // 2} times" if self.changes > 2 else ""
        return f"{degrees(self.angle):.3g} deg: slips {self.speed:.3g} m/s with {self.share:.0%} of the cone in use{how}"


def expected_slope(m: Model, friction, heading: float = 0.0) -> float:
    """The friction that a cone has along a heading [rad from the first tangent]. friction: coefficients of the two tangents, 0 with condim 1."""
    if not min(friction) > 0.0:
        return 0.0
    one, two = abs(cos(heading)) / friction[0], abs(sin(heading)) / friction[1]
    return 1.0 / (hypot(one, two) if m.opt_cone == CONE_ELLIPTIC else one + two)


class _Bench:
    """A copy of a model in a state (a Data, Snapshot or State), in which gravity is turned."""

    def __init__(self, m: Model, state, target: Target, heading: float, stop: Callable[[], bool]):
        self.m, self.target, self._stop = model_beside(m), target, stop
        self.d = Data(self.m)
        State.of(state).write(self.d)
        forward(self.m, self.d)
        contacts = contacts_of(self.m, self.d, target)
        if not contacts:
            raise ValueError(f"{target} touches nothing now: friction is measured of what lies on something")
        frame = self.d.contact_frame[contacts[0]].reshape(3, 3)
        self.size = float(np.linalg.norm(self.m.opt_gravity))
        if not self.size:
            raise ValueError("without gravity nothing slides down a slope")
        # the second geom is pulled along the heading and onto the first one; where it is the one that cannot move, the other way round
        second = self.m.body_weldid[self.m.geom_bodyid[self.d.contact_geom[contacts[0], 1]]] != 0
        self.sign = 1.0 if second else -1.0
        self.down, self.along = -self.sign * frame[0], cos(heading) * frame[1] + sin(heading) * frame[2]
        self.friction = tuple(self.d.contact_friction[contacts[0], :2].tolist()) if self.d.contact_dim[contacts[0]] > 1 else (0.0, 0.0)

    def check(self) -> None:
        """Raises GivenUp."""
        if self._stop():
            raise GivenUp

    def tilt(self, angle: float) -> None:
        """Have gravity pull at an angle [rad] from the contact's normal."""
        self.m.opt_gravity[:] = self.size * (cos(angle) * self.down + sin(angle) * self.along)

    def run(self, seconds: float) -> None:
        """Step on."""
        step(self.m, self.d, max(1, round(seconds / float(self.m.opt_timestep))))

    def slip(self) -> tuple[float, float, float, float]:
        """(speed of slipping along the heading [m/s], normal force, friction [N], share of the cone) of all contacts, as the last step has them; NaN where there are none."""
        slip = slip_of(self.m, self.d, self.target)
        if slip is None:
            return nan, 0.0, 0.0, nan
        return self.sign * float(slip.velocity @ self.along), slip.normal, float(np.linalg.norm(slip.friction)), slip.share


def slope_test(m: Model, state, target: Target, heading: float = 0.0, rate: float = RATE, stop: Callable[[], bool] = never) -> Slope:
    """The slope at which a contact begins to slide. state: a Data, Snapshot or State; heading [rad] in the plane of contact from the first tangent; rate [rad/s] by which it
    gets steeper; stop() says whether nobody waits any more.

    Raises ValueError where the target touches nothing, or there is no gravity, and GivenUp.
    """
    bench = _Bench(m, state, target, heading, stop)
    bench.tilt(0.0)
    bench.run(SETTLE)
    expected = expected_slope(bench.m, bench.friction, heading)
    h, angle, before = float(bench.m.opt_timestep), 0.0, bench.slip()[0]
    steps = max(1, round(WINDOW / h))
    # gravity turns in every step; sliding: the speed grows as it does only where friction is less than the slope asks for
    while angle < STEEPEST:
        bench.check()
        for _ in range(steps):
            bench.tilt(angle)
            step(bench.m, bench.d)
            angle += rate * h
        speed, normal, _tangential, _share = bench.slip()
        if not normal:
            return Slope(nan, nan, expected, f"it left the ground at {degrees(angle):.3g} deg")
        if speed - before > SLIDES * bench.size * steps * h:
            found = _slid(bench, angle, expected)
            if found is not None:
                return found
            speed = bench.slip()[0]
        before = speed
    return Slope(nan, nan, expected, f"it holds up to {degrees(STEEPEST):.3g} deg")


def _slid(bench: _Bench, angle: float, expected: float) -> Slope | None:
    """It slides at an angle, at which gravity pulls by g (sin - mu cos) more than friction holds: mu = tan(angle) - a / (g cos), with a over a while in which that stays.
    None where it only rocked."""
    bench.tilt(angle)
    bench.run(WINDOW)
    first, time = bench.slip()[0], float(bench.d.time)
    bench.run(MEASURED)
    last, normal, *_rest = bench.slip()
    if not normal:
        return Slope(nan, nan, expected, f"it slid at {degrees(angle):.3g} deg and left the ground")
    gained = (last - first) / ((float(bench.d.time) - time) * bench.size)
    if gained < 0.5 * SLIDES:
        return None
    friction = max(0.0, (sin(angle) - gained) / cos(angle))
    found = atan(friction)
    return Slope(found, friction, expected, f"it slides from {degrees(found):.3g} deg on: friction {friction:.3g}, where the cone has {expected:.3g}")


def drift_test(m: Model, state, target: Target, angle: float | None = None, heading: float = 0.0, seconds: float = 1.0, stop: Callable[[], bool] = never) -> Drift:
    """How fast a contact slips on a slope. state: a Data, Snapshot or State; angle [rad], None: half of what the cone holds; stop() says whether nobody waits any more.

    Raises ValueError where the target touches nothing, or there is no gravity, and GivenUp.
    """
    bench = _Bench(m, state, target, heading, stop)
    slope = atan(0.5 * expected_slope(bench.m, bench.friction, heading)) if angle is None else angle
    bench.tilt(slope)
    bench.run(SETTLE)
    count = max(1, round(seconds / float(bench.m.opt_timestep)))
    found = np.full((count, 5), nan)
    for k in range(count):
        if k % OFTEN == 0:
            bench.check()
        step(bench.m, bench.d)
        found[k] = bench.d.time, *bench.slip()
    changes = int(np.count_nonzero(np.diff(held(found[:, 4].tolist()).astype(int))))
    with np.errstate(invalid="ignore"):
        means = [float(np.nanmean(column)) if not np.isnan(column).all() else nan for column in found[:, 1:].T]
    return Drift(slope, means[0], means[1], means[2], means[3], changes, found[:, 0].copy(), found[:, 1].copy())
