"""The Delassus factor Z = J L^-1 D^-1/2, rows for the dual solvers: Z Z' = J M^-1 J', so that A = J M^-1 J' itself is never made.

With M = L'DL a row is z = D^-1/2 L'^-1 j. It has entries at the dofs of j and those between them and the root: hardly more
than j. The accelerations that forces cause are known as w = Z' f, the residual of row i as z_i w + R_i f_i + b_i: a change of
one force costs twice the length of its row, however many rows there are.

Source: MuJoCo documentation, chapter Computation, "PGS" (the dual problem); Featherstone, "Efficient factorization of the
joint-space inertia matrix for branched kinematic trees", 2005, section 4 (L'^-1 j keeps to the ancestors of j's dofs).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.inertia.mass_matrix import fill_factor
from physics.engine.linalg.sparse import gather, scatter
from physics.enums import CNSTR_CONTACT_ELLIPTIC, MINVAL, SOL_PGS
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off
from physics.kernels.simd import stack, vbc, vfma, vld, vmul, vsum


@helper
def needs_delassus(m):
    """Whether a solver on the forces takes part."""
    return m.opt_solver == SOL_PGS or m.opt_noslip_iterations > 0


@helper
def mark_ancestors(m, d, row, stamp):
    """Mark the dofs of a row and those between them and the root."""
    adr = d.efc_J_rowadr[row]
    # from the last column: a marked dof has its ancestors marked already
    for a in range(adr + d.efc_J_rownnz[row] - 1, adr - 1, -1):
        k = d.efc_J_colind[a]
        if d.delassus_mark[k] != stamp:
            start = m.M_rowadr[k]
            for b in range(start, start + m.M_rownnz[k]):
                d.delassus_mark[m.M_colind[b]] = stamp


@helper
def list_marked(m, d, row, stamp, at):
    """Put the marked dofs of the row's trees into delassus_colind from `at` on, ascending, as far as there is room; returns their number."""
    a = d.efc_J_rowadr[row]
    end = a + d.efc_J_rownnz[row]
    n = 0
    while a < end:
        # tree by tree: columns of z lie between the tree's first dof and the last of the row's dofs in it
        t = m.dof_treeid[d.efc_J_colind[a]]
        beyond = m.tree_dofadr[t] + m.tree_dofnum[t]
        while a < end and d.efc_J_colind[a] < beyond:
            a += 1
        for k in range(m.tree_dofadr[t], d.efc_J_colind[a - 1] + 1):
            if d.delassus_mark[k] == stamp:
                if at + n < d.maxH:
                    d.delassus_colind[at + n] = k
                n += 1
    return n


@kernel()
def layout_delassus(m, d):
    """Columns of all blocks' rows and places for their numbers; need_nH > 0 where there is no room.

    A constraint block's numbers: its rows, one after the other; of an elliptic contact also the block of A + R.
    Reads: sol_nblock, sol_block_row, sol_block_num, efc_type, efc_J_rowadr, efc_J_rownnz, efc_J_colind
    Writes: delassus_mark, delassus_colind, delassus_coladr, delassus_rownnz, delassus_rowadr, need_nH
    """
    # the pattern of z is the closure of j's dofs under 'parent of', the same for all rows of a block
    for k in range(m.nv):
        d.delassus_mark[k] = 0
    columns = 0
    total = 0
    for u in range(d.sol_nblock):
        row = d.sol_block_row[u]
        num = d.sol_block_num[u]
        # u + 1 as stamp: marks of the blocks before count no more
        mark_ancestors(m, d, row, u + 1)
        n = list_marked(m, d, row, u + 1, columns)
        for i in range(row, row + num):
            d.delassus_coladr[i] = columns
            d.delassus_rownnz[i] = n
            d.delassus_rowadr[i] = total
            total += n
        # behind an elliptic contact's rows there is room for its block of A + R
        columns += n
        if d.efc_type[row] == CNSTR_CONTACT_ELLIPTIC:
            total += num * num
    total = max(total, columns)
    if total > d.maxH:
        d.need_nH = total


@helper
def solve_delassus_rows(m, d, mat, diaginv, row, num):
    """The numbers of a block's rows, z = D^-1/2 L'^-1 j, with the factor (mat, diaginv) of a matrix with M's rows."""
    # delassus_mark: dof -> place in the rows' dense numbering
    n = d.delassus_rownnz[row]
    col = off(d.delassus_colind, d.delassus_coladr[row])
    for a in range(n):
        d.delassus_mark[col[a]] = a
    # scatter j into z
    for i in range(row, row + num):
        z = off(d.delassus_Z, d.delassus_rowadr[i])
        for a in range(n):
            z[a] = 0.0
        adr = d.efc_J_rowadr[i]
        for a in range(adr, adr + d.efc_J_rownnz[i]):
            z[d.delassus_mark[d.efc_J_colind[a]]] = d.efc_J[a]
    # z <- L'^-1 j from the last dof to the first: dof k is final, its ancestors lose L_ka z_k; all rows of the block with one reading of L
    z = off(d.delassus_Z, d.delassus_rowadr[row])
    for a in range(n - 1, -1, -1):
        k = col[a]
        start = m.M_rowadr[k]
        for b in range(start, start + m.M_rownnz[k] - 1):
            at = d.delassus_mark[m.M_colind[b]]
            s = mat[b]
            for r in range(num):
                z[r * n + at] -= s * z[r * n + a]
        # z_k <- D_k^-1/2 z_k
        s = sqrt(diaginv[k])
        for r in range(num):
            z[r * n + a] *= s


@helper
def delassus_entry(d, i, j):
    """z_i . z_j of two rows of one block."""
    a = off(d.delassus_Z, d.delassus_rowadr[i])
    b = off(d.delassus_Z, d.delassus_rowadr[j])
    s = 0.0
    for k in range(d.delassus_rownnz[i]):
        s += a[k] * b[k]
    return s


@helper
def cone_block_adr(d, row, num):
    """Where the block A + R of an elliptic contact starts in delassus_Z."""
    return d.delassus_rowadr[row] + num * d.delassus_rownnz[row]


@kernel()
def factor_delassus(m, d):
    """The numbers of all rows, and the inverse diagonal of A + R.

    Reads: sol_nblock, sol_block_row, sol_block_num, efc_type, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_R, qLD, qLDiagInv, qLD_due, delassus_colind,
        delassus_coladr, delassus_rownnz, delassus_rowadr
    Writes: delassus_Z, delassus_diaginv, delassus_mark, and where the factor is due what fill_factor writes
    """
    # trees that are solved by ABA have no rows in qLD until somebody asks
    if d.qLD_due:
        fill_factor(m, d)
    for u in range(d.sol_nblock):
        row = d.sol_block_row[u]
        num = d.sol_block_num[u]
        solve_delassus_rows(m, d, d.qLD, d.qLDiagInv, row, num)
        # 1 / (A_ii + R_i), the step of Gauss-Seidel on one row
        for i in range(row, row + num):
            d.delassus_diaginv[i] = 1.0 / max(MINVAL, delassus_entry(d, i, i) + d.efc_R[i])
        # an elliptic contact is solved as a whole: its block A + R, dim by dim
        if d.efc_type[row] == CNSTR_CONTACT_ELLIPTIC:
            block = off(d.delassus_Z, cone_block_adr(d, row, num))
            for i in range(num):
                for j in range(i + 1):
                    s = delassus_entry(d, row + i, row + j)
                    if i == j:
                        s += d.efc_R[row + i]
                    block[i * num + j] = s
                    block[j * num + i] = s


@helper
def row_acceleration(d, i):
    """z_i w: what all forces together do along row i."""
    # dot product of z_i with w at its columns, four at a time; consecutive columns are read as one vector
    z = off(d.delassus_Z, d.delassus_rowadr[i])
    col = off(d.delassus_colind, d.delassus_coladr[i])
    n = d.delassus_rownnz[i]
    s = 0.0
    k = 0
    if n >= 4:
        v = vmul(vld(z, 0), gather(d.delassus_w, col, 0))
        k = 4
        while k + 4 <= n:
            v = vfma(vld(z, k), gather(d.delassus_w, col, k), v)
            k += 4
        s = vsum(v)
    # the at most three that are left
    while k < n:
        s += z[k] * d.delassus_w[col[k]]
        k += 1
    return s


@helper
def add_force(d, i, change):
    """w after the force of row i has changed."""
    # w += change z_i, four at a time
    if change != 0.0:
        z = off(d.delassus_Z, d.delassus_rowadr[i])
        col = off(d.delassus_colind, d.delassus_coladr[i])
        n = d.delassus_rownnz[i]
        four = stack(4)
        k = 0
        while k + 4 <= n:
            scatter(d.delassus_w, col, k, vmul(vbc(change), vld(z, k)), four)
            k += 4
        while k < n:
            d.delassus_w[col[k]] += change * z[k]
            k += 1


@kernel()
def sum_forces(m, d):
    """w = Z' f from the forces as they are.

    Reads: nefc, ncoupling, efc_force, delassus_Z, delassus_colind, delassus_coladr, delassus_rownnz, delassus_rowadr
    Writes: delassus_w
    """
    for k in range(m.nv):
        d.delassus_w[k] = 0.0
    for i in range(d.nefc + d.ncoupling):
        add_force(d, i, d.efc_force[i])
