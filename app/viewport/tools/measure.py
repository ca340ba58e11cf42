"""Measure: click two points for their distance and the nearest points of what was clicked, a third for the angle at the second."""
from __future__ import annotations

from typing import Protocol

from PyQt6.QtCore import QEvent, QRectF, Qt
from PyQt6.QtGui import QFontMetricsF, QPainter

from app.viewport.overlay import INK, SHADE

HINTS = ("Measure: click a point (Esc ends)", "Click a second point (Esc takes the first away)", "Third point: angle. Return: another measurement. Esc: take this away",
         "Next click: another measurement. Esc: take this away")
MARGIN = 10.0


class Measures(Protocol):
    """What takes the points (app.panels.posing.measuring.Measuring)."""

    current: object | None

    def take(self, thing) -> bool: ...

    def finish(self) -> bool: ...

    def drop(self) -> bool: ...


class MeasureTool:
    """Clicks are points; dragging turns the camera as ever."""

    cursor = Qt.CursorShape.CrossCursor
    done = False

    def __init__(self, measures: Measures):
        self._measures = measures
        measures.finish()

    def event(self, event: QEvent) -> bool:
        """Return completes a measurement; a double-click selects nothing."""
        kind = event.type()
        if kind == QEvent.Type.KeyPress and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return self._measures.finish()
        return kind == QEvent.Type.MouseButtonDblClick and event.button() == Qt.MouseButton.LeftButton

    def clicked(self, thing, click) -> bool:
        """An answered click of the view (app.viewport.hover.Hover); True where it was meant for the tool."""
        if click.menu:
            return False
        self._measures.take(thing)
        return True

    def escape(self) -> bool:
        """Esc: take away what is under way; False where nothing is, so that the tool ends."""
        return self._measures.drop()

    def end(self) -> None:
        """It is no longer the active one; what was measured stays."""
        self._measures.finish()

    def paint(self, painter: QPainter, _snapshot=None, _view=None) -> None:
        """What the next click does, at the bottom."""
        current = self._measures.current
        text = HINTS[0 if current is None else len(current.points)]
        metrics = QFontMetricsF(painter.font())
        width, height = painter.device().width(), painter.device().height()
        text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width - 4 * MARGIN)
        wide, high = metrics.horizontalAdvance(text) + 2 * MARGIN, metrics.height() + MARGIN
        box = QRectF((width - wide) / 2, height - high - MARGIN, wide, high)
        painter.fillRect(box, SHADE)
        painter.setPen(INK)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter.value, text)
