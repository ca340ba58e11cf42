"""Sparse L'DL factor of a tree's inertia, whose lower triangle is kept in CSR rows (diagonal last), its solutions and products.

Row k holds the dofs on the path from the root to k, so the first n entries of an ancestor's row are the first n
columns of row k: eliminating dof k subtracts a multiple of its row from the *start* of each ancestor's row.
M_rowrun[k] of those just before the diagonal are k - 1, k - 2, ...: an unbranched chain, whose columns lie side by side.

Source: Featherstone, "Efficient factorization of the joint-space inertia matrix for branched kinematic trees", 2005,
sections 3 and 4. Pivots below MINVAL are raised to it, as MuJoCo does since 3.13.
"""
from __future__ import annotations

from physics.enums import MINVAL
from physics.kernels.decorators import helper
from physics.kernels.rows import off
from physics.kernels.simd import stack, vbc, vfma, vld, vmul, vset, vst, vsum, vturn

LONG = 12  # entries of an unbranched chain's row from which going four at a time pays in products (measured)


@helper
def add_scaled(dst, src, s, n):
    """dst[:n] += s src[:n]: four at a time, the tail as a chain of ifs (a loop for the tail would be unrolled and vectorised once more, at twice the cost for short rows)."""
    # axpy of BLAS, as fused multiply-adds: the rank-one update of one row of the factor
    v = vbc(s)
    t = 0
    while t + 4 <= n:
        vst(dst, t, vfma(vld(src, t), v, vld(dst, t)))
        t += 4
    r = n - t
    if r > 0:
        dst[t] += s * src[t]
        if r > 1:
            dst[t + 1] += s * src[t + 1]
            if r > 2:
                dst[t + 2] += s * src[t + 2]


@helper
def add_scaled_two(dst, one, s, two, t, n):
    """dst[:n] += s one[:n] + t two[:n]: one pass over dst instead of two, as add_scaled."""
    # a rank-two update: dst is loaded and stored once for both source rows
    v = vbc(s)
    w = vbc(t)
    k = 0
    while k + 4 <= n:
        vst(dst, k, vfma(vld(one, k), v, vfma(vld(two, k), w, vld(dst, k))))
        k += 4
    r = n - k
    if r > 0:
        dst[k] += s * one[k] + t * two[k]
        if r > 1:
            dst[k + 1] += s * one[k + 1] + t * two[k + 1]
            if r > 2:
                dst[k + 2] += s * one[k + 2] + t * two[k + 2]


@helper
def add_scaled_four(dst, a, s, b, t, c, u, e, w, n):
    """dst[:n] += s a[:n] + t b[:n] + u c[:n] + w e[:n], as add_scaled."""
    # a rank-four update, with two chains of multiply-adds that do not wait for each other
    vs = vbc(s)
    vt = vbc(t)
    vu = vbc(u)
    vw = vbc(w)
    k = 0
    while k + 4 <= n:
        v = vfma(vld(b, k), vt, vfma(vld(a, k), vs, vld(dst, k)))
        vst(dst, k, vfma(vld(e, k), vw, vfma(vld(c, k), vu, v)))
        k += 4
    r = n - k
    if r > 0:
        dst[k] += (s * a[k] + t * b[k]) + (u * c[k] + w * e[k])
        if r > 1:
            dst[k + 1] += (s * a[k + 1] + t * b[k + 1]) + (u * c[k + 1] + w * e[k + 1])
            if r > 2:
                dst[k + 2] += (s * a[k + 2] + t * b[k + 2]) + (u * c[k + 2] + w * e[k + 2])


@helper
def pivot_of(row, n):
    """1 / row[n] with the pivot row[n] raised to at least MINVAL."""
    if row[n] < MINVAL:
        row[n] = MINVAL
        return 1.0 / MINVAL
    return 1.0 / row[n]


@helper
def eliminate_one(mat, m, k, inv):
    """Take dof k, whose pivot's inverse is inv, out of the rows of its ancestors; its row becomes L's."""
    start = m.M_rowadr[k]
    row = off(mat, start)
    # for every ancestor i of k, nearest first: row_i <- row_i - (L_ki) row_k up to column i, then row_k(i) = L_ki = H_ki / D_k
    for a in range(m.M_rownnz[k] - 2, -1, -1):
        s = row[a] * inv
        add_scaled(off(mat, m.M_rowadr[m.M_colind[start + a]]), row, -s, a + 1)
        row[a] = s


@helper
def eliminate_two(mat, m, k, inv, inv1):
    """The same for dofs k and k - 1, its parent, whose rows are finished as far as they concern each other."""
    start = m.M_rowadr[k]
    row = off(mat, start)
    row1 = off(mat, m.M_rowadr[k - 1])
    # one pass over each ancestor's row applies both rank-one updates
    for a in range(m.M_rownnz[k] - 3, -1, -1):
        s = row[a] * inv
        s1 = row1[a] * inv1
        add_scaled_two(off(mat, m.M_rowadr[m.M_colind[start + a]]), row, -s, row1, -s1, a + 1)
        row[a] = s
        row1[a] = s1


@helper
def eliminate_four(mat, m, k, inv, inv1, inv2, inv3):
    """The same for dofs k to k - 3, a chain."""
    start = m.M_rowadr[k]
    row = off(mat, start)
    row1 = off(mat, m.M_rowadr[k - 1])
    row2 = off(mat, m.M_rowadr[k - 2])
    row3 = off(mat, m.M_rowadr[k - 3])
    # one pass over each ancestor's row applies all four rank-one updates
    for a in range(m.M_rownnz[k] - 5, -1, -1):
        s = row[a] * inv
        s1 = row1[a] * inv1
        s2 = row2[a] * inv2
        s3 = row3[a] * inv3
        add_scaled_four(off(mat, m.M_rowadr[m.M_colind[start + a]]), row, -s, row1, -s1, row2, -s2, row3, -s3, a + 1)
        row[a] = s
        row1[a] = s1
        row2[a] = s2
        row3[a] = s3


@helper
def eliminate_from(mat, diaginv, m, k):
    """Finish dof k and up to three of its parents before it, and take them out of all rows above; returns how many they were.

    Up to four dofs of a chain go together: what lies above all of them is changed in one pass instead of four.
    """
    # D_k = H_kk, and 1 / D_k for the solves
    row = off(mat, m.M_rowadr[k])
    n = m.M_rownnz[k] - 1
    inv = pivot_of(row, n)
    diaginv[k] = inv
    if n == 0:
        return 1
    # no chain: k alone
    chain = m.M_rowrun[k]
    if chain == 0:
        eliminate_one(mat, m, k, inv)
        return 1
    # k - 1 is k's parent: bring its row up to date first, row_{k-1} <- row_{k-1} - L_{k,k-1} row_k
    row1 = off(mat, m.M_rowadr[k - 1])
    s = row[n - 1] * inv
    add_scaled(row1, row, -s, n)
    row[n - 1] = s
    inv1 = pivot_of(row1, n - 1)
    diaginv[k - 1] = inv1
    # rows k and k - 1 are final: both are subtracted from the rows above
    if chain < 3:
        eliminate_two(mat, m, k, inv, inv1)
        return 2
    # the same for k - 2, of which rows k and k - 1 are subtracted
    row2 = off(mat, m.M_rowadr[k - 2])
    s = row[n - 2] * inv
    s1 = row1[n - 2] * inv1
    add_scaled_two(row2, row, -s, row1, -s1, n - 1)
    row[n - 2] = s
    row1[n - 2] = s1
    inv2 = pivot_of(row2, n - 2)
    diaginv[k - 2] = inv2
    # the same for k - 3: three rows, the fourth source counts nothing
    row3 = off(mat, m.M_rowadr[k - 3])
    s = row[n - 3] * inv
    s1 = row1[n - 3] * inv1
    s2 = row2[n - 3] * inv2
    add_scaled_four(row3, row, -s, row1, -s1, row2, -s2, row2, 0.0, n - 2)
    row[n - 3] = s
    row1[n - 3] = s1
    row2[n - 3] = s2
    # all four pivots are known: a rank-four update of the remaining ancestors
    inv3 = pivot_of(row3, n - 3)
    diaginv[k - 3] = inv3
    eliminate_four(mat, m, k, inv, inv1, inv2, inv3)
    return 4


@helper
def factor_rows(mat, diaginv, m, first, end):
    """Factor the rows first to end - 1 (whole trees) in place: mat becomes L (rows without their unit diagonal) and D (last entry), diaginv 1/D."""
    k = end - 1
    while k >= first:
        k -= eliminate_from(mat, diaginv, m, k)


@helper
def raised_pivot(diaginv, first, end):
    """The last dof of first to end - 1 whose pivot was raised to MINVAL; -1 when none was."""
    # count first: a loop without a branch that leaves early runs four at a time, and hardly ever is one found
    count = 0
    for k in range(first, end):
        if diaginv[k] >= 1.0 / MINVAL:
            count += 1
    if count > 0:
        for k in range(end - 1, first - 1, -1):
            if diaginv[k] >= 1.0 / MINVAL:
                return k
    return -1


@helper
def dot_run(a, b, n):
    """a[:n] . b[:n]: four at a time, the tail as a chain of ifs."""
    s = 0.0
    k = 0
    if n >= 4:
        # four partial sums
        v = vmul(vld(a, 0), vld(b, 0))
        k = 4
        while k + 4 <= n:
            v = vfma(vld(a, k), vld(b, k), v)
            k += 4
        s = vsum(v)
    # tail
    r = n - k
    if r > 0:
        s += a[k] * b[k]
        if r > 1:
            s += a[k + 1] * b[k + 1]
            if r > 2:
                s += a[k + 2] * b[k + 2]
    return s


@helper
def add_row(x, mat, m, i, s):
    """x[columns before the diagonal] += s (row i of mat)."""
    n = m.M_rownnz[i] - 1
    row = off(mat, m.M_rowadr[i])
    # a long chain: its columns lie side by side, so x needs no indices
    if n >= LONG and m.M_rowrun[i] == n:
        add_scaled(off(x, i - n), row, s, n)
        return
    col = off(m.M_colind, m.M_rowadr[i])
    for a in range(n):
        x[col[a]] += row[a] * s


@helper
def dot_row(x, mat, m, i):
    """x[columns before the diagonal] . (row i of mat)."""
    n = m.M_rownnz[i] - 1
    row = off(mat, m.M_rowadr[i])
    # a long chain: its columns lie side by side, so x needs no indices
    if n >= LONG and m.M_rowrun[i] == n:
        return dot_run(row, off(x, i - n), n)
    col = off(m.M_colind, m.M_rowadr[i])
    # two partial sums: an addition need not wait for the one before
    s0 = 0.0
    s1 = 0.0
    a = 0
    while a + 2 <= n:
        s0 += row[a] * x[col[a]]
        s1 += row[a + 1] * x[col[a + 1]]
        a += 2
    if a < n:
        s0 += row[a] * x[col[a]]
    return s0 + s1


@helper
def backward_four(x, mat, m, k):
    """x <- L'^-1 x as far as rows k to k - 3, a chain, say: their own entries first, then all columns before them in one pass."""
    # row_r are the rows of dofs k, k - 1, k - 2, k - 3; the first n columns are common to them
    start = m.M_rowadr[k]
    n = m.M_rownnz[k] - 4
    row = off(mat, start)
    row1 = off(mat, m.M_rowadr[k - 1])
    row2 = off(mat, m.M_rowadr[k - 2])
    row3 = off(mat, m.M_rowadr[k - 3])
    # 4 x 4 triangle: x_k is final, each of the others loses what those below it contribute
    x0 = x[k]
    x1 = x[k - 1] - row[n + 2] * x0
    x2 = x[k - 2] - row[n + 1] * x0 - row1[n + 1] * x1
    x3 = x[k - 3] - row[n] * x0 - row1[n] * x1 - row2[n] * x2
    x[k - 1] = x1
    x[k - 2] = x2
    x[k - 3] = x3
    # x[columns] -= [row row1 row2 row3] (x0 x1 x2 x3)'
    if n >= LONG and m.M_rowrun[k - 3] == n:
        add_scaled_four(off(x, k - 3 - n), row, -x0, row1, -x1, row2, -x2, row3, -x3, n)
        return
    col = off(m.M_colind, start)
    for a in range(n):
        c = col[a]
        x[c] -= (row[a] * x0 + row1[a] * x1) + (row2[a] * x2 + row3[a] * x3)


@helper
def forward_four(x, mat, diaginv, m, i):
    """x <- L^-1 D^-1 x in rows i to i + 3, a chain: what lies before them is read once for all four."""
    # rows of dofs i to i + 3; the first n columns are common to them
    start = m.M_rowadr[i]
    n = m.M_rownnz[i] - 1
    row = off(mat, start)
    row1 = off(mat, m.M_rowadr[i + 1])
    row2 = off(mat, m.M_rowadr[i + 2])
    row3 = off(mat, m.M_rowadr[i + 3])
    # D^-1 x
    s0 = x[i] * diaginv[i]
    s1 = x[i + 1] * diaginv[i + 1]
    s2 = x[i + 2] * diaginv[i + 2]
    s3 = x[i + 3] * diaginv[i + 3]
    # s_r -= row_r[:n] . x[columns], with each x read once
    if n >= LONG and m.M_rowrun[i] == n:
        before = off(x, i - n)
        s0 -= dot_run(row, before, n)
        s1 -= dot_run(row1, before, n)
        s2 -= dot_run(row2, before, n)
        s3 -= dot_run(row3, before, n)
    else:
        col = off(m.M_colind, start)
        for a in range(n):
            y = x[col[a]]
            s0 -= row[a] * y
            s1 -= row1[a] * y
            s2 -= row2[a] * y
            s3 -= row3[a] * y
    # 4 x 4 triangle: forward substitution among the four
    s1 -= row1[n] * s0
    s2 -= row2[n] * s0 + row2[n + 1] * s1
    s3 -= row3[n] * s0 + row3[n + 1] * s1 + row3[n + 2] * s2
    x[i] = s0
    x[i + 1] = s1
    x[i + 2] = s2
    x[i + 3] = s3


@helper
def solve_rows(x, mat, diaginv, m, first, end):
    """x becomes the solution of (L'DL) y = x in the rows first to end - 1 (whole trees), four dofs of a chain at a time."""
    # x <- L'^-1 x
    i = end - 1
    while i >= first:
        if m.M_rowrun[i] >= 3:
            backward_four(x, mat, m, i)
            i -= 4
        else:
            if m.M_rownnz[i] > 1:
                add_row(x, mat, m, i, -x[i])
            i -= 1
    # x <- L^-1 D^-1 x
    i = first
    while i < end:
        if i + 3 < end and m.M_rowrun[i + 3] >= 3:
            forward_four(x, mat, diaginv, m, i)
            i += 4
        else:
            x[i] = x[i] * diaginv[i] - dot_row(x, mat, m, i)
            i += 1


@helper
def chain_from(m, k, end):
    """How many of the dofs k to k + 3 are a chain."""
    # dof k + r continues the chain where its M_rowrun reaches back to k
    if k + 1 >= end or m.M_rowrun[k + 1] < 1:
        return 1
    if k + 2 >= end or m.M_rowrun[k + 2] < 2:
        return 2
    if k + 3 >= end or m.M_rowrun[k + 3] < 3:
        return 3
    return 4


@helper
def gather(x, col, k):
    """x[col[k:k+4]] of ascending columns."""
    c = col[k]
    if col[k + 3] == c + 3:
        return vld(x, c)
    return vset(x[c], x[col[k + 1]], x[col[k + 2]], x[col[k + 3]])


@helper
def scatter(x, col, k, v, four):
    """x[col[k:k+4]] += v; four: room for four numbers."""
    c = col[k]
    if col[k + 3] == c + 3:
        vst(x, c, vld(x, c) + v)
        return
    vst(four, 0, v)
    x[c] += four[0]
    x[col[k + 1]] += four[1]
    x[col[k + 2]] += four[2]
    x[col[k + 3]] += four[3]


@helper
def mul_chain(res, x, mat, m, k, count, four):
    """The part of mul_rows that rows k to k + count - 1 have, a chain of at most four."""
    # the rows of up to four dofs of a chain: n common columns, then a triangle up to their diagonals. A missing row is row k with x = 0
    start = m.M_rowadr[k]
    n = m.M_rownnz[k] - 1
    col = off(m.M_colind, start)
    row = off(mat, start)
    # the triangle: y_r = sum over s <= r of A_rs x_s, and by symmetry A_rs x_r for the s-th; y0 gathers the column of dof k
    x0 = x[k]
    y0 = row[n] * x0
    # rows 1 to 3 of the triangle, as far as there are so many
    row1 = row
    row2 = row
    row3 = row
    x1 = 0.0
    x2 = 0.0
    x3 = 0.0
    y1 = 0.0
    y2 = 0.0
    y3 = 0.0
    if count > 1:
        row1 = off(mat, m.M_rowadr[k + 1])
        x1 = x[k + 1]
        y0 += row1[n] * x1
        y1 = row1[n] * x0 + row1[n + 1] * x1
        # row 2, then row 3: each entry of the triangle counts for its row and, mirrored, for its column
        if count > 2:
            row2 = off(mat, m.M_rowadr[k + 2])
            x2 = x[k + 2]
            y0 += row2[n] * x2
            y1 += row2[n + 1] * x2
            y2 = row2[n] * x0 + row2[n + 1] * x1 + row2[n + 2] * x2
            if count > 3:
                row3 = off(mat, m.M_rowadr[k + 3])
                x3 = x[k + 3]
                y0 += row3[n] * x3
                y1 += row3[n + 1] * x3
                y2 += row3[n + 2] * x3
                y3 = row3[n] * x0 + row3[n + 1] * x1 + row3[n + 2] * x2 + row3[n + 3] * x3
    # common columns c, up to a multiple of four one by one: y_r += A_rc x_c (the row), res_c += A_rc x_r (its mirror image)
    a = n & 3
    for c in range(a):
        i = col[c]
        y0 += row[c] * x[i]
        y1 += row1[c] * x[i]
        y2 += row2[c] * x[i]
        y3 += row3[c] * x[i]
        res[i] += (row[c] * x0 + row1[c] * x1) + (row2[c] * x2 + row3[c] * x3)
    # the rest four columns at a time: s_r are partial sums of y_r, w the four entries that go to res
    if a < n:
        s0 = vbc(0.0)
        s1 = s0
        s2 = s0
        s3 = s0
        v0 = vbc(x0)
        v1 = vbc(x1)
        v2 = vbc(x2)
        v3 = vbc(x3)
        # row by four columns, twice: for y_r as it is, for res scaled with x_r
        while a < n:
            # two products of each entry while it is in a register
            u = gather(x, col, a)
            p = vld(row, a)
            q = vld(row1, a)
            s0 = vfma(p, u, s0)
            s1 = vfma(q, u, s1)
            w = vfma(q, v1, vmul(p, v0))
            # the other two rows
            p = vld(row2, a)
            q = vld(row3, a)
            s2 = vfma(p, u, s2)
            s3 = vfma(q, u, s3)
            scatter(res, col, a, vfma(q, v3, vfma(p, v2, w)), four)
            a += 4
        # sum of each s_r by turning the 4 x 4 of partial sums
        c0, c1, c2, c3 = vturn(s0, s1, s2, s3)
        vst(four, 0, (c0 + c2) + (c1 + c3))
        y0 += four[0]
        y1 += four[1]
        y2 += four[2]
        y3 += four[3]
    # dofs of the chain come after the columns, so nothing has been added to their results yet
    res[k] = y0
    if count > 1:
        res[k + 1] = y1
        if count > 2:
            res[k + 2] = y2
            if count > 3:
                res[k + 3] = y3


@helper
def mul_rows(res, x, mat, m, first, end):
    """res = A x in the rows first to end - 1 (whole trees), for the symmetric A whose lower triangle is mat: up to four dofs of a chain at a time."""
    four = stack(4)
    k = first
    # ascending: res[k] is set before rows below add their mirror images to it
    while k < end:
        count = chain_from(m, k, end)
        mul_chain(res, x, mat, m, k, count, four)
        k += count


@helper
def add_outer(mat, rownnz, rowadr, colind, vec, ind, n, s):
    """mat += s v v' for a sparse v (n entries vec at the columns ind, ascending), kept to the entries that mat has."""
    for a in range(n):
        i = ind[a]
        # row i gets s v_i v_j for the j <= i of v that the row has an entry for
        sv = s * vec[a]
        if sv == 0.0:
            continue
        adr = rowadr[i]
        end = adr + rownnz[i] - 1
        mat[end] += sv * vec[a]
        b = 0
        # merge of two ascending lists
        while b < a and adr < end:
            if colind[adr] == ind[b]:
                mat[adr] += sv * vec[b]
                adr += 1
                b += 1
            elif colind[adr] < ind[b]:
                adr += 1
            else:
                b += 1
