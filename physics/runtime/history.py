"""The past of a run: a ring with one entry per step, and a way back into it.

    oldest                       index                 newest
      |------- history -----------o- - - later entries - -|      running on from `index` drops the later entries

The storage is one buffer of fixed size, divided anew for each model; the record kernel (engine/record.py) writes it inside
the compiled loop, this class only reads and rewinds. Time need not be evenly spaced: each entry knows its own.
"""
from __future__ import annotations

import numpy as np

from physics.engine import record
from physics.enums import MAXVAL
from physics.model.state_fields import RECORDED, count

BYTES = 128 << 20


class History:
    """Entries of one Data at a time; index 0 is the oldest."""

    def __init__(self, nbytes: int = BYTES):
        self._numbers = nbytes // 8
        self._storage = np.empty(0)
        self._model = self._data = None
        self._start = self.index = 0

    def attach(self, m, d) -> None:
        """Use the storage for this Data from now on, empty."""
        stride = record.HEAD + sum(count(m, name) for name in RECORDED)
        cap = max(2, self._numbers // stride)
        if d is not self._data or cap * stride > len(self._storage):
            self._storage = np.empty(max(self._numbers, cap * stride))   # touched, and so paid for, only as it fills; the last one's is given back
        self._model, self._data = m, d
        d.bind("record", self._storage[:cap * stride])
        d.record_stride, d.record_cap = stride, cap
        self.clear()

    def clear(self) -> None:
        """Forget everything and record the present state as the first entry."""
        self._data.record_end = self._start = 0
        self._append()
        self.index = 0

    def _append(self) -> None:
        record.record_state.at_once(self._model, self._data)   # the first state is kept before kernels are compiled

    def __len__(self) -> int:
        d = self._data
        return 0 if d is None else d.record_end - max(self._start, d.record_end - d.record_cap)

    def _row(self, index: int) -> np.ndarray:
        d = self._data
        row = (max(self._start, d.record_end - d.record_cap) + index) % d.record_cap
        return d.record[row * d.record_stride:(row + 1) * d.record_stride]

    def time(self, index: int) -> float:
        """Simulated time of an entry."""
        return float(self._row(index)[0])

    def at_end(self) -> bool:
        """Whether the present state is the newest entry."""
        return self.index >= len(self) - 1

    def follow(self) -> None:
        """The kernel has appended entries: the newest is the present one."""
        self.index = len(self) - 1

    def cut(self) -> None:
        """Drop the entries after the present one."""
        self._data.record_end -= len(self) - 1 - self.index

    def rewrite(self) -> None:
        """The present state was changed by hand: it replaces the present entry, later ones are dropped."""
        self.cut()
        self._data.record_end -= 1
        self._append()

    def load(self, index: int) -> None:
        """Put an entry into Data (positions of bodies follow with the next forward). Negative counts from the newest.

        Raises IndexError where there is no such entry.
        """
        n = len(self)
        if not -n <= index < n:
            raise IndexError(f"history has {n} entries, none at {index}")
        self.index = index % n
        m, d, row = self._model, self._data, self._row(self.index)
        d.time, d.noise_step = float(row[0]), int(row[1])
        k = record.HEAD
        d.wake()
        for name in RECORDED:
            n = count(m, name)
            getattr(d, name).reshape(-1)[:] = row[k:k + n]
            k += n
        d.let_sleep()

    def good(self, index: int) -> bool:
        """Whether all coordinates of an entry are finite and not absurdly large."""
        m, row = self._model, self._row(index)
        state = row[record.HEAD:record.HEAD + m.nq + m.nv]
        return bool(np.all(np.abs(state) < MAXVAL))

    def load_last_good(self) -> None:
        """Go back to the newest entry with sound coordinates, dropping the others; the oldest one if there is none."""
        index = len(self) - 1
        while index > 0 and not self.good(index):
            index -= 1
        self.load(index)
        self.cut()
