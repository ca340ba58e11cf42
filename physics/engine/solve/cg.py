"""The nonlinear conjugate gradient method on the accelerations of one island, with the inertia as preconditioner.

    p <- -M^-1 g + beta p,  beta by Hager and Zhang (the usual one) or Polak and Ribiere (flg_variant)

Each direction is followed to the lowest point of its line, as Newton's are. As M p is a sum of gradients it needs no product
with M, but where the preconditioner is not M: under the discrete integrator it is the effective mass matrix with no more than the diagonal of
tendons and actuators, as officially.

Source: MuJoCo documentation, chapter Computation, "CG"; Hager and Zhang, "A new conjugate gradient method with guaranteed
descent and an efficient line search", SIAM J. Optim. 16, 2005, eqs. (1.3), (1.5) and (1.6); Nocedal and Wright, "Numerical Optimization",
eq. (5.44) with the restart of (5.45) for Polak and Ribiere.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.constraint.jacobian import mul_block
from physics.engine.inertia.mass_matrix import solve_m_tree
from physics.engine.integrator.discrete import has_preconditioner
from physics.engine.linalg.sparse import mul_rows, solve_rows
from physics.engine.solve.cost import update_rows
from physics.engine.solve.linesearch import evaluate_line, line_search
from physics.engine.solve.primal import MINSEARCH, gradient, move, trace_of
from physics.engine.solve.statistics import keep_iteration
from physics.enums import CNSTRSTATE_CONE, CNSTRSTATE_QUADRATIC, MINVAL, VARIANT_POLAK_RIBIERE
from physics.kernels.decorators import kernel

ETA = 0.01  # the truncation of beta takes gradients longer than this for this long


@kernel("m d i", ret="f")
def precondition(m, d, island):
    """sol_Mgrad = M^-1 g over an island, in the effective mass matrix by the factor M_precond; returns g' M^-1 g.

    Reads: sol_grad, qLD, qLDiagInv, M_precond, M_precond_inv
    Writes: sol_Mgrad
    """
    s = 0.0
    first = d.sol_island_tree[island]
    # tree by tree: M^-1 by its L'DL factor, or the preconditioner of the discrete integrator
    for place in range(first, first + d.sol_island_ntree[island]):
        t = d.sol_order[place]
        adr = m.tree_dofadr[t]
        end = adr + m.tree_dofnum[t]
        for i in range(adr, end):
            d.sol_Mgrad[i] = d.sol_grad[i]
        if has_preconditioner(m):
            solve_rows(d.sol_Mgrad, d.M_precond, d.M_precond_inv, m, adr, end)
        else:
            solve_m_tree(m, d, t, d.sol_Mgrad)
        for i in range(adr, end):
            s += d.sol_Mgrad[i] * d.sol_grad[i]
    return s


@kernel("m d i f", ret="f")
def next_direction(m, d, island, beta):
    """sol_search = -M^-1 g + beta sol_search, and what the line search needs of it; returns its length.

    Slope and curvature at the start of the line follow from the gradient and the rows' states, the curvature only where no contact is on
    the side of its cone.

    Keeps g and M^-1 g for the next beta. beta = 0 forgets the direction before.
    Reads: sol_grad, sol_Mgrad, sol_search, sol_Mp, sol_Ma, qfrc_smooth, M, efc_J, efc_D, efc_state
    Writes: sol_search, sol_Mp, sol_jv, sol_gauss1, sol_gauss2, sol_slope, sol_curvature, sol_cones, sol_grad_old, sol_Mgrad_old
    """
    # sums over the dofs: p' (M a - f) and p' M p, the Gauss cost's part of slope and curvature along p; |p|^2; p' g
    g1 = 0.0
    g2 = 0.0
    pp = 0.0
    pg = 0.0
    # M P^-1 g is g where P = M, else a product
    preconditioned = has_preconditioner(m)
    first = d.sol_island_tree[island]
    for place in range(first, first + d.sol_island_ntree[island]):
        t = d.sol_order[place]
        adr = m.tree_dofadr[t]
        if preconditioned:
            mul_rows(d.sol_grad_old, d.sol_Mgrad, d.M, m, adr, adr + m.tree_dofnum[t])
        # p <- -P^-1 g + beta p, and M p by the same recurrence
        for i in range(adr, adr + m.tree_dofnum[t]):
            p = -d.sol_Mgrad[i]
            mp = -d.sol_grad_old[i] if preconditioned else -d.sol_grad[i]
            if beta != 0.0:
                p += beta * d.sol_search[i]
                mp += beta * d.sol_Mp[i]
            d.sol_search[i] = p
            d.sol_Mp[i] = mp
            d.sol_grad_old[i] = d.sol_grad[i]
            d.sol_Mgrad_old[i] = d.sol_Mgrad[i]
            g1 += p * (d.sol_Ma[i] - d.qfrc_smooth[i])
            g2 += p * mp
            pp += p * p
            pg += p * d.sol_grad[i]
    # slope along the line at alpha = 0: p' g with the whole gradient
    d.sol_gauss1 = g1
    d.sol_gauss2 = g2
    d.sol_slope = pg
    # J p, and the curvature of rows in their quadratic zone: p' J' D J p; contacts on their cone's side have none that simple
    cones = 0
    u0 = d.sol_island_block[island]
    for k in range(u0, u0 + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        row = d.sol_block_row[u]
        num = d.sol_block_num[u]
        mul_block(d, row, num, d.sol_search, d.sol_jv)
        if d.efc_state[row] == CNSTRSTATE_CONE:
            cones += 1
        for i in range(row, row + num):
            w = d.efc_D[i] if d.efc_state[i] == CNSTRSTATE_QUADRATIC else 0.0
            g2 += w * d.sol_jv[i] * d.sol_jv[i]
    d.sol_curvature = g2
    d.sol_cones = cones
    return sqrt(pp)


@kernel("m d i f", ret="f")
def next_beta(m, d, island, length):
    """How much of the last direction, of this length, goes into the next one; call after the step along it.

    Reads: sol_grad, sol_grad_old, sol_Mgrad, sol_Mgrad_old, sol_search
    """
    # y = g - g_old, all in the inner products that both formulas need; My = M^-1 y
    py = 0.0
    pg = 0.0
    yMy = 0.0
    yMg = 0.0
    gg = 0.0
    gMy = 0.0
    old = 0.0
    first = d.sol_island_tree[island]
    for place in range(first, first + d.sol_island_ntree[island]):
        t = d.sol_order[place]
        adr = m.tree_dofadr[t]
        # sums over the island's dofs
        for i in range(adr, adr + m.tree_dofnum[t]):
            g = d.sol_grad[i]
            y = g - d.sol_grad_old[i]
            My = d.sol_Mgrad[i] - d.sol_Mgrad_old[i]
            p = d.sol_search[i]
            py += p * y
            pg += p * g
            yMy += y * My
            yMg += y * d.sol_Mgrad[i]
            gg += g * g
            gMy += g * My
            old += d.sol_grad_old[i] * d.sol_Mgrad_old[i]
    # Polak and Ribiere with restart where negative: beta = g' M^-1 y / g_old' M^-1 g_old
    if m.flg_variant & VARIANT_POLAK_RIBIERE:
        return max(0.0, gMy / max(MINVAL, old))
    # Hager and Zhang (1.3), preconditioned: beta = (y - 2 p (y' M^-1 y) / (p' y))' M^-1 g / (p' y); p' y <= 0: no curvature, restart
    if py < MINVAL:
        return 0.0
    beta = (yMg - 2.0 * (yMy / py) * pg) / py
    # truncation (1.5), (1.6): keeps descent where beta would turn it round
    return max(-1.0 / max(MINVAL, length * min(ETA, sqrt(gg))), beta)


@kernel("m d i", ret="i")
def cg(m, d, island):
    """Solve one island from where start_islands left it; returns the number of iterations.

    Stops when what can be gained at most, the last improvement or the gradient, each times 1/trace(M), is below the tolerance.
    Reads: qacc, qacc_smooth, qfrc_smooth, qLD, efc_J, efc_aref, efc_D, sol_Ma, sol_jar
    Writes: qacc, efc_force, efc_state, qfrc_constraint, solver_*
    """
    # scale = 1 / trace(M): cost and gradient in units that do not depend on the model's mass
    tol = m.opt_tolerance
    scale = 1.0 / max(MINVAL, trace_of(m, d, island))
    # at once enough: with H >= M, g' M^-1 g / 2 bounds what can be gained
    gradient(m, d, island)
    if max(0.0, 0.5 * scale * precondition(m, d, island)) < tol:
        return 0
    # iterate: direction, exact line search, step, zones and gradient anew
    u0 = d.sol_island_block[island]
    nu = d.sol_island_nblock[island]
    beta = 0.0
    niter = 0
    while niter < m.opt_iterations:
        length = next_direction(m, d, island, beta)
        if length < MINSEARCH:
            return niter
        # the start's slope and curvature could not be had from the gradient
        if d.sol_cones > 0 or not (d.sol_curvature > 0.0):
            evaluate_line(m, d, u0, nu, 0.0)
        # the slope's tolerance is that of the gradient, times |p|
        alpha = line_search(m, d, u0, nu, d.sol_slope, d.sol_curvature, tol * m.opt_ls_tolerance * length / scale)
        if alpha == 0.0 or not (alpha == alpha):
            return niter
        improvement = -scale * d.sol_gain
        slope = abs(d.sol_slope) * scale / length
        neval = d.sol_neval
        # a <- a + alpha p
        move(m, d, island, alpha)
        update_rows(m, d, u0, nu)
        grad = gradient(m, d, island)
        precondition(m, d, island)
        keep_iteration(d, island, niter, improvement, scale * grad, slope, neval)
        niter += 1
        # converged, or no longer a number
        if 0.0 < improvement < tol or scale * grad < tol or not (grad == grad):
            return niter
        beta = next_beta(m, d, island, length)
    return niter
