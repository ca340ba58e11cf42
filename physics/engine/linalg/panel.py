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
from physics.kernels.simd import vbc, vfma, vld, vmul, vst, vsum

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
def forward_panel(p, n, ld, diaginv, x):
    """x: the panel's unknowns. Solve U'y = x for them, y in place; couplings to later ones are left to the caller."""
    end = (n + 3) & ~3
    for c in range(n):
        y = x[c] * diaginv[c]
        r = off(p, c * ld)
        add_row(x, r, -y, c & ~3, end)
        x[c] = y


@helper
def dot_row(r, x, start, end):
    """Sum of r x over columns [start, end), both multiples of four."""
    s = vbc(0.0)
    k = start
    while k < end:
        s = vfma(vld(r, k), vld(x, k), s)
        k += 4
    return vsum(s)


@helper
def backward_four(p, ld, diaginv, x, c, end):
    """Solve rows c..c+3 of U x = y, x known from c + 4 on (c a multiple of four)."""
    r0 = off(p, c * ld)
    r1 = off(r0, ld)
    r2 = off(r1, ld)
    r3 = off(r2, ld)
    s0 = vbc(0.0)
    s1 = vbc(0.0)
    s2 = vbc(0.0)
    s3 = vbc(0.0)
    k = c + 4
    while k < end:
        v = vld(x, k)
        s0 = vfma(vld(r0, k), v, s0)
        s1 = vfma(vld(r1, k), v, s1)
        s2 = vfma(vld(r2, k), v, s2)
        s3 = vfma(vld(r3, k), v, s3)
        k += 4
    x3 = (x[c + 3] - vsum(s3)) * diaginv[c + 3]
    x2 = (x[c + 2] - vsum(s2) - r2[c + 3] * x3) * diaginv[c + 2]
    x1 = (x[c + 1] - vsum(s1) - r1[c + 3] * x3 - r1[c + 2] * x2) * diaginv[c + 1]
    x[c] = (x[c] - vsum(s0) - r0[c + 3] * x3 - r0[c + 2] * x2 - r0[c + 1] * x1) * diaginv[c]
    x[c + 1] = x1
    x[c + 2] = x2
    x[c + 3] = x3


@helper
def backward_panel(p, n, ld, diaginv, x):
    """Solve U x = y for the panel's unknowns; couplings to later ones have been taken off y by the caller."""
    end = (n + 3) & ~3
    whole = n & ~3
    for c in range(n - 1, whole - 1, -1):
        y = x[c]
        x[c] = 0.0
        r = off(p, c * ld)
        x[c] = (y - dot_row(r, x, c & ~3, end)) * diaginv[c]
    for c in range(whole - 4, -1, -4):
        backward_four(p, ld, diaginv, x, c, end)
