"""Sparse LU of a square matrix with a tree's full pattern, not symmetric.

Row k holds the ancestors of dof k, k itself and its descendants, ascending. Eliminating from the last dof to the first
fills nothing in: A = U L with U unit upper and L lower triangular. What lies right of the diagonal is kept by columns
while factoring: column k holds the entries (j, k) of k's ancestors j, so that every update is one of contiguous numbers.

Source: Golub and Van Loan, "Matrix Computations", 4th edition, 3.2 (elimination, here from the last row up); Featherstone,
"Efficient factorization of the joint-space inertia matrix for branched kinematic trees", 2005 (why nothing fills in).
"""
from __future__ import annotations

from physics.engine.linalg.sparse import add_scaled
from physics.enums import MINVAL
from physics.kernels.decorators import helper
from physics.kernels.rows import off


@helper
def take_columns(upper, mat, m, d):
    """upper: (nM,) receives what lies right of the diagonals of mat: (nD,), by columns; uses row_cursor."""
    # a cursor per row, at the entry right of its diagonal
    for k in range(m.nv):
        d.row_cursor[k] = m.D_rowadr[k] + m.D_diag[k] + 1
    # the descendants of row j come in ascending order, so its cursor meets column k exactly when dof k is reached
    for k in range(m.nv):
        adr = m.D_rowadr[k]
        to = m.dof_Madr[k]
        for a in range(m.D_diag[k]):
            j = m.D_colind[adr + a]
            upper[to + a] = mat[d.row_cursor[j]]
            d.row_cursor[j] += 1


@helper
def put_columns(mat, upper, m, d):
    """The reverse: mat receives what lies right of its diagonals."""
    # the same walk, the other way
    for k in range(m.nv):
        d.row_cursor[k] = m.D_rowadr[k] + m.D_diag[k] + 1
    for k in range(m.nv):
        adr = m.D_rowadr[k]
        at = m.dof_Madr[k]
        for a in range(m.D_diag[k]):
            j = m.D_colind[adr + a]
            mat[d.row_cursor[j]] = upper[at + a]
            d.row_cursor[j] += 1


@helper
def factor_full(mat, upper, m):
    """Factor in place: the rows of mat up to their diagonals become L, the columns in upper U without its unit diagonal.

    Returns the last dof whose pivot was smaller than MINVAL and was raised to it, -1 when none was.
    """
    raised = -1
    # from the last dof up: A = U L, and elimination fills nothing in, as row k holds ancestors only
    for k in range(m.nv - 1, -1, -1):
        start = m.D_rowadr[k]
        n = m.D_diag[k]
        low = off(mat, start)
        up = off(upper, m.dof_Madr[k])
        if abs(low[n]) < MINVAL:
            low[n] = MINVAL
            raised = max(raised, k)
        # column k of U: u_jk = A_jk / L_kk for the ancestors j
        inv = 1.0 / low[n]
        for a in range(n):
            up[a] *= inv
        # A_ji <- A_ji - u_jk L_ki for all pairs of ancestors (j, i): the part up to the diagonal by rows,
        # the part right of it by columns, both contiguous
        for a in range(n):
            j = m.D_colind[start + a]
            if up[a] != 0.0:
                add_scaled(off(mat, m.D_rowadr[j]), low, -up[a], a + 1)
            if low[a] != 0.0:
                add_scaled(off(upper, m.dof_Madr[j]), up, -low[a], a)
    return raised


@helper
def solve_full(x, mat, upper, m):
    """x becomes the solution of U L y = x."""
    # U y = x from the last unknown up, column by column
    for k in range(m.nv - 1, -1, -1):
        start = m.D_rowadr[k]
        up = off(upper, m.dof_Madr[k])
        for a in range(m.D_diag[k]):
            x[m.D_colind[start + a]] -= up[a] * x[k]
    # L x = y from the first down, row by row
    for k in range(m.nv):
        start = m.D_rowadr[k]
        n = m.D_diag[k]
        s = x[k]
        for a in range(n):
            s -= mat[start + a] * x[m.D_colind[start + a]]
        x[k] = s / mat[start + n]


@helper
def add_outer_full(mat, rownnz, rowadr, colind, vec, ind, n, s):
    """mat += s v v' for a sparse v (n entries vec at the columns ind, ascending), kept to the entries that mat has."""
    # row i gets s v_i v_j for all j of v that the row has an entry for: merge of two ascending lists
    for a in range(n):
        i = ind[a]
        sv = s * vec[a]
        adr = rowadr[i]
        end = adr + rownnz[i]
        # both triangles here, as the matrix is not symmetric: j runs over all of v
        b = 0
        while b < n and adr < end:
            if colind[adr] == ind[b]:
                mat[adr] += sv * vec[b]
                adr += 1
                b += 1
            elif colind[adr] < ind[b]:
                adr += 1
            else:
                b += 1
