"""All fields of the model, or of its data, as text to look through, search and save (Ctrl+M, Ctrl+D)."""
from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue

from PyQt6.QtCore import QEvent, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PyQt6.QtWidgets import QCheckBox, QDialog, QFileDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.context import AppContext
from app.dialogs.long_text import LongText
from physics.files.atomic_write import write_file
from physics.runtime import commands

SIZE = (860, 640)
LOOK_MS = 30        # between two looks whether the text is there
MODEL, DATA = "model", "data"


class ListingDialog(QDialog):
    """Stays open beside the work. The data is copied between two steps, and made text in a thread of its own. Signal: listed() when a text is there."""

    listed = pyqtSignal()

    def __init__(self, context: AppContext, what: str, parent: QWidget | None = None):
        super().__init__(parent)
        self._context, self._what, self._number = context, what, 0
        self.setWindowTitle("Fields of the model" if what == MODEL else "Fields of the data")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(*SIZE)
        self.text = LongText()
        self.search = QLineEdit()
        self.search.setPlaceholderText("Find (Enter: next, Shift+Enter: the one before)")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(lambda _text: self._search_anew())
        self.search.installEventFilter(self)
        QShortcut(QKeySequence.StandardKey.Find, self, self.search.setFocus)
        self.note = QLabel("")
        self.full = QCheckBox("All numbers")
        self.full.setToolTip("Also of fields that have thousands")
        self.full.clicked.connect(lambda _on: self.list_again())
        line = QHBoxLayout()
        line.addWidget(self.search, 1)
        line.addWidget(self.note)
        line.addWidget(self.full)
        for title, job in (("Refresh", self.list_again), ("Copy", self._copy), ("Save...", self._save)):
            button = QPushButton(title)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _checked=False, job=job: job())
            line.addWidget(button)
        layout = QVBoxLayout(self)
        layout.addLayout(line)
        layout.addWidget(self.text, 1)
        self._written: SimpleQueue[tuple[int, str]] = SimpleQueue()     # not a signal: a dialog that goes while another thread emits one takes the program with it
        self._look = QTimer(self)
        self._look.setInterval(LOOK_MS)
        self._look.timeout.connect(self._take)
        self.list_again()

    # ------------------------------------------------------------------ the text

    def list_again(self) -> None:
        """Make the text of what is now."""
        self._number += 1
        number, full = self._number, self.full.isChecked()
        self.note.setText("Listing...")
        make, written = _model_text if self._what == MODEL else _data_text, self._written

        def write(taken) -> None:
            """In a thread of its own."""
            written.put((number, make(taken, full)))

        def visit(m, d) -> None:
            """In the physics thread: take what is needed, and let another thread write it out."""
            taken = m if self._what == MODEL else d.copy()
            threading.Thread(target=write, args=(taken,), name="listing", daemon=True).start()

        self._context.runner.send(commands.Visit(visit))
        self._look.start()

    def _take(self) -> None:
        while not self._written.empty():
            number, text = self._written.get()
            if number == self._number:   # else it was asked again meanwhile
                self._look.stop()
                self._show(text)

    def _show(self, text: str) -> None:
        self.text.show_text(text)
        self.note.setText(f"{text.count(chr(10))} lines")
        self.listed.emit()

    # ------------------------------------------------------------------ search, copy, save

    def eventFilter(self, watched, event: QEvent) -> bool:
        """Enter in the field, before the dialog's default button gets it."""
        if watched is not self.search or event.type() != QEvent.Type.KeyPress or event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return False
        self.find(not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        return True

    def find(self, forward: bool = True) -> bool:
        """Go to the next place (or the one before) of what is sought, from the other end where there is no more; whether there is any."""
        return self._find(forward, False)

    def _find(self, forward: bool, from_selected: bool) -> bool:
        wanted = self.search.text()
        if not wanted:
            return False
        found = self.text.find(wanted, forward, from_selected)
        self.note.setText(f"{self.text.text().lower().count(wanted.lower())} found" if found else "not found")
        return found

    def _search_anew(self) -> None:
        """What is selected may be the beginning of what is sought now."""
        self._find(True, True)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text.selectedText() or self.text.text())

    def _save(self) -> None:
        name, _ = QFileDialog.getSaveFileName(self, "Save text", f"{self._context.model.title or 'model'}-{self._what}.txt", "Text (*.txt)")
        if name:
            self.save(Path(name))

    def save(self, path: Path) -> None:
        """Write the text; what goes wrong is told in the log."""
        try:
            write_file(path, self.text.text())
            self._context.log("info", f"Saved {path}")
        except OSError as error:
            self._context.log("error", f"{path} cannot be written: {error.strerror or error}")


def _model_text(m, full: bool) -> str:
    from physics.writer.dump import dump_model

    return _guarded(lambda: dump_model(m, full))


def _data_text(d, full: bool) -> str:
    from physics.writer.dump import dump_data

    return _guarded(lambda: dump_data(d, full))


def _guarded(make: Callable[[], str]) -> str:
    try:
        return make()
    except Exception as error:   # in a thread of its own, where nobody would see it
        return f"The text could not be made: {type(error).__name__}: {error}"
