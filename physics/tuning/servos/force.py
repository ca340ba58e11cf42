"""The force law of one actuator with one output, without Model and Data: force = gain(length, velocity) input + bias(length, velocity), its slopes, its activation.

    gains: fixed, affine, muscle      biases: none, affine, muscle      dynamics: none, integrator, filter, filterexact, muscle

Source: MuJoCo documentation, Computation chapter, "Actuation model"; XML reference, actuator/general.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import exp
from types import MappingProxyType

from physics.engine.actuator.muscle import smooth_step
from physics.enums import (
    BIAS_AFFINE,
    BIAS_MUSCLE,
    BIAS_NONE,
    DYN_FILTER,
    DYN_FILTEREXACT,
    DYN_INTEGRATOR,
    DYN_MUSCLE,
    DYN_NONE,
    GAIN_AFFINE,
    GAIN_FIXED,
    GAIN_MUSCLE,
    MINVAL,
    BiasType,
    DynType,
    GainType,
)
from physics.model.model import Model
from physics.tuning.servos.muscle_curves import MuscleCurves, curves_of

Range = tuple[float, float]
NO_PRM = (0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ForceLaw:
    """gain, bias, dynamics: GainType, BiasType, DynType; their parameters as in mjModel, the first three; ranges: None where there is none. gain_muscle, bias_muscle: curves
    where gain or bias is a muscle's. delay [s], samples and interpolation of the kept controls: as the attributes delay, nsample, interp."""

    gain: int = GAIN_FIXED
    gainprm: tuple[float, float, float] = (1.0, 0.0, 0.0)
    bias: int = BIAS_NONE
    biasprm: tuple[float, float, float] = NO_PRM
    dynamics: int = DYN_NONE
    dynprm: tuple[float, float, float] = NO_PRM
    ctrlrange: Range | None = None
    forcerange: Range | None = None
    actrange: Range | None = None
    actearly: bool = False
    delay: float = 0.0
    samples: int = 0
    interpolation: int = 0
    gain_muscle: MuscleCurves | None = None
    bias_muscle: MuscleCurves | None = None

    def terms(self, u: float, length: float, velocity: float) -> tuple[float, float, float]:
        """Force before limits at the input u, and its derivatives by length and by velocity."""
        g, by_length, by_velocity = GAINS[self.gain](self, length, velocity)
        b, c_length, c_velocity = BIASES[self.bias](self, length, velocity)
        return g * u + b, by_length * u + c_length, by_velocity * u + c_velocity

    def rate(self, act: float, ctrl: float) -> float:
        """Rate of the activation [1/s]."""
        return RATES[self.dynamics](self, act, ctrl)

    def next_act(self, act: float, rate: float, h: float) -> float:
        """The activation a time step h [s] later."""
        if self.dynamics == DYN_FILTEREXACT:
            tau = max(MINVAL, self.dynprm[0])
            h = tau * (1.0 - exp(-h / tau))
        act += h * rate
        return act if self.actrange is None else min(max(act, self.actrange[0]), self.actrange[1])

    @property
    def has_act(self) -> bool:
        """Whether an activation lies between control and force."""
        return self.dynamics != DYN_NONE


def force_law(m: Model, i: int, clamp: bool = True) -> ForceLaw:
    """The law of actuator i of a Model; clamp: whether controls are clamped to ctrlrange. Raises ValueError, saying what it has, for an actuator with other laws, with several
    outputs, controls or activations."""
    name = f"actuator '{m.name('actuator', i)}' ({i})"
    for field, table, words in (("gaintype", GAINS, GainType), ("biastype", BIASES, BiasType), ("dyntype", RATES, DynType)):
        kind = int(getattr(m, f"actuator_{field}")[i])
        if kind not in table:
            raise ValueError(f"{name} has {field} {words(kind).name.lower()}, which has no one-coordinate simulation")
    if m.actuator_outnum[i] != 1 or m.actuator_ctrlnum[i] != 1 or m.actuator_actnum[i] > 1:
        raise ValueError(f"{name} has {m.actuator_outnum[i]} outputs, {m.actuator_ctrlnum[i]} controls and {m.actuator_actnum[i]} activations, not one of each")
    c, gain, bias = int(m.actuator_ctrladr[i]), int(m.actuator_gaintype[i]), int(m.actuator_biastype[i])
    return ForceLaw(
        gain, three(m.actuator_gainprm[i]), bias, three(m.actuator_biasprm[i]), int(m.actuator_dyntype[i]), three(m.actuator_dynprm[i]),
        pair(m.actuator_ctrlrange[c]) if clamp and m.actuator_ctrllimited[c] else None, pair(m.actuator_forcerange[i]) if m.actuator_forcelimited[i] else None,
        pair(m.actuator_actrange[i]) if m.actuator_actlimited[i] else None, bool(m.actuator_actearly[i]), float(m.actuator_delay[i]),
        int(m.actuator_history[i, 0]), int(m.actuator_history[i, 1]),
        curves_of(m, i, m.actuator_gainprm[i]) if gain == GAIN_MUSCLE else None, curves_of(m, i, m.actuator_biasprm[i]) if bias == BIAS_MUSCLE else None,
    )


def pair(values) -> Range:
    """The two numbers of a range."""
    return float(values[0]), float(values[1])


def three(values) -> tuple[float, float, float]:
    """The first three parameters of a row."""
    return float(values[0]), float(values[1]), float(values[2])


# ------------------------------------------------------------------ laws: (value, derivative by length, by velocity)

def _fixed(law: ForceLaw, length: float, velocity: float):
    return law.gainprm[0], 0.0, 0.0


def _affine(prm, length: float, velocity: float):
    return prm[0] + prm[1] * length + prm[2] * velocity, prm[1], prm[2]


def _affine_gain(law: ForceLaw, length: float, velocity: float):
    return _affine(law.gainprm, length, velocity)


def _affine_bias(law: ForceLaw, length: float, velocity: float):
    return _affine(law.biasprm, length, velocity)


def _muscle_gain(law: ForceLaw, length: float, velocity: float):
    c = law.gain_muscle
    x, v = c.scaled_length(length), c.scaled_velocity(velocity)
    fl, fv = c.active_at(x), c.velocity_at(v)
    return -c.peak * fl * fv, -c.peak * c.active_slope_at(x) / max(MINVAL, c.optimal) * fv, -c.peak * fl * c.velocity_slope_at(v) / c.fastest


def _muscle_bias(law: ForceLaw, length: float, velocity: float):
    c = law.bias_muscle
    x = c.scaled_length(length)
    return -c.peak * c.passive_at(x), -c.peak * c.passive_slope_at(x) / max(MINVAL, c.optimal), 0.0


def _no_bias(law: ForceLaw, length: float, velocity: float):
    return 0.0, 0.0, 0.0


GAINS: Mapping[int, Callable] = MappingProxyType({GAIN_FIXED: _fixed, GAIN_AFFINE: _affine_gain, GAIN_MUSCLE: _muscle_gain})
BIASES: Mapping[int, Callable] = MappingProxyType({BIAS_NONE: _no_bias, BIAS_AFFINE: _affine_bias, BIAS_MUSCLE: _muscle_bias})


# ------------------------------------------------------------------ activation

def _no_rate(law: ForceLaw, act: float, ctrl: float) -> float:
    return 0.0


def _integrator(law: ForceLaw, act: float, ctrl: float) -> float:
    return ctrl


def _filter(law: ForceLaw, act: float, ctrl: float) -> float:
    return (ctrl - act) / max(MINVAL, law.dynprm[0])


def _muscle_rate(law: ForceLaw, act: float, ctrl: float) -> float:
    excess = min(max(ctrl, 0.0), 1.0) - act
    ease = 0.5 + 1.5 * min(max(act, 0.0), 1.0)
    wake, relax, width = law.dynprm[0] * ease, law.dynprm[1] / ease, law.dynprm[2]
    if width >= MINVAL:
        tau = relax + (wake - relax) * smooth_step(excess / width + 0.5)
    else:
        tau = wake if excess > 0.0 else relax
    return excess / max(MINVAL, tau)


RATES: Mapping[int, Callable] = MappingProxyType({
    DYN_NONE: _no_rate, DYN_INTEGRATOR: _integrator, DYN_FILTER: _filter, DYN_FILTEREXACT: _filter, DYN_MUSCLE: _muscle_rate,
})
