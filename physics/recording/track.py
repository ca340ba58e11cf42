"""States of a run in order, as they lie in memory or in a file: what the history hands out, and what ghosts, curves and files read."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

HEAD = 2        # numbers before the fields in a row: time, noise_step


class RowLayout(Protocol):
    """Whose states rows are: parts: {field of Data: how many numbers}, in the order in which they lie in a row after HEAD."""

    parts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class TrackPiece:
    """Rows of one Model, (count, HEAD + numbers); nobody writes to them any more. model: number of the Model in the run's ModelStore, -1 where it is not known;
    number: of the first row's entry in the history."""

    layout: RowLayout
    rows: np.ndarray
    number: int
    model: int = -1

    @property
    def time(self) -> np.ndarray:
        """(count,) simulated times [s]."""
        return self.rows[:, 0]

    def columns(self, name: str) -> np.ndarray:
        """A field of Data for all rows, (count, numbers): a view. Raises KeyError for what is not recorded."""
        start = HEAD
        for part, count in self.layout.parts.items():
            if part == name:
                return self.rows[:, start:start + count]
            start += count
        raise KeyError(name)


@dataclass(frozen=True, slots=True)
class Track:
    """All entries of one branch, oldest first, as far as they were there when it was asked for."""

    pieces: tuple[TrackPiece, ...] = ()

    def __len__(self) -> int:
        return sum(len(piece.rows) for piece in self.pieces)

    @property
    def first(self) -> int:
        """Number of the first entry."""
        return self.pieces[0].number if self.pieces else 0

    def at(self, index: int) -> tuple[TrackPiece, int]:
        """The piece of an entry, counted from 0, and its row there. Raises IndexError."""
        for piece in self.pieces:
            if 0 <= index < len(piece.rows):
                return piece, index
            index -= len(piece.rows)
        raise IndexError("no such entry")

    def nearest(self, time: float) -> tuple[TrackPiece, int] | None:
        """The newest entry whose time is not later than `time` in its stretch (times may jump back where the run was reset): the last one that fits, else the first of all."""
        for piece in reversed(self.pieces):
            times = piece.time
            fits = np.flatnonzero(times <= time + 1e-12)
            if len(fits):
                return piece, int(fits[-1])
        return (self.pieces[0], 0) if self.pieces and len(self.pieces[0].rows) else None
