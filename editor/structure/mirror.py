"""The mirror image of bodies and of what else stands in the world: left becomes right.

The plane goes through the origin of what the element stands in; its normal is an axis there. With S the reflection every frame inside is reflected by S in its own coordinates:
positions p become S p and turns R become S R S, so that frames stay right-handed. A slide's axis is a polar vector (S a), a hinge's an axial one (-S a): coordinates, ranges and
springs keep their meaning. What looks along an own axis (cameras, planes, height fields) becomes S R F, with F turning the own x round. Meshes get a twin with a mirrored scale,
and height fields one with each row of heights the other way round: with h the heights in the own frame, the image has h(-x, y).
"""
from __future__ import annotations

import re
from collections.abc import Iterable
from types import MappingProxyType

from editor.edits.version import Version
from editor.notation.numbers import numbers_text
from editor.structure.copying import Values, kinds, lines_of, name_values, namespace_of, parent_path, renamed, unique_namer
from editor.structure.draft import Change, Draft, Refusal, outermost
from editor.structure.legality import why_not
from editor.structure.placement import Placement, placed, written
from editor.structure.poses import in_body_tree, settings_of
from editor.wording import what
from physics.expand.referrers import KINDS
from physics.expand.renaming import references
from physics.schema.schema import ElementSpec
from physics.spec.defaults import Attrs, Resolver
from physics.spec.element import Element
from physics.spec.names import Names, declared_name

__all__ = ["mirror", "other_side"]

SIDES = MappingProxyType({"left": "right", "right": "left", "l": "r", "r": "l", "lf": "rf", "rf": "lf", "fl": "fr", "fr": "fl", "hl": "hr", "hr": "hl", "bl": "br", "br": "bl",
                          "rl": "rr", "rr": "rl", "lh": "rh", "rh": "lh", "lt": "rt", "rt": "lt"})
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^A-Za-z\d]+")    # words of snake_case and camelCase, numbers, what stands between
ONE_SIDED = MappingProxyType({"camera": 0, "plane": 0, "hfield": 0})        # own axis that is turned round
AXES = "xyz"
REFUSED = frozenset({"replicate", "attach", "flexcomp", "composite"})


def other_side(name: str) -> str:
    """A name with left and right exchanged, by whole words of it, in its case; the same name where it has no side."""
    parts = _PARTS.findall(name)
    if "".join(parts) != name:
        return name
    swapped = [_in_case(part, SIDES[part.lower()]) if part.lower() in SIDES else part for part in parts]
    if swapped != parts:
        return "".join(swapped)
    for old in ("left", "right"):       # within a word
        if old in name.lower():
            at = name.lower().index(old)
            return name[:at] + _in_case(name[at:at + len(old)], SIDES[old]) + name[at + len(old):]
    return name


def _in_case(example: str, word: str) -> str:
    if example.isupper():
        return word.upper()
    return word.capitalize() if example[:1].isupper() else word


def mirror(version: Version, numbers: Iterable[int], normal: str = "y", copy: bool = True, users: bool = True) -> Change:
    """The mirror image of elements in the plane whose normal is an axis of what they stand in, beside them, or in their place where `copy` is False.

    users: actuators, sensors, contacts, tendons and equalities of what is copied get copies, too. Raises Refusal for elements that have no mirror image here.
    """
    draft = Draft(version)
    chosen, axis = outermost(version, numbers), AXES.index(normal)
    if not chosen or not all(in_body_tree(version, number) and version.element(number).tag != "worldbody" for number in chosen):
        raise Refusal("Only what stands in the world can be mirrored")
    resolver, settings = draft.resolver(), settings_of(version)
    pieces = [piece for number in chosen for piece in kinds(draft.element(number), parent_path(version, draft.element(number)))]
    if odd := next((element for element, spec in pieces if element.tag in REFUSED), None):
        raise Refusal(f"{what(odd)} cannot be mirrored: put its elements in its place first")
    twins = (_Meshes(draft, axis), _HeightFields(draft))
    values: Values = {}
    for element, _spec in pieces:
        if element.id in resolver.context:
            values[element.id] = _mirrored(resolver, element, axis, settings)
            for some in twins:
                values[element.id] |= some.of(resolver, element)
    names = Names(version.root)
    outside = _users(version, names, pieces) if users and copy else []
    if copy:
        mapping = renamed([*pieces, *outside], unique_namer(names, other_side))
        for number, some in name_values([*pieces, *outside], mapping).items():
            values.setdefault(number, {}).update(some)
    for element, spec in outside:
        values.setdefault(element.id, {}).update(_mirrored_user(resolver, names, element, spec, axis))
    if not copy:
        draft.set_all(values)
        _write(twins)
        return draft.change(f"Mirror {what(draft.element(chosen[0]))}", chosen)
    for number in chosen:
        if reason := why_not(version, version.parent(number).id, version.element(number).tag):
            raise Refusal(reason)
    made = draft.insert_all((lines_of(version, version.element(number), values), {"after": number}) for number in chosen)
    _copy_users(draft, version, outside, values)
    _write(twins)
    return draft.change(f"Mirror {what(version.element(chosen[0]))}", made)


def _copy_users(draft: Draft, version: Version, outside: list, values: Values) -> None:
    """Copies of what stands outside, behind the last of its section."""
    inner = {child.id for element, _spec in outside for child in element.children}
    draft.insert_all((lines_of(version, element, values), {"last_in": version.parent(element.id).id}) for element, _spec in outside if element.id not in inner)


def _mirrored(resolver: Resolver, element: Element, axis: int, settings) -> dict[str, str | None]:
    """Attributes of an element's image."""
    attrs = resolver.attrs(element)
    place = placed(attrs, settings)
    known = attrs.spec.attributes
    kind = attrs["type"] if "type" in known else ""
    if attrs.spec.path == "body/joint":
        place = place.mirrored(axis, kind == "slide") if kind in ("slide", "hinge") else Placement(place.pos).mirrored(axis)
        return written(attrs, place, settings) if kind != "free" else {}
    handed = ONE_SIDED.get(element.tag, ONE_SIDED.get(kind) if attrs.spec.path == "body/geom" else None)
    return written(attrs, place.mirrored(axis, handed=handed), settings)


class _Meshes:
    """Mirrored twins of mesh assets, made when they are first needed."""

    def __init__(self, draft: Draft, axis: int):
        self._draft, self._axis = draft, axis
        self._names = draft.names()
        self._twins: dict[str, str] = {}

    def of(self, resolver: Resolver, element: Element) -> dict[str, str | None]:
        """What a geom or site names in place of its mesh."""
        attrs = resolver.attrs(element)
        if "mesh" not in attrs.spec.attributes or not attrs["mesh"]:
            return {}
        name = attrs["mesh"]
        if name not in self._twins:
            other = other_side(name)
            there = other != name and self._names.find("mesh", other) is not None
            self._twins[name] = other if there else self._names.unique("mesh", other if other != name else f"{name}_mirrored")
        return {"mesh": self._twins[name]}

    def write(self) -> None:
        """The assets that there are not yet."""
        names, resolver, wanted = self._draft.names(), self._draft.resolver(), []
        for name, twin in self._twins.items():
            old = names.find("mesh", name)
            if old is None or names.find("mesh", twin) is not None:
                continue
            scale = resolver.attrs(old)["scale"].tolist()
            scale[self._axis] = -scale[self._axis]
            wanted.append((lines_of(self._draft.version, old, {old.id: {"name": twin, "scale": numbers_text(scale)}}, False), {"after": old.id}))
        self._draft.insert_all(wanted)


class _HeightFields:
    """Mirrored twins of height fields, of those that are not their own image."""

    def __init__(self, draft: Draft):
        self._draft, self._names = draft, draft.names()
        self._twins: dict[str, tuple[Element, dict[str, str]] | None] = {}       # name -> (the field, what its twin has in place), None for one that is its own image

    def of(self, resolver: Resolver, element: Element) -> dict[str, str | None]:
        """What a geom names in place of its height field. Raises Refusal for one whose heights are not in the text."""
        attrs = resolver.attrs(element)
        name = attrs["hfield"] if attrs.spec.path == "body/geom" and attrs["type"] == "hfield" else ""
        field = self._names.find("hfield", name) if name else None
        if field is None:
            return {}
        if name not in self._twins:
            self._twins[name] = self._twin(element, field, name)
        twin = self._twins[name]
        return {"hfield": twin[1]["name"]} if twin is not None else {}

    def _twin(self, geom: Element, field: Element, name: str) -> tuple[Element, dict[str, str]] | None:
        if field.attrs.get("file"):
            raise Refusal(f"{what(geom)} shows the height field '{name}' of a file, which has no mirror image in the text: write a mirrored file first")
        words, columns = field.attrs.get("elevation", "").split(), int(self._draft.resolver().attrs(field)["ncol"] or 0)
        mirrored = [word for at in range(0, len(words), max(1, columns)) for word in reversed(words[at:at + columns])]
        if mirrored == words:
            return None
        there = next((one for one in self._names.declared.get("hfield", {}).values() if one.attrs.get("elevation", "").split() == mirrored
                      and all(one.attrs.get(key) == field.attrs.get(key) for key in ("nrow", "ncol", "size"))), None)
        if there is not None:
            return there, {"name": there.name}
        other = other_side(name)
        return field, {"name": self._names.unique("hfield", other if other != name else f"{name}_mirrored"), "elevation": " ".join(mirrored)}

    def write(self) -> None:
        """The assets that there are not yet."""
        version = self._draft.version
        self._draft.insert_all((lines_of(version, version.element(twin[0].id), {twin[0].id: twin[1]}, False), {"after": twin[0].id})
                               for twin in self._twins.values() if twin is not None and "elevation" in twin[1])


def _write(twins: Iterable[_Meshes | _HeightFields]) -> None:
    for some in twins:
        some.write()


def _users(version: Version, names: Names, pieces: list[tuple[Element, ElementSpec]]) -> list[tuple[Element, ElementSpec]]:
    """Elements outside the tree that refer to what is mirrored, directly or through one another, with what they hold."""
    inside = {(namespace_of(spec), declared_name(element, spec.path)) for element, spec in pieces if declared_name(element, spec.path)}
    found: dict[int, list[tuple[Element, ElementSpec]]] = {}
    grown = True
    while grown:
        grown = False
        for kind in KINDS:
            for element in version.root.section(kind.section):
                if element.id in found or (kind.tags and element.tag not in kind.tags) or kind.section == "asset":
                    continue
                some = list(kinds(element, kind.section))
                refs = [(ref.namespace, ref.name) for one, spec in some for ref in references(one, spec.path)]
                if any(ref in inside for ref in refs):
                    found[element.id] = some
                    inside.add((kind.namespace, element.name))
                    grown = True
    order = {element.id: i for i, element in enumerate(version.root.walk())}
    return [piece for number in sorted(found, key=order.__getitem__) for piece in found[number]]


def _gear_signs(resolver: Resolver, names: Names, attrs: Attrs, signs: list[float]) -> list[float]:
    """What the numbers of an actuator's gear are multiplied by: a force is a polar vector, a torque an axial one; none for a joint of one axis."""
    turned = [-s for s in signs]
    if "site" in attrs.spec.attributes and attrs["site"]:
        return [*signs, *turned]
    joint = next((found for name in ("joint", "jointinparent") if name in attrs.spec.attributes and attrs[name] and (found := names.find("joint", attrs[name])) is not None), None)
    if joint is None or joint.id not in resolver.context:
        return []
    kind = "free" if joint.tag == "freejoint" else resolver.attrs(joint)["type"]
    return {"free": [*signs, *turned], "ball": turned}.get(kind, [])


def _mirrored_user(resolver: Resolver, names: Names, element: Element, spec: ElementSpec, axis: int) -> dict[str, str | None]:
    """Numbers of an actuator at a site or a joint of several axes, and of an equality, that are vectors in what is mirrored."""
    if element.id not in resolver.context:
        return {}
    attrs, out = resolver.attrs(element), {}
    signs = [1.0, 1.0, 1.0]
    signs[axis] = -1.0
    if spec.path.startswith("actuator/") and "gear" in spec.attributes and (senses := _gear_signs(resolver, names, attrs, signs)):
        gear = attrs["gear"].tolist()[:len(senses)]
        image = [s * g + 0.0 for s, g in zip(senses, gear, strict=False)]
        if image != gear:
            out["gear"] = numbers_text(image, element.attrs.get("gear", ""))
    if spec.path in ("equality/connect", "equality/weld") and attrs.given("anchor"):
        out["anchor"] = numbers_text([s * g for s, g in zip(signs, attrs["anchor"].tolist(), strict=True)], element.attrs.get("anchor", ""))
    if spec.path == "equality/weld" and attrs.given("relpose"):
        pose = attrs["relpose"].tolist()
        if any(pose[3:]):
            quat = (pose[3], *(-s * v for s, v in zip(signs, pose[4:], strict=True)))
            out["relpose"] = numbers_text([*(s * p for s, p in zip(signs, pose[:3], strict=True)), *quat], element.attrs.get("relpose", ""))
    return out

