"""Which actuators bring a joint to a position, give it a speed, or push it: what drives that think in joints can command."""
from __future__ import annotations

from typing import NamedTuple

from physics.enums import BIAS_AFFINE, BIAS_NONE, DYN_FILTER, DYN_FILTEREXACT, DYN_NONE, GAIN_FIXED, TRN_JOINT, TRN_JOINTINPARENT
from physics.model.model import Model

DIRECT = (DYN_NONE, DYN_FILTER, DYN_FILTEREXACT)    # activations that come to the control
ALIKE = 1e-9        # relative difference of two gains that count as equal


class Servo(NamedTuple):
    """An actuator of one hinge or slide: its control is gear times what it is to do to the joint. ctrl: index of the control; low, high: its range, infinite without one."""

    actuator: int
    ctrl: int
    gear: float
    low: float
    high: float

    def control(self, value: float) -> float:
        """The control for a value of the joint, within its range."""
        return min(max(self.gear * value, self.low), self.high)

    def push(self, force: float) -> float:
        """The control of a motor for a force of the joint [N m or N], within its range."""
        return min(max(force / self.gear, self.low), self.high)


def control_index(m: Model, actuator: int) -> int:
    """The only control of an actuator, -1 where it has none or several."""
    return int(m.actuator_ctrladr[actuator]) if m.actuator_ctrlnum[actuator] == 1 else -1


def position_servos(m: Model) -> dict[int, Servo]:
    """joint -> the actuator that brings it to its control: force = k (ctrl - length) - ..., a fixed gain and the opposite as bias of the length."""
    return _of_joints(m, lambda i, gain: m.actuator_biastype[i] == BIAS_AFFINE and gain > 0 and abs(m.actuator_biasprm[i, 1] + gain) <= ALIKE * gain)


def velocity_servos(m: Model) -> dict[int, Servo]:
    """joint -> the actuator that gives it the speed of its control: force = k (ctrl - velocity)."""
    return _of_joints(m, lambda i, gain: m.actuator_biastype[i] == BIAS_AFFINE and gain > 0 and m.actuator_biasprm[i, 1] == 0 and abs(m.actuator_biasprm[i, 2] + gain) <= ALIKE * gain)


def motors(m: Model) -> dict[int, Servo]:
    """joint -> the actuator whose force is its control times a gain; the gear comes with the gain and is the torque per control."""
    return {joint: servo._replace(gear=servo.gear * float(m.actuator_gainprm[servo.actuator, 0])) for joint, servo in
            _of_joints(m, lambda i, gain: m.actuator_biastype[i] == BIAS_NONE and gain != 0).items()}


def _of_joints(m: Model, fits) -> dict[int, Servo]:
    found: dict[int, Servo] = {}
    for i in range(m.nactuator):
        ctrl = control_index(m, i)
        if ctrl < 0 or m.actuator_trntype[i] not in (TRN_JOINT, TRN_JOINTINPARENT) or m.actuator_gaintype[i] != GAIN_FIXED or m.actuator_dyntype[i] not in DIRECT:
            continue
        gear = float(m.actuator_gear[m.actuator_outadr[i], 0])
        if gear and fits(i, float(m.actuator_gainprm[i, 0])):
            low, high = m.actuator_ctrlrange[ctrl].tolist() if m.actuator_ctrllimited[ctrl] else (float("-inf"), float("inf"))
            found.setdefault(int(m.actuator_trnid[i, 0]), Servo(i, ctrl, gear, low, high))
    return found


def joints_above(m: Model, body: int) -> list[int]:
    """Joints between the world and a body."""
    found = []
    while body > 0:
        found += range(m.body_jntadr[body], m.body_jntadr[body] + m.body_jntnum[body])
        body = int(m.body_parentid[body])
    return sorted(found)
