"""What a composite becomes: bodies with their parts, and elements of the other sections, collected while it is made.

The made elements say what they are by themselves: where a default class of the model would change a value, the value is written out,
because composites never heeded default classes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from physics.expand.composite.recipe import Recipe, Soft
from physics.schema import schema
from physics.schema.numbers import format_floats
from physics.spec.defaults import Resolver
from physics.spec.element import NO_ATTRS, Element, new_id

__all__ = ["DraftElement", "Made", "volume"]

SECTIONS = ("contact", "equality", "tendon", "custom", "deformable")


class DraftElement:
    """A body being made: attributes, parts, and bodies below it in order. The first draft stands for the enclosing body."""

    __slots__ = ("attrs", "bodies", "parts")

    def __init__(self, attrs: Mapping[str, str] = NO_ATTRS) -> None:
        self.attrs = attrs
        self.parts: list[Element] = []
        self.bodies: list[DraftElement] = []


class Made:
    """Everything one composite makes. top: what goes into the enclosing body; sections: tag -> elements, in order."""

    def __init__(self, recipe: Recipe, resolver: Resolver) -> None:
        self.recipe = recipe
        self.top = DraftElement()
        self.sections: dict[str, list[Element]] = {tag: [] for tag in SECTIONS}
        self._drafts: list[DraftElement] = []
        self._resolver = resolver
        self._class = resolver.class_of(recipe.element)
        self._settled: dict[tuple, dict[str, str]] = {}

    # bodies and their parts

    def body(self, parent: DraftElement, name: str, **attrs: str) -> DraftElement:
        """A new body below `parent`."""
        draft = DraftElement(MappingProxyType({"name": self.recipe.prefix + name, **attrs}))
        parent.bodies.append(draft)
        self._drafts.append(draft)
        return draft

    def geom(self, body: DraftElement, name: str = "", **attrs: str) -> None:
        """One geom of the recipe's kind; attrs win over what the recipe says."""
        recipe = self.recipe
        written = {**recipe.geom, **attrs}
        given = self._settle("body/geom", "geom", written)
        if "mass" not in given and self._default_sets("geom", "mass"):
            given["mass"] = format_floats([self.recipe.density * _volume_of(given)])
        body.parts.append(self._element("geom", given, name, recipe.geom_source))

    def site(self, body: DraftElement, name: str, **attrs: str) -> None:
        """One site of the recipe's kind."""
        given = self._settle("body/site", "site", {**self.recipe.site, **attrs})
        body.parts.append(self._element("site", given, name, self.recipe.element.first("site")))

    def joint(self, body: DraftElement, written: Mapping[str, str], name: str = "", **attrs: str) -> str:
        """One joint with the attributes of its kind -> its full name."""
        given = self._settle("body/joint", "joint", {**written, **attrs})
        body.parts.append(self._element("joint", given, name, None))
        return self.recipe.prefix + name

    def inertial(self, body: DraftElement, mass: float, diagonal) -> None:
        """An explicit inertia about the body's own frame."""
        attrs = {"pos": "0 0 0", "mass": format_floats([mass]), "diaginertia": format_floats(diagonal)}
        body.parts.append(self._element("inertial", attrs))

    # the other sections

    def tie(self, path: str, soft: Soft, plain: bool = True, **attrs: str) -> None:
        """An equality constraint. plain: it heeds no default class; without it only solref and solimp are its own."""
        given = {"solref": format_floats(soft[0]), "solimp": format_floats(soft[1]), **attrs}
        if plain:
            given = self._settle(f"equality/{path}", "equality", given, "main")
        self.sections["equality"].append(self._element(path, given))

    def tendon(self, kind: str, name: str, sites: tuple[str, str]) -> None:
        """A spatial tendon through two sites, held at its length."""
        written = self._settle("tendon/spatial", "tendon", self.recipe.tendons[kind], "main")
        path = tuple(self._element("site", {"site": self.recipe.prefix + site}) for site in sites)
        self.sections["tendon"].append(self._element("spatial", written, name).with_changes(children=path))
        self.tie("tendon", self.recipe.fix["tendon" if kind == "main" else kind], tendon1=self.recipe.prefix + name)

    def sum_tendon(self, name: str, joints: list[str]) -> None:
        """A fixed tendon adding up joints."""
        written = self._settle("tendon/fixed", "tendon", self.recipe.tendons["main"], "main")
        path = tuple(self._element("joint", {"joint": joint, "coef": "1"}) for joint in joints)
        self.sections["tendon"].append(self._element("fixed", written, name).with_changes(children=path))

    def exclude(self, one: str, two: str) -> None:
        """Two bodies that never touch."""
        self.sections["contact"].append(self._element("exclude", {"body1": one, "body2": two}))

    def add(self, section: str, tag: str, attrs: Mapping[str, str], children: tuple[Element, ...] = (), source: Element | None = None) -> None:
        """An element of another section."""
        self.sections[section].append(self._element(tag, attrs, "", source).with_changes(children=children))

    def part(self, tag: str, attrs: Mapping[str, str]) -> Element:
        """An element to stand inside another."""
        return self._element(tag, attrs)

    def finish(self) -> tuple[Element, ...]:
        """What stands in the composite's place: parts of the enclosing body, then the bodies made."""
        built: dict[int, Element] = {}
        for draft in reversed(self._drafts):   # bodies below come later, so they are there already
            children = (*draft.parts, *(built.pop(id(below)) for below in draft.bodies))
            built[id(draft)] = self._element("body", draft.attrs).with_changes(children=children)
        return (*self.top.parts, *(built[id(below)] for below in self.top.bodies))

    # how elements are written

    def _element(self, tag: str, attrs: Mapping[str, str], name: str = "", source: Element | None = None) -> Element:
        if name:
            attrs = {"name": self.recipe.prefix + name, **attrs}
        origin = (self.recipe.element if source is None else source).origin
        return Element(new_id(), tag, MappingProxyType(dict(attrs)), (), origin)

    def _layers(self, tag: str, own_class: str = "") -> tuple[Element, ...]:
        return self._resolver.classes.get(own_class or self._class, {}).get(tag, ())

    def _default_sets(self, tag: str, name: str) -> bool:
        return any(name in layer.attrs for layer in self._layers(tag))

    def _settle(self, path: str, tag: str, written: Mapping[str, str], own_class: str = "") -> dict[str, str]:
        """Attributes with those added that undo what the default class sets."""
        layers = self._layers(tag, own_class)
        written = {name: text for name, text in written.items() if name in schema.lookup(path).attributes}
        if not layers:
            return written
        key = (path, tuple(written.items()))
        if key not in self._settled:
            self._settled[key] = _undone(path, layers, written)
        return dict(self._settled[key])


def _undone(path: str, layers: tuple[Element, ...], written: Mapping[str, str]) -> dict[str, str]:
    attributes = schema.lookup(path).attributes
    given = dict(written)
    for name in dict.fromkeys(name for layer in layers for name in layer.attrs):
        known = attributes.get(name)
        if known is None or known.legacy:
            continue
        default = known.default
        if name not in given:
            if default is not None:
                given[name] = default
            elif known.type in ("ref", "str"):
                given[name] = ""
            elif name == "user":
                given[name] = "0"
        elif default is not None and known.type == "real" and not known.scalar:
            short, full = given[name].split(), default.split()
            given[name] = " ".join((*short, *full[len(short):]))
    return given


def _volume_of(geom: Mapping[str, str]) -> float:
    size = [float(x) for x in geom.get("size", "0").split()]
    if "fromto" in geom:
        size[1:2] = [0.5 * float(geom["fromto"].split()[3])]   # always along x from the origin
    return volume(geom.get("type", "sphere"), (*size, 0.0, 0.0, 0.0))


def volume(kind: str, size) -> float:
    """Volume of a sphere, capsule, ellipsoid, cylinder or box of half sizes `size` [m^3]; 0 for other kinds."""
    a, b, c = size[:3]
    ball = 4 / 3 * math.pi
    return {"sphere": ball * a**3, "capsule": math.pi * a * a * 2 * b + ball * a**3, "ellipsoid": ball * a * b * c,
            "cylinder": math.pi * a * a * 2 * b, "box": 8 * a * b * c}.get(kind, 0.0)
