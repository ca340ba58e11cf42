"""A recording that runs on: its states as the history of a Simulation, its inputs as the journal. What a file says is checked before anything is believed."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from physics.engine.sleep.awake import MOVING
from physics.errors import ModelError
from physics.model.live_fields import LIVE_FIELDS
from physics.model.model import Model
from physics.recording import journal
from physics.recording.errors import RecordingError
from physics.recording.journal import Op
from physics.recording.models import ModelStore
from physics.recording.recording import HELD_ARRAYS, RecordedBranch, RecordedHeld, Recording, whole_way
from physics.recording.track import TrackPiece
from physics.runtime import commands, events, perturbation, set_values, targets
from physics.runtime.history.branches import LINE, Branches, Tail
from physics.runtime.changed_values import ChangedValues
from physics.runtime.checked import Refused
from physics.runtime.history.held_inputs import Held
from physics.runtime.recorded.command_text import MOST, ops_of, values_of
from physics.runtime.history.state_layout import StateLayout

MOST_SEED = 1 << 32


@dataclass(frozen=True, slots=True)
class Prepared:
    """A recording that is known to fit its Models. store: its Models, by the numbers they have there; model: the one that runs; line, branches, again: for a History;
    ops: its inputs; values: what was set in the window and differs from the file."""

    store: ModelStore
    model: Model
    line: Tail
    shown: tuple[int, int, str, str]
    branches: tuple[tuple[Any, Tail], ...]
    again: int | None
    last: int
    ops: tuple[Op, ...]
    gone: int
    values: tuple[tuple[targets.Target, Any, Any], ...]
    start_key: int | None


def prepare(recording: Recording, folder: Path, compile_texts: Callable[[Mapping[str, str]], Model] | None = None) -> Prepared:
    """Load the Models and check states and inputs against them; for a thread of its own. folder: where the Models' files go.

    compile_texts: makes a Model from its texts where its file is of another version. Raises RecordingError with the field, OSError.
    """
    store = ModelStore(folder)
    store.adopt({model.number: model.content() for model in recording.models})
    check_tree(recording)
    running = recording.running if recording.running >= 0 else recording.line.track.pieces[-1].model
    ops = ops_of(recording.inputs)
    models = _Models(recording, store, ops, running, compile_texts)
    models.check_inputs()
    model = models.running()
    _unset(model, running, ops)
    _edit(model, running, ops)
    values = values_of(recording.values)
    for k, (target, file_value, value) in enumerate(values):
        check_target(model, target, f"values/{k}")
        _write(model, target, file_value, f"values/{k}")
        _write(model, target, value, f"values/{k}")
    store.take(running, model)
    if recording.start_key is not None and not 0 <= recording.start_key < model.nkey:
        raise RecordingError(f"the model has no keyframe {recording.start_key}", field="start_key")
    tails = {branch.id: models.tail(branch) for branch in recording.branches}
    branches = tuple((branch, tails[branch.id]) for branch in recording.branches if branch.id != recording.shown)
    line = recording.line
    return Prepared(store, model, tails[line.id], (line.id, line.fork, line.kind, line.text), branches, recording.again, recording.last, ops, recording.inputs_gone,
                    values, recording.start_key)


def _unset(model: Model, number: int, ops: tuple[Op, ...]) -> None:
    """Put back what the file says of values that the window had set before: a Model is kept as it was when it began to run."""
    begun = next((op.value for op in reversed(ops) if op.kind == journal.INSTALL and op.value.model == number), None)
    for target, file_value, _value in begun.values if begun is not None else ():
        _write(model, target, file_value, f"models/{number}")


def _edit(model: Model, number: int, ops: tuple[Op, ...]) -> None:
    """Write what edits of the text have changed in a Model since it began to run."""
    begun = max((k for k, op in enumerate(ops) if op.kind == journal.INSTALL and op.value.model == number), default=0)
    for k, op in enumerate(ops[begun:], begun + 1):
        if op.kind == journal.COMMAND and type(op.value) is commands.SetFields:
            try:
                set_values.write_fields(model, op.value)
            except Refused as why:
                raise RecordingError(f"cannot be set: {why}", field=f"inputs/{k}") from None


def _write(model: Model, target: targets.Target, value, field: str) -> None:
    try:
        targets.write(model, target, value)
    except (Refused, ValueError, TypeError, OverflowError, IndexError) as why:
        raise RecordingError(f"cannot be set: {why}", field=field) from None


def check_tree(recording: Recording) -> None:
    """Raises RecordingError where branches do not hang together."""
    numbers = [branch.id for branch in recording.branches]
    if len(set(numbers)) < len(numbers) or recording.shown not in numbers or min(numbers) < 1:
        raise RecordingError(f"the numbers of its branches are {numbers[:20]}", field="branches")
    for branch in recording.branches:
        field, seen = f"branches/{branch.id}", {branch.id}
        parent = branch.parent
        while parent not in (LINE, recording.shown):
            if parent in seen or parent not in numbers:
                raise RecordingError(f"hangs on branch {parent}, which is not there or hangs on it", field=field)
            seen.add(parent)
            parent = recording.branch(parent).parent
        _check_numbers(branch, field)
    whole_way(recording, recording.shown)


def _check_numbers(branch: RecordedBranch, field: str) -> None:
    """Entries are numbered one by one."""
    pieces = branch.track.pieces
    if not pieces or not all(len(piece.rows) for piece in pieces):
        raise RecordingError("has no states", field=field)
    if pieces[0].number < 0 or pieces[0].number > MOST or not -1 <= branch.fork <= MOST:
        raise RecordingError("has absurd numbers", field=field)
    for piece, following in zip(pieces, pieces[1:]):
        if piece.number + len(piece.rows) != following.number:
            raise RecordingError(f"its entry {following.number} follows entry {piece.number + len(piece.rows) - 1}", field=field)
    end = pieces[-1].number + len(pieces[-1].rows)
    for what, notes in (("marks", branch.marks), ("held", branch.held)):
        numbers = [note.number for note in notes]
        if numbers != sorted(numbers) or numbers and not 0 <= numbers[0] <= numbers[-1] < end:
            raise RecordingError("their numbers are not in order", field=f"{field}/{what}")


def check_asleep(asleep: np.ndarray, ntree: int, field: str) -> None:
    """Raises RecordingError where trees sleep with others that are not there: compiled code would follow them."""
    if not ((asleep >= MOVING) & (asleep < max(1, ntree)) & (asleep == np.floor(asleep))).all():
        raise RecordingError("not numbers of trees", field=f"{field}/tree_asleep")


def check_target(model: Model, target: targets.Target, field: str) -> None:
    """Raises RecordingError where a target is no value of the Model that may be set."""
    kind, name, row = target.kind, target.name, target.row
    if not isinstance(name, str) or type(row) is not int:
        good = False
    elif kind == targets.FLAG:
        good = name in targets.FLAG_WORDS and row in set(map(int, targets.FLAG_WORDS[name]))
    elif kind == targets.GROUP:
        good = 0 <= row < 31
    elif kind == targets.VISUAL:
        group, _, word = name.partition(".")
        good = group in vars(type(model.vis)).get("__dataclass_fields__", {}) and word in getattr(getattr(model.vis, group), "__dataclass_fields__", {})
    elif kind == targets.KEY:
        good = 0 <= row < model.nkey
    elif kind == targets.OPT:
        good = name.startswith("opt_") and (name in model.layout.scalars or name in model.layout.arrays)
    else:
        good = kind == targets.FIELD and name in LIVE_FIELDS and (row < 0 or name in model.layout.arrays and row < len(getattr(model, name)))
    if not good:
        raise RecordingError(f"there is no value {str(kind)[:20]} {str(name)[:60]} {row} of the model", field=field)


class _Models:
    """The Models of a recording by number; rows and inputs are checked against them. Only the one that runs is kept: there may be hundreds."""

    def __init__(self, recording: Recording, store: ModelStore, ops: tuple[Op, ...], running: int, compile_texts):
        self._recording, self._store, self._ops, self._number, self._compile = recording, store, ops, running, compile_texts
        self._running: Model | None = None
        self._layouts: dict[int, StateLayout] = {}
        self._begun: dict[int, list[int]] = {}      # places of the ops that install a Model
        for k, op in enumerate(ops):
            if op.kind == journal.INSTALL:
                self._begun.setdefault(op.value.model, []).append(k)

    def running(self) -> Model:
        """The one that runs. Raises RecordingError."""
        self.layout(self._number)
        return self._running

    def check_inputs(self) -> None:
        """Raises RecordingError where an input names what its Model does not have."""
        ntree = 0
        for k, op in enumerate(self._ops, 1):
            if op.kind == journal.INSTALL:
                ntree = self.layout(op.value.model).ntree
            elif op.kind in (journal.INPUT, journal.DRIVEN) and "tree_asleep" in op.value:
                check_asleep(op.value["tree_asleep"], ntree, f"inputs/{k}")

    def _load(self, number: int) -> Model:
        field = f"models/{number}"
        try:
            recorded = self._recording.model(number)
        except KeyError:
            raise RecordingError("is missing", field=field) from None
        try:
            return self._store.load(number)
        except ModelError as why:
            if not recorded.texts or self._compile is None:
                raise RecordingError(f"cannot be loaded: {why.issues[0].what}", field=field) from None
        try:
            model = self._compile(recorded.texts)
            self._store.renew(number, model)
            return model
        except ModelError as why:
            raise RecordingError(f"is of another version of Linkwork, and its text does not compile: {why.issues[0].what}", field=field) from None

    def layout(self, number: int) -> StateLayout:
        """One for all Models whose states lie the same way."""
        if number not in self._layouts:
            model = self._load(number)
            for k in self._begun.get(number, ()):
                for target, _file_value, _value in self._ops[k].value.values:
                    check_target(model, target, f"inputs/{k + 1}")
            if number == self._number:
                self._running = model
            known = next((layout for layout in self._layouts.values() if layout.fits(model)), None)
            self._layouts[number] = known or StateLayout(model)
        return self._layouts[number]

    def tail(self, branch: RecordedBranch) -> Tail:
        pieces = []
        for k, piece in enumerate(branch.track.pieces):
            field, layout = f"branches/{branch.id}/pieces/{k}", self.layout(piece.model)
            if dict(piece.layout.parts) != dict(layout.parts):
                raise RecordingError(f"its states have the sizes {dict(piece.layout.parts)}, the model {dict(layout.parts)}", field=field)
            check_rows(piece, layout, field)
            pieces.append(TrackPiece(layout, piece.rows, piece.number, piece.model))
        return Tail(tuple(pieces), tuple(map(tuple, branch.marks)), tuple(checked_held(note, f"branches/{branch.id}/held") for note in branch.held))


def check_rows(piece: TrackPiece, layout: StateLayout, field: str) -> None:
    """Raises RecordingError for states that compiled code could not take: times that are none, trees that sleep with others that are not there."""
    if not np.isfinite(piece.rows[:, 0]).all():
        raise RecordingError("not a number", field=f"{field}/time")
    noise = piece.rows[:, 1]
    if not ((noise >= 0) & (noise < MOST) & (noise == np.floor(noise))).all():
        raise RecordingError("not numbers of steps", field=f"{field}/noise_step")
    check_asleep(piece.columns("tree_asleep"), layout.ntree, field)


def checked_held(note: RecordedHeld, field: str) -> Held:
    """Raises RecordingError."""
    scale, rate, seed = note.scalars
    if not (isinstance(scale, int | float) and isinstance(rate, int | float) and np.isfinite(scale) and np.isfinite(rate) and type(seed) is int and 0 <= seed < MOST_SEED):
        raise RecordingError(f"noise of {note.scalars}", field=field)
    if any(byte > 1 for byte in note.arrays[HELD_ARRAYS.index("eq_active")]):
        raise RecordingError("neither on nor off", field=f"{field}/eq_active")
    return Held(note.number, tuple(note.arrays), (float(scale), float(rate), seed))


def kept_branches(prepared: Prepared) -> Branches:
    """The branches of a History."""
    return Branches.of(prepared.shown, prepared.last, ((branch.id, branch.parent, branch.fork, branch.kind, branch.text, tail) for branch, tail in prepared.branches))


def run_on(sim, prepared: Prepared, document=None, note=None) -> None:
    """Make a recording what a Simulation has: its newest moment is shown, paused. To be called by the thread that runs the Simulation; raises what Data raises."""
    sim.models = prepared.store
    changed = ChangedValues.of(prepared.values)
    sim.install(prepared.model, None, prepared.start_key)
    perturbation.stop(sim.data)
    sim.values, sim.document = changed, document
    sim.history.take_in(prepared.line, kept_branches(prepared), prepared.again)
    sim.journal.restart(prepared.ops, prepared.gone)
    for command in (commands.PerturbStop(), commands.SetAutoReset(sim.autoreset), commands.SetPauseUpdate(sim.pause_update), commands.SetCriticalDamping(sim.critical_damping)):
        sim.note(journal.COMMAND, command)      # as they are here: who does it again comes to the same
    sim.ran = False
    sim.show_entry(len(sim.history) - 1)
    sim.tell(events.SWAPPED, "recording loaded", model=prepared.model, generation=sim.generation, report=None, problem=None, note=note, document=document)

