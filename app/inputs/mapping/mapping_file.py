"""A mapping as TOML and back.

    [[drive]]
    name = "right arm"
    source = "xr:right"
    kind = "mocap"
    mocap = "target"
    limits = {speed = 0.6, turn = 3.0}
    gripper = {axis = "trigger", actuators = {left_finger = [0.04, 0.0]}}

    [buttons]
    "pad:0 start" = "start"

What is not written has its default. What is not known, or has not the form that it must have, is refused with its line.
"""
from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping as Table
from dataclasses import MISSING, fields
from math import isfinite
from os import PathLike
from types import MappingProxyType
from typing import Any

from app.inputs.mapping import frames
from app.inputs.mapping.drive_mapping import KINDS, DriveMapping, Filter, Gripper, Haptics, Limits, Mapping
from app.inputs.sample import EVENTS
from app.inputs.source import SourceMissing
from app.inputs.table import TWIST, kind_of
from physics.files.atomic_write import replacing
from physics.inverse_kinematics.hand_frame import FINGERS
from physics.name_hints import hint

MOST_DRIVES, MOST_TEXT = 64, 1 << 20
BARE = re.compile(r"[A-Za-z0-9_-]+")
HEADER = re.compile(r"^\s*\[\[\s*drive\s*\]\]")
SECTION = re.compile(r"^\s*\[")
SYNTAX = re.compile(r"\(at line (\d+)")


class MappingError(ValueError):
    """line: in the file, counted from 1, 0 where none is meant; field: 'limits.speed'; value: what stands there."""

    def __init__(self, text: str, line: int = 0, field: str = "", value: Any = None):
        where = f"line {line}: " if line else ""
        super().__init__(f"{where}{f'{field} = {value!r}: ' if field else ''}{text}")
        self.line, self.field, self.value = line, field, value


class _Wrong(Exception):
    """(what is wrong, field below the one that is read, its value)."""

    def __init__(self, text: str, below: str = "", value: Any = None):
        super().__init__(text)
        self.text, self.below, self.value = text, below, value


# ---------------------------------------------------------------- kinds of values

def _string(value) -> str:
    if not isinstance(value, str) or not value.isprintable():
        raise _Wrong("a text is needed")
    return value


def _number(value) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or abs(value) > 1e9:
        raise _Wrong("a number is needed")
    return float(value)


def _positive(value) -> float:
    if _number(value) <= 0:
        raise _Wrong("a number above 0 is needed")
    return float(value)


def _not_negative(value) -> float:
    if _number(value) < 0:
        raise _Wrong("a number of 0 or more is needed")
    return float(value)


def _boolean(value) -> bool:
    if not isinstance(value, bool):
        raise _Wrong("true or false is needed")
    return value


def _numbers(n: int, one: Callable = _number) -> Callable:
    def read(value) -> tuple:
        if not isinstance(value, list) or len(value) != n:
            raise _Wrong(f"{n} numbers are needed")
        return tuple(map(one, value))
    return read


def _names(value) -> tuple[str, ...]:
    if isinstance(value, str):
        return (_string(value),)
    if not isinstance(value, list):
        raise _Wrong("a list of names is needed")
    return tuple(map(_string, value))


def _table(one: Callable, keys: tuple[str, ...] = ()) -> Callable:
    """A table whose values are of one kind; keys: those that may occur, all where none are named."""
    def read(value) -> Table:
        if not isinstance(value, dict):
            raise _Wrong("a table is needed")
        return MappingProxyType({_known(key, keys): _below(key, one, part) for key, part in value.items()})
    return read


def _known(key: str, keys) -> str:
    if keys and key not in keys:
        raise _Wrong(f"there is no such key{hint(key, keys)}; there are {', '.join(keys)}", key, "")
    return key


def _below(key: str, one: Callable, value):
    try:
        return one(value)
    except _Wrong as why:
        raise _Wrong(why.text, f"{key}.{why.below}" if why.below else key, why.value if why.below else value) from None


def _row(*kinds: Callable) -> Callable:
    def read(value) -> tuple:
        if not isinstance(value, list) or len(value) != len(kinds):
            raise _Wrong(f"a list of {len(kinds)} values is needed")
        return tuple(kind(part) for kind, part in zip(kinds, value))
    return read


def _part(kind: type, readers: Table[str, Callable]) -> Callable:
    def read(value):
        if not isinstance(value, dict):
            raise _Wrong("a table is needed")
        return kind(**{_known(key, tuple(readers)): _below(key, readers[key], part) for key, part in value.items()})
    return read


def _frame(value) -> str:
    if said := frames.problem(_string(value)):
        raise _Wrong(said)
    return value


def _kind(value) -> str:
    if value not in KINDS:
        raise _Wrong(f"there is no drive of this kind{hint(str(value), KINDS)}; kinds are {', '.join(KINDS)}")
    return value


def _source(value) -> str:
    try:
        kind_of(_string(value))
    except SourceMissing as why:
        raise _Wrong(str(why)) from None
    return value


def _event(value) -> str:
    if value not in EVENTS:
        raise _Wrong(f"there is no such event; there are {', '.join(EVENTS)}")
    return value


READERS: Table[str, Callable] = MappingProxyType({
    "name": _string, "source": _source, "kind": _kind, "mocap": _string, "site": _string, "body": _string, "joints": _names, "actuators": _names,
    "scale": _numbers(2, _positive), "clutch": _string, "zoom": _names, "grab": _string, "frame": _frame, "axes": _table(_names, TWIST),
    "limits": _part(Limits, {"min": _numbers(3), "max": _numbers(3), "speed": _positive, "turn": _positive, "jump": _numbers(2, _positive), "lead": _numbers(2, _positive)}),
    "filter": _part(Filter, {"min_cutoff": _not_negative, "beta": _not_negative, "lead": _not_negative}),
    "gripper": _part(Gripper, {"axis": _string, "actuators": _table(_numbers(2)), "toggle": _boolean}),
    "haptics": _part(Haptics, {"of": _string, "full": _positive}),
    "controls": _table(_row(_string, _number, _number)), "leader": _table(_row(_string, _number, _number)), "feet": _names, "stance": _table(_number), "tips": _table(_string, tuple(FINGERS)), "options": _table(_number),
})
NEEDED = ("name", "source", "kind")


# ---------------------------------------------------------------- reading

def parse(text: str) -> Mapping:
    """The mapping of a text. Raises MappingError."""
    if len(text) > MOST_TEXT:
        raise MappingError("the file is too large for a mapping")
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as why:
        found = SYNTAX.search(str(why))
        raise MappingError(str(why), int(found[1]) if found else 0) from None
    for key in told:
        if key not in ("drive", "buttons"):
            raise MappingError("a mapping has [[drive]] and [buttons]", _line(text, None, key), key, "")
    rows = told.get("drive", [])
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows) or len(rows) > MOST_DRIVES:
        raise MappingError(f"drives are written as [[drive]], at most {MOST_DRIVES}", _line(text, None, "drive"), "drive", "")
    drives = tuple(_drive(text, k, row) for k, row in enumerate(rows))
    for k, drive in enumerate(drives):
        if any(other.name == drive.name for other in drives[:k]):
            raise MappingError("another drive has this name", _line(text, k, "name"), "name", drive.name)
    buttons = _value(text, None, "buttons", _table(_event), told.get("buttons", {}))
    return Mapping(drives, buttons)


def _drive(text: str, k: int, row: dict) -> DriveMapping:
    for key, value in row.items():
        if key not in READERS:
            raise MappingError(f"a drive has no such key{hint(key, READERS)}", _line(text, k, key), key, value)
    for key in NEEDED:
        if not row.get(key):
            raise MappingError("is missing", _line(text, k, ""), key, row.get(key, ""))
    made = DriveMapping(**{key: _value(text, k, key, READERS[key], value) for key, value in row.items()})
    low, high = made.limits.min, made.limits.max
    if low is not None and high is not None and any(a > b for a, b in zip(low, high)):
        raise MappingError("is above limits.max", _line(text, k, "limits"), "limits.min", list(low))
    return made


def _value(text: str, k: int | None, key: str, reader: Callable, value):
    try:
        return reader(value)
    except _Wrong as why:
        raise MappingError(why.text, _line(text, k, key), f"{key}.{why.below}" if why.below else key, why.value if why.below else value) from None


def _line(text: str, drive: int | None, key: str) -> int:
    """Where a key of a drive stands, or of the whole file; the drive's head, or 0, where it is not found."""
    pattern = re.compile(rf"""^\s*(\[\s*(drive\.)?)?["']?{re.escape(key)}["']?\s*[=.\]]""") if key else None
    inside, head = -1, 0
    for number, line in enumerate(text.splitlines(), 1):
        if HEADER.match(line):
            inside += 1
            head = number if inside == drive else head
        elif SECTION.match(line) and not line.lstrip().startswith("[drive."):
            inside = inside if drive is not None and inside < drive else 10 ** 9 if drive is not None else inside
        if pattern is not None and (drive is None or inside == drive) and pattern.match(line):
            return number
    return head


def read(path: str | PathLike) -> Mapping:
    """The mapping of a file. Raises MappingError, OSError."""
    with open(path, encoding="utf-8") as file:
        try:
            return parse(file.read(MOST_TEXT + 1))
        except UnicodeDecodeError:
            raise MappingError("the file is no UTF-8 text") from None


# ---------------------------------------------------------------- writing

def write(path: str | PathLike, mapping: Mapping) -> None:
    """Into a file, which is never seen half written. Raises OSError."""
    with replacing(path) as file:
        file.write(to_text(mapping).encode("utf-8"))


def to_text(mapping: Mapping) -> str:
    """A mapping as TOML; what has its default is left out."""
    blocks = ["\n".join(["[[drive]]", *(f"{key} = {value}" for key, value in _written(drive))]) for drive in mapping.drives]
    if mapping.buttons:
        blocks.append("\n".join(["[buttons]", *(f"{_key(button)} = {_text(event)}" for button, event in mapping.buttons.items())]))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def _written(part):
    """(key, TOML) of each field of a dataclass that has not its default."""
    for field in fields(part):
        value = getattr(part, field.name)
        default = field.default_factory() if field.default_factory is not MISSING else field.default
        if value != default and value is not None:
            yield field.name, _text(value)


def _text(value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, int | float):
        return repr(float(value))
    if isinstance(value, tuple):
        return f"[{', '.join(map(_text, value))}]"
    if isinstance(value, Table):
        return f"{{{', '.join(f'{_key(key)} = {_text(part)}' for key, part in value.items())}}}"
    return f"{{{', '.join(f'{key} = {text}' for key, text in _written(value))}}}"


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)
