"""The Hessian of an island of one tree by rows of M's pattern, where every unit's columns lie on a path towards the root.

Then M + J' W J has no entries that M has not, and eliminating leaves first makes none. Row k starts with a number of the right
side, goes on with the columns from the root to k, diagonal last, and is filled up to a multiple of four with numbers that
mean nothing. With the right side in the rows, solving with L' costs nothing beside the factor.

Source: Featherstone, "Efficient factorization of the joint-space inertia matrix for branched kinematic trees", 2005,
sections 3 and 4 (H = L'DL from the leaves to the root).
"""
from __future__ import annotations

from physics.engine.linalg.panel import MINPIVOT
from physics.engine.linalg.sparse import chain_from
from physics.engine.solve.products import add_products, add_two
from physics.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_CONTACT_PYRAMIDAL
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off
from physics.kernels.simd import stack, vbc, vfma, vld, vmul, vst, vturn

FRONT = 4  # numbers before the first row, so that fours may start before a row


@helper
def lay_rows(m, d, t, at):
    """Place the rows of tree t from sol_H[at] on; returns their end."""
    at += FRONT
    for k in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
        d.sol_row_adr[k] = at
        at += (m.M_rownnz[k] + 4) & ~3
    return at + FRONT


@helper
def is_path(m, d, row):
    """Whether the columns of a row are a dof, its parent, and so on."""
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
    for k in range(1, n - 1):
        if d.efc_J_colind[adr + k] != m.M_colind[m.M_rowadr[last] + depth - 1 + k]:
            return False
    return True


@helper
def load_rows(m, d, t):
    """The rows of tree t in sol_H0 = M."""
    vst(d.sol_H0, d.sol_row_adr[m.tree_dofadr[t]] - FRONT, vbc(0.0))
    for k in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
        src = off(d.M, m.M_rowadr[k])
        dst = off(d.sol_H0, d.sol_row_adr[k] + 1)
        n = m.M_rownnz[k]
        vst(dst, (n & ~3) - 1, vbc(0.0))   # up to the row's end
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
def copy_rows(m, d, t):
    """The rows of tree t in sol_H = those in sol_H0, with sol_grad as right side."""
    first = m.tree_dofadr[t]
    last = first + m.tree_dofnum[t] - 1
    src = off(d.sol_H0, 0)
    dst = off(d.sol_H, 0)
    a = d.sol_row_adr[first] - FRONT
    end = d.sol_row_adr[last] + m.M_rownnz[last] + 1
    while a < end:
        vst(dst, a, vld(src, a))
        a += 4


@helper
def put_right_side(m, d, t):
    """The gradient as right side of the rows of tree t in sol_H."""
    for k in range(m.tree_dofadr[t], m.tree_dofadr[t] + m.tree_dofnum[t]):
        d.sol_H[d.sol_row_adr[k]] = d.sol_grad[k]


@helper
def add_path_rows(d, h, row, nnz, first, c, g, num):
    """Add to the rows of a path in h, first columns above it, the products of four rows of a unit, from row g on; c holds twelve coefficients per column."""
    adr = d.efc_J_rowadr[row]
    last = num - 1
    a0 = off(d.efc_J, adr + g * nnz)
    a1 = off(d.efc_J, adr + min(last, g + 1) * nnz)
    a2 = off(d.efc_J, adr + min(last, g + 2) * nnz)
    a3 = off(d.efc_J, adr + min(last, g + 3) * nnz)
    col = off(d.efc_J_colind, adr)
    if first > 0:
        for a in range(nnz):
            add_products(off(h, d.sol_row_adr[col[a]] + 1 + first), off(c, 12 * a + g), a0, a1, a2, a3, 0, a + 1)
        return
    # what lies right of a diagonal means nothing
    a = 0
    while a + 1 < nnz:
        p = off(h, d.sol_row_adr[col[a]] + 1)
        q = off(h, d.sol_row_adr[col[a + 1]] + 1)
        add_two(p, q, off(c, 12 * a + g), off(c, 12 * a + 12 + g), a0, a1, a2, a3, 0, (a + 5) & ~3)
        a += 2
    if a < nnz:
        add_products(off(h, d.sol_row_adr[col[a]] + 1), off(c, 12 * a + g), a0, a1, a2, a3, 0, a + 1)


@kernel("m d i i i")
def add_path(m, d, into, row, num):
    """Add J' (W J) of the unit that starts at this row to the rows of its tree in sol_H0 (into = 0) or sol_H (1); W J is in sol_scaled.

    Reads: efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, sol_scaled, sol_row_adr
    Writes: sol_H0, sol_H
    """
    nnz = d.efc_J_rownnz[row]
    first = m.M_rownnz[d.efc_J_colind[d.efc_J_rowadr[row]]] - 1
    h = off(d.sol_H0, 0)
    if into != 0:
        h = off(d.sol_H, 0)
    for g in range(0, num, 4):
        add_path_rows(d, h, row, nnz, first, off(d.sol_scaled, 0), g, num)


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
def take_one(m, d, k, pivot):
    """Take dof k, whose row is scaled by 1 / pivot, out of the rows above."""
    row = off(d.sol_H, d.sol_row_adr[k])
    col = off(m.M_colind, m.M_rowadr[k])
    for a in range(m.M_rownnz[k] - 2, -1, -1):
        take_row(off(d.sol_H, d.sol_row_adr[col[a]]), row, pivot * row[a + 1], (a + 5) & ~3)


@helper
def take_two(m, d, k, pivot, pivot1):
    """The same for dofs k and k - 1, its parent."""
    row = off(d.sol_H, d.sol_row_adr[k])
    row1 = off(d.sol_H, d.sol_row_adr[k - 1])
    col = off(m.M_colind, m.M_rowadr[k])
    for a in range(m.M_rownnz[k] - 3, -1, -1):
        dst = off(d.sol_H, d.sol_row_adr[col[a]])
        v = vbc(-pivot * row[a + 1])
        w = vbc(-pivot1 * row1[a + 1])
        for c in range(0, (a + 5) & ~3, 4):
            vst(dst, c, vfma(w, vld(row1, c), vfma(v, vld(row, c), vld(dst, c))))


@helper
def take_four(m, d, k, n, pivot, pivot1, pivot2, pivot3):
    """The same for dofs k to k - 3, a chain with n dofs above it; pivot3 is 0 where there are only three."""
    row = off(d.sol_H, d.sol_row_adr[k])
    row1 = off(d.sol_H, d.sol_row_adr[k - 1])
    row2 = off(d.sol_H, d.sol_row_adr[k - 2])
    row3 = row2
    if pivot3 != 0.0:
        row3 = off(d.sol_H, d.sol_row_adr[k - 3])
    col = off(m.M_colind, m.M_rowadr[k])
    for a in range(n - 1, -1, -1):
        dst = off(d.sol_H, d.sol_row_adr[col[a]])
        v = vbc(-pivot * row[a + 1])
        w = vbc(-pivot1 * row1[a + 1])
        y = vbc(-pivot2 * row2[a + 1])
        z = vbc(-pivot3 * row3[a + 1])
        for c in range(0, (a + 5) & ~3, 4):
            s = vfma(w, vld(row1, c), vfma(v, vld(row, c), vld(dst, c)))
            vst(dst, c, vfma(z, vld(row3, c), vfma(y, vld(row2, c), s)))


@helper
def eliminate_chain(m, d, k):
    """Finish dof k and up to three of its parents before it and take them out of the rows above; returns how many they were.

    A finished row holds L, and the right side divided by the pivot like the rest.
    """
    n = m.M_rownnz[k] - 1
    row = off(d.sol_H, d.sol_row_adr[k])
    end = (n + 5) & ~3
    pivot = raise_pivot(row[n + 1])
    d.sol_diaginv[k] = pivot
    scale_row(row, 1.0 / pivot, end)
    run = m.M_rowrun[k]
    if run == 0:
        take_one(m, d, k, pivot)
        return 1
    row1 = off(d.sol_H, d.sol_row_adr[k - 1])
    take_row(row1, row, pivot * row[n], (n + 4) & ~3)
    pivot1 = raise_pivot(row1[n])
    d.sol_diaginv[k - 1] = pivot1
    scale_row(row1, 1.0 / pivot1, (n + 4) & ~3)
    if run == 1:
        take_two(m, d, k, pivot, pivot1)
        return 2
    row2 = off(d.sol_H, d.sol_row_adr[k - 2])
    end = (n + 3) & ~3
    take_row(row2, row, pivot * row[n - 1], end)
    take_row(row2, row1, pivot1 * row1[n - 1], end)
    pivot2 = raise_pivot(row2[n - 1])
    d.sol_diaginv[k - 2] = pivot2
    scale_row(row2, 1.0 / pivot2, end)
    if run == 2:
        take_four(m, d, k, n - 2, pivot, pivot1, pivot2, 0.0)
        return 3
    row3 = off(d.sol_H, d.sol_row_adr[k - 3])
    end = (n + 2) & ~3
    take_row(row3, row, pivot * row[n - 2], end)
    take_row(row3, row1, pivot1 * row1[n - 2], end)
    take_row(row3, row2, pivot2 * row2[n - 2], end)
    pivot3 = raise_pivot(row3[n - 2])
    d.sol_diaginv[k - 3] = pivot3
    scale_row(row3, 1.0 / pivot3, end)
    take_four(m, d, k, n - 3, pivot, pivot1, pivot2, pivot3)
    return 4


@kernel("m d i", ret="i")
def factor_rows(m, d, t):
    """Factor the rows of tree t in sol_H and carry the right side along; returns the pivots that were raised.

    Reads: sol_row_adr, sol_H
    Writes: sol_H, sol_diaginv
    """
    first = m.tree_dofadr[t]
    end = first + m.tree_dofnum[t]
    k = end - 1
    while k >= first:
        k -= eliminate_chain(m, d, k)
    raised = 0
    for k in range(first, end):
        if d.sol_diaginv[k] <= MINPIVOT:
            raised += 1
    return raised


@helper
def carry_right_side(m, d, t):
    """The right side of the rows of tree t as the factor would have left it."""
    first = m.tree_dofadr[t]
    put_right_side(m, d, t)
    for k in range(first + m.tree_dofnum[t] - 1, first - 1, -1):
        row = off(d.sol_H, d.sol_row_adr[k])
        col = off(m.M_colind, m.M_rowadr[k])
        for a in range(m.M_rownnz[k] - 1):
            d.sol_H[d.sol_row_adr[col[a]]] -= row[a + 1] * row[0]
        row[0] /= d.sol_diaginv[k]


@helper
def descend(m, d, t, x, path):
    """x = -(what the right side of tree t solves to); path: room for the solution along a path, from path[FRONT] on.

    Bodies are numbered depth first: what stands above a dof's place in `path` is the solution of the dofs above it.
    """
    first = m.tree_dofadr[t]
    end = first + m.tree_dofnum[t]
    vst(path, 0, vbc(0.0))
    path[FRONT] = 1.0
    k = first
    while k < end:
        n = m.M_rownnz[k]   # numbers before the diagonal
        count = chain_from(m, k, end)
        p = off(d.sol_H, d.sol_row_adr[k])
        p1 = p
        p2 = p
        p3 = p
        if count > 1:
            p1 = off(d.sol_H, d.sol_row_adr[k + 1])
            p2 = p1
            p3 = p1
            if count > 2:
                p2 = off(d.sol_H, d.sol_row_adr[k + 2])
                p3 = p2
                if count > 3:
                    p3 = off(d.sol_H, d.sol_row_adr[k + 3])
        s = vbc(0.0)
        s1 = vbc(0.0)
        s2 = vbc(0.0)
        s3 = vbc(0.0)
        for a in range(((n + 3) & 3) + 1, n + 1, 4):
            v = vld(path, FRONT - 4 + a)
            s = vfma(v, vld(p, a - 4), s)
            s1 = vfma(v, vld(p1, a - 4), s1)
            s2 = vfma(v, vld(p2, a - 4), s2)
            s3 = vfma(v, vld(p3, a - 4), s3)
        c0, c1, c2, c3 = vturn(s, s1, s2, s3)
        four = stack(4)
        vst(four, 0, (c0 + c2) + (c1 + c3))
        x0 = -four[0]
        x[k] = x0
        path[FRONT + n] = x0
        if count > 1:
            x1 = -four[1] - p1[n] * x0
            x[k + 1] = x1
            path[FRONT + n + 1] = x1
            if count > 2:
                x2 = -four[2] - p2[n] * x0 - p2[n + 1] * x1
                x[k + 2] = x2
                path[FRONT + n + 2] = x2
                if count > 3:
                    x3 = -four[3] - p3[n] * x0 - p3[n + 1] * x1 - p3[n + 2] * x2
                    x[k + 3] = x3
                    path[FRONT + n + 3] = x3
        k += count


@kernel("m d i")
def solve_rows(m, d, t):
    """sol_search of tree t = -H^-1 sol_grad, the right side having been carried along.

    Reads: sol_H, sol_row_adr
    Writes: sol_search, sol_vec
    """
    descend(m, d, t, d.sol_search, off(d.sol_vec, 0))
