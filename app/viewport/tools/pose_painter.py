"""What the Pose tool draws over the picture: pins, the way from the grabbed point to the target and its length, joints at the end of their range."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PyQt6.QtCore import QPointF, QRectF, Qt
from PyQt6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PyQt6.QtWidgets import QApplication

from physics.inverse_kinematics.problem import IKResult, IKTarget
from physics.inverse_kinematics.rows import equality_in_metres
from physics.runtime.snapshot import Snapshot
from render.scene.camera import View, project

INK, SHADE, DARK = QColor(255, 255, 255), QColor(10, 14, 20, 170), QColor(10, 14, 20, 200)
LIMIT, PIN = QColor(255, 176, 32), QColor(235, 80, 90)
TOLD, TOLD_TURN = 1e-4, 1e-3    # [m], [rad]: what is off by less is not told
BESIDE, PADDING, MARGIN = 16.0, 6.0, 2.0    # of the text: from the target, around it, from the edge [logical pixels]
MOST_NAMES = 4      # of joints and tendons at the end of their range, in the text


class Marks(NamedTuple):
    """grabbed: (the point, the target) in the world [m], None: no drag. result: of the drag's newest pose; pulls: the mouse's spring pulls instead."""

    grabbed: tuple[np.ndarray, np.ndarray] | None
    result: IKResult | None
    problem: str
    pins: tuple[IKTarget, ...]
    pulls: bool


def paint_marks(painter: QPainter, view: View, size, snapshot: Snapshot, marks: Marks) -> None:
    """Draw with logical pixels; size: of the picture."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    if marks.result is not None:
        _paint_limits(painter, view, size, snapshot, marks.result.at_limit)
    _paint_pins(painter, view, size, snapshot, marks.pins)
    if marks.grabbed is not None:
        _paint_way(painter, view, size, snapshot, marks)
    painter.restore()


def _pixels(view: View, size, points) -> list[QPointF | None]:
    """Where points (n, 3) are drawn; None behind the camera."""
    if not len(points):
        return []
    pixels, depths = project(view, np.asarray(points, float), size)
    return [QPointF(*pixel) if depth > view.near else None for pixel, depth in zip(pixels, depths, strict=True)]


def _paint_limits(painter: QPainter, view: View, size, snapshot: Snapshot, joints) -> None:
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for at in _pixels(view, size, snapshot.xanchor[list(joints)]):
        if at is not None:
            for colour, width in ((DARK, 4.5), (LIMIT, 2.5)):
                painter.setPen(QPen(colour, width))
                painter.drawEllipse(at, 8.0, 8.0)


def _paint_pins(painter: QPainter, view: View, size, snapshot: Snapshot, pins: tuple[IKTarget, ...]) -> None:
    points = [snapshot.xpos[pin.element] + np.reshape(snapshot.xmat[pin.element], (3, 3)) @ np.asarray(pin.point) for pin in pins]
    for pin, at in zip(pins, _pixels(view, size, points), strict=True):
        if at is None:
            continue
        painter.setPen(QPen(DARK, 1.2))
        painter.setBrush(PIN)
        painter.drawEllipse(at, 5.0, 5.0)
        if pin.quat is not None:    # keeps the orientation too
            painter.setBrush(Qt.BrushStyle.NoBrush)
            for colour, width in ((DARK, 4.0), (PIN, 2.0)):
                painter.setPen(QPen(colour, width))
                painter.drawRect(QRectF(at.x() - 9, at.y() - 9, 18, 18))


def _paint_way(painter: QPainter, view: View, size, snapshot: Snapshot, marks: Marks) -> None:
    point, target = _pixels(view, size, np.array(marks.grabbed))
    if point is None or target is None:
        return
    accent = QApplication.palette().color(QApplication.palette().ColorRole.Highlight)
    for colour, width in ((DARK, 3.5), (accent, 1.8)):
        painter.setPen(QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        painter.drawLine(point, target)
    painter.setPen(QPen(DARK, 1.2))
    painter.setBrush(accent)
    painter.drawEllipse(point, 4.5, 4.5)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((DARK, 4.0), (INK, 2.0)):
        painter.setPen(QPen(colour, width))
        painter.drawEllipse(target, 7.0, 7.0)
    _paint_lines(painter, target, size, lines_of(snapshot, marks))


def lines_of(snapshot: Snapshot, marks: Marks) -> list[str]:
    """What is said beside the target."""
    if marks.problem:
        return [marks.problem]
    if marks.pulls:
        return [f"{snapshot.perturb.newton:.3g} N"]
    result = marks.result
    if result is None:
        return []
    lines = [f"{1e3 * result.pos_errors[0]:.2f} mm" + (f", {_degrees(result.quat_errors[0])}" if result.quat_errors[0] > 0 else "") + ("" if result.converged else " left")]
    m, pins = snapshot.model, []
    if max(result.pin_errors, default=0.0) > TOLD:
        pins.append(f"{1e3 * max(result.pin_errors):.1f} mm")
    if max(result.pin_quat_errors, default=0.0) > TOLD_TURN:
        pins.append(_degrees(max(result.pin_quat_errors)))
    if pins:
        lines.append(f"Pins off by {', '.join(pins)}")
    if result.equality > TOLD and result.equality_at >= 0:
        off = f"{1e3 * result.equality:.1f} mm" if equality_in_metres(m, result.equality_at) else _degrees(result.equality)
        lines.append(f"Equality {m.name('equality', result.equality_at) or result.equality_at} off by {off}")
    if result.depth > TOLD:
        lines.append(f"Contacts {1e3 * result.depth:.1f} mm deeper than before")
    if result.at_limit or result.tendons_at_limit:
        names = [m.name(kind, i) or f"{kind} {i}" for kind, numbers in (("joint", result.at_limit), ("tendon", result.tendons_at_limit)) for i in numbers]
        more = len(names) - MOST_NAMES
        lines.append("At the limit: " + ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else ""))
    return lines


def _degrees(angle: float) -> str:
    return f"{np.rad2deg(angle):.1f}\N{DEGREE SIGN}"


def _paint_lines(painter: QPainter, beside: QPointF, size, lines: list[str]) -> None:
    if not lines:
        return
    metrics = QFontMetricsF(painter.font())
    room = size[0] - 2 * MARGIN - 2 * PADDING
    lines = [metrics.elidedText(line, Qt.TextElideMode.ElideRight, room) for line in lines]
    width, height = max(map(metrics.horizontalAdvance, lines)) + 2 * PADDING, len(lines) * metrics.height() + PADDING
    x = beside.x() + BESIDE if beside.x() + BESIDE + width < size[0] else beside.x() - BESIDE - width
    x, y = (max(min(value, most - MARGIN), MARGIN) for value, most in ((x, size[0] - width), (beside.y() - height / 2, size[1] - height)))    # the target may be out of sight
    box = QRectF(x, y, width, height)
    painter.fillRect(box, SHADE)
    painter.setPen(INK)
    for k, line in enumerate(lines):
        painter.drawText(QPointF(box.left() + PADDING, box.top() + PADDING / 2 + metrics.ascent() + k * metrics.height()), line)
