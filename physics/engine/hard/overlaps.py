"""A solve for the whole of a step: velocities, and the positions that end overlaps that there were at its start.

An overlap must not become a velocity. So where there is one velocities are solved for without ending it, and positions are found apart.

Source: our own; projections of positions: Acary, "Projected event-capturing time-stepping schemes for nonsmooth mechanical systems with unilateral contact and Coulomb's
friction", CMAME 256 (2013).
"""
from __future__ import annotations

from physics.engine.hard.contact.cones import ETA0, SLACK
from physics.engine.hard.momenta import momentum_residual
from physics.engine.hard.poses import moves, place_island
from physics.engine.hard.rescue import FAILED, LACKING, forget_rows, island_overlaps, slow_down, slowed_most, solve_looking, take_bounds
from physics.engine.hard.start_scales import RECOVERY, STUCK
from physics.engine.kinematics.joints import joint_advance
from physics.engine.linalg.spatial import add6
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld4, ld6, off, st3, st4, st6

ATTEMPTS = 3                   # how often positions are asked to end overlaps, where looking again spoils it
MANY = 30                      # contact rows from which on friction has no say in positions that end overlaps
BY_PROJECTION = 2                  # hard_overlap where positions are a projection


@helper
def keep_velocities(m, d):
    """The velocities of the present solve are those of the step."""
    for k in range(m.nv):
        d.hard_vel0[k] = d.hard_qd[k]


@helper
def recover_all(m, d):
    """No tree is slowed."""
    for t in range(m.ntree):
        d.hard_slowed[t] = 0


@helper
def some_recover(m, d):
    """Whether an overlap of the start has been lessened by the last solve."""
    n = 0
    for i in range(d.hard_nisland):
        take_bounds(d, i)
        if slowed_most(m, d) < STUCK and island_overlaps(m, d):
            n += 1
    return n > 0


@helper
def some_stuck(m, d):
    """Whether some islands leave their overlaps as they are."""
    n = 0
    for i in range(d.hard_nisland):
        take_bounds(d, i)
        if slowed_most(m, d) >= STUCK and island_overlaps(m, d):
            n += 1
    return n > 0


@helper
def note_stuck(m, d):
    """hard_stuck where some islands leave their overlaps as they are."""
    if some_stuck(m, d):
        d.hard_stuck = 1


@helper
def slow_after(m, d, attempt):
    """After an attempt that failed as a whole: slow the island that failed, and at last all of them."""
    slow_down(m, d, min(STUCK, slowed_most(m, d) + 1))
    if attempt == ATTEMPTS - 1:
        for t in range(m.ntree):
            d.hard_slowed[t] = STUCK


@helper
def advance_kept(m, d):
    """The positions to which the kept velocities lead."""
    for k in range(m.nq):
        d.hard_qpos[k] = d.hard_qpos2[k]
    for j in range(m.njnt):
        joint_advance(m, d.hard_qpos, d.hard_vel0, j, d.hard_h)


# ---------------------------------------------------------------- velocities, then positions


@kernel()
def hold_solution(m, d):
    """Hold the impulses of the present solution, and the momenta and forces of the step, while positions are looked for.

    Reads: hard_nrow, hrow_var, hlim_var, hfri_var, hard_mom, hard_tau
    Writes: hrow_held, hlim_held, hfri_held, hard_momheld, hard_tauheld
    """
    for k in range(16 * d.hard_nrow):
        off(d.hrow_held, k)[0] = off(d.hrow_var, k)[0]
    for j in range(m.njnt):
        st4(d.hlim_held, j, ld4(d.hlim_var, j))
    for k in range(m.nv):
        st3(d.hfri_held, k, ld3(d.hfri_var, k))
        d.hard_tauheld[k] = d.hard_tau[k]
    for b in range(m.nbody):
        st6(d.hard_momheld, b, ld6(d.hard_mom, b))


@kernel("m d i")
def solution_back(m, d, rows):
    """The held solution again; `rows` is how many contact rows it had. Those that have come since push nothing.

    Reads: hard_nrow, hrow_held, hlim_held, hfri_held, hard_momheld, hard_tauheld
    Writes: hrow_var, hlim_var, hfri_var, hard_mom, hard_tau
    """
    for k in range(16 * rows):
        off(d.hrow_var, k)[0] = off(d.hrow_held, k)[0]
    for c in range(rows, d.hard_nrow):
        for k in range(16):
            d.hrow_var[c, k] = 0.0
        d.hrow_var[c, SLACK] = 1.0
        d.hrow_var[c, ETA0] = 1.0
    for j in range(m.njnt):
        st4(d.hlim_var, j, ld4(d.hlim_held, j))
    for k in range(m.nv):
        st3(d.hfri_var, k, ld3(d.hfri_held, k))
        d.hard_tau[k] = d.hard_tauheld[k]
    for b in range(m.nbody):
        st6(d.hard_mom, b, ld6(d.hard_momheld, b))


@kernel()
def rest_on_solution(m, d):
    """Let the pose that the velocities lead to be one at which nothing pushes: a projection starts from there, and impulses are what leads away from it.

    Reads: hard_momheld, hard_vel0, hard_H0, hard_qpos2, hard_nisland, hard_islandadr, hard_islandnum, and what momentum_residual and place_island read
    Writes: hard_mom, hard_tau, hard_first, hard_end, hard_qpos, and what place_island writes
    """
    advance_kept(m, d)
    for i in range(d.hard_nisland):
        d.hard_first = d.hard_islandadr[i, 0]
        d.hard_end = d.hard_first + d.hard_islandnum[i, 0]
        place_island(m, d)
    for b in range(1, m.nbody):
        if moves(m, b):
            st6(d.hard_mom, b, ld6(d.hard_momheld, b))
            st6(d.hard_mom, b, add6(ld6(d.hard_mom, b), momentum_residual(m, d, b)))
    for k in range(m.nv):
        d.hard_tau[k] = d.hard_H0[k] * d.hard_vel0[k]


@kernel("m d", ret="i")
def project(m, d):
    """The nearest positions, by the metric of the masses, at which the overlaps are less by what is to be recovered. Returns the status.

    Without friction this is a convex problem, up to the turns of a step; with it positions of many bodies in each other jam.

    Reads: hard_momheld, hard_tauheld
    Writes: hard_project, hard_mom, hard_tau, and what rest_on_solution and solve_looking write
    """
    rest_on_solution(m, d)
    d.hard_project = 1
    status = solve_looking(m, d, 0)
    d.hard_project = 0
    for b in range(m.nbody):
        st6(d.hard_mom, b, ld6(d.hard_momheld, b))
    for k in range(m.nv):
        d.hard_tau[k] = d.hard_tauheld[k]
    return status


@kernel("m d i i", ret="i")
def end_overlaps(m, d, coarse, projecting):
    """Solve for positions that end overlaps of the start, each island as fast as it can (solve_slowing), by a projection or by a step with friction. Returns the status.

    Where that fails as a whole, as what looking again finds cannot be solved for beside, an island that failed is slowed, and at last no island ends any; FAILED where even that
    does not help.

    Reads: hard_nrow, hard_nkept, hard_h, hard_nisland, hard_islandadr, hard_islandnum
    Writes: hard_recovering, hard_recover, hard_slowed, hard_stuck, hard_overlap, and what forget_rows, project and solve_looking write
    """
    rows = d.hard_nrow
    kept = d.hard_nkept
    for attempt in range(ATTEMPTS):
        d.hard_recovering = RECOVERY * d.hard_h
        status = project(m, d) if projecting != 0 else solve_looking(m, d, coarse)
        if status != FAILED:
            note_stuck(m, d)
            if projecting != 0:
                d.hard_overlap = BY_PROJECTION
            return status
        # what was looked at from there is no concern of the next
        slow_after(m, d, attempt)
        if forget_rows(m, d, rows, kept) == 0:
            return LACKING
    return FAILED


@kernel("m d", ret="i")
def find_positions(m, d):
    """Positions that end overlaps of the start, each island as fast as it can (solve_slowing). Returns the status; FAILED where no island can end any.

    With few contacts they are those of a step with friction, as velocities are; of many, or where an island is stuck so, a projection of what the velocities lead to.

    Reads: hard_nrow, hard_nkept, hard_h, hard_qpos2, hard_nisland, hard_islandadr, hard_islandnum, hard_order, hard_first, hard_end, hard_rowfirst, hard_rowend, hrow_at,
        hrow_floor, hlim_kind, hard_untied, hard_tenoff
    Writes: hard_recovering, hard_slowed, hard_island, hard_first, hard_end, hard_rowfirst, hard_rowend, and what solve_looking, end_overlaps and forget_rows write
    """
    rows = d.hard_nrow
    kept = d.hard_nkept
    if rows < MANY:
        d.hard_recovering = RECOVERY * d.hard_h
        status = solve_looking(m, d, 0)
        if status == LACKING or (status != FAILED and not some_stuck(m, d)):
            return status
        # what was looked at from there is no concern of the next
        if forget_rows(m, d, rows, kept) == 0:
            return LACKING
        recover_all(m, d)
    return end_overlaps(m, d, 0, 1)


@kernel("m d i", ret="i")
def solve_apart(m, d, coarse):
    """Velocities, which leave overlaps of the start as deep as they are, then positions that end them. Returns the status; hard_stuck where positions cannot.

    Reads: hard_nrow, hard_qd, hard_qpos2, hard_h
    Writes: hard_recovering, hard_stuck, hard_vel0, hard_qpos, and what solve_looking, hold_solution, find_positions and solution_back write
    """
    status = solve_looking(m, d, coarse)
    keep_velocities(m, d)
    if status >= FAILED:
        return status
    hold_solution(m, d)
    rows = d.hard_nrow
    found = find_positions(m, d)
    if found == LACKING:
        return LACKING
    solution_back(m, d, rows)
    d.hard_recovering = 0.0
    d.hard_recover = 0.0
    if found == FAILED:
        d.hard_stuck = 1
        advance_kept(m, d)
        return status
    return max(status, found)


@kernel("m d i", ret="i")
def solve_step(m, d, coarse):
    """Find hard_vel0, the velocities after the step, and hard_qpos, the positions. Returns the status.

    Where bodies overlap or joints are beyond their limits at the start, positions come from a solve that undoes this, velocities from another one that does not:
    an overlap does not become a velocity. Impulses are those of the velocities, as they are what is reported.

    Reads: hard_qd, hard_qpos2, hard_overlap, hard_h, hard_ntie, hard_nten
    Writes: hard_recovering, hard_slowed, hard_vel0, hard_qpos, hard_stuck, and what solve_apart, end_overlaps and solve_looking write
    """
    d.hard_recovering = 0.0
    recover_all(m, d)
    if d.hard_overlap == 0:
        status = solve_looking(m, d, coarse)
        keep_velocities(m, d)
        return status
    if d.hard_ntie == 0 and d.hard_nten == 0:
        return solve_apart(m, d, coarse)
    # positions first, kept as the velocities that lead there
    status = end_overlaps(m, d, coarse, 0)
    if status == FAILED:
        d.hard_stuck = 1
        status = solve_looking(m, d, coarse)
    keep_velocities(m, d)
    if status >= FAILED or not some_recover(m, d):
        return status
    d.hard_recovering = 0.0
    status = max(status, solve_looking(m, d, coarse))
    advance_kept(m, d)
    keep_velocities(m, d)
    return status
