"""Materials, textures, sky, fog and quality of a Model as the renderer takes them."""
from __future__ import annotations

from functools import lru_cache

import numpy as np

from app.bridge.meshes import mesh_assets
from app.bridge.options import RENDER_FIELDS, RENDER_FLAGS, VisOptions
from physics.enums import TextureRole
from physics.model import Model
from render.scene.snapshot import Look, Scene, SceneAssets, Texture

KINDS = ("2d", "cube", "skybox")  # by number of tex_type
SRGB = 2
KTX = b"\xabKTX"  # how such a container begins
MATERIAL = ("emission", "specular", "shininess", "reflectance", "texrepeat", "texuniform")


@lru_cache(maxsize=2)
def assets_of(m: Model) -> SceneAssets:
    """Materials, textures and meshes; made once per Model."""
    assets = SceneAssets(meshes=mesh_assets(m))
    rows = assets.materials.add(m.nmat)
    for name in MATERIAL:
        getattr(assets.materials, name)[rows] = getattr(m, "mat_" + name)
    assets.materials.texid[rows] = m.mat_texid[:, TextureRole.RGB]
    for i in range(m.ntex):
        height, width, channels, start = (int(getattr(m, "tex_" + n)[i]) for n in ("height", "width", "nchannel", "adr"))
        data = np.array(m.tex_data[start:start + height * width * channels]).reshape(height, width, channels)
        if start < 0 or data[0, :len(KTX), 0].tobytes() == KTX:
            data = np.full((1, 1, 3), 255, np.uint8)   # a texture that is left in its file, or in a container that is not opened
        kind = KINDS[m.tex_type[i]]
        assets.textures.append(Texture(kind, data, bool(m.tex_colorspace[i] == SRGB)))
        if kind == "skybox" and assets.skybox < 0:
            assets.skybox = i
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
    out.texture_on = options.flags["Texture"]
    fill_look(m, out.look)
    for name, flag in zip(RENDER_FIELDS, RENDER_FLAGS):
        setattr(out.flags, name, options.render[flag.name])
