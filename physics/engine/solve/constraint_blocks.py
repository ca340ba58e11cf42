"""Constraint blocks of the solver, the islands they form, and who ties which trees together.

A constraint block is one row that stands alone, or all rows of one contact. Trees that share a block are in one island; islands are
independent problems. The hyperedges of the island graph, each the set of trees that a block ties together, are kept from step to step: while they do not change,
islands and elimination order stay valid.
"""
from __future__ import annotations

from physics.engine.constraint.jacobian import rows_of_block
from physics.enums import DSBL_ISLAND, SOL_CG, SOL_NEWTON
from physics.kernels.decorators import helper, kernel


@kernel()
def find_blocks(m, d):
    """Group the rows.

    Reads: nefc, ncoupling, efc_type, efc_id, contact_dim
    Writes: sol_nblock, sol_block_row, sol_block_num
    """
    n = 0
    i = 0
    while i < d.nefc + d.ncoupling:
        rows = rows_of_block(d, i)
        d.sol_block_row[n] = i
        d.sol_block_num[n] = rows
        n += 1
        i += rows
    d.sol_nblock = n


@helper
def needs_factor(m):
    """Whether the solver factors a Hessian."""
    return m.opt_solver == SOL_NEWTON


@helper
def includes_free_trees(m):
    """Whether the one island holds the trees that no row touches as well: they lengthen the steps of conjugate gradients as all others do."""
    return m.opt_solver == SOL_CG and m.opt_disableflags & DSBL_ISLAND != 0


@helper
def symbolic_kind(m):
    """What sol_symbolic says of a plan that fits the options: 1 by islands, 2 all trees as one; 2 more without a factor; 5 with trees that no row touches."""
    kind = 1
    if m.opt_disableflags & DSBL_ISLAND:
        kind = 2
    if includes_free_trees(m):
        kind = 5
    elif not needs_factor(m):
        kind += 2
    return kind


@helper
def same_hyperedge(m, d, row, hyperedge):
    """Whether the trees of a row are those of a stored hyperedge (both ascending)."""
    adr = d.efc_J_rowadr[row]
    # the row's columns ascend, so its trees come in order: compare as they change
    at = d.sol_hyperedge_adr[hyperedge]
    end = at + d.sol_hyperedge_num[hyperedge]
    last = -1
    for k in range(adr, adr + d.efc_J_rownnz[row]):
        t = m.dof_treeid[d.efc_J_colind[k]]
        if t != last:
            if at >= end or d.sol_hyperedge_tree[at] != t:
                return False
            at += 1
            last = t
    return at == end


@kernel("m d", ret="i")
def collect_hyperedges(m, d):
    """Store the hyperedges, the sets of trees that blocks tie together; returns whether they are the ones stored before.

    A hyperedge equal to the one before it is left out, and so is a single tree after its first time.
    Reads: sol_nblock, sol_block_row, sol_symbolic, efc_J_rownnz, efc_J_rowadr, efc_J_colind
    Writes: sol_nhyperedge, sol_nhyperedge_tree, sol_hyperedge_adr, sol_hyperedge_num, sol_hyperedge_tree, sol_mark
    """
    # sol_mark[t]: a block touches tree t
    for t in range(m.ntree):
        d.sol_mark[t] = 0
    # only a factorisation of the kind that is wanted now can still be valid
    same = 0
    if d.sol_symbolic == symbolic_kind(m):
        same = 1
    n = 0
    at = 0
    # every block is a hyperedge over the trees of its first row's columns (all rows of a block share them)
    for u in range(d.sol_nblock):
        row = d.sol_block_row[u]
        adr = d.efc_J_rowadr[row]
        nnz = d.efc_J_rownnz[row]
        first = m.dof_treeid[d.efc_J_colind[adr]]
        # a block of one tree joins nothing: it matters once, to mark the tree
        if first == m.dof_treeid[d.efc_J_colind[adr + nnz - 1]]:
            if d.sol_mark[first] != 0:
                continue
        elif n > 0 and same_hyperedge(m, d, row, n - 1):
            continue
        # write the trees over those of the last step, noting any difference
        start = at
        last = -1
        for k in range(adr, adr + nnz):
            t = m.dof_treeid[d.efc_J_colind[k]]
            if t != last:
                if at >= d.sol_nhyperedge_tree or d.sol_hyperedge_tree[at] != t:
                    same = 0
                    d.sol_hyperedge_tree[at] = t
                d.sol_mark[t] = 1
                at += 1
                last = t
        # the lengths must agree too, and at the end the counts
        if n >= d.sol_nhyperedge or d.sol_hyperedge_num[n] != at - start:
            same = 0
        d.sol_hyperedge_adr[n] = start
        d.sol_hyperedge_num[n] = at - start
        n += 1
    if n != d.sol_nhyperedge or at != d.sol_nhyperedge_tree:
        same = 0
    d.sol_nhyperedge = n
    d.sol_nhyperedge_tree = at
    return same


@helper
def find_root(d, t):
    """Representative of the group of tree t."""
    # path halving
    while d.sol_parent[t] != t:
        d.sol_parent[t] = d.sol_parent[d.sol_parent[t]]
        t = d.sol_parent[t]
    return t


@helper
def unite_all(m, d):
    """Make one group of all trees that rows touch."""
    first = -1
    for t in range(m.ntree):
        if d.sol_mark[t] != 0:
            if first < 0:
                first = t
            d.sol_parent[find_root(d, t)] = first


@helper
def list_free_trees(m, d):
    """Append the trees that no row touches to the only island's."""
    n = d.sol_island_ntree[0]
    for t in range(m.ntree):
        if d.sol_tree_island[t] < 0:
            d.sol_order[n] = t
            n += 1
    d.sol_island_ntree[0] = n


@kernel()
def find_islands(m, d):
    """Number the islands by their first tree and list the trees of each.

    Reads: sol_nhyperedge, sol_hyperedge_adr, sol_hyperedge_num, sol_hyperedge_tree, sol_mark
    Writes: sol_nisland, sol_tree_island, sol_island_tree, sol_island_ntree, sol_order, sol_parent
    """
    # union-find: every tree alone at first
    for t in range(m.ntree):
        d.sol_parent[t] = t
        d.sol_tree_island[t] = -1
    # unite the trees of each hyperedge; the root is the lowest number, so that islands come in the order of their first trees
    for e in range(d.sol_nhyperedge):
        adr = d.sol_hyperedge_adr[e]
        a = find_root(d, d.sol_hyperedge_tree[adr])
        for k in range(adr + 1, adr + d.sol_hyperedge_num[e]):
            b = find_root(d, d.sol_hyperedge_tree[k])
            if b < a:
                d.sol_parent[a] = b
                a = b
            else:
                d.sol_parent[b] = a
    if m.opt_disableflags & DSBL_ISLAND:
        unite_all(m, d)
    # number the islands, count their trees
    n = 0
    for t in range(m.ntree):
        if d.sol_mark[t] != 0:
            r = find_root(d, t)
            if r == t:
                d.sol_tree_island[t] = n
                d.sol_island_ntree[n] = 0
                n += 1
            k = d.sol_tree_island[r]
            d.sol_tree_island[t] = k
            d.sol_island_ntree[k] += 1
    d.sol_nisland = n
    # prefix sums: where each island's trees start
    at = 0
    for i in range(n):
        d.sol_island_tree[i] = at
        at += d.sol_island_ntree[i]
        d.sol_island_ntree[i] = 0
    # counting sort of the trees by island; sol_island_ntree is the cursor
    for t in range(m.ntree):
        i = d.sol_tree_island[t]
        if i >= 0:
            d.sol_order[d.sol_island_tree[i] + d.sol_island_ntree[i]] = t
            d.sol_island_ntree[i] += 1
    if includes_free_trees(m):
        list_free_trees(m, d)


@helper
def island_of_block(m, d, block):
    """Island of a constraint block: that of the tree of its first row's first dof."""
    dof = d.efc_J_colind[d.efc_J_rowadr[d.sol_block_row[block]]]
    return d.sol_tree_island[m.dof_treeid[dof]]


@kernel()
def sort_blocks(m, d):
    """List the blocks of each island, in the order of rows.

    Reads: sol_nisland, sol_nblock, sol_block_row, sol_tree_island, efc_J_rowadr, efc_J_colind
    Writes: sol_island_block, sol_island_nblock, sol_block_order
    """
    # one island: the order stays
    n = d.sol_nisland
    if n == 1:
        d.sol_island_block[0] = 0
        d.sol_island_nblock[0] = d.sol_nblock
        for u in range(d.sol_nblock):
            d.sol_block_order[u] = u
        return
    # counting sort by island: count, prefix sums, place
    for i in range(n):
        d.sol_island_nblock[i] = 0
    for u in range(d.sol_nblock):
        i = island_of_block(m, d, u)
        d.sol_island_nblock[i] += 1
    at = 0
    for i in range(n):
        d.sol_island_block[i] = at
        at += d.sol_island_nblock[i]
        d.sol_island_nblock[i] = 0
    for u in range(d.sol_nblock):
        i = island_of_block(m, d, u)
        d.sol_block_order[d.sol_island_block[i] + d.sol_island_nblock[i]] = u
        d.sol_island_nblock[i] += 1
