"""Branches of a history: what came later than an entry from which the run went on otherwise. Nothing of the past is lost by running on.

    line      0 ------ 400 ------ 900            shown, and where steps are appended
                        |
    branch 1            +----- 401 ... 730       its entries after the fork; those before are the line's

A branch hangs on the line (parent 0) or on another branch. Entries are numbered along each way from the oldest entry.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from physics.recording.track import TrackPiece

LINE = 0
MOST = 200      # branches; the oldest goes first


@dataclass(frozen=True, slots=True)
class BranchInfo:
    """What is told of a branch. id: 1, 2, ... in the order of their beginnings; parent: the branch it hangs on, 0 for the line; fork: number of the last entry that both
    share; count: entries of its own; start, end: simulated times of the first and last of them [s]; kind, text: what it began with; shown: whether it is the line's own end."""

    id: int
    parent: int
    fork: int
    count: int
    start: float
    end: float
    kind: str
    text: str
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Tail:
    """Entries that were cut off: pieces, the marks and held inputs among them as (number, ...)."""

    pieces: tuple[TrackPiece, ...]
    marks: tuple[tuple, ...] = ()
    held: tuple[tuple, ...] = ()

    @property
    def count(self) -> int:
        return sum(len(piece.rows) for piece in self.pieces)

    @property
    def nbytes(self) -> int:
        return sum(piece.rows.nbytes for piece in self.pieces)


class Branches:
    """All branches of one document's history, and what the line's own end is called."""

    def __init__(self):
        self._kept: dict[int, tuple[BranchInfo, Tail]] = {}
        self._last = 1
        self.shown = (1, -1, "start", "start")      # the line's end: its id, the entry after which it parted from another, kind and text
        self._before = self.shown       # as it was before the last cut
        self._told: tuple[BranchInfo, ...] | None = None

    @classmethod
    def of(cls, shown: tuple[int, int, str, str], last: int, kept: Iterable[tuple[int, int, int, str, str, Tail]]) -> Branches:
        """Those of a recording: (id, parent, fork, kind, text, Tail) of each that is not shown; last: the highest id that there was."""
        made = cls()
        for branch, parent, fork, kind, text, tail in kept:
            times = tail.pieces[0].rows[0, 0], tail.pieces[-1].rows[-1, 0]
            made._kept[branch] = BranchInfo(branch, LINE if parent == shown[0] else parent, fork, tail.count, *map(float, times), kind, text), tail
        made.shown, made._last = shown, max(last, shown[0], *made._kept)
        return made

    @property
    def last(self) -> int:
        """The highest id that a branch has had."""
        return self._last

    def __len__(self) -> int:
        return len(self._kept)

    def __iter__(self) -> Iterator[int]:
        return iter(tuple(self._kept))

    def __contains__(self, branch: int) -> bool:
        return branch in self._kept

    @property
    def nbytes(self) -> int:
        """Memory of all entries."""
        return sum(tail.nbytes for _info, tail in self._kept.values())

    def info(self, branch: int) -> BranchInfo:
        """Of a branch that is not shown. Raises KeyError."""
        return self._kept[branch][0]

    def tail(self, branch: int) -> Tail:
        """Its own entries. Raises KeyError."""
        return self._kept[branch][1]

    def way(self, branch: int) -> list[int]:
        """The branches from the line to this one, itself last."""
        found = [branch]
        while (parent := self._kept[found[0]][0].parent) != LINE:
            found.insert(0, parent)
        return found

    def cut_off(self, fork: int, tail: Tail, kind: str, text: str, border: tuple[str, str] | None = None) -> int:
        """The line goes on otherwise after entry number `fork`, by what is told in words; what came later is a branch now. Returns its id. border: kind and text of the
        reset, keyframe, ... that the later entries began with: that is what they are called then, and the line goes on under its name."""
        cut, _fork, old_kind, old_text = self.shown
        if border is not None:
            kind, text, old_kind, old_text = old_kind, old_text, *border
        self._before = self.shown
        self._keep(cut, fork, tail, old_kind, old_text)
        self._last += 1
        self.shown = (self._last, fork, kind, text)
        return cut

    def _keep(self, branch: int, fork: int, tail: Tail, kind: str, text: str) -> None:
        for other, (info, rest) in list(self._kept.items()):
            if info.parent == LINE and info.fork > fork:
                self._kept[other] = replace(info, parent=branch), rest
        times = [piece.rows[:, 0] for piece in tail.pieces if len(piece.rows)]
        start, end = (float(times[0][0]), float(times[-1][-1])) if times else (0.0, 0.0)
        self._kept[branch] = BranchInfo(branch, LINE, fork, tail.count, start, end, kind, text), tail
        while len(self._kept) > MOST:
            self.drop(next(iter(self._kept)))
        self._told = None

    def exchange(self, branch: int, line_tail: Tail, fork: int) -> Tail:
        """Make a branch that hangs on the line the line's end; what was its end, `line_tail` after entry `fork`, becomes a branch. Returns the entries that are shown now."""
        info, tail = self._kept.pop(branch)
        old, _fork, kind, text = self.shown
        mine = [other for other, (one, _rest) in self._kept.items() if one.parent == branch]
        if line_tail.count:
            self._keep(old, fork, line_tail, kind, text)
        for other in mine:
            one, rest = self._kept[other]
            self._kept[other] = replace(one, parent=LINE), rest
        self.shown = (branch, fork, info.kind, info.text)
        self._told = None
        return tail

    def take_back(self, branch: int) -> None:
        """The line has become what the branch is that was cut off last: it is that branch again. Raises KeyError."""
        del self._kept[branch]
        for other, (info, tail) in list(self._kept.items()):
            if info.parent == branch:
                self._kept[other] = replace(info, parent=LINE), tail
        self.shown = (branch, *self._before[1:]) if self._before[0] == branch else (branch, *self.shown[1:])
        self._told = None

    def rename(self, branch: int, text: str) -> None:
        """Call a branch, shown or not, otherwise. Raises KeyError."""
        if branch == self.shown[0]:
            self.shown = (*self.shown[:3], text)
        else:
            info, tail = self._kept[branch]
            self._kept[branch] = replace(info, text=text), tail
        self._told = None

    def drop(self, branch: int) -> None:
        """Forget a branch; those that hang on it go with it."""
        going = [branch]
        for gone in going:
            self._kept.pop(gone, None)
            going += [other for other, (info, _tail) in self._kept.items() if info.parent == gone]
        self._told = None

    def shrink(self, nbytes: int) -> None:
        """Forget the oldest entries of branches, the oldest branch first, until so many bytes are given back."""
        for branch, (info, tail) in list(self._kept.items()):
            pieces = list(tail.pieces)
            while pieces and nbytes > 0:
                nbytes -= pieces.pop(0).rows.nbytes
            if not pieces:
                self.drop(branch)
            elif len(pieces) < len(tail.pieces):
                kept = Tail(tuple(pieces), tail.marks, tail.held)
                self._kept[branch] = replace(info, count=kept.count, start=float(pieces[0].rows[0, 0])), kept
                self._told = None
            if nbytes <= 0:
                return

    def same_as(self, branch: int, rows_of: Callable[[int, int], np.ndarray | None]) -> bool:
        """Whether the line has the same entries now as a branch that was cut off from it. rows_of(number, count): rows of the line, None where there are not so many."""
        for piece in self._kept[branch][1].pieces:
            rows = rows_of(piece.number, len(piece.rows))
            if rows is None or rows.shape != piece.rows.shape or not np.array_equal(rows.view(np.int64), piece.rows.view(np.int64)):
                return False
        return True

    def told(self, line: BranchInfo) -> tuple[BranchInfo, ...]:
        """All branches, the line's end among them; the same object as long as no other is there."""
        if self._told is None:
            self._told = tuple(info for info, _tail in self._kept.values())
        return tuple(sorted((*self._told, line), key=lambda info: info.id))
