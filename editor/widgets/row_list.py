"""Any number of slider rows, one below the other, of which only those are made that somebody can see."""
from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import QTimer, pyqtSignal
from PyQt6.QtWidgets import QLineEdit, QWidget

from editor.widgets.slider_row import RowSpec, SliderRow

SPACING = 1


class RowList(QWidget):
    """Rows by number. Signals: edited(number, value) when the user changes one.

    A row is made when it comes into view (or is asked for) and kept: another list of rows is written into the widgets that are there.
    """

    edited = pyqtSignal(int, float)

    def __init__(self):
        super().__init__()
        self._specs: list[RowSpec] = []
        self._matching: list[int] = []      # numbers of the rows that pass the filter, from the top
        self._made: dict[int, SliderRow] = {}
        self._text = ""
        self._values: Sequence[float] = ()
        self._enabled: Sequence[bool] | None = None     # None: all
        self._height = 0
        self._filling = QTimer(self)
        self._filling.setSingleShot(True)
        self._filling.timeout.connect(self._fill)

    def __len__(self) -> int:
        return len(self._specs)

    @property
    def made(self) -> dict[int, SliderRow]:
        """The rows that are there, by number."""
        return dict(self._made)

    def filter_field(self) -> QLineEdit:
        """A field whose text filters these rows, to be placed above them."""
        field = QLineEdit()
        field.setPlaceholderText("Filter")
        field.setClearButtonEnabled(True)
        field.textChanged.connect(self.filter)
        return field

    def row(self, number: int) -> SliderRow:
        """One row, made if it is not there yet."""
        if number not in self._made:
            row = self._made[number] = SliderRow(self._specs[number], self)
            row.edited.connect(lambda value, number=number: self.edited.emit(number, value))
            self._height = self._height or row.sizeHint().height() + SPACING
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
            self._values, self._enabled = (), None
            self.filter(self._text)

    def filter(self, text: str) -> None:
        """Show only rows with this in their names."""
        self._text = text
        self._matching = [number for number, spec in enumerate(self._specs) if text.lower() in spec.name.lower()]
        if self._specs and not self._height:
            self.row(0)     # how high is a row?
        self.setFixedHeight(len(self._matching) * self._height)
        matching = {number: position for position, number in enumerate(self._matching)}
        for number, row in self._made.items():
            row.setVisible(number in matching)
            if number in matching:
                self._put(matching[number], row)
        self._filling.start(0)

    def show_values(self, values: Sequence[float], enabled: Sequence[bool] | None = None) -> None:
        """The present values, and which of them the user may change (all)."""
        self._values, self._enabled = values, enabled
        for number in self._seen():
            self._show_one(number)

    # ------------------------------------------------------------------ what can be seen

    def _seen(self) -> list[int]:
        region = self.visibleRegion().boundingRect()
        if region.isEmpty() or not self._height:
            return []
        return self._matching[region.top() // self._height:region.bottom() // self._height + 1]

    def _fill(self) -> None:
        for number in self._seen():
            self.row(number)
            self._show_one(number)

    def _show_one(self, number: int) -> None:
        row = self._made.get(number)
        if row is not None and number < len(self._values):
            row.show_value(float(self._values[number]))
            row.set_enabled(self._enabled is None or bool(self._enabled[number]))

    def _place(self, number: int, row: SliderRow) -> None:
        if number in self._matching:
            self._put(self._matching.index(number), row)
            row.show()

    def _put(self, position: int, row: SliderRow) -> None:
        row.setGeometry(0, position * self._height, self.width(), self._height - SPACING)

    def paintEvent(self, event) -> None:
        super().paintEvent(event)
        self._filling.start(0)     # another part has come into view: its rows are made when it is painted, not while

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        for row in self._made.values():
            row.resize(self.width(), row.height())
