"""Derivatives of activations and smooth forces that are known in closed form, for analytic.py.

All hold for the state that `forward` has computed last. A (row of a) block without a closed form is NaN.
"""
from __future__ import annotations

import numpy as np

from physics.engine.actuator.activation import is_off
from physics.engine.actuator.actuation import affine
from physics.engine.actuator.length_derivative import actuator_stiffness
from physics.engine.actuator.muscle import muscle_gain, muscle_gain_slope, smooth_step
from physics.engine.actuator.transmission import on_joint, tendon_damping
from physics.engine.actuator.velocity_derivative import actuator_slope, force_is_held
from physics.engine.integrator import derivative
from physics.engine.kinematics.joints import dof_count, joint_spring_slope, poly_slope
from physics.engine.passive.passive import has_joint_spring, tendon_stretch
from physics.enums import (
    BIAS_AFFINE,
    BIAS_MUSCLE,
    BIAS_NONE,
    DSBL_ACTUATION,
    DSBL_CLAMPCTRL,
    DSBL_DAMPER,
    DSBL_SPRING,
    DYN_FILTER,
    DYN_FILTEREXACT,
    DYN_INTEGRATOR,
    DYN_MUSCLE,
    DYN_NONE,
    GAIN_AFFINE,
    GAIN_FIXED,
    GAIN_MUSCLE,
    MINVAL,
    TRN_TENDON,
    WRAP_JOINT,
)
from physics.model.data import Data
from physics.model.model import Model

_PLAIN_DYNAMICS = (DYN_NONE, DYN_INTEGRATOR, DYN_FILTER, DYN_FILTEREXACT, DYN_MUSCLE)
_PLAIN_GAINS = (GAIN_FIXED, GAIN_AFFINE, GAIN_MUSCLE)
_PLAIN_BIASES = (BIAS_NONE, BIAS_AFFINE, BIAS_MUSCLE)


# ---------------------------------------------------------------- moment arms


def tendon_rows(m: Model, d: Data) -> np.ndarray:
    """The tendons' Jacobian (ntendon, nv)."""
    out = np.zeros((m.ntendon, m.nv))
    rows = np.repeat(np.arange(m.ntendon), m.ten_J_rownnz)
    out[rows, m.ten_J_colind] = d.ten_J
    return out


def moment_rows(m: Model, d: Data) -> np.ndarray:
    """The outputs' moments (nout, nv)."""
    out = np.zeros((m.nout, m.nv))
    for k in range(m.nout):
        adr, n = d.moment_rowadr[k], d.moment_rownnz[k]
        out[k, d.moment_colind[adr:adr + n]] = d.actuator_moment[adr:adr + n]
    return out


def is_fixed_tendon(m: Model, t: int) -> bool:
    """Whether tendon t is a sum of joint positions, so that its Jacobian never changes."""
    return m.wrap_type[m.tendon_adr[t]] == WRAP_JOINT


def has_fixed_arm(m: Model, i: int) -> bool:
    """Whether the moments of actuator i never change: it acts on a scalar joint, or on a tendon of joints."""
    k = m.actuator_trnid[i, 0]
    if m.actuator_trntype[i] == TRN_TENDON:
        return is_fixed_tendon(m, k)
    return on_joint(m, i) and dof_count(m.jnt_type[k]) == 1


# ---------------------------------------------------------------- controls and activations


def has_plain_law(m: Model, i: int) -> bool:
    """Whether gain and bias of actuator i are fixed, affine or a muscle's, and its dynamics is one of those that `rates` knows."""
    return (m.actuator_gaintype[i] in _PLAIN_GAINS and m.actuator_biastype[i] in _PLAIN_BIASES and m.actuator_dyntype[i] in _PLAIN_DYNAMICS
            and m.actuator_actnum[i] <= 1 and m.actuator_ctrlnum[i] <= 1)


def _controls_that_count(m: Model, d: Data, eps: float) -> np.ndarray:
    """Derivative (nu) of the clamped controls by the controls: 1 inside the range and at its edges, 0 outside and where it is narrower than eps."""
    u = d.ctrl + d.ctrl_noise
    if m.opt_disableflags & DSBL_CLAMPCTRL:
        return np.ones(m.nu)
    low, high = m.actuator_ctrlrange.T
    inside = (low <= u) & (u <= high) & (high - low >= eps)
    return np.where(m.actuator_ctrllimited != 0, inside, True).astype(float)


def _muscle_rate(m: Model, d: Data, i: int) -> tuple[float, float]:
    """Derivatives of muscle_rate by activation and by excitation; NaN at rest where waking and relaxing meet in a corner."""
    u, act = d.ctrl_used[m.actuator_ctrladr[i]], d.act[m.actuator_actadr[i]]
    excess = min(max(u, 0.0), 1.0) - act
    ease = 0.5 + 1.5 * min(max(act, 0.0), 1.0)
    ease_slope = 1.5 if 0.0 <= act <= 1.0 else 0.0
    wake, relax, width = m.actuator_dynprm[i, 0] * ease, m.actuator_dynprm[i, 1] / ease, m.actuator_dynprm[i, 2]
    if width >= MINVAL:
        x = min(max(excess / width + 0.5, 0.0), 1.0)
        share, share_slope = smooth_step(x), 30.0 * (x * (1.0 - x)) ** 2 / width
    else:
        share, share_slope = (1.0 if excess > 0.0 else 0.0 if excess < 0.0 else np.nan), 0.0
    tau = max(MINVAL, relax + (wake - relax) * share)
    by_share = -excess / tau**2 * (wake - relax) * share_slope
    by_ease = -excess / tau**2 * (m.actuator_dynprm[i, 0] * share - relax / ease * (1.0 - share)) * ease_slope
    by_excess = 1.0 / tau + by_share
    return by_ease - by_excess, by_excess if 0.0 <= u <= 1.0 else 0.0


def _rate(m: Model, d: Data, i: int) -> tuple[float, float]:
    """Derivatives of the rate of actuator i's one activation by the activation and by the clamped control."""
    kind = m.actuator_dyntype[i]
    if kind == DYN_MUSCLE:
        return _muscle_rate(m, d, i)
    if kind == DYN_INTEGRATOR:
        return 0.0, 1.0
    pace = 1.0 / max(MINVAL, m.actuator_dynprm[i, 0])
    return -pace, pace


def next_activations(m: Model, d: Data, eps: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Derivatives of the activations after a step by the activations (na, na) and the controls (na, nu), and which rows (na) are known.

    Rows that are not known are NaN at their own actuator's activations and controls, and 0 elsewhere.
    """
    by_act, by_ctrl, sure = np.eye(m.na), np.zeros((m.na, m.nu)), np.ones(m.na, bool)
    if m.opt_disableflags & DSBL_ACTUATION:
        return by_act, by_ctrl, sure
    counts = _controls_that_count(m, d, eps)
    for i in range(m.nactuator):
        a, n, u = m.actuator_actadr[i], m.actuator_actnum[i], m.actuator_ctrladr[i]
        if n == 0 or is_off(m, i):
            continue
        if not has_plain_law(m, i):
            by_act[a:a + n, a:a + n] = np.nan
            by_ctrl[a:a + n, u:u + m.actuator_ctrlnum[i]] = np.nan
            sure[a:a + n] = False
            continue
        h = m.opt_timestep
        if m.actuator_dyntype[i] == DYN_FILTEREXACT:
            tau = max(MINVAL, m.actuator_dynprm[i, 0])
            h = tau * -np.expm1(-h / tau)
        own, asked = _rate(m, d, i)
        reached = d.act[a] + h * d.act_dot[a]
        low, high = m.actuator_actrange[i]
        free = not m.actuator_actlimited[i] or low <= reached <= high
        by_act[a, a] = 1.0 + h * own if free else 0.0
        by_ctrl[a, u] = h * asked * counts[u] if free else 0.0
    return by_act, by_ctrl, sure


# ---------------------------------------------------------------- forces


def _gain(m: Model, d: Data, i: int) -> float:
    kind = m.actuator_gaintype[i]
    if kind == GAIN_MUSCLE:
        return muscle_gain(m, d, i)
    return float(m.actuator_gainprm[i, 0] if kind == GAIN_FIXED else affine(m, d, i, m.actuator_gainprm))


def gain_follows_velocity(m: Model, d: Data, i: int) -> bool:
    """Whether what an implicit integrator takes of actuator i changes with its input."""
    kind = m.actuator_gaintype[i]
    if kind == GAIN_MUSCLE:
        return muscle_gain_slope(m, d, i) != 0.0
    return kind == GAIN_AFFINE and m.actuator_gainprm[i, 2] != 0.0


def force_by_input(m: Model, d: Data, eps: float, implicit: bool) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives of qfrc_actuator by activations (nv, na) and controls (nv, nu).

    implicit: NaN too where the integrator's matrix changes with the input.
    """
    by_act, by_ctrl = np.zeros((m.nv, m.na)), np.zeros((m.nv, m.nu))
    if m.opt_disableflags & DSBL_ACTUATION:
        return by_act, by_ctrl
    counts, moment = _controls_that_count(m, d, eps), moment_rows(m, d)
    act_by_act, act_by_ctrl, _sure = next_activations(m, d, eps)
    for i in range(m.nactuator):
        a, n, u, nu = m.actuator_actadr[i], m.actuator_actnum[i], m.actuator_ctrladr[i], m.actuator_ctrlnum[i]
        if is_off(m, i) or n + nu == 0:
            continue
        if not has_plain_law(m, i) or (implicit and gain_follows_velocity(m, d, i)):
            by_act[:, a:a + n] = np.nan
            by_ctrl[:, u:u + nu] = np.nan
        elif not force_is_held(m, d, i):
            push = _gain(m, d, i) * moment[m.actuator_outadr[i]]
            if not n:
                by_ctrl[:, u] += push * counts[u]
            elif m.actuator_actearly[i]:
                by_act[:, a] += push * act_by_act[a, a]
                by_ctrl[:, u] += push * act_by_ctrl[a, u]
            else:
                by_act[:, a] += push
    held = held_dofs(m, d)
    by_act[held], by_ctrl[held] = 0.0, 0.0
    return by_act, by_ctrl


def held_dofs(m: Model, d: Data) -> np.ndarray:
    """Which dofs (nv) have all their actuator force held by their joint's range."""
    held = np.zeros(m.nv, bool)
    for j in np.flatnonzero(m.jnt_actfrclimited):
        k = m.jnt_dofadr[j]
        held[k] = not m.jnt_actfrcrange[j, 0] < d.qfrc_actuator[k] < m.jnt_actfrcrange[j, 1]
    return held


def _squares(rows: np.ndarray, factors: list[float]) -> np.ndarray:
    """Sum of factor row'row."""
    return rows.T @ (np.array(factors).reshape(-1, 1) * rows)


def force_by_velocity(m: Model, d: Data) -> tuple[np.ndarray, np.ndarray]:
    """Derivative (nv, nv) of all forces by velocity, and the part of it that the integrator `implicit` takes.

    The engine's own, and what is not in its pattern. NaN where actuators follow laws that the engine takes to be simpler than they are.
    """
    derivative.smooth_slope(m, d)
    taken, analytic = np.zeros((m.nv, m.nv)), np.zeros((m.nv, m.nv), bool)
    rows = np.repeat(np.arange(m.nv), m.D_rownnz)
    taken[rows, m.D_colind], analytic[rows, m.D_colind] = d.qDeriv, True
    rest = np.zeros((m.nv, m.nv))
    if m.opt_disableflags & DSBL_DAMPER == 0:
        rows = tendon_rows(m, d)
        slopes = [poly_slope(*tendon_damping(m, t), abs(d.ten_velocity[t])) for t in range(m.ntendon)]
        rest -= _squares(rows, slopes)
    if m.opt_disableflags & DSBL_ACTUATION == 0:
        on = [i for i in range(m.nactuator) if not is_off(m, i)]
        if not all(has_plain_law(m, i) for i in on):
            return np.full((m.nv, m.nv), np.nan), taken
        rest += _squares(moment_rows(m, d)[m.actuator_outadr[on]], [actuator_slope(m, d, i) for i in on])
        if held_dofs(m, d).any():
            return np.full((m.nv, m.nv), np.nan), taken
    return taken + np.where(analytic, 0.0, rest), taken


def force_by_length(m: Model, d: Data) -> np.ndarray:
    """Derivative (nv, nv) by position of the forces that follow from lengths: springs of scalar joints and fixed tendons, actuators on them."""
    out = np.zeros((m.nv, m.nv))
    if m.opt_disableflags & DSBL_SPRING == 0:
        for j in range(m.njnt):
            if has_joint_spring(m, j):
                joint_spring_slope(m, d, j)
                out[m.jnt_dofadr[j], m.jnt_dofadr[j]] -= d.spring_slope[m.jnt_dofadr[j]]
        stretch = [tendon_stretch(m, d, t) for t in range(m.ntendon)]
        sprung = [x != 0.0 or m.tendon_lengthspring[t, 0] == m.tendon_lengthspring[t, 1] for t, x in enumerate(stretch)]   # slack between two lengths, but not at one
        slopes = [poly_slope(m.tendon_stiffness[t], *m.tendon_stiffnesspoly[t], x) if sprung[t] else 0.0 for t, x in enumerate(stretch)]
        out -= _squares(tendon_rows(m, d), slopes)
    if m.opt_disableflags & DSBL_ACTUATION == 0:
        on = [i for i in range(m.nactuator) if not is_off(m, i)]
        out -= _squares(moment_rows(m, d)[m.actuator_outadr[on]], [actuator_stiffness(m, d, i) for i in on])
    return out
