"""Frames: coordinate transformations around elements of a body, taken into what stands in them.

Source: MuJoCo's XML reference, body/frame.
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from physics.compiler.build import Build
from physics.compiler.elements import scaling
from physics.compiler.elements.pose import orientation, position
from physics.compiler.elements.scaling import FrameScale
from physics.compiler.items import Item
from physics.enums import JNT_BALL, JNT_FREE
from physics.rotation.quaternion import UNIT, ZERO3, compose, rotate, unit
from physics.spec.defaults import Attrs
from physics.spec.element import Element


class Frame(NamedTuple):
    """A pose in the body, of a frame and all frames around it; scale: of what stands in it, None where nothing is scaled."""

    pos: tuple
    quat: tuple
    scale: FrameScale | None = None


def contents(build: Build, elements: Iterable[Element], scale: FrameScale | None = None) -> list[tuple[Element, Frame | None]]:
    """What stands in a body, in order, with the frame around each; frames themselves are left out. scale: of the body."""
    children = [child for element in elements for child in element.children]
    if scale is None and "frame" not in [child.tag for child in children]:
        return [(child, None) for child in children]
    found: list[tuple[Element, Frame | None]] = []
    outer = None if scale is None else Frame(ZERO3, UNIT, scale)
    stack: list[tuple[Element, Frame | None]] = [(child, outer) for child in children]
    stack.reverse()
    while stack:
        element, frame = stack.pop()
        if element.tag == "frame":
            inner = _enter(build, element, frame)
            stack.extend((child, inner) for child in reversed(element.children))
        else:
            found.append((element, frame))
    return found


def _enter(build: Build, element: Element, outer: Frame | None) -> Frame:
    pos, quat = build.shared.read(element, _pose)
    scale = None if outer is None else outer.scale
    if scale is not None:
        pos = tuple(x * scale.length for x in pos)
    if outer is not None:
        pos, quat = compose(outer.pos, outer.quat, pos, quat)
    return Frame(pos, unit(quat)[0], scaling.enter(build, element, scale))


def _pose(build: Build, attrs: Attrs) -> tuple[tuple, tuple]:
    """As it is written."""
    return position(build, attrs), orientation(build, attrs)


def settle(build: Build, frame: Frame, kind: str, item: Item) -> None:
    """Resize what stands in a frame, and move it to the coordinates of the body."""
    if frame.scale is not None:
        scaling.apply(build, frame.scale, kind, item)
    place(frame, kind, item)


def place(frame: Frame, kind: str, item: Item) -> None:
    """Move a body, joint, geom, site, camera or light from a frame's coordinates to those around it."""
    if kind == "joint":
        if item.type != JNT_FREE:
            item.pos = compose(frame.pos, frame.quat, item.pos, UNIT)[0]
            if item.type != JNT_BALL:
                item.axis = unit(rotate(frame.quat, item.axis))[0]
    elif kind == "light":
        item.pos = compose(frame.pos, frame.quat, item.pos, UNIT)[0]
        item.dir = rotate(frame.quat, item.dir)
    else:
        item.pos, item.quat = compose(frame.pos, frame.quat, item.pos, item.quat)
