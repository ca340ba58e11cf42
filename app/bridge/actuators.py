"""Actuators: what they act on, in a colour between the negative, neutral and positive one."""
from __future__ import annotations

import numpy as np

from app.bridge.connect import connect
from app.bridge.joints import add_joint_shapes
from app.bridge.labels import add_names
from app.bridge.options import NGROUP, VisOptions
from app.bridge.static import drawn_geoms, drawn_sites
from app.bridge.tendons import segments
from physics.enums import TRN_BODY, TRN_JOINT, TRN_JOINTINPARENT, TRN_SITE, TRN_TENDON
from physics.model import Model
from render.scene import shapes
from render.scene.snapshot import Scene

SWELL = 1.05  # sites and geoms of actuators are drawn a little larger
TINY = 1e-15
PRIMITIVES = (shapes.SPHERE, shapes.CAPSULE, shapes.ELLIPSOID, shapes.CYLINDER, shapes.BOX)


def colours(m: Model, snapshot, activation: bool) -> np.ndarray:
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
        dynamic = np.flatnonzero(m.actuator_dyntype != 0)
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
    g.rgba[rows], g.flags[rows], g.objtype[rows], g.objid[rows] = rgba, shapes.DECOR, shapes.OBJ_ACTUATOR, objid


def add_actuators(m: Model, snapshot, options: VisOptions, out: Scene) -> None:
    """Actuators of visible, enabled groups."""
    if not options.flags["Actuator"] or not m.nactuator:
        return
    group = np.clip(m.actuator_group, 0, NGROUP - 1)
    enabled = np.array([not (0 <= g <= 30 and m.opt_disableactuator >> g & 1) for g in m.actuator_group.tolist()])
    ids = np.flatnonzero(np.asarray(options.actuatorgroup)[group] & enabled)
    rgba = colours(m, snapshot, options.flags["Activation"])
    kind, target = m.actuator_trntype[ids], m.actuator_trnid[ids, 0]
    scl, scale = m.stat_meansize, m.vis.scale
    on_joint = ids[(kind == TRN_JOINT) | (kind == TRN_JOINTINPARENT)]
    joints = m.actuator_trnid[on_joint, 0]
    sizes = (scale.actuatorlength * scl, scale.actuatorwidth * scl, 0.33 * scale.jointlength * scl)
    add_joint_shapes(m, snapshot, joints, sizes, rgba[on_joint], shapes.OBJ_ACTUATOR, on_joint, out)
    sites = target[kind == TRN_SITE]
    _swollen(drawn_sites(m), sites, snapshot.site_xpos, snapshot.site_xmat, rgba[ids[kind == TRN_SITE]], ids[kind == TRN_SITE], out)
    for i in ids[kind == TRN_BODY]:
        body = m.actuator_trnid[i, 0]
        geoms = np.arange(m.body_geomadr[body], m.body_geomadr[body] + m.body_geomnum[body])
        geoms = geoms[np.isin(m.geom_type[geoms], PRIMITIVES)]
        _swollen(drawn_geoms(m), geoms, snapshot.geom_xpos, snapshot.geom_xmat, rgba[i], i, out)
    for i in ids[kind == TRN_TENDON]:
        tendon = m.actuator_trnid[i, 0]
        if snapshot.ten_wrapnum[tendon]:
            start, end, radius = segments(m, snapshot, tendon)
            rows = connect(out.geoms, shapes.CAPSULE, 0, start, end, rgba[i], objtype=shapes.OBJ_ACTUATOR, objid=i)
            out.geoms.size[rows, :2] = m.vis.map.actuatortendon * radius[:, None]
    if options.label == "Actuator":
        add_names(m, "actuator", on_joint, snapshot.xanchor[joints], out)
        add_names(m, "actuator", ids[kind == TRN_SITE], snapshot.site_xpos[sites], out)
