"""A list of places in the texts below the text: what a search found, where a name is used."""
from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import QAbstractListModel, QModelIndex, Qt, pyqtSignal
from PyQt6.QtWidgets import QFrame, QHBoxLayout, QLabel, QListView, QSizePolicy, QToolButton, QVBoxLayout

from editor.language.references import Line

ROWS = 6    # that are seen at once


class _Rows(QAbstractListModel):
    """Lines as rows: 'file:line  text'."""

    def __init__(self, parent):
        super().__init__(parent)
        self.lines: Sequence[Line] = ()

    def show(self, lines: Sequence[Line]) -> None:
        """Other rows."""
        self.beginResetModel()
        self.lines = lines
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.lines)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole):
        line = self.lines[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{line.title}  {line.text}"
        return f"{line.file}:{line.line}\n{line.text}" if role == Qt.ItemDataRole.ToolTipRole else None


class PlaceList(QFrame):
    """Signals: chosen(Line) by a click or Return; closed()."""

    chosen = pyqtSignal(object)
    closed = pyqtSignal()

    def __init__(self):
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)      # the text has what is left
        self._title = QLabel("")
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        close = QToolButton()
        close.setText("×")
        close.setAutoRaise(True)
        close.setToolTip("Close the list")
        close.clicked.connect(self.close_list)
        self._rows = _Rows(self)
        self.view = QListView()
        self.view.setModel(self._rows)
        self.view.setUniformItemSizes(True)
        self.view.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.view.clicked.connect(self._choose)
        self.view.activated.connect(self._choose)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(close)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 0, 2, 0)
        layout.setSpacing(1)
        layout.addLayout(head)
        layout.addWidget(self.view)
        self.hide()

    @property
    def lines(self) -> Sequence[Line]:
        """What is listed."""
        return self._rows.lines

    @property
    def title(self) -> str:
        """What is said above."""
        return self._title.text()

    def show_lines(self, title: str, lines: Sequence[Line]) -> None:
        """Show other places."""
        self._title.setText(title)
        self._title.setToolTip(title)
        if lines != self._rows.lines:
            self._rows.show(lines)
        row = max(self.view.sizeHintForRow(0), self.fontMetrics().height())
        self.view.setFixedHeight(row * min(max(len(lines), 1), ROWS) + 2 * self.view.frameWidth() + 2)
        self.show()

    def close_list(self) -> None:
        """Take it away."""
        self.hide()
        self.closed.emit()

    def _choose(self, index: QModelIndex) -> None:
        self.chosen.emit(self._rows.lines[index.row()])
