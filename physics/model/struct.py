"""What Model and Data share: one block that kernels read, NumPy arrays as attributes, scalars as properties on the block."""
from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from ctypes import addressof, c_char

import numpy as np

from physics.fields.layout import Layout, shape_of
from physics.name_hints import hint

_LINE = 64  # bytes of a cache line
_STAGGER = 8  # arrays start on different lines of a page, or equal sizes would fight for the same cache sets


def address(array: np.ndarray) -> int:
    """Where the elements of a C-contiguous array begin."""
    if array.size and array.flags.writeable:
        return addressof(c_char.from_buffer(array))  # a third of the time of what NumPy offers
    return array.ctypes.data


def array_at(where: int, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """The numbers at an address as a writable array; who owns them must outlive it."""
    count = math.prod(shape)
    return np.ndarray(shape, dtype, (c_char * (count * dtype.itemsize)).from_address(where))


class Struct:
    """Base of Model and Data. A kernel gets the address of the block."""

    layout: Layout
    plain: tuple[str, ...] = ()  # attributes that are no fields
    workings: frozenset[str] = frozenset({"bind", "layout", "plain", "workings"})   # what other modules of ours use and dir does not list

    def __init__(self):
        keep = object.__setattr__
        block = np.zeros(self.layout.size // 8, np.int64)
        keep(self, "_block", block)
        keep(self, "_floats", block.view(np.float64))
        keep(self, "_as_parameter_", address(block))

    def __setattr__(self, name, value):
        if name in self.layout.arrays:
            target = getattr(self, name)
            values = np.asarray(value, target.dtype)
            if values.ndim and values.shape != target.shape:
                raise ValueError(f"{name}: needs shape {target.shape}, got {values.shape}")
            target[...] = values  # kernels hold the address: copy in, never rebind
        elif name in self.layout.scalars or name in self.plain or name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            raise AttributeError(f"{type(self).__name__} has no field {name}{hint(name, self.fields())}")

    def __dir__(self):
        """Public fields, attributes and methods; scratch and bookkeeping are reached by their exact names."""
        own = {n for kind in type(self).__mro__[:-1] for n in vars(kind)} | set(self.__dict__)
        return sorted({*self.layout.public, *(n for n in own if not n.startswith("_") and n not in self.layout.rows and n not in self.workings)})

    def __reduce__(self):
        raise TypeError(f"a {type(self).__name__} holds addresses and cannot be pickled")

    def bind(self, name: str, array: np.ndarray) -> None:
        """Put this array in the field's place; never while a kernel runs on this object.

        Raises ValueError where type, row shape or layout differ.
        """
        spot = self.layout.arrays[name]
        shape, flags, inner = array.shape, array.flags, spot.inner
        if array.dtype != spot.dtype or not flags.c_contiguous or len(shape) != len(spot.dims) or (inner and shape[1:] != inner):
            raise ValueError(f"{name}: needs a C-contiguous {spot.dtype} array {spot.dims}, got {array.dtype} {array.shape}")
        object.__setattr__(self, name, array)
        block, k = self._block, spot.offset >> 3
        block[k] = address(array)
        block[k + 1] = shape[0] if inner else array.size   # a kernel knows the rows where their shape is fixed, else how many numbers there are

    def _allocate(self, names: Iterable[str], sizes: Mapping[str, int]) -> np.ndarray:
        """Bind these fields to zeroed views of one new buffer, which is returned."""
        found, end, known = [], 0, {}   # known: dims -> shape, how many numbers
        for k, name in enumerate(names):
            spot = self.layout.arrays[name]
            if spot.dims not in known:
                shape = shape_of(spot.dims, sizes)
                known[spot.dims] = shape, math.prod(shape)
            shape, count = known[spot.dims]
            end += -end % _LINE + _LINE * (k % _STAGGER)
            found.append((name, spot, shape, end, shape[0] if spot.inner else count))
            end += count * spot.dtype.itemsize
        raw = np.zeros(end + 2 * _LINE, np.uint8)
        buffer = raw[-raw.ctypes.data % _LINE:][:end + _LINE]  # one line is left over, so that empty fields have an address
        base, block, mine = buffer.ctypes.data, self._block, self.__dict__
        for name, spot, shape, start, length in found:
            mine[name] = np.ndarray(shape, spot.dtype, buffer, start)
            k = spot.offset >> 3
            block[k], block[k + 1] = base + start, length
        return buffer

    def fields(self) -> Iterable[str]:
        """Names of all fields, scalars first."""
        return (*self.layout.scalars, *self.layout.arrays)


def places_of(layout: Layout, names: Iterable[str]) -> np.ndarray:
    """Where these scalars are in a block of the layout, an index into it that cannot be changed."""
    places = np.fromiter((layout.scalars[name][0] >> 3 for name in names), np.intp)
    places.setflags(write=False)
    return places


def scalar_properties(layout: Layout) -> dict[str, property]:
    """A property on the block for each scalar of the layout."""
    return {name: _scalar(offset >> 3, kind) for name, (offset, kind) in layout.scalars.items()}


def _scalar(k: int, kind: str) -> property:
    if kind == "f":
        return property(lambda s: float(s._floats[k]), lambda s, v: s._floats.__setitem__(k, v))
    return property(lambda s: int(s._block[k]), lambda s, v: s._block.__setitem__(k, v))
