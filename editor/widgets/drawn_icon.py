"""Pictures for icons, drawn from simple shapes on a square grid: as crisp on a dense screen as on a plain one."""
from __future__ import annotations

from collections.abc import Callable

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor, QPainter, QPen, QPixmap

__all__ = ["RATIOS", "drawn_picture"]

RATIOS = (1.0, 1.25, 1.5, 2.0, 3.0)     # device pixels per logical one that icons have a picture for


def drawn_picture(draw: Callable[[QPainter], None], size: int, grid: float, stroke: float, colour: QColor | str, ratio: float) -> QPixmap:
    """What `draw` paints on a transparent square, with round ends and corners.

    size: of a side [logical pixels]; grid: of the same side in the numbers that `draw` uses; stroke: width of lines in these; ratio: device pixels per logical one.
    """
    side = round(size * ratio)
    picture = QPixmap(side, side)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.scale(side / grid, side / grid)
    painter.setPen(QPen(QColor(colour), stroke, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    draw(painter)
    painter.end()
    picture.setDevicePixelRatio(ratio)
    return picture.copy()     # without what Qt keeps for painting on it
