"""External forces on bodies, the mouse's included."""
from __future__ import annotations

import numpy as np

from app.bridge.layers.connect import connect
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view_state import ViewState
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene

TINY = 1e-15


def metres_per_newton(m: Model) -> float:
    """Length of a force's arrow: visual/map force, relative to the mean mass of the bodies; 0 where they have none."""
    return m.vis.map.force / m.stat_meanmass if m.stat_meanmass > 0 else 0.0


def add_forces(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Arrows at the centres of mass of bodies that an external force acts on."""
    m = visuals.model
    if not options.flags["perturb_force"]:
        return
    force = snapshot.xfrc_applied[:, :3]
    held = snapshot.perturb.bodyid
    if held > 0 and snapshot.perturb.active:
        force = force.copy()
        force[held] += snapshot.perturb.force[:3]
    ids = np.flatnonzero(np.linalg.norm(force, axis=1) > TINY)
    ids = ids[ids > 0]
    if len(ids):
        start = snapshot.xipos[ids]
        connect(out.geoms, shapes.ARROW, m.vis.scale.forcewidth * m.stat_meansize, start, start + force[ids] * metres_per_newton(m),
                m.vis.rgba.force, objtype=shapes.OBJ_BODY, objid=ids, bodyid=ids)
