"""Friction as it comes out: the slope at which something slides, how fast it creeps on a slope that should hold it, and whether it sticks and slips by turns.

Each test runs on a Model and Data of its own, copied from those that are asked about, in which gravity turns instead of the ground: about an axis in the plane of contact, so
that it pulls along `heading` (angle in that plane from the first tangent). What else is in the model goes on acting.

    slope test: gravity turns slowly until the contact slips          drift: it stands still at an angle, the mean speed of slipping is measured

An elliptic cone holds up to tan(angle) = mu in all headings; a pyramidal one, |f1|/mu1 + |f2|/mu2 <= 1, up to mu along a tangent and mu / sqrt(2) between two. Rows are soft:
within the cone a contact creeps, by (1 - d) over the tangents' damping; impratio makes that less, noslip takes it away.

Source: MuJoCo documentation, chapter Computation, "Friction cones"; chapter Modeling, "Preventing slip"; XML reference, option cone, impratio, noslip_iterations.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import atan, cos, degrees, hypot, nan, radians, sin
from types import MappingProxyType

import numpy as np

from physics.diagnostics.contact_state import contact_jacobian
from physics.enums import CONE_ELLIPTIC
from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import model_beside
from physics.query.object_motion import contact_force
from physics.simulate.step import forward, step
from physics.tuning.target import Target, contacts_of

__all__ = ["VARIANTS", "Drift", "Slope", "compare_drift", "drift_test", "expected_slope", "slope_test"]

SETTLE = 0.3            # s in which what was disturbed by the turn comes to rest
RATE = radians(10.0)    # rad/s by which gravity turns
STEEPEST = radians(85.0)
WINDOW, MEASURED = 0.02, 0.2      # s over which sliding is looked for, and measured
SLIDES = 0.05           # of the acceleration of gravity along the slope: a contact that gains speed so fast slides
STICKS = 0.02           # of the largest speed of slipping: below a contact sticks


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
        how = f", sticking and slipping {self.changes // 2} times" if self.changes > 2 else ""
        return f"{degrees(self.angle):.3g} deg: slips {self.speed:.3g} m/s with {self.share:.0%} of the cone in use{how}"


def expected_slope(m: Model, friction, heading: float = 0.0) -> float:
    """The friction that a cone has along a heading [rad from the first tangent]. friction: coefficients of the two tangents."""
    one, two = abs(cos(heading)) / friction[0], abs(sin(heading)) / friction[1]
    return 1.0 / (hypot(one, two) if m.opt_cone == CONE_ELLIPTIC else one + two)


class _Bench:
    """A copy of a model and its state, in which gravity is turned."""

    def __init__(self, m: Model, d: Data, target: Target, heading: float, options: Mapping[str, object] = MappingProxyType({})):
        self.m, self.target = model_beside(m), target
        for name, value in options.items():
            if name != "condim":
                setattr(self.m, f"opt_{name}", value)
        self.d = Data(self.m)
        for name in ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "qfrc_applied", "xfrc_applied", "eq_active"):
            getattr(self.d, name)[...] = getattr(d, name)
        self.d.time = d.time
        forward(self.m, self.d)
        contacts = contacts_of(self.m, self.d, target)
        if not contacts:
            raise ValueError(f"{target} touches nothing now: friction is measured of what lies on something")
        if "condim" in options:
            self._set_condim(contacts, int(options["condim"]))
            forward(self.m, self.d)
        frame = self.d.contact_frame[contacts[0]].reshape(3, 3)
        self.size = float(np.linalg.norm(self.m.opt_gravity))
        if not self.size:
            raise ValueError("without gravity nothing slides down a slope")
        # the second geom is pulled along the heading and onto the first one; where it is the one that cannot move, the other way round
        second = self.m.body_weldid[self.m.geom_bodyid[self.d.contact_geom[contacts[0], 1]]] != 0
        self.sign = 1.0 if second else -1.0
        self.down, self.along = -self.sign * frame[0], cos(heading) * frame[1] + sin(heading) * frame[2]
        self.friction = tuple(self.d.contact_friction[contacts[0], :2].tolist())

    def _set_condim(self, contacts: tuple[int, ...], condim: int) -> None:
        """Another number of dimensions for these contacts, from both geoms and the pairs that name them."""
        if condim not in (1, 3, 4, 6):
            raise ValueError(f"condim is 1, 3, 4 or 6, not {condim}")
        for k in contacts:
            one, two = self.d.contact_geom[k].tolist()
            self.m.geom_condim[[one, two]] = condim
            named = ((self.m.pair_geom1 == one) & (self.m.pair_geom2 == two)) | ((self.m.pair_geom1 == two) & (self.m.pair_geom2 == one))
            self.m.pair_dim[named] = condim

    def tilt(self, angle: float) -> None:
        """Have gravity pull at an angle [rad] from the contact's normal."""
        self.m.opt_gravity[:] = self.size * (cos(angle) * self.down + sin(angle) * self.along)

    def run(self, seconds: float) -> None:
        """Step on."""
        step(self.m, self.d, max(1, round(seconds / float(self.m.opt_timestep))))

    def slip(self) -> tuple[float, float, float, float]:
        """(speed of slipping along the heading [m/s], normal force, tangential force [N], share of the cone) of all contacts, as the last step has them; NaN where there are none.
        Speeds are means over the contacts, so that rocking on them is no slip."""
        contacts = [k for k in contacts_of(self.m, self.d, self.target) if self.d.contact_efc_address[k] >= 0]
        if not contacts:
            return nan, 0.0, 0.0, nan
        speed, normal, share = 0.0, 0.0, 0.0
        tangential = np.zeros(3)
        for k in contacts:
            frame = self.d.contact_frame[k].reshape(3, 3)
            speed += float(contact_jacobian(self.m, self.d, k)[1:3] @ self.d.qvel @ frame[1:3] @ self.along) / len(contacts)
            force = contact_force(self.m, self.d, k)
            normal += float(force[0])
            tangential += force[1:3] @ frame[1:3]
            parts = force[1:3] / self.d.contact_friction[k, :2]
            share += hypot(*parts) if self.m.opt_cone == CONE_ELLIPTIC else float(np.abs(parts).sum())
        return self.sign * speed, normal, float(np.linalg.norm(tangential)), share / normal if normal > 0.0 else nan


def slope_test(m: Model, d: Data, target: Target, heading: float = 0.0, rate: float = RATE) -> Slope:
    """The slope at which a contact begins to slide. heading [rad] in the plane of contact from the first tangent; rate [rad/s] by which it gets steeper.

    Raises ValueError where the target touches nothing, or there is no gravity.
    """
    bench = _Bench(m, d, target, heading)
    bench.tilt(0.0)
    bench.run(SETTLE)
    expected = expected_slope(bench.m, bench.friction, heading)
    h, angle, before = float(bench.m.opt_timestep), 0.0, bench.slip()[0]
    steps = max(1, round(WINDOW / h))
    # gravity turns in every step; sliding: the speed grows as it does only where friction is less than the slope asks for
    while angle < STEEPEST:
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


def drift_test(m: Model, d: Data, target: Target, angle: float | None = None, heading: float = 0.0, seconds: float = 1.0,
               options: Mapping[str, object] = MappingProxyType({})) -> Drift:
    """How fast a contact slips on a slope. angle [rad], None: half of what the cone holds; options: cone, impratio, noslip_iterations, condim in place of the model's.

    Raises ValueError where the target touches nothing, there is no gravity, or condim is none.
    """
    bench = _Bench(m, d, target, heading, options)
    slope = atan(0.5 * expected_slope(bench.m, bench.friction, heading)) if angle is None else angle
    bench.tilt(slope)
    bench.run(SETTLE)
    count = max(1, round(seconds / float(bench.m.opt_timestep)))
    found = np.full((count, 5), nan)
    for k in range(count):
        step(bench.m, bench.d)
        found[k] = bench.d.time, *bench.slip()
    slips = np.abs(np.nan_to_num(found[:, 1]))
    limit = STICKS * float(slips.max(initial=0.0))
    changes = int(np.count_nonzero(np.diff((slips > limit).astype(int)))) if slips.max(initial=0.0) > 0.0 else 0
    with np.errstate(invalid="ignore"):
        means = [float(np.nanmean(column)) if not np.isnan(column).all() else nan for column in found[:, 1:].T]
    return Drift(slope, means[0], means[1], means[2], means[3], changes, found[:, 0].copy(), found[:, 1].copy())


# what is tried beside the model's own settings: name -> options
VARIANTS: Mapping[str, Mapping[str, object]] = MappingProxyType({
    "as it is": MappingProxyType({}), "elliptic cone": MappingProxyType({"cone": int(CONE_ELLIPTIC)}), "impratio 10": MappingProxyType({"impratio": 10.0}),
    "elliptic cone, impratio 10": MappingProxyType({"cone": int(CONE_ELLIPTIC), "impratio": 10.0}), "noslip 10": MappingProxyType({"noslip_iterations": 10}),
    "condim 4": MappingProxyType({"condim": 4}), "condim 6": MappingProxyType({"condim": 6}),
})


def compare_drift(m: Model, d: Data, target: Target, names: Iterable[str] = tuple(VARIANTS), seconds: float = 0.5) -> dict[str, Drift]:
    """drift_test on one slope, which holds half of what the present cone does, under the model's settings and others."""
    base = drift_test(m, d, target, seconds=seconds)
    return {name: base if not VARIANTS[name] else drift_test(m, d, target, base.angle, seconds=seconds, options=VARIANTS[name]) for name in names}
