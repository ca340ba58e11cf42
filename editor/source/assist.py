"""All that helps to write in the XML panel, tied to its editors: candidates, help, definitions, references, renaming, search, comments, formatting, marks.

The panel gives its editors and puts the bars into its layout; the actions of the window come by `commands.TextCommands`.
"""
from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from pathlib import Path

from PyQt6.Qsci import QsciScintilla
from PyQt6.QtCore import QEvent, QObject, Qt, QTimer

from editor.edits.patch import Edit, apply, shifted
from editor.edits.tag_places import tag_places
from editor.language.format import FormatError, formatting
from editor.language.hover import help_at
from editor.language.lines import Change, duplicate_lines, move_lines, toggle_comment
from editor.language.references import Line, definition, element_of, line_of, lines_of, references, symbol_at
from editor.language.text_elements import element_range, elements, path_at
from editor.source.breadcrumb import Breadcrumb
from editor.source.editor import XmlEditor
from editor.source.field_bar import FieldBar
from editor.source.language import DocumentLanguage
from editor.source.marks import TextMarks
from editor.source.place_list import PlaceList
from editor.source.positions import caret, char_of, reveal, select, selection
from editor.source.text_keys import TextKeys
from editor.source.text_search import TextSearch
from editor.source.typing import Typing
from editor.structure.rename import Renaming
from editor.well_formed import LONGEST

IDLE_MS = 150       # after the last change of the texts: names are read anew
HELP_WIDTH = 90     # characters of a line of help


class TextAssist(QObject):
    """One for a panel (editor.source.panel.SourcePanel). actions: the window's, by id, of which those of the text act by their keys in it."""

    def __init__(self, panel, session, actions: Mapping | None = None):
        super().__init__(panel)
        self._panel, self._session = panel, session
        self.language = DocumentLanguage(session)
        self.breadcrumb, self.fields, self.places = Breadcrumb(), FieldBar(), PlaceList()
        self.search = TextSearch(self, self.language, self.places)
        self._keys = TextKeys(actions or {}, self)
        self._typing: dict[str, Typing] = {}
        self._marks: dict[str, TextMarks] = {}
        for field in (self.search.bar.field, self.search.bar.new):
            self._keys.serve(field)
        self.places.chosen.connect(lambda line: self.go_to(line.file, line.start, line.end))
        self.places.closed.connect(self.focus_text)
        self.fields.closed.connect(self.focus_text)
        self.breadcrumb.chosen.connect(self._select_element)
        self.breadcrumb.fault_chosen.connect(lambda offset: self.go_to(self.current()[0], offset, offset))
        self._idle = QTimer(self)
        self._idle.setSingleShot(True)
        self._idle.setInterval(IDLE_MS)
        self._idle.timeout.connect(self._rested)
        session.edited.connect(lambda _edit: self._texts_changed())
        session.files_changed.connect(self._texts_changed)
        session.document_opened.connect(self._texts_changed)

    # ------------------------------------------------------------------ the panel's editors

    def attach(self, key: str, editor: XmlEditor) -> None:
        """Help in an editor of the panel."""
        self._marks[key] = marks = TextMarks(editor)
        self._keys.serve(editor)
        self._typing[key] = Typing(editor, self.language, key, self._linked)
        editor.hover_help = lambda position, key=key, editor=editor: self._help(key, editor, position)
        editor.viewport().installEventFilter(self)
        marks.faults_changed.connect(self._show_place)
        marks.moved.connect(self._show_place)
        QTimer.singleShot(0, marks.look)

    def detach(self, key: str) -> None:
        """An editor is gone."""
        self._marks.pop(key, None)
        self._typing.pop(key, None)

    def editors(self) -> dict[str, XmlEditor]:
        """By key."""
        return {key: self._panel.editor(key) for key in self._marks}

    def marks(self, key: str) -> TextMarks:
        """The marks of a file's editor."""
        return self._marks[key]

    def typing(self, key: str) -> Typing:
        """What goes on while somebody writes in a file's editor."""
        return self._typing[key]

    def current(self) -> tuple[str, XmlEditor | None]:
        """(key, editor) of the text that is seen; ('', None) where there is none."""
        key = self._panel.current_key()
        return key, self._panel.editor(key) if key else None

    def show_text(self, key: str) -> XmlEditor | None:
        """Bring a file's text to the front."""
        return self._panel.show_text(key)

    def focus_text(self) -> None:
        """The keys go to the text again."""
        editor = self.current()[1]
        if editor is not None and self._panel.isVisible():
            editor.setFocus()

    def go_to(self, file: str, start: int, end: int) -> None:
        """Select a piece of a text and show it."""
        editor = self.show_text(file)
        if editor is not None:
            reveal(editor, start, end)
            editor.setFocus()

    def say(self, text: str) -> None:
        """Tell the user above the text."""
        self.breadcrumb.say(text)

    def text_shown(self) -> None:
        """Another file's text is in front."""
        self._show_place()
        self.search.texts_changed()

    def _texts_changed(self) -> None:
        self._idle.start()
        self.search.texts_changed()

    def _rested(self) -> None:
        if self._panel.isVisible():
            self.language.symbols()

    def _show_place(self) -> None:
        key, editor = self.current()
        if editor is None or not self._panel.isVisible():
            return
        self.breadcrumb.show_path(path_at(editor.known_text, caret(editor)) if len(editor.known_text) <= LONGEST else [])
        fault = next(iter(self._marks[key].faults), None)
        self.breadcrumb.show_fault(f"line {fault.line}: {fault.what}" if fault is not None else "", fault.start if fault is not None else -1)

    def _select_element(self, start: int) -> None:
        key, editor = self.current()
        if editor is not None and start < len(editor.known_text):
            self.go_to(key, *element_range(editor.known_text, start))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton and event.modifiers() == Qt.KeyboardModifier.ControlModifier:
            key, editor = next(((key, editor) for key, editor in self.editors().items() if editor.viewport() is watched), ("", None))
            if editor is not None:
                at = event.position().toPoint()
                position = editor.SendScintilla(QsciScintilla.SCI_POSITIONFROMPOINTCLOSE, at.x(), at.y())
                if position >= 0:
                    offset = char_of(editor.known_text, position)
                    editor.setFocus()
                    select(editor, offset, offset)
                    self.go_to_definition()
                return True
        return False

    # ------------------------------------------------------------------ edits

    def commit(self, edit: Edit) -> None:
        """Change the texts by an edit; a text that is no XML by that is compiled after the usual pause. Raises ValueError for one that is only read."""
        if edit.patches and not self.language.commit(edit):
            self._panel.typed(edit.files[0])

    def _linked(self, edit: Edit, at: int) -> None:
        """An edit that stands for a key."""
        self._session.edit(edit, apply=False)
        self._panel.typed(edit.files[0])
        editor = self.current()[1]
        select(editor, at, at)

    def _change(self, label: str, make: Callable[[str, str, int, int], Change]) -> None:
        """Change the lines of the selection."""
        key, editor = self.current()
        if editor is None:
            return
        anchor, at = selection(editor)
        try:
            change = make(key, editor.known_text, min(anchor, at), max(anchor, at))
            self.commit(Edit(label, change.patches))
        except ValueError as error:     # LineError too
            self.say(str(error))
            return
        if change.patches:
            swapped = anchor > at
            select(editor, change.caret if swapped else change.anchor, change.anchor if swapped else change.caret)

    def toggle_comment(self) -> None:
        """Make a comment of the selected lines, or lines of the comment."""
        self._change("Toggle comment", toggle_comment)

    def move_lines(self, down: bool) -> None:
        """The selected lines a line further down, or up."""
        self._change(f"Move lines {'down' if down else 'up'}", lambda key, text, start, end: move_lines(key, text, start, end, down))

    def duplicate_lines(self) -> None:
        """The selected lines once more."""
        self._change("Duplicate lines", duplicate_lines)

    def format(self) -> None:
        """Regular indentation and spaces in the selected lines, or the whole file."""
        key, editor = self.current()
        if editor is None:
            return
        anchor, at = selection(editor)
        text = editor.known_text
        try:
            patches = formatting(key, text, min(anchor, at), max(anchor, at) if anchor != at else None)
            if not patches:
                self.say("Nothing to format")
                return
            self.commit(Edit("Format", patches))
        except (FormatError, ValueError) as error:
            self.say(str(error))
            return
        moved = [offset + sum(patch.growth for patch in patches if patch.end <= offset) for offset in (anchor, at)]
        select(editor, *(min(offset, len(editor.known_text)) for offset in moved))

    # ------------------------------------------------------------------ names

    def complete(self) -> None:
        """Show what can be written at the caret."""
        key, editor = self.current()
        if editor is not None:
            self.language.symbols()
            self._typing[key].offer(explicit=True)

    def _help(self, key: str, editor: XmlEditor, position: int) -> str:
        text = editor.known_text
        offset = char_of(text, position)
        told = [self._marks[key].fault_at(offset), help_at(text, offset, key, self.language.symbols(), self.language.resolver())]
        return "\n".join(textwrap.fill(line, HELP_WIDTH) for part in told if part for line in part.splitlines())

    def go_to_definition(self) -> None:
        """Where the name or file at the caret is."""
        key, editor = self.current()
        if editor is None:
            return
        found = definition(self.language.texts, key, caret(editor), self.language.symbols())
        if found is None:
            self.say("There is no name here that is defined somewhere")
        elif found.problem:
            self.say(found.problem)
        elif found.start < 0:
            path = Path(found.file)
            self.say(f"{found.file} ({path.stat().st_size:,} bytes) is not one of the texts")
        else:
            self.go_to(*found[:3])

    def find_references(self) -> None:
        """List where the name at the caret is used."""
        key, editor = self.current()
        symbol = symbol_at(self.language.texts, key, caret(editor), self.language.symbols()) if editor is not None else None
        if symbol is None:
            self.say("There is no name here")
            return
        every = references(self.language.symbols(), symbol)
        users = sum(not one.declares for one in every)
        files = len({one.file for one in every})
        kind = "class" if symbol.namespace == "default" else symbol.namespace
        lines = lines_of(self.language.texts, [(one.file, one.start, one.end) for one in every])
        self.places.show_lines(f"{kind} '{symbol.name}': {users} reference{'s' * (users != 1)} in {files} file{'s' * (files != 1)}", lines)

    def rename(self) -> None:
        """Ask for another name of what is at the caret."""
        key, editor = self.current()
        symbol = symbol_at(self.language.texts, key, caret(editor), self.language.symbols()) if editor is not None else None
        broken = self.language.broken()
        if symbol is None:
            self.say("There is no name here")
            return
        if broken:
            self.say(f"{Path(broken).name} is no XML at the moment: mend it first, so that no place of the name is missed")
            return
        try:
            renaming = self._renaming(symbol)
        except ValueError as reason:
            self.say(str(reason))
            return

        def checked(new: str) -> str:
            try:
                edit = renaming.edit(new)
            except ValueError as reason:
                return str(reason)
            if not edit.patches:
                return ""
            left = "".join(f"\nleft as it is, of a copy: {line.title} '{name}'" for line, name in self._left(renaming, Edit("", ()))[:5])
            return f"{len(edit.patches)} place{'s' * (len(edit.patches) != 1)} in {len(edit.files)} file{'s' * (len(edit.files) != 1)}{left}"

        self.fields.ask(f"Rename {renaming.kind} '{symbol.name}' to", symbol.name, lambda new, _row: self._rename(symbol, new), checked)

    def _renaming(self, symbol) -> Renaming:
        """Of the present texts. Raises ValueError for what has no element there."""
        version, symbols = self._session.document.version(), self.language.symbols()
        number = element_of(version, symbols, symbol)
        if number is None:
            raise ValueError(f"No element of the model is the {'class' if symbol.namespace == 'default' else symbol.namespace} '{symbol.name}'")
        return Renaming(version, number)

    def _rename(self, symbol, new: str) -> bool:
        try:
            renaming = self._renaming(symbol)
            edit = renaming.edit(new)
            left = self._left(renaming, edit)
            if edit.patches:
                self.commit(edit)
        except ValueError as reason:
            self.fields.note.setText(str(reason))
            self.fields.note.show()
            return False
        self.say(f"Renamed in {len(edit.patches)} places" + f"; {len(left)} of copies left as they are" * bool(left) if edit.patches else "")
        if left:
            self.places.show_lines("Names of copies, which were not rewritten", [line for line, _name in left])
        return True

    def _left(self, renaming: Renaming, edit: Edit) -> list[tuple[Line, str]]:
        """(line, name) of what names copies, in the texts after an edit."""
        texts = {**self.language.texts, **apply(self.language.texts, edit)}
        out = []
        for user, attribute, name in renaming.left:
            file, text = user.origin.file, texts.get(user.origin.file)
            start = shifted(user.origin.start, edit.patches, file) if text is not None else None
            if start is not None and (place := tag_places(text, start).of(attribute)) is not None:
                out.append((line_of(file, text, place.value, place.value_end), name))
        return out

    # ------------------------------------------------------------------ going somewhere, folding

    def go_to_line(self) -> None:
        """Ask for a line's number or an element's name."""
        key, editor = self.current()
        if editor is None:
            return
        known = elements(self.language.symbols())
        matches: list[tuple[str, str, int]] = []

        def listed(text: str) -> list[str]:
            words = text.lower().split()
            matches[:] = [] if not words or text.strip().isdecimal() else [one for one in known if all(word in one[0].lower() for word in words)]
            return [f"{title}  ({Path(file).name})" for title, file, _start in matches]

        def done(text: str, row: int) -> bool:
            if text.strip().isdecimal():
                line = min(max(int(text), 1), editor.lines())
                editor.go_to(line, 1)
                return True
            if not 0 <= row < len(matches):
                return False
            _title, file, start = matches[row]
            QTimer.singleShot(0, lambda: self.go_to(file, start, start))
            return True

        self.fields.ask("Line, or name of an element", "", done, lambda text: "" if not text or text.strip().isdecimal() or listed(text) else "No element has such a name", listed)

    def fold_all(self) -> None:
        """Fold everything but the outermost element."""
        editor = self.current()[1]
        if editor is None:
            return
        editor.SendScintilla(QsciScintilla.SCI_COLOURISE, 0, -1)       # levels of lines that nobody has seen are not known yet
        headers = [line for line in range(editor.lines()) if editor.SendScintilla(QsciScintilla.SCI_GETFOLDLEVEL, line) & QsciScintilla.SC_FOLDLEVELHEADERFLAG]
        levels = {line: editor.SendScintilla(QsciScintilla.SCI_GETFOLDLEVEL, line) & QsciScintilla.SC_FOLDLEVELNUMBERMASK for line in headers}
        lowest = min(levels.values(), default=0)
        for line in reversed(headers):
            if levels[line] > lowest or sum(level == lowest for level in levels.values()) > 1:
                editor.SendScintilla(QsciScintilla.SCI_FOLDLINE, line, QsciScintilla.SC_FOLDACTION_CONTRACT)

    def unfold_all(self) -> None:
        """Show every line."""
        editor = self.current()[1]
        if editor is not None:
            editor.SendScintilla(QsciScintilla.SCI_FOLDALL, QsciScintilla.SC_FOLDACTION_EXPAND)
