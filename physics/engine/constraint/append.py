"""Room for constraint rows, and writing a row of the simple kinds.

`reserve` counts what is asked for even where there is no room, so that one pass tells how much is needed.
"""
from __future__ import annotations

from physics.engine.constraint.impedance import (
    DEFAULT_SOLREF,
    MINVAL,
    clip_impedance,
    damping,
    impedance,
    put_parameters,
    regularizer,
    resolved,
    stiffness,
    usable_solref,
)
from physics.enums import CNSTR_LIMIT_JOINT, CNSTR_LIMIT_TENDON, JAC_AUTO, JAC_DENSE
from physics.kernels.decorators import helper

SPARSE_FROM = 60  # degrees of freedom from which on the official engine takes Jacobians as sparse
SPARE = 4  # entries of efc_J after the last row: fours may reach beyond it


@helper
def reserve(d, nrow, nnz):
    """Address of nrow new rows of nnz entries each, -1 where there is no room (the need is counted all the same)."""
    row = d.nefc
    adr = d.nJ
    d.nefc = row + nrow
    d.nJ = adr + nrow * nnz
    if row + nrow > d.maxefc or adr + nrow * nnz + SPARE > d.maxJ:
        return -1
    for k in range(nrow):
        d.efc_J_rownnz[row + k] = nnz
        d.efc_J_rowadr[row + k] = adr + k * nnz
    return row


@helper
def drops_empty(m):
    """Whether rows whose Jacobian is all zeros are left out: officially where Jacobians are dense."""
    return m.opt_jacobian == JAC_DENSE or (m.opt_jacobian == JAC_AUTO and m.nv < SPARSE_FROM)


@helper
def is_empty(vec, adr, n):
    """Whether n entries of vec from adr on are zeros."""
    for k in range(adr, adr + n):
        if vec[k] != 0.0:
            return False
    return True


@helper
def put_row(m, d, row, kind, ident, pos, margin, floss, weight, ref, imp):
    """Write everything of a row but its Jacobian.

    kind, ident: efc_type and efc_id. pos, margin: residual and where it starts to act. floss: bound of a friction row,
    0 for others. weight: inverse inertia along the row. ref, imp: solref (2) and solimp (5).
    """
    put_row_at(m, d, row, kind, ident, pos, pos - margin, margin, floss, weight, ref, imp)


@helper
def put_row_at(m, d, row, kind, ident, pos, depth, margin, floss, weight, ref, imp):
    """The same where the impedance is that of another residual, `depth`: rows of a pair of frames share theirs."""
    d.efc_type[row] = kind
    d.efc_id[row] = ident
    d.efc_pos[row] = pos
    d.efc_margin[row] = margin
    d.efc_frictionloss[row] = floss
    value, slope = impedance(imp, depth)
    r = usable_solref(m, ref, DEFAULT_SOLREF)
    dw = clip_impedance(imp[1])
    k = 0.0
    if floss <= 0.0:
        k = stiffness(r, dw)
    b = damping(r, dw)
    if kind == CNSTR_LIMIT_JOINT or kind == CNSTR_LIMIT_TENDON:
        k, b = resolved(m, r, value, k, b)
    put_parameters(d, row, k, b, value, slope, regularizer(value, max(MINVAL, weight)))
