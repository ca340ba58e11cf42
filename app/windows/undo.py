"""Undo and redo of all that changes texts: one history, whatever has the keyboard.

A line that is being written in takes back its own letters first; once they are entered, or there are none left, the keys are the window's.
"""
from __future__ import annotations

from collections.abc import Mapping

from PyQt6 import sip
from PyQt6.QtCore import QEvent, QObject, Qt, QTimer
from PyQt6.QtGui import QAction, QKeyEvent, QKeySequence
from PyQt6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QWidget

from app.session import Session

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
WRITTEN = "letters_not_entered"     # property of a line
LONGEST = 60    # characters of a label in the menu


class EditsController(QObject):
    """Handlers of undo and redo. window: whose keys they are."""

    def __init__(self, session: Session, window: QWidget):
        super().__init__(window)
        self._session, self._window = session, window
        self._actions: Mapping[str, QAction] = {}
        self._texts: dict[str, str] = {}
        session.history_changed.connect(self._show)
        QApplication.instance().focusChanged.connect(self._focus_changed)

    def undo(self) -> None:
        """Take the last edit of the texts back."""
        self._session.undo()

    def redo(self) -> None:
        """Do again what was undone last."""
        self._session.redo()

    def follow(self, actions: Mapping[str, QAction]) -> None:
        """Have these actions, by id, say what they would undo and do again. They stay enabled: their keys would be written into the text else."""
        self._actions = actions
        self._texts = {name: actions[name].text() for name in ("undo", "redo")}
        self._show()

    def _show(self) -> None:
        history = self._session.document.history
        for name, label in (("undo", history.undo_label), ("redo", history.redo_label)):
            if name in self._actions:
                short = label if len(label) <= LONGEST else label[:LONGEST - 3] + "..."
                self._actions[name].setText(f"{self._texts[name]} {short}".strip().replace("&", "&&"))

    # ------------------------------------------------------------------ lines that are being written in

    def _focus_changed(self, _old: QWidget | None, now: QWidget | None) -> None:
        line = line_of(now)
        if line is not None and self._window.isAncestorOf(now):
            if line.property(WRITTEN) is None:
                line.textEdited.connect(lambda _text: line.setProperty(WRITTEN, True))
            line.setProperty(WRITTEN, False)    # nothing is written in it yet
            now.removeEventFilter(self)
            now.installEventFilter(self)

    def eventFilter(self, widget: QObject, event: QEvent) -> bool:
        """Of the line, or the spin box around it, that has the keyboard."""
        if event.type() == QEvent.Type.ShortcutOverride and (event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo) or _is_redo(event)):
            line = line_of(widget)
            own = line.isUndoAvailable() if event.matches(QKeySequence.StandardKey.Undo) else line.isRedoAvailable()
            if not (line.property(WRITTEN) and own):
                event.ignore()      # Qt looks for an action of the window then
                return True
        elif event.type() == QEvent.Type.KeyPress and event.key() in ENTER:
            line = line_of(widget)
            QTimer.singleShot(0, lambda: sip.isdeleted(line) or line.setProperty(WRITTEN, False))     # what was written in it is entered
        return False


def line_of(widget: QObject | None) -> QLineEdit | None:
    """The line that is written in while a widget has the keyboard."""
    if isinstance(widget, (QAbstractSpinBox, QComboBox)):
        return widget.lineEdit()
    return widget if isinstance(widget, QLineEdit) else None


def _is_redo(event: QKeyEvent) -> bool:
    """Ctrl+Y and Ctrl+Shift+Z, of which the desktop knows one only."""
    return event.keyCombination().toCombined() in (QKeySequence("Ctrl+Y")[0].toCombined(), QKeySequence("Ctrl+Shift+Z")[0].toCombined())
