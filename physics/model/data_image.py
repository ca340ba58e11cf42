"""What a Data holds, in memory of its own: to be put into another Data of an equal Model, in another process or later.

    Data --take--> DataImage --pipe--> DataImage --put--> another Data

Scratch stays behind, and of contacts and constraint rows only those that there are are taken. Taking an image of humanoid costs some 20 us.
"""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from physics.fields.layout import GROWING, LAYOUTS
from physics.model.data import Data

_LAYOUT = LAYOUTS["d"]
SEEN = ("sol_tree_island",)   # of scratch: what pictures show
NEAR = 1 << 10   # bytes of scratch between two fields that are taken along: quicker than a further copy
# of a Data itself, not of its state: they stay as they are
OWN = tuple(name for name in _LAYOUT.scalars if name in GROWING or name in GROWING.values() or name.startswith(("cb_", "record_", "trace_", "clock_")))
# rows of growing fields, by the scalar that says how many there are
ROWS: Mapping[str, tuple[str, ...]] = MappingProxyType({
    count: tuple(name for name, spot in _LAYOUT.arrays.items() if spot.dims[0] == size and not _LAYOUT.rows[name].private)
    for count, size in (("ncon", "maxcon"), ("nefc", "maxefc"), ("nJ", "maxJ"))})
ITERATIONS = tuple(name for name, spot in _LAYOUT.arrays.items() if spot.dims == ("20", "200"))   # figures by island and iteration of the solver, of which most are of older steps


class DataImage:
    """Room for the image of a Data and of all of Models of the same sizes. Can be pickled."""

    def __init__(self, d: Data):
        self._sizes, self._parts = _sizes(d), _parts(d)
        self._bytes = np.empty(sum(end - start for start, end in self._parts), np.uint8)
        self._scalars = [np.empty(part.stop - part.start, np.int64) for part in _LAYOUT.scalar_parts]
        self._rows: dict[str, np.ndarray] = {}
        self._iterations: dict[str, np.ndarray] = {}

    @property
    def nbytes(self) -> int:
        """How much there is to be sent [byte]."""
        return self._bytes.nbytes + sum(rows.nbytes for rows in (*self._rows.values(), *self._iterations.values()))

    @property
    def parts(self) -> tuple[tuple[int, int], ...]:
        """(start, end) of what is taken of a Data's memory [byte]."""
        return self._parts

    def beside(self, whole: np.ndarray, scalars: list[np.ndarray], rows: dict[str, np.ndarray], iterations: dict[str, np.ndarray]) -> DataImage:
        """An image of the same kind whose numbers are these: the parts of a Data's memory one behind the other, scalars, rows of growing fields, figures of the solver."""
        new = object.__new__(DataImage)
        new._sizes, new._parts, new._bytes, new._scalars, new._rows, new._iterations = self._sizes, self._parts, whole, scalars, rows, iterations
        return new

    def take(self, d: Data) -> None:
        """Make it the image of this Data as it is now."""
        at = 0
        for start, end in self._parts:
            self._bytes[at:at + end - start] = d._buffer[start:end]
            at += end - start
        for part, scalars in zip(_LAYOUT.scalar_parts, self._scalars, strict=True):
            scalars[:] = d._block[part]
        mine = d.__dict__
        for count, names in ROWS.items():
            n = getattr(d, count)
            for name in names:
                self._rows[name] = mine[name][:n].copy()
        done = d.solver_niter
        islands, iterations = max(1, int(np.count_nonzero(done))), int(done.max()) + 1
        self._iterations = {name: mine[name][:islands, :iterations].copy() for name in ITERATIONS}

    def put(self, d: Data) -> None:
        """Make a Data look so. Its storage, callbacks and records stay its own. Raises ValueError where it has other sizes."""
        if self._sizes != _sizes(d):
            raise ValueError("the image is one of a Data of other sizes")
        kept = {name: getattr(d, name) for name in OWN}
        at = 0
        for start, end in self._parts:
            d._buffer[start:end] = self._bytes[at:at + end - start]
            at += end - start
        for part, scalars in zip(_LAYOUT.scalar_parts, self._scalars, strict=True):
            d._block[part] = scalars
        for name, value in kept.items():
            setattr(d, name, value)
        d.grow_contacts(d.ncon)
        d.grow_efc(d.nefc, d.nJ)
        for name, rows in self._rows.items():
            getattr(d, name)[:len(rows)] = rows
        for name, figures in self._iterations.items():
            getattr(d, name)[:len(figures), :figures.shape[1]] = figures
        d.aba_trees = 0     # what ABA solves by is scratch: qLD does it, whose rows that are due are made of M


def _sizes(d: Data) -> tuple[int, ...]:
    """What decides how the fields of a Data lie."""
    return tuple(d._sizes.values())


def _parts(d: Data) -> tuple[tuple[int, int], ...]:
    """(start, end) of what is taken of a Data's buffer [byte]: its fields but scratch, neighbours together."""
    base, size = d._buffer.ctypes.data, d._buffer.nbytes
    spots = []
    for name in _LAYOUT.arrays:
        array = d.__dict__[name]
        if (name in SEEN or not _LAYOUT.rows[name].private) and name not in ITERATIONS and array.size and base <= array.ctypes.data < base + size:
            spots.append((array.ctypes.data - base, array.ctypes.data - base + array.nbytes))
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spots):
        if merged and start - merged[-1][1] <= NEAR:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)
