"""What goes on at a constraint now, as rows: whether it acts, violation, force, how hard it pushes."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan, sqrt
from typing import NamedTuple

import numpy as np
from PyQt6.QtCore import QEvent

from app.panels.diagnostics.fitted_tree import FittedTree, number_text, numbers_text, put
from physics.diagnostics.constraint_parameters import ConstraintParameters
from physics.diagnostics.constraint_rows import ConstraintRow

NAME, VALUE = range(2)
MASS = "effective mass"
MOST_MASS = 12      # rows up to which the matrix is shown


class Row(NamedTuple):
    """name; meaning; its text from the constraint and its rows, '' where there is none of it."""

    name: str
    doc: str
    text: Callable[[ConstraintParameters, Sequence[ConstraintRow]], str]


def _length(values) -> float:
    return sqrt(sum(value * value for value in values))


def _per_row(field: str) -> Callable[[ConstraintParameters, Sequence[ConstraintRow]], str]:
    """A number of each row; nothing without rows."""
    return lambda _part, rows: numbers_text([getattr(row, field) for row in rows])


def _force(_part: ConstraintParameters, rows: Sequence[ConstraintRow]) -> str:
    return (f"{number_text(_length(row.force for row in rows))}" + (f"  ({numbers_text([row.force for row in rows])})" if len(rows) > 1 else "")) if rows else ""


def _share(part: ConstraintParameters, rows: Sequence[ConstraintRow]) -> str:
    return "  ".join(f"{100 * abs(row.force) / row.frictionloss:.0f} %" for row in rows) if part.form == "friction loss" else ""


def _motion(part: ConstraintParameters, _rows: Sequence[ConstraintRow]) -> str:
    return "" if isnan(part.timeconst) else f"{number_text(part.timeconst)} s" + ("" if isnan(part.dampratio) else f", damping ratio {number_text(part.dampratio)}")


def _violation(part: ConstraintParameters, rows: Sequence[ConstraintRow]) -> str:
    return numbers_text([row.pos for row in rows]) if part.form != "friction loss" else ""


ROWS = (
    Row("force", "efc_force of its rows: the length of all, and each [N, N m]", _force),
    Row("of frictionloss", "Share of the largest dry friction force that is used; 100 %: it slides", _share),
    Row("violation", "efc_pos of its rows [m, rad]; of a limit the distance, negative is beyond it", _violation),
    Row("velocity", "efc_vel = J qvel of its rows [m/s, rad/s]", _per_row("vel")),
    Row("asked for", "efc_aref: acceleration that the rows ask for [m/s², rad/s²]", _per_row("aref")),
    Row("gets", "J qacc: acceleration that they get", _per_row("acc")),
    Row("time constant", "Of the motion that its solref and solimp mean at the present violation: 2 / (impedance B); damping ratio B / (2 sqrt K)", _motion),
    Row("impedance", "At the present violation, from solimp: share of the acceleration that the constraint decides", lambda part, _rows: number_text(part.impedance)),
    Row("K, B", "Stiffness and damping of the reference acceleration, after all clamps", lambda part, _rows: f"{number_text(part.K)} 1/s², {number_text(part.B)} 1/s"),
    Row("R", "Regularisation of its rows: larger is softer [1/kg, 1/(kg m²)]", _per_row("R")),
    Row("island", "Island that it is solved in; '-': none", lambda _part, rows: ", ".join(dict.fromkeys(str(row.island) if row.island >= 0 else "-" for row in rows))),
)


class ConstraintValues(FittedTree):
    """A row for each of ROWS; below them the effective mass, which opens to a matrix."""

    def __init__(self):
        super().__init__(("", ""), VALUE, headers=False)
        self._items = {row.name: self.add(None, [row.name, ""], row.doc) for row in ROWS}
        self._items[MASS] = self.add(None, [MASS, ""], "Inverse of J M⁻¹ J' of the rows together: force along a row for an acceleration of 1 along each [kg, kg m, kg m²]")
        self._suit_column()

    def show_part(self, part: ConstraintParameters, rows: Sequence[ConstraintRow], mass: np.ndarray) -> None:
        """Show a constraint with its rows and the mass that they feel."""
        for row in ROWS:
            self._show(row.name, row.text(part, rows))
        self._show(MASS, "" if not len(mass) else number_text(float(mass[0, 0])) if len(mass) == 1 else f"{len(mass)} × {len(mass)}")
        item, shown = self._items[MASS], mass if 1 < len(mass) <= MOST_MASS else np.zeros((0, 0))
        while item.childCount() > len(shown):
            item.removeChild(item.child(item.childCount() - 1))
        while item.childCount() < len(shown):
            self.add(item, ["", ""], item.toolTip(NAME))
        for k, line in enumerate(shown):
            put(item.child(k), NAME, rows[k].part)
            put(item.child(k), VALUE, numbers_text(line))
        self.fit()

    def _show(self, name: str, text: str) -> None:
        item = self._items[name]
        put(item, VALUE, text)
        if item.isHidden() == bool(text):
            item.setHidden(not text)

    def text(self, name: str) -> str:
        """What is shown of a row."""
        item = self._items[name]
        return "" if item.isHidden() else item.text(VALUE)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_items"):
            self._suit_column()

    def _suit_column(self) -> None:
        self.header().resizeSection(NAME, self.fontMetrics().horizontalAdvance("of frictionloss") + 28)
