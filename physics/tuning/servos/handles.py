"""A frozen servo with other attributes: what sliders and handles set, without reading the Model again, so that curves follow a drag.

Each attribute changes what it would change in a compiled Model: a gear also the armature and damping that the actuator lends, a delay also the controls that are kept.
"""
from __future__ import annotations

from dataclasses import replace
from math import ceil

from physics.enums import BIAS_AFFINE, DYN_FILTER, DYN_FILTEREXACT, GAIN_FIXED
from physics.model.initial_state import HEAD
from physics.tuning.servos.force import ForceLaw, Range
from physics.tuning.servos.frozen import FrozenServo


def with_gains(servo: FrozenServo, kp: float | None = None, kv: float | None = None) -> FrozenServo:
    """Other gains of a position servo (kp in gain and bias, kv), or of a velocity servo (kv in both); a control in a unit of its own keeps it. Raises ValueError for other
    laws."""
    law = servo.law
    b0, old_kp, old_kv = law.biasprm[0], -law.biasprm[1], -law.biasprm[2]
    reference = old_kp or old_kv
    if law.gain != GAIN_FIXED or law.bias != BIAS_AFFINE or not reference:
        raise ValueError("only position and velocity servos have kp and kv")
    if kp is not None and not old_kp:
        raise ValueError("a velocity servo has no kp")
    kp, kv = old_kp if kp is None else kp, old_kv if kv is None else kv
    gain = law.gainprm[0] / reference * (kp if old_kp else kv)
    return replace(servo, law=replace(law, gainprm=(gain, 0.0, 0.0), biasprm=(b0, -kp, -kv)))


def with_armature(servo: FrozenServo, armature: float) -> FrozenServo:
    """Another armature of the joint. Raises ValueError where a tendon moves several."""
    if not servo.parts.joint:
        raise ValueError("the joints under this tendon have an armature each")
    return replace(servo, inertia=servo.inertia + armature - servo.parts.armature, parts=replace(servo.parts, armature=armature))


def with_damping(servo: FrozenServo, damping: float) -> FrozenServo:
    """Another damping of the joint. Raises ValueError where a tendon moves several."""
    if not servo.parts.joint:
        raise ValueError("the joints under this tendon have a damping each")
    first, *more = servo.damping
    return replace(servo, damping=(first + damping - servo.parts.damping, *more), parts=replace(servo.parts, damping=damping))


def with_gear(servo: FrozenServo, gear: float) -> FrozenServo:
    """Another gear. Raises ValueError for 0."""
    if gear == 0.0:
        raise ValueError("with a gear of 0 the actuator moves nothing")
    parts, scale = servo.parts, gear / servo.parts.gear
    square = gear * gear - parts.gear * parts.gear
    first, *more = servo.damping
    return replace(servo, J=servo.J * scale, length0=servo.length0 * scale, inertia=servo.inertia + square * parts.lent_armature,
                   damping=(first + square * parts.lent_damping, *more), parts=replace(parts, gear=gear))


def with_forcerange(servo: FrozenServo, forcerange: Range | None) -> FrozenServo:
    """Another range of the force, or none."""
    return replace(servo, law=replace(servo.law, forcerange=forcerange))


def with_ctrlrange(servo: FrozenServo, ctrlrange: Range | None) -> FrozenServo:
    """Another range of the control, or none; a Model that clamps none keeps to none."""
    return replace(servo, law=replace(servo.law, ctrlrange=ctrlrange if servo.clamps else None))


def with_timeconst(servo: FrozenServo, timeconst: float) -> FrozenServo:
    """Another time constant [s] of the control's filter. Raises ValueError for a servo without one, and for one that is not positive."""
    if servo.law.dynamics not in (DYN_FILTER, DYN_FILTEREXACT):
        raise ValueError("no filter lies between this control and its servo")
    if timeconst <= 0.0:
        raise ValueError(f"a time constant of {timeconst} s")
    return replace(servo, law=replace(servo.law, dynprm=(timeconst, *servo.law.dynprm[1:])))


def with_delay(servo: FrozenServo, delay: float, ctrl: float = 0.0) -> FrozenServo:
    """Another delay [s] of the control, with as many kept controls as it needs; until now they were all `ctrl`. Raises ValueError for a negative one."""
    if delay < 0.0:
        raise ValueError(f"a delay of {delay} s")
    h = servo.timestep
    samples = ceil(delay / h - 1e-9) + 1 if delay else 0
    law: ForceLaw = replace(servo.law, delay=delay, samples=samples)
    if not samples:
        return replace(servo, law=law, history=())
    times = [servo.time0 - (samples - k) * h for k in range(samples)]
    history = (*([0.0] * (HEAD - 1)), samples - 1.0, *times, *([ctrl] * samples))
    return replace(servo, law=law, history=history)
