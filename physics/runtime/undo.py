"""Taking steps back in which a kernel was called that is not compiled yet: what the state was before them, kept at little cost."""
from __future__ import annotations

import numpy as np

from physics.model.data import Data
from physics.model.state_fields import STATE

_COUNTERS = ("time", "record_end", "noise_step")   # the record of states ends where it ended before


class Undo:
    """The state of a Data at the last `keep`. Its room is made once for a Data: this is done before every chunk of steps of a first start."""

    def __init__(self):
        self._data: Data | None = None
        self._pairs: list[tuple[np.ndarray, np.ndarray]] = []   # array of the state, its copy
        self._counters: tuple = ()

    def keep(self, d: Data) -> None:
        """Remember all that steps go on from, to the last bit."""
        if self._data is not d:
            arrays = [array for array in (getattr(d, f.name) for f in STATE if f.name != "time") if array.size]
            self._data, self._pairs = d, [(array, array.copy()) for array in arrays]
        else:
            for array, copy in self._pairs:
                np.copyto(copy, array)
        self._counters = (d.time, d.record_end, d.noise_step)

    def take_back(self, d: Data) -> None:
        """Put back what was kept of this Data (nothing, where something else was), and forget what the steps said went wrong."""
        if self._data is d:
            for array, copy in self._pairs:
                np.copyto(array, copy)
            for name, value in zip(_COUNTERS, self._counters, strict=True):
                setattr(d, name, value)
        d.cb_error = d.diverged = 0
