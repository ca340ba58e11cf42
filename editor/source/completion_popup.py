"""The list of what can be written, beside the caret: word, type and default, and a line on what it is. The keys stay with the text."""
from __future__ import annotations

from PyQt6.QtCore import QAbstractTableModel, QModelIndex, QPoint, Qt, pyqtSignal
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QLabel, QTreeView, QVBoxLayout, QWidget

from editor.language.completion import Candidate

ROWS = 9        # that are seen at once
COLUMNS = 3


class CandidateTable(QAbstractTableModel):
    """Candidates as rows."""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.rows: list[Candidate] = []

    def show(self, rows: list[Candidate]) -> None:
        """Other rows."""
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def columnCount(self, _parent: QModelIndex | None = None) -> int:
        return COLUMNS

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole):
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (row.word, row.detail or row.kind, row.about)[index.column()]
        return None


class CompletionPopup(QFrame):
    """Signals: chosen(Candidate) by a click."""

    chosen = pyqtSignal(object)

    def __init__(self, parent: QWidget):
        super().__init__(parent, Qt.WindowType.ToolTip | Qt.WindowType.FramelessWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.table = CandidateTable(self)
        self._above = False     # whether it stands above the line
        self.view = QTreeView()
        self.view.setModel(self.table)
        self.view.setRootIsDecorated(False)
        self.view.setUniformRowHeights(True)
        self.view.setHeaderHidden(True)
        self.view.setIndentation(0)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.setFrameShape(QFrame.Shape.NoFrame)
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.view.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self.view.header().setStretchLastSection(True)
        self.view.clicked.connect(lambda index: self.chosen.emit(self.table.rows[index.row()]))
        self.about = QLabel("")
        self.about.setWordWrap(True)
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        self.about.setContentsMargins(3, 0, 3, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(2)
        layout.addWidget(self.view)
        layout.addWidget(self.about)
        self.view.selectionModel().currentChanged.connect(lambda *_: self._tell())
        self.hide()

    @property
    def current(self) -> Candidate | None:
        """The row that a key would take."""
        index = self.view.currentIndex()
        return self.table.rows[index.row()] if index.isValid() else None

    def offer(self, rows: list[Candidate], at: QPoint, line_height: int) -> None:
        """Show these, the first of them chosen, below (where there is no room above) a line. at: of the word's beginning, in the screen; line_height: of the text."""
        self.table.show(rows)
        metrics, screen = self.view.fontMetrics(), (QGuiApplication.screenAt(at) or self.screen()).availableGeometry()
        some = rows[:200]
        gap = metrics.averageCharWidth() * 3
        word = max(metrics.horizontalAdvance(row.word) for row in some) + gap
        detail = max(metrics.horizontalAdvance(row.detail or row.kind) for row in some) + gap
        about = max(metrics.horizontalAdvance(row.about) for row in some) + gap
        word, detail = min(word, metrics.averageCharWidth() * 40), min(detail, metrics.averageCharWidth() * 34)
        width = min(word + detail + min(about, metrics.averageCharWidth() * 50) + gap, screen.width() - 8)
        self.view.setColumnWidth(0, word)
        self.view.setColumnWidth(1, detail)
        self.view.doItemsLayout()
        row_height = self.view.visualRect(self.table.index(0, 0)).height() or metrics.height()
        self.view.setFixedHeight(row_height * min(len(rows), ROWS) + 2 * self.view.frameWidth())
        self.setFixedWidth(max(width, metrics.averageCharWidth() * 30))
        self.view.setCurrentIndex(self.table.index(0, 0))
        self._above = False
        self._tell()
        x = min(max(at.x(), screen.left()), screen.right() - self.width())
        y = at.y() + line_height
        if y + self.height() > screen.bottom():
            y, self._above = at.y() - self.height(), True
        self.move(x, y)
        self.show()

    def step(self, by: int) -> None:
        """Choose a row further down, or up; round and round."""
        count = self.table.rowCount()
        row = self.view.currentIndex().row() + by
        row = row % count if abs(by) == 1 else min(max(row, 0), count - 1)
        self.view.setCurrentIndex(self.table.index(row, 0))

    def _tell(self) -> None:
        """All of what does not fit into the row."""
        row = self.current
        self.about.setText("" if row is None else " · ".join(part for part in (row.detail, row.about) if part))
        self.about.setVisible(bool(self.about.text()))
        height, bottom = self.layout().totalHeightForWidth(self.width()), self.geometry().bottom()
        self.resize(self.width(), height)
        if self._above:     # the line that is written in stays in sight
            self.move(self.x(), bottom + 1 - height)
