"""The outline of the document for Qt's views: rows made when they are opened, drags of elements, drops where the language lets them stand."""
from __future__ import annotations

from collections.abc import Mapping

from PyQt6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QObject, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFont

from editor.edits.version import outward
from editor.structure.draft import outermost
from editor.structure.legality import path_of_kind, why_not
from editor.structure.outline import Node, Outline
from editor.widgets.element_icons import DIM, ERROR, WARNING, kind_icon
from physics.errors import Issue
from physics.schema import schema

__all__ = ["MIME", "NO_INDEX", "OutlineModel"]

MIME = "application/x-linkwork-elements"      # ids of this process, so of this window's document
MESHES, MODELS = (".stl", ".obj", ".msh"), (".xml", ".mjcf", ".urdf")
NO_INDEX = QModelIndex()
Role = Qt.ItemDataRole


class OutlineModel(QAbstractItemModel):
    """outline: None while there is no document to show. Signals: dropped(ids, id of the new parent, id of the child before which they come or None); files_dropped(paths, id);
    renamed(id, name)."""

    dropped, files_dropped, renamed = pyqtSignal(tuple, int, object), pyqtSignal(tuple, int), pyqtSignal(int, str)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.outline: Outline | None = None
        self.problems: Mapping[int, Issue] = {}
        self.below: Mapping[int, str] = {}      # severity of the worst that an element holds somewhere
        self.editable = True
        self._faint = QColor(DIM)

    def show(self, outline: Outline | None, problems: Mapping[int, Issue]) -> None:
        """Another outline."""
        self.beginResetModel()
        self.outline = outline
        self._take_problems(problems)
        self.endResetModel()

    def show_problems(self, problems: Mapping[int, Issue]) -> None:
        """Other marks on the same outline, which are seen when the rows are painted again."""
        self._take_problems(problems)

    def _take_problems(self, problems: Mapping[int, Issue]) -> None:
        self.problems, below = problems, {}
        version = self.outline.version if self.outline is not None else None
        for number, issue in problems.items():
            node = version.element(number) if version is not None else None
            while node is not None:
                if below.get(node.id) != "error":
                    below[node.id] = issue.severity
                node = version.parent(node.id)
        self.below = below

    # ------------------------------------------------------------------ nodes and indices

    def node(self, index: QModelIndex) -> Node | None:
        """The node at an index; the root for an invalid one."""
        if self.outline is None:
            return None
        return index.internalPointer() if index.isValid() else self.outline.root

    def number(self, index: QModelIndex) -> int | None:
        """The id of the element at an index; None for an include, and nothing."""
        node = self.node(index) if index.isValid() else None
        return node.element.id if node is not None and node.element is not None else None

    def index_of(self, node: Node | None) -> QModelIndex:
        """Index of a node; an invalid one for the root."""
        return NO_INDEX if node is None or node.parent is None else self.createIndex(node.row, 0, node)

    def index_of_number(self, number: int) -> QModelIndex:
        """Index of an element; an invalid one where it is not shown."""
        return self.index_of(self.outline.node(number)) if self.outline is not None else NO_INDEX

    # ------------------------------------------------------------------ what Qt asks

    def index(self, row: int, column: int, parent: QModelIndex = NO_INDEX) -> QModelIndex:
        node = self.node(parent)
        if node is None or column or not 0 <= row < len(node.children):
            return QModelIndex()
        return self.createIndex(row, 0, node.children[row])

    def parent(self, index: QModelIndex) -> QModelIndex:
        return self.index_of(index.internalPointer().parent) if index.isValid() else QModelIndex()

    def rowCount(self, parent: QModelIndex = NO_INDEX) -> int:
        node = self.node(parent)
        return len(node.children) if node is not None else 0

    def hasChildren(self, parent: QModelIndex = NO_INDEX) -> bool:
        node = self.node(parent)
        return node is not None and node.holds_any and (self.outline.matches is None or bool(node.children))

    def columnCount(self, parent: QModelIndex = NO_INDEX) -> int:
        return 1

    def flags(self, index: QModelIndex) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if not index.isValid():
            return Qt.ItemFlag.ItemIsDropEnabled
        node = index.internalPointer()
        if self.editable and node.element is not None:
            flags |= Qt.ItemFlag.ItemIsDropEnabled | Qt.ItemFlag.ItemIsDragEnabled
            if "name" in _attributes(node) or node.element.tag == "default":
                flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: QModelIndex, role: int = Role.DisplayRole):
        if not index.isValid() or self.outline is None:
            return None
        node: Node = index.internalPointer()
        if role == Role.DisplayRole:
            return f"{node.title}   {node.detail}" if node.detail else node.title
        if role == Role.EditRole:
            return node.element.attrs.get("class" if node.element.tag == "default" else "name", "") if node.element is not None else ""
        if role == Role.DecorationRole:
            return kind_icon(node.kind, self._mark(node))
        if role == Role.ToolTipRole:
            return self._tip(node)
        if role == Role.ForegroundRole and self.outline.matches is not None and (node.element is None or node.element.id not in self.outline.matches):
            return self._faint
        if role == Role.FontRole and not node.named:
            font = QFont()
            font.setItalic(True)
            return font
        return None

    def _mark(self, node: Node) -> str:
        severity = self.below.get(node.element.id, "") if node.element is not None else next((self.below[e.id] for e in node.inside if e.id in self.below), "")
        return {"error": ERROR, "view": ERROR, "warning": WARNING}.get(severity, "")

    def _tip(self, node: Node) -> str:
        if node.element is None:
            return f"include of {node.tag.included if node.tag is not None else ''}\nline {node.place.line} of {node.place.file}"
        element = node.element
        lines = [f"{element.tag} {element.name}".strip(), *filter(None, (node.detail,)), f"line {element.origin.line} of {element.origin.file}"]
        lines += [f"{name}: {element.attrs[name]}" for name in ("class", "childclass") if name in element.attrs and element.tag != "default"]
        if element.id in self.problems:
            issue = self.problems[element.id]
            lines.append(f"{issue.severity}: {issue.what}" + (f". {issue.hint}" if issue.hint else ""))
        return "\n".join(lines)

    def setData(self, index: QModelIndex, value, role: int = Role.EditRole) -> bool:
        number = self.number(index)
        if role != Role.EditRole or number is None or str(value) == self.data(index, Role.EditRole):
            return False
        self.renamed.emit(number, str(value).strip())
        return False    # the row changes when the text has

    # ------------------------------------------------------------------ drag and drop

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction | Qt.DropAction.CopyAction

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.MoveAction

    def mimeTypes(self) -> list[str]:
        return [MIME, "text/uri-list"]

    def mimeData(self, indexes) -> QMimeData:
        data = QMimeData()
        numbers = [str(number) for index in indexes if (number := self.number(index)) is not None]
        data.setData(MIME, " ".join(numbers).encode())
        return data

    def dragged(self, data: QMimeData) -> tuple[int, ...]:
        """Ids of the elements that are dragged, those that stand in others left out."""
        if self.outline is None or not data.hasFormat(MIME):
            return ()
        return tuple(outermost(self.outline.version, map(int, bytes(data.data(MIME)).decode().split())))

    @staticmethod
    def files(data: QMimeData) -> tuple[str, ...]:
        """Files that are dragged and that mean something here."""
        return tuple(url.toLocalFile() for url in data.urls() if url.isLocalFile() and url.toLocalFile().lower().endswith(MESHES + MODELS))

    def place(self, row: int, parent: QModelIndex) -> tuple[int, int | None] | None:
        """Where a drop goes: (id of the new parent, id of the child before which it comes, None behind all)."""
        node = self.node(parent)
        if node is None:
            return None
        children = node.children
        before = None
        if 0 <= row < len(children):
            following = children[row]
            before = following.element.id if following.element is not None else following.inside[0].id
        holder = node
        while holder is not None and holder.element is None:     # into an include: behind what it brings
            holder = holder.parent
        return (holder.element.id, before) if holder is not None else None

    def why_no_drop(self, data: QMimeData, row: int, parent: QModelIndex) -> str:
        """Why what is dragged cannot be dropped at a place, '' where it can."""
        place = self.place(row, parent)
        if place is None or not self.editable:
            return "Nothing can be changed here"
        version = self.outline.version
        if files := self.files(data):
            return why_not(version, place[0], "geom" if files[0].lower().endswith(MESHES) else "attach")
        numbers = self.dragged(data)
        if not numbers:
            return "Nothing is dragged that can stand here"
        if any(node.id in numbers for node in outward(version, place[0])):
            return "An element cannot be moved into itself"
        return next((reason for number in numbers if (reason := why_not(version, place[0], version.element(number).tag, numbers))), "")

    def canDropMimeData(self, data, action, row: int, column: int, parent: QModelIndex) -> bool:
        return not self.why_no_drop(data, row, parent)

    def dropMimeData(self, data, action, row: int, column: int, parent: QModelIndex) -> bool:
        place = self.place(row, parent)
        if place is None or self.why_no_drop(data, row, parent):
            return False
        if files := self.files(data):
            self.files_dropped.emit(files, place[0])
        else:
            self.dropped.emit(self.dragged(data), *place)
        return False    # the rows come with the texts: the view is to take none away


def _attributes(node: Node):
    path = path_of_kind(node.outline.version, node.element.id)
    spec = schema.lookup(path) if path else None
    known = spec.attributes.get("name") if spec is not None else None
    return ("name",) if known is not None and known.type == "id" else ()
