"""The numbers of a servo: a field each, whose name is a handle to drag it by."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite, nan

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from editor.widgets.number_edit import NumberEdit
from editor.widgets.row_label import RowLabel
from physics.tuning.servos.law import dampratio_of, kv_of
from physics.tuning.servos.values import ServoValues


@dataclass(frozen=True, slots=True)
class Row:
    """name: of the number; title, tip; low: the least it may be."""

    name: str
    title: str
    tip: str
    low: float = 0.0


ROWS = (
    Row("kp", "kp", "Force per actuator length of what is missing to the set point"),
    Row("kv", "kv", "Force per actuator velocity against it; of a velocity servo of what is missing"),
    Row("dampratio", "dampratio", "What MJCF's dampratio would be for this kv: about the inertia at the initial pose"),
    Row("armature", "armature", "Of the joint: inertia of rotor and gears, added along the joint"),
    Row("damping", "damping", "Of the joint: force per velocity, whatever the servo does"),
    Row("gear", "gear", "Actuator length per joint position, force per actuator force", -inf),
    Row("low", "forcerange", "Least force; type a number to have a range", -inf),
    Row("high", "to", "Largest force; type a number to have a range", -inf),
    Row("delay", "delay [s]", "By which the control acts late; the force on position and velocity does not"),
    Row("timeconst", "timeconst [s]", "Of the filter between control and servo"),
)


def numbers_of(values: ServoValues, mass0: float) -> Mapping[str, float]:
    """By row; NaN for what is not there."""
    low, high = values.forcerange or (nan, nan)
    ratio = dampratio_of(values.kv, values.kp, mass0) if values.kp is not None and values.kv is not None else nan
    plain = {name: getattr(values, name) for name in ("kp", "kv", "armature", "damping", "gear", "delay", "timeconst")}
    return {name: nan if value is None else value for name, value in plain.items()} | {"dampratio": ratio, "low": low, "high": high}


def with_number(values: ServoValues, name: str, number: float, mass0: float) -> ServoValues:
    """Values with another number of a row. Raises ValueError for what cannot be."""
    if name == "dampratio":
        return replace(values, kv=kv_of(number, values.kp, mass0))
    if name in ("low", "high"):
        low, high = values.forcerange or (-abs(number), abs(number))
        low, high = (number, high) if name == "low" else (low, number)
        if low >= high:
            raise ValueError(f"forcerange from {low:g} to {high:g}: the first has to be the smaller")
        return replace(values, forcerange=(low, high))
    if name == "gear" and number == 0.0:
        raise ValueError("with a gear of 0 the actuator moves nothing")
    if name == "timeconst" and number <= 0.0:
        raise ValueError("a filter's time constant is above 0")
    return replace(values, **{name: number})


class ValueRows(QWidget):
    """Signal: edited(name, number) when a field has another number, by typing or by dragging its name."""

    edited = pyqtSignal(str, float)

    def __init__(self):
        super().__init__()
        self.fields: dict[str, NumberEdit] = {}
        self.handles: dict[str, RowLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(4, 2, 4, 2)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(2)
        for k, row in enumerate(ROWS):
            field, handle = NumberEdit(low=row.low, share=1.4), RowLabel(row.title, scrubs=True)
            handle.setToolTip(f"{row.tip}\nDrag to change it, with Shift ten times as finely; Esc takes it back")
            grid.addWidget(handle, k // 2, 2 * (k % 2))
            grid.addWidget(field, k // 2, 2 * (k % 2) + 1)
            handle.grabbed.connect(field.grab)
            handle.scrubbed.connect(field.scrub)
            field.edited.connect(lambda number, name=row.name: self.edited.emit(name, number))
            self.fields[row.name], self.handles[row.name] = field, handle
        for column in range(4):
            grid.setColumnStretch(column, 1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def show_values(self, values: ServoValues | None, mass0: float) -> None:
        """Show these; None: nothing is tuned."""
        numbers = numbers_of(values, mass0) if values is not None else {}
        for row in ROWS:
            field, number = self.fields[row.name], numbers.get(row.name, nan)
            known = isfinite(number) or row.name in ("low", "high") and values is not None
            for part in (field, self.handles[row.name]):
                part.setEnabled(known)
            self.handles[row.name].setEnabled(isfinite(number))
            if isfinite(number):
                field.show_value(number)
            elif field.text() and not field.hasFocus():
                field.clear()
            field.setPlaceholderText("none" if known and not isfinite(number) else "")
