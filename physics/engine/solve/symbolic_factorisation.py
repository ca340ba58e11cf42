"""Symbolic factorisation: which islands have their Hessian by rows (sparse_cholesky.py), and the elimination tree of dofs behind them.

Row k of L holds the dofs above k in a forest in which the columns of every block, and of every row of M, lie on one path. For a
tree that stands on the world it is the tree itself. A constraint block across branches or trees makes later dofs descendants of earlier
ones; dofs in between go along. Such rows may hold zeros: where they would need more room than supernodes, the island is factored by those.

Source: Liu, "The role of elimination trees in sparse factorization", SIAM J. Matrix Anal. Appl. 11 (1990), section 2.
"""
from __future__ import annotations

from physics.engine.solve.articulated_direction import may_use_aba_island
from physics.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_CONTACT_PYRAMIDAL
from physics.kernels.decorators import helper, kernel

PADDING = 4  # numbers before an island's first row and after its last, for fours that reach beyond
MOSTTREES = 6  # islands of more trees are ordered by least degree, in supernodes
FORM_SUPERNODAL = 0  # forms of an island's Hessian; not known yet: -1
FORM_TREE = 1
FORM_FOREST = 2
FORM_ABA = 3  # no Hessian: articulated_direction.py


@helper
def row_room(n):
    """Numbers that a row with n entries takes: one of the right side before them, up to a multiple of four."""
    return (n + 4) & ~3


@helper
def tree_room(m, t):
    """Numbers that the rows of tree t take as an island of its own."""
    n = 2 * PADDING
    for k in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
        n += row_room(m.M_rownnz[k])
    return n


@helper
def is_path(m, d, row):
    """Whether the columns of a row are a dof, its parent, and so on."""
    # first and last column as far apart in depth as there are columns, and the one an ancestor of the other
    adr = d.efc_J_rowadr[row]
    n = d.efc_J_rownnz[row]
    if n == 1:
        return True
    first = d.efc_J_colind[adr]
    last = d.efc_J_colind[adr + n - 1]
    depth = m.M_rownnz[first]
    if m.M_rownnz[last] - depth != n - 1 or m.M_colind[m.M_rowadr[last] + depth - 1] != first:
        return False
    kind = d.efc_type[row]
    if kind == CNSTR_CONTACT_PYRAMIDAL or kind == CNSTR_CONTACT_ELLIPTIC:
        # the columns of two chains that part start on one of them and end on the other
        return True
    # those between must be the dofs between
    for k in range(1, n - 1):
        if d.efc_J_colind[adr + k] != m.M_colind[m.M_rowadr[last] + depth - 1 + k]:
            return False
    return True


@helper
def merge_ancestor(d, above, k):
    """Make dof `above` one of those above dof k, keeping all that are; `above` comes before k."""
    # Liu's elimination tree by path merging: walk up from k to where `above` belongs, put it in, and go on with what was there
    while above >= 0:
        while d.sol_etree_wanted[k] > above:
            k = d.sol_etree_wanted[k]
        old = d.sol_etree_wanted[k]
        if old == above:
            return
        d.sol_etree_wanted[k] = above
        k = above
        above = old


@helper
def sort_trees(d, island):
    """List the trees of an island in their own order."""
    start = d.sol_island_tree[island]
    for a in range(start, start + d.sol_island_ntree[island]):
        t = d.sol_order[a]
        b = a
        while b > start and d.sol_H_tree[b - 1] > t:
            d.sol_H_tree[b] = d.sol_H_tree[b - 1]
            b -= 1
        d.sol_H_tree[b] = t


@helper
def find_etree(m, d, island):
    """Write the forest of an island to sol_etree_wanted; returns whether it is the one that the rows were laid for."""
    start = d.sol_island_tree[island]
    end = start + d.sol_island_ntree[island]
    # begin with the tree of the mechanism, whose paths hold the columns of M's rows
    for a in range(start, end):
        t = d.sol_order[a]
        for k in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
            d.sol_etree_wanted[k] = m.dof_parentid[k]
    # each block: its columns must lie on one path
    u0 = d.sol_island_block[island]
    for u in range(u0, u0 + d.sol_island_nblock[island]):
        row = d.sol_block_row[d.sol_block_order[u]]
        adr = d.efc_J_rowadr[row]
        for a in range(adr + d.efc_J_rownnz[row] - 1, adr, -1):
            merge_ancestor(d, d.efc_J_colind[a - 1], d.efc_J_colind[a])
    for a in range(start, end):
        t = d.sol_order[a]
        for k in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
            if d.sol_etree_wanted[k] != d.sol_etree_parent[k]:
                return False
    return True


@helper
def layout_row(d, k, above, at, end):
    """Place the row of dof k at sol_H[at], under dof `above`; returns where the next may start, -1 where there is no room."""
    d.sol_etree_parent[k] = above
    # columns of row k: those of its parent's row, then k (its path from the root)
    n = 0
    if above >= 0:
        n = d.sol_etree_depth[above] + 1
    if at + row_room(n + 1) + PADDING > end:
        return -1
    d.sol_etree_depth[k] = n
    d.sol_etree_run[k] = 0
    if above >= 0:
        # dofs just before each other: eliminated together
        if above == k - 1:
            d.sol_etree_run[k] = d.sol_etree_run[above] + 1
        src = d.sol_H_rowadr[above] + 1
        for j in range(n):
            d.sol_H_colind[at + 1 + j] = d.sol_H_colind[src + j]
    d.sol_H_colind[at + 1 + n] = k
    d.sol_H_rowadr[k] = at
    return at + row_room(n + 1)


@kernel("m d i i", ret="i")
def layout_rows(m, d, island, tied):
    """Lay the rows of an island for its forest (tied), or for its one tree as it is; returns whether there is room where its supernodes are.

    Reads: sol_etree_wanted, sol_order, sol_island_tree, sol_island_ntree, sol_island_end, sol_supernode_adr
    Writes: sol_etree_parent, sol_etree_depth, sol_etree_run, sol_H_rowadr, sol_H_colind, sol_H_tree
    """
    # in the place of the island's supernodes, trees in their own order
    sort_trees(d, island)
    start = d.sol_island_tree[island]
    at = d.sol_supernode_adr[d.sol_order[start]] + PADDING
    end = d.sol_island_end[island]
    for a in range(start, start + d.sol_island_ntree[island]):
        t = d.sol_H_tree[a]
        for k in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
            above = m.dof_parentid[k]
            if tied:
                above = d.sol_etree_wanted[k]
            if at >= 0:
                at = layout_row(d, k, above, at, end)
            d.sol_etree_parent[k] = above
    return at >= 0


@kernel("m d i")
def choose_form(m, d, island):
    """Bring the form of an island's Hessian, and its rows where it has any, up to the present blocks.

    Reads: aba_trees, contact_geom, efc_id, sol_island_form, sol_island_ntree, sol_island_block, sol_island_nblock, sol_block_order, sol_block_row, efc_type, efc_J_rownnz,
        efc_J_rowadr, efc_J_colind
    Writes: sol_island_form, sol_etree_wanted, and what layout_rows writes
    """
    # many trees: minimum degree and supernodes
    if d.sol_island_ntree[island] > MOSTTREES:
        d.sol_island_form[island] = FORM_SUPERNODAL
        return
    # a long chain that touches the world only: no Hessian
    tied = d.sol_island_ntree[island] > 1
    if not tied and may_use_aba_island(m, d, island):
        d.sol_island_form[island] = FORM_ABA
        return
    # one tree: do all blocks keep to one path each?
    k = d.sol_island_block[island]
    end = k + d.sol_island_nblock[island]
    while not tied and k < end:
        tied = not is_path(m, d, d.sol_block_row[d.sol_block_order[k]])
        k += 1
    # then the mechanism's tree is the elimination tree, and nothing fills in
    if not tied:
        if d.sol_island_form[island] != FORM_TREE:
            d.sol_island_form[island] = FORM_SUPERNODAL
            if layout_rows(m, d, island, False):
                d.sol_island_form[island] = FORM_TREE
        return
    # else the elimination tree of mechanism and blocks; rows are laid out anew where it differs
    same = find_etree(m, d, island)
    if same and (d.sol_island_form[island] == FORM_FOREST or d.sol_island_form[island] == FORM_SUPERNODAL):
        return
    d.sol_island_form[island] = FORM_SUPERNODAL
    if layout_rows(m, d, island, True):
        d.sol_island_form[island] = FORM_FOREST


@kernel()
def choose_forms(m, d):
    """choose_form of all islands.

    Reads: sol_nisland, sol_island_full, and what choose_form reads
    Writes: what choose_form writes
    """
    for i in range(d.sol_nisland):
        if d.sol_island_full[i] == 0:
            choose_form(m, d, i)
