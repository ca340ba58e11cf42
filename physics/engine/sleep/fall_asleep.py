"""Falling asleep, and being woken by the user: new positions, velocities, forces, a moved parent, the flag.

Waking comes first in a step, with the poses; falling asleep comes last, before the velocities advance. Sleepers keep everything that
was computed for them at rest, so waking costs nothing but the steps that follow.

Source: MuJoCo documentation, Programming chapter, "Sleeping islands".
"""
from __future__ import annotations

from physics.engine.linalg.quat import unit4
from physics.engine.sleep.awake import MOVING, may_sleep, note_awake, some_asleep
from physics.enums import DSBL_ISLAND, SLEEP_AUTO_NEVER, SLEEP_NEVER
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld4, off

NONE = -1  # sleep_first, sleep_last: no tree of the island so far
NOT_READY = -2  # sleep_first: a tree of the island may not sleep yet


@helper
def nonzero(x, first, end):
    """How many of x[first:end] are not 0."""
    n = 0
    for k in range(first, end):
        n += 1 if x[k] != 0.0 else 0
    return n


@helper
def may_not(m, t):
    """Whether tree t never sleeps."""
    policy = m.tree_sleep_policy[t]
    return policy == SLEEP_NEVER or policy == SLEEP_AUTO_NEVER


@helper
def is_perturbed(m, d, t):
    """Whether the mouse pulls at tree t."""
    b = d.perturb_bodyid
    return b > 0 and m.body_treeid[b] == t and nonzero(d.xfrc_perturb, 0, 6) > 0


@helper
def is_pushed(m, d, t):
    """Whether the user or the mouse applies a force to tree t."""
    b = m.tree_bodyadr[t]
    k = m.tree_dofadr[t]
    forces = nonzero(off(d.xfrc_applied, 0), 6 * b, 6 * (b + m.tree_bodynum[t])) + nonzero(d.qfrc_applied, k, k + m.tree_dofnum[t])
    return forces > 0 or is_perturbed(m, d, t)


@helper
def is_slow(m, d, t):
    """Whether all dofs of tree t are slower than opt_sleep_tolerance; where that is 0, whether all stand still."""
    first = m.tree_dofadr[t]
    for k in range(first, first + m.tree_dofnum[t]):
        speed = abs(m.dof_length[k] * d.qvel[k])
        if not speed < m.opt_sleep_tolerance and (speed != 0.0 or m.opt_sleep_tolerance != 0.0):
            return False
    return True


@helper
def wake_cycle(m, d, t, value):
    """Wake tree t and all that sleep with it, tree_asleep becoming `value`; of one that is awake no more than `value`. Returns how many woke."""
    if d.tree_asleep[t] < 0:
        d.tree_asleep[t] = min(value, d.tree_asleep[t])
        return 0
    n = 0
    while d.tree_asleep[t] >= 0 and n < m.ntree:
        following = d.tree_asleep[t]
        d.tree_asleep[t] = value
        t = following
        n += 1
    return n


# ---------------------------------------------------------------- by the user


@helper
def first_coordinate(m, k):
    """First coordinate of the joint of dof k, which begins there; nq after the last dof."""
    if k >= m.nv:
        return m.nq
    return m.jnt_qposadr[m.dof_jntid[k]]


@helper
def changes(m, d, first, end):
    """How many numbers show that the user has touched the sleeping dofs first to end - 1 (whole trees), or their bodies."""
    b = m.tree_bodyadr[m.dof_treeid[first]]
    last = m.dof_treeid[end - 1]
    n = nonzero(off(d.xfrc_applied, 0), 6 * b, 6 * (m.tree_bodyadr[last] + m.tree_bodynum[last]))
    n += nonzero(d.qvel, first, end)
    n += nonzero(d.qfrc_applied, first, end)
    for k in range(first_coordinate(m, first), first_coordinate(m, end)):
        n += 1 if d.qpos[k] != d.sleep_qpos[k] else 0
    return n


@helper
def mocap_moved(m, d, t):
    """Whether the user-moved body that sleeping tree t hangs on, if it does, has another pose than last time."""
    up = m.body_rootid[m.tree_bodyadr[t]]
    i = m.body_mocapid[up]
    if i < 0:
        return False
    p = ld3(d.mocap_pos, i)
    q = unit4(unit4(ld4(d.mocap_quat, i)))
    was = ld3(d.xpos, up)
    turn = ld4(d.xquat, up)
    return p[0] != was[0] or p[1] != was[1] or p[2] != was[2] or q[0] != turn[0] or q[1] != turn[1] or q[2] != turn[2] or q[3] != turn[3]


@helper
def is_touched(m, d, t):
    """Whether the user has moved or pushed sleeping tree t."""
    first = m.tree_dofadr[t]
    return changes(m, d, first, first + m.tree_dofnum[t]) > 0 or is_perturbed(m, d, t)


@kernel()
def wake_touched(m, d):
    """Wake what the user has moved or pushed, or may no longer sleep; all where sleeping is switched off.

    Reads: qpos, qvel, sleep_qpos, mocap_pos, mocap_quat, xpos, xquat, qfrc_applied, xfrc_applied, xfrc_perturb, perturb_bodyid, tree_awake
    Writes: tree_asleep, and what note_awake writes
    """
    if not some_asleep(m, d):
        return
    n = 0
    if not may_sleep(m):
        for t in range(m.ntree):
            d.tree_asleep[t] = MOVING
        n = 1
    else:
        touched = d.perturb_bodyid + m.nmocap
        for r in range(d.ndof_asleep_run):
            touched += changes(m, d, d.dof_asleep_run[r, 0], d.dof_asleep_run[r, 1])
        for t in range(m.ntree):
            if d.tree_asleep[t] >= 0 and (may_not(m, t) or (touched > 0 and (is_touched(m, d, t) or mocap_moved(m, d, t)))):
                n += wake_cycle(m, d, t, MOVING)
    if n > 0:
        note_awake(m, d)


# ---------------------------------------------------------------- falling asleep


@helper
def island_of(m, d, t):
    """Island of tree t, -1: no constraint row moves it."""
    if d.nefc == 0:
        return -1
    return d.sol_tree_island[t]


@helper
def put_to_sleep(m, d, t, following):
    """Put tree t to sleep; `following` is the next tree of its cycle."""
    d.tree_asleep[t] = following
    first = m.tree_dofadr[t]
    for k in range(first, first + m.tree_dofnum[t]):
        d.qvel[k] = 0.0
        d.qacc[k] = 0.0


@kernel("m d", ret="i")
def fall_asleep(m, d):
    """Put to sleep the islands all of whose trees are ready, and ready trees on their own. Returns how many trees.

    A tree becomes ready when it has been slower than opt_sleep_tolerance, and not pushed, for MINAWAKE steps.
    Reads: qvel, qfrc_applied, xfrc_applied, xfrc_perturb, perturb_bodyid, nefc, sol_nisland, sol_tree_island
    Writes: tree_asleep, qvel, qacc (and the scratch sleep_first, sleep_last)
    """
    if not may_sleep(m) or (d.nefc > 0 and m.opt_disableflags & DSBL_ISLAND != 0):
        return 0
    for t in range(m.ntree):
        if d.tree_asleep[t] < 0:
            if may_not(m, t) or not is_slow(m, d, t) or is_pushed(m, d, t):
                d.tree_asleep[t] = MOVING
            elif d.tree_asleep[t] < -1:
                d.tree_asleep[t] += 1
    nisland = 0
    if d.nefc > 0:
        nisland = d.sol_nisland
    for i in range(nisland):
        d.sleep_first[i] = NONE
        d.sleep_last[i] = NONE
    for t in range(m.ntree):
        i = island_of(m, d, t)
        if i >= 0:
            if d.tree_asleep[t] != -1:
                d.sleep_first[i] = NOT_READY
            elif d.sleep_first[i] == NONE:
                d.sleep_first[i] = t
    n = 0
    for t in range(m.ntree):
        if d.tree_asleep[t] == -1:
            i = island_of(m, d, t)
            if i < 0:
                put_to_sleep(m, d, t, t)
                n += 1
            elif d.sleep_first[i] != NOT_READY:
                # each tree of an island points at the one after it, the last one at the first
                put_to_sleep(m, d, t, d.sleep_first[i])
                if d.sleep_last[i] != NONE:
                    d.tree_asleep[d.sleep_last[i]] = t
                d.sleep_last[i] = t
                n += 1
    return n
