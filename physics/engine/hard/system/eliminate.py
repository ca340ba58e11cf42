"""Elimination of bodies along the graph of joints and contacts, and the solve with what it leaves.

    factor, child first: for each dof k of body b, the last first
        col = K s3, row = s2' K, pivot = s2 . col + H_k;  K -= col row / pivot, the same with the blocks of b's pairs
    then the body moves with its parent: parent's K += Y K X, and its pairs' blocks join those of its parent
    solve, inwards:   y_k = -(s2 . g + g_k) / pivot,  g += col y
           outwards:  dq_k = y_k - row . nu / pivot,  nu += s3 dq_k

s2, s3: the dof's twist at the start of the step and at the trial pose. No pivoting: every pivot is positive unless what a dof moves has no mass.

Source: Dojo (engine/hard/__init__.py), equation 14 and figure 3; Featherstone, "Rigid Body Dynamics Algorithms", chapter 7 (articulated bodies).
"""
from __future__ import annotations

from physics.engine.hard.poses import carrier_of
from physics.engine.hard.residual import carry_inwards
from physics.engine.hard.system.blocks import add_block, left_times, put_row, rank_one, row_at, shift_columns, shift_rows, times
from physics.engine.linalg.spatial import addscl6, dot6
from physics.engine.linalg.vec import cross3, sub3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, off, st6

PARENT, NOWHERE = -1, -2   # hard_pairnext of a pair that joins its parent's own block, or none


@kernel("m d i")
def eliminate_dofs(m, d, b):
    """Eliminate the dofs of body b from its block, those of its pairs, and those of its neighbours.

    Reads: hard_axis, hard_axis2, hard_H, hard_pair, hard_pairadr, hard_pairnum, hard_pairchanged, hard_changedadr
    Writes: hard_block, hard_upper, hard_lower, hard_pairrow, hard_paircol, hard_col, hard_row, hard_pivot
    """
    block = off(d.hard_block, 48 * b)
    first = d.hard_pairadr[b]
    count = d.hard_pairnum[b]
    target = d.hard_changedadr[b]
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
        # the blocks of its pairs, and the row and column that the solve will need
        for x in range(count):
            p = 48 * (first + x)
            upper = off(d.hard_upper, p)
            lower = off(d.hard_lower, p)
            row_x = left_times(s2, upper)
            col_x = times(lower, s3)
            put_row(off(d.hard_pairrow, p), k - adr, row_x)
            put_row(off(d.hard_paircol, p), k - adr, col_x)
            rank_one(upper, col, row_x, -inverse)
            rank_one(lower, col_x, row, -inverse)
        # neighbours among themselves
        for y in range(count):
            p = 48 * (first + y)
            row_y = row_at(off(d.hard_pairrow, p), k - adr)
            col_y = row_at(off(d.hard_paircol, p), k - adr)
            rank_one(off(d.hard_block, 48 * d.hard_pair[first + y, 1]), col_y, row_y, -inverse)
            for x in range(y):
                q = 48 * (first + x)
                t = 48 * d.hard_pairchanged[target + y * (y - 1) // 2 + x]
                rank_one(off(d.hard_upper, t), row_at(off(d.hard_paircol, q), k - adr), row_y, -inverse)
                rank_one(off(d.hard_lower, t), col_y, row_at(off(d.hard_pairrow, q), k - adr), -inverse)


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

    Reads: hard_order, hard_first, hard_end, and what eliminate_dofs and join_parent read
    Writes: what eliminate_dofs and join_parent write
    """
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        eliminate_dofs(m, d, b)
        a = carrier_of(m, b)
        if a > 0:
            join_parent(m, d, b, a)


@helper
def add_wrench(d, b, w, s):
    """hard_wrench of body b += s w."""
    st6(d.hard_wrench, b, addscl6(ld6(d.hard_wrench, b), w, s))


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
        first = d.hard_pairadr[b]
        w = ld6(d.hard_wrench, b)
        for k in range(adr + m.body_dofnum[b] - 1, adr - 1, -1):
            y = -(dot6(ld6(d.hard_axis2, k), w) + d.hard_y[k]) * d.hard_pivot[k]
            d.hard_y[k] = y
            w = addscl6(w, ld6(d.hard_col, k), y)
            for p in range(first, first + d.hard_pairnum[b]):
                add_wrench(d, d.hard_pair[p, 1], row_at(off(d.hard_paircol, 48 * p), k - adr), y)
        a = carrier_of(m, b)
        if a > 0:
            carry_inwards(d, b, a, w)
    # outwards
    for i in range(d.hard_end - 1, d.hard_first - 1, -1):
        b = d.hard_order[i]
        adr = m.body_dofadr[b]
        first = d.hard_pairadr[b]
        v = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        a = carrier_of(m, b)
        if a > 0:
            v = ld6(d.hard_nu, a)
            t = cross3((v[3], v[4], v[5]), sub3(ld3(d.hard_x, b), ld3(d.hard_x, a)))
            v = (v[0] + t[0], v[1] + t[1], v[2] + t[2], v[3], v[4], v[5])
        for k in range(adr, adr + m.body_dofnum[b]):
            x = dot6(ld6(d.hard_row, k), v)
            for p in range(first, first + d.hard_pairnum[b]):
                x += dot6(row_at(off(d.hard_pairrow, 48 * p), k - adr), ld6(d.hard_nu, d.hard_pair[p, 1]))
            q = d.hard_y[k] - x * d.hard_pivot[k]
            d.hard_dir[k] = q
            v = addscl6(v, ld6(d.hard_axis, k), q)
        st6(d.hard_nu, b, v)
