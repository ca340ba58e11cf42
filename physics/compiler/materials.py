"""Materials; textures are in textures.py."""
from __future__ import annotations

from physics.compiler import textures
from physics.compiler.build import Build, numbers
from physics.enums import TextureRole

_NUMBERS = ("emission", "specular", "shininess", "reflectance", "metallic", "roughness")


def read(build: Build) -> None:
    """Make the items of textures and materials."""
    for element in build.root.section("asset"):
        if element.tag == "texture":
            textures.read(build, element)
    for element in build.root.section("asset"):
        if element.tag != "material":
            continue
        a = build.attrs(element)
        build.add("material", element, texture=a["texture"] or "", texuniform=bool(a["texuniform"]), texrepeat=numbers(a["texrepeat"]),
                  rgba=numbers(a["rgba"]), **{n: a[n] for n in _NUMBERS})


def fill(build: Build) -> None:
    """Fields mat_* and tex_*."""
    rows = []
    for item in build.items["material"]:
        row = [-1] * len(TextureRole)
        if item.texture:
            row[TextureRole.RGB] = build.id("texture", item.texture)
        rows.append(row)
    build.out["mat_texid"] = rows
    build.column("material", mat_texuniform="texuniform", mat_texrepeat="texrepeat", mat_rgba="rgba", **{f"mat_{n}": n for n in _NUMBERS})
    textures.fill(build)
