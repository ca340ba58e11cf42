"""Shows a text that was changed here and on disk, place by place, and lets the user choose what is kept where both have changed the same lines."""
from __future__ import annotations

from types import MappingProxyType

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QFontDatabase
from PyQt6.QtWidgets import (QButtonGroup, QDialog, QDialogButtonBox, QGridLayout, QLabel, QListWidget, QPlainTextEdit, QRadioButton, QSplitter, QVBoxLayout, QWidget)

from editor.edits.line_changes import Merge, Piece

CHOICES = (("mine", "Keep mine"), ("theirs", "Take disk"), ("both", "Both, mine first"))
KINDS = MappingProxyType({"mine": "changed here", "theirs": "changed on disk", "alike": "changed alike", "conflict": "changed differently"})
WIDTH = 110      # letters beside each other in the whole window


class MergeView(QDialog):
    """Signals: settled(text) when the user has put the two together."""

    settled = pyqtSignal(str)

    def __init__(self, parent: QWidget, name: str, merge: Merge):
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(f"{name}: here and on disk")
        self._merge = merge
        self._pieces = [piece for piece in merge.pieces if piece.kind != "same"]
        self.choices = {k: "mine" for k, piece in enumerate(self._pieces) if piece.kind == "conflict"}
        conflicts, others = len(self.choices), sum(piece.kind == "theirs" for piece in self._pieces)
        head = QLabel(f"{conflicts} {'place was' if conflicts == 1 else 'places were'} changed here and on disk: choose for each. "
                      f"What was changed in one of the two only is taken ({others} from the disk).")
        head.setWordWrap(True)
        self.list = QListWidget()
        for k, (piece, line) in enumerate(zip(self._pieces, _lines(merge), strict=True)):
            self.list.addItem(self._title(k, piece, line))
        self.list.currentRowChanged.connect(self._show)
        self.mine, self.theirs = _text_view(), _text_view()
        self.buttons = QButtonGroup(self)
        side = QWidget()
        grid = QGridLayout(side)
        grid.setContentsMargins(0, 0, 0, 0)
        for column, (title, view) in enumerate((("Here", self.mine), ("On disk", self.theirs))):
            grid.addWidget(QLabel(title), 0, column)
            grid.addWidget(view, 1, column)
        choice_row = QVBoxLayout()
        for word, title in CHOICES:
            button = QRadioButton(title)
            button.setProperty("choice", word)
            self.buttons.addButton(button)
            choice_row.addWidget(button)
        self.buttons.buttonClicked.connect(lambda button: self._choose(button.property("choice")))
        grid.addLayout(choice_row, 2, 0, 1, 2)
        split = QSplitter()
        split.addWidget(self.list)
        split.addWidget(side)
        split.setStretchFactor(1, 3)
        answer = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        answer.button(QDialogButtonBox.StandardButton.Ok).setText("Put into the text")
        answer.accepted.connect(self._settle)
        answer.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(head)
        layout.addWidget(split, 1)
        layout.addWidget(answer)
        letter = self.mine.fontMetrics().averageCharWidth()
        self.resize(WIDTH * letter, WIDTH * letter * 2 // 3)
        first = next(iter(self.choices), 0)
        self.list.setCurrentRow(first)

    def _title(self, k: int, piece: Piece, line: int) -> str:
        chosen = f": {dict(CHOICES)[self.choices[k]].lower()}" if k in self.choices else ""
        return f"Line {line}, {KINDS[piece.kind]}{chosen}"

    def _show(self, row: int) -> None:
        piece = self._pieces[row]
        self.mine.setPlainText(piece.mine)
        self.theirs.setPlainText(piece.theirs)
        for button in self.buttons.buttons():
            button.setEnabled(row in self.choices)
            button.setChecked(self.choices.get(row, piece.kind) == button.property("choice"))

    def _choose(self, word: str) -> None:
        row = self.list.currentRow()
        if row in self.choices:
            self.choices[row] = word
            self.list.item(row).setText(self._title(row, self._pieces[row], _lines(self._merge)[row]))

    def _settle(self) -> None:
        self.settled.emit(self._merge.text(list(self.choices.values())))
        self.accept()


def _lines(merge: Merge) -> list[int]:
    """The line of the text here at which each piece begins that somebody has changed."""
    out, line = [], 1
    for piece in merge.pieces:
        if piece.kind != "same":
            out.append(line)
        line += piece.mine.count("\n")
    return out


def _text_view() -> QPlainTextEdit:
    view = QPlainTextEdit()
    view.setReadOnly(True)
    view.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
    return view
