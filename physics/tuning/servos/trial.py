"""A servo put to the test: what it is given, its response held and in the mechanism, and what that is worth.

    held(frozen, trial) -> Outcome: on one coordinate      in_mechanism(*holding(m, d), i, trial) -> Outcome: by the engine

Both begin at rest where the servo holds, with the other servos holding their joints where they are.
"""
from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import floor, isfinite, log10, nan, sqrt

import numpy as np

from physics.engine.kinematics.joints import poly
from physics.enums import BIAS_AFFINE, DYN_INTEGRATOR, DYN_NONE, GAIN_AFFINE, GAIN_FIXED, GAIN_PID
from physics.model.data import Data
from physics.model.initial_state import HEAD
from physics.model.model import Model
from physics.query.rest_state import at_rest
from physics.tuning.servos.axis import ServoAxis, axis_of
from physics.tuning.servos.force import Range, pair
from physics.tuning.servos.frozen import FrozenServo
from physics.tuning.servos.handles import with_delay
from physics.tuning.servos.law import OPEN, POSITION, VELOCITY, ServoLaw, ctrl_scale, law_of
from physics.tuning.servos.measures import SineMeasures, StepMeasures, ramp_lag, saturation_share, sine_measures, step_bandwidth, step_measures
from physics.tuning.servos.reference import RampReference, Reference, SineReference, StepReference
from physics.tuning.servos.response import REAL, pair_beside, respond
from physics.tuning.servos.scalar import simulate
from physics.tuning.servos.trace import ServoTrace
from physics.tuning.servos.tune import servos
from physics.tuning.servos.values import ServoValues, differing, integrates, put_values

STEP, RAMP, SINE = "step", "ramp", "sine"
KINDS = (STEP, RAMP, SINE)
LEAD = 0.05             # share of a trial before its step
LONG = 8.0              # time constants of the slowest mode that are looked at
SHORTEST, LONGEST = 0.02, 5.0       # s
MOST_STEPS = 20_000
USUAL = 0.1             # of a radian or metre, or of the control's range: a step
UNSATURATED = 0.8       # of the largest step that does not saturate


@dataclass(frozen=True, slots=True)
class Trial:
    """kind: 'step', 'ramp', 'sine'. size [control]: of the step, of the ramp at its end, amplitude of the sine. seconds: how long; frequency [Hz]: of the sine."""

    kind: str = STEP
    size: float = 0.1
    seconds: float = 1.0
    frequency: float = 1.0

    def reference(self, ctrl: float, late: float = 0.0) -> Reference:
        """The control, beginning at `ctrl`; late [s]: by which all of it comes later."""
        start = LEAD * self.seconds + late
        if self.kind == STEP:
            return StepReference(ctrl, ctrl + self.size, start)
        if self.kind == RAMP:
            return RampReference(ctrl, self.size / (self.seconds * (1.0 - LEAD)), start)
        return Late(SineReference(ctrl, self.size, self.frequency), late) if late else SineReference(ctrl, self.size, self.frequency)

    def steps(self, timestep: float) -> int:
        """How many time steps it is."""
        return int(min(MOST_STEPS, max(8, round(self.seconds / timestep))))


@dataclass(frozen=True, slots=True)
class Late:
    """Another control signal, so much later [s]."""

    signal: Reference
    delay: float

    def __call__(self, time: float) -> float:
        return self.signal(max(0.0, time - self.delay))


@dataclass(frozen=True, slots=True)
class SetPoint:
    """What a control asks for: slope times the control (or activation, with an integrator) plus offset, along the joint. kind: as ServoLaw.kind; for 'open loop' it asks for no
    position."""

    kind: str
    slope: float = nan
    offset: float = 0.0
    of_act: bool = False
    gear: float = 1.0

    def asked(self, trace: ServoTrace, reference: np.ndarray) -> np.ndarray:
        """(n): positions, or velocities, along the joint; NaN where none is asked for."""
        return self.slope * (trace.act if self.of_act else reference) + self.offset

    def made(self, trace: ServoTrace) -> np.ndarray:
        """(n): position of the joint, or its velocity where that is what is asked for."""
        return (trace.velocity if self.kind == VELOCITY else trace.length) / self.gear


def setpoint_of(m: Model, law: ServoLaw) -> SetPoint:
    """Of an actuator's present gains in a Model."""
    i, gear = law.axis.actuator, law.axis.gear
    reference = {POSITION: law.kp, VELOCITY: law.kv}.get(law.kind, 0.0)
    if reference <= 0.0:
        return SetPoint(law.kind, gear=gear)
    gain = law.kp if m.actuator_gaintype[i] == GAIN_PID else float(m.actuator_gainprm[i, 0])
    return SetPoint(law.kind, gain / reference / gear, float(m.actuator_biasprm[i, 0]) / reference / gear, integrates(m, i), gear)


# ------------------------------------------------------------------ where it begins

@dataclass(frozen=True, slots=True)
class Start:
    """law: of the servo there, None where the actuator has none (a muscle); ctrl, act: with which it holds."""

    axis: ServoAxis
    law: ServoLaw | None
    ctrl: float
    act: float
    setpoint: SetPoint
    forcerange: Range | None


def start_of(m: Model, d: Data, i: int, mass0: float = 0.0) -> Start:
    """Where a test of actuator i begins at the pose of d. mass0: as dampratio_mass. Raises as axis_of."""
    w = at_rest(m, d)
    axis = axis_of(m, w, i)
    limits = pair(m.actuator_forcerange[i]) if m.actuator_forcelimited[i] else None
    ctrl = float(d.ctrl[m.actuator_ctrladr[i]]) if m.actuator_ctrlnum[i] else 0.0
    act = float(d.act[m.actuator_actadr[i] + m.actuator_actnum[i] - 1]) if m.actuator_actnum[i] else 0.0
    try:
        law = law_of(m, w, axis, mass0)
    except ValueError:      # no linear servo
        return Start(axis, None, ctrl, act, SetPoint("", gear=axis.gear), limits)
    if isfinite(law.hold_ctrl):
        ctrl, act = (0.0 if integrates(m, i) else law.hold_ctrl), law.hold_ctrl
    return Start(axis, law, ctrl, act, setpoint_of(m, law), limits)


def holding(m: Model, d: Data) -> tuple[Model, Data]:
    """A Model and a Data of one's own at the pose of d, at rest, with the controls (and activations) of all servos where they hold it. Raises as `forward`."""
    m, d = pair_beside(m, d)
    d.qvel[:] = 0.0
    w = at_rest(m, d)
    for i in servos(m, w):
        law = law_of(m, w, axis_of(m, w, i), 0.0)
        if not isfinite(law.hold_ctrl):
            continue
        d.ctrl[m.actuator_ctrladr[i]] = 0.0 if integrates(m, i) else law.hold_ctrl
        if m.actuator_dyntype[i] != DYN_NONE and m.actuator_actnum[i] == 1:
            d.act[m.actuator_actadr[i]] = law.hold_ctrl
    return m, d


def usual_trial(m: Model, start: Start, frequency: float = 1.0) -> Trial:
    """A step that shows the servo: within the control's range, and so small that the force does not saturate where that can be."""
    i, law = start.axis.actuator, start.law
    c = int(m.actuator_ctrladr[i])
    limits = pair(m.actuator_ctrlrange[c]) if m.actuator_ctrllimited[c] else None
    scale = ctrl_scale(m, i) if law is not None and law.kind in (POSITION, VELOCITY) else 1.0
    size = USUAL * abs(start.axis.gear / scale)
    if limits is not None:
        size = USUAL * (limits[1] - limits[0]) if law is None or law.kind == OPEN else min(size, USUAL * (limits[1] - limits[0]))
    if law is not None and start.forcerange is not None and (law.kp or law.kv) > 0:
        low, high = start.forcerange
        room = min(high - law.hold, law.hold - low) / ((law.kp or law.kv) * abs(scale))
        size = min(size, UNSATURATED * room) if room > 0 else size
    if limits is not None and start.ctrl + size > limits[1] and start.ctrl - size >= limits[0]:
        size = -size
    return Trial(STEP, float(f"{size:.2g}"), usual_seconds(start), frequency)


def usual_seconds(*starts: Start) -> float:
    """How long a step has to be looked at, to see the slowest of these settle."""
    found = [SHORTEST]
    for start in starts:
        if start.law is None:
            found.append(1.0)
            continue
        w, zeta = start.law.frequency, start.law.damping_ratio
        rate = 0.0
        if start.law.kind == VELOCITY:
            rate = (start.law.loop.kv + start.law.loop.damping) / start.law.loop.inertia
        elif w > 0.0:
            rate = w * (zeta if zeta < 1.0 else 1.0 / (zeta + sqrt(zeta * zeta - 1.0)))
        wait = LONG / rate if rate > 0.0 else 1.0
        found.append(wait + 5.0 * start.law.loop.filter_time + 2.0 * start.law.delay)
    return round_up(min(LONGEST, max(found)))


def round_up(value: float) -> float:
    """The next of 1, 2, 5, 10, ... times a power of ten."""
    power = 10.0 ** floor(log10(value))
    return float(f"{next(step for step in (1.0, 2.0, 5.0, 10.0) if step * power >= value * (1.0 - 1e-9)) * power:.3g}")


# ------------------------------------------------------------------ what comes of it

@dataclass(frozen=True, slots=True)
class Outcome:
    """asked, made (n): set point and position along the joint [m or rad], of a velocity servo velocities; asked NaN where nothing is asked for. step: of a step that has one;
    bandwidth [Hz]: measured by it; lag: (distance, time) behind a ramp; sine: gain and phase. saturation: share of the samples at an end of forcerange, NaN without one."""

    trace: ServoTrace = field(compare=False)
    asked: np.ndarray = field(compare=False)
    made: np.ndarray = field(compare=False)
    step: StepMeasures | None
    bandwidth: float
    lag: tuple[float, float] | None
    sine: SineMeasures | None
    saturation: float
    diverged: bool = False


def outcome_of(trace: ServoTrace, trial: Trial, setpoint: SetPoint, ctrl: float, forcerange: Range | None, steps: int, spectrum: bool = True) -> Outcome:
    """What a trace is worth; spectrum: its bandwidth, too, which takes some ms."""
    signal = trial.reference(ctrl)
    reference = np.array([signal(t) for t in trace.time.tolist()])
    asked, made = setpoint.asked(trace, reference), setpoint.made(trace)
    share, diverged = saturation_share(trace.force, forcerange) if forcerange is not None else nan, trace.steps < steps
    step, lag, sine, width = None, None, None, nan
    if len(made) >= 8 and np.isfinite(asked).all() and not diverged:
        if trial.kind == STEP and not setpoint.of_act:
            step, width = step_measures(trace.time, asked, made), step_bandwidth(trace.time, asked, made) if spectrum else nan
        elif trial.kind == RAMP or setpoint.of_act:
            lag = ramp_lag(trace.time, asked, made)
        elif trial.frequency * trial.seconds >= 1.0:
            whole = int(trial.frequency * trial.seconds)
            sine = sine_measures(trace.time, asked, made, trial.frequency, (whole - 1) // 2 / trial.frequency)
    return Outcome(trace, asked, made, step, width, lag, sine, share, diverged)


def held(servo: FrozenServo, trial: Trial, ctrl: float = 0.0, most: int = MOST_STEPS, spectrum: bool = True) -> Outcome:
    """All else held: the frozen servo from rest where it holds, for at most so many steps. ctrl: where a muscle begins, which is not asked to hold. spectrum: as outcome_of."""
    law, steps = servo.law, min(most, trial.steps(servo.timestep))
    hold, act = _held_by(servo), servo.act0
    if isfinite(hold):
        ctrl, act = (0.0 if law.dynamics == DYN_INTEGRATOR else hold), hold
    still = replace(servo, v0=0.0, act0=act if law.has_act else 0.0)
    if law.delay:
        still = with_delay(still, law.delay, ctrl)
    trace = simulate(still, trial.reference(ctrl), steps)
    return outcome_of(trace, trial, _setpoint(servo), ctrl, law.forcerange, steps, spectrum)


def _held_by(servo: FrozenServo) -> float:
    """The input with which a linear servo holds its position; NaN for others."""
    law = servo.law
    if law.gain not in (GAIN_FIXED, GAIN_AFFINE):
        return nan
    spring = servo.x0 - servo.rest
    others = servo.weight(0.0) + servo.relief(0.0) + servo.applied - spring * poly(*servo.spring, spring)
    bias = law.terms(0.0, servo.length0, 0.0)[0]
    gain = law.terms(1.0, servo.length0, 0.0)[0] - bias
    return (-others / servo.J - bias) / gain if gain else nan


def _setpoint(servo: FrozenServo) -> SetPoint:
    """What a frozen servo's control asks for."""
    law, gear = servo.law, servo.parts.gear
    if law.gain != GAIN_FIXED or law.bias != BIAS_AFFINE:
        return SetPoint("", gear=gear)
    b0, b1, b2 = law.biasprm
    kind, reference = (POSITION, -b1) if b1 < 0.0 else (VELOCITY, -b2) if b1 == 0.0 and b2 < 0.0 else (OPEN, 0.0)
    if not reference:
        return SetPoint(kind, gear=gear)
    return SetPoint(kind, law.gainprm[0] / reference / gear, b0 / reference / gear, law.dynamics == DYN_INTEGRATOR, gear)


def in_mechanism(m: Model, d: Data, i: int, trial: Trial, before: ServoValues | None = None, after: ServoValues | None = None, rest: str = REAL) -> Outcome:
    """By the engine, from a pair that `holding` has made, which stays as it is; with the values `after` in place of `before`. rest: as `respond`."""
    model, data = pair_beside(m, d)
    late = 0.0
    if before is not None and after is not None and before != after:
        put_values(model, start_of(model, data, i).axis, before, after)
        late = after.delay if "delay" in differing(before, after) else 0.0
    start = start_of(model, data, i)
    data.ctrl[model.actuator_ctrladr[i]] = start.ctrl
    if model.actuator_actnum[i] == 1:
        data.act[model.actuator_actadr[i]] = start.act
    n, adr = int(model.actuator_history[i, 0]), int(model.actuator_historyadr[i])
    if n:       # what was given until now
        data.history[adr + HEAD + n:adr + HEAD + 2 * n] = start.ctrl
    steps = trial.steps(float(model.opt_timestep))
    trace = respond(model, data, i, trial.reference(start.ctrl, late), steps, rest)
    return outcome_of(trace, trial, start.setpoint, start.ctrl, start.forcerange, steps)
