"""The document's tree: what the texts hold, section by section, with search, problems at their elements, and the operations on it by menu, keys and mouse.

    document.version() -> Outline -> OutlineModel -> TreeView        rows selected <-> DocumentSelection        menu, keys, drops -> Operations -> session.edit
"""
from __future__ import annotations

from collections.abc import Iterator

from PyQt6.QtCore import QItemSelection, QItemSelectionModel, QModelIndex, QPoint, QSize, Qt, QTimer
from PyQt6.QtGui import QKeySequence, QShortcut
from PyQt6.QtWidgets import QAbstractItemView, QHBoxLayout, QLabel, QLineEdit, QMenu, QToolButton, QVBoxLayout, QWidget

from editor.structure.outline import Node, Outline
from editor.tree.menu import fill_add_menu, fill_element_menu, fill_include_menu
from editor.tree.model import OutlineModel
from editor.tree.operations import Operations
from editor.tree.view import TreeView
from editor.widgets.element_icons import kind_icon
from editor.widgets.note_area import NoteArea
from editor.widgets.syncing import Syncing

__all__ = ["DocumentPanel"]

REFRESH_MS = 60         # after an edit; while a drag makes many, at its end
FILTER_MS = 80          # after a key
LETTERS = 18            # that it has room for at the least
MOST_OPENED = 20        # of what is selected the tree is opened, so that their rows are seen
OPENED = 300            # rows that a search opens the tree for
FIRST_OPEN = ("worldbody",)
NO_XML = "The text is no XML yet"
AS_BEFORE = "The tree shows the text as it was before; Properties and handles still change elements whose own text can be read"


class DocumentPanel(QWidget):
    """session, selection: of the window; operations: what is done to the document."""

    scrolls = False

    def __init__(self, session, selection, operations: Operations):
        super().__init__()
        self._session, self._selection, self.operations = session, selection, operations
        self._syncing, self._open, self._shown_of, self._stale = Syncing(), set(), None, True
        self.model, self.search, self.banner, self.note = OutlineModel(self), QLineEdit(), QLabel(), QLabel()
        self._told_broken = ""      # the line of a text that is no XML: it goes when that is mended
        self._shown_selection: tuple = ()       # (outline, ids, whether seen) of the rows that are selected
        self.tree = TreeView(self.model)
        self._refreshing, self._filtering = self._timer(REFRESH_MS, self.refresh), self._timer(FILTER_MS, self._rebuild)
        self._telling = self._timer(REFRESH_MS, self._show_banner)
        self._shown_ids: tuple[int, ...] = ()       # those that were brought into sight last
        self._lay_out()
        self._connect()
        self.refresh()

    def _timer(self, ms: int, do) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(True)
        timer.setInterval(ms)
        timer.timeout.connect(do)
        return timer

    def _lay_out(self) -> None:
        self.search.setPlaceholderText("Search")
        self.search.setToolTip("Words in names, tags, classes and types; class:, type: and name: look there alone")
        self.search.setClearButtonEnabled(True)
        self.add_button = QToolButton()
        self.add_button.setText("Add")
        self.add_button.setToolTip("Add an element to what is selected, or to a section of the model")
        self.add_button.clicked.connect(lambda: self.show_add_menu(self.add_button.mapToGlobal(self.add_button.rect().bottomLeft())))
        self.local_button = QToolButton()
        self.local_button.setIcon(kind_icon("frame"))
        self.local_button.setCheckable(True)
        self.local_button.setAutoRaise(True)
        self.local_button.setToolTip("What is moved keeps the numbers of its pose; off: its place in the world (Alt while dropping: the other way)")
        self.banner.setToolTip("What an edit of the selected element changes beyond it")
        for label in (self.banner, self.note):
            label.setWordWrap(True)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            label.setMargin(4)
        self.banner.hide()
        self._note_area = NoteArea(self.note)
        self.banner.setFrameShape(QLabel.Shape.StyledPanel)
        line = QHBoxLayout()
        line.setSpacing(2)
        line.addWidget(self.search, 1)
        line.addWidget(self.local_button)
        line.addWidget(self.add_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(2)
        layout.addLayout(line)
        layout.addWidget(self.tree, 1)
        layout.addWidget(self.banner)
        layout.addWidget(self._note_area)

    def _connect(self) -> None:
        session, tree, operations = self._session, self.tree, self.operations
        session.edited.connect(lambda _edit: self._changed())
        for signal in (session.files_changed, session.document_opened):
            signal.connect(self._changed)
        session.issues_changed.connect(lambda _issues: self._show_problems())
        self._selection.changed.connect(self._show_selection)
        self.search.textChanged.connect(lambda _text: self._filtering.start())
        QShortcut(QKeySequence("Esc"), self.search, self.search.clear, context=Qt.ShortcutContext.WidgetShortcut)
        tree.typed.connect(self._typed)
        tree.hinted.connect(self.tell)
        tree.expanded.connect(lambda index: self._opened(index, True))
        tree.collapsed.connect(lambda index: self._opened(index, False))
        tree.doubleClicked.connect(self._double_clicked)
        tree.customContextMenuRequested.connect(self._show_menu)
        tree.selectionModel().selectionChanged.connect(lambda _new, _old: self._rows_selected())
        operations.told.connect(self.tell)
        self.model.dropped.connect(lambda numbers, parent, before: operations.move(numbers, parent, before, local=self._local()))
        self.model.files_dropped.connect(operations.drop_files)
        self.model.renamed.connect(operations.rename)
        tree.bind({"Del": operations.delete, "Ctrl+D": operations.duplicate, "Ctrl+C": operations.copy, "Ctrl+X": operations.cut, "Ctrl+V": operations.paste,
                   "Ctrl+G": lambda: operations.wrap("frame"), "Alt+Up": lambda: operations.nudge(-1), "Alt+Down": lambda: operations.nudge(1),
                   "F2": self.rename, "Return": self._show_active, "Shift+A": self.show_add_menu,
                   "Ctrl+Z": self._session.undo, "Ctrl+Shift+Z": self._session.redo, "Ctrl+Y": self._session.redo})

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().expandedTo(QSize(LETTERS * self.fontMetrics().averageCharWidth(), 0))

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._telling.start()
        if self._stale:
            self.refresh()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._note_area.fit()

    def tell(self, text: str) -> None:
        """A line below the tree, none for ''."""
        self._told_broken = text if self.operations.broken else ""
        self._note_area.say(text)

    # ------------------------------------------------------------------ what is shown

    def _changed(self) -> None:
        self._stale = True
        if self.isVisible():
            self._refreshing.start()

    def refresh(self) -> None:
        """Show the present texts; those that are no XML leave the last ones that were."""
        self._refreshing.stop()
        self._stale = not self.isVisible() and self.model.outline is not None
        if self._stale:
            return
        document = self._session.document
        self.model.editable = not document.sealed
        version = document.version() if not document.compiled else None
        as_before = version is not None and not document.last_good.current and self._shown_of == document.key
        if version is None or (version.root is None and not as_before):
            self._shown_of = document.key
            self.model.show(None, {})
            self.tell(document.sealed or self.operations.why_broken or NO_XML)
            return
        if as_before:
            self.tell(f"{self.operations.why_broken}. {AS_BEFORE}")
            self._show_problems()
            return
        if self._shown_of != document.key:
            self._shown_of, self._open = document.key, set()
            self._open |= {one.id for one in version.root.children if one.tag in FIRST_OPEN}
        if self.note.text() in (NO_XML, self._told_broken):
            self.tell("")
        if self.model.outline is None or version is not self.model.outline.version:
            self._show(Outline(version, self.search.text()))
        if self.operations.broken:      # from the start: there is no tree of before
            self.tell(self.operations.why_broken)

    def _rebuild(self) -> None:
        """Another search."""
        if self.model.outline is not None:
            self._show(Outline(self.model.outline.version, self.search.text()))

    def _show(self, outline: Outline) -> None:
        at = self.tree.verticalScrollBar().value()
        with self._syncing:
            self.model.show(outline, outline.problems(self._session.issues))
            self._open_found(outline) if outline.matches is not None else self._open_again(outline.root)
        self.tree.verticalScrollBar().setValue(at)
        self._show_selection()

    def _show_problems(self) -> None:
        if self.model.outline is not None and self.isVisible():
            self.model.show_problems(self.model.outline.problems(self._session.issues))
            self.tree.viewport().update()

    def _open_again(self, node: Node) -> None:
        for child in node.children if node.parent is None or node.key in self._open else ():
            if child.key in self._open:
                self.tree.expand(self.model.index_of(child))
                self._open_again(child)

    def _open_found(self, outline: Outline) -> None:
        """Open the tree from the top until there are so many rows."""
        level, rows = [outline.root], 0
        while level and rows < OPENED:
            below = []
            for node in level:
                self.tree.expand(self.model.index_of(node))
                rows += len(node.children)
                below += [child for child in node.children if child.children]
            level = below

    def _opened(self, index: QModelIndex, on: bool) -> None:
        if not self._syncing and self.model.outline.matches is None:
            key = self.model.node(index).key
            self._open.add(key) if on else self._open.discard(key)

    # ------------------------------------------------------------------ the selection, both ways

    @property
    def active(self) -> int | None:
        """Id of the element whose row was selected last."""
        ids = self._selection.ids
        return ids[-1] if ids else None

    def _rows_selected(self) -> None:
        if self._syncing:
            return
        numbers = [number for index in self.tree.selectionModel().selectedRows() if (number := self.model.number(index)) is not None]
        current = self.model.number(self.tree.currentIndex())
        if current in numbers:
            numbers = [number for number in numbers if number != current] + [current]
        self._shown_selection = ()
        with self._syncing:
            self._selection.select(numbers)
        self._telling.start()

    def _show_selection(self) -> None:
        if self._syncing:
            return
        self._telling.start()
        what = self.model.outline, self._selection.ids, self.isVisible()
        if self.model.outline is None or what == self._shown_selection:
            return      # the last: an edit of what is selected
        self._shown_selection = what
        with self._syncing:
            chooser, found, rows = self.tree.selectionModel(), QItemSelection(), {}
            ids, last = self._selection.ids, None
            show = ids != self._shown_ids and self.isVisible()      # after an edit of them what is folded stays so
            for k, number in enumerate(ids):
                index = self.model.index_of_number(number)
                if not index.isValid():
                    continue
                if len(ids) - k <= MOST_OPENED and show:
                    for above in index.internalPointer().above()[1:]:
                        self.tree.expand(self.model.index_of(above))
                        self._open.add(above.key)
                rows.setdefault(index.internalPointer().parent, []).append(index.row())
                last = index
            for node, chosen in rows.items():
                for first, end in _runs(sorted(chosen)):
                    found.select(self.model.index_of(node.children[first]), self.model.index_of(node.children[end]))
            chooser.select(found, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            if show and (last is not None or not ids):
                self._shown_ids = ids
            if last is not None:
                chooser.setCurrentIndex(last, QItemSelectionModel.SelectionFlag.NoUpdate)
                if show:
                    self.tree.scrollTo(last, QAbstractItemView.ScrollHint.EnsureVisible)

    def _show_banner(self) -> None:
        """What is said of the active element."""
        said = self._selection.banner() if self.isVisible() else ""
        if said != self.banner.text():
            self.banner.setText(said)
            self.banner.setVisible(bool(said))

    # ------------------------------------------------------------------ what the user does

    def _local(self) -> bool:
        """Whether the drop keeps numbers: Alt turns the button round."""
        return self.tree.local != self.local_button.isChecked()

    def _typed(self, text: str) -> None:
        self.search.setText(self.search.text() + text)
        self.search.setFocus()

    def _double_clicked(self, index: QModelIndex) -> None:
        number, node = self.model.number(index), self.model.node(index)
        if number is not None:
            self.operations.show_text(number)
        elif node is not None and node.place is not None:
            self.operations.place_wanted.emit(node.place)

    def _show_active(self) -> None:
        if self.active is not None:
            self.operations.show_text(self.active)

    def rename(self) -> None:
        """Edit the name in the active row."""
        index = self.model.index_of_number(self.active) if self.active is not None else QModelIndex()
        if index.isValid():
            self.tree.edit(index)

    def menu_at(self, index: QModelIndex) -> QMenu | None:
        """The menu on a row: on one that is selected, of all that is selected."""
        node = self.model.node(index)
        if node is None or not self.model.editable:
            return None
        menu = QMenu(self.tree)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if node.element is None:
            return fill_include_menu(menu, self.operations, node.tag) if node.tag is not None else None
        if not index.isValid():
            return fill_add_menu(menu, self.operations, None)
        return fill_element_menu(menu, self.operations, node.element.id, self.rename)

    def _show_menu(self, at) -> None:
        menu = self.menu_at(self.tree.indexAt(at))
        if menu is not None:
            menu.popup(self.tree.viewport().mapToGlobal(at))

    def show_add_menu(self, at: QPoint | None = None) -> QMenu:
        """The menu of what can be added to what is selected, at its row."""
        menu = QMenu(self.tree)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_add_menu(menu, self.operations, self.active)
        box = self.tree.visualRect(self.tree.currentIndex())
        menu.popup(at or self.tree.viewport().mapToGlobal(box.bottomLeft()))
        return menu


def _runs(rows: list[int]) -> Iterator[tuple[int, int]]:
    """First and last of rows that follow each other, of rows in their order: Qt compares each piece of a selection with each other one."""
    start = 0
    for k in range(1, len(rows) + 1):
        if k == len(rows) or rows[k] != rows[k - 1] + 1:
            yield rows[start], rows[k - 1]
            start = k
