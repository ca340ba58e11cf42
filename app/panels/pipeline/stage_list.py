"""The stages of a step in order, with the time that each took in the walked step, and the present one marked."""
from __future__ import annotations

from PyQt6.QtCore import Qt, pyqtSignal
from PyQt6.QtGui import QBrush
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from physics.engine.step_order import STAGES
from physics.pipeline.walk import Walk

COLUMNS = ("Stage", "part", "\u03bcs")
HERE = "\u25b6 "
LEAST_ROWS = 5


class StageList(QTableWidget):
    """Signal: chosen(number) by the user. What was not taken is grey."""

    chosen = pyqtSignal(int)

    def __init__(self):
        super().__init__(len(STAGES), len(COLUMNS))
        self.setHorizontalHeaderLabels(COLUMNS)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setMinimumSectionSize(20)
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for k, row in enumerate(STAGES):
            for column, text in enumerate((row.name, row.part, "")):
                item = QTableWidgetItem(text)
                item.setToolTip(f"{', '.join(kernel.__name__ for kernel in row.kernels)}: {row.finds}")
                if column == 2:
                    item.setTextAlignment(int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter))
                self.setItem(k, column, item)
        self._suit_font()
        self.currentCellChanged.connect(self._moved)
        self._number = -1

    def _suit_font(self) -> None:
        height = self.fontMetrics().height() + 4
        self.verticalHeader().setDefaultSectionSize(height)
        self.setMinimumHeight(LEAST_ROWS * height + self.horizontalHeader().sizeHint().height())

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == event.Type.FontChange:
            self._suit_font()

    def _moved(self, row: int, *_others) -> None:
        if row >= 0 and row != self._number:
            self.chosen.emit(row)

    def show_walk(self, walk: Walk) -> None:
        """The times of a step's stages."""
        faint, plain = self.palette().placeholderText(), self.palette().text()
        for k, stage in enumerate(walk):
            self.item(k, 2).setText(f"{1e6 * stage.seconds:.1f}" if stage.ran else "")
            for column in range(len(COLUMNS)):
                self.item(k, column).setForeground(QBrush(plain if stage.ran else faint))

    def show_stage(self, number: int) -> None:
        """Mark the present stage."""
        self._number = number
        for k, row in enumerate(STAGES):
            item = self.item(k, 0)
            item.setText((HERE if k == number else "") + row.name)
            font = item.font()
            font.setBold(k == number)
            item.setFont(font)
        self.setCurrentCell(number, 0)
