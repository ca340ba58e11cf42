"""The outliner: all elements of the model as a tree, with search, a filter by kind, an eye to hide each, selected as in the view."""
from __future__ import annotations

from types import MappingProxyType

from PyQt6.QtCore import QItemSelectionModel, QModelIndex, QSize, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QAction, QInputEvent, QKeySequence, QShortcut
from PyQt6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QLineEdit, QMenu, QToolButton, QTreeView, QVBoxLayout, QWidget

from app.context import AppContext
from app.controllers.element_menu import element_menu
from app.controllers.selection import DRAWN, SelectionController
from app.panels.elements.icons import filter_icon
from app.panels.elements.model import EYE, NAME, NO_INDEX, ElementModel
from app.panels.elements.quantities import quantity_of
from app.panels.elements.tree import GROUPS, IN_BODIES, KINDS, ROOT, ElementTree
from app.panels.live_panel import Sight, in_front
from app.panels.quantity_drag import drag
from editor.widgets.element_icons import SIZE, kind_icon
from editor.widgets.syncing import Syncing
from physics.model.elements import Element

TITLES = MappingProxyType({"joint": "Joints", "geom": "Geoms", "site": "Sites", "camera": "Cameras", "light": "Lights", "body": "Bodies"})
EYE_WIDTH = SIZE + 8
MOST_SELECTED = 2000    # of these the tree shows that they are selected
MOST_OPENED = 20        # of these the tree is opened, so that their rows are seen
OPENED = 300            # rows that a search opens the tree for
FEW = 6                 # bodies of the world that are open at first
FILTER_MS = 80          # after a key
LETTERS = 18            # that it has room for at the least, whatever else needs room


class OutlinerPanel(QWidget):
    """Search field, filter, tree. Other panels' rows come from `tree.model()`."""

    scrolls = False

    def __init__(self, context: AppContext, selection: SelectionController):
        super().__init__()
        self._context, self._selection = context, selection
        self._syncing = Syncing()
        self._told: frozenset = frozenset()     # of what is selected: that whose rows are
        self._structure: tuple | None = None
        self._open: set[tuple] = {("body", "world")}
        self._kinds = set(KINDS)
        self.model = ElementModel(lambda: context.options.hidden, DRAWN, self._active, self, lambda what: quantity_of(context.model, what))
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search")
        self.search.setClearButtonEnabled(True)
        self.tree = Tree(self.model)
        self._filtering = QTimer(self)
        self._filtering.setSingleShot(True)
        self._filtering.setInterval(FILTER_MS)
        self._filtering.timeout.connect(self._filter)
        line = QHBoxLayout()
        line.setSpacing(2)
        line.addWidget(self.search, 1)
        line.addWidget(self._make_filter())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(2)
        layout.addLayout(line)
        layout.addWidget(self.tree, 1)
        self._connect()
        if context.model is not None:
            self._model_changed(context.model)

    def minimumSizeHint(self) -> QSize:
        return super().minimumSizeHint().expandedTo(QSize(LETTERS * self.fontMetrics().averageCharWidth(), 0))

    def _active(self) -> Element | None:
        """The last of several that are selected, which the inspector's icon and the view's pulling are about."""
        selection = self._context.selection
        return selection.active if len(selection.elements) > 1 else None

    def _make_filter(self) -> QToolButton:
        button, menu = QToolButton(), QMenu(self)
        button.setIcon(filter_icon())
        button.setAutoRaise(True)
        button.setToolTip("Kinds that are shown")
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setMenu(menu)
        menu.addAction("All", lambda: self.show_kinds(KINDS))
        menu.addSeparator()
        titles = {**TITLES, **dict(GROUPS)}
        self.kind_actions: dict[str, QAction] = {}
        for kind in ("body", *(kind for kind in IN_BODIES if kind != "body"), *(kind for kind, _title in GROUPS)):
            action = self.kind_actions[kind] = menu.addAction(kind_icon(kind), titles[kind])
            action.setCheckable(True)
            action.setChecked(True)
            action.toggled.connect(lambda on, kind=kind: self._kind_toggled(kind, on))
        self.filter_button = button
        return button

    def _connect(self) -> None:
        context, tree = self._context, self.tree
        self.search.textChanged.connect(lambda _text: self._filtering.start())
        self.search.returnPressed.connect(self._take_first)
        QShortcut(QKeySequence("Esc"), self.search, self.search.clear, context=Qt.ShortcutContext.WidgetShortcut)
        tree.expanded.connect(lambda index: self._opened(index, True))
        tree.collapsed.connect(lambda index: self._opened(index, False))
        tree.eye_clicked.connect(self._eye_clicked)
        tree.typed.connect(self._typed)
        tree.doubleClicked.connect(lambda index: self._selection.frame((what,)) if (what := self.model.element(index)) is not None else None)
        tree.customContextMenuRequested.connect(self._show_menu)
        for keys, handler in ((".", self._selection.frame), ("Shift+F", self._selection.frame), ("Shift+H", self._selection.toggle_hidden),
                              ("Shift+I", self._selection.isolate)):
            shortcut = QShortcut(QKeySequence(keys), tree)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(lambda handler=handler: handler())
        context.model_changed.connect(self._model_changed)
        context.selection_changed.connect(self._show_selection)
        Sight(self).changed.connect(self._seen_changed)
        context.selection_changed.connect(lambda _selection: tree.viewport().update())     # the active one is another
        context.options_changed.connect(tree.viewport().update)

    # ------------------------------------------------------------------ what is shown

    def _model_changed(self, model) -> None:
        tree = ElementTree(model)
        structure = tree.structure
        if structure == self._structure:
            self.model.take(tree)
            return
        if self._structure is None:
            bodies = [tree.start["body"] + i for i in range(1, model.nbody) if not model.body_parentid[i]]
            self._open |= {tree.key(node) for node in bodies if len(bodies) <= FEW}
        self._structure = structure
        self._show(tree)

    @property
    def filtered(self) -> bool:
        """Whether a part of the tree is shown only."""
        return bool(self.search.text().split()) or self._kinds != set(KINDS)

    def show_kinds(self, kinds) -> None:
        """Show these kinds alone, with what they are in."""
        self._kinds = set(kinds)
        for kind, action in self.kind_actions.items():
            action.blockSignals(True)
            action.setChecked(kind in self._kinds)
            action.blockSignals(False)
        self._filter()

    def _kind_toggled(self, kind: str, on: bool) -> None:
        self._kinds = self._kinds | {kind} if on else self._kinds - {kind}
        self._filter()

    def _filter(self) -> None:
        if self.model.tree is not None:
            self._show(self.model.tree)

    def _show(self, tree: ElementTree) -> None:
        with self._syncing:
            self.model.show(tree, tree.search(self.search.text(), self._kinds))
            self._open_found() if self.search.text().split() else self._open_again()
        self._show_selection(self._context.selection)

    def _open_found(self) -> None:
        """Open the tree from the top until there are so many rows."""
        shown, level, rows = self.model.shown, [ROOT], 0
        while level and rows < OPENED:
            below = []
            for node in level:
                if node != ROOT:
                    self.tree.expand(self.model.index_of(node))
                rows += shown.count(node)
                below += [shown.child(node, row) for row in range(min(shown.count(node), OPENED)) if shown.count(shown.child(node, row))]
                if rows >= OPENED:
                    break
            level = below

    def _open_again(self) -> None:
        """Open what the user had open."""
        tree, shown, level = self.model.tree, self.model.shown, [ROOT]
        while level:
            below = [child for node in level for child in shown.children[shown.first[node + 1]:shown.first[node + 2]].tolist()
                     if shown.count(child) and tree.key(child) in self._open]
            for node in below:
                self.tree.expand(self.model.index_of(node))
            level = below

    def _opened(self, index: QModelIndex, on: bool) -> None:
        if self._syncing or self.search.text().split():
            return
        key = self.model.tree.key(self.model.node(index))
        self._open.add(key) if on else self._open.discard(key)

    # ------------------------------------------------------------------ the selection, both ways

    def selection_edited(self) -> None:
        """The user has selected rows; with Ctrl or Shift beside what is selected but has no selected row: the filter hides it, or it is one of too many."""
        if self._syncing or self.model.tree is None:
            return
        chosen = [self.model.element(index) for index in self.tree.selectionModel().selectedRows(NAME)]
        fresh, before = frozenset(chosen), self._context.selection.elements
        adding, told = self.tree.adding, self._told
        kept = [what for what in before if what in fresh or adding and what not in told]
        there = frozenset(kept)
        active = self.model.element(self.tree.currentIndex())
        ordered = kept + [what for what in chosen if what not in there]
        if active in fresh:
            ordered = [what for what in ordered if what != active] + [active]
        self._told = fresh
        with self._syncing:
            self._context.select_elements(ordered)

    def _show_selection(self, selection) -> None:
        tree = self.model.tree
        if self._syncing or tree is None:
            return
        nodes = [node for what in selection.elements[-MOST_SELECTED:] if (node := tree.node(what)) is not None and self.model.shown.row[node] >= 0]
        self._told = frozenset(map(tree.element, nodes))
        with self._syncing:
            chooser = self.tree.selectionModel()
            if not nodes:
                chooser.clearSelection()
                return
            if in_front(self):
                for node in nodes[-MOST_OPENED:]:
                    for above in reversed(tree.above(node)):
                        self.tree.expand(self.model.index_of(above))
            chooser.select(self.model.selection_of(nodes), QItemSelectionModel.SelectionFlag.ClearAndSelect)
            active = self.model.index_of(nodes[-1])
            chooser.setCurrentIndex(active, QItemSelectionModel.SelectionFlag.NoUpdate)
            if in_front(self):
                self.tree.scrollTo(active, QAbstractItemView.ScrollHint.EnsureVisible)

    def _seen_changed(self, seen: bool) -> None:
        if seen:
            self._show_selection(self._context.selection)

    # ------------------------------------------------------------------ what the user does

    def _take_first(self) -> None:
        """Return in the search field: select the first match."""
        self._filtering.stop()
        self._filter()
        shown = self.model.shown
        found = next((int(node) for node in shown.children if shown.matches[node] and node < self.model.tree.first_group), None) if shown is not None else None
        if found is not None:
            self._context.select_elements((self.model.tree.element(found),))

    def _typed(self, text: str) -> None:
        self.search.setText(self.search.text() + text)
        self.search.setFocus()

    def _eye_clicked(self, index: QModelIndex) -> None:
        what = self.model.element(index)
        if what is not None and what.kind in DRAWN:
            chosen = self._context.selection.elements
            self._selection.toggle_hidden(chosen if what in chosen else (what,))

    def menu_at(self, index: QModelIndex) -> QMenu | None:
        """The menu on a row: on one that is selected, of all that is selected."""
        what, chosen = self.model.element(index), self._context.selection.elements
        if what is None:
            return None
        return element_menu(self.tree, chosen if what in chosen else (what,), self._context, self._selection)

    def _show_menu(self, at) -> None:
        menu = self.menu_at(self.tree.indexAt(at))
        if menu is not None:
            menu.popup(self.tree.viewport().mapToGlobal(at))


class Tree(QTreeView):
    """The tree's view. Signals: eye_clicked(index); typed(text): keys that are meant for the search field."""

    eye_clicked, typed = pyqtSignal(QModelIndex), pyqtSignal(str)

    def __init__(self, model: ElementModel):
        super().__init__()
        self.adding = False     # whether the last choice of rows was made with Ctrl or Shift
        self._pressed = NO_INDEX    # where the mouse was pressed
        self.setModel(model)
        self.setHeaderHidden(True)
        self.setUniformRowHeights(True)
        self.setIndentation(11)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setExpandsOnDoubleClick(False)
        self.setAllColumnsShowFocus(True)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header = self.header()
        header.setStretchLastSection(False)
        header.setMinimumSectionSize(EYE_WIDTH)
        header.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(EYE, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(EYE, EYE_WIDTH)
        self.verticalScrollBar().valueChanged.connect(lambda _value: self._fetch_seen())

    def selectionCommand(self, index, event=None):
        if isinstance(event, QInputEvent):      # Qt asks again without
            self.adding = bool(event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier))
        return super().selectionCommand(index, event)

    def selectAll(self) -> None:
        self.adding = False
        super().selectAll()

    def selectionChanged(self, selected, deselected) -> None:
        super().selectionChanged(selected, deselected)
        panel = self.parent()
        if isinstance(panel, OutlinerPanel):
            panel.selection_edited()

    def mousePressEvent(self, event) -> None:
        index = self._pressed = self.indexAt(event.position().toPoint())
        if index.isValid() and index.column() == EYE and event.button() == Qt.MouseButton.LeftButton:
            self.eye_clicked.emit(index)
        elif event.button() != Qt.MouseButton.RightButton:   # a right click asks for a menu and selects nothing
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event) -> None:
        """Dragged out of the tree, an element goes where quantities are taken; inside, a drag selects rows."""
        at = event.position().toPoint()
        if self._pressed.isValid() and event.buttons() == Qt.MouseButton.LeftButton and not 0 <= at.x() < self.viewport().width():
            texts = self.model().quantities([self._pressed])
            self._pressed = NO_INDEX
            if texts:
                drag(self, texts)
                return
        super().mouseMoveEvent(event)

    def keyboardSearch(self, text: str) -> None:
        if text.strip():
            self.typed.emit(text)

    def _fetch_seen(self) -> None:
        """Let the view know more siblings where the last known one has come into sight."""
        model, index = self.model(), self.indexAt(self.viewport().rect().topLeft())
        bottom = self.viewport().height()
        while index.isValid() and self.visualRect(index).top() <= bottom:
            parent = index.parent()
            if index.row() == model.rowCount(parent) - 1 and model.canFetchMore(parent):
                model.fetchMore(parent)
            index = self.indexBelow(index)
