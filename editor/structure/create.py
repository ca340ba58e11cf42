"""What is made in one go: a body with joint and geom, an actuator on a joint, sensors, a robot of another file, a mesh with its asset."""
from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from editor.edits.element_patches import NewElement
from editor.edits.version import Version
from editor.notation.numbers import as_text, numbers_text
from editor.structure.add import ACTED_ON, GIVEN, is_limited, name_of, new_element
from editor.structure.draft import Change, Draft, Refusal
from editor.structure.legality import in_world, why_not
from editor.structure.offered import SENSORS
from editor.structure.placement import UNIT_POSE, Pose, pose_attributes
from editor.structure.poses import own_pose, settings_of
from editor.wording import what
from physics.compiler.decode import formats
from physics.rotation import quaternion
from physics.schema import schema
from physics.spec.defaults import Resolver
from physics.spec.names import free_name

__all__ = ["actuator", "attach_model", "body", "connect", "free_prefix", "mesh", "mesh_extent", "mesh_scale", "sensor", "sensors_for"]

W = 10.0            # rad/s: of a position servo on the inertia that its joint moves
GAP = 0.005         # m: between a body and a wheel beside it
LARGE = 50.0        # m: a mesh that is larger was written in millimetres
JOINTS = ("hinge", "slide", "ball", "free", "none")
GEOMS: Mapping[str, str] = MappingProxyType({"sphere": "0.05", "capsule": "0.03 0.1", "box": "0.05 0.05 0.05", "cylinder": "0.05 0.05", "ellipsoid": "0.05 0.04 0.03"})
_ACTUATED = ("actuatorpos", "actuatorvel", "actuatorfrc")


def body(version: Version, parent: int, joint: str = "hinge", geom: str = "capsule", pos: Sequence[float] | None = None, axis: str = "0 1 0", name: str = "",
         size: str = "", before: int | None = None) -> Change:
    """A body with a joint and a geom. joint: one of JOINTS, geom: one of GEOMS, its size in MJCF's numbers; pos: in the parent [m], None: at the end of the parent's
    capsule, or above the floor. A capsule hangs from its joint, a cylinder on a hinge lies along its axis, as a wheel."""
    draft = Draft(version)
    if joint not in JOINTS or geom not in GEOMS:
        raise Refusal(f"There is no joint '{joint}' or geom '{geom}'")
    if reason := why_not(version, parent, "body"):
        raise Refusal(reason)
    names = draft.names()
    name = name or names.unique("body", "body")
    children = []
    if joint == "free":
        if not in_world(version, parent):
            raise Refusal("A free joint can only be in a body of the world")
        children.append(NewElement("freejoint", {"name": names.unique("joint", f"{name}_joint")}))
    elif joint != "none":
        attrs = {"name": names.unique("joint", f"{name}_joint"), "type": joint}
        if joint == "hinge":
            del attrs["type"]
        children.append(NewElement("joint", attrs | ({"axis": axis} if joint != "ball" else {})))
    shape = {"name": names.unique("geom", f"{name}_geom"), "type": geom, "size": size or GEOMS[geom]}
    if geom == "capsule" and joint != "free":
        radius, half = (*map(float, shape["size"].split()), 0.1)[:2]
        shape = {"name": shape["name"], "type": geom, "fromto": f"0 0 0 0 0 {numbers_text((-2 * half,))}", "size": numbers_text((radius,))}
    elif geom == "cylinder" and joint == "hinge":
        radius, half = (*map(float, shape["size"].split()), 0.05)[:2]
        along = [half * float(word) for word in axis.split()]
        shape = {"name": shape["name"], "type": geom, "fromto": numbers_text([*(-x for x in along), *along]), "size": numbers_text((radius,))}
    children.append(NewElement("geom", shape))
    pos = _usual_place(draft, parent, joint, shape) if pos is None else pos
    attrs = {"name": name} | pose_attributes(pos)
    place = {"before": before} if before is not None else {"last_in": parent}
    made = draft.insert(NewElement("body", attrs, children), **place)
    return draft.change(f"Add body '{name}'", (made,))


def _usual_place(draft: Draft, parent: int, joint: str, shape: Mapping[str, str]) -> Sequence[float]:
    """Where a body comes in another: at the far end of its capsule, a wheel beside its box at the lower edge; in the world above the origin."""
    holder, resolver = draft.version.element(parent), Resolver(draft.version.root_of(parent))
    if holder.tag == "worldbody":
        return (0.0, 0.0, 0.0 if joint == "none" else 0.5)
    for geom in holder.all("geom"):
        attrs = resolver.attrs(geom)
        if attrs.given("fromto") and attrs["type"] == "capsule":
            return tuple(attrs["fromto"].tolist()[3:])
        if attrs["type"] == "box" and shape["type"] == "cylinder" and "fromto" in shape:
            size, half = attrs["size"].tolist(), abs(float(shape["fromto"].split()[1]))
            return (0.0, size[1] + half + GAP, -size[2])
    return (0.0, 0.0, 0.0)


def actuator(version: Version, target: int, tag: str = "position", inertia: float | None = None, limits: Sequence[float] | None = None) -> Change:
    """An actuator on a joint, tendon or site, which gets a name where it has none.

    inertia: what it moves [kg or kg m²], the diagonal of the mass matrix at qpos0: a position servo gets kp = inertia w², critically damped kv = 2 inertia w, with w = 10 rad/s, a
    velocity servo kv = inertia w; None: 1. limits: of a joint's range as the model has it [m or rad], which become the ctrlrange of a position servo.
    """
    draft = Draft(version)
    element = version.element(target)
    if element is None:
        raise Refusal("The element is no longer there")
    if element.tag not in ACTED_ON:
        raise Refusal(f"An actuator cannot act on {what(element)}")
    if element.tag == "freejoint" or element.attrs.get("type") in ("free", "ball") and tag in ("position", "velocity"):
        raise Refusal(f"A {tag} actuator needs a joint with one axis")
    spec = schema.lookup(f"actuator/{tag}")
    if spec is None:
        raise Refusal(f"There is no actuator '{tag}'")
    moved = inertia if inertia and math.isfinite(inertia) else 1.0
    name = name_of(draft, ACTED_ON[element.tag], target)
    attrs = {"name": draft.names().unique("actuator", name), ACTED_ON[element.tag]: name}
    attrs |= {key: text for key, text in GIVEN.get(spec.path, {}).items() if key not in ("kp", "kv")}
    if tag == "position":
        attrs |= {"kp": _digits(moved * W * W), "kv": _digits(2 * moved * W)}
        if limits is not None and limits[0] < limits[1]:
            attrs["ctrlrange"] = " ".join(map(_digits, limits))
    elif tag in ("velocity", "damper"):
        attrs["kv"] = _digits(moved * W)
    elif tag == "motor":
        attrs["ctrlrange"] = " ".join(map(_digits, (-moved * W * W, moved * W * W)))
    elif tag == "intvelocity":
        attrs["kp"] = _digits(moved * W * W)
    made = draft.insert(NewElement(tag, attrs), last_in=draft.section("actuator"))
    return draft.change(f"Add {tag} on {name}", (made,))


def _digits(value: float) -> str:
    return as_text(float(f"{value:.3g}"))


def sensors_for(version: Version, target: int) -> tuple[str, ...]:
    """Sensors that can be about an element."""
    element = version.element(target)
    if element is None:
        return ()
    parent = version.parent(target)
    if parent is not None and parent.tag == "actuator":
        return _ACTUATED
    if element.tag == "joint" and element.attrs.get("type") == "ball":
        return "ballquat", "ballangvel"
    if parent is not None and parent.tag in ("equality", "fixed", "default", "spatial"):
        return ()
    found = SENSORS.get(element.tag, ())
    if element.tag == "joint" and element.attrs.get("type") == "free":
        return ()
    if element.tag == "joint" and not is_limited(Resolver(version.root_of(target)), element):
        return tuple(tag for tag in found if "limit" not in tag)
    return found


def sensor(version: Version, target: int, tag: str) -> Change:
    """A sensor about an element, which gets a name where it has none."""
    draft = Draft(version)
    spec = schema.lookup(f"sensor/{tag}")
    if spec is None or tag not in sensors_for(version, target):
        raise Refusal(f"{what(version.element(target))} has no sensor '{tag}'" if version.element(target) is not None else "The element is no longer there")
    section = draft.section("sensor")
    new = new_element(draft, spec, section, {}, target)
    about = next((new.attrs[key] for key in ("joint", "site", "actuator", "tendon", "body", "objname", "camera") if key in new.attrs), "")
    attrs = {**new.attrs, "name": draft.names().unique("sensor", f"{about}_{tag}")}
    made = draft.insert(NewElement(tag, attrs), last_in=section)
    return draft.change(f"Add {tag} of {about}", (made,))


def connect(version: Version, bodies: Sequence[int], tag: str = "connect") -> Change:
    """An equality constraint between two bodies, or one and the world, that holds at qpos0. A connect holds the end of the first one's capsule, or its origin; a weld all of it."""
    draft = Draft(version)
    found = [version.element(number) for number in bodies]
    if tag not in ("connect", "weld") or not 1 <= len(found) <= 2 or any(one is None or one.tag != "body" for one in found):
        raise Refusal("A connect or weld needs one or two bodies")
    names = [name_of(draft, "body", one.id) for one in found]
    attrs = {"name": draft.names().unique("equality", f"{names[0]}_{tag}"), **{f"body{k + 1}": name for k, name in enumerate(names)}}
    if tag == "connect":
        attrs["anchor"] = numbers_text(_usual_place(draft, bodies[0], "hinge", {"type": ""}))
    made = draft.insert(NewElement(tag, attrs), last_in=draft.section("equality"))
    return draft.change(f"Add {tag} of {' and '.join(names)}", (made,))


def attach_model(version: Version, parent: int, path: str, prefix: str = "", body_name: str = "", pos: Sequence[float] | None = None,
                 quat: Sequence[float] | None = None) -> Change:
    """A model of another file attached to a body, frame or the world: its <model> asset, and an <attach> under a prefix that is free.

    path: of the file; body_name: which of its bodies, '' for the whole. pos, quat: where, in the parent; a frame is made for it where they say something. A site as parent means
    its body, at the site's pose.
    """
    draft = Draft(version)
    parent, pose = _attached_at(draft, parent, (tuple(pos or UNIT_POSE[0]), tuple(quat or UNIT_POSE[1])))
    if reason := why_not(version, parent, "attach"):
        raise Refusal(reason)
    stem = _stem(path, "model")
    model = _model_asset(draft, _named_file(version.base_dir or "", path), stem)
    prefix = prefix or free_prefix(draft, stem)
    if _taken(draft, prefix):
        raise Refusal(f"The prefix '{prefix}' is used already: choose another")
    new = NewElement("attach", {"model": model, **({"body": body_name} if body_name else {}), "prefix": prefix})
    moved = pose_attributes(*pose)
    made = draft.insert(NewElement("frame", moved, (new,)) if moved else new, last_in=parent)
    if draft.version.read.errors and not version.read.errors:
        raise Refusal(draft.version.read.errors[0].what)
    return draft.change(f"Attach {os.path.basename(path)}", (made,))


def _attached_at(draft: Draft, parent: int, pose: Pose) -> tuple[int, Pose]:
    """(what something is attached to, where in that): of a site its body, at the site's pose."""
    holder = draft.element(parent)
    if holder.tag != "site":
        return parent, pose
    at = own_pose(draft.resolver(), holder, settings_of(draft.version))
    return draft.parent(parent).id, quaternion.compose(*at, *pose)


def _stem(path: str, otherwise: str) -> str:
    """A name made of that of a file."""
    return re.sub(r"\W+", "_", os.path.splitext(os.path.basename(path))[0]).strip("_") or otherwise


def _named_file(base: str, path: str) -> str:
    """A path from the folder of the main file on where it is near that, else the whole."""
    if not base or not os.path.isabs(path):
        return path.replace(os.sep, "/")
    try:
        relative = os.path.relpath(path, base).replace(os.sep, "/")
    except ValueError:      # another drive
        return path.replace(os.sep, "/")
    return relative if relative.count("../") <= 3 else path.replace(os.sep, "/")


def _model_asset(draft: Draft, file: str, stem: str) -> str:
    """The name of the asset of a model file, made where there is none."""
    for section in draft.root.all("asset"):
        for element in section.all("model"):
            if element.attrs.get("file") == file and element.name:
                return element.name
    name = free_name(stem, {element.name for section in draft.root.all("asset") for element in section.all("model")})
    draft.insert(NewElement("model", {"name": name, "file": file}), last_in=draft.section("asset"))
    return name


def free_prefix(draft: Draft, stem: str) -> str:
    for k in range(1000):
        prefix = f"{stem}_" if not k else f"{stem}{k + 1}_"
        if not _taken(draft, prefix):
            return prefix
    raise Refusal("There is no free prefix")


def _taken(draft: Draft, prefix: str) -> bool:
    """Whether another attach or composite has the prefix, or names begin with it."""
    names = draft.names()
    if any(element.attrs.get("prefix") == prefix for element in draft.root.walk() if element.tag in ("attach", "composite")):
        return True
    return any(name.startswith(prefix) for space in ("body", "joint", "geom", "default") for name in names.declared.get(space, {}))


def mesh_scale(largest: float) -> float:
    """The factor to metres of a mesh whose largest extent is so many units: above 50 they are millimetres."""
    return 0.001 if largest > LARGE else 1.0


def mesh_extent(path: str) -> float:
    """The largest extent of a mesh file in its own unit, 0 where it cannot be read."""
    kind = formats.kind_of(os.path.splitext(path)[1].lower(), None)
    try:
        vert = np.reshape(formats.decode(kind, Path(path).read_bytes()).vert, (-1, 3)) if kind is not None else np.zeros((0, 3))
    except (OSError, ValueError):
        return 0.0
    return float(np.ptp(vert, axis=0).max()) if len(vert) else 0.0


def mesh(version: Version, parent: int, file: str, scale: float = 1.0, name: str = "", pos: Sequence[float] = (0.0, 0.0, 0.0)) -> Change:
    """A mesh asset of a file, and a geom with it in a body or frame. file: as it is to be written, below <compiler meshdir>; scale: to metres."""
    draft = Draft(version)
    if reason := why_not(version, parent, "geom"):
        raise Refusal(reason)
    stem = name or _stem(file, "mesh")
    asset = draft.names().unique("mesh", stem)
    attrs = {"name": asset, "file": file} | ({"scale": numbers_text((scale,) * 3)} if scale != 1.0 else {})
    draft.insert(NewElement("mesh", attrs), last_in=draft.section("asset"))
    geom = {"name": draft.names().unique("geom", stem), "type": "mesh", "mesh": asset} | pose_attributes(pos)
    made = draft.insert(NewElement("geom", geom), last_in=parent)
    return draft.change(f"Add mesh {os.path.basename(file)}", (made,))
