"""Materials and the textures they use by role; textures are in textures.py.

Source: MJCF reference, asset/material and material/layer.
"""
from __future__ import annotations

from physics.compiler.assets import stand_ins
from physics.compiler.build import Build
from physics.compiler.source import numbers
from physics.compiler.texture import textures
from physics.compiler.texture.image_cache import ImageCache
from physics.enums import TextureRole

_NUMBERS = ("emission", "specular", "shininess", "reflectance", "metallic", "roughness")


def gather_textures(build: Build) -> None:
    """Make the items of textures."""
    image_cache = ImageCache()
    for element in build.source.root.section("asset"):
        if element.tag == "texture":
            known = len(build.problems.issues)
            textures.add_texture(build, element, image_cache)
            if stand_ins.forgive(build, known, stand_ins.LOOK):
                stand_ins.chequer(build.items["texture"][-1])
    image_cache.finish()


def gather(build: Build) -> None:
    """Make the items of materials."""
    for element in build.source.root.section("asset"):
        if element.tag == "material":
            a = build.source.attrs(element)
            build.items.add("material", element, layers=_layers(build, a), texuniform=bool(a["texuniform"]), texrepeat=numbers(a["texrepeat"]),
                      rgba=numbers(a["rgba"]), **{n: a[n] for n in _NUMBERS})


def _layers(build: Build, a) -> dict:
    """The element that names the texture of each role: the classes' first, then the material's own."""
    found = {}
    for owner in a.layers:
        inner = owner.all("layer")
        if "texture" in owner.attrs:
            found[TextureRole.RGB] = owner
            if inner:
                build.problems.error(inner[0], "a material with the attribute 'texture' cannot have layers", 'Write it as <layer role="rgb" .../>')
        for layer in inner:
            role = layer.attrs.get("role", "").upper()
            if role in TextureRole.__members__:
                found[TextureRole[role]] = layer
    return found


def fill(build: Build) -> None:
    """Fields mat_* and tex_*."""
    rows = []
    for item in build.items["material"]:
        row = [-1] * len(TextureRole)
        for role, owner in item.layers.items():
            row[role] = build.references.find("texture", owner, "texture")
        rows.append(row)
    build.fields.rows["mat_texid"] = rows
    build.fields.column("material", mat_texuniform="texuniform", mat_texrepeat="texrepeat", mat_rgba="rgba", **{f"mat_{n}": n for n in _NUMBERS})
    textures.fill(build)
