"""Sparse Cholesky (LDL) factor of an island's Hessian, by rows over the ancestors in its elimination tree (symbolic_factorisation.py).

Eliminating from the last dof to the first makes no entries that the rows have no room for. Row k starts with a number of the
right side, goes on with the columns from the topmost dof to k, diagonal last, and is filled up to a multiple of four with numbers
that mean nothing. With the right side in the rows, solving with L' costs nothing beside the factor.

Source: Featherstone, "Efficient factorization of the joint-space inertia matrix for branched kinematic trees", 2005,
sections 3 and 4 (H = L'DL from the leaves to the root).
"""
from __future__ import annotations

from physics.engine.linalg.sparse import gather
from physics.engine.linalg.supernodal import MINPIVOT
from physics.engine.solve.row_products import add_products, add_two
from physics.engine.solve.symbolic_factorisation import FORM_TREE, PADDING, row_room
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off
from physics.kernels.simd import stack, vbc, vfma, vld, vmul, vst, vturn


@helper
def first_tree(d, island):
    """The first tree of an island that stands by rows."""
    return d.sol_H_tree[d.sol_island_tree[island]]


@helper
def last_tree(d, island):
    """The last tree of an island that stands by rows."""
    return d.sol_H_tree[d.sol_island_tree[island] + d.sol_island_ntree[island] - 1]


@helper
def rows_end(m, d, island):
    """Where the last row of an island ends."""
    t = last_tree(d, island)
    k = m.tree_dofadr[t] + m.tree_dofnum[t] - 1
    return d.sol_H_rowadr[k] + row_room(d.sol_etree_depth[k] + 1)


@helper
def clear_rows(m, d, island):
    """The rows of an island in sol_H0 = 0."""
    zero = vbc(0.0)
    for a in range(d.sol_H_rowadr[m.tree_dofadr[first_tree(d, island)]] - PADDING, rows_end(m, d, island), 4):
        vst(d.sol_H0, a, zero)


@kernel("m d i")
def load_rows(m, d, island):
    """The rows of an island in sol_H0 = M.

    Reads: M, sol_H_tree, sol_H_rowadr, sol_etree_depth, sol_island_form
    Writes: sol_H0
    """
    clear_rows(m, d, island)
    start = d.sol_island_tree[island]
    for place in range(start, start + d.sol_island_ntree[island]):
        t = d.sol_H_tree[place]
        for k in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
            src = off(d.M, m.M_rowadr[k])
            dst = off(d.sol_H0, d.sol_H_rowadr[k] + 1)
            n = m.M_rownnz[k]
            # M's columns are ancestors of k: their depth in the elimination tree is their place in the row
            if d.sol_island_form[island] != FORM_TREE or n != d.sol_etree_depth[k] + 1:   # M may be diagonal
                col = off(m.M_colind, m.M_rowadr[k])
                for a in range(n):
                    dst[d.sol_etree_depth[col[a]]] = src[a]
                continue
            # a tree on its own: the row of M is the row of H
            a = 0
            while a + 4 <= n:
                vst(dst, a, vld(src, a))
                a += 4
            n -= a
            if n > 0:
                dst[a] = src[a]
                if n > 1:
                    dst[a + 1] = src[a + 1]
                    if n > 2:
                        dst[a + 2] = src[a + 2]


@helper
def copy_rows(m, d, island):
    """The rows of an island in sol_H = those in sol_H0."""
    src = off(d.sol_H0, 0)
    dst = off(d.sol_H, 0)
    for a in range(d.sol_H_rowadr[m.tree_dofadr[first_tree(d, island)]] - PADDING, rows_end(m, d, island), 4):
        vst(dst, a, vld(src, a))


@helper
def put_right_side(m, d, island):
    """The gradient as right side of the rows of an island in sol_H."""
    start = d.sol_island_tree[island]
    for place in range(start, start + d.sol_island_ntree[island]):
        t = d.sol_H_tree[place]
        for k in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
            d.sol_H[d.sol_H_rowadr[k]] = d.sol_grad[k]


@helper
def add_path_rows(d, h, row, nnz, first, c, g, num):
    """Add to the rows of a path in h, first columns above it, the products of four rows of a block, from row g on; c holds twelve coefficients per column."""
    # rows g to g + 3 of the block; beyond the last one W J is 0
    adr = d.efc_J_rowadr[row]
    last = num - 1
    a0 = off(d.efc_J, adr + g * nnz)
    a1 = off(d.efc_J, adr + min(last, g + 1) * nnz)
    a2 = off(d.efc_J, adr + min(last, g + 2) * nnz)
    a3 = off(d.efc_J, adr + min(last, g + 3) * nnz)
    col = off(d.efc_J_colind, adr)
    # H[col_a, col_0..a] += sum_g (W J)_ga J_g. : columns are consecutive along the path
    if first > 0:
        for a in range(nnz):
            add_products(off(h, d.sol_H_rowadr[col[a]] + 1 + first), off(c, 12 * a + g), a0, a1, a2, a3, 0, a + 1)
        return
    # what lies right of a diagonal means nothing
    # from the root on the rows begin at a multiple of four: two rows together, the second one's length for both
    a = 0
    while a + 1 < nnz:
        p = off(h, d.sol_H_rowadr[col[a]] + 1)
        q = off(h, d.sol_H_rowadr[col[a + 1]] + 1)
        add_two(p, q, off(c, 12 * a + g), off(c, 12 * a + 12 + g), a0, a1, a2, a3, 0, (a + 5) & ~3)
        a += 2
    if a < nnz:
        add_products(off(h, d.sol_H_rowadr[col[a]] + 1), off(c, 12 * a + g), a0, a1, a2, a3, 0, a + 1)


@helper
def add_broken_path(d, h, row, nnz, c, g, num):
    """add_path_rows where other dofs lie between those of the block."""
    # rows g to g + 3 of the block; beyond the last one W J is 0
    adr = d.efc_J_rowadr[row]
    last = num - 1
    a0 = off(d.efc_J, adr + g * nnz)
    a1 = off(d.efc_J, adr + min(last, g + 1) * nnz)
    a2 = off(d.efc_J, adr + min(last, g + 2) * nnz)
    a3 = off(d.efc_J, adr + min(last, g + 3) * nnz)
    col = off(d.efc_J_colind, adr)
    b = 0
    while b < nnz:
        # [b, end): columns of J at consecutive depths; their products lie side by side in every row below
        end = b + 1
        rank = d.sol_etree_depth[col[b]]
        while end < nnz and d.sol_etree_depth[col[end]] == rank + end - b:
            end += 1
        for a in range(b, nnz):
            p = off(h, d.sol_H_rowadr[col[a]] + 1 + rank)
            add_products(p, off(c, 12 * a + g), off(a0, b), off(a1, b), off(a2, b), off(a3, b), 0, min(a + 1, end) - b)
        b = end


@kernel("m d i i i")
def add_path(m, d, into, row, num):
    """Add J' (W J) of the block that starts at this row to its island's rows in sol_H0 (into = 0) or sol_H (1); W J is in sol_WJ.

    Reads: efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, sol_WJ, sol_H_rowadr, sol_etree_depth
    Writes: sol_H0, sol_H
    """
    # whole: the columns have consecutive depths in the elimination tree
    nnz = d.efc_J_rownnz[row]
    adr = d.efc_J_rowadr[row]
    first = d.sol_etree_depth[d.efc_J_colind[adr]]
    whole = d.sol_etree_depth[d.efc_J_colind[adr + nnz - 1]] - first == nnz - 1
    h = off(d.sol_H0, 0)
    if into != 0:
        h = off(d.sol_H, 0)
    for g in range(0, num, 4):
        if whole:
            add_path_rows(d, h, row, nnz, first, off(d.sol_WJ, 0), g, num)
        else:
            add_broken_path(d, h, row, nnz, off(d.sol_WJ, 0), g, num)


@helper
def raise_pivot(x):
    """A pivot, or the least one that counts as positive."""
    if not x > MINPIVOT:
        return MINPIVOT
    return x


@helper
def take_row(dst, src, s, n):
    """dst[:n] -= s src[:n], n a multiple of four."""
    v = vbc(-s)
    for k in range(0, n, 4):
        vst(dst, k, vfma(v, vld(src, k), vld(dst, k)))


@helper
def scale_row(row, s, n):
    """row[:n] *= s, n a multiple of four."""
    v = vbc(s)
    for k in range(0, n, 4):
        vst(row, k, vmul(v, vld(row, k)))


@helper
def take_one(d, k, pivot):
    """Take dof k, whose row is scaled by 1 / pivot, out of the rows above."""
    # rank-one update: row_i <- row_i - L_ki D_k L_k. for each ancestor i of k
    row = off(d.sol_H, d.sol_H_rowadr[k])
    col = off(d.sol_H_colind, d.sol_H_rowadr[k] + 1)
    for a in range(d.sol_etree_depth[k] - 1, -1, -1):
        take_row(off(d.sol_H, d.sol_H_rowadr[col[a]]), row, pivot * row[a + 1], (a + 5) & ~3)


@helper
def take_two(d, k, pivot, pivot1):
    """The same for dofs k and k - 1, its parent."""
    # rank-two update of the ancestors of both in one pass
    row = off(d.sol_H, d.sol_H_rowadr[k])
    row1 = off(d.sol_H, d.sol_H_rowadr[k - 1])
    col = off(d.sol_H_colind, d.sol_H_rowadr[k] + 1)
    for a in range(d.sol_etree_depth[k] - 2, -1, -1):
        dst = off(d.sol_H, d.sol_H_rowadr[col[a]])
        v = vbc(-pivot * row[a + 1])
        w = vbc(-pivot1 * row1[a + 1])
        for c in range(0, (a + 5) & ~3, 4):
            vst(dst, c, vfma(w, vld(row1, c), vfma(v, vld(row, c), vld(dst, c))))


@helper
def subtract_four(d, k, n, row, row1, row2, row3, pivot, pivot1, pivot2, pivot3):
    """The same for four dofs of a chain with n dofs above it; pivot3 is 0 where there are only three."""
    # rank-four update of their common ancestors in one pass
    col = off(d.sol_H_colind, d.sol_H_rowadr[k] + 1)
    for a in range(n - 1, -1, -1):
        dst = off(d.sol_H, d.sol_H_rowadr[col[a]])
        v = vbc(-pivot * row[a + 1])
        w = vbc(-pivot1 * row1[a + 1])
        y = vbc(-pivot2 * row2[a + 1])
        z = vbc(-pivot3 * row3[a + 1])
        for c in range(0, (a + 5) & ~3, 4):
            s = vfma(w, vld(row1, c), vfma(v, vld(row, c), vld(dst, c)))
            vst(dst, c, vfma(z, vld(row3, c), vfma(y, vld(row2, c), s)))


@helper
def factor_corner(d, k, row, row1, row2, row3, n, four):
    """Factor the corner of four rows k to k - 3 where they meet; n dofs lie above. With row3 = row2 they are three (four = False).

    Returns the pivots, 0 for a missing one, and the multipliers l01, l02, l03, l12, l13, l23.
    """
    # D_k; a0j: entries of row k at dofs k - j, l0j = a0j / D_k
    p0 = raise_pivot(row[n + 4])
    a01 = row[n + 3]
    a02 = row[n + 2]
    a03 = row[n + 1]
    i0 = 1.0 / p0
    l01 = a01 * i0
    l02 = a02 * i0
    l03 = a03 * i0
    # row k - 1 loses l01 times row k, and so on
    p1 = raise_pivot(row1[n + 3] - l01 * a01)
    a12 = row1[n + 2] - l01 * a02
    a13 = row1[n + 1] - l01 * a03
    i1 = 1.0 / p1
    l12 = a12 * i1
    l13 = a13 * i1
    # row k - 2 loses l02 times row k and l12 times row k - 1
    p2 = raise_pivot(row2[n + 2] - l02 * a02 - l12 * a12)
    a23 = row2[n + 1] - l02 * a03 - l12 * a13
    l23 = a23 / p2
    p3 = 0.0
    d.sol_diaginv[k] = p0
    d.sol_diaginv[k - 1] = p1
    d.sol_diaginv[k - 2] = p2
    if four:
        p3 = raise_pivot(row3[n + 1] - l03 * a03 - l13 * a13 - l23 * a23)
        d.sol_diaginv[k - 3] = p3
    return p0, p1, p2, p3, l01, l02, l03, l12, l13, l23


@helper
def eliminate_four(d, k, four):
    """Finish dofs k to k - 3, a chain (k - 2 where not four), and take them out of the rows above."""
    # n: dofs above the chain, whose columns all the rows have in common
    row = off(d.sol_H, d.sol_H_rowadr[k])
    row1 = off(d.sol_H, d.sol_H_rowadr[k - 1])
    row2 = off(d.sol_H, d.sol_H_rowadr[k - 2])
    row3 = row2
    n = d.sol_etree_depth[k] - 2
    corner = n - 1   # the entry before the corner's, as if there were four
    if four:
        row3 = off(d.sol_H, d.sol_H_rowadr[k - 3])
        n -= 1
        corner = n
    # 4 x 4 corner where the rows meet
    p0, p1, p2, p3, l01, l02, l03, l12, l13, l23 = factor_corner(d, k, row, row1, row2, row3, corner, four)
    i3 = 0.0
    if four:
        i3 = 1.0 / p3
    # the common columns and the right side (number 0): eliminate within the chain, then scale to L = H / D
    v01 = vbc(-l01)
    v02 = vbc(-l02)
    v12 = vbc(-l12)
    v03 = vbc(-l03)
    v13 = vbc(-l13)
    v23 = vbc(-l23)
    s0 = vbc(1.0 / p0)
    s1 = vbc(1.0 / p1)
    s2 = vbc(1.0 / p2)
    s3 = vbc(i3)
    for c in range(0, n + 1, 4):
        r0 = vld(row, c)
        r1 = vfma(v01, r0, vld(row1, c))
        r2 = vfma(v12, r1, vfma(v02, r0, vld(row2, c)))
        r3 = vfma(v23, r2, vfma(v13, r1, vfma(v03, r0, vld(row3, c))))
        vst(row3, c, vmul(s3, r3))
        vst(row2, c, vmul(s2, r2))   # after row3, which it stands for where there are three
        vst(row1, c, vmul(s1, r1))
        vst(row, c, vmul(s0, r0))
    # multipliers take the corner's place
    if four:
        row[n + 1] = l03
        row1[n + 1] = l13
        row2[n + 1] = l23
    row[corner + 2] = l02
    row1[corner + 2] = l12
    row[corner + 3] = l01
    # rank-four update of the rows above
    subtract_four(d, k, n, row, row1, row2, row3, p0, p1, p2, p3)


@helper
def eliminate_chain(d, k):
    """Finish dof k and up to three of its parents before it and take them out of the rows above; returns how many they were.

    A finished row holds L, and the right side divided by the pivot like the rest.
    """
    # chains of four and three
    run = d.sol_etree_run[k]
    if run >= 3:
        eliminate_four(d, k, True)
        return 4
    if run == 2:
        eliminate_four(d, k, False)
        return 3
    # one dof, or a chain of two
    n = d.sol_etree_depth[k]
    row = off(d.sol_H, d.sol_H_rowadr[k])
    pivot = raise_pivot(row[n + 1])
    d.sol_diaginv[k] = pivot
    scale_row(row, 1.0 / pivot, (n + 5) & ~3)
    if run == 0:
        take_one(d, k, pivot)
        return 1
    # k - 1 is k's parent: bring its row up to date, then subtract both from the rows above
    row1 = off(d.sol_H, d.sol_H_rowadr[k - 1])
    take_row(row1, row, pivot * row[n], (n + 4) & ~3)
    pivot1 = raise_pivot(row1[n])
    d.sol_diaginv[k - 1] = pivot1
    scale_row(row1, 1.0 / pivot1, (n + 4) & ~3)
    take_two(d, k, pivot, pivot1)
    return 2


@kernel("m d i", ret="i")
def factor_rows(m, d, island):
    """Factor the rows of an island in sol_H and carry the right side along; returns the pivots that were raised.

    Reads: sol_H_tree, sol_H_rowadr, sol_H_colind, sol_etree_depth, sol_etree_run, sol_H
    Writes: sol_H, sol_diaginv
    """
    start = d.sol_island_tree[island]
    k = m.nv
    raised = 0
    # trees from the last to the first, dofs likewise: every descendant comes before its ancestors
    for place in range(start + d.sol_island_ntree[island] - 1, start - 1, -1):
        t = d.sol_H_tree[place]
        first = m.tree_dofadr[t]
        end = first + m.tree_dofnum[t]
        k = min(k, end - 1)   # a chain may have reached into this tree
        while k >= first:
            k -= eliminate_chain(d, k)
        for i in range(first, end):
            if d.sol_diaginv[i] <= MINPIVOT:
                raised += 1
    return raised


@kernel("m d i")
def carry_right_side(m, d, island):
    """The right side of the rows of an island as the factor would have left it.

    Reads: sol_grad, sol_H_tree, sol_H_rowadr, sol_H_colind, sol_etree_depth, sol_diaginv
    Writes: sol_H
    """
    put_right_side(m, d, island)
    start = d.sol_island_tree[island]
    for place in range(start + d.sol_island_ntree[island] - 1, start - 1, -1):
        t = d.sol_H_tree[place]
        first = m.tree_dofadr[t]
        # L' y = g: dof k is final, its ancestors lose L_ka y_k; then y_k / D_k
        for k in range(first + m.tree_dofnum[t] - 1, first - 1, -1):
            row = off(d.sol_H, d.sol_H_rowadr[k])
            col = off(d.sol_H_colind, d.sol_H_rowadr[k] + 1)
            for a in range(d.sol_etree_depth[k]):
                d.sol_H[d.sol_H_rowadr[col[a]]] -= row[a + 1] * row[0]
            row[0] /= d.sol_diaginv[k]


@helper
def chain_at(d, k, end):
    """How many of the dofs k to k + 3 are a chain."""
    if k + 1 >= end or d.sol_etree_run[k + 1] < 1:
        return 1
    if k + 2 >= end or d.sol_etree_run[k + 2] < 2:
        return 2
    if k + 3 >= end or d.sol_etree_run[k + 3] < 3:
        return 3
    return 4


@helper
def substitute_chain(d, k, count, x, four):
    """x of dofs k to k + count - 1, a chain of at most four, from the right side in their rows and x of the dofs above; four: scratch."""
    # rows of up to four dofs of a chain; n common columns; a missing row is row k, whose sums are dropped
    adr = d.sol_H_rowadr[k]
    n = d.sol_etree_depth[k]
    col = off(d.sol_H_colind, adr + 1)
    p = off(d.sol_H, adr + 1)
    p1 = p
    p2 = p
    p3 = p
    if count > 1:
        p1 = off(d.sol_H, d.sol_H_rowadr[k + 1] + 1)
        if count > 2:
            p2 = off(d.sol_H, d.sol_H_rowadr[k + 2] + 1)
            if count > 3:
                p3 = off(d.sol_H, d.sol_H_rowadr[k + 3] + 1)
    # x_r = y_r / D_r - sum L_rc x_c; `x` holds the negative, p = -H^-1 g, so products are added
    x0 = d.sol_H[adr]
    x1 = 0.0
    x2 = 0.0
    x3 = 0.0
    a = n & 3
    for c in range(a):
        y = x[col[c]]
        x0 += p[c] * y
        x1 += p1[c] * y
        x2 += p2[c] * y
        x3 += p3[c] * y
    # common columns four at a time
    if a < n:
        s = vbc(0.0)
        s1 = vbc(0.0)
        s2 = vbc(0.0)
        s3 = vbc(0.0)
        while a < n:
            v = gather(x, col, a)
            s = vfma(v, vld(p, a), s)
            s1 = vfma(v, vld(p1, a), s1)
            s2 = vfma(v, vld(p2, a), s2)
            s3 = vfma(v, vld(p3, a), s3)
            a += 4
        # sum of each of the four partial sums by turning them
        c0, c1, c2, c3 = vturn(s, s1, s2, s3)
        vst(four, 0, (c0 + c2) + (c1 + c3))
        x0 += four[0]
        x1 += four[1]
        x2 += four[2]
        x3 += four[3]
    # triangle among the four, forward substitution
    x[k] = -x0
    if count > 1:
        x1 += d.sol_H[d.sol_H_rowadr[k + 1]] - p1[n] * x0
        x[k + 1] = -x1
        if count > 2:
            x2 += d.sol_H[d.sol_H_rowadr[k + 2]] - p2[n] * x0 - p2[n + 1] * x1
            x[k + 2] = -x2
            if count > 3:
                x3 += d.sol_H[d.sol_H_rowadr[k + 3]] - p3[n] * x0 - p3[n + 1] * x1 - p3[n + 2] * x2
                x[k + 3] = -x3


@kernel("m d i")
def solve_rows(m, d, island):
    """sol_search of an island = -H^-1 sol_grad, the right side having been carried along.

    Reads: sol_H, sol_H_tree, sol_H_rowadr, sol_H_colind, sol_etree_depth, sol_etree_run
    Writes: sol_search
    """
    four = stack(4)
    start = d.sol_island_tree[island]
    t = last_tree(d, island)
    whole = m.tree_dofadr[t] + m.tree_dofnum[t]
    k = 0
    # L x = D^-1 y from the roots to the leaves; a chain may reach into the next tree
    for place in range(start, start + d.sol_island_ntree[island]):
        t = d.sol_H_tree[place]
        k = max(k, m.tree_dofadr[t])
        while k < m.tree_dofadr[t] + m.tree_dofnum[t]:
            count = chain_at(d, k, whole)
            substitute_chain(d, k, count, d.sol_search, four)
            k += count
