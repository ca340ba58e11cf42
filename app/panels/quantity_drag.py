"""Dragging quantities from one panel into another: lists of expressions, as lines of text of a type of their own."""
from __future__ import annotations

from collections.abc import Iterable

from PyQt6.QtCore import QMimeData, Qt
from PyQt6.QtGui import QDrag
from PyQt6.QtWidgets import QWidget

MIME = "application/x-linkwork-quantities"


def mime_of(texts: Iterable[str]) -> QMimeData:
    """Data for a drag: the expressions, also as plain text for other programs."""
    lines = "\n".join(texts)
    data = QMimeData()
    data.setData(MIME, lines.encode())
    data.setText(lines)
    return data


def texts_of(data: QMimeData) -> list[str]:
    """The expressions of a drag, [] where it is none of ours."""
    return [line for line in bytes(data.data(MIME)).decode().splitlines() if line] if data.hasFormat(MIME) else []


def drag(source: QWidget, texts: Iterable[str]) -> None:
    """Drag these until the mouse lets go."""
    carried = QDrag(source)
    carried.setMimeData(mime_of(texts))
    carried.exec(Qt.DropAction.CopyAction)
