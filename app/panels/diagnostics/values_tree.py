"""A tree of named values, one in a row, as the contact and constraint panels have it."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from PyQt6.QtCore import QEvent

from app.panels.diagnostics.fitted_tree import FittedTree, numbers_text, put

NAME, VALUE = range(2)
MASS = "effective mass"
AIR = 28        # logical pixels beside a name: the arrow of rows that open, and room


class ValuesTree(FittedTree):
    """rows: (name, meaning). A row without a value is hidden. widest: the name that the first column has room for."""

    def __init__(self, rows: Iterable[tuple[str, str]], widest: str):
        super().__init__(("", ""), VALUE, headers=False, wraps=True)
        self._widest = widest
        self._items = {name: self.add(None, [name, ""], doc) for name, doc in rows}
        self._suit_column()

    def show_value(self, name: str, text: str, tip: str | None = None) -> None:
        """Show this value of a row, '': none."""
        item = self._items[name]
        put(item, VALUE, text, tip)
        if item.isHidden() == bool(text):
            item.setHidden(not text)

    def show_matrix(self, name: str, titles: Sequence[str], lines: Sequence[Sequence[float]], doc: str) -> None:
        """Below a row a line of a matrix for each of these titles."""
        item = self._items[name]
        while item.childCount() > len(lines):
            item.removeChild(item.child(item.childCount() - 1))
        while item.childCount() < len(lines):
            self.add(item, ["", ""], doc)
        for k, (title, line) in enumerate(zip(titles, lines, strict=True)):
            put(item.child(k), NAME, title)
            put(item.child(k), VALUE, text := numbers_text(line), text)

    def text(self, name: str) -> str:
        """What is shown of a row."""
        item = self._items[name]
        return "" if item.isHidden() else item.text(VALUE)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "_items"):
            self._suit_column()

    def _suit_column(self) -> None:
        self.header().resizeSection(NAME, self.fontMetrics().horizontalAdvance(self._widest) + AIR)
