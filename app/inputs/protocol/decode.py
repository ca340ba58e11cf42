"""One message from bytes or text: `{"v":1, "seq":n, "t":ms, "kind":"pose|joints|hand|controls|event|hello|ping|camera|seen", ...}`.

Each kind is a row of KINDS: the keys that it may have, how each is read, and what stands for one that is missing. Unknown keys are refused.
"""
from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from app.inputs.protocol.messages import HAND_JOINTS, SIDES, Camera, Controls, Event, Hand, Hello, Joints, Message, Ping, Pose, Seen
from app.inputs.protocol.parse import parse
from app.inputs.protocol.refused import Refused
from app.inputs.sample import EVENTS

VERSION = 1
FARTHEST = 100.0        # m
LARGEST_NUMBER = 1e9    # of axes, joints, controls
LARGEST_TIME = 1e15     # ms
MOST_NAMES = 256        # joints or controls of a message
NAME = re.compile(r"[A-Za-z0-9_.:/ -]{1,64}")
NUMBERS = frozenset((int, float))
EMPTY: Mapping[str, float] = MappingProxyType({})


class Key(NamedTuple):
    """How one key is read. read(value) gives the value or raises Refused or ValueError; default: of a key that may be missing."""

    read: Callable[[Any], Any]
    default: Any = None
    required: bool = False


Row = tuple[Callable[..., Message], Mapping[str, Key]]      # what makes a kind of message, and its keys


def decode(data: bytes | str, kinds: Mapping[str, Row] | None = None) -> Message:
    """The message that these bytes or this text are; numbers are finite and within their ranges, lists have their lengths. kinds: that are taken, None: KINDS. Raises Refused."""
    found = parse(data)
    if found.pop("v", None) != VERSION:
        raise Refused(f"v must be {VERSION}")
    kind = found.pop("kind", None)
    kinds = KINDS if kinds is None else kinds
    row = kinds.get(kind) if isinstance(kind, str) else None
    if row is None:
        raise Refused(f"kind must be one of {', '.join(kinds)}")
    make, keys = row
    if unknown := found.keys() - keys.keys():
        raise Refused(f"{kind} has no key {sorted(unknown)[0][:40]!r}")
    return make(**{name: _read(kind, name, key, found) for name, key in keys.items()})


def _read(kind: str, name: str, key: Key, found: dict):
    if name not in found:
        if key.required:
            raise Refused(f"{kind} needs {name}")
        return key.default
    try:
        return key.read(found[name])
    except Refused:
        raise
    except (ValueError, TypeError, OverflowError) as wrong:
        raise Refused(f"{kind}: {name} {wrong}") from None


def _is_number(value) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def number(largest: float) -> Callable:
    """A reader of numbers of at most this size."""
    def read(value) -> float:
        if not _is_number(value) or not abs(value) <= largest:
            raise ValueError(f"is a number of at most {largest:g}")
        return float(value)
    return read


def natural(value) -> int:
    """A reader of whole numbers from 0 on."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("is a whole number from 0 on")
    return value


def _flag(value) -> bool:
    if not isinstance(value, bool):
        raise ValueError("is true or false")
    return value


def _name(value) -> str:
    if not isinstance(value, str) or not NAME.fullmatch(value):
        raise ValueError("is a name of 1 to 64 letters, digits and _ . : / - blank")
    return value


def _text(longest: int) -> Callable:
    def read(value) -> str:
        if not isinstance(value, str) or len(value) > longest or not value.isprintable():
            raise ValueError(f"is a text of at most {longest} characters")
        return value
    return read


def _one_of(words: tuple[str, ...]) -> Callable:
    def read(value) -> str:
        if value not in words:
            raise ValueError(f"is one of {', '.join(words)}")
        return value
    return read


def _numbers(n: int, largest: float) -> Callable:
    def read(value) -> tuple[float, ...]:
        if not isinstance(value, list) or len(value) != n or not NUMBERS.issuperset(map(type, value)) or max(map(abs, value)) > largest:
            raise ValueError(f"is {n} numbers of at most {largest:g}")
        return tuple(map(float, value))
    return read


def _position(value) -> tuple[float, ...] | None:
    return None if value is None else _within(_numbers(3, FARTHEST)(value))


def _within(p: tuple[float, ...]) -> tuple[float, ...]:
    if not math.hypot(*p) < FARTHEST:
        raise ValueError(f"is nearer than {FARTHEST:g} m")
    return p


def _quaternion(value) -> tuple[float, ...] | None:
    """Of any length near 1: the guards of the mapping normalise it and count those that needed it."""
    if value is None:
        return None
    q = _numbers(4, 2.0)(value)
    if not 0.5 <= math.hypot(*q) <= 2.0:
        raise ValueError("is a unit quaternion")
    return q


def _values(value) -> Mapping[str, float]:
    if not isinstance(value, dict) or len(value) > MOST_NAMES:
        raise ValueError(f"is an object of at most {MOST_NAMES} numbers by name")
    read = number(LARGEST_NUMBER)
    return MappingProxyType({_name(name): read(number) for name, number in value.items()})


def _pressed(value) -> frozenset[str]:
    """The names of those that are true, or at least half pressed."""
    if not isinstance(value, dict) or len(value) > MOST_NAMES or not all(isinstance(x, bool) or _is_number(x) for x in value.values()):
        raise ValueError("is an object of true, false or numbers by name")
    return frozenset(_name(name) for name, x in value.items() if x >= 0.5)


def _table(rows: int, columns: int) -> Callable:
    def read(value) -> np.ndarray:
        if not isinstance(value, list) or len(value) != rows:
            raise ValueError(f"is {rows} rows of {columns} numbers")
        inner = _numbers(columns, FARTHEST)
        table = np.array([inner(row) for row in value])
        table.flags.writeable = False
        return table
    return read


def _hand_joints(value) -> np.ndarray:
    table = _table(HAND_JOINTS, 7)(value)
    length = np.linalg.norm(table[:, 3:], axis=1)
    if not ((length >= 0.5) & (length <= 2.0)).all():
        raise ValueError("has a unit quaternion in its last four columns")
    return table


def _radii(value) -> np.ndarray:
    radii = np.array(_numbers(HAND_JOINTS, 1.0)(value))
    if (radii < 0).any():
        raise ValueError("are not negative")
    radii.flags.writeable = False
    return radii


def keyed(**more: Key) -> Mapping[str, Key]:
    """Keys of a kind, and those that all have."""
    return MappingProxyType({"seq": Key(natural, required=True), "t": Key(number(LARGEST_TIME), required=True), **more})


KINDS: Mapping[str, Row] = MappingProxyType({
    "pose": (Pose, keyed(source=Key(_name, required=True), p=Key(_position), q=Key(_quaternion), axes=Key(_values, EMPTY), buttons=Key(_pressed, frozenset()),
                        tracked=Key(_flag, True))),
    "joints": (Joints, keyed(source=Key(_name, "joints"), joints=Key(_values, required=True))),
    "hand": (Hand, keyed(side=Key(_one_of(SIDES), required=True), joints=Key(_hand_joints, required=True), radii=Key(_radii), tracked=Key(_flag, True))),
    "controls": (Controls, keyed(source=Key(_name, "controls"), controls=Key(_values, required=True))),
    "event": (Event, keyed(event=Key(_one_of(EVENTS), required=True))),
    "hello": (Hello, keyed(token=Key(_text(64), required=True), name=Key(_text(64), ""), watch=Key(_flag, False))),
    "ping": (Ping, keyed(last=Key(_numbers(4, LARGEST_TIME)))),
    "camera": (Camera, keyed(camera=Key(_text(64), required=True))),
    "seen": (Seen, keyed(number=Key(natural, required=True))),
})
