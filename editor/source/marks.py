"""Marks in the XML panel's text beside those of the compiler's problems: what is not closed, the tag that belongs to the one at the caret, what a search has found."""
from __future__ import annotations

from collections.abc import Iterable

from PyQt6.Qsci import QsciScintilla
from PyQt6.QtCore import QEvent, QObject, QTimer, pyqtSignal
from PyQt6.QtGui import QColor, QPalette

from editor.language.balance import Fault, faults, partner_of
from editor.source.editor import ERROR_COLOUR, XmlEditor
from editor.source.positions import caret, fill
from editor.well_formed import LONGEST

__all__ = ["TextMarks"]

FAULT, FOUND, PARTNER, LONE = 10, 11, 12, 13       # indicators
FAULTS_MS, CARET_MS = 30, 40        # after a change of the text, after a motion of the caret


class TextMarks(QObject):
    """Of one editor. Signals: faults_changed() when what is not closed is something else; moved() when the caret rests."""

    faults_changed = pyqtSignal()
    moved = pyqtSignal()

    def __init__(self, editor: XmlEditor):
        super().__init__(editor)
        self._editor = editor
        self.faults: list[Fault] = []
        self._text_timer = _timer(self, FAULTS_MS, self.look)
        self._caret_timer = _timer(self, CARET_MS, self._rested)
        self.colour()
        editor.installEventFilter(self)
        editor.textChanged.connect(lambda: None if self._text_timer.isActive() else self._text_timer.start())     # not anew at each key: steady typing would put it off
        editor.cursorPositionChanged.connect(lambda *_: None if self._caret_timer.isActive() else self._caret_timer.start())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.PaletteChange:
            self.colour()
        return False

    def colour(self) -> None:
        """In the colours of the theme."""
        editor, palette = self._editor, self._editor.palette()
        highlight = palette.color(QPalette.ColorRole.Highlight)
        for number, style, colour in ((FAULT, QsciScintilla.IndicatorStyle.SquiggleIndicator, ERROR_COLOUR), (FOUND, QsciScintilla.IndicatorStyle.StraightBoxIndicator, QColor("#e0a82e")),
                                      (PARTNER, QsciScintilla.IndicatorStyle.StraightBoxIndicator, highlight), (LONE, QsciScintilla.IndicatorStyle.StraightBoxIndicator, ERROR_COLOUR)):
            editor.indicatorDefine(style, number)
            editor.setIndicatorForegroundColor(colour, number)
            if style == QsciScintilla.IndicatorStyle.StraightBoxIndicator:
                editor.SendScintilla(QsciScintilla.SCI_INDICSETALPHA, number, 60)
                editor.SendScintilla(QsciScintilla.SCI_INDICSETOUTLINEALPHA, number, 160)
                editor.setIndicatorDrawUnder(True, number)

    def look(self) -> None:
        """Look for what is not closed now; what was told of a place of the text before is over."""
        if self._editor.SendScintilla(QsciScintilla.SCI_CALLTIPACTIVE):
            self._editor.SendScintilla(QsciScintilla.SCI_CALLTIPCANCEL)
        text = self._editor.known_text
        found = faults(text, caret(self._editor) if self._editor.hasFocus() else -1) if len(text) <= LONGEST and "<" in text else []
        fill(self._editor, FAULT, [(fault.start, max(fault.end, fault.start + 1)) for fault in found])
        if found != self.faults:
            self.faults = found
            self.faults_changed.emit()

    def fault_at(self, offset: int) -> str:
        """What is said of a place."""
        return "\n".join(fault.what for fault in self.faults if fault.start <= offset <= fault.end)

    def _rested(self) -> None:
        text = self._editor.known_text
        pair = partner_of(text, caret(self._editor)) if len(text) <= LONGEST else None
        here, other = pair if pair is not None else (None, None)
        fill(self._editor, PARTNER, [(tag.name_start, tag.name_end) for tag in (here, other) if tag is not None] if other is not None else [])
        fill(self._editor, LONE, [(here.name_start, here.name_end)] if here is not None and other is None and here.complete else [])
        if self.faults:
            self.look()     # the tag that the caret has left is done
        self.moved.emit()

    def show_found(self, ranges: Iterable[tuple[int, int]]) -> None:
        """What a search has found."""
        fill(self._editor, FOUND, ranges)


def _timer(parent: QObject, delay: int, then) -> QTimer:
    timer = QTimer(parent)
    timer.setSingleShot(True)
    timer.setInterval(delay)
    timer.timeout.connect(then)
    return timer
