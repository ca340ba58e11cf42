"""Many steps in one call under given controls, each state and all sensor values kept: what rollouts are made of.

    rollout_ctrl     controls, one row of nu numbers per step; an empty array leaves ctrl as it is
    rollout_state    time qpos qvel act history after each step
    rollout_sensor   sensordata of each step

The arrays belong to the caller (physics/simulate/rollout.py binds them).
"""
from __future__ import annotations

from physics.engine.forward import step
from physics.engine.record import put
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off


@helper
def take_controls(m, d, k):
    """The controls of step k."""
    for i in range(m.nu):
        d.ctrl[i] = d.rollout_ctrl[k * m.nu + i]


@helper
def keep_step(m, d, k):
    """State and sensor values after step k."""
    row = off(d.rollout_state, k * (1 + m.nq + m.nv + m.na + m.nhistory))
    row[0] = d.time
    at = put(row, 1, off(d.qpos, 0), m.nq)
    at = put(row, at, off(d.qvel, 0), m.nv)
    at = put(row, at, off(d.act, 0), m.na)
    put(row, at, off(d.history, 0), m.nhistory)
    put(off(d.rollout_sensor, k * m.nsensordata), 0, off(d.sensordata, 0), m.nsensordata)


@kernel("m d i i i", ret="i")
def rollout_steps(m, d, done, n, driven):
    """Take the steps done .. n-1; returns how many of the n have been completed. driven != 0: controls come from rollout_ctrl.

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
