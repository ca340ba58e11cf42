"""Skins: where their bones are at each moment."""
from __future__ import annotations

import numpy as np

from app.bridge.assets.static import GREY
from app.bridge.derived_from import derived_from
from app.bridge.labels import add_names
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import NGROUP, VisOptions
from app.bridge.view_state import ViewState
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import rotation, shapes
from render.scene.snapshot import Scene


@derived_from("skin_bonebindquat")
def bound_orientations(m: Model) -> np.ndarray:
    """(nskinbone, 3, 3) orientations of all bones when they were bound."""
    return rotation.matrix(m.skin_bonebindquat)


def add_skins(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Skins of visible groups: an instance at the first bone of each, and where its bones are from there."""
    m = visuals.model
    if not options.flags["skin"] or not m.nskin:
        return
    shown = np.asarray(options.skingroup)[np.clip(m.skin_group, 0, NGROUP - 1)] & (m.skin_bonenum > 0)
    for i in np.flatnonzero(shown):
        matid, rgba = int(m.skin_matid[i]), np.array(m.skin_rgba[i])
        if matid >= 0 and (rgba == GREY).all():
            rgba = np.array(m.mat_rgba[matid])
        if options.flags["transparent"]:
            rgba[3] *= m.vis.map.alpha
        if rgba[3] == 0:
            continue
        origin, radius = _pose(visuals, snapshot, i, out)
        glow = m.vis.global_.glow if state.outline is None and state.selection.bodyid > 0 and i == state.selection.skin else 0.0
        out.geoms.put(shapes.SKIN, origin, radius, rgba, matid=matid, dataid=i, objtype=shapes.OBJ_SKIN, objid=i, glow=glow)
        if options.label == "Skin":
            add_names(m, "skin", [i], [origin], out)


def _pose(visuals: ModelVisuals, snapshot: Snapshot, i: int, out: Scene) -> tuple[np.ndarray, float]:
    """Append the bones of one skin; where its instance stands and how far it reaches."""
    m, bound = visuals.model, visuals.of(bound_orientations)
    bones = slice(int(m.skin_boneadr[i]), int(m.skin_boneadr[i] + m.skin_bonenum[i]))
    body = m.skin_bonebodyid[bones]
    turn = snapshot.xmat[body].reshape(-1, 3, 3) @ bound[bones].transpose(0, 2, 1)
    origin = snapshot.xpos[body[0]]
    shift = snapshot.xpos[body] - np.einsum("bij,bj->bi", turn, m.skin_bonebindpos[bones]) - origin
    skins = out.skins
    rows = skins.add(len(body))
    skins.skin[rows], skins.turn[rows], skins.shift[rows] = i, turn.reshape(-1, 9), shift
    return origin, out.assets.skins[i].radius(turn, shift)
