"""One coordinate moved as the engine moves it: a row with its load, by the same step rule, many starts at once.

    Euler, implicit, implicitfast, discrete    v += h a(r, v), r += h v; a divided by 1 + h c where joint damping c acts (discrete has it in a)
    RK4                                        the classical four stages, each with its own contact

Where nothing pushes, the samples lie on a parabola whose speed is v + a0 h / 2 (RK4: v), so an impact's speeds are told at r = 0, before and after, from
any sample of the flight: u0^2 = u^2 - 2 a0 r.

Source: MuJoCo documentation, chapter Computation, "Numerical integration"; Hairer, Norsett, Wanner, "Solving Ordinary Differential Equations I", table 1.2.
"""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import ceil, inf, log, pi

import numpy as np

from physics.enums import INT_DISCRETE, INT_RK4
from physics.tuning.closed_forms import SETTLED, closed_forms, half_period, rest_depth
from physics.tuning.law import Parameters, Row, law_of

PHASES = 24
MOST_STEPS = 6000               # of an impact; what is in contact then counts as staying there
SPEEDS = (0.25, 1.0, 4.0)       # times the speed asked for, at which a gain of energy is looked for

State = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, slots=True)
class Trajectory:
    """time (n + 1) [s]; distance [m] and velocity [m/s] (n + 1, starts), positive = apart; margin [m]: below it the row pushes."""

    time: np.ndarray
    distance: np.ndarray
    velocity: np.ndarray
    margin: float


@dataclass(frozen=True, slots=True)
class Impacts:
    """Impacts at `speed` [m/s] with the surface met at different phases of a time step: restitution (phases), depth [m] and duration [s] of the longest."""

    speed: float
    restitution: np.ndarray
    depth: float
    duration: float

    @property
    def mean(self) -> float:
        """Mean restitution."""
        return float(self.restitution.mean())

    @property
    def scatter(self) -> float:
        """Standard deviation of the restitution over the phases."""
        return float(self.restitution.std())

    @property
    def energy(self) -> float:
        """Kinetic energy after over before, mean over the phases."""
        return float((self.restitution ** 2).mean())


@dataclass(frozen=True, slots=True)
class LoadStep:
    """A small step of the load in contact, by the step's map linearised there.

    settling [s] to 2 %; frequency [Hz] and damping_ratio of what oscillates (0 Hz: nothing does); growth: factor per step of the slowest part, above 1 it is unstable.
    """

    settling: float
    frequency: float
    damping_ratio: float
    growth: float


@dataclass(frozen=True, slots=True)
class Response:
    """All that one set of parameters does to one row: rest_depth [m], the load step there, impacts at the speed asked for, energy: after over before at three speeds."""

    rest_depth: float
    load_step: LoadStep
    impacts: Impacts
    speeds: tuple[float, ...]
    energy: tuple[float, ...]

    @property
    def gains_energy(self) -> bool:
        """Whether impacts at one of the speeds end livelier than they began, or rest is unstable."""
        return max(self.energy) > 1.0 + 1e-9 or self.load_step.growth > 1.0 + 1e-9


# ------------------------------------------------------------------ one step

def stepper(row: Row, parameters: Parameters) -> Callable[[np.ndarray, np.ndarray], State]:
    """The step's map (r, v) -> (r, v) on arrays of one shape."""
    law = law_of(row, parameters)
    row, h = law.row, row.timestep
    terms = tuple(float(x) for x in law.terms(-1.0)) if law.constant else None
    slower = 1.0 if row.integrator == INT_DISCRETE else 1.0 + h * row.damping

    def euler(r, v):
        v = v + h / slower * law.acceleration(r, v, terms)
        return r + h * v, v

    def runge_kutta(r, v):
        a = law.acceleration(r, v, terms)
        v2, r2 = v + 0.5 * h * a, r + 0.5 * h * v
        a2 = law.acceleration(r2, v2, terms)
        v3, r3 = v + 0.5 * h * a2, r + 0.5 * h * v2
        a3 = law.acceleration(r3, v3, terms)
        v4, r4 = v + h * a3, r + h * v3
        a4 = law.acceleration(r4, v4, terms)
        return r + h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4), v + h / 6.0 * (a + 2.0 * a2 + 2.0 * a3 + a4)

    return runge_kutta if row.integrator == INT_RK4 else euler


def plain_stepper(row: Row, parameters: Parameters) -> Callable[[float, float], tuple[float, float]]:
    """The same map in plain numbers, for one start."""
    law = law_of(row, parameters)
    row = law.row
    h, surface, damping, hold, slowing, dry = row.timestep, row.load(), row.damping, row.hold, row.damping + row.drag, row.dry
    terms = law.terms_at(-1.0) if law.constant else None
    discrete = row.integrator == INT_DISCRETE
    slower = 1.0 if discrete else 1.0 + h * damping
    ends = 1.0 + h * damping if discrete and damping else 1.0

    def acceleration(r: float, v: float) -> float:
        a = (surface - hold * r - slowing * v - (min(dry, max(-dry, v / h)) if dry else 0.0)) / ends
        if r < 0.0:
            d_e, P, Q = terms or law.terms_at(r)
            push = -P * r - Q * v - a
            if push > 0.0:
                a += d_e * push
        return a

    def euler(r: float, v: float) -> tuple[float, float]:
        v += h / slower * acceleration(r, v)
        return r + h * v, v

    def runge_kutta(r: float, v: float) -> tuple[float, float]:
        a = acceleration(r, v)
        v2, r2 = v + 0.5 * h * a, r + 0.5 * h * v
        a2 = acceleration(r2, v2)
        v3, r3 = v + 0.5 * h * a2, r + 0.5 * h * v2
        a3 = acceleration(r3, v3)
        v4, r4 = v + h * a3, r + h * v3
        a4 = acceleration(r4, v4)
        return r + h / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4), v + h / 6.0 * (a + 2.0 * a2 + 2.0 * a3 + a4)

    return runge_kutta if row.integrator == INT_RK4 else euler


def trajectory(row: Row, parameters: Parameters, distance, velocity, seconds: float) -> Trajectory:
    """Motion from distances [m] and velocities [m/s] (one start or several), with the step's own samples."""
    count = max(1, round(seconds / row.timestep))
    r, v = (x.copy() for x in np.broadcast_arrays(np.atleast_1d(np.asarray(distance, float)) - row.margin, np.atleast_1d(np.asarray(velocity, float))))
    step = stepper(row, parameters)
    if r.size == 1:     # arrays of one number take ten times as long
        step, r, v = plain_stepper(row, parameters), float(r[0]), float(v[0])
    rs, vs = np.empty((count + 1, np.size(r))), np.empty((count + 1, np.size(r)))
    rs[0], vs[0] = r, v
    for k in range(1, count + 1):
        r, v = step(r, v)
        rs[k], vs[k] = r, v
    return Trajectory(np.arange(count + 1) * row.timestep, rs + row.margin, vs, row.margin)


# ------------------------------------------------------------------ impacts

def surface_speed(row: Row, r, v):
    """Speed [m/s] at which a flight through the samples (r, v) passes the surface r = 0; 0 where it never gets there."""
    load = row.load()
    u = v if row.integrator == INT_RK4 else v + 0.5 * row.timestep * load
    return np.sqrt(np.maximum(0.0, u * u - 2.0 * load * r))


def approach(row: Row, speed, phase) -> State:
    """The last sample (r, v) before an impact at `speed`, which comes `phase` (0 to 1) of a time step later."""
    h = row.timestep
    t = phase * h
    load = row.load()
    v = -speed - load * t - (0.0 if row.integrator == INT_RK4 else 0.5 * h * load)
    return speed * t + 0.5 * load * t * t, v


def impacts(row: Row, parameters: Parameters, speeds, phases: int = PHASES) -> tuple[Impacts, ...]:
    """Impacts at each of the speeds [m/s], at `phases` phases of the time step; restitution 0 where it stays in contact."""
    row = law_of(row.of_impacts, parameters).row
    step = stepper(row, parameters)
    speed = np.repeat(np.asarray(speeds, float), phases)
    r, v = approach(row, speed, np.tile((np.arange(phases) + 0.5) / phases, len(speeds)))
    e, deepest = np.zeros_like(speed), np.zeros_like(speed)
    left, steps = np.zeros(speed.shape, bool), np.zeros_like(speed)
    for k in range(_most_steps(row, parameters, speed)):
        r, v = step(r, v)
        np.minimum(deepest, r, out=deepest)
        out = (r >= 0.0) & (v > 0.0) & ~left
        if out.any():
            e[out] = surface_speed(row, r[out], v[out]) / speed[out]
            steps[out] = k
            left |= out
            if left.all():
                break
    steps[~left] = inf
    shape = (len(speeds), phases)
    e, deepest, longest = e.reshape(shape), -deepest.reshape(shape).min(axis=1), steps.reshape(shape).max(axis=1) * row.timestep
    return tuple(Impacts(float(speeds[i]), e[i], float(deepest[i]), float(longest[i])) for i in range(len(speeds)))


def _most_steps(row: Row, parameters: Parameters, speed: np.ndarray) -> int:
    """Steps after which an impact that goes on counts as staying: by the slower of the motions at the surface and deep down, and the way between."""
    width = max(0.0, parameters.solimp[2])
    slowest = 0.0
    for depth in (0.0, width):
        forms = closed_forms(row, parameters, depth)
        slowest = max(slowest, min(half_period(forms.damping_ratio, forms.frequency), width / speed.min() if depth == 0.0 else inf))
    return int(min(MOST_STEPS, max(20, ceil(2.5 * slowest / row.timestep)))) if slowest < inf else MOST_STEPS


# ------------------------------------------------------------------ at rest

def load_step(row: Row, parameters: Parameters) -> LoadStep:
    """How a small step of the load settles; settling is inf where nothing presses, or rest is unstable."""
    depth = rest_depth(row, parameters)
    if not 0.0 < depth < inf:
        return LoadStep(inf, 0.0, 0.0, 1.0)
    # Jacobian of the step's map at rest, by central differences
    step, nudge = stepper(row, parameters), 1e-4 * depth
    scale = closed_forms(row, parameters, depth).frequency or 1.0
    r, v = step(-depth + nudge * np.array([1.0, -1.0, 0.0, 0.0]), nudge * scale * np.array([0.0, 0.0, 1.0, -1.0]))
    jacobian = np.array([[r[0] - r[1], (r[2] - r[3]) / scale], [v[0] - v[1], (v[2] - v[3]) / scale]]) / (2.0 * nudge)
    values = np.linalg.eigvals(jacobian)
    growth = float(np.abs(values).max())
    if growth >= 1.0 or growth == 0.0:
        return LoadStep(inf if growth else 0.0, 0.0, 0.0, growth)
    # lambda = exp(h (-zeta w +- i w sqrt(1 - zeta^2)))
    h, rate = row.timestep, np.log(values[np.abs(values).argmax()].astype(complex))
    turns = abs(rate.imag) if abs(rate.imag) > 1e-9 else 0.0
    return LoadStep(h * log(SETTLED) / log(growth), turns / (2.0 * pi * h), float(-rate.real / abs(rate)), growth)


def settled_after(row: Row, parameters: Parameters, share: float = 0.01, seconds: float = inf) -> tuple[float, Trajectory]:
    """(settling time [s], motion) after a load step by that share of the load, looked at in the trajectory; seconds: of the trajectory, inf: as long as it takes."""
    before, after = rest_depth(replace(row, a0=row.a0 + share * row.load()), parameters), rest_depth(row, parameters)
    if seconds == inf:
        expected = load_step(row, parameters).settling
        seconds = min(1.6 * expected, MOST_STEPS * row.timestep) if expected < inf else 1.0
    motion = trajectory(row, parameters, row.margin - before, 0.0, seconds)
    off = np.abs(motion.distance[:, 0] - row.margin + after) > SETTLED * abs(before - after)
    last = int(np.flatnonzero(off)[-1]) if off.any() else -1
    return (inf if last == off.size - 1 else float(motion.time[last + 1])), motion


# ------------------------------------------------------------------ together

def simulate(row: Row, parameters: Parameters, speed: float, phases: int = PHASES) -> Response:
    """All figures that the tuner shows for impacts at `speed` [m/s]; the three speeds' impacts are moved together."""
    speeds = tuple(speed * times for times in SPEEDS)
    at = impacts(row, parameters, speeds, phases)
    return Response(rest_depth(row, parameters), load_step(row, parameters), at[SPEEDS.index(1.0)], speeds, tuple(i.energy for i in at))
