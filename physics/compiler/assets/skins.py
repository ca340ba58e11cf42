"""Skins: triangle meshes that follow bodies, their bones; from the model's text or from a binary file.

Everything is kept in single precision, as in the file. Source: MJCF reference, deformable/skin and skin/bone (format of SKN files).
"""
from __future__ import annotations

from pathlib import PurePosixPath
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from physics.compiler.assets import stand_ins
from physics.compiler.assets.asset_files import OpenedAsset, open_asset
from physics.compiler.build import Build
from physics.compiler.items import Item
from physics.compiler.source import numbers
from physics.enums import MINVAL
from physics.rotation.quaternion import unit
from physics.spec.element import Element

GROUPS = 6
_NAME = 40    # bytes of a body's name in a file
_BONE = _NAME + 4 * 8   # bytes of a bone without its vertices
_INLINE = ("vertex", "texcoord", "face")


class Bone(NamedTuple):
    """One bone. body: name; pos, quat: pose of the body in which the vertices are given; vertid, weight: vertices it holds, and how firmly."""

    body: str
    pos: np.ndarray
    quat: np.ndarray
    vertid: np.ndarray
    weight: np.ndarray


def gather(build: Build) -> None:
    """Make the items of skins: those among the assets first."""
    for section in ("asset", "deformable"):
        for element in build.source.root.section(section):
            if element.tag == "skin":
                known = len(build.problems.issues)
                _read(build, element)
                if stand_ins.forgive(build, known, stand_ins.LOOK):
                    build.items["skin"].pop()


def _read(build: Build, element: Element) -> None:
    a = build.source.attrs(element)
    skin = build.items.add("skin", element, group=int(a["group"]), rgba=numbers(a["rgba"]), inflate=a["inflate"], bones=[],
                     vert=np.zeros((0, 3), np.float32), texcoord=np.zeros((0, 2), np.float32), face=np.zeros((0, 3), np.int32))
    if not skin.name and a["file"]:
        skin.name = PurePosixPath(a["file"].replace("\\", "/")).stem
    if not 0 <= skin.group < GROUPS:
        build.problems.error(element, f"the group of a skin is a number from 0 to {GROUPS - 1}, not {skin.group}", attr="group")
    parts = _from_file(build, a) if a["file"] else _inline(build, a)
    if parts is None:
        return
    problem, where, attribute = _problem(parts, element)
    file = f"skin file '{a['file']}': " if a["file"] else ""
    if attribute == "texcoord" and build.source.stand_ins:
        build.problems.warn(where, file + problem, stand_ins.HINT, "file" if a["file"] else attribute)
        parts.texcoord = parts.texcoord[:0]
        problem, where, attribute = _problem(parts, element)
    if problem:
        build.problems.error(where, file + problem, attr="file" if a["file"] else attribute)
        return
    skin.vert, skin.texcoord, skin.face, skin.bones = parts.vertex, parts.texcoord, parts.face, _settled(parts)


def _inline(build: Build, a) -> SimpleNamespace | None:
    """The parts of a skin that is given in the text."""
    parts = SimpleNamespace(bones=[], elements=[])
    for name, kind, width in zip(_INLINE, (np.float32, np.float32, np.int32), (3, 2, 3)):
        values = np.zeros(0) if a[name] is None else a[name]
        if len(values) % width:
            build.problems.error(a.element, f"{len(values)} numbers do not make rows of {width}", attr=name)
            return None
        setattr(parts, name, values.astype(kind).reshape(-1, width))
    for element in a.element.all("bone"):
        b = build.source.attrs(element)
        if any(b[name] is None for name in ("bindpos", "bindquat", "vertid", "vertweight")):
            return None   # the reader has said so
        parts.elements.append(element)
        parts.bones.append(Bone(b["body"] or "", b["bindpos"].astype(np.float32), b["bindquat"].astype(np.float32),
                                b["vertid"].astype(np.int32), b["vertweight"].astype(np.float32)))
    return parts


def _problem(parts: SimpleNamespace, element: Element) -> tuple[str, Element, str]:
    """What is wrong with a skin ('' for nothing), and the element and attribute it is to be mended at."""
    count = len(parts.vertex)
    for name in ("vertex", "face"):
        if not len(getattr(parts, name)):
            return f"a skin needs '{name}'", element, name
    if not parts.bones:
        return "a skin needs bones", element, ""
    if len(parts.texcoord) not in (0, count):
        return f"there are {count} vertices, but {len(parts.texcoord)} texture coordinates", element, "texcoord"
    bad = (parts.face < 0) | (parts.face >= count)
    if bad.any():
        return f"the face with number {int(np.argwhere(bad)[0, 0])} names vertex {int(parts.face[bad][0])}, but there are {count}, counted from 0", element, "face"
    for k, bone in enumerate(parts.bones if _is_odd(parts.bones, count) else ()):
        where = parts.elements[k] if parts.elements else element
        if len(bone.vertid) != len(bone.weight):
            return f"bone {k} holds {len(bone.vertid)} vertices, but has {len(bone.weight)} weights", where, "vertweight"
        bad = bone.vertid[(bone.vertid < 0) | (bone.vertid >= count)]
        if len(bad):
            return f"bone {k} holds vertex {int(bad[0])}, but there are {count}, counted from 0", where, "vertid"
        if not all(np.isfinite(x).all() for x in (bone.pos, bone.quat, bone.weight)):
            return f"bone {k} has numbers that are not finite", where, ""
    if not (np.isfinite(parts.vertex).all() and np.isfinite(parts.texcoord).all()):
        return "a vertex or texture coordinate is not finite", element, "vertex"
    loose = np.flatnonzero(~(_totals(parts) > MINVAL))
    if len(loose):
        return f"the weights of vertex {int(loose[0])} must have a positive sum, so that bones hold it ({len(loose)} such vertices)", element, "vertex"
    return "", element, ""


def _is_odd(bones: list[Bone], count: int) -> bool:
    """Whether there is something wrong with one of the bones, of a skin with `count` vertices."""
    if any([len(bone.vertid) != len(bone.weight) for bone in bones]):
        return True
    held, values = np.concatenate([b.vertid for b in bones]), np.concatenate([x for b in bones for x in (b.pos, b.quat, b.weight)])
    return bool(((held < 0) | (held >= count)).any()) or not np.isfinite(values).all()


def _totals(parts: SimpleNamespace) -> np.ndarray:
    """Sum of the weights of each vertex, added up in single precision one bone after the other."""
    total = np.zeros(len(parts.vertex), np.float32)
    np.add.at(total, np.concatenate([bone.vertid for bone in parts.bones]), np.concatenate([bone.weight for bone in parts.bones]))
    return total


def _settled(parts: SimpleNamespace) -> list[Bone]:
    """Bones with weights that sum to 1 for each vertex, and orientations of unit length."""
    total = _totals(parts)
    return [bone._replace(weight=bone.weight / total[bone.vertid], quat=np.array(unit(bone.quat.astype(float).tolist())[0], np.float32))
            for bone in parts.bones]


# files


def _from_file(build: Build, a) -> SimpleNamespace | None:
    """The parts of a skin in a file, None after an error."""
    beside = next((name for name in _INLINE if a[name] is not None), "")
    if beside or a.element.all("bone"):
        build.problems.error(a.element, "a skin comes either from a file or from its own attributes and bones", "Take one of them away", beside or "file")
        return None
    if PurePosixPath(a["file"]).suffix.lower() != ".skn":
        build.problems.error(a.element, f"skin file '{a['file']}' is no .skn file by its name", attr="file")
        return None
    file = open_asset(build, a, "file", "skin", "meshdir")
    if file is None:
        return None
    try:
        return _decode(file)
    except ValueError as problem:
        build.problems.error(a.element, f"skin file '{file.name}' cannot be read: {problem}", attr="file")
        return None


def _decode(file: OpenedAsset) -> SimpleNamespace:
    """The parts of a skin in an SKN file. Raises ValueError with the reason."""
    data = file.data
    if len(data) < 16:
        raise ValueError(f"it has {len(data)} bytes, too few for the four sizes it starts with")
    nvert, ntexcoord, nface, nbone = sizes = np.frombuffer(data, "<i4", 4).tolist()
    if min(sizes) < 0:
        raise ValueError(f"it starts with the sizes {sizes}, which cannot be negative")
    if len(data) < 16 + 12 * nvert + 8 * ntexcoord + 12 * nface + _BONE * nbone:
        raise ValueError(f"its {len(data)} bytes are too few for {nvert} vertices, {ntexcoord} texture coordinates, {nface} faces and {nbone} bones")
    place = 16

    def take(kind: str, count: int) -> np.ndarray:
        nonlocal place
        found = np.frombuffer(data, kind, count, place)
        place += found.nbytes
        return found.astype(kind[1:])

    parts = SimpleNamespace(vertex=take("<f4", 3 * nvert).reshape(-1, 3), texcoord=take("<f4", 2 * ntexcoord).reshape(-1, 2),
                            face=take("<i4", 3 * nface).reshape(-1, 3), bones=[], elements=[])
    for k in range(nbone):
        if len(data) - place < _BONE:
            raise ValueError(f"it ends within bone {k}")
        name = data[place:place + _NAME - 1].split(b"\0")[0].decode("utf-8", "replace")
        place += _NAME
        pos, quat, count = take("<f4", 3), take("<f4", 4), int(take("<i4", 1)[0])
        if count < 1:
            raise ValueError(f"bone {k} says that it holds {count} vertices")
        if (len(data) - place) // 8 < count:
            raise ValueError(f"it ends within the {count} vertices of bone {k}")
        parts.bones.append(Bone(name, pos, quat, take("<i4", count), take("<f4", count)))
    if place != len(data):
        raise ValueError(f"{len(data) - place} bytes are left over at its end")
    return parts


# the model


def fill(build: Build) -> None:
    """Fields skin_*."""
    items, out = build.items["skin"], build.fields.rows
    build.fields.column("skin", skin_group="group", skin_rgba="rgba", skin_inflate="inflate")
    out["skin_matid"] = [build.references.named("material", item, "material") for item in items]
    bones = [bone for item in items for bone in item.bones]
    for name, rows, size in (("vert", "vert", "nskinvert"), ("face", "face", "nskinface"), ("texcoord", "texcoord", "nskintexvert"), ("bone", "bones", "nskinbone")):
        number = [len(getattr(item, rows)) for item in items]
        starts = np.cumsum([0, *number])
        out[f"skin_{name}adr"], build.fields.sizes[size] = starts[:-1], int(starts[-1])
        if name == "texcoord":
            out["skin_texcoordadr"] = np.where(number, starts[:-1], -1) if items else []
        else:
            out[f"skin_{name}num"] = number
    for name in ("vert", "face", "texcoord"):
        out[f"skin_{name}"] = np.concatenate([getattr(item, name) for item in items]) if items else []
    out["skin_bonebodyid"] = [body for item in items for body in _bodies(build, item)]
    out["skin_bonebindpos"], out["skin_bonebindquat"] = [b.pos for b in bones], [b.quat for b in bones]
    held = [len(bone.vertid) for bone in bones]
    out["skin_bonevertnum"], out["skin_bonevertadr"] = held, np.cumsum([0, *held])[:-1]
    build.fields.sizes["nskinbonevert"] = sum(held)
    out["skin_bonevertid"] = np.concatenate([b.vertid for b in bones]) if bones else []
    out["skin_bonevertweight"] = np.concatenate([b.weight for b in bones]) if bones else []


def _bodies(build: Build, item: Item) -> list[int]:
    """Body of each bone."""
    found = []
    prefix, suffix = build.source.expanded.renamed.get(item.element.id, ("", ""))   # what copying put around the names in a file
    for bone in item.bones:
        name = f"{prefix}{bone.body}{suffix}"
        body = build.items.id("body", name)
        if body < 0 and not build.source.partial:
            build.problems.error(item.element, f"bone of an unknown body '{name}'", "Its name stands in the skin file" if item.element.attrs.get("file") else "")
        found.append(body)
    return found
