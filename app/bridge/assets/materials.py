"""Materials, textures, sky, fog and quality of a Model as the renderer takes them."""
from __future__ import annotations

from functools import lru_cache

from app.bridge.assets.meshes import mesh_assets
from app.bridge.assets.skins import skin_assets
from app.bridge.assets.textures import texture_assets
from app.bridge.options import VisOptions
from physics.enums import TextureRole
from physics.model.model import Model
from render.scene.snapshot import Look, Scene, SceneAssets

MATERIAL = ("emission", "specular", "shininess", "reflectance", "texrepeat", "texuniform", "metallic", "roughness")


@lru_cache(maxsize=2)
def assets_of(m: Model) -> SceneAssets:
    """Materials, textures and meshes; made once per Model."""
    assets = SceneAssets(meshes=mesh_assets(m), skins=skin_assets(m))
    rows = assets.materials.add(m.nmat)
    for name in MATERIAL:
        getattr(assets.materials, name)[rows] = getattr(m, "mat_" + name)
    assets.materials.texid[rows], assets.materials.layers[rows] = m.mat_texid[:, TextureRole.RGB], m.mat_texid
    assets.textures[:] = texture_assets(m)
    assets.skybox = next((i for i, texture in enumerate(assets.textures) if texture.kind == "skybox"), -1)
    return assets


def fill_look(m: Model, look: Look) -> None:
    """Copy what m.vis and m.stat say about fog, haze, shadows and fineness."""
    look.extent, look.center = m.stat_extent, tuple(m.stat_center)
    look.fog_rgba, look.haze_rgba = tuple(m.vis.rgba.fog), tuple(m.vis.rgba.haze)
    for name in ("fogstart", "fogend", "haze", "shadowclip", "shadowscale"):
        setattr(look, name, getattr(m.vis.map, name))
    for name in ("shadowsize", "offsamples", "numslices", "numstacks", "numquads"):
        setattr(look, name, getattr(m.vis.quality, name))
    look.linewidth = m.vis.global_.linewidth


def add_materials(m: Model, options: VisOptions, out: Scene) -> None:
    """Everything of the Scene that is no row: assets, look, switches."""
    out.assets = assets_of(m)
    out.texture_on = options.flags["texture"]
    fill_look(m, out.look)
    for name, on in options.render.items():
        setattr(out.flags, name, on)
    out.flags.show = options.show
    out.flags.physical = options.look == "physical"
