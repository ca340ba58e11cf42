"""A tree that is as high as its rows, for panels that scroll as a whole."""
from __future__ import annotations

from PyQt6.QtCore import QEvent, QSize, Qt
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QSizePolicy, QTreeWidget, QTreeWidgetItem

AIR = 4     # logical pixels between two rows


class FittedTree(QTreeWidget):
    """Rows of one height, none of them scrolled. stretch: the column that takes the room that the others leave."""

    def __init__(self, titles: tuple[str, ...], stretch: int, headers: bool = True):
        super().__init__()
        self.setColumnCount(len(titles))
        self.setHeaderLabels(titles)
        self.setHeaderHidden(not headers)
        self.setIndentation(12)
        self.setUniformRowHeights(True)
        self.setAlternatingRowColors(True)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(24)
        for column in range(len(titles)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch if column == stretch else QHeaderView.ResizeMode.Interactive)
        for signal in (self.itemExpanded, self.itemCollapsed):
            signal.connect(lambda _item: self.fit())

    def row_height(self) -> int:
        """Of one row [logical pixels]."""
        return self.fontMetrics().height() + AIR

    def fit(self) -> None:
        """Be as high as the rows that are open."""
        first = next((item for k in range(self.topLevelItemCount()) if not (item := self.topLevelItem(k)).isHidden()), None)
        rows, item = 0, first
        while item is not None:
            rows, item = rows + 1, self.itemBelow(item)
        header = 0 if self.isHeaderHidden() else self.header().sizeHint().height()
        row = self.rowHeight(self.indexFromItem(first)) if first is not None else 0
        height = header + rows * row + 2 * self.frameWidth()
        if height != self.height():
            self.setFixedHeight(height)

    def add(self, parent: QTreeWidgetItem | None, texts: list[str], tip: str = "") -> QTreeWidgetItem:
        """A row below a row, or a top one."""
        item = QTreeWidgetItem(self if parent is None else parent, texts)
        for column in range(self.columnCount()):
            item.setToolTip(column, tip)
        item.setSizeHint(0, QSize(0, self.row_height()))
        return item

    def wheelEvent(self, event) -> None:
        event.ignore()      # the panel scrolls

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            for k in range(self.topLevelItemCount()):
                self._suit(self.topLevelItem(k))
            self.fit()

    def _suit(self, item: QTreeWidgetItem) -> None:
        item.setSizeHint(0, QSize(0, self.row_height()))
        for k in range(item.childCount()):
            self._suit(item.child(k))


def put(item: QTreeWidgetItem, column: int, text: str, tip: str | None = None) -> None:
    """Show a text, if it is another one: what does not change is not painted again."""
    if item.text(column) != text:
        item.setText(column, text)
    if tip is not None and item.toolTip(column) != tip:
        item.setToolTip(column, tip)


def number_text(value: float | int) -> str:
    """A number as the panels show it."""
    return str(value) if isinstance(value, int) else f"{value:.4g}"


def numbers_text(values) -> str:
    """Several numbers."""
    return "  ".join(map(number_text, values))
