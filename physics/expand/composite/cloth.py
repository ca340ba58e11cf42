"""Cloth: a sheet of bodies hinged to each other along a tree, its free edges tied by tendons.

The enclosing body is called B{x}_{y}. From it a row grows along x, and from each body of that row a column along y, both ways; the row's
neighbours in other rows are held together by tendons along x.
"""

from __future__ import annotations

import math
from itertools import product

from physics.expand.composite.grid import shear
from physics.expand.composite.made import DraftElement, Made, volume
from physics.expand.composite.recipe import Unmakeable
from physics.expand.composite.rope import extra_joints, origin_of
from physics.expand.composite.sheet import sheet_skin
from physics.schema.numbers import format_floats
from physics.spec.element import Element

__all__ = ["cloth"]

_HALF = math.sqrt(0.5)
_QUATS = ((0.5, 0.5, 0.5, 0.5), (_HALF, _HALF, 0.0, 0.0))  # by parity: capsules lie along x and along y in turn


def cloth(made: Made, around: Element) -> None:
    """Bodies B{x}_{y} with geom G, site S, hinges J0 and J1, and tendons T{x}_{y} in all rows but the first one's."""
    recipe = made.recipe
    if recipe.dim != 2:
        raise Unmakeable(recipe.element, "a cloth has two dimensions", "Write 1 as the third count only", "count")
    x0, y0 = origin_of(made, around, r"(\d+)_(\d+)", "x_y")
    nx, ny, _ = recipe.count
    _dress(made, made.top, x0, y0)
    _column(made, made.top, x0, y0)
    for xs in (range(x0 + 1, nx), range(x0 - 1, -1, -1)):
        body = made.top
        for x in xs:
            body = _patch(made, body, x, y0, (1 if x > x0 else -1, 0))
            _column(made, body, x, y0)
    for y, x in product(range(ny), range(nx - 1)):
        if y != y0:
            made.tendon("main", f"T{x}_{y}", (f"S{x}_{y}", f"S{x + 1}_{y}"))
    shear(made)
    if recipe.skin is not None:
        sheet_skin(made, recipe.skin_value("inflate"))


def _column(made: Made, root: DraftElement, x: int, y0: int) -> None:
    for ys in (range(y0 + 1, made.recipe.count[1]), range(y0 - 1, -1, -1)):
        body = root
        for y in ys:
            body = _patch(made, body, x, y, (0, 1 if y > y0 else -1))


def _patch(made: Made, parent: DraftElement, x: int, y: int, step: tuple[int, int]) -> DraftElement:
    """The body at (x, y), hinged to its parent's centre: about both directions across the way it came, (y, z) or (x, z)."""
    recipe = made.recipe
    dx, dy = recipe.spacing * step[0], recipe.spacing * step[1]
    body = made.body(parent, f"B{x}_{y}", pos=format_floats((dx, dy, 0)))
    _dress(made, body, x, y)
    place = format_floats((-dx, -dy, 0))
    along, across = ("1 0 0", "0 1 0") if step[0] else ("0 1 0", "1 0 0")
    for k, axis in enumerate((across, "0 0 1")):
        made.joint(body, recipe.joint(), f"J{k}_{x}_{y}", type="hinge", pos=place, axis=axis)
    extra_joints(made, body, f"{x}_{y}", place, along)
    return body


def _dress(made: Made, body: DraftElement, x: int, y: int) -> None:
    """Geom, site and, where it is asked for, the inertia of a thin plate."""
    recipe = made.recipe
    made.geom(body, f"G{x}_{y}", pos="0 0 0", quat=format_floats(_QUATS[(x + y) % 2]))
    flat = recipe.attrs["flatinertia"]
    if flat > 0:
        mass = recipe.density * volume(recipe.geom_kind, recipe.geom_size) if recipe.mass is None else recipe.mass
        xx = yy = (0.5 * recipe.spacing) ** 2
        zz = (0.5 * recipe.spacing * flat) ** 2
        made.inertial(body, mass, (mass * (yy + zz) / 3, mass * (xx + zz) / 3, mass * (xx + yy) / 3))
    made.site(body, f"S{x}_{y}", type="sphere", pos="0 0 0", quat="1 0 0 0")
