"""Arrays between unreadable pages: an access outside one ends the process there and then, whatever lies beside it in memory.

`fence(where)` makes every Model and Data that is made from then on, in this process, such: 'end' puts the last byte of each array flush against
the page behind it, 'start' the first byte against the page before it (as far as its alignment lets it, which is that of a cache line at the start).
"""
from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterable, Mapping

import numpy as np

from physics.fields.layout import shape_of
from physics.model.struct import Struct

PAGE = mmap.PAGESIZE
NOTHING, ALL = 0, mmap.PROT_READ | mmap.PROT_WRITE
_libc = ctypes.CDLL(None, use_errno=True)
_libc.mprotect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)


def _protect(address: int, size: int, how: int) -> None:
    if _libc.mprotect(address, size, how):
        raise OSError(ctypes.get_errno(), "mprotect")


class Fenced:
    """What `_allocate` returns in place of one buffer: all of its arrays, zeroed or copied together."""

    def __init__(self, arrays: dict[str, np.ndarray], memory: mmap.mmap):
        self.arrays, self._memory = arrays, memory
        self.nbytes = sum(array.nbytes for array in arrays.values())

    def __setitem__(self, _everything, value) -> None:
        for name, array in self.arrays.items():
            array[...] = value.arrays[name] if isinstance(value, Fenced) else value


def allocate(struct: Struct, names: Iterable[str], sizes: Mapping[str, int], where: str) -> Fenced:
    """Bind these fields to zeroed arrays, each with an unreadable page at both sides. where: 'end' or 'start'."""
    shapes = {name: shape_of(struct.layout.arrays[name].dims, sizes) for name in names}
    bytes_of = {name: int(np.prod(shape, dtype=np.int64)) * struct.layout.arrays[name].dtype.itemsize for name, shape in shapes.items()}
    pages = {name: -(-size // PAGE) for name, size in bytes_of.items()}
    memory = mmap.mmap(-1, PAGE * (1 + sum(pages.values()) + len(pages)), prot=ALL)
    base = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    arrays, at = {}, PAGE
    _protect(base, PAGE, NOTHING)
    for name, shape in shapes.items():
        spot, room = struct.layout.arrays[name], PAGE * pages[name]
        start = at + room - bytes_of[name] if where == "end" else at
        arrays[name] = np.ndarray(shape, spot.dtype, memory, start)
        _protect(base + at + room, PAGE, NOTHING)
        at += room + PAGE
        struct.__dict__[name] = arrays[name]
        k = spot.offset >> 3
        struct._block[k] = base + start
        struct._block[k + 1] = shape[0] if spot.inner else int(np.prod(shape, dtype=np.int64))
    return Fenced(arrays, memory)


def refence(struct: Struct, where: str) -> None:
    """Put all arrays of a struct between such pages: some are bound one by one as a model is compiled."""
    arrays = {name: getattr(struct, name) for name in struct.layout.arrays}
    sizes = {name: getattr(struct, name) for name in struct.layout.scalars}
    struct._buffer = allocate(struct, arrays, sizes, where)
    for name, array in arrays.items():
        getattr(struct, name)[...] = array


def fence(where: str) -> None:
    """From now on, in this process."""
    Struct._allocate = lambda self, names, sizes: allocate(self, names, sizes, where)
