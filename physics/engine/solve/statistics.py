"""What a profiler wants to know of each iteration of each island's solver, as far as there is room for islands and iterations."""
from __future__ import annotations

from physics.enums import SOL_CG, SOL_NEWTON
from physics.kernels.decorators import helper

NISLAND = 20  # islands that statistics are kept of, the official number
NSTAT = 200  # iterations of each


@helper
def keep_iteration(d, island, k, improvement, gradient, slope, neval):
    """Iteration k of an island: drop of the cost and gradient, both times 1/trace(M), slope the line search left, evaluations it took."""
    if island < NISLAND and k < NSTAT:
        d.solver_improvement[island, k] = improvement
        d.solver_gradient[island, k] = gradient
        d.solver_lineslope[island, k] = slope
        d.solver_nactive[island, k] = d.sol_active
        d.solver_nchange[island, k] = d.sol_changed
        d.solver_neval[island, k] = neval
        d.solver_nupdate[island, k] = 0


@helper
def entries(m, d, island):
    """Stored entries of the matrix that the solver of an island works on: its factor, J, or the Delassus factor."""
    # Newton's factor: the room that the islands take in sol_H, one after the other
    n = 0
    gradients = m.opt_solver == SOL_CG or (m.opt_solver == SOL_NEWTON and d.sol_island_full[island] != 0)
    if m.opt_solver == SOL_NEWTON and not gradients:
        if island > 0:
            n = d.sol_island_end[island - 1]
        return d.sol_island_end[island] - n
    # conjugate gradients: entries of J; PGS: of the Delassus factor
    u0 = d.sol_island_block[island]
    for k in range(u0, u0 + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        row = d.sol_block_row[u]
        if gradients:
            n += d.sol_block_num[u] * d.efc_J_rownnz[row]
        else:
            n += d.sol_block_num[u] * d.delassus_rownnz[row]
    return n


@helper
def keep_islands(m, d):
    """Iterations and matrix entries of each island."""
    for island in range(min(NISLAND, d.sol_nisland)):
        d.solver_niter[island] = d.sol_island_niter[island]
        d.solver_nnz[island] = entries(m, d, island)


@helper
def forget_islands(d):
    """No island has been solved. An island has entries: behind the first that has none nothing was kept."""
    island = 0
    while island < NISLAND and d.solver_nnz[island] != 0:
        d.solver_niter[island] = 0
        d.solver_nnz[island] = 0
        island += 1
