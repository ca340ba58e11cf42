"""Materials of a Model as the renderer takes them."""
from __future__ import annotations

from app.bridge.derived_from import derived_from
from physics.enums import TextureRole
from physics.model.model import Model
from render.scene.snapshot import Materials

PROPERTIES = ("emission", "specular", "shininess", "reflectance", "texrepeat", "texuniform", "metallic", "roughness")


@derived_from("mat_texid", *(f"mat_{name}" for name in PROPERTIES))
def material_table(m: Model) -> Materials:
    """All materials; their colours are those of the geoms that have them."""
    materials = Materials()
    rows = materials.add(m.nmat)
    for name in PROPERTIES:
        getattr(materials, name)[rows] = getattr(m, "mat_" + name)
    materials.texid[rows], materials.layers[rows] = m.mat_texid[:, TextureRole.RGB], m.mat_texid
    return materials
