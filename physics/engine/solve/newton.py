"""Newton's method on the accelerations of one island.

Minimise (a - a0)' M (a - a0) / 2 + s(J a - aref), where a0 = qacc_smooth and s is the cost of the rows (cost.py).

Source: MuJoCo documentation, chapter Computation, "Newton"; Boyd and Vandenberghe, "Convex Optimization", 9.5
(the decrement as a bound of what is left to gain).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.constraint.jacobian import mul_block
from physics.engine.solve.cost import update_rows
from physics.engine.solve.hessian import factor_island, solve_island
from physics.engine.solve.linesearch import line_search
from physics.engine.solve.primal import MINSEARCH, gradient, inertia_gap, move, mul_tree, trace_of
from physics.engine.solve.statistics import keep_iteration
from physics.kernels.decorators import kernel


@kernel("m d i i", ret="f")
def set_direction(m, d, island, carried):
    """sol_search = -H^-1 g, sol_Mp = M sol_search, sol_jv = J sol_search and the line's coefficients; returns |p|.

    Reads: sol_grad, sol_H, sol_Ma, qfrc_smooth, M, efc_J
    Writes: sol_search, sol_Mp, sol_jv, sol_gauss1, sol_gauss2, sol_decrement
    """
    # p = -H^-1 g
    solve_island(m, d, island, carried)
    # p' (M a - f) and p' M p: the Gauss cost along the line; decrement -p' g = g' H^-1 g
    g1 = 0.0
    g2 = 0.0
    pp = 0.0
    pg = 0.0
    # tree by tree: M has no entries between trees
    first = d.sol_island_tree[island]
    for place in range(first, first + d.sol_island_ntree[island]):
        t = d.sol_order[place]
        adr = m.tree_dofadr[t]
        mul_tree(m, d, t, d.sol_search, d.sol_Mp)
        for i in range(adr, adr + m.tree_dofnum[t]):
            p = d.sol_search[i]
            g1 += p * (d.sol_Ma[i] - d.qfrc_smooth[i])
            g2 += p * d.sol_Mp[i]
            pp += p * p
            pg -= p * d.sol_grad[i]
    d.sol_gauss1 = g1
    d.sol_gauss2 = g2
    d.sol_decrement = pg
    # J p
    u0 = d.sol_island_block[island]
    for k in range(u0, u0 + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        mul_block(d, d.sol_block_row[u], d.sol_block_num[u], d.sol_search, d.sol_jv)
    return sqrt(pp)


@kernel("m d i", ret="i")
def newton(m, d, island):
    """Solve one island from where start_islands left it; returns the number of iterations.

    Stops when what can be gained, the last improvement or the gradient, each times 1/trace(M), is below the tolerance;
    with tolerance 0 when steps no longer help.
    Reads: qacc, qacc_smooth, qfrc_smooth, M, qLD, efc_J, efc_aref, efc_D, sol_Ma, sol_jar
    Writes: qacc, efc_force, efc_state, qfrc_constraint, solver_*
    """
    # scale = 1 / trace(M): cost and gradient in units that do not depend on the model's mass
    tol = m.opt_tolerance
    scale = 1.0 / max(1e-15, trace_of(m, d, island))
    grad = gradient(m, d, island)
    # warm start good enough: g' M^-1 g / 2 bounds what can be gained, as H >= M
    calm = scale * grad < tol
    if calm and 0.5 * scale * inertia_gap(m, d, island) < tol:
        return 0
    u0 = d.sol_island_block[island]
    nu = d.sol_island_nblock[island]
    niter = 0
    # H changes only where a row changed its zone or a contact is on its cone's side: else the factor still holds
    stale = True
    while niter < m.opt_iterations:
        if stale:
            # a raised pivot after updates may come from their rounding: assemble from M again
            raised = factor_island(m, d, island, niter == 0)
            if raised > 0 and niter > 0:
                factor_island(m, d, island, True)
        # half the squared Newton decrement estimates what is left to gain (Boyd and Vandenberghe 9.5)
        length = set_direction(m, d, island, stale)
        if (calm or niter > 0) and 0.5 * scale * d.sol_decrement < tol:
            return niter
        if length < MINSEARCH:
            return niter
        # slope at 0 is -decrement, curvature p' H p = decrement
        alpha = line_search(m, d, u0, nu, -d.sol_decrement, d.sol_decrement, tol * m.opt_ls_tolerance * length / scale)
        if alpha == 0.0 or not (alpha == alpha):
            return niter
        # step, new forces and zones, new gradient
        improvement = -scale * d.sol_gain
        slope = abs(d.sol_slope) * scale / length
        neval = d.sol_neval
        move(m, d, island, alpha)
        update_rows(m, d, u0, nu)
        stale = d.sol_changed > 0 or d.sol_cones > 0
        old_grad = grad
        grad = gradient(m, d, island)
        keep_iteration(d, island, niter, improvement, scale * grad, slope, neval)
        niter += 1
        # converged
        if 0.0 < improvement < tol or scale * grad < tol:
            return niter
        # no gain and no smaller gradient: rounding has the last word
        if (improvement <= 0.0 and grad >= 0.5 * old_grad) or not (grad == grad):
            return niter
    return niter
