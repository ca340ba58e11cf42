"""Constraint rows in the effective mass matrix of the discrete integrator: springs and dampers of rows act at the end of the step as well.

A row with stiffness K, damping B and impedance I is scaled by 1 / s, s = 1 + h B + h^2 K I: its reference acceleration is
(aref - h K I vel) / s, its R that of an inverse inertia seen in the effective mass matrix, times 1 / s, but not below the R of the largest
impedance. A contact's rows keep their ratios: they follow the first.

While the solver works the effective mass matrix stands where M does. Tendons and actuators that do not fit M's rows are rows of their own
after the nefc others (type equality, D as in the effective mass matrix, reference 0); nobody sees them afterwards.

Source: MuJoCo documentation, Computation chapter, "Numerical integration" (discrete) and "Constraint model"; the formulas
of 1/s, of the inverse inertia's ratio and of the bound were found by comparing numbers.
"""
from __future__ import annotations

from physics.engine.constraint.adhesion import adhesion_reference
from physics.engine.constraint.append import SPARE
from physics.engine.constraint.jacobian import add_block_forces, mul_block, rows_of_block
from physics.engine.integrator.derivative import add_gyroscopic, gyroscopic, take_free_block
from physics.engine.kinematics.joints import is_lone_free
from physics.engine.linalg.dense_solve import solve_dense
from physics.engine.solve.delassus_factor import delassus_entry, solve_delassus_rows
from physics.enums import CNSTR_CONTACT_PYRAMIDAL, CNSTR_EQUALITY, ENBL_DIAGEXACT, MAXIMP, MINVAL, S_AWAKE
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off
from physics.kernels.simd import stack, vbc, vst

KEPT_R = 1  # bits of rows_kept: what of the rows as they are without the effective mass matrix is kept in efc_plain
KEPT_AREF = 2


@helper
def keep_plain(d):
    """Keep R and the reference acceleration as first found for this pose and velocity: the effective mass matrix changes with the controls."""
    # only once per pose (R) and per velocity (aref)
    if d.rows_kept & KEPT_R == 0:
        for i in range(d.nefc):
            d.efc_plain[i, 0] = d.efc_R[i]
    if d.rows_kept & KEPT_AREF == 0:
        for i in range(d.nefc):
            d.efc_plain[i, 1] = d.efc_aref[i]
    d.rows_kept = KEPT_R | KEPT_AREF


@helper
def diagonal_ratio(m, d, row):
    """How much smaller the row's inverse inertia is in the effective mass matrix, from the diagonals of both."""
    adr = d.efc_J_rowadr[row]
    plain = 0.0
    stiff = 0.0
    # sum J_k^2 / M_kk against sum J_k^2 / M_eff_kk
    for a in range(adr, adr + d.efc_J_rownnz[row]):
        k = d.efc_J_colind[a]
        x = d.efc_J[a] * d.efc_J[a]
        own = d.M[m.M_rowadr[k] + m.M_rownnz[k] - 1]
        plain += x / own
        stiff += x / (own + d.M_eff_diag[k])
    if plain > MINVAL:   # a row that nothing moves has no ratio
        return stiff / plain
    return 1.0


@helper
def delassus_ratio(m, d, row, num):
    """The same from the factors of both, with the flag diagexact."""
    # A_ii = z . z with M's factor, then with that of M_eff (tendons and actuators by their diagonal only)
    solve_delassus_rows(m, d, d.qLD, d.qLDiagInv, row, num)
    plain = delassus_entry(d, row, row)
    solve_delassus_rows(m, d, d.M_precond, d.M_precond_inv, row, num)
    if plain > MINVAL:
        return delassus_entry(d, row, row) / plain
    return 1.0


@helper
def plain_first(d, row):
    """R of a block's first row without the effective mass matrix; of a pyramid that of the contact, which its edges' R is made from."""
    r = d.efc_plain[row, 0]
    if d.efc_type[row] == CNSTR_CONTACT_PYRAMIDAL:
        mu = d.contact_mu[d.efc_id[row]]
        return r / (2.0 * mu * mu)
    return r


@kernel()
def rows_in_effective_mass(m, d):
    """Scale the rows for the effective mass matrix.

    Reads: M, M_eff_diag, nefc, efc_type, efc_id, contact_dim, contact_mu, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_KBIP, efc_vel,
        with the flag diagexact also qLD, qLDiagInv, M_precond, M_precond_inv, delassus_colind, delassus_coladr, delassus_rownnz, delassus_rowadr;
        and what adhesion_reference reads
    Writes: efc_R, efc_D, efc_diagA, efc_aref, efc_plain, rows_kept, delassus_Z, delassus_mark
    """
    # each row's R is multiplied by (its inverse inertia in M_eff / that in M) / s, s = 1 + h B + h^2 K I of the block's first row
    h = m.opt_timestep
    keep_plain(d)
    i = 0
    while i < d.nefc:
        n = rows_of_block(d, i)
        imp = d.efc_KBIP[i, 2]
        s = 1.0 + h * d.efc_KBIP[i, 1] + h * h * d.efc_KBIP[i, 0] * imp
        least = (1.0 - MAXIMP) / MAXIMP * imp / (1.0 - imp)
        if m.opt_enableflags & ENBL_DIAGEXACT:
            ratio = delassus_ratio(m, d, i, n)
        else:
            ratio = diagonal_ratio(m, d, i)
        # factor of R for all rows of the block: its own 1 / s, not below what the largest impedance would give, R not below MINVAL
        scale = ratio * max(1.0 / s, least)
        scale = max(scale, MINVAL / plain_first(d, i))
        # R, D = 1 / R, the inverse inertia that R stands for, and aref as the spring and damper ask at the end of the step
        for k in range(i, i + n):
            r = d.efc_plain[k, 0] * scale
            d.efc_R[k] = r
            d.efc_D[k] = 1.0 / r
            d.efc_diagA[k] = r * d.efc_KBIP[k, 2] / (1.0 - d.efc_KBIP[k, 2])
            push = h * d.efc_KBIP[k, 0] * d.efc_KBIP[k, 2]
            s = 1.0 + h * d.efc_KBIP[k, 1] + h * push
            d.efc_aref[k] = (d.efc_plain[k, 1] - push * d.efc_vel[k]) / s
        i += n
    if m.flg_adhesion:
        adhesion_reference(m, d)


@helper
def swap(a, b, n):
    """Exchange a[:n] and b[:n]."""
    for k in range(n):
        x = a[k]
        a[k] = b[k]
        b[k] = x


@helper
def swap_inertia(m, d):
    """Exchange M, its factor, the smooth force and acceleration with those of the effective mass matrix's rows."""
    # the inertia that the solver sees is these five fields and no other
    swap(d.M, d.M_eff, m.nC)
    swap(d.qLD, d.qH, m.nC)
    swap(d.qLDiagInv, d.qHDiagInv, m.nv)
    swap(d.qfrc_smooth, d.qfrc_eff, m.nv)
    swap(d.qacc_smooth, d.qacc_eff, m.nv)


@helper
def put_coupling_row(d, row, at, vec, ind, n, s):
    """Write a coupling as constraint row `row`, its entries from `at` on; returns where the next row's entries start."""
    # D = s gives the cost s (J a)^2 / 2, whose Hessian is the rank-one term s J'J of M_eff
    d.efc_type[row] = CNSTR_EQUALITY
    d.efc_id[row] = -1
    d.efc_J_rownnz[row] = n
    d.efc_J_rowadr[row] = at
    d.efc_aref[row] = 0.0
    d.efc_frictionloss[row] = 0.0
    d.efc_D[row] = s
    d.efc_R[row] = 1.0 / s
    for a in range(n):
        d.efc_J[at + a] = vec[a]
        d.efc_J_colind[at + a] = ind[a]
    return at + n


@kernel("m d", ret="i")
def enter_effective_mass(m, d):
    """Put the effective mass matrix in M's place for the solver. Returns 0 where there was no room for the couplings' rows; then all is as before.

    Reads: M_eff_coupled, M_eff_tendon, M_eff_output, ten_J, actuator_moment, moment_rownnz, moment_rowadr, moment_colind, nefc, nJ
    Writes: M, qLD, qLDiagInv, qfrc_smooth, qacc_smooth, M_eff, qH, qHDiagInv, qfrc_eff, qacc_eff, ncoupling, efc_type,
        efc_id, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_aref, efc_frictionloss, efc_D, efc_R, need_nefc, need_nJ
    """
    # count the coupling rows and their entries, and ask for room before anything is changed
    if d.M_eff_coupled != 0:
        rows = 0
        entries = 0
        for t in range(m.ntendon):
            if d.M_eff_tendon[t] != 0.0:
                rows += 1
                entries += m.ten_J_rownnz[t]
        for out in range(m.nout):
            if d.M_eff_output[out] != 0.0:
                rows += 1
                entries += d.moment_rownnz[out]
        if d.nefc + rows > d.maxefc or d.nJ + entries + SPARE > d.maxJ:
            d.need_nefc = d.nefc + rows
            d.need_nJ = d.nJ + entries + SPARE
            return 0
        # append them after the constraint rows: tendons, then actuator outputs
        row = d.nefc
        at = d.nJ
        for t in range(m.ntendon):
            if d.M_eff_tendon[t] != 0.0:
                adr = m.ten_J_rowadr[t]
                at = put_coupling_row(d, row, at, off(d.ten_J, adr), off(m.ten_J_colind, adr), m.ten_J_rownnz[t], d.M_eff_tendon[t])
                row += 1
        for out in range(m.nout):
            if d.M_eff_output[out] != 0.0:
                adr = d.moment_rowadr[out]
                at = put_coupling_row(d, row, at, off(d.actuator_moment, adr), off(d.moment_colind, adr), d.moment_rownnz[out], d.M_eff_output[out])
                row += 1
        # numbers beyond the last entry are read, times zero
        d.ncoupling = rows
        vst(d.efc_J, at, vbc(0.0))
    swap_inertia(m, d)
    return 1


@kernel()
def leave_effective_mass(m, d):
    """Put M back, and leave of the solution what belongs to the nefc rows.

    Reads: nefc, need_nH, efc_type, efc_id, contact_dim, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_force, efc_aref
    Writes: M, qLD, qLDiagInv, qfrc_smooth, qacc_smooth, M_eff, qH, qHDiagInv, qfrc_eff, qacc_eff, ncoupling,
        qfrc_constraint, efc_b
    """
    # M is M again; of qfrc_constraint only what the true rows push: J' f
    swap_inertia(m, d)
    d.ncoupling = 0
    if d.need_nH > 0:
        return
    for k in range(m.nv):
        d.qfrc_constraint[k] = 0.0
    i = 0
    while i < d.nefc:
        n = rows_of_block(d, i)
        add_block_forces(d, i, n, d.efc_force, d.qfrc_constraint)
        # efc_b = J qacc_smooth - aref with the qacc_smooth that everybody sees
        mul_block(d, i, n, d.qacc_smooth, d.efc_b)
        for k in range(i, i + n):
            d.efc_b[k] -= d.efc_aref[k]
        i += n


@kernel("m d i")
def correct_lone_free(m, d, j):
    """Solve the block of a lone free joint again, with the derivative of its gyroscopic force; not where a tendon or actuator is in the effective mass matrix there.

    Reads: M_eff, qfrc_eff, M_eff_dof, qfrc_constraint, xpos, xmat, subtree_com, crb, qvel
    Writes: qacc
    """
    # a free body that nothing else touches has a 6 x 6 block of its own
    k = m.jnt_dofadr[j]
    for r in range(6):
        if d.M_eff_dof[k + r] != 0:
            return
    # (M_eff - h d(gyroscopic force)/dv) a = f: not symmetric, so by LU
    force, torque = gyroscopic(m, d, j)
    a = stack(36)
    b = stack(6)
    take_free_block(m, d.M_eff, k, a)
    for r in range(6):
        b[r] = d.qfrc_eff[k + r] + d.qfrc_constraint[k + r]
    add_gyroscopic(a, m.opt_timestep, force, torque)
    if solve_dense(a, b, 6):
        for r in range(6):
            d.qacc[k + r] = b[r]


@helper
def is_untouched(m, d, j):
    """Whether no constraint row moves the tree of joint j; the islands are those of the present rows."""
    return d.nefc == 0 or d.sol_tree_island[m.body_treeid[m.jnt_bodyid[j]]] < 0


@helper
def correct_lone_bodies(m, d):
    """The same for all that no row touches: the others' forces would no longer fit their accelerations."""
    # awake free joints without children, in trees without constraint rows
    for j in range(m.njnt):
        if d.body_awake[m.jnt_bodyid[j]] == S_AWAKE and is_lone_free(m, j) and is_untouched(m, d, j):
            correct_lone_free(m, d, j)
