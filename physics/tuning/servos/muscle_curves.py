"""A muscle's curves and where on them it works: force-length, force-velocity, passive force, and the operating point of a state.

    L = range0 + (length - lengthrange0) / L0          L0 = (lengthrange1 - lengthrange0) / (range1 - range0)
    V = velocity / (L0 vmax)                           F0 = force, or scale / acc0 where that is negative
    force = -F0 (FL(L) FV(V) activation + FP(L))

Source: MuJoCo documentation, Computation chapter, "Muscles"; XML reference, actuator/muscle.
"""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from physics.engine.actuator.muscle import length_curve, length_curve_slope, speed_curve, speed_curve_slope
from physics.enums import BIAS_MUSCLE, GAIN_MUSCLE, MINVAL
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model


@dataclass(frozen=True, slots=True)
class MuscleCurves:
    """peak: F0 [N]; optimal: L0 [m]; low: actuator length at which the normalised length is range0; range0, lmin, lmax, vmax, fpmax, fvmax as in MJCF."""

    peak: float
    optimal: float
    low: float
    range0: float
    lmin: float
    lmax: float
    vmax: float
    fpmax: float
    fvmax: float

    def scaled_length(self, length):
        """Actuator length(s) [m] in optimal lengths."""
        return self.range0 + (length - self.low) / max(MINVAL, self.optimal)

    def scaled_velocity(self, velocity):
        """Actuator velocity(ies) [m/s] in units of the fastest shortening: -1 is as fast as it can."""
        return velocity / self.fastest

    @property
    def fastest(self) -> float:
        """Velocity [m/s] at which a shortening muscle has no force left."""
        return max(MINVAL, self.optimal * self.vmax)

    def length_of(self, scaled):
        """Actuator length(s) [m] of normalised ones."""
        return self.low + (np.asarray(scaled, float) - self.range0) * self.optimal

    def active_length(self, scaled) -> np.ndarray:
        """FL: share of the peak force at normalised lengths (n)."""
        return _each(scaled, self.active_at)

    def active_velocity(self, scaled) -> np.ndarray:
        """FV: share of the force at rest at normalised velocities (n)."""
        return _each(scaled, self.velocity_at)

    def passive(self, scaled) -> np.ndarray:
        """FP: passive force as a share of the peak force at normalised lengths (n)."""
        return _each(scaled, self.passive_at)

    def active_at(self, x: float) -> float:
        """FL of one normalised length."""
        return length_curve(x, self.lmin, self.lmax)

    def active_slope_at(self, x: float) -> float:
        """Derivative of FL."""
        return length_curve_slope(x, self.lmin, self.lmax)

    def velocity_at(self, v: float) -> float:
        """FV of one normalised velocity."""
        return speed_curve(v, self.fvmax)

    def velocity_slope_at(self, v: float) -> float:
        """Derivative of FV."""
        return speed_curve_slope(v, self.fvmax)

    def passive_at(self, x: float) -> float:
        """FP of one normalised length: a parabola from 1 to (1 + lmax) / 2, then its tangent."""
        rise = self._rise
        s = max(0.0, x - 1.0) / rise
        return self.fpmax * (0.5 * s * s if s <= 1.0 else s - 0.5)

    def passive_slope_at(self, x: float) -> float:
        """Derivative of FP."""
        rise = self._rise
        return self.fpmax * min(1.0, max(0.0, x - 1.0) / rise) / rise

    @property
    def _rise(self) -> float:
        return max(MINVAL, 0.5 * (self.lmax - 1.0))


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """length, velocity: normalised. activation: what drives the force. active, passive: shares FL FV and FP. force [N]: of both, negative as muscles pull, before forcerange."""

    length: float
    velocity: float
    activation: float
    active: float
    passive: float
    force: float


def muscle_curves(m: Model, actuator: int | str) -> MuscleCurves:
    """The curves of a muscle's active force, given by index or name. Raises ValueError for an actuator whose gain is not a muscle's, KeyError or IndexError for none."""
    i = index_of(m, "actuator", actuator)
    if m.actuator_gaintype[i] != GAIN_MUSCLE:
        raise ValueError(f"actuator '{m.name('actuator', i)}' ({i}) is no muscle")
    return curves_of(m, i, m.actuator_gainprm[i])


def curves_of(m: Model, i: int, prm) -> MuscleCurves:
    """The curves that nine parameters (a row of actuator_gainprm, or actuator_biasprm for the passive force) give actuator i."""
    r0, r1, force, scale, lmin, lmax, vmax, fpmax, fvmax = (float(x) for x in prm[:9])
    out = int(m.actuator_outadr[i])
    low, high = (float(x) for x in m.actuator_lengthrange[out])
    peak = force if force >= 0 else scale / max(MINVAL, float(m.actuator_acc0[out]))
    return MuscleCurves(peak, (high - low) / max(MINVAL, r1 - r0), low, r0, lmin, lmax, vmax, fpmax, fvmax)


def operating_point(m: Model, d: Data, actuator: int | str) -> OperatingPoint:
    """Where a muscle works, at the state that `forward` has computed last: its length, velocity and activation. Raises as muscle_curves."""
    i = index_of(m, "actuator", actuator)
    active = muscle_curves(m, i)
    out = int(m.actuator_outadr[i])
    length, velocity = float(d.actuator_length[out]), float(d.actuator_velocity[out])
    x, v, drive = active.scaled_length(length), active.scaled_velocity(velocity), _drive(m, d, i)
    share = active.active_at(x) * active.velocity_at(v)
    # the passive force has nine parameters of its own, which the element muscle makes the same
    passive = curves_of(m, i, m.actuator_biasprm[i]) if m.actuator_biastype[i] == BIAS_MUSCLE else None
    rest = passive.passive_at(passive.scaled_length(length)) if passive is not None else 0.0
    force = -active.peak * share * drive - (passive.peak * rest if passive is not None else 0.0)
    return OperatingPoint(x, v, drive, share, rest, force)


def _drive(m: Model, d: Data, i: int) -> float:
    if m.actuator_actnum[i] > 0:
        return float(d.act[m.actuator_actadr[i] + m.actuator_actnum[i] - 1])
    return float(d.ctrl_used[m.actuator_ctrladr[i]]) if m.actuator_ctrlnum[i] else 0.0


def _each(values, function) -> np.ndarray:
    return np.array([function(float(x)) for x in np.atleast_1d(values)])
