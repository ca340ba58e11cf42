"""The tree's view: rows by mouse and keys, drags within the document and of files, keys of its operations."""
from __future__ import annotations

from collections.abc import Callable, Mapping

from PyQt6.QtCore import QEvent, QModelIndex, QPoint, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QKeySequence
from PyQt6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QTreeView

from editor.tree.model import MIME, OutlineModel

__all__ = ["TreeView"]

INDENTATION = 7, 12     # pixels of a level, at the least and at the most
LETTERS = 18            # of a name that have room where the indentation allows it
MOST_LOOKED_AT = 400    # rows
Above, Below, On = QAbstractItemView.DropIndicatorPosition.AboveItem, QAbstractItemView.DropIndicatorPosition.BelowItem, QAbstractItemView.DropIndicatorPosition.OnItem


class NameFirst(QStyledItemDelegate):
    """Of a row that has not the room for all of it the name alone, both of whose ends are seen: what it is about is in the tip."""

    def initStyleOption(self, option, index: QModelIndex) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideMiddle
        if option.rect.width() <= 0 or option.widget is None:      # asked how wide it would be
            return
        style = option.widget.style()
        margins = 2 * (style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, option, option.widget) + 1)
        room = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, option.widget).width() - margins
        if option.fontMetrics.horizontalAdvance(option.text) > room:
            option.text = index.model().node(index).title


class TreeView(QTreeView):
    """Signals: typed(text): keys that are meant for the search field; hinted(text): why a drop is not possible where the pointer is, '' where it is.

    local: whether Alt was held at the last drop.
    """

    typed, hinted = pyqtSignal(str), pyqtSignal(str)

    def __init__(self, model: OutlineModel):
        super().__init__()
        self.local, self._keys = False, {}
        self.setModel(model)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(INDENTATION[1])
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setExpandsOnDoubleClick(False)
        self.setDragEnabled(True)
        self.setAcceptDrops(True)
        self.setDropIndicatorShown(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setAutoExpandDelay(700)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setItemDelegate(NameFirst(self))
        self._fitting = QTimer(self)    # once for all rows that are opened in a turn
        self._fitting.setSingleShot(True)
        self._fitting.timeout.connect(self._fit)
        for signal in (self.expanded, self.collapsed, model.modelReset):
            signal.connect(self._soon)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._soon()

    def _soon(self, *_which) -> None:
        self._fitting.start()

    def _fit(self) -> None:
        """Indent less where the deepest of the rows that are open would have no room for its name."""
        index, deepest, depths = self.model().index(0, 0), 1, {}
        for _ in range(MOST_LOOKED_AT):
            if not index.isValid():
                break
            node = index.internalPointer()
            depths[node] = depths.get(node.parent, 0) + 1
            deepest = max(deepest, depths[node])
            index = self.indexBelow(index)
        room = self.viewport().width() - self.style().pixelMetric(QStyle.PixelMetric.PM_SmallIconSize) - LETTERS * self.fontMetrics().averageCharWidth()
        self.setIndentation(max(INDENTATION[0], min(INDENTATION[1], room // (deepest + 1))))

    def bind(self, keys: Mapping[str, Callable[[], object]]) -> None:
        """Keys that act while the tree has the focus, before those of the window."""
        self._keys = {QKeySequence(key)[0]: handler for key, handler in keys.items()}

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self.state() != QAbstractItemView.State.EditingState and event.keyCombination() in self._keys:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event) -> None:
        handler = self._keys.get(event.keyCombination())
        if handler is not None and self.state() != QAbstractItemView.State.EditingState:
            handler()
            event.accept()
            return
        super().keyPressEvent(event)

    def mousePressEvent(self, event) -> None:
        index = self.indexAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.RightButton and index.isValid() and self.selectionModel().isSelected(index):
            return      # the menu is about all that is selected
        super().mousePressEvent(event)

    def keyboardSearch(self, text: str) -> None:
        if text.strip():
            self.typed.emit(text)

    # ------------------------------------------------------------------ drops

    def drop_place(self, at: QPoint) -> tuple[int, QModelIndex]:
        """(row, parent) of a drop at a point, row -1 for behind all inside the row that is there."""
        index = self.indexAt(at)
        if not index.isValid():
            return -1, QModelIndex()
        box = self.visualRect(index)
        edge = max(2, box.height() // 4)
        if at.y() - box.top() < edge:
            return index.row(), index.parent()
        if box.bottom() - at.y() < edge and not (self.isExpanded(index) and self.model().hasChildren(index)):
            return index.row() + 1, index.parent()
        return -1, index

    def dragMoveEvent(self, event) -> None:
        super().dragMoveEvent(event)    # scrolls, opens what the pointer rests on, draws the indicator
        row, parent = self.drop_place(event.position().toPoint())
        reason = self.model().why_no_drop(event.mimeData(), row, parent)
        self.hinted.emit(reason)
        if reason:
            event.ignore()
        else:
            event.setDropAction(Qt.DropAction.MoveAction if event.mimeData().hasFormat(MIME) else Qt.DropAction.CopyAction)
            event.accept()

    def dragLeaveEvent(self, event) -> None:
        super().dragLeaveEvent(event)
        self.hinted.emit("")

    def dropEvent(self, event) -> None:
        self.local = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        row, parent = self.drop_place(event.position().toPoint())
        self.hinted.emit("")
        self.setState(QAbstractItemView.State.NoState)
        self.viewport().update()
        if self.model().why_no_drop(event.mimeData(), row, parent):
            event.ignore()
            return
        event.setDropAction(Qt.DropAction.CopyAction)       # the texts move it: the view is to take no rows away
        event.accept()
        self.model().dropMimeData(event.mimeData(), Qt.DropAction.CopyAction, row, 0, parent)
