"""Icons of one weight, drawn from simple shapes on a grid of 24 by 24, as crisp on a dense screen as on a plain one."""
from collections.abc import Callable
from functools import lru_cache
from types import MappingProxyType

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QIcon, QPainter, QPolygonF

from editor.widgets.drawn_icon import RATIOS, drawn_picture

GRID, STROKE = 24.0, 1.7
SIZE = 20                       # logical pixels
RED = QColor(225, 60, 50)


def icon(name: str, colour: QColor) -> QIcon:
    """An icon by name; an empty one for an unknown name."""
    return _icon(name, colour.name(QColor.NameFormat.HexArgb))


@lru_cache(maxsize=256)
def _icon(name: str, argb: str) -> QIcon:
    """The same, drawn once for all windows."""
    draw, colour = _DRAWINGS.get(name), QColor(argb)
    made = QIcon()
    for ratio in RATIOS if draw is not None else ():
        made.addPixmap(drawn_picture(lambda painter: draw(painter, colour), SIZE, GRID, STROKE, colour, ratio))
    return made


def _filled(painter: QPainter, colour: QColor, points) -> None:
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _line(painter: QPainter, *points) -> None:
    painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in points]))


def _run(painter: QPainter, colour: QColor) -> None:
    _filled(painter, colour, ((8, 5), (19, 12), (8, 19)))


def _pause(painter: QPainter, colour: QColor) -> None:
    painter.setBrush(colour)
    for x in (7, 14.5):
        painter.drawRect(QRectF(x, 5.5, 2.5, 13))


def _play_forward(painter: QPainter, _colour: QColor) -> None:
    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in ((8, 6), (18, 12), (8, 18))]))


def _play_backward(painter: QPainter, _colour: QColor) -> None:
    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in ((16, 6), (6, 12), (16, 18))]))


def _bookmark(painter: QPainter, colour: QColor) -> None:
    _line(painter, (7, 4), (7, 20))
    _filled(painter, colour, ((7, 4.5), (18, 8.5), (7, 12.5)))


def _step(painter: QPainter, colour: QColor) -> None:
    _filled(painter, colour, ((6, 6.5), (14.5, 12), (6, 17.5)))
    _line(painter, (18, 6), (18, 18))


def _step_back(painter: QPainter, colour: QColor) -> None:
    _filled(painter, colour, ((18, 6.5), (9.5, 12), (18, 17.5)))
    _line(painter, (6, 6), (6, 18))


def _reset(painter: QPainter, colour: QColor) -> None:
    painter.drawArc(QRectF(5, 5, 14, 14), 40 * 16, -285 * 16)
    _filled(painter, colour, ((17.5, 3.2), (18.2, 8.4), (13.2, 7.2)))


def _loop(painter: QPainter, colour: QColor) -> None:
    _line(painter, (17, 7), (8, 7), (5, 10), (5, 12))
    _line(painter, (7, 17), (16, 17), (19, 14), (19, 12))
    _filled(painter, colour, ((16, 4.6), (19.4, 7), (16, 9.4)))
    _filled(painter, colour, ((8, 14.6), (4.6, 17), (8, 19.4)))


def _record(painter: QPainter, _colour: QColor) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(RED)
    painter.drawEllipse(QRectF(5.5, 5.5, 13, 13))


def _open(painter: QPainter, _colour: QColor) -> None:
    _line(painter, (4, 18.5), (4, 6), (9, 6), (11, 8.5), (18, 8.5), (18, 11))
    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in ((4, 18.5), (7.5, 11), (21, 11), (17.5, 18.5))]))


def _reload(painter: QPainter, colour: QColor) -> None:
    painter.drawArc(QRectF(5, 5.5, 14, 13), 15 * 16, 140 * 16)
    painter.drawArc(QRectF(5, 5.5, 14, 13), 195 * 16, 140 * 16)
    _filled(painter, colour, ((20.6, 6.6), (20, 11.4), (16, 9)))
    _filled(painter, colour, ((3.4, 17.4), (4, 12.6), (8, 15)))


def _photo(painter: QPainter, _colour: QColor) -> None:
    _line(painter, (4, 18), (4, 8), (8, 8), (9.5, 5.5), (14.5, 5.5), (16, 8), (20, 8), (20, 18), (4, 18))
    painter.drawEllipse(QPointF(12, 12.7), 3.2, 3.2)


def _contacts(painter: QPainter, colour: QColor) -> None:
    painter.drawArc(QRectF(5, 2.5, 14, 14), 200 * 16, 140 * 16)
    _line(painter, (3.5, 19.5), (20.5, 19.5))
    painter.setBrush(colour)
    painter.drawEllipse(QPointF(12, 17.6), 2.0, 2.0)


def _forces(painter: QPainter, colour: QColor) -> None:
    _line(painter, (3.5, 19.5), (20.5, 19.5))
    _line(painter, (12, 18), (12, 8))
    _filled(painter, colour, ((8.6, 9), (12, 3.2), (15.4, 9)))


def _look(painter: QPainter, colour: QColor) -> None:
    painter.drawEllipse(QPointF(12, 12), 7.5, 7.5)
    painter.setBrush(colour)
    painter.drawPie(QRectF(4.5, 4.5, 15, 15), 225 * 16, 180 * 16)


def _pose(painter: QPainter, colour: QColor) -> None:
    _line(painter, (5, 19.5), (8, 10.5), (16.5, 7))
    painter.setBrush(colour)
    for x, y in ((5, 19.5), (8, 10.5)):
        painter.drawEllipse(QPointF(x, y), 1.7, 1.7)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawEllipse(QPointF(18.2, 6.3), 2.9, 2.9)


def _move(painter: QPainter, colour: QColor) -> None:
    _line(painter, (4, 12), (20, 12))
    _line(painter, (12, 4), (12, 20))
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        _filled(painter, colour, ((12 + 9.5 * x, 12 + 9.5 * y), (12 + 6 * x + 2.8 * y, 12 + 6 * y + 2.8 * x), (12 + 6 * x - 2.8 * y, 12 + 6 * y - 2.8 * x)))


_DRAWINGS: MappingProxyType[str, Callable[[QPainter, QColor], None]] = MappingProxyType({
    "run": _run, "pause": _pause, "step": _step, "step_back": _step_back, "reset": _reset, "loop": _loop, "play_forward": _play_forward, "play_backward": _play_backward, "bookmark": _bookmark, "record": _record, "open": _open,
    "reload": _reload, "photo": _photo, "contacts": _contacts, "forces": _forces, "look": _look, "pose": _pose, "move": _move,
})
