"""The Newton system with the impulses of tendons as further unknowns.

    K x - G' dP = -r         K: what is eliminated along bodies and pairs of bodies; G: impulse map of the tendons, J: how lengths change
    J x + E dP  = E a

    (J K^-1 G' + E) dP = E a - J x0,   x0 = -K^-1 r,   x = x0 + K^-1 G' dP

A tendon couples dofs all along its path, often of many bodies, and would fill the blocks of them all; the matrix of the impulses is as small as there are
tendons with something to hold. It costs a solve with K for each of them: its answer is kept for the directions.

Source: Howell and others, "Dojo: A Differentiable Physics Engine for Robotics", (14); Boyd and Vandenberghe, "Convex Optimization", appendix C.4 (block elimination).
"""
from __future__ import annotations

from physics.engine.hard.system.eliminate import factor, solve
from physics.engine.hard.tendon.impulses import right_side, row_compliance
from physics.engine.hard.tendon.rows import push_row, row_rate
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off, st6


@kernel()
def factor_bordered(m, d):
    """Eliminate the bodies of the present island, then make and factor the matrix of its tendons' impulses.

    Reads: hard_ntenrow, hten_at, hten_slope, and what factor, solve and row_compliance read
    Writes: hten_matrix, hard_wrench, hard_y, and what factor and solve write
    """
    factor(m, d)
    n = d.hard_nten
    for j in range(d.hard_ntenrow):
        q = d.hten_at[j]
        clear_right(m, d)
        push_row(m, d, q, d.hard_y, -1.0)
        solve(m, d)
        keep_answer(m, d, q)
        for i in range(d.hard_ntenrow):
            r = d.hten_at[i]
            d.hten_matrix[n * r + q] = row_rate(m, d, r, d.hard_dir, d.hten_slope[r])
        d.hten_matrix[n * q + q] += row_compliance(d, q)
    # LU without pivoting: its symmetric part is positive, as K's is
    for j in range(d.hard_ntenrow):
        q = d.hten_at[j]
        inverse = 1.0 / d.hten_matrix[n * q + q]
        for i in range(j + 1, d.hard_ntenrow):
            r = d.hten_at[i]
            f = d.hten_matrix[n * r + q] * inverse
            d.hten_matrix[n * r + q] = f
            for k in range(j + 1, d.hard_ntenrow):
                p = d.hten_at[k]
                d.hten_matrix[n * r + p] -= f * d.hten_matrix[n * q + p]


@helper
def clear_right(m, d):
    """No right side in the present island."""
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        st6(d.hard_wrench, b, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            d.hard_y[k] = 0.0


@helper
def answer_to(m, d, r):
    """Where in hten_matrix the answer to a unit impulse of row r is kept: nv of dofs, then six for each body."""
    return off(d.hten_matrix, d.hard_nten * d.hard_nten + r * (m.nv + 6 * m.nbody))


@helper
def keep_answer(m, d, r):
    """Keep what a unit impulse of row r moves."""
    x = answer_to(m, d, r)
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            x[k] = d.hard_dir[k]
        for k in range(6):
            x[m.nv + 6 * b + k] = d.hard_nu[b, k]


@helper
def add_answer(m, d, r, impulse):
    """Add what an impulse of row r moves to the direction."""
    x = answer_to(m, d, r)
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            d.hard_dir[k] += impulse * x[k]
        for k in range(6):
            d.hard_nu[b, k] += impulse * x[m.nv + 6 * b + k]


@kernel("m d f i")
def solve_bordered(m, d, target, corrector):
    """solve with the tendons: hard_dir, hard_nu and hten_impulse, their impulses' changes, on the way to the products `target`."""
    if d.hard_ntenrow == 0:
        solve(m, d)
        return
    solve(m, d)
    n = d.hard_nten
    for i in range(d.hard_ntenrow):
        r = d.hten_at[i]
        x = right_side(d, r, target, corrector) - row_rate(m, d, r, d.hard_dir, d.hten_slope[r])
        for j in range(i):
            x -= d.hten_matrix[n * r + d.hten_at[j]] * d.hten_impulse[d.hten_at[j]]
        d.hten_impulse[r] = x
    for back in range(d.hard_ntenrow):
        i = d.hard_ntenrow - 1 - back
        r = d.hten_at[i]
        x = d.hten_impulse[r] * 1.0
        for j in range(i + 1, d.hard_ntenrow):
            x -= d.hten_matrix[n * r + d.hten_at[j]] * d.hten_impulse[d.hten_at[j]]
        d.hten_impulse[r] = x / d.hten_matrix[n * r + r]
    for i in range(d.hard_ntenrow):
        add_answer(m, d, d.hten_at[i], d.hten_impulse[d.hten_at[i]])
