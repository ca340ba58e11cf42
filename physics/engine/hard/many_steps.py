"""Many hard steps in one call: plain, as the running program takes them (engine/advance.py), with what the user's functions write, and as a rollout.

A step that could not be completed is repeated by the caller, with started=1, when there is room.
"""
from __future__ import annotations

from physics.engine.advance import before_step, sound
from physics.engine.hard.runnable import runnable
from physics.engine.hard.step import step
from physics.engine.record import record_state
from physics.engine.rollout import keep_step, take_controls
from physics.engine.user_writes import NO_ROOM, find, step_result
from physics.kernels.decorators import EXACT, kernel


@kernel("m d i", ret="i")
def step_n(m, d, n):
    """Advance by up to n time steps. Returns the number of steps that happened, -1 where options forbid it.

    Reads: what step reads
    Writes: what step writes
    """
    if runnable(m, d) == 0:
        return -1
    for k in range(n):
        if step(m, d) == 0:
            return k
    return n


@kernel("m d i i", ret="i")
def advance(m, d, n, started):
    """Take up to n steps, with the mouse's force and noise before each and a record after it; the number that were completed. started: 1 to repeat a step that
    lacked storage.

    Reads: time, record_cap
    Writes: time, record, record_end
    """
    for k in range(n):
        if started == 0 or k > 0:
            before_step(m, d)
        if step(m, d) == 0 or sound(d.qpos, m.nq) == 0 or sound(d.qvel, m.nv) == 0:
            return k
        record_state(m, d)
    return n


@kernel("m d a i", ret="i", fastmath=EXACT)
def advance_noting(m, d, a, step):
    """As engine/user_writes.py's: note what is written for this step, and take it.

    Reads: what advance reads
    Writes: what advance writes
    """
    found = find(a, step, 1)
    if found == NO_ROOM:
        return NO_ROOM
    return step_result(a, found, advance(m, d, 1, 0))


@kernel("m d i i i", ret="i")
def rollout_steps(m, d, done, n, driven):
    """Take the steps done .. n-1 of a rollout; returns how many of the n have been completed. driven != 0: controls come from rollout_ctrl.

    Reads: rollout_ctrl, time, qpos, qvel, act, history, sensordata and what step reads
    Writes: ctrl, rollout_state, rollout_sensor and what step writes
    """
    for k in range(done, n):
        if driven != 0:
            take_controls(m, d, k)
        if step(m, d) == 0:
            return k
        keep_step(m, d, k)
    return n
