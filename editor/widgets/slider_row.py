"""One value as a row: name, slider, number, and a button back to its start value."""
import math
from dataclasses import dataclass

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QWIDGETSIZE_MAX, QGridLayout, QHBoxLayout, QLabel, QToolButton, QWidget

from editor.widgets.changed_mark import ChangedMark
from editor.widgets.number_edit import NumberEdit
from editor.widgets.range_slider import RangeSlider
from editor.widgets.row_label import RowLabel
from editor.widgets.wheel_guard import guard_wheel

SLIDER_STEPS = 10000   # fine enough that no value of a range is out of reach
BEYOND = 0.06          # of a limited range: shown past each limit, so that a value past it can be seen to be
NARROW = 290           # logical pixels: below them the name stands above the slider; more where texts are larger
USUAL_HEIGHT = 16      # of a line of text [logical pixels]
NAME_SHARE = 0.34      # of the row's width that a long name may take
SHORTEST, SLIDER_SHARE = 60, 0.22   # of a slider: logical pixels, and part of the row's width


@dataclass(frozen=True, slots=True)
class RowSpec:
    """What a row is about: its name, the slider's range, the value its button goes back to, and a hint.

    limited: low and high are limits, which the slider keeps and shows; log: the slider goes by powers (low > 0); readout: there is room for a
    text beside the number, as wide as `readout` itself.
    """

    name: str
    low: float
    high: float
    start: float = 0.0
    tip: str = ""
    limited: bool = False
    log: bool = False
    readout: str = ""


class SliderRow(QWidget):
    """Signals: edited(float) when the user moves the slider, drags the name, enters a number or presses the button; touched() when the slider or the name is taken hold of.

    The number may lie outside `low` to `high` (a joint can be posed past its limit); the slider then rests past its limit, or at its end.
    """

    edited = pyqtSignal(float)
    touched = pyqtSignal()

    def __init__(self, spec: RowSpec, parent: QWidget | None = None):
        super().__init__(parent)
        self.mark = ChangedMark()
        self._label = RowLabel(scrubs=True)
        self.slider = RangeSlider()
        self.slider.setRange(0, SLIDER_STEPS)
        self.slider.setMinimumWidth(40)
        self.readout = QLabel()
        self.readout.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.number = NumberEdit(spec.start, least=1.0)
        self.reset = QToolButton()
        self.reset.setText("\u21ba")
        self.reset.setAutoRaise(True)
        for part in (self.slider, self.reset):
            part.setFocusPolicy(Qt.FocusPolicy.TabFocus)   # a click leaves the keyboard where it was
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 2, 0)
        self._grid.setHorizontalSpacing(3)
        self._grid.setVerticalSpacing(0)
        self._top = QHBoxLayout()
        self._lines = 0
        guard_wheel(self.slider)   # rows are made as they come into view, after their panel was guarded
        self._name_width: int | None = None
        self.mark.cover(self._label)
        self.slider.valueChanged.connect(self._slid)
        for grabbed in (self.slider.sliderPressed, self._label.grabbed):
            grabbed.connect(lambda *_at: self.touched.emit())
        self.number.edited.connect(self.enter)
        self._label.grabbed.connect(self.number.grab)
        self._label.scrubbed.connect(self.number.scrub)
        self.reset.clicked.connect(lambda _checked=False: self.enter(self._spec.start))
        self._spec = spec
        self._low, self._high = spec.low, spec.high
        self._arrange(1)
        self.describe(spec)

    def describe(self, spec: RowSpec) -> None:
        """Be about this from now on; where that is something else the value goes back to its start."""
        other = spec.name != self.name
        self._spec = spec
        past = BEYOND * (spec.high - spec.low) if spec.limited and not spec.log else 0.0
        self._low, self._high = spec.low - past, spec.high + past
        self._label.setText(spec.name)
        self._label.setToolTip(spec.tip or spec.name)
        self.setToolTip(spec.tip)
        self.reset.setToolTip(f"Back to {spec.start:g}")
        limits = (self._position(spec.low), self._position(spec.high)) if spec.limited and spec.high > spec.low else None
        self.slider.mark(limits, self._position(spec.start) if self._low <= spec.start <= self._high else None)
        self.readout.setVisible(bool(spec.readout))
        self.readout.setText("")
        self._make_room()
        if other:
            self.number.setModified(False)
        self.show_value(spec.start if other else self.value)

    def _make_room(self) -> None:
        if self._spec.readout:
            self.readout.setMinimumWidth(self.readout.fontMetrics().horizontalAdvance(self._spec.readout))
        self._share_width()

    @property
    def name(self) -> str:
        """The row's name."""
        return self._label.text()

    @property
    def value(self) -> float:
        """The value shown."""
        return self.number.number

    def set_name_width(self, width: int) -> None:
        """Room for the names of all rows of a list, so that their sliders begin below each other; long ones are cut."""
        if width != self._name_width:
            self._name_width = width
            self._share_width()

    def suit(self, width: int) -> int:
        """Take one line, or two where so little width does not do for one; the height that this needs [logical pixels]."""
        self._arrange(self._lines_in(width))
        self._make_room()
        return self._grid.sizeHint().height()

    def _lines_in(self, width: int) -> int:
        return 1 if width >= NARROW * max(1.0, self.fontMetrics().height() / USUAL_HEIGHT) else 2

    def _arrange(self, lines: int) -> None:
        if lines == self._lines:
            return
        self._lines = lines
        grid = self._grid
        for widget in (self.mark, self._label, self.slider, self.readout, self.number, self.reset):
            grid.removeWidget(widget)
            self._top.removeWidget(widget)
        grid.removeItem(self._top)
        for column in range(6):
            grid.setColumnStretch(column, 0)
        grid.addWidget(self.mark, 0, 0)
        if lines == 1:
            for column, widget in enumerate((self._label, self.slider, self.readout, self.number, self.reset), 1):
                grid.addWidget(widget, 0, column)
            grid.setColumnStretch(2, 1)
        else:
            self._top.addWidget(self._label, 1)     # a line of its own: the name has what the readout leaves
            self._top.addWidget(self.readout)
            grid.addLayout(self._top, 0, 1, 1, 4)
            grid.addWidget(self.slider, 1, 1, 1, 2)
            grid.addWidget(self.number, 1, 3)
            grid.addWidget(self.reset, 1, 4)
            grid.setColumnStretch(1, 1)
        self._share_width()
        self.updateGeometry()

    def _share_width(self) -> None:
        if self._lines == 2:
            self._label.setMinimumWidth(24)
            self._label.setMaximumWidth(QWIDGETSIZE_MAX)
            return
        wanted = self._name_width or self._label.fontMetrics().horizontalAdvance(self._label.text()) + 4
        fixed = sum(part.sizeHint().width() for part in (self.number, self.reset)) + (self.readout.width() if self._spec.readout else 0)
        spaces = self._grid.horizontalSpacing() * 5 + self.mark.width() + 2
        room = min(NAME_SHARE * self.width(), self.width() - fixed - spaces - max(SHORTEST, SLIDER_SHARE * self.width()))
        self._label.setFixedWidth(round(max(24, min(wanted, room))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(self._lines_in(self.width()))
        self._share_width()

    # ------------------------------------------------------------------ values

    def _position(self, value: float) -> int:
        low, high = self._low, self._high
        if math.isnan(value):
            return 0
        if self._spec.log:
            share = math.log(max(value, low) / low) / math.log(high / low)
        else:
            share = (value - low) / (high - low) if high > low else 0.0
        return round(min(max(share, 0.0), 1.0) * SLIDER_STEPS)

    def _value_at(self, position: int) -> float:
        share, spec = position / SLIDER_STEPS, self._spec
        value = self._low * (self._high / self._low) ** share if spec.log else self._low + (self._high - self._low) * share
        return min(max(value, spec.low), spec.high)   # what is past a limit is not reached by the hand

    def show_value(self, value: float) -> None:
        """Show a value that comes from elsewhere; a slider that is being dragged stays with the hand."""
        self.number.show_value(value)
        if not self.slider.isSliderDown():
            self._place(value)

    def _place(self, value: float) -> None:
        self.slider.blockSignals(True)
        self.slider.setValue(self._position(value))
        self.slider.blockSignals(False)

    def _slid(self, position: int) -> None:
        value = self._value_at(position)
        self.number.setModified(False)
        self.number.show_value(value)
        self._place(value)
        self.edited.emit(value)

    def enter(self, value: float) -> None:
        """Take a value as if the user had typed it."""
        self.number.setModified(False)
        self.number.show_value(value)
        self._place(value)
        self.edited.emit(value)

    def set_enabled(self, on: bool) -> None:
        """Whether the user may change it; values go on being shown."""
        for widget in (self.slider, self.number, self.reset, self._label):
            widget.setEnabled(on)
