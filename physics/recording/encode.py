"""Values of a run as lines of JSON, exact to the bit, and back. Only kinds that are named beforehand come back, so that a file cannot call anything.

    None, True, 3, 0.1, "text"        as JSON has them; floats by their shortest digits that give the same bits
    (1, 2)                            [1, 2]
    {"qpos": ...}                     {"qpos": ...}
    SetCtrl(0, 0.5)                   {"#": "SetCtrl", "index": 0, "value": 0.5}
    array([0., 1.])                   {"#": "array", "type": "<f8", "shape": [2], "values": [0.0, 1.0]}; with NaN or infinity in it "bytes": "00f8..." in place of values
    nan, inf                          {"#": "float", "bits": "7ff8000000000000"}
    [1, 2]                            {"#": "list", "values": [1, 2]}
"""
from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from math import isfinite
from types import MappingProxyType
from typing import Any

import numpy as np

from physics.recording.errors import RecordingError

TAG = "#"
MOST_NUMBERS = 1 << 27      # of one array
TYPES = frozenset({"<f8", "<f4", "<i8", "<i4", "|i1", "|u1", "<u4", "<u8", "|b1", "<i2", "<u2"})


class Codec:
    """classes: dataclasses and named tuples that may occur, by the name that stands for them."""

    def __init__(self, classes: Mapping[str, type]):
        self._classes = MappingProxyType(dict(classes))
        self._names = MappingProxyType({kind: name for name, kind in classes.items()})

    def text(self, value: Any) -> str:
        """A value as one line. Raises RecordingError for what has no text."""
        return json.dumps(self.plain(value), ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    def value(self, text: str) -> Any:
        """The value of a line. Raises RecordingError."""
        try:
            return self.made(json.loads(text))
        except (ValueError, RecursionError) as why:
            raise why if isinstance(why, RecordingError) else RecordingError(f"not JSON: {text[:60]!r}") from None

    # ------------------------------------------------ writing

    def plain(self, value: Any) -> Any:
        """A value in JSON's own kinds. Raises RecordingError."""
        if value is None or isinstance(value, bool | str):
            return value
        if isinstance(value, np.generic | np.ndarray) and not isinstance(value, float):
            return _array(value)
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float):
            return float(value) if isfinite(value) else {TAG: "float", "bits": struct.pack(">d", value).hex()}
        name = self._names.get(type(value))
        if name is not None:
            return {TAG: name, **{key: self.plain(getattr(value, key)) for key in _fields(type(value))}}
        if type(value) is tuple:
            return [self.plain(part) for part in value]
        if isinstance(value, list):
            return {TAG: "list", "values": [self.plain(part) for part in value]}
        if isinstance(value, Mapping) and all(isinstance(key, str) and not key.startswith(TAG) for key in value):
            return {key: self.plain(part) for key, part in value.items()}
        raise RecordingError(f"a {type(value).__name__} cannot be recorded")

    # ------------------------------------------------ reading

    def made(self, plain: Any) -> Any:
        """The value of what `plain` made. Raises RecordingError."""
        if isinstance(plain, list):
            return tuple(self.made(part) for part in plain)
        if not isinstance(plain, dict):
            return plain
        if TAG not in plain:
            return {key: self.made(part) for key, part in plain.items()}
        name, rest = plain[TAG], {key: part for key, part in plain.items() if key != TAG}
        made = SPECIAL.get(name) if isinstance(name, str) else None
        if made is not None:
            return made(self, rest)
        kind = self._classes.get(name) if isinstance(name, str) else None
        if kind is None:
            raise RecordingError(f"there is nothing called {str(name)[:60]!r} in a recording")
        known = _fields(kind)
        unknown = [key for key in rest if key not in known]
        if unknown:
            raise RecordingError(f"{name} has no '{unknown[0][:60]}'")
        try:
            return kind(**{key: self.made(part) for key, part in rest.items()})
        except TypeError:
            missing = [key for key in known if key not in rest]
            raise RecordingError(f"{name} lacks {', '.join(missing)}") from None


def _fields(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else kind._fields


def _array(value) -> dict:
    array = np.ascontiguousarray(value)
    array = array.astype(array.dtype.newbyteorder("<"), copy=False).reshape(np.shape(value))
    if array.dtype.str not in TYPES:
        raise RecordingError(f"an array of {array.dtype} cannot be recorded")
    told = {TAG: "array", "type": array.dtype.str, "shape": list(array.shape)}
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        return {**told, "bytes": array.tobytes().hex()}
    return {**told, "values": array.ravel().tolist()}


def _made_array(_codec: Codec, told: dict) -> Any:
    try:
        kind, shape = told["type"], told["shape"]
        if kind not in TYPES or not all(type(n) is int and 0 <= n <= MOST_NUMBERS for n in shape):
            raise ValueError
        count = 1
        for n in shape:
            count *= n
        values = np.frombuffer(bytes.fromhex(told["bytes"]), kind) if "bytes" in told else np.array(told["values"], kind)
        if values.shape != (count,):
            raise ValueError
        array = values.reshape(shape).copy()
    except (KeyError, TypeError, ValueError, OverflowError):
        raise RecordingError(f"not an array: {str(told)[:60]}") from None
    return array if shape else array[()]


def _made_float(_codec: Codec, told: dict) -> float:
    try:
        return struct.unpack(">d", bytes.fromhex(told["bits"]))[0]
    except (KeyError, TypeError, ValueError, struct.error):
        raise RecordingError(f"not a number: {str(told)[:60]}") from None


def _made_list(codec: Codec, told: dict) -> list:
    if not isinstance(told.get("values"), list):
        raise RecordingError(f"not a list: {str(told)[:60]}")
    return [codec.made(part) for part in told["values"]]


SPECIAL = MappingProxyType({"array": _made_array, "float": _made_float, "list": _made_list})
