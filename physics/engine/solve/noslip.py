"""The noslip solver: projected Gauss-Seidel on the forces of dry friction, without regularisation R, while all other forces stay.

Rows of dry friction one by one, an elliptic contact's tangents together, a pyramid's opposite edges in pairs whose sum stays. The
forces across lose what R lets slip; nothing pushes harder than it did.

Source: MuJoCo documentation, chapter Computation, "Noslip solver".
"""
from __future__ import annotations

from physics.engine.solve.cone_dual import states_of_forces, tangent_forces
from physics.engine.solve.delassus_factor import add_force, delassus_entry, row_acceleration
from physics.engine.solve.pgs import keep_better
from physics.engine.solve.primal import trace_of
from physics.engine.solve.statistics import keep_iteration
from physics.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_CONTACT_PYRAMIDAL, CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON, MINVAL
from physics.kernels.decorators import helper, kernel
from physics.kernels.simd import stack

LEAST = 1e-10  # smallest diagonal of a block without R


@helper
def noslip_residual(d, i):
    """Derivative of the cost without R by the force of row i."""
    return d.efc_b[i] + row_acceleration(d, i)


@helper
def noslip_friction_row(d, i):
    """Best force of a row of dry friction; returns by how much the cost drops."""
    # Gauss-Seidel on one row without R: f - slope / A_ii, within the bound of dry friction
    a = max(MINVAL, delassus_entry(d, i, i))
    slope = noslip_residual(d, i)
    old = d.efc_force[i]
    f = max(-d.efc_frictionloss[i], min(d.efc_frictionloss[i], old - slope / a))
    d.efc_force[i] = f
    add_force(d, i, f - old)
    return -(f - old) * (0.5 * a * (f - old) + slope)


@kernel("m d i", ret="f")
def noslip_pyramid_pair(m, d, row):
    """Best split of the sum of a pyramid's opposite edges, rows `row` and the next; returns by how much the cost drops.

    Reads: efc_b, delassus_w, delassus_Z, delassus_colind, delassus_coladr, delassus_rownnz, delassus_rowadr
    Writes: efc_force, delassus_w
    """
    # A of the two edges, 2 x 2, slopes and old forces
    a = stack(4)
    slope = stack(2)
    old = stack(2)
    a[0] = max(LEAST, delassus_entry(d, row, row))
    a[1] = delassus_entry(d, row, row + 1)
    a[2] = a[1]
    a[3] = max(LEAST, delassus_entry(d, row + 1, row + 1))
    for k in range(2):
        slope[k] = noslip_residual(d, row + k)
        old[k] = d.efc_force[row + k]
    # with f = (mid + y, mid - y) the sum 2 mid, the contact's normal force, stays: minimise over |y| <= mid
    mid = 0.5 * (old[0] + old[1])
    half = 0.0
    curvature = a[0] + a[3] - 2.0 * a[1]
    if curvature >= MINVAL:
        # slopes without the two forces: b - A f
        first = slope[0] - a[0] * old[0] - a[1] * old[1]
        second = slope[1] - a[2] * old[0] - a[3] * old[1]
        half = max(-mid, min(mid, -(mid * (a[0] - a[3]) + first - second) / curvature))
    d.efc_force[row] = mid + half
    d.efc_force[row + 1] = mid - half
    return keep_better(d, row, a, slope, old, 2)


@kernel("m d i i", ret="f")
def noslip_elliptic(m, d, row, dim):
    """Best tangential forces of an elliptic contact; returns by how much the cost drops.

    Reads: efc_b, delassus_w, delassus_Z, delassus_colind, delassus_coladr, delassus_rownnz, delassus_rowadr, contact_friction, efc_id
    Writes: efc_force, delassus_w, tangent_A, tangent_b
    """
    # A of the tangential rows, raised where it is singular
    slope = stack(5)
    old = stack(5)
    n = dim - 1
    for i in range(n):
        slope[i] = noslip_residual(d, row + 1 + i)
        old[i] = d.efc_force[row + 1 + i]
        for j in range(i + 1):
            s = delassus_entry(d, row + 1 + i, row + 1 + j)
            if i == j:
                s = max(LEAST, s)
            d.tangent_A[i * n + j] = s
            d.tangent_A[j * n + i] = s
    # b without the tangential forces themselves
    for i in range(n):
        s = slope[i]
        for j in range(n):
            s -= d.tangent_A[i * n + j] * old[j]
        d.tangent_b[i] = s
    tangent_forces(m, d, row, dim)
    return keep_better(d, row + 1, d.tangent_A, slope, old, n)


@kernel("m d i", ret="f")
def noslip_sweep(m, d, island):
    """One pass over an island; returns by how much the cost without R drops.

    Reads: efc_type, efc_frictionloss, sol_block_row, sol_block_num, sol_block_order and what the kernels that it calls read
    Writes: efc_force, delassus_w
    """
    drop = 0.0
    u0 = d.sol_island_block[island]
    # only forces across: dry friction, tangents of contacts; normal forces and limits stay
    for k in range(u0, u0 + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        row = d.sol_block_row[u]
        num = d.sol_block_num[u]
        kind = d.efc_type[row]
        if kind == CNSTR_FRICTION_DOF or kind == CNSTR_FRICTION_TENDON:
            drop += noslip_friction_row(d, row)
        elif kind == CNSTR_CONTACT_ELLIPTIC:
            drop += noslip_elliptic(m, d, row, num)
        elif kind == CNSTR_CONTACT_PYRAMIDAL:
            for i in range(row, row + num, 2):
                drop += noslip_pyramid_pair(m, d, i)
    return drop


@helper
def regularizer_cost(d, island):
    """What R contributes to the cost of an island's forces."""
    s = 0.0
    u0 = d.sol_island_block[island]
    for k in range(u0, u0 + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        row = d.sol_block_row[u]
        for i in range(row, row + d.sol_block_num[u]):
            s += 0.5 * d.efc_R[i] * d.efc_force[i] * d.efc_force[i]
    return s


@kernel("m d i i", ret="i")
def noslip(m, d, island, niter):
    """Passes over one island until one lowers the cost, times 1/trace(M), by less than noslip_tolerance; returns their number.

    niter: iterations of the solver before; statistics go on from there.
    Reads: efc_force, efc_b, efc_R, efc_type, efc_frictionloss, contact_friction, delassus_w, delassus_Z
    Writes: efc_force, efc_state, delassus_w, solver_*
    """
    # cost in units of 1 / trace(M)
    scale = 1.0 / max(MINVAL, trace_of(m, d, island))
    states_of_forces(m, d, island)
    done = 0
    while done < m.opt_noslip_iterations:
        # the first sweep also gains what R added to the cost
        drop = 0.0
        if done == 0:
            drop = regularizer_cost(d, island)
        drop = scale * (drop + noslip_sweep(m, d, island))
        states_of_forces(m, d, island)
        keep_iteration(d, island, niter + done, drop, 0.0, 0.0, 0)
        done += 1
        if drop < m.opt_noslip_tolerance or not (drop == drop):
            return done
    return done
