"""Whole numbers of a Model as Python sees them: arrays that note when they are written, so that compiled code never trusts what nobody has checked.

Their memory is read-only for NumPy. Item assignment, the in-place operators, fill, put, sort and partition of such an array, or of any view of it,
write through and note the field; what else would write (out=, np.copyto, flat, ctypes' buffers) raises NumPy's error in place of writing unnoticed.
Arithmetic, copies and what fancy indices pick are memory of their own and behave as any array.
"""
from __future__ import annotations

import weakref
from bisect import bisect_right
from collections.abc import Callable, Mapping
from threading import RLock

import numpy as np


class Writes:
    """Which fields of one Model were written since they were last checked.

    fields: their names. count: writes so far. lock: held while something is written, and by the physics thread while compiled code runs.
    callbacks: not empty while some run inside a step, whose numbers must stay what they are.
    """

    def __init__(self, model):
        self._model = weakref.ref(model)
        self.fields: set[str] = set()
        self.count, self.callbacks = 0, []
        self.lock = RLock()

    def note(self, field: str) -> None:
        """A field is about to be written; the lock is held. Raises ValueError inside a callback."""
        if self.callbacks:
            raise ValueError(f"m.{field}: whole numbers of a Model cannot be written by a callback, as a step is under way; write them between steps")
        self.count += 1
        self.fields.add(field)
        model = self._model()
        if model is not None:
            model.distrust()


class Memory(np.ndarray):
    """The bytes that fields lie in, read-only for NumPy. raw: the same bytes, writable; first: their address; starts, names: where each field begins."""

    raw: np.ndarray
    first: int
    starts: list[int]
    names: list[str]
    writes: Writes


def watch(raw: np.ndarray, fields: Mapping[str, np.ndarray], writes: Writes) -> dict[str, WatchedArray]:
    """Fields, given as plain arrays that lie in the bytes `raw`, in ascending order, as arrays that note in `writes` when they are written."""
    memory = np.frombuffer(memoryview(raw).toreadonly(), np.uint8).view(Memory)
    memory.raw, memory.first, memory.writes = raw, raw.ctypes.data, writes
    memory.names, memory.starts = list(fields), [array.ctypes.data for array in fields.values()]
    return {name: WatchedArray(array.shape, array.dtype, memory, start - memory.first)
            for (name, array), start in zip(fields.items(), memory.starts)}


def memory_of(array: np.ndarray) -> Memory | None:
    """The Model's memory that a view lies in, None where it has memory of its own."""
    base = array.base
    while base is not None and type(base) is not Memory:
        base = getattr(base, "base", None)
    return base


def _write(array: np.ndarray, act: Callable) -> bool:
    """act(the same numbers as a writable plain array), noted; False, without calling it, where the array is no part of a Model."""
    memory = memory_of(array)
    if memory is None:
        return False
    at = array.ctypes.data
    with memory.writes.lock:
        memory.writes.note(memory.names[max(bisect_right(memory.starts, at) - 1, 0)])
        act(np.ndarray(array.shape, array.dtype, memory.raw, at - memory.first, array.strides))
    return True


class WatchedArray(np.ndarray):
    """Whole numbers of a Model that compiled code trusts; see the module's text."""

    def __setitem__(self, key, value):
        if not _write(self, lambda plain: plain.__setitem__(key, value)):
            super().__setitem__(key, value)

    def fill(self, value) -> None:
        """As of any array."""
        if not _write(self, lambda plain: plain.fill(value)):
            super().fill(value)

    def put(self, *arguments, **options) -> None:
        """As of any array."""
        if not _write(self, lambda plain: plain.put(*arguments, **options)):
            super().put(*arguments, **options)

    def sort(self, *arguments, **options) -> None:
        """As of any array."""
        if not _write(self, lambda plain: plain.sort(*arguments, **options)):
            super().sort(*arguments, **options)

    def partition(self, *arguments, **options) -> None:
        """As of any array."""
        if not _write(self, lambda plain: plain.partition(*arguments, **options)):
            super().partition(*arguments, **options)

    def copy(self, order: str = "C") -> np.ndarray:
        """A plain array."""
        return np.array(self, order=order)

    def __iter__(self):
        return iter(np.asarray(self)) if self.ndim == 1 else super().__iter__()   # rows stay watched, numbers are quicker without

    def __array_wrap__(self, result, context=None, return_scalar=False):
        return result[()] if return_scalar else result

    def __repr__(self) -> str:
        return repr(np.asarray(self))

    def __copy__(self) -> np.ndarray:
        return np.array(self)

    def __deepcopy__(self, memo: dict) -> np.ndarray:
        return np.array(self)

    def __reduce_ex__(self, protocol):
        return np.array(self).__reduce_ex__(protocol)


def _in_place(name: str) -> Callable:
    """An in-place operator that writes through."""
    operator = getattr(np.ndarray, name)

    def write(self, other):
        return self if _write(self, lambda plain: operator(plain, other)) else operator(self, other)

    write.__name__ = name
    return write


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor"):
    setattr(WatchedArray, f"__i{_name}__", _in_place(f"__i{_name}__"))
