"""The XML panel: one tab per loaded file, problems marked and listed, conflicts with the disk offered for a decision.

The panel talks to a session (app.session.Session) and reads settings (app.settings.Settings); it never compiles or saves by itself.
Applying happens on Ctrl+Enter and after a short pause in typing, where the text is well-formed; what is wrong is told after a longer one. It does not save.
"""
from collections import Counter
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import QColor, QIcon, QPixmap
from PyQt6.QtWidgets import QLabel, QListWidget, QListWidgetItem, QTabWidget, QVBoxLayout, QWidget

from editor.edits.line_changes import Merge
from editor.edits.patch import Edit
from editor.source.assist import TextAssist
from editor.source.editor import ERROR_COLOUR, WARNING_COLOUR, XmlEditor
from editor.source.place_link import PlaceLink, element_start
from editor.source.question_bar import QuestionBar
from editor.well_formed import is_well_formed
from editor.wording import short
from physics.errors import Place

PROBLEM_LINES = 5   # of the list that are seen without scrolling
ASK_MS = 300        # after an edit, that may have settled a question
CURSOR_MS = 200     # that the cursor rests before its place is told


class SourcePanel(QWidget):
    """The panel; `scrolls` False tells the dock that it brings its own scroll bars."""

    scrolls = False

    def __init__(self, session, settings, link: PlaceLink | None = None, actions=None):
        super().__init__()
        self._session = session
        self._settings = settings
        self._link = link or PlaceLink()
        self._editors: dict[str, XmlEditor] = {}
        self._loading = False
        self._tabs = QTabWidget()
        self._tabs.setDocumentMode(True)
        self._tabs.currentChanged.connect(self._text_shown)
        self.problems = QListWidget()
        self.problems.setWordWrap(True)
        self.problems.itemActivated.connect(self._jump)
        self.problems.itemClicked.connect(self._jump)
        self.bar = QuestionBar((("take_disk", "Take disk", True), ("keep_mine", "Keep mine", True), ("merge", "Merge...", False), ("difference", "Show difference", False)))
        self.recovery_bar = QuestionBar((("restore", "Restore", True), ("discard", "Discard", True)))
        self._status = QLabel("")
        self._status.setWordWrap(True)
        self._apply_timer = QTimer(self)
        self._apply_timer.setSingleShot(True)
        self._apply_timer.timeout.connect(self._pause_in_typing)
        self._typed_in = ""   # key of the file that was typed in last
        self._waited = 0   # ms of the pause that are over
        self._unapplied = False     # a text was typed that is not on its way to the compiler
        self._ask_timer = QTimer(self)
        self._ask_timer.setSingleShot(True)
        self._ask_timer.setInterval(ASK_MS)
        self._ask_timer.timeout.connect(self._ask)
        self._session.compiling.connect(self._compiling)
        self._cursor_timer = QTimer(self)
        self._cursor_timer.setSingleShot(True)
        self._cursor_timer.setInterval(CURSOR_MS)
        self._cursor_timer.timeout.connect(self._tell_cursor)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        self.assist = TextAssist(self, session, actions)
        for widget in (self.recovery_bar, self.bar, self.assist.breadcrumb, self._tabs, self.assist.search.bar, self.assist.fields, self.assist.places, self.problems, self._status):
            layout.addWidget(widget)
        layout.setStretchFactor(self._tabs, 1)
        self.problems.hide()
        self._dots = [dot(colour) for colour in (WARNING_COLOUR, ERROR_COLOUR)]
        self._connect()
        self.load()
        self.mark_places(self._link.places, None)
        self._show_recovery()
        self._ask()     # that the panel is made may be for a question

    def _connect(self) -> None:
        session = self._session
        session.document_opened.connect(self.load)
        session.files_changed.connect(self.load)
        session.edited.connect(self._show_edit)
        session.moved.connect(self._show_moved)
        session.modified_changed.connect(lambda _modified: self._show_marks())
        session.issues_changed.connect(self.show_issues)
        session.conflict.connect(self._ask)
        session.busy_changed.connect(self._show_status)
        session.recovery_found.connect(self._show_recovery)
        self._settings.changed.connect(self._setting_changed)
        self._link.marked.connect(self.mark_places)
        self.bar.decided.connect(self._settle)
        self.recovery_bar.decided.connect(self._settle_recovery)

    # ------------------------------------------------------------------ tabs

    def load(self) -> None:
        """Show the document's files; texts that are the same stay as they are (cursor, folds, undo)."""
        files = self._session.document.files()
        self._loading = True
        for key in [key for key in self._editors if key not in files]:
            editor = self._editors.pop(key)
            self.assist.detach(key)
            self._tabs.removeTab(self._tabs.indexOf(editor))
            editor.deleteLater()
        for i, (key, file) in enumerate(files.items()):
            if key not in self._editors:
                editor = XmlEditor(self._font_size())
                editor.leave_undo()
                editor.undo_entries = self._undo_entries
                editor.load(file.text)
                editor.written.connect(lambda patches, run, key=key: self._written(key, patches, run))
                editor.cursorPositionChanged.connect(lambda _line, _column, editor=editor: self._cursor_moved(editor))
                self._editors[key] = editor
                self._tabs.insertTab(i, editor, file.name)
                self._tabs.setTabToolTip(i, key)
                self.assist.attach(key, editor)
            self._editors[key].setReadOnly(False)
            self._editors[key].follow((), file.text)
            self._editors[key].setReadOnly(file.sealed)
        self._loading = False
        self._show_marks()
        self.show_issues(self._session.issues)
        if self.bar.key:
            self._ask()

    def _text_shown(self, _tab: int) -> None:
        if not self._loading:
            self.assist.text_shown()

    def _show_edit(self, edit) -> None:
        """Texts were changed by an edit, here or elsewhere."""
        self._loading = True
        files = self._session.document.files()
        for key in edit.files:
            if key in self._editors and key in files:
                self._editors[key].follow((patch for patch in edit.patches if patch.file == key), files[key].text)
        self._loading = False
        self._show_marks()
        if self.bar.key:
            self._ask_timer.start()

    def _show_moved(self, edit) -> None:
        """Something was undone, or done again: show where."""
        first = next((patch for patch in edit.patches if patch.file in self._editors), None)
        if first is None:
            return
        editor = self._editors[first.file]
        moved = sum(patch.growth for patch in edit.patches if patch.file == first.file and (patch.start, patch.end) < (first.start, first.end))
        self._loading = True
        self._tabs.setCurrentWidget(editor)
        editor.show_offset(first.start + moved + len(first.text))
        self._loading = False

    def _undo_entries(self):
        """For the menu of an editor."""
        history = self._session.document.history
        return [(f"Undo {history.undo_label}".strip(), bool(history.undo_label), self._session.undo), (f"Redo {history.redo_label}".strip(), bool(history.redo_label), self._session.redo)]

    def _font_size(self) -> float:
        return self._settings.get("editor/font_size") * self._settings.get("view/font_scale") / 100

    def _setting_changed(self, name: str) -> None:
        if name in ("editor/font_size", "view/font_scale"):
            for editor in self._editors.values():
                editor.set_font_size(self._font_size())

    def _show_marks(self) -> None:
        for key, file in self._session.document.files().items():
            if key in self._editors:
                place, text = self._tabs.indexOf(self._editors[key]), ("*" if file.modified else "") + file.name
                if self._tabs.tabText(place) != text:       # the window would be laid out anew
                    self._tabs.setTabText(place, text)

    def editor(self, key: str | None = None) -> XmlEditor:
        """The editor of a file by key; the main file's by default."""
        return self._editors[key or self._session.document.main_key]

    def current_key(self) -> str:
        """Key of the file whose text is in front, '' for none."""
        return next((key for key, editor in self._editors.items() if editor is self._tabs.currentWidget()), "")

    def show_text(self, key: str) -> XmlEditor | None:
        """Bring a file's text to the front; its editor."""
        if key in self._editors:
            self._tabs.setCurrentWidget(self._editors[key])
        return self._editors.get(key)

    def _written(self, key: str, patches, run: int) -> None:
        """The user has changed a text."""
        file = self._session.document.files().get(key)
        if self._loading or file is None:
            return
        with suppress(ValueError):      # of another text than the document has
            self._session.typed(Edit(f"Typing in {file.name}", tuple(patch._replace(file=key) for patch in patches), ("typing", key, run) if run else None))
        if self._editors[key].known_text != file.text:
            self._session.set_text(key, self._editors[key].known_text)
        self.typed(key)

    def typed(self, key: str) -> None:
        """The text of a file was changed as by typing: it is applied after a pause."""
        self._unapplied = True
        self._show_marks()
        delay = self._settings.get("editor/apply_delay_ms")
        if delay > 0:
            self._typed_in, self._waited = key, delay
            self._apply_timer.start(delay)
        self._show_status(False)

    def _compiling(self) -> None:
        self._apply_timer.stop()
        if self._unapplied:
            self._unapplied = False
            self._show_status(False)

    def _pause_in_typing(self) -> None:
        """Apply a text that may be good; one that cannot be yet only when the pause is long enough to be told so."""
        more = max(0, self._settings.get("editor/error_delay_ms") - self._waited)
        editor = self._editors.get(self._typed_in)
        if more and editor is not None and not is_well_formed(editor.text()):
            self._waited += more
            self._apply_timer.start(more)
        else:
            self._session.apply(more)

    # ------------------------------------------------------------------ problems

    def show_issues(self, issues) -> None:
        """Mark the places and list the problems."""
        self.problems.clear()
        for editor in self._editors.values():
            editor.clear_marks()
        for issue in issues:
            item = QListWidgetItem(short(issue))
            item.setToolTip(str(issue))
            item.setData(Qt.ItemDataRole.UserRole, issue)
            item.setIcon(self._dots[issue.severity == "error"])
            self.problems.addItem(item)
            editor = self._editors.get(issue.place.file) if issue.place is not None else None
            if editor is not None and issue.severity != "note":
                editor.mark(issue.place.line, issue.place.column, issue.severity, f"{issue.what} {issue.hint}".strip())
        self.problems.setMaximumHeight(PROBLEM_LINES * self.problems.fontMetrics().lineSpacing() + 8)
        self.problems.setVisible(bool(issues))
        self._show_status(False)

    def _show_status(self, busy: bool) -> None:
        counts = Counter(issue.severity for issue in self._session.issues)
        said = [f"{counts[word]} {word}{'s' * (counts[word] > 1)}" for word in ("error", "warning", "note") if counts[word]]
        waiting = "Compiling..." if busy else ", ".join(said) or "Applied"
        sealed = self._session.document.sealed
        self._status.setText(sealed + ". " * bool(sealed) + ("Not applied yet" if self._unapplied else waiting))

    def _jump(self, item: QListWidgetItem) -> None:
        self.go_to(item.data(Qt.ItemDataRole.UserRole).place)

    def go_to(self, place) -> None:
        """Put the cursor at a Place of one of the files."""
        editor = self._editors.get(place.file) if place is not None else None
        if editor is not None:
            self._tabs.setCurrentWidget(editor)
            editor.go_to(place.line, place.column)

    # ------------------------------------------------------------------ what is selected elsewhere

    def _cursor_moved(self, editor: XmlEditor) -> None:
        if editor.hasFocus() and not self._loading:     # by the user
            self._cursor_timer.start()

    def _tell_cursor(self) -> None:
        for key, editor in self._editors.items():
            if editor.hasFocus() and self._tabs.currentWidget() is editor and not editor.hasSelectedText():
                line, column = editor.getCursorPosition()
                start = element_start(editor.text(), line + 1, column + 1)
                if start is not None:
                    self._link.cursor_moved.emit(Place(key, *start))

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self.mark_places(self._link.places, self._link.active)      # what was selected while nobody could see the text

    def mark_places(self, places, active) -> None:
        """Mark the lines of these places, and bring one into sight if somebody can see it, unless he is writing."""
        typing = any(editor.hasFocus() for editor in self._editors.values())
        shown = active if self.isVisible() and not typing else None
        for key, editor in self._editors.items():
            editor.mark_lines([place.line for place in places if place.file == key], shown.line if shown is not None and shown.file == key else 0)
        if shown is not None and shown.file in self._editors:
            self._tabs.setCurrentWidget(self._editors[shown.file])

    # ------------------------------------------------------------------ questions

    def _ask(self, first: str = "") -> None:
        """Ask about a file that changed on disk while its text here is not saved, one after the other where there are several; none: nothing is asked any more."""
        keys = self._session.document.conflicts()
        key = next((key for key in (self.bar.key, first) if key in keys), keys[0] if keys else "")
        if not key:
            self.bar.put_away()
        elif key != self.bar.key:
            more = f" ({len(keys)} files did)" if len(keys) > 1 else ""
            self.bar.ask(key, f"{self._session.document.files()[key].name} changed on disk{more}; the text here is not saved.")

    def _settle(self, key: str, choice: str) -> None:
        if key not in self._session.document.files():
            self._ask()
            return
        if choice == "difference":
            self._show_difference(key)
        elif choice == "merge":
            self._show_merge(key)
        else:
            {"take_disk": self._session.take_disk, "keep_mine": self._session.keep_mine}[choice](key)
            self._ask()

    def _show_difference(self, key: str) -> None:
        from editor.source.difference import show_difference

        file = self._session.document.files()[key]
        show_difference(self, file.path, file.text)

    def _show_merge(self, key: str) -> None:
        from editor.source.merge_view import MergeView

        file = self._session.document.files()[key]
        merge = self._session.merge_with_disk(key)
        if merge is None:
            self.bar.ask(key, f"{file.name} cannot be compared with the disk; choose one of the two.")
            return
        view = MergeView(self, file.name, merge)
        view.setWindowModality(Qt.WindowModality.WindowModal)
        view.settled.connect(lambda text, before=file.text: self._take_merge(key, text, merge, before))
        self._session.document_opened.connect(view.reject)
        view.show()

    def _take_merge(self, key: str, text: str, merge: Merge, before: str) -> None:
        """before: the text here that was merged."""
        file = self._session.document.files().get(key)
        if file is None:
            return
        if file.text != before:
            self.bar.ask(key, f"{file.name} was changed here while you chose; merge it again.")
            return
        self._session.take_merge(key, text, merge.theirs)
        self._ask()

    def _settle_recovery(self, _key: str, choice: str) -> None:
        if choice == "discard":
            self._session.discard_recovery()
        elif not self._session.restore():
            self._show_recovery()   # it is still to be had

    def _show_recovery(self) -> None:
        found = self._session.recovery
        if found is None:
            self.recovery_bar.put_away()
            return
        when = datetime.fromtimestamp(found.saved).strftime("%d %B, %H:%M")
        self.recovery_bar.ask(found.key, f"Linkwork ended unexpectedly with unsaved text of {Path(found.key).name} ({when}).")


def dot(colour: QColor) -> QIcon:
    """A small square of one colour."""
    pixmap = QPixmap(10, 10)
    pixmap.fill(colour)
    return QIcon(pixmap)
