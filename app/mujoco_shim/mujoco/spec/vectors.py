"""Lists of one kind of value, as fields of any length have: numbers, texts, characters. Only places from 0 on, as officially."""
from __future__ import annotations

from operator import index
from types import MappingProxyType

import numpy as np


def whole(value) -> int:
    """A whole number. Raises TypeError for anything else."""
    return index(value)


def number(value) -> float:
    """A number. Raises TypeError for a text."""
    if isinstance(value, str | bytes):
        raise TypeError(f"a number is wanted, not {value!r}")
    return float(value)


def single(value) -> float:
    """A number rounded to single precision."""
    return float(np.float32(number(value)))


def text(value) -> str:
    """A text. Raises TypeError."""
    if not isinstance(value, str):
        raise TypeError(f"a text is wanted, not {type(value).__name__}")
    return value


class Vector(list):
    """A list whose values are all of one kind. make: what turns a value into one of the kind, raising TypeError."""

    __slots__ = ()
    make = staticmethod(number)

    def __init__(self, values=()):
        if isinstance(values, str | bytes) and self.make is not text:
            raise TypeError("a list of numbers is wanted, not a text")
        super().__init__([self.make(value) for value in values])

    def _place(self, at):
        if isinstance(at, slice):
            return at
        if not 0 <= index(at) < len(self):
            raise IndexError(f"index {at} of {len(self)}")
        return at

    def __getitem__(self, at):
        return super().__getitem__(self._place(at))

    def __setitem__(self, at, value):
        super().__setitem__(self._place(at), [self.make(one) for one in value] if isinstance(at, slice) else self.make(value))


class MjDoubleVec(Vector):
    """Numbers."""

    __slots__ = ()


class MjFloatVec(Vector):
    """Numbers of single precision."""

    __slots__ = ()
    make = staticmethod(single)


class MjIntVec(Vector):
    """Whole numbers."""

    __slots__ = ()
    make = staticmethod(whole)


class MjStringVec(Vector):
    """Texts."""

    __slots__ = ()
    make = staticmethod(text)


class MjCharVec(MjStringVec):
    """Characters."""

    __slots__ = ()


class MjByteVec(MjIntVec):
    """Bytes."""

    __slots__ = ()


KINDS = MappingProxyType({"D": MjDoubleVec, "F": MjFloatVec, "I": MjIntVec, "S": MjStringVec, "C": MjCharVec})
