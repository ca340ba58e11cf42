"""Dense kernels of a supernodal Cholesky (LDL) factor H = U' D^-1 U, stored supernode by supernode: rows of U with a length that is a multiple of four.

A supernode is n unknowns that are eliminated together. Its row c holds U[c, c+1:n] and, from the next multiple of
four on, the couplings to unknowns eliminated later, with zeros in the padding; D is U's diagonal, and kept as its inverse. What
stands from the diagonal to the left means nothing. Inner loops take two rows by eight columns, or four rows by four, so that the
sums stay in registers.

Source: Golub and Van Loan, "Matrix Computations", 4.1.2 (LDL'); George and Liu, "Computer Solution of
Large Sparse Positive Definite Systems", chapter 5.
"""
from __future__ import annotations

from physics.enums import MINVAL
from physics.kernels.decorators import helper
from physics.kernels.rows import off
from physics.kernels.simd import vbc, vfma, vld, vst

MINPIVOT = MINVAL  # smallest pivot that counts as positive


@helper
def subtract_pair(p, ld, inverse, b, c1, dst0, dst1, a0, a1, src):
    """dst0 and dst1 [a0:a1) -= sum over rows c up to c1 of P[c, b] / D[c], P[c, b+1] / D[c] times P[c, src + ...].

    a0, a1 multiples of four; src is what to add to a destination column for the source column.
    """
    # register tile of two rows by eight columns: dst_r -= sum_c (P[c, b + r] / D_c) P[c, src + .], the left-looking update by rows c < c1
    minus = vbc(-1.0)
    a = a0
    while a + 8 <= a1:
        s00 = vbc(0.0)
        s01 = vbc(0.0)
        s10 = vbc(0.0)
        s11 = vbc(0.0)
        # s_rj: row r of the tile, j-th four of its columns
        at = 0
        for c in range(c1):
            u = vbc(p[at + b] * inverse[c])
            w = vbc(p[at + b + 1] * inverse[c])
            x = vld(p, at + src + a)
            y = vld(p, at + src + a + 4)
            s00 = vfma(u, x, s00)
            s01 = vfma(u, y, s01)
            s10 = vfma(w, x, s10)
            s11 = vfma(w, y, s11)
            at += ld
        # one subtraction per destination: rounding is that of a dot product
        vst(dst0, a, vfma(minus, s00, vld(dst0, a)))
        vst(dst0, a + 4, vfma(minus, s01, vld(dst0, a + 4)))
        vst(dst1, a, vfma(minus, s10, vld(dst1, a)))
        vst(dst1, a + 4, vfma(minus, s11, vld(dst1, a + 4)))
        a += 8
    # the last four columns where their number is odd
    if a < a1:
        s00 = vbc(0.0)
        s10 = vbc(0.0)
        at = 0
        for c in range(c1):
            x = vld(p, at + src + a)
            s00 = vfma(vbc(p[at + b] * inverse[c]), x, s00)
            s10 = vfma(vbc(p[at + b + 1] * inverse[c]), x, s10)
            at += ld
        vst(dst0, a, vfma(minus, s00, vld(dst0, a)))
        vst(dst1, a, vfma(minus, s10, vld(dst1, a)))


@helper
def subtract_single(p, ld, inverse, b, c1, dst, a0, a1, src):
    """The same for one destination row."""
    minus = vbc(-1.0)
    a = a0
    # as subtract_pair, one row of the tile
    while a + 8 <= a1:
        s0 = vbc(0.0)
        s1 = vbc(0.0)
        at = 0
        for c in range(c1):
            u = vbc(p[at + b] * inverse[c])
            s0 = vfma(u, vld(p, at + src + a), s0)
            s1 = vfma(u, vld(p, at + src + a + 4), s1)
            at += ld
        vst(dst, a, vfma(minus, s0, vld(dst, a)))
        vst(dst, a + 4, vfma(minus, s1, vld(dst, a + 4)))
        a += 8
    # the last four columns where their number is odd
    if a < a1:
        s0 = vbc(0.0)
        at = 0
        for c in range(c1):
            s0 = vfma(vbc(p[at + b] * inverse[c]), vld(p, at + src + a), s0)
            at += ld
        vst(dst, a, vfma(minus, s0, vld(dst, a)))


@helper
def row_of(p, ld, n, c):
    """Row c of a supernode, or the last one where there are fewer: it is then multiplied by zero."""
    return off(p, min(c, n - 1) * ld)


@helper
def pivot_of(x):
    """A pivot, or the least one that counts as positive."""
    if not x > MINPIVOT:
        return MINPIVOT
    return x


@helper
def factor_corner(p, n, ld, inverse, c):
    """Factor the square of rows and columns c to c + 3; returns the multipliers l01, l02, l03, l12, l13, l23, zero for rows beyond n."""
    # first pivot D_c and its multipliers l0j = U[c, c + j] / D_c
    r0 = off(p, c * ld)
    pivot = pivot_of(r0[c])
    i0 = 1.0 / pivot
    inverse[c] = i0
    l01 = 0.0
    l02 = 0.0
    l03 = 0.0
    l12 = 0.0
    l13 = 0.0
    l23 = 0.0
    # row c + 1: subtract l01 U[c, .], giving the pivot D_{c+1}
    if c + 1 < n:
        r1 = off(r0, ld)
        l01 = r0[c + 1] * i0
        i1 = 1.0 / pivot_of(r1[c + 1] - l01 * r0[c + 1])
        inverse[c + 1] = i1
        # the rest of that row within the square
        a12 = r1[c + 2] - l01 * r0[c + 2]
        a13 = r1[c + 3] - l01 * r0[c + 3]
        r1[c + 2] = a12
        r1[c + 3] = a13
        # row c + 2 likewise, by rows c and c + 1
        if c + 2 < n:
            r2 = off(r1, ld)
            l02 = r0[c + 2] * i0
            l12 = a12 * i1
            i2 = 1.0 / pivot_of(r2[c + 2] - l02 * r0[c + 2] - l12 * a12)
            inverse[c + 2] = i2
            a23 = r2[c + 3] - l02 * r0[c + 3] - l12 * a13
            r2[c + 3] = a23
            # row c + 3: its pivot only, nothing lies right of it in the square
            if c + 3 < n:
                r3 = off(r2, ld)
                l03 = r0[c + 3] * i0
                l13 = a13 * i1
                l23 = a23 * i2
                inverse[c + 3] = 1.0 / pivot_of(r3[c + 3] - l03 * r0[c + 3] - l13 * a13 - l23 * a23)
    return l01, l02, l03, l12, l13, l23


@helper
def factor_supernode_rows(p, n, ld, inverse):
    """Turn the supernode's n rows of H into rows of U, four at a time; inverse[c] = 1 / D[c]. Returns the number of raised pivots."""
    # block row of four: first what the rows before it contribute (left-looking), then its own 4 x 4 corner, then the rest
    for c in range(0, n, 4):
        r0 = off(p, c * ld)
        r1 = row_of(p, ld, n, c + 1)
        r2 = row_of(p, ld, n, c + 2)
        r3 = row_of(p, ld, n, c + 3)
        # rows c to c + 3, two by two, minus the products with all rows before c
        if c > 0:
            if c + 1 < n:
                subtract_pair(p, ld, inverse, c, c, r0, r1, c, ld, 0)
            else:
                subtract_single(p, ld, inverse, c, c, r0, c, ld, 0)
            if c + 3 < n:
                subtract_pair(p, ld, inverse, c + 2, c, r2, r3, c, ld, 0)
            elif c + 2 < n:
                subtract_single(p, ld, inverse, c + 2, c, r2, c, ld, 0)
        # factor the corner; its multipliers l_ij eliminate within the block row
        l01, l02, l03, l12, l13, l23 = factor_corner(p, n, ld, inverse, c)
        # columns right of the corner: U_i <- U_i - sum over j < i of l_ji U_j, from registers
        v01 = vbc(-l01)
        v02 = vbc(-l02)
        v03 = vbc(-l03)
        v12 = vbc(-l12)
        v13 = vbc(-l13)
        v23 = vbc(-l23)
        for k in range(c + 4, ld, 4):
            x0 = vld(r0, k)
            x1 = vfma(v01, x0, vld(r1, k))
            x2 = vfma(v12, x1, vfma(v02, x0, vld(r2, k)))
            vst(r3, k, vfma(v23, x2, vfma(v13, x1, vfma(v03, x0, vld(r3, k)))))
            vst(r2, k, x2)   # after those that it stands for where there are fewer rows
            vst(r1, k, x1)
            vst(r0, k, x0)
    # a raised pivot has an inverse of at least 1 / MINPIVOT
    raised = 0
    for c in range(n):
        if inverse[c] >= 1.0 / MINPIVOT:
            raised += 1
    return raised


@helper
def subtract_block(p, n, ld, inverse, at, rows, dst, ldd, dcol, src, width, skip):
    """dst[b, dcol:dcol+width) -= sum over the supernode's n rows of P[., at+b] P[., src:src+width), for b in [0, rows).

    With skip, columns left of the diagonal block's tile of row b are left alone.
    """
    b = 0
    # two destination rows at a time
    while b < rows:
        # symmetric destination: what lies left of the diagonal is not needed, in tiles of four
        start = dcol
        if skip:
            start = dcol + (b & ~3)
        r0 = off(dst, b * ldd)
        if b + 1 < rows:
            subtract_pair(p, ld, inverse, at + b, n, r0, off(dst, (b + 1) * ldd), start, dcol + width, src - dcol)
        else:
            subtract_single(p, ld, inverse, at + b, n, r0, start, dcol + width, src - dcol)
        b += 2


@helper
def forward_corner(p, n, ld, inverse, x, c):
    """Solve U' D^-1 y = x for unknowns c to c + 3 of a supernode, what lies before them being known; returns y / D, zeros beyond n."""
    # unit lower triangular in l_ij = U_ij / D_i: x_j -= U_ij y_i with y_i = x_i / D_i
    y0 = x[c] * inverse[c]
    y1 = 0.0
    y2 = 0.0
    y3 = 0.0
    # unknown by unknown, as far as the supernode has rows; y of the missing ones is 0, so that they count nothing in subtract_four
    r0 = off(p, c * ld)
    if c + 1 < n:
        x1 = x[c + 1] - r0[c + 1] * y0
        x[c + 1] = x1
        y1 = x1 * inverse[c + 1]
        if c + 2 < n:
            r1 = off(r0, ld)
            x2 = x[c + 2] - r0[c + 2] * y0 - r1[c + 2] * y1
            x[c + 2] = x2
            y2 = x2 * inverse[c + 2]
            if c + 3 < n:
                r2 = off(r1, ld)
                x3 = x[c + 3] - (r0[c + 3] * y0 + r1[c + 3] * y1) - r2[c + 3] * y2
                x[c + 3] = x3
                y3 = x3 * inverse[c + 3]
    return y0, y1, y2, y3


@helper
def subtract_four(dst, r0, r1, r2, r3, y, n):
    """dst[:n] -= y[0] r0[:n] + y[1] r1[:n] + y[2] r2[:n] + y[3] r3[:n], n a multiple of four."""
    v0 = vbc(-y[0])
    v1 = vbc(-y[1])
    v2 = vbc(-y[2])
    v3 = vbc(-y[3])
    for k in range(0, n, 4):
        s = vfma(v1, vld(r1, k), vfma(v0, vld(r0, k), vld(dst, k)))
        vst(dst, k, vfma(v3, vld(r3, k), vfma(v2, vld(r2, k), s)))


@helper
def dot_four(sums, r0, r1, r2, r3, x, n):
    """sums (four fours) + the products of four rows with x, over n columns, a multiple of four."""
    s0, s1, s2, s3 = sums
    for k in range(0, n, 4):
        v = vld(x, k)
        s0 = vfma(vld(r0, k), v, s0)
        s1 = vfma(vld(r1, k), v, s1)
        s2 = vfma(vld(r2, k), v, s2)
        s3 = vfma(vld(r3, k), v, s3)
    return s0, s1, s2, s3


@helper
def backward_corner(p, n, ld, inverse, x, c, s):
    """Solve U x = y for unknowns c to c + 3 of a supernode, y standing in x; s: what is known of their rows' products with x."""
    # upper triangle from its last row up; s holds what unknowns right of the corner contribute
    r0 = off(p, c * ld)
    x1 = 0.0
    x2 = 0.0
    x3 = 0.0
    if c + 1 < n:
        r1 = off(r0, ld)
        if c + 2 < n:
            r2 = off(r1, ld)
            if c + 3 < n:
                # x_j = (y_j - sum over i > j of U_ji x_i) / D_j
                x3 = (x[c + 3] - s[3]) * inverse[c + 3]
                x[c + 3] = x3
            x2 = (x[c + 2] - s[2] - r2[c + 3] * x3) * inverse[c + 2]
            x[c + 2] = x2
        x1 = (x[c + 1] - s[1] - r1[c + 3] * x3 - r1[c + 2] * x2) * inverse[c + 1]
        x[c + 1] = x1
    x[c] = (x[c] - s[0] - r0[c + 3] * x3 - r0[c + 2] * x2 - r0[c + 1] * x1) * inverse[c]
