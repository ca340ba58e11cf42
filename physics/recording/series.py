"""A quantity over all that is traced: its values by time, brought up to date as rows are added, whatever Models they belong to."""
from __future__ import annotations

from math import prod

import numpy as np

from physics.quantities.node import Memory
from physics.quantities.quantity import Quantity, compile_quantity
from physics.quantities.syntax import ExpressionError
from physics.recording.trace import TracePiece, TraceView


FAR = 20.0      # times the usual time between two entries, beyond which the run has jumped


class Series:
    """Values of an expression. time (n,) [s], entries (n,) numbers of the history's entries, values (n, components); each grows at its end, and is made anew where
    rows were dropped. A NaN stands where the run jumps, so that a line drawn through the values has a gap there. What was simulated before it was traced can be given by
    take_past."""

    def __init__(self, text: str):
        self.text = text
        self._models: dict[int, Quantity | None] = {}    # by generation
        self._forget()

    def _forget(self) -> None:
        self._chunks: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        self._joined: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        self._memory: Memory = {}
        self._seen: dict[int, int] = {}      # rows taken, by the place of the piece's memory
        self._dropped, self._first = -1, 0
        self._last: tuple[int, int] | None = None    # generation and entry of the newest row
        self._past: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None
        self._early: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None    # all up to the newest entry of the past, put together once
        self._width = self._holes = 0

    def know(self, generation: int, model) -> None:
        """The Model of this generation; rows of generations that are not known are passed over."""
        if generation not in self._models:
            try:
                self._models[generation] = compile_quantity(model, self.text)
            except ExpressionError:
                self._models[generation] = None

    def quantity(self, generation: int) -> Quantity | None:
        """The expression for the Model of this generation, None where it is none for it."""
        return self._models.get(generation)

    def update(self, view: TraceView) -> bool:
        """Take over what is new; whether anything is."""
        first = view.pieces[0].rows.ctypes.data if view.pieces else 0
        if view.dropped != self._dropped or first != self._first and self._seen:
            self._forget()
            self._dropped = view.dropped
        self._first = first
        changed = False
        for piece in view.pieces:
            changed |= self._take(piece)
        return changed

    def _take(self, piece: TracePiece) -> bool:
        key, quantity = piece.rows.ctypes.data, self._models.get(piece.generation)
        start = self._seen.get(key, 0)
        if start >= len(piece.rows) or quantity is None:
            return False
        self._seen[key] = len(piece.rows)
        values = quantity.values(piece.source(start), self._memory)
        values = values.reshape(len(values), prod(values.shape[1:]))
        if self._width and values.shape[1] != self._width:      # another number of components in another Model
            self._chunks, self._joined = [], None
        self._width = values.shape[1]
        entries, time = piece.entries()[start:], piece.rows[start:, 0].copy()
        gaps = np.flatnonzero(np.diff(entries, prepend=self._last[1] if self._last else entries[0] - 1) != 1)
        if self._last is not None and self._last[0] != piece.generation:
            gaps = np.union1d(gaps, [0])
        self._holes += len(gaps)
        if len(gaps):       # a moment without a value before each jump
            values = np.insert(values, gaps, np.nan, axis=0)
            time, entries = np.insert(time, gaps, time[gaps]), np.insert(entries, gaps, entries[gaps])
        self._last = piece.generation, int(entries[-1])
        self._chunks.append((time, entries, values))
        self._joined = None
        return True

    def take_past(self, entries: np.ndarray, time: np.ndarray, values: np.ndarray) -> None:
        """Values of entries that may not be traced: entries (n,) ascending, time (n,) [s], values (n, components). Those that are traced stay as they are."""
        self._past = (time, entries, values) if len(entries) else None
        self._joined = self._early = None

    @property
    def dropped(self) -> int:
        """How often rows were taken away, as of the newest view."""
        return self._dropped

    @property
    def begun(self) -> int:
        """The first entry that is traced, -1 for none."""
        return int(self._chunks[0][1][0]) if self._chunks else -1

    @property
    def holes(self) -> int:
        """How often what is traced goes on at another entry than the next."""
        return self._holes

    def count(self, first: int, last: int) -> int:
        """How many of the entries from `first` to `last` there are values of."""
        entries = np.unique(self.entries)
        return int(np.searchsorted(entries, last, "right") - np.searchsorted(entries, first, "left"))

    def _all(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if self._joined is None:
            if len(self._chunks) > 1:
                self._chunks = [tuple(np.concatenate(parts) for parts in zip(*self._chunks, strict=True))]
            width = self._width or (1 if self._past is None else self._past[2].shape[1])
            self._joined = self._chunks[0] if self._chunks else (np.zeros(0), np.zeros(0, np.int64), np.zeros((0, width)))
            if self._past is not None and (not self._width or self._past[2].shape[1] == self._width):
                late = int(np.searchsorted(self._joined[1], self._past[1][-1], "right"))
                if self._early is None:
                    self._early = merged(tuple(array[:late] for array in self._joined), self._past)
                self._joined = tuple(np.concatenate([early, array[late:]]) for early, array in zip(self._early, self._joined, strict=True))
        return self._joined

    @property
    def time(self) -> np.ndarray:
        return self._all()[0]

    @property
    def entries(self) -> np.ndarray:
        return self._all()[1]

    @property
    def values(self) -> np.ndarray:
        return self._all()[2]

    def components(self) -> tuple[str, ...]:
        """Names of the components: '' of a single number, '[0]', '[1]', ... of a vector."""
        return ("",) if self._width <= 1 else tuple(f"[{k}]" for k in range(self._width))


def merged(traced: tuple[np.ndarray, ...], past: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    """(time, entries, values) of both by entry, those of `traced` where both have one; a NaN where times or entries jump."""
    known = ~np.isnan(traced[2]).all(axis=1)
    time, entries, values = (array[known] for array in traced)
    new = ~np.isin(past[1], entries)
    time, entries, values = np.concatenate([past[0][new], time]), np.concatenate([past[1][new], entries]), np.concatenate([past[2][new], values])
    order = np.argsort(entries, kind="stable")
    time, entries, values = time[order], entries[order], values[order]
    if len(time) < 3:
        return time, entries, values
    apart = np.diff(time)
    usual = np.median(apart)
    gaps = 1 + np.flatnonzero((np.diff(entries) != 1) | (apart <= 0) | (apart > FAR * usual))
    return np.insert(time, gaps, time[gaps]), np.insert(entries, gaps, entries[gaps]), np.insert(values, gaps, np.nan, axis=0)
