"""How actuator forces change with the actuators' own velocity: what the implicit integrators need.

Source: MuJoCo documentation, Computation chapter, "Analytic derivatives"; changelog, version 4.0.0 (held forces).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.actuator.activation import driving_input
from physics.engine.actuator.actuation import plain_force
from physics.engine.actuator.dcmotor import back_emf_slope, friction_slope, motor_slope
from physics.engine.actuator.muscle import muscle_gain_slope
from physics.engine.actuator.transmission import on_joint
from physics.engine.clamp import is_held
from physics.enums import BIAS_AFFINE, BIAS_DCMOTOR, BIAS_SO3, GAIN_AFFINE, GAIN_DCMOTOR, GAIN_MUSCLE, GAIN_SO3, TRN_TENDON
from physics.kernels.decorators import helper, kernel

NEARLY = 1.0 - 1e-12  # a torque that was scaled to its limit is as long as that up to rounding


@kernel("m d i", ret="i")
def other_range_holds(m, d, i):
    """Whether the range of actuator i, an orientation servo or a motor, holds its force: a motor's holds the winding's torque alone.

    Reads: ctrl_used, act, act_dot, actuator_force, actuator_length, actuator_velocity
    """
    if m.actuator_gaintype[i] == GAIN_SO3:
        out = m.actuator_outadr[i]
        f = d.actuator_force[out]
        y = d.actuator_force[out + 1]
        z = d.actuator_force[out + 2]
        return int(sqrt(f * f + y * y + z * z) >= NEARLY * m.actuator_forcerange[i, 1])
    return int(is_held(plain_force(m, d, i), m.actuator_forcerange, i))


@helper
def range_holds(m, d, i):
    """Whether the range of actuator i holds its force."""
    if m.actuator_forcelimited[i] == 0:
        return False
    if m.actuator_gaintype[i] == GAIN_SO3 or m.actuator_biastype[i] == BIAS_DCMOTOR:
        return other_range_holds(m, d, i) == 1
    return is_held(d.actuator_force[m.actuator_outadr[i]], m.actuator_forcerange, i)


@helper
def force_is_held(m, d, i):
    """Whether its own or its tendon's range holds the force of actuator i."""
    if range_holds(m, d, i):
        return True
    k = m.actuator_trnid[i, 0]
    return m.actuator_trntype[i] == TRN_TENDON and m.tendon_actfrclimited[k] != 0 and is_held(d.tendon_total[k], m.tendon_actfrcrange, k)


@helper
def joint_is_held(m, d, i):
    """Whether the range of its joint holds the force of actuator i."""
    k = m.actuator_trnid[i, 0]
    return on_joint(m, i) and m.jnt_actfrclimited[k] != 0 and is_held(d.qfrc_actuator[m.jnt_dofadr[k]], m.jnt_actfrcrange, k)


@kernel("m d i", ret="f")
def gain_slope(m, d, i):
    """Derivative of the part of the force of actuator i that its input gives.

    Reads: ctrl_used, act, act_dot, actuator_length, actuator_velocity
    """
    kind = m.actuator_gaintype[i]
    if kind == GAIN_DCMOTOR:
        return motor_slope(m, d, i)
    s = m.actuator_gainprm[i, 2]
    if kind == GAIN_MUSCLE:
        s = muscle_gain_slope(m, d, i)
    if s == 0.0:
        return 0.0
    return s * driving_input(m, d, i)


@helper
def actuator_slope(m, d, i):
    """Derivative of each force of actuator i by the velocity of its output; 0 where a range holds the force."""
    gain = m.actuator_gaintype[i]
    bias = m.actuator_biastype[i]
    s = 0.0
    if bias == BIAS_AFFINE or bias == BIAS_SO3:
        s = m.actuator_biasprm[i, 2]
    elif bias == BIAS_DCMOTOR:
        s = back_emf_slope(m, d, i)
    if gain == GAIN_AFFINE or gain == GAIN_MUSCLE or gain == GAIN_DCMOTOR:
        s += gain_slope(m, d, i)
    if s != 0.0 and force_is_held(m, d, i):
        s = 0.0
    if gain == GAIN_DCMOTOR:
        s += friction_slope(m, i)
    if s != 0.0 and joint_is_held(m, d, i):
        return 0.0
    return s
