"""Between the text and whatever shows the model: where the user's cursor goes, and which places are to be marked."""
from __future__ import annotations

import re

from PyQt6.QtCore import QObject, pyqtSignal

from physics.errors import Place
from physics.mjcf.xml import TextIndex

_PIECE = re.compile(r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|<(/?)([\w:.-]+)((?:[^<>\"']|\"[^\"]*\"|'[^']*')*?)(/?)>", re.DOTALL)


class PlaceLink(QObject):
    """Signals: cursor_moved(Place) when the user has put the cursor at a tag: where its element begins; marked(places, active): those that are selected
    elsewhere, and which of them is to be brought into sight (None: none)."""

    cursor_moved = pyqtSignal(object)
    marked = pyqtSignal(tuple, object)

    def __init__(self):
        super().__init__()
        self.places: tuple[Place, ...] = ()     # as marked last
        self.active: Place | None = None

    def mark(self, places: tuple[Place, ...], active: Place | None, show: bool = True) -> None:
        """Mark these places. show: bring the active one into sight, which also happens once the texts can be seen."""
        self.places, self.active = places, active
        self.marked.emit(places, active if show else None)


def element_start(text: str, line: int, column: int) -> tuple[int, int] | None:
    """Line and column where the element begins whose tag, opening or closing, is at a place of a text (all from 1); None between tags. Before the first
    tag of a line the place counts as in it."""
    index = TextIndex(text)
    if not 0 < line <= index.lines:
        return None
    begin = index.offset(line, 1)
    row = text[begin:index.offset(line + 1, 1) if line < index.lines else None].rstrip("\r\n")
    at = begin + max(column - 1, len(row) - len(row.lstrip()))
    opened: list[int] = []
    for piece in _PIECE.finditer(text):
        if piece.start() > at:
            return None
        closing, name, _attributes, empty = piece.groups()
        if name is None:
            continue
        start = piece.start() if not closing else opened.pop() if opened else piece.start()
        if at < piece.end() or at == piece.end() and begin + len(row.rstrip()) == at:     # behind the last tag of its line too
            return index.line_column(start)
        if not closing and not empty:
            opened.append(start)
    return None
