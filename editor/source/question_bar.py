"""A line above the text that asks for a decision."""
from __future__ import annotations

from PyQt6.QtCore import QSize, pyqtSignal
from PyQt6.QtWidgets import QFrame, QGridLayout, QLabel, QLayout, QPushButton

TEXT_BESIDE = 30    # letters that the text of a question needs beside its buttons


class QuestionBar(QFrame):
    """A line above the text that asks for a decision. choices: (word, title, whether it settles the question).

    Signals: decided(key, word). The bar hides itself once the question is settled.
    """

    decided = pyqtSignal(str, str)

    def __init__(self, choices):
        super().__init__()
        self._key = ""
        self._text = QLabel("")
        self._text.setWordWrap(True)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(6, 2, 6, 2)
        self._grid.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        self._buttons = {}
        for word, title, settles in choices:
            button = self._buttons[word] = QPushButton(title)
            button.clicked.connect(lambda _checked=False, word=word, settles=settles: self._decide(word, settles))
        self._columns = 0
        self._arrange(len(self._buttons), beside=True)
        self.setStyleSheet("QuestionBar { background: #7a4a12; } QuestionBar > QLabel { color: white; }")
        self.hide()

    def _arrange(self, columns: int, beside: bool) -> None:
        """The buttons in so many columns, beside the text or below it."""
        if (columns, beside) == self._columns:
            return
        self._columns = columns, beside
        for widget in (self._text, *self._buttons.values()):
            self._grid.removeWidget(widget)
        self._grid.addWidget(self._text, 0, 0, 1, 1 if beside else columns)
        for k, button in enumerate(self._buttons.values()):
            row, column = divmod(k, columns)
            self._grid.addWidget(button, row + (not beside), column + beside)
        self._grid.setColumnStretch(0, int(beside))

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        hints = [button.sizeHint().width() + self._grid.horizontalSpacing() for button in self._buttons.values()]
        room, letters = self.width() - 12, TEXT_BESIDE * self.fontMetrics().averageCharWidth()
        beside = room >= sum(hints) + letters
        columns = len(hints) if room >= sum(hints) else 2
        self._arrange(len(hints) if beside else columns, beside)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        hints = sorted((button.sizeHint().width() for button in self._buttons.values()), reverse=True)
        return QSize(sum(hints[:2]) + 18, self.heightForWidth(self.width()))

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._grid.heightForWidth(width) if self._grid.hasHeightForWidth() else self._grid.sizeHint().height()

    @property
    def key(self) -> str:
        """Of the question that is asked; '' for none."""
        return self._key

    def put_away(self) -> None:
        """Ask nothing."""
        self._key = ""
        self.hide()

    def ask(self, key: str, text: str) -> None:
        """Show the question; `key` comes back with the answer."""
        self._key = key
        self._text.setText(text)
        self.show()

    def button(self, word: str) -> QPushButton:
        """The button of a choice."""
        return self._buttons[word]

    def _decide(self, word: str, settles: bool) -> None:
        key = self._key
        if settles:
            self.put_away()
        self.decided.emit(key, word)
