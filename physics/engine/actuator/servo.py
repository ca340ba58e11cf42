"""Servos: set points on a circle, set points that may only move so fast, controllers with an integral, orientation servos.

A servo on a ball joint, or on a pure rotation between two sites, turns the short way round: its set point is taken modulo
a full turn. A servo's inputs stand in its controls in the order position, velocity, force (torque), voltage; those that
it does not have are 0.

    pid   gainprm 0 the integral's gain; biasprm as of an affine bias, which holds the two other gains;
          dynprm the integral's limit, the set point's greatest speed; states: set point in effect, integral
    so3   gainprm 0 the stiffness; biasprm 0 a constant torque, 2 minus the damping

Source: MuJoCo documentation, Computation chapter, "Actuation model"; XML reference, actuator/pid, actuator/orientation.
"""
from __future__ import annotations

from math import floor, pi, sqrt

from physics.engine.clamp import clip
from physics.engine.kinematics.joints import is_ball
from physics.engine.linalg.quat import axis_angle, sub_quat, unit4
from physics.engine.linalg.vec import norm3, scl3
from physics.enums import (
    BIAS_AFFINE,
    CHART_QUAT,
    DYN_FILTEREXACT,
    GAIN_FIXED,
    GAIN_PID,
    INPUT_FF,
    INPUT_POS,
    INPUT_VEL,
    INPUT_VOLTAGE,
    MINVAL,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SITE,
)
from physics.kernels.decorators import helper, kernel


@helper
def is_servo(m, i):
    """Whether actuator i pulls its length towards a position that its input gives."""
    if m.actuator_gaintype[i] == GAIN_PID:
        return True
    plain = m.actuator_gaintype[i] == GAIN_FIXED and m.actuator_biastype[i] == BIAS_AFFINE and m.actuator_dyntype[i] <= DYN_FILTEREXACT
    return plain and m.actuator_gainprm[i, 0] == -m.actuator_biasprm[i, 1]


@helper
def turn_length(m, i):
    """Actuator length of one full turn if actuator i is a servo of a rotation in space, else 0."""
    kind = m.actuator_trntype[i]
    out = m.actuator_outadr[i]
    if kind == TRN_SITE:
        if m.actuator_trnid[i, 1] < 0 or not is_servo(m, i):
            return 0.0
        x = m.actuator_gear[out, 0]
        y = m.actuator_gear[out, 1]
        z = m.actuator_gear[out, 2]
        if x != 0.0 or y != 0.0 or z != 0.0:
            return 0.0
        return 2.0 * pi * norm3((m.actuator_gear[out, 3], m.actuator_gear[out, 4], m.actuator_gear[out, 5]))
    if (kind != TRN_JOINT and kind != TRN_JOINTINPARENT) or not is_ball(m, m.actuator_trnid[i, 0]) or not is_servo(m, i):
        return 0.0
    return 2.0 * pi * norm3((m.actuator_gear[out, 0], m.actuator_gear[out, 1], m.actuator_gear[out, 2]))


@helper
def whole_turns(x):
    """x rounded to a whole number, halves away from zero."""
    if x >= 0.0:
        return floor(x + 0.5)
    return -floor(0.5 - x)


@helper
def nearest_turn(u, length, turn):
    """The set point u plus whole turns that is nearest to the length."""
    return u - turn * whole_turns((u - length) / turn)


@helper
def servo_inputs(m, d, i):
    """Position, velocity, force and voltage asked of actuator i; 0 for those that it does not take."""
    bits = m.actuator_ctrlspec[i]
    u = m.actuator_ctrladr[i]
    position = 0.0
    velocity = 0.0
    force = 0.0
    voltage = 0.0
    if bits & INPUT_POS:
        position = d.ctrl_used[u]
        u += 1
    if bits & INPUT_VEL:
        velocity = d.ctrl_used[u]
        u += 1
    if bits & INPUT_FF:
        force = d.ctrl_used[u]
        u += 1
    if bits & INPUT_VOLTAGE:
        voltage = d.ctrl_used[u]
    return position, velocity, force, voltage


@helper
def slew(m, d, i, a, speed, turn):
    """Let the first input of actuator i follow its control at the given speed at most; act[a] is where it was."""
    u = m.actuator_ctrladr[i]
    h = m.opt_timestep
    was = d.act[a]
    wanted = d.ctrl_used[u]
    if turn > 0.0:
        wanted = nearest_turn(wanted, was, turn)
    now = clip(wanted, was - speed * h, was + speed * h)
    d.act_dot[a] = (now - was) / h
    d.ctrl_used[u] = now


@helper
def windup(error, integral, limit):
    """Rate of an error's integral: it does not grow beyond its limit, where it has one."""
    if limit > 0.0 and integral >= limit:
        return min(error, 0.0)
    if limit > 0.0 and integral <= -limit:
        return max(error, 0.0)
    return error


@kernel("m d i")
def pid_rates(m, d, i):
    """Rates of the states of pid servo i; its position set point in ctrl_used becomes the one in effect.

    Reads: act, actuator_length, ctrl_used
    Writes: act_dot, ctrl_used
    """
    a = m.actuator_actadr[i]
    end = a + m.actuator_actnum[i]
    turn = turn_length(m, i)
    if m.actuator_dynprm[i, 1] > 0.0 and a < end:
        slew(m, d, i, a, m.actuator_dynprm[i, 1], turn)
        a += 1
    if m.actuator_gainprm[i, 0] > 0.0 and a < end:
        length = d.actuator_length[m.actuator_outadr[i]]
        u = d.ctrl_used[m.actuator_ctrladr[i]]
        if turn > 0.0:
            u = nearest_turn(u, length, turn)
        d.act_dot[a] = windup(u - length, d.act[a], m.actuator_dynprm[i, 0])


@helper
def pid_push(m, d, i):
    """What the inputs of pid servo i add to its affine bias."""
    position, velocity, force, _voltage = servo_inputs(m, d, i)
    turn = turn_length(m, i)
    if turn > 0.0:
        position = nearest_turn(position, d.actuator_length[m.actuator_outadr[i]], turn)
    return force - m.actuator_biasprm[i, 1] * position - m.actuator_biasprm[i, 2] * velocity


@helper
def exp_quat(v):
    """Unit quaternion of the rotation vector v."""
    angle = norm3(v)
    if angle < MINVAL:
        return 1.0, 0.0, 0.0, 0.0
    return axis_angle(scl3(v, 1.0 / angle), angle)


@kernel("m d i f f f")
def orientation_force(m, d, i, x, y, z):
    """Torques of orientation servo i, whose target is the rotation vector (x, y, z), or its controls where those are a quaternion.

    Reads: ctrl_used, actuator_length, actuator_velocity
    Writes: actuator_force
    """
    out = m.actuator_outadr[i]
    if m.actuator_ctrlspec[i] == CHART_QUAT:
        u = m.actuator_ctrladr[i]
        target = unit4((d.ctrl_used[u], d.ctrl_used[u + 1], d.ctrl_used[u + 2], d.ctrl_used[u + 3]))
    else:
        target = exp_quat((x, y, z))
    at = exp_quat((d.actuator_length[out], d.actuator_length[out + 1], d.actuator_length[out + 2]))
    error = sub_quat(target, at)
    k = m.actuator_gainprm[i, 0]
    b0 = m.actuator_biasprm[i, 0]
    b2 = m.actuator_biasprm[i, 2]
    d.actuator_force[out] = k * error[0] + b0 + b2 * d.actuator_velocity[out]
    d.actuator_force[out + 1] = k * error[1] + b0 + b2 * d.actuator_velocity[out + 1]
    d.actuator_force[out + 2] = k * error[2] + b0 + b2 * d.actuator_velocity[out + 2]


@helper
def limit_length(x, at, most):
    """Scale the three numbers of x from `at` on so that their length is at most `most`."""
    n = sqrt(x[at] * x[at] + x[at + 1] * x[at + 1] + x[at + 2] * x[at + 2])
    if n > most:
        s = most / n
        for k in range(at, at + 3):
            x[k] *= s


@helper
def shorten_turn(x, at):
    """Replace the rotation vector x[at:at+3] by the same rotation's shortest."""
    angle = sqrt(x[at] * x[at] + x[at + 1] * x[at + 1] + x[at + 2] * x[at + 2])
    if angle > pi:
        s = (angle - 2.0 * pi * whole_turns(angle / (2.0 * pi))) / angle
        for k in range(at, at + 3):
            x[k] *= s
