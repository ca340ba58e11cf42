"""The next state by the state and the controls, in one pass: columns of the implicit function theorem, and velocities as difference quotients of positions.

The solve's unknown is the position after the step. For a dof that is a number dqvel' = (dqpos' - dqpos) / h, for a rotation by the exponential's right
Jacobian. `d` holds the solution, `e` is a copy of it that is nudged (engine/hard/sensitivity.py).

Source: Sola, Deray and Atchuthan, "A micro Lie theory for state estimation in robotics", 2018, (143), (144).
"""
from __future__ import annotations

from math import sqrt, tan

from physics.engine.actuator.activation import advance_act
from physics.engine.hard.contact.mocap import take_mocap
from physics.engine.hard.sensitivity import (
    ACTIVATION,
    CONTROL,
    POSITION,
    VELOCITY,
    WIDE,
    add_forces,
    add_residual,
    answer,
    clear_right_side,
    look_nudged,
    nudge,
)
from physics.engine.kinematics.joints import rotation_dof
from physics.engine.linalg.vec import dot3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld6, st6

SMALL_ANGLE = 0.1   # of a rotation [rad]: below it a series


@kernel("m d d")
def take_state(m, d, e):
    """Let e have the state of d and what acts on it from outside, all that a step depends on."""
    e.time = d.time
    for i in range(m.nq):
        e.qpos[i] = d.qpos[i]
    for i in range(m.nv):
        e.qvel[i] = d.qvel[i]
        e.qacc_warmstart[i] = d.qacc_warmstart[i]
        e.qfrc_applied[i] = d.qfrc_applied[i]
    for i in range(m.na):
        e.act[i] = d.act[i]
    for i in range(m.nu):
        e.ctrl[i] = d.ctrl[i]
    for b in range(m.nbody):
        st6(e.xfrc_applied, b, ld6(d.xfrc_applied, b))
    for i in range(m.neq):
        e.eq_active[i] = d.eq_active[i]
    for i in range(m.nmocap):
        for k in range(3):
            e.mocap_pos[i, k] = d.mocap_pos[i, k]
        for k in range(4):
            e.mocap_quat[i, k] = d.mocap_quat[i, k]
    take_mocap(m, d, e)
    for i in range(m.nuserdata):
        e.userdata[i] = d.userdata[i]


@helper
def first_column(m, what):
    """Where the columns of what is nudged begin: by positions, velocities, activations, controls."""
    if what == POSITION:
        return 0
    if what == VELOCITY:
        return m.nv
    if what == ACTIVATION:
        return 2 * m.nv
    return 2 * m.nv + m.na


@helper
def inverse_right_jacobian(w):
    """Inverse of how exp(w) changes with w, in body axes, row by row: 1 + [w] / 2 + c [w]^2."""
    x = dot3(w, w)
    angle = sqrt(x)
    if angle < SMALL_ANGLE:
        c = 1.0 / 12.0 + x * (1.0 / 720.0 + x / 30240.0)
    else:
        c = (1.0 - 0.5 * angle / tan(0.5 * angle)) / x
    return (1.0 - c * (w[1] * w[1] + w[2] * w[2]), c * w[0] * w[1] - 0.5 * w[2], c * w[0] * w[2] + 0.5 * w[1],
            c * w[0] * w[1] + 0.5 * w[2], 1.0 - c * (w[0] * w[0] + w[2] * w[2]), c * w[1] * w[2] - 0.5 * w[0],
            c * w[0] * w[2] - 0.5 * w[1], c * w[1] * w[2] + 0.5 * w[0], 1.0 - c * (w[0] * w[0] + w[1] * w[1]))


@helper
def rates_of(m, d, r):
    """Inverse right Jacobian of how far the rotation at dof r goes in the step."""
    h = m.opt_timestep
    return inverse_right_jacobian((h * d.hard_qd[r], h * d.hard_qd[r + 1], h * d.hard_qd[r + 2]))


@kernel("m d i")
def put_column(m, d, c):
    """Column c of the next positions and velocities from hard_dir: velocities are difference quotients, of rotations by the exponential's Jacobian.

    Reads: hard_dir, hard_qd
    Writes: hard_column
    """
    wide = 2 * m.nv + m.na + m.nu
    for k in range(m.nv):
        d.hard_column[k * wide + c] = m.opt_timestep * d.hard_dir[k]
        d.hard_column[(m.nv + k) * wide + c] = d.hard_dir[k]
    for j in range(m.njnt):
        r = rotation_dof(m, j)
        if r < 0:
            continue
        t = rates_of(m, d, r)
        x = (d.hard_dir[r], d.hard_dir[r + 1], d.hard_dir[r + 2])
        d.hard_column[(m.nv + r) * wide + c] = t[0] * x[0] + t[1] * x[1] + t[2] * x[2]
        d.hard_column[(m.nv + r + 1) * wide + c] = t[3] * x[0] + t[4] * x[1] + t[5] * x[2]
        d.hard_column[(m.nv + r + 2) * wide + c] = t[6] * x[0] + t[7] * x[1] + t[8] * x[2]


@kernel("m d")
def leave_first(m, d):
    """What velocities lose with the positions at the start of the step: a difference quotient's other end, of rotations by the transposed Jacobian.

    Reads: hard_qd
    Writes: hard_column
    """
    wide = 2 * m.nv + m.na + m.nu
    for k in range(m.nv):
        r = rotation_dof(m, m.dof_jntid[k])
        if r < 0 or k < r:
            d.hard_column[(m.nv + k) * wide + k] -= 1.0 / m.opt_timestep
    for j in range(m.njnt):
        r = rotation_dof(m, j)
        if r < 0:
            continue
        t = rates_of(m, d, r)
        for i in range(3):
            row = (m.nv + r + i) * wide + r
            x = (t[0], t[3], t[6])
            if i == 1:
                x = (t[1], t[4], t[7])
            elif i == 2:
                x = (t[2], t[5], t[8])
            d.hard_column[row] -= x[0] / m.opt_timestep
            d.hard_column[row + 1] -= x[1] / m.opt_timestep
            d.hard_column[row + 2] -= x[2] / m.opt_timestep


@helper
def nudges_of(m, what):
    """How many there are of what is nudged."""
    if what == ACTIVATION:
        return m.na
    if what == CONTROL:
        return m.nu
    return m.nv


@helper
def room_for(m, d, what, k, step):
    """`step`, 0 for a control that would leave its range by it."""
    if what == CONTROL and m.actuator_ctrllimited[k]:
        u = d.ctrl[k] + step
        if u < m.actuator_ctrlrange[k, 0] or u > m.actuator_ctrlrange[k, 1]:
            return 0.0
    return step


@kernel("m d d i f", ret="i")
def columns(m, d, e, what, step):
    """hard_column: how the next state (2 nv + na) changes with each number of what is nudged, in the columns from first_column on.

    Differences of the residual by `step` to both sides, of a control at the edge of its range to one. Returns 0 where room was lacking in e, else 1.
    """
    wide = 2 * m.nv + m.na + m.nu
    for k in range(nudges_of(m, what)):
        c = first_column(m, what) + k
        clear_right_side(m, d)
        for i in range(2 * m.nv + m.na):
            d.hard_column[i * wide + c] = 0.0
        up = room_for(m, d, what, k, step)
        down = room_for(m, d, what, k, -step)
        if up == down:
            continue
        for side in range(2):
            nudge(m, d, e, what, k, up if side == 0 else down)
            e.hard_recover = d.hard_recover + WIDE * step
            if look_nudged(m, d, e, what) == 0:
                return 0
            part = (1.0 if side == 0 else -1.0) / (up - down)
            if what == POSITION:
                add_residual(m, d, e, part)
            else:
                add_forces(m, d, e, what, part)
            advance_act(m, e, e.act_dot)
            for i in range(m.na):
                d.hard_column[(2 * m.nv + i) * wide + c] += part * e.act[i]
        answer(m, d)
        put_column(m, d, c)
    return 1
