"""What threads of the servos panel work out: an actuator at a state, what other values would do, gains for all joints. No Qt.

    base_of(m, d, i) -> Base      tried(base, values, trial) -> Tried      tune_joints(base, ...) -> rows of the table
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import copysign, nan

import numpy as np

from physics.enums import GAIN_MUSCLE, TRN_JOINT, TRN_JOINTINPARENT
from physics.model.data import Data
from physics.model.model import Model
from physics.query.rest_state import at_rest
from physics.simulate.step import forward
from physics.tuning.servos.axis import TURNING, InertiaCurve, axis_of, inertia_curve
from physics.tuning.servos.frozen import FrozenServo, frozen_servo
from physics.tuning.servos.law import POSITION, VELOCITY, ServoLaw, dampratio_mass
from physics.tuning.servos.muscle_curves import MuscleCurves, OperatingPoint, muscle_curves, operating_point
from physics.tuning.servos.response import LOCKED, REAL, pair_beside
from physics.tuning.servos.trial import STEP, Outcome, Start, Trial, held, holding, in_mechanism, setpoint_of, start_of, usual_seconds, usual_trial
from physics.tuning.servos.tune import POSE, RANGE, Tuned, servos, tune
from physics.tuning.servos.values import ServoValues, put_values, values_of, with_values

POINTS = 25             # of the curve of the effective inertia
TURNS, SLIDES = ("rad", "N m"), ("m", "N")


@dataclass(frozen=True, slots=True)
class Muscle:
    """A muscle's curves and where it works."""

    curves: MuscleCurves
    point: OperatingPoint


@dataclass(frozen=True, slots=True)
class Base:
    """One actuator at a state. m, d: a pair of one's own in which all servos hold; frozen: None where there is no simulation of one coordinate, which `why` says. mass0: as
    dampratio_mass. values: in force. trial: a step that shows it. units: of the position and the force along it. time [s] of the state; qpos: of it."""

    m: Model = field(compare=False)
    d: Data = field(compare=False)
    actuator: int
    start: Start
    frozen: FrozenServo | None
    why: str
    mass0: float
    values: ServoValues
    trial: Trial
    muscle: Muscle | None
    units: tuple[str, str]
    time: float
    qpos: np.ndarray = field(compare=False)

    @property
    def kind(self) -> str:
        """'position', 'velocity', 'open loop'; '' for a muscle and other laws."""
        return self.start.law.kind if self.start.law is not None else ""

    @property
    def said(self) -> tuple[str, ...]:
        """What one has to know of its figures, in sentences: what they leave out, and whether it holds this pose at all."""
        law, found = self.start.law, [self.why] if self.why else []
        if law is not None:
            found += law.notes
            if law.saturates:
                found.append(f"the forcerange does not hold this pose: that takes {law.hold:.4g} {self.units[1]}, and it ends at {copysign(law.limit, law.hold):.4g}")
        return tuple(f"{text[:1].upper()}{text[1:]}." for text in found)


def base_of(m: Model, d: Data, i: int, live: tuple[ServoValues, ServoValues] | None = None) -> Base:
    """Of a pair of one's own. live: (values that are tried in it, values in force), which are put back. Raises ValueError for an actuator that moves nothing, and as `forward`."""
    time, qpos = float(d.time), d.qpos.copy()
    muscle = None
    if m.actuator_gaintype[i] == GAIN_MUSCLE:
        forward(m, d)
        muscle = Muscle(muscle_curves(m, i), operating_point(m, d, i))
    if live is not None:
        put_values(m, axis_of(m, at_rest(m, d), i), *live)
    m, d = holding(m, d)
    mass0 = dampratio_mass(m, d, i)
    start = start_of(m, d, i, mass0)
    frozen, why = None, ""
    try:
        frozen = frozen_servo(m, d, i)
    except ValueError as problem:
        why = str(problem)
    dof = start.axis.joint_dof
    turns = dof >= 0 and m.actuator_trntype[i] in (TRN_JOINT, TRN_JOINTINPARENT) and TURNING.get(int(m.jnt_type[m.dof_jntid[dof]]), 0.0)
    return Base(m, d, i, start, frozen, why, mass0, values_of(m, d, start.axis), usual_trial(m, start), muscle, TURNS if turns else SLIDES, time, qpos)


def inertia_of(base: Base, joint: int | None) -> InertiaCurve | None:
    """Effective inertia while a joint goes through its range, None where it is none that does."""
    try:
        return inertia_curve(base.m, base.d, base.actuator, joint, POINTS)
    except ValueError:
        return None


# ------------------------------------------------------------------ other values

@dataclass(frozen=True, slots=True)
class Tried:
    """values; law: closed forms, None for what is no linear servo. held: with all else held; real: in the mechanism; None where that cannot be. problem: why, in words.
    seconds: how long a step has to be looked at, to see it settle."""

    values: ServoValues
    law: ServoLaw | None
    held: Outcome | None
    real: Outcome | None
    problem: str = ""
    seconds: float = 1.0


def quick(base: Base, values: ServoValues, trial: Trial, most: int | None = None) -> Outcome | None:
    """The response with all else held; most: for at most so many steps and without its spectrum, as it follows a drag."""
    if base.frozen is None:
        return None
    servo, steps = with_values(base.frozen, base.values, values, base.start.ctrl), trial.steps(float(base.m.opt_timestep))
    return held(servo, trial, base.start.ctrl, steps if most is None else min(most, steps), most is None)


def tried(base: Base, values: ServoValues, trial: Trial) -> Tried:
    """All that can be said of these values. The pair of the base stays as it is."""
    m, d = pair_beside(base.m, base.d)
    if values != base.values:
        put_values(m, base.start.axis, base.values, values)
    start = start_of(m, d, base.actuator, base.mass0)
    real, problem = None, base.why
    try:
        real = in_mechanism(base.m, base.d, base.actuator, trial, base.values, values)
    except ValueError as why:
        problem = str(why)
    law = replace(start.law, delay=values.delay) if start.law is not None else None
    return Tried(values, law, quick(base, values, trial), real, problem, usual_seconds(base.start, start))


# ------------------------------------------------------------------ all joints

@dataclass(frozen=True, slots=True)
class JointRow:
    """One servo of a robot. tuned: its new gains; before: (kp, kv); held, real: bandwidth [Hz] and overshoot measured by a step, with all else held and with all servos at their new
    gains; NaN where none was."""

    name: str
    tuned: Tuned
    before: tuple[float, float]
    mass0: float
    held: tuple[float, float]
    real: tuple[float, float]


def robot_of(m: Model, d: Data, i: int) -> list[int]:
    """All servos of the kinematic tree that an actuator moves."""
    w = at_rest(m, d)
    trees = {int(m.dof_treeid[k]) for k in axis_of(m, w, i).dofs}
    return [k for k in servos(m, w) if trees & {int(m.dof_treeid[dof]) for dof in axis_of(m, w, k).dofs}]


def tune_joints(base: Base, hertz: float, zeta: float, heaviest: bool, stop=lambda: False) -> list[JointRow]:
    """Gains for all servos of a robot, and what they do. Raises ValueError where there are none."""
    m, d = base.m, base.d
    chosen = robot_of(m, d, base.actuator)
    if not chosen:
        raise ValueError("no servos move this mechanism")
    found = tune(m, d, hertz, zeta, chosen, inertia=RANGE if heaviest else POSE)
    new, data = pair_beside(m, d)
    for t in found:
        new.actuator_gainprm[t.actuator, :3], new.actuator_biasprm[t.actuator, :3] = t.parameters["gainprm"], t.parameters["biasprm"]
    new, data = holding(new, data)
    rows = []
    for t in found:
        if stop():
            return []
        start = start_of(m, d, t.actuator)
        rows.append(JointRow(t.name or f"actuator {t.actuator}", t, (start.law.kp, start.law.kv), dampratio_mass(m, d, t.actuator),
                             *(_measured(new, data, t, rest) for rest in (LOCKED, REAL))))
    return rows


def _measured(m: Model, d: Data, t: Tuned, rest: str) -> tuple[float, float]:
    """(bandwidth, overshoot) of a step."""
    start = replace(start_of(m, d, t.actuator), law=t.law)
    start = replace(start, setpoint=setpoint_of(m, t.law))
    if t.law.kind not in (POSITION, VELOCITY):
        return nan, nan
    outcome = in_mechanism(m, d, t.actuator, replace(usual_trial(m, start), kind=STEP), rest=rest)
    return outcome.bandwidth, outcome.step.overshoot if outcome.step is not None else nan


def values_with(before: ServoValues, t: Tuned) -> ServoValues:
    """Values with tuned gains, to six digits: a text of more says nothing more."""
    kp, kv = (float(f"{x:.6g}") for x in (t.law.kp, t.law.kv))
    return replace(before, kp=kp if before.kp is not None else None, kv=kv)


def tune_one(base: Base, hertz: float, zeta: float, heaviest: bool) -> Tuned:
    """Gains for the actuator of a base. Raises ValueError for what is no servo."""
    return tune(base.m, base.d, hertz, zeta, [base.actuator], inertia=RANGE if heaviest else POSE)[0]


def robots_values(base: Base, rows: Sequence[JointRow]) -> list[tuple[JointRow, Start, ServoValues, ServoValues]]:
    """(row, where it is, values in force, new values) of rows that are to be written."""
    w = at_rest(base.m, base.d)
    found = []
    for row in rows:
        start = start_of(base.m, base.d, row.tuned.actuator, row.mass0)
        before = values_of(base.m, w, start.axis)
        found.append((row, start, before, values_with(before, row.tuned)))
    return found
