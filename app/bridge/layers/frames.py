"""Coordinate frames: red, green and blue cylinders along x, y and z."""
from __future__ import annotations

import numpy as np

from app.bridge.assets.static import Drawn, drawn_geoms, drawn_sites, static_bodies
from app.bridge.layers.connect import axes
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view_state import ViewState
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene


def frame_size(m: Model) -> tuple[float, float]:
    """(length, radius) of an axis."""
    return m.vis.scale.framelength * m.stat_meansize, m.vis.scale.framewidth * m.stat_meansize


def _framed(m: Model, drawn: Drawn, groups, with_static: bool) -> np.ndarray:
    """Geoms or sites that have a frame: of a material it is the material that must be visible, whatever colour lies over it."""
    alpha = np.where(drawn.matid >= 0, m.mat_rgba[drawn.matid, 3], drawn.rgba[:, 3]) if m.nmat else drawn.rgba[:, 3]
    return np.flatnonzero(np.asarray(groups, bool)[drawn.group] & (alpha != 0) & (with_static | ~drawn.static))


def add_frames(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Frames of bodies (their inertial ones where inertia shapes are drawn), geoms, sites or the world."""
    m = visuals.model
    s, with_static, (length, width) = snapshot, options.flags["static_body"], frame_size(m)
    if options.frame == "World":
        axes(out.geoms, np.zeros(3), np.eye(3), 2 * length, 2 * width, objtype=shapes.OBJ_BODY, objid=0, bodyid=0)
    elif options.frame == "Body":
        ids = np.flatnonzero(with_static | ~visuals.of(static_bodies))
        ids = ids[ids > 0]
        pos, mat = (s.xipos, s.ximat) if options.flags["inertia"] else (s.xpos, s.xmat)
        axes(out.geoms, pos[ids], mat[ids], length, width, objtype=shapes.OBJ_BODY, objid=ids, bodyid=ids)
    elif options.frame == "Geom":
        ids = _framed(m, visuals.of(drawn_geoms), options.geomgroup, with_static)
        axes(out.geoms, s.geom_xpos[ids], s.geom_xmat[ids], length, width, objtype=shapes.OBJ_GEOM, objid=ids, bodyid=m.geom_bodyid[ids])
    elif options.frame == "Site":
        ids = _framed(m, visuals.of(drawn_sites), options.sitegroup, with_static)
        axes(out.geoms, s.site_xpos[ids], s.site_xmat[ids], length, width, objtype=shapes.OBJ_SITE, objid=ids, bodyid=m.site_bodyid[ids])
