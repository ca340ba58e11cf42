"""The tree of elements for Qt's views: no object per row; of many siblings so many as somebody has scrolled to."""
from __future__ import annotations

from collections.abc import Callable, Iterable

from PyQt6.QtCore import QAbstractItemModel, QItemSelection, QModelIndex, QObject, Qt
from PyQt6.QtGui import QColor, QFont

from app.panels.elements.icons import eye_icon
from app.panels.elements.tree import ROOT, Arrangement, ElementTree
from editor.widgets.element_icons import DIM, kind_icon
from physics.model.elements import Element

NAME, EYE = 0, 1
CHUNK = 200     # siblings that are told to the view at a time
NO_INDEX = QModelIndex()
Role = Qt.ItemDataRole


class ElementModel(QAbstractItemModel):
    """Columns NAME and EYE. hidden(): the elements that are hidden by themselves; can_hide: kinds that have an eye; active(): the element whose name is bold.
    quantity(element): the expression that a drag of it carries, '' for none."""

    def __init__(self, hidden: Callable[[], frozenset], can_hide: Iterable[str], active: Callable[[], Element | None], parent: QObject | None = None,
                 quantity: Callable[[Element], str] = lambda what: ""):
        super().__init__(parent)
        self._quantity = quantity
        self._hidden, self._can_hide, self._active = hidden, frozenset(can_hide), active
        self.tree: ElementTree | None = None
        self.shown: Arrangement | None = None
        self._told: dict[int, int] = {}     # how many children of a node the view knows, where these are not CHUNK
        self._faint = QColor(DIM)

    def show(self, tree: ElementTree | None, shown: Arrangement | None) -> None:
        """Another tree, or another part of it."""
        self.beginResetModel()
        self.tree, self.shown = tree, shown
        self._told.clear()
        self.endResetModel()

    def take(self, tree: ElementTree) -> None:
        """A tree of the same structure, of another Model."""
        self.tree = tree

    # ------------------------------------------------------------------ nodes and indices

    @staticmethod
    def node(index: QModelIndex) -> int:
        """The node at an index, ROOT for an invalid one."""
        return index.internalId() if index.isValid() else ROOT

    def element(self, index: QModelIndex) -> Element | None:
        """The element at an index; None for a group."""
        return self.tree.element(self.node(index)) if index.isValid() and self.tree is not None else None

    def index_of(self, node: int, column: int = NAME) -> QModelIndex:
        """Index of a node, told to the view if it was not yet; an invalid one where it is not shown."""
        if node == ROOT or self.shown is None or self.shown.row[node] < 0:
            return NO_INDEX
        row, parent = int(self.shown.row[node]), int(self.tree.parent[node])
        if row >= self._known(parent):
            self._tell(parent, row + 1)
        return self.createIndex(row, column, node)

    def selection_of(self, nodes: Iterable[int]) -> QItemSelection:
        """These nodes as few ranges of rows."""
        out, indices = QItemSelection(), [index for node in nodes if (index := self.index_of(node)).isValid()]
        indices.sort(key=lambda index: (int(self.tree.parent[self.node(index)]), index.row()))
        start = 0
        for k in range(1, len(indices) + 1):
            last = indices[k - 1]
            if k == len(indices) or indices[k].row() != last.row() + 1 or self.tree.parent[self.node(indices[k])] != self.tree.parent[self.node(last)]:
                out.select(indices[start], last.siblingAtColumn(EYE))
                start = k
        return out

    def _known(self, node: int) -> int:
        return min(self.shown.count(node), self._told.get(node, CHUNK))

    def _tell(self, node: int, count: int) -> None:
        before, after = self._known(node), min(self.shown.count(node), count)
        if after > before:
            self.beginInsertRows(self.index_of(node), before, after - 1)
            self._told[node] = after
            self.endInsertRows()

    # ------------------------------------------------------------------ what Qt asks

    def index(self, row: int, column: int, parent: QModelIndex = NO_INDEX) -> QModelIndex:
        node = self.node(parent)
        if self.shown is None or not 0 <= row < self.shown.count(node):
            return QModelIndex()
        return self.createIndex(row, column, self.shown.child(node, row))

    def parent(self, index: QModelIndex) -> QModelIndex:
        above = int(self.tree.parent[index.internalId()]) if index.isValid() and self.tree is not None else ROOT
        return self.createIndex(int(self.shown.row[above]), NAME, above) if above != ROOT else QModelIndex()

    def rowCount(self, parent: QModelIndex = NO_INDEX) -> int:
        return self._known(self.node(parent)) if self.shown is not None and parent.column() <= NAME else 0

    def columnCount(self, parent: QModelIndex = NO_INDEX) -> int:
        return 2

    def hasChildren(self, parent: QModelIndex = NO_INDEX) -> bool:
        return self.shown is not None and parent.column() <= NAME and self.shown.count(self.node(parent)) > 0

    def canFetchMore(self, parent: QModelIndex) -> bool:
        return self.shown is not None and self._known(self.node(parent)) < self.shown.count(self.node(parent))

    def fetchMore(self, parent: QModelIndex) -> None:
        node = self.node(parent)
        self._tell(node, self._known(node) + CHUNK)

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:
        group = index.isValid() and index.internalId() >= self.tree.first_group
        return Qt.ItemFlag.ItemIsEnabled if group else Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def quantities(self, indexes: Iterable[QModelIndex]) -> list[str]:
        """What is asked about first of these elements."""
        elements = dict.fromkeys(what for index in indexes if (what := self.element(index)) is not None)
        return [text for what in elements if (text := self._quantity(what))]

    def data(self, index: QModelIndex, role: int = Role.DisplayRole):
        if not index.isValid() or self.tree is None:
            return None
        node = index.internalId()
        if index.column() == EYE:
            return self._eye(node) if role == Role.DecorationRole else "Hide or show" if role == Role.ToolTipRole and self._eye(node) is not None else None
        if role == Role.DisplayRole:
            group = node >= self.tree.first_group
            return f"{self.tree.text(node)}  {self.shown.count(node)}" if group else self.tree.text(node)
        if role == Role.DecorationRole:
            return kind_icon(self.tree.kind(node))
        if role == Role.ToolTipRole:
            return self._tip(node)
        if role == Role.ForegroundRole and (not self.shown.matches[node] or self._out_of_sight(node)):
            return self._faint
        if role == Role.FontRole and node < self.tree.first_group:
            return self._font(self.tree.element(node))
        return None

    def _font(self, what: Element) -> QFont | None:
        """Italic without a name, bold for the active one; None: as usual."""
        if what.name and what != self._active():
            return None
        font = QFont()
        font.setItalic(not what.name)
        font.setBold(what == self._active())
        return font

    def _tip(self, node: int) -> str | None:
        what = self.tree.element(node)
        return f"{what.kind} {what.id}" + (f" {what.name}" if what.name else ", without a name") if what is not None else None

    def _eye(self, node: int):
        what = self.tree.element(node)
        return eye_icon(what not in self._hidden(), DIM) if what is not None and what.kind in self._can_hide else None

    def _out_of_sight(self, node: int) -> bool:
        """Whether it is hidden, by itself or with what is above it."""
        hidden = self._hidden()
        return bool(hidden) and any(self.tree.element(k) in hidden for k in (node, *self.tree.above(node)))
