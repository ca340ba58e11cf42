"""What happens while somebody writes in the XML panel: candidates are offered, tags and quotes closed, lines indented, a closing tag renamed with its opening one.

What is put in by itself can be written all the same: a quote, '/>' or a closing tag that stands behind the caret by this is stepped over, and one that was finished swallows its letters.
"""
from __future__ import annotations

from types import MappingProxyType

from PyQt6.Qsci import QsciScintilla
from PyQt6.QtCore import QEvent, QObject, Qt, QTimer
from PyQt6.QtGui import QKeyEvent

from editor.edits.patch import Edit, Patch
from editor.language.balance import partner_of
from editor.language.completion import Candidate, Completion, closing_for, complete, matching
from editor.language.lines import new_line
from editor.language.places import ATTRIBUTE, CLOSING, ELEMENT, NOTHING, caret_place
from editor.language.tags import CLOSE, OPEN
from editor.source.completion_popup import ROWS, CompletionPopup
from editor.source.editor import XmlEditor
from editor.source.positions import caret, point_of, select, selection
from editor.well_formed import LONGEST

MOVES = MappingProxyType({Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: ROWS - 1, Qt.Key.Key_PageUp: 1 - ROWS})
NAME_SIGNS = "_-.:"
MOST_PENDING = 50


class Typing(QObject):
    """Of one editor. language: DocumentLanguage; key: of the file; linked(edit, offset): changes the texts by an edit that stands for keys, and puts the caret there."""

    def __init__(self, editor: XmlEditor, language, key: str, linked):
        super().__init__(editor)
        self._editor, self._language, self._key, self._linked = editor, language, key, linked
        self.popup = CompletionPopup(editor)
        self.popup.chosen.connect(self.accept)
        self._completion: Completion | None = None
        self._explicit = False
        self._pending: list[tuple[str, int]] = []       # what stands behind the caret by itself and may be written once more, the nearest last; characters from there to the end of the text
        self._echo = ""         # what was finished before the caret and may be written once more
        editor.setAutoIndent(False)
        editor.installEventFilter(self)
        editor.viewport().installEventFilter(self)
        editor.SCN_CHARADDED.connect(self._written)

    # ------------------------------------------------------------------ keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._editor:
            kind = event.type()
            if kind == QEvent.Type.ShortcutOverride and self.popup.isVisible() and event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Tab, *MOVES):
                event.accept()      # these are the list's now, whatever else they mean
                return True
            if kind == QEvent.Type.KeyPress:
                return self._pressed(event)
            if kind == QEvent.Type.FocusOut:
                self.close()
        elif event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.Wheel):
            self.close()
        return False

    def _pressed(self, event: QKeyEvent) -> bool:
        """Whether a key is done with."""
        plain = not event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        if self.popup.isVisible() and plain and self._for_popup(event.key()):
            return True
        if self._editor.isReadOnly() or len(self._editor.known_text) > LONGEST:
            return False
        if plain and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._begin_line()
            return True
        letter = event.text()
        if plain and event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            if self._rename_with(event.key() == Qt.Key.Key_Backspace, event.key() == Qt.Key.Key_Delete, ""):
                return True
            QTimer.singleShot(0, self._follow)
        elif len(letter) == 1 and letter.isprintable() and not event.modifiers() & (Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier):
            return self._letter(letter)
        elif letter or event.key() not in (Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta):
            self._echo = ""
            QTimer.singleShot(0, self._follow)      # the caret may have left the word
        return False

    def _for_popup(self, key: int) -> bool:
        if key in MOVES:
            self.popup.step(MOVES[key])
        elif key == Qt.Key.Key_Escape:
            self.close()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab) and self.popup.current is not None:
            self.accept(self.popup.current)
        else:
            return False
        return True

    def _letter(self, letter: str) -> bool:
        """A letter is about to be written; whether it is done with."""
        if self._echo:
            echo, self._echo = self._echo, ""
            if echo[0] == letter:
                self._echo = echo[1:]
                return True
        text, (anchor, at) = self._editor.known_text, selection(self._editor)
        if anchor == at and self._steps_over(at, letter):
            return True
        if letter in "\"'" and anchor == at and self._opens_value(text, at):
            self._put(at, at, letter * 2, at + 1)
            self._expect(letter, at + 1)
            self.offer()
            return True
        return (letter.isalnum() or letter in NAME_SIGNS) and self._rename_with(False, False, letter)

    def _steps_over(self, at: int, letter: str) -> bool:
        """Whether a letter stands behind the caret by itself, which then goes behind it."""
        ahead, there = self._next(at)
        if there != at or not ahead or letter != ahead[0] or letter == "<":
            return False
        self._pending[-1] = ahead[1:], self._pending[-1][1] - 1
        select(self._editor, at + 1, at + 1)
        self.close()
        if letter == ">":
            self._close_element()
        return True

    def _next(self, at: int) -> tuple[str, int]:
        """What stands behind the caret by itself next, and where; ('', -1) for nothing."""
        text = self._editor.known_text
        while self._pending:
            ahead, tail = self._pending[-1]
            there = len(text) - tail
            if ahead and there >= at and text.startswith(ahead, there):
                return ahead, there
            self._pending.pop()     # the caret has gone behind it, or it is not there any more
        return "", -1

    def _expect(self, ahead: str, at: int) -> None:
        """What was put in behind the caret by itself."""
        self._pending = [*self._pending[1 - MOST_PENDING:], (ahead, len(self._editor.known_text) - at)]

    def _opens_value(self, text: str, at: int) -> bool:
        """Whether a quote would begin a value: behind '=' in a tag, with nothing of a value behind it."""
        if not text[:at].rstrip(" \t\r\n").endswith("=") or text[at:at + 1] not in ("", " ", "\t", "\r", "\n", "/", ">", "<"):
            return False
        place = caret_place(text, at)
        return place.kind == NOTHING and place.tag is not None

    def _put(self, start: int, end: int, new: str, at: int) -> None:
        """Write, and put the caret somewhere."""
        self._editor.write((Patch(self._key, start, end, new),))
        select(self._editor, at, at)

    # ------------------------------------------------------------------ after a letter

    def _written(self, code: int) -> None:
        """A letter was written (Scintilla tells its code, or that of a byte)."""
        letter = chr(code) if 0 < code < 0x110000 else ""
        if not letter or len(self._editor.known_text) > LONGEST:
            return
        if letter == ">":
            self.close()
            self._close_element()
        elif letter == "/":
            self._begin_closing()
            self._follow()
        elif letter in "<\"'" or letter == " " or self.popup.isVisible():
            self.offer()
        elif letter.isalpha():
            text, at = self._editor.known_text, caret(self._editor)
            if at < 2 or not text[at - 2].isspace() and text[at - 2] != "<":
                return      # not the first of a word
            place = caret_place(text, at)
            if place.kind in (ELEMENT, ATTRIBUTE) and len(place.before) == 1:
                self.offer()

    def _close_element(self) -> None:
        """Behind '>': the closing tag, where there is none."""
        at = caret(self._editor)
        closing = closing_for(self._editor.known_text, at)
        if closing:
            self._put(at, at, closing, at)
            self._expect(closing, at)

    def _begin_closing(self) -> None:
        """Behind '</': the rest of the closing tag; one that stands there by itself is the one that is written."""
        text, at = self._editor.known_text, caret(self._editor)
        if text[at - 2:at] != "</":
            return
        ahead, there = self._next(at)
        if ahead.startswith("</") and not text[at:there].strip():
            tag, _, rest = ahead.partition(">")
            self._echo = f"{tag[2:]}>"
            self._pending[-1] = rest, self._pending[-1][1] - len(tag) - 1
            self._put(at, there + len(tag) + 1, self._echo, at + len(self._echo))
            self.close()
            return
        place = caret_place(text, at)
        if place.kind == CLOSING and place.open and not place.tag.name and not text[at:at + 1].isalnum():
            rest = f"{place.open[-1]}>"
            self._put(at, at, rest, at + len(rest))
            self._echo = rest
            self.close()

    def _begin_line(self) -> None:
        anchor, at = selection(self._editor)
        change = new_line(self._key, self._editor.known_text, min(anchor, at), max(anchor, at))
        self.close()
        self._editor.write(change.patches)
        select(self._editor, change.anchor, change.caret)

    # ------------------------------------------------------------------ both tags

    def _rename_with(self, back: bool, forth: bool, letter: str) -> bool:
        """Change the name of an opening tag together with that of its closing one, by a key; whether it was that."""
        text, (anchor, at) = self._editor.known_text, selection(self._editor)
        low, high = min(anchor, at), max(anchor, at)
        if not all(sign.isalnum() or sign in NAME_SIGNS for sign in text[text.rfind("<", 0, at) + 1:at]):
            return False        # seen quickly, as at most keys
        place = caret_place(text, at)
        if place.kind != ELEMENT or place.tag is None or place.tag.kind != OPEN or not place.tag.complete:
            return False
        if low == high:
            low, high = low - back, high + forth
        tag = place.tag
        if not tag.name_start <= low <= high <= tag.name_end or low == high and not letter:
            return False
        pair = partner_of(text, tag.start)
        if pair is None or pair[1] is None or pair[1].kind != CLOSE or not tag.name[:low - tag.name_start] + letter + tag.name[high - tag.name_start:]:
            return False
        shift = pair[1].name_start - tag.name_start
        self._linked(Edit("Rename tag", (Patch(self._key, low, high, letter), Patch(self._key, low + shift, high + shift, letter)), ("typing", self._key)), low + len(letter))
        self.offer() if self.popup.isVisible() or letter else self._follow()
        return True

    # ------------------------------------------------------------------ candidates

    def offer(self, explicit: bool = False) -> None:
        """Show what can be written at the caret, if there is anything."""
        text, at = self._editor.known_text, caret(self._editor)
        self._completion = complete(text, at, self._language.surroundings(self._key, explicit)) if not self._editor.isReadOnly() else None
        self._explicit = explicit
        self._show(at)

    def _show(self, at: int) -> None:
        completion = self._completion
        rows = matching(completion.candidates, completion.before) if completion is not None else []
        whole = completion is not None and len(rows) == 1 and rows[0].word == completion.before and not rows[0].more     # nothing is left to be completed
        if not rows or whole and not self._explicit:
            self.close()
            return
        place = self._editor.viewport().mapToGlobal(point_of(self._editor, completion.start))
        self.popup.offer(rows, place, self._editor.SendScintilla(QsciScintilla.SCI_TEXTHEIGHT, 0))

    def _follow(self) -> None:
        """The caret or the word has changed while the list is shown."""
        if not self.popup.isVisible() or self._completion is None:
            return
        start, at = self._completion.start, caret(self._editor)
        self.offer(self._explicit)
        if self._completion is None or self._completion.start != start or at < start:
            self.close()

    def accept(self, candidate: Candidate) -> None:
        """Write a candidate in place of the word at the caret."""
        completion = self._completion
        if completion is None:
            return
        new, start = candidate.text, completion.start
        at = start + (candidate.caret if candidate.caret >= 0 else len(new))
        text = self._editor.known_text
        self.close()
        if text[start:completion.end] != new:
            self._editor.write((Patch(self._key, start, completion.end, new),))
        select(self._editor, at, at)
        if 0 <= candidate.caret < len(new):
            self._expect(new[candidate.caret:], at)
        if candidate.more:
            self.offer()

    def close(self) -> None:
        """Take the list away."""
        self._completion = None
        self.popup.hide()
