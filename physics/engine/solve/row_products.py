"""Sums of scaled rows, of which Hessians are made: W J of a block, and multiples of its rows added to rows of the matrix."""
from __future__ import annotations

from physics.enums import CNSTRSTATE_QUADRATIC
from physics.kernels.decorators import helper
from physics.kernels.rows import off
from physics.kernels.simd import vbc, vfma, vld, vset, vst, vturn


@helper
def add_products(p, c, a0, a1, a2, a3, k, end):
    """p[k] += c[0] a0[k] + c[1] a1[k] + c[2] a2[k] + c[3] a3[k] for k up to end."""
    # four columns at a time by fused multiply-adds, then the at most three that are left
    v0 = vbc(c[0])
    v1 = vbc(c[1])
    v2 = vbc(c[2])
    v3 = vbc(c[3])
    while k + 4 <= end:
        s = vfma(v0, vld(a0, k), vld(p, k))
        s = vfma(v1, vld(a1, k), s)
        s = vfma(v2, vld(a2, k), s)
        vst(p, k, vfma(v3, vld(a3, k), s))
        k += 4
    # the rest, as ifs: a loop would be unrolled and vectorised once more, at twice the cost for short rows
    n = end - k
    if n > 0:
        p[k] += c[0] * a0[k] + c[1] * a1[k] + c[2] * a2[k] + c[3] * a3[k]
        if n > 1:
            p[k + 1] += c[0] * a0[k + 1] + c[1] * a1[k + 1] + c[2] * a2[k + 1] + c[3] * a3[k + 1]
            if n > 2:
                p[k + 2] += c[0] * a0[k + 2] + c[1] * a1[k + 2] + c[2] * a2[k + 2] + c[3] * a3[k + 2]


@helper
def add_two(p, q, c, e, a0, a1, a2, a3, k, end):
    """The same for two rows: p with c, q with e; the number of columns is a multiple of four."""
    # the four source rows are read once for both destinations
    c0 = vbc(c[0])
    c1 = vbc(c[1])
    c2 = vbc(c[2])
    c3 = vbc(c[3])
    e0 = vbc(e[0])
    e1 = vbc(e[1])
    e2 = vbc(e[2])
    e3 = vbc(e[3])
    # s, t: four columns of p and of q, with one fused multiply-add per source row
    while k < end:
        x = vld(a0, k)
        s = vfma(c0, x, vld(p, k))
        t = vfma(e0, x, vld(q, k))
        x = vld(a1, k)
        s = vfma(c1, x, s)
        t = vfma(e1, x, t)
        x = vld(a2, k)
        s = vfma(c2, x, s)
        t = vfma(e2, x, t)
        x = vld(a3, k)
        vst(p, k, vfma(c3, x, s))
        vst(q, k, vfma(e3, x, t))
        k += 4


@helper
def first_of(a, n):
    """The first four of n numbers, zeros where there are fewer."""
    # beyond n nothing may be read: it would be another row's, or not a number
    x1 = 0.0
    x2 = 0.0
    if n >= 4:
        return vld(a, 0)
    if n <= 0:
        return vbc(0.0)
    if n > 1:
        x1 = a[1]
        if n > 2:
            x2 = a[2]
    return vset(a[0], x1, x2, 0.0)


@helper
def add_narrow(p, ld, c, a0, a1, a2, a3, rows, n):
    """add_products for several rows of p, ld apart, with twelve coefficients c each; n at most 8 columns, and zeros up to four or eight."""
    # the four source rows, up to eight columns, stay in registers over all destination rows
    x0 = first_of(a0, n)
    x1 = first_of(a1, n)
    x2 = first_of(a2, n)
    x3 = first_of(a3, n)
    y0 = first_of(off(a0, 4), n - 4)
    y1 = first_of(off(a1, 4), n - 4)
    y2 = first_of(off(a2, 4), n - 4)
    y3 = first_of(off(a3, 4), n - 4)
    # each destination row: p_a += sum_g c_ag a_g, its first four columns and, where there are more, the next four
    for a in range(rows):
        v0 = vbc(c[12 * a])
        v1 = vbc(c[12 * a + 1])
        v2 = vbc(c[12 * a + 2])
        v3 = vbc(c[12 * a + 3])
        vst(p, a * ld, vfma(v3, x3, vfma(v2, x2, vfma(v1, x1, vfma(v0, x0, vld(p, a * ld))))))
        if n > 4:
            vst(p, a * ld + 4, vfma(v3, y3, vfma(v2, y2, vfma(v1, y1, vfma(v0, y0, vld(p, a * ld + 4))))))


@helper
def scale_rows(d, w, adr, nnz, num):
    """sol_WJ[12 a + r] = w[r] J_r[a]; rows up to a multiple of four are 0."""
    for g in range(0, num, 4):
        # four rows at a time; beyond the last one a row is read again and its weight is 0
        last = num - 1 - g
        a0 = off(d.efc_J, adr + g * nnz)
        a1 = off(a0, min(1, last) * nnz)
        a2 = off(a0, min(2, last) * nnz)
        a3 = off(a0, min(3, last) * nnz)
        # their weights
        w1 = 0.0
        w2 = 0.0
        w3 = 0.0
        if last > 0:
            w1 = w[g + 1]
            if last > 1:
                w2 = w[g + 2]
                if last > 2:
                    w3 = w[g + 3]
        v = vset(w[g], w1, w2, w3)
        # four columns: the 4 x 4 is turned, so that each column's four products lie side by side
        k = 0
        while k + 4 <= nnz:
            c0, c1, c2, c3 = vturn(vld(a0, k), vld(a1, k), vld(a2, k), vld(a3, k))
            at = 12 * k + g
            vst(d.sol_WJ, at, v * c0)
            vst(d.sol_WJ, at + 12, v * c1)
            vst(d.sol_WJ, at + 24, v * c2)
            vst(d.sol_WJ, at + 36, v * c3)
            k += 4
        while k < nnz:
            vst(d.sol_WJ, 12 * k + g, v * vset(a0[k], a1[k], a2[k], a3[k]))
            k += 1


@helper
def mix_rows(d, w, adr, nnz, num):
    """sol_WJ[12 a + r] = sum of W[r, q] J_q[a], w num by num; rows up to a multiple of four are 0."""
    end = (num + 3) & ~3
    # column by column, W times the column of J
    for a in range(nnz):
        at = 12 * a
        for r in range(num):
            s = 0.0
            for q in range(num):
                s += w[r * num + q] * d.efc_J[adr + q * nnz + a]
            d.sol_WJ[at + r] = s
        for r in range(num, end):
            d.sol_WJ[at + r] = 0.0


@helper
def weight_of(d, i):
    """Curvature of a row's cost, without cones."""
    if d.efc_state[i] == CNSTRSTATE_QUADRATIC:
        return d.efc_D[i]
    return 0.0
