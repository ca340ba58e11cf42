"""A small picture per kind of element, for trees and lists; drawn from simple shapes on a grid of 16 by 16, crisp on any screen."""
from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import MappingProxyType

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF

GRID, STROKE = 16.0, 1.4
SIZE = 16                       # logical pixels
RATIOS = (1.0, 1.25, 1.5, 2.0, 3.0)
# in the middle between black and white, to be seen on light and dark
COLOURS = MappingProxyType({
    "body": "#b06fd0", "joint": "#2f9fd0", "geom": "#7d94aa", "site": "#c9a21f", "camera": "#4fae58", "light": "#d8a72a", "mesh": "#7d94aa", "hfield": "#7d94aa",
    "skin": "#cf8a62", "material": "#d0686f", "texture": "#d0686f", "tendon": "#e0772d", "actuator": "#2fa06a", "sensor": "#a8aa2c", "equality": "#cf5050",
    "pair": "#e0608a", "exclude": "#e0608a", "contact": "#e0608a", "key": "#8a8fd8", "numeric": "#8b929c", "text": "#8b929c", "tuple": "#8b929c"})
DIM = "#8b929c"


def kind_icon(kind: str) -> QIcon:
    """The picture of a kind; an empty one for an unknown kind."""
    return _icon(kind, COLOURS.get(kind, DIM))


def filter_icon() -> QIcon:
    """A funnel."""
    return _icon("filter", DIM)


def eye_icon(shown: bool, colour: str) -> QIcon:
    """An open or a closed eye."""
    return _icon("eye" if shown else "shut", colour)


@lru_cache(maxsize=64)
def _icon(name: str, colour: str) -> QIcon:
    draw, made = _DRAWINGS.get(name), QIcon()
    for ratio in RATIOS if draw is not None else ():
        made.addPixmap(_picture(draw, QColor(colour), ratio))
        made.addPixmap(_picture(draw, QColor("white"), ratio), QIcon.Mode.Selected)    # on the accent colour
    return made


def _picture(draw: Callable[[QPainter], None], colour: QColor, ratio: float) -> QPixmap:
    side = round(SIZE * ratio)
    picture = QPixmap(side, side)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(side / GRID, side / GRID)
    painter.setPen(QPen(colour, STROKE, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    draw(painter)
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture.copy()     # without what Qt keeps for painting on it


# ------------------------------------------------------------------ drawings

def _lines(*strokes) -> Callable[[QPainter], None]:
    """Draws polylines, each a row of x, y, x, y, ..."""
    def draw(painter: QPainter) -> None:
        for stroke in strokes:
            painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in zip(stroke[::2], stroke[1::2], strict=True)]))
    return draw


def _circles(*circles, filled: bool = False) -> Callable[[QPainter], None]:
    """Draws circles (x, y, radius)."""
    def draw(painter: QPainter) -> None:
        painter.setBrush(painter.pen().color() if filled else Qt.BrushStyle.NoBrush)
        for x, y, radius in circles:
            painter.drawEllipse(QPointF(x, y), radius, radius)
        painter.setBrush(Qt.BrushStyle.NoBrush)
    return draw


def _rectangles(*rectangles, filled: bool = False) -> Callable[[QPainter], None]:
    """Draws rectangles (x, y, width, height)."""
    def draw(painter: QPainter) -> None:
        painter.setBrush(painter.pen().color() if filled else Qt.BrushStyle.NoBrush)
        for rectangle in rectangles:
            painter.drawRect(QRectF(*rectangle))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    return draw


def _all(*parts: Callable[[QPainter], None]) -> Callable[[QPainter], None]:
    def draw(painter: QPainter) -> None:
        for part in parts:
            part(painter)
    return draw


def _arc(x: float, y: float, radius: float, start: float, span: float) -> Callable[[QPainter], None]:
    """Draws a part of a circle; degrees, counter-clockwise from the right."""
    return lambda painter: painter.drawArc(QRectF(x - radius, y - radius, 2 * radius, 2 * radius), round(16 * start), round(16 * span))


_CUBE = _lines((8, 1.8, 13.6, 4.8, 13.6, 11.2, 8, 14.2, 2.4, 11.2, 2.4, 4.8, 8, 1.8), (2.4, 4.8, 8, 7.8, 13.6, 4.8), (8, 7.8, 8, 14.2))
_RAYS = _lines(*((8 + 5 * x, 7.5 + 5 * y, 8 + 6.6 * x, 7.5 + 6.6 * y) for x, y in ((1, 0), (-1, 0), (0, -1), (.7, -.7), (-.7, -.7), (.7, .7), (-.7, .7), (0, 1))))

_DRAWINGS: MappingProxyType[str, Callable[[QPainter], None]] = MappingProxyType({
    "body": _all(_circles((8, 8, 5.6)), _circles((8, 8, 1.6), filled=True)),
    "joint": _all(_circles((8, 8, 2.6)), _arc(8, 8, 5.8, 30, 150), _lines((2.2, 5.4, 2.4, 8.2, 4.8, 6.9))),
    "geom": _CUBE,
    "site": _all(_lines((8, 1.8, 8, 14.2), (1.8, 8, 14.2, 8)), _circles((8, 8, 2.2), filled=True)),
    "camera": _all(_rectangles((1.8, 5, 8.2, 6.6)), _lines((10, 8.3, 14.2, 5.2, 14.2, 11.4, 10, 8.3))),
    "light": _all(_circles((8, 7.5, 2.7)), _RAYS),
    "mesh": _lines((8, 2, 14, 13.2, 2, 13.2, 8, 2), (5, 7.6, 11, 7.6, 8, 13.2, 5, 7.6)),
    "hfield": _lines((1.5, 12.5, 5.5, 5, 8, 9, 10.8, 3.4, 14.5, 12.5, 1.5, 12.5)),
    "skin": _all(_arc(8, 8, 5.8, 0, 360), _arc(8, 4.4, 5, 215, 110)),
    "material": _all(_circles((8, 8, 5.8)), _arc(8, 8, 3.4, 100, 70)),
    "texture": _all(_rectangles((2.2, 2.2, 11.6, 11.6)), _rectangles((2.8, 2.8, 5, 5), (8.2, 8.2, 5, 5), filled=True)),
    "tendon": _all(_circles((2.9, 12.6, 1.4), (13.1, 3.4, 1.4), filled=True), _lines((2.9, 12.6, 6.4, 6.6, 9.6, 9.2, 13.1, 3.4))),
    "actuator": _all(_rectangles((1.8, 5.2, 7.6, 5.6)), _lines((9.4, 8, 14.2, 8), (12, 5.8, 14.2, 8, 12, 10.2))),
    "sensor": _all(_arc(8, 11.2, 6, 20, 140), _arc(8, 11.2, 3.2, 20, 140), _circles((8, 11.2, 1), filled=True)),
    "equality": _lines((2.6, 6, 13.4, 6), (2.6, 10, 13.4, 10)),
    "pair": _circles((5.6, 8, 3.6), (10.4, 8, 3.6)),
    "exclude": _all(_circles((8, 8, 5.6)), _lines((4, 12, 12, 4))),
    "contact": _all(_arc(8, 15.4, 6.4, 40, 100), _arc(8, 2.4, 6.4, 220, 100), _circles((8, 8.9, 1), filled=True)),
    "key": _lines((8, 2, 14, 8, 8, 14, 2, 8, 8, 2)),
    "numeric": _lines((6, 2.5, 4.6, 13.5), (11.4, 2.5, 10, 13.5), (2.6, 6, 13.8, 6), (2.2, 10, 13.4, 10)),
    "text": _lines((3, 3.4, 13, 3.4), (8, 3.4, 8, 13.4)),
    "tuple": _all(_arc(8.4, 8, 6.4, 130, 100), _arc(7.6, 8, 6.4, -50, 100), _circles((5.9, 8, .7), (10.1, 8, .7), filled=True)),
    "eye": _all(_arc(8, 11.6, 6.6, 30, 120), _arc(8, 4.4, 6.6, 210, 120), _circles((8, 8, 1.8), filled=True)),
    "filter": _lines((2, 3, 14, 3, 9.4, 8.6, 9.4, 13.6, 6.6, 12.2, 6.6, 8.6, 2, 3)),
    "shut": _all(_arc(8, 4.4, 6.6, 210, 120), _lines((3.4, 10.6, 2.4, 12.2), (8, 11.2, 8, 13.2), (12.6, 10.6, 13.6, 12.2))),
})
