"""Minimum-degree elimination order of the trees of an island, and the layout of the supernodes of the factor.

Minimum degree on the quotient graph of trees: what ties trees together is kept as elements (cliques), the graph itself is never formed.
Eliminating a tree merges all elements that it is in into one, which is also the list of trees its supernode is coupled to.

Source: George and Liu, "The evolution of the minimum degree ordering algorithm", SIAM Review 31 (1989), section 3.
"""
from __future__ import annotations

from physics.engine.solve.constraint_blocks import symbolic_kind
from physics.engine.solve.symbolic_factorisation import tree_room
from physics.kernels.decorators import helper, kernel

MAX_WORK = 1e5  # multiplications a dof that one factor may take: about thirty times what conjugate gradients take to the end


@helper
def list_elements(m, d):
    """Write for each tree the elements (hyperedges) that it is in."""
    # quotient graph at its start: variables are trees, elements the hyperedges. Counting sort of (tree, hyperedge) by tree
    for t in range(m.ntree):
        d.sol_var_num[t] = 0
        d.sol_mark[t] = -1
    for k in range(d.sol_nhyperedge_tree):
        d.sol_var_num[d.sol_hyperedge_tree[k]] += 1
    # prefix sums
    at = 0
    for t in range(m.ntree):
        d.sol_var_adr[t] = at
        at += d.sol_var_num[t]
        d.sol_var_num[t] = 0
    # place
    for e in range(d.sol_nhyperedge):
        d.sol_hyperedge_mark[e] = -1
        adr = d.sol_hyperedge_adr[e]
        for k in range(adr, adr + d.sol_hyperedge_num[e]):
            t = d.sol_hyperedge_tree[k]
            d.sol_var_elem[d.sol_var_adr[t] + d.sol_var_num[t]] = e
            d.sol_var_num[t] += 1


@kernel("m d i i i", ret="i")
def adjacent_trees(m, d, t, stamp, out):
    """Mark with `stamp` the uneliminated trees that share an element with tree t; weigh them by dofs.

    With out >= 0 they are also written to sol_struct_tree from there on (as far as there is room) and the number of trees is
    returned, else the number of dofs. sol_order_inverse[t] >= 0 says that t is eliminated.
    """
    # neighbours of t: the union of its elements' variables that are not eliminated; the stamp makes each count once
    d.sol_mark[t] = stamp
    count = 0
    weight = 0
    adr = d.sol_var_adr[t]
    for k in range(adr, adr + d.sol_var_num[t]):
        e = d.sol_var_elem[k]
        # an element is a hyperedge, or what an eliminated tree has become: its structure
        if e >= 0:
            start = d.sol_hyperedge_adr[e]
            n = d.sol_hyperedge_num[e]
        else:
            start = d.sol_struct_adr[-1 - e]
            n = d.sol_struct_num[-1 - e]
        for j in range(start, start + n):
            if e >= 0:
                s = d.sol_hyperedge_tree[j]
            else:
                s = d.sol_struct_tree[j]
            # a neighbour not seen before
            if d.sol_order_inverse[s] < 0 and d.sol_mark[s] != stamp:
                d.sol_mark[s] = stamp
                if out >= 0 and out + count < d.maxH:
                    d.sol_struct_tree[out + count] = s
                count += 1
                weight += m.tree_dofnum[s]
    if out >= 0:
        return count
    return weight


@helper
def absorb(d, v, s):
    """Replace, among the elements of tree s, those that tree v had by the one that v became."""
    adr = d.sol_var_adr[s]
    n = 0
    # element absorption: the clique of v contains all elements that v had
    for k in range(adr, adr + d.sol_var_num[s]):
        e = d.sol_var_elem[k]
        if e >= 0:
            merged = d.sol_hyperedge_mark[e] == 1
        else:
            merged = d.sol_parent[-1 - e] == -2
        if not merged:
            d.sol_var_elem[adr + n] = e
            n += 1
    d.sol_var_elem[adr + n] = -1 - v
    d.sol_var_num[s] = n + 1


@kernel("m d i i i", ret="i")
def eliminate(m, d, v, place, at):
    """Eliminate tree v; its later neighbours go to sol_struct_tree[at:]. Returns their number, -1 where there is no room."""
    # struct(v): the trees that v is coupled to when it goes
    n = adjacent_trees(m, d, v, m.ntree + place, at)
    if at + n > d.maxH:
        return -1
    d.sol_struct_adr[v] = at
    d.sol_struct_num[v] = n
    d.sol_order_inverse[v] = place
    adr = d.sol_var_adr[v]
    # v's elements are absorbed by the new one
    for k in range(adr, adr + d.sol_var_num[v]):
        e = d.sol_var_elem[k]
        if e >= 0:
            d.sol_hyperedge_mark[e] = 1
        else:
            d.sol_parent[-1 - e] = -2
    for k in range(at, at + n):
        absorb(d, v, d.sol_struct_tree[k])
    return n


@kernel("m d i i", ret="i")
def order_island(m, d, island, at):
    """Order the trees of an island by least degree; returns the new end of sol_struct_tree, -1 where there is no room.

    Reads: sol_island_tree, sol_island_ntree
    Writes: sol_order (of the island), sol_order_inverse, sol_struct_tree, sol_struct_adr, sol_struct_num, sol_degree
    """
    start = d.sol_island_tree[island]
    end = start + d.sol_island_ntree[island]
    # a tree alone: nothing to order
    if end - start == 1:
        t = d.sol_order[start]
        d.sol_order_inverse[t] = start
        d.sol_struct_adr[t] = at
        d.sol_struct_num[t] = 0
        return at
    # external degree of each tree: dofs of its neighbours
    for k in range(start, end):
        t = d.sol_order[k]
        d.sol_degree[t] = adjacent_trees(m, d, t, -2 - t, -1)
    for place in range(start, end):
        # least degree, earliest tree among equals
        best = place
        for k in range(place + 1, end):
            if d.sol_degree[d.sol_order[k]] < d.sol_degree[d.sol_order[best]]:
                best = k
        v = d.sol_order[best]
        d.sol_order[best] = d.sol_order[place]
        d.sol_order[place] = v
        # eliminate v; the degrees of its neighbours change
        n = eliminate(m, d, v, place, at)
        if n < 0:
            return -1
        for k in range(at, at + n):
            s = d.sol_struct_tree[k]
            d.sol_degree[s] = adjacent_trees(m, d, s, -2 - s - m.ntree * (place + 1), -1)
        at += n
    return at


@kernel()
def layout_supernodes(m, d):
    """Sort each tree's later neighbours, give them columns, and place the supernodes and the padded vector.

    Where factoring an island of several trees would take more than FULL multiplications a dof it gets no supernodes: it is solved by conjugate
    gradients. Sets need_nH where sol_H is too small.
    Reads: sol_nisland, sol_island_tree, sol_island_ntree, sol_order, sol_order_inverse, sol_struct_tree, sol_struct_adr, sol_struct_num
    Writes: sol_struct_tree, sol_struct_col, sol_supernode_adr, sol_supernode_ld, sol_vec_adr, sol_island_end, sol_island_form, sol_island_full, need_nH
    """
    total = 0
    vec = 0
    # one supernode per tree, in order of elimination
    for i in range(d.sol_nisland):
        d.sol_island_form[i] = -1
        begin = total
        work = 0.0
        dofs = 0
        for place in range(d.sol_island_tree[i], d.sol_island_tree[i] + d.sol_island_ntree[i]):
            t = d.sol_order[place]
            start = d.sol_struct_adr[t]
            n = d.sol_struct_num[t]
            # struct(t) sorted by order of elimination (insertion sort: it is short)
            for a in range(start + 1, start + n):
                s = d.sol_struct_tree[a]
                b = a
                while b > start and d.sol_order_inverse[d.sol_struct_tree[b - 1]] > d.sol_order_inverse[s]:
                    d.sol_struct_tree[b] = d.sol_struct_tree[b - 1]
                    b -= 1
                d.sol_struct_tree[b] = s
            # columns: the tree's own, then each coupled tree's, all padded to fours
            column = (m.tree_dofnum[t] + 3) & ~3
            d.sol_vec_adr[t] = vec
            vec += column
            for a in range(start, start + n):
                d.sol_struct_col[a] = column
                column += (m.tree_dofnum[d.sol_struct_tree[a]] + 3) & ~3
            d.sol_supernode_adr[t] = total
            d.sol_supernode_ld[t] = column
            # multiplications of the dense factor, columns^2 per dof
            work += float(column) * column * m.tree_dofnum[t]
            dofs += m.tree_dofnum[t]
            end = total + column * m.tree_dofnum[t]
            if n == 0:
                end = max(end, total + tree_room(m, t))   # as a tree that is an island may stand by rows
            total = end
        # too dense to factor: conjugate gradients instead, and the room goes back
        d.sol_island_full[i] = 0
        if d.sol_island_ntree[i] > 1 and work > MAX_WORK * dofs:
            d.sol_island_full[i] = 1
            total = begin
        d.sol_island_end[i] = total
    if total > d.maxH:
        d.need_nH = total


@kernel()
def analyse_factor(m, d):
    """Order all islands and lay out the supernodes; need_nH > 0 where there is no room.

    Reads: sol_nisland, sol_nhyperedge, sol_nhyperedge_tree, sol_hyperedge_adr, sol_hyperedge_num, sol_hyperedge_tree, sol_island_tree, sol_island_ntree
    Writes: sol_order, sol_order_inverse, sol_struct_tree, sol_struct_adr, sol_struct_num, sol_struct_col, sol_supernode_adr, sol_supernode_ld,
        sol_vec_adr, sol_island_end, sol_island_form, sol_island_full, sol_symbolic, need_nH, sol_degree, sol_hyperedge_mark, sol_mark, sol_parent, sol_var_adr, sol_var_elem,
        sol_var_num
    """
    # minimum-degree order of each island, then the places of its supernodes
    d.sol_symbolic = 0
    list_elements(m, d)
    for t in range(m.ntree):
        d.sol_order_inverse[t] = -1
        d.sol_parent[t] = 0
    at = 0
    for i in range(d.sol_nisland):
        at = order_island(m, d, i, at)
        if at < 0:
            d.need_nH = 2 * d.maxH
            return
    layout_supernodes(m, d)
    if d.need_nH == 0:
        d.sol_symbolic = symbolic_kind(m)
