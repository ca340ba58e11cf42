"""Limits of joints and tendons: one row per side that is reached.

Source: MuJoCo documentation, chapter Computation, "Limit".
"""
from __future__ import annotations

from math import atan2, pi, sqrt

from physics.engine.constraint.append import put_row, reserve
from physics.engine.constraint.friction import is_without_effect, put_tendon_jacobian, tendon_acts
from physics.engine.constraint.impedance import ld2, ld5
from physics.engine.kinematics.joints import is_ball
from physics.enums import CNSTR_LIMIT_JOINT, CNSTR_LIMIT_TENDON, MINVAL, S_AWAKE
from physics.kernels.decorators import helper, kernel


@helper
def rotation_of(q0, q1, q2, q3):
    """(unit axis, angle in [0, pi]) of a quaternion that need not be normalised; axis (1, 0, 0) at angle 0."""
    n = sqrt(q1 * q1 + q2 * q2 + q3 * q3)
    if n < MINVAL:
        return 1.0, 0.0, 0.0, 0.0
    angle = 2.0 * atan2(n, q0)
    s = 1.0 / n
    if angle > pi:
        angle = 2.0 * pi - angle
        s = -s
    return s * q1, s * q2, s * q3, angle


@kernel("m d i")
def ball_limit(m, d, j):
    """Append the row that keeps the rotation angle of ball joint j below the larger number of its range."""
    q = m.jnt_qposadr[j]
    x, y, z, angle = rotation_of(d.qpos[q], d.qpos[q + 1], d.qpos[q + 2], d.qpos[q + 3])
    dist = max(m.jnt_range[j, 0], m.jnt_range[j, 1]) - angle
    if dist >= m.jnt_margin[j]:
        return
    row = reserve(d, 1, 3)
    if row < 0:
        return
    adr = d.efc_J_rowadr[row]
    dof = m.jnt_dofadr[j]
    d.efc_J[adr] = -x
    d.efc_J[adr + 1] = -y
    d.efc_J[adr + 2] = -z
    for k in range(3):
        d.efc_J_colind[adr + k] = dof + k
    put_row(m, d, row, CNSTR_LIMIT_JOINT, j, dist, m.jnt_margin[j], 0.0, m.dof_invweight0[dof], ld2(m.jnt_solref, j), ld5(m.jnt_solimp, j))


@kernel()
def limit_rows(m, d):
    """Append the rows of joint limits, then those of tendon limits.

    Reads: qpos, ten_length, ten_J
    Writes: efc_type, efc_id, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_pos, efc_margin, efc_frictionloss,
        efc_diagA, efc_KBIP, efc_R, efc_D, nefc, nJ
    """
    for j in range(m.njnt):
        if m.jnt_limited[j] == 0 or d.body_awake[m.jnt_bodyid[j]] != S_AWAKE:
            continue
        if is_ball(m, j):
            ball_limit(m, d, j)
            continue
        value = d.qpos[m.jnt_qposadr[j]]
        for side in range(2):
            # lower side: the row is +q, upper side: -q
            sign = 1.0 - 2.0 * side
            dist = sign * (value - m.jnt_range[j, side])
            if dist < m.jnt_margin[j]:
                row = reserve(d, 1, 1)
                if row >= 0:
                    adr = d.efc_J_rowadr[row]
                    dof = m.jnt_dofadr[j]
                    d.efc_J[adr] = sign
                    d.efc_J_colind[adr] = dof
                    put_row(m, d, row, CNSTR_LIMIT_JOINT, j, dist, m.jnt_margin[j], 0.0, m.dof_invweight0[dof],
                            ld2(m.jnt_solref, j), ld5(m.jnt_solimp, j))
    for t in range(m.ntendon):
        if m.tendon_limited[t] == 0 or not tendon_acts(m, d, t):
            continue
        for side in range(2):
            sign = 1.0 - 2.0 * side
            dist = sign * (d.ten_length[t] - m.tendon_range[t, side])
            if dist < m.tendon_margin[t] and not is_without_effect(m, d, t):
                row = reserve(d, 1, m.ten_J_rownnz[t])
                if row >= 0:
                    put_tendon_jacobian(m, d, row, t, sign)
                    put_row(m, d, row, CNSTR_LIMIT_TENDON, t, dist, m.tendon_margin[t], 0.0, m.tendon_invweight0[t],
                            ld2(m.tendon_solref_lim, t), ld5(m.tendon_solimp_lim, t))
