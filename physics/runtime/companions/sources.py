"""Where recorded states come from that a companion shows: a branch of the primary's history, a part of it, a recording's file, or any Track."""
from __future__ import annotations

import tempfile
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from physics.errors import ModelError
from physics.model.model import Model
from physics.model.model_copy import model_beside
from physics.recording.errors import RecordingError
from physics.recording.models import ModelStore
from physics.recording.track import Track, TrackPiece
from physics.runtime.companions.companion import CompanionError, nothing
from physics.runtime.history.branches import Tail
from physics.runtime.history.held_inputs import Held
from physics.runtime.history.history import History
from physics.runtime.simulation import Simulation

ModelOf = Callable[[int], Model]
Ask = Callable[[Callable[[Simulation], Any]], Any]     # what a function returns for the primary's Simulation, between two of its steps
NONE = -2       # number of no Model


@dataclass(frozen=True, slots=True)
class Recorded:
    """States to be shown. track; held: inputs that rows do not have; model_of: a Model for each number in the track, which nobody else uses. numbered: whether entries
    lie where those of the primary's history with the same numbers lie; document: whose history they are of, None: no present one's; drawn, number: the primary's Model then and its
    number, where pieces of that number have its shapes."""

    track: Track
    model_of: ModelOf
    held: tuple[Held, ...] = ()
    numbered: bool = False
    document: Any = None
    drawn: Callable[[], Model | None] = nothing
    number: int = NONE


class BranchSource:
    """A branch of the primary's history, with all before it."""

    def __init__(self, branch: int):
        self._branch = branch

    def __call__(self, ask: Ask) -> Recorded:
        """Raises CompanionError."""
        return ask(self._of)

    def _of(self, primary: Simulation) -> Recorded:
        history, branch = primary.history, self._branch
        if primary.model is None or branch not in history.branches:
            raise CompanionError("that branch is shown now" if primary.model is not None and branch == history.branches.shown[0] else f"there is no branch {branch}")
        track, held = whole_way(history, branch)
        return _of_history(primary, track, held, True)


class PartSource:
    """Entries number `first` to `last` of the primary's history, as between two resets: shown at the same simulated times of what runs now."""

    def __init__(self, first: int, last: int):
        self._first, self._last = first, last

    def __call__(self, ask: Ask) -> Recorded:
        """Raises CompanionError."""
        return ask(self._of)

    def _of(self, primary: Simulation) -> Recorded:
        line = primary.history.line() if primary.model is not None else Tail(())
        pieces = until(since(line.pieces, self._first), self._last)
        if not pieces:
            raise CompanionError("that part is not in the history any more")
        return _of_history(primary, Track(tuple(pieces)), tuple(note for note in line.held if note.number <= self._last), False)


class FileSource:
    """The way that a recording's file shows. compile_texts: makes a Model of texts, where the compiled one is of another version."""

    def __init__(self, path: Path, compile_texts: Callable[[Mapping[str, str]], Model] | None = None):
        self._path, self._compile = path, compile_texts

    def __call__(self, ask: Ask) -> Recorded:
        """Raises CompanionError."""
        from physics.recording import file
        from physics.runtime.recorded.restore import prepare

        try:
            with tempfile.TemporaryDirectory() as folder:
                prepared = prepare(file.load(self._path), Path(folder), self._compile)
                models = {number: prepared.store.load(number) for number in {piece.model for piece in prepared.line.pieces}}
        except RecordingError as why:
            raise CompanionError(str(why)) from None
        except ModelError as why:
            raise CompanionError(f"{self._path.name}: {why.issues[0].what}") from None
        except OSError as why:
            raise CompanionError(f"{self._path}: {why.strerror or why}") from None
        return Recorded(Track(prepared.line.pieces), models.__getitem__, tuple(prepared.line.held))


class TrackSource:
    """States that somebody has."""

    def __init__(self, track: Track, model_of: ModelOf, held: tuple[Held, ...] = ()):
        self._recorded = Recorded(track, model_of, held)

    def __call__(self, ask: Ask) -> Recorded:
        return self._recorded


def _of_history(primary: Simulation, track: Track, held: tuple[Held, ...], numbered: bool) -> Recorded:
    return Recorded(track, _Copies(primary.models), held, numbered, primary.document, weakref.ref(primary.model), primary.models.add(primary.model))


class _Copies:
    """Models by number: copies of those that the primary runs, others as they are kept."""

    def __init__(self, models: ModelStore):
        self._models = models

    def __call__(self, number: int) -> Model:
        model = self._models.living(number)
        return model_beside(model) if model is not None else self._models.load(number)


def whole_way(history: History, branch: int) -> tuple[Track, tuple[Held, ...]]:
    """The entries of a branch with those before it, of the line and of the branches that it hangs on, and the inputs that were held. Raises KeyError."""
    line = history.line()
    pieces, held = list(line.pieces), line.held
    for one in history.branches.way(branch):
        info = history.branches.info(one)
        tail: Tail = history.branches.tail(one)
        pieces, held = [*until(pieces, info.fork), *tail.pieces], (*(note for note in held if note.number <= info.fork), *tail.held)
    return Track(tuple(pieces)), held


def since(pieces: Sequence[TrackPiece], number: int) -> list[TrackPiece]:
    """The entries from this number on."""
    found = []
    for piece in pieces:
        skipped = max(0, number - piece.number)
        if skipped < len(piece.rows):
            found.append(TrackPiece(piece.layout, piece.rows[skipped:], piece.number + skipped, piece.model))
    return found


def until(pieces: Sequence[TrackPiece], number: int) -> list[TrackPiece]:
    """The entries up to this number."""
    found = []
    for piece in pieces:
        n = min(len(piece.rows), number + 1 - piece.number)
        if n > 0:
            found.append(TrackPiece(piece.layout, piece.rows[:n], piece.number, piece.model))
    return found
