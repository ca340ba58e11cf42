"""Dense kernels of a factor H = U'U that is stored in panels: rows of U with a length that is a multiple of four.

A panel belongs to n unknowns that are eliminated together. Its row c holds U[c, c:n] and, from the next multiple of
four on, the couplings to unknowns eliminated later; rows of U hold zeros from the last multiple of four up to the
diagonal, and in the padding. Inner loops take two rows by eight columns, so that the sums stay in registers.

Source: Golub and Van Loan, "Matrix Computations", 4.2.5 (Cholesky by rows); George and Liu, "Computer Solution of
Large Sparse Positive Definite Systems", chapter 5.
"""
from __future__ import annotations

from math import sqrt

from physics.kernels.decorators import helper
from physics.kernels.rows import off
from physics.kernels.simd import vbc, vfma, vld, vmul, vst

MINPIVOT = 1e-15  # smallest pivot that counts as positive


@helper
def add_row(dst, src, s, start, end):
    """dst += s src over columns [start, end), both multiples of four."""
    v = vbc(s)
    k = start
    while k < end:
        vst(dst, k, vfma(v, vld(src, k), vld(dst, k)))
        k += 4


@helper
def scale_row(dst, s, start, end):
    """dst *= s over columns [start, end), both multiples of four."""
    v = vbc(s)
    k = start
    while k < end:
        vst(dst, k, vmul(v, vld(dst, k)))
        k += 4


@helper
def subtract_pair(p, ld, b, c0, c1, dst0, dst1, a0, a1, src):
    """dst0 and dst1 [a0:a1) -= sum over rows c in [c0, c1) of P[c, b], P[c, b+1] times P[c, src + ...].

    a0, a1 multiples of four; src is what to add to a destination column for the source column.
    """
    minus = vbc(-1.0)
    a = a0
    while a + 8 <= a1:
        s00 = vbc(0.0)
        s01 = vbc(0.0)
        s10 = vbc(0.0)
        s11 = vbc(0.0)
        at = c0 * ld
        for _c in range(c0, c1):
            u = vbc(p[at + b])
            w = vbc(p[at + b + 1])
            x = vld(p, at + src + a)
            y = vld(p, at + src + a + 4)
            s00 = vfma(u, x, s00)
            s01 = vfma(u, y, s01)
            s10 = vfma(w, x, s10)
            s11 = vfma(w, y, s11)
            at += ld
        vst(dst0, a, vfma(minus, s00, vld(dst0, a)))
        vst(dst0, a + 4, vfma(minus, s01, vld(dst0, a + 4)))
        vst(dst1, a, vfma(minus, s10, vld(dst1, a)))
        vst(dst1, a + 4, vfma(minus, s11, vld(dst1, a + 4)))
        a += 8
    if a < a1:
        s00 = vbc(0.0)
        s10 = vbc(0.0)
        at = c0 * ld
        for _c in range(c0, c1):
            x = vld(p, at + src + a)
            s00 = vfma(vbc(p[at + b]), x, s00)
            s10 = vfma(vbc(p[at + b + 1]), x, s10)
            at += ld
        vst(dst0, a, vfma(minus, s00, vld(dst0, a)))
        vst(dst1, a, vfma(minus, s10, vld(dst1, a)))


@helper
def subtract_single(p, ld, b, c0, c1, dst, a0, a1, src):
    """The same for one destination row."""
    minus = vbc(-1.0)
    a = a0
    while a + 8 <= a1:
        s0 = vbc(0.0)
        s1 = vbc(0.0)
        at = c0 * ld
        for _c in range(c0, c1):
            u = vbc(p[at + b])
            s0 = vfma(u, vld(p, at + src + a), s0)
            s1 = vfma(u, vld(p, at + src + a + 4), s1)
            at += ld
        vst(dst, a, vfma(minus, s0, vld(dst, a)))
        vst(dst, a + 4, vfma(minus, s1, vld(dst, a + 4)))
        a += 8
    if a < a1:
        s0 = vbc(0.0)
        at = c0 * ld
        for _c in range(c0, c1):
            s0 = vfma(vbc(p[at + b]), vld(p, at + src + a), s0)
            at += ld
        vst(dst, a, vfma(minus, s0, vld(dst, a)))


@helper
def factor_panel(p, n, ld, diaginv):
    """Turn the panel's n rows of H into rows of U; diaginv[c] = 1 / U[c, c]. Returns the number of raised pivots."""
    raised = 0
    b = 0
    while b < n:
        r0 = off(p, b * ld)
        first = b & ~3
        if b + 1 < n:
            r1 = off(p, (b + 1) * ld)
            subtract_pair(p, ld, b, 0, b, r0, r1, first, ld, 0)
        else:
            r1 = r0
            subtract_single(p, ld, b, 0, b, r0, first, ld, 0)
        pivot = r0[b]
        if not pivot > MINPIVOT:
            pivot = MINPIVOT
            raised += 1
        inv = 1.0 / sqrt(pivot)
        diaginv[b] = inv
        for a in range(first, b):
            r0[a] = 0.0
        scale_row(r0, inv, first, ld)
        b += 1
        if b < n:
            add_row(r1, r0, -r0[b], first, ld)
            pivot = r1[b]
            if not pivot > MINPIVOT:
                pivot = MINPIVOT
                raised += 1
            inv = 1.0 / sqrt(pivot)
            diaginv[b] = inv
            for a in range(first, b):
                r1[a] = 0.0
            scale_row(r1, inv, first, ld)
            b += 1
    return raised


@helper
def subtract_block(p, n, ld, at, rows, dst, ldd, dcol, src, width, skip):
    """dst[b, dcol:dcol+width) -= sum over the panel's n rows of P[., at+b] P[., src:src+width), for b in [0, rows).

    With skip, columns left of the diagonal block's tile of row b are left alone.
    """
    b = 0
    while b < rows:
        start = dcol
        if skip:
            start = dcol + (b & ~3)
        r0 = off(dst, b * ldd)
        if b + 1 < rows:
            subtract_pair(p, ld, at + b, 0, n, r0, off(dst, (b + 1) * ldd), start, dcol + width, src - dcol)
        else:
            subtract_single(p, ld, at + b, 0, n, r0, start, dcol + width, src - dcol)
        b += 2


@helper
def row_of(p, ld, n, c):
    """Row c of a panel, or the last one where there are fewer: it is then multiplied by zero."""
    return off(p, min(c, n - 1) * ld)


@helper
def forward_corner(p, n, ld, diaginv, x, c):
    """Solve U'y = x for unknowns c to c + 3 of a panel, what lies before them being known; returns them, zeros beyond n."""
    y0 = x[c] * diaginv[c]
    x[c] = y0
    y1 = 0.0
    y2 = 0.0
    y3 = 0.0
    r0 = off(p, c * ld)
    if c + 1 < n:
        y1 = (x[c + 1] - r0[c + 1] * y0) * diaginv[c + 1]
        x[c + 1] = y1
        if c + 2 < n:
            r1 = off(r0, ld)
            y2 = (x[c + 2] - (r0[c + 2] * y0 + r1[c + 2] * y1)) * diaginv[c + 2]
            x[c + 2] = y2
            if c + 3 < n:
                r2 = off(r1, ld)
                y3 = (x[c + 3] - (r0[c + 3] * y0 + r1[c + 3] * y1) - r2[c + 3] * y2) * diaginv[c + 3]
                x[c + 3] = y3
    return y0, y1, y2, y3


@helper
def take_four(dst, r0, r1, r2, r3, y, n):
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
def backward_corner(p, n, ld, diaginv, x, c, s):
    """Solve U x = y for unknowns c to c + 3 of a panel, y standing in x; s: what is known of their rows' products with x."""
    r0 = off(p, c * ld)
    x1 = 0.0
    x2 = 0.0
    x3 = 0.0
    if c + 1 < n:
        r1 = off(r0, ld)
        if c + 2 < n:
            r2 = off(r1, ld)
            if c + 3 < n:
                x3 = (x[c + 3] - s[3]) * diaginv[c + 3]
                x[c + 3] = x3
            x2 = (x[c + 2] - s[2] - r2[c + 3] * x3) * diaginv[c + 2]
            x[c + 2] = x2
        x1 = (x[c + 1] - s[1] - r1[c + 3] * x3 - r1[c + 2] * x2) * diaginv[c + 1]
        x[c + 1] = x1
    x[c] = (x[c] - s[0] - r0[c + 3] * x3 - r0[c + 2] * x2 - r0[c + 1] * x1) * diaginv[c]
