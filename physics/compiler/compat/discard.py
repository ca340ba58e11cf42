"""Discarding of what is only seen: materials, textures, geoms that do not collide, and the meshes nothing else uses.

What another element refers to by name stays. A discarded geom that weighs something is read, adds to its body's inertia, and is
then forgotten; the file of any other discarded asset is never opened.
Source: MuJoCo XML reference, compiler: discardvisual.
"""
from __future__ import annotations

from functools import lru_cache
from types import MappingProxyType

from physics.compiler.build import Build
from physics.schema.schema import ElementSpec
from physics.spec.element import Element
from physics.spec.names import Names, declared_name

_NAMESPACES = ("material", "texture")


def discard_visual(build: Build) -> None:
    """Put a tree without the visual elements in the build; build.source.mass_only: elements to be read for their mass only."""
    names = build.source.declared
    referred = {(space, name) for _e, attribute, space, name in names.references() if attribute not in ("mesh", *_NAMESPACES)}
    visual, weighing = _visual_geoms(build, referred)
    gone = {element.id for element in visual if element.id not in weighing}
    meshes_seen, meshes_weighed = _meshes(build, names, {element.id for element in visual}, weighing)
    for element in build.source.root.section("asset"):
        name = declared_name(element, f"asset/{element.tag}")
        if (element.tag, name) in referred:
            continue
        if element.tag in _NAMESPACES or (element.tag == "mesh" and name not in meshes_seen):
            (weighing if element.tag == "mesh" and name in meshes_weighed else gone).add(element.id)
    build.source.mass_only = frozenset(weighing)
    rest = _without(names, gone)
    if rest is not build.source.root:
        build.source.put(rest)


def forget(build: Build) -> None:
    """Take the elements that only have mass out of the items; their mass is in their bodies by now."""
    if not build.source.mass_only:
        return
    for body in build.items["body"][1:]:
        mass = [geom for geom in body.geoms if geom.element.id in build.source.mass_only and geom.mass > 0]
        if mass and body.inferred and build.source.scope(body.element).inertiafromgeom == "true":
            build.problems.error(mass[0].element, "discardvisual would take this geom's mass away, as inertiafromgeom is true",
                        'Set inertiafromgeom="auto", or give the geom no mass')
        body.inferred = body.inferred and not mass
        body.geoms = [geom for geom in body.geoms if geom.element.id not in build.source.mass_only]
    for kind in ("geom", "mesh"):
        build.items.replace(kind, [item for item in build.items[kind] if item.element.id not in build.source.mass_only])
    for item in (*build.items["geom"], *build.items["site"]):
        if item.lender is not None and item.dataid >= 0:
            item.dataid = item.lender.id   # meshes have other numbers now


def _visual_geoms(build: Build, referred: set) -> tuple[list[Element], set[int]]:
    """Geoms to discard, and the ids of those whose mass counts."""
    found, weighing = [], set()
    stack = [(world, None, False) for world in build.source.root.all("worldbody")]
    while stack:
        element, body, infers = stack.pop()
        if element.tag == "body":
            body, infers = element, _infers(build, element)
        elif element.tag == "geom":
            a = build.source.attrs(element)
            if a["contype"] or a["conaffinity"] or a["fluidshape"] == "ellipsoid" or (element.name and ("geom", element.name) in referred):
                continue
            found.append(element)
            low, high = build.source.scope(element).grouprange
            if body is not None and infers and low <= a["group"] <= high and a["mass" if a.given("mass") else "density"]:
                weighing.add(element.id)
            continue
        stack.extend((child, body, infers) for child in element.children)
    return found, weighing


def _infers(build: Build, body: Element) -> bool:
    """Whether a body's inertia comes from its geoms."""
    word = build.source.scope(body).inertiafromgeom
    if word != "auto":
        return word == "true"
    stack = list(body.children)
    while stack:
        element = stack.pop()
        if element.tag == "inertial":
            return False
        if element.tag == "frame":
            stack.extend(element.children)
    return True


def _meshes(build: Build, names: Names, visual: set[int], weighing: set[int]) -> tuple[set[str], set[str]]:
    """Names of meshes that sensors, and geoms and sites which stay, use, and of those that only weighing geoms use."""
    seen, weighed = set(), set()
    for element, spec, _parent in names.entries:
        if spec.path == "sensor/tactile" and "mesh" in element.attrs:
            seen.add(element.attrs["mesh"])
        if spec.path not in ("body/geom", "body/site", "body/flexcomp"):
            continue
        name = build.source.attrs(element).get("mesh")
        if name and element.id not in visual:
            seen.add(name)
        elif name and element.id in weighing:
            weighed.add(name)
    return seen, weighed


def _without(names: Names, gone: set[int]) -> Element:
    """The tree without some elements, and without any reference to materials and textures."""
    new: dict[int, Element] = {}
    for element, spec, _parent in reversed(names.entries):   # what stands in an element before it
        visual, attrs, children = _naming_visual(spec), element.attrs, element.children
        if not visual.isdisjoint(attrs):
            attrs = MappingProxyType({name: text for name, text in attrs.items() if name not in visual})
        if children and any([child.id in new or child.id in gone or child.tag == "layer" for child in children]):
            children = tuple([new.get(child.id, child) for child in children if child.id not in gone and child.tag != "layer"])
        if attrs is not element.attrs or children is not element.children:
            new[element.id] = element.with_changes(attrs=attrs, children=children)
    return new.get(names.root.id, names.root)


@lru_cache(maxsize=None)
def _naming_visual(spec: ElementSpec) -> frozenset[str]:
    """Attributes of an element that name materials or textures."""
    return frozenset(name for name, known in spec.attributes.items() if known.type == "ref" and known.namespace in _NAMESPACES)
