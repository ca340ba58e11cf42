"""Gizmos drawn over the picture, so that nothing hides them: handles with a dark rim, the numbers of a drag beside the pointer."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import MappingProxyType

import numpy as np
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from app.posing.measure_painter import pixels_of
from app.viewport.label_painter import RIM
from app.viewport.overlay import INK, SHADE
from editor.tools.handles import ARROW, DOT, KNOB, LINE, SQUARE, Handle, pixels
from render.scene.camera import View

COLOURS = MappingProxyType({"x": (238, 84, 84), "y": (126, 200, 80), "z": (84, 148, 250), "view": (235, 238, 244), "point": (255, 182, 56)})
HOVERED = QColor(255, 226, 92)
WIDTH, HOVERED_WIDTH, RIM_MORE = 2.4, 3.4, 2.0     # logical pixels
TIP = (13.0, 5.0)       # length and half width of an arrow's tip
FADED = 130             # alpha of what is not grabbed during a drag
BESIDE, PADDING, MARGIN = 18.0, 6.0, 2.0
ORDER = (SQUARE, LINE, ARROW, KNOB, DOT)


def paint_handles(painter: QPainter, handles: Sequence[Handle], view: View, size: tuple[float, float], hovered: tuple | None, grabbed: tuple | None = None) -> None:
    """Draw with logical pixels; hovered, grabbed: by what they do (Handle.what)."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for handle in sorted(handles, key=lambda one: ORDER.index(one.shape)):
        lit = bool(handle.what) and handle.what == (grabbed if grabbed is not None else hovered)
        colour = HOVERED if lit else QColor(*COLOURS[handle.colour])
        if grabbed is not None and not lit:
            colour.setAlpha(FADED)
        _DRAW[handle.shape](painter, handle, view, size, QColor(colour), lit)
    painter.restore()


def _rim(alpha: int) -> QColor:
    rim = QColor(RIM)
    rim.setAlpha(min(alpha, rim.alpha()))
    return rim


def _stroke(painter: QPainter, points: Iterable, colour: QColor, lit: bool) -> None:
    line = QPolygonF([QPointF(*point) for point in points])
    width = HOVERED_WIDTH if lit else WIDTH
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for ink, wide in ((_rim(colour.alpha()), width + RIM_MORE), (colour, width)):
        painter.setPen(QPen(ink, wide, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
        painter.drawPolyline(line)


def _line(painter: QPainter, handle: Handle, view: View, size, colour: QColor, lit: bool) -> None:
    where = pixels_of(view, size, handle.points)
    if len(where):
        _stroke(painter, where, colour, lit)


def _arrow(painter: QPainter, handle: Handle, view: View, size, colour: QColor, lit: bool) -> None:
    where = pixels(handle, view, size)
    if where is None:
        return
    way = where[-1] - where[0]
    length = float(np.linalg.norm(way))
    if length < 1e-6:
        return
    way, tip = way / length, min(TIP[0], length)
    across, foot = np.array([-way[1], way[0]]), where[-1] - tip * way
    _stroke(painter, (where[0], foot), colour, lit)
    painter.setPen(QPen(_rim(colour.alpha()), 1.0))
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([QPointF(*point) for point in (where[-1], foot + TIP[1] * across, foot - TIP[1] * across)]))


def _square(painter: QPainter, handle: Handle, view: View, size, colour: QColor, lit: bool) -> None:
    where = pixels(handle, view, size)
    if where is None:
        return
    fill = QColor(colour)
    fill.setAlpha(min(colour.alpha(), 170 if lit else 95))
    painter.setBrush(fill)
    painter.setPen(QPen(colour, 1.4))
    painter.drawPolygon(QPolygonF([QPointF(*point) for point in where]))


def _knob(painter: QPainter, handle: Handle, view: View, size, colour: QColor, lit: bool) -> None:
    where = pixels(handle, view, size)
    if where is None:
        return
    _stroke(painter, where, colour, lit)
    _end(painter, where[-1], handle, colour, lit)


def _dot(painter: QPainter, handle: Handle, view: View, size, colour: QColor, lit: bool) -> None:
    where = pixels(handle, view, size)
    if where is not None:
        _end(painter, where[-1], handle, colour, lit)


def _end(painter: QPainter, at: np.ndarray, handle: Handle, colour: QColor, lit: bool) -> None:
    radius = handle.size + (1.0 if lit else 0.0)
    painter.setPen(QPen(_rim(colour.alpha()), 1.6))
    painter.setBrush(colour)
    if handle.what[:1] == ("size",):
        painter.drawRect(QRectF(at[0] - radius, at[1] - radius, 2 * radius, 2 * radius))
        return
    painter.drawEllipse(QPointF(*at), radius, radius)
    if handle.colour == "view":     # a ring, through which the place is seen
        painter.setBrush(_rim(colour.alpha()))
        painter.drawEllipse(QPointF(*at), radius - 3.0, radius - 3.0)


_DRAW = MappingProxyType({LINE: _line, ARROW: _arrow, SQUARE: _square, KNOB: _knob, DOT: _dot})


def paint_guides(painter: QPainter, point: np.ndarray, axes: np.ndarray, which: Sequence[int], view: View, size: tuple[float, float], far: float) -> None:
    """Long thin lines through a point along the axes that a drag keeps to."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for k in which:
        where = pixels_of(view, size, np.array([point - far * axes[:, k], point + far * axes[:, k]]))
        if len(where) and np.abs(where).max() < 1e6:
            colour = QColor(*COLOURS["xyz"[k]])
            colour.setAlpha(150)
            painter.setPen(QPen(colour, 1.0))
            painter.drawPolyline(QPolygonF([QPointF(*one) for one in where]))
    painter.restore()


def paint_outline(painter: QPainter, lines: Sequence[np.ndarray], view: View, size: tuple[float, float], colour: QColor) -> None:
    """Lines of points (n, 3) of the world."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for ink, width in ((RIM, 3.0), (colour, 1.6)):
        painter.setPen(QPen(ink, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        for line in lines:
            where = pixels_of(view, size, line)
            if len(where):
                painter.drawPolyline(QPolygonF([QPointF(*one) for one in where]))
    painter.restore()


def paint_texts(painter: QPainter, beside: QPointF, size: tuple[float, float], lines: Sequence[str], covered: QRectF | None = None) -> QRectF:
    """Lines on a shade beside the pointer, within the picture, above what lies over it (covered); where they are."""
    if not lines:
        return QRectF()
    metrics = QFontMetricsF(painter.font())
    room = size[0] - 2 * MARGIN - 2 * PADDING
    lines = [metrics.elidedText(line, Qt.TextElideMode.ElideRight, room) for line in lines]
    width, height = max(map(metrics.horizontalAdvance, lines)) + 2 * PADDING, len(lines) * metrics.height() + PADDING
    x = beside.x() + BESIDE if beside.x() + BESIDE + width < size[0] else beside.x() - BESIDE - width
    x, y = (max(min(value, most - MARGIN), MARGIN) for value, most in ((x, size[0] - width), (beside.y() + BESIDE, size[1] - height)))
    box = QRectF(x, y, width, height)
    if covered is not None and box.intersects(covered):
        box.moveBottom(max(covered.top() - MARGIN, height + MARGIN))
    painter.fillRect(box, SHADE)
    painter.setPen(INK)
    for k, line in enumerate(lines):
        painter.drawText(QPointF(box.left() + PADDING, box.top() + PADDING / 2 + metrics.ascent() + k * metrics.height()), line)
    return box
