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
from physics.runtime.history import RESET
from physics.runtime.hooks.hook import Hook

KEPT = ("noise_scale", "noise_rate", "noise_seed", "record_stride", "record_cap", "record_end", "trace_cap", "trace_end", "trace_count", "trace_pairs")


class Bookkeeping:
    """What our own records need in Data, and a function of the user's may wipe out by resetting it."""

    def __init__(self, d):
        self._d = d
        self.note()

    def note(self) -> None:
        """As it is now."""
        d = self._d
        self._cap, self.time = d.record_cap, d.time
        self._kept = tuple(getattr(d, name) for name in KEPT) if self._cap else ()

    def jumped(self, steps: int = 0) -> bool:
        """Whether the user's functions have reset Data or set its time since it was `time`; so many steps were recorded since `note`. What is ours is put back."""
        d, time = self._d, self._d.time
        if time == self.time and time != 0.0:
            return False
        reset = d.record_cap != self._cap
        if reset:
            for name, value in zip(KEPT, self._kept, strict=True):
                setattr(d, name, value)
            d.record_end += steps
            if d.trace_cap:
                d.trace_end += steps
        return reset or time != self.time


def hooked_steps(sim, n: int) -> int:
    """Take up to n steps of a Simulation whose history has room for them; the number completed."""
    m, d, hooks, history, tell = sim.model, sim.data, sim.hooks, sim.history, sim.tell
    number, ours, steps = history.number, Bookkeeping(d), sim.plain_steps
    for k in range(n):
        if hooks.before:
            for hook in hooks.before:
                hooks.call(hook, tell, m, d)
            if ours.jumped(k):
                history.jumps(RESET, "reset by a script")
            sim.note_written(journal.DRIVEN, number + k, history.written(number + k))
        if steps(1) == 0:
            return k
        ours.time = d.time
        if hooks.after:
            history.hold_at(number + k + 1)
            for hook in hooks.after:
                hooks.call(hook, tell, m, d)
            if ours.jumped(k + 1):
                history.jumps(RESET, "reset by a script", newest=True)
            sim.note_written(journal.INPUT, number + k + 1, history.written(number + k + 1))
            history.record_again(number + k + 1)
            ours.time = d.time
        else:
            history.hold_at(number + k + 1)
    return n


def call_between(sim, hook: Hook, *arguments) -> None:
    """Call a function of the user's between two steps; what it writes into Data counts as set by hand."""
    d = sim.data
    if sim.stale and not sim.running:
        sim.catch_up()
    before, ours = _state(d), Bookkeeping(d)
    sim.hooks.call(hook, sim.tell, *arguments)
    ours.jumped()
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
