"""Geoms and sites: the model's own shapes."""
from __future__ import annotations

import numpy as np

from app.bridge.islands import body_colours
from app.bridge.labels import add_names
from app.bridge.options import VisOptions
from app.bridge.static import Drawn, drawn_geoms, drawn_sites
from physics.model import Model
from render.scene import shapes
from render.scene.snapshot import Scene


def _add(m: Model, drawn: Drawn, groups, pos, mat, objtype: int, options: VisOptions, out: Scene) -> np.ndarray:
    """Append all that is visible; its indices."""
    ids = drawn.visible(groups, options.flags["Static Body"])
    g = out.geoms
    rows = g.add(len(ids))
    g.shape[rows], g.flags[rows], g.size[rows], g.rgba[rows] = drawn.shape[ids], drawn.flags[ids], drawn.size[ids], drawn.rgba[ids]
    g.matid[rows], g.dataid[rows], g.bodyid[rows] = drawn.matid[ids], drawn.dataid[ids], drawn.bodyid[ids]
    g.pos[rows], g.mat[rows], g.texsize[rows] = pos[ids], mat[ids], drawn.texsize[ids]
    g.objtype[rows], g.objid[rows] = objtype, ids
    if options.flags["Transparent"]:
        g.rgba[rows, 3] *= np.where(drawn.static[ids], 1.0, m.vis.map.alpha)
    if options.selected > 0:
        g.glow[rows] = np.where(drawn.bodyid[ids] == options.selected, m.vis.global_.glow, 0.0)
    return ids


def _colour_by_island(m: Model, snapshot, ids, out: Scene) -> None:
    """Give the geoms `ids`, the last rows of the scene, the colour of their island in place of material and colour; only what moves has one."""
    rgba, moving = body_colours(m, snapshot)
    body = m.geom_bodyid[ids]
    moves = moving[body]
    rows = np.arange(out.geoms.n - len(ids), out.geoms.n)[moves]
    out.geoms.rgba[rows], out.geoms.matid[rows] = rgba[body[moves]], -1


def add_geoms(m: Model, snapshot, options: VisOptions, out: Scene) -> None:
    """Geoms of visible groups."""
    ids = _add(m, drawn_geoms(m), options.geomgroup, snapshot.geom_xpos, snapshot.geom_xmat, shapes.OBJ_GEOM, options, out)
    if options.flags["Island"]:
        _colour_by_island(m, snapshot, ids, out)
    if options.label == "Geom":
        add_names(m, "geom", ids, snapshot.geom_xpos[ids], out)


def add_sites(m: Model, snapshot, options: VisOptions, out: Scene) -> None:
    """Sites of visible groups."""
    if not m.nsite:
        return
    ids = _add(m, drawn_sites(m), options.sitegroup, snapshot.site_xpos, snapshot.site_xmat, shapes.OBJ_SITE, options, out)
    if options.label == "Site":
        add_names(m, "site", ids, snapshot.site_xpos[ids], out)
