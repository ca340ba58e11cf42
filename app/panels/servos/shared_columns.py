"""A table whose columns of numbers are as wide as they need, or share what there is where the panel is narrow."""
from __future__ import annotations

from PyQt6.QtCore import QEvent
from PyQt6.QtGui import QResizeEvent

from app.panels.diagnostics.fitted_tree import FittedTree

SHARE = 0.76    # of the width, that columns of numbers may take


class SharedColumns(FittedTree):
    """longest: {column: the longest text that it has to hold}; column 0 takes the rest."""

    def __init__(self, titles: tuple[str, ...], longest: dict[int, str]):
        super().__init__(titles, 0)
        self._longest = longest
        self.setRootIsDecorated(False)
        self.setSelectionMode(self.SelectionMode.NoSelection)
        self.share_columns()

    def share_columns(self) -> None:
        """After columns were shown or hidden."""
        metrics = self.fontMetrics()
        wanted = {column: metrics.horizontalAdvance(text) + 12 for column, text in self._longest.items() if not self.isColumnHidden(column)}
        room = SHARE * self.width()
        scale = min(1.0, room / max(1, sum(wanted.values())))
        for column, wide in wanted.items():
            self.header().resizeSection(column, round(scale * wide))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.share_columns()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.share_columns()
