"""Measurements drawn over the picture: lines, arcs and their figures, with a dark rim and on a shade, so that they can be read on any background."""
from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFontMetricsF, QPainter, QPen, QPolygonF

from app.posing.measurements import MOST_POINTS, Figure, Measurement, NearestNow, row_text
from app.viewport.label_painter import RIM
from app.viewport.overlay import INK, SHADE
from physics.runtime.snapshot import Snapshot
from render.scene.camera import View, project

LINE, NEAREST = QColor(255, 214, 90), QColor(110, 220, 255)
WIDTH, RIM_MORE = 1.6, 2.0      # logical pixels
DOT = 3.5
ARC_POINTS, ARC_SHARE = 24, 0.3     # of an angle's arc: points, radius as a share of the shorter side
GAP = 6.0
BESIDE = (0.65, 0.35)   # where the figures stand: nearer to the first point than to the second, where an angle is drawn


def paint_measurements(painter: QPainter, size: tuple[float, float], items: Sequence[Measurement], snapshot: Snapshot, view: View) -> None:
    """All of them at the moment of a snapshot, as a view sees it; size of the picture [logical pixels]."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    seen = [(item, item.places(snapshot), _nearest_of(item, snapshot)) for item in items]
    for _item, places, nearest in seen:
        for k in range(len(places) - 1):
            _line(painter, view, size, places[k:k + 2], LINE)
        if nearest is not None:
            _line(painter, view, size, nearest.ends(snapshot), NEAREST, Qt.PenStyle.DashLine)
        if len(places) == MOST_POINTS:
            _line(painter, view, size, arc(*places), LINE)
        _dots(painter, view, size, places)
    taken: list[QRectF] = []
    for item, places, nearest in seen:      # texts above all lines
        figures = [figure for figure in item.figures(snapshot) if figure.name != "nearest"]
        if figures:
            _box(painter, view, size, np.array(BESIDE) @ places[:2], _lines_of(figures), taken)
        if nearest is not None:
            _box(painter, view, size, nearest.ends(snapshot).mean(0), [row_text(Figure("nearest", nearest.dist, "m"))], taken, NEAREST)


def _nearest_of(item: Measurement, snapshot: Snapshot) -> NearestNow | None:
    """The nearest points of a measurement, where there are some in this Model."""
    found = item.nearest
    return found if found is not None and not found.problem and max(found.bodies) < len(snapshot.xpos) else None


def _lines_of(figures: list[Figure]) -> list[str]:
    """The figures of a box: the distance, its three parts in one line, the angle."""
    texts = {figure.name: row_text(figure) for figure in figures}
    parts = "  ".join(texts.pop(f"d{axis}").removesuffix(" m") for axis in "xyz")
    return [texts.pop("distance"), parts, *texts.values()]


def arc(a: np.ndarray, corner: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(n, 3) points of an arc at a corner from the direction of one point to that of another [m]; all at the corner where there is no angle."""
    u, v = a - corner, b - corner
    lengths = np.linalg.norm(u), np.linalg.norm(v)
    if min(lengths) <= 0:
        return np.repeat(corner[None], ARC_POINTS, 0)
    u, v = u / lengths[0], v / lengths[1]
    across = v - (v @ u) * u
    length = np.linalg.norm(across)
    if length < 1e-9:
        return np.repeat(corner[None], ARC_POINTS, 0)
    turn = np.linspace(0.0, math.atan2(length, float(u @ v)), ARC_POINTS)[:, None]
    return corner + ARC_SHARE * min(lengths) * (np.cos(turn) * u + np.sin(turn) * across / length)


def pixels_of(view: View, size: tuple[float, float], points: np.ndarray) -> np.ndarray:
    """(n, 2) pixels of a line of points [m], cut off where it comes nearer than the camera sees; none where all of it does."""
    pixels, depth = project(view, points, size)
    near = 1.01 * view.near
    seen = depth > near
    if seen.all():
        return pixels
    kept = []
    for k in range(len(points)):
        if seen[k]:
            kept.append(points[k])
        if k + 1 < len(points) and seen[k] != seen[k + 1]:
            kept.append(points[k] + (near - depth[k]) / (depth[k + 1] - depth[k]) * (points[k + 1] - points[k]))
    return project(view, np.array(kept), size)[0] if kept else np.zeros((0, 2))


def _line(painter: QPainter, view: View, size, points: np.ndarray, colour: QColor, style=Qt.PenStyle.SolidLine) -> None:
    pixels = pixels_of(view, size, points)
    if len(pixels) > 1 and np.isfinite(pixels).all() and np.abs(pixels).max() < 1e5:
        polygon = QPolygonF([QPointF(*pixel) for pixel in pixels.tolist()])
        for pen in (QPen(RIM, WIDTH + RIM_MORE), QPen(colour, WIDTH, style)):
            painter.setPen(pen)
            painter.drawPolyline(polygon)


def _dots(painter: QPainter, view: View, size, points: np.ndarray) -> None:
    pixels, depth = project(view, points, size)
    painter.setPen(QPen(RIM, 1.2))
    painter.setBrush(LINE)
    for (x, y), far in zip(pixels.tolist(), depth.tolist(), strict=True):
        if far > view.near:
            painter.drawEllipse(QPointF(x, y), DOT, DOT)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _box(painter: QPainter, view: View, size, point: np.ndarray, lines: list[str], taken: list[QRectF], colour: QColor = INK) -> None:
    """Lines of text beside a point, below what is there already, inside the view."""
    pixels, depth = project(view, point[None], size)
    if not depth[0] > view.near or not np.isfinite(pixels).all():
        return
    metrics = QFontMetricsF(painter.font())
    line = metrics.height() + 1
    box = QRectF(pixels[0, 0] + 2 * GAP, pixels[0, 1] + GAP, max(map(metrics.horizontalAdvance, lines)) + 2 * GAP, len(lines) * line + GAP)
    box.moveLeft(min(max(box.left(), 0.0), size[0] - box.width()))
    for other in sorted(taken, key=QRectF.top):
        if box.intersects(other):
            box.moveTop(other.bottom() + 2)
    box.moveTop(min(max(box.top(), 0.0), size[1] - box.height()))
    taken.append(box)
    painter.fillRect(box, SHADE)
    painter.setPen(colour)
    for k, text in enumerate(lines):
        painter.drawText(QPointF(box.left() + GAP, box.top() + GAP / 2 + metrics.ascent() + k * line), text)
