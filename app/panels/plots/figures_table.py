"""Figures of a chart's curves over a stretch, as a table."""
from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from app.panels.plots.curve import Curve
from physics.quantities.statistics import figures

COLUMNS = ("Curve", "mean", "rms", "min", "max", "settles after [s]")
MOST_ROWS = 6   # that are seen without scrolling


class FiguresTable(QTableWidget):
    """A row for each curve."""

    def __init__(self):
        super().__init__(0, len(COLUMNS))
        self.setHorizontalHeaderLabels(COLUMNS)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)

    def show_curves(self, curves: Sequence[Curve], first: float, last: float) -> None:
        """Figures of these between two entries."""
        if self.rowCount() != len(curves):
            self.setRowCount(len(curves))
            row = self.fontMetrics().height() + 4
            self.verticalHeader().setDefaultSectionSize(row)
            self.setFixedHeight(row * min(MOST_ROWS, len(curves)) + self.horizontalHeader().sizeHint().height() + 4)
        for k, curve in enumerate(curves):
            inside = (curve.series.entries >= first) & (curve.series.entries <= last)
            found = figures(curve.series.time[inside], curve.values()[inside])
            texts = (curve.name, *(f"{value:.5g}" if value == value else "" for value in (found.mean, found.rms, found.least, found.most, found.settling)))
            for column, text in enumerate(texts):
                item = self.item(k, column)
                if item is None:
                    item = QTableWidgetItem()
                    self.setItem(k, column, item)
                item.setText(text)

    def figure(self, curve: str, column: str) -> str:
        """What is shown of a curve, '' where it is not there."""
        row = next((k for k in range(self.rowCount()) if self.item(k, 0).text() == curve), None)
        return "" if row is None else self.item(row, COLUMNS.index(column)).text()
