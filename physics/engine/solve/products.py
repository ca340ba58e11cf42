"""Sums of scaled rows, of which Hessians are made: W J of a unit, and multiples of its rows added to rows of the matrix."""
from __future__ import annotations

from physics.enums import CNSTRSTATE_QUADRATIC
from physics.kernels.decorators import helper
from physics.kernels.simd import vbc, vfma, vld, vst


@helper
def add_products(p, c, a0, a1, a2, a3, k, end):
    """p[k] += c[0] a0[k] + c[1] a1[k] + c[2] a2[k] + c[3] a3[k] for k up to end."""
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
    c0 = vbc(c[0])
    c1 = vbc(c[1])
    c2 = vbc(c[2])
    c3 = vbc(c[3])
    e0 = vbc(e[0])
    e1 = vbc(e[1])
    e2 = vbc(e[2])
    e3 = vbc(e[3])
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
def scale_rows(d, w, full, adr, nnz, num):
    """sol_scaled[12 a + r] = sum of W[r, q] J_q[a]: w is num by num (full) or the diagonal; rows up to a multiple of four are 0."""
    end = (num + 3) & ~3
    for a in range(nnz):
        at = 12 * a
        for r in range(num):
            if full:
                s = 0.0
                for q in range(num):
                    s += w[r * num + q] * d.efc_J[adr + q * nnz + a]
            else:
                s = w[r] * d.efc_J[adr + r * nnz + a]
            d.sol_scaled[at + r] = s
        for r in range(num, end):
            d.sol_scaled[at + r] = 0.0


@helper
def weight_of(d, i):
    """Curvature of a row's cost, without cones."""
    if d.efc_state[i] == CNSTRSTATE_QUADRATIC:
        return d.efc_D[i]
    return 0.0
