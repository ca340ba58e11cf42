"""The red dot over the view while a film is recorded, with the film's length so far."""
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFontMetricsF, QPainter

RED, SHADE, INK = QColor(225, 35, 30), QColor(10, 14, 20, 170), QColor(255, 255, 255)
MARGIN, RADIUS = 10.0, 5.0
NARROW, BELOW = 420.0, 54.0    # in narrower views the mark stands below the speed


def mark_area(painter: QPainter, width: float, text: str) -> QRectF:
    """Where the mark stands: at the top right of a view of this width [logical pixels]."""
    metrics = QFontMetricsF(painter.font())
    wide = metrics.horizontalAdvance(text) + 2 * RADIUS + 26
    return QRectF(width - MARGIN - wide, MARGIN if width > NARROW else BELOW, wide, metrics.height() + 8)


def paint_mark(painter: QPainter, width: float, text: str) -> None:
    """A dot and the text on a shade."""
    area = mark_area(painter, width, text)
    painter.fillRect(area, SHADE)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(RED)
    painter.drawEllipse(QPointF(area.left() + 9 + RADIUS, area.center().y()), RADIUS, RADIUS)
    painter.restore()
    painter.setPen(INK)
    painter.drawText(area.adjusted(2 * RADIUS + 17, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter.value, text)
