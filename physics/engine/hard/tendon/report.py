"""Rows of tendons in the soft engine's words: dry friction, ends of ranges, couplings, with their forces.

Source: MuJoCo documentation, Computation chapter, "Constraint model" (types and order of rows).
"""
from __future__ import annotations

from physics.engine.constraint.append import put_row, reserve
from physics.engine.constraint.friction import put_tendon_jacobian
from physics.engine.constraint.impedance import ld2, ld5
from physics.engine.hard.tendon.impulses import BACKWARDS, FORWARDS, LOWER, MULTIPLIER, SLOWEST, UPPER
from physics.engine.hard.tendon.rows import FAR, LIMIT, RUB, TIE, end_gaps
from physics.enums import CNSTR_FRICTION_TENDON, CNSTR_LIMIT_TENDON, CNSTRSTATE_LINEARNEG, CNSTRSTATE_LINEARPOS, CNSTRSTATE_QUADRATIC
from physics.kernels.decorators import helper, kernel

AT_BOUND = 1e-6   # part of a bound by which dry friction may miss it


@helper
def tendon_room(m, d):
    """How many rows, and entries of their Jacobians, those of ranges and dry friction may take."""
    rows = 0
    entries = 0
    for r in range(d.hard_nten):
        n = 2 * int(d.hten_kind[r] & (LIMIT | FAR) != 0) + int(d.hten_kind[r] & RUB != 0)
        rows += n
        entries += n * m.ten_J_rownnz[d.hten_tendon[r]]
    return rows, entries


@helper
def coupling_force(d, i):
    """Impulse of equality i between tendons."""
    for r in range(d.hard_nten):
        if d.hten_kind[r] & TIE and d.hten_eq[r] == i:
            return d.hten_var[r, MULTIPLIER] * 1.0
    return 0.0


@helper
def has_couplings(d):
    """Whether a row is a coupling."""
    n = 0
    for r in range(d.hard_nten):
        n += int(d.hten_kind[r] & TIE != 0)
    return n > 0


@helper
def put_force(d, row, force, state):
    """Force and state of a row, which asks for no acceleration."""
    d.efc_force[row] = force
    d.efc_state[row] = state
    d.efc_vel[row] = 0.0
    d.efc_aref[row] = 0.0
    d.efc_b[row] = 0.0


@kernel()
def tendon_friction_rows(m, d):
    """Append the rows of dry friction.

    Reads: hard_nten, hten_kind, hten_tendon, hten_var, hard_h, ten_J
    Writes: efc_type, efc_id, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_pos, efc_margin, efc_frictionloss, efc_diagA, efc_KBIP, efc_R, efc_D, efc_force,
        efc_state, efc_vel, efc_aref, efc_b, nefc, nJ
    """
    for r in range(d.hard_nten):
        if d.hten_kind[r] & RUB == 0:
            continue
        t = d.hten_tendon[r]
        row = reserve(d, 1, m.ten_J_rownnz[t])
        if row < 0:
            continue
        put_tendon_jacobian(m, d, row, t, 1.0)
        loss = m.tendon_frictionloss[t]
        put_row(m, d, row, CNSTR_FRICTION_TENDON, t, 0.0, 0.0, loss, m.tendon_invweight0[t], ld2(m.tendon_solref_fri, t), ld5(m.tendon_solimp_fri, t))
        force = 0.5 * (d.hten_var[r, FORWARDS + 1] - d.hten_var[r, BACKWARDS + 1]) / d.hard_h
        state = CNSTRSTATE_QUADRATIC
        if force >= (1.0 - AT_BOUND) * loss:
            state = CNSTRSTATE_LINEARNEG
        elif force <= (AT_BOUND - 1.0) * loss:
            state = CNSTRSTATE_LINEARPOS
        put_force(d, row, force, state)


@kernel()
def tendon_limit_rows(m, d):
    """Append the rows of the ends of ranges that are overstepped or push.

    Reads: hard_nten, hten_kind, hten_tendon, hten_var, hard_h, ten_J, ten_length
    Writes: efc_type, efc_id, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_pos, efc_margin, efc_frictionloss, efc_diagA, efc_KBIP, efc_R, efc_D, efc_force,
        efc_state, efc_vel, efc_aref, efc_b, nefc, nJ
    """
    for r in range(d.hard_nten):
        if d.hten_kind[r] & LIMIT == 0:
            continue
        t = d.hten_tendon[r]
        upper, lower = end_gaps(m, d, t, 0.0)
        for side in range(2):
            # lower end: the row is +length, upper end: -length
            dist = lower if side == 0 else upper
            k = LOWER if side == 0 else UPPER
            impulse = d.hten_var[r, k + 1] * 1.0
            # of impulse over mass and slack, both speeds, one is as good as 0
            if dist < m.tendon_margin[t] or impulse * max(m.tendon_invweight0[t], SLOWEST) > d.hten_var[r, k]:
                row = reserve(d, 1, m.ten_J_rownnz[t])
                if row >= 0:
                    put_tendon_jacobian(m, d, row, t, 1.0 - 2.0 * side)
                    put_row(m, d, row, CNSTR_LIMIT_TENDON, t, dist, m.tendon_margin[t], 0.0, m.tendon_invweight0[t], ld2(m.tendon_solref_lim, t), ld5(m.tendon_solimp_lim, t))
                    put_force(d, row, impulse / d.hard_h, CNSTRSTATE_QUADRATIC)
