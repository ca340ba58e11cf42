"""Bookmarks of moments: a number of the history's entry, a name, and a small picture. No Qt.

An entry's number is its index and the entries that were dropped before it (Snapshot.history_gone): it stays. `branch` tells in which branch of the
history the entry was when it was marked (Snapshot.history_branch); entries before a fork are of both branches.
"""
from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from math import isfinite
from typing import Any, NamedTuple

from physics.runtime.history.branches import LINE, BranchInfo

MOST = 1000


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A moment: entry `number` of a branch, its simulated time [s], a name, a PNG (b'': there is none)."""

    number: int
    time: float
    name: str
    branch: int = 1
    thumbnail: bytes = b""

    @property
    def place(self) -> tuple[int, int]:
        """What tells it from others: (branch, number)."""
        return self.branch, self.number


class Bookmarks:
    """Those of a window, by branch and number. `changed`: functions that are called after each change."""

    def __init__(self):
        self._all: list[Bookmark] = []
        self.changed: list[Callable[[], None]] = []

    @property
    def all(self) -> tuple[Bookmark, ...]:
        """All of them, in the order of the history."""
        return tuple(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def at(self, number: int, branch: int = 1) -> Bookmark | None:
        """The bookmark of an entry; None where it has none."""
        return next((mark for mark in self._all if mark.place == (branch, number)), None)

    def add(self, bookmark: Bookmark) -> Bookmark:
        """Put one in. Where the entry has one already that keeps its name, and takes the picture. Raises ValueError where there are MOST."""
        there = self.at(*reversed(bookmark.place))
        if there is not None:
            bookmark = replace(there, thumbnail=bookmark.thumbnail or there.thumbnail)
            self._all.remove(there)
        elif len(self._all) >= MOST:
            raise ValueError(f"there are {MOST} bookmarks, and that is as many as there can be: delete some")
        insort(self._all, bookmark, key=_order)
        self._tell()
        return bookmark

    def rename(self, bookmark: Bookmark, name: str) -> Bookmark:
        """Another name; an empty one is that of the time again. The bookmark with it."""
        return self._change(bookmark, name=" ".join(name.split()) or time_name(bookmark.time))

    def set_thumbnail(self, bookmark: Bookmark, png: bytes) -> Bookmark:
        """Another picture. The bookmark with it."""
        return self._change(bookmark, thumbnail=png)

    def _change(self, bookmark: Bookmark, **values) -> Bookmark:
        there = self._find(bookmark)
        if there is None:
            return bookmark
        changed = replace(there, **values)
        if changed != there:
            self._all[self._all.index(there)] = changed
            self._tell()
        return changed

    def _find(self, bookmark: Bookmark) -> Bookmark | None:
        """What a bookmark that somebody holds has become: its name or picture may be another by now."""
        return bookmark if bookmark in self._all else self.at(bookmark.number, bookmark.branch)

    def remove(self, bookmarks: Iterable[Bookmark]) -> None:
        """Without these."""
        gone = [self._find(mark) for mark in bookmarks]
        self.replace_all(mark for mark in self._all if mark not in gone)

    def replace_all(self, bookmarks: Iterable[Bookmark]) -> None:
        """These and no others."""
        wanted = sorted(bookmarks, key=_order)
        if wanted != self._all:
            self._all = wanted
            self._tell()

    def _tell(self) -> None:
        for listener in tuple(self.changed):
            listener()

    # ------------------------------------------------------------------ in a history

    def shown(self, snapshot) -> list[tuple[int, Bookmark]]:
        """(index of the entry, bookmark) of those that are in the history of a snapshot, oldest first."""
        found = ((index_of(snapshot, mark), mark) for mark in self._all)
        return [(index, mark) for index, mark in found if index is not None]

    def beside(self, snapshot, direction: int) -> Bookmark | None:
        """The next bookmark after (1) or before (-1) the present entry; None where there is none."""
        there = [mark for index, mark in self.shown(snapshot) if direction * (index - snapshot.history_index) > 0]
        return (there[0] if direction > 0 else there[-1]) if there else None

    # ------------------------------------------------------------------ to keep

    def rows(self) -> list[dict[str, Any]]:
        """What is to be kept of each, as plain values; take_rows takes them back."""
        return [asdict(mark) for mark in self._all]

    def take_rows(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """These and no others. Raises ValueError with row and field where one is damaged; then all stays as it was."""
        self.replace_all([_bookmark_of(k, row) for k, row in enumerate(rows)])


class HistoryPlace(NamedTuple):
    """What of a snapshot says which entries its history has, and where in it the run is; a Snapshot itself changes after the call that it is handed to."""

    history_gone: int = 0
    history_length: int = 1
    history_index: int = 0
    history_branch: int = 1
    history_branches: tuple[BranchInfo, ...] = ()

    @classmethod
    def of(cls, snapshot) -> HistoryPlace:
        """That of a snapshot."""
        return cls(snapshot.history_gone, snapshot.history_length, snapshot.history_index, branch_of(snapshot), getattr(snapshot, "history_branches", ()))

    @property
    def number(self) -> int:
        """Of the present entry."""
        return self.history_gone + self.history_index

    @property
    def newest(self) -> int:
        """Number of the newest entry."""
        return self.history_gone + self.history_length - 1


def index_of(snapshot, bookmark: Bookmark) -> int | None:
    """Index of a bookmark's entry in the history that a snapshot shows; None where it is not there: dropped, or in another branch."""
    index = bookmark.number - snapshot.history_gone
    return index if 0 <= index < snapshot.history_length and branch_with(snapshot, bookmark.branch, bookmark.number) == branch_of(snapshot) else None


def branch_with(snapshot, branch: int, number: int) -> int | None:
    """The branch to be shown for entry `number` of a branch: the one that is shown, where it has that entry too; None where there is none any more."""
    infos = {info.id: info for info in getattr(snapshot, "history_branches", ())}
    if not infos:
        return branch if branch == branch_of(snapshot) else None
    info = infos.get(branch)
    while info is not None and not info.shown:
        if number > info.fork:
            return info.id
        info = infos.get(info.parent) if info.parent != LINE else next((one for one in infos.values() if one.shown), None)
    return info.id if info is not None else None


def branch_of(snapshot) -> int:
    """Id of the branch of the history that a snapshot shows."""
    return getattr(snapshot, "history_branch", 1)


def why_gone(snapshot, bookmark: Bookmark) -> str:
    """Why a bookmark's entry cannot be shown; '' where it can."""
    branch = branch_with(snapshot, bookmark.branch, bookmark.number)
    if branch is None:
        return "The branch of the history that it was in is forgotten"
    if branch == branch_of(snapshot):
        return "" if index_of(snapshot, bookmark) is not None else "Not in the history any more: the oldest steps go when the memory for it is full"
    return ""


def time_name(time: float) -> str:
    """The name of a bookmark that was given none: its simulated time."""
    return f"{time:.3f} s"


def _order(bookmark: Bookmark) -> tuple[int, int]:
    return bookmark.branch, bookmark.number


def _bookmark_of(k: int, row: Mapping[str, Any]) -> Bookmark:
    wanted = {"number": int, "time": (int, float), "name": str, "branch": int, "thumbnail": bytes}
    given = {name: row[name] for name in wanted if name in row}
    for name in ("number", "time", "name"):
        if name not in given:
            raise ValueError(f"bookmark {k}: '{name}' is missing")
    for name, value in given.items():
        if not isinstance(value, wanted[name]) or (name == "time" and not isfinite(value)) or (name == "number" and value < 0):
            raise ValueError(f"bookmark {k}: {value!r} is no '{name}'")
    return Bookmark(**given)
