"""Doing a run again from its inputs: the same ops on a fresh Simulation, and where the states that come of it differ from those that were recorded.

On the machine and with the versions that recorded it, every number is the same, bit for bit; else it is told where the first one is not.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.model.model import Model
from physics.recording import journal
from physics.recording.journal import Installed, Op
from physics.recording.track import HEAD, Track
from physics.runtime import targets
from physics.runtime.changed_values import ChangedValues
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation

HISTORY = 1 << 34   # bytes: nothing is forgotten


@dataclass(frozen=True, slots=True)
class Difference:
    """The first number that is not as recorded. step: number of the entry in its branch's way; field: of Data ('time', 'qpos', ...), index in it."""

    branch: int
    step: int
    time: float
    field: str
    index: int
    recorded: float
    again: float

    def __str__(self) -> str:
        return (f"step {self.step} (branch {self.branch}, {self.time:.6g} s): {self.field}[{self.index}] is {self.again!r}, recorded was {self.recorded!r}, "
                f"{abs(self.again - self.recorded):.3g} apart")


class Redo:
    """Ops one after the other on a Simulation of its own. load: the Model of a number, a fresh one each time (ModelStore.load). Kernels must be compiled."""

    def __init__(self, load: Callable[[int], Model], simulation: Simulation | None = None):
        self._load = load
        self.simulation = simulation or Simulation(history_bytes=HISTORY, ready=True)
        self.simulation.redone = True

    def do(self, ops: Iterable[Op]) -> None:
        """Raises LookupError for a Model that is not there, and what loading one raises."""
        for op in ops:
            TABLE[op.kind](self, op)
            self.simulation.events.clear()

    def install(self, begun: Installed) -> None:
        sim, model = self.simulation, self._load(begun.model)
        for target, _file_value, value in begun.values:
            targets.write(model, target, value)
        sim.install(model, begun.state, begun.key, begun.border)
        sim.values = ChangedValues.of(begun.values)
        if begun.border is None:
            sim.take_settings(begun.settings)
            sim.history.note_held()      # the first entry has them too

    def command(self, op: Op) -> None:
        perform(self.simulation, op.value)

    def steps(self, op: Op) -> None:
        self.simulation.take(op.value)

    def show(self, op: Op) -> None:
        self.simulation.show_entry(op.value - self.simulation.history.gone)

    def idle(self, op: Op) -> None:
        for _ in range(op.value):
            self.simulation.idle()

    def inputs(self, op: Op) -> None:
        self.drive(op)
        self.simulation.edited()

    def driven_steps(self, op: Op) -> None:
        for one in journal.one_by_one(op):
            TABLE[one.kind](self, one)

    def drive(self, op: Op) -> None:
        write_inputs(self.simulation.data, op.value)


def write_inputs(d, fields: Mapping[str, np.ndarray]) -> None:
    """Put what a script has written, {field: numbers}, into a Data."""
    for name, numbers in fields.items():
        if name == "time":
            d.time = float(numbers[0])
        else:
            getattr(d, name).reshape(-1)[:] = np.ravel(numbers)


TABLE: Mapping[str, Callable[[Redo, Op], None]] = MappingProxyType({
    journal.INSTALL: lambda redo, op: redo.install(op.value), journal.COMMAND: Redo.command, journal.STEPS: Redo.steps, journal.DIVERGED: Redo.steps, journal.SHOW: Redo.show,
    journal.BRANCH: lambda redo, op: redo.simulation.switch(op.value), journal.RUN: lambda redo, op: redo.simulation.set_running(op.value), journal.IDLE: Redo.idle,
    journal.INPUT: Redo.inputs, journal.DRIVEN: Redo.drive, journal.DRIVEN_STEPS: Redo.driven_steps,
    journal.SAME: lambda redo, op: redo.simulation.history.branches.take_back(op.value),
})


def first_difference(recorded: Mapping[int, Track], again: Mapping[int, Track]) -> Difference | None:
    """Compare states by branch, bit for bit, where both have them; the difference that comes first in the order of branches. Entries that one of both has not are none."""
    for branch in sorted(recorded):
        found = _difference(branch, recorded[branch], again.get(branch, Track()))
        if found is not None:
            return found
    return None


def _difference(branch: int, recorded: Track, again: Track) -> Difference | None:
    for piece in recorded.pieces:
        for other in again.pieces:
            start, end = max(piece.number, other.number), min(piece.number + len(piece.rows), other.number + len(other.rows))
            if start >= end:
                continue
            mine, theirs = piece.rows[start - piece.number:end - piece.number], other.rows[start - other.number:end - other.number]
            if mine.shape != theirs.shape:
                return Difference(branch, start, float(mine[0, 0]), "number of coordinates", 0, mine.shape[1], theirs.shape[1])
            differ = np.ascontiguousarray(mine).view(np.int64) != np.ascontiguousarray(theirs).view(np.int64)
            if differ.any():
                row, column = (int(k[0]) for k in np.nonzero(differ))
                field, index = _field(piece, column)
                return Difference(branch, start + row, float(mine[row, 0]), field, index, float(mine[row, column]), float(theirs[row, column]))
    return None


def _field(piece, column: int) -> tuple[str, int]:
    if column < HEAD:
        return ("time", "noise_step")[column], 0
    column -= HEAD
    for name, count in piece.layout.parts.items():
        if column < count:
            return name, column
        column -= count
    raise IndexError(column)


def tracks(simulation: Simulation) -> dict[int, Track]:
    """The states of all branches of a run, the line's own way under its id."""
    history = simulation.history
    return {info.id: history.track(info.id) for info in history.told_branches()}
