"""Geoms and sites: the model's own shapes."""
from __future__ import annotations

import numpy as np

from app.bridge.assets.meshes import hull_numbers
from app.bridge.assets.static import Drawn, drawn_geoms, drawn_sites
from app.bridge.labels import add_names
from app.bridge.layers.islands import body_colours
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.selected import numbers_of
from app.bridge.view_state import ViewState
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene

GHOST_ALPHA = 0.25   # of what is selected in a group that is not shown


def _add(m: Model, drawn: Drawn, ids, pos, mat, objtype: int, options: VisOptions, state: ViewState, out: Scene) -> slice:
    """Append these; the new rows."""
    g = out.geoms
    rows = g.add(len(ids))
    g.shape[rows], g.flags[rows], g.size[rows], g.rgba[rows] = drawn.shape[ids], drawn.flags[ids], drawn.size[ids], drawn.rgba[ids]
    g.matid[rows], g.dataid[rows], g.bodyid[rows] = drawn.matid[ids], drawn.dataid[ids], drawn.bodyid[ids]
    g.pos[rows], g.mat[rows], g.texsize[rows] = pos[ids], mat[ids], drawn.texsize[ids]
    g.objtype[rows], g.objid[rows] = objtype, ids
    if options.flags["transparent"]:
        g.rgba[rows, 3] *= np.where(drawn.static[ids], 1.0, m.vis.map.alpha)
    if state.outline is None and state.selection.bodyid > 0:
        g.glow[rows] = np.where(drawn.bodyid[ids] == state.selection.bodyid, m.vis.global_.glow, 0.0)
    return rows


def _by_island(m: Model, snapshot: Snapshot, drawn: Drawn, options: VisOptions) -> tuple[np.ndarray, np.ndarray]:
    """Visible geoms where islands are shown, invisible ones that move among them, and the colours (nbody, 4): alpha 0 for what has none."""
    rgba, moving = body_colours(m, snapshot)
    rgba[~moving, 3] = 0
    moves = moving[drawn.bodyid]
    shown = (drawn.rgba[:, 3] != 0) & (options.flags["static_body"] | ~drawn.static)
    return np.flatnonzero(np.asarray(options.geomgroup, bool)[drawn.group] & (shown | moves)), rgba


def _add_ghosts(m: Model, drawn: Drawn, kind: str, ids, pos, mat, objtype: int, options: VisOptions, state: ViewState, out: Scene) -> None:
    """What is selected but not among `ids`, which are drawn anyway: faintly. Of a body of which something is seen nothing more."""
    chosen = numbers_of(m, state).get(kind, ())
    if kind == "geom" and len(bodies := numbers_of(m, state).get("body", ())):
        unseen = np.setdiff1d(bodies, m.geom_bodyid[ids])
        chosen = np.union1d(chosen, np.flatnonzero(np.isin(m.geom_bodyid, unseen))).astype(int)
    missing = np.setdiff1d(chosen, ids).astype(int)
    if len(missing):
        rows = _add(m, drawn, missing, pos, mat, objtype, options, state, out)
        out.geoms.rgba[rows, 3], out.geoms.flags[rows], out.geoms.matid[rows] = GHOST_ALPHA, shapes.DECOR, -1


def add_geoms(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Geoms of visible groups; with islands shown, what moves has its island's colour in place of its own and its material."""
    m = visuals.model
    drawn, colours = visuals.of(drawn_geoms), None
    if options.flags["island"]:
        ids, colours = _by_island(m, snapshot, drawn, options)
    else:
        ids = drawn.visible(options.geomgroup, options.flags["static_body"])
    rows = _add(m, drawn, ids, snapshot.geom_xpos, snapshot.geom_xmat, shapes.OBJ_GEOM, options, state, out)
    if colours is not None:
        mine = colours[drawn.bodyid[ids]]
        tied = mine[:, 3] > 0
        out.geoms.rgba[rows] = np.where(tied[:, None], mine, out.geoms.rgba[rows])
        out.geoms.matid[rows] = np.where(tied, -1, out.geoms.matid[rows])
    _add_ghosts(m, drawn, "geom", ids, snapshot.geom_xpos, snapshot.geom_xmat, shapes.OBJ_GEOM, options, state, out)
    if options.flags["convex_hull"]:
        hull = visuals.of(hull_numbers)[ids]
        out.geoms.dataid[rows] = np.where(hull >= 0, hull, out.geoms.dataid[rows])
    if options.label == "Geom":
        add_names(m, "geom", ids, snapshot.geom_xpos[ids], out)


def add_sites(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Sites of visible groups."""
    m = visuals.model
    if not m.nsite:
        return
    drawn = visuals.of(drawn_sites)
    ids = drawn.visible(options.sitegroup, options.flags["static_body"])
    _add(m, drawn, ids, snapshot.site_xpos, snapshot.site_xmat, shapes.OBJ_SITE, options, state, out)
    _add_ghosts(m, drawn, "site", ids, snapshot.site_xpos, snapshot.site_xmat, shapes.OBJ_SITE, options, state, out)
    if options.label == "Site":
        add_names(m, "site", ids, snapshot.site_xpos[ids], out)
