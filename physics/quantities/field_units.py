"""The unit of each entry of a field, where it depends on the joint, actuator or sensor that the entry belongs to."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from physics.enums import JNT_BALL, JNT_FREE, JNT_SLIDE
from physics.fields.field_row import Row
from physics.quantities.actuator_units import control_unit, length_units
from physics.quantities.field_rows import block_rows
from physics.quantities.sensor_units import sensor_unit

POSITIONS = ("qpos", "qpos0", "qpos_spring")
RATES: Mapping[str, tuple[str, str]] = MappingProxyType({"qvel": ("m/s", "rad/s"), "qacc": ("m/s2", "rad/s2"), "qacc_smooth": ("m/s2", "rad/s2"), "qacc_warmstart": ("m/s2", "rad/s2")})
OUTPUTS: Mapping[str, tuple[int, str]] = MappingProxyType({"actuator_force": (0, ""), "actuator_length": (1, ""), "actuator_velocity": (1, "/s")})


def entry_units(m, row: Row, rows: Sequence[int], column: int | None, width: int) -> list[str]:
    """Units of the entries of these rows, row after row; column: one of `width` in each row, None: all."""
    size, parts = row.dims[0] if row.dims else "", row.unit.split(", ")
    columns = range(width) if column is None else (column,)
    own = _OWN.get(size)
    if own is not None:
        owner = _owners(m, size)
        return [unit for k in rows for unit in (own(m, row, int(k), int(owner[k]), parts),) * len(columns)]
    if len(parts) == 1:
        return ["" if row.unit == "*" else row.unit] * (len(rows) * len(columns))
    return [_one_of(m, row, k, c, width, parts) for k in rows for c in columns]


def common_unit(m, row: Row, count: int, width: int) -> str:
    """The unit of all entries of a field with `count` rows; '*' where they differ."""
    fixed = "," not in row.unit and (not row.dims or row.dims[0] not in _OWN)
    return row.unit if fixed else one_unit(entry_units(m, row, range(count), None, width))


def one_unit(texts: Iterable[str]) -> str:
    """The one that all are; '*' where they differ, '' for none."""
    known = set(texts)
    return next(iter(known)) if len(known) == 1 else "*" if known else ""


def _one_of(m, row: Row, k: int, c: int, width: int, parts: list[str]) -> str:
    """Of 'm, rad' that of a joint, of 'N m, N' that of a spatial vector's component."""
    if len(parts) > 2:
        return ""
    if row.dims[0] == "njnt":
        kind = int(m.jnt_type[k])
        return "" if kind == JNT_FREE else parts[int(kind != JNT_SLIDE)]
    return parts[c >= 3] if width == 6 else ""


def _owners(m, size: str) -> np.ndarray:
    """The element that each row belongs to, -1: none."""
    found = np.full(int(getattr(m, size)), -1)
    for i, k in block_rows(m, size):
        found[k] = i
    return found


def _dof(m, row: Row, k: int, j: int, parts: list[str]) -> str:
    """A degree of freedom that moves along an axis, or about one."""
    kind, place = int(m.jnt_type[j]), k - int(m.jnt_dofadr[j])
    turns = not (kind == JNT_SLIDE or kind == JNT_FREE and place < 3)
    units = RATES.get(row.name) or (tuple(parts) if len(parts) == 2 else None)
    return units[turns] if units else "" if row.unit == "*" or len(parts) > 2 else row.unit


def _coordinate(m, row: Row, k: int, j: int, _parts: list[str]) -> str:
    if row.name not in POSITIONS:
        return ""
    kind, place = int(m.jnt_type[j]), k - int(m.jnt_qposadr[j])
    if kind == JNT_FREE:
        return "m" if place < 3 else ""
    return "" if kind == JNT_BALL else "m" if kind == JNT_SLIDE else "rad"


def _output(m, row: Row, _k: int, i: int, parts: list[str]) -> str:
    found = OUTPUTS.get(row.name)
    if found is None or i < 0:
        return "" if len(parts) > 1 or row.unit == "*" else row.unit
    unit = length_units(m, i)[found[0]]
    return unit + found[1] if unit else ""


def _control(m, row: Row, _k: int, i: int, _parts: list[str]) -> str:
    return control_unit(m, i) if row.name in ("ctrl", "actuator_ctrlrange") and i >= 0 else ""


def _reading(m, row: Row, _k: int, i: int, _parts: list[str]) -> str:
    return sensor_unit(m, i) if row.name == "sensordata" and i >= 0 else ""


_OWN: Mapping[str, Callable] = MappingProxyType({"nv": _dof, "nq": _coordinate, "nout": _output, "nu": _control, "nsensordata": _reading})
