"""A line below the text that asks for one thing: a name, a line to go to. With a list of what fits where there is one."""
from __future__ import annotations

from collections.abc import Callable, Sequence

from PyQt6.QtCore import QEvent, QObject, Qt, pyqtSignal
from PyQt6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QListWidget, QSizePolicy, QToolButton, QVBoxLayout

ROWS, MOST = 8, 200     # of the list: seen at once, and all


class FieldBar(QFrame):
    """Signals: closed()."""

    closed = pyqtSignal()

    def __init__(self):
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)      # the text has what is left
        self._checked: Callable[[str], str] = lambda _text: ""
        self._listed: Callable[[str], Sequence[str]] = lambda _text: ()
        self._done: Callable[[str, int], bool] = lambda _text, _row: True
        self.title = QLabel("")
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)      # a long one does not widen the panel
        self.title.setWordWrap(True)
        self.field = QLineEdit()
        self.note = QLabel("")
        self.note.setWordWrap(True)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        self.list = QListWidget()
        self.list.itemClicked.connect(lambda _item: self._finish())
        close = QToolButton()
        close.setText("×")
        close.setToolTip("Close (Esc)")
        close.clicked.connect(self.close_bar)
        head, line = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(close)
        line.addWidget(self.field, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(2)
        layout.addLayout(head)
        layout.addLayout(line)
        layout.addWidget(self.note)
        layout.addWidget(self.list)
        self.field.textChanged.connect(lambda _text: self._changed())
        self.field.installEventFilter(self)
        self.hide()

    def ask(self, title: str, text: str, done: Callable[[str, int], bool], checked: Callable[[str], str] = lambda _text: "", listed: Callable[[str], Sequence[str]] = lambda _text: ()) -> None:
        """Show it. done(text, row of the list or -1) does it and says whether the bar is to go; checked(text): a note on what is written; listed(text): rows that fit."""
        self.title.setText(title)
        self._done, self._checked, self._listed = done, checked, listed
        self.field.setText(text)
        self._changed()
        self.show()
        self.field.setFocus()
        self.field.selectAll()

    def _changed(self) -> None:
        text = self.field.text()
        note, rows = self._checked(text), list(self._listed(text))[:MOST]
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.list.clear()
        self.list.addItems(rows)
        self.list.setVisible(bool(rows))
        if rows:
            self.list.setCurrentRow(0)
            self.list.setFixedHeight(max(self.list.sizeHintForRow(0), 1) * min(len(rows), ROWS) + 2 * self.list.frameWidth() + 2)

    def _finish(self) -> None:
        if self._done(self.field.text(), self.list.currentRow() if self.list.count() else -1):
            self.close_bar()

    def close_bar(self) -> None:
        """Take it away."""
        self.hide()
        self.closed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        if kind == QEvent.Type.KeyPress:
            key = event.key()
            if key == Qt.Key.Key_Escape:
                self.close_bar()
            elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._finish()
            elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up) and self.list.count():
                self.list.setCurrentRow((self.list.currentRow() + (1 if key == Qt.Key.Key_Down else -1)) % self.list.count())
            else:
                return False
            return True
        return False
