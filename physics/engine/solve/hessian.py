"""Assemble the Hessian M + J' W J of an island in the form that symbolic_factorisation.py chose, factor it and solve with it.

Rows: sparse_cholesky.py; no Hessian: articulated_direction.py; supernodes, for islands of many trees: here. W holds the second derivatives of the
rows' costs: D of quadratic rows, and a small block for a contact on the side of its cone. A constraint block adds to the blocks of each pair
of its trees; the pair's block lies in the supernode of the tree that is eliminated first.

Source: Nocedal and Wright, "Numerical Optimization", chapter 3 (Newton); supernodes: linalg/supernodal.py.
"""
from __future__ import annotations

from physics.engine.linalg.supernodal import backward_corner, dot_four, factor_supernode_rows, forward_corner, row_of, subtract_block, subtract_four
from physics.engine.solve.articulated_direction import factor_by_aba, solve_by_aba
from physics.engine.solve.cost import cone_hessian
from physics.engine.solve.row_products import add_narrow, add_products, add_two, mix_rows, scale_rows, weight_of
from physics.engine.solve.sparse_cholesky import add_path, carry_right_side, copy_rows, factor_rows, load_rows, put_right_side, solve_rows
from physics.engine.solve.symbolic_factorisation import FORM_ABA, FORM_SUPERNODAL
from physics.enums import CNSTRSTATE_CONE, CONE_ELLIPTIC
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off
from physics.kernels.simd import stack, vbc, vld, vst, vturn


@kernel("m d i i")
def load_inertia(m, d, start, end):
    """sol_H0 of the trees sol_order[start:end] = M.

    Reads: M, sol_order, sol_supernode_adr, sol_supernode_ld
    Writes: sol_H0
    """
    zero = vbc(0.0)
    for place in range(start, end):
        t = d.sol_order[place]
        # upper triangle of M's block of tree t in its supernode, padding and couplings 0
        n = m.tree_dofnum[t]
        first = m.tree_dofadr[t]
        ld = d.sol_supernode_ld[t]
        p = off(d.sol_H0, d.sol_supernode_adr[t])
        k = 0
        while k < n * ld:
            vst(p, k, zero)
            k += 4
        # M is stored by rows of the lower triangle: entry (i, j) goes to U's (j, i)
        for i in range(n):
            adr = m.M_rowadr[first + i]
            for k in range(adr, adr + m.M_rownnz[first + i]):
                p[(m.M_colind[k] - first) * ld + i] = d.M[k]


@helper
def supernode_column(d, t, s):
    """First column of tree s in the supernode of tree t."""
    k = d.sol_struct_adr[t]
    while d.sol_struct_tree[k] != s:
        k += 1
    return d.sol_struct_col[k]


@helper
def find_segments(m, d, adr, nnz):
    """Write the ends of the runs of consecutive columns of one tree to sol_segment; returns their number."""
    n = 0
    last = d.efc_J_colind[adr]
    t = m.dof_treeid[last]
    # a segment ends where a column is left out or the tree changes
    several = m.dof_treeid[d.efc_J_colind[adr + nnz - 1]] != t
    for k in range(1, nnz):
        c = d.efc_J_colind[adr + k]
        if c != last + 1 or (several and m.dof_treeid[c] != t):
            d.sol_segment[n] = k
            n += 1
            t = m.dof_treeid[c]
        last = c
    d.sol_segment[n] = nnz
    return n + 1


@kernel("m d i i i i i i i i")
def add_subblock(m, d, into, adr, nnz, num, r0, r1, c0, c1):
    """Add the products of columns [r0, r1) and [c0, c1) of a block, each of one segment, to their trees' block.

    into: 0 sol_H0, 1 sol_H. The tree of the first is eliminated first, or they are of one tree and r0 <= c0.
    """
    # destination: row of the first dof in the supernode of its tree t, column of the other tree s in it
    row = d.efc_J_colind[adr + r0]
    col = d.efc_J_colind[adr + c0]
    t = m.dof_treeid[row]
    s = m.dof_treeid[col]
    ld = d.sol_supernode_ld[t]
    first = col - m.tree_dofadr[s]
    if t != s:
        first += supernode_column(d, t, s)
    at = d.sol_supernode_adr[t] + (row - m.tree_dofadr[t]) * ld + first
    # up to eight columns with room to write eight: held in registers over all rows
    n = c1 - c0
    rows = r1 - r0
    narrow = n <= 8 and first + ((n + 3) & ~3) <= ld
    g = 0
    # four rows of the block at a time: H[a, .] += sum_g (W J)_ga J_g.; beyond the last row W J is 0, so any row may be read
    while g < num:
        last = num - 1
        a0 = off(d.efc_J, adr + g * nnz + c0)
        a1 = off(d.efc_J, adr + min(last, g + 1) * nnz + c0)
        a2 = off(d.efc_J, adr + min(last, g + 2) * nnz + c0)
        a3 = off(d.efc_J, adr + min(last, g + 3) * nnz + c0)
        if narrow:
            h = off(d.sol_H0, at)
            if into != 0:
                h = off(d.sol_H, at)
            add_narrow(h, ld, off(d.sol_WJ, 12 * r0 + g), a0, a1, a2, a3, rows, n)
            g += 4
            continue
        # row by row of the destination; of a diagonal block only from the diagonal on
        a = 0
        while a < rows:
            # what lies left of the diagonal may be touched: no tail where there is room
            start = 0
            if r0 == c0:
                start = a
                if n >= ((n - a + 3) & ~3):
                    start = n - ((n - a + 3) & ~3)
            c = off(d.sol_WJ, 12 * (r0 + a) + g)
            if into == 0:
                p = off(d.sol_H0, at + a * ld)
            else:
                p = off(d.sol_H, at + a * ld)
            # two destination rows share the reading of J
            if a + 1 < rows and (n - start) & 3 == 0:
                add_two(p, off(p, ld), c, off(c, 12), a0, a1, a2, a3, start, n)
                a += 2
            else:
                add_products(p, c, a0, a1, a2, a3, start, n)
                a += 1
        g += 4


@kernel("m d i i i")
def add_block(m, d, into, row, num):
    """Add J' (W J) of the block that starts at this row to sol_H0 (into = 0) or sol_H (1); W J is in sol_WJ.

    Reads: efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, sol_WJ, sol_order_inverse
    Writes: sol_H0, sol_H, sol_segment
    """
    adr = d.efc_J_rowadr[row]
    nnz = d.efc_J_rownnz[row]
    # J' W J has a dense sub-block for each pair of segments
    nseg = find_segments(m, d, adr, nnz)
    p0 = 0
    for i in range(nseg):
        p1 = d.sol_segment[i]
        t = m.dof_treeid[d.efc_J_colind[adr + p0]]
        q0 = p0
        for j in range(i, nseg):
            q1 = d.sol_segment[j]
            s = m.dof_treeid[d.efc_J_colind[adr + q0]]
            # upper triangle: it is stored with whichever tree is eliminated first
            if s == t or d.sol_order_inverse[t] < d.sol_order_inverse[s]:
                add_subblock(m, d, into, adr, nnz, num, p0, p1, q0, q1)
            else:
                add_subblock(m, d, into, adr, nnz, num, q0, q1, p0, p1)
            q0 = q1
        p0 = p1


@helper
def add_entry(m, d, row, w, by_rows):
    """Add w J'J of a row with one entry to sol_H0."""
    adr = d.efc_J_rowadr[row]
    i = d.efc_J_colind[adr]
    t = m.dof_treeid[i]
    # one dof: w J^2 on the diagonal
    if by_rows:
        at = d.sol_H_rowadr[i] + 1 + d.sol_etree_depth[i]
    else:
        at = d.sol_supernode_adr[t] + (i - m.tree_dofadr[t]) * (d.sol_supernode_ld[t] + 1)
    d.sol_H0[at] += w * d.efc_J[adr] * d.efc_J[adr]


@kernel("m d i")
def update_hessian(m, d, island):
    """Bring sol_H0 of an island from the weights it holds to the present ones.

    Reads: efc_state, efc_D, efc_J, sol_block_order, sol_block_row, sol_block_num
    Writes: sol_H0, sol_weight, sol_WJ
    """
    w = stack(12)
    by_rows = d.sol_island_form[island] > FORM_SUPERNODAL
    first = d.sol_island_block[island]
    for k in range(first, first + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        row = d.sol_block_row[u]
        num = d.sol_block_num[u]
        change = False
        # difference of the rows' curvatures against those that sol_H0 holds: only blocks that changed zone cost anything
        for r in range(num):
            x = weight_of(d, row + r)
            w[r] = x - d.sol_weight[row + r]
            d.sol_weight[row + r] = x
            if w[r] != 0.0:
                change = True
        if not change:
            continue
        # H0 += J' (w J), w the difference
        nnz = d.efc_J_rownnz[row]
        if nnz == 1 and num == 1:
            add_entry(m, d, row, w[0], by_rows)
        else:
            scale_rows(d, w, d.efc_J_rowadr[row], nnz, num)
            if by_rows:
                add_path(m, d, 0, row, num)
            else:
                add_block(m, d, 0, row, num)


@kernel("m d i")
def add_cone_hessians(m, d, island):
    """Copy sol_H0 of an island to sol_H and add the contacts that are on the side of their cones.

    Reads: sol_H0, efc_state, efc_D, efc_J, sol_jar
    Writes: sol_H, sol_WJ
    """
    by_rows = d.sol_island_form[island] > FORM_SUPERNODAL
    start = d.sol_island_tree[island]
    end = start + d.sol_island_ntree[island]
    # sol_H = sol_H0, which keeps M + J' D J for the next iteration
    if by_rows:
        copy_rows(m, d, island)
        end = start
    for place in range(start, end):
        t = d.sol_order[place]
        p = off(d.sol_H0, d.sol_supernode_adr[t])
        q = off(d.sol_H, d.sol_supernode_adr[t])
        k = 0
        while k < m.tree_dofnum[t] * d.sol_supernode_ld[t]:
            vst(q, k, vld(p, k))
            k += 4
    # without elliptic cones that is all
    if m.opt_cone != CONE_ELLIPTIC:
        return
    # contacts on the side of their cone: H += J' W J with the dense W of cone_hessian, which changes at every point
    w = stack(36)
    first = d.sol_island_block[island]
    for k in range(first, first + d.sol_island_nblock[island]):
        u = d.sol_block_order[k]
        row = d.sol_block_row[u]
        if d.efc_state[row] == CNSTRSTATE_CONE:
            num = d.sol_block_num[u]
            cone_hessian(d, row, num, w)
            mix_rows(d, w, d.efc_J_rowadr[row], d.efc_J_rownnz[row], num)
            if by_rows:
                add_path(m, d, 1, row, num)
            else:
                add_block(m, d, 1, row, num)


@kernel("m d i i", ret="i")
def factor_island(m, d, island, fresh):
    """Assemble (anew, or from the last assembly) and factor the Hessian of an island; returns the pivots that were raised.

    Reads: M, sol_order, sol_block_order, efc_state, efc_D, efc_J
    Writes: sol_H0, sol_H, sol_diaginv, sol_weight
    """
    start = d.sol_island_tree[island]
    end = start + d.sol_island_ntree[island]
    # long chain: H as articulated inertias
    if d.sol_island_form[island] == FORM_ABA:
        return factor_by_aba(m, d, island)
    by_rows = d.sol_island_form[island] > FORM_SUPERNODAL
    # from M anew, with no row's curvature in it yet; else the last assembly is brought up to date
    if fresh:
        if by_rows:
            load_rows(m, d, island)
        else:
            load_inertia(m, d, start, end)
        first = d.sol_island_block[island]
        for k in range(first, first + d.sol_island_nblock[island]):
            u = d.sol_block_order[k]
            for i in range(d.sol_block_row[u], d.sol_block_row[u] + d.sol_block_num[u]):
                d.sol_weight[i] = 0.0
    update_hessian(m, d, island)
    add_cone_hessians(m, d, island)
    # sparse rows: the gradient is eliminated along with them
    if by_rows:
        put_right_side(m, d, island)
        return factor_rows(m, d, island)
    # supernodal: right-looking, in the order of elimination
    raised = 0
    for place in range(start, end):
        raised += factor_supernode(m, d, d.sol_order[place])
    return raised


@kernel("m d i", ret="i")
def factor_supernode(m, d, t):
    """Factor the supernode of tree t and subtract its Schur complement from the supernodes of the trees it is coupled to."""
    # dense factor of the supernode's own columns
    n = m.tree_dofnum[t]
    ld = d.sol_supernode_ld[t]
    p = off(d.sol_H, d.sol_supernode_adr[t])
    inverse = off(d.sol_diaginv, m.tree_dofadr[t])
    raised = factor_supernode_rows(p, n, ld, inverse)
    # Schur complement: for each pair (s, u) of coupled trees, s before u, H_su -= U_ts' D^-1 U_tu
    start = d.sol_struct_adr[t]
    end = start + d.sol_struct_num[t]
    for a in range(start, end):
        s = d.sol_struct_tree[a]
        at = d.sol_struct_col[a]
        rows = m.tree_dofnum[s]
        lds = d.sol_supernode_ld[s]
        dst = off(d.sol_H, d.sol_supernode_adr[s])
        subtract_block(p, n, ld, inverse, at, rows, dst, lds, 0, at, (rows + 3) & ~3, True)
        # struct(t) without s is contained in struct(s), both in elimination order: one walk finds the columns
        k = d.sol_struct_adr[s]
        for b in range(a + 1, end):
            while d.sol_struct_tree[k] != d.sol_struct_tree[b]:
                k += 1
            width = (m.tree_dofnum[d.sol_struct_tree[b]] + 3) & ~3
            subtract_block(p, n, ld, inverse, at, rows, dst, lds, d.sol_struct_col[k], d.sol_struct_col[b], width, False)
    return raised


@helper
def forward_supernode(m, d, t):
    """Solve U'y = x for the unknowns of tree t, four at a time, and take them off those of the trees it is coupled to."""
    n = m.tree_dofnum[t]
    ld = d.sol_supernode_ld[t]
    p = off(d.sol_H, d.sol_supernode_adr[t])
    x = off(d.sol_vec, d.sol_vec_adr[t])
    # four unknowns: their corner, then what they take off the later ones of the tree and of the coupled trees
    end = (n + 3) & ~3
    for c in range(0, n, 4):
        y = forward_corner(p, n, ld, off(d.sol_diaginv, m.tree_dofadr[t]), x, c)
        r0 = off(p, c * ld)
        r1 = row_of(p, ld, n, c + 1)
        r2 = row_of(p, ld, n, c + 2)
        r3 = row_of(p, ld, n, c + 3)
        k = c + 4
        subtract_four(off(x, k), off(r0, k), off(r1, k), off(r2, k), off(r3, k), y, end - k)
        for a in range(d.sol_struct_adr[t], d.sol_struct_adr[t] + d.sol_struct_num[t]):
            s = d.sol_struct_tree[a]
            k = d.sol_struct_col[a]
            subtract_four(off(d.sol_vec, d.sol_vec_adr[s]), off(r0, k), off(r1, k), off(r2, k), off(r3, k), y, (m.tree_dofnum[s] + 3) & ~3)


@helper
def backward_supernode(m, d, t, four):
    """Solve U x = y for the unknowns of tree t, those of the trees it is coupled to being known; four: scratch."""
    n = m.tree_dofnum[t]
    ld = d.sol_supernode_ld[t]
    p = off(d.sol_H, d.sol_supernode_adr[t])
    x = off(d.sol_vec, d.sol_vec_adr[t])
    # four unknowns, last first: products of their rows with all later unknowns, then the corner
    end = (n + 3) & ~3
    for c in range(end - 4, -1, -4):
        r0 = off(p, c * ld)
        r1 = row_of(p, ld, n, c + 1)
        r2 = row_of(p, ld, n, c + 2)
        r3 = row_of(p, ld, n, c + 3)
        k = c + 4
        zero = vbc(0.0)
        sums = dot_four((zero, zero, zero, zero), off(r0, k), off(r1, k), off(r2, k), off(r3, k), off(x, k), end - k)
        for a in range(d.sol_struct_adr[t], d.sol_struct_adr[t] + d.sol_struct_num[t]):
            s = d.sol_struct_tree[a]
            k = d.sol_struct_col[a]
            sums = dot_four(sums, off(r0, k), off(r1, k), off(r2, k), off(r3, k), off(d.sol_vec, d.sol_vec_adr[s]), (m.tree_dofnum[s] + 3) & ~3)
        # sum of each of the four partial sums by turning them
        c0, c1, c2, c3 = vturn(sums[0], sums[1], sums[2], sums[3])
        vst(four, 0, (c0 + c2) + (c1 + c3))
        backward_corner(p, n, ld, off(d.sol_diaginv, m.tree_dofadr[t]), x, c, four)


@kernel("m d i i")
def solve_island(m, d, island, carried):
    """sol_search = -H^-1 sol_grad of an island; carried: sol_grad is what it was when the factor was made.

    Reads: sol_H, sol_diaginv, sol_grad, sol_order, sol_vec_adr
    Writes: sol_search, sol_vec
    """
    start = d.sol_island_tree[island]
    end = start + d.sol_island_ntree[island]
    # by form of the factor
    if d.sol_island_form[island] == FORM_ABA:
        solve_by_aba(m, d, island)
        return
    if d.sol_island_form[island] > FORM_SUPERNODAL:
        if not carried:
            carry_right_side(m, d, island)
        solve_rows(m, d, island)
        return
    # supernodal: gradient into the padded vector
    for place in range(start, end):
        t = d.sol_order[place]
        n = m.tree_dofnum[t]
        first = m.tree_dofadr[t]
        x = off(d.sol_vec, d.sol_vec_adr[t])
        for i in range(n):
            x[i] = d.sol_grad[first + i]
        for i in range(n, (n + 3) & ~3):
            x[i] = 0.0
    # U' D^-1 y = g in the order of elimination, U x = y in the reverse one; p = -x
    for place in range(start, end):
        forward_supernode(m, d, d.sol_order[place])
    four = stack(4)
    for place in range(end - 1, start - 1, -1):
        t = d.sol_order[place]
        backward_supernode(m, d, t, four)
        first = m.tree_dofadr[t]
        x = off(d.sol_vec, d.sol_vec_adr[t])
        for i in range(m.tree_dofnum[t]):
            d.sol_search[first + i] = -x[i]
