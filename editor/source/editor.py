"""A text editor for XML: highlighting, folding, line numbers, marks under problems with their message on hover. What is written in it is told as patches of its text."""
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import MappingProxyType

from PyQt6.Qsci import QsciLexerXML, QsciScintilla
from PyQt6.QtCore import QEvent, pyqtSignal
from PyQt6.QtGui import QColor, QContextMenuEvent, QFontDatabase, QInputMethodEvent, QKeySequence, QPalette

from editor.edits.patch import Edit, Patch, apply, compose, edit_between
from editor.source.typing_runs import TypingRuns
from physics.files.text_codec import line_end

EOL_MODES = MappingProxyType({"\n": QsciScintilla.EolMode.EolUnix, "\r\n": QsciScintilla.EolMode.EolWindows, "\r": QsciScintilla.EolMode.EolMac})
ERROR_INDICATOR, WARNING_INDICATOR = 8, 9
ERROR_MARKER, WARNING_MARKER, SELECTED_MARKER = 8, 9, 7
SYMBOL_MARGIN, NUMBER_MARGIN, FOLD_MARGIN = 1, 0, 2
FOLD_MARKERS = (QsciScintilla.SC_MARKNUM_FOLDER, QsciScintilla.SC_MARKNUM_FOLDEROPEN)
FREE_KEYS = ("Ctrl+D", "Ctrl+L", "Ctrl++", "Ctrl+-", "Ctrl+Z", "Ctrl+Y", "Ctrl+Shift+Z", "Alt+Backspace")    # of the component's own keys those that mean something else in the whole window
INSERTED, DELETED = QsciScintilla.SC_MOD_INSERTTEXT, QsciScintilla.SC_MOD_DELETETEXT
TEXT = "text"       # the file of its patches: it does not know what the document calls it
ERROR_COLOUR, WARNING_COLOUR = QColor("#ff5a4d"), QColor("#e0a82e")
DARK_STYLES = ((QsciLexerXML.Tag, "#6fb1ff"), (QsciLexerXML.UnknownTag, "#6fb1ff"), (QsciLexerXML.Attribute, "#9fd6a8"), (QsciLexerXML.UnknownAttribute, "#9fd6a8"),
               (QsciLexerXML.HTMLDoubleQuotedString, "#f0b072"), (QsciLexerXML.HTMLSingleQuotedString, "#f0b072"), (QsciLexerXML.HTMLComment, "#8b929c"),
               (QsciLexerXML.HTMLNumber, "#f0b072"), (QsciLexerXML.XMLStart, "#8b929c"), (QsciLexerXML.XMLEnd, "#8b929c"), (QsciLexerXML.OtherInTag, "#e6e8eb"),
               (QsciLexerXML.Default, "#e6e8eb"), (QsciLexerXML.XMLTagEnd, "#6fb1ff"), (QsciLexerXML.Entity, "#e08ad0"))
LIGHT_STYLES = ((QsciLexerXML.Tag, "#0b4fae"), (QsciLexerXML.UnknownTag, "#0b4fae"), (QsciLexerXML.Attribute, "#1b7a33"), (QsciLexerXML.UnknownAttribute, "#1b7a33"),
                (QsciLexerXML.HTMLDoubleQuotedString, "#a34a00"), (QsciLexerXML.HTMLSingleQuotedString, "#a34a00"), (QsciLexerXML.HTMLComment, "#7a818b"),
                (QsciLexerXML.HTMLNumber, "#a34a00"), (QsciLexerXML.XMLStart, "#7a818b"), (QsciLexerXML.XMLEnd, "#7a818b"), (QsciLexerXML.OtherInTag, "#1d2127"),
                (QsciLexerXML.Default, "#1d2127"), (QsciLexerXML.XMLTagEnd, "#0b4fae"), (QsciLexerXML.Entity, "#8a2f7d"))


class XmlEditor(QsciScintilla):
    """One file's text. Lines and columns of `mark` and `go_to` count from 1.

    Signals: written(patches, run) when the user has changed the text: patches (editor.edits.patch) of the text before, whose file is TEXT, and the number of the run of keys
    that they belong to (typing_runs.py), 0 for none.
    """

    written = pyqtSignal(tuple, int)

    def __init__(self, font_size: float = 10):
        super().__init__()
        self._text = ""         # as the document has it: line ends and all
        self._changes = Edit("", ())    # of it, not told yet
        self._holding = self._silent = 0
        self._keeps_undo, self._composing = True, False     # the component's own undo; an input method shows letters that are not written yet
        self._runs = TypingRuns()
        self.undo_entries: Callable[[], list[tuple[str, bool, Callable]]] = list     # of its menu, for undo and redo: title, whether it can be chosen, what it does
        self._font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        self._font.setPointSizeF(font_size)
        self._messages: list[tuple[int, int, int, str]] = []   # line, start, end, text
        self.hover_help: Callable[[int], str] = lambda _position: ""   # what is told of a place (in bytes) beside the messages
        self.setUtf8(True)
        self.setIndentationsUseTabs(False)
        self.setIndentationWidth(2)
        self.setAutoIndent(True)
        self.setBraceMatching(QsciScintilla.BraceMatch.SloppyBraceMatch)
        self.setMarginType(NUMBER_MARGIN, QsciScintilla.MarginType.NumberMargin)
        self.setMarginWidth(SYMBOL_MARGIN, 14)
        self.setFolding(QsciScintilla.FoldStyle.PlainFoldStyle, FOLD_MARGIN)
        self.setScrollWidth(1)      # as wide as its lines, where it is 2000 pixels otherwise: a wider panel shows all of a line again
        self.setScrollWidthTracking(True)
        free = {QKeySequence(key)[0].toCombined() for key in FREE_KEYS}
        for command in self.standardCommands().commands():
            if command.key() in free:
                command.setKey(0)
            if command.alternateKey() in free:
                command.setAlternateKey(0)
        self._colour()
        for indicator, marker, colour in ((ERROR_INDICATOR, ERROR_MARKER, ERROR_COLOUR), (WARNING_INDICATOR, WARNING_MARKER, WARNING_COLOUR)):
            self.indicatorDefine(QsciScintilla.IndicatorStyle.SquiggleIndicator, indicator)
            self.setIndicatorForegroundColor(colour, indicator)
            self.markerDefine(QsciScintilla.MarkerSymbol.Circle, marker)
            self.setMarkerBackgroundColor(colour, marker)
        self.markerDefine(QsciScintilla.MarkerSymbol.RightTriangle, SELECTED_MARKER)
        self.setMarginMarkerMask(SYMBOL_MARGIN, (1 << ERROR_MARKER) | (1 << WARNING_MARKER) | (1 << SELECTED_MARKER))
        self.SendScintilla(QsciScintilla.SCI_SETMOUSEDWELLTIME, 300)
        self.SCN_MODIFIED.connect(self._modified)
        self.SCN_DWELLSTART.connect(self._hovered)
        self.SCN_DWELLEND.connect(lambda *_place: self.SendScintilla(QsciScintilla.SCI_CALLTIPCANCEL))

    def set_font_size(self, points: float) -> None:
        """Write in another size; the font stays."""
        if abs(points - self._font.pointSizeF()) > 0.01:
            self._font.setPointSizeF(points)
            self._colour()

    def _colour(self) -> None:
        """The font, and the palette's colours."""
        font, palette = self._font, self.palette()
        paper, ink = palette.color(QPalette.ColorRole.Base), palette.color(QPalette.ColorRole.Text)
        dark = paper.lightness() < 128
        lexer = QsciLexerXML(self)
        lexer.setDefaultFont(font)
        lexer.setFont(font)
        lexer.setDefaultPaper(paper)
        lexer.setPaper(paper)
        lexer.setDefaultColor(ink)
        lexer.setColor(ink)
        for style, colour in DARK_STYLES if dark else LIGHT_STYLES:
            lexer.setColor(QColor(colour), style)
        before = self.lexer()
        self.setLexer(lexer)
        if before is not None:
            before.deleteLater()
        faint = palette.color(QPalette.ColorRole.PlaceholderText)
        self.setMarginsFont(font)
        self.setMarginWidth(NUMBER_MARGIN, "00000")
        self.setMarginsBackgroundColor(palette.color(QPalette.ColorRole.AlternateBase))
        self.setMarginsForegroundColor(faint)
        self.setFoldMarginColors(palette.color(QPalette.ColorRole.AlternateBase), palette.color(QPalette.ColorRole.AlternateBase))
        for marker in FOLD_MARKERS:
            self.setMarkerForegroundColor(faint, marker)
            self.setMarkerBackgroundColor(faint, marker)
        self.setCallTipsBackgroundColor(palette.color(QPalette.ColorRole.AlternateBase))
        self.setCallTipsForegroundColor(ink)
        self.setCaretForegroundColor(ink)
        self.setCaretLineVisible(True)
        self.setCaretLineBackgroundColor(palette.color(QPalette.ColorRole.AlternateBase))
        self.setSelectionBackgroundColor(palette.color(QPalette.ColorRole.Highlight))
        self.setMarkerBackgroundColor(palette.color(QPalette.ColorRole.Highlight), SELECTED_MARKER)
        self.setMarkerForegroundColor(palette.color(QPalette.ColorRole.Highlight), SELECTED_MARKER)
        self.setMatchedBraceBackgroundColor(palette.color(QPalette.ColorRole.Button))
        self.setMatchedBraceForegroundColor(ink)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self.lexer() is not None:
            self._colour()

    # ------------------------------------------------------------------ text

    def leave_undo(self) -> None:
        """Keep nothing to be undone: somebody else does."""
        self._keeps_undo = False
        self.SendScintilla(QsciScintilla.SCI_SETUNDOCOLLECTION, 0)
        self.SendScintilla(QsciScintilla.SCI_EMPTYUNDOBUFFER)

    @property
    def known_text(self) -> str:
        """The text, without asking the component for it."""
        return self._text

    def load(self, text: str) -> None:
        """Show the text of a file, from which on changes can be undone. Lines that are written end as most of its lines do; those that are there stay as they are."""
        with self._unheard():
            self.clear()
            self._text = ""
            self._put(Patch(TEXT, 0, 0, text))
            self._text = text
        self.SendScintilla(QsciScintilla.SCI_EMPTYUNDOBUFFER)
        self.setEolMode(EOL_MODES[line_end(text)])
        self.setCursorPosition(0, 0)

    def replace_text(self, text: str) -> None:
        """Put other text in its place, as the user might: one change that leaves cursor and view where they are."""
        line, column = self.getCursorPosition()
        top = self.firstVisibleLine()
        self.setEolMode(EOL_MODES[line_end(text)])
        with self._together():
            self.beginUndoAction()
            for patch in edit_between("", TEXT, self._text, text).patches:
                self._put(patch)
            self.endUndoAction()
        self.setCursorPosition(min(line, self.lines() - 1), column)
        self.setFirstVisibleLine(top)

    def _put(self, patch: Patch) -> None:
        """Make one change; not by the selection: the cursor at its end would have all of it highlighted."""
        data, start = patch.text.encode(), self.byte_of(patch.start)
        self.SendScintilla(QsciScintilla.SCI_SETTARGETRANGE, start, start + len(self._text[patch.start:patch.end].encode()))
        self.SendScintilla(QsciScintilla.SCI_REPLACETARGET, len(data), data)

    def write(self, patches: Iterable[Patch]) -> None:
        """Change the text by patches of it (of whatever file), as the user might: told as one change."""
        with self._together():
            self.beginUndoAction()
            for patch in sorted(patches, key=lambda patch: (patch.start, patch.end), reverse=True):
                self._put(patch)
            self.endUndoAction()

    def follow(self, patches: Iterable[Patch], text: str) -> None:
        """Make the changes that others have made to the text, which is `text` by them; cursor, folds and what is seen stay where they are. Nothing is told of it."""
        if self._composing:
            self.inputMethodEvent(QInputMethodEvent())      # takes the letters away that are not written yet
        if self._text == text:
            return
        patches = sorted((patch._replace(file=TEXT) for patch in patches), key=lambda patch: (patch.start, patch.end), reverse=True)
        if not self._fit(patches, text):
            patches = edit_between("", TEXT, self._text, text).patches
        with self._unheard():
            for patch in patches:
                self._put(patch)
            self._text = text
        self._runs.jumped()

    def _fit(self, patches: list[Patch], text: str) -> bool:
        try:
            return apply({TEXT: self._text}, Edit("", tuple(patches))) == {TEXT: text}
        except ValueError:
            return False

    def byte_of(self, offset: int) -> int:
        """Where a character of the text stands for the component, which counts the bytes of UTF-8."""
        return offset if self._text.isascii() else len(self._text[:offset].encode())

    def show_offset(self, offset: int) -> None:
        """Put the cursor in front of a character and bring it into sight; the keyboard stays where it is."""
        position = self.byte_of(offset)
        line = self.SendScintilla(QsciScintilla.SCI_LINEFROMPOSITION, position)
        self.ensureLineVisible(line)
        self.SendScintilla(QsciScintilla.SCI_SETEMPTYSELECTION, position)
        first, rows = self.firstVisibleLine(), self.SendScintilla(QsciScintilla.SCI_LINESONSCREEN)
        row = self.SendScintilla(QsciScintilla.SCI_VISIBLEFROMDOCLINE, line)
        if not first <= row < first + rows:
            self.setFirstVisibleLine(max(0, row - rows // 3))

    def _modified(self, position: int, kind: int, _text, length: int, *_more) -> None:
        """The component has changed the text: at a byte, so many bytes. Told at once, or when all that belongs together is done."""
        if self._silent or not kind & (INSERTED | DELETED):
            return
        plain = self._text.isascii()
        start = position if plain else self.SendScintilla(QsciScintilla.SCI_COUNTCHARACTERS, 0, position)
        if kind & INSERTED:
            patch = Patch(TEXT, start, start, bytes(self.bytes(position, position + length))[:length].decode())
        else:
            there = self._text[start:start + length]
            patch = Patch(TEXT, start, start + (length if plain else len(there.encode()[:length].decode())), "")
        self._text = self._text[:patch.start] + patch.text + self._text[patch.end:]
        self._changes = compose(self._changes, Edit("", (patch,))) if self._changes.patches else Edit("", (patch,))
        if not self._holding:
            self._tell()

    def _tell(self) -> None:
        changes, self._changes = self._changes.patches, Edit("", ())
        if changes:
            self.written.emit(changes, self._runs.of(changes))

    @contextmanager
    def _together(self) -> Iterator[None]:
        """All changes in it are told as one."""
        self._holding += 1
        try:
            yield
        finally:
            self._holding -= 1
            if not self._holding:
                self._tell()

    @contextmanager
    def _unheard(self) -> Iterator[None]:
        """Nothing is told of changes in it."""
        self._silent += 1
        try:
            yield
        finally:
            self._silent -= 1

    def keyPressEvent(self, event) -> None:
        text, position = self._text, self.SendScintilla(QsciScintilla.SCI_GETCURRENTPOS)
        with self._together():
            super().keyPressEvent(event)
            if self._text is text and self.SendScintilla(QsciScintilla.SCI_GETCURRENTPOS) != position:
                self._runs.jumped()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Letters of an input method: those it only shows are in the text meanwhile, and are taken out by the component's undo, which has to be on for that. They are not told."""
        shows = bool(event.preeditString())
        if shows and not self._composing:
            self._composing = True
            self._holding += 1
            self.SendScintilla(QsciScintilla.SCI_SETUNDOCOLLECTION, 1)
        with self._together():
            super().inputMethodEvent(event)
        if not shows and self._composing:
            self._composing = False
            if not self._keeps_undo:
                self.leave_undo()
            self._holding -= 1
            if not self._holding:
                self._tell()

    def dropEvent(self, event) -> None:
        with self._together():
            super().dropEvent(event)

    def mousePressEvent(self, event) -> None:
        self._runs.jumped()
        with self._together():      # the middle button pastes
            super().mousePressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The component's menu, with the undo of whoever has it in place of its own."""
        menu = self.createStandardContextMenu()
        own = [] if self.isReadOnly() else self.undo_entries()      # a text that is only read has neither undo nor redo in its menu
        for old, (title, enabled, act) in zip(menu.actions(), own, strict=False):
            old.disconnect()
            old.setText(title)
            old.setEnabled(enabled)
            old.triggered.connect(lambda _checked=False, act=act: act())
        with self._together():
            menu.exec(event.globalPos())
        menu.deleteLater()

    # ------------------------------------------------------------------ marks

    def clear_marks(self) -> None:
        """Take all marks away."""
        self._messages.clear()
        for indicator in (ERROR_INDICATOR, WARNING_INDICATOR):
            self.clearIndicatorRange(0, 0, self.lines(), 0, indicator)
        for marker in (ERROR_MARKER, WARNING_MARKER):
            self.markerDeleteAll(marker)

    def mark(self, line: int, column: int, severity: str, message: str) -> None:
        """Underline the word, value or tag at a place and remember its message."""
        row = min(max(line - 1, 0), self.lines() - 1)
        text = self.text(row)
        start = min(max(column - 1, 0), max(len(text.rstrip("\r\n")) - 1, 0))
        end = end_of_mark(text, start)
        indicator, marker = (ERROR_INDICATOR, ERROR_MARKER) if severity == "error" else (WARNING_INDICATOR, WARNING_MARKER)
        self.fillIndicatorRange(row, start, row, end, indicator)
        self.markerAdd(row, marker)
        self._messages.append((row, start, end, message))

    def message_at(self, row: int, column: int) -> str:
        """Messages of the marks at a place, counted from 0; any mark of the line when `column` is negative."""
        return "\n".join(text for r, start, end, text in self._messages if r == row and (column < 0 or start <= column <= end))

    def _hovered(self, position: int, _x: int, _y: int) -> None:
        if position < 0:
            return
        message = "\n".join(part for part in (self.message_at(*self.lineIndexFromPosition(position)), self.hover_help(position)) if part)
        if message:
            self.SendScintilla(QsciScintilla.SCI_CALLTIPSHOW, position, message.encode())

    def mark_lines(self, lines, active: int = 0) -> None:
        """Mark these lines as selected, and bring one into sight (0: none); cursor and focus stay where they are."""
        self.markerDeleteAll(SELECTED_MARKER)
        for line in lines:
            self.markerAdd(line - 1, SELECTED_MARKER)
        if active > 0:
            self.ensureLineVisible(active - 1)      # unfolded
            first, rows = self.firstVisibleLine(), self.SendScintilla(QsciScintilla.SCI_LINESONSCREEN)
            row = self.SendScintilla(QsciScintilla.SCI_VISIBLEFROMDOCLINE, active - 1)
            if not first <= row < first + rows:
                self.setFirstVisibleLine(max(0, row - rows // 3))

    def marked_lines(self) -> list[int]:
        """The lines that are marked as selected."""
        return [line + 1 for line in range(self.lines()) if self.markersAtLine(line) >> SELECTED_MARKER & 1]

    def go_to(self, line: int, column: int) -> None:
        """Put the cursor at a place and show it."""
        self.setCursorPosition(max(line - 1, 0), max(column - 1, 0))
        self.ensureLineVisible(max(line - 1, 0))
        self.setFocus()


def end_of_mark(text: str, start: int) -> int:
    """Where the marked piece of a line that begins at `start` ends: a quoted value, a tag name, or a word."""
    if start < len(text) and text[start] in "\"'":
        end = text.find(text[start], start + 1)
        return end + 1 if end >= 0 else len(text.rstrip("\r\n"))
    if 0 < start < len(text) and text[start - 1] in "\"'" and text[:start].count(text[start - 1]) % 2:   # inside a value: all of it
        end = text.find(text[start - 1], start)
        return end if end >= 0 else len(text.rstrip("\r\n"))
    end = start + 1 if start < len(text) and text[start] == "<" else start
    while end < len(text) and text[end] not in " \t\r\n<>/=\"'":
        end += 1
    return max(end, min(start + 1, len(text)))
