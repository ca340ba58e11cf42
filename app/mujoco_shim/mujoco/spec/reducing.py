"""Making a MjSpec smaller: equal assets once, nothing that is only seen, no bodies that cannot move."""
from __future__ import annotations

from types import MappingProxyType

from .compiling import adopt_inertial
from .deleting import REFERRING, delete, references
from .fields import ENUMS
from .mjcf.words import same
from .vfs import files_of

_NAMED = MappingProxyType({"texture": (("light", "texture"),), "mesh": (("geom", "meshname"), ("site", "meshname"))})
_FROM_GEOM = ENUMS["mjtInertiaFromGeom"]
_AT_SITES = frozenset(int(ENUMS["mjtSensor"][f"mjSENS_{name}"]) for name in ("FORCE", "TORQUE"))
_OWN = frozenset({"name", "info"})


def dedup_assets(spec) -> int:
    """Take textures and meshes away that are equal to one before, which is named instead; how many. Raises ValueError."""
    if spec._parent is not None:
        raise ValueError("Cannot merge the assets of an attached mjSpec.")
    gone = 0
    for kind in ("texture", "mesh"):
        kept: list = []
        for one in list(spec._outside[kind]):
            first = next((other for other in kept if _equal(one, other)), None)
            if first is None or not one.name:
                kept.append(one)
                continue
            _rename(spec, kind, one.name, first.name)
            delete(spec, one)
            gone += 1
    return gone


def _equal(one, other) -> bool:
    return one._origin is other._origin and one.__dict__.get("_shape") == other.__dict__.get("_shape") and all(
        same(value, other._values[name]) for name, value in one._values.items() if name not in _OWN and name != "plugin")


def _rename(spec, kind: str, old: str, new: str) -> None:
    for where, field in _NAMED[kind]:
        for one in spec._world.find_all(where):
            if one._values[field] == old:
                one._values[field] = new
    for material in spec._outside["material"] if kind == "texture" else ():
        textures = material._values["textures"]
        textures[:] = [new if name == old else name for name in textures]


def _named(spec, kind: str) -> set[str]:
    """Names of a kind that sensors, pairs and tendons refer to."""
    return {name for other in REFERRING for one in spec._outside[other] for of, name in references(one) if of == kind}


def discard_visual(spec, vfs=None) -> int:
    """Take geoms away that touch nothing, and all materials and textures; bodies keep their inertia. How many. Raises ValueError."""
    files_of(vfs)
    named = _named(spec, "geom")
    seen = [geom for geom in spec._world.find_all("geom") if not geom._values["contype"] and not geom._values["conaffinity"] and geom.name not in named]
    if seen and spec.compiler.inertiafromgeom == _FROM_GEOM.mjINERTIAFROMGEOM_TRUE:
        raise ValueError("Error: geoms cannot be discarded under inertiafromgeom='true'")
    for body in {id(geom._parent): geom._parent for geom in seen if geom._parent is not spec._world}.values():
        if not body.explicitinertial and body.ipos[0] != body.ipos[0]:
            adopt_inertial(spec, body, vfs)
    gone = [*seen, *(one for kind in ("material", "texture") for one in spec._outside[kind])]
    for one in gone:
        delete(spec, one)
    for one in (*spec.geoms, *spec.sites, *spec._outside["mesh"], *spec._outside["tendon"], *spec._outside["skin"]):
        one._values["material"] = ""
    for light in spec.lights:
        light._values["texture"] = ""
    return len(gone)


def fuse_static(spec, vfs=None) -> int:
    """Make frames of bodies that cannot move and that nothing refers to; how many. Bodies that say their own inertia, or stand in one that does, stay."""
    files_of(vfs)
    named, count = _named(spec, "body"), 0
    measured = {sensor._values["objname"] for sensor in spec._outside["sensor"] if sensor._values["type"] in _AT_SITES}
    for body in reversed(spec.bodies[1:]):
        parent = body._parent
        told = any(one._values["explicitinertial"] or one._values["ipos"][0] == one._values["ipos"][0] for one in (body, parent) if one is not spec._world)
        stays = told or body._children["joint"] or body._values["mocap"] or not body._values["fuse"] or body._values["sleep"] or body.name in named
        if stays or body._values["gravcomp"] != parent._values["gravcomp"] and parent is not spec._world or any(site.name in measured for site in body._children["site"]):
            continue
        body.to_frame()
        count += 1
    return count
