"""A region of the timeline: what is played in a loop, and what figures are made of. No Qt."""
from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from app.timeline.bookmarks import HistoryPlace, branch_of, branch_with


class Region(NamedTuple):
    """Entries `first` to `last`, both in it, by their numbers (index and Snapshot.history_gone); branch: to which the first one belongs."""

    first: int
    last: int
    branch: int = 1


class TimelineRegion:
    """The region of a window, if there is one. `changed`: functions that are called after each change. Snapshots may be HistoryPlaces."""

    def __init__(self):
        self.region: Region | None = None
        self.changed: list[Callable[[], None]] = []

    def take(self, region: Region | None) -> None:
        """This region, None: no region."""
        if region != self.region:
            self.region = region
            for listener in tuple(self.changed):
                listener()

    def clear(self) -> None:
        """No region any more."""
        self.take(None)

    def mark(self, snapshot, first: float, last: float) -> None:
        """From one entry to another of the history that a snapshot shows, whichever is the earlier. One alone is a beginning whose end is still to come."""
        whole = HistoryPlace.of(snapshot)
        first, last = sorted(min(max(round(edge), whole.history_gone), whole.newest) for edge in (first, last))
        self.take(Region(first, last, branch_of(snapshot)))

    def begin(self, snapshot, number: int) -> None:
        """From this entry on, to where the region ends or to the newest."""
        last = self._of(snapshot).last
        self.mark(snapshot, number, last if last > number else HistoryPlace.of(snapshot).newest)

    def end(self, snapshot, number: int) -> None:
        """Up to this entry, from where the region begins or from the oldest."""
        first = self._of(snapshot).first
        self.mark(snapshot, first if first < number else snapshot.history_gone, number)

    def _of(self, snapshot) -> Region:
        return self.region if self.shown(snapshot) else Region(snapshot.history_gone, HistoryPlace.of(snapshot).newest)

    def shown(self, snapshot) -> bool:
        """Whether there is one in the branch of the history that a snapshot shows."""
        return self.region is not None and branch_with(snapshot, self.region.branch, self.region.last) == branch_of(snapshot)

    def follow(self, snapshot) -> None:
        """The history goes on: a region whose last entry was dropped at its beginning goes too."""
        if self.shown(snapshot) and self.region.last < snapshot.history_gone:
            self.clear()

    def within(self, snapshot) -> tuple[int, int] | None:
        """Indices of its first and last entry in the history of a snapshot; None where there is no region, or less than two of its entries."""
        if not self.shown(snapshot):
            return None
        first, last = max(0, self.region.first - snapshot.history_gone), min(snapshot.history_length - 1, self.region.last - snapshot.history_gone)
        return (first, last) if last > first else None
