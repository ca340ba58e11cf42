"""Slider-cranks: the slider along its axis and the rod from its end to the crank; red where the rod cannot reach.

Source: MuJoCo documentation, XML reference, actuator/general/slidersite, cranksite, cranklength.
"""
from __future__ import annotations

import numpy as np

from app.bridge.labels import add_names
from app.bridge.layers.connect import connect
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view_state import ViewState
from physics.enums import TRN_SLIDERCRANK
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene


def slider_ends(m: Model, snapshot: Snapshot, ids) -> tuple[np.ndarray, np.ndarray]:
    """End of the slider of these actuators (n, 3), and whether the rod is too short to reach it (n,)."""
    crank, slider = m.actuator_trnid[ids].T
    axis = snapshot.site_xmat[slider].reshape(-1, 3, 3)[:, :, 2]
    to_crank = snapshot.site_xpos[crank] - snapshot.site_xpos[slider]
    along = np.einsum("ni,ni->n", to_crank, axis)
    # the rod's end lies on the axis: |to_crank - s axis| = rod, a quadratic for s
    square = along ** 2 + m.actuator_cranklength[ids] ** 2 - np.einsum("ni,ni->n", to_crank, to_crank)
    place = along - np.sqrt(np.maximum(square, 0.0))
    return snapshot.site_xpos[slider] + place[:, None] * axis, square < 0


def add_slider_cranks(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """All slider-cranks; they are parts of the mechanism, so no flag hides them."""
    m = visuals.model
    ids = np.flatnonzero(m.actuator_trntype == TRN_SLIDERCRANK)
    if not len(ids):
        return
    end, broken = slider_ends(m, snapshot, ids)
    crank, slider = m.actuator_trnid[ids].T
    radius, c = m.vis.scale.slidercrank * m.stat_meansize, m.vis.rgba
    what = {"objtype": shapes.OBJ_ACTUATOR, "objid": ids, "flags": shapes.CAST_SHADOW}
    connect(out.geoms, shapes.CYLINDER, radius, snapshot.site_xpos[slider], end, c.slidercrank, bodyid=m.site_bodyid[slider], **what)
    rod = np.where(broken[:, None], c.crankbroken, c.slidercrank)
    connect(out.geoms, shapes.CAPSULE, radius / 2, end, snapshot.site_xpos[crank], rod, bodyid=m.site_bodyid[crank], **what)
    if options.label == "Actuator":
        add_names(m, "actuator", ids, end, out)
