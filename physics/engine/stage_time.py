"""Time stamps between the stages of a step, by compiled code alone: what Data.cb_stage is while the profiler is shown.

    stage k ends -> stage_ends (stage_clock.py) -> add_stage_time: stage_time[k] += now - stage_since, stage_since = now

The interpreter is not asked, so that neither its lock nor its pace is in the figures; a stamp costs some 30 ns.
"""
from __future__ import annotations

from physics.kernels.clock import read_clock
from physics.kernels.decorators import kernel


@kernel()
def add_stage_time(m, d):
    """Count the time since the last mark for the stage that has ended (cb_id; -1: what went before belongs to none).

    Reads: cb_id, clock_address, clock_kind, stage_since
    Writes: stage_time, stage_since
    """
    now = read_clock(d.clock_address, d.clock_kind)
    stage = d.cb_id
    if 0 <= stage < 32:
        d.stage_time[stage] += float(now - d.stage_since)
    d.stage_since = now
