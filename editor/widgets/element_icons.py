"""A small picture per kind of element, of a text or of a model, drawn from simple shapes on a grid of 16 by 16, crisp on any screen."""
from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import MappingProxyType

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QIcon, QPainter, QPixmap, QPolygonF

from editor.widgets.drawn_icon import RATIOS, drawn_picture

__all__ = ["DIM", "ERROR", "SIZE", "WARNING", "kind_icon", "named_icon"]

SIZE, GRID, STROKE = 16, 16.0, 1.4      # logical pixels
DIM, ERROR, WARNING = "#8b929c", "#d0504a", "#d8a72a"
# in the middle between black and white, to be seen on light and dark
COLOURS = MappingProxyType({
    "body": "#b06fd0", "world": "#b06fd0", "joint": "#2f9fd0", "geom": "#7d94aa", "site": "#c9a21f", "camera": "#4fae58", "light": "#d8a72a", "mesh": "#7d94aa",
    "hfield": "#7d94aa", "material": "#d0686f", "texture": "#d0686f", "tendon": "#e0772d", "actuator": "#2fa06a", "sensor": "#a8aa2c", "equality": "#cf5050",
    "pair": "#e0608a", "exclude": "#e0608a", "key": "#8a8fd8", "frame": "#c9a21f", "replicate": "#4f9fb0", "composite": "#4f9fb0", "attach": "#4f9fb0", "model": "#4f9fb0",
    "include": "#4f8fd0", "default": "#a8895a", "skin": "#cf8a62", "contact": "#e0608a", "numeric": "#8b929c", "text": "#8b929c", "tuple": "#8b929c"})
Draw = Callable[[QPainter], None]


def kind_icon(kind: str, mark: str = "") -> QIcon:
    """The picture of a kind, a ring for an unknown one. mark: colour of a dot at its corner, '' for none."""
    return named_icon(kind if kind in _DRAWINGS else "other", COLOURS.get(kind, DIM), mark)


@lru_cache(maxsize=128)
def named_icon(name: str, colour: str = DIM, mark: str = "") -> QIcon:
    """One of the pictures by its name, in another colour. Raises KeyError."""
    made = QIcon()
    for ratio in RATIOS:
        made.addPixmap(_picture(_DRAWINGS[name], colour, mark, ratio))
        made.addPixmap(_picture(_DRAWINGS[name], "white", mark, ratio), QIcon.Mode.Selected)
    return made


def _picture(draw: Draw, colour: str, mark: str, ratio: float) -> QPixmap:
    def with_mark(painter: QPainter) -> None:
        draw(painter)
        if mark:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(mark))
            painter.drawEllipse(QPointF(12.2, 12.2), 3.6, 3.6)

    return drawn_picture(with_mark, SIZE, GRID, STROKE, colour, ratio)


def _lines(*strokes) -> Draw:
    """Polylines, each a row of x, y, x, y, ..."""
    def draw(painter: QPainter) -> None:
        for stroke in strokes:
            painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in zip(stroke[::2], stroke[1::2], strict=True)]))
    return draw


def _rounds(*circles, filled: bool = False) -> Draw:
    """Circles (x, y, radius)."""
    def draw(painter: QPainter) -> None:
        painter.setBrush(painter.pen().color() if filled else Qt.BrushStyle.NoBrush)
        for x, y, radius in circles:
            painter.drawEllipse(QPointF(x, y), radius, radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)
    return draw


def _boxes(*boxes, filled: bool = False) -> Draw:
    """Rectangles (x, y, width, height)."""
    def draw(painter: QPainter) -> None:
        painter.setBrush(painter.pen().color() if filled else Qt.BrushStyle.NoBrush)
        for box in boxes:
            painter.drawRect(QRectF(*box))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    return draw


def _arc(x: float, y: float, radius: float, start: float, span: float) -> Draw:
    """A part of a circle; degrees, counter-clockwise from the right."""
    return lambda painter: painter.drawArc(QRectF(x - radius, y - radius, 2 * radius, 2 * radius), round(16 * start), round(16 * span))


def _all(*parts: Draw) -> Draw:
    def draw(painter: QPainter) -> None:
        for part in parts:
            part(painter)
    return draw


_RAYS = tuple((8 + 5 * x, 7.5 + 5 * y, 8 + 6.6 * x, 7.5 + 6.6 * y) for x, y in ((1, 0), (-1, 0), (0, -1), (.7, -.7), (-.7, -.7), (.7, .7), (-.7, .7), (0, 1)))
_DRAWINGS: MappingProxyType[str, Draw] = MappingProxyType({
    "other": _rounds((8, 8, 2.4)),
    "section": _lines((1.8, 12.8, 1.8, 3.4, 6.2, 3.4, 7.8, 5.2, 14.2, 5.2, 14.2, 12.8, 1.8, 12.8)),
    "body": _all(_rounds((8, 8, 5.6)), _rounds((8, 8, 1.6), filled=True)),
    "world": _all(_rounds((8, 8, 6)), _lines((2, 8, 14, 8)), _arc(8, 8, 6, 0, 360), _lines((8, 2, 5.4, 5, 5.4, 11, 8, 14), (8, 2, 10.6, 5, 10.6, 11, 8, 14))),
    "joint": _all(_rounds((8, 8, 2.6)), _arc(8, 8, 5.8, 30, 150), _lines((2.2, 5.4, 2.4, 8.2, 4.8, 6.9))),
    "geom": _lines((8, 1.8, 13.6, 4.8, 13.6, 11.2, 8, 14.2, 2.4, 11.2, 2.4, 4.8, 8, 1.8), (2.4, 4.8, 8, 7.8, 13.6, 4.8), (8, 7.8, 8, 14.2)),
    "site": _all(_lines((8, 1.8, 8, 14.2), (1.8, 8, 14.2, 8)), _rounds((8, 8, 2.2), filled=True)),
    "camera": _all(_boxes((1.8, 5, 8.2, 6.6)), _lines((10, 8.3, 14.2, 5.2, 14.2, 11.4, 10, 8.3))),
    "light": _all(_rounds((8, 7.5, 2.7)), _lines(*_RAYS)),
    "inertial": _all(_rounds((8, 8, 5.6)), _lines((8, 2.4, 8, 13.6), (2.4, 8, 13.6, 8))),
    "frame": _lines((3.4, 12.6, 3.4, 2.2), (1.6, 4.4, 3.4, 2.2, 5.2, 4.4), (3.4, 12.6, 13.8, 12.6), (11.6, 10.8, 13.8, 12.6, 11.6, 14.4)),
    "replicate": _boxes((2, 6, 8, 8), (6, 2, 8, 8)),
    "composite": _all(_rounds((3.2, 12.2, 1.9), (8, 8, 1.9), (12.8, 3.8, 1.9)), _lines((4.6, 10.9, 6.6, 9.3), (9.4, 6.7, 11.4, 5.1))),
    "attach": _lines((9.5, 4.4, 5, 9, 5, 11, 7, 11, 12.4, 5.6, 12.4, 2.4, 9.4, 2.4, 2.6, 9.2, 2.6, 13.4, 7, 13.4, 12, 8.4)),
    "model": _all(_boxes((2.4, 2.4, 11.2, 11.2)), _rounds((8, 8, 2.6))),
    "include": _lines((9.4, 1.8, 3.2, 1.8, 3.2, 14.2, 12.8, 14.2, 12.8, 5.2, 9.4, 1.8, 9.4, 5.2, 12.8, 5.2)),
    "default": _lines((3, 4, 13, 4), (3, 8, 13, 8), (3, 12, 9, 12)),
    "mesh": _lines((8, 2, 14, 13.2, 2, 13.2, 8, 2), (5, 7.6, 11, 7.6, 8, 13.2, 5, 7.6)),
    "hfield": _lines((1.5, 12.5, 5.5, 5, 8, 9, 10.8, 3.4, 14.5, 12.5, 1.5, 12.5)),
    "material": _all(_rounds((8, 8, 5.8)), _arc(8, 8, 3.4, 100, 70)),
    "texture": _all(_boxes((2.2, 2.2, 11.6, 11.6)), _boxes((2.8, 2.8, 5, 5), (8.2, 8.2, 5, 5), filled=True)),
    "tendon": _all(_rounds((2.9, 12.6, 1.4), (13.1, 3.4, 1.4), filled=True), _lines((2.9, 12.6, 6.4, 6.6, 9.6, 9.2, 13.1, 3.4))),
    "actuator": _all(_boxes((1.8, 5.2, 7.6, 5.6)), _lines((9.4, 8, 14.2, 8), (12, 5.8, 14.2, 8, 12, 10.2))),
    "sensor": _all(_arc(8, 11.2, 6, 20, 140), _arc(8, 11.2, 3.2, 20, 140), _rounds((8, 11.2, 1), filled=True)),
    "equality": _lines((2.6, 6, 13.4, 6), (2.6, 10, 13.4, 10)),
    "pair": _rounds((5.6, 8, 3.6), (10.4, 8, 3.6)),
    "exclude": _all(_rounds((8, 8, 5.6)), _lines((4, 12, 12, 4))),
    "key": _lines((8, 2, 14, 8, 8, 14, 2, 8, 8, 2)),
    "skin": _all(_arc(8, 8, 5.8, 0, 360), _arc(8, 4.4, 5, 215, 110)),
    "contact": _all(_arc(8, 15.4, 6.4, 40, 100), _arc(8, 2.4, 6.4, 220, 100), _rounds((8, 8.9, 1), filled=True)),
    "numeric": _lines((6, 2.5, 4.6, 13.5), (11.4, 2.5, 10, 13.5), (2.6, 6, 13.8, 6), (2.2, 10, 13.4, 10)),
    "text": _lines((3, 3.4, 13, 3.4), (8, 3.4, 8, 13.4)),
    "tuple": _all(_arc(8.4, 8, 6.4, 130, 100), _arc(7.6, 8, 6.4, -50, 100), _rounds((5.9, 8, .7), (10.1, 8, .7), filled=True)),
    "eye": _all(_arc(8, 11.6, 6.6, 30, 120), _arc(8, 4.4, 6.6, 210, 120), _rounds((8, 8, 1.8), filled=True)),
    "filter": _lines((2, 3, 14, 3, 9.4, 8.6, 9.4, 13.6, 6.6, 12.2, 6.6, 8.6, 2, 3)),
    "shut": _all(_arc(8, 4.4, 6.6, 210, 120), _lines((3.4, 10.6, 2.4, 12.2), (8, 11.2, 8, 13.2), (12.6, 10.6, 13.6, 12.2))),
})
