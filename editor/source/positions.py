"""Places of an XmlEditor's text in characters. Scintilla counts the bytes of UTF-8."""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PyQt6.Qsci import QsciScintilla
from PyQt6.QtCore import QPoint

from editor.source.editor import XmlEditor

__all__ = ["ByteOffsets", "byte_of", "caret", "char_of", "fill", "point_of", "reveal", "select", "selection"]


class ByteOffsets:
    """Bytes of UTF-8 before each character of a text, and back."""

    def __init__(self, text: str):
        self._starts = None
        self._length = len(text)
        if not text.isascii():
            codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
            self._starts = np.concatenate(([0], np.cumsum(1 + (codes > 0x7F) + (codes > 0x7FF) + (codes > 0xFFFF))))

    def byte(self, offset: int) -> int:
        """Bytes before a character."""
        return offset if self._starts is None else int(self._starts[min(offset, self._length)])

    def char(self, position: int) -> int:
        """Characters before a byte; of one within a character those before that."""
        if self._starts is None:
            return min(position, self._length)
        return min(int(np.searchsorted(self._starts, position, "right")) - 1, self._length)


def byte_of(text: str, offset: int) -> int:
    """Bytes before a character."""
    return ByteOffsets(text).byte(offset)


def char_of(text: str, position: int) -> int:
    """Characters before a byte; of one within a character those before that."""
    return ByteOffsets(text).char(position)


def caret(editor: XmlEditor) -> int:
    """Characters before the caret."""
    return char_of(editor.known_text, editor.SendScintilla(QsciScintilla.SCI_GETCURRENTPOS))


def selection(editor: XmlEditor) -> tuple[int, int]:
    """(anchor, caret) of the selection."""
    places = ByteOffsets(editor.known_text)
    return places.char(editor.SendScintilla(QsciScintilla.SCI_GETANCHOR)), places.char(editor.SendScintilla(QsciScintilla.SCI_GETCURRENTPOS))


def select(editor: XmlEditor, anchor: int, at: int) -> None:
    """Put anchor and caret somewhere, and bring the caret into sight."""
    places = ByteOffsets(editor.known_text)
    editor.SendScintilla(QsciScintilla.SCI_SETSEL, places.byte(anchor), places.byte(at))


def reveal(editor: XmlEditor, start: int, end: int) -> None:
    """Select a piece of the text and show it, unfolded and not at the very edge."""
    text = editor.known_text
    line = editor.SendScintilla(QsciScintilla.SCI_LINEFROMPOSITION, byte_of(text, start))
    editor.ensureLineVisible(line)
    first, rows = editor.firstVisibleLine(), editor.SendScintilla(QsciScintilla.SCI_LINESONSCREEN)
    row = editor.SendScintilla(QsciScintilla.SCI_VISIBLEFROMDOCLINE, line)
    if not first <= row < first + max(rows - 1, 1):
        editor.setFirstVisibleLine(max(0, row - rows // 3))
    select(editor, start, end)


def fill(editor: XmlEditor, indicator: int, ranges: Iterable[tuple[int, int]]) -> None:
    """Show an indicator at these pieces of the text and nowhere else."""
    places = ByteOffsets(editor.known_text)
    editor.SendScintilla(QsciScintilla.SCI_SETINDICATORCURRENT, indicator)
    editor.SendScintilla(QsciScintilla.SCI_INDICATORCLEARRANGE, 0, editor.SendScintilla(QsciScintilla.SCI_GETLENGTH))
    for start, end in ranges:
        low = places.byte(start)
        editor.SendScintilla(QsciScintilla.SCI_INDICATORFILLRANGE, low, places.byte(end) - low)


def point_of(editor: XmlEditor, offset: int) -> QPoint:
    """Where a character is in the widget."""
    position = byte_of(editor.known_text, offset)
    return QPoint(*(editor.SendScintilla(what, 0, position) for what in (QsciScintilla.SCI_POINTXFROMPOSITION, QsciScintilla.SCI_POINTYFROMPOSITION)))
