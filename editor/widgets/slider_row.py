"""One value as a row: name, slider, number, and a button back to its start value."""
from dataclasses import dataclass

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtWidgets import QGridLayout, QLabel, QSlider, QToolButton, QWidget

from editor.widgets.number_edit import NumberEdit
from editor.widgets.wheel_guard import guard_wheel

SLIDER_STEPS = 10000   # fine enough that no value of a range is out of reach
NAME_WIDTH = 128


@dataclass(frozen=True, slots=True)
class RowSpec:
    """What a row is about: its name, the slider's range, the value its button goes back to, and a hint."""

    name: str
    low: float
    high: float
    start: float = 0.0
    tip: str = ""


class SliderRow(QWidget):
    """Signals: edited(float) when the user moves the slider, enters a number or presses the button.

    The number may lie outside `low` to `high` (a joint can be posed past its limit); the slider then rests at its end.
    """

    edited = pyqtSignal(float)

    def __init__(self, spec: RowSpec, parent: QWidget | None = None):
        super().__init__(parent)
        self._label = QLabel()
        self._label.setFixedWidth(NAME_WIDTH)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, SLIDER_STEPS)
        self.slider.setMinimumWidth(48)
        self._number = NumberEdit(spec.start, width=66)
        self._number.setMinimumWidth(52)
        self.reset = QToolButton()
        self.reset.setText("\u21ba")
        self.reset.setAutoRaise(True)
        for part in (self.slider, self.reset):
            part.setFocusPolicy(Qt.FocusPolicy.TabFocus)   # a click leaves the keyboard where it was
        layout = QGridLayout(self)
        layout.setContentsMargins(2, 0, 2, 0)
        layout.setHorizontalSpacing(4)
        for column, widget in enumerate((self._label, self.slider, self._number, self.reset)):
            layout.addWidget(widget, 0, column)
        layout.setColumnStretch(1, 1)
        guard_wheel(self.slider)   # rows are made as they come into view, after their panel was guarded
        self.slider.valueChanged.connect(self._slid)
        self._number.edited.connect(self.enter)
        self.reset.clicked.connect(lambda _checked=False: self.enter(self._start))
        self.describe(spec)

    def describe(self, spec: RowSpec) -> None:
        """Be about this from now on; where that is something else the value goes back to its start."""
        other = spec.name != self.name
        self._low, self._high, self._start = spec.low, spec.high, spec.start
        self._label.setText(spec.name)
        self._label.setToolTip(spec.tip or spec.name)
        self.setToolTip(spec.tip)
        self.reset.setToolTip(f"Back to {spec.start:g}")
        if other:
            self._number.setModified(False)
        self.show_value(spec.start if other else self.value)

    @property
    def name(self) -> str:
        """The row's name."""
        return self._label.text()

    @property
    def value(self) -> float:
        """The value shown."""
        return self._number.number

    def show_value(self, value: float) -> None:
        """Show a value that comes from elsewhere; a slider that is being dragged stays with the hand."""
        self._number.show_value(value)
        if not self.slider.isSliderDown():
            self._place(value)

    def _place(self, value: float) -> None:
        share = (value - self._low) / (self._high - self._low) if self._high > self._low else 0.0
        self.slider.blockSignals(True)
        self.slider.setValue(round(min(max(share, 0.0), 1.0) * SLIDER_STEPS))
        self.slider.blockSignals(False)

    def _slid(self, position: int) -> None:
        value = self._low + (self._high - self._low) * position / SLIDER_STEPS
        self._number.setModified(False)
        self._number.show_value(value)
        self.edited.emit(value)

    def enter(self, value: float) -> None:
        """Take a value as if the user had typed it."""
        self._number.setModified(False)
        self._number.show_value(value)
        self._place(value)
        self.edited.emit(value)

    def set_enabled(self, on: bool) -> None:
        """Whether the user may change it; values go on being shown."""
        for widget in (self.slider, self._number, self.reset):
            widget.setEnabled(on)
