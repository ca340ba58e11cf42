"""The numbers of one servo that are tuned, by MJCF's words: taken from a Model, put into a frozen servo or into a Model of one's own.

    values_of(m, axis) -> ServoValues      with_values(frozen, before, after) -> FrozenServo      put_values(m, axis, before, after)

Constants of the initial pose that follow from armature and gear (body_invweight0, actuator_acc0) are not worked out again: in the equations of a joint they do not occur.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from physics.engine.actuator.transmission import joint_armature
from physics.enums import DYN_FILTER, DYN_FILTEREXACT, DYN_INTEGRATOR, GAIN_FIXED, GAIN_PID
from physics.model.data import Data
from physics.model.model import Model
from physics.tuning.servos.axis import GEARED, TURNING, ServoAxis
from physics.tuning.servos.force import Range, pair
from physics.tuning.servos.frozen import FrozenServo
from physics.tuning.servos.handles import with_armature, with_ctrlrange, with_damping, with_delay, with_forcerange, with_gains, with_gear, with_timeconst
from physics.tuning.servos.law import POSITION, VELOCITY
from physics.tuning.servos.tune import servo_kind

FILTERS = frozenset({DYN_FILTER, DYN_FILTEREXACT})


@dataclass(frozen=True, slots=True)
class ServoValues:
    """kp, kv: per actuator length and velocity, None where the actuator is no position servo, or no servo. armature, damping: of its joint, None where it moves several or none of
    its own. gear: None where it is not one number. forcerange, ctrlrange: None where there is none. delay [s]: of the control. timeconst [s]: of the filter of the control, None
    without one."""

    kp: float | None = None
    kv: float | None = None
    armature: float | None = None
    damping: float | None = None
    gear: float | None = None
    forcerange: Range | None = None
    delay: float = 0.0
    timeconst: float | None = None
    ctrlrange: Range | None = None


def values_of(m: Model, d: Data, axis: ServoAxis) -> ServoValues:
    """What an actuator has in a Model; d: any Data of it."""
    i, kind, dof = axis.actuator, servo_kind(m, d, axis.actuator), _joint_dof(m, axis)
    c = int(m.actuator_ctrladr[i])
    kp, kv = (-float(x) + 0.0 for x in m.actuator_biasprm[i, 1:3])
    return ServoValues(
        kp if kind == POSITION else None, kv if kind in (POSITION, VELOCITY) else None, float(m.dof_armature[dof]) if dof >= 0 else None,
        float(m.dof_damping[dof]) if dof >= 0 else None, axis.gear if m.actuator_trntype[i] in GEARED else None,
        pair(m.actuator_forcerange[i]) if m.actuator_forcelimited[i] else None, float(m.actuator_delay[i]),
        float(m.actuator_dynprm[i, 0]) if m.actuator_dyntype[i] in FILTERS else None,
        pair(m.actuator_ctrlrange[c]) if m.actuator_ctrlnum[i] == 1 and m.actuator_ctrllimited[c] else None)


def _joint_dof(m: Model, axis: ServoAxis) -> int:
    """The degree of freedom of the one hinge or slide that is moved, else -1."""
    dof = axis.joint_dof
    return dof if dof >= 0 and m.jnt_type[m.dof_jntid[dof]] in TURNING else -1


def differing(before: ServoValues, after: ServoValues) -> tuple[str, ...]:
    """Names of the values that are others."""
    return tuple(name for name in ServoValues.__slots__ if getattr(before, name) != getattr(after, name))


# ------------------------------------------------------------------ into a frozen servo

SETTERS: Mapping[str, object] = MappingProxyType({
    "armature": with_armature, "damping": with_damping, "gear": with_gear, "forcerange": with_forcerange, "ctrlrange": with_ctrlrange, "timeconst": with_timeconst,
})


def with_values(servo: FrozenServo, before: ServoValues, after: ServoValues, ctrl: float = 0.0) -> FrozenServo:
    """A frozen servo of the values `before` with those of `after`; ctrl: the control until now, where one acts late. Raises ValueError for what it has not."""
    names = differing(before, after)
    if {"kp", "kv"} & set(names):
        servo = with_gains(servo, after.kp, after.kv)
    for name in names:
        if name in SETTERS:
            servo = SETTERS[name](servo, getattr(after, name))
    return with_delay(servo, after.delay, ctrl) if "delay" in names or servo.law.delay else servo


# ------------------------------------------------------------------ into a Model

def parameters_with(m: Model, i: int, kp: float | None, kv: float | None) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """(gainprm, biasprm), three each, of a position or velocity servo with other gains; what its control stands for stays. kp None: a velocity servo."""
    b0, old_kp, old_kv = (float(x) for x in m.actuator_biasprm[i, :3])
    gain = tuple(float(x) for x in m.actuator_gainprm[i, :3])
    if m.actuator_gaintype[i] == GAIN_FIXED:
        reference, wanted = (-old_kp, kp) if kp is not None else (-old_kv, kv)
        gain = (gain[0] / reference * wanted, 0.0, 0.0)
    elif m.actuator_gaintype[i] != GAIN_PID:
        raise ValueError("only position and velocity servos have kp and kv")
    return gain, (b0, -(kp or 0.0), -(kv or 0.0))


def put_values(m: Model, axis: ServoAxis, before: ServoValues, after: ServoValues) -> None:
    """Give a Model of one's own the values that differ. A delay that differs becomes 0: how many controls are kept cannot change, so that the control is to be given late."""
    i, dof, names = axis.actuator, _joint_dof(m, axis), differing(before, after)
    if {"kp", "kv"} & set(names):
        m.actuator_gainprm[i, :3], m.actuator_biasprm[i, :3] = parameters_with(m, i, after.kp, after.kv)
    if "forcerange" in names:
        m.actuator_forcelimited[i] = after.forcerange is not None
        m.actuator_forcerange[i] = after.forcerange or (0.0, 0.0)
    if "ctrlrange" in names:
        c = int(m.actuator_ctrladr[i])
        m.actuator_ctrllimited[c] = after.ctrlrange is not None
        m.actuator_ctrlrange[c] = after.ctrlrange or (0.0, 0.0)
    if "timeconst" in names:
        m.actuator_dynprm[i, 0] = after.timeconst
    if "delay" in names:
        m.actuator_delay[i] = 0.0
    if "damping" in names:
        m.dof_damping[dof] = after.damping
    # armature, own or lent by gear^2, is also in the diagonal of degrees of freedom whose inertia never changes
    joint = int(m.dof_jntid[dof]) if dof >= 0 else -1
    lent = float(joint_armature(m, joint)) if joint >= 0 else 0.0
    if "gear" in names:
        m.actuator_gear[axis.output, 0] = after.gear
    if "armature" in names:
        m.dof_armature[dof] = after.armature
    if joint >= 0 and {"gear", "armature"} & set(names):
        m.dof_M0[dof] += (after.armature or 0.0) - (before.armature or 0.0) + float(joint_armature(m, joint)) - lent


def integrates(m: Model, i: int) -> bool:
    """Whether the control is the set point's velocity."""
    return int(m.actuator_dyntype[i]) == DYN_INTEGRATOR
