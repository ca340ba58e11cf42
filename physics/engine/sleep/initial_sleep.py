"""Sleep that does not come by falling asleep: trees that begin asleep, and sleepers of a state that is restored.

What sleepers keep is not part of the state, so it is computed once more, with all trees awake and at rest: forward.compute_sleep_state, of which these
are the parts.

Source: MuJoCo documentation, Programming chapter, "Sleeping islands", "Initialized asleep".
"""
from __future__ import annotations

from physics.engine.sleep.awake import MOVING, may_sleep, note_awake
from physics.engine.sleep.fall_asleep import fall_asleep
from physics.enums import SLEEP_INIT
from physics.kernels.decorators import kernel


@kernel()
def save_state(m, d):
    """Save the state, and put all trees at rest at sleep_qpos, awake.

    Reads: qpos, qvel, tree_asleep, sleep_qpos
    Writes: qpos, qvel, tree_asleep, rk_qpos, rk_qvel, sleep_next, and what note_awake writes
    """
    for k in range(m.nq):
        d.rk_qpos[k] = d.qpos[k]
        d.qpos[k] = d.sleep_qpos[k]
    for k in range(m.nv):
        d.rk_qvel[k] = d.qvel[k]
        d.qvel[k] = 0.0
    for t in range(m.ntree):
        d.sleep_next[t] = d.tree_asleep[t]
        d.tree_asleep[t] = MOVING
    note_awake(m, d)


@kernel()
def begin_asleep(m, d):
    """Put the trees to sleep that are to begin so, as far as they may; there are no rows afterwards, as after any reset.

    Reads: what fall_asleep reads
    Writes: sleep_next, tree_asleep, qacc_smooth, qfrc_smooth, nefc, ne, nf, nl, sol_nisland, sol_symbolic, and what fall_asleep writes
    """
    for t in range(m.ntree):
        if m.tree_sleep_policy[t] == SLEEP_INIT:
            d.tree_asleep[t] = -1
    fall_asleep(m, d)
    for t in range(m.ntree):
        d.sleep_next[t] = d.tree_asleep[t]
        if m.tree_sleep_policy[t] == SLEEP_INIT and d.tree_asleep[t] < 0:
            d.sleep_next[t] = MOVING
    for k in range(m.nv):
        d.qacc_smooth[k] = 0.0
        d.qfrc_smooth[k] = 0.0
    d.nefc = 0
    d.ne = 0
    d.nf = 0
    d.nl = 0
    d.sol_nisland = 0
    d.sol_symbolic = 0


@kernel("m d i")
def restore_state(m, d, due):
    """Restore the saved state, with the sleepers of sleep_next; none where sleeping is switched off.

    Reads: rk_qpos, rk_qvel, sleep_next, sleep_qpos
    Writes: tree_asleep, qpos, qvel, and what note_awake writes
    """
    for t in range(m.ntree):
        d.tree_asleep[t] = d.sleep_next[t]
        if not may_sleep(m):
            d.tree_asleep[t] = MOVING
    note_awake(m, d)   # while qpos is that of the sleepers
    for k in range(m.nq):
        d.qpos[k] = d.rk_qpos[k]
    for k in range(m.nv):
        d.qvel[k] = d.rk_qvel[k]
