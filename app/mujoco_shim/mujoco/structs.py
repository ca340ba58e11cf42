"""The official structs: objects with fixed fields that can be copied, compared, printed and pickled.

A field is a number, a text or an array. Where its values are depends on the kind of struct: RowStruct has them in arrays of somebody (a Data) or of its own; OptionStruct in
fields of a Model; OwnStruct in the object itself.
"""
from __future__ import annotations

from collections.abc import Mapping
from operator import index
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np


class Struct:
    """Base of all. FIELDS: {name: what a new one has}."""

    FIELDS: ClassVar[Mapping[str, Any]] = {}
    __hash__ = None     # they can be changed

    def take(self, other: Struct) -> None:
        """All values of another one of the kind."""
        for name in self.FIELDS:
            value = getattr(other, name)
            if isinstance(value, Struct):
                getattr(self, name).take(value)
            else:
                setattr(self, name, value)

    def __copy__(self):
        new = type(self).__new__(type(self))
        new.begin()
        new.take(self)
        return new

    def __deepcopy__(self, memo):
        return self.__copy__()

    def __reduce__(self):
        return _restored, (type(self), {name: getattr(self, name) for name in self.FIELDS})

    def __eq__(self, other):
        if not isinstance(other, Struct) or self.FIELDS.keys() != other.FIELDS.keys():
            return NotImplemented
        return all(np.array_equal(a, b) if isinstance(a := getattr(self, name), np.ndarray) else a == b
                   for name in self.FIELDS for b in (getattr(other, name),))

    def __repr__(self) -> str:
        return "\n".join([f"<{type(self).__name__}", *(f"  {name}: {getattr(self, name)!r}" for name in sorted(self.FIELDS)), ">"])

    def __dir__(self):
        return sorted({*object.__dir__(self)} - {"FIELDS", "begin", "take"})


def _restored(kind: type[Struct], values: dict) -> Struct:
    new = kind.__new__(kind)
    new.begin()
    for name, value in values.items():
        if isinstance(value, Struct):
            getattr(new, name).take(value)
        else:
            setattr(new, name, value)
    return new


def _as(kind: type, name: str, value):
    """A number of the field's type. Raises TypeError where it is none."""
    if kind is float:
        return float(value)
    if kind is int:
        return index(value)
    if kind is bool:
        return bool(value)
    if not isinstance(value, kind):
        raise TypeError(f"{name} is {kind.__name__}, not {type(value).__name__}")
    return value


def _own_property(name: str):
    def get(self):
        return self.__dict__[name]

    return property(get)


class OwnStruct(Struct):
    """Values in the object itself. Arrays are copied into, never replaced. The class has its fields too, as scripts' subclasses ask `super()` for them."""

    def __init_subclass__(cls):
        if "FIELDS" in vars(cls):
            for name in cls.FIELDS:
                setattr(cls, name, _own_property(name))

    def __init__(self):
        self.begin()

    def begin(self) -> None:
        """Values of a new one."""
        self.__dict__.update({name: value.copy() if isinstance(value, np.ndarray) else value() if isinstance(value, type) else value for name, value in self.FIELDS.items()})

    def __setattr__(self, name, value):
        if name not in self.FIELDS:
            if "FIELDS" not in vars(type(self)):     # a script's subclass
                object.__setattr__(self, name, value)
                return
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        now = self.__dict__[name]
        if isinstance(now, np.ndarray):
            now[...] = value
        elif isinstance(now, Struct):
            now.take(value)
        else:
            self.__dict__[name] = _as(type(now), name, value)


def _row_property(field: str, scalar: bool):
    def get(self):
        value = getattr(self._home, field)[self._at]
        return value.item() if scalar else value

    def put(self, value):
        getattr(self._home, field)[self._at] = value

    return property(get, put)


class RowStruct(Struct):
    """Row `at` of arrays of `home`; a new one has a home of its own. PREFIX: the arrays are called so, with the field's name behind."""

    PREFIX: ClassVar[str] = ""

    def __init_subclass__(cls):
        for name, value in cls.FIELDS.items():
            if name not in vars(cls) and not any(name in vars(base) for base in cls.__mro__[:-1]):
                setattr(cls, name, _row_property(cls.PREFIX + name, not isinstance(value, np.ndarray)))

    def __init__(self):
        self.begin()

    def begin(self) -> None:
        """A home of one row."""
        self._home = SimpleNamespace(**{self.PREFIX + name: np.array([value]) for name, value in self.FIELDS.items()})
        self._at = 0

    @classmethod
    def of(cls, home, at):
        """That row of the home's arrays."""
        new = cls.__new__(cls)
        new._home, new._at = home, at
        return new


class StructList:
    """Rows of a home as a sequence of structs, and each field as the array of all."""

    def __init__(self, kind: type[RowStruct], home, count):
        self._kind, self._home, self._count = kind, home, count

    def __len__(self) -> int:
        return self._count()

    def __getitem__(self, at):
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        i = index(at)
        if not -len(self) <= i < len(self):
            raise IndexError(f"index {i} of {len(self)}")
        return self._kind.of(self._home, i % len(self))

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def __getattr__(self, name):
        if name.startswith("_") or name not in self._kind.FIELDS:
            raise AttributeError(f"a list of {self._kind.__name__} has no attribute {name!r}")
        return getattr(self._home, self._kind.PREFIX + name)[:len(self)]

    def __dir__(self):
        return sorted({*object.__dir__(self), *self._kind.FIELDS})

    def __eq__(self, other):
        return isinstance(other, StructList) and other._kind is self._kind and len(self) == len(other) and all(a == b for a, b in zip(self, other))

    __hash__ = None

    def __repr__(self) -> str:
        return "[" + ",\n ".join(map(repr, self)) + "]"


def _option_property(field: str, is_array: bool):
    def get(self):
        return getattr(self._home, field)

    def put(self, value):
        if is_array:
            getattr(self._home, field)[...] = value
        else:
            setattr(self._home, field, value)

    return property(get, put)


class OptionStruct(Struct):
    """Values in fields of a Model, or of an object of its own. PREFIX as of RowStruct."""

    PREFIX: ClassVar[str] = ""

    def __init_subclass__(cls):
        for name, value in cls.FIELDS.items():
            setattr(cls, name, _option_property(cls.PREFIX + name, isinstance(value, np.ndarray)))

    def __init__(self):
        self.begin()

    def begin(self) -> None:
        """A home of its own, with the official values."""
        object.__setattr__(self, "_home", SimpleNamespace(**{self.PREFIX + name: value.copy() if isinstance(value, np.ndarray) else value for name, value in self.FIELDS.items()}))

    @classmethod
    def of(cls, model):
        """Those of a Model."""
        new = cls.__new__(cls)
        object.__setattr__(new, "_home", model)
        return new

    def __setattr__(self, name, value):
        if name not in self.FIELDS:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        kind = type(self.FIELDS[name])
        object.__setattr__(self, name, value if kind is np.ndarray else _as(kind, name, value))
