"""Assemble the Hessian M + J' W J of an island into the panels, factor it there and solve with it.

W holds the second derivatives of the rows' costs: D of quadratic rows, and a small block for a contact on the side of
its cone. A unit adds to the blocks of each pair of its trees; the pair's block lies in the panel of the tree that is
eliminated first.

Source: Nocedal and Wright, "Numerical Optimization", chapter 3 (Newton); panels: linalg/panel.py.
"""
from __future__ import annotations

from physics.engine.linalg.panel import add_row, backward_panel, dot_row, factor_panel, forward_panel, subtract_block
from physics.engine.solve.cost import cone_hessian
from physics.enums import CNSTRSTATE_CONE, CNSTRSTATE_QUADRATIC
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off
from physics.kernels.simd import stack, vbc, vfma, vld, vst


@kernel("m d i i")
def load_inertia(m, d, start, end):
    """Panels of the trees sol_order[start:end] = M.

    Reads: M, sol_order, sol_panel_adr, sol_panel_ld
    Writes: sol_H
    """
    zero = vbc(0.0)
    for place in range(start, end):
        t = d.sol_order[place]
        n = m.tree_dofnum[t]
        first = m.tree_dofadr[t]
        ld = d.sol_panel_ld[t]
        p = off(d.sol_H, d.sol_panel_adr[t])
        k = 0
        while k < n * ld:
            vst(p, k, zero)
            k += 4
        for i in range(n):
            adr = m.M_rowadr[first + i]
            for k in range(adr, adr + m.M_rownnz[first + i]):
                p[(m.M_colind[k] - first) * ld + i] = d.M[k]


@helper
def add_products(dst, contiguous, col, base, a0, a1, a2, a3, c0, c1, c2, c3, start, end):
    """dst[col[b] - base] += c0 a0[b] + c1 a1[b] + c2 a2[b] + c3 a3[b] for b in [start, end)."""
    b = start
    if contiguous:
        p = off(dst, col[start] - base)
        k = 0
        v0 = vbc(c0)
        v1 = vbc(c1)
        v2 = vbc(c2)
        v3 = vbc(c3)
        while b + 4 <= end:
            s = vfma(v0, vld(a0, b), vld(p, k))
            s = vfma(v1, vld(a1, b), s)
            s = vfma(v2, vld(a2, b), s)
            vst(p, k, vfma(v3, vld(a3, b), s))
            b += 4
            k += 4
        n = end - b
        if n > 0:
            p[k] += c0 * a0[b] + c1 * a1[b] + c2 * a2[b] + c3 * a3[b]
            if n > 1:
                p[k + 1] += c0 * a0[b + 1] + c1 * a1[b + 1] + c2 * a2[b + 1] + c3 * a3[b + 1]
                if n > 2:
                    p[k + 2] += c0 * a0[b + 2] + c1 * a1[b + 2] + c2 * a2[b + 2] + c3 * a3[b + 2]
        return
    while b < end:
        dst[col[b] - base] += c0 * a0[b] + c1 * a1[b] + c2 * a2[b] + c3 * a3[b]
        b += 1


@helper
def column_of(d, t, s):
    """First column of tree s in the panel of tree t."""
    k = d.sol_next_adr[t]
    while d.sol_next[k] != s:
        k += 1
    return d.sol_next_off[k]


@kernel("m d i i i i i i i f f f f i i i i")
def add_pair(m, d, adr, r0, r1, r2, r3, a, t, c0, c1, c2, c3, s, start, end, contiguous):
    """Add sum of c_r J_r to the Hessian's row of column a (tree t) over columns [start, end) (tree s) of a unit."""
    col = off(d.efc_J_colind, adr)
    row = col[a] - m.tree_dofadr[t]
    ld = d.sol_panel_ld[t]
    p = off(d.sol_H, d.sol_panel_adr[t] + row * ld)
    if t != s:
        p = off(p, column_of(d, t, s))
    a0 = off(d.efc_J, r0)
    a1 = off(d.efc_J, r1)
    a2 = off(d.efc_J, r2)
    a3 = off(d.efc_J, r3)
    add_products(p, contiguous, col, m.tree_dofadr[s], a0, a1, a2, a3, c0, c1, c2, c3, start, end)


@helper
def row_coefficients(d, w, dense, adr, nnz, num, a, c):
    """c[r] = sum of W[r, q] J_q[a]: w is num by num (dense) or the diagonal. Returns whether any is not zero."""
    some = False
    for r in range(num):
        s = 0.0
        if dense:
            for q in range(num):
                s += w[r * num + q] * d.efc_J[adr + q * nnz + a]
        else:
            s = w[r] * d.efc_J[adr + r * nnz + a]
        c[r] = s
        if s != 0.0:
            some = True
    return some


@helper
def unit_weights(d, row, num, w):
    """Fill w with the unit's W. Returns 0: all zero, 1: diagonal, 2: full."""
    if d.efc_state[row] == CNSTRSTATE_CONE:
        cone_hessian(d, row, num, w)
        return 2
    kind = 0
    for r in range(num):
        w[r] = 0.0
        if d.efc_state[row + r] == CNSTRSTATE_QUADRATIC:
            w[r] = d.efc_D[row + r]
            kind = 1
    return kind


@helper
def run_end(m, d, adr, nnz, start):
    """End of the run of columns, from `start` on, that belong to one tree."""
    t = m.dof_treeid[d.efc_J_colind[adr + start]]
    if m.dof_treeid[d.efc_J_colind[adr + nnz - 1]] == t:
        return nnz
    k = start + 1
    while k < nnz and m.dof_treeid[d.efc_J_colind[adr + k]] == t:
        k += 1
    return k


@kernel("m d i i")
def add_unit(m, d, row, num):
    """Add J' W J of the unit that starts at this row.

    Reads: efc_state, efc_D, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, sol_jar
    Writes: sol_H
    """
    w = stack(36)
    c = stack(12)
    kind = unit_weights(d, row, num, w)
    if kind == 0:
        return
    adr = d.efc_J_rowadr[row]
    nnz = d.efc_J_rownnz[row]
    p0 = 0
    while p0 < nnz:
        p1 = run_end(m, d, adr, nnz, p0)
        t = m.dof_treeid[d.efc_J_colind[adr + p0]]
        for a in range(p0, p1):
            if not row_coefficients(d, w, kind == 2, adr, nnz, num, a, c):
                continue
            q0 = 0
            while q0 < nnz:
                q1 = run_end(m, d, adr, nnz, q0)
                s = m.dof_treeid[d.efc_J_colind[adr + q0]]
                if s == t or d.sol_place[s] > d.sol_place[t]:
                    start = q0
                    if s == t:
                        start = a
                    packed = 0
                    if d.efc_J_colind[adr + q1 - 1] - d.efc_J_colind[adr + start] == q1 - 1 - start:
                        packed = 1
                    r = 0
                    while r < num:
                        last = num - 1
                        for k in range(num, r + 4):
                            c[k] = 0.0
                        add_pair(m, d, adr, adr + r * nnz, adr + min(last, r + 1) * nnz, adr + min(last, r + 2) * nnz,
                                 adr + min(last, r + 3) * nnz, a, t, c[r], c[r + 1], c[r + 2], c[r + 3], s, start, q1, packed)
                        r += 4
                q0 = q1
        p0 = p1


@kernel("m d i", ret="i")
def factor_island(m, d, island):
    """Assemble and factor the Hessian of an island; returns the number of pivots that had to be raised.

    Reads: M, sol_order, sol_unit_order, efc_state, efc_D, efc_J
    Writes: sol_H, sol_diaginv
    """
    start = d.sol_island_tree[island]
    end = start + d.sol_island_ntree[island]
    load_inertia(m, d, start, end)
    first = d.sol_island_unit[island]
    for k in range(first, first + d.sol_island_nunit[island]):
        u = d.sol_unit_order[k]
        row = d.sol_unit_row[u]
        if d.sol_unit_num[u] == 1 and d.efc_J_rownnz[row] == 1:
            if d.efc_state[row] == CNSTRSTATE_QUADRATIC:
                adr = d.efc_J_rowadr[row]
                i = d.efc_J_colind[adr]
                t = m.dof_treeid[i]
                i -= m.tree_dofadr[t]
                d.sol_H[d.sol_panel_adr[t] + i * (d.sol_panel_ld[t] + 1)] += d.efc_D[row] * d.efc_J[adr] * d.efc_J[adr]
        else:
            add_unit(m, d, row, d.sol_unit_num[u])
    raised = 0
    for place in range(start, end):
        raised += factor_tree(m, d, d.sol_order[place])
    return raised


@kernel("m d i", ret="i")
def factor_tree(m, d, t):
    """Factor the panel of tree t and take its share off the panels of the trees it is coupled to."""
    n = m.tree_dofnum[t]
    ld = d.sol_panel_ld[t]
    p = off(d.sol_H, d.sol_panel_adr[t])
    raised = factor_panel(p, n, ld, off(d.sol_diaginv, m.tree_dofadr[t]))
    start = d.sol_next_adr[t]
    end = start + d.sol_next_num[t]
    for a in range(start, end):
        s = d.sol_next[a]
        at = d.sol_next_off[a]
        rows = m.tree_dofnum[s]
        lds = d.sol_panel_ld[s]
        dst = off(d.sol_H, d.sol_panel_adr[s])
        subtract_block(p, n, ld, at, rows, dst, lds, 0, at, (rows + 3) & ~3, True)
        k = d.sol_next_adr[s]
        for b in range(a + 1, end):
            while d.sol_next[k] != d.sol_next[b]:
                k += 1
            width = (m.tree_dofnum[d.sol_next[b]] + 3) & ~3
            subtract_block(p, n, ld, at, rows, dst, lds, d.sol_next_off[k], d.sol_next_off[b], width, False)
    return raised


@kernel("m d i")
def solve_island(m, d, island):
    """sol_search = H^-1 sol_grad of an island.

    Reads: sol_H, sol_diaginv, sol_grad, sol_order, sol_vec_adr
    Writes: sol_search, sol_vec
    """
    start = d.sol_island_tree[island]
    end = start + d.sol_island_ntree[island]
    for place in range(start, end):
        t = d.sol_order[place]
        n = m.tree_dofnum[t]
        first = m.tree_dofadr[t]
        x = off(d.sol_vec, d.sol_vec_adr[t])
        for i in range(n):
            x[i] = d.sol_grad[first + i]
        for i in range(n, (n + 3) & ~3):
            x[i] = 0.0
    for place in range(start, end):
        t = d.sol_order[place]
        n = m.tree_dofnum[t]
        ld = d.sol_panel_ld[t]
        p = off(d.sol_H, d.sol_panel_adr[t])
        x = off(d.sol_vec, d.sol_vec_adr[t])
        forward_panel(p, n, ld, off(d.sol_diaginv, m.tree_dofadr[t]), x)
        for a in range(d.sol_next_adr[t], d.sol_next_adr[t] + d.sol_next_num[t]):
            s = d.sol_next[a]
            y = off(d.sol_vec, d.sol_vec_adr[s])
            q = off(p, d.sol_next_off[a])
            for c in range(n):
                add_row(y, off(q, c * ld), -x[c], 0, (m.tree_dofnum[s] + 3) & ~3)
    for place in range(end - 1, start - 1, -1):
        t = d.sol_order[place]
        n = m.tree_dofnum[t]
        ld = d.sol_panel_ld[t]
        p = off(d.sol_H, d.sol_panel_adr[t])
        x = off(d.sol_vec, d.sol_vec_adr[t])
        for a in range(d.sol_next_adr[t], d.sol_next_adr[t] + d.sol_next_num[t]):
            s = d.sol_next[a]
            y = off(d.sol_vec, d.sol_vec_adr[s])
            q = off(p, d.sol_next_off[a])
            for c in range(n):
                x[c] -= dot_row(off(q, c * ld), y, 0, (m.tree_dofnum[s] + 3) & ~3)
        backward_panel(p, n, ld, off(d.sol_diaginv, m.tree_dofadr[t]), x)
        first = m.tree_dofadr[t]
        for i in range(n):
            d.sol_search[first + i] = x[i]
