"""Actuators: what they act on, in a colour between the negative, neutral and positive one."""
from __future__ import annotations

import numpy as np

from app.bridge.assets.static import drawn_geoms, drawn_sites
from app.bridge.labels import add_names
from app.bridge.layers.connect import connect
from app.bridge.layers.joints import add_joint_shapes
from app.bridge.layers.tendons import paths
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import NGROUP, VisOptions
from app.bridge.selected import with_selected
from app.bridge.view_state import ViewState
from physics.enums import TRN_BODY, TRN_JOINT, TRN_JOINTINPARENT, TRN_SITE, TRN_SO3, TRN_TENDON
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene

SWELL = 1.05  # sites and geoms of actuators are drawn a little larger
TINY = 1e-15
PRIMITIVES = (shapes.SPHERE, shapes.CAPSULE, shapes.ELLIPSOID, shapes.CYLINDER, shapes.BOX)


def colours(m: Model, snapshot: Snapshot, activation: bool) -> np.ndarray:
    """Colour (nactuator, 4) by control, or by activation where there is one and it is asked for.

    The control's range, widened to hold 0 (or -1, 1 beyond a one-sided range), spans negative - neutral - positive.
    """
    first = m.actuator_ctrladr
    value, low, high = np.array(snapshot.ctrl[first]), -np.ones(len(first)), np.ones(len(first))
    limited = m.actuator_ctrllimited[first].astype(bool)
    low[limited], high[limited] = m.actuator_ctrlrange[first[limited]].T
    if activation:
        by_act = ~limited & m.actuator_actlimited.astype(bool)
        low[by_act], high[by_act] = m.actuator_actrange[by_act].T
        dynamic = np.flatnonzero((m.actuator_dyntype != 0) & (m.actuator_actnum > 0))   # a DC motor may be without
        value[dynamic] = snapshot.act[m.actuator_actadr[dynamic] + m.actuator_actnum[dynamic] - 1]
    middle = np.where(low >= 0, low, np.where(high <= 0, high, 0.0))
    low, high = np.where(low >= 0, -1.0, low), np.where((high <= 0) & (low < 0), 1.0, high)
    value = np.clip(value, low, high)
    up = np.clip((value - middle) / np.maximum(high - middle, TINY), 0, 1)[:, None]
    down = np.clip((middle - value) / np.maximum(middle - low, TINY), 0, 1)[:, None]
    c = m.vis.rgba
    return down * np.asarray(c.actuatornegative) + up * np.asarray(c.actuatorpositive) + (1 - up - down) * np.asarray(c.actuator)


def _swollen(drawn, ids, pos, mat, rgba, objid, out: Scene) -> None:
    g = out.geoms
    rows = g.add(len(ids))
    g.shape[rows], g.size[rows], g.pos[rows], g.mat[rows] = drawn.shape[ids], SWELL * drawn.size[ids], pos[ids], mat[ids]
    g.rgba[rows], g.flags[rows], g.bodyid[rows] = rgba, shapes.DECOR, drawn.bodyid[ids]
    g.objtype[rows], g.objid[rows] = shapes.OBJ_ACTUATOR, objid


def _on_bodies(visuals: ModelVisuals, snapshot: Snapshot, ids, rgba, out: Scene) -> None:
    """Swollen geoms of the bodies that these actuators pull at."""
    m = visuals.model
    body = m.actuator_trnid[ids, 0]
    by_body = np.repeat(np.arange(len(ids)), m.body_geomnum[body])
    count = m.body_geomnum[body]
    geom = np.arange(len(by_body)) - np.repeat(np.cumsum(count) - count, count) + m.body_geomadr[body][by_body]
    drawn = np.isin(m.geom_type[geom], PRIMITIVES)
    geom, actuator = geom[drawn], ids[by_body[drawn]]
    _swollen(visuals.of(drawn_geoms), geom, snapshot.geom_xpos, snapshot.geom_xmat, rgba[actuator], actuator, out)


def add_actuators(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Actuators of visible, enabled groups, and selected ones."""
    m = visuals.model
    if not m.nactuator or not (options.flags["actuator"] or state.selection.elements):
        return
    group = np.clip(m.actuator_group, 0, NGROUP - 1)
    enabled = np.array([not (0 <= g <= 30 and m.opt_disableactuator >> g & 1) for g in m.actuator_group.tolist()])
    ids = np.flatnonzero(with_selected(m, state, "actuator", options.flags["actuator"] & np.asarray(options.actuatorgroup)[group] & enabled))
    if not len(ids):
        return
    rgba, kind = colours(m, snapshot, options.flags["activation"]), m.actuator_trntype[ids]
    scl, scale = m.stat_meansize, m.vis.scale
    turns = kind == TRN_SO3   # officially not drawn: an orientation of a ball joint, or of one site against another
    against = m.actuator_trnid[ids, 1] >= 0
    on_joint = ids[(kind == TRN_JOINT) | (kind == TRN_JOINTINPARENT) | (turns & ~against)]
    on_site = ids[(kind == TRN_SITE) | (turns & against)]
    on_body, on_tendon = ids[kind == TRN_BODY], ids[kind == TRN_TENDON]
    joint, site, body = (m.actuator_trnid[on, 0] for on in (on_joint, on_site, on_body))
    sizes = (scale.actuatorlength * scl, scale.actuatorwidth * scl, 0.33 * scale.jointlength * scl)
    add_joint_shapes(m, snapshot, joint, sizes, rgba[on_joint], shapes.OBJ_ACTUATOR, on_joint, out)
    _swollen(visuals.of(drawn_sites), site, snapshot.site_xpos, snapshot.site_xmat, rgba[on_site], on_site, out)
    _on_bodies(visuals, snapshot, on_body, rgba, out)
    path = paths(m, snapshot, m.actuator_trnid[on_tendon, 0])
    puller = on_tendon[path.which]
    connect(out.geoms, shapes.CAPSULE, m.vis.map.actuatortendon * path.radius, path.start, path.end, rgba[puller],
            matid=m.tendon_matid[m.actuator_trnid[puller, 0]], objtype=shapes.OBJ_ACTUATOR, objid=puller)
    if options.label == "Actuator":
        for on, pos in ((on_joint, snapshot.xanchor[joint]), (on_site, snapshot.site_xpos[site]), (on_body, snapshot.xipos[body])):
            add_names(m, "actuator", on, pos, out)
        first = np.flatnonzero(np.r_[True, puller[1:] != puller[:-1]]) if len(puller) else puller
        add_names(m, "actuator", puller[first], (path.start[first] + path.end[first]) / 2, out)
