"""Fields of the structs of model editing as properties: what a new one has, and what may be assigned."""
from __future__ import annotations

import functools
from collections.abc import Mapping
from operator import index
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ..enums import made
from .struct_table import STRUCTS
from .vectors import KINDS, Vector, number, single, text

ENUMS = made(__package__.rpartition(".")[0])
_DTYPES = MappingProxyType({"d": np.float64, "w": np.float32, "n": np.int32})
# fields that have a fixed number of texts or characters, and what fills them up
FIXED = MappingProxyType({"textures": (10, ""), "cubefiles": (6, ""), "eulerseq": (3, "\0"), "gridlayout": (12, "\0")})
_FIRST = MappingProxyType({"eulerseq": "xyz", "gridlayout": "." * 12})
_SHORT = frozenset({"stiffness", "damping"})     # one number stands for the first of them
_ORIENTATIONS = ("axisangle", "xyaxes", "zaxis", "euler")


class Field(NamedTuple):
    """One field. kind: as in struct_table.py; count: of an array, else 0; first: what a new struct has."""

    name: str
    kind: str
    count: int
    first: object


def _field(row: str) -> Field:
    head, _, values = row.partition("=")
    name, _, kind = head.partition(":")
    if kind[0] in _DTYPES and kind[1:].isdigit():
        count = int(kind[1:])
        return Field(name, kind[0], count, np.array([float(v) for v in values.split(",")] if values else [0.0] * count).astype(_DTYPES[kind[0]]))
    if kind in ("f", "w"):
        return Field(name, kind, 0, float(values or 0) if kind == "f" else float(np.float32(float(values or 0))))
    if kind in ("i", "b") or kind.startswith("mjt"):
        return Field(name, kind, 0, bool(int(values or 0)) if kind == "b" else int(values or 0))
    return Field(name, kind, 0, values)


@functools.cache
def fields_of(struct: str) -> Mapping[str, Field]:
    """The fields of a struct by name."""
    return MappingProxyType({field.name: field for field in map(_field, STRUCTS[struct].split())})


def fresh(struct: str) -> dict:
    """Values of a new one."""
    return {name: _first(field) for name, field in fields_of(struct).items()}


def _first(field: Field):
    if field.count:
        return field.first.copy()
    if field.kind in KINDS:
        count, fill = FIXED.get(field.name, (0, ""))
        return KINDS[field.kind](_FIRST.get(field.name, [fill] * count))
    if field.kind == "orient":
        return MjsOrientation()
    if field.kind == "plugin":
        return PluginSaid()
    if field.kind == "bytes":
        return b""
    return [] if field.kind == "lists" else field.first


def copied(values: dict) -> dict:
    """The same values, of which none is shared."""
    return {name: value.copy() if isinstance(value, np.ndarray) else type(value)(value) if isinstance(value, Vector) else value.copied() if hasattr(value, "copied")
            else [list(row) for row in value] if isinstance(value, list) else value for name, value in values.items()}


def _numbers(field: Field, value) -> np.ndarray:
    if isinstance(value, str | bytes) or not hasattr(value, "__len__") and not np.isscalar(value):
        raise TypeError(f"{field.name} is a list of {field.count} numbers")
    array = np.asarray(value)
    if array.dtype.kind not in "fiub":
        raise TypeError(f"{field.name} is a list of {field.count} numbers")
    if array.ndim == 0 and field.name == "scale":
        array = np.full(field.count, array)
    elif array.ndim == 0 and field.name in _SHORT:
        array = np.array([array, *[0] * (field.count - 1)])
    return array.ravel()


def put(values: dict, field: Field, value, keyword: bool = False) -> None:
    """Assign a field. keyword: as an argument of add_..., where lists of another length are a ValueError. Raises TypeError, ValueError."""
    name, kind = field.name, field.kind
    if field.count:
        array = _numbers(field, value)
        least = 1 if keyword and name == "size" and field.count == 3 or name in _SHORT else field.count
        if not least <= len(array) <= field.count:
            said = f"{name} should be a list/array of size {field.count if least == field.count else f'{least} to {field.count}'}."
            raise ValueError(said) if keyword or name == "scale" else TypeError(said)
        values[name][:] = 0 if len(array) < field.count else array
        values[name][:len(array)] = array
    elif kind == "f":
        values[name] = number(value)
    elif kind == "w":
        values[name] = single(value)
    elif kind == "i":
        values[name] = index(value)
    elif kind == "b":
        if isinstance(value, str):
            raise TypeError(f"{name} is true or false")
        values[name] = bool(value)
    elif kind == "s":
        values[name] = text(value)
    elif kind.startswith("mjt"):
        values[name] = index(value)
    elif kind in KINDS:
        values[name] = _vector(field, value, keyword)
    elif kind in ("orient", "plugin"):
        values[name].take(value)
    elif kind == "bytes":
        values[name] = bytes(value)
    else:
        values[name] = [list(row) for row in value]


def _vector(field: Field, value, keyword: bool) -> Vector:
    name = field.name
    if field.kind == "S" and isinstance(value, str):
        return KINDS["S"]([value] if value else [])
    count, fill = FIXED.get(name, (0, ""))
    if isinstance(value, np.ndarray):
        value = value.ravel().tolist()
    if count and field.kind == "S" and len(value) != count:
        raise ValueError(f"{name} must have exactly {count} elements, got {len(value)}")
    if count and field.kind == "C":
        if any(len(one) != 1 for one in value):
            raise ValueError(f"{name}: list elements must be single characters")
        if len(value) > count and not keyword:
            raise ValueError(f"{name} may have at most {count} characters")
        if len(value) != count and keyword:
            raise ValueError(f"{name} should have length {count}")
        value = [*value, *[fill] * (count - len(value))]
    return KINDS[field.kind](value)


def _property(field: Field) -> property:
    name, enum = field.name, ENUMS.get(field.kind)

    def get(self):
        return self._values[name]

    def get_member(self):
        value = self._values[name]
        try:
            return enum(value)
        except ValueError:
            return value

    def set_value(self, value):
        put(self._values, field, value)

    return property(get_member if enum else get, set_value)


def give_fields(kind: type, struct: str) -> None:
    """Give a class the properties of a struct, but for those that it has itself."""
    for name, field in fields_of(struct).items():
        if not hasattr(kind, name):
            setattr(kind, name, _property(field))


def put_keywords(element, struct: str, given: Mapping[str, object]) -> None:
    """Assign what was given to add_.... Raises TypeError for a name that is none, ValueError for lists of another length and for two orientations."""
    fields, values = fields_of(struct), element._values
    for alt, before in (("alt", ""), ("ialt", "i")):
        said = [before + name for name in _ORIENTATIONS if alt in fields and given.get(before + name) is not None]
        if len(said) > 1:
            every = [before + name for name in _ORIENTATIONS]
            raise ValueError(f"Only one of: {', '.join(every[:-1])}, or {every[-1]} can be set.")
    for name, value in given.items():
        if value is None:
            continue
        if name in fields and fields[name].kind != "orient":
            if name != "name":
                if hasattr(type(element), "KEYWORDS") and name in type(element).KEYWORDS:
                    setattr(element, name, value)
                else:
                    put(values, fields[name], value, keyword=True)
            continue
        alt, plain = ("ialt", name[1:]) if name not in _ORIENTATIONS and name[:1] == "i" else ("alt", name)
        if plain not in _ORIENTATIONS or alt not in fields:
            raise TypeError(f"add_{struct}(): incompatible function arguments: there is no argument {name!r}. There are: {', '.join(sorted(fields))}")
        orientation = values[alt]
        checked = {plain: orientation._values[plain].copy()}
        put(checked, fields_of("orientation")[plain]._replace(name=plain), value, keyword=True)
        setattr(orientation, plain, checked[plain])
        orientation.type = 1 + _ORIENTATIONS.index(plain)
    if given.get("name") is not None:
        element.name = given["name"]


class Struct:
    """A struct that is no element. STRUCT: its row in struct_table.py."""

    STRUCT = ""

    def __init__(self):
        self._values = fresh(self.STRUCT)

    def __setattr__(self, name, value):
        if not name.startswith("_") and not hasattr(type(self), name):
            raise AttributeError(f"'mujoco.{type(self).__name__}' object has no attribute '{name}'")
        object.__setattr__(self, name, value)

    def take(self, other: Struct) -> None:
        """All values of another one."""
        if type(other) is not type(self):
            raise TypeError(f"{type(self).__name__} is wanted, not {type(other).__name__}")
        self._values.update(copied(other._values))

    def copied(self) -> Struct:
        """Another one with the same values."""
        new = type(self)()
        new.take(self)
        return new


class MjsOrientation(Struct):
    """Another way to give an orientation than a quaternion; type says which counts."""

    STRUCT = "orientation"


class MjsAuthored(Struct):
    """What the text has set, as bits."""

    STRUCT = "authored"


class PluginSaid(Struct):
    """What an element says of a plugin."""

    STRUCT = "plugin"

    def take(self, other) -> None:
        """All that an instance, or another element, says."""
        if "plugin_name" not in getattr(other, "_values", ()):
            raise TypeError("a plugin is wanted")
        self._values.update(other._values)


give_fields(PluginSaid, "plugin")
give_fields(MjsOrientation, "orientation")
give_fields(MjsAuthored, "authored")
