"""Tables that grow: the structure of arrays behind everything a Scene holds per frame."""
import numpy as np

CLEARS = 8          # times in a row that storage has to be too large before it is given back: what comes and goes at every other picture keeps its own
TOO_LARGE = 4       # times what was needed
LEAST = 1024        # rows that are kept anyway


class Rows:
    """Growable structure of arrays. Subclasses list COLUMNS: (name, trailing shape, dtype, fill)."""

    COLUMNS = ()

    def __init__(self, capacity: int = 16):
        self.n = 0
        self.capacity = 0
        self._most = self._clears = 0      # rows needed at most, and how often it was cleared, since storage was judged last
        self._reserve(max(1, capacity))

    def _reserve(self, capacity):
        for name, tail, dtype, _ in self.COLUMNS:
            new = np.zeros((capacity, *tail), dtype)
            if self.n:
                new[:self.n] = getattr(self, name)[:self.n]
            setattr(self, name, new)
        self.capacity = capacity

    def clear(self):
        """Forget all rows and keep the storage, unless far less of it was needed each of the last CLEARS times: the trails of a thousand bodies are 20 MB that
        the next model has no use for."""
        self._most, self._clears, self.n = max(self._most, self.n), self._clears + 1, 0
        if self._clears == CLEARS:
            if self.capacity > max(LEAST, TOO_LARGE * self._most):
                self._reserve(max(LEAST, 2 * self._most))
            self._most = self._clears = 0

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
