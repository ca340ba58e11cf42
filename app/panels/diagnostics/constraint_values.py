"""What goes on at a constraint now, as rows: whether it acts, violation, force, how hard it pushes."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isnan, sqrt
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from app.panels.diagnostics.fitted_tree import number_text
from app.panels.diagnostics.values_tree import MASS, ValuesTree
from physics.diagnostics.constraint_parameters import ConstraintParameters
from physics.diagnostics.constraint_rows import KINDS, ConstraintRow
from physics.model.model import Model
from physics.quantities.constraint_rows import place_unit

LENGTHS = MappingProxyType({"m": "m", "rad": "rad"})
FORCES = MappingProxyType({"m": "N", "rad": "N m"})
SOFTNESS = MappingProxyType({"m": "1/kg", "rad": "1/(kg m²)"})
MASSES = MappingProxyType({"m": "kg", "rad": "kg m²"})
TYPES = MappingProxyType({words: kind for kind, (words, _owner) in KINDS.items()})
OF_MASS = "Inverse of J M⁻¹ J' of the rows together: force along a row for an acceleration of 1 along each [kg, kg m, kg m²]"
MOST_MASS = 12      # rows up to which the matrix is shown


class Row(NamedTuple):
    """name; meaning; its text from the constraint, its rows and the unit of each row's position (m, rad, '' for one that is not known), '' where there is none of it."""

    name: str
    doc: str
    text: Callable[[ConstraintParameters, Sequence[ConstraintRow], Sequence[str]], str]


def _known(value: float, unit: str = "") -> str:
    return "" if isnan(value) else f"{number_text(value)} {unit}".rstrip()


def _lengths(values: Sequence[float], units: Sequence[str], called: Mapping[str, str]) -> str:
    """Of one number that, of several their length: of those in one unit together."""
    by_unit: dict[str, list[float]] = {}
    for value, unit in zip(values, units, strict=True):
        by_unit.setdefault(called.get(unit, ""), []).append(value)
    return ", ".join(_known(found[0] if len(values) == 1 else sqrt(sum(value * value for value in found)), unit) for unit, found in by_unit.items())


def _of_one(field: str, per: str = "", called: Mapping[str, str] = LENGTHS) -> Callable[[ConstraintParameters, Sequence[ConstraintRow], Sequence[str]], str]:
    """A number of the row, where there is one: those of several are in the table of rows. per: behind its unit."""
    def text(_part, rows, units) -> str:
        return _known(getattr(rows[0], field), called[units[0]] + per if units[0] else "") if len(rows) == 1 else ""
    return text


def _share(part: ConstraintParameters, rows: Sequence[ConstraintRow], _units: Sequence[str]) -> str:
    return "  ".join(f"{100 * abs(row.force) / row.frictionloss:.0f} %" for row in rows) if part.form == "friction loss" else ""


def _violation(part: ConstraintParameters, rows: Sequence[ConstraintRow], units: Sequence[str]) -> str:
    if part.form == "friction loss" or not rows:
        return ""
    return _lengths([row.pos for row in rows], units, LENGTHS) if part.form == "equality" else _known(min(row.pos for row in rows), units[0])


def _force(_part: ConstraintParameters, rows: Sequence[ConstraintRow], units: Sequence[str]) -> str:
    return _lengths([abs(row.force) if len(rows) > 1 else row.force for row in rows], units, FORCES) if rows else ""


ROWS = (
    Row("force", "efc_force; of several rows the length of those in the same unit", _force),
    Row("of frictionloss", "Share of the largest dry friction force that is used; 100 %: it slides", _share),
    Row("violation", "efc_pos; of several rows the length of those in the same unit; of a limit the distance, negative is beyond it", _violation),
    Row("velocity", "efc_vel = J qvel", _of_one("vel", "/s")),
    Row("asked for", "efc_aref: acceleration that the row asks for", _of_one("aref", "/s²")),
    Row("gets", "J qacc: acceleration that it gets", _of_one("acc", "/s²")),
    Row("time constant", "Of the motion that its solref and solimp mean at the present violation: 2 / (impedance B); of dry friction 1 / (impedance B)",
        lambda part, _rows, _units: _known(part.timeconst, "s")),
    Row("damping ratio", "Of that motion: B / (2 sqrt K); 1 is critical", lambda part, _rows, _units: _known(part.dampratio)),
    Row("impedance", "At the present violation, from solimp: share of the acceleration that the constraint decides", lambda part, _rows, _units: number_text(part.impedance)),
    Row("K", "Stiffness of the reference acceleration, after all clamps", lambda part, _rows, _units: _known(part.K, "1/s²") if part.K else ""),
    Row("B", "Damping of the reference acceleration, after all clamps", lambda part, _rows, _units: _known(part.B, "1/s")),
    Row("R", "Regularisation: larger is softer", _of_one("R", called=SOFTNESS)),
    Row("island", "Island that it is solved in; '-': none", lambda _part, rows, _units: ", ".join(dict.fromkeys(str(row.island) if row.island >= 0 else "-" for row in rows))),
)


class ConstraintValues(ValuesTree):
    """A row for each of ROWS; below them the effective mass, which opens to a matrix."""

    def __init__(self):
        super().__init__([*((row.name, row.doc) for row in ROWS), (MASS, OF_MASS)], "effective mass")

    def show_part(self, m: Model, part: ConstraintParameters, rows: Sequence[ConstraintRow], mass: np.ndarray) -> None:
        """Show a constraint of a Model with its rows and the mass that they feel."""
        units = position_units(m, rows)
        for row in ROWS:
            self.show_value(row.name, row.text(part, rows, units))
        self.show_value(MASS, "" if not len(mass) else _known(float(mass[0, 0]), MASSES.get(units[0], "")) if len(mass) == 1 else f"{len(mass)} × {len(mass)}")
        lines = mass if 1 < len(mass) <= MOST_MASS else np.zeros((0, 0))
        self.show_matrix(MASS, [row.part for row in rows[:len(lines)]], lines, OF_MASS)
        self.fit()


def position_units(m: Model, rows: Sequence[ConstraintRow]) -> list[str]:
    """Unit of each row's position; '' where it is not known. rows: all of one constraint."""
    return [place_unit(m, "pos", (TYPES[row.kind], row.id, k)).replace("*", "") for k, row in enumerate(rows)]
