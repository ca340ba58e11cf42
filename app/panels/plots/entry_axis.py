"""The time axis of charts: entries of the history, as on the timeline, with simulated times as numbers."""
from __future__ import annotations

import pyqtgraph as pg

from app.history_scale import HistoryScale
from physics.runtime.snapshot import Snapshot

TICK_ROOM = 70.0     # logical pixels between two numbers


class EntryAxis(pg.AxisItem):
    """Places are numbers of the history's entries (index and those that were dropped at its beginning)."""

    def __init__(self):
        super().__init__("bottom")
        self._scale, self._gone = HistoryScale(1, (0.0, 0.0), 1.0), 0
        self._texts: dict[float, str] = {}
        self._times = True

    def set_times(self, on: bool) -> None:
        """Whether places are entries; else they are numbers as they are."""
        self._times = on

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Take over how the history is divided."""
        self._scale, self._gone = HistoryScale.of(snapshot), snapshot.history_gone
        self.picture = None     # pyqtgraph paints anew
        self.update()

    def time_at(self, number: float) -> float:
        """Simulated time of an entry [s]."""
        return self._scale.time_at(number - self._gone)

    def entries_of(self, seconds: float) -> float:
        """How many entries so many seconds are, by the time step of now."""
        return seconds / self._scale.timestep

    def tickValues(self, minimum: float, maximum: float, size: float) -> list[tuple[float, list[float]]]:
        """Places of round times, for pyqtgraph: [(spacing, places)]."""
        if not self._times:
            return super().tickValues(minimum, maximum, size)
        span = max(1.0, maximum - minimum)
        most = max(2, int(size / TICK_ROOM))
        ticks = self._scale.ticks(span, most, minimum - self._gone) if span < 4 * self._scale.length else []
        found = {place + self._gone: text for place, text in ticks if minimum <= place + self._gone <= maximum}
        self._texts = found
        return [(span / most, sorted(found))]

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """The times there."""
        if not self._times:
            return super().tickStrings(values, scale, spacing)
        return [self._texts.get(value, "") for value in values]
