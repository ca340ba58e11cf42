"""Forces of actuators: from controls through activation, gain and bias to forces on the joints.

    ctrl + noise -> delay -> clamp -> activation (activation.py) -> gain * input + bias -> limits -> moment' force

The limits come in this order: the total on a tendon (all its actuators shrink alike), the actuator's own range (the length
of the torque of an orientation servo), the total on a scalar joint. Gravity compensation that counts as the actuators' work
joins before the last of them.

Source: MuJoCo documentation, Computation chapter, "Actuation model"; XML reference, actuator/general.
"""
from __future__ import annotations

from physics.engine.actuator.activation import activation_rates, controls, driving_input, is_off, last_act, next_act
from physics.engine.actuator.dcmotor import back_emf, motor_friction, motor_torque
from physics.engine.actuator.muscle import muscle_bias, muscle_gain
from physics.engine.actuator.servo import limit_length, nearest_turn, orientation_force, pid_push, turn_length
from physics.engine.clamp import clip
from physics.engine.passive.gravity_compensation import compensate, compensates_gravity
from physics.engine.user_callbacks import call_callback
from physics.enums import (
    BIAS_AFFINE,
    BIAS_DCMOTOR,
    BIAS_MUSCLE,
    BIAS_NONE,
    BIAS_USER,
    DSBL_ACTUATION,
    DYN_NONE,
    GAIN_AFFINE,
    GAIN_DCMOTOR,
    GAIN_FIXED,
    GAIN_MUSCLE,
    GAIN_PID,
    GAIN_SO3,
    TRN_TENDON,
)
from physics.kernels.decorators import helper, kernel


@helper
def affine(m, d, i, prm):
    """prm[i, 0] + prm[i, 1] length + prm[i, 2] velocity of actuator i."""
    out = m.actuator_outadr[i]
    return prm[i, 0] + prm[i, 1] * d.actuator_length[out] + prm[i, 2] * d.actuator_velocity[out]


@helper
def input_of(m, d, i):
    """What the gain of actuator i multiplies."""
    u = driving_input(m, d, i)
    turn = turn_length(m, i)
    if turn > 0.0:
        u = nearest_turn(u, d.actuator_length[m.actuator_outadr[i]], turn)
    return u


@kernel("m d i", ret="f")
def other_push(m, d, i):
    """The part of the force of actuator i that its input gives, where the gain is none of the plain ones.

    Reads: act, act_dot, ctrl_used, actuator_length, actuator_velocity
    Writes: cb_id, cb_value
    """
    kind = m.actuator_gaintype[i]
    if kind == GAIN_MUSCLE:
        return muscle_gain(m, d, i) * input_of(m, d, i)
    if kind == GAIN_PID:
        f = pid_push(m, d, i)
        if m.actuator_actnum[i] > 0 and m.actuator_gainprm[i, 0] > 0.0:
            f += m.actuator_gainprm[i, 0] * last_act(m, d, i)
        return f
    if kind == GAIN_DCMOTOR:
        current = 0.0
        if m.actuator_actnum[i] > 0:
            current = last_act(m, d, i)
        return motor_torque(m, d, i, current)
    gain = 1.0
    if d.cb_act_gain != 0:
        gain = call_callback(m, d, d.cb_act_gain, i)
    return gain * input_of(m, d, i)


@kernel("m d i", ret="f")
def other_bias(m, d, i):
    """Bias of actuator i, where it is neither none nor affine; an orientation servo's is part of its torques.

    Reads: actuator_length, actuator_velocity
    Writes: cb_id, cb_value
    """
    kind = m.actuator_biastype[i]
    if kind == BIAS_MUSCLE:
        return muscle_bias(m, d, i)
    if kind == BIAS_DCMOTOR:
        return back_emf(m, d, i, m.actuator_gainprm[i, 0])
    if kind == BIAS_USER and d.cb_act_bias != 0:
        return call_callback(m, d, d.cb_act_bias, i)
    return 0.0


@helper
def target_part(m, d, i, k):
    """Number k of the target of orientation servo i: a control, or an activation (the coming one with actearly)."""
    if m.actuator_dyntype[i] == DYN_NONE:
        return d.ctrl_used[m.actuator_ctrladr[i] + k]
    a = m.actuator_actadr[i] + k
    if m.actuator_actearly[i]:
        return next_act(m, d, i, a, d.act_dot[a])
    return d.act[a]


@helper
def plain_force(m, d, i):
    """Force of actuator i before limits, if it has one output."""
    gain = m.actuator_gaintype[i]
    bias = m.actuator_biastype[i]
    if gain == GAIN_FIXED:
        f = m.actuator_gainprm[i, 0] * input_of(m, d, i)
    elif gain == GAIN_AFFINE:
        f = affine(m, d, i, m.actuator_gainprm) * input_of(m, d, i)
    else:
        f = other_push(m, d, i)
    if bias == BIAS_AFFINE:
        f += affine(m, d, i, m.actuator_biasprm)
    elif bias != BIAS_NONE:
        f += other_bias(m, d, i)
    return f


@kernel()
def actuator_forces(m, d):
    """Forces of all actuators before limits; 0 where their group is switched off.

    Reads: act, act_dot, ctrl_used, actuator_length, actuator_velocity
    Writes: actuator_force, cb_id, cb_value
    """
    for r in range(d.nactuator_run):
        for i in range(d.actuator_run[r, 0], d.actuator_run[r, 1]):
            if is_off(m, i):
                continue
            if m.actuator_gaintype[i] == GAIN_SO3:
                orientation_force(m, d, i, target_part(m, d, i, 0), target_part(m, d, i, 1), target_part(m, d, i, 2))
            else:
                d.actuator_force[m.actuator_outadr[i]] = plain_force(m, d, i)


@kernel()
def limit_tendon_totals(m, d):
    """Shrink the forces of actuators whose sum exceeds their tendon's actfrcrange.

    Reads: actuator_force
    Writes: actuator_force (and the scratch tendon_total)
    """
    limited = 0
    for t in range(m.ntendon):
        d.tendon_total[t] = 0.0
        limited |= m.tendon_actfrclimited[t]
    if limited == 0:
        return
    for i in range(m.nactuator):
        if m.actuator_trntype[i] == TRN_TENDON:
            d.tendon_total[m.actuator_trnid[i, 0]] += d.actuator_force[m.actuator_outadr[i]]
    for i in range(m.nactuator):
        if m.actuator_trntype[i] == TRN_TENDON:
            t = m.actuator_trnid[i, 0]
            total = d.tendon_total[t]
            if m.tendon_actfrclimited[t] and total != 0.0:
                d.actuator_force[m.actuator_outadr[i]] *= clip(total, m.tendon_actfrcrange[t, 0], m.tendon_actfrcrange[t, 1]) / total


@helper
def limit_force(m, d, i):
    """Keep the force of actuator i within its own range; what a motor's gears do to it comes on top."""
    out = m.actuator_outadr[i]
    if m.actuator_forcelimited[i]:
        if m.actuator_gaintype[i] == GAIN_SO3:
            limit_length(d.actuator_force, out, m.actuator_forcerange[i, 1])
        else:
            d.actuator_force[out] = clip(d.actuator_force[out], m.actuator_forcerange[i, 0], m.actuator_forcerange[i, 1])
    if m.actuator_biastype[i] == BIAS_DCMOTOR and not is_off(m, i):
        d.actuator_force[out] += motor_friction(m, d, i)


@kernel()
def actuation(m, d):
    """Forces of all actuators and rates of all activations.

    Reads: time, ctrl, ctrl_noise, history, act, actuator_length, actuator_velocity, actuator_moment, moment_rownnz,
        moment_rowadr, moment_colind, qfrc_gravcomp
    Writes: act_dot, actuator_force, qfrc_actuator, ctrl_used, cb_id, cb_value
    """
    for k in range(m.nv):
        d.qfrc_actuator[k] = 0.0
    for k in range(m.nout):
        d.actuator_force[k] = 0.0
    if m.nactuator == 0 or m.opt_disableflags & DSBL_ACTUATION:
        return
    controls(m, d)
    if m.na > 0:
        activation_rates(m, d)
    actuator_forces(m, d)
    if m.ntendon > 0:
        limit_tendon_totals(m, d)
    for r in range(d.nactuator_run):
        for i in range(d.actuator_run[r, 0], d.actuator_run[r, 1]):
            limit_force(m, d, i)
    for out in range(m.nout):
        f = d.actuator_force[out]
        adr = d.moment_rowadr[out]
        for a in range(adr, adr + d.moment_rownnz[out]):
            d.qfrc_actuator[d.moment_colind[a]] += d.actuator_moment[a] * f
    if compensates_gravity(m):
        for j in range(m.njnt):
            if m.jnt_actgravcomp[j]:
                compensate(m, d, d.qfrc_actuator, j)
    for j in range(m.njnt):
        if m.jnt_actfrclimited[j]:
            k = m.jnt_dofadr[j]
            d.qfrc_actuator[k] = clip(d.qfrc_actuator[k], m.jnt_actfrcrange[j, 0], m.jnt_actfrcrange[j, 1])
