"""Moments of small models, and what is drawn of them: for tests of the quantities."""
from __future__ import annotations

import numpy as np

import physics
from app.bridge import VisOptions, build_scene
from app.bridge.model_visuals import ModelVisuals
from app.bridge.quantities.canvas import TONE
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene


def moment(xml: str, seconds: float = 0.0, **state):
    """(model, data, snapshot) after so many seconds from a state given by fields of Data."""
    m = physics.load_string(xml)
    physics.ensure_kernels()
    d = physics.Data(m)
    for name, value in state.items():
        getattr(d, name)[...] = value
    if seconds:
        physics.step(m, d, round(seconds / m.opt_timestep))
    physics.forward(m, d)
    snapshot = Snapshot(m, d, 1)
    snapshot.copy_from(d)
    return m, d, snapshot


def drawn(m, snapshot, *switches, **options) -> Scene:
    """The scene of a Model, or of its ModelVisuals, with these switches on."""
    chosen = VisOptions(**options)
    for name in switches:
        chosen[name] = True
    return build_scene(m if isinstance(m, ModelVisuals) else ModelVisuals(m), snapshot, chosen, Scene())


def toned(rgba) -> tuple:
    """The colour that a mark of this one in the legend has, beside its glow."""
    return (*(TONE * c for c in rgba[:3]), rgba[3])


def tips(scene: Scene, objtype: int, rgba) -> np.ndarray:
    """Ends (n, 3) of the arrows of this kind and colour, and of the arcs' heads."""
    g = scene.geoms
    rows = np.flatnonzero((g.view("shape") == shapes.ARROW) & (g.view("objtype") == objtype) & np.isclose(g.view("rgba"), toned(rgba), atol=1e-4).all(axis=1))
    return g.pos[rows] + g.size[rows, 2:] * g.mat[rows].reshape(-1, 3, 3)[:, :, 2]
