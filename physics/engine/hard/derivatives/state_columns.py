"""The next state by the state and the controls, in one pass: right sides of all columns, then what the dofs answer.

    positions     central differences of the residual at the kept solution; contacts ride on their bodies where that is what collision would find; where a tree flies free
                  its end moves as its start does
    velocities    momenta in closed form, forces by differences
    the others    forces by differences

Where each dof has forces of its own these are nudged all at once. With ties columns are made one by one (next_state.columns). `d` holds the solution, `e` is a copy
of it that is nudged (engine/hard/sensitivity.py).
"""
from __future__ import annotations

from physics.engine.actuator.activation import advance_act
from physics.engine.actuator.actuation import actuation
from physics.engine.actuator.transmission import transmission
from physics.engine.hard.derivatives.momentum_slopes import add_momentum_slopes
from physics.engine.hard.derivatives.own_forces import add_dof_force, forces_are_own, forces_ride, is_shift, own_columns
from physics.engine.hard.derivatives.responses import add_condensed, answer_column, find_responses
from physics.engine.hard.derivatives.riding import begin_island_at, end_island_at, ride_all, rows_ride
from physics.engine.hard.dry_friction import PAIRS
from physics.engine.hard.forces import BARE, hard_forces
from physics.engine.hard.limits import NONE
from physics.engine.hard.next_state import columns, first_column, leave_first, nudges_of, put_column, room_for
from physics.engine.hard.residual import residual
from physics.engine.hard.sensitivity import (
    CONTROL,
    NOTHING,
    POSITION,
    VELOCITY,
    WIDE,
    add_residual,
    clear_right_side,
    factor_all,
    look_nudged,
    nudge,
    take_island,
)
from physics.engine.hard.slopes import dof_slopes, servo_slopes
from physics.engine.hard.tendon.impulses import WIDTH
from physics.engine.hard.tendon.rows import TIE, find_tendon_rows
from physics.engine.kinematics.com import com_pos
from physics.engine.kinematics.kinematics import kinematics
from physics.engine.tendon.tendon import tendon
from physics.kernels.decorators import helper, kernel


@helper
def has_ties(d):
    """Whether there are rows that a solve meets only in part."""
    n = d.hard_ntie
    for r in range(d.hard_nten):
        if d.hten_kind[r] & TIE:
            n += 1
    return n > 0


@kernel("m d d f")
def force_columns(m, d, e, step):
    """Add to the right sides of the columns by velocities, activations and controls what forces change by, nudged one by one, and write how the activations change.

    Reads: qpos, qvel, act, ctrl, hard_qd
    Writes: hard_right, hard_column
    """
    wide = 2 * m.nv + m.na + m.nu
    for what in range(VELOCITY, CONTROL + 1):
        for k in range(nudges_of(m, what)):
            c = first_column(m, what) + k
            up = room_for(m, d, what, k, step)
            down = room_for(m, d, what, k, -step)
            if up == down:
                continue
            for side in range(2):
                nudge(m, d, e, what, k, up if side == 0 else down)
                if what == VELOCITY:
                    e.hard_qd0[k] = e.qvel[k]
                    hard_forces(m, e, BARE)
                else:
                    actuation(m, e)   # lengths and velocities are those that e has looked at
                dof_slopes(m, e)
                servo_slopes(m, e)
                part = (1.0 if side == 0 else -1.0) / (up - down)
                for i in range(m.nv):
                    add_dof_force(m, d, e, c, i, part)
                advance_act(m, e, e.act_dot)
                for i in range(m.na):
                    d.hard_column[(2 * m.nv + i) * wide + c] += part * e.act[i]
            if what == VELOCITY:
                e.hard_qd0[k] = d.qvel[k]
        if what == VELOCITY:
            nudge(m, d, e, NOTHING, 0, 0.0)
            hard_forces(m, e, BARE)


@kernel("m d d i")
def look_riding(m, d, e, own):
    """As look_nudged by a position, for the present island of e, where rows ride; own: 1 where forces are the dofs' own, which are nudged apart from this.

    Reads: qpos, hard_nten, hten_kind, and what begin_island_at and ride_all read
    Writes: what begin_island_at, ride_all, and where forces are not own hard_forces write
    """
    if own == 0:
        kinematics(m, e)
        com_pos(m, e)
    if own == 0 or d.hard_nten > 0:
        tendon(m, e)
    if own == 0:
        transmission(m, e)
        for k in range(m.nv):
            e.hard_qd0[k] = e.qvel[k]
        hard_forces(m, e, BARE)
        dof_slopes(m, e)
        servo_slopes(m, e)
    if d.hard_nten > 0:
        find_tendon_rows(m, e)
        for r in range(d.hard_nten):
            e.hten_kind[r] = d.hten_kind[r]
    begin_island_at(m, e)
    ride_all(m, d, e)


@helper
def gather(m, d, e, factor):
    """Add the residuals of the present island of both, times a factor, to the right sides of d."""
    for at in range(e.hard_first, e.hard_end):
        b = e.hard_order[at]
        for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            d.hard_g[k] += factor * e.hard_r[k]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            if d.hlim_kind[j] > NONE:
                for k in range(4):
                    d.hlim_res[j, k] += factor * e.hlim_res[j, k]
    for at in range(e.hard_nrub // PAIRS):
        k = e.hfri_at[at]
        for j in range(3):
            d.hfri_res[k, j] += factor * e.hfri_res[k, j]
    for at in range(e.hard_ntenrow):
        r = e.hten_at[at]
        for k in range(WIDTH):
            d.hten_res[r, k] += factor * e.hten_res[r, k]
    for at in range(e.hard_rowfirst, e.hard_rowend):
        c = e.hrow_at[at]
        for k in range(16):
            d.hrow_res[c, k] += factor * e.hrow_res[c, k]


@kernel("m d d f")
def take_island_residual(m, d, e, factor):
    """Residual of the present island of e, times a factor, to the right sides of d, as sensitivity.add_residual.

    Reads: hard_first, hard_end, hard_rowfirst, hard_rowend, hard_nrub, hfri_at, hard_nlimit, hard_ntenrow, hten_at
    Writes: hard_g, hrow_res, hlim_res, hfri_res, hten_res
    """
    end_island_at(m, d, e)
    residual(m, e)
    gather(m, d, e, factor)


@kernel("m d d f i i i", ret="i")
def position_columns(m, d, e, step, own, riding, ride):
    """Add to the right sides of the columns by positions what the residual changes by. Returns 0 where room was lacking in e, else 1.

    own: 1 where forces are the dofs' own, and nudged apart from this if rows ride; riding: 1 where they do; ride: 1 where forces ride on the trees.
    Reads: qpos, hard_nisland, hard_islandadr, hard_islandnum
    Writes: hard_right, hard_column
    """
    wide = 2 * m.nv + m.na + m.nu
    e.hard_recover = d.hard_recover + WIDE * step
    for i in range(d.hard_nisland):
        take_island(m, d, i)
        take_island(m, e, i)
        for at in range(d.hard_first, d.hard_end):
            b = d.hard_order[at]
            for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
                if is_shift(m, d, k, ride):
                    continue
                clear_right_side(m, d)
                for side in range(2):
                    s = step if side == 0 else -step
                    part = 0.5 / s
                    nudge(m, d, e, POSITION, k, s)
                    if riding != 0:
                        look_riding(m, d, e, own)
                        take_island_residual(m, d, e, part)
                    else:
                        if look_nudged(m, d, e, POSITION) == 0:
                            return 0
                        add_residual(m, d, e, part)
                        take_island(m, d, i)
                    if own == 0 or riding == 0:
                        advance_act(m, e, e.act_dot)
                        for a in range(m.na):
                            d.hard_column[(2 * m.nv + a) * wide + k] += part * e.act[a]
                add_condensed(m, d, k)
    return 1


@kernel("m d d f", ret="i")
def tied_columns(m, d, e, step):
    """All columns one by one. Returns 0 where room was lacking in e, else 1.

    Reads: what columns reads
    Writes: hard_column
    """
    for kind in range(4):
        if columns(m, d, e, CONTROL - kind, step) == 0:   # positions last
            return 0
    return 1


@kernel("m d d f", ret="i")
def by_state_and_controls(m, d, e, step):
    """hard_column: the next state (2 nv + na rows) by the state and the controls (2 nv + na + nu columns) at the solution of d, whose matrices are factored here.

    Returns 0 where room was lacking in e, else 1.
    """
    factor_all(m, d)
    # velocities, activations and controls are nudged with the positions of the state itself
    nudge(m, d, e, NOTHING, 0, 0.0)
    e.hard_recover = d.hard_recover
    if look_nudged(m, d, e, NOTHING) == 0:
        return 0
    if has_ties(d):
        if tied_columns(m, d, e, step) == 0:
            return 0
        leave_first(m, d)
        return 1
    wide = 2 * m.nv + m.na + m.nu
    for k in range(m.nv * wide):
        d.hard_right[k] = 0.0
    for k in range((2 * m.nv + m.na) * wide):
        d.hard_column[k] = 0.0
    # momenta while e is one step back, then forces, then positions
    add_momentum_slopes(m, d, e)
    own = forces_are_own(m, d)
    riding = rows_ride(m, d)
    if own != 0:
        own_columns(m, d, e, POSITION if riding != 0 else VELOCITY, step)
    else:
        force_columns(m, d, e, step)
    ride = forces_ride(m, d)
    if position_columns(m, d, e, step, own, riding, ride) == 0:
        return 0
    find_responses(m, d)
    for c in range(wide):
        if c < m.nv and is_shift(m, d, c, ride):
            for k in range(m.nv):
                d.hard_dir[k] = 0.0
            d.hard_dir[c] = 1.0 / m.opt_timestep
        else:
            answer_column(m, d, c)
        put_column(m, d, c)
    leave_first(m, d)
    return 1
