"""What a Model keeps of its assets' sources, so that it can be written as text again."""
from __future__ import annotations

from physics.compiler.assets.asset_files import locate_asset
from physics.compiler.build import Build
from physics.model.asset_record import AssetFile, AssetRecord, stamp
from physics.model.model import Model
from physics.schema.numbers import format_float
from physics.spec.asset_folders import FOLDERS

_KINDS = ("texture", "mesh", "hfield", "skin")


def keep(build: Build, model: Model) -> None:
    """Fill model.assets: a record for each texture, mesh, height field and skin, None where it comes from no element."""
    for kind in _KINDS:
        model.assets[kind] = tuple(_record(build, model, kind, FOLDERS[kind], item) for item in build.items[kind])


def _record(build: Build, model: Model, kind: str, folder: str, item) -> AssetRecord | None:
    if item.element is None:
        return None
    attrs, texts, files = build.source.attrs(item.element), {}, {}
    for name in attrs.names():
        if name in ("name", "class"):
            continue
        if attrs.spec.attributes[name].type == "file":
            if attrs[name]:
                source, _name, path = locate_asset(build, attrs, name, folder)
                files[name] = AssetFile(path, source.read_bytes(path) if source.holds(path) else None)
        elif attrs.own(name):
            texts[name] = item.element.attrs[name]
        else:
            texts[name] = _text(attrs[name])
    if kind == "mesh" and item.inertia != attrs["inertia"] and not attrs["builtin"]:
        texts["inertia"] = item.inertia   # 2.3 had it on the geoms
    parts = tuple(dict(child.attrs) for child in item.element.children)
    return AssetRecord(texts, files, _stamp(build, model, kind, item), parts)


def _stamp(build: Build, model: Model, kind: str, item) -> int:
    """The checksum of an asset; of a mesh or a pattern that an earlier compile has had too it is known."""
    made = item.data if kind == "mesh" else item.pixels if kind == "texture" and isinstance(item.pixels, tuple) else None
    if build.memory is None or made is None:
        return stamp(model, kind, item.id)
    key = ("stamp", id(made), item.scale) if kind == "mesh" else ("stamp", made, item.kept)
    known = build.memory.get(key)
    if known is None or kind == "mesh" and known[0] is not made:
        known = made, stamp(model, kind, item.id)
        build.memory.put(key, known, 0)
    return known[1]


def _text(value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    values = value.tolist() if hasattr(value, "tolist") else value if isinstance(value, tuple) else [value]
    return " ".join(x if isinstance(x, str) else format_float(x) for x in values)
