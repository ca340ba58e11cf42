"""Chosen numbers of every step of a run, taken inside the compiled loop: what plots and breakpoints look at.

    physics thread: the kernel appends rows to the newest piece; `view` says how far it has come   -->   readers look at those rows, which nobody writes again

A row belongs to the state that its step begins with: entry `number` of the history. Rows of entries that the history drops (who goes back and runs on) are dropped
here too, the next time the simulation runs. Nothing is traced, and nothing costs time, while nobody has asked.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from physics.quantities.leaves import TIME, Leaf, count
from physics.quantities.quantity import compile_quantity
from physics.quantities.syntax import ExpressionError
from physics.recording.trace_columns import columns, traceable

BYTES = 64 << 20
PIECES = 32     # of the budget, which is given back piece by piece


@dataclass(frozen=True, slots=True)
class TracePiece:
    """Rows of one Model (`generation`) and one choice of leaves. rows: (count, 1 + numbers), the time first; nobody writes to them any more. breaks: (row, number of the
    history's entry), from which on the numbers go on one by one."""

    generation: int
    leaves: tuple[Leaf, ...]
    rows: np.ndarray
    breaks: tuple[tuple[int, int], ...]

    def entries(self) -> np.ndarray:
        """For each row the number of the history's entry, (count,) int64."""
        found = np.empty(len(self.rows), np.int64)
        for (start, number), (end, _) in zip(self.breaks, [*self.breaks[1:], (len(self.rows), 0)], strict=True):
            found[start:end] = np.arange(number, number + end - start)
        return found

    def source(self, start: int = 0):
        """A source of values (physics/quantities/leaves.py) for the rows from `start` on; NaN for what is not in the piece."""
        def values(leaf: Leaf) -> np.ndarray:
            if leaf == TIME:
                return self.rows[start:, 0].copy()
            if leaf not in self.leaves:
                return np.full((len(self.rows) - start, *leaf.shape), np.nan)
            first = 1 + sum(count(other) for other in self.leaves[:self.leaves.index(leaf)])
            return self.rows[start:, first:first + count(leaf)].reshape(len(self.rows) - start, *leaf.shape).copy()
        return values


@dataclass(frozen=True, slots=True)
class TraceView:
    """What there is at a moment, oldest first. dropped: counts how often rows were taken away at the end; then readers forget what they have of them."""

    pieces: tuple[TracePiece, ...] = ()
    dropped: int = 0


class _Piece:
    """Room for rows; `count` are there. breaks: (row, number of the history's entry), from which on numbers go on one by one."""

    __slots__ = ("breaks", "count", "generation", "leaves", "numbers", "stride")

    def __init__(self, generation: int, leaves: tuple[Leaf, ...], nbytes: int):
        self.generation, self.leaves, self.count = generation, leaves, 0
        self.stride = 1 + sum(count(leaf) for leaf in leaves)
        self.numbers = np.empty(max(2, nbytes // (8 * self.stride)) * self.stride)   # touched, and so paid for, only as it fills
        self.breaks: list[tuple[int, int]] = []

    @property
    def room(self) -> int:
        return self.numbers.size // self.stride

    def entry(self, row: int) -> int:
        """Number of the history's entry that a row belongs to."""
        start, number = next(one for one in reversed(self.breaks) if one[0] <= row)
        return number + row - start

    def view(self) -> TracePiece:
        """The rows as they are now."""
        rows = self.numbers[:self.count * self.stride].reshape(self.count, self.stride)
        rows.flags.writeable = False
        return TracePiece(self.generation, self.leaves, rows, tuple(self.breaks))


class Trace:
    """The rows of one run. All methods are for the thread that runs it; what `view` returns may be read by any."""

    def __init__(self, nbytes: int = BYTES):
        self._budget = nbytes
        self._pieces: list[_Piece] = []
        self._model = self._data = None
        self._texts: tuple[str, ...] = ()
        self._leaves: tuple[Leaf, ...] = ()
        self._on = False
        self._new = False    # whether Model and Data have just changed
        self._generation = self._dropped = 0
        self._keep = ()     # what the kernel reads

    @property
    def on(self) -> bool:
        """Whether anything is traced."""
        return self._on and self._data is not None

    def choose(self, texts: Sequence[str]) -> None:
        """Trace what these expressions read, from the next step on; rows of others stay. Texts that are none for the present Model are passed over. () traces nothing."""
        self._texts = tuple(texts)
        self._settle()
        leaves, on = self._leaves, self._on
        self._leaves = tuple(dict.fromkeys(leaf for text in self._texts for leaf in self._read_by(text) if leaf != TIME and traceable(leaf)))
        self._on = bool(self._texts)
        if self._leaves != leaves or self._new or self._on != on:
            self._begin()

    def _read_by(self, text: str) -> tuple[Leaf, ...]:
        if self._model is None:
            return ()
        try:
            return compile_quantity(self._model, text).leaves
        except ExpressionError:
            return ()

    def follow(self, m, d, generation: int) -> None:
        """Another Model and Data run from now on; the same expressions are traced."""
        self._settle()
        if self._data is not None:
            self._data.trace_cap = 0
        self._model, self._data, self._generation, self._new = m, d, generation, True
        self.choose(self._texts)
        self._new = False

    def forget(self) -> None:
        """Drop all rows: another document."""
        self._settle()
        self._dropped += bool(self._pieces)
        self._pieces = []
        self._begin()

    def make_room(self, number: int) -> int:
        """How many rows fit before the next call is needed; the next one belongs to entry `number` of the history. Rows of that entry and later ones go."""
        if not self.on:
            return 1 << 30
        self._settle()
        self._cut(number)
        if not self._pieces or self._data.trace_end >= self._pieces[-1].room or self._pieces[-1].leaves != self._leaves or self._pieces[-1].generation != self._generation:
            self._begin()
        piece = self._pieces[-1]
        if not piece.breaks or piece.entry(piece.count) != number:
            piece.breaks.append((piece.count, number))
        return piece.room - piece.count

    def rewind(self, number: int) -> None:
        """Entry `number` and later ones are others now: their rows go."""
        self._settle()
        self._cut(number)

    def view(self) -> TraceView:
        """What is there now."""
        self._settle()
        return TraceView(tuple(piece.view() for piece in self._pieces if piece.count), self._dropped)

    # ------------------------------------------------ pieces

    def _settle(self) -> None:
        """Note how far the kernel has come."""
        if self._pieces and self._data is not None and self._data.trace_cap:
            self._pieces[-1].count = self._data.trace_end

    def _cut(self, number: int) -> None:
        """Drop the rows of entry `number` and later ones, which are to be taken again."""
        cut = False
        while self._pieces and (piece := self._pieces[-1]).count and piece.entry(piece.count - 1) >= number:
            keep = piece.count
            while keep and piece.entry(keep - 1) >= number:
                start, first = next(one for one in reversed(piece.breaks) if one[0] <= keep - 1)
                keep = start if first >= number else start + number - first
            piece.count, piece.breaks = keep, [one for one in piece.breaks if one[0] < keep]
            cut = True
            if keep:
                break
            self._pieces.pop()
        if cut:
            self._dropped += 1
            self._begin()    # in a piece of its own: who reads may still look at the rows that went

    def _begin(self) -> None:
        """Have the kernel fill a new piece, or none."""
        if self._data is None:
            return
        self._pieces = [piece for piece in self._pieces if piece.count]
        d = self._data
        if not self._on:
            d.trace_cap = d.trace_end = 0
            return
        piece = _Piece(self._generation, self._leaves, self._budget // PIECES)
        while self._pieces and sum(8 * other.stride * other.count for other in self._pieces) > self._budget - piece.numbers.nbytes:
            self._pieces.pop(0)
        self._pieces.append(piece)
        column, side = columns(self._model, d, self._leaves)
        self._keep = column, side, piece.numbers
        d.bind("trace_column", column)
        d.bind("trace_side", side)
        d.bind("trace", piece.numbers)
        d.trace_count, d.trace_pairs = len(column), len(side) // max(1, self._model.ngeom)
        d.trace_end, d.trace_cap = 0, piece.room
