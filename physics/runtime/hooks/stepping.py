"""Steps with the user's functions around each, and such functions between two steps.

    before_step, control     what they wrote is noted     step     after_step     entry written again     next step

An entry is the state before the functions act on it: who runs on from there has them act again.

Only a run that has such functions takes its steps one by one; derived fields (xpos, sensordata, contacts) that they see are those of the step before, as in any
loop around a step.
"""
from __future__ import annotations

import numpy as np

from physics.model.state_fields import ARRAYS
from physics.recording import journal
from physics.runtime.history.history import RESET
from physics.runtime.hooks.hook import Hook
from physics.simulate import step
from physics.simulate.engines import engine_of

KEPT = ("noise_scale", "noise_rate", "noise_seed", "record_stride", "record_cap", "record_end", "trace_cap", "trace_end", "trace_count", "trace_pairs")
NEAR = 1e-6     # of a time step: that times of neighbouring entries are rounded


class Bookkeeping:
    """What our own records need in Data, and a function of the user's may wipe out by resetting it."""

    def __init__(self, d):
        self._d, self._cap = d, d.record_cap
        self._kept = tuple(getattr(d, name) for name in KEPT)

    def put_back(self, steps: int = 0) -> bool:
        """Whether Data was reset since, after so many steps that were recorded; what is ours is as it should be then."""
        d = self._d
        if d.record_cap == self._cap:
            return False
        for name, value in zip(KEPT, self._kept, strict=True):
            setattr(d, name, value)
        d.record_end += steps
        if d.trace_cap:
            d.trace_end += steps
        return True


def hooked_steps(sim, n: int) -> int:
    """Take up to n steps of a Simulation whose history has room for them; the number completed."""
    m, d, hooks, history, tell = sim.model, sim.data, sim.hooks, sim.history, sim.tell
    number, ours, lock, writes = history.number, Bookkeeping(d), m.writes.lock, history.writes()
    hooks.guard.here()
    expected, timestep = d.time, m.opt_timestep
    for k in range(n):
        hooks.around(hooks.before, tell, m, d)
        now = d.time
        if abs(now - expected) > NEAR * timestep or now == 0.0:
            timestep = m.opt_timestep
            if ours.put_back(k) or now != history.time(len(history) - 1):
                history.jumps(RESET, "reset by a script")
        if hooks.before and (written := writes.look(k, now)):
            sim.note_written(journal.DRIVEN, number + k, written)
        if sim.profiling:
            done = sim.plain_steps(1)
        else:
            with lock:      # not around the functions: who waits for it would wait for them
                done = (m.engine_found or engine_of(m)).advance(m, d, 1, 0)
            if done != 1:
                done = sim.plain_steps(1, 1) if step.grow(d) else 0
        if done != 1:
            return k
        expected = now + timestep
        if not writes.holds:
            writes.holds = True
            history.note_held_at(number + k + 1)
        if hooks.after:
            hooks.around(hooks.after, tell, m, d)
            later = d.time
            jumped = (abs(later - expected) > NEAR * timestep or later == 0.0) and (ours.put_back(k + 1) or later != history.time(len(history) - 1))
            expected = later
            if written := writes.look(k + 1, later):
                writes.holds = True     # noted with the entry
                sim.note_written(journal.INPUT, number + k + 1, written)
                history.record_again(number + k + 1)      # the newest entry as after_step has left the state
            if jumped:
                history.jumps(RESET, "reset by a script", newest=True)
    return n


def call_between(sim, hook: Hook, *arguments) -> None:
    """Call a function of the user's between two steps; what it writes into Data counts as set by hand."""
    d = sim.data
    if sim.stale and not sim.running:
        sim.catch_up()
    before, ours = _state(d), Bookkeeping(d)
    sim.hooks.call(hook, sim.tell, *arguments)
    ours.put_back()
    if _state(d) != before:
        sim.note(journal.INPUT, {"time": np.array([d.time]), **{name: np.array(getattr(d, name)) for name in ARRAYS}})
        sim.edited()


def call_all(sim, kind: str, hooks: tuple[Hook, ...] | None = None) -> None:
    """Call the functions of a kind with (m, d) between two steps, all or these of them."""
    if sim.data is not None:
        for hook in sim.hooks.of(kind):
            if hooks is None or hook in hooks:
                call_between(sim, hook, sim.model, sim.data)


def _state(d) -> list:
    return [d.time, *(getattr(d, name).tobytes() for name in ARRAYS)]
