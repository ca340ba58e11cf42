"""Fields as attributes of a class: listed by dir, asked once, then found in the object's own dictionary at NumPy's speed."""
from __future__ import annotations

import numpy as np


class ArrayField:
    """An array that is the same object for as long as its owner lives. No data descriptor, so that the owner's dictionary comes first once it is there."""

    def __init__(self, name: str, made=None):
        self.name, self._made = name, made

    def __get__(self, owner, kind=None):
        if owner is None:
            return self
        found = self._made(owner) if self._made else getattr(owner._inner, self.name)
        owner.__dict__[self.name] = found
        return found


def empty_field(name: str, dtype: str, shape: str, sizes) -> ArrayField:
    """A field of what is not here. sizes: owner -> Model, whose sizes the shape names."""
    none = -1 if name.endswith(("_plugin", "pathadr", "plasticadr", "contenttypeadr")) else 0

    def made(owner):
        m = sizes(owner)
        return np.full(tuple(int(word) if word.isdigit() else getattr(m, word) for word in shape.split()), none, dtype)

    return ArrayField(name, made)


def scalar_field(name: str) -> property:
    """A number of the struct within."""

    def get(self):
        return getattr(self._inner, name)

    def put(self, value):
        setattr(self._inner, name, value)

    return property(get, put)


def switch_field(name: str) -> property:
    """A switch of the struct within, which is 0 or 1 there."""

    def get(self):
        return bool(getattr(self._inner, name))

    def put(self, value):
        setattr(self._inner, name, int(bool(value)))

    return property(get, put)


def constant_field(value) -> property:
    """What is the same for all."""
    return property(lambda self: value)


class Facade:
    """What MjModel and MjData have in common: fields of the struct `_inner`, arrays copied into and never replaced."""

    @property
    def _as_parameter_(self) -> int:
        """What a function of C gets for it by ctypes: the address of ours, good to tell one from another."""
        return self._inner._as_parameter_

    def __setattr__(self, name, value):
        array = self.__dict__.get(name)
        if array is None:
            field = getattr(type(self), name, None)
            if isinstance(field, property):
                field.__set__(self, value)
                return
            if not isinstance(field, ArrayField):
                raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
            array = getattr(self, name)
        if not isinstance(array, np.ndarray):
            raise AttributeError(f"{type(self).__name__}.{name} cannot be set")
        array[...] = value
