"""A companion that runs on by itself from an earlier entry of a run that has diverged, with values of its own: whether it survives is seen while the primary stands still.

It has a clock of its own and follows no journal: recorded inputs at their times, then those of the step that was refused.
"""
from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import model_beside, put_live_values
from physics.recording.last_steps import LastSteps, put_inputs
from physics.recording.trace import Trace
from physics.runtime import events
from physics.runtime.companions.companion import DIVERGED, NAP, PAUSED, PREPARING, RUNNING, Companion, CompanionState, nothing, now
from physics.runtime.perform import perform
from physics.runtime.runner import Runner
from physics.runtime.simulation import CHUNK, Simulation

HISTORY, TRACE = 32 << 20, 16 << 20     # bytes
PUBLISH = 1 / 120       # s between two Snapshots


@dataclass(frozen=True, slots=True)
class Beginning:
    """steps: of the run that diverged; row: from where; commands: values of its own; prepare: changes its Model before it begins, where no command can; clamp: called with Data
    whenever inputs were written, to hold them within bounds; speed: simulated seconds per second, None for as fast as possible."""

    steps: LastSteps
    row: int
    commands: tuple = ()
    prepare: Callable[[Model], None] | None = None
    clamp: Callable[[Data], None] | None = None
    speed: float | None = 1.0


class RewoundCompanion(Companion):
    """changes: the commands by which it differs; refused: why values that were asked for are not there."""

    def __init__(self, primary: Runner, beginning: Beginning):
        super().__init__(primary)
        self._beginning = beginning
        self._simulation: Simulation | None = None
        self._drawn: Callable[[], Model | None] = weakref.ref(beginning.steps.model) if beginning.prepare is None else nothing
        self._row, self._next = beginning.row, 0.0
        self.changes: tuple = ()
        self.refused: tuple[str, ...] = ()

    @property
    def drawn(self) -> Model | None:
        """As of Companion."""
        return self._drawn()

    # ------------------------------------------------ its own thread

    def _begin(self) -> None:
        begun, steps = self._beginning, self._beginning.steps
        model = model_beside(steps.model)
        if steps.live:
            put_live_values(model, steps.live)
        if begun.prepare is not None:
            begun.prepare(model)
        sim = self._simulation = Simulation(history_bytes=HISTORY)
        sim.trace = Trace(TRACE)
        sim.pacing.speed = begun.speed
        sim.install(model)
        steps.put(sim.data, begun.row)
        self._clamp()
        sim.history.begin(model, sim.data, f"companion from {sim.data.time:.6g} s")
        for command in begun.commands:
            before = len(sim.events)
            perform(sim, command)
            said = next((event.text for event in list(sim.events)[before:] if event.kind in (events.REFUSED, events.ERROR)), "")
            self.refused = (*self.refused, said) if said else self.refused
            self.changes = self.changes if said else (*self.changes, command)
        sim.look_for_kernels()
        sim.set_running(True)

    def _trace(self, texts: tuple[str, ...]) -> None:
        self._simulation.choose_traced(texts)

    def _turn(self) -> float:
        sim = self._simulation
        wait = self._advance() if sim.running and (sim.ready or sim.look_for_kernels()) else NAP
        sim.events.clear()
        sim.journal.drop(len(sim.journal))
        if now() >= self._next and (sim.changed or self._told() != self.state):
            self.state = self._told()
            self._publish(sim.model, sim.data, sim.generation, sim.show)
            self._next = now() + PUBLISH
        return min(wait, max(1e-4, self._next - now())) if sim.changed else wait

    def _advance(self) -> float:
        """Simulate what is due, for a millisecond at most, and not beyond the moment at which inputs are others."""
        sim, steps = self._simulation, self._beginning.steps
        d, h = sim.data, float(sim.model.opt_timestep)
        while self._row + 1 < len(steps) and steps.time[self._row + 1] <= d.time + 1e-6 * h:
            self._row += 1
            put_inputs(d, steps.inputs_of(self._row))
            self._clamp()
        due = sim.pacing.due(d.time, h)
        if due <= 0:
            return max(0.0, sim.pacing.wait(d.time))
        room = max(1, int(CHUNK / sim.step_cost)) if sim.step_cost else 1
        if due < float("inf"):
            room = min(room, max(1, ceil(due / h)))
        if self._row + 1 < len(steps):
            room = min(room, max(1, ceil((steps.time[self._row + 1] - d.time) / h - 1e-6)))
        sim.take(min(room, 100_000))
        sim.pacing.mark(d.time)
        return 0.0

    def _clamp(self) -> None:
        if self._beginning.clamp is not None:
            self._beginning.clamp(self._simulation.data)

    def _told(self) -> CompanionState:
        sim = self._simulation
        status = RUNNING if sim.running else DIVERGED if sim.message else PAUSED
        if sim.running and not sim.ready:
            status = PREPARING
        return CompanionState(status, sim.message, float(sim.data.time), 0.0, 1e6 * sim.step_cost, sim.pacing.measured() if sim.running else 0.0)
