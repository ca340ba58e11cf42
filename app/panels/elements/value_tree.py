"""A tree of values that can be dragged to where quantities are taken."""
from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtCore import QMimeData
from PyQt6.QtWidgets import QTreeWidget, QTreeWidgetItem

from app.panels.quantity_drag import MIME, mime_of


class ValueTree(QTreeWidget):
    """quantity(item): the expression of an item's value, '' where it has none."""

    def __init__(self, quantity: Callable[[QTreeWidgetItem], str]):
        super().__init__()
        self._quantity = quantity
        self.setDragEnabled(True)

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, items) -> QMimeData | None:
        """The expressions of what is dragged; nothing is dragged where none has one."""
        texts = [text for item in items if (text := self._quantity(item))]
        return mime_of(texts) if texts else None
