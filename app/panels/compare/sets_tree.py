"""The table of sets: where it is narrow the values are cut, then left out (they stand in the tips), then the figures are cut; a name is read to its end where there is room."""
from __future__ import annotations

from collections.abc import Sequence

from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView

from app.panels.diagnostics.fitted_tree import FittedTree

NAME, SOLREF, SOLIMP, FIRST_FIGURE = range(4)
AIR = 12                # logical pixels beside a text
SWATCH = 22             # of a colour before a name
LETTERS = (8, 16)       # of the name, that are shown at least, and that others make room for
VALUES = 5              # letters of solref and solimp that stay


class SetsTree(FittedTree):
    """share() after texts have changed. Columns only grow while there are as many rows: figures that change all the time would move them."""

    def __init__(self, heads: Sequence[str]):
        super().__init__(("Set", "solref", "solimp", *heads), NAME)
        self.setRootIsDecorated(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.header().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Interactive)
        self.header().setTextElideMode(Qt.TextElideMode.ElideRight)
        self._widest: dict[int, int] = {}
        self._rows = 0

    def share(self) -> None:
        """Widths of all columns for the width of the table."""
        letter, columns = self.fontMetrics().averageCharWidth(), range(self.columnCount())
        if self.topLevelItemCount() != self._rows:
            self._rows = self.topLevelItemCount()
            self._widest.clear()
        least, most = (SWATCH + count * letter for count in LETTERS)
        wanted = [self._wanted(column) for column in columns]
        widths, room = [min(max(wanted[NAME] + SWATCH, least), most), *wanted[1:]], self.width() - 2 * self.frameWidth()
        for column, low in ((SOLIMP, VALUES * letter), (SOLREF, VALUES * letter), (NAME, least)):
            widths[column] -= min(max(0, sum(widths) - room), max(0, widths[column] - low))
        hidden = sum(widths) > room
        for column in (SOLREF, SOLIMP):
            self.setColumnHidden(column, hidden)
            widths[column] = 0 if hidden else widths[column]
        short = sum(widths) - room
        if short > 0:       # of the figures all alike
            share = max(0.3, 1.0 - short / sum(widths[FIRST_FIGURE:]))
            widths[FIRST_FIGURE:] = [round(share * width) for width in widths[FIRST_FIGURE:]]
        widths[NAME] += max(0, room - sum(widths))
        for column in columns:
            if widths[column] and self.columnWidth(column) != widths[column]:
                self.header().resizeSection(column, widths[column])

    def _wanted(self, column: int) -> int:
        texts = [self.headerItem().text(column), *(self.topLevelItem(k).text(column) for k in range(self.topLevelItemCount()))]
        self._widest[column] = max(self._widest.get(column, 0), *(self.fontMetrics().horizontalAdvance(text) for text in texts))
        return self._widest[column] + AIR

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.share()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._widest.clear()
            self.share()
