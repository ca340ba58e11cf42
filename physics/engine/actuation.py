"""Forces of actuators: from controls through activation, gain and bias to forces on the joints.

    ctrl + noise -> clamp -> activation (none, integrator, filter, exact filter) -> gain * input + bias -> limits -> moment' force

The limits come in this order: the total on a tendon (all its actuators shrink alike), the actuator's own range, the
total on a scalar joint. A servo on a ball joint turns the short way round: its set point is taken modulo a full turn.

Source: MuJoCo documentation, Computation chapter, "Actuation model"; XML reference, actuator/general.
"""
from __future__ import annotations

from math import exp, floor, pi, sqrt

from physics.engine.joints import is_ball
from physics.enums import (
    BIAS_AFFINE,
    DSBL_ACTUATION,
    DSBL_CLAMPCTRL,
    DYN_FILTER,
    DYN_FILTEREXACT,
    DYN_INTEGRATOR,
    DYN_NONE,
    GAIN_AFFINE,
    GAIN_FIXED,
    MAXVAL,
    MINVAL,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_TENDON,
    WARN_BADCTRL,
)
from physics.kernels.decorators import helper, kernel

GROUPS = 30  # groups 0..30 can be switched off


@helper
def is_bad(x):
    """Not a number, or absurdly large."""
    return not (abs(x) <= MAXVAL)


@helper
def clip(x, low, high):
    """x within [low, high]."""
    return min(max(x, low), high)


@helper
def is_off(m, i):
    """Whether the group of actuator i is switched off."""
    g = m.actuator_group[i]
    if m.opt_disableactuator == 0 or g < 0 or g > GROUPS:
        return False
    return (m.opt_disableactuator >> g) & 1 == 1


@kernel()
def controls(m, d):
    """Controls that count: with noise, clamped, and all zero if any is bad (a warning names it).

    Reads: ctrl, ctrl_noise
    Writes: ctrl_used, warning_number, warning_lastinfo
    """
    clamp = m.opt_disableflags & DSBL_CLAMPCTRL == 0
    bad = -1
    for i in range(m.nu - 1, -1, -1):
        u = d.ctrl[i] + d.ctrl_noise[i]
        if clamp and m.actuator_ctrllimited[i]:
            u = clip(u, m.actuator_ctrlrange[i, 0], m.actuator_ctrlrange[i, 1])
        d.ctrl_used[i] = u
        if is_bad(u):
            bad = i
    if bad >= 0:
        d.warning_number[WARN_BADCTRL] += 1
        d.warning_lastinfo[WARN_BADCTRL] = bad
        for i in range(m.nu):
            d.ctrl_used[i] = 0.0


@helper
def act_rate(m, d, i):
    """Rate of the activation of actuator i."""
    u = d.ctrl_used[m.actuator_ctrladr[i]]
    kind = m.actuator_dyntype[i]
    if kind == DYN_INTEGRATOR:
        return u
    if kind == DYN_FILTER or kind == DYN_FILTEREXACT:
        return (u - d.act[m.actuator_actadr[i]]) / max(MINVAL, m.actuator_dynprm[i, 0])
    return 0.0


@helper
def next_act(m, d, i, rate):
    """Activation of actuator i one time step later at this rate."""
    h = m.opt_timestep
    if m.actuator_dyntype[i] == DYN_FILTEREXACT:
        tau = max(MINVAL, m.actuator_dynprm[i, 0])
        h = tau * (1.0 - exp(-h / tau))
    a = d.act[m.actuator_actadr[i]] + h * rate
    if m.actuator_actlimited[i]:
        a = clip(a, m.actuator_actrange[i, 0], m.actuator_actrange[i, 1])
    return a


@helper
def turn_length(m, i):
    """Actuator length of one full turn if actuator i is a servo on a ball joint, else 0."""
    kind = m.actuator_trntype[i]
    if kind != TRN_JOINT and kind != TRN_JOINTINPARENT:
        return 0.0
    if not is_ball(m, m.actuator_trnid[i, 0]):
        return 0.0
    dyn = m.actuator_dyntype[i]
    servo = m.actuator_gaintype[i] == GAIN_FIXED and m.actuator_biastype[i] == BIAS_AFFINE
    if not servo or m.actuator_gainprm[i, 0] != -m.actuator_biasprm[i, 1] or (dyn != DYN_NONE and dyn != DYN_INTEGRATOR):
        return 0.0
    out = m.actuator_outadr[i]
    x = m.actuator_gear[out, 0]
    y = m.actuator_gear[out, 1]
    z = m.actuator_gear[out, 2]
    return 2.0 * pi * sqrt(x * x + y * y + z * z)


@helper
def nearest_turn(u, length, turn):
    """The set point u plus whole turns that is nearest to the length."""
    x = (u - length) / turn
    if x >= 0.0:
        return u - turn * floor(x + 0.5)
    return u + turn * floor(0.5 - x)


@helper
def gain_of(m, d, i):
    """Gain of actuator i."""
    g = m.actuator_gainprm[i, 0]
    if m.actuator_gaintype[i] == GAIN_AFFINE:
        out = m.actuator_outadr[i]
        g += m.actuator_gainprm[i, 1] * d.actuator_length[out] + m.actuator_gainprm[i, 2] * d.actuator_velocity[out]
    return g


@helper
def bias_of(m, d, i):
    """Bias of actuator i."""
    if m.actuator_biastype[i] != BIAS_AFFINE:
        return 0.0
    out = m.actuator_outadr[i]
    return m.actuator_biasprm[i, 0] + m.actuator_biasprm[i, 1] * d.actuator_length[out] + m.actuator_biasprm[i, 2] * d.actuator_velocity[out]


@helper
def input_of(m, d, i):
    """What the gain of actuator i multiplies: the control or the activation (the coming one with actearly)."""
    a = m.actuator_actadr[i]
    if a < 0:
        u = d.ctrl_used[m.actuator_ctrladr[i]]
    elif m.actuator_actearly[i]:
        u = next_act(m, d, i, d.act_dot[a])
    else:
        u = d.act[a]
    turn = turn_length(m, i)
    if turn > 0.0:
        u = nearest_turn(u, d.actuator_length[m.actuator_outadr[i]], turn)
    return u


@kernel()
def limit_tendon_totals(m, d):
    """Shrink the forces of actuators whose sum exceeds their tendon's actfrcrange.

    Reads: actuator_force
    Writes: actuator_force (and the scratch tendon_total)
    """
    for t in range(m.ntendon):
        d.tendon_total[t] = 0.0
    for i in range(m.nactuator):
        if m.actuator_trntype[i] == TRN_TENDON:
            d.tendon_total[m.actuator_trnid[i, 0]] += d.actuator_force[m.actuator_outadr[i]]
    for i in range(m.nactuator):
        if m.actuator_trntype[i] == TRN_TENDON:
            t = m.actuator_trnid[i, 0]
            total = d.tendon_total[t]
            if m.tendon_actfrclimited[t] and total != 0.0:
                d.actuator_force[m.actuator_outadr[i]] *= clip(total, m.tendon_actfrcrange[t, 0], m.tendon_actfrcrange[t, 1]) / total


@kernel()
def actuation(m, d):
    """Forces of all actuators and rates of all activations.

    Reads: ctrl, ctrl_noise, act, actuator_length, actuator_velocity, actuator_moment, moment_rownnz, moment_rowadr,
        moment_colind
    Writes: act_dot, actuator_force, qfrc_actuator, ctrl_used
    """
    for k in range(m.nv):
        d.qfrc_actuator[k] = 0.0
    for k in range(m.nout):
        d.actuator_force[k] = 0.0
    if m.nactuator == 0 or m.opt_disableflags & DSBL_ACTUATION:
        return
    controls(m, d)
    for i in range(m.nactuator):
        a = m.actuator_actadr[i]
        if a >= 0:
            d.act_dot[a] = act_rate(m, d, i)
    for i in range(m.nactuator):
        if not is_off(m, i):
            d.actuator_force[m.actuator_outadr[i]] = gain_of(m, d, i) * input_of(m, d, i) + bias_of(m, d, i)
    if m.ntendon > 0:
        limit_tendon_totals(m, d)
    for i in range(m.nactuator):
        out = m.actuator_outadr[i]
        f = d.actuator_force[out]
        if m.actuator_forcelimited[i]:
            f = clip(f, m.actuator_forcerange[i, 0], m.actuator_forcerange[i, 1])
            d.actuator_force[out] = f
        adr = d.moment_rowadr[out]
        for a in range(adr, adr + d.moment_rownnz[out]):
            d.qfrc_actuator[d.moment_colind[a]] += d.actuator_moment[a] * f
    for j in range(m.njnt):
        if m.jnt_actfrclimited[j]:
            k = m.jnt_dofadr[j]
            d.qfrc_actuator[k] = clip(d.qfrc_actuator[k], m.jnt_actfrcrange[j, 0], m.jnt_actfrcrange[j, 1])
