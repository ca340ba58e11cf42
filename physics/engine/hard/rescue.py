"""Solving all islands, and what is tried where a solve does not end: other starts, then - in whole_step.py - parts of the step.

    CONVERGED   within the tolerances
    COARSE      the best of all starts, within COARSELY times the tolerances, or a solution with less friction, where a step cannot be halved any more
    FAILED      none of these: the step does not happen
    LACKING     there was no room

Source: our own.
"""
from __future__ import annotations

from physics.engine.collide.collision import collision
from physics.engine.hard.contact.corners import forget_row, look_again
from physics.engine.hard.contact.geoms import geoms_at_end
from physics.engine.hard.contact.reach import end_is_known
from physics.engine.hard.forces import lacks_hard_room
from physics.engine.hard.limits import nearer_limits
from physics.engine.hard.newton import newton
from physics.engine.hard.stage_numbers import LOOK, SOLVE
from physics.engine.hard.start_scales import RECOVERY
from physics.engine.hard.system.order import plan
from physics.engine.hard.tendon.rows import nearer_ends
from physics.engine.kinematics.joints import joint_advance
from physics.engine.stage_clock import stage_ends
from physics.kernels.decorators import helper, kernel

CONVERGED, COARSE, FAILED, LACKING = range(4)
COARSELY = 1000.0
TOO_DEEP = -1e-6   # m: an overlap that looking again must not leave
STARTS = 4                # first points that are tried: the plain one, and a third, three times and a tenth of the velocity scale
NEARLY = 0.999            # part of the way to a cone's edge, at first: what is farther from it takes more iterations, and jams as soon
CAREFUL = 0.9             # part of the way to a cone's edge, of other starts and of large islands
LARGE = 100               # rows of these
EASINGS, EASED = 5, 0.25    # how often friction is reduced where nothing else leads to an end, and by what
RECOVERIES, SLOWER = 2, 0.05   # how often positions are asked to end overlaps, and the part of the speed that is asked the next time


@helper
def spread_of(start):
    """Factor on the velocity scale of a start."""
    if start == 0:
        return 1.0
    if start == 1:
        return 0.3
    if start == 2:
        return 3.0
    return 0.1


@kernel("m d i", ret="i")
def solve_from(m, d, start):
    """Solve the present island from one of the starts. Returns 1 where it ended within the tolerances."""
    d.hard_spread = spread_of(start)
    d.hard_fraction = NEARLY
    if start > 0 or d.hard_rowend - d.hard_rowfirst >= LARGE:
        d.hard_fraction = CAREFUL
    return newton(m, d)


@helper
def is_coarse(m, d):
    """Whether the present point is near enough to a solution to be accepted and counted."""
    return d.hard_rv < COARSELY * m.opt_hard_rtol and d.hard_kv < COARSELY * d.hard_ktol


@helper
def scale_friction(d, factor):
    """Multiply the friction of the present island's contacts; a power of two is undone exactly."""
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        for k in range(5):
            d.hrow_mu[c, k] = d.hrow_mu[c, k] * factor


@kernel("m d", ret="i")
def solve_eased(m, d):
    """Solve the present island with less friction: where the solve jams, it is between sticking and sliding, and with little friction the problem is nearly convex. Gaps are
    met as ever. Returns COARSE, or FAILED.

    Reads: hard_rowfirst, hard_rowend, hrow_at
    Writes: hrow_mu (back again at the end), hard_eased, hard_nrestart
    """
    factor = 1.0
    for _ in range(EASINGS):
        factor *= EASED
        scale_friction(d, factor)
        found = solve_from(m, d, 0)
        if found == 0:
            found = solve_from(m, d, 2)
        scale_friction(d, 1.0 / factor)
        d.hard_nrestart += 1
        if found == 1:
            d.hard_eased += 1
            return COARSE
    return FAILED


@kernel("m d i", ret="i")
def solve_island(m, d, coarse):
    """Solve the present island, from other starts where the first does not end. coarse: 1 to accept the best of these where it is near a solution.

    Reads: hard_rv, hard_kv
    Writes: hard_nrestart
    """
    best = -1
    least = 0.0
    for start in range(STARTS):
        if start > 0:
            d.hard_nrestart += 1
        if solve_from(m, d, start) == 1:
            return CONVERGED
        if is_coarse(m, d) and (best < 0 or d.hard_kv < least):
            best = start
            least = d.hard_kv
    if coarse == 0:
        return FAILED
    if best < 0:
        return solve_eased(m, d)
    solve_from(m, d, best)
    return COARSE


@helper
def is_as_solved(d, i, fresh):
    """Whether island i has none of the rows from `fresh` on: it is the problem that has been solved already. fresh 0: nothing has been."""
    if fresh == 0:
        return False
    for at in range(d.hard_islandadr[i, 1], d.hard_islandadr[i, 1] + d.hard_islandnum[i, 1]):
        if d.hrow_at[at] >= fresh:
            return False
    return True


@kernel("m d i i", ret="i")
def solve_islands(m, d, coarse, fresh):
    """Solve one island after the other; with fresh > 0 those that have rows from there on. Returns the worst status; the largest residual and violation of all are in
    hard_rv and hard_kv.

    Reads: hard_nisland, hard_islandadr, hard_islandnum, hrow_at
    Writes: hard_island, hard_first, hard_end, hard_rowfirst, hard_rowend, hard_rv, hard_kv
    """
    worst = CONVERGED
    rv = 0.0
    kv = 0.0
    if fresh > 0:
        rv = d.hard_rv
        kv = d.hard_kv
    for i in range(d.hard_nisland):
        if is_as_solved(d, i, fresh):
            continue
        d.hard_island = i
        d.hard_first = d.hard_islandadr[i, 0]
        d.hard_end = d.hard_first + d.hard_islandnum[i, 0]
        d.hard_rowfirst = d.hard_islandadr[i, 1]
        d.hard_rowend = d.hard_rowfirst + d.hard_islandnum[i, 1]
        worst = max(worst, solve_island(m, d, coarse))
        rv = max(rv, d.hard_rv)
        kv = max(kv, d.hard_kv)
        if worst == FAILED:
            break
    d.hard_rv = rv
    d.hard_kv = kv
    return worst


@kernel("m d", ret="i")
def look_at_end(m, d):
    """Look for contacts at the trial pose. Returns how many rows were added, -1 where there was no room. Geoms and contacts are those of the trial pose then.

    Reads: what geoms_at_end, collision and look_again read
    Writes: hard_moved, and what geoms_at_end, collision and look_again write
    """
    geoms_at_end(m, d)
    d.hard_moved = 1
    collision(m, d)
    if lacks_hard_room(d):
        return -1
    return look_again(m, d)


@kernel("m d i i", ret="i")
def still_overlapping(m, d, status, coarse):
    """The status after the last look allowed: what is still deeper than TOO_DEEP calls for parts of the step, or is coarse where there are none. No rows are added.

    Reads: hard_nrow, hard_nkept, hard_worst
    Writes: hard_nrow, hard_nkept
    """
    rows = d.hard_nrow
    kept = d.hard_nkept
    look_at_end(m, d)
    d.hard_nrow = rows
    d.hard_nkept = kept
    if lacks_hard_room(d):
        return LACKING
    if d.hard_worst > TOO_DEEP:
        return status
    return FAILED if coarse == 0 else COARSE


@kernel("m d i i", ret="i")
def forget_rows(m, d, rows, kept):
    """Take back the rows from `rows` on and the contacts kept for them. Returns 0 where there was no room to plan anew.

    Writes: hard_nrow, hard_nkept, hard_treerow
    """
    if d.hard_nrow > rows:
        for c in range(rows, d.hard_nrow):
            forget_row(m, d, c)
        d.hard_nrow = rows
        d.hard_nkept = kept
        plan(m, d)
    return 0 if lacks_hard_room(d) else 1


@kernel("m d i i", ret="i")
def solve_without(m, d, rows, kept):
    """Solve again without the rows from `rows` on, which the last look has added: where a step cannot be halved any more it is coarse, and leaves the overlaps that the look
    has found to the next, as after the last look allowed. Returns the status.

    Writes: what forget_rows and solve_islands write
    """
    if forget_rows(m, d, rows, kept) == 0:
        return LACKING
    return max(COARSE, solve_islands(m, d, 1, 0))


@kernel("m d i", ret="i")
def solve_looking(m, d, coarse):
    """Solve, look again, and repeat the solve with the rows that were added. Returns the status.

    Reads: cb_stage
    Writes: hard_looked
    """
    timed = d.cb_stage != 0
    status = solve_islands(m, d, coarse, 0)
    stage_ends(m, d, timed, SOLVE)
    for _ in range(max(1, m.opt_hard_looks)):
        if status == FAILED:
            return status
        rows = d.hard_nrow
        kept = d.hard_nkept
        added = nearer_limits(m, d) + nearer_ends(m, d)
        fresh = d.hard_nrow if added == 0 else 0
        if d.hard_touchable != 0 and m.opt_hard_looks > 0 and end_is_known(m, d) == 0:
            found = look_at_end(m, d)
            if found > 0:
                plan(m, d)
            if lacks_hard_room(d):
                return LACKING
            added += found
        stage_ends(m, d, timed, LOOK)
        if added == 0:
            return status
        d.hard_looked += 1
        status = max(status, solve_islands(m, d, coarse, fresh))
        if status == FAILED and coarse != 0 and d.hard_nrow > rows:
            status = solve_without(m, d, rows, kept)
            stage_ends(m, d, timed, SOLVE)
            return status
        stage_ends(m, d, timed, SOLVE)
    if status < FAILED and d.hard_touchable != 0 and m.opt_hard_looks > 0:
        return still_overlapping(m, d, status, coarse)
    return status


@helper
def keep_velocities(m, d):
    """The velocities of the present solve are those of the step."""
    for k in range(m.nv):
        d.hard_vel0[k] = d.hard_qd[k]


@kernel("m d i", ret="i")
def solve_recovering(m, d, coarse):
    """Solve for positions that end overlaps of the start: as fast as may be, more slowly where that cannot be, not at all where even that cannot. Returns the status; the
    last kind is a solve for velocities and positions in one, and counts as converged only as what it is: hard_stuck says so.

    Bodies that no joint moves apart, or that are wedged between opposing faces, cannot recover whatever the impulses: asked to, they would fail the step.

    Reads: hard_nrow, hard_nkept, hard_h
    Writes: hard_recover, hard_stuck, and what forget_rows and solve_looking write
    """
    speed = RECOVERY
    rows = d.hard_nrow
    kept = d.hard_nkept
    for _ in range(RECOVERIES):
        d.hard_recover = speed * d.hard_h
        status = solve_looking(m, d, 0)
        if status != FAILED:
            return status
        # what was looked at from there is no concern of the next
        if forget_rows(m, d, rows, kept) == 0:
            return LACKING
        speed *= SLOWER
    d.hard_stuck = 1
    d.hard_recover = 0.0
    return solve_looking(m, d, coarse)


@kernel("m d i", ret="i")
def solve_step(m, d, coarse):
    """Find hard_vel0, the velocities after the step, and hard_qpos, the positions. Returns the status.

    Where bodies overlap or joints are beyond their limits at the start, positions come from a solve that undoes this, velocities from a second one that does not:
    an overlap does not become a velocity. Impulses are those of the velocities, as they are what is reported.

    Reads: hard_qd, hard_qpos2, hard_overlap, hard_stuck, hard_h
    Writes: hard_recover, hard_vel0, hard_qpos, and what solve_recovering writes
    """
    if d.hard_overlap == 0:
        d.hard_recover = 0.0
        status = solve_looking(m, d, coarse)
        keep_velocities(m, d)
        return status
    # positions first, kept as the velocities that lead there
    status = solve_recovering(m, d, coarse)
    keep_velocities(m, d)
    if status >= FAILED or d.hard_stuck != 0:
        return status
    d.hard_recover = 0.0
    status = max(status, solve_looking(m, d, coarse))
    for k in range(m.nq):
        d.hard_qpos[k] = d.hard_qpos2[k]
    for j in range(m.njnt):
        joint_advance(m, d.hard_qpos, d.hard_vel0, j, d.hard_h)
    keep_velocities(m, d)
    return status
