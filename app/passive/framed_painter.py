"""Pictures and charts of a script, painted over its view."""
from __future__ import annotations

import numpy as np
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from app.passive.framed import Figure, FramedFigure, FramedImage, Rect

PAD = 6.0       # logical pixels between the parts of a chart
SMALLEST = 12.0     # a pane that is smaller has no room for curves


class FramedPainter:
    """Called by the view when it paints. images, figures: what the script has set last."""

    def __init__(self):
        self._images: list[tuple[Rect, QImage]] = []
        self.figures: tuple[FramedFigure, ...] = ()

    @property
    def images(self) -> tuple[Rect, ...]:
        """Where there are pictures."""
        return tuple(rect for rect, _image in self._images)

    def set_images(self, images: tuple[FramedImage, ...]) -> None:
        """Show these in place of those before."""
        self._images = [(rect, QImage(pixels.tobytes(), rect.width, rect.height, 3 * rect.width, QImage.Format.Format_RGB888).copy()) for rect, pixels in images]

    def paint(self, painter: QPainter, _width: float, height: float, _snapshot, _view) -> None:
        """All of it; height: of the view [logical pixels]."""
        if not self._images and not self.figures:
            return
        ratio = painter.device().devicePixelRatioF()
        painter.save()
        for rect, figure in self.figures:
            paint_figure(painter, _area(rect, height, ratio), figure)
        for rect, image in self._images:
            painter.drawImage(_area(rect, height, ratio), image)
        painter.restore()


def _area(rect: Rect, height: float, ratio: float) -> QRectF:
    """In logical pixels from the upper left corner."""
    return QRectF(rect.left / ratio, height - (rect.bottom + rect.height) / ratio, rect.width / ratio, rect.height / ratio)


def _colour(parts) -> QColor:
    numbers = [min(max(float(part), 0.0), 1.0) for part in parts]
    return QColor.fromRgbF(*numbers)


def paint_figure(painter: QPainter, area: QRectF, figure: Figure) -> None:
    """A chart: title above, curves in a grid, numbers at the axes, names of the curves at the right."""
    ink, metrics = _colour(figure.ink), QFontMetricsF(painter.font())
    painter.fillRect(area, _colour(figure.background))
    painter.setClipRect(area)
    (x_low, x_high), (y_low, y_high) = ranges = figure.ranges()
    y_marks = _marks(y_low, y_high, figure.grid[1], figure.y_format)
    x_marks = _marks(x_low, x_high, figure.grid[0], figure.x_format)
    above = metrics.height() + PAD if figure.title else PAD
    below = metrics.height() * (2 if figure.xlabel else 1) + PAD
    beside = max(metrics.horizontalAdvance(text) for _at, text in y_marks) + PAD
    pane = area.adjusted(beside, above, -2 * PAD, -below)
    painter.setPen(ink)
    if figure.title:
        painter.drawText(QRectF(area.left(), area.top() + 2, area.width(), metrics.height()), Qt.AlignmentFlag.AlignCenter, figure.title)
    if figure.xlabel:
        painter.drawText(QRectF(area.left(), area.bottom() - metrics.height(), area.width(), metrics.height()), Qt.AlignmentFlag.AlignCenter, figure.xlabel)
    if min(pane.width(), pane.height()) >= SMALLEST:
        painter.fillRect(pane, _colour(figure.pane))
        _paint_grid(painter, pane, figure, x_marks, y_marks, metrics)
        _paint_lines(painter, pane, figure, ranges)
        if figure.legend:
            _paint_legend(painter, pane, figure, metrics)
    painter.setClipping(False)


def _marks(low: float, high: float, fields: int, form: str) -> list[tuple[float, str]]:
    """(share of the axis, number beside it)."""
    fields = max(1, int(fields))
    return [(i / fields, _written(low + (high - low) * i / fields, form)) for i in range(fields + 1)]


def _written(value: float, form: str) -> str:
    try:
        return form % value
    except (TypeError, ValueError):     # a script may give any text
        return f"{value:.3g}"


def _paint_grid(painter: QPainter, pane: QRectF, figure: Figure, x_marks, y_marks, metrics: QFontMetricsF) -> None:
    ink, line = _colour(figure.ink), QPen(_colour(figure.grid_rgb), 1.0)
    for share, text in x_marks:
        x = pane.left() + share * pane.width()
        painter.setPen(line)
        painter.drawLine(QPointF(x, pane.top()), QPointF(x, pane.bottom()))
        painter.setPen(ink)
        painter.drawText(QPointF(x - metrics.horizontalAdvance(text) / 2, pane.bottom() + metrics.ascent() + 2), text)
    for share, text in y_marks:
        y = pane.bottom() - share * pane.height()
        painter.setPen(line)
        painter.drawLine(QPointF(pane.left(), y), QPointF(pane.right(), y))
        painter.setPen(ink)
        painter.drawText(QPointF(pane.left() - metrics.horizontalAdvance(text) - 3, y + metrics.ascent() / 2 - 1), text)


def _paint_lines(painter: QPainter, pane: QRectF, figure: Figure, ranges) -> None:
    (x_low, x_high), (y_low, y_high) = ranges
    painter.save()
    painter.setClipRect(pane, Qt.ClipOperation.IntersectClip)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for line in figure.lines:
        good = line.points[np.isfinite(line.points).all(axis=1)]
        x = pane.left() + (good[:, 0] - x_low) / (x_high - x_low) * pane.width()
        y = pane.bottom() - (good[:, 1] - y_low) / (y_high - y_low) * pane.height()
        colour = _colour(line.rgb)
        if figure.bars:
            zero = pane.bottom() + y_low / (y_high - y_low) * pane.height()
            wide = pane.width() / max(len(x), 1) * 0.8
            for at, top in zip(x.tolist(), y.tolist(), strict=True):
                painter.fillRect(QRectF(QPointF(at - wide / 2, min(top, zero)), QPointF(at + wide / 2, max(top, zero))), colour)
        else:
            painter.setPen(QPen(colour, figure.line_width))
            painter.drawPolyline(QPolygonF([QPointF(*point) for point in zip(x.tolist(), y.tolist(), strict=True)]))
    painter.restore()


def _paint_legend(painter: QPainter, pane: QRectF, figure: Figure, metrics: QFontMetricsF) -> None:
    y = pane.top() + metrics.ascent() + 2
    for line in figure.lines:
        if line.name:
            painter.setPen(_colour(line.rgb))
            painter.drawText(QPointF(pane.right() - metrics.horizontalAdvance(line.name) - 4, y), line.name)
            y += metrics.height()
