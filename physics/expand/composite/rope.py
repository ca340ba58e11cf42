"""Chains of bodies that grow to both sides from the body they are written in: ropes, and loops closed by a constraint.

The enclosing body must be called B{k} (after the prefix): it is element k of the chain. Its own joints are the chain's root.
"""

from __future__ import annotations

import math
import re

from physics.expand.composite.made import DraftElement, Made
from physics.expand.composite.recipe import Unmakeable
from physics.schema.numbers import format_floats
from physics.spec.element import Element

__all__ = ["extra_joints", "origin_of", "rope"]

_HALF = math.sqrt(0.5)


def origin_of(made: Made, around: Element, pattern: str, words: str) -> tuple[int, ...]:
    """The chain's place of the enclosing body, from its name."""
    recipe = made.recipe
    start = recipe.prefix + "B"
    found = re.match(pattern, around.name[len(start):]) if around.tag == "body" and around.name.startswith(start) else None
    if found is None:
        raise Unmakeable(recipe.element, f"a {recipe.kind} stands in a body called '{start}{words}', which is one of its own",
                         f"This body is called '{around.name}'" if around.name else "Give the body around it such a name")
    place = tuple(map(int, found.groups()))
    if any(i >= n for i, n in zip(place, recipe.count)):
        raise Unmakeable(recipe.element, f"the body '{around.name}' lies outside the counts {recipe.count}", attribute="count")
    return place


def rope(made: Made, around: Element) -> None:
    """Geoms G{i}, joints J0_{i} and J1_{i}, optionally twist JT{i} and stretch JS{i} held at zero."""
    recipe = made.recipe
    if recipe.dim != 1:
        raise Unmakeable(recipe.element, f"a {recipe.kind} has one dimension", "Write 1 as the second and third count", "count")
    (origin,) = origin_of(made, around, r"(\d+)", "number")
    made.geom(made.top, f"G{origin}", **_along_x())
    for numbers in (range(origin + 1, recipe.count[0]), range(origin - 1, -1, -1)):
        body = made.top
        for i in numbers:
            body = _link(made, body, i, 1 if i > origin else -1)
    if recipe.kind == "loop":
        first, last = f"{recipe.prefix}B0", f"{recipe.prefix}B{recipe.count[0] - 1}"
        made.tie("connect", recipe.smooth, plain=False, body1=first, body2=last, anchor=format_floats((-0.5 * recipe.spacing, 0, 0)))
        made.exclude(first, last)


def _along_x() -> dict[str, str]:
    return {"pos": "0 0 0", "quat": format_floats((_HALF, 0, _HALF, 0))}


def _link(made: Made, parent: DraftElement, i: int, side: int) -> DraftElement:
    """Element i, hanging on its neighbour; side: +1 to the right, -1 to the left."""
    recipe = made.recipe
    dx = recipe.spacing * side
    frame = {"pos": format_floats((dx, 0, 0))}
    if recipe.kind == "loop":
        half = math.pi / recipe.count[0]
        reach = 0.5 * recipe.spacing * math.sin(math.pi - 2 * half) / math.sin(half)
        frame = {"pos": format_floats((side * reach * math.cos(half), reach * math.sin(half), 0)),
                 "quat": format_floats((math.cos(half), 0, 0, side * math.sin(half)))}
    body = made.body(parent, f"B{i}", **frame)
    made.geom(body, f"G{i}", **_along_x())
    between = format_floats((-0.5 * dx, 0, 0))
    for k, axis in enumerate(("0 1 0", "0 0 1")):
        made.joint(body, recipe.joint(), f"J{k}_{i}", type="hinge", pos=between, axis=axis)
    extra_joints(made, body, str(i), between, "1 0 0")
    return body


def extra_joints(made: Made, body: DraftElement, label: str, place: str, axis: str) -> None:
    """Twist and stretch about and along an axis, where they are asked for, each held at zero by a constraint."""
    for kind, letter, joint_type in (("twist", "T", "hinge"), ("stretch", "S", "slide")):
        if kind in made.recipe.asked:
            name = made.joint(body, made.recipe.joint(kind), f"J{letter}{label}", type=joint_type, pos=place, axis=axis)
            made.tie("joint", made.recipe.fix[kind], joint1=name)
