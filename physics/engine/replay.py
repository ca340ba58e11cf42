"""Recorded states once more: all that follows from each, without taking a step.

    record   entries as record.py writes them   --load_entry, evaluate-->   trace   the numbers that a step from that state has
"""
from __future__ import annotations

from physics.engine.forward import evaluate
from physics.engine.record import HEAD
from physics.engine.sleep.awake import may_sleep, note_awake
from physics.engine.trace import trace_values
from physics.enums import STAGE_NONE
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off


@helper
def fetch(row, k, values, n):
    """values[:n] = row[k:k+n]; the next place."""
    for i in range(n):
        values[i] = row[k + i]
    return k + n


@helper
def load_entry(m, d, entry):
    """Make an entry of the record the present state; what sleeps there sleeps where it is."""
    row = off(d.record, entry * d.record_stride)
    d.time = row[0]
    d.noise_step = int(row[1])
    k = fetch(row, HEAD, off(d.qpos, 0), m.nq)
    k = fetch(row, k, off(d.qvel, 0), m.nv)
    k = fetch(row, k, off(d.act, 0), m.na)
    k = fetch(row, k, off(d.history, 0), m.nhistory)
    k = fetch(row, k, off(d.qacc_warmstart, 0), m.nv)
    k = fetch(row, k, off(d.ctrl, 0), m.nu)
    k = fetch(row, k, off(d.mocap_pos, 0), 3 * m.nmocap)
    k = fetch(row, k, off(d.mocap_quat, 0), 4 * m.nmocap)
    k = fetch(row, k, off(d.ctrl_noise, 0), m.nu)
    asleep = 0
    for t in range(m.ntree):
        d.tree_asleep[t] = int(row[k + t])
        if d.tree_asleep[t] >= 0:
            asleep = 1
    if may_sleep(m):
        d.sleep_due = 0
        if asleep == 1:
            for i in range(m.nq):
                d.sleep_qpos[i] = d.qpos[i]
            d.sleep_due = 2     # forward.compute_sleep_state finds what sleepers keep
        else:
            note_awake(m, d)


@kernel("m d i i", ret="i")
def replay_states(m, d, first, n):
    """Compute what follows from the entries first .. first + n - 1 of the record, each by itself, and append the chosen numbers of each to the trace.

    Returns how many were completed: fewer where room was lacking or a callback has raised.

    Reads: record, record_stride, and what evaluate and trace_values read
    Writes: time, noise_step, qpos, qvel, act, history, qacc_warmstart, ctrl, mocap_pos, mocap_quat, ctrl_noise, tree_asleep, sleep_qpos, sleep_due,
        and what evaluate, note_awake and trace_values write
    """
    for k in range(n):
        load_entry(m, d, first + k)
        if evaluate(m, d, STAGE_NONE, 1) == 0 or d.cb_error != 0:
            return k
        trace_values(m, d)
    return n
