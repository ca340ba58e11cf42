"""Products with the constraint Jacobian, unit by unit.

A unit is one row that stands alone, or all rows of one contact, which share their columns: four rows are taken at a time.
"""
from __future__ import annotations

from physics.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_CONTACT_PYRAMIDAL
from physics.kernels.decorators import helper
from physics.kernels.rows import off


@helper
def rows_of_unit(d, i):
    """Number of rows of the unit that starts at row i."""
    kind = d.efc_type[i]
    if kind == CNSTR_CONTACT_PYRAMIDAL:
        return 2 * (d.contact_dim[d.efc_id[i]] - 1)
    if kind == CNSTR_CONTACT_ELLIPTIC:
        return d.contact_dim[d.efc_id[i]]
    return 1


@helper
def mul_unit(d, row, num, x, res):
    """res[row:row+num] = J x for the rows of one unit."""
    adr = d.efc_J_rowadr[row]
    nnz = d.efc_J_rownnz[row]
    col = off(d.efc_J_colind, adr)
    a = off(d.efc_J, adr)
    if num == 1:
        s = 0.0
        for k in range(nnz):
            s += a[k] * x[col[k]]
        res[row] = s
        return
    r = 0
    while r + 4 <= num:
        b = off(a, nnz)
        c = off(a, 2 * nnz)
        e = off(a, 3 * nnz)
        s0 = 0.0
        s1 = 0.0
        s2 = 0.0
        s3 = 0.0
        for k in range(nnz):
            v = x[col[k]]
            s0 += a[k] * v
            s1 += b[k] * v
            s2 += c[k] * v
            s3 += e[k] * v
        res[row + r] = s0
        res[row + r + 1] = s1
        res[row + r + 2] = s2
        res[row + r + 3] = s3
        a = off(a, 4 * nnz)
        r += 4
    while r < num:
        s = 0.0
        for k in range(nnz):
            s += a[k] * x[col[k]]
        res[row + r] = s
        a = off(a, nnz)
        r += 1


@helper
def add_unit_forces(d, row, num, f, res):
    """res += J' f over the rows of one unit; f is indexed by row."""
    adr = d.efc_J_rowadr[row]
    nnz = d.efc_J_rownnz[row]
    col = off(d.efc_J_colind, adr)
    a = off(d.efc_J, adr)
    r = 0
    while r + 4 <= num:
        f0 = f[row + r]
        f1 = f[row + r + 1]
        f2 = f[row + r + 2]
        f3 = f[row + r + 3]
        if f0 != 0.0 or f1 != 0.0 or f2 != 0.0 or f3 != 0.0:
            b = off(a, nnz)
            c = off(a, 2 * nnz)
            e = off(a, 3 * nnz)
            for k in range(nnz):
                res[col[k]] += (f0 * a[k] + f1 * b[k]) + (f2 * c[k] + f3 * e[k])
        a = off(a, 4 * nnz)
        r += 4
    while r < num:
        f0 = f[row + r]
        if f0 != 0.0:
            for k in range(nnz):
                res[col[k]] += f0 * a[k]
        a = off(a, nnz)
        r += 1
