"""How actuator forces change with the actuators' own velocity: what the implicit integrators need.

Source: MuJoCo documentation, Computation chapter, "Analytic derivatives"; changelog, version 4.0.0 (held forces).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.activation import last_act
from physics.engine.dcmotor import back_emf_slope, motor_slope
from physics.engine.limits import is_held
from physics.engine.muscle import muscle_gain_slope
from physics.engine.transmission import on_joint
from physics.enums import BIAS_AFFINE, BIAS_DCMOTOR, BIAS_SO3, GAIN_AFFINE, GAIN_DCMOTOR, GAIN_MUSCLE, GAIN_SO3, TRN_TENDON
from physics.kernels.decorators import helper, kernel


@helper
def force_is_held(m, d, i):
    """Whether its own, its tendon's or its joint's range holds the force of actuator i."""
    if m.actuator_forcelimited[i]:
        out = m.actuator_outadr[i]
        if m.actuator_gaintype[i] == GAIN_SO3:
            f = d.actuator_force
            if sqrt(f[out] * f[out] + f[out + 1] * f[out + 1] + f[out + 2] * f[out + 2]) >= m.actuator_forcerange[i, 1]:
                return True
        elif is_held(d.actuator_force[out], m.actuator_forcerange, i):
            return True
    k = m.actuator_trnid[i, 0]
    if m.actuator_trntype[i] == TRN_TENDON:
        return m.tendon_actfrclimited[k] != 0 and is_held(d.tendon_total[k], m.tendon_actfrcrange, k)
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
    if m.actuator_actnum[i] > 0:
        return s * last_act(m, d, i)
    return s * d.ctrl_used[m.actuator_ctrladr[i]]


@helper
def actuator_slope(m, d, i):
    """Derivative of each force of actuator i by the velocity of its output; 0 where a range holds the force."""
    gain = m.actuator_gaintype[i]
    bias = m.actuator_biastype[i]
    s = 0.0
    if bias == BIAS_AFFINE or bias == BIAS_SO3:
        s = m.actuator_biasprm[i, 2]
    elif bias == BIAS_DCMOTOR:
        s = back_emf_slope(m, i)
    if gain == GAIN_AFFINE or gain == GAIN_MUSCLE or gain == GAIN_DCMOTOR:
        s += gain_slope(m, d, i)
    if s != 0.0 and force_is_held(m, d, i):
        return 0.0
    return s
