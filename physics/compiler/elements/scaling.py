"""Frames that resize what they hold.

A quantity of dimension L^a M^b T^c changes by s^a m^b under the policy 'similar', where s is the factor of lengths and m that of masses. Under
'geometry' only lengths, masses and inertias do; forces, stiffness, damping and the like stay. Factors of frames within frames multiply,
each with its own frame's policy. Source: MuJoCo's XML reference, body/frame: scale, scaling, massscale; where a quantity's dimension is
not obvious (margins and widths of hinges stay, those of slides are lengths; free joints stay) MuJoCo 4.0.0 was tried.

Not there yet, and refused: three different factors, meshes and height fields, and elements outside the tree that act on what is scaled.
"""
from __future__ import annotations

import math
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.compiler.build import Build
from physics.compiler.items import BodyItem, Item
from physics.enums import JNT_FREE, JNT_SLIDE, GeomType
from physics.spec.element import Element
from physics.spec.names import Names

_LATER = "this cannot refer to what a frame scales yet"
_SECTIONS = ("contact", "tendon", "equality", "actuator", "deformable")
_STATE = ("qpos", "qvel", "mpos")
LARGEST = 1e20   # factor of lengths or masses; its inverse is the least


class FrameScale(NamedTuple):
    """Factors of lengths and masses, and of the units that forces follow (policy 'similar')."""

    length: float = 1.0
    mass: float = 1.0
    unit_length: float = 1.0
    unit_mass: float = 1.0

    @property
    def force(self) -> float:
        return self.unit_mass * self.unit_length

    @property
    def torque(self) -> float:
        return self.unit_mass * self.unit_length * self.unit_length

    @property
    def inertia(self) -> float:
        return self.mass * self.length * self.length


def enter(build: Build, element: Element, outer: FrameScale | None) -> FrameScale | None:
    """The scale inside a frame; None where nothing is scaled."""
    if "scale" not in element.attrs and "massscale" not in element.attrs:   # frames have no class
        return outer
    attrs = build.source.attrs(element)
    if not (attrs.given("scale") or attrs.given("massscale")):
        return outer
    factors, mass = [float(x) for x in attrs["scale"]], attrs["massscale"]
    if not all(math.isfinite(x) and x > 0 for x in factors):
        build.problems.error(element, "the scale of a frame must be finite and positive", attr="scale")
        return outer
    if not (math.isfinite(mass) and mass >= 0):
        build.problems.error(element, "the massscale of a frame must be finite and not negative", attr="massscale")
        return outer
    if len(set(factors)) > 1:
        similar = attrs["scaling"] == "similar"
        build.problems.error(element, "three different factors need scaling=\"geometry\"" if similar else "three different factors are not supported yet",
                    "Give one factor for all directions", "scale")
        return outer
    length, outer = factors[0], outer or FrameScale()
    if not all(1 / LARGEST <= x <= LARGEST for x in (length * outer.length, (mass or 1.0) * outer.mass)):
        build.problems.error(element, "what is inside would be resized by more than 1e20 times", "Give a scale that makes sense", "scale")
        return outer
    mass = mass or length ** 3
    units = (length, mass) if attrs["scaling"] == "similar" else (1.0, 1.0)
    return FrameScale(outer.length * length, outer.mass * mass, outer.unit_length * units[0], outer.unit_mass * units[1])


def apply(build: Build, scale: FrameScale, kind: str, item: Item) -> None:
    """Resize an item in the coordinates of its frame."""
    build.source.scaled.add(item.element.id)
    item.pos = _times(item.pos, scale.length)
    if kind in _APPLY:
        _APPLY[kind](build, scale, item)


def inertial(scale: FrameScale, body: BodyItem) -> None:
    """Resize a body's own inertia."""
    body.ipos = _times(body.ipos, scale.length)
    body.mass *= scale.mass
    body.inertia = _times(body.inertia, scale.inertia)


def _times(values: tuple, factor: float) -> tuple:
    return tuple(x * factor for x in values)


def _single(values: tuple) -> tuple:
    """Values as the official compiler keeps them before it scales them: in single precision."""
    return tuple(float(np.float32(x)) for x in values)


def _width(solimp: tuple, factor: float) -> tuple:
    return (*solimp[:2], solimp[2] * factor, *solimp[3:])


def _body(build: Build, scale: FrameScale, item: Item) -> None:
    item.own_pose = item.pos, item.quat


def _joint(build: Build, scale: FrameScale, item: Item) -> None:
    if item.type == JNT_FREE:
        return
    if item.type != JNT_SLIDE:
        for name in ("stiffness", "damping"):
            setattr(item, name, _times(getattr(item, name), scale.torque))
        item.armature, item.frictionloss = item.armature * scale.torque, item.frictionloss * scale.torque
        item.actfrcrange = _times(item.actfrcrange, scale.torque)
        return
    for name in ("stiffness", "damping"):   # coefficients of growing powers of a length
        setattr(item, name, tuple(x * scale.unit_mass / scale.unit_length ** k for k, x in enumerate(getattr(item, name))))
    item.armature, item.frictionloss = item.armature * scale.unit_mass, item.frictionloss * scale.force
    item.actfrcrange = _times(item.actfrcrange, scale.force)
    item.range = _times(item.range, scale.length)
    item.solimp, item.friction_solimp = _width(item.solimp, scale.length), _width(item.friction_solimp, scale.length)
    for name in ("ref", "springref", "margin", "springyield"):
        setattr(item, name, getattr(item, name) * scale.length)


def _geom(build: Build, scale: FrameScale, item: Item) -> None:
    if item.type in (GeomType.MESH, GeomType.HFIELD, GeomType.SDF):
        build.problems.error(item.element, "meshes and height fields in scaled frames are not supported yet", "Scale the asset instead", "type")
    s = scale.length
    for name in ("size", "aabb"):
        setattr(item, name, _times(getattr(item, name), s))
    item.rbound, item.margin, item.gap = item.rbound * s, item.margin * s, item.gap * s
    item.mass, item.inertia = item.mass * scale.mass, _times(item.inertia, scale.inertia)
    item.friction = (item.friction[0], *_times(item.friction[1:], s))
    item.solimp = _width(item.solimp, s)
    item.surfacevel = (*_times(item.surfacevel[:3], s), *item.surfacevel[3:])
    item.adhesion *= scale.force
    item.fluid = (*item.fluid[:6], *_times(item.fluid[6:9], s ** 3), *_times(item.fluid[9:], s ** 5))


def _site(build: Build, scale: FrameScale, item: Item) -> None:
    item.size = _times(item.size, scale.length)


def _camera(build: Build, scale: FrameScale, item: Item) -> None:
    item.ipd *= scale.length
    if min(item.sensorsize) > 0:
        item.intrinsic = _times(item.intrinsic, scale.length)
    item.sensorsize = _times(_single(item.sensorsize), scale.length)


def _light(build: Build, scale: FrameScale, item: Item) -> None:
    item.bulbradius, item.range = _times(_single((item.bulbradius, item.range)), scale.length)
    item.attenuation = tuple(x / scale.length ** k for k, x in enumerate(_single(item.attenuation)))


_APPLY = MappingProxyType({"body": _body, "joint": _joint, "geom": _geom, "site": _site, "camera": _camera, "light": _light})


def refuse_outsiders(build: Build) -> None:
    """Note an error for everything outside the tree whose numbers would have to follow a scale."""
    if not build.source.scaled:
        return
    names = Names(build.source.root)
    outside = {e.id: top for top in _SECTIONS for e in _walk(build.source.root.section(top)) if e.tag != "exclude"}
    outside |= {e.id: "sensor" for e in build.source.root.section("sensor") if any(name in e.attrs for name in ("cutoff", "noise"))}
    for element, attribute, space, name in names.references():
        target = names.find(space, name)
        if element.id in outside and target is not None and target.id in build.source.scaled:
            build.problems.error(element, f"{_LATER}: {space} '{name}'", "Scale its numbers by hand, outside such a frame", attribute)
    _refuse_keys(build)


def _refuse_keys(build: Build) -> None:
    moved = any(j.element.id in build.source.scaled and (j.type in (JNT_FREE, JNT_SLIDE)) for j in build.items["joint"])
    moved = moved or any(b.mocap and b.element is not None and b.element.id in build.source.scaled for b in build.items["body"])
    for key in build.source.root.section("keyframe") if moved else ():
        if any(key.attrs.get(name) for name in _STATE):
            build.problems.error(key, _LATER, "Leave the keyframe out", next(name for name in _STATE if key.attrs.get(name)))


def _walk(elements):
    for element in elements:
        yield from element.walk()
