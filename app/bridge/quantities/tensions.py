"""Tendons in the colour of the force along them: red pulls together, blue pushes apart, grey is slack."""
from __future__ import annotations

import numpy as np

from app.bridge.options import VisOptions
from app.bridge.quantities.drawing import Drawing
from app.bridge.quantities.marks import mixed
from physics.model import Model
from render.scene import shapes

SLACK, PULLS, PUSHES = (0.75, 0.75, 0.75, 1.0), (1.0, 0.1, 0.05, 1.0), (0.1, 0.3, 1.0, 1.0)


def tension_colours(tension, full: float) -> np.ndarray:
    """Colours (n, 4) of tensions (n,) [N]."""
    share = np.clip(tension / full, -1, 1)
    return np.where(share[:, None] >= 0, mixed(SLACK, PULLS, share), mixed(SLACK, PUSHES, -share))


def add_tensions(m: Model, snapshot, options: VisOptions, draw: Drawing) -> None:
    """Recolour what the layer of tendons has drawn."""
    if not m.ntendon:
        return
    g = draw.out.geoms
    rows = np.flatnonzero(g.view("objtype") == shapes.OBJ_TENDON)
    g.rgba[rows] = tension_colours(-snapshot.ten_tension, draw.scale("tension").full)[g.objid[rows]]
    g.matid[rows] = -1


def tension_legend(m: Model, options: VisOptions, draw: Drawing) -> None:
    """Both ends of the colours."""
    if not m.ntendon:
        draw.legend("Tendon tension", SLACK, note="no tendons here")
        return
    draw.legend("Tendon pulls", PULLS, "tension")
    if m.tendon_stiffness.any() or m.tendon_damping.any() or m.nactuator:
        draw.legend("Tendon pushes", PUSHES, "tension")
