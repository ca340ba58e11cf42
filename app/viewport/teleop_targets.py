"""Where drives of teleoperation want what they move: three short axes over the picture for each that is armed, with a line from what it leads."""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PyQt6.QtCore import QLineF, Qt
from PyQt6.QtGui import QColor, QPainter, QPen

from app.inputs.hub import DriveState
from app.inputs.mapping.dead_man import Lamp
from render.scene.camera import View, project
from render.scene.rotation import rotate

AXES = (QColor("#e05555"), QColor("#55b868"), QColor("#5b8ef0"))
SHARE = 0.025       # of the distance to the camera: how long an axis is
WIDTH = 2.0         # logical pixels


def paint_targets(painter: QPainter, size: tuple[float, float], states: Iterable[DriveState], view: View) -> None:
    """Those of armed drives that have one; size of the picture [logical pixels]."""
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
