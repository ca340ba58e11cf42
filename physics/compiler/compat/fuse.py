"""Fusing of static bodies: what a body without joints holds goes to its parent, and its mass with it.

A body stays when something refers to it by name, a force or torque sensor measures at a site in it, it asks for that (fuse, sleep,
mocap), or when its parent could not feel the same forces (gravity compensation, a fluid, inertia that was adjusted).
Source: MuJoCo XML reference, compiler: fusestatic and body: fuse; parallel axes for the sum of two inertias.
"""
from __future__ import annotations

from types import MappingProxyType

from physics.compiler.build import Build
from physics.compiler.elements import frames, inertia
from physics.compiler.items import BodyItem, Item
from physics.enums import MINVAL
from physics.rotation.quaternion import compose, principal

_KINDS = MappingProxyType({"geoms": "geom", "sites": "site", "cameras": "camera", "lights": "light"})


def fuse_static(build: Build) -> None:
    """Fuse all bodies that can be. Their inertia is known by now; nothing refers to items by number yet."""
    kept = _referred(build)
    fluid = build.fields.scalars["opt_density"] > 0 or build.fields.scalars["opt_viscosity"] > 0
    gone: set[int] = set()
    bodies = build.items["body"]
    for body in bodies[1:]:
        if body.joints or body.mocap or body.id in kept or _asked_to_stay(build, body) or (body.parent.id and _differs(build, body, fluid)):
            continue
        _move_parts(body)
        if body.parent.id:
            _add_inertia(build, body.parent, body)
        gone.add(body.id)
    if gone:
        _renumber(build, gone)


def _referred(build: Build) -> set[int]:
    """Ids of bodies that something refers to by name, and of those whose sites a force or torque sensor uses."""
    names = {name for _element, _attribute, space, name in build.source.declared.references() if space == "body"}
    found = {body.id for body in build.items["body"] if body.name in names}
    sites = {e.attrs.get("site") for e in build.source.root.section("sensor") if e.tag in ("force", "torque")}
    return found | {site.body.id for site in build.items["site"] if site.name and site.name in sites}


def _asked_to_stay(build: Build, body: BodyItem) -> bool:
    return body.sleep != "auto" or build.source.attrs(body.element).get("fuse", "auto") == "false" or body.element.first("plugin") is not None


def _differs(build: Build, body: BodyItem, fluid: bool) -> bool:
    """Whether forces on the body would be others if it were one with its parent."""
    heavy = body.mass >= MINVAL
    if heavy and (fluid or body.gravcomp != body.parent.gravcomp):
        return True
    if fluid and any(geom.fluid[0] for geom in body.geoms):
        return True
    by_geoms = build.source.scope(body.parent.element).inertiafromgeom == "true" and (heavy or bool(body.geoms))
    return by_geoms and (body.adjusted or body.parent.adjusted)


def _add_inertia(build: Build, parent: Item, body: BodyItem) -> None:
    """Inertia of both: of all their geoms, which the parent has by now, where both have it from them, else the sum."""
    if body.mass < MINVAL:
        return
    by_geoms = parent.inferred and body.inferred and not (parent.adjusted or body.adjusted)
    if by_geoms or build.source.scope(parent.element).inertiafromgeom == "true":
        inertia.from_geoms(build, parent)
    else:
        _sum(parent, body)
        parent.inferred = False


def _sum(parent: Item, body: BodyItem) -> None:
    pos, quat = compose(body.pos, body.quat, body.ipos, body.iquat)
    parts = ((parent.mass, parent.inertia, parent.ipos, parent.iquat), (body.mass, body.inertia, pos, quat))
    mass = parent.mass + body.mass
    centre = tuple(sum(m * p[k] for m, _i, p, _q in parts) / mass for k in range(3))
    full = [0.0] * 6
    for m, moments, p, q in parts:
        turned, offset = inertia.turned_inertia(moments, q), inertia.offset_inertia(m, tuple(p[k] - centre[k] for k in range(3)))
        full = [f + (t + o) for f, t, o in zip(full, turned, offset)]
    parent.mass, parent.ipos = mass, centre
    parent.iquat, parent.inertia = principal(full)


def _move_parts(body: BodyItem) -> None:
    """Give the parent all that stands in a body; child bodies take its place, the rest comes last."""
    parent, pose = body.parent, frames.Frame(body.pos, body.quat)
    for name, kind in _KINDS.items():
        for part in getattr(body, name):
            frames.place(pose, kind, part)
            part.body = parent
        getattr(parent, name).extend(getattr(body, name))
    for child in body.children:
        frames.place(pose, "body", child)
        child.parent = parent
    at = next(i for i, child in enumerate(parent.children) if child is body)
    parent.children[at:at + 1] = body.children


def _renumber(build: Build, gone: set[int]) -> None:
    roots = {body.id: build.items["body"][body.weldid] for body in build.items["body"]}
    bodies = [body for body in build.items["body"] if body.id not in gone]
    weld = [roots[body.id] for body in bodies]
    build.items.replace("body", bodies)
    for body, root in zip(bodies, weld, strict=True):
        body.weldid = root.id
    for name, kind in _KINDS.items():
        build.items.replace(kind, [part for body in bodies for part in getattr(body, name)])
