"""A servo on one coordinate as a linear loop: poles, bandwidth and margins, as the equations have them and as the time step makes them.

    M a = -(k + kp) x - (b + kv) v          w^2 = (k + kp) / M      zeta = (b + kv) / (2 w M)

A step takes x, v or their values after it, term by term; with z a step ahead:

    M (z - 1)^2 + h (b z^p + kv z^q) (z - 1) + h^2 z (k z^r + kp z^s) = 0
    Euler p = 1 (0 without eulerdamp), others 0;  implicit, implicitfast p = q = 1;  discrete all 1;  RK4: z = 1 + y + y^2/2 + y^3/6 + y^4/24 with y = h times a pole

The loop for the margins is cut where the servo's force comes back: L(z) = (kv z^q + kp z^s h z / (z - 1)) / (M (z - 1) / h + b z^p + k z^r h z / (z - 1)). The engine's `delay`
makes the control late, not what a servo feels, so that it leaves margins as they are; `loop_delay` is for gains that go through a late control, as those of a controller outside
or of a real drive.

Sources: Åström and Wittenmark, "Computer-Controlled Systems", 3rd edition, chapter 3; MuJoCo documentation, Computation chapter, "Numerical integration".
"""
from __future__ import annotations

import cmath
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf, nan, pi, sqrt
from types import MappingProxyType

import numpy as np

from physics.enums import INT_DISCRETE, INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_RK4

# integrator -> which terms are taken after the step: damping, kv, stiffness, kp
AHEAD: Mapping[int, tuple[int, int, int, int]] = MappingProxyType({
    INT_EULER: (1, 0, 0, 0), INT_IMPLICIT: (1, 1, 0, 0), INT_IMPLICITFAST: (1, 1, 0, 0), INT_DISCRETE: (1, 1, 1, 1),
})
GRID = 2000     # frequencies at which the loop is looked at
LOWEST = 1e-3   # of them, of the natural frequency


@dataclass(frozen=True, slots=True)
class ServoLoop:
    """inertia, stiffness, damping: M, k, b; kp, kv: of the servo, all along one coordinate (kp gear^2 for a joint). timestep [s], integrator; eulerdamp: whether Euler takes b
    after the step. filter_time [s]: of the filter between control and servo, 0: none."""

    inertia: float
    stiffness: float
    damping: float
    kp: float
    kv: float
    timestep: float
    integrator: int
    eulerdamp: bool = True
    filter_time: float = 0.0

    @property
    def frequency(self) -> float:
        """w [rad/s], 0 where nothing pulls back."""
        return sqrt(max(0.0, self.stiffness + self.kp) / self.inertia)

    @property
    def damping_ratio(self) -> float:
        """zeta; infinite where nothing pulls back."""
        w = self.frequency
        return (self.damping + self.kv) / (2.0 * w * self.inertia) if w else inf

    @property
    def bandwidth(self) -> float:
        """[Hz] up to which the position follows the control to 3 dB; of a servo without kp the velocity's, 0 without either."""
        if self.kp > 0:
            return bandwidth(self.frequency, self.damping_ratio, self.filter_time)
        if self.kv > 0:
            return (self.kv + self.damping) / self.inertia / (2.0 * pi)
        return 0.0

    def with_gains(self, kp: float, kv: float) -> ServoLoop:
        """The same with other gains."""
        return replace(self, kp=kp, kv=kv)


@dataclass(frozen=True, slots=True)
class Poles:
    """z: what a step multiplies the two modes by. stable: whether both shrink. frequency [rad/s], damping_ratio: of the modes between steps, w = sqrt(s1 s2), zeta = -(s1 + s2)
    / (2 w) with s = ln z / h; NaN where a mode turns its sign at each step."""

    z: tuple[complex, complex]
    stable: bool
    frequency: float
    damping_ratio: float


@dataclass(frozen=True, slots=True)
class Margins:
    """gain: by which both gains may grow until the loop is unstable, infinite where they may without end. phase [degrees], crossover [rad/s]: where the loop's gain is 1;
    infinite and NaN where it never is. delay [s]: what the loop would stand in addition."""

    gain: float
    phase: float
    crossover: float
    delay: float


def bandwidth(frequency: float, damping_ratio: float, filter_time: float = 0.0) -> float:
    """[Hz] at which w^2 / (s^2 + 2 zeta w s + w^2), behind a filter of first order, falls to 1/sqrt(2)."""
    w, c = frequency, 1.0 - 2.0 * damping_ratio ** 2
    # c + sqrt(c^2 + 1), without cancellation where zeta is large
    square = c + sqrt(c * c + 1.0) if c >= 0 else 1.0 / (sqrt(c * c + 1.0) - c)
    plain = w * sqrt(square)
    if not filter_time:
        return plain / (2.0 * pi)
    low, high = 0.0, plain
    for _ in range(60):     # bisection: at 0 the squared gain is 1, at `plain` the filter has made it less than a half
        x = 0.5 * (low + high)
        gain = ((1.0 - (x / w) ** 2) ** 2 + (2.0 * damping_ratio * x / w) ** 2) * (1.0 + (x * filter_time) ** 2)
        low, high = (low, x) if gain > 2.0 else (x, high)
    return high / (2.0 * pi)


def natural_frequency(wanted: float, damping_ratio: float) -> float:
    """w [rad/s] that gives a bandwidth [Hz] at a damping ratio."""
    return wanted / bandwidth(1.0, damping_ratio)


def poles(loop: ServoLoop) -> Poles:
    """The two modes of a step."""
    h = loop.timestep
    if loop.integrator == INT_RK4:
        s = np.roots([loop.inertia, loop.damping + loop.kv, loop.stiffness + loop.kp])
        z = [1.0 + y + y ** 2 / 2.0 + y ** 3 / 6.0 + y ** 4 / 24.0 for y in h * s.astype(complex)]
    else:
        z = list(np.roots(polynomial(loop)).astype(complex))
    z += [0j] * (2 - len(z))
    one, two = (complex(x) for x in z)
    stable = max(abs(one), abs(two)) <= 1.0 + 1e-12
    if any(abs(x.imag) < 1e-14 and x.real <= 0.0 for x in (one, two)):
        return Poles((one, two), stable, nan, nan)
    s1, s2 = cmath.log(one) / h, cmath.log(two) / h
    w = sqrt(max(0.0, (s1 * s2).real))
    return Poles((one, two), stable, w, -(s1 + s2).real / (2.0 * w) if w else inf)


def polynomial(loop: ServoLoop) -> tuple[float, float, float]:
    """Coefficients of z^2, z and 1 of a step's characteristic polynomial."""
    h, p, q, r, s = loop.timestep, *_ahead(loop)
    b, kv, k, kp = loop.damping, loop.kv, loop.stiffness, loop.kp
    late_damping, late_stiffness = b * p + kv * q, k * r + kp * s
    early_damping, early_stiffness = b + kv - late_damping, k + kp - late_stiffness
    return (loop.inertia + h * late_damping + h * h * late_stiffness,
            -2.0 * loop.inertia + h * (early_damping - late_damping) + h * h * early_stiffness,
            loop.inertia - h * early_damping)


def place_poles(loop: ServoLoop, frequency: float, damping_ratio: float) -> tuple[float, float]:
    """(kp, kv) with which a step's modes are those of w [rad/s] and zeta exactly, whatever the time step does; RK4 as the equations have it.

    The polynomial is linear in both gains: it is made equal to a multiple of (z - z1) (z - z2). Gains may come out negative, where the step cannot do that.
    """
    if loop.integrator == INT_RK4:
        return loop.inertia * frequency ** 2 - loop.stiffness, 2.0 * damping_ratio * frequency * loop.inertia - loop.damping
    root = cmath.sqrt(complex(damping_ratio ** 2 - 1.0))
    one, two = (cmath.exp(loop.timestep * frequency * (-damping_ratio + sign * root)) for sign in (1.0, -1.0))
    total, product = (one + two).real, (one * two).real
    # P(kp, kv) = P0 + kp P1 + kv P2 = c (1, -total, product)
    base = np.array(polynomial(loop.with_gains(0.0, 0.0)))
    by_kp = np.array(polynomial(loop.with_gains(1.0, 0.0))) - base
    by_kv = np.array(polynomial(loop.with_gains(0.0, 1.0))) - base
    kp, kv, _c = np.linalg.solve(np.column_stack([by_kp, by_kv, -np.array([1.0, -total, product])]), -base)
    return float(kp), float(kv)


def margins(loop: ServoLoop, loop_delay: float = 0.0) -> Margins:
    """Gain, phase and delay margin of the loop with its step, and with a delay [s] in it."""
    if loop.kp == 0.0 and loop.kv == 0.0:
        return Margins(inf, inf, nan, inf)
    top = pi / loop.timestep
    fastest = max(loop.frequency, (loop.kv + loop.damping) / loop.inertia, LOWEST * top)
    w = np.geomspace(min(LOWEST * fastest, 0.1 * top), top * (1.0 - 1e-9), GRID)
    value = _loop_gain(loop, w, loop_delay)
    size, phase = np.abs(value), np.unwrap(np.angle(value))
    # of a loop with one integrator or more the phase begins between -180 and 0 degrees
    phase -= 2.0 * pi * np.round((phase[0] + 0.5 * pi) / (2.0 * pi))
    crossing = [_between(w, np.log(size), k) for k in np.flatnonzero((size[:-1] >= 1.0) & (size[1:] < 1.0)).tolist()]
    left = [(float(np.interp(x, w, phase)) + pi, x) for x in crossing]
    room, at = min(left, default=(inf, nan))
    shift = phase + pi
    turns = np.flatnonzero(np.diff(np.floor(shift / (2.0 * pi))) != 0).tolist()
    gain = min((1.0 / float(np.interp(_turn(w, shift, k), w, size)) for k in turns), default=_last_gain(loop, value, phase))
    return Margins(gain, room * 180.0 / pi if left else inf, at, room / at if left else inf)


def _last_gain(loop: ServoLoop, value: np.ndarray, phase: np.ndarray) -> float:
    """Gain margin where the phase reaches -180 degrees at half the sampling frequency only: there the loop's gain is a real number."""
    return 1.0 / abs(value[-1]) if loop.integrator != INT_RK4 and abs(phase[-1] + pi) < 1e-3 else inf


def _turn(w: np.ndarray, shift: np.ndarray, k: int) -> float:
    """Frequency between samples k and k + 1 at which the phase passes -180 degrees, or a full turn from that."""
    level = 2.0 * pi * max(np.floor(shift[k] / (2.0 * pi)), np.floor(shift[k + 1] / (2.0 * pi)))
    part = (level - shift[k]) / (shift[k + 1] - shift[k])
    return float(w[k] + part * (w[k + 1] - w[k]))


def _between(w: np.ndarray, level: np.ndarray, k: int) -> float:
    """Frequency between samples k and k + 1 at which the level is 0."""
    part = level[k] / (level[k] - level[k + 1])
    return float(w[k] * (w[k + 1] / w[k]) ** part)


def _loop_gain(loop: ServoLoop, w: np.ndarray, loop_delay: float) -> np.ndarray:
    """L at frequencies w (n) [rad/s]."""
    late = np.exp(-1j * w * loop_delay)
    if loop.integrator == INT_RK4:
        s = 1j * w
        return late * (loop.kp + loop.kv * s) / (loop.inertia * s * s + loop.damping * s + loop.stiffness)
    h, p, q, r, e = loop.timestep, *_ahead(loop)
    z = np.exp(1j * w * h)
    way = h * z / (z - 1.0)     # from velocity to position
    plant = loop.inertia * (z - 1.0) / h + loop.damping * z ** p + loop.stiffness * z ** r * way
    return late * (loop.kv * z ** q + loop.kp * z ** e * way) / plant


def _ahead(loop: ServoLoop) -> tuple[int, int, int, int]:
    if loop.integrator == INT_EULER and not loop.eulerdamp:
        return 0, 0, 0, 0
    return AHEAD[loop.integrator]
