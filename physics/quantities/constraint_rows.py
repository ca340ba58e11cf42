"""What the constraint rows of an equality, of a limit, of dry friction add up to.

    force     efc_force of each row [N, N m]; 0 while it has none      of a limit one number: of both bounds together, where both have a row
    pos       efc_pos of each row [m, rad]; NaN while it has none      of a limit that of the nearer bound

Contacts have rows too; their forces in Newton are those of contact_pair.py.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.enums import (
    CNSTR_EQUALITY,
    CNSTR_FRICTION_DOF,
    CNSTR_FRICTION_TENDON,
    CNSTR_LIMIT_JOINT,
    CNSTR_LIMIT_TENDON,
    EQ_CONNECT,
    EQ_DISTANCE,
    EQ_JOINT,
    EQ_TENDON,
    EQ_WELD,
    JNT_FREE,
    JNT_SLIDE,
    WRAP_JOINT,
)
from physics.fields.layout import LAYOUTS

Place = tuple[int, int, int]    # efc_type, efc_id, which of these rows (-1: all)
LIMIT, FRICTIONLOSS = "limit", "frictionloss"
ROWS_OF_EQUALITY: Mapping[int, int] = MappingProxyType({EQ_CONNECT: 3, EQ_WELD: 6, EQ_JOINT: 1, EQ_TENDON: 1, EQ_DISTANCE: 1})
FORCES: Mapping[str, str] = MappingProxyType({"m": "N", "rad": "N m", "*": "*"})
ALL = -1


@dataclass(frozen=True, slots=True)
class RowValue:
    """field of the rows; sums: whether several rows are added, else the least counts; meaning."""

    field: str
    sums: bool
    doc: str


ROW_VALUES: Mapping[str, RowValue] = MappingProxyType({
    "force": RowValue("efc_force", True, "constraint force of each row"),
    "pos": RowValue("efc_pos", False, "violation, or distance to the bound, of each row"),
})


def equality_places(m, number: int) -> tuple[Place, ...]:
    """The rows that an equality may have. Raises ValueError for flexes, whose number of rows is that of their edges or vertices."""
    kind = int(m.eq_type[number])
    if kind not in ROWS_OF_EQUALITY:
        raise ValueError("the rows of flexes have no names: give them by number, such as efc_force[0]")
    return tuple((CNSTR_EQUALITY, number, k) for k in range(ROWS_OF_EQUALITY[kind]))


def limit_places(_m, kind: str, number: int) -> tuple[Place, ...]:
    """The limit of a joint or tendon: one number of all its rows."""
    return ((CNSTR_LIMIT_JOINT if kind == "joint" else CNSTR_LIMIT_TENDON, number, ALL),)


def friction_places(m, kind: str, number: int) -> tuple[Place, ...]:
    """The dry friction of a joint, dof by dof, or of a tendon."""
    if kind == "tendon":
        return ((CNSTR_FRICTION_TENDON, number, 0),)
    return tuple((CNSTR_FRICTION_DOF, dof, 0) for dof in np.flatnonzero(np.asarray(m.dof_jntid) == number).tolist())


def place_unit(m, value: str, place: Place) -> str:
    """Unit of a value of a row; '*' where it is not known."""
    length = _length_unit(m, *place)
    return length if LAYOUTS["d"].rows[ROW_VALUES[value].field].unit != "N, N m" else FORCES[length]


def _length_unit(m, kind: int, number: int, k: int) -> str:
    if kind == CNSTR_EQUALITY:
        form, first = int(m.eq_type[number]), int(m.eq_obj1id[number])
        if form == EQ_JOINT:
            return _joint_unit(m, first, 0)
        return _tendon_unit(m, first) if form == EQ_TENDON else "rad" if form == EQ_WELD and k >= 3 else "m"
    if kind in (CNSTR_LIMIT_TENDON, CNSTR_FRICTION_TENDON):
        return _tendon_unit(m, number)
    if kind == CNSTR_LIMIT_JOINT:
        return _joint_unit(m, number, 0)
    joint = int(m.dof_jntid[number])
    return _joint_unit(m, joint, number - int(m.jnt_dofadr[joint]))


def _joint_unit(m, joint: int, dof: int) -> str:
    kind = int(m.jnt_type[joint])
    return "m" if kind == JNT_SLIDE or kind == JNT_FREE and dof < 3 else "rad"


def _tendon_unit(m, tendon: int) -> str:
    """Of a fixed tendon the length is a sum of positions of joints, each with a coefficient of its own."""
    return "*" if int(m.wrap_type[m.tendon_adr[tendon]]) == WRAP_JOINT else "m"


def row_numbers(now, value: str, places: tuple[Place, ...]) -> np.ndarray:
    """A number for each place at a moment. now: a Data, or a Snapshot. Sums run in the order of the rows."""
    n, of = int(now.nefc), ROW_VALUES[value]
    kinds, idents, field = np.asarray(now.efc_type[:n]), np.asarray(now.efc_id[:n]), getattr(now, of.field)
    found = np.full(len(places), 0.0 if of.sums else np.nan)
    for j, (kind, ident, k) in enumerate(places):
        rows = np.flatnonzero((kinds == kind) & (idents == ident)).tolist()
        values = [float(field[i]) for i in (rows if k == ALL else rows[k:k + 1])]
        if values:
            found[j] = sum(values, 0.0) if of.sums else min(values)
    return found
