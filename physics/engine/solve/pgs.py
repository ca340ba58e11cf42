"""Projected Gauss-Seidel on the forces of one island.

Minimise f' (A + R) f / 2 + f' b over the forces that the rows allow, A = J M^-1 J', b = J qacc_smooth - aref: row after row (an elliptic
contact's rows together) takes the force that is best while the others stay. Between sweeps the forces are extrapolated by a part of what
the last sweep changed (Nesterov's momentum); where a sweep turns against the extrapolation the momentum starts again from nothing.

As before 3.9 (m.flg_variant): rows in their order, nothing between the sweeps.

Source: MuJoCo documentation, chapter Computation, "PGS"; Nesterov, "A method of solving a convex programming problem with convergence
rate O(1/k^2)", 1983; O'Donoghue and Candes, "Adaptive restart for accelerated gradient schemes", 2015, section 3.2 (gradient scheme).
"""
from __future__ import annotations

from physics.engine.constraint.jacobian import add_block_forces, mul_block
from physics.engine.inertia.mass_matrix import solve_m_vec
from physics.engine.solve.cone_dual import into_cone, states_of_forces, tangent_forces
from physics.engine.solve.cost import update_rows
from physics.engine.solve.delassus_factor import add_force, cone_block_adr, factor_delassus, row_acceleration, sum_forces
from physics.engine.solve.primal import smooth_cost, trace_of
from physics.engine.solve.shuffle import shuffle, start_random
from physics.engine.solve.statistics import keep_iteration
from physics.enums import (
    CNSTR_CONTACT_ELLIPTIC,
    CNSTR_EQUALITY,
    CNSTR_FRICTION_DOF,
    CNSTR_FRICTION_TENDON,
    DSBL_WARMSTART,
    MINVAL,
    VARIANT_ROW_ORDER,
)
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off
from physics.kernels.simd import stack

WORSE = 1e-10  # a change of a block's forces that raises the cost by more is undone


@helper
def project_force(d, i, kind, f):
    """The force nearest to f that row i, which stands alone, can give."""
    if kind == CNSTR_EQUALITY:
        return f
    if kind == CNSTR_FRICTION_DOF or kind == CNSTR_FRICTION_TENDON:
        return max(-d.efc_frictionloss[i], min(d.efc_frictionloss[i], f))
    return max(0.0, f)


@helper
def residual(d, i):
    """Derivative of the cost by the force of row i."""
    return d.efc_b[i] + d.efc_R[i] * d.efc_force[i] + row_acceleration(d, i)


@helper
def cost_change(a, change, slope, n):
    """Of forces that change by `change`, at n rows with the block a and the slopes `slope`."""
    s = 0.0
    for i in range(n):
        v = 0.0
        for j in range(n):
            v += a[i * n + j] * change[j]
        s += change[i] * (0.5 * v + slope[i])
    return s


@helper
def keep_better(d, row, a, slope, old, n):
    """Put the n forces at `row` back to the old ones where they cost more, else update w = Z' f; returns by how much the cost drops."""
    # change of the cost: change' (A change / 2 + slope)
    change = stack(6)
    for k in range(n):
        change[k] = d.efc_force[row + k] - old[k]
    rise = cost_change(a, change, slope, n)
    # worse by more than rounding: back to the old forces
    if rise > WORSE:
        for k in range(n):
            d.efc_force[row + k] = old[k]
        return 0.0
    # w = Z' f follows
    for k in range(n):
        add_force(d, row + k, change[k])
    return -rise


@helper
def ray_update(d, row, dim, a, slope):
    """The best force along the contact's present one, or, where it does not push, straight along its normal."""
    # at the cone's apex: the normal force alone, as a row of its own
    if d.efc_force[row] < MINVAL:
        d.efc_force[row] = max(0.0, d.efc_force[row] - slope[0] * d.delassus_diaginv[row])
        for k in range(1, dim):
            d.efc_force[row + k] = 0.0
        return
    # minimise over f (1 + x): x = -f' slope / f' A f, and no further than to the apex
    along = 0.0
    curvature = 0.0
    for i in range(dim):
        s = 0.0
        for j in range(dim):
            s += a[i * dim + j] * d.efc_force[row + j]
        curvature += d.efc_force[row + i] * s
        along += d.efc_force[row + i] * slope[i]
    if curvature >= MINVAL:
        scale = 1.0 + max(-1.0, -along / curvature)
        for k in range(dim):
            d.efc_force[row + k] *= scale


@kernel("m d i i", ret="f")
def relax_cone(m, d, row, dim):
    """Best forces of an elliptic contact, first along their direction, then across; returns by how much the cost drops.

    Reads: efc_b, efc_R, delassus_w, delassus_Z, delassus_colind, delassus_coladr, delassus_rownnz, delassus_rowadr, delassus_diaginv, contact_friction, efc_id
    Writes: efc_force, delassus_w, tangent_A, tangent_b
    """
    # A + R of the contact, slopes and old forces
    a = off(d.delassus_Z, cone_block_adr(d, row, dim))
    slope = stack(6)
    old = stack(6)
    for k in range(dim):
        slope[k] = residual(d, row + k)
        old[k] = d.efc_force[row + k]
    ray_update(d, row, dim, a, slope)
    # tangents at the new normal force: their block of A, and b = slope - A_tt f_t + A_tn (change of the normal force)
    n = dim - 1
    normal = d.efc_force[row] - old[0]
    for i in range(n):
        s = slope[1 + i] + a[(1 + i) * dim] * normal
        for j in range(n):
            x = a[(1 + i) * dim + 1 + j]
            d.tangent_A[i * n + j] = x
            s -= x * old[1 + j]
        d.tangent_b[i] = s
    tangent_forces(m, d, row, dim)
    return keep_better(d, row, a, slope, old, dim)


@kernel("m d i", ret="f")
def sweep(m, d, n):
    """One pass over the n blocks of pgs_order; returns by how much the cost drops.

    Reads: pgs_order, efc_type, efc_b, efc_R, efc_frictionloss, delassus_w, delassus_diaginv and what relax_cone reads
    Writes: efc_force, delassus_w
    """
    drop = 0.0
    for place in range(n):
        # elliptic contact: all its rows together
        i = d.pgs_order[place]
        kind = d.efc_type[i]
        if kind == CNSTR_CONTACT_ELLIPTIC:
            drop += relax_cone(m, d, i, d.contact_dim[d.efc_id[i]])
        else:
            # row on its own: Newton step 1 / (A_ii + R_i) on its quadratic, projected on what the row can give
            slope = residual(d, i)
            old = d.efc_force[i]
            f = project_force(d, i, kind, old - slope * d.delassus_diaginv[i])
            change = f - old
            rise = change * (0.5 * change / d.delassus_diaginv[i] + slope)
            if rise <= WORSE:
                d.efc_force[i] = f
                add_force(d, i, change)
                drop -= rise
    return drop


@helper
def list_blocks(d, island):
    """Put the first rows of what is solved together into pgs_order, in the order of rows; returns their number."""
    n = 0
    u0 = d.sol_island_block[island]
    for k in range(u0, u0 + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        row = d.sol_block_row[u]
        num = d.sol_block_num[u]
        # an elliptic contact is one block; edges of a pyramid are one each
        if d.efc_type[row] == CNSTR_CONTACT_ELLIPTIC:
            num = 1
        for i in range(row, row + num):
            d.pgs_order[n] = i
            n += 1
    return n


@helper
def extrapolate_w(m, d, island, momentum):
    """w of forces extrapolated by `momentum` of their last change; keeps it as it was."""
    first = d.sol_island_tree[island]
    for place in range(first, first + d.sol_island_ntree[island]):
        t = d.sol_order[place]
        adr = m.tree_dofadr[t]
        for k in range(adr, adr + m.tree_dofnum[t]):
            # w is linear in f: the same extrapolation
            w = d.delassus_w[k]
            if momentum > 0.0:
                d.delassus_w[k] = w + momentum * (w - d.delassus_w_old[k])
            d.delassus_w_old[k] = w


@kernel("m d i f")
def extrapolate(m, d, island, momentum):
    """Nesterov's step: extrapolate the forces by `momentum` of their last change, as far as the rows allow; keep them as before and after.

    Reads: efc_force, pgs_force_old, efc_type, efc_frictionloss, contact_friction, delassus_Z, delassus_colind, delassus_coladr, delassus_rownnz, delassus_rowadr
    Writes: efc_force, pgs_force_old, pgs_force_ahead, delassus_w, delassus_w_old
    """
    extrapolate_w(m, d, island, momentum)
    u0 = d.sol_island_block[island]
    for k in range(u0, u0 + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        row = d.sol_block_row[u]
        num = d.sol_block_num[u]
        # Nesterov: f + momentum (f - f_old)
        kind = d.efc_type[row]
        for i in range(row, row + num):
            f = d.efc_force[i]
            ahead = f
            if momentum > 0.0:
                ahead = f + momentum * (f - d.pgs_force_old[i])
            d.pgs_force_old[i] = f
            d.pgs_force_ahead[i] = ahead
            d.efc_force[i] = ahead
        # back into the feasible set, telling w of what was cut off
        if momentum > 0.0:
            if kind == CNSTR_CONTACT_ELLIPTIC:
                into_cone(d, row, num)
            for i in range(row, row + num):
                f = d.efc_force[i]
                if kind != CNSTR_CONTACT_ELLIPTIC:
                    f = project_force(d, i, kind, f)
                    d.efc_force[i] = f
                if f != d.pgs_force_ahead[i]:
                    add_force(d, i, f - d.pgs_force_ahead[i])
                    d.pgs_force_ahead[i] = f


@helper
def needs_restart(d, island):
    """Whether the last sweep went against what the extrapolation before it did."""
    # gradient scheme: (f_sweep - f_ahead)' (f_ahead - f_old) < 0
    s = 0.0
    u0 = d.sol_island_block[island]
    for k in range(u0, u0 + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        row = d.sol_block_row[u]
        for i in range(row, row + d.sol_block_num[u]):
            s += (d.efc_force[i] - d.pgs_force_ahead[i]) * (d.pgs_force_ahead[i] - d.pgs_force_old[i])
    return s < 0.0


@kernel("m d i", ret="i")
def pgs(m, d, island):
    """Solve one island from the forces as they are; returns the number of sweeps.

    Stops when a sweep lowers the cost, times 1/trace(M), by less than the tolerance.
    Reads: efc_force, efc_b, efc_R, efc_type, efc_frictionloss, contact_friction, delassus_w, delassus_Z, delassus_diaginv
    Writes: efc_force, efc_state, delassus_w, pgs_order, pgs_force_old, pgs_force_ahead, delassus_w_old, pcg_high, pcg_low, solver_*
    """
    # cost in units of 1 / trace(M)
    scale = 1.0 / max(MINVAL, trace_of(m, d, island))
    plain = m.flg_variant & VARIANT_ROW_ORDER != 0
    states_of_forces(m, d, island)
    n = list_blocks(d, island)
    start_random(d)
    niter = 0
    streak = 0
    while niter < m.opt_iterations:
        if not plain:
            # momentum (k - 1) / (k + 2) with k counted from the last restart
            momentum = (streak - 1.0) / (streak + 2.0)
            if niter == 0:
                momentum = 0.0
            extrapolate(m, d, island, momentum)
            shuffle(d, d.pgs_order, n)
        # one sweep in random order
        drop = scale * sweep(m, d, n)
        states_of_forces(m, d, island)
        keep_iteration(d, island, niter, drop, 0.0, 0.0, 0)
        if not plain:
            streak += 1
            if niter > 0 and needs_restart(d, island):
                streak = 0
        niter += 1
        if drop < m.opt_tolerance or not (drop == drop):
            return niter
    return niter


@helper
def warmstart_forces(m, d):
    """The forces that qacc_warmstart implies."""
    for i in range(d.sol_nisland):
        u0 = d.sol_island_block[i]
        for k in range(u0, u0 + d.sol_island_nblock[i]):
            u = d.sol_block_order[k]
            row = d.sol_block_row[u]
            mul_block(d, row, d.sol_block_num[u], d.qacc_warmstart, d.sol_jar)
            for r in range(row, row + d.sol_block_num[u]):
                d.sol_jar[r] -= d.efc_aref[r]
        update_rows(m, d, u0, d.sol_island_nblock[i])


@helper
def dual_cost(m, d):
    """Cost of the forces as they are, whose w is at hand."""
    s = 0.0
    for k in range(m.nv):
        s += 0.5 * d.delassus_w[k] * d.delassus_w[k]
    for i in range(d.nefc + d.ncoupling):
        s += d.efc_force[i] * (0.5 * d.efc_R[i] * d.efc_force[i] + d.efc_b[i])
    return s


@kernel()
def start_dual(m, d):
    """Rows for the forces' solver; start at the forces that qacc_warmstart implies, or at none where they cost more than none.

    Reads: qacc_warmstart, qacc_smooth, efc_J, efc_aref, sol_nisland, nefc, ncoupling, what factor_delassus and sum_forces read
    Writes: efc_b, efc_force, efc_state, sol_jar, delassus_w, what factor_delassus writes
    """
    # Z, and b = J qacc_smooth - aref
    factor_delassus(m, d)
    for island in range(d.sol_nisland):
        smooth_cost(m, d, island)
    if not (m.opt_disableflags & DSBL_WARMSTART):
        # forces at qacc_warmstart by the primal cost's gradient; better than none where their cost is below 0
        warmstart_forces(m, d)
        sum_forces(m, d)
        if dual_cost(m, d) <= 0.0:
            return
    for i in range(d.nefc + d.ncoupling):
        d.efc_force[i] = 0.0
    for k in range(m.nv):
        d.delassus_w[k] = 0.0


@kernel()
def finish_dual(m, d):
    """Joint forces and accelerations from the rows' forces.

    Reads: sol_nblock, sol_block_row, sol_block_num, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_force, qacc_smooth, qLD, qLDiagInv, aba_trees
    Writes: qfrc_constraint, qacc, aba_x
    """
    # qacc = qacc_smooth + M^-1 J' f
    for k in range(m.nv):
        d.qfrc_constraint[k] = 0.0
    for u in range(d.sol_nblock):
        add_block_forces(d, d.sol_block_row[u], d.sol_block_num[u], d.efc_force, d.qfrc_constraint)
    for k in range(m.nv):
        d.qacc[k] = d.qfrc_constraint[k]
    solve_m_vec(m, d, d.qacc)
    for k in range(m.nv):
        d.qacc[k] += d.qacc_smooth[k]
