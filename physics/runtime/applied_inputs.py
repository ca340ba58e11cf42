"""What acts on a run from outside and no entry of the history holds: applied forces, switches of constraints, the user's data; by entry, noted where it changes.

    note(k)       entry k was taken with what is in Data now: kept if it is not what the entry before had
    put(k)        what entry k was taken with goes back into Data

Forces that stay the same cost nothing; forces that a script writes at every step are kept for every step, up to a budget, then the oldest go.
"""
from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable

import numpy as np

FIELDS = ("qfrc_applied", "xfrc_applied", "eq_active", "userdata")
BYTES = 32 << 20


class AppliedInputs:
    """Belongs to a History; entries are known by their numbers."""

    def __init__(self, nbytes: int = BYTES):
        self._budget = nbytes
        self._arrays: tuple[np.ndarray, ...] = ()
        self._reads: tuple[Callable[[], bytes], ...] = ()
        self._numbers: list[int] = []
        self._kept: list[list[bytes]] = []

    def follow(self, d, number: int) -> None:
        """Entries from this number on are of this Data; what is known of earlier ones means nothing to it."""
        self._arrays = tuple(array for array in (getattr(d, name) for name in FIELDS) if array.size)
        self._reads = tuple(array.tobytes for array in self._arrays)
        self._numbers, self._kept = [], []
        self.note(number)

    def note(self, number: int) -> None:
        """Entries from this one on were taken with what is in Data now; later notes are forgotten."""
        now = [read() for read in self._reads]      # at every step, where scripts run
        if self._numbers and self._numbers[-1] >= number:
            self.cut(number)
        if not self._kept or self._kept[-1] != now:
            self._numbers.append(number)
            self._kept.append(now)
            if len(self._kept) * sum(map(len, now)) > self._budget:
                half = len(self._kept) // 2
                del self._numbers[:half], self._kept[:half]

    def amend(self, number: int) -> None:
        """Entry `number` was changed by hand; those after it are as they were."""
        k = bisect_right(self._numbers, number) - 1
        if k >= 0 and number + 1 not in self._numbers[k + 1:k + 2]:
            self._numbers.insert(k + 1, number + 1)
            self._kept.insert(k + 1, self._kept[k])
        if k < 0 or self._numbers[k] != number:
            k += 1
            self._numbers.insert(k, number)
            self._kept.insert(k, [])
        self._kept[k] = [read() for read in self._reads]

    def cut(self, number: int) -> None:
        """Entry `number` and those after it are taken anew."""
        k = bisect_left(self._numbers, number)
        del self._numbers[k:], self._kept[k:]

    def put(self, number: int) -> None:
        """Bring back what an entry was taken with; nothing where it is of an earlier Model or that is not known any more."""
        k = bisect_right(self._numbers, number) - 1
        if k >= 0:
            for array, kept in zip(self._arrays, self._kept[k], strict=True):
                array.reshape(-1).view(np.uint8)[:] = np.frombuffer(kept, np.uint8)
