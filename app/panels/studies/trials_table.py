"""The trials of a study as a table that may be sorted by any column."""
from __future__ import annotations

import math

from PyQt6.QtCore import QAbstractTableModel, QModelIndex, QSortFilterProxyModel, Qt, pyqtSignal
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from app.studies.results import Results, Row

FIRST = ("trial", "seed", "value")
VALUE = 2
ORDER = Qt.ItemDataRole.UserRole        # the number that is sorted by


class TrialsModel(QAbstractTableModel):
    """show(results): rows are looked at where they stand; grown(): there are more."""

    def __init__(self, parent):
        super().__init__(parent)
        self._results: Results | None = None
        self._count = 0

    def show(self, results: Results | None) -> None:
        """Another study."""
        self.beginResetModel()
        self._results, self._count = results, len(results.rows) if results else 0
        self.endResetModel()

    def grown(self) -> None:
        """More rows have come."""
        count = len(self._results.rows) if self._results else 0
        if count > self._count:
            self.beginInsertRows(QModelIndex(), self._count, count - 1)
            self._count = count
            self.endInsertRows()

    def row_at(self, row: int) -> Row:
        """The trial in a row."""
        return self._results.rows[row]

    @property
    def titles(self) -> tuple[str, ...]:
        """Of the columns."""
        return (*FIRST, *self._results.names) if self._results else ()

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else self._count

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.titles)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole):
        if role == Qt.ItemDataRole.DisplayRole and orientation == Qt.Orientation.Horizontal:
            return self.titles[section]
        return None

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole):
        if role not in (Qt.ItemDataRole.DisplayRole, ORDER, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.TextAlignmentRole):
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        row, column = self._results.rows[index.row()], index.column()
        number = (row.trial, row.seed, row.value)[column] if column < len(FIRST) else row.values[self.titles[column]]
        if role == ORDER:
            return (math.inf if self._results.largest is False else -math.inf) if math.isnan(number) else float(number)
        why = row.problem or "it diverged" if column == VALUE and math.isnan(number) else ""
        if role == Qt.ItemDataRole.ToolTipRole:
            return why or f"{number!r}"
        return ("diverged" if row.diverged else "–") if math.isnan(number) else f"{number:.6g}"


class TrialsTable(QTableView):
    """show(results), grown(). Signal: chosen(trial): a row became the current one, by mouse or keys; opened(trial): by a double click or Enter."""

    chosen = pyqtSignal(int)
    opened = pyqtSignal(int)

    def __init__(self):
        super().__init__()
        self.trials = TrialsModel(self)
        self._sorted = QSortFilterProxyModel(self)
        self._sorted.setSourceModel(self.trials)
        self._sorted.setSortRole(ORDER)
        self.setModel(self._sorted)
        self.setSortingEnabled(True)
        self.sortByColumn(0, Qt.SortOrder.AscendingOrder)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(round(1.4 * self.fontMetrics().height()))
        self.setWordWrap(False)
        self.selectionModel().currentRowChanged.connect(self._current)
        self.activated.connect(lambda index: self.opened.emit(self._trial(index)))

    def show_results(self, results: Results | None) -> None:
        """Another study."""
        self.trials.show(results)
        self.resizeColumnsToContents()

    def grown(self) -> None:
        """More rows have come."""
        first = self.trials.rowCount() == 0
        self.trials.grown()
        if first and self.trials.rowCount():
            self.resizeColumnsToContents()

    def choose(self, trial: int) -> None:
        """Make this trial's row the current one, in sight."""
        for row in range(self.trials.rowCount()):
            if self.trials.row_at(row).trial == trial:
                index = self._sorted.mapFromSource(self.trials.index(row, 0))
                self.setCurrentIndex(index)
                self.scrollTo(index)
                return

    @property
    def current(self) -> int | None:
        """Number of the chosen trial."""
        index = self.currentIndex()
        return self._trial(index) if index.isValid() else None

    def _trial(self, index: QModelIndex) -> int:
        return self.trials.row_at(self._sorted.mapToSource(index).row()).trial

    def _current(self, index: QModelIndex, _before: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self._trial(index))
