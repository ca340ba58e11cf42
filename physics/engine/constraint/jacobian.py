"""Products with the constraint Jacobian, block by block.

A constraint block is one row that stands alone, or all rows of one contact, which share their columns: four rows and four columns are taken at a time.
"""
from __future__ import annotations

from physics.engine.linalg.sparse import gather, scatter
from physics.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_CONTACT_PYRAMIDAL
from physics.kernels.decorators import helper
from physics.kernels.rows import off
from physics.kernels.simd import stack, vbc, vfma, vld, vmul, vset, vst, vsum, vturn


@helper
def rows_of_block(d, i):
    """Number of rows of the block that starts at row i."""
    kind = d.efc_type[i]
    if kind == CNSTR_CONTACT_PYRAMIDAL:
        return 2 * (d.contact_dim[d.efc_id[i]] - 1)
    if kind == CNSTR_CONTACT_ELLIPTIC:
        return d.contact_dim[d.efc_id[i]]
    return 1


@helper
def gather_last(x, col, k, n):
    """The same of the last n = 1, 2 or 3 columns, and zeros."""
    b = 0.0
    c = 0.0
    if n > 1:
        b = x[col[k + 1]]
        if n > 2:
            c = x[col[k + 2]]
    return vset(x[col[k]], b, c, 0.0)


@helper
def scatter_last(x, col, k, v, n, four):
    """The same for the last n = 1, 2 or 3 columns."""
    vst(four, 0, v)
    x[col[k]] += four[0]
    if n > 1:
        x[col[k + 1]] += four[1]
        if n > 2:
            x[col[k + 2]] += four[2]


@helper
def mul_block(d, row, num, x, res):
    """res[row:row+num] = J x for the rows of one block. Entries beyond the row's end are read (append.SPARE), times zero."""
    adr = d.efc_J_rowadr[row]
    nnz = d.efc_J_rownnz[row]
    col = off(d.efc_J_colind, adr)
    a = off(d.efc_J, adr)
    if num == 1:
        s = 0.0
        k = 0
        if nnz >= 4:
            v = vmul(vld(a, 0), gather(x, col, 0))
            k = 4
            while k + 4 <= nnz:
                v = vfma(vld(a, k), gather(x, col, k), v)
                k += 4
            s = vsum(v)
        while k < nnz:
            s += a[k] * x[col[k]]
            k += 1
        res[row] = s
        return
    r = 0
    while r < num:
        last = num - 1 - r
        b = off(a, min(1, last) * nnz)
        c = off(a, min(2, last) * nnz)
        e = off(a, min(3, last) * nnz)
        s0 = vbc(0.0)
        s1 = vbc(0.0)
        s2 = vbc(0.0)
        s3 = vbc(0.0)
        k = 0
        while k + 4 <= nnz:
            v = gather(x, col, k)
            s0 = vfma(vld(a, k), v, s0)
            s1 = vfma(vld(b, k), v, s1)
            s2 = vfma(vld(c, k), v, s2)
            s3 = vfma(vld(e, k), v, s3)
            k += 4
        if k < nnz:
            v = gather_last(x, col, k, nnz - k)
            s0 = vfma(vld(a, k), v, s0)
            s1 = vfma(vld(b, k), v, s1)
            s2 = vfma(vld(c, k), v, s2)
            s3 = vfma(vld(e, k), v, s3)
        c0, c1, c2, c3 = vturn(s0, s1, s2, s3)
        v = (c0 + c2) + (c1 + c3)
        if last >= 3:
            vst(res, row + r, v)
        else:
            four = stack(4)
            vst(four, 0, v)
            res[row + r] = four[0]
            if last > 0:
                res[row + r + 1] = four[1]
                if last > 1:
                    res[row + r + 2] = four[2]
        a = off(a, 4 * nnz)
        r += 4


@helper
def add_block_forces(d, row, num, f, res):
    """res += J' f over the rows of one block; f is indexed by row. Entries beyond the row's end are read, but not used."""
    adr = d.efc_J_rowadr[row]
    nnz = d.efc_J_rownnz[row]
    col = off(d.efc_J_colind, adr)
    a = off(d.efc_J, adr)
    four = stack(4)
    if num == 1:
        if f[row] != 0.0:
            k = 0
            while k + 4 <= nnz:
                scatter(res, col, k, vmul(vbc(f[row]), vld(a, k)), four)
                k += 4
            while k < nnz:
                res[col[k]] += f[row] * a[k]
                k += 1
        return
    r = 0
    while r < num:
        last = num - 1 - r
        f0 = f[row + r]
        f1 = 0.0
        f2 = 0.0
        f3 = 0.0
        if last > 0:
            f1 = f[row + r + 1]
            if last > 1:
                f2 = f[row + r + 2]
                if last > 2:
                    f3 = f[row + r + 3]
        if f0 != 0.0 or f1 != 0.0 or f2 != 0.0 or f3 != 0.0:
            b = off(a, min(1, last) * nnz)
            c = off(a, min(2, last) * nnz)
            e = off(a, min(3, last) * nnz)
            v0 = vbc(f0)
            v1 = vbc(f1)
            v2 = vbc(f2)
            v3 = vbc(f3)
            k = 0
            while k + 4 <= nnz:
                v = vfma(v1, vld(b, k), vmul(v0, vld(a, k))) + vfma(v3, vld(e, k), vmul(v2, vld(c, k)))
                scatter(res, col, k, v, four)
                k += 4
            if k < nnz:
                v = vfma(v1, vld(b, k), vmul(v0, vld(a, k))) + vfma(v3, vld(e, k), vmul(v2, vld(c, k)))
                scatter_last(res, col, k, v, nnz - k, four)
        a = off(a, 4 * nnz)
        r += 4
