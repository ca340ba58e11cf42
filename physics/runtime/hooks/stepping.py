"""Steps with the user's functions around each, and such functions between two steps.

    before_step, control     what they wrote is noted     step     after_step     entry written again     next step

An entry is the state before the functions act on it: who runs on from there has them act again.

Only a run that has such functions takes its steps one by one; derived fields (xpos, sensordata, contacts) that they see are those of the step before, as in any
loop around a step.
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from physics.engine.user_writes import HELD_TOO, NO_ROOM
from physics.model.state_fields import ARRAYS
from physics.recording import journal
from physics.runtime.history.history import RESET
from physics.runtime.history.written import Written
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
    number, writes, inputs = sim.history.number, sim.history.writes(), []
    try:
        return _steps(sim, n, number, writes, inputs)
    finally:
        sim.note_written(number, writes.stretches(), inputs)


def _steps(sim, n: int, number: int, writes: Written, inputs: list) -> int:
    """inputs: takes what after_step writes, as (step, fields)."""
    m, d, hooks, history, tell, clock = sim.model, sim.data, sim.hooks, sim.history, sim.tell, writes.clock
    ours, engine, around, notes = Bookkeeping(d), None, hooks.around, bool(hooks.before)
    acquire, release = m.writes.lock.acquire, m.writes.lock.release     # a fourth of the time of `with`
    hooks.guard.here()
    expected, timestep = clock.value, m.opt_timestep
    near = NEAR * timestep
    for k in range(n):
        around(hooks.before, tell, m, d)
        now = clock.value
        if not -near < now - expected < near or now == 0.0:
            timestep = m.opt_timestep
            near = NEAR * timestep
            if ours.put_back(k) or now != history.time(len(history) - 1):
                history.jumps(RESET, "reset by a script")
        if notes and not sim.profiling:
            acquire()       # not around the functions: who waits for it would wait for them
            try:
                if m.engine_found is not engine or engine is None:
                    engine = engine_of(m)
                    advance = engine.advancing(m, d, writes.buffers)
                done = advance(k)
            finally:
                release()
            if done != 1:
                done = _uncommon(sim, writes, advance, k, done)
        else:
            if notes:
                writes.look(k, 1)
            done = sim.plain_steps(1)
        if done != 1:
            return k
        expected = now + timestep
        if not writes.holds:
            writes.holds = True
            history.note_held_at(number + k + 1)
        if hooks.after:
            expected = _after(sim, writes, inputs, ours, expected, near, number, k + 1)
    return n


def _after(sim, writes: Written, inputs: list, ours: Bookkeeping, expected: float, near: float, number: int, steps: int) -> float:
    """Call what comes after a step, and note what it writes; the time then [s]. number: of the entry before the first of so many steps."""
    hooks, history = sim.hooks, sim.history
    hooks.around(hooks.after, sim.tell, sim.model, sim.data)
    later = writes.clock.value
    jumped = (not -near < later - expected < near or later == 0.0) and (ours.put_back(steps) or later != history.time(len(history) - 1))
    if found := writes.look(steps):
        writes.holds = True     # noted with the entry
        inputs.append((steps, writes.copies(found)))
        writes.part()
        sim.data.rest_mocap()       # a later step from this entry cannot know where they were before
        history.record_again(number + steps)      # the newest entry as after_step has left the state
    if jumped:
        history.jumps(RESET, "reset by a script", newest=True)
    return later


def _uncommon(sim, writes: Written, advance: Callable[[int], int], k: int, done: int) -> int:
    """A step that was not just completed, as Engine.advancing tells: room was lacking, held inputs were written, or it diverged. Whether it is completed now."""
    while done == NO_ROOM:
        writes.grow()
        with sim.model.writes.lock:
            done = advance(k)
    if done >= HELD_TOO:
        writes.not_held()
        done -= HELD_TOO
    return done or (sim.plain_steps(1, 1) if step.grow(sim.data) else 0)


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
