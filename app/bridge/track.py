"""Where points have been: rings of a fixed length, fed by snapshots, emptied when the state jumps."""
from __future__ import annotations

import numpy as np

LENGTH = 240            # places kept
SECONDS = 4.0           # simulated time that they span
MOST = 64               # points followed at once
NEAR = 0.9              # of the ring's step: closer entries are replaced


class Track:
    """Places of some points at past times. `follow` takes the present ones; `segments` gives the ways."""

    def __init__(self):
        self._series = None      # what must be the same for the ring to go on: generation, restarts, keys
        self._times = np.full(LENGTH, -np.inf)
        self._places = np.zeros((LENGTH, 0, 3))
        self.count = 0
        self._last = -1          # newest entry

    def copy(self) -> Track:
        """The same places in a ring of its own, for another camera that is fed at other times."""
        other = Track()
        other._series, other._times, other._places, other.count, other._last = self._series, self._times.copy(), self._places.copy(), self.count, self._last
        return other

    def clear(self) -> None:
        """Forget every place."""
        self.count, self._last = 0, -1

    def follow(self, series, time: float, places: np.ndarray) -> None:
        """Take places (n, 3) at this time. series: anything that changes when the run starts anew or other points are meant.

        A time before the last one empties the ring. Places closer in time than the ring's step replace the newest.
        """
        if series != self._series or self._places.shape[1] != len(places) or (self.count and time < self._times[self._last]):
            self.clear()
            self._series = series
            self._places = np.zeros((LENGTH, len(places), 3))
        settled = self.count < 2 or self._times[self._last] >= self._times[self._last - 1] + NEAR * SECONDS / LENGTH
        if not self.count or settled and time > self._times[self._last]:
            self._last = (self._last + 1) % LENGTH
            self.count = min(self.count + 1, LENGTH)
        self._times[self._last] = time
        self._places[self._last] = places

    def segments(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Starts (k, 3), ends (k, 3), ages of the ends as a share of the ring's span (k,), and which point each belongs to (k,); newest last."""
        order = (self._last - self.count + 1 + np.arange(self.count)) % LENGTH
        places, times = self._places[order], self._times[order]
        n = places.shape[1]
        if self.count < 2 or not n:
            return np.zeros((0, 3)), np.zeros((0, 3)), np.zeros(0), np.zeros(0, int)
        age = np.clip((times[-1] - times[1:]) / SECONDS, 0, 1)
        return places[:-1].reshape(-1, 3), places[1:].reshape(-1, 3), np.repeat(age, n), np.tile(np.arange(n), self.count - 1)
