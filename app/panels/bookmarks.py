"""Bookmarks: a list of marked moments with small pictures; a click goes there."""
from __future__ import annotations

from collections.abc import Iterable

from PyQt6.QtCore import QEvent, QModelIndex, QPoint, QRect, QSize, Qt
from PyQt6.QtGui import QAction, QFont, QPainter, QPalette, QPixmap
from PyQt6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QPushButton,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.context import AppContext
from app.controllers.timeline import TimelineController
from app.panels.live_panel import LivePanel
from app.timeline.bookmarks import Bookmark, index_of, time_name, why_gone
from physics.runtime.snapshot import Snapshot

EMPTY = "Ctrl+B marks the present moment, with a small picture. A click on one goes there; F2 renames it, Delete removes it."
PICTURE = QSize(96, 60)     # logical pixels
GAP = 6
FAINT = 0.55                # opacity of the picture of a moment that is gone
BOOKMARK, GONE, PRESENT, IMAGE = (Qt.ItemDataRole.UserRole + k for k in range(4))    # roles: the Bookmark; why it cannot be shown; whether it is shown; its QPixmap


class BookmarksPanel(LivePanel):
    """A button that marks the present moment, and the list."""

    scrolls = False

    def __init__(self, context: AppContext, timeline: TimelineController):
        super().__init__(context)
        self._timeline, self._renaming = timeline, False
        self.add = QPushButton("Add bookmark")
        self.add.clicked.connect(lambda _checked=False: timeline.add_bookmark())
        self.more = QToolButton()
        self.more.setText("\u22ee")
        self.more.setToolTip("Delete several")
        self.more.clicked.connect(lambda _checked=False: self._open_menu(self.clearing_menu(), self.more.mapToGlobal(QPoint(0, self.more.height()))))
        self.note = QLabel(EMPTY)
        self.note.setWordWrap(True)
        self.list = QListWidget()
        self.list.setItemDelegate(BookmarkRow(self.list))
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.setAccessibleName("Bookmarks")
        self.list.itemClicked.connect(self._go)
        self.list.itemActivated.connect(self._go)
        self.list.itemChanged.connect(self._renamed)
        self.list.customContextMenuRequested.connect(self._ask)
        self.list.installEventFilter(self)
        line = QHBoxLayout()
        line.addWidget(self.add, 1)
        line.addWidget(self.more)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.addLayout(line)
        column.addWidget(self.note)
        column.addWidget(self.list, 1)
        timeline.bookmarks.changed.append(self._fill)
        self._fill()

    # ------------------------------------------------------------------ the list

    def _fill(self) -> None:
        """All bookmarks anew, what is selected by place."""
        if self._renaming:
            return
        chosen = {mark.place for mark in self.selected}
        now = self.list.currentItem()
        current = now.data(BOOKMARK).place if now is not None else None
        self.list.blockSignals(True)
        self.list.clear()
        for mark in self._timeline.bookmarks.all:
            item = QListWidgetItem(mark.name)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            item.setData(BOOKMARK, mark)
            picture = QPixmap()
            picture.loadFromData(mark.thumbnail)
            item.setData(IMAGE, picture)
            self.list.addItem(item)
            if mark.place == current:
                self.list.setCurrentItem(item)
            item.setSelected(mark.place in chosen)
        self.list.blockSignals(False)
        self.note.setVisible(not len(self._timeline.bookmarks))
        self.more.setEnabled(bool(len(self._timeline.bookmarks)))
        if self._context.snapshot is not None:
            self.show_snapshot(self._context.snapshot)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Which can be gone to, and which is shown."""
        self.list.blockSignals(True)
        for item in self._items():
            mark = item.data(BOOKMARK)
            why, present = why_gone(snapshot, mark), index_of(snapshot, mark) == snapshot.history_index
            if (why, present) != (item.data(GONE), item.data(PRESENT)):
                item.setData(GONE, why)
                item.setData(PRESENT, present)
                item.setToolTip(why or "Click: go there")
        self.list.blockSignals(False)

    def _items(self) -> Iterable[QListWidgetItem]:
        return map(self.list.item, range(self.list.count()))

    @property
    def selected(self) -> list[Bookmark]:
        """Those that are selected in the list."""
        return [item.data(BOOKMARK) for item in self.list.selectedItems()]

    def _go(self, item: QListWidgetItem) -> None:
        if len(self.list.selectedItems()) <= 1:     # several are chosen to be deleted
            self._timeline.go_to(item.data(BOOKMARK))

    def _renamed(self, item: QListWidgetItem) -> None:
        self._renaming = True       # the list is not made anew beneath its editor
        mark = self._timeline.bookmarks.rename(item.data(BOOKMARK), item.text())
        self._renaming = False
        self.list.blockSignals(True)
        item.setData(BOOKMARK, mark)
        item.setText(mark.name)
        self.list.blockSignals(False)

    # ------------------------------------------------------------------ menus and keys

    def eventFilter(self, watched, event: QEvent) -> bool:
        if watched is self.list and event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_F2:
            event.accept()      # the key renames here, whatever it does in the window
            return True
        if watched is self.list and event.type() == QEvent.Type.KeyPress and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._timeline.bookmarks.remove(self.selected)
            return True
        return super().eventFilter(watched, event)

    def _ask(self, at: QPoint) -> None:
        item = self.list.itemAt(at)
        if item is not None:
            self._open_menu(self.menu_for(item), self.list.viewport().mapToGlobal(at))

    def _open_menu(self, menu: QMenu, at: QPoint) -> None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def menu_for(self, item: QListWidgetItem) -> QMenu:
        """What can be done with a bookmark, and with those that are selected with it."""
        menu, bookmarks = QMenu(self), self._timeline.bookmarks
        chosen = self.selected if item.isSelected() else [item.data(BOOKMARK)]
        menu.addAction("Go there", lambda: self._timeline.go_to(item.data(BOOKMARK))).setEnabled(not item.data(GONE))
        menu.addAction("Rename", lambda: self.list.editItem(item))
        menu.addAction("Delete" if len(chosen) == 1 else f"Delete {len(chosen)} bookmarks", lambda: bookmarks.remove(chosen))
        return menu

    def clearing_menu(self) -> QMenu:
        """Ways to delete many."""
        menu, bookmarks = QMenu(self), self._timeline.bookmarks
        gone = [item.data(BOOKMARK) for item in self._items() if item.data(GONE)]
        one: QAction = menu.addAction("Delete those that are gone", lambda: bookmarks.remove(gone))
        one.setEnabled(bool(gone))
        menu.addAction("Delete all", lambda: bookmarks.replace_all(()))
        return menu


class BookmarkRow(QStyledItemDelegate):
    """A row: the picture, beside it the name above the time."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        """As high as the picture, or as two lines of text."""
        return QSize(PICTURE.width() + 120, max(PICTURE.height(), 2 * option.fontMetrics.height() + 4) + GAP)

    @staticmethod
    def _text_rect(rect: QRect) -> QRect:
        return rect.adjusted(PICTURE.width() + 2 * GAP, 0, -GAP, 0)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        painter.save()
        widget: QWidget = option.widget
        widget.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, widget)
        why, picture = index.data(GONE), index.data(IMAGE)
        frame = QRect(option.rect.left() + GAP, option.rect.center().y() - PICTURE.height() // 2, PICTURE.width(), PICTURE.height())
        palette = option.palette
        if picture.isNull():
            painter.fillRect(frame, palette.alternateBase())
        else:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.setOpacity(FAINT if why else 1.0)
            painter.drawPixmap(frame, picture)
            painter.setOpacity(1.0)
        if index.data(PRESENT):
            painter.setPen(palette.highlight().color())
            painter.drawRect(frame.adjusted(-1, -1, 0, 0))
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        ink = palette.color(QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.PlaceholderText if why else QPalette.ColorRole.Text)
        text, metrics = self._text_rect(option.rect), option.fontMetrics
        middle = text.center().y()
        painter.setPen(ink)
        font = QFont(option.font)
        font.setBold(bool(index.data(PRESENT)))
        painter.setFont(font)
        painter.drawText(QRect(text.left(), middle - metrics.height() - 1, text.width(), metrics.height()), Qt.AlignmentFlag.AlignVCenter,
                         metrics.elidedText(index.data(), Qt.TextElideMode.ElideRight, text.width()))
        painter.setFont(option.font)
        if not selected:
            painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        painter.drawText(QRect(text.left(), middle + 1, text.width(), metrics.height()), Qt.AlignmentFlag.AlignVCenter,
                         metrics.elidedText(self.below(index), Qt.TextElideMode.ElideRight, text.width()))
        painter.restore()

    def below(self, index: QModelIndex) -> str:
        """What stands below the name."""
        return told_below(index.data(BOOKMARK), index.data(GONE))

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        text, height = self._text_rect(option.rect), editor.sizeHint().height()
        editor.setGeometry(QRect(text.left(), text.center().y() - height, text.width(), height))


def told_below(bookmark: Bookmark, why: str) -> str:
    """What stands below the name: the time, where the name is another, the step, whether that is gone."""
    parts = [f"{bookmark.time:.3f} s"] if bookmark.name != time_name(bookmark.time) else []
    return ", ".join([*parts, f"step {bookmark.number + 1}", *(["gone"] if why else [])])
