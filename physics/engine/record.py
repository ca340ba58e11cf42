"""One entry of the history per step: what is needed to take the next step again, bit for bit.

    record:  | entry 0 | entry 1 | ... | entry record_cap - 1 |   ring of record_cap rows, record_stride numbers each
    entry:   time noise_step qpos qvel act history qacc_warmstart ctrl mocap_pos mocap_quat ctrl_noise tree_asleep

The order is that of physics/model/state_fields.py (RECORDED), by which physics/runtime/history/history.py reads entries.
"""
from __future__ import annotations

from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off

HEAD = 2  # time, noise_step


@helper
def put(row, k, values, n):
    """row[k:k+n] = values[:n]; the next place."""
    for i in range(n):
        row[k + i] = values[i]
    return k + n


@kernel()
def record_state(m, d):
    """Append the present state to the record.

    Reads: time, noise_step, qpos, qvel, act, history, qacc_warmstart, ctrl, mocap_pos, mocap_quat, ctrl_noise, tree_asleep, record_end,
        record_cap, record_stride
    Writes: record, record_end
    """
    if d.record_cap <= 0:
        return
    row = off(d.record, (d.record_end % d.record_cap) * d.record_stride)
    row[0] = d.time
    row[1] = float(d.noise_step)
    k = put(row, HEAD, off(d.qpos, 0), m.nq)
    k = put(row, k, off(d.qvel, 0), m.nv)
    k = put(row, k, off(d.act, 0), m.na)
    k = put(row, k, off(d.history, 0), m.nhistory)
    k = put(row, k, off(d.qacc_warmstart, 0), m.nv)
    k = put(row, k, off(d.ctrl, 0), m.nu)
    k = put(row, k, off(d.mocap_pos, 0), 3 * m.nmocap)
    k = put(row, k, off(d.mocap_quat, 0), 4 * m.nmocap)
    k = put(row, k, off(d.ctrl_noise, 0), m.nu)
    k = put(row, k, off(d.tree_asleep, 0), m.ntree)
    d.record_end = d.record_end + 1
