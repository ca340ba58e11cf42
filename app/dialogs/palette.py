"""The command palette: a field over the window in which a few letters find any action, panel, element, setting or file.

    letters --Search (in pieces, between two turns of the event loop)--> rows --Enter--> Entry.run
"""
import time
from collections.abc import Callable, Sequence
from types import MappingProxyType

from PyQt6.QtCore import QAbstractListModel, QEvent, QModelIndex, QObject, QSize, Qt, QTimer
from PyQt6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPalette
from PyQt6.QtWidgets import QApplication, QFrame, QLabel, QLineEdit, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from app.search.entries import Entry, Source
from app.search.fuzzy import letters
from app.search.search import KEPT_RECENT, Search
from app.settings import Settings

SLICE = 0.004            # s of searching in one turn of the event loop
BETWEEN = 0.08           # s between two looks at what was found so far
SHOWN_ROWS = 12
WIDTH, MARGIN, TOP = 620, 16, 48   # logical pixels
HINT = "Up and Down choose, Enter does it, Esc leaves"
MOVES = MappingProxyType({Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_Backtab: -1, Qt.Key.Key_Tab: 1,
                          Qt.Key.Key_PageUp: -SHOWN_ROWS, Qt.Key.Key_PageDown: SHOWN_ROWS})


class Rows(QAbstractListModel):
    """What was found, for the list."""

    def __init__(self):
        super().__init__()
        self.entries: list[Entry] = []
        self.words: tuple[str, ...] = ()

    def show(self, entries: list[Entry], words: tuple[str, ...]) -> None:
        """Show other entries; words: what was looked for."""
        self.beginResetModel()
        self.entries, self.words = entries, words
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.entries)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole):
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.entries[index.row()].title
        return None


class RowPainter(QStyledItemDelegate):
    """A row: the title with the letters that were meant in bold, at the right its keys and what kind of thing it is."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex) -> QSize:
        return QSize(option.rect.width(), option.fontMetrics.height() + 9)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex) -> None:
        rows: Rows = index.model()
        entry, palette = rows.entries[index.row()], option.palette
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        group = QPalette.ColorGroup.Disabled if entry.problem else QPalette.ColorGroup.Active
        ink = palette.color(group, QPalette.ColorRole.HighlightedText if chosen and not entry.problem else QPalette.ColorRole.Text)
        faint = ink if chosen else palette.color(QPalette.ColorRole.PlaceholderText)
        if chosen:
            painter.fillRect(option.rect, palette.color(QPalette.ColorRole.Button if entry.problem else QPalette.ColorRole.Highlight))
        area = option.rect.adjusted(10, 0, -10, 0)
        left = self._title(painter, area, option.font, ink, f"{'✓ ' if entry.checked else ''}{entry.title}", rows.words)
        painter.setFont(option.font)
        painter.setPen(faint)
        at_right = "   ".join(part for part in (entry.problem or entry.keys, entry.kind) if part)
        room = area.right() - left - 16
        if room > 20:
            text = QFontMetrics(option.font).elidedText(at_right, Qt.TextElideMode.ElideLeft, room)
            painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), text)

    @staticmethod
    def _title(painter: QPainter, area, font: QFont, ink, title: str, words) -> int:
        """Draw the title; where it ends."""
        bold = QFont(font)
        bold.setBold(True)
        meant = letters(words, title) if words else frozenset()
        painter.setPen(ink)
        x, start = area.left(), 0
        for end in range(1, len(title) + 1):
            if end < len(title) and (end in meant) == (start in meant):
                continue
            part, used = title[start:end], bold if start in meant else font
            painter.setFont(used)
            metrics = QFontMetrics(used)
            part = metrics.elidedText(part, Qt.TextElideMode.ElideRight, area.right() - x)
            painter.drawText(x, area.top() + (area.height() + metrics.ascent() - metrics.descent()) // 2, part)
            x, start = x + metrics.horizontalAdvance(part), end
        return x


class Palette(QFrame):
    """Lies over its window and goes when something was chosen, at Esc, or at a click beside it. sources(): what can be found now."""

    def __init__(self, window: QWidget, settings: Settings, sources: Callable[[], Sequence[Source]]):
        super().__init__(window)
        self._window, self._settings, self._make_sources = window, settings, sources
        self._sources: Sequence[Source] = ()
        self._search: Search | None = None
        self._due = 0.0
        self._before: QWidget | None = None     # what had the keys
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.field = QLineEdit()
        self.field.setPlaceholderText("An action, a panel, an element of the model, a setting, a file ...")
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self._look)
        self.field.installEventFilter(self)
        self.rows = Rows()
        self.list = QListView()
        self.list.setModel(self.rows)
        self.list.setItemDelegate(RowPainter(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.clicked.connect(lambda index: self._do(index.row()))
        self.list.selectionModel().currentChanged.connect(lambda *_: self._tell())
        self.note = QLabel(HINT)
        self.note.setTextFormat(Qt.TextFormat.PlainText)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(8, 8, 8, 6)
        for part in (self.field, self.list, self.note):
            layout.addWidget(part)
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)
        self.hide()

    # ------------------------------------------------------------------ opening and closing

    def open(self, text: str = "") -> None:
        """Show it with an empty field, or with a text to begin with."""
        if not self.isVisible():
            self._before = QApplication.focusWidget()
            self._sources = self._make_sources()
        self.field.setText(text)
        self._place()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._look()
        QApplication.instance().installEventFilter(self)

    def close_up(self) -> None:
        """Put it away; the keys go back to what had them."""
        QApplication.instance().removeEventFilter(self)
        self._timer.stop()
        self.hide()
        self._search, self._sources = None, ()      # they hold the model
        self.rows.show([], ())
        if self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self._before = None

    def _place(self) -> None:
        scale = self.fontMetrics().height() / 16
        width = min(round(WIDTH * max(1.0, scale)), self._window.width() - 2 * MARGIN)
        row = self.list.sizeHintForRow(0) if self.rows.entries else self.fontMetrics().height() + 9
        needed = self.field.sizeHint().height() + SHOWN_ROWS * row + self.note.sizeHint().height() + 40
        height = min(needed, self._window.height() - TOP - MARGIN)
        self.setGeometry((self._window.width() - width) // 2, TOP, width, height)

    # ------------------------------------------------------------------ searching

    def _look(self) -> None:
        """The text is another: search anew; what was found stays until there is something else."""
        if not self.isVisible():
            return
        self._search = Search(self._sources, self.field.text(), self._settings.get("palette/recent"))
        self._due = time.monotonic() + BETWEEN
        self._timer.start(0)
        self._go_on()

    def _go_on(self) -> None:
        search = self._search
        if search is None:
            return
        search.go_on(SLICE)
        if search.done:
            self._timer.stop()
        elif time.monotonic() < self._due:
            return
        self._due = time.monotonic() + BETWEEN
        entries = search.best()
        if search.done or [entry.key for entry in entries] != [entry.key for entry in self.rows.entries]:
            self.rows.show(entries, search.words)
            if entries:
                self.list.setCurrentIndex(self.rows.index(0))
            self._tell()

    def _tell(self) -> None:
        """Say below the list what the chosen entry does."""
        entry = self._entry(self.list.currentIndex().row())
        nothing = "Nothing is called so" if self.field.text().strip() and self._search is not None and self._search.done else HINT
        text = nothing if entry is None else f"Not now: {entry.problem}" if entry.problem else entry.note or HINT
        self.note.setText(self.note.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, max(100, self.width() - 30)))

    def _entry(self, row: int) -> Entry | None:
        return self.rows.entries[row] if 0 <= row < len(self.rows.entries) else None

    # ------------------------------------------------------------------ choosing

    def _do(self, row: int) -> None:
        """Do what a row says; one that cannot be done says why and stays."""
        entry = self._entry(row)
        if entry is None or entry.problem:
            return
        others = [key for key in self._settings.get("palette/recent") if key != entry.key]
        self._settings.set("palette/recent", [entry.key, *others][:KEPT_RECENT])
        self.close_up()
        entry.run()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()     # of every event of the program
        if kind == QEvent.Type.KeyPress and watched is self.field:
            return self._key(event)
        if kind == QEvent.Type.MouseButtonPress and self.isVisible() and isinstance(watched, QWidget) and watched is not self and not self.isAncestorOf(watched):
            self.close_up()
        elif kind == QEvent.Type.Resize and watched is self._window:
            self._place()
        return False

    def _key(self, event: QKeyEvent) -> bool:
        """A key in the field: whether it was for the list."""
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.close_up()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._search is not None and not self._search.done:
                self._search.go_on(1.0)     # a quick typist: what was typed counts, not what is shown
                self._go_on()
            self._do(self.list.currentIndex().row())
        elif key in MOVES:
            self._move(MOVES[key])      # Tab too: the keys stay in the field
        else:
            return False
        return True

    def _move(self, rows: int) -> None:
        """Choose the entry so many rows below."""
        if self.rows.entries:
            count, row = len(self.rows.entries), self.list.currentIndex().row() + rows
            row = row % count if abs(rows) == 1 else min(max(row, 0), count - 1)
            self.list.setCurrentIndex(self.rows.index(row))
