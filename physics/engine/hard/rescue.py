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
from physics.engine.hard.contact.passing import hold_what_passes
from physics.engine.hard.contact.reach import end_is_known
from physics.engine.hard.forces import lacks_hard_room
from physics.engine.hard.limits import limit_overlaps, nearer_limits
from physics.engine.hard.newton import newton, newton_again, scale_friction
from physics.engine.hard.stage_numbers import LOOK, SOLVE
from physics.engine.hard.start import goes_on
from physics.engine.hard.start_scales import OVERLAP, STUCK, recovery_at
from physics.engine.hard.system.order import plan
from physics.engine.hard.tendon.rows import nearer_ends
from physics.engine.stage_clock import stage_ends
from physics.kernels.decorators import helper, kernel

CONVERGED, COARSE, FAILED, LACKING = range(4)
UNSOLVED = -1             # first fresh row where no island has been solved yet
COARSELY = 1000.0
TOO_DEEP = -1e-6   # m: an overlap that looking again must not leave
STARTS = 4                # first points that are tried: the plain one, and a third, three times and a tenth of the velocity scale; of long islands others
PROJECTED = 1             # those of a projection, which is convex
NEARLY = 0.999            # part of the way to a cone's edge, at first: what is farther from it takes more iterations, and jams as soon
LONG, LESS = 300, 0.95    # contact rows of an island from which on it jams later so far from the edges
CAREFUL = 0.9             # the same of other starts
CENTRAL = 0.8             # the same of long islands: with their residual gone they jam where some cones are far ahead of the rest
EASINGS, EASED = 5, 0.25    # how often friction is reduced where nothing else leads to an end, and by what


@helper
def is_long(d):
    """Whether the present island is one that jams by its many rows."""
    return d.hard_rowend - d.hard_rowfirst >= LONG


@helper
def spread_of(d, start):
    """Factor on the velocity scale of a start."""
    if start == 0:
        return 1.0
    if is_long(d):
        return 1.0 if start == 2 else 0.3
    if start == 1:
        return 0.3
    if start == 2:
        return 3.0
    return 0.1


@helper
def fraction_of(d, start):
    """Part of the way to a cone's edge that steps of the present island go from one of the starts."""
    if is_long(d):
        return CENTRAL if start == 1 or start == 2 else LESS
    return CAREFUL if start > 0 else NEARLY


@kernel("m d i", ret="i")
def solve_from(m, d, start):
    """Solve the present island from one of the starts. Returns 1 where it ended within the tolerances."""
    d.hard_spread = spread_of(d, start)
    d.hard_fraction = fraction_of(d, start)
    return newton(m, d)


@helper
def is_coarse(m, d):
    """Whether the present point is near enough to a solution to be accepted and counted."""
    return d.hard_rv < COARSELY * d.hard_rtol and d.hard_kv < COARSELY * d.hard_ktol


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
    for start in range(PROJECTED if d.hard_project != 0 else STARTS):
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
def slow_down(m, d, slowed):
    """Slow the trees of the present island."""
    for at in range(d.hard_first, d.hard_end):
        d.hard_slowed[m.body_treeid[d.hard_order[at]]] = slowed


@helper
def slowed_most(m, d):
    """How much the present island is slowed: as the tree in it that is most."""
    n = 0
    for at in range(d.hard_first, d.hard_end):
        n = max(n, d.hard_slowed[m.body_treeid[d.hard_order[at]]])
    return n


@helper
def island_overlaps(m, d):
    """Whether something in the present island overlaps at the start of the step; of ties and tendons that are off all islands are thought to have some."""
    n = int(d.hard_untied != 0 or d.hard_tenoff != 0)
    for at in range(d.hard_rowfirst, d.hard_rowend):
        if d.hrow_floor[d.hrow_at[at]] < -OVERLAP:
            n += 1
    for at in range(d.hard_first, d.hard_end):
        b = d.hard_order[at]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            if limit_overlaps(m, d, j):
                n += 1
    return n > 0


@helper
def solve_again(m, d, fresh):
    """solve_from where the present island's last solve has ended, without the rows from `fresh` on."""
    d.hard_fraction = NEARLY
    return newton_again(m, d, fresh)


@kernel("m d i i", ret="i")
def solve_slowing(m, d, coarse, fresh):
    """Solve the present island; where it ends overlaps of the start (hard_recovering), more slowly if it cannot be as fast, and not at all where even that cannot be.

    With fresh > UNSOLVED first from where its last solve has ended, without the rows from `fresh` on.
    Bodies that no joint moves apart, or that are wedged between opposing faces, cannot recover whatever the impulses; other islands go on ending theirs.
    Reads: hard_recovering, hard_slowed, hard_first, hard_end, hard_order, hard_rowfirst, hard_rowend, hrow_at, hrow_floor, hlim_kind, hard_untied, hard_tenoff
    Writes: hard_recover, hard_slowed, hard_nrestart
    """
    slowed = slowed_most(m, d)
    if fresh > UNSOLVED:
        d.hard_recover = recovery_at(d, slowed)
        if solve_again(m, d, fresh) == 1:
            return CONVERGED
        d.hard_nrestart += 1
    if d.hard_recovering > 0.0 and slowed < STUCK and island_overlaps(m, d):
        while slowed < STUCK:
            d.hard_recover = recovery_at(d, slowed)
            # what cannot recover is soon seen; where it cannot at full speed, other starts are seldom worth their time
            if (slowed == 0 and solve_island(m, d, 0) == CONVERGED) or (slowed > 0 and solve_from(m, d, 0) == 1):
                return CONVERGED
            slowed += 1
            slow_down(m, d, slowed)
    d.hard_recover = recovery_at(d, slowed)
    return solve_island(m, d, coarse)


@helper
def has_fresh_row(d, fresh):
    """Whether the present island has one of the rows from `fresh` on."""
    n = 0
    for at in range(d.hard_rowfirst, d.hard_rowend):
        if d.hrow_at[at] >= fresh:
            n += 1
    return n > 0


@helper
def is_changed(m, d):
    """Whether a tree of the present island is held by something that its last solve did not know."""
    n = 0
    for at in range(d.hard_first, d.hard_end):
        n += d.hard_changed[m.body_treeid[d.hard_order[at]]]
    return n > 0


@helper
def note_change(m, d, changed):
    """hard_changed of all trees of the present island."""
    for at in range(d.hard_first, d.hard_end):
        d.hard_changed[m.body_treeid[d.hard_order[at]]] = changed


@helper
def ends_overlaps_apart(d):
    """Whether positions are looked for after velocities have been found: islands without an overlap are where they should be already."""
    return d.hard_recovering > 0.0 and d.hard_kappa == 0.0 and d.hard_ntie == 0 and d.hard_nten == 0


@helper
def take_bounds(d, i):
    """Let island i be the present one."""
    d.hard_island = i
    d.hard_first = d.hard_islandadr[i, 0]
    d.hard_end = d.hard_first + d.hard_islandnum[i, 0]
    d.hard_rowfirst = d.hard_islandadr[i, 1]
    d.hard_rowend = d.hard_rowfirst + d.hard_islandnum[i, 1]


@kernel("m d i i", ret="i")
def solve_islands(m, d, coarse, fresh):
    """Solve one island after the other; after a look those that have changed or have rows from `fresh` on, which are new. UNSOLVED: none has been solved. Returns the worst
    status; the largest residual and violation of all are in hard_rv and hard_kv.

    Reads: hard_nisland, hard_islandadr, hard_islandnum, hrow_at, hard_recovering, hard_kappa, hard_project, hard_ntie, hard_nten, hfri_loss
    Writes: hard_island, hard_first, hard_end, hard_rowfirst, hard_rowend, hard_changed, hard_rv, hard_kv
    """
    worst = CONVERGED
    rv = 0.0
    kv = 0.0
    if fresh > UNSOLVED:
        rv = d.hard_rv
        kv = d.hard_kv
    for i in range(d.hard_nisland):
        take_bounds(d, i)
        known = UNSOLVED
        if fresh > UNSOLVED:
            if not is_changed(m, d):
                if not has_fresh_row(d, fresh):
                    continue
                if goes_on(m, d):
                    known = fresh
        elif ends_overlaps_apart(d) and not island_overlaps(m, d):
            note_change(m, d, 1)
            continue
        note_change(m, d, 0)
        worst = max(worst, solve_slowing(m, d, coarse, known))
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
    return max(COARSE, solve_islands(m, d, 1, UNSOLVED))


@kernel("m d i", ret="i")
def solve_looking(m, d, coarse):
    """Solve, look again, and repeat the solve with the rows that were added. Returns the status.

    Reads: cb_stage
    Writes: hard_looked, and what hold_what_passes writes
    """
    timed = d.cb_stage != 0
    status = solve_islands(m, d, coarse, UNSOLVED)
    stage_ends(m, d, timed, SOLVE)
    for _ in range(max(1, m.opt_hard_looks)):
        if status == FAILED:
            return status
        rows = d.hard_nrow
        kept = d.hard_nkept
        added = nearer_limits(m, d) + nearer_ends(m, d) + hold_what_passes(m, d)
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
        status = max(status, solve_islands(m, d, coarse, rows))
        if status == FAILED and coarse != 0 and d.hard_recovering == 0.0 and d.hard_nrow > rows:
            status = solve_without(m, d, rows, kept)
            stage_ends(m, d, timed, SOLVE)
            return status
        stage_ends(m, d, timed, SOLVE)
    if status < FAILED and d.hard_touchable != 0 and m.opt_hard_looks > 0:
        return still_overlapping(m, d, status, coarse if d.hard_recovering == 0.0 else 0)
    return status
