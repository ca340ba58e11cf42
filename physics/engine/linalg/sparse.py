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
from physics.kernels.simd import vbc, vfma, vld, vmul, vst, vsum

LONG = 12  # entries of a row from which the ways for long rows pay (measured)


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
def add_scaled_two(dst, one, s, two, t, n):
    """dst[:n] += s one[:n] + t two[:n]: one pass over dst instead of two, as add_scaled."""
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
def pivot_of(row, n):
    """(1 / row[n], whether it was raised): the pivot, at least MINVAL."""
    if row[n] < MINVAL:
        row[n] = MINVAL
        return 1.0 / MINVAL, True
    return 1.0 / row[n], False


@helper
def factor_rows(mat, diaginv, rownnz, rowadr, colind, nv):
    """Factor in place: mat becomes L (rows without their unit diagonal) and D (last entry), diaginv 1/D.

    Returns the first dof, from the last down, whose pivot was raised to MINVAL; -1 when none was. A dof far from the
    root goes together with its parent where that is the dof before it: both change what lies above in one pass.
    """
    raised = -1
    k = nv - 1
    while k >= 0:
        start = rowadr[k]
        diag = rownnz[k] - 1
        src = off(mat, start)
        inv, low = pivot_of(src, diag)
        diaginv[k] = inv
        if low:
            raised = max(raised, k)
        if diag < LONG or colind[start + diag - 1] != k - 1:
            for a in range(diag - 1, -1, -1):
                s = src[a] * inv
                add_scaled(off(mat, rowadr[colind[start + a]]), src, -s, a + 1)
                src[a] = s
            k -= 1
            continue
        # the parent's row has the same columns but the last
        n = diag - 1
        up = off(mat, rowadr[k - 1])
        add_scaled(up, src, -src[n] * inv, diag)
        src[n] *= inv
        inv_up, low = pivot_of(up, n)
        diaginv[k - 1] = inv_up
        if low:
            raised = max(raised, k - 1)
        for a in range(n - 1, -1, -1):
            s = src[a] * inv
            t = up[a] * inv_up
            add_scaled_two(off(mat, rowadr[colind[start + a]]), src, -s, up, -t, a + 1)
            src[a] = s
            up[a] = t
        k -= 2
    return raised


@helper
def dot_run(a, b, n):
    """a[:n] . b[:n]: four at a time, the tail as a chain of ifs."""
    s = 0.0
    k = 0
    if n >= 4:
        v = vmul(vld(a, 0), vld(b, 0))
        k = 4
        while k + 4 <= n:
            v = vfma(vld(a, k), vld(b, k), v)
            k += 4
        s = vsum(v)
    r = n - k
    if r > 0:
        s += a[k] * b[k]
        if r > 1:
            s += a[k + 1] * b[k + 1]
            if r > 2:
                s += a[k + 2] * b[k + 2]
    return s


@helper
def follows_on(colind, adr, n, i):
    """Whether the n columns from adr on are the n before i: an unbranched chain, and long enough to go four at a time."""
    return n >= LONG and i - colind[adr] == n


@helper
def solve_rows(x, mat, diaginv, rownnz, rowadr, colind, nv):
    """x becomes the solution of (L'DL) y = x."""
    # x <- L'^-1 x
    for i in range(nv - 1, -1, -1):
        n = rownnz[i] - 1
        xi = x[i]
        if n == 0 or xi == 0.0:
            continue
        r = off(mat, rowadr[i])
        if follows_on(colind, rowadr[i], n, i):
            add_scaled(off(x, i - n), r, -xi, n)
            continue
        c = off(colind, rowadr[i])
        for a in range(n):
            x[c[a]] -= r[a] * xi
    # x <- L^-1 D^-1 x
    for i in range(nv):
        xi = x[i] * diaginv[i]
        n = rownnz[i] - 1
        r = off(mat, rowadr[i])
        if follows_on(colind, rowadr[i], n, i):
            x[i] = xi - dot_run(r, off(x, i - n), n)
            continue
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
        x[i] = xi - (s0 + s1)


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
