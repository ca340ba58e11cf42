"""The log: what happened, with times; the newest at the end. Filtered by level and text, and written to a file on request."""
from collections import deque
from dataclasses import dataclass
from datetime import datetime

from PyQt6.QtCore import QEvent
from PyQt6.QtGui import QFontDatabase, QTextCharFormat, QTextCursor
from PyQt6.QtWidgets import QApplication, QCheckBox, QComboBox, QFileDialog, QHBoxLayout, QLineEdit, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.appearance import signal_colour
from app.context import AppContext
from app.controllers.log_file import SETTING
from editor.widgets.section import matches

LEVELS = (("All", ("info", "warning", "error")), ("Warnings and errors", ("warning", "error")), ("Errors", ("error",)))
MAX_LINES = 2000
RENEWED = 200       # lines that are appended one after the other before all are put in anew: Qt keeps about 7 kB for each line that it has laid out alone
LINE_SEPARATOR = "\u2028"     # a new line within one message


@dataclass(slots=True)
class _Entry:
    """One message, and how often it came in a row."""

    time: str
    level: str
    text: str
    count: int = 1

    def line(self) -> str:
        """As a line of the panel."""
        return f"{self.time}  {self.text}" + (f"  (x{self.count})" if self.count > 1 else "")


class LogPanel(QWidget):
    """A read-only text below its filter; repeated messages are counted instead of repeated."""

    scrolls = False

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self._entries: deque[_Entry] = deque(maxlen=MAX_LINES)
        self._last_shown = False
        self._appended = 0      # lines since all were put in at once
        self.level = QComboBox()
        self.level.addItems([title for title, _levels in LEVELS])
        self.level.setToolTip("Which messages are shown")
        self.filter = QLineEdit()
        self.filter.setPlaceholderText("Filter")
        self.filter.setClearButtonEnabled(True)
        self.to_file = QCheckBox("To file")
        self.to_file.clicked.connect(self._choose_file)
        clear = QPushButton("Clear")
        clear.clicked.connect(lambda _checked=False: self.clear())
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setMaximumBlockCount(MAX_LINES)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        line = QHBoxLayout()
        line.addWidget(self.level)
        line.addWidget(self.filter, 1)
        line.addWidget(self.to_file)
        line.addWidget(clear)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(2)
        layout.addLayout(line)
        layout.addWidget(self.text, 1)
        self.level.activated.connect(lambda _index: self._show_all())
        self.filter.textChanged.connect(lambda _text: self._show_all())
        for (level, text), told in zip(context.log_lines, context.log_times, strict=True):
            self.add(level, text, told)
        context.logged.connect(self.add)
        context.settings.changed.connect(self._setting_changed)   # no lambda: settings outlive the window, and would keep it
        self._show_file()

    def toPlainText(self) -> str:
        """What is shown."""
        return self.text.toPlainText()

    def add(self, level: str, text: str, told: datetime | None = None) -> None:
        """Append one message, told then or now."""
        last = self._entries[-1] if self._entries else None
        stamp = (told or datetime.now()).strftime("%H:%M:%S")
        if last is not None and (level, text) == (last.level, last.text):
            last.time, last.count = stamp, last.count + 1
            if self._last_shown:
                cursor = self.text.textCursor()
                cursor.movePosition(cursor.MoveOperation.End)
                cursor.select(cursor.SelectionType.BlockUnderCursor)
                cursor.removeSelectedText()
        else:
            last = _Entry(stamp, level, text)
            self._entries.append(last)
        self._last_shown = self._matches(last)
        if self._last_shown:
            self._append([last])
            self._appended += 1
            if self._appended >= RENEWED and not self.text.textCursor().hasSelection():     # a text that is about to be copied stays selected
                self._renew()

    def clear(self) -> None:
        """Forget all messages that are shown here (the file keeps them)."""
        self._entries.clear()
        self._show_all()

    def _matches(self, entry: _Entry) -> bool:
        return entry.level in LEVELS[self.level.currentIndex()][1] and matches(self.filter.text(), entry.text)

    def _append(self, entries: list[_Entry]) -> None:
        """At the end, as one change of the text: its lines are laid out once. Whoever looks at the end goes on doing so."""
        bar, base = self.text.verticalScrollBar(), QApplication.palette().base().color()
        follows = bar.value() == bar.maximum()
        cursor, formats = QTextCursor(self.text.document()), {}
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        for entry in entries:
            if entry.level not in formats:
                formats[entry.level] = QTextCharFormat()
                if colour := signal_colour(entry.level, base):
                    formats[entry.level].setForeground(colour)
            if not self.text.document().isEmpty():
                cursor.insertBlock()
            cursor.insertText(entry.line().replace("\n", LINE_SEPARATOR), formats[entry.level])
        cursor.endEditBlock()
        if follows:
            bar.setValue(bar.maximum())

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._entries:     # colours are part of the text
            self._show_all()

    def _renew(self) -> None:
        """Put the same lines in anew, with the same ones in sight."""
        bar, first = self.text.verticalScrollBar(), self.text.firstVisibleBlock().blockNumber()
        follows = bar.value() == bar.maximum()
        self._show_all()
        if not follows:
            bar.setValue(self.text.document().findBlockByNumber(first).firstLineNumber())

    def _show_all(self) -> None:
        self._appended = 0
        self.text.clear()
        shown = [entry for entry in self._entries if self._matches(entry)]
        self._append(shown)
        self._last_shown = bool(shown) and shown[-1] is self._entries[-1]

    # ------------------------------------------------------------------ the file

    def _setting_changed(self, name: str) -> None:
        if name == SETTING:
            self._show_file()

    def _show_file(self) -> None:
        name = self._context.settings.get(SETTING)
        self.to_file.setChecked(bool(name))
        self.to_file.setToolTip(f"Every message is also written to {name}" if name else "Write every message to a file as well")

    def _choose_file(self, on: bool) -> None:
        name = QFileDialog.getSaveFileName(self, "Write the log to", "linkwork.log", "Text (*.log *.txt)", options=QFileDialog.Option.DontConfirmOverwrite)[0] if on else ""
        self._context.settings.set(SETTING, name)
        self._show_file()
