"""Composites of bodies that slide freely along x, y and z: a cloud of particles, and a grid tied together by tendons."""

from __future__ import annotations

from itertools import product
from types import MappingProxyType

from physics.expand.composite.made import DraftElement, Made
from physics.expand.composite.recipe import Unmakeable
from physics.expand.composite.sheet import sheet_skin
from physics.expand.composite.shell_skin import box_skin
from physics.schema.numbers import format_floats

__all__ = ["grid", "particles", "shear"]

AXES = ("1 0 0", "0 1 0", "0 0 1")
_SLIDE = MappingProxyType({"type": "slide", "pos": "0 0 0"})


def _place(made: Made, *cell: int) -> str:
    """Position of a cell: `count` half spacings before its place."""
    recipe = made.recipe
    place = recipe.offset.copy()
    for k, i in enumerate(cell):
        place[k] += recipe.spacing * (i - 0.5 * recipe.count[k])
    return format_floats(place)


def particles(made: Made) -> None:
    """Bodies B{i}_{j}_{k}, each with one geom and three slides, or with the joints of kind 'particle'. Nothing but bodies is named."""
    recipe = made.recipe
    for cell in product(*map(range, recipe.count)):
        body = made.body(made.top, "B{}_{}_{}".format(*cell), pos=_place(made, *cell))
        if "particle" in recipe.joints:
            for joint in recipe.joints["particle"]:
                made.joint(body, joint)
        else:
            for axis in AXES:
                made.joint(body, recipe.joint(), axis=axis, **_SLIDE)
        made.geom(body)
    if recipe.skin is not None:
        box_skin(made)


def grid(made: Made) -> None:
    """Bodies B{i}_{j} on slides, neighbours along x and y tied by tendons of fixed length; pinned places have no joints."""
    recipe = made.recipe
    if recipe.dim > 2:
        raise Unmakeable(recipe.element, "a grid has one or two dimensions", "Write 1 as the third count", "count")
    if recipe.dim != 2:
        for part, what in (("shear", "shear tendons need"), ("skin", "a skin needs")):
            if part in recipe.asked or (part == "skin" and recipe.skin is not None):
                raise Unmakeable(recipe.element, f"{what} a grid of two dimensions", attribute="count")
    nx, ny, _ = recipe.count
    for x, y in product(range(nx), range(ny)):
        _node(made, x, y)
    for axis in (0, 1):
        for x, y in product(range(nx - (axis == 0)), range(ny - (axis == 1))):
            made.tendon("main", f"T{axis}_{x}_{y}", (f"S{x}_{y}", f"S{x + (axis == 0)}_{y + (axis == 1)}"))
    shear(made)
    if recipe.skin is not None:
        sheet_skin(made, recipe.skin_value("inflate"))


def _node(made: Made, x: int, y: int) -> DraftElement:
    recipe = made.recipe
    body = made.body(made.top, f"B{x}_{y}", pos=_place(made, x, y))
    made.geom(body, f"G{x}_{y}", type="sphere")
    made.site(body, f"S{x}_{y}", type="sphere")
    if (x, y) not in recipe.pins:
        for k, axis in enumerate(AXES):
            made.joint(body, recipe.joint(), f"J{k}_{x}_{y}", axis=axis, **_SLIDE)
    return body


def shear(made: Made) -> None:
    """Tendons along one diagonal of every square, where they are asked for."""
    if "shear" not in made.recipe.asked:
        return
    nx, ny, _ = made.recipe.count
    for x, y in product(range(nx - 1), range(ny - 1)):
        made.tendon("shear", f"TS{x}_{y}", (f"S{x}_{y}", f"S{x + 1}_{y + 1}"))
