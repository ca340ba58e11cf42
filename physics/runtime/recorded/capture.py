"""What a running Simulation has, as a Recording of views: quick enough for the physics thread, as nothing of the states is copied."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType

from physics.recording import journal
from physics.recording.journal import JournalReader, Op
from physics.recording.models import ModelStore
from physics.recording.recording import NOTHING, RecordedBranch, RecordedHeld, RecordedMark, RecordedModel, Recording
from physics.recording.spool import PresentRow
from physics.recording.track import Track
from physics.runtime.history.branches import Tail
from physics.runtime.recorded.command_text import CODEC, line_of


@dataclass(frozen=True, slots=True)
class Taken:
    """recording: without inputs and Models; store: of its Models; ops: those that it comes from, or those since the last time; changed: numbers of entries set by hand since then; document: whose
    Model runs; fresh: whether that is another one since the last time, so that all before is another run's; present: the row of the present entry, which may be changed by hand before it is
    written: that is an input that has not been taken."""

    recording: Recording
    ops: tuple[Op, ...]
    store: ModelStore
    changed: frozenset[int] = frozenset()
    document: object = None
    fresh: bool = True
    present: PresentRow | None = None

    @property
    def lines(self) -> tuple[str, ...]:
        """The ops as lines; not for the physics thread, as there may be many."""
        return tuple(map(line_of, self.ops))

    def whole(self, texts: Mapping[int, Mapping[str, str]] = NOTHING, **more) -> Recording:
        """The recording with its inputs, of the Models that occur in it only. texts: of each Model, by number; more: other fields of the Recording. Not for the physics thread."""
        return replace(self.recording, inputs=self.lines, models=self.models(self.numbers(), texts), **more)

    def numbers(self) -> set[int]:
        """Of the Models that occur in it."""
        of_ops = {op.value.model for op in self.ops if op.kind == journal.INSTALL}
        return {self.recording.running} | of_ops | {piece.model for branch in self.recording.branches for piece in branch.track.pieces}

    def models(self, numbers: Iterable[int], texts: Mapping[int, Mapping[str, str]] = NOTHING) -> tuple[RecordedModel, ...]:
        """Those of these Models that are kept; waits until they are written."""
        found = []
        for number in sorted(numbers):
            with suppress(LookupError):
                found.append(RecordedModel(number, self.store.parts(number), texts.get(number, NOTHING)))
        return tuple(found)


def capture(sim, reader: JournalReader | None = None) -> Taken | None:
    """What there is now; None without a Model. reader: only what it has not read yet comes as ops. To be called by the thread that runs the Simulation."""
    if sim.model is None or not len(sim.history):
        return None
    ops, fresh, gone = _ops(sim.journal, reader)
    history = sim.history
    line = history.line()
    shown, fork, kind, text = history.branches.shown
    branches = [_branch(info.id, info.parent, info.fork, info.kind, info.text, history.branches.tail(info.id)) for info in history.told_branches() if not info.shown]
    branches.append(_branch(shown, 0, fork, kind, text, line))
    running = sim.models.add(sim.model)
    changed = history.take_changed(reader) if reader is not None else frozenset()
    about = MappingProxyType({"timestep": repr(sim.model.opt_timestep)})
    recording = Recording(tuple(sorted(branches, key=lambda branch: branch.id)), shown, running, inputs_gone=gone, again=history.again, last=history.branches.last,
                          values=CODEC.text(sim.values.items(sim.model)), start_key=sim.start_key, about=about)
    return Taken(recording, ops, sim.models, changed, sim.document, fresh, PresentRow.of(history.row()))


def _ops(all_ops: journal.Journal, reader: JournalReader | None) -> tuple[tuple[Op, ...], bool, int]:
    """(ops, whether a document begins in them, how many of this document are not there)."""
    if reader is None:
        ops, gone = tuple(all_ops.ops), all_ops.gone + all_ops.missing
    else:
        ops, gone = tuple(reader.all()), all_ops.missing
    begin = next((k for k in range(len(ops) - 1, -1, -1) if ops[k].kind == journal.INSTALL and ops[k].value.border is None), None)
    return (ops, False, gone) if begin is None else (ops[begin:], True, 0)


def _branch(number: int, parent: int, fork: int, kind: str, text: str, tail: Tail) -> RecordedBranch:
    return RecordedBranch(number, parent, fork, kind, text, Track(tuple(piece for piece in tail.pieces if len(piece.rows))), tuple(RecordedMark(*mark) for mark in tail.marks),
                          tuple(RecordedHeld(*note) for note in tail.held))

