"""What all dofs answer to right sides of the dofs, and the columns of derivatives that these make.

Whatever a right side holds - bodies' momenta, slacks, products - comes down to one number for each dof: impulses of rows are condensed onto bodies, bodies' wrenches
carried inwards onto the dofs along the impulse map. So there are as many solves as dofs, and each column is a sum of their answers.

    dqd = sum over dofs k of response_k right_k,   response_k = -A^-1 e_k,   A = K with all rows condensed

Ties are left out: a solve meets their rows only in part (sensitivity.answer).

Source: Howell and others, "Dojo: A Differentiable Physics Engine for Robotics", (11), (30), (32).
"""
from __future__ import annotations

from physics.engine.hard.contact.cones import push_rows
from physics.engine.hard.dry_friction import push_dry_friction
from physics.engine.hard.limits import push_limits
from physics.engine.hard.poses import carrier_of
from physics.engine.hard.residual import carry_inwards
from physics.engine.hard.sensitivity import clear_right_side, take_island
from physics.engine.hard.tendon.bordered import clear_right, solve_bordered
from physics.engine.hard.tendon.impulses import right_side, row_compliance
from physics.engine.hard.tendon.rows import push_row
from physics.engine.linalg.spatial import dot6
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld6


@kernel()
def find_responses(m, d):
    """hard_response: row k has the change of all dofs' velocities by a unit right side of dof k. The matrices have been factored.

    Reads: hard_nisland, hard_islandadr, hard_islandnum, hard_order, hard_first, hard_end, hard_dir, and what solve_bordered reads
    Writes: hard_response, hard_island, hard_first, hard_end, hard_rowfirst, hard_rowend, hard_nlimit, hard_nrub, hfri_at, hard_ntenrow, hard_ntenpair, hten_at, hard_wrench,
        hard_y, and what clear_right_side and solve_bordered write
    """
    n = m.nv
    for k in range(n * n):
        d.hard_response[k] = 0.0
    clear_right_side(m, d)
    for i in range(d.hard_nisland):
        take_island(m, d, i)
        for at in range(d.hard_first, d.hard_end):
            b = d.hard_order[at]
            for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
                clear_right(m, d)
                d.hard_y[k] = 1.0
                solve_bordered(m, d, 0.0, 0)
                for to in range(d.hard_first, d.hard_end):
                    c = d.hard_order[to]
                    for j in range(m.body_dofadr[c], m.body_dofadr[c] + m.body_dofnum[c]):
                        d.hard_response[n * k + j] = d.hard_dir[j]


@helper
def add_wrenches(m, d, c):
    """Add to the right sides of column c what the wrenches hard_wrench on the bodies of the present island are on its dofs, and hard_y of these; both are spoilt."""
    to = m.nv * c
    for at in range(d.hard_first, d.hard_end):
        b = d.hard_order[at]
        w = ld6(d.hard_wrench, b)
        for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            d.hard_right[to + k] += dot6(ld6(d.hard_axis2, k), w) + d.hard_y[k]
        a = carrier_of(m, b)
        if a > 0:
            carry_inwards(d, b, a, w)


@kernel("m d i")
def add_condensed(m, d, c):
    """Add to the right sides of column c those of the present island's dofs, limits, dry friction, tendons and contact rows: the latter as the impulses that they make.

    Reads: hard_order, hard_first, hard_end, hard_g, hard_axis2, hard_nlimit, hard_nrub, hard_ntenrow, hten_at, and what push_limits, push_dry_friction, push_rows and right_side read
    Writes: hard_right, hard_wrench, hard_y, hrow_step
    """
    clear_right(m, d)
    for at in range(d.hard_first, d.hard_end):
        b = d.hard_order[at]
        for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            d.hard_y[k] = d.hard_g[k]
    if d.hard_nlimit > 0:
        push_limits(m, d, 0.0, 0)
    if d.hard_nrub > 0:
        push_dry_friction(m, d, 0.0, 0)
    for at in range(d.hard_ntenrow):
        r = d.hten_at[at]
        push_row(m, d, r, d.hard_y, -right_side(d, r, 0.0, 0) / row_compliance(d, r))
    push_rows(m, d, 0.0, 0)
    add_wrenches(m, d, c)


@kernel("m d i")
def answer_column(m, d, c):
    """hard_dir for the right sides of column c.

    Reads: hard_right, hard_response
    Writes: hard_dir
    """
    n = m.nv
    for j in range(n):
        d.hard_dir[j] = 0.0
    for k in range(n):
        x = d.hard_right[n * c + k]
        if x != 0.0:
            for j in range(n):
                d.hard_dir[j] += x * d.hard_response[n * k + j]
