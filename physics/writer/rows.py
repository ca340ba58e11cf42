"""From a row of fields to attribute texts: the schema's types decide how, its defaults decide what is left out."""
from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from physics import enums
from physics.rotation.orientation import OrientationError, normalized
from physics.schema.numbers import format_float, parse
from physics.schema.schema import AttributeSpec, lookup
from physics.writer.draft import Draft

_SPELLED = {"dist": "distance", "seg": "segmentation"}.get   # members of CameraOutput that MJCF spells out


class _Part(NamedTuple):
    """A field, the cut of its row, and the prefix that says which row."""

    field: str
    cut: slice
    prefix: str


class _Row(NamedTuple):
    attribute: str
    parts: tuple[_Part, ...]
    how: str


@lru_cache(maxsize=None)
def _rows(table: str) -> tuple[_Row, ...]:
    rows = []
    for line in table.splitlines():
        attribute, fields, how = (*line.split(), "")[:3]
        rows.append(_Row(attribute, tuple(_part(f) for f in fields.split("+")), how))
    return tuple(rows)


def _part(text: str) -> _Part:
    field, _, cut = text.partition("[")
    low, _, high = cut.rstrip("]").partition(":")
    return _Part(field, slice(int(low), int(high)) if cut else slice(None), field.partition("_")[0])


def attributes(draft: Draft, path: str, table: str, index: int, **places: int) -> dict[str, str]:
    """Attribute texts of one element, those at their default left out.

    path: in the schema; index: the element's row; places: rows of other fields, by name or by prefix (dof=6: dof_* are read at 6).
    """
    spec, found = lookup(path), {}
    for row in _rows(table):
        if row.attribute in spec.attributes:
            text = _text(draft, spec.attributes[row.attribute], row, index, places)
            if text is not None:
                found[row.attribute] = text
    return found


def _text(draft: Draft, spec: AttributeSpec, row: _Row, index: int, places: Mapping[str, int]) -> str | None:
    values = [_cut(draft, part, index, places) for part in row.parts]
    value = values[0] if len(values) == 1 else np.concatenate(values)
    how = row.how
    if how.startswith("@"):
        return draft.refer(how[1:], int(value[0])) if value[0] >= 0 else None
    if how == "#":
        return keyword(spec, spec.values[int(value[0])])
    if how.startswith("%"):
        return keyword(spec, " ".join(_SPELLED(w, w) for w in bit_words(getattr(enums, how[1:]), int(value[0]))))
    if spec.name == "quat":
        value = settled_quat(value)
    if how:
        word = getattr(enums, how)(int(value[0])).name.lower()
        return keyword(spec, next(v for v in spec.values if v.lower() == word))
    return numbers(spec, value)


def _cut(draft: Draft, part: _Part, index: int, places: Mapping[str, int]) -> np.ndarray:
    row = places.get(part.field, places.get(part.prefix, index))
    return np.ravel(getattr(draft.model, part.field)[row])[part.cut]


def bit_words(members, bits: int) -> list[str]:
    """Names of the bits that are set, lowest first. members: an enumeration of bits, or of their places."""
    flags = next(iter(members)) == 1   # an enumeration of places starts at 0
    return [m.name.lower() for m in members if bits & (int(m) if flags else 1 << int(m))]


def settled_quat(quat) -> np.ndarray:
    """A quaternion that reading, which brings it to unit length, leaves as it is, so that the next text is the same.

    Rounding can make unit length swing between two neighbours; then it is always the lesser.
    """
    seen = [np.asarray(quat, float)]
    while len(seen) < 9:
        try:
            unit = normalized(seen[-1], "quat")
        except OrientationError:
            break
        again = next((k for k, old in enumerate(seen) if np.array_equal(old, unit)), None)
        if again is not None:
            return min(seen[again:], key=tuple)
        seen.append(unit)
    return seen[-1]


def keyword(spec: AttributeSpec, word: str) -> str | None:
    """A keyword, None for the default."""
    return None if word == spec.default else word


def numbers(spec: AttributeSpec, value) -> str | None:
    """Text of a number, a list or a switch, None where it is the default; trailing values at their default are cut off."""
    value = np.atleast_1d(value)
    if spec.type in ("bool", "tri", "flag"):
        return keyword(spec, spec.values[int(value[0])])
    default = None if spec.default is None else np.atleast_1d(parse(spec, spec.default)[0]).astype(value.dtype)
    if spec.counts is None:   # user values: what is missing is zero
        used = np.flatnonzero(value)
        value = value[:used[-1] + 1] if len(used) else value[:0]
        return listing(value) if value.size else None
    if default is not None and len(default) == len(value):
        if np.array_equal(value, default):
            return None
        least = spec.counts[0] if isinstance(spec.counts, range) and not spec.repeat else len(value)
        different = np.flatnonzero(value != default)[-1] + 1
        value = value[:max(least, different)]
    return listing(value)


def listing(values) -> str:
    """Numbers in the shortest form that reads back the same, single precision too."""
    values = np.ravel(values)
    if values.dtype == np.float32:
        return " ".join(single(x) for x in values)
    if values.dtype.kind == "f":
        return " ".join(format_float(x) for x in values.tolist())
    return " ".join(str(int(x)) for x in values)


def single(value) -> str:
    """The shortest text that reads back as this single-precision number, through double precision too."""
    value = np.float32(value)
    if not np.isfinite(value) or value == np.trunc(value):
        return format_float(float(value))
    text = np.format_float_positional(value, unique=True, trim="-") if 1e-4 <= abs(value) < 1e16 else np.format_float_scientific(value, unique=True)
    return text if np.float32(float(text)) == value else format_float(float(value))
