"""A region of the timeline: what is played in a loop, and what figures are made of. No Qt."""
from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from app.timeline.bookmarks import HistoryPlace, branch_of


class Region(NamedTuple):
    """Entries `first` to `last` of a branch, both in it, by their numbers (index and Snapshot.history_gone)."""

    first: int
    last: int
    branch: int = 1


class TimelineRegion:
    """The region of a window, if there is one. `changed`: functions that are called after each change."""

    def __init__(self):
        self.region: Region | None = None
        self.changed: list[Callable[[], None]] = []

    def set(self, first: int, last: int, branch: int = 1) -> None:
        """From one entry to another, whichever is the earlier. One alone is a beginning whose end is still to come."""
        first, last = sorted((max(0, first), max(0, last)))
        self._take(Region(first, last, branch))

    def clear(self) -> None:
        """No region any more."""
        self._take(None)

    def begin(self, snapshot, number: int) -> None:
        """From this entry on, to where the region ends or to the newest."""
        last = self._of(snapshot).last
        self.set(number, last if last > number else HistoryPlace.of(snapshot).newest, branch_of(snapshot))

    def end(self, snapshot, number: int) -> None:
        """Up to this entry, from where the region begins or from the oldest."""
        first = self._of(snapshot).first
        self.set(first if first < number else snapshot.history_gone, number, branch_of(snapshot))

    def _of(self, snapshot) -> Region:
        region = self.region
        whole = Region(snapshot.history_gone, HistoryPlace.of(snapshot).newest, branch_of(snapshot))
        return region if region is not None and region.branch == whole.branch else whole

    def follow(self, snapshot) -> None:
        """The history goes on: a region whose last entry was dropped at its beginning goes too."""
        if self.region is not None and self.region.last < snapshot.history_gone and self.region.branch == branch_of(snapshot):
            self.clear()

    def within(self, snapshot) -> tuple[int, int] | None:
        """Indices of its first and last entry in the history of a snapshot; None where there is no region, or less than two of its entries."""
        region = self.region
        if region is None or region.branch != branch_of(snapshot):
            return None
        first, last = max(0, region.first - snapshot.history_gone), min(snapshot.history_length - 1, region.last - snapshot.history_gone)
        return (first, last) if last > first else None

    def _take(self, region: Region | None) -> None:
        if region != self.region:
            self.region = region
            for listener in tuple(self.changed):
                listener()
