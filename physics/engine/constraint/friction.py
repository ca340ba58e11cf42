"""Dry friction of dofs and of tendons: rows that resist motion with a bounded force.

Source: MuJoCo documentation, chapter Computation, "Friction loss".
"""
from __future__ import annotations

from physics.engine.constraint.append import drops_empty, is_empty, put_row, reserve
from physics.engine.constraint.impedance import ld2, ld5
from physics.engine.sleep.awake import some_asleep
from physics.engine.sleep.state import tendon_state
from physics.enums import CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON, S_AWAKE
from physics.kernels.decorators import helper, kernel


@helper
def is_without_effect(m, d, t):
    """Whether no dof can move tendon t, or none does so now and such rows are left out.

    A row without entries belongs to no kinematic tree: everything after this stage relies on there being none.
    """
    return m.ten_J_rownnz[t] == 0 or (drops_empty(m) and is_empty(d.ten_J, m.ten_J_rowadr[t], m.ten_J_rownnz[t]))


@helper
def tendon_acts(m, d, t):
    """Whether tendon t may have rows: not while all that it holds sleeps."""
    return not some_asleep(m, d) or tendon_state(m, d, t) == S_AWAKE


@helper
def put_tendon_jacobian(m, d, row, t, sign):
    """Row's Jacobian = sign times that of tendon t."""
    adr = m.ten_J_rowadr[t]
    dst = d.efc_J_rowadr[row]
    for k in range(m.ten_J_rownnz[t]):
        d.efc_J[dst + k] = sign * d.ten_J[adr + k]
        d.efc_J_colind[dst + k] = m.ten_J_colind[adr + k]


@kernel()
def friction_rows(m, d):
    """Append the friction rows of dofs, then those of tendons.

    Reads: ten_J
    Writes: efc_type, efc_id, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_pos, efc_margin, efc_frictionloss,
        efc_diagA, efc_KBIP, efc_R, efc_D, nefc, nJ
    """
    for r in range(d.ndof_run):
        for i in range(d.dof_run[r, 0], d.dof_run[r, 1]):
            floss = m.dof_frictionloss[i]
            if floss > 0.0:
                row = reserve(d, 1, 1)
                if row >= 0:
                    adr = d.efc_J_rowadr[row]
                    d.efc_J[adr] = 1.0
                    d.efc_J_colind[adr] = i
                    put_row(m, d, row, CNSTR_FRICTION_DOF, i, 0.0, 0.0, floss, m.dof_invweight0[i], ld2(m.dof_solref, i), ld5(m.dof_solimp, i))
    for t in range(m.ntendon):
        floss = m.tendon_frictionloss[t]
        if floss > 0.0 and tendon_acts(m, d, t) and not is_without_effect(m, d, t):
            row = reserve(d, 1, m.ten_J_rownnz[t])
            if row >= 0:
                put_tendon_jacobian(m, d, row, t, 1.0)
                put_row(m, d, row, CNSTR_FRICTION_TENDON, t, 0.0, 0.0, floss, m.tendon_invweight0[t],
                        ld2(m.tendon_solref_fri, t), ld5(m.tendon_solimp_fri, t))
