"""The inspector: all there is to know of what is selected: compiled values, its state now, what it refers to, where it stands in the text."""
from __future__ import annotations

from html import escape

from PyQt6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer
from PyQt6.QtGui import QBrush, QFont, QGuiApplication, QKeySequence, QPalette, QShortcut
from PyQt6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QLabel, QMenu, QStyledItemDelegate, QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from app.context import AppContext
from app.controllers.element_menu import element_menu
from app.controllers.selection import SelectionController
from app.panels.elements.quantities import quantity_of
from app.panels.elements.value_tree import ValueTree
from app.panels.elements.values import Field, data_values, live_field, live_values, model_values, shared_fields, unit_of, watched_fields
from app.panels.elements.tag_text import class_of
from app.panels.in_turn import in_turn_of
from app.panels.live_panel import REFILL_MS, Sight, in_front
from app.session import Session
from editor.widgets.element_icons import SIZE, kind_icon
from physics.model.elements import CONTACT, Element, body_of, contact_number, element
from physics.model.relations import referred_by, refers_to
from physics.runtime.snapshot import Snapshot

NAME, VALUE = range(2)
ELEMENT, EXACT = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
PADDING, ICON = 5, 14      # logical pixels
LONGEST, NAMES = "qfrc_constraint", 0.42      # what names have room for, and the share of the width that they may take
NOW, MODEL, RELATED, INTERNAL, DATA, SELECTED = "Now", "Model", "Related", "Internal", "All of Data", "Selected"
CLOSED = (INTERNAL, DATA)     # at first
MOST_LISTED = 200
OWNER = "inspector"           # of watched fields
EMPTY = ("Nothing is selected.\n\nClick something in the view or in the outliner; Shift adds, Ctrl adds or takes away.\n"
         "A double-click selects the body, to be pulled with Ctrl and the right button.\nShift+B, then a drag, selects by a box.")
NO_CONTACT = "do not touch now"


class InspectorPanel(QWidget):
    """Title with links, below it a table in sections."""

    scrolls = False

    def __init__(self, context: AppContext, selection: SelectionController, session: Session):
        super().__init__()
        self._context, self._selection, self._session = context, selection, session
        self._live: list = []                                   # (item, Value) that follow the state
        self._sections: dict[str, QTreeWidgetItem] = {}
        self._closed = set(CLOSED)                              # sections that the user has closed
        self._stale, self._filling = True, False
        self._width_chosen = False
        self._filled: tuple[Element, ...] = ()                  # what the table is about
        self.icon, self.title, self.empty = QLabel(), QLabel(), QLabel(EMPTY)
        self.title.setTextFormat(Qt.TextFormat.RichText)
        self.title.setWordWrap(True)
        self.title.linkActivated.connect(self._follow)
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.empty.setMargin(8)
        self.empty.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.table = self._make_table()
        head = QHBoxLayout()
        head.setContentsMargins(6, 4, 4, 2)
        head.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        head.addWidget(self.title, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(2)
        layout.addLayout(head)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.empty, 1)
        context.selection_changed.connect(lambda _selection: self._changed())
        self._in_turn = in_turn_of(context)
        context.model_changed.connect(self._model_changed)
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(REFILL_MS)
        self._later.timeout.connect(self._changed)
        context.model_edited.connect(lambda _fields: self._later.start())     # anew: while a drag goes on the picture has the time
        context.snapshot_ready.connect(self._update)
        Sight(self).changed.connect(self._seen_changed)
        self._fill()

    def _make_table(self) -> QTreeWidget:
        table = ValueTree(self._quantity)
        table.setColumnCount(2)
        table.setHeaderHidden(True)
        table.setIndentation(10)
        table.setWordWrap(True)
        self._rows = RoomyRows(table)
        table.setItemDelegate(self._rows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setAlternatingRowColors(True)
        table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        table.customContextMenuRequested.connect(self._show_menu)
        table.header().setSectionResizeMode(NAME, QHeaderView.ResizeMode.Interactive)
        table.header().setSectionResizeMode(VALUE, QHeaderView.ResizeMode.Stretch)
        table.header().sectionResized.connect(self._column_moved)
        table.setIconSize(QSize(ICON, ICON))
        table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        table.itemClicked.connect(self._item_clicked)
        table.itemExpanded.connect(lambda item: self._section_moved(item, True))
        table.itemCollapsed.connect(lambda item: self._section_moved(item, False))
        copy = QShortcut(QKeySequence(QKeySequence.StandardKey.Copy), table)
        copy.setContext(Qt.ShortcutContext.WidgetShortcut)
        copy.activated.connect(self.copy)
        return table

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._suit_names()

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._sections:    # links are coloured by hand
            self._changed()
        elif event.type() == QEvent.Type.FontChange and hasattr(self, "table"):
            self._suit_names()

    def _column_moved(self, *_section: int) -> None:
        self._width_chosen |= QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton and self.table.header().underMouse()
        self.table.scheduleDelayedItemsLayout()

    def _suit_names(self) -> None:
        """Give names the room that they need, and leave most of it to values, unless the user has chosen."""
        if self._width_chosen:
            return
        wanted = self.table.fontMetrics().horizontalAdvance(LONGEST) + 2 * (self.table.indentation() + PADDING)
        self.table.header().resizeSection(NAME, min(wanted, round(NAMES * self.width())))

    # ------------------------------------------------------------------ filling

    def _changed(self) -> None:
        """Something else is selected, or links have another colour. Filled in a turn of its own: what is clicked in the view is marked there first."""
        self._stale = True
        if in_front(self):
            self._in_turn.post(self, self._fill_if_seen)

    def _model_changed(self, _model) -> None:
        """In a turn of its own: opening a model has enough to do in one."""
        self._stale = True
        if in_front(self):
            self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)      # its links are to elements of another Model until then
            self._in_turn.post(self, self._fill_if_seen)

    def _fill_if_seen(self) -> None:
        if not in_front(self):
            return
        if self._stale:
            self._fill()
        else:
            self._watch()
            if self._context.snapshot is not None:
                self._update(self._context.snapshot)

    def _seen_changed(self, seen: bool) -> None:
        if seen:
            self._in_turn.post(self, self._fill_if_seen)
        else:
            self._context.watched.watch(OWNER, ())

    def _fill(self) -> None:
        elements, m = self._context.selection.elements, self._context.model
        self._stale, self._filling = False, True
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, False)
        if elements != self._filled:
            self._filled = elements
            self._rows.forget()
        bar = self.table.verticalScrollBar()
        place = bar.value()
        self.table.clear()
        self._live, self._sections = [], {}
        some = bool(elements) and m is not None
        for widget, there in ((self.empty, not some), (self.table, some), (self.title, some), (self.icon, some)):
            widget.setVisible(there)
        if some and len(elements) == 1:
            self._fill_one(m, elements[0])
        elif some:
            self._fill_several(m, elements)
        self._filling = False
        bar.setValue(place)
        self._watch()
        if self._context.snapshot is not None:
            self._update(self._context.snapshot)

    def _fill_one(self, m, what: Element) -> None:
        self.icon.setPixmap(kind_icon(what.kind).pixmap(SIZE, SIZE))
        self.title.setText(self._heading(m, what))
        now = self._section(NOW) if live_values(what) else None
        for value in live_values(what):
            self._live.append((self._row(now, Field(value.name, value.name, unit_of(m, what, value.unit), value.doc, "")), value))
        self._fields(MODEL, model_values(m, what))
        related = refers_to(m, what) + referred_by(m, what)
        if related:
            section = self._section(RELATED)
            for word, other in related:
                self._link(section, word, other)
        self._fields(INTERNAL, model_values(m, what, internal=True))
        if self._context.snapshot is not None and (values := data_values(m, what, self._context.snapshot)):
            self._fields(DATA, values)

    def _fill_several(self, m, elements: tuple[Element, ...]) -> None:
        kinds: dict[str, int] = {}
        for what in elements:
            kinds[what.kind] = kinds.get(what.kind, 0) + 1
        self.icon.setPixmap(kind_icon(elements[-1].kind).pixmap(SIZE, SIZE))
        self.title.setText(f"<b>{len(elements)} elements</b><br>" + escape(", ".join(f"{count} {kind}" for kind, count in kinds.items())))
        self._fields("In common", shared_fields(m, elements))
        section = self._section(SELECTED)
        for what in elements[::-1][:MOST_LISTED]:
            self._link(section, what.kind, what)

    def _heading(self, m, what: Element) -> str:
        name = escape(what.name) if what.name else "<i>no name</i>"
        number = "" if what.kind == CONTACT else f" {what.id}"
        lines = [f"<b>{escape(str(what)) if what.kind == CONTACT else name}</b>&nbsp; <span>{what.kind}{number}</span>"]
        bodies, body = [], body_of(m, what) if what.kind != "body" else int(m.body_parentid[what.id]) if what.id else 0
        while body:
            bodies.append(body)
            body = int(m.body_parentid[body])
        if bodies:
            lines.append("in " + " / ".join(f'<a href="body:{i}">{escape(m.name("body", i) or f"body {i}")}</a>' for i in bodies[::-1]))
        place = self._selection.place_of(what)
        if place is not None:
            texts = {key: file.text for key, file in self._session.document.files().items()}
            found = class_of(texts, [place, *(self._selection.place_of(element(m, "body", i)) for i in bodies)])
            short = place.file.replace("\\", "/").rsplit("/", 1)[-1]
            lines.append(f'<a href="place:">{escape(short)}:{place.line}</a>' + (f"&nbsp; class {escape(found)}" if found else ""))
        return "<br>".join(lines)

    # ------------------------------------------------------------------ rows

    def _section(self, title: str) -> QTreeWidgetItem:
        item = self._sections[title] = QTreeWidgetItem(self.table, [title])
        font = QFont(self.table.font())
        font.setBold(True)
        item.setFont(NAME, font)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        item.setFirstColumnSpanned(True)
        item.setExpanded(title not in self._closed)
        return item

    def _fields(self, title: str, fields: list[Field]) -> None:
        if fields:
            section = self._section(title)
            for field in fields:
                self._row(section, field)

    def _row(self, section: QTreeWidgetItem, field: Field) -> QTreeWidgetItem:
        item = QTreeWidgetItem(section, [field.name])
        said = [part for part in (field.official if field.official != field.name else "", field.doc, f"[{field.unit}]" if field.unit else "") if part]
        item.setToolTip(NAME, " ".join(said[:1]) + (": " if len(said) > 1 else "") + " ".join(said[1:]))
        set_text(item, field)
        return item

    def _link(self, section: QTreeWidgetItem, word: str, what: Element) -> QTreeWidgetItem:
        item = QTreeWidgetItem(section, [word, what.name or str(what)])
        item.setIcon(VALUE, kind_icon(what.kind))
        item.setForeground(VALUE, QBrush(self.palette().color(QPalette.ColorRole.Link)))
        item.setData(VALUE, ELEMENT, what)
        item.setToolTip(VALUE, f"Select {what}")
        return item

    def _quantity(self, item: QTreeWidgetItem) -> str:
        """The expression of a row's value."""
        elements = self._context.selection.elements
        return quantity_of(self._context.model, elements[0], item.text(NAME)) if item.parent() is not None and len(elements) == 1 and item.data(VALUE, ELEMENT) is None else ""

    # ------------------------------------------------------------------ live

    def _open(self, title: str) -> bool:
        section = self._sections.get(title)
        return section is not None and section.isExpanded()

    def _watch(self) -> None:
        """Ask for fields that snapshots have not, while somebody can see them."""
        elements, m, snapshot = self._context.selection.elements, self._context.model, self._context.snapshot
        wanted = watched_fields(m, elements[0], snapshot) if in_front(self) and self._open(DATA) and len(elements) == 1 and snapshot is not None else ()
        self._context.watched.watch(OWNER, wanted)

    def _update(self, snapshot: Snapshot) -> None:
        elements, m = self._context.selection.elements, self._context.model
        if not in_front(self) or self._stale or len(elements) != 1 or snapshot.model is not m:
            return
        what = elements[0]
        number = contact_number(m, snapshot, what) if what.kind == CONTACT else what.id
        if self._open(NOW):
            for item, value in self._live:
                read = value.read(m, snapshot, number) if number >= 0 else None
                set_text(item, live_field(m, what, value, read) if number >= 0 else Field(value.name, "", "", "", NO_CONTACT))
        if self._open(DATA):
            section = self._sections[DATA]
            for k, field in enumerate(data_values(m, what, snapshot, number)):
                set_text(section.child(k), field)

    def _section_moved(self, item: QTreeWidgetItem, opened: bool) -> None:
        if item.parent() is not None or self._filling:
            return
        self._closed.discard(item.text(NAME)) if opened else self._closed.add(item.text(NAME))
        self._watch()
        if self._context.snapshot is not None:
            self._update(self._context.snapshot)

    # ------------------------------------------------------------------ what the user does

    def _follow(self, link: str) -> None:
        kind, _, number = link.partition(":")
        if kind == "place":
            self._selection.go_to_text()
        else:
            self._context.select_elements((element(self._context.model, kind, int(number)),))

    def _item_clicked(self, item: QTreeWidgetItem, column: int) -> None:
        what = item.data(VALUE, ELEMENT)
        if what is not None and column == VALUE:
            self._context.select_elements((what,))

    def value(self, name: str, section: str = "") -> str:
        """The value shown for a field; '' where there is none."""
        for title, item in self._sections.items():
            for k in range(item.childCount()):
                if item.child(k).text(NAME) == name and section in ("", title):
                    return item.child(k).text(VALUE)
        return ""

    def copy(self, with_names: bool = False) -> None:
        """The selected rows' values on the clipboard, one a line; of several rows with their names."""
        rows = [item for item in self.table.selectedItems() if item.parent() is not None]
        names = with_names or len(rows) > 1
        if rows:
            exact = [item.data(VALUE, EXACT) or item.text(VALUE) for item in rows]
            QGuiApplication.clipboard().setText("\n".join(f"{item.text(NAME)} {text}" if names else text for item, text in zip(rows, exact, strict=True)))

    def menu_at(self, at: QPoint) -> QMenu | None:
        """The menu on a row: of the element that it names, or to copy its value."""
        item = self.table.itemAt(at)
        if item is None or item.parent() is None:
            return None
        what = item.data(VALUE, ELEMENT)
        if what is not None:
            return element_menu(self.table, (what,), self._context, self._selection)
        menu = QMenu(self.table)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Copy value", self.copy)
        menu.addAction("Copy name and value", lambda: self.copy(with_names=True))
        return menu

    def _show_menu(self, at: QPoint) -> None:
        menu = self.menu_at(at)
        if menu is not None:
            menu.popup(self.table.viewport().mapToGlobal(at))


class RoomyRows(QStyledItemDelegate):
    """Rows with some air between them, as high as their values in the width that there is need them, or have needed: values that change all the time
    take a line more and a line less, and rows that move with them cannot be read."""

    def __init__(self, table: QTreeWidget):
        super().__init__(table)
        self._highest: dict[tuple[int, int], int] = {}      # by section and row
        self._room: tuple[int, str] | None = None           # width and font that these heights are for

    def forget(self) -> None:
        """Other rows are shown."""
        self._highest.clear()

    def sizeHint(self, option, index) -> QSize:
        size, table, text = super().sizeHint(option, index), self.parent(), index.data()
        height = option.fontMetrics.height()
        if index.column() == VALUE and text and index.data(ELEMENT) is None:
            room = QRect(0, 0, max(40, table.columnWidth(VALUE) - 2 * PADDING), 10_000)
            height = option.fontMetrics.boundingRect(room, Qt.TextFlag.TextWordWrap.value, text).height()
            if (table.columnWidth(VALUE), option.font.key()) != self._room:
                self._room = table.columnWidth(VALUE), option.font.key()
                self.forget()
            place = index.parent().row(), index.row()
            height = self._highest[place] = max(height, self._highest.get(place, 0))
        return QSize(size.width(), height + PADDING)


def set_text(item: QTreeWidgetItem, field: Field) -> None:
    """Show a value, if it is another one."""
    text = f"{field.text} {field.unit}" if field.unit and field.text else field.text
    if item.text(VALUE) != text or item.data(VALUE, EXACT) != (field.exact or field.text):
        item.setText(VALUE, text)
        item.setData(VALUE, EXACT, field.exact or field.text)
        item.setToolTip(VALUE, f"{field.exact or field.text} {field.unit}".strip())
