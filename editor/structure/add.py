"""Any element of the language added where it may stand, with what it cannot do without, so that the model compiles with it.

Attributes that name something take the first that there is, preferably what is given with the call; where there is none, the refusal says what is missing.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from editor.edits.element_patches import NewElement
from editor.edits.version import Version
from editor.structure.attached import is_attached, name_in_model
from editor.structure.draft import Change, Draft, Refusal
from editor.structure.legality import allowed_children, holding_body, path_of_kind, why_not
from editor.wording import what
from physics.schema import schema
from physics.schema.schema import ElementSpec
from physics.spec.defaults import Resolver
from physics.spec.element import Element
from physics.spec.names import Names

__all__ = ["VARIANTS", "add", "offered", "sections"]

# what a new element of a kind has beside its name and what it must name
GIVEN: Mapping[str, Mapping[str, str]] = MappingProxyType({path: MappingProxyType(attrs) for path, attrs in {
    "body/geom": {"type": "sphere", "size": "0.05"},
    "body/joint": {},
    "body/inertial": {"pos": "0 0 0", "mass": "1", "diaginertia": "0.01 0.01 0.01"},
    "body/replicate": {"count": "3", "offset": "0.2 0 0"},
    "body/flexcomp": {"type": "grid", "count": "4 4 1", "spacing": "0.05 0.05 0.05", "radius": "0.005", "mass": "0.1"},
    "body/flexcomp/pin": {"id": "0"},
    "asset/mesh": {"builtin": "sphere", "params": "2", "scale": "0.05 0.05 0.05"},
    "asset/hfield": {"nrow": "10", "ncol": "10", "size": "1 1 0.2 0.1"},
    "asset/texture": {"type": "2d", "builtin": "checker", "rgb1": "0.8 0.8 0.8", "rgb2": "0.5 0.5 0.5", "width": "256", "height": "256"},
    "asset/material/layer": {"role": "rgb"},
    "equality/connect": {"anchor": "0 0 0"},
    "tendon/fixed/joint": {"coef": "1"},
    "tendon/spatial/pulley": {"divisor": "2"},
    "actuator/position": {"kp": "10"},
    "actuator/velocity": {"kv": "1"},
    "actuator/intvelocity": {"kp": "10", "actrange": "-1 1"},
    "actuator/damper": {"ctrlrange": "0 1"},
    "actuator/adhesion": {"ctrlrange": "0 1"},
    "actuator/muscle": {"lengthrange": "0 1"},
    "actuator/dcmotor": {"motorconst": "0.05", "resistance": "1"},
    "default/damper": {"ctrlrange": "0 1"},
    "default/adhesion": {"ctrlrange": "0 1"},
    "default/dcmotor": {"motorconst": "0.05", "resistance": "1"},
    "custom/numeric": {"data": "0"},
    "custom/text": {"data": "text"},
    "sensor/user": {"dim": "1"},
}.items()})
IN_WORLD: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "body/camera": MappingProxyType({"pos": "0 -3 1.5", "xyaxes": "1 0 0 0 0.45 0.9"}),
    "body/light": MappingProxyType({"pos": "0 0 3", "dir": "0 0 -1"}),
})
# kinds of which several are offered, each with what it needs
VARIANTS: Mapping[str, Mapping[str, Mapping[str, str]]] = MappingProxyType({
    "geom": MappingProxyType({"sphere": {"type": "sphere", "size": "0.05"}, "capsule": {"type": "capsule", "size": "0.03 0.1"}, "box": {"type": "box", "size": "0.05 0.05 0.05"},
                              "cylinder": {"type": "cylinder", "size": "0.05 0.05"}, "ellipsoid": {"type": "ellipsoid", "size": "0.05 0.04 0.03"},
                              "plane": {"type": "plane", "size": "2 2 0.1"}}),
    "joint": MappingProxyType({"hinge": {"axis": "0 1 0"}, "slide": {"type": "slide", "axis": "0 0 1"}, "ball": {"type": "ball"}}),
    "site": MappingProxyType({"sphere": {}, "box": {"type": "box", "size": "0.02 0.02 0.02"}}),
    "light": MappingProxyType({"spot": {}, "directional": {"type": "directional"}, "point": {"type": "point"}}),
})
ACTED_ON = MappingProxyType({"joint": "joint", "freejoint": "joint", "site": "site", "spatial": "tendon", "fixed": "tendon"})      # tag -> attribute of an actuator on it
NEEDS_FILE = MappingProxyType({"asset/model": "a model file", "asset/skin": "a skin file", "deformable/skin": "a skin file"})


def sections() -> list[str]:
    """Sections that a model may have, those first that people add to; those that it has, too."""
    return [tag for tag in ("worldbody", "asset", "default", "contact", "equality", "tendon", "actuator", "sensor", "keyframe", "custom", "option", "compiler", "size", "visual",
                            "statistic", "deformable", "extension") if tag in schema.lookup("mujoco").children]


def offered(version: Version, parent: int) -> list[str]:
    """Tags that `add` can put into an element."""
    holder = version.element(parent)
    tags = allowed_children(version, parent)
    return [tag for tag in tags if tag not in ("attach",) and not (tag == "freejoint" and holder.tag == "frame")]


def add(version: Version, parent: int, tag: str, attrs: Mapping[str, str] | None = None, target: int | None = None) -> Change:
    """A new element behind all children of `parent`. attrs: what it is to have. target: an element that it is to be about where its kind needs one (the joint of an actuator).

    Raises Refusal where it may not stand there, or needs what the model does not have.
    """
    draft = Draft(version)
    holder = draft.element(parent)
    if reason := why_not(version, parent, tag):
        raise Refusal(reason)
    spec = schema.child_spec(path_of_kind(version, parent), tag)
    if spec.path in NEEDS_FILE and "file" not in (attrs or {}):
        raise Refusal(f"<{tag}> needs {NEEDS_FILE[spec.path]}")
    if holder.tag == "spatial":
        return _in_tendon(draft, holder, spec, attrs or {}, target)
    new = new_element(draft, spec, parent, attrs or {}, target)
    made = draft.insert(new, last_in=parent)
    if tag in ("joint", "freejoint"):
        give_mass(draft, holding_body(draft.version, holder.id))
    return draft.change(f"Add {tag}" + (f" '{new.attrs['name']}'" if "name" in new.attrs else ""), (made,))


def new_element(draft: Draft, spec: ElementSpec, parent: int, attrs: Mapping[str, str], target: int | None = None) -> NewElement:
    """What `add` writes; things that it is about get names where they have none."""
    made: dict[str, str] = {}
    naming = "class" if spec.path == "default" else "name"
    if naming in spec.attributes and spec.attributes[naming].type == "id":
        made[naming] = draft.names().unique(spec.attributes[naming].namespace, "class" if naming == "class" else spec.tag)
    given = dict(GIVEN.get(spec.path, {}))
    if draft.element(parent).tag == "worldbody":
        given |= IN_WORLD.get(spec.path, {})
    if spec.path == "body/geom" and attrs.get("type", "sphere") != "sphere":
        given.pop("size")
    made |= given
    made |= references_of(draft, spec, attrs, target)
    made |= attrs
    children = tuple(_children(draft, spec, target))
    return NewElement(spec.tag, made, children)


def _in_tendon(draft: Draft, tendon: Element, spec: ElementSpec, attrs: Mapping[str, str], target: int | None) -> Change:
    """A point of a spatial tendon: a geom stands between two sites, and a pulley begins a branch of two."""
    if spec.tag == "geom":
        resolver, names = draft.resolver(), draft.names()
        round_ones = [e.name for e in names.declared.get("geom", {}).values() if e.id in resolver.context and "size" in resolver.attrs(e).spec.attributes
                      and resolver.attrs(e)["type"] in ("sphere", "cylinder")]
        if not round_ones or len(tendon.children) < 2 or tendon.children[-1].tag != "site" or tendon.children[-2].tag != "site":
            raise Refusal("A tendon wraps around spheres and cylinders with names, between two sites")
        made = draft.insert(NewElement("geom", {"geom": round_ones[0], **attrs}), before=tendon.children[-1].id)
    else:
        made = draft.insert(new_element(draft, spec, tendon.id, attrs, target), last_in=tendon.id)
        if spec.tag == "pulley":
            sites = [child.attrs["site"] for child in tendon.all("site")]
            for name in (sites * 2)[:2]:
                draft.insert(NewElement("site", {"site": name}), last_in=tendon.id)
    return draft.change(f"Add {spec.tag} to {what(tendon)}", (made,))


def _children(draft: Draft, spec: ElementSpec, target: int | None) -> Iterator[NewElement]:
    """What an element cannot do without inside it."""
    if spec.path == "tendon/fixed":
        yield NewElement("joint", {"joint": name_of(draft, "joint", target), "coef": "1"})
    elif spec.path == "tendon/spatial":
        sites = [e.name for e in draft.names().declared.get("site", {}).values()]
        if len(sites) < 2:
            raise Refusal("A spatial tendon needs two sites with names: add them first")
        yield from (NewElement("site", {"site": name}) for name in sites[:2])
    elif spec.path == "body/replicate":
        yield NewElement("geom", {"type": "sphere", "size": "0.05"})
    elif spec.path == "custom/tuple":
        yield NewElement("element", {"objtype": "body", "objname": "world"})


def references_of(draft: Draft, spec: ElementSpec, attrs: Mapping[str, str], target: int | None) -> dict[str, str]:
    """Attributes that name what an element cannot be without."""
    out: dict[str, str] = {}
    aimed = draft.version.element(target) if target is not None else None
    for name, known in spec.attributes.items():
        if known.required and known.type == "ref" and name not in attrs:
            if spec.path.startswith("sensor/") and known.namespace in ("joint", "tendon"):
                out[name] = _measured(draft, spec.tag, known.namespace, target)
                continue
            out[name] = name_of(draft, known.namespace, target, out.values())
    required = {name for name, known in spec.attributes.items() if known.required}
    if {"objtype", "objname"} <= required and "objname" not in attrs:
        kind = _object_kind(aimed)
        out |= {"objtype": kind, "objname": name_of(draft, "body" if kind == "xbody" else kind, target)}
    if spec.path.startswith("actuator/") and not required & {"body"} and not attrs.keys() & {"joint", "tendon", "site", "body"} and spec.path != "actuator/plugin":
        out |= _driven(draft, spec, aimed, target)
    if spec.path == "sensor/insidesite" and "site" not in attrs:
        out["site"] = name_of(draft, "site", target, out.values())
    for kind, units in spec.rules:
        if kind == "oneof" and not any(set(unit) <= attrs.keys() | out.keys() for unit in units):
            out |= _one_of(draft, spec, units, target, tuple(out.values()))
    if spec.path in ("equality/weld", "equality/connect") and "body2" not in attrs:
        other = [e.name for e in draft.names().declared.get("body", {}).values() if e.name and e.name != out.get("body1")]
        out |= {"body2": other[0]} if other and spec.path == "equality/weld" else {}
    return out


def _measured(draft: Draft, tag: str, namespace: str, target: int | None) -> str:
    """The name of a joint or tendon that a sensor can be about: one with a range for those of limits, a ball joint for those of balls, one with one axis for all others."""
    root = draft.version.root_of(target) if target is not None else None       # of an attached model, where that is aimed at
    resolver = Resolver(root or draft.root)
    found = [e for e in (root or draft.root).walk() if e.id in resolver.context and e.tag in ("joint", "spatial", "fixed") and _namespace(draft, e) == namespace]
    if namespace == "joint":
        kinds = ("ball",) if tag.startswith("ball") else ("hinge", "slide")
        found = [e for e in found if resolver.attrs(e)["type"] in kinds]
    if "limit" in tag:
        found = [e for e in found if is_limited(resolver, e)]
    if not found:
        needs = "a ball joint" if tag.startswith("ball") else f"a {namespace} with a range" if "limit" in tag else f"a {namespace}" + " with one axis" * (namespace == "joint")
        raise Refusal(f"<{tag}> needs {needs}: add one first")
    return name_of(draft, namespace, next((e.id for e in found if e.id == target), found[0].id))


def is_limited(resolver: Resolver, element: Element) -> bool:
    """Whether a joint or tendon has limits, as far as its attributes say."""
    attrs = resolver.attrs(element)
    return "limited" in attrs.spec.attributes and attrs["limited"] != "false" and attrs.given("range")


def _object_kind(aimed: Element | None) -> str:
    return aimed.tag if aimed is not None and aimed.tag in ("body", "geom", "site", "camera") else "body"


def _driven(draft: Draft, spec: ElementSpec, aimed: Element | None, target: int | None) -> dict[str, str]:
    """What an actuator acts on: what it is aimed at, else the first joint, tendon or site."""
    if aimed is not None and ACTED_ON.get(aimed.tag) in spec.attributes:
        return {ACTED_ON[aimed.tag]: name_of(draft, ACTED_ON[aimed.tag], target)}
    if spec.path == "actuator/orientation":
        balls = [e for e in draft.root.walk() if e.tag == "joint" and e.attrs.get("type") == "ball" and _namespace(draft, e) == "joint"]
        if not balls:
            raise Refusal("An orientation actuator needs a ball joint: add one first")
        return {"joint": name_of(draft, "joint", balls[0].id)}
    single = next((e.id for e in draft.root.walk() if e.tag == "joint" and e.attrs.get("type", "hinge") in ("hinge", "slide") and _namespace(draft, e) == "joint"), None)
    if single is not None and "joint" in spec.attributes:
        return {"joint": name_of(draft, "joint", single)}
    for kind in ("joint", "tendon", "site"):
        if kind in spec.attributes:
            try:
                return {kind: name_of(draft, kind, None)}
            except Refusal:
                continue
    raise Refusal(f"<{spec.tag}> needs a joint, tendon or site to act on: add one first")


def _one_of(draft: Draft, spec: ElementSpec, units, target: int | None, taken: tuple[str, ...]) -> dict[str, str]:
    """The first unit of attributes whose references can be filled."""
    reason = ""
    for unit in reversed(units) if spec.path.startswith("equality/") else units:
        out: dict[str, str] = {}
        try:
            for name in unit:
                known = spec.attributes[name]
                if known.type == "ref":
                    out[name] = name_of(draft, known.namespace, target, (*taken, *out.values()))
                elif name in GIVEN.get(spec.path, {}):
                    out[name] = GIVEN[spec.path][name]
            if not spec.path.startswith("sensor/") or _distinct(out):
                return out
        except Refusal as problem:
            reason = reason or str(problem)
    raise Refusal(reason or f"<{spec.tag}> needs {' or '.join('+'.join(unit) for unit in units)}")


def _distinct(out: Mapping[str, str]) -> bool:
    return len(set(out.values())) == len(out)


def name_of(draft: Draft, namespace: str, target: int | None, taken=()) -> str:
    """The name of what is aimed at, which gets one where it has none, if it is of that kind; else the first of that kind that is not taken. Of an attached model
    the name in this model. Raises Refusal where there is none."""
    names = draft.names()
    if target is not None and (aimed := draft.version.element(target)) is not None and _namespace(draft, aimed) == namespace:
        found = name_in_model(draft.version, aimed, namespace) if is_attached(draft.version, target) else aimed.name
        if not found:
            found = names.unique(namespace, aimed.tag)
            draft.set(target, {"name": found})
        if found not in taken:
            return found
    for name, element in names.declared.get(namespace, {}).items():
        if name not in taken and element.tag not in ("mujoco", "worldbody"):
            return name
    for element, spec, _parent in names.entries:       # one without a name gets one
        known = spec.attributes.get("name")
        if known is not None and known.type == "id" and known.namespace == namespace and not element.name and spec.path != "default" and not element.attrs.get("file"):
            new = names.unique(namespace, element.tag)
            draft.set(element.id, {"name": new})
            return new
    raise Refusal(f"This needs a {namespace}, and the model has none{' more' if taken else ''}: add one first")


def _namespace(draft: Draft, element: Element) -> str:
    path = path_of_kind(draft.version, element.id)
    spec = schema.lookup(path) if path else None
    known = spec.attributes.get("name") if spec is not None else None
    return known.namespace if known is not None and known.type == "id" else ""


def has_mass(body: Element) -> bool:
    """Whether something in a body, or in bodies fixed to it, can have mass."""
    stack = list(body.children)
    while stack:
        element = stack.pop()
        if element.tag in ("geom", "inertial", "flexcomp", "attach", "composite"):
            return True
        if element.tag in ("frame", "replicate") or element.tag == "body" and not any(child.tag in ("joint", "freejoint") for child in element.children):
            stack.extend(element.children)
    return False


def give_mass(draft: Draft, body: Element | None) -> None:
    """A body that moves needs mass: a small geom, where it has nothing."""
    if body is None or body.tag != "body" or has_mass(body):
        return
    names: Names = draft.names()
    draft.insert(NewElement("geom", {"name": names.unique("geom", "geom"), **GIVEN["body/geom"]}), last_in=body.id)
    draft.notes.append(f"{what(body)} had no mass: a geom was added to it")
