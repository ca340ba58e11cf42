"""What reaches an actuator's force law: controls, clamped and perhaps late, and the states that they drive.

    none, integrator, filter, filterexact, muscle (muscle.py), pid (servo.py), dcmotor (dcmotor.py), user (a callback)

A user's dynamics (user_callbacks.py) answers the rate of an actuator's one state, or writes the rates of several to act_dot.

Source: MuJoCo documentation, Computation chapter, "Actuation model"; XML reference, actuator/general.
"""
from __future__ import annotations

from math import exp

from physics.engine.actuator.dcmotor import motor_rates, next_motor_state
from physics.engine.actuator.delay_history import delayed_controls
from physics.engine.actuator.muscle import muscle_rate
from physics.engine.actuator.servo import nearest_turn, pid_rates, shorten_turn, turn_length
from physics.engine.clamp import clip, is_bad
from physics.engine.user_callbacks import call_callback
from physics.enums import (
    DSBL_ACTUATION,
    DSBL_CLAMPCTRL,
    DYN_DCMOTOR,
    DYN_FILTER,
    DYN_FILTEREXACT,
    DYN_INTEGRATOR,
    DYN_MUSCLE,
    DYN_PID,
    GAIN_SO3,
    MINVAL,
    WARN_BADCTRL,
)
from physics.kernels.decorators import helper, kernel

GROUPS = 30  # groups 0..30 can be switched off


@helper
def is_off(m, i):
    """Whether the group of actuator i is switched off."""
    g = m.actuator_group[i]
    if m.opt_disableactuator == 0 or g < 0 or g > GROUPS:
        return False
    return (m.opt_disableactuator >> g) & 1 == 1


@kernel()
def controls(m, d):
    """Controls that count: with noise, late where delayed, clamped, and all zero if any is bad (a warning names it).

    Reads: time, ctrl, ctrl_noise, history
    Writes: ctrl_used, warning_number, warning_lastinfo
    """
    clamp = m.opt_disableflags & DSBL_CLAMPCTRL == 0
    for i in range(m.nu):
        d.ctrl_used[i] = d.ctrl[i] + d.ctrl_noise[i]
    if m.nhistory > 0:
        delayed_controls(m, d)
    bad = -1
    for i in range(m.nu - 1, -1, -1):
        u = d.ctrl_used[i]
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


@kernel("m d i")
def other_rates(m, d, i):
    """Rates of the states of actuator i, whose dynamics is none of the plain ones.

    Reads: act, actuator_length, actuator_velocity, ctrl_used
    Writes: act_dot, ctrl_used, cb_id, cb_value
    """
    kind = m.actuator_dyntype[i]
    a = m.actuator_actadr[i]
    n = m.actuator_actnum[i]
    for k in range(a, a + n):
        d.act_dot[k] = 0.0
    if kind == DYN_MUSCLE:
        d.act_dot[a] = muscle_rate(m, d, i, d.ctrl_used[m.actuator_ctrladr[i]])
    elif kind == DYN_PID:
        pid_rates(m, d, i)
    elif kind == DYN_DCMOTOR:
        motor_rates(m, d, i)
    elif d.cb_act_dyn != 0:
        rate = call_callback(m, d, d.cb_act_dyn, i)
        if n == 1:
            d.act_dot[a] = rate


@kernel()
def activation_rates(m, d):
    """Rates of all activations.

    A filtered set point on a circle moves the short way round.

    Reads: act, ctrl_used, actuator_length, actuator_velocity
    Writes: act_dot, ctrl_used, cb_id, cb_value
    """
    for r in range(d.nactuator_run):
        for i in range(d.actuator_run[r, 0], d.actuator_run[r, 1]):
            a = m.actuator_actadr[i]
            if a < 0:
                continue
            u = m.actuator_ctrladr[i]
            kind = m.actuator_dyntype[i]
            if kind == DYN_INTEGRATOR:
                for k in range(min(m.actuator_ctrlnum[i], m.actuator_actnum[i])):
                    d.act_dot[a + k] = d.ctrl_used[u + k]
            elif kind == DYN_FILTER or kind == DYN_FILTEREXACT:
                wanted = d.ctrl_used[u]
                turn = turn_length(m, i)
                if turn > 0.0:
                    wanted = nearest_turn(wanted, d.act[a], turn)
                d.act_dot[a] = (wanted - d.act[a]) / max(MINVAL, m.actuator_dynprm[i, 0])
            else:
                other_rates(m, d, i)


@helper
def next_act(m, d, i, a, rate):
    """Activation act[a], a state of actuator i, one time step later at this rate."""
    kind = m.actuator_dyntype[i]
    if kind == DYN_DCMOTOR:
        return next_motor_state(m, d, i, a, rate)
    h = m.opt_timestep
    if kind == DYN_FILTEREXACT:
        tau = max(MINVAL, m.actuator_dynprm[i, 0])
        h = tau * (1.0 - exp(-h / tau))
    u = d.act[a] + h * rate
    if m.actuator_actlimited[i]:
        u = clip(u, m.actuator_actrange[i, 0], m.actuator_actrange[i, 1])
    return u


@helper
def last_act(m, d, i):
    """The state that drives the force of actuator i: its last one, as it will be after the step with actearly."""
    a = m.actuator_actadr[i] + m.actuator_actnum[i] - 1
    if m.actuator_actearly[i]:
        return next_act(m, d, i, a, d.act_dot[a])
    return d.act[a]


@helper
def driving_input(m, d, i):
    """What drives the force of actuator i: its last activation, or the control where it has none, or 0."""
    if m.actuator_actnum[i] > 0:
        return last_act(m, d, i)
    if m.actuator_ctrlnum[i] > 0:
        return d.ctrl_used[m.actuator_ctrladr[i]]
    return 0.0


@helper
def advance_act(m, d, rate):
    """Advance all activations at the given rates; those of disabled actuators stay.

    A set point on a circle is then replaced by the same one nearest to where the actuator is.
    """
    if m.na == 0 or m.opt_disableflags & DSBL_ACTUATION:
        return
    for i in range(m.nactuator):
        first = m.actuator_actadr[i]
        if first < 0:
            continue
        n = m.actuator_actnum[i]
        idle = is_off(m, i)
        for a in range(first, first + n):
            r = rate[a]
            if idle:
                r = 0.0
            d.act[a] = next_act(m, d, i, a, r)
        if m.actuator_dyntype[i] <= DYN_FILTEREXACT:
            turn = turn_length(m, i)
            if turn > 0.0:
                d.act[first] = nearest_turn(d.act[first], d.actuator_length[m.actuator_outadr[i]], turn)
            elif m.actuator_gaintype[i] == GAIN_SO3:
                shorten_turn(d.act, first)
