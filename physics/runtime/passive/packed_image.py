"""An image of a Data, or of its state alone, packed into a given piece of memory that two processes share: nothing is pickled, and each number is copied once at either side.

    Data --write--> memory (of the other process too) --read--> DataImage of views --put--> another Data

The memory holds, one behind the other: how many rows and iterations there are, the Data's own memory but scratch, its scalars, rows of contacts and constraints, figures of the solver.
"""
from __future__ import annotations

import numpy as np

from physics.fields.layout import LAYOUTS
from physics.model.data import Data
from physics.model.data_image import ITERATIONS, ROWS, DataImage
from physics.model.state_fields import ARRAYS, State

_LAYOUT = LAYOUTS["d"]
_HEAD = 8 * (len(ROWS) + 2)     # bytes of the numbers in front
GROWTH = 4      # how many times as many rows as there is storage for now fit in
SPARE = 1 << 18     # bytes for rows of a Data that has few now


def room_for(d: Data) -> int:
    """Bytes in which images of this Data will fit, as far as one can tell: its rows may become more."""
    rows = sum(getattr(d, name).nbytes for names in ROWS.values() for name in names)
    figures = sum(getattr(d, name).nbytes for name in ITERATIONS)
    return -(-(d._buffer.nbytes + 8 * len(_LAYOUT.scalars) + GROWTH * rows + figures + _HEAD + SPARE) // 64) * 64


class PackedImage:
    """Writes and reads images of Datas of equal Models."""

    def __init__(self, d: Data):
        self._image = DataImage(d)      # as a pattern
        self._known: dict[str, tuple[np.ndarray, list[tuple[np.ndarray, int]]]] = {}    # rows of a count -> its first array, and of each its bytes and those of a row
        self._fixed = _HEAD + sum(stop - start for start, stop in self._image.parts) + 8 + 8 * sum(part.stop - part.start for part in _LAYOUT.scalar_parts)
        self._dtypes = {name: (getattr(d, name).dtype, getattr(d, name).shape[1:]) for names in ROWS.values() for name in names}
        self._figures = {name: getattr(d, name).dtype for name in ITERATIONS}
        self._state = [(name, getattr(d, name).dtype, getattr(d, name).shape) for name in ARRAYS]

    def write(self, d: Data, memory: np.ndarray) -> int:
        """Pack an image into memory (n,) of uint8; how many bytes it takes, 0 where it does not fit: then what is there is worth nothing."""
        mine, image = d.__dict__, self._image
        counts = [getattr(d, count) for count in ROWS]
        done = d.solver_niter
        islands, iterations = max(1, int(np.count_nonzero(done))), int(done.max()) + 1
        groups = [(n, self._bytes(mine, count)) for count, n in zip(ROWS, counts, strict=True) if n]
        size = self._fixed + sum(n * row + 8 for n, group in groups for _raw, row in group) + sum(islands * iterations * dtype.itemsize + 8 for dtype in self._figures.values())
        if size > len(memory):
            return 0
        memory[:_HEAD].view(np.int64)[:] = (*counts, islands, iterations)
        at = _HEAD
        for start, stop in image.parts:
            memory[at:at + stop - start] = d._buffer[start:stop]
            at += stop - start
        at += -at % 8
        for part in _LAYOUT.scalar_parts:
            scalars = d._block[part].view(np.uint8)
            memory[at:at + len(scalars)] = scalars
            at += len(scalars)
        for n, group in groups:
            for raw, row in group:
                used = n * row
                memory[at:at + used] = raw[:used]
                at += used + -used % 8
        for name, dtype in self._figures.items():
            size = islands * iterations * dtype.itemsize
            memory[at:at + size].view(dtype).reshape(islands, iterations)[:] = mine[name][:islands, :iterations]
            at += size + -size % 8
        return at

    def _bytes(self, mine: dict[str, np.ndarray], count: str) -> list[tuple[np.ndarray, int]]:
        """The bytes of each array that has so many rows, and of one of its rows: looked for again where the Data has other arrays by now, which come together."""
        first, known = mine[ROWS[count][0]], self._known.get(count)
        if known is None or known[0] is not first:
            arrays = [mine[name] for name in ROWS[count]]
            known = self._known[count] = first, [(array.reshape(-1).view(np.uint8), array.nbytes // max(1, len(array))) for array in arrays]
        return known[1]

    def read(self, memory: np.ndarray) -> DataImage:
        """The image that is there, in views of the memory: it is good while nobody writes there."""
        *counts, islands, iterations = memory[:_HEAD].view(np.int64).tolist()
        at = _HEAD

        def taken(count: int, dtype: np.dtype) -> np.ndarray:
            nonlocal at
            found = memory[at:at + count * dtype.itemsize].view(dtype)
            at += found.nbytes + -found.nbytes % 8
            return found

        whole = taken(sum(stop - start for start, stop in self._image.parts), np.dtype(np.uint8))
        scalars = [taken(part.stop - part.start, np.dtype(np.int64)) for part in _LAYOUT.scalar_parts]
        rows = {}
        for n, names in zip(counts, ROWS.values(), strict=True):
            for name in names:
                dtype, shape = self._dtypes[name]
                rows[name] = taken(n * int(np.prod(shape, dtype=int)), dtype).reshape(n, *shape)
        figures = {name: taken(islands * iterations, dtype).reshape(islands, iterations) for name, dtype in self._figures.items()}
        return self._image.beside(whole, scalars, rows, figures)

    def write_state(self, d: Data, memory: np.ndarray) -> int:
        """As `write`, of the state alone."""
        memory[:8].view(np.float64)[0] = d.time
        at = 8
        for name, _dtype, _shape in self._state:
            array = getattr(d, name)
            if at + array.nbytes > len(memory):
                return 0
            memory[at:at + array.nbytes] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
            at += array.nbytes + -array.nbytes % 8
        return at

    def read_state(self, memory: np.ndarray) -> State:
        """The state that is there, in views of the memory."""
        at, found = 8, []
        for _name, dtype, shape in self._state:
            size = int(np.prod(shape, dtype=int)) * dtype.itemsize
            found.append(memory[at:at + size].view(dtype).reshape(shape))
            at += size + -size % 8
        return State(float(memory[:8].view(np.float64)[0]), *found)
