"""Convex parts of a mesh in the text: assets of their files behind the mesh, and for each geom that shows it as many geoms that collide in its place.

The geom stays as it is to be seen: contype and conaffinity 0, group 2. The parts stand where it does, with its class and its contact settings, in group 3, which is hidden at first, and without
mass, so that bodies keep their inertia.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from editor.edits.element_patches import NewElement
from editor.edits.version import Version
from editor.structure.draft import Change, Draft, Refusal
from editor.wording import what
from editor.structure.poses import own_pose, settings_of
from editor.structure.users import uses_of
from physics.schema.numbers import format_floats
from physics.spec.defaults import Resolver
from physics.spec.element import Element
from physics.spec.names import declared_name

__all__ = ["MeshUse", "add_parts", "use_of"]

SEEN_GROUP, PARTS_GROUP = 2, 3
OF_THE_SEEN = frozenset({"name", "mesh", "type", "mass", "density", "group", "rgba", "material", "shellinertia", "fluidshape", "fluidcoef", "castshadow", "user"})
ORIENTATIONS = frozenset({"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "class"})
PLAIN: Mapping[str, Sequence[float]] = MappingProxyType({"scale": (1.0, 1.0, 1.0), "refpos": (0.0, 0.0, 0.0), "refquat": (1.0, 0.0, 0.0, 0.0)})      # of a mesh asset, by the language
COLLISION = "collision"     # the default class that robot models have for such geoms


class MeshUse(NamedTuple):
    """mesh: id of a mesh asset; name: by which it is named; geoms: ids of the geoms that show it, chosen: those that are meant."""

    mesh: int
    name: str
    geoms: tuple[int, ...]
    chosen: tuple[int, ...]


def use_of(version: Version, number: int) -> MeshUse:
    """The mesh that an element is, or that a geom shows. Raises Refusal where it is none of the document's."""
    draft = Draft(version)
    element = draft.element(number)
    if version.root_of(number) is not version.root:
        raise Refusal(f"{what(element)} stands in a model that is attached: open that file")
    resolver, meshes = draft.resolver(), draft.names().declared.get("mesh", {})
    geoms = [one for world in version.root.all("worldbody") for one in world.walk() if one.tag == "geom" and one.id in resolver.context]
    if element.tag == "geom" and number in resolver.context and resolver.attrs(element)["type"] == "mesh":
        name, chosen = str(resolver.attrs(element)["mesh"] or ""), (number,)
    elif element.tag == "mesh" and declared_name(element, "asset/mesh") in meshes:
        name, chosen = declared_name(element, "asset/mesh"), ()
    else:
        raise Refusal("Choose a mesh, or a geom that shows one")
    mesh = meshes.get(name)
    if mesh is None:
        raise Refusal(f"The model has no mesh '{name}' in its texts")
    found = tuple(one.id for one in geoms if _shows(resolver, one, name))
    if not found:
        raise Refusal(f"No geom of type mesh shows the mesh '{name}'")
    return MeshUse(mesh.id, name, found, chosen or found)


def _shows(resolver: Resolver, geom: Element, name: str) -> bool:
    attrs = resolver.attrs(geom)
    return attrs["type"] == "mesh" and attrs["mesh"] == name


def add_parts(version: Version, mesh: int, geoms: Iterable[int], files: Sequence[str]) -> Change:
    """Parts in place of what collides now. mesh: id of the asset that they come from; geoms: ids of those that show it; files: as they are to be written, below <compiler meshdir>, in the
    frame that a geom has in the text [m]. Raises Refusal."""
    draft = Draft(version)
    asset, chosen = draft.element(mesh), [draft.element(number) for number in geoms]
    if not files or not chosen:
        raise Refusal("There are no parts")
    name = declared_name(asset, "asset/mesh")
    names = _part_names(draft, name, len(files))
    lines = [line for part, file in zip(names, files, strict=True) for line in NewElement("mesh", {"name": part, "file": file}).lines("")]
    draft.insert(lines, after=mesh)
    _make_plain(draft, names)
    for geom in chosen:
        if not _shows(draft.resolver(), geom, name):
            raise Refusal(f"{what(geom)} does not show the mesh '{name}' any more")
        _geoms_of(draft, geom.id, names)
    told = f"Convex parts of {name}: {len(files)}"
    return draft.change(told, [geom.id for geom in chosen], keyframes=False)


def _part_names(draft: Draft, name: str, count: int) -> list[str]:
    """Names that no mesh has."""
    taken, number = draft.names().declared.get("mesh", {}), 1
    while True:
        stem = name if number == 1 else f"{name}_{number}"
        found = [f"{stem}_part_{k:03d}" for k in range(count)]
        if not any(one in taken for one in found):
            return found
        number += 1


def _make_plain(draft: Draft, names: Sequence[str]) -> None:
    """Undo what the default class says of meshes: the parts have their size and place already."""
    meshes, resolver = draft.names().declared["mesh"], draft.resolver()
    attrs = resolver.attrs(meshes[names[0]])
    wrong = {key: format_floats(value) for key, value in PLAIN.items() if tuple(map(float, attrs[key])) != tuple(value)}
    if wrong:
        draft.set_all({meshes[name].id: wrong for name in names})


def _geoms_of(draft: Draft, number: int, names: Sequence[str]) -> None:
    """The parts behind a geom, and the geom as it is seen."""
    geom, resolver = draft.element(number), draft.resolver()
    attrs = resolver.attrs(geom)
    collides = bool(attrs["contype"] or attrs["conaffinity"])
    given = _settings_of_parts(draft, geom, collides)
    geom_names = _geom_names(draft, geom, len(names))
    new = [NewElement("geom", ({"name": own} if own else {}) | {"type": "mesh", "mesh": part} | given) for own, part in zip(geom_names, names, strict=True)]
    first = draft.insert([line for one in new for line in one.lines("")], after=number)
    resolved = draft.resolver().attrs(draft.element(first))
    missing = {}
    if not (resolved["contype"] or resolved["conaffinity"]):
        missing |= {"contype": "1", "conaffinity": "1"}
    if resolved["group"] != PARTS_GROUP:
        missing["group"] = str(PARTS_GROUP)
    if missing:
        inside = [child.id for child in draft.parent(first).children]
        at = inside.index(first)
        draft.set_all({one: missing for one in inside[at:at + len(names)]})
    _make_seen(draft, number)
    _note_users(draft, geom)


def _settings_of_parts(draft: Draft, geom: Element, collides: bool) -> dict[str, str]:
    """Attributes of the parts: those of the geom but for what is of its looks and mass. One that is only seen gives its place alone where there is a class for what collides."""
    names = {name for name in geom.attrs if name not in OF_THE_SEEN}
    given = {name: geom.attrs[name] for name in geom.attrs if name in names and (collides or name not in ("contype", "conaffinity"))}
    if not collides and COLLISION in draft.names().declared.get("default", {}) and geom.attrs.get("class") != COLLISION:
        pos, quat = own_pose(draft.resolver(), geom, settings_of(draft.version))
        given = {name: value for name, value in given.items() if name not in ORIENTATIONS}
        given = {"class": COLLISION} | given | ({"pos": format_floats(pos)} if any(pos) else {}) | ({"quat": format_floats(quat)} if any(quat[1:]) else {})
    return given | {"mass": "0"}


def _geom_names(draft: Draft, geom: Element, count: int) -> list[str]:
    """Names of the parts' geoms: none for a geom without one."""
    if not geom.name:
        return [""] * count
    taken, number = draft.names().declared.get("geom", {}), 1
    while True:
        stem = geom.name if number == 1 else f"{geom.name}_{number}"
        found = [f"{stem}_part_{k:03d}" for k in range(count)]
        if not any(one in taken for one in found):
            return found
        number += 1


def _make_seen(draft: Draft, number: int) -> None:
    """The geom itself touches nothing any more and is in the group of what is seen, where its mass counts in that group."""
    attrs = draft.resolver().attrs(draft.element(number))
    values: dict[str, str | None] = {name: "0" for name in ("contype", "conaffinity") if attrs[name] != 0}
    if attrs["group"] != SEEN_GROUP:
        low, high = _inertia_groups(draft.root)
        if low <= attrs["group"] <= high and not low <= SEEN_GROUP <= high:
            draft.notes.append(f"{what(draft.element(number))} stays in group {attrs['group']}: inertiagrouprange leaves the mass of group {SEEN_GROUP} out")
        else:
            values["group"] = str(SEEN_GROUP)
    draft.set(number, values)


def _inertia_groups(root: Element) -> tuple[int, int]:
    low, high = 0, 5
    for compiler in root.all("compiler"):
        words = compiler.attrs.get("inertiagrouprange", "").split()
        if len(words) == 2 and all(word.lstrip("-").isdigit() for word in words):
            low, high = map(int, words)
    return low, high


def _note_users(draft: Draft, geom: Element) -> None:
    """Contact pairs name a geom whatever its contype is."""
    pairs = [use.element for use in uses_of(draft.version, [geom.id]).found if use.element.tag == "pair"] if geom.name else []
    if pairs:
        draft.notes.append(f"Contact pairs go on with the hull of {what(geom)} as a whole: " + ", ".join(what(one) for one in pairs[:4]))
