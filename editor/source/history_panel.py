"""The history panel: all changes of the texts, oldest first, with their files, what is saved, and how far they are done. A click goes there."""
from __future__ import annotations

from PyQt6.QtCore import QAbstractListModel, QEvent, QModelIndex, QPoint, QRect, QSize, Qt
from PyQt6.QtGui import QFont, QFontMetrics, QPainter, QPalette
from PyQt6.QtWidgets import QHBoxLayout, QListView, QPushButton, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from editor.edits.patch import Edit
from editor.wording import file_name

FILES, SAVED, DONE, NOW = (Qt.ItemDataRole.UserRole + k for k in range(4))
TYPING = "Typing in "     # labels of typed edits begin with it
FIRST = "As opened"
OLDEST = "Older edits are forgotten"
GAP = 6     # pixels between the parts of a row


class EditRows(QAbstractListModel):
    """Row n: the texts after n entries of the history."""

    def __init__(self, session):
        super().__init__()
        self._session = session
        self._entries: list = []
        self._saved: dict[int, list[str]] = {}
        self._position = 0

    def refresh(self) -> None:
        """Show what the history has now. Rows that stay are not made anew."""
        history, files = self._session.document.history, self._session.document.files()
        count = len(self._entries)
        first = next((k for k, (old, new) in enumerate(zip(self._entries, history.entries, strict=False)) if old is not new), min(count, len(history.entries)))
        if count > first:
            self.beginRemoveRows(QModelIndex(), first + 1, count)
            del self._entries[first:]
            self.endRemoveRows()
        if len(history.entries) > first:
            self.beginInsertRows(QModelIndex(), first + 1, len(history.entries))
            self._entries += history.entries[first:]
            self.endInsertRows()
        self._position = history.position
        self._saved = {}
        for key, file in files.items():
            place = history.saved_position(key)
            if place is not None and place:
                self._saved.setdefault(place, []).append(file.name)
        self.dataChanged.emit(self.index(0), self.index(len(self._entries)))

    @property
    def position(self) -> int:
        """The row of the present texts."""
        return self._position

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._entries) + 1

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole):
        """Of the roles that the delegate asks for."""
        row = index.row()
        if role == Qt.ItemDataRole.DisplayRole:
            return _title(self._entries[row - 1].edit) if row else OLDEST if self._session.document.history.forgotten else FIRST
        if role == FILES:
            return ", ".join(file_name(file) for file in self._entries[row - 1].edit.files) if row else ""
        if role == SAVED:
            return self._saved.get(row, [])
        if role == DONE:
            return row <= self._position
        if role == NOW:
            return row == self._position
        if role == Qt.ItemDataRole.ToolTipRole:
            files = "\n".join(self._entries[row - 1].edit.files) if row else ""
            saved = "\nOn disk: " + ", ".join(self._saved[row]) if row in self._saved else ""
            return (f"{self.data(index)}\n{files}".strip() + saved).strip()
        return None


def _title(edit: Edit) -> str:
    """The label of an edit; of one that was typed what was typed."""
    if not edit.label.startswith(TYPING):
        return edit.label
    words = " ".join("".join(patch.text for patch in edit.patches).split())
    return f"Typed {words}" if words else "Deleted letters" if any(patch.end > patch.start for patch in edit.patches) else "White space"


class EditDelegate(QStyledItemDelegate):
    """A row: a bar at what is done, the label, behind it the file, and a mark where the disk stands."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: QModelIndex) -> QSize:
        return QSize(0, round(1.5 * QFontMetrics(option.font).height()))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        self.initStyleOption(option, index)
        option.text = ""
        now, done, palette = index.data(NOW), index.data(DONE), option.palette
        style = option.widget.style()
        style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelItemViewItem, option, painter, option.widget)
        painter.save()
        rect = option.rect
        bar = QRect(rect.left() + 2, rect.top(), 3, rect.height())
        ink = palette.color(QPalette.ColorRole.Text if done else QPalette.ColorRole.PlaceholderText)
        faint = palette.color(QPalette.ColorRole.PlaceholderText)
        if done:
            painter.fillRect(bar, palette.color(QPalette.ColorRole.Highlight if now else QPalette.ColorRole.PlaceholderText))
        font = QFont(option.font)
        font.setBold(bool(now))
        painter.setFont(font)
        metrics = painter.fontMetrics()
        room = rect.adjusted(bar.width() + 2 * GAP, 0, -GAP, 0)
        if index.data(SAVED):
            room.setRight(self._written_at_end(painter, room, "on disk", faint))
        label = index.data(Qt.ItemDataRole.DisplayRole)
        painter.setPen(ink)
        shown = metrics.elidedText(label, Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter), shown)
        files = index.data(FILES)
        left = room.width() - metrics.horizontalAdvance(shown) - 2 * GAP
        if files and files not in label and left > metrics.averageCharWidth() * 4:
            self._written_at_end(painter, room, metrics.elidedText(files, Qt.TextElideMode.ElideMiddle, left), faint)
        painter.restore()

    def _written_at_end(self, painter: QPainter, room: QRect, text: str, ink) -> int:
        """Write a text at the right end; where what is left ends."""
        width = painter.fontMetrics().horizontalAdvance(text)
        painter.setPen(ink)
        painter.drawText(QRect(QPoint(room.right() - width, room.top()), QSize(width + 1, room.height())), int(Qt.AlignmentFlag.AlignVCenter), text)
        return room.right() - width - GAP


class HistoryPanel(QWidget):
    """The list, and buttons for one step back and forth. It follows the history while it can be seen."""

    scrolls = False

    def __init__(self, session):
        super().__init__()
        self._session = session
        self.rows = EditRows(session)
        self.list = QListView()
        self.list.setModel(self.rows)
        self.list.setItemDelegate(EditDelegate(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setSelectionMode(QListView.SelectionMode.NoSelection)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.clicked.connect(lambda index: session.go_to_edit(index.row()))
        self.list.activated.connect(lambda index: session.go_to_edit(index.row()))
        self.undo, self.redo = QPushButton("Undo"), QPushButton("Redo")
        buttons = QHBoxLayout()
        for button, act, tip in ((self.undo, session.undo, "Take back the last edit (Ctrl+Z)"), (self.redo, session.redo, "Do again what was undone last (Ctrl+Shift+Z)")):
            button.clicked.connect(lambda _checked=False, act=act: act())
            button.setToolTip(tip)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            buttons.addWidget(button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.addLayout(buttons)
        layout.addWidget(self.list, 1)
        session.history_changed.connect(self._changed)
        self._stale = True

    def _changed(self) -> None:
        self._stale = True
        if self.isVisible():
            self._refresh()

    def _refresh(self) -> None:
        self._stale = False
        self.rows.refresh()
        history = self._session.document.history
        self.undo.setEnabled(history.last is not None)
        self.redo.setEnabled(history.next is not None)
        self.list.scrollTo(self.rows.index(self.rows.position))

    def showEvent(self, event: QEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._refresh()
