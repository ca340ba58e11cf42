"""A tree that is as high as its rows, for panels that scroll as a whole."""
from __future__ import annotations

from PyQt6.QtCore import QEvent, QModelIndex, QRect, QSize, Qt, QTimer
from PyQt6.QtGui import QColor, QFontMetrics, QPalette
from PyQt6.QtWidgets import QAbstractItemView, QHeaderView, QSizePolicy, QStyledItemDelegate, QStyleOptionViewItem, QTreeWidget, QTreeWidgetItem

OUTLINE = "#868d97"
AIR = 4     # logical pixels between two rows


class FittedTree(QTreeWidget):
    """No row is scrolled. stretch: the column that takes the room that the others leave. wraps: what is too long for that column is written in several lines; else rows
    are of one height."""

    def __init__(self, titles: tuple[str, ...], stretch: int, headers: bool = True, wraps: bool = False):
        super().__init__()
        self.setColumnCount(len(titles))
        self.setHeaderLabels(titles)
        self.setHeaderHidden(not headers)
        self.setIndentation(12)
        self.setUniformRowHeights(not wraps)
        self.setWordWrap(wraps)
        self._wraps = wraps
        self._refit = QTimer(self)      # when columns have their widths
        self._refit.setSingleShot(True)
        self._refit.setInterval(0)
        self._refit.timeout.connect(self._fit_anew)
        if wraps:
            self.setItemDelegate(WrappedRows(self, stretch))
            self.header().sectionResized.connect(lambda *_section: self._refit.start())
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

    def outline_checks(self) -> None:
        """Rows have boxes to tick: their outlines, a darker shade of this colour, are seen on dark ground, too."""
        palette = QPalette()
        palette.setColor(QPalette.ColorRole.Window, QColor(OUTLINE))
        self.setPalette(palette)

    def row_height(self) -> int:
        """Of one row [logical pixels]."""
        return self.fontMetrics().height() + AIR

    def fit(self) -> None:
        """Be as high as the rows that are open."""
        first = next((item for k in range(self.topLevelItemCount()) if not (item := self.topLevelItem(k)).isHidden()), None)
        row, rows, item = (self.rowHeight(self.indexFromItem(first)) if first is not None else 0), 0, first
        while item is not None:
            rows += self.rowHeight(self.indexFromItem(item)) if self._wraps else row
            item = self.itemBelow(item)
        header = 0 if self.isHeaderHidden() else self.header().sizeHint().height()
        height = header + rows + 2 * self.frameWidth()
        if height != self.height():
            self.setFixedHeight(height)

    def _fit_anew(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.fit()

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
                self._suit_rows(self.topLevelItem(k))
            self.fit()

    def _suit_rows(self, item: QTreeWidgetItem) -> None:
        item.setSizeHint(0, QSize(0, self.row_height()))
        for k in range(item.childCount()):
            self._suit_rows(item.child(k))


class WrappedRows(QStyledItemDelegate):
    """Rows as high as the text of a column needs in its width, or has needed: numbers that change all the time take a line more and a line less."""

    def __init__(self, tree: QTreeWidget, column: int):
        super().__init__(tree)
        self._column = column
        self._highest: dict[tuple[int, int, int], int] = {}     # by parent, row and number of words
        self._room: tuple[int, str] | None = None               # width and font that these heights are for

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        size, tree, text = super().sizeHint(option, index), self.parent(), index.data()
        if index.column() != self._column or not text:
            return size
        width = tree.columnWidth(self._column)
        if (width, option.font.key()) != self._room:
            self._room = width, option.font.key()
            self._highest.clear()
        own = index.data(Qt.ItemDataRole.FontRole)
        metrics = QFontMetrics(own) if own is not None else option.fontMetrics
        height = metrics.boundingRect(QRect(0, 0, max(40, width - 2 * AIR), 10_000), Qt.TextFlag.TextWordWrap.value, text).height()
        place = index.parent().row(), index.row(), text.count(" ")
        height = self._highest[place] = max(height, self._highest.get(place, 0))
        return QSize(size.width(), height + AIR)


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
