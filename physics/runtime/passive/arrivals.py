"""States that arrive from outside, numbered as they come: entries of a history of which nothing but the times is kept.

Between marks times run on evenly, as readers of a history expect; where the pace of the states changes there is a mark, and one where time jumps.
"""
from __future__ import annotations

from physics.runtime.history.history import MOST_MARKS, RESET, START, TIMESTEP, Mark

EVEN = 10    # time steps by which a state may be off an even pace


class Arrivals:
    """count: how many there are, numbered from 0; start, time: of the first and the newest [s]."""

    def __init__(self):
        self.count, self.start, self.time = 0, 0.0, 0.0
        self.marks: tuple[Mark, ...] = ()
        self._first = 0, 0.0                                     # number and time of the state that the present stretch begins with
        self._paces = float("-inf"), float("inf")                # from one state to the next, within which all of the stretch lie near a line

    @property
    def pace(self) -> float:
        """Simulated time from one state to the next, of late [s]; 0 before there are two."""
        number, start = self._first
        steps = self.count - 1 - number
        return (self.time - start) / steps if steps > 0 else 0.0

    def add(self, time: float, timestep: float, jumped: bool = False) -> bool:
        """A state of this simulated time is here. Whether it is a new one: at the same time it is the last one, changed."""
        if not self.count:
            self.start = time
            self._begin(time, START, "start", time)
            return True
        if time == self.time and not jumped:
            return False
        if jumped or time < self.time:
            self._begin(time, RESET, "the script's state jumped", self.time)
            return True
        number, (first, start) = self.count, self._first
        steps, off = number - first, EVEN * timestep
        pace, (low, high) = (time - start) / steps, self._paces
        if not low <= pace <= high:
            self._begin(time, TIMESTEP, "", self.time)
            return True
        self._paces = max(low, pace - off / steps), min(high, pace + off / steps)
        self.count, self.time = number + 1, time
        return True

    def _begin(self, time: float, kind: str, text: str, before: float) -> None:
        """The next state begins a stretch."""
        self.marks = (*self.marks[-MOST_MARKS:], Mark(self.count, time, kind, text, before))
        self._first, self._paces = (self.count, time), (float("-inf"), float("inf"))
        self.count, self.time = self.count + 1, time
