"""Global coordinates of 2.x models: every pose in the file is one in the world, at the initial configuration.

A body without `pos` gets the frame of its inertia, given or taken from its geoms. Sizes, ranges, keyframes and the relpose of a weld
are as in local coordinates; the anchors of connect and weld are points in the world (equality.py).
Source: MuJoCo 2.3.3, XML reference, compiler: coordinate; its results on small models. MuJoCo itself stopped reading this in 2.3.4.
"""
from __future__ import annotations

from physics.compiler.build import Build
from physics.compiler.items import BodyItem
from physics.enums import JNT_BALL, JNT_FREE
from physics.rotation.quaternion import UNIT, compose, conj, invert, rotate
from physics.spec.element import Element

_NEEDS_LOCAL = ("frame", "replicate", "composite", "flexcomp")  # newer than global coordinates, or never allowed with them


def is_global(build: Build, element: Element) -> bool:
    """Whether an element was written in global coordinates."""
    return build.source.scope(element).coordinate == "global"


def localize(build: Build) -> None:
    """Turn world poses into poses in the parent. Inertia is settled by now; bodies stand after their parents."""
    _refuse_frames(build)
    for body in build.items["body"]:
        if body.parent is None:
            body.world = body.pos, body.quat
        elif not is_global(build, body.element):
            body.world = compose(*body.parent.world, body.pos, body.quat)
        else:
            _body(build, body)


def _body(build: Build, body: BodyItem) -> None:
    if not build.source.attrs(body.element).given("pos"):
        if not (body.inferred or body.explicit) or (body.inferred and not body.mass):
            build.problems.error(body.element, "a body in global coordinates needs a position, an inertia or a geom with mass", 'Write pos="..."')
        body.pos, body.quat = body.ipos, body.iquat
    body.world = body.pos, body.quat
    back = invert(*body.world)
    body.ipos, body.iquat = compose(*back, body.ipos, body.iquat)
    body.pos, body.quat = compose(*invert(*body.parent.world), body.pos, body.quat)
    for part in (*body.geoms, *body.sites, *body.cameras):
        part.pos, part.quat = compose(*back, part.pos, part.quat)
    for light in body.lights:
        light.pos = compose(*back, light.pos, UNIT)[0]
        light.dir = rotate(body.world[1], light.dir)   # as MuJoCo 2.3.3 has it, though the opposite turn would be right
    for joint in body.joints:
        if joint.type != JNT_FREE:
            joint.pos = compose(*back, joint.pos, UNIT)[0]
            joint.axis = joint.axis if joint.type == JNT_BALL else rotate(conj(body.world[1]), joint.axis)


def _refuse_frames(build: Build) -> None:
    """Say what cannot be read in global coordinates."""
    for world in build.source.read_result.root.all("worldbody"):
        for element in world.walk():
            if element.tag in _NEEDS_LOCAL and is_global(build, element):
                build.problems.error(element, f"<{element.tag}> cannot be used with global coordinates", 'Write the model with coordinate="local"')
                return
