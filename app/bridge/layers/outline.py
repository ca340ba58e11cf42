"""What is outlined: the rows of the scene that belong to what is selected."""
from __future__ import annotations

import numpy as np

from app.bridge.kinds import TYPES
from app.bridge.layers.connect import axes
from app.bridge.layers.frames import frame_size
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.selected import contact_numbers, numbers_of
from app.bridge.view_state import ViewState
from physics.model.elements import CONTACT
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Outline, Scene

def add_outline(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Name the rows to be outlined. Bodies without a geom to be seen get their axes."""
    out.outline = None
    if state.outline is None or not state.selection.elements:
        return
    m, numbers = visuals.model, dict(numbers_of(visuals.model, state))
    numbers[CONTACT] = contact_numbers(m, snapshot, state)
    if state.selection.skin >= 0:
        numbers["skin"] = np.asarray([state.selection.skin])
    bodies = numbers.pop("body", np.zeros(0, int))
    g, lines = out.geoms, out.lines
    chosen = _rows(g, numbers)
    if len(bodies):
        drawn = g.view("rgba")[:, 3] > 0
        chosen |= (g.view("objtype") == shapes.OBJ_GEOM) & np.isin(g.view("bodyid"), bodies)
        bare = np.setdiff1d(bodies, g.view("bodyid")[chosen & drawn])
        if len(bare):
            first = g.n
            axes(g, snapshot.xpos[bare], snapshot.xmat[bare], *frame_size(m), objtype=shapes.OBJ_BODY, objid=bare, bodyid=bare)
            chosen = np.r_[chosen, np.ones(g.n - first, bool)]
    out.outline = Outline(np.flatnonzero(chosen), np.flatnonzero(_rows(lines, numbers)), state.outline.rgba, state.outline.width)


def _rows(rows, numbers: dict[str, np.ndarray]) -> np.ndarray:
    chosen = np.zeros(rows.n, bool)
    for kind, ids in numbers.items():
        if kind in TYPES and len(ids):
            chosen |= (rows.view("objtype") == TYPES[kind]) & np.isin(rows.view("objid"), ids)
    return chosen
