"""What functions of the user's have written of Data between steps: what differs from the newest entry, and from the inputs that are held.

Looked at before every step that such functions are called around, so all that does not change within a stretch of steps is looked up once.
"""
from __future__ import annotations

import numpy as np

from physics.engine import record
from physics.runtime.history.held_inputs import ARRAYS

FIELDS = ("qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "mocap_pos", "mocap_quat")    # of what an entry has, in its order; the rest is ours


class Written:
    """For steps whose entries all lie in one piece of the history. rows: its memory, with entries of `stride` numbers, of which `count` are there; before: the entry before
    those, None where that is one of another Model. held: bytes of the ARRAYS that hold at the newest entry, None where that is not known."""

    def __init__(self, d, parts, rows: np.ndarray, stride: int, count: int, before: np.ndarray | None, held: tuple[bytes, ...] | None):
        self._numbers = memoryview(rows)        # of which one number, or some bytes, cost less than of an array
        self._bytes = self._numbers.cast("B") if len(rows) else self._numbers
        self._stride, self._first, self._before = stride, count - 1, before
        self._places, k = [], record.HEAD
        for name, n in parts.items():
            if n and name in FIELDS:
                array = getattr(d, name)
                self._places.append((name, array, array.tobytes, 8 * (k - record.HEAD), 8 * (k - record.HEAD + n)))
            k += n
        self._end = max([record.HEAD, *(record.HEAD + end // 8 for *_, end in self._places)])
        there = [k for k, name in enumerate(ARRAYS) if getattr(d, name).size]
        self._names = [ARRAYS[k] for k in there]
        self._held_arrays = [getattr(d, name) for name in self._names]
        self._reads = [array.tobytes for array in self._held_arrays]
        self._held = None if held is None else [held[k] for k in there]
        self.holds = held is not None      # whether what is held is what was noted last

    def look(self, steps: int, now: float) -> dict[str, np.ndarray]:
        """{field: a copy} of what differs, after so many steps of these and at time `now` [s]; {} for nothing. `holds` is False where inputs that are held are among it."""
        k = self._first + steps
        if k >= 0:
            start = k * self._stride
            time, data = self._numbers[start], self._bytes[8 * (start + record.HEAD):8 * (start + self._end)].tobytes()
        elif self._before is not None:
            time, data = self._before[0], self._before[record.HEAD:self._end].tobytes()
        else:       # the newest entry is of another Model: all of it is written
            time, data = np.nan, b""
        found = {name: array.copy() for name, array, read, start, end in self._places if read() != data[start:end]}
        if time != now:
            found["time"] = np.array([now])
        held = [read() for read in self._reads]
        if held != self._held:
            before, self._held, self.holds = self._held, held, False
            for name, array, new, old in zip(self._names, self._held_arrays, held, before or [None] * len(held), strict=True):
                if new != old:
                    found[name] = array.copy()
        return found
