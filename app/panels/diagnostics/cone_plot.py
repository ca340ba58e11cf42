"""The cross-section of a contact's friction cone at its normal force, and where in it the force lies: an ellipse, or a diamond where the cone is a pyramid."""
from __future__ import annotations

from math import sqrt

from PyQt6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PyQt6.QtGui import QColor, QPainter, QPalette, QPen, QPolygonF
from PyQt6.QtWidgets import QSizePolicy, QWidget

from physics.diagnostics.contact_state import Cone

LINES = 9           # of text, that it is high
FORCE = "#e69f00"   # as the first curve of a chart
INSIDE = 40         # opacity of the cross-section, of 255
LEAST = 0.35        # of the width, that the picture has
DOT = 4.0           # logical pixels


class ConePlot(QWidget):
    """show_cone() shows one, None nothing."""

    def __init__(self):
        super().__init__()
        self._cone: Cone | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setToolTip("Cross-section of the friction cone at the present normal force, along the contact's tangents.\n"
                        "Solid: all that friction can do. Dashed: what spin and rolling leave of it for the tangents.")

    def show_cone(self, cone: Cone | None) -> None:
        """Draw this one."""
        if cone != self._cone:
            self._cone = cone
            self.update()

    @property
    def cone(self) -> Cone | None:
        """What is drawn."""
        return self._cone

    def sizeHint(self) -> QSize:
        return QSize(20 * self.fontMetrics().height(), LINES * self.fontMetrics().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.updateGeometry()

    def text(self) -> str:
        """What stands beside the picture."""
        cone = self._cone
        if cone is None:
            return ""
        if cone.kind == "frictionless":
            return "No friction: condim 1"
        if cone.normal <= 0.0:
            return f"{cone.kind} cone\nnot pressed"
        along = [f"t{k + 1}  {cone.force[k]:.4g} of {cone.friction[k] * cone.normal:.4g} N" for k in range(2)]
        return "\n".join((f"{cone.kind} cone", said_share(cone), "", *along))

    def _text_width(self) -> int:
        return max((self.fontMetrics().horizontalAdvance(text) for text in self.text().split("\n")), default=0)

    def paintEvent(self, _event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette, line = self.palette(), self.fontMetrics().height()
        painter.fillRect(self.rect(), palette.base())
        side = float(min(self.height(), max(LEAST * self.width(), self.width() - self._text_width() - line)))
        if self._cone is not None and self._cone.kind != "frictionless":
            self._draw(painter, QRectF(line, line, side - 2 * line, side - 2 * line))
        painter.setPen(palette.color(QPalette.ColorRole.Text))
        left = int(side) + line // 2 if self._cone is not None and self._cone.kind != "frictionless" else line // 2
        painter.drawText(QRectF(left, 0, self.width() - left, self.height()), Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, self.text())
        painter.end()

    def _draw(self, painter: QPainter, room: QRectF) -> None:
        """Axes, the cross-section as large as there is room, and the force."""
        cone, palette = self._cone, self.palette()
        middle, most = room.center(), max(cone.friction[:2])
        dim = palette.color(QPalette.ColorRole.PlaceholderText)
        painter.setPen(QPen(dim, 1.0))
        painter.drawLine(QPointF(room.left(), middle.y()), QPointF(room.right(), middle.y()))
        painter.drawLine(QPointF(middle.x(), room.top()), QPointF(middle.x(), room.bottom()))
        metrics = self.fontMetrics()
        painter.drawText(QPointF(room.right() + 2, middle.y() + metrics.ascent() / 2), "t1")
        painter.drawText(QPointF(middle.x() - metrics.horizontalAdvance("t2") / 2, room.top() - 3), "t2")
        fill = QColor(FORCE)
        fill.setAlpha(INSIDE)
        half = (room.width() / 2 * cone.friction[0] / most, room.height() / 2 * cone.friction[1] / most)
        painter.setPen(QPen(palette.color(QPalette.ColorRole.Text), 1.5))
        painter.setBrush(fill)
        self._section(painter, middle, *half)
        left = room_for_tangents(cone)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if left < 1.0:
            painter.setPen(QPen(dim, 1.0, Qt.PenStyle.DashLine))
            self._section(painter, middle, half[0] * left, half[1] * left)
        if cone.normal > 0.0:
            scale = room.width() / 2 / (most * cone.normal)
            tip = QPointF(middle.x() + scale * cone.force[0], middle.y() - scale * cone.force[1])
            painter.setPen(QPen(QColor(FORCE), 2.0))
            painter.drawLine(middle, tip)
            painter.setBrush(QColor(FORCE))
            painter.drawEllipse(tip, DOT, DOT)

    def _section(self, painter: QPainter, middle: QPointF, x: float, y: float) -> None:
        if self._cone.kind == "elliptic":
            painter.drawEllipse(middle, x, y)
        else:
            painter.drawPolygon(QPolygonF([middle + QPointF(x, 0), middle + QPointF(0, y), middle - QPointF(x, 0), middle - QPointF(0, y)]))


def room_for_tangents(cone: Cone) -> float:
    """Share of the cross-section that spin and rolling leave to the tangents, 1 where there are none."""
    if cone.normal <= 0.0 or len(cone.friction) <= 2:
        return 1.0
    parts = [abs(force) / (mu * cone.normal) for force, mu in zip(cone.force[2:], cone.friction[2:], strict=True)]
    return sqrt(max(0.0, 1.0 - sum(part * part for part in parts))) if cone.kind == "elliptic" else max(0.0, 1.0 - sum(parts))


def said_share(cone: Cone) -> str:
    """How much of the cone is used, in words."""
    return f"{100 * cone.share:.1f} % used" + (": it slides" if cone.share > 0.9999 else "")
