"""Assets, sky, fog, quality and rendering switches of a picture: everything of a Scene that is no row."""
from __future__ import annotations

from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from physics.model.model import Model
from render.scene.snapshot import Look, Scene


def fill_look(m: Model, look: Look) -> None:
    """Copy what m.vis and m.stat say about fog, haze, shadows and fineness."""
    look.extent, look.center = m.stat_extent, tuple(m.stat_center)
    look.fog_rgba, look.haze_rgba = tuple(m.vis.rgba.fog), tuple(m.vis.rgba.haze)
    for name in ("fogstart", "fogend", "haze", "shadowclip", "shadowscale"):
        setattr(look, name, getattr(m.vis.map, name))
    for name in ("shadowsize", "offsamples", "numslices", "numstacks", "numquads"):
        setattr(look, name, getattr(m.vis.quality, name))
    look.linewidth = m.vis.global_.linewidth


def set_look(visuals: ModelVisuals, options: VisOptions, out: Scene) -> None:
    """Everything of the Scene that is no row: assets, look, switches."""
    m = visuals.model
    out.assets = visuals.assets
    out.texture_on = options.flags["texture"]
    fill_look(m, out.look)
    for name, on in options.render.items():
        setattr(out.flags, name, on)
    out.flags.show = options.show
    out.flags.physical = options.look == "physical"
