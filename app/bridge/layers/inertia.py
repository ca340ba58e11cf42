"""Mass: boxes or ellipsoids with the bodies' inertia, centres of mass, the skeleton that joins them."""
from __future__ import annotations

import numpy as np

from app.bridge.assets.static import static_bodies
from app.bridge.labels import add_names
from app.bridge.layers.connect import balls, connect
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view_state import ViewState
from physics.enums import MINVAL
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene

WATER = 1000.0  # kg/m^3, density of scaled inertia shapes


def inertia_sizes(mass, inertia, ellipsoid: bool, scaled: bool) -> np.ndarray:
    """Half sizes (n, 3) of uniform boxes or ellipsoids with these masses (n,) and principal inertias (n, 3).

    A box of half sizes a, b, c has Ixx = m (b^2 + c^2) / 3, an ellipsoid a fifth instead of a third. scaled: enlarged or shrunk
    evenly until the volume has the density of water.
    """
    sums = inertia.sum(axis=1, keepdims=True) - 2 * inertia
    half = np.sqrt(np.maximum(sums, 0) / (2 * mass[:, None]) * (5.0 if ellipsoid else 3.0))
    if scaled:
        volume = (4.0 / 3.0 * np.pi if ellipsoid else 8.0) * half.prod(axis=1)
        half *= np.cbrt(mass / np.maximum(MINVAL, volume) / WATER)[:, None]
    return half


def add_inertia(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Inertia shapes of all bodies with mass."""
    m = visuals.model
    if not options.flags["inertia"]:
        return
    keep = m.body_mass > MINVAL
    keep[0] = False
    if not options.flags["static_body"]:
        keep &= ~visuals.of(static_bodies)
    ids = np.flatnonzero(keep)
    ellipsoid = m.vis.global_.ellipsoidinertia == 1
    g = out.geoms
    rows = g.add(len(ids))
    g.shape[rows], g.flags[rows] = shapes.ELLIPSOID if ellipsoid else shapes.BOX, shapes.DECOR
    g.size[rows] = inertia_sizes(m.body_mass[ids], m.body_inertia[ids], ellipsoid, options.flags["scale_inertia"])
    g.pos[rows], g.mat[rows], g.rgba[rows] = snapshot.xipos[ids], snapshot.ximat[ids], m.vis.rgba.inertia
    g.objtype[rows], g.objid[rows], g.bodyid[rows] = shapes.OBJ_BODY, ids, ids
    g.glow[rows] = np.where((ids == state.selection.bodyid) & (state.outline is None), m.vis.global_.glow, 0.0)
    if options.label in ("Body", "Selection"):
        named = ids if options.label == "Body" else ids[ids == state.selection.bodyid]
        add_names(m, "body", named, snapshot.xipos[named], out)


def add_centres(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """A ball at the centre of mass of every tree."""
    m = visuals.model
    if not options.flags["center_of_mass"]:
        return
    ids = np.flatnonzero(m.body_rootid == np.arange(m.nbody))[1:]
    balls(out.geoms, snapshot.subtree_com[ids], m.vis.scale.com * m.stat_meansize, m.vis.rgba.com, objtype=shapes.OBJ_BODY, objid=ids, bodyid=ids)


def add_skeleton(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Capsules from each body's centre of mass through its joints, last to first, to its parent's centre of mass."""
    m = visuals.model
    if not options.flags["auto_connect"]:
        return
    start, end, body = [], [], []
    for i in np.flatnonzero(m.body_parentid[1:] != 0) + 1:
        first = m.body_jntadr[i]
        path = [snapshot.xipos[i], *snapshot.xanchor[first:first + m.body_jntnum[i]][::-1], snapshot.xipos[m.body_parentid[i]]]
        start += path[:-1]
        end += path[1:]
        body += [i] * (len(path) - 1)
    if body:
        connect(out.geoms, shapes.CAPSULE, m.vis.scale.connect * m.stat_meansize, np.array(start), np.array(end), m.vis.rgba.connect,
                objtype=shapes.OBJ_BODY, objid=body, bodyid=body)
