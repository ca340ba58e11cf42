"""What goes on at a constraint now, as rows: whether it acts, violation, force, how hard it pushes."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan, sqrt
from typing import NamedTuple

import numpy as np

from app.panels.diagnostics.fitted_tree import number_text
from app.panels.diagnostics.values_tree import MASS, ValuesTree
from physics.diagnostics.constraint_parameters import ConstraintParameters
from physics.diagnostics.constraint_rows import ConstraintRow

OF_MASS = "Inverse of J M⁻¹ J' of the rows together: force along a row for an acceleration of 1 along each [kg, kg m, kg m²]"
MOST_MASS = 12      # rows up to which the matrix is shown


class Row(NamedTuple):
    """name; meaning; its text from the constraint and its rows, '' where there is none of it."""

    name: str
    doc: str
    text: Callable[[ConstraintParameters, Sequence[ConstraintRow]], str]


def _length(values) -> float:
    return sqrt(sum(value * value for value in values))


def _of_one(field: str) -> Callable[[ConstraintParameters, Sequence[ConstraintRow]], str]:
    """A number of the row, where there is one: those of several are in the table of rows."""
    return lambda _part, rows: number_text(getattr(rows[0], field)) if len(rows) == 1 else ""


def _share(part: ConstraintParameters, rows: Sequence[ConstraintRow]) -> str:
    return "  ".join(f"{100 * abs(row.force) / row.frictionloss:.0f} %" for row in rows) if part.form == "friction loss" else ""


def _violation(part: ConstraintParameters, rows: Sequence[ConstraintRow]) -> str:
    if part.form == "friction loss" or not rows:
        return ""
    return number_text(rows[0].pos if len(rows) == 1 else _length(row.pos for row in rows) if part.form == "equality" else min(row.pos for row in rows))


def _known(value: float, unit: str = "") -> str:
    return "" if isnan(value) else f"{number_text(value)} {unit}".rstrip()


ROWS = (
    Row("force", "efc_force; of several rows the length of all [N, N m]", lambda _part, rows: number_text(_length(row.force for row in rows)) if rows else ""),
    Row("of frictionloss", "Share of the largest dry friction force that is used; 100 %: it slides", _share),
    Row("violation", "efc_pos [m, rad]; of several rows the length of all; of a limit the distance, negative is beyond it", _violation),
    Row("velocity", "efc_vel = J qvel [m/s, rad/s]", _of_one("vel")),
    Row("asked for", "efc_aref: acceleration that the row asks for [m/s², rad/s²]", _of_one("aref")),
    Row("gets", "J qacc: acceleration that it gets [m/s², rad/s²]", _of_one("acc")),
    Row("time constant", "Of the motion that its solref and solimp mean at the present violation: 2 / (impedance B); of dry friction 1 / (impedance B)",
        lambda part, _rows: _known(part.timeconst, "s")),
    Row("damping ratio", "Of that motion: B / (2 sqrt K); 1 is critical", lambda part, _rows: _known(part.dampratio)),
    Row("impedance", "At the present violation, from solimp: share of the acceleration that the constraint decides", lambda part, _rows: number_text(part.impedance)),
    Row("K", "Stiffness of the reference acceleration, after all clamps", lambda part, _rows: _known(part.K, "1/s²") if part.K else ""),
    Row("B", "Damping of the reference acceleration, after all clamps", lambda part, _rows: _known(part.B, "1/s")),
    Row("R", "Regularisation: larger is softer [1/kg, 1/(kg m²)]", _of_one("R")),
    Row("island", "Island that it is solved in; '-': none", lambda _part, rows: ", ".join(dict.fromkeys(str(row.island) if row.island >= 0 else "-" for row in rows))),
)


class ConstraintValues(ValuesTree):
    """A row for each of ROWS; below them the effective mass, which opens to a matrix."""

    def __init__(self):
        super().__init__([*((row.name, row.doc) for row in ROWS), (MASS, OF_MASS)], "effective mass")

    def show_part(self, part: ConstraintParameters, rows: Sequence[ConstraintRow], mass: np.ndarray) -> None:
        """Show a constraint with its rows and the mass that they feel."""
        for row in ROWS:
            self.show_value(row.name, row.text(part, rows))
        self.show_value(MASS, "" if not len(mass) else number_text(float(mass[0, 0])) if len(mass) == 1 else f"{len(mass)} × {len(mass)}")
        lines = mass if 1 < len(mass) <= MOST_MASS else np.zeros((0, 0))
        self.show_matrix(MASS, [row.part for row in rows[:len(lines)]], lines, OF_MASS)
        self.fit()
