"""Where drives of teleoperation want what they move: three short axes over the picture for each that is armed, with a line from what it leads."""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PyQt6.QtCore import QLineF, QPointF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen

from app.inputs.hub import DriveState
from app.inputs.mapping.dead_man import Lamp
from render.scene.camera import View, project
from render.scene.rotation import rotate

AXES = (QColor("#e05555"), QColor("#55b868"), QColor("#5b8ef0"))
SHARE = 0.025       # of the distance to the camera: how long an axis is
WIDTH = 2.0         # logical pixels
ASIDE = 8.0
TEXT, SHADOW = QColor("#ffffff"), QColor(0, 0, 0, 160)


def paint_targets(painter: QPainter, size: tuple[float, float], states: Iterable[DriveState], view: View) -> None:
    """Those of armed drives that have one, with the scale of those that follow at another than 1; size of the picture [logical pixels]."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for state in states:
        if state.target is None or state.lamp is Lamp.DISARMED:
            continue
        origin = np.array(state.target.pos)
        reach = SHARE * float(np.linalg.norm(origin - np.asarray(view.pos)))
        ends = [origin + reach * rotate(np.array(state.target.quat), axis) for axis in np.eye(3)]
        places, depths = project(view, np.array([origin, *ends]), size)
        if depths.min() <= view.near:
            continue
        for colour, place in zip(AXES, places[1:]):
            pen = QPen(colour, WIDTH if state.following else 0.5 * WIDTH)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawLine(QLineF(*map(float, places[0][:2]), *map(float, place[:2])))
        if state.following and state.scale != 1.0:
            at = QPointF(float(places[0][0]) + ASIDE, float(places[0][1]) + 2 * ASIDE)
            for colour, by in ((SHADOW, 1.0), (TEXT, 0.0)):     # to be read on any ground
                painter.setPen(colour)
                painter.drawText(at + QPointF(by, by), scale_text(state.scale))


def scale_text(scale: float) -> str:
    """The scale of a mapping for people."""
    return f"\u00d7 {scale:.2f}"
