"""Many steps in one call, as the running program takes them: the mouse's force, control noise, step, record.

    before step 1        step 1          after step 1     before step 2 ...
    force, noise   ->   whole step   ->  sound? record ->

Returns early where a step could not be completed: storage must grow (need_*), or the numbers are no longer sound. Called
again with started=1 it repeats that very step without drawing new noise, so growing changes nothing.
"""
from __future__ import annotations

from physics.engine.control_noise import control_noise
from physics.engine.forward import step
from physics.engine.perturb import perturb_force
from physics.engine.record import record_state
from physics.enums import MAXVAL
from physics.kernels.decorators import helper, kernel


@helper
def sound(a, n):
    """1 where all of a[:n] are numbers of ordinary size."""
    for i in range(n):
        if not (-MAXVAL < a[i] < MAXVAL):
            return 0
    return 1


@kernel()
def before_step(m, d):
    """Find the mouse's force and the control noise for the next step.

    Reads: perturb_active, noise_scale
    Writes: xfrc_perturb, ctrl_noise, noise_step
    """
    perturb_force(m, d)
    control_noise(m, d)


@kernel("m d", ret="i")
def whole_step(m, d):
    """Take one step; 1 if it was completed with sound numbers.

    Reads: what step reads
    Writes: what step writes
    """
    if step(m, d) == 0:
        return 0
    if sound(d.qpos, m.nq) == 0 or sound(d.qvel, m.nv) == 0:
        return 0
    return 1


@kernel("m d i i", ret="i")
def advance(m, d, n, started):
    """Take up to n steps; the number that were completed. started: 1 to repeat a step that lacked storage.

    Reads: time, record_cap
    Writes: time, record, record_end
    """
    for k in range(n):
        if started == 0 or k > 0:
            before_step(m, d)
        if whole_step(m, d) == 0:
            return k
        record_state(m, d)
    return n
