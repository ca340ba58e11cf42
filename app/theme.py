"""Icons, drawn from simple shapes in the colour of the text; the colours are those of app/appearance.py."""
from types import MappingProxyType

from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QIcon, QPainter, QPen, QPixmap, QPolygonF

ICON_SIZE = 32


def icon(name: str, colour: QColor) -> QIcon:
    """An icon of the toolbar by name; an empty icon for an unknown one."""
    pixmap = QPixmap(ICON_SIZE, ICON_SIZE)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(colour)
    painter.setPen(QPen(colour, 3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    draw = _DRAWINGS.get(name)
    if draw is not None:
        draw(painter)
    painter.end()
    return QIcon(pixmap) if draw is not None else QIcon()


def _triangle(painter: QPainter, points) -> None:
    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in points]))


def _run(painter: QPainter) -> None:
    _triangle(painter, ((10, 6), (26, 16), (10, 26)))


def _pause(painter: QPainter) -> None:
    painter.drawRect(QRectF(9, 7, 4, 18))
    painter.drawRect(QRectF(19, 7, 4, 18))


def _step(painter: QPainter) -> None:
    _triangle(painter, ((7, 7), (19, 16), (7, 25)))
    painter.drawRect(QRectF(23, 7, 2, 18))


def _step_back(painter: QPainter) -> None:
    _triangle(painter, ((25, 7), (13, 16), (25, 25)))
    painter.drawRect(QRectF(7, 7, 2, 18))


def _reset(painter: QPainter) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawArc(QRectF(7, 7, 18, 18), 60 * 16, 290 * 16)
    painter.setBrush(painter.pen().color())
    _triangle(painter, ((16, 2), (23, 8), (15, 12)))


def _record(painter: QPainter) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(225, 35, 30))
    painter.drawEllipse(QRectF(7, 7, 18, 18))


def _open(painter: QPainter) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in ((5, 25), (5, 8), (12, 8), (15, 11), (25, 11), (25, 15))]))
    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in ((5, 25), (10, 15), (29, 15), (24, 25))]))


def _reload(painter: QPainter) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawArc(QRectF(7, 8, 18, 16), 20 * 16, 140 * 16)
    painter.drawArc(QRectF(7, 8, 18, 16), 200 * 16, 140 * 16)
    painter.setBrush(painter.pen().color())
    _triangle(painter, ((27, 9), (26, 16), (20, 13)))
    _triangle(painter, ((5, 23), (6, 16), (12, 19)))


_DRAWINGS = MappingProxyType({"run": _run, "pause": _pause, "step": _step, "step_back": _step_back, "reset": _reset, "open": _open, "reload": _reload, "record": _record})
