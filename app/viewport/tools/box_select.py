"""Select by a box: drag it around what is wanted; whatever is seen in it is selected."""
from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtCore import QEvent, QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QPainter, QPalette, QPen
from PyQt6.QtWidgets import QApplication

LEAST = 3.0     # logical pixels: smaller boxes select nothing


class BoxSelect:
    """select(rectangle [logical pixels], add, toggle) is called when the box is complete."""

    cursor = Qt.CursorShape.CrossCursor

    def __init__(self, select: Callable[[QRectF, bool, bool], None]):
        self._select = select
        self._start: QPointF | None = None
        self._end: QPointF | None = None
        self.done = False

    def event(self, event: QEvent) -> bool:
        """Begin, pull and complete the box with the left button."""
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            self._start = self._end = event.position()
        elif kind == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.RightButton and self._start is not None:
            self._start, self.done = None, True
        elif kind == QEvent.Type.MouseMove and self._start is not None:
            self._end = event.position()
        elif kind == QEvent.Type.MouseButtonRelease and self._start is not None and event.button() == Qt.MouseButton.LeftButton:
            self._end = event.position()
            box, keys = self._box(), event.modifiers()
            self.done = True
            if box.width() >= LEAST and box.height() >= LEAST:
                self._select(box, bool(keys & Qt.KeyboardModifier.ShiftModifier), bool(keys & Qt.KeyboardModifier.ControlModifier))
        else:
            return self._start is not None and kind in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease, QEvent.Type.Wheel)
        return True

    def escape(self) -> bool:
        """Nothing is to be taken back."""
        return False

    def end(self) -> None:
        """Nothing is left of it."""

    def _box(self) -> QRectF:
        return QRectF(self._start, self._end).normalized()

    def paint(self, painter: QPainter, _snapshot=None, _view=None) -> None:
        """The box in the accent colour."""
        if self._start is None:
            return
        colour = QApplication.palette().color(QPalette.ColorRole.Highlight)
        fill = QColor(colour)
        fill.setAlpha(40)
        painter.fillRect(self._box(), fill)
        painter.setPen(QPen(colour, 1.5))
        painter.drawRect(self._box())
