"""Rows of number fields with names: solref in its three notations, the five numbers of solimp."""
from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.panels.tuner.handles import NAMES
from editor.widgets.number_edit import NumberEdit


class LinkedNumbers(QWidget):
    """One row a notation: a title and two fields. Signal: edited(notation, pair) when the user has entered a number.

    rows: (notation, names of both numbers, tip).
    """

    edited = pyqtSignal(str, tuple)

    def __init__(self, rows: Sequence[tuple[str, tuple[str, str], str]]):
        super().__init__()
        self.fields: dict[str, tuple[NumberEdit, NumberEdit]] = {}
        self._names: dict[str, tuple[QLabel, QLabel]] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(4, 2, 4, 2)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(2)
        for line, (notation, names, tip) in enumerate(rows):
            fields = NumberEdit(low=0.0, share=2.0), NumberEdit(low=0.0, share=2.0)
            labels = QLabel(names[0]), QLabel(names[1])
            for side in range(2):
                grid.addWidget(labels[side], line, 2 * side)
                grid.addWidget(fields[side], line, 2 * side + 1)
                labels[side].setToolTip(tip)
                fields[side].edited.connect(lambda _value, notation=notation: self.edited.emit(notation, self.values(notation)))
            self.fields[notation], self._names[notation] = fields, labels
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(3, 1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def values(self, notation: str) -> tuple[float, float]:
        """Both numbers as they stand."""
        first, second = self.fields[notation]
        return first.number, second.number

    def show_values(self, notation: str, values: tuple[float, float] | None, why: str = "") -> None:
        """Show a pair; None: there is none, which `why` explains."""
        for side, field in enumerate(self.fields[notation]):
            field.setEnabled(values is not None)
            field.setToolTip(why)
            if values is not None:
                field.show_value(values[side])
            elif field.text():
                field.clear()

    def rename(self, notation: str, names: tuple[str, str]) -> None:
        """What both numbers are called: with the units of the present target."""
        for label, name in zip(self._names[notation], names, strict=True):
            if label.text() != name:
                label.setText(name)


class SolimpNumbers(QWidget):
    """Five fields, each below its name. Signal: edited(solimp)."""

    edited = pyqtSignal(tuple)

    def __init__(self):
        super().__init__()
        limits = ((0.0, 1.0), (0.0, 1.0), (0.0, 1e6), (0.0, 1.0), (1.0, 100.0))
        self.fields = tuple(NumberEdit(low=low, high=high, share=1.4, least=0.5) for low, high in limits)
        grid = QGridLayout(self)
        grid.setContentsMargins(4, 0, 4, 2)
        grid.setHorizontalSpacing(4)
        grid.setVerticalSpacing(0)
        for column, (name, field) in enumerate(zip(NAMES, self.fields, strict=True)):
            label = QLabel(name)
            grid.addWidget(label, 0, column)
            grid.addWidget(field, 1, column)
            grid.setColumnStretch(column, 1)
            field.edited.connect(lambda _value: self.edited.emit(tuple(field.number for field in self.fields)))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def show_values(self, solimp: Sequence[float] | None) -> None:
        """Show these; None: nothing is tuned."""
        for k, field in enumerate(self.fields):
            field.setEnabled(solimp is not None)
            if solimp is not None:
                field.show_value(solimp[k])


def stacked(*parts: QWidget) -> QWidget:
    """Parts below each other, as one."""
    whole = QWidget()
    layout = QVBoxLayout(whole)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(2)
    for part in parts:
        layout.addWidget(part)
    return whole
