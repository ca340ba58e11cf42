"""The numbers of a servo: a field each, whose name is a handle to drag it by."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import inf, isfinite, isnan, nan
from types import MappingProxyType

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from editor.widgets.number_edit import NumberEdit
from editor.widgets.row_label import RowLabel
from physics.tuning.servos.law import dampratio_of, kv_of
from physics.tuning.servos.values import ServoValues


@dataclass(frozen=True, slots=True)
class Row:
    """name: of the number; title, tip; low: the least it may be. follows: whether a drag can be written as it goes on, as the number goes into the Model that runs; else
    it takes a compile, which Apply asks for."""

    name: str
    title: str
    tip: str
    low: float = 0.0
    follows: bool = True


ROWS = (
    Row("kp", "kp", "Force per actuator length of what is missing to the set point"),
    Row("kv", "kv", "Force per actuator velocity against it; of a velocity servo of what is missing"),
    Row("dampratio", "dampratio", "What MJCF's dampratio would be for this kv: about the inertia at the initial pose"),
    Row("armature", "armature", "Of the joint: inertia of rotor and gears, added along the joint"),
    Row("damping", "damping", "Of the joint: force per velocity, whatever the servo does"),
    Row("gear", "gear", "Actuator length per joint position, force per actuator force", -inf),
    Row("low", "forcerange", "Least force; type a number to have a range, empty the field to have none", -inf),
    Row("high", "to", "Largest force; type a number to have a range, empty the field to have none", -inf),
    Row("ctrl_low", "ctrlrange", "Least control; type a number to have a range, empty the field to have none", -inf),
    Row("ctrl_high", "to", "Largest control; type a number to have a range, empty the field to have none", -inf),
    Row("delay", "delay [s]", "By which the control acts late; the force on position and velocity does not", follows=False),
    Row("timeconst", "timeconst [s]", "Of the filter between control and servo", follows=False),
)
BY_NAME = MappingProxyType({row.name: row for row in ROWS})
RANGES = MappingProxyType({"low": ("forcerange", 0), "high": ("forcerange", 1), "ctrl_low": ("ctrlrange", 0), "ctrl_high": ("ctrlrange", 1)})     # row: (range, end of it)
WAIT = frozenset(row.name for row in ROWS if not row.follows)


def numbers_of(values: ServoValues, mass0: float) -> Mapping[str, float]:
    """By row; NaN for what is not there."""
    ratio = dampratio_of(values.kv, values.kp, mass0) if values.kp is not None and values.kv is not None else nan
    plain = {name: getattr(values, name) for name in ("kp", "kv", "armature", "damping", "gear", "delay", "timeconst")}
    return {name: nan if value is None else value for name, value in plain.items()} | {"dampratio": ratio} | {
        row: (getattr(values, name) or (nan, nan))[end] for row, (name, end) in RANGES.items()}


def with_number(values: ServoValues, name: str, number: float, mass0: float) -> ServoValues:
    """Values with another number of a row; NaN for an end of a range: with no such range. Raises ValueError for what cannot be."""
    if name == "dampratio":
        return replace(values, kv=kv_of(number, values.kp, mass0))
    if name in RANGES:
        which, end = RANGES[name]
        if isnan(number):
            return replace(values, **{which: None})
        low, high = getattr(values, which) or (-abs(number), abs(number))
        low, high = (low, number) if end else (number, high)
        if low >= high:
            raise ValueError(f"{which} from {low:g} to {high:g}: the first has to be the smaller")
        return replace(values, **{which: (low, high)})
    if name == "gear" and number == 0.0:
        raise ValueError("with a gear of 0 the actuator moves nothing")
    if name == "timeconst" and number <= 0.0:
        raise ValueError("a filter's time constant is above 0")
    return replace(values, **{name: number})


class ValueRows(QWidget):
    """Signals: edited(name, number) when a field has another number, by typing or by dragging its name, NaN where a range is taken away; grabbed(name), released(back) around
    a drag, back: it was taken back."""

    edited = pyqtSignal(str, float)
    grabbed = pyqtSignal(str)
    released = pyqtSignal(bool)

    def __init__(self):
        super().__init__()
        self.fields: dict[str, NumberEdit] = {}
        self.handles: dict[str, RowLabel] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(4, 2, 4, 2)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(2)
        for k, row in enumerate(ROWS):
            field, handle = NumberEdit(low=row.low, share=1.4, may_be_empty=row.name in RANGES), RowLabel(row.title, scrubs=True)
            handle.setToolTip(f"{row.tip}\nDrag to change it, with Shift ten times as finely; Esc takes it back")
            grid.addWidget(handle, k // 2, 2 * (k % 2))
            grid.addWidget(field, k // 2, 2 * (k % 2) + 1)
            handle.grabbed.connect(field.grab)
            handle.grabbed.connect(lambda name=row.name: self.grabbed.emit(name))
            handle.scrubbed.connect(field.scrub)
            handle.released.connect(self.released)
            field.edited.connect(lambda number, name=row.name: self.edited.emit(name, number))
            field.cleared.connect(lambda name=row.name: self.edited.emit(name, nan))
            self.fields[row.name], self.handles[row.name] = field, handle
        for column in range(4):
            grid.setColumnStretch(column, 1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)

    def show_values(self, values: ServoValues | None, mass0: float) -> None:
        """Show these; None: nothing is tuned."""
        numbers = numbers_of(values, mass0) if values is not None else {}
        for row in ROWS:
            field, number = self.fields[row.name], numbers.get(row.name, nan)
            known = isfinite(number) or row.name in RANGES and values is not None
            for part in (field, self.handles[row.name]):
                part.setEnabled(known)
            self.handles[row.name].setEnabled(isfinite(number))
            if isfinite(number) or row.name in RANGES:
                field.show_value(number)
            elif field.text() and not field.hasFocus():
                field.clear()
            field.setPlaceholderText("none" if known and not isfinite(number) else "")
