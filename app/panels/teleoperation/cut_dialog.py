"""Asks for the times at which an episode is cut."""
from __future__ import annotations

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QKeyEvent
from PyQt6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.panels.diagnostics.query_panel import show_note, text_label
from editor.widgets.number_edit import NumberEdit


class CutDialog(QDialog):
    """Times in ascending order within an episode of `seconds`. fields: what each is called, and what it is at first."""

    def __init__(self, parent: QWidget, title: str, text: str, seconds: float, fields: tuple[tuple[str, float], ...]):
        super().__init__(parent)
        self.setWindowTitle(title)
        self._seconds = seconds
        self.fields = tuple(NumberEdit(value, 0.0, seconds) for _name, value in fields)
        form = QFormLayout()
        for (name, _value), field in zip(fields, self.fields, strict=True):
            line = QHBoxLayout()
            line.addWidget(field)
            line.addWidget(QLabel("s"))
            line.addStretch(1)
            form.addRow(name, line)
        words, self.note = text_label(), text_label()
        words.setText(text)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        for part in (words, form, self.note, self.buttons):
            column.addLayout(part) if isinstance(part, QFormLayout) else column.addWidget(part)
        show_note(self.note, "")
        self.setMinimumWidth(46 * self.fontMetrics().averageCharWidth())

    @property
    def times(self) -> tuple[float, ...]:
        """What was entered [s]."""
        return tuple(field.number for field in self.fields)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and isinstance(self.focusWidget(), NumberEdit):
            return      # it ends a number, and begins nothing
        super().keyPressEvent(event)

    def accept(self) -> None:
        """Only where something is left."""
        for field in self.fields:
            field.editingFinished.emit()        # what is being typed counts
        times = self.times
        if len(times) == 1 and not 0 < times[0] < self._seconds:
            show_note(self.note, f"A cut lies between 0 and {self._seconds:g} s")
        elif any(before >= after for before, after in zip(times, times[1:])):
            show_note(self.note, "Nothing would be left: it ends before it begins")
        else:
            super().accept()
