"""Ghosts: the moving geoms of other poses, tinted and seen through. They cast no shadow, and a click goes through them.

Where a ghost nearly coincides with the model that runs, the model is seen.
"""
from __future__ import annotations

import math

import numpy as np

from app.bridge.assets.meshes import mesh_assets
from app.bridge.assets.static import Drawn, drawn_geoms
from app.bridge.ghost import Ghost
from app.bridge.layers.connect import connect
from app.bridge.layers.forces import metres_per_newton
from app.bridge.layers.hidden import shown_geoms
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.view_state import ViewState
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene

FLAGS = shapes.DECOR | shapes.UNNAMED | shapes.BEHIND
GLOW = 0.25     # of its tint, so that it is the same tint on all sides
MESHES = (shapes.MESH, shapes.SDF)


def add_ghosts(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Append the geoms of visible groups of all ghosts, without planes and what is fixed to the world; of the Model that runs without what is hidden."""
    ghosts = state.ghosts if options.added["ghosts"] else ()
    for k, (ghost, own) in enumerate(zip(ghosts, visuals.beside([ghost.model for ghost in ghosts]), strict=True)):
        drawn = own.of(drawn_geoms)
        ids = drawn.visible(options.geomgroup, False)
        ids = ids[drawn.shape[ids] != shapes.PLANE]
        if own is visuals:
            ids = ids[shown_geoms(visuals, options, ids)]
        if len(ids):
            _add(visuals, own, drawn, ids, ghost, out)
            if ghost.label:
                _label(ghost, ids, k, out)
        if ghost.forces is not None and len(ghost.forces) and options.flags["contact_force"]:
            _forces(visuals, ghost, out)


def _add(visuals: ModelVisuals, own: ModelVisuals, drawn: Drawn, ids: np.ndarray, ghost: Ghost, out: Scene) -> None:
    numbers = _numbers(visuals, own, drawn, ids, out)
    g = out.geoms
    rows = g.add(len(ids))
    g.shape[rows], g.size[rows], g.texsize[rows], g.dataid[rows] = drawn.shape[ids], drawn.size[ids], drawn.texsize[ids], numbers
    g.pos[rows], g.mat[rows] = ghost.geom_xpos[ids], ghost.geom_xmat[ids]
    g.rgba[rows, :3], g.glow[rows], g.flags[rows] = ghost.tint, GLOW, FLAGS
    g.rgba[rows, 3] = 1 - np.sqrt(1 - ghost.opacity * np.minimum(drawn.rgba[ids, 3], 1))      # what is seen through is laid over twice


def _forces(visuals: ModelVisuals, ghost: Ghost, out: Scene) -> None:
    """Arrows of its contacts, in its tint, as large as those of the model."""
    m = visuals.model
    start, vector = ghost.forces[:, :3], metres_per_newton(m) * ghost.forces[:, 3:]
    connect(out.geoms, shapes.ARROW, m.vis.scale.forcewidth * m.stat_meansize, start, start + vector, (*ghost.tint, 1.0), flags=shapes.DECOR | shapes.UNNAMED)


def _numbers(visuals: ModelVisuals, own: ModelVisuals, drawn: Drawn, ids: np.ndarray, out: Scene) -> np.ndarray:
    """Meshes (n,) of geoms in the scene; those that the Model which runs does not have are added."""
    numbers = drawn.dataid[ids].copy()
    mesh = np.isin(drawn.shape[ids], MESHES) & (numbers >= 0)
    assets = own.of(mesh_assets) if mesh.any() else None
    if assets is not None and assets is not visuals.of(mesh_assets):
        used, place = np.unique(numbers[mesh], return_inverse=True)
        numbers[mesh] = visuals.add_meshes(out, tuple(assets[i] for i in used.tolist())) + place
    return numbers


def _label(ghost: Ghost, ids: np.ndarray, k: int, out: Scene) -> None:
    """Above its highest geom, in its tint made brighter."""
    pos = ghost.geom_xpos[ids]
    top = float((pos[:, 2] + ghost.model.geom_rbound[ids]).max())
    x, y = (0.5 * (pos[:, :2].min(0) + pos[:, :2].max(0))).tolist()
    rgba = tuple(0.5 + 0.5 * c for c in ghost.tint) + (1.0,)
    if math.isfinite(x + y + top):
        out.labels.put((x, y, top), ghost.label, rgba, ("ghost", k))
