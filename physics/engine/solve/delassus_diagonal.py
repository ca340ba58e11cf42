"""The flag diagexact: impedances by the diagonal of the Delassus matrix J M^-1 J' in this pose, in place of the estimate made at qpos0.

Source: MuJoCo documentation, chapter Computation, "Diagonal approximation"; chapter Modeling, "Solver parameters".
"""
from __future__ import annotations

from math import sqrt

from physics.engine.constraint.impedance import regularizer
from physics.engine.inertia.mass_matrix import fill_factor
from physics.engine.solve.constraint_blocks import find_blocks
from physics.engine.solve.delassus_factor import delassus_entry, layout_delassus, solve_delassus_rows
from physics.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_CONTACT_PYRAMIDAL, ENBL_DIAGEXACT, MINVAL
from physics.kernels.decorators import helper, kernel


@helper
def put_regularizer(d, row, reg):
    """Write R, D and the inverse inertia that fits R."""
    imp = d.efc_KBIP[row, 2]
    d.efc_R[row] = reg
    d.efc_D[row] = 1.0 / reg
    d.efc_diagA[row] = reg * imp / (1.0 - imp)


@helper
def put_contact_regularizer(m, d, row, num, first):
    """The same for a contact with friction whose first row's R is `first`: the others follow it as contact_rows.py has it."""
    # R of the tangents = R of the normal / impratio, and the mu of the regularised cone that goes with it
    i = d.efc_id[row]
    mu1 = d.contact_friction[i, 0]
    second = first / max(MINVAL, m.opt_impratio)
    mu = mu1 * sqrt(second / first)
    d.contact_mu[i] = mu
    # an edge normal +- mu tangent: R = 2 mu^2 R_normal for all
    if d.efc_type[row] == CNSTR_CONTACT_PYRAMIDAL:
        for k in range(row, row + num):
            put_regularizer(d, k, 2.0 * mu * mu * first)
        return
    # tangent k: R_k = R_1 mu_1^2 / mu_k^2, so that the cone's scaled cost stays isotropic
    put_regularizer(d, row, first)
    for k in range(1, num):
        side = d.contact_friction[i, k - 1]
        put_regularizer(d, row + k, second * mu1 * mu1 / (side * side))


@kernel()
def delassus_diagonal(m, d):
    """R, D and diagA of all rows by the true inverse inertia along them; need_nH > 0 where there is no room.

    Reads: nefc, ncoupling, efc_type, efc_id, efc_KBIP, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, contact_dim, contact_friction, qLD, qLDiagInv, qLD_due, M
    Writes: efc_R, efc_D, efc_diagA, contact_mu, sol_nblock, sol_block_row, sol_block_num, need_nH, delassus_*, where the factor is due what fill_factor writes
    """
    if m.opt_enableflags & ENBL_DIAGEXACT == 0 or d.nefc == 0:
        return
    # pattern of the Delassus factor Z, and M's own factor where it was left out
    find_blocks(m, d)
    layout_delassus(m, d)
    if d.need_nH > 0:
        return
    if d.qLD_due:
        fill_factor(m, d)
    for u in range(d.sol_nblock):
        row = d.sol_block_row[u]
        num = d.sol_block_num[u]
        solve_delassus_rows(m, d, d.qLD, d.qLDiagInv, row, num)
        # A_ii = z_i . z_i; R = (1 - d) / d A_ii with the impedance d
        kind = d.efc_type[row]
        reg = regularizer(d.efc_KBIP[row, 2], delassus_entry(d, row, row))
        if kind == CNSTR_CONTACT_ELLIPTIC or kind == CNSTR_CONTACT_PYRAMIDAL:
            put_contact_regularizer(m, d, row, num, reg)
        else:
            put_regularizer(d, row, reg)
