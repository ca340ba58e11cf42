"""What was done to a run, in order: the inputs by step, so that doing it again from the start gives the same bits.

    physics thread: install, command, steps, show, ... --append--> Journal.ops --JournalReader--> companions, files, replay

Everything that writes to Data is here, as effects: commands that change something, steps, jumps to an entry of the history, Models. How long anything took is not: pacing
and the size of chunks change no bits.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from physics.model.state_fields import State

COMMAND = "command"     # value: the command (physics/runtime/commands.py)
STEPS = "steps"         # value: how many steps were taken
DIVERGED = "diverged"   # value: how many steps were tried, which diverged
SHOW = "show"           # value: number of the history's entry that is shown
BRANCH = "branch"       # value: id of the branch that is shown
SAME = "same"           # value: id of the branch that the line has become again, by the same steps
RUN = "run"             # value: whether time passes from now on
IDLE = "idle"           # value: how often what follows from the state was computed while paused
INPUT = "input"         # value: {field of Data: numbers}, written by a script into the present state
DRIVEN = "driven"       # value: the same, for the next step alone: no part of the entry that it begins with
DRIVEN_STEPS = "driven steps"   # value: {field of Data: a row of numbers for each of several steps}: written before each of them, as DRIVEN, and the step taken
INSTALL = "install"     # value: Installed


class Installed(NamedTuple):
    """A Model that runs from now on. model: its number in the store (ModelStore); state: what it begins with, key: keyframe that resets go to, border: kind and text of the
    history's mark, None for another document; values: what was set in the window and differs from the file, as (target, value of the file, value); settings: of the run,
    by name (noise, what happens at divergence, whether time passes), so that ops can be done from here on where the document is another."""

    model: int
    state: State
    key: int | None
    border: tuple[str, str] | None
    values: tuple[tuple[Any, Any, Any], ...] = ()
    settings: tuple[tuple[str, Any], ...] = ()


class Op(NamedTuple):
    """One thing that was done. number: of the history's present entry then; time: simulated [s]."""

    kind: str
    value: Any
    number: int
    time: float


def steps_of(op: Op) -> int:
    """How many steps were taken with an op that can be done in parts (`part_of`); 0 for the others."""
    if op.kind == STEPS:
        return op.value
    return len(next(iter(op.value.values()))) if op.kind == DRIVEN_STEPS else 0


def part_of(op: Op, start: int, n: int) -> Op:
    """The n steps from step `start` on of an op that has steps."""
    value = n if op.kind == STEPS else {name: rows[start:start + n] for name, rows in op.value.items()}
    return op._replace(value=value, number=op.number + start)


def one_by_one(op: Op) -> Iterator[Op]:
    """DRIVEN_STEPS as what is done for each of its steps: DRIVEN, then STEPS with one."""
    for k in range(steps_of(op)):
        yield Op(DRIVEN, {name: rows[k] for name, rows in op.value.items()}, op.number + k, op.time)
        yield Op(STEPS, 1, op.number + k, op.time)


class Journal:
    """Ops of one run, oldest first. Appended to by the physics thread alone; others read it by a JournalReader, at any time."""

    def __init__(self):
        self.ops: list[Op] = []
        self.gone = 0       # ops that are in a file and not in memory any more
        self.missing = 0    # ops of a recording before these that it does not have

    def __len__(self) -> int:
        return self.gone + len(self.ops)

    def add(self, kind: str, value: Any, number: int, time: float) -> None:
        """Note one op; steps after steps, and idle turns after idle turns, become one."""
        last = self.ops[-1] if self.ops else None
        if last is not None and last.kind == kind and kind in (STEPS, IDLE):
            self.ops[-1] = last._replace(value=last.value + value)
        else:
            self.ops.append(Op(kind, value, number, time))

    def extend(self, ops: list[Op]) -> None:
        """Note several, of which no two neighbours are steps."""
        if ops:
            self.add(*ops[0])
            self.ops += ops[1:]

    def begin(self) -> None:
        """Another document: what was done before is no part of it."""
        self.gone += len(self.ops)
        self.ops = []

    def restart(self, ops: Iterable[Op], gone: int = 0) -> None:
        """Other ops in place of these: those of a recording, of which the first `gone` are not there."""
        ops = list(ops)
        self.gone, self.ops, self.missing = len(self), ops, gone

    def drop(self, until: int) -> None:
        """Forget the ops before place `until`, which are kept elsewhere."""
        n = max(0, min(until - self.gone, len(self.ops) - 1))
        if n:
            self.ops = self.ops[n:]     # another list: who reads the old one is not disturbed
            self.gone += n


class JournalReader:
    """A place in a journal. `read` gives what was done since the last call; steps are given as far as they have been taken."""

    def __init__(self, journal: Journal, place: int | None = None):
        """place: 0 is the beginning; None: from now on."""
        self._journal = journal
        self.place = len(journal) if place is None else place
        self._taken = 0
        if place is None and journal.ops and journal.ops[-1].kind in (STEPS, IDLE):
            self.place, self._taken = self.place - 1, journal.ops[-1].value

    def again(self) -> JournalReader:
        """Another reader at the same place."""
        other = JournalReader(self._journal, self.place)
        other._taken = self._taken
        return other

    def all(self) -> list[Op]:
        """All that is new; where the oldest of it is not in memory any more, from there on. For the thread that appends."""
        if self.place < self._journal.gone:
            self.place, self._taken = self._journal.gone, 0
        return self.read(len(self._journal) + 1)

    def read(self, most: int = 1000) -> list[Op]:
        """At most so many ops. Raises LookupError where they are not in memory any more."""
        journal = self._journal
        ops, gone = journal.ops, journal.gone
        if journal.ops is not ops:      # dropped in between
            ops, gone = journal.ops, journal.gone
        start = self.place - gone
        if start < 0:
            raise LookupError("the journal begins later")
        found: list[Op] = []
        part = ops[start:start + most]
        for op in part:
            if op.kind not in (STEPS, IDLE):
                found.append(op)
            elif op.value > self._taken:
                found.append(op._replace(value=op.value - self._taken, number=op.number + (self._taken if op.kind == STEPS else 0)))
            self.place, self._taken = self.place + 1, 0
        if part and part[-1].kind in (STEPS, IDLE):     # it may still grow
            self.place, self._taken = self.place - 1, part[-1].value
        return found
