"""How the time axis looks: numbers above a lane for flags above the track, and below it, where a part is shown, a strip that says which.

    0.2        0.4        0.6        numbers
     |   P      |          |         tick lines, flags of bookmarks
    ===#####[=====o====]=-----       the track: what there is, region, playhead, marks
        ------                       the part that is shown
"""
from __future__ import annotations

from types import MappingProxyType
from typing import Protocol

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPalette, QPen, QPolygonF

from app.history_scale import HistoryScale
from app.timeline.axis_range import AxisRange
from app.timeline.bookmarks import Bookmark, HistoryPlace
from app.timeline.region import TimelineRegion

BESIDE = 9.0         # logical pixels left and right of the track
TRACK = 5.0          # its height
ABOVE, BELOW = 7.0, 5.5   # from the numbers to it, with room for flags; from it to the edge
FLAG = 6.0           # height of a flag; it is somewhat wider
STRIP = 4.0          # height of the strip at the bottom, for the mouse
TICK_ROOM = 72.0     # between two numbers
SHAPES = MappingProxyType({"start": "line", "load": "line", "reset": "line", "keyframe": "diamond", "edit": "triangle"})   # of marks, by kind


class Axis(Protocol):
    """What is painted (app.windows.timeline_axis.TimelineAxis, a QWidget)."""

    scale: HistoryScale
    range: AxisRange
    place: HistoryPlace
    region: TimelineRegion
    flags: list[tuple[int, Bookmark]]
    index: int

    def x_of(self, index: float) -> float: ...

    def small_font(self) -> QFont: ...

    def width(self) -> int: ...

    def height(self) -> int: ...

    def palette(self) -> QPalette: ...

    def hasFocus(self) -> bool: ...


class AxisPainter:
    """Paints an axis once."""

    def __init__(self, axis: Axis, painter: QPainter):
        self._axis, self._painter = axis, painter
        self._middle = axis.height() - BELOW - TRACK / 2
        self._track = QRectF(BESIDE, self._middle - TRACK / 2, axis.width() - 2 * BESIDE, TRACK)
        palette = axis.palette()
        self._ink, self._accent = palette.color(QPalette.ColorRole.WindowText), palette.color(QPalette.ColorRole.Highlight)
        self._base = palette.color(QPalette.ColorRole.Base)

    def paint(self) -> None:
        """All of it."""
        axis, painter = self._axis, self._painter
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(axis.small_font())
        self._paint_track()
        self._paint_ticks()
        self._paint_region()
        for mark in axis.scale.marks:
            if mark.index > 0 and self._seen(axis.x_of(mark.index)):   # not where all begins
                self._paint_mark(SHAPES.get(mark.kind, "line"), axis.x_of(mark.index))
        for index, _bookmark in axis.flags:
            if self._seen(axis.x_of(index)):
                self._paint_flag(axis.x_of(index), self._accent if index == axis.index else self._ink)
        if self._seen(axis.x_of(axis.index)):
            self._paint_playhead(axis.x_of(axis.index))
        if not axis.range.fitted:
            self._paint_strip()
        if axis.hasFocus():
            painter.setPen(QPen(faint(self._accent, 160), 1.0))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(0.5, 0.5, axis.width() - 1, axis.height() - 1), 3, 3)

    def _seen(self, x: float) -> bool:
        """Whether a place is on the axis."""
        return BESIDE - 1 <= x <= self._axis.width() - BESIDE + 1

    def _bar(self, left: float, right: float, colour: QColor) -> None:
        """A part of the track."""
        rect = QRectF(left, self._track.top(), right - left, TRACK).intersected(self._track)
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(colour)
        self._painter.drawRoundedRect(rect, TRACK / 2, TRACK / 2)

    def _paint_track(self) -> None:
        axis = self._axis
        self._bar(self._track.left(), self._track.right(), self._base)
        self._bar(axis.x_of(0), axis.x_of(axis.scale.length - 1), faint(self._ink, 90))

    def _paint_ticks(self) -> None:
        axis, painter, top = self._axis, self._painter, self._track.top()
        metrics, free = QFontMetricsF(painter.font()), 0.0
        painter.setPen(faint(self._ink, 150))
        start = axis.range.first - axis.place.history_gone
        for index, text in axis.scale.ticks(axis.range.span, max(1, int(axis.width() / TICK_ROOM)), start):
            x, wide = axis.x_of(index), metrics.horizontalAdvance(text)
            painter.drawLine(QPointF(x, top - 4), QPointF(x, top - 1))
            left = min(max(x - wide / 2, 1.0), axis.width() - wide - 1)
            if left >= free:
                painter.drawText(QPointF(left, top - ABOVE), text)
                free = left + wide + 6

    def _paint_region(self) -> None:
        axis, painter = self._axis, self._painter
        if not axis.region.shown(axis.place):
            return
        gone, region = axis.place.history_gone, axis.region.region
        left, right = (axis.x_of(max(edge, gone) - gone) for edge in region[:2])
        band = QRectF(left, self._track.top() - FLAG, right - left, FLAG + TRACK + 2).intersected(QRectF(BESIDE, 0, self._track.width(), axis.height()))
        painter.fillRect(band, faint(self._accent, 60))
        painter.setPen(QPen(faint(self._accent, 220), 1.2))
        for x in {left, right}:
            if self._seen(x):
                painter.drawLine(QPointF(x, self._track.top() - FLAG), QPointF(x, self._track.bottom() + 2))

    def _paint_mark(self, shape: str, x: float) -> None:
        painter, middle = self._painter, self._middle
        if shape == "line":
            painter.setPen(QPen(faint(self._ink, 220), 1.4))
            painter.drawLine(QPointF(x, middle - 6), QPointF(x, middle + 6))
            return
        points = ((0, -4.5), (4.5, 0), (0, 4.5), (-4.5, 0)) if shape == "diamond" else ((-4, 4.5), (4, 4.5), (0, -3.5))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._ink)
        painter.drawPolygon(QPolygonF([QPointF(x + dx, middle + dy) for dx, dy in points]))

    def _paint_flag(self, x: float, colour: QColor) -> None:
        painter, top = self._painter, self._track.top() - FLAG
        painter.setPen(QPen(colour, 1.2))
        painter.drawLine(QPointF(x, top), QPointF(x, self._track.bottom()))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(QPolygonF([QPointF(x, top), QPointF(x + FLAG + 1, top + FLAG / 2), QPointF(x, top + FLAG)]))

    def _paint_playhead(self, x: float) -> None:
        painter = self._painter
        painter.setPen(QPen(self._accent, 1.6))
        painter.drawLine(QPointF(x, 1), QPointF(x, self._middle))
        painter.setBrush(self._accent)
        painter.drawEllipse(QPointF(x, self._middle), 5.0, 5.0)

    def _paint_strip(self) -> None:
        axis, (start, span) = self._axis, self._axis.range.whole
        top, wide = axis.height() - 3.0, self._track.width()
        self._painter.fillRect(QRectF(BESIDE, top, wide, 2.0), faint(self._ink, 45))
        left, width = ((axis.range.first - start) / span * wide, max(6.0, axis.range.span / span * wide))
        self._painter.fillRect(QRectF(BESIDE + min(left, wide - width), top, width, 2.0), faint(self._ink, 200))


def faint(colour: QColor, alpha: int) -> QColor:
    """The same, seen through."""
    seen = QColor(colour)
    seen.setAlpha(alpha)
    return seen
