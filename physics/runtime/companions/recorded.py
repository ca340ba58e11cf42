"""A companion that is a recording: at each simulated time of the primary it shows the state that was recorded of that time. Only poses are computed."""
from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.engine.kinematics.kinematics import kinematics
from physics.errors import ModelError, ViewOnlyError
from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import model_beside
from physics.model.state_fields import ARRAYS
from physics.quantities.node import Memory
from physics.quantities.quantity import Quantity, compile_quantity
from physics.quantities.syntax import ExpressionError
from physics.recording.models import ModelStore
from physics.recording.replayed import can_replay, values_of
from physics.recording.track import Track, TrackPiece
from physics.runtime.history import held_inputs
from physics.runtime.history.branches import Tail
from physics.runtime.companions.companion import ENDED, NAP, PAUSED, RUNNING, Companion, CompanionError, CompanionState, nothing, now
from physics.runtime.history.held_inputs import Held
from physics.runtime.history.history import History
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation

PUBLISH = 1 / 120       # s between two Snapshots
ROWS = 500              # states whose values are computed in a turn


@dataclass(frozen=True, slots=True)
class ReplayedCurve:
    """Values of an expression over a recording, as far as they are computed. number (n,) of the entries, time (n,) [s], values (n, numbers)."""

    number: np.ndarray
    time: np.ndarray
    values: np.ndarray


class RecordedCompanion(Companion):
    """The states of a Track, or of a branch of the primary's history. model_of: the Model of a number (TrackPiece.model), for which nobody else computes. curves: {text: ReplayedCurve},
    replaced as a whole; numbered: whether the entries have the numbers of the primary's history."""

    def __init__(self, primary: Runner, track: Track | None = None, model_of: Callable[[int], Model] | None = None, branch: int = 0):
        super().__init__(primary)
        self._track, self._model_of, self._branch = track, model_of, branch
        self.numbered = track is None
        self._drawn: Callable[[], Model | None] = nothing
        self.curves: Mapping[str, ReplayedCurve] = MappingProxyType({})
        self._held: tuple[Held, ...] = ()       # inputs that were held and are no part of the rows
        self._number = -2           # of the Model that the primary had when this began
        self._alike = False         # whether the Model of what is shown has the structure of the primary's then
        self._document = None       # whose history the branch is of
        self._datas: dict[int, Data] = {}       # by number of the Model
        self._shown: tuple | None = None
        self._next = 0.0
        self._jobs: dict[str, _Job] = {}

    @property
    def drawn(self) -> Model | None:
        """The Model that the primary had then, while what is shown is of its structure."""
        return self._drawn() if self._alike else None

    # ------------------------------------------------ its own thread

    def _begin(self) -> None:
        if self._track is None:
            self._track, self._held, models, theirs, self._number = self._ask(lambda primary: branch_of(primary, self._branch))
            self._drawn = weakref.ref(theirs)
            self._model_of = _Copies(models)
            self._document = self._primary.published.document if self._primary.published is not None else None
        if not len(self._track):
            raise CompanionError("there is nothing recorded in it")

    def _data(self, number: int) -> Data:
        if number not in self._datas:
            try:
                self._datas[number] = Data(self._model_of(number))
            except (LookupError, OSError, ModelError):
                raise CompanionError("the model of that recording is not kept any more") from None
        return self._datas[number]

    def _turn(self) -> float:
        newest = self._primary.published
        if newest is None:
            return NAP
        if self.numbered and newest.document != self._document:
            self.state = CompanionState(ENDED, "another model was opened", self.state.time)
            return 0.0
        at = now()
        found = self._track.nearest(newest.time)
        key = (id(found[0].rows), found[1], newest.running) if found is not None else None
        if key != self._shown and at >= self._next:
            self._shown, self._next = key, at + PUBLISH
            self._show(*found, newest.time, newest.running)
        if self._compute():
            return 0.0
        return max(1e-4, self._next - at) if key != self._shown else NAP

    def _show(self, piece: TrackPiece, row: int, time: float, running: bool) -> None:
        d = self._data(piece.model)
        m = d.model
        self._alike = piece.model == self._number
        put_row(d, piece, row)
        kinematics(m, d) if kinematics.addr else kinematics.plain(m, d)

        def fill(snapshot) -> None:
            snapshot.copy_from(d)
            snapshot.running, snapshot.status = running, RUNNING if running else PAUSED

        self._publish(m, d, 1 + piece.model, fill)
        self.state = CompanionState(RUNNING if running else PAUSED, "", float(d.time), max(0.0, time - float(d.time)) if row + 1 < len(piece.rows) else 0.0)

    # ------------------------------------------------ curves

    def _trace(self, texts: tuple[str, ...]) -> None:
        self._jobs = {text: self._jobs.get(text) or _Job(text) for text in texts}
        self.curves = MappingProxyType({text: curve for text, curve in self.curves.items() if text in texts})

    def _compute(self) -> bool:
        """Some values more; whether any are left."""
        job = next((job for job in self._jobs.values() if not job.done), None)
        if job is None or not can_replay():
            return False
        if job.step(self._track, self._held, self._data):
            self.curves = MappingProxyType({**self.curves, job.text: job.curve()})
        return True


class _Copies:
    """Models by number: copies of those that the primary runs, others as they are kept."""

    def __init__(self, models: ModelStore):
        self._models = models

    def __call__(self, number: int) -> Model:
        model = self._models.living(number)
        return model_beside(model) if model is not None else self._models.load(number)


class _Job:
    """Values of one expression, computed piece by piece."""

    def __init__(self, text: str):
        self.text, self.done = text, False
        self._piece = self._row = 0
        self._memory: Memory = {}
        self._quantity: tuple[int, Quantity | None] = (-2, None)     # number of a Model, and the expression for it
        self._parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []

    def step(self, track: Track, held: tuple[Held, ...], data_of: Callable[[int], Data]) -> bool:
        """Some rows more; whether there is a value more."""
        if self._piece >= len(track.pieces):
            self.done = True
            return False
        piece, first = track.pieces[self._piece], self._row
        end = min(first + ROWS, len(piece.rows))
        self._piece, self._row = (self._piece, end) if end < len(piece.rows) else (self._piece + 1, 0)
        d = data_of(piece.model)
        m = d.model
        quantity = self._compiled(m, piece.model)
        if quantity is None:
            return False
        try:
            time, values = values_of(m, piece, quantity, slice(first, end), [(note.number, held_inputs.values(note, d)) for note in held], self._memory)
        except (ValueError, ViewOnlyError):     # another number of rows at each step, or none that can be computed
            return False
        self._parts.append((np.arange(piece.number + first, piece.number + end), time, values.reshape(len(values), -1)))
        return True

    def _compiled(self, m: Model, number: int) -> Quantity | None:
        if self._quantity[0] != number:
            try:
                self._quantity = number, compile_quantity(m, self.text)
            except ExpressionError:
                self._quantity = number, None
        return self._quantity[1]

    def curve(self) -> ReplayedCurve:
        """All that there is."""
        width = self._parts[-1][2].shape[1]
        parts = [part for part in self._parts if part[2].shape[1] == width]
        self._parts = [tuple(np.concatenate(column) for column in zip(*parts, strict=True))]
        return ReplayedCurve(*self._parts[0])


def put_row(d: Data, piece: TrackPiece, row: int) -> None:
    """Make a recorded state the present one of a Data of its Model."""
    d.time = float(piece.rows[row, 0])
    for name in piece.layout.parts:
        if name in ARRAYS:
            getattr(d, name).reshape(-1)[:] = piece.columns(name)[row]


def branch_of(primary: Simulation, branch: int) -> tuple[Track, tuple[Held, ...], ModelStore, Model, int]:
    """The whole way of a branch from the oldest entry, with the inputs that were held, where its Models are found, the one that runs and its number. Raises CompanionError."""
    history = primary.history
    if branch not in history.branches:
        raise CompanionError("that branch is shown now" if branch == history.branches.shown[0] else f"there is no branch {branch}")
    return *whole_way(history, branch), primary.models, primary.model, primary.models.add(primary.model)


def whole_way(history: History, branch: int) -> tuple[Track, tuple[Held, ...]]:
    """The entries of a branch with those before it, of the line and of the branches that it hangs on, and the inputs that were held. Raises KeyError."""
    pieces, held = list(history.track().pieces), history.held()
    for one in history.branches.way(branch):
        info = history.branches.info(one)
        tail: Tail = history.branches.tail(one)
        pieces, held = [*until(pieces, info.fork), *tail.pieces], (*(note for note in held if note.number <= info.fork), *tail.held)
    return Track(tuple(pieces)), held


def until(pieces: list[TrackPiece], number: int) -> list[TrackPiece]:
    """The entries up to this number."""
    found = []
    for piece in pieces:
        n = min(len(piece.rows), number + 1 - piece.number)
        if n > 0:
            found.append(TrackPiece(piece.layout, piece.rows[:n], piece.number, piece.model))
    return found
