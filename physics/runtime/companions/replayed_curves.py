"""Curves over recorded states, computed some hundred states at a time while a companion has nothing else to do."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.errors import ViewOnlyError
from physics.model.data import Data
from physics.model.model import Model
from physics.quantities.node import Memory
from physics.quantities.quantity import Quantity, compile_quantity
from physics.quantities.syntax import ExpressionError
from physics.recording.replayed import can_replay, values_of
from physics.recording.track import Track
from physics.runtime.history import held_inputs
from physics.runtime.history.held_inputs import Held

ROWS = 500      # states at a time


@dataclass(frozen=True, slots=True)
class ReplayedCurve:
    """Values of an expression over a recording, as far as they are computed. number (n,) of the entries, time (n,) [s], values (n, numbers)."""

    number: np.ndarray
    time: np.ndarray
    values: np.ndarray


class ReplayedCurves:
    """Of one Track. found: {text: ReplayedCurve}, replaced as a whole."""

    def __init__(self, track: Track, held: Sequence[Held], data_of: Callable[[int], Data]):
        self._track, self._held, self._data_of = track, held, data_of
        self._jobs: dict[str, _Job] = {}
        self.found: Mapping[str, ReplayedCurve] = MappingProxyType({})

    def choose(self, texts: Sequence[str]) -> None:
        """These expressions and no others."""
        self._jobs = {text: self._jobs.get(text) or _Job(text) for text in texts}
        self.found = MappingProxyType({text: curve for text, curve in self.found.items() if text in texts})

    def step(self) -> bool:
        """Compute some values more; whether any are left."""
        job = next((job for job in self._jobs.values() if not job.done), None)
        if job is None or not can_replay():
            return False
        if job.step(self._track, self._held, self._data_of):
            self.found = MappingProxyType({**self.found, job.text: job.curve()})
        return True


class _Job:
    """Values of one expression, computed piece by piece."""

    def __init__(self, text: str):
        self.text, self.done = text, False
        self._piece = self._row = 0
        self._memory: Memory = {}
        self._quantity: tuple[int, Quantity | None] = (-2, None)     # number of a Model, and the expression for it
        self._parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []

    def step(self, track: Track, held: Sequence[Held], data_of: Callable[[int], Data]) -> bool:
        """Some rows more; whether there is a value more."""
        if self._piece >= len(track.pieces):
            self.done = True
            return False
        piece, first = track.pieces[self._piece], self._row
        end = min(first + ROWS, len(piece.rows))
        self._piece, self._row = (self._piece, end) if end < len(piece.rows) else (self._piece + 1, 0)
        d = data_of(piece.model)
        quantity = self._compiled(d.model, piece.model)
        if quantity is None:
            return False
        try:
            time, values = values_of(d.model, piece, quantity, slice(first, end), [(note.number, held_inputs.values(note, d)) for note in held], self._memory)
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
