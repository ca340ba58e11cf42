"""A step as a whole, or in parts where it does not end: halved again and again, all of it or nothing.

A part is a step of a shorter time: forces, contacts and momenta are those of the state that it begins at. Controls, activations and what the user applies
stay what they are through the whole step.

Source: our own.
"""
from __future__ import annotations

from math import acos

from physics.engine.hard.contact.mocap import FIRST, keep_mocap, mocap_back, mocap_to_end
from physics.engine.hard.contact.points import contact_rows
from physics.engine.hard.dry_friction import find_dry_friction
from physics.engine.hard.forces import BARE, hard_forces, hard_position, lacks_hard_room
from physics.engine.hard.limits import find_limits, overlapping_limits
from physics.engine.hard.momenta import wrenches
from physics.engine.hard.overlaps import solve_step
from physics.engine.hard.poses import moves
from physics.engine.hard.rescue import CONVERGED, FAILED, LACKING
from physics.engine.hard.residual import BIG
from physics.engine.hard.slopes import dof_slopes, servo_slopes
from physics.engine.hard.stage_numbers import ROWS
from physics.engine.hard.start_scales import OVERLAP, fall_speed
from physics.engine.hard.system.order import plan
from physics.engine.hard.tendon.rows import find_tendon_rows
from physics.engine.hard.ties import find_ties
from physics.engine.linalg.vec import norm3
from physics.engine.stage_clock import stage_ends
from physics.enums import DSBL_CONSTRAINT, DSBL_CONTACT
from physics.kernels.decorators import helper, kernel

DEEPEST = 10     # halvings
ROUNDING = 4 * 2.0**-52   # relative, of a sum of a few numbers
LEAST_COSINE = 0.1                        # of half the angle that a body turns by in a step: beyond half a round another turn would be the same pose
LARGEST_TURN = 2.0 * acos(LEAST_COSINE)   # rad


@helper
def overlapping_rows(d):
    """Whether bodies overlap at the start of the step."""
    n = 0
    for c in range(d.hard_nrow):
        if d.hrow_floor[c] < -OVERLAP:
            n += 1
    return n > 0


@helper
def spins_too_fast(m, d):
    """Whether a body turns by about half a round or more in such a step with the velocity that it has: poses alone do not tell its momentum then."""
    n = 0
    for b in range(1, m.nbody):
        if moves(m, b):
            w = (d.cvel[b, 0], d.cvel[b, 1], d.cvel[b, 2])
            if d.hard_h * norm3(w) > LARGEST_TURN:
                n += 1
    return n > 0


@helper
def turned_too_far(m, d):
    """The same of the turn that the solve has found."""
    n = 0
    for b in range(1, m.nbody):
        if moves(m, b) and d.hard_turn[b, 0] < LEAST_COSINE:
            n += 1
    return n > 0


@kernel("m d f")
def set_tolerances(m, d, kappa):
    """Tolerances of the step, the model's own but for bodies so heavy, or so far from the origin, that rounding leaves more: a place x is known to eps |x|, a momentum to
    eps m |x| / h, an energy to eps m g |x|.

    A point of the central path is met much more closely than it is away from the edges.
    Reads: hard_x2, hard_h
    Writes: hard_rtol, hard_ktol
    """
    mass = 0.0
    far = 0.0
    for b in range(1, m.nbody):
        if moves(m, b):
            mass += m.body_mass[b]
            far = max(far, max(abs(d.hard_x2[b, 0]), max(abs(d.hard_x2[b, 1]), abs(d.hard_x2[b, 2]))))
    least = ROUNDING * mass * far / d.hard_h
    d.hard_rtol = max(m.opt_hard_rtol, least)
    d.hard_ktol = max(m.opt_hard_ktol if kappa == 0.0 else min(m.opt_hard_ktol, 1e-4 * kappa), least * fall_speed(m, d))


@kernel("m d i f", ret="i")
def take_part_at(m, d, coarse, kappa):
    """Solve for the end of a step of hard_h from the state whose positions, velocities and forces have been looked at. Returns the status.

    kappa: exactly at this point of the central path [J]; 0: at its end, within the tolerance.

    Reads: ncon, cvel, hard_h, hard_nrow, hrow_floor, hard_untied, hard_tenoff, hard_turn
    Writes: hard_rv, hard_kappa, hard_overlap, hard_touchable, hard_moved, and what set_tolerances writes
    """
    wrenches(m, d)
    dof_slopes(m, d)
    servo_slopes(m, d)
    find_limits(m, d)
    find_dry_friction(m, d)
    find_ties(m, d)
    find_tendon_rows(m, d)
    contact_rows(m, d)
    if lacks_hard_room(d):
        return LACKING
    plan(m, d)
    if lacks_hard_room(d):
        return LACKING
    stage_ends(m, d, d.cb_stage != 0, ROWS)
    d.hard_kappa = kappa
    set_tolerances(m, d, kappa)
    d.hard_overlap = int(overlapping_rows(d) or overlapping_limits(m, d) or d.hard_untied != 0 or d.hard_tenoff != 0)
    d.hard_moved = 0
    d.hard_touchable = int(m.nbody > 1 and m.opt_disableflags & (DSBL_CONSTRAINT | DSBL_CONTACT) == 0 and m.ngeom > 1)
    if spins_too_fast(m, d):
        d.hard_rv = BIG
        return FAILED
    status = solve_step(m, d, coarse)
    if status < FAILED and turned_too_far(m, d):
        return FAILED
    return status


@kernel("m d i", ret="i")
def take_part(m, d, coarse):
    """take_part_at the model's own point of the central path.

    Reads: opt_hard_kappa
    Writes: what take_part_at writes
    """
    return take_part_at(m, d, coarse, m.opt_hard_kappa)


@helper
def move_to_end(m, d):
    """Take the state to the end of a part."""
    for k in range(m.nq):
        d.qpos[k] = d.hard_qpos[k]
    for k in range(m.nv):
        d.qvel[k] = d.hard_vel0[k]
    mocap_to_end(m, d)


@helper
def keep_state(m, d):
    """Keep the state at the start of the whole step."""
    for k in range(m.nq):
        d.hard_qstart[k] = d.qpos[k]
    for k in range(m.nv):
        d.hard_vstart[k] = d.qvel[k]
    keep_mocap(m, d, FIRST)


@helper
def restore_state(m, d):
    """Back to the start of the whole step."""
    for k in range(m.nq):
        d.qpos[k] = d.hard_qstart[k]
    for k in range(m.nv):
        d.qvel[k] = d.hard_vstart[k]
    mocap_back(m, d, FIRST)


@kernel("m d i", ret="i")
def take_parts(m, d, depth):
    """Take a step in parts, halved up to `depth` times; the state is that of the step's start again afterwards. Returns the status.

    Reads: qpos, qvel, hard_mocap
    Writes: qpos, qvel, mocap_pos, mocap_quat, hard_mocap, hard_h, hard_qstart, hard_vstart, hard_halved, and what hard_position, hard_forces and take_part write
    """
    keep_state(m, d)
    units = 1 << depth
    size = units >> 1
    done = 0
    worst = CONVERGED
    d.hard_halved = 1
    while done < units:
        d.hard_h = m.opt_timestep * size / units
        status = LACKING
        if hard_position(m, d, BARE) == 1:
            hard_forces(m, d, BARE)
            status = take_part(m, d, int(size == 1))
        if status == LACKING or (status == FAILED and size == 1):
            worst = status
            break
        if status == FAILED:
            size = size >> 1
            d.hard_halved += 1
            continue
        worst = max(worst, status)
        move_to_end(m, d)
        done += size
        # a pair of parts is done: on with larger ones
        while size < units >> 1 and done % (2 * size) == 0:
            size = 2 * size
    restore_state(m, d)
    return worst


@kernel("m d", ret="i")
def solve_whole(m, d):
    """Solve for the end of a step of opt_timestep, in parts where it does not end as a whole; positions and forces at its start have been looked at.

    Reads: opt_hard_halvings
    Writes: what take_part and take_parts write
    """
    depth = min(DEEPEST, m.opt_hard_halvings)
    status = take_part(m, d, int(depth <= 0))
    if status == FAILED and depth > 0:
        status = take_parts(m, d, depth)
    return status
