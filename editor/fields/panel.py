"""The panel "Properties": the attributes of what is selected in the document, each to be changed in place; settings and default classes by a chooser, without a selection."""
from __future__ import annotations

from dataclasses import replace
from html import escape
from pathlib import Path

from PyQt6.QtCore import QEvent, Qt, QTimer
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QLineEdit, QMenu, QScrollArea, QToolButton, QVBoxLayout, QWidget

from editor.fields.changes import FieldChanges, names_in
from editor.fields.class_dialog import ClassDialog
from editor.fields.editors import OrientationEditor, ReferenceEditor
from editor.fields.form import Form
from editor.fields.number_field import NumberField, PlainField
from editor.fields.picking import Picking
from editor.fields.reference_editor import ReferenceBox
from editor.fields.row_view import RowView
from editor.inspect import orientation
from editor.inspect.class_edits import class_choices, push_to_class
from editor.inspect.compiled import Compiled, Fact, compiled_values, facts
from editor.inspect.groups import component_names
from editor.inspect.reach import reach_of
from editor.inspect.rows import ORIENTATION, Row, rows, turn_of
from editor.inspect.sections import choices, default_choices
from editor.inspect.subject import MISSING, OWN, Reading, Source, Subject
from editor.inspect.units import unit_of
from physics.spec.asset_folders import AssetFolders

TYPING_MS, MODEL_MS = 150, 250      # after which what was typed in the text, or came into the Model, is shown
DRAG_MS = 150       # between two motions of a drag that are shown
KEPT = 4            # forms that are kept for elements of other kinds: each is 100 to 200 widgets, a megabyte
NOTHING = "Nothing is selected.\n\nClick something in the view, in the outliner or in the text, or choose settings and default classes with the button above."
BROKEN_AROUND = "A text is not well-formed (the XML panel says where): what stands before or behind the fault can still be changed"
BROKEN_HERE = "This element cannot be changed here at present: its text is not well-formed (the XML panel says where)"
BROKEN = "The text is not well-formed, so that nothing in it can be changed here. The XML panel says where."


class PropertiesPanel(QWidget):
    """session, document_selection, context, selection: services of the window (app.panels.table.Services)."""

    scrolls = False

    def __init__(self, session, document_selection, context, selection):
        super().__init__()
        self._session, self._document_selection, self._context, self._selection = session, document_selection, context, selection
        self._reading: Reading | None = None
        self._subject: Subject | None = None
        self._ids: tuple[int, ...] = ()
        self._section = ""              # path of a section that is shown and not there
        self._rows: tuple[Row, ...] = ()
        self._forms: dict[tuple[str, ...], Form] = {}
        self._form: Form | None = None
        self._stale = True
        self._picking: Picking | None = None
        self.dialog: ClassDialog | None = None
        self.changes = FieldChanges(session, self._present, self)
        self.changes.refused.connect(self._refused)
        self.changes.shown.connect(self._show_motion)
        self.changes.ended.connect(self._later)
        self._make()
        self._timer, self._model_timer = QTimer(self), QTimer(self)
        for timer, job in ((self._timer, self._refresh_if_seen), (self._model_timer, self._show_compiled)):
            timer.setSingleShot(True)
            timer.timeout.connect(job)
        document_selection.changed.connect(self._selection_changed)
        session.edited.connect(self._edited)
        session.files_changed.connect(self._later)
        session.document_opened.connect(self._opened)
        context.model_changed.connect(lambda _model: self._model_timer.start(0))
        self._later()

    def _make(self) -> None:
        self.title, self.banner, self.empty = QLabel(), QLabel(), QLabel(NOTHING)
        self.title.setTextFormat(Qt.TextFormat.RichText)
        self.title.setWordWrap(True)
        self.title.linkActivated.connect(lambda _link: self._show_in_text())
        self.chooser = QToolButton()
        self.chooser.setText("Model")
        self.chooser.setToolTip("Settings of the model, and its default classes")
        self.chooser.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.chooser)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.chooser.setMenu(self.menu)
        self.search = QLineEdit()
        self.search.setPlaceholderText("Search attributes")
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(lambda text: self._form.filter(text) if self._form is not None else None)
        self.banner.setWordWrap(True)
        self.banner.setFrameShape(QFrame.Shape.StyledPanel)
        self.banner.setMargin(4)
        self.banner.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.empty.setWordWrap(True)
        self.empty.setMargin(8)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.empty.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        self._said = ""         # of the last click while one is picked, or of an edit that was refused
        holder = QWidget()
        self._stack = QVBoxLayout(holder)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setWidget(holder)
        head = QHBoxLayout()
        head.setContentsMargins(6, 4, 4, 2)
        head.addWidget(self.title, 1)
        head.addWidget(self.chooser, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(3)
        layout.addLayout(head)
        for part in (self.banner, self.search):
            layout.addWidget(part)
        layout.addWidget(self.area, 1)
        layout.addWidget(self.empty, 1)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)      # a click beside the fields ends typing

    # ------------------------------------------------------------------ following

    @property
    def seen(self) -> bool:
        """Whether somebody can see it: a dock behind another tab lies outside its window."""
        return self.isVisible() and not self.visibleRegion().isEmpty()

    @property
    def filled(self) -> bool:
        """Whether it shows the present texts and selection."""
        return not self._stale

    def _later(self, ms: int = 0) -> None:
        self._stale = True
        self._timer.start(ms)

    def _selection_changed(self) -> None:
        if self._document_selection.ids == self._ids or self._picking is not None:
            return          # an edit, which `_edited` follows
        self._let_go()
        self._ids = self._document_selection.ids
        if self._ids:
            self._section = ""
        self._said = ""
        self._later()

    def _edited(self, edit) -> None:
        self._stale = True
        if self.changes.busy:
            return
        if self._session.document.open_gesture is not None:
            if not self._timer.isActive():
                self._timer.start(DRAG_MS)
        else:
            self._later(TYPING_MS if isinstance(edit.merge, tuple) and edit.merge[:1] == ("typing",) else 0)

    def _opened(self) -> None:
        self._ids, self._section, self._reading, self._subject, self._said = (), "", None, None, ""
        if self._form is not None:
            self._form.close_dialogs()
        if self._picking is not None:
            self._picking.stop(restore=False)
        self._later()

    def paintEvent(self, event) -> None:
        super().paintEvent(event)
        if self._stale and not self._timer.isActive():
            self._timer.start(0)

    def _let_go(self) -> None:
        """Something else is shown from now on: what was chosen in a dialog, dragged or typed belongs to what was shown until now."""
        if self._form is not None:
            self._form.close_dialogs()
        self.changes.drop()
        self._commit_pending()

    def _commit_pending(self) -> None:
        """What is typed in a field belongs to what was selected until now."""
        field = QApplication.focusWidget()
        if field is None or not self.isAncestorOf(field):
            return
        if isinstance(field, (NumberField, PlainField)):
            field.commit()
        elif isinstance(field.parent(), ReferenceBox):
            field.parent().commit()

    def _refresh_if_seen(self) -> None:
        if self._stale and self.seen and not self.changes.busy:
            self.refresh()

    def _read(self) -> Reading | None:
        """Of the present texts; while one is not well-formed of the last tree there was; None where there is none."""
        document = self._session.document
        if document.compiled and not document.recorded:
            return None
        good = document.last_good
        version = document.version() if good.current else good
        if self._reading is None or self._reading.version is not version:
            self._reading = Reading(version) if version.root is not None and version.root.tag == "mujoco" else None
        return self._reading

    def _present(self) -> Subject | None:
        """What is selected, of the present texts."""
        reading = self._read()
        if reading is None:
            return None
        if self._subject is None or self._subject.reading is not reading:
            self._subject = reading.section(self._section) if self._section else reading.subject(self._ids)
        return self._subject

    # ------------------------------------------------------------------ showing

    def refresh(self) -> None:
        """Show the present texts and selection, in this turn."""
        self._stale = False
        if self._picking is None and not self._section:
            self._ids = self._document_selection.ids
        self._subject = None
        subject = self._present()
        self._show_head(subject)
        for part in (self.area, self.search):
            part.setVisible(subject is not None)
        self.empty.setVisible(subject is None)
        if subject is None:
            self.empty.setText(self._why_empty())
            return
        self._rows = rows(subject)
        form = self._form_of(subject)
        compiled, found = self._compiled()
        form.show_rows(self._rows, self._chain, compiled, found, len(subject.elements), self._editable)
        if form is not self._form:
            if self._form is not None:
                self._form.hide()
            self._form = form
            form.show()
            self.area.verticalScrollBar().setValue(0)
        form.filter(self.search.text())
        self._offer_notations()

    def _why_empty(self) -> str:
        if self._session.document.sealed:
            return self._session.document.sealed
        return BROKEN if self._read() is None else NOTHING

    @property
    def _editable(self) -> bool:
        return not self._session.document.sealed and (self._subject is None or self._subject.missing or self._subject.reading.whole(self._subject.active))

    def _form_of(self, subject: Subject) -> Form:
        kinds = subject.kinds
        form = self._forms.pop(kinds, None)
        if form is None:
            form = Form(self._connect_row)
            self._stack.addWidget(form)
            while len(self._forms) >= KEPT:
                self._forms.pop(next(iter(self._forms))).deleteLater()
        self._forms[kinds] = form
        return form

    def _connect_row(self, view: RowView) -> None:
        editor, changes = view.editor, self.changes
        editor.names_of, editor.folder_of = self._names_of, self._folder_of
        editor.typed.connect(lambda component, text: changes.typed(view.row, component, text))
        editor.chosen.connect(lambda text: changes.chosen(view.row, text))
        editor.grabbed.connect(lambda component: self._grab(view, component))
        editor.dragged.connect(lambda _component, steps, fine: changes.drag(steps, fine))
        editor.coloured.connect(changes.colour)
        editor.dropped.connect(changes.drop)
        editor.cancelled.connect(changes.cancel)
        editor.stepped.connect(lambda component, steps, fine: changes.stepped(view.row, component, steps, fine))
        editor.turned.connect(lambda notation: self._turn(view, notation))
        editor.pick_wanted.connect(lambda: self._pick(view))
        view.reset_wanted.connect(lambda: changes.reset(view.name))
        view.menu_wanted.connect(lambda at: self.menu_of(view).popup(at))

    def _grab(self, view: RowView, component: int) -> None:
        self._form.close_dialogs(but=view)
        self._commit_pending()
        if self._stale:
            self.refresh()
        self.changes.grab(view.row, component)

    def _show_head(self, subject: Subject | None) -> None:
        lines: list[str] = []
        if subject is None:
            self.title.setText("<b>Properties</b>")
        elif len(subject.elements) > 1:
            kinds: dict[str, int] = {}
            for element in subject.elements:
                kinds[element.tag] = kinds.get(element.tag, 0) + 1
            self.title.setText("<b>" + escape(", ".join(f"{count} {tag}{'s' * (count > 1)}" for tag, count in kinds.items())) + "</b>")
            lines = ["An edit changes all of them"]
        else:
            active = subject.active
            name = escape(active.name or active.attrs.get("class", "") * (active.tag == "default"))
            path = subject.paths[-1]
            kind = active.tag if path.startswith("body/") else path.replace("/", " ")
            head = f"<b>{name}</b>&nbsp; {active.tag}" if name else f"<b>{escape(kind)}</b>"
            place = "" if subject.missing or not active.origin.file else f"&nbsp; <a href='text'>{escape(Path(active.origin.file).name)}:{active.place.line}</a>"
            self.title.setText(head + place)
            lines = list(reach_of(subject, "" if subject.missing else self._document_selection.banner()))
        if subject is not None and self._session.document.sealed:
            lines.insert(0, self._session.document.sealed)
        elif subject is not None and subject.reading.broken:
            lines.insert(0, BROKEN_AROUND if self._editable else BROKEN_HERE)
        if self._said:
            lines.insert(0, self._said)
        self.banner.setText("\n".join(lines))
        self.banner.setVisible(bool(lines))

    def _chain(self, name: str) -> tuple[Source, ...]:
        """What says anything about an attribute of the active element, the strongest last."""
        subject = self._subject
        reading, active, path = subject.reading, subject.active, subject.paths[-1]
        if name == ORIENTATION:
            name = turn_of(reading, active, path)[0]
        return tuple(Source(OWN, layer, "", layer.attrs[name]) if layer is active else Source("class", layer, reading.class_name(layer), layer.attrs[name])
                     for layer in reading.layers(active, path, name))

    def _compiled(self) -> tuple[dict[str, Compiled], tuple[Fact, ...]]:
        """What the Model that runs has of the active element, if it was made from this text."""
        m, subject = self._context.model, self._subject
        if m is None or subject is None:
            return {}, ()
        active = subject.active
        file = active.origin.file if not subject.missing else subject.reading.root.origin.file
        if self._session.running_text(file) != subject.reading.version.texts.get(file):
            return {}, ()
        found = active if active.tag != "inertial" else subject.reading.version.parent(active.id)
        items = tuple((item.kind, item.id) for item in self._document_selection.items_of(found.id)) if found is not None and found.id != MISSING else ()
        try:
            return compiled_values(subject, self._rows, m, items), facts(subject, m, items)
        except (IndexError, ValueError):       # a text that the Model has not been made from yet
            return {}, ()

    def _show_compiled(self) -> None:
        if self._form is not None and self._subject is not None and not self._stale and self.seen:
            self._form.show_compiled(*self._compiled())

    def _show_motion(self, row: Row) -> None:
        """A gesture's value, before the text is read again."""
        view = self.view(row.name)
        if view is not None:
            view.editor.show_row(row)

    def _refused(self, name: str, component: int, why: str) -> None:
        view = self.view(name)
        if view is not None:
            view.editor.refuse(component, why)
        self._context.log("warning", f"{name}: {why}")

    def view(self, name: str) -> RowView | None:
        """The row of an attribute, if it has been made."""
        return self._form.views.get(name) if self._form is not None else None

    # ------------------------------------------------------------------ orientation

    def _offer_notations(self) -> None:
        view = self.view(ORIENTATION)
        if view is not None and isinstance(view.editor, OrientationEditor) and view.row is not None:
            view.editor.offer(orientation.offered(self._subject.spec, view.row.notation, view.row.words, self._subject.reading.root))

    def _turn(self, view: RowView, notation: str) -> None:
        """Another notation: of what is given the text says it so, of what is not given the next value will."""
        if notation == view.row.notation:
            return
        if view.row.own:
            self.changes.turned(view.row, notation)
            return
        subject = self._present()
        if subject is None or notation not in subject.spec.attributes:      # something else is selected, which the panel does not show yet
            return
        reading, spec = subject.reading, subject.spec
        words = orientation.words_of(notation, orientation.quat_of(spec, view.row.notation, view.row.words, reading.root), reading.root)
        known = spec.attributes[notation]
        row = replace(view.row, notation=notation, spec=known, words=words, mixed=(view.row.mixed[0],) * len(words), sources=(view.row.sources[0],) * len(words),
                      units=tuple(unit_of(known, reading.root, "", k) for k in range(len(words))), labels=component_names(known))
        view.show_row(row, (), None, len(subject.elements), self._editable)

    # ------------------------------------------------------------------ references, files

    def _names_of(self, namespace: str) -> list[str]:
        reading = self._read()
        return names_in(reading, namespace) if reading is not None else []

    def _folder_of(self, row: Row) -> str:
        """Where the files of an attribute are looked for."""
        document, reading = self._session.document, self._read()
        base = str(document.path.parent) if document.path is not None else ""
        if reading is None or row.spec.type == "dir":
            return base
        folder = AssetFolders.of(reading.root).below(row.spec.path.rpartition("/")[2])
        return str(Path(base) / folder) if base else folder

    def _pick(self, view: RowView) -> None:
        if self._picking is not None:
            self._picking.stop()
            return
        reading = self._read()
        if reading is None:
            return
        picking = self._picking = Picking(self._context, self._document_selection, reading, view.row.namespace, self)
        self._say(f"Click a {view.row.namespace} in the view or in the outliner; Esc ends")
        picking.told.connect(self._say)
        picking.picked.connect(lambda name: self.changes.chosen(view.row, name))
        picking.ended.connect(lambda: self._picked(view))

    def _picked(self, view: RowView) -> None:
        self._picking.deleteLater()
        self._picking = None
        if isinstance(view.editor, ReferenceEditor):
            view.editor.pick.setChecked(False)
        self._say("")

    def _say(self, text: str) -> None:
        self._said = text
        self._show_head(self._subject)

    @property
    def picking(self) -> bool:
        """Whether the next click names an element."""
        return self._picking is not None

    # ------------------------------------------------------------------ menus

    def menu_of(self, view: RowView) -> QMenu:
        """What a right-click on a row offers."""
        menu, row, subject = QMenu(self), view.row, self._present()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        clipboard = QGuiApplication.clipboard()
        name = row.notation or row.name
        menu.addAction("Copy value", lambda: clipboard.setText(row.text))
        menu.addAction("Copy name", lambda: clipboard.setText(name))
        menu.addAction("Copy name and value", lambda: clipboard.setText(f'{name}="{row.text}"'))
        paste = menu.addAction("Paste value", lambda: self.changes.chosen(row, clipboard.text().strip()))
        paste.setEnabled(bool(clipboard.text().strip()) and self._editable and row.name != ORIENTATION and not row.blocked)
        menu.addSeparator()
        reset = menu.addAction("Reset: take it away here", lambda: self.changes.reset(row.name))
        reset.setEnabled(self._editable and row.own and not row.required)
        if subject is not None and row.own and self._editable and row.kind != "name":
            for class_name in class_choices(subject):
                menu.addAction(f"Push to class {class_name}...", lambda class_name=class_name: self.push(row.name, class_name))
        menu.addSeparator()
        if subject is not None:
            for source in dict.fromkeys(self._chain(row.name)[::-1]):
                words = "Show in text" if source.layer == OWN else f"Show class {source.name} in text"
                menu.addAction(words, lambda source=source: self._selection.place_wanted.emit(source.element.attr_place(name)))
        return menu

    def push(self, name: str, class_name: str = "") -> None:
        """Ask, and move a value of the selected elements into their class."""
        subject = self._present()
        if subject is None:
            return
        try:
            change = push_to_class(subject, name, class_name)
        except ValueError as why:
            self._refused(name, -1, str(why))
            self._say(f"{name} stays: {why}")
            return
        self.dialog = ClassDialog(name, change, self)
        version = subject.reading.version
        self.dialog.accepted.connect(lambda: self._pushed(version, name, change.name, change.edit))
        self.dialog.finished.connect(lambda _result: setattr(self, "dialog", None))
        self.dialog.open()

    def _pushed(self, version, name: str, class_name: str, edit) -> None:
        """The texts may have changed during the question: then it is worked out again."""
        if self._session.document.version() is version:
            self.changes.apply(lambda _subject: edit, name)
        else:
            self.changes.apply(lambda subject: push_to_class(subject, name, class_name).edit, name)

    def _show_in_text(self) -> None:
        subject = self._present()
        if subject is not None and not subject.missing:
            self._selection.place_wanted.emit(subject.active.place)

    def _fill_menu(self) -> None:
        self.menu.clear()
        reading = self._read()
        if reading is None:
            self.menu.addAction("The text is not well-formed").setEnabled(False)
            return
        for choice in choices(reading):
            action = self.menu.addAction(choice.title + ("" if choice.id != MISSING else "  (not given)"))
            action.triggered.connect(lambda _checked=False, choice=choice: self.choose(choice.path, choice.id))
        classes = default_choices(reading)
        if classes:
            below = self.menu.addMenu("Default classes")
            for choice in classes:
                action = below.addAction("    " * choice.depth + choice.title)
                action.triggered.connect(lambda _checked=False, choice=choice: self.choose(choice.path, choice.id))

    def choose(self, path: str, number: int = MISSING) -> None:
        """Show a section or an element of a default class: what a chooser's entry does."""
        self._let_go()
        reading = self._read()
        if reading is None:
            return
        if number == MISSING:
            subject = reading.section(path)
            number = subject.active.id
        elif path == "mujoco":
            number = reading.root.id
        self._section = path if number == MISSING else ""
        self._document_selection.select((number,) if number != MISSING else ())
        self._ids = (number,) if number != MISSING else ()
        self._later()

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "search") and self._subject is not None:
            self._later()
