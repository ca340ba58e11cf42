"""The log: what happened, with times; the newest at the end."""
from datetime import datetime

from PyQt6.QtGui import QFontDatabase
from PyQt6.QtWidgets import QPlainTextEdit

from app.context import AppContext

COLOURS = (("error", "#ff6b5e"), ("warning", "#e0a82e"))
MAX_LINES = 5000


class LogPanel(QPlainTextEdit):
    """A read-only text; repeated lines are counted instead of repeated."""

    scrolls = False

    def __init__(self, context: AppContext):
        super().__init__()
        self.setReadOnly(True)
        self.setMaximumBlockCount(MAX_LINES)
        self.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._last, self._count = None, 0
        for level, text in context.log_lines:
            self.add(level, text)
        context.logged.connect(self.add)

    def add(self, level: str, text: str) -> None:
        """Append one message."""
        stamp = datetime.now().strftime("%H:%M:%S")
        if (level, text) == self._last:
            self._count += 1
            cursor = self.textCursor()
            cursor.movePosition(cursor.MoveOperation.End)
            cursor.select(cursor.SelectionType.BlockUnderCursor)
            cursor.removeSelectedText()
            suffix = f"  (x{self._count})"
        else:
            self._last, self._count, suffix = (level, text), 1, ""
        colour = dict(COLOURS).get(level)
        escaped = f"{stamp}  {text}{suffix}".replace("&", "&amp;").replace("<", "&lt;")
        self.appendHtml(f'<span style="white-space: pre-wrap{f"; color: {colour}" if colour else ""}">{escaped}</span>')
