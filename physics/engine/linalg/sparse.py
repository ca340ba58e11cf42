"""The lower triangle of a tree's inertia in CSR rows (diagonal last), its L'DL factor and the products with it.

Row k holds the dofs on the path from the root to k, so the first n entries of an ancestor's row are the first n
columns of row k: eliminating dof k subtracts a multiple of its row from the *start* of each ancestor's row.

Source: Featherstone, "Efficient factorization of the joint-space inertia matrix for branched kinematic trees", 2005,
sections 3 and 4. Pivots below MINVAL are raised to it, as MuJoCo does since 3.13.
"""
from __future__ import annotations

from physics.enums import MINVAL
from physics.kernels.decorators import helper
from physics.kernels.rows import off
from physics.kernels.simd import vbc, vfma, vld, vst


@helper
def add_scaled(dst, src, s, n):
    """dst[:n] += s src[:n]: four at a time, the tail as a chain of ifs (see kernels.md 3)."""
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
def factor_rows(mat, diaginv, rownnz, rowadr, colind, nv):
    """Factor in place: mat becomes L (rows without their unit diagonal) and D (last entry), diaginv 1/D.

    Returns the first dof, from the last down, whose pivot was raised to MINVAL; -1 when none was.
    """
    raised = -1
    for k in range(nv - 1, -1, -1):
        start = rowadr[k]
        diag = rownnz[k] - 1
        src = off(mat, start)
        pivot = src[diag]
        if pivot < MINVAL:
            pivot = MINVAL
            src[diag] = pivot
            raised = max(raised, k)
        inv = 1.0 / pivot
        diaginv[k] = inv
        for a in range(diag - 1, -1, -1):
            s = src[a] * inv
            add_scaled(off(mat, rowadr[colind[start + a]]), src, -s, a + 1)
            src[a] = s
    return raised


@helper
def solve_rows(x, mat, diaginv, rownnz, rowadr, colind, nv):
    """x becomes the solution of (L'DL) y = x."""
    # x <- L'^-1 x, then D
    for i in range(nv - 1, -1, -1):
        n = rownnz[i] - 1
        if n > 0:
            xi = x[i]
            if xi != 0.0:
                r = off(mat, rowadr[i])
                c = off(colind, rowadr[i])
                for a in range(n):
                    x[c[a]] -= r[a] * xi
    # x <- L^-1 D^-1 x
    for i in range(nv):
        xi = x[i] * diaginv[i]
        n = rownnz[i] - 1
        if n > 0:
            r = off(mat, rowadr[i])
            c = off(colind, rowadr[i])
            s0 = 0.0
            s1 = 0.0
            a = 0
            while a + 2 <= n:
                s0 += r[a] * x[c[a]]
                s1 += r[a + 1] * x[c[a + 1]]
                a += 2
            if a < n:
                s0 += r[a] * x[c[a]]
            xi -= s0 + s1
        x[i] = xi


@helper
def mul_rows(res, x, mat, rownnz, rowadr, colind, nv):
    """res = A x for the symmetric A whose lower triangle is mat."""
    for i in range(nv):
        n = rownnz[i] - 1
        r = off(mat, rowadr[i])
        c = off(colind, rowadr[i])
        xi = x[i]
        s = r[n] * xi
        for a in range(n):
            k = c[a]
            s += r[a] * x[k]
            res[k] += r[a] * xi
        res[i] = s


@helper
def add_outer(mat, rownnz, rowadr, colind, vec, ind, n, s):
    """mat += s v v' for a sparse v (n entries vec at the columns ind, ascending), kept to the entries that mat has."""
    for a in range(n):
        i = ind[a]
        sv = s * vec[a]
        if sv == 0.0:
            continue
        adr = rowadr[i]
        end = adr + rownnz[i]
        b = 0
        while b <= a and adr < end:
            if colind[adr] == ind[b]:
                mat[adr] += sv * vec[b]
                adr += 1
                b += 1
            elif colind[adr] < ind[b]:
                adr += 1
            else:
                b += 1
