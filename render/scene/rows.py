"""Tables that grow: the structure of arrays behind everything a Scene holds per frame."""
import numpy as np


class Rows:
    """Growable structure of arrays. Subclasses list COLUMNS: (name, trailing shape, dtype, fill)."""

    COLUMNS = ()

    def __init__(self, capacity: int = 16):
        self.n = 0
        self.capacity = 0
        self._reserve(max(1, capacity))

    def _reserve(self, capacity):
        for name, tail, dtype, _ in self.COLUMNS:
            new = np.zeros((capacity, *tail), dtype)
            if self.n:
                new[:self.n] = getattr(self, name)[:self.n]
            setattr(self, name, new)
        self.capacity = capacity

    def clear(self):
        """Forget all rows, keep the storage."""
        self.n = 0

    def add(self, k: int = 1) -> slice:
        """Append k rows holding each column's fill value; the arrays may be replaced, so index them afterwards."""
        first, self.n = self.n, self.n + k
        if self.n > self.capacity:
            n, self.n = self.n, first
            self._reserve(max(n, 2 * self.capacity))
            self.n = n
        rows = slice(first, self.n)
        for name, _, _, fill in self.COLUMNS:
            getattr(self, name)[rows] = fill
        return rows

    def view(self, name: str) -> np.ndarray:
        """The filled part of one column."""
        return getattr(self, name)[:self.n]
