"""A field for a few numbers between blanks."""
from __future__ import annotations

import math

from PyQt6.QtCore import pyqtSignal
from PyQt6.QtWidgets import QLineEdit

from editor.widgets.number_edit import BAD_STYLE, parse_number

LONG_ENOUGH = "0.00"   # of each number: has to be readable


class VectorEdit(QLineEdit):
    """Signals: edited(tuple) when the user has entered `size` numbers within `low` and `high`."""

    edited = pyqtSignal(tuple)

    def __init__(self, size: int, low: float = -math.inf, high: float = math.inf):
        super().__init__()
        self._size, self._low, self._high = size, low, high
        self.value: tuple[float, ...] = (0.0,) * size
        self._make_room()
        self.editingFinished.connect(self._commit)
        self.returnPressed.connect(self._commit)
        self._write()

    def _make_room(self) -> None:
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance(" ".join([LONG_ENOUGH] * self._size)) + 10)

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == event.Type.FontChange:
            self._make_room()

    def show_value(self, value) -> None:
        """Show numbers that come from elsewhere; what the user is typing stays."""
        if not (self.hasFocus() and self.isModified()):
            value = tuple(float(v) for v in value)
            if value != self.value or not self.text():
                self.value = value
                self._write()

    def _write(self) -> None:
        self.setText(" ".join(f"{v:.4g}" for v in self.value))
        self.setCursorPosition(0)
        self.setStyleSheet("")
        self.setToolTip(" ".join(f"{v:.7g}" for v in self.value))

    def _commit(self) -> None:
        if not self.isModified():
            return
        try:
            value = tuple(parse_number(part) for part in self.text().replace(",", " ").split())
            if len(value) != self._size or not all(self._low <= v <= self._high for v in value):
                within = f" from {self._low:g} to {self._high:g}" if math.isfinite(self._high - self._low) else ""
                raise ValueError(f"{self._size} numbers{within} are wanted")
        except ValueError as error:
            self.setStyleSheet(BAD_STYLE)
            self.setToolTip(str(error))
            return
        self.setModified(False)
        self.value = value
        self._write()
        self.edited.emit(value)

    def keyPressEvent(self, event) -> None:
        if event.text() == "\x1b":
            self.setModified(False)
            self._write()
        else:
            super().keyPressEvent(event)
