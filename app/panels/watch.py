"""Watch: quantities of the running simulation, number by number: fields of Model and Data, elements of them by name, expressions."""
from heapq import nlargest
from itertools import chain, islice

import numpy as np
from PyQt6.QtCore import QAbstractTableModel, QEvent, QMimeData, QModelIndex, QStringListModel, Qt
from PyQt6.QtGui import QGuiApplication, QKeyEvent
from PyQt6.QtWidgets import QAbstractItemView, QCompleter, QHBoxLayout, QHeaderView, QLabel, QLineEdit, QMenu, QPushButton, QTableView, QVBoxLayout

from app.context import AppContext
from app.panels.live_panel import LivePanel
from app.panels.quantity_drag import MIME, mime_of
from app.panels.values.watch_items import WatchItem, lines, parse
from physics.quantities.field_rows import find_field, names_for, public_fields
from physics.runtime.snapshot import Snapshot

MOST_ROWS = 20000   # of all items together
ROOMS = ((2, "-0.000000000"), (3, "kg m2/s"))   # columns of fixed width, and what fits in
COLUMNS = ("Quantity", "Of", "Value", "Unit")
WITH_UNITS = 340    # logical pixels of a panel that has room for units
MEASURED = 8        # of the texts in the first column
OWNER = "watch"     # among those who watch fields


WatchRow = tuple[str, str, int, int, str]   # text, owner, number of the item, place in its array, unit


class WatchTable(QAbstractTableModel):
    """A row per number. `lay_out` says which, `show_values` what they are."""

    def __init__(self):
        super().__init__()
        self.rows: list[WatchRow] = []
        self._blocks: list[list[WatchRow]] = []     # the same by item
        self._arrays: list[np.ndarray] = []

    def lay_out(self, blocks: list[list[WatchRow]], arrays: list[np.ndarray]) -> None:
        """Show these rows of these arrays, a block per item. Where blocks have only become longer or shorter all other rows stay, chosen or not."""
        before = self._blocks
        if len(before) != len(blocks) or any(old is not new and old[:len(new)] != new[:len(old)] for old, new in zip(before, blocks, strict=False)):
            self.beginResetModel()
            self.rows, self._blocks, self._arrays = list(chain.from_iterable(blocks)), blocks, [array.ravel() for array in arrays]
            self.endResetModel()
            return
        self._blocks = blocks
        end = len(self.rows)
        for old, new in zip(before[::-1], blocks[::-1], strict=True):
            if len(new) > len(old):
                self.beginInsertRows(QModelIndex(), end, end + len(new) - len(old) - 1)
                self.rows[end:end] = new[len(old):]
                self.endInsertRows()
            elif len(new) < len(old):
                self.beginRemoveRows(QModelIndex(), end - len(old) + len(new), end - 1)
                del self.rows[end - len(old) + len(new):end]
                self.endRemoveRows()
            end -= len(old)
        self.show_values(arrays)

    def show_values(self, arrays: list[np.ndarray]) -> None:
        """The same rows with other numbers."""
        self._arrays = [array.ravel() for array in arrays]
        if self.rows:
            self.dataChanged.emit(self.index(0, 2), self.index(len(self.rows) - 1, 2), [Qt.ItemDataRole.DisplayRole])

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsDragEnabled

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes) -> QMimeData:
        """The quantities of the rows, once each."""
        return mime_of(dict.fromkeys(self.rows[index.row()][0] for index in indexes))

    def rowCount(self, parent: QModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: QModelIndex = QModelIndex()) -> int:
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole):
        return COLUMNS[section] if orientation == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole):
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() == 2:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        text, owner, item, place, unit = self.rows[index.row()]
        if index.column() == 2:
            array = self._arrays[item]
            return _number(array[place]) if place < len(array) else ""
        return (text, owner, "", unit)[index.column()]


def _number(value) -> str:
    if value.dtype.kind == "b":
        return "true" if value else "false"
    return str(int(value)) if value.dtype.kind in "iu" else f"{value:.6g}"


class WatchPanel(LivePanel):
    """A field for names, with completion, and a table; Delete removes the chosen rows, Ctrl+C copies them."""

    scrolls = False

    def __init__(self, context: AppContext):
        super().__init__(context)
        self.items: list[WatchItem] = []
        self._memories: dict[str, dict] = {}    # of deriv and lowpass, by item
        self._hidden: set[str] = set()    # texts of rows that were removed from an item of several
        self._keys: list | None = None    # what the items' rows were made of
        self._blocks: list[list[WatchRow]] = []
        self._longest: tuple = ()         # items and letters of their last rows, to which the first column was fitted
        self._edit = QLineEdit()
        self._edit.setPlaceholderText('qvel, xpos["torso"], norm(cvel[1])')
        self._words = QStringListModel(public_fields())
        completer = QCompleter(self._words, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self._edit.setCompleter(completer)
        self._edit.textEdited.connect(self._offer)
        self._edit.returnPressed.connect(lambda: self.watch(self._edit.text()))
        clear = QPushButton("Clear")
        clear.setToolTip("Watch nothing; Delete removes the chosen rows")
        clear.clicked.connect(lambda _checked=False: self._set_items([]))
        self.note = QLabel("")
        self.note.setWordWrap(True)
        self._model = WatchTable()
        self.table = self._make_table()
        self._suit_font()
        line = QHBoxLayout()
        line.addWidget(self._edit, 1)
        line.addWidget(clear)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.addLayout(line)
        layout.addWidget(self.note)
        layout.addWidget(self.table, 1)
        self.fill_with_models(self._fill)
        self._wanted: tuple[str, ...] = ("qpos",)   # for the first model
        self._set_items([])

    def _make_table(self) -> QTableView:
        table = QTableView()
        table.setModel(self._model)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setMinimumSectionSize(24)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)   # names are cut before numbers are
        for column, _room in ROOMS:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._open_menu)
        table.setWordWrap(False)
        table.setDragEnabled(True)
        return table

    def _suit_font(self) -> None:
        metrics = self.table.fontMetrics()
        self.table.verticalHeader().setDefaultSectionSize(metrics.height() + 4)
        for column, room in ROOMS:
            self.table.horizontalHeader().resizeSection(column, metrics.horizontalAdvance(room) + 10)
        self._fit_names()

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "table"):
            self._suit_font()

    # ------------------------------------------------------------------ what is watched

    def watch(self, text: str) -> bool:
        """Add a field or an element; False, and a note, where there is none."""
        if self._context.model is None:
            return False
        self.fill_now()
        try:
            item = parse(self._context.model, text)
        except ValueError as why:
            self.note.setText(str(why))
            return False
        self._hidden = {row for row in self._hidden if not row.startswith(item.field or item.text)}
        self._set_items([*(other for other in self.items if other.text != item.text), item])
        self._edit.clear()
        return True

    def _offer(self, text: str) -> None:
        """Complete names of fields, and in brackets names of elements."""
        name, bracket, _rest = text.partition("[")
        words = [f'{name}["{element}"]' for element in names_for(self._context.model, name.strip())] if bracket and find_field(name.strip()) is not None else public_fields()
        if words != self._words.stringList():
            self._words.setStringList(words)

    def _set_items(self, items: list[WatchItem]) -> None:
        self.items = items
        self._keys, self._memories = None, {}
        self._ask()
        self.note.setText(items[-1].doc if items else "")
        self.catch_up()

    def _ask(self) -> None:
        self._context.watched.watch(OWNER, [name for item in self.items for name in item.quantity.fields] if self.seen else ())

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.table.setColumnHidden(COLUMNS.index("Unit"), self.width() < WITH_UNITS)

    def seen_changed(self, seen: bool) -> None:
        super().seen_changed(seen)
        self._ask()

    def _fill(self, model) -> None:
        """Names and numbers of another Model: what it has not is left out, with a note."""
        texts, self._wanted = (*(item.text for item in self.items), *self._wanted), ()
        kept, lost = [], []
        for text in texts:
            try:
                kept.append(parse(model, text))
            except ValueError as why:
                lost.append(f"{text} ({why.reason})")
        self._set_items(kept)
        if lost:
            self.note.setText("No longer watched: " + "; ".join(lost))

    # ------------------------------------------------------------------ values

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """The present numbers."""
        items: list[WatchItem] = []
        arrays: list[np.ndarray] = []
        for item in self.items:
            if all(name in snapshot.watch for name in item.quantity.fields) and snapshot.model is self._context.model:
                items.append(item)
                arrays.append(item.typed(item.quantity.of_snapshot(snapshot, self._memories.setdefault(item.text, {}))))
        common = snapshot.generation, frozenset(self._hidden)
        keys = [(common, k, item.text, array.shape) for k, (item, array) in enumerate(zip(items, arrays, strict=True))]
        if keys == self._keys:
            self._model.show_values(arrays)
            return
        whole = len(self._model.rows) < MOST_ROWS     # else some were cut
        kept = dict(zip(self._keys, self._blocks, strict=True)) if self._keys and whole else {}
        self._keys, self._blocks = keys, []
        left = MOST_ROWS
        for key, item, array in zip(keys, items, arrays, strict=True):
            block = kept.get(key)
            if block is None or len(block) > left:
                block = self._block(snapshot.model, key[1], item, array, left)
            self._blocks.append(block)
            left -= len(block)
        self._model.lay_out(self._blocks, arrays)
        self._make_room()

    def _block(self, m, number: int, item: WatchItem, array: np.ndarray, most: int) -> list[WatchRow]:
        """The rows of an item, `most` at the most."""
        rows = ((text, owner, number, place, unit) for place, (text, owner, unit) in enumerate(lines(m, item, array)) if text not in self._hidden)
        return list(islice(rows, most))

    def _make_room(self) -> None:
        """The first column as wide as its texts, where they have become longer: the user may have made it narrower."""
        longest = tuple((item.text, len(block[-1][0])) for item, block in zip(self.items, self._blocks, strict=False) if block)
        if longest != self._longest:
            self._longest = longest
            self._fit_names()

    def _fit_names(self) -> None:
        """The texts with the most letters fit: Qt would measure every one."""
        metrics = self.table.fontMetrics()
        longest = nlargest(MEASURED, (row[0] for row in self._model.rows), key=len)
        width = max((metrics.horizontalAdvance(text) for text in (*longest, COLUMNS[0])), default=0)
        self.table.horizontalHeader().resizeSection(0, width + 14)

    def _find(self, text: str, column: int) -> str:
        row = next((number for number, row in enumerate(self._model.rows) if row[0] == text), None)
        return str(self._model.data(self._model.index(row, column))) if row is not None else ""

    def cell(self, element: str) -> str:
        """Value shown for an element, for example 'xpos[1, 2]'; '' when it is not shown."""
        return self._find(element, 2)

    def owner(self, element: str) -> str:
        """What an element belongs to, as shown."""
        return self._find(element, 1)

    @property
    def rows(self) -> list[str]:
        """Texts of all rows, from the top."""
        return [row[0] for row in self._model.rows]

    # ------------------------------------------------------------------ hands

    def remove_chosen(self) -> None:
        """Watch the chosen rows no longer."""
        gone = {self._model.rows[index.row()][0] for index in self.table.selectionModel().selectedRows()}
        self._hidden |= gone
        left = {row[2] for row in self._model.rows if row[0] not in gone}
        shown = [item for item in self.items if set(item.quantity.fields) <= set(self._context.watched.of(OWNER))]
        self._set_items([item for k, item in enumerate(shown) if k in left or not any(row[2] == k for row in self._model.rows)])

    def copy_chosen(self) -> None:
        """The chosen rows (all, where none is chosen) as lines of text, their columns between tabs."""
        chosen = sorted(index.row() for index in self.table.selectionModel().selectedRows()) or range(len(self._model.rows))
        text = "\n".join("\t".join(str(self._model.data(self._model.index(row, column))) for column in range(len(COLUMNS))).rstrip() for row in chosen)
        QGuiApplication.clipboard().setText(text)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.remove_chosen()
        elif event.key() == Qt.Key.Key_C and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.copy_chosen()
        else:
            super().keyPressEvent(event)

    def _open_menu(self, at) -> None:
        menu = QMenu(self)
        menu.addAction("Copy", self.copy_chosen)
        menu.addAction("Remove", self.remove_chosen)
        menu.addAction("Clear", lambda: self._set_items([]))
        menu.popup(self.table.viewport().mapToGlobal(at))
