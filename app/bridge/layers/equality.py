"""Connect and weld constraints: a ball at each of the two anchors."""
from __future__ import annotations

import numpy as np

from app.bridge.labels import add_names
from app.bridge.layers.connect import balls
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.selected import with_selected
from app.bridge.view_state import ViewState
from physics.enums import EQ_CONNECT, EQ_WELD, OBJ_SITE
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene


def _on_bodies(snapshot: Snapshot, body, local) -> np.ndarray:
    """World positions (n, 3) of points in the frames of bodies."""
    return snapshot.xpos[body] + np.einsum("nij,nj->ni", snapshot.xmat.reshape(-1, 3, 3)[body], local)


def anchors(m: Model, snapshot: Snapshot, ids) -> tuple[np.ndarray, np.ndarray]:
    """Where these connect and weld constraints hold their first and second object (n, 3 each)."""
    first, second, data = m.eq_obj1id[ids], m.eq_obj2id[ids], m.eq_data[ids]
    ends = [np.empty((len(ids), 3)), np.empty((len(ids), 3))]
    by_site = m.eq_objtype[ids] == OBJ_SITE
    weld = (m.eq_type[ids] == EQ_WELD)[:, None]
    locals_ = np.where(weld, data[:, 3:6], data[:, :3]), np.where(weld, data[:, :3], data[:, 3:6])
    for end, obj, local in zip(ends, (first, second), locals_, strict=True):
        end[by_site] = snapshot.site_xpos[obj[by_site]]
        end[~by_site] = _on_bodies(snapshot, obj[~by_site], local[~by_site])
    return ends[0], ends[1]


def add_equality(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Anchors of the connect and weld constraints that are on, and of selected ones."""
    m = visuals.model
    if not m.neq:
        return
    shown = with_selected(m, state, "equality", options.flags["equality"] & snapshot.eq_active.astype(bool))
    ids = np.flatnonzero(np.isin(m.eq_type, (EQ_CONNECT, EQ_WELD)) & shown)
    if not len(ids):
        return
    radius, rgba = m.vis.scale.constraint * m.stat_meansize, m.vis.rgba
    first, second = anchors(m, snapshot, ids)
    by_site = m.eq_objtype[ids] == OBJ_SITE
    for end, obj, colour in ((first, m.eq_obj1id[ids], rgba.connect), (second, m.eq_obj2id[ids], rgba.constraint)):
        body = obj.copy()
        body[by_site] = m.site_bodyid[obj[by_site]]
        balls(out.geoms, end, radius, colour, objtype=shapes.OBJ_EQUALITY, objid=ids, bodyid=body)
    if options.label == "Constraint":
        add_names(m, "equality", ids, (first + second) / 2, out)
