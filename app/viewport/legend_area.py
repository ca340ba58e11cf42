"""The legend at the bottom right of the view: a patch of each colour, what it is, its scale and unit."""
from PyQt6.QtCore import QPointF, QRectF
from PyQt6.QtGui import QColor, QFont, QFontMetricsF, QPainter

SHADE, INK = QColor(10, 14, 20, 150), QColor(255, 255, 255)
SIZES = (9.5, 8.5, 7.5, 6.5)   # points: the first that fits into this part of the view's width and height
WIDE, HIGH = 0.56, 0.5
MARGIN = 10.0


class LegendArea:
    """A legend laid out for a view of this size [logical pixels]; rows: render.scene.legend.LegendRow; taken: areas (x, y, width, height)
    that it stands above of. box: the area that it covers."""

    def __init__(self, painter: QPainter, width: float, height: float, rows, taken=()):
        self.rows = list(rows)
        for size in SIZES:
            self._font = QFont(painter.font())
            self._font.setPointSizeF(size)
            self._metrics = metrics = QFontMetricsF(self._font)
            self._line = metrics.height() + 1
            self._second = 2.3 * self._line + max(metrics.horizontalAdvance(row.what) for row in rows)
            wide = self._second + max(metrics.horizontalAdvance(row.scale) for row in rows) + 10
            high = len(rows) * self._line + 8
            if wide < WIDE * width and high < HIGH * height:
                break
        left, top = width - MARGIN - wide, height - MARGIN - high
        for x, y, w, h in sorted(taken, key=lambda area: -area[1]):
            if x < left + wide and left < x + w and y < top + high and top < y + h:
                top = max(MARGIN, y - MARGIN - high)
        self.box = (left, top, wide, high)

    def at(self, x: float, y: float) -> int | None:
        """Number of the row at a point of the view, None beside the legend."""
        left, top, wide, high = self.box
        if not (left <= x < left + wide and top <= y < top + high):
            return None
        return min(max(int((y - top - 4) / self._line), 0), len(self.rows) - 1)

    def paint(self, painter: QPainter) -> None:
        """Draw it."""
        x, y, wide, high = self.box
        painter.save()
        painter.setFont(self._font)
        painter.fillRect(QRectF(x, y, wide, high), SHADE)
        painter.setPen(INK)
        for i, row in enumerate(self.rows):
            top = y + 4 + i * self._line
            patch = QColor.fromRgbF(*(float(min(1.0, max(0.0, c))) for c in row.rgba[:3]))
            painter.fillRect(QRectF(x + 8, top + 0.25 * self._line, 0.8 * self._line, 0.55 * self._line), patch)
            base = top + self._metrics.ascent()
            painter.drawText(QPointF(x + 8 + 1.2 * self._line, base), row.what)
            painter.drawText(QPointF(x + self._second, base), row.scale)
        painter.restore()
