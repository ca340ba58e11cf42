"""Elimination of bodies along the graph of joints and contacts, and the solve with what it leaves.

    factor, child first: for each dof k of body b, the last first
        col = K s3, row = s2' K, pivot = s2 . col + H_k;  K -= col row / pivot, the same with the blocks of b's pairs and its neighbours'
    then the body moves with its parent: parent's K += Y K X, and its pairs' blocks join those of its parent
    solve, inwards:   y_k = -(s2 . g + g_k) / pivot,  g += col y
           outwards:  dq_k = y_k - row . nu / pivot,  nu += s3 dq_k

s2, s3: the dof's twist at the start of the step and at the trial pose. No pivoting: every pivot is positive unless what a dof moves has no mass.

Source: Dojo (engine/hard/__init__.py), equation 14 and figure 3; Featherstone, "Rigid Body Dynamics Algorithms", chapter 7 (articulated bodies).
"""
from __future__ import annotations

from physics.engine.hard.poses import carrier_of
from physics.engine.hard.residual import carry_inwards
from physics.engine.hard.system.blocks import (
    add_block,
    fours_by_columns,
    fours_by_rows,
    left_times,
    put_mixed,
    put_row,
    rank_one,
    row_at,
    shift_columns,
    shift_rows,
    take_product,
    times,
)
from physics.engine.linalg.spatial import add6, addscl6, dot6
from physics.engine.linalg.vec import cross3, sub3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, off, st6
from physics.kernels.simd import stack, vbc, vfma, vld, vset, vsum

PARENT, NOWHERE = -1, -2   # hard_pairnext of a pair that joins its parent's own block, or none


@kernel("m d i")
def eliminate_dofs(m, d, b):
    """Eliminate the dofs of body b from its own block.

    Reads: hard_axis, hard_axis2, hard_H
    Writes: hard_block, hard_col, hard_row, hard_pivot
    """
    block = off(d.hard_block, 48 * b)
    adr = m.body_dofadr[b]
    for k in range(adr + m.body_dofnum[b] - 1, adr - 1, -1):
        s3 = ld6(d.hard_axis, k)
        s2 = ld6(d.hard_axis2, k)
        col = times(block, s3)
        row = left_times(s2, block)
        inverse = 1.0 / (dot6(s2, col) + d.hard_H[k])
        d.hard_pivot[k] = inverse
        st6(d.hard_col, k, col)
        st6(d.hard_row, k, row)
        rank_one(block, col, row, -inverse)


@kernel("m d i")
def eliminate_pairs(m, d, b):
    """Eliminate the dofs of body b, which its own block has lost already, from the blocks of its pairs and those of its neighbours.

    A dof's row of a pair's block, as it is when its turn comes, is t' K_bc with K_bc as it was at first: t is s2 less what the dofs before it have taken along. So are the
    columns, K_cb u. All dofs at once are then one product of blocks for each two neighbours.

    Reads: hard_axis, hard_axis2, hard_col, hard_row, hard_pivot, hard_pair, hard_pairadr, hard_pairnum, hard_pairchanged, hard_changedadr
    Writes: hard_block, hard_upper, hard_lower, hard_pairrow, hard_paircol
    """
    first = d.hard_pairadr[b]
    count = d.hard_pairnum[b]
    adr = m.body_dofadr[b]
    n = m.body_dofnum[b]
    t = stack(48)
    u = stack(48)
    for k in range(n - 1, -1, -1):
        s2 = ld6(d.hard_axis2, adr + k)
        s3 = ld6(d.hard_axis, adr + k)
        left = s2
        right = s3
        for e in range(k + 1, n):
            left = addscl6(left, row_at(t, e), -dot6(s2, ld6(d.hard_col, adr + e)) * d.hard_pivot[adr + e])
            right = addscl6(right, row_at(u, e), -dot6(s3, ld6(d.hard_row, adr + e)) * d.hard_pivot[adr + e])
        put_row(t, k, left)
        put_row(u, k, right)
    # rows and columns of the pairs, which the solve will need too
    carried = carrier_of(m, b) > 0
    for p in range(first, first + count):
        upper = off(d.hard_upper, 48 * p)
        lower = off(d.hard_lower, 48 * p)
        rows = off(d.hard_pairrow, 48 * p)
        cols = off(d.hard_paircol, 48 * p)
        w = fours_by_rows(upper)
        v = fours_by_columns(lower)
        for k in range(n):
            put_mixed(rows, 8 * k, w, row_at(t, k), d.hard_pivot[adr + k])
            put_mixed(cols, 8 * k, v, row_at(u, k), 1.0)
        # what is left of them moves with the parent
        if carried:
            for k in range(n):
                rank_one(upper, ld6(d.hard_col, adr + k), row_at(rows, k), -1.0)
                rank_one(lower, row_at(cols, k), ld6(d.hard_row, adr + k), -d.hard_pivot[adr + k])
    if n == 6:
        couple_six(m, d, b)
    else:
        couple_few(m, d, b)


@kernel("m d i")
def couple_six(m, d, b):
    """Take from the blocks of the neighbours of body b, which has six dofs, what they lose by its elimination.

    Reads: hard_pair, hard_pairadr, hard_pairnum, hard_pairchanged, hard_changedadr, hard_pairrow, hard_paircol
    Writes: hard_block, hard_upper, hard_lower
    """
    first = d.hard_pairadr[b]
    target = d.hard_changedadr[b]
    for y in range(d.hard_pairnum[b]):
        p = 48 * (first + y)
        rows = fours_by_rows(off(d.hard_pairrow, p))
        cols = off(d.hard_paircol, p)
        take_product(off(d.hard_block, 48 * d.hard_pair[first + y, 1]), cols, rows)
        at = target + y * (y - 1) // 2
        for x in range(y):
            take_product(off(d.hard_upper, 48 * d.hard_pairchanged[at + x]), off(d.hard_paircol, 48 * (first + x)), rows)
        for x in range(y):
            take_product(off(d.hard_lower, 48 * d.hard_pairchanged[at + x]), cols, fours_by_rows(off(d.hard_pairrow, 48 * (first + x))))


@kernel("m d i")
def couple_few(m, d, b):
    """The same of a body with fewer dofs, one after the other.

    Reads: hard_pair, hard_pairadr, hard_pairnum, hard_pairchanged, hard_changedadr, hard_pairrow, hard_paircol
    Writes: hard_block, hard_upper, hard_lower
    """
    first = d.hard_pairadr[b]
    target = d.hard_changedadr[b]
    for k in range(m.body_dofnum[b]):
        for y in range(d.hard_pairnum[b]):
            p = 48 * (first + y)
            row_y = row_at(off(d.hard_pairrow, p), k)
            col_y = row_at(off(d.hard_paircol, p), k)
            rank_one(off(d.hard_block, 48 * d.hard_pair[first + y, 1]), col_y, row_y, -1.0)
            for x in range(y):
                q = 48 * (first + x)
                t = 48 * d.hard_pairchanged[target + y * (y - 1) // 2 + x]
                rank_one(off(d.hard_upper, t), row_at(off(d.hard_paircol, q), k), row_y, -1.0)
                rank_one(off(d.hard_lower, t), col_y, row_at(off(d.hard_pairrow, q), k), -1.0)


@kernel("m d i i")
def join_parent(m, d, b, a):
    """Let what is left of body b move with its parent a: its block and those of its pairs join a's.

    Reads: hard_x, hard_x2, hard_pair, hard_pairadr, hard_pairnum, hard_pairnext
    Writes: hard_block, hard_upper, hard_lower
    """
    r2 = sub3(ld3(d.hard_x2, b), ld3(d.hard_x2, a))
    r3 = sub3(ld3(d.hard_x, b), ld3(d.hard_x, a))
    block = off(d.hard_block, 48 * b)
    whole = off(d.hard_block, 48 * a)
    shift_columns(block, r3)
    shift_rows(block, r2)
    add_block(whole, block)
    for p in range(d.hard_pairadr[b], d.hard_pairadr[b] + d.hard_pairnum[b]):
        upper = off(d.hard_upper, 48 * p)
        lower = off(d.hard_lower, 48 * p)
        shift_rows(upper, r2)
        shift_columns(lower, r3)
        q = d.hard_pairnext[p]
        if q == PARENT:
            add_block(whole, upper)
            add_block(whole, lower)
        elif q >= 0:
            # the parent may be eliminated before or after the other body
            if d.hard_pair[q, 0] == a:
                add_block(off(d.hard_upper, 48 * q), upper)
                add_block(off(d.hard_lower, 48 * q), lower)
            else:
                add_block(off(d.hard_upper, 48 * q), lower)
                add_block(off(d.hard_lower, 48 * q), upper)


@kernel()
def factor(m, d):
    """Eliminate the bodies of the present island; its blocks are spoilt.

    Reads: hard_order, hard_first, hard_end, and what eliminate_dofs, eliminate_pairs and join_parent read
    Writes: what eliminate_dofs, eliminate_pairs and join_parent write
    """
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        eliminate_dofs(m, d, b)
        if d.hard_pairnum[b] > 0 and m.body_dofnum[b] > 0:
            eliminate_pairs(m, d, b)
        a = carrier_of(m, b)
        if a > 0:
            join_parent(m, d, b, a)


@helper
def add_wrench(d, b, w):
    """hard_wrench of body b += w."""
    st6(d.hard_wrench, b, add6(ld6(d.hard_wrench, b), w))


@helper
def push_neighbours(m, d, b):
    """What body b, whose dofs' hard_y are known, adds to the right sides of its neighbours."""
    adr = m.body_dofadr[b]
    n = m.body_dofnum[b]
    for p in range(d.hard_pairadr[b], d.hard_pairadr[b] + d.hard_pairnum[b]):
        cols = off(d.hard_paircol, 48 * p)
        if n == 6:
            y = (d.hard_y[adr], d.hard_y[adr + 1], d.hard_y[adr + 2], d.hard_y[adr + 3], d.hard_y[adr + 4], d.hard_y[adr + 5])
            add_wrench(d, d.hard_pair[p, 1], left_times(y, cols))
        else:
            w = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            for k in range(n):
                w = addscl6(w, row_at(cols, k), d.hard_y[adr + k])
            add_wrench(d, d.hard_pair[p, 1], w)


@helper
def pull_six(m, d, b):
    """Take from hard_y of the six dofs of body b what its neighbours' motions make of them."""
    z = vbc(0.0)
    a0, a1, a2, a3, a4, a5 = z, z, z, z, z, z
    for p in range(d.hard_pairadr[b], d.hard_pairadr[b] + d.hard_pairnum[b]):
        rows = off(d.hard_pairrow, 48 * p)
        c = 6 * d.hard_pair[p, 1]
        nu = off(d.hard_nu, c)
        first = vld(nu, 0)
        second = vset(nu[4], nu[5], 0.0, 0.0)
        a0 = vfma(vld(rows, 0), first, vfma(vld(rows, 4), second, a0))
        a1 = vfma(vld(rows, 8), first, vfma(vld(rows, 12), second, a1))
        a2 = vfma(vld(rows, 16), first, vfma(vld(rows, 20), second, a2))
        a3 = vfma(vld(rows, 24), first, vfma(vld(rows, 28), second, a3))
        a4 = vfma(vld(rows, 32), first, vfma(vld(rows, 36), second, a4))
        a5 = vfma(vld(rows, 40), first, vfma(vld(rows, 44), second, a5))
    y = off(d.hard_y, m.body_dofadr[b])
    y[0] -= vsum(a0)
    y[1] -= vsum(a1)
    y[2] -= vsum(a2)
    y[3] -= vsum(a3)
    y[4] -= vsum(a4)
    y[5] -= vsum(a5)


@helper
def pull_neighbours(m, d, b):
    """The same of any body."""
    n = m.body_dofnum[b]
    if n == 6:
        pull_six(m, d, b)
        return
    adr = m.body_dofadr[b]
    for p in range(d.hard_pairadr[b], d.hard_pairadr[b] + d.hard_pairnum[b]):
        rows = off(d.hard_pairrow, 48 * p)
        v = ld6(d.hard_nu, d.hard_pair[p, 1])
        for k in range(n):
            d.hard_y[adr + k] -= dot6(row_at(rows, k), v)


@kernel()
def solve(m, d):
    """The direction for the residuals hard_wrench of the bodies and hard_y of the dofs, both spoilt.

    Reads: hard_order, hard_first, hard_end, hard_axis, hard_axis2, hard_x, hard_x2, hard_col, hard_row, hard_pivot, hard_pair, hard_pairadr, hard_pairnum,
        hard_pairrow, hard_paircol
    Writes: hard_wrench, hard_y, hard_dir, hard_nu
    """
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        adr = m.body_dofadr[b]
        w = ld6(d.hard_wrench, b)
        for k in range(adr + m.body_dofnum[b] - 1, adr - 1, -1):
            y = -(dot6(ld6(d.hard_axis2, k), w) + d.hard_y[k]) * d.hard_pivot[k]
            d.hard_y[k] = y
            w = addscl6(w, ld6(d.hard_col, k), y)
        if d.hard_pairnum[b] > 0:
            push_neighbours(m, d, b)
        a = carrier_of(m, b)
        if a > 0:
            carry_inwards(d, b, a, w)
    # outwards
    for i in range(d.hard_end - 1, d.hard_first - 1, -1):
        b = d.hard_order[i]
        adr = m.body_dofadr[b]
        v = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        a = carrier_of(m, b)
        if a > 0:
            v = ld6(d.hard_nu, a)
            t = cross3((v[3], v[4], v[5]), sub3(ld3(d.hard_x, b), ld3(d.hard_x, a)))
            v = (v[0] + t[0], v[1] + t[1], v[2] + t[2], v[3], v[4], v[5])
        if d.hard_pairnum[b] > 0:
            pull_neighbours(m, d, b)
        for k in range(adr, adr + m.body_dofnum[b]):
            q = d.hard_y[k] - dot6(ld6(d.hard_row, k), v) * d.hard_pivot[k]
            d.hard_dir[k] = q
            v = addscl6(v, ld6(d.hard_axis, k), q)
        st6(d.hard_nu, b, v)
