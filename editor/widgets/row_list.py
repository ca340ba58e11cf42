"""Any number of rows, one below the other, of which only those are made that somebody can see."""
from __future__ import annotations

import time
from bisect import bisect_left
from collections.abc import Callable, Sequence

from PyQt6.QtCore import QEvent, QTimer, pyqtSignal
from PyQt6.QtWidgets import QLineEdit, QWidget

from editor.widgets.check_row import CheckRow
from editor.widgets.section import matches
from editor.widgets.slider_row import RowSpec, SliderRow

SPACING = 1
MEASURED = 20   # names that are measured for the width of the column
PORTION = 0.006     # s of making rows in one turn of the event loop


class RowList(QWidget):
    """Rows by number. Signals: edited(number, value) when the user changes one; touched(number) when he takes hold of one with a slider.

    A row is made when it comes into view (or is asked for) and kept: another list of rows is written into the widgets that are there.
    """

    edited = pyqtSignal(int, float)
    touched = pyqtSignal(int)

    def __init__(self, kind: type[SliderRow] | type[CheckRow] = SliderRow):
        """kind: the class of the rows."""
        super().__init__()
        self._kind = kind
        self._specs: list[RowSpec] = []
        self._matching: list[int] = []      # numbers of the rows that pass the filter, from the top
        self._made: dict[int, SliderRow | CheckRow] = {}
        self._text = ""
        self._values: Sequence[float] = ()
        self._enabled: Sequence[bool] | bool = True     # of each, or of all
        self._readouts: Callable[[int], str] | None = None
        self._name_width = 0
        self._height = 0
        self._filling = QTimer(self)
        self._filling.setSingleShot(True)
        self._filling.timeout.connect(self._fill)
        self._fitting = QTimer(self)
        self._fitting.setSingleShot(True)
        self._fitting.timeout.connect(self._fit)

    def __len__(self) -> int:
        return len(self._specs)

    @property
    def made(self) -> dict[int, SliderRow | CheckRow]:
        """The rows that are there, by number."""
        return dict(self._made)

    def filter_field(self) -> QLineEdit:
        """A field whose text filters these rows, to be placed above them."""
        field = QLineEdit()
        field.setPlaceholderText("Filter")
        field.setClearButtonEnabled(True)
        field.textChanged.connect(self.filter)
        return field

    def row(self, number: int) -> SliderRow | CheckRow:
        """One row, made if it is not there yet."""
        if number not in self._made:
            row = self._made[number] = self._kind(self._specs[number], self)
            row.edited.connect(lambda value, number=number: self.edited.emit(number, value))
            if isinstance(row, SliderRow):
                row.touched.connect(lambda number=number: self.touched.emit(number))
            row.set_name_width(self._name_width)
            self._height = row.suit(self.width()) + SPACING
            self._show_one(number)
            self._place(number, row)
        return self._made[number]

    def set_rows(self, specs: Sequence[RowSpec]) -> None:
        """Show these rows."""
        before, self._specs = self._specs, list(specs)
        for number in [number for number in self._made if number >= len(specs)]:
            self._made.pop(number).deleteLater()
        for number, row in self._made.items():
            if specs[number] != before[number]:
                row.describe(specs[number])
        if self._specs != before:
            self._values, self._enabled, self._readouts = (), True, None
            self._measure_names()
            self.filter(self._text)

    def _measure_names(self) -> None:
        longest = sorted((spec.name for spec in self._specs), key=len)[-MEASURED:]   # the widest is among the longest
        self._name_width = max((self.fontMetrics().horizontalAdvance(name) + 4 for name in longest), default=0)
        for row in self._made.values():
            row.set_name_width(self._name_width)

    def filter(self, text: str) -> None:
        """Show only rows with these words in their names."""
        self._text = text
        self._matching = [number for number, spec in enumerate(self._specs) if matches(text, spec.name)]
        if self._specs and not self._height:
            self.row(0)     # how high is a row?
        self.setFixedHeight(len(self._matching) * self._height)
        matching = {number: position for position, number in enumerate(self._matching)}
        for number, row in self._made.items():
            row.setVisible(number in matching)
            if number in matching:
                self._put(matching[number], row)
        self._filling.start(0)

    def show_values(self, values: Sequence[float], enabled: Sequence[bool] | bool = True, readouts: Callable[[int], str] | None = None) -> None:
        """The present values, which of them the user may change, and the text beside each.

        They are asked for only of rows that are seen, but later too, as rows come into view: hand over copies of what changes.
        """
        self._values, self._enabled, self._readouts = values, enabled, readouts
        for number in self._seen():
            self._show_one(number)

    # ------------------------------------------------------------------ what can be seen

    def _seen(self) -> list[int]:
        region = self.visibleRegion().boundingRect()
        if region.isEmpty() or not self._height:
            return []
        return self._matching[region.top() // self._height:region.bottom() // self._height + 1]

    def _fill(self) -> None:
        begun, made = time.perf_counter(), 0
        for number in self._seen():
            if number not in self._made:
                if made and time.perf_counter() - begun > PORTION:
                    self._filling.start(0)      # the others in another turn
                    return
                made += 1
            self.row(number)
            self._show_one(number)

    def _show_one(self, number: int) -> None:
        row = self._made.get(number)
        if row is not None and number < len(self._values):
            row.show_value(float(self._values[number]))
            row.set_enabled(self._enabled if isinstance(self._enabled, bool) else bool(self._enabled[number]))
            if self._readouts is not None:
                row.readout.setText(self._readouts(number))

    def _place(self, number: int, row: SliderRow | CheckRow) -> None:
        position = bisect_left(self._matching, number)
        if position < len(self._matching) and self._matching[position] == number:
            self._put(position, row)
            row.show()

    def _put(self, position: int, row: SliderRow | CheckRow) -> None:
        row.setGeometry(0, position * self._height, self.width(), self._height - SPACING)

    def paintEvent(self, event) -> None:
        super().paintEvent(event)
        self._filling.start(0)     # another part has come into view: its rows are made when it is painted, not while

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self._specs:
            self._fitting.start(0)      # when the rows have the font too

    def _fit(self) -> None:
        """Texts are larger or smaller: measure rows and names again."""
        self._height = 0
        self._measure_names()
        self._suit_rows()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._suit_rows()

    def _suit_rows(self) -> None:
        before = self._height
        for row in self._made.values():
            self._height = row.suit(self.width()) + SPACING
        if not self._height or self._height != before:
            self.filter(self._text)     # lower or higher rows: all move
        else:
            for row in self._made.values():
                row.resize(self.width(), row.height())
