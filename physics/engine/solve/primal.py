"""What the solvers on the accelerations share: the cost and its gradient over one island, where to start, and steps along a line.

Minimise (a - a0)' M (a - a0) / 2 + s(J a - aref), where a0 = qacc_smooth and s is the cost of the rows (cost.py).

Source: MuJoCo documentation, chapter Computation, "Constraint solver".
"""
from __future__ import annotations

from math import sqrt

from physics.engine.constraint.jacobian import add_block_forces, mul_block
from physics.engine.inertia.mass_matrix import solve_m_tree
from physics.engine.linalg.sparse import mul_rows
from physics.engine.solve.constraint_blocks import includes_free_trees
from physics.engine.solve.cost import update_rows
from physics.enums import DSBL_ISLAND, DSBL_WARMSTART
from physics.kernels.decorators import helper, kernel

MINSEARCH = 1e-15  # shortest direction that is followed


@helper
def mul_tree(m, d, t, x, res):
    """res = M x over the dofs of tree t."""
    start = m.tree_dofadr[t]
    mul_rows(res, x, d.M, m, start, start + m.tree_dofnum[t])


@kernel("m d i", ret="f")
def evaluate_cost(m, d, island):
    """Cost at qacc from sol_Ma and sol_jar; forces and states of the rows.

    Reads: qacc, qacc_smooth, qfrc_smooth, sol_Ma, sol_jar
    Writes: efc_force, efc_state, sol_changed, sol_active
    """
    # s(J a - aref), then the Gauss term (a - a0)' M (a - a0) / 2, with M (a - a0) = M a - qfrc_smooth
    cost = update_rows(m, d, d.sol_island_block[island], d.sol_island_nblock[island])
    s = 0.0
    first = d.sol_island_tree[island]
    for place in range(first, first + d.sol_island_ntree[island]):
        t = d.sol_order[place]
        adr = m.tree_dofadr[t]
        for i in range(adr, adr + m.tree_dofnum[t]):
            s += (d.sol_Ma[i] - d.qfrc_smooth[i]) * (d.qacc[i] - d.qacc_smooth[i])
    return cost + 0.5 * s


@kernel("m d i i", ret="f")
def start_at(m, d, island, warm):
    """Set qacc of an island to qacc_warmstart or qacc_smooth, and what follows from it; returns the cost.

    Reads: qacc_warmstart, qacc_smooth, M, efc_J, efc_aref
    Writes: qacc, sol_Ma, sol_jar, efc_force, efc_state
    """
    first = d.sol_island_tree[island]
    # a, M a
    for place in range(first, first + d.sol_island_ntree[island]):
        t = d.sol_order[place]
        adr = m.tree_dofadr[t]
        for i in range(adr, adr + m.tree_dofnum[t]):
            if warm:
                d.qacc[i] = d.qacc_warmstart[i]
            else:
                d.qacc[i] = d.qacc_smooth[i]
        mul_tree(m, d, t, d.qacc, d.sol_Ma)
    # J a - aref
    u0 = d.sol_island_block[island]
    for k in range(u0, u0 + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        row = d.sol_block_row[u]
        mul_block(d, row, d.sol_block_num[u], d.qacc, d.sol_jar)
        for i in range(row, row + d.sol_block_num[u]):
            d.sol_jar[i] -= d.efc_aref[i]
    return evaluate_cost(m, d, island)


@kernel("m d i", ret="f")
def gradient(m, d, island):
    """sol_grad = M qacc - qfrc_smooth - J' efc_force over an island; returns its norm.

    Reads: sol_Ma, qfrc_smooth, efc_force, efc_J
    Writes: sol_grad, qfrc_constraint
    """
    # J' f, summed block by block
    first = d.sol_island_tree[island]
    last = first + d.sol_island_ntree[island]
    for place in range(first, last):
        t = d.sol_order[place]
        adr = m.tree_dofadr[t]
        for i in range(adr, adr + m.tree_dofnum[t]):
            d.qfrc_constraint[i] = 0.0
    u0 = d.sol_island_block[island]
    for k in range(u0, u0 + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        add_block_forces(d, d.sol_block_row[u], d.sol_block_num[u], d.efc_force, d.qfrc_constraint)
    # g = M a - qfrc_smooth - J' f
    s = 0.0
    for place in range(first, last):
        t = d.sol_order[place]
        adr = m.tree_dofadr[t]
        for i in range(adr, adr + m.tree_dofnum[t]):
            g = d.sol_Ma[i] - d.qfrc_smooth[i] - d.qfrc_constraint[i]
            d.sol_grad[i] = g
            s += g * g
    return sqrt(s)


@kernel("m d i", ret="f")
def inertia_gap(m, d, island):
    """g' M^-1 g over an island; uses sol_search.

    Reads: sol_grad, qLD, qLDiagInv
    Writes: sol_search
    """
    s = 0.0
    first = d.sol_island_tree[island]
    # tree by tree: M^-1 by its factor
    for place in range(first, first + d.sol_island_ntree[island]):
        t = d.sol_order[place]
        adr = m.tree_dofadr[t]
        for i in range(adr, adr + m.tree_dofnum[t]):
            d.sol_search[i] = d.sol_grad[i]
        solve_m_tree(m, d, t, d.sol_search)
        for i in range(adr, adr + m.tree_dofnum[t]):
            s += d.sol_search[i] * d.sol_grad[i]
    return s


@helper
def move(m, d, island, alpha):
    """qacc += alpha p, and what follows from it."""
    first = d.sol_island_tree[island]
    # M a and J a - aref are linear in alpha
    for place in range(first, first + d.sol_island_ntree[island]):
        t = d.sol_order[place]
        adr = m.tree_dofadr[t]
        for i in range(adr, adr + m.tree_dofnum[t]):
            d.qacc[i] += alpha * d.sol_search[i]
            d.sol_Ma[i] += alpha * d.sol_Mp[i]
    u0 = d.sol_island_block[island]
    for k in range(u0, u0 + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        row = d.sol_block_row[u]
        for i in range(row, row + d.sol_block_num[u]):
            d.sol_jar[i] += alpha * d.sol_jv[i]


@helper
def trace_of(m, d, island):
    """Trace of M over an island, over all dofs where islands are switched off."""
    # the diagonal is the last entry of each row of M's lower triangle
    s = 0.0
    if m.opt_disableflags & DSBL_ISLAND:
        for i in range(m.nv):
            s += d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]
        return s
    first = d.sol_island_tree[island]
    for place in range(first, first + d.sol_island_ntree[island]):
        t = d.sol_order[place]
        adr = m.tree_dofadr[t]
        for i in range(adr, adr + m.tree_dofnum[t]):
            s += d.M[m.M_rowadr[i] + m.M_rownnz[i] - 1]
    return s


@kernel("m d i", ret="f")
def smooth_cost(m, d, island):
    """Cost of an island's rows at qacc_smooth (the Gauss term is zero there); leaves J qacc_smooth - aref in efc_b.

    Reads: qacc_smooth, efc_J, efc_aref
    Writes: efc_b, sol_jar, efc_force, efc_state
    """
    # J qacc_smooth - aref; the Gauss term is zero there
    u0 = d.sol_island_block[island]
    for k in range(u0, u0 + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        row = d.sol_block_row[u]
        mul_block(d, row, d.sol_block_num[u], d.qacc_smooth, d.sol_jar)
        for i in range(row, row + d.sol_block_num[u]):
            x = d.sol_jar[i] - d.efc_aref[i]
            d.sol_jar[i] = x
            d.efc_b[i] = x
    return update_rows(m, d, u0, d.sol_island_nblock[island])


@helper
def free_cost(m, d):
    """Cost of qacc_warmstart over the trees that are in no island."""
    s = 0.0
    if includes_free_trees(m):
        return s
    for t in range(m.ntree):
        if d.sol_tree_island[t] < 0:
            mul_tree(m, d, t, d.qacc_warmstart, d.sol_Ma)
            adr = m.tree_dofadr[t]
            for i in range(adr, adr + m.tree_dofnum[t]):
                s += 0.5 * (d.sol_Ma[i] - d.qfrc_smooth[i]) * (d.qacc_warmstart[i] - d.qacc_smooth[i])
    return s


@kernel()
def start_islands(m, d):
    """Start all islands at the cheaper of qacc_warmstart and qacc_smooth.

    Reads: qacc_warmstart, qacc_smooth, qfrc_smooth, M, efc_J, efc_aref, sol_nisland, sol_tree_island
    Writes: qacc, efc_b, efc_force, efc_state, sol_Ma, sol_jar
    """
    # whichever of the two accelerations costs less over all islands (and the free trees, whose acceleration is qacc_smooth anyhow)
    smooth = 0.0
    for island in range(d.sol_nisland):
        smooth += smooth_cost(m, d, island)
    if not (m.opt_disableflags & DSBL_WARMSTART):
        warm = free_cost(m, d)
        for island in range(d.sol_nisland):
            warm += start_at(m, d, island, 1)
        if warm <= smooth:
            return
    for island in range(d.sol_nisland):
        start_at(m, d, island, 0)
