"""Which entries the time axis shows: all of the history, or the part that the user has zoomed to. No Qt.

    whole   |----------------------------------------|   entries by number; its length is a round number of seconds
    shown            |-----------|                       first, span
"""
from __future__ import annotations

from app.history_scale import HistoryScale, nice_step

LEAST = 8.0      # entries that are shown at least
AHEAD = 0.1      # of what is shown stays behind a playhead that has left it and is shown again


class AxisRange:
    """first, span: number of the first entry that is shown, and how many are, with fractions. fitted: that is all of them, and stays so."""

    def __init__(self):
        self.fitted = True
        self.first, self.span = 0.0, 1.0
        self.whole = (0.0, 1.0)          # first and span of all
        self._playhead, self._seen = 0, True

    def follow(self, scale: HistoryScale, gone: int, playhead: int, running: bool = False, held: bool = False) -> None:
        """The history has gone on. playhead: number of the present entry, which is brought into view when it leaves it, or when it moves while the simulation is paused;
        held: by the mouse, then nothing moves beneath it."""
        span = (scale.length - 1) * scale.timestep
        self.whole = float(gone), float(max(scale.length - 1, round(nice_step(span, 1) / scale.timestep), 1) if span > 0 else 1)
        moved = playhead != self._playhead
        forward, self._playhead = playhead > self._playhead, playhead
        if self.fitted:
            self.first, self.span = self.whole
        elif held:
            return
        elif not self._has(playhead) and moved and (self._seen or not running):
            self._show(playhead - (AHEAD if forward else 1 - AHEAD) * self.span, self.span)
        else:
            self._show(self.first, self.span)
        self._seen = self._has(playhead)

    def _has(self, number: float) -> bool:
        return self.first <= number <= self.first + self.span

    def _show(self, first: float, span: float) -> None:
        """So many entries, within what there is; all of them where that is not less."""
        start, room = self.whole
        if span >= room:
            self.fit()
            return
        self.fitted = False
        self.span = max(min(LEAST, room), span)
        self.first = min(max(first, start), start + room - self.span)
        self._seen = self._has(self._playhead)

    def fit(self) -> None:
        """Show all."""
        self.fitted = True
        self.first, self.span = self.whole
        self._seen = True

    def zoom(self, factor: float, number: float) -> None:
        """Show so many times as many entries; the place of an entry stays."""
        share = (number - self.first) / self.span
        span = max(LEAST, self.span * factor)
        self._show(number - share * span, span)

    def pan(self, entries: float) -> None:
        """Move on by so many."""
        if not self.fitted:
            self._show(self.first + entries, self.span)

    def show(self, first: float, last: float) -> None:
        """Show these entries."""
        self._show(first, max(LEAST, last - first))
