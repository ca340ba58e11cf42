"""Soft solids: a shell of bodies around the enclosing body, each sliding outwards, smoothed among neighbours and of constant total.

Shapes: box, cylinder (axis z) and ellipsoid; the shell's cells are those on the surface of a cube of counts, projected to the shape.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from physics.expand.composite.made import Made
from physics.expand.composite.recipe import Unmakeable
from physics.expand.composite.shell_skin import box_skin, cylinder_skin, smooth_skin
from physics.schema.numbers import format_floats

__all__ = ["box"]


def box(made: Made) -> None:
    """Geom Gcenter on the enclosing body; for every shell cell body B, geom G and slide J; a fixed tendon T over all slides."""
    recipe = made.recipe
    if recipe.dim != 3:
        raise Unmakeable(recipe.element, f"a {recipe.kind} has three dimensions", "Write counts of 2 or more", "count")
    made.geom(made.top, "Gcenter", type="sphere", pos="0 0 0", size=format_floats((2 * recipe.geom_size[0], 0, 0)))
    joints = []
    for cell in product(*map(range, recipe.count)):
        if not _on_shell(cell, recipe.count):
            continue
        joints.append(_cell(made, cell))
        made.tie("joint", recipe.fix["main"], joint1=joints[-1])
        _smooth(made, cell)
    made.sum_tendon("T", joints)
    made.tie("tendon", recipe.fix["tendon"], tendon1=recipe.prefix + "T")
    if recipe.skin is not None:
        {"box": box_skin, "cylinder": cylinder_skin, "ellipsoid": smooth_skin}[recipe.kind](made)


def _on_shell(cell, count) -> bool:
    return any(i in (0, n - 1) for i, n in zip(cell, count))


def _name(cell) -> str:
    return "{}_{}_{}".format(*cell)


def _cell(made: Made, cell) -> str:
    """Body, geom and slide of a cell -> the slide's full name."""
    recipe = made.recipe
    place = _project(recipe, cell)
    length = math.sqrt(float(place @ place))
    outward = place / length if length > 1e-7 else place
    body = made.body(made.top, "B" + _name(cell), pos=format_floats(place), zaxis=format_floats(outward))
    radius, half = recipe.geom_size[:2]
    if recipe.geom_kind == "capsule":
        made.geom(body, "G" + _name(cell), pos=format_floats((0, 0, -(radius + half))))
    else:
        made.geom(body, "G" + _name(cell), type="sphere", pos=format_floats((0, 0, -radius)))
    return made.joint(body, recipe.joint(), "J" + _name(cell), type="slide", pos="0 0 0", axis="0 0 1")


def _project(recipe, cell) -> np.ndarray:
    """Position of a cell of the cube [-1, 1]^3 on the shape's surface."""
    count = np.array(recipe.count)
    place = 2.0 * np.array(cell) / (count - 1) - 1
    half = 0.5 * recipe.spacing * (count - 1)
    if recipe.kind == "cylinder":
        reach = max(abs(place[0]), abs(place[1]))
        place[:2] = _unit(place[:2]) * reach
    elif recipe.kind == "ellipsoid":
        place = _unit(place)
    return place * half


def _unit(vector: np.ndarray) -> np.ndarray:
    square = float(vector @ vector)
    return vector / math.sqrt(square) if square >= 1e-14 else vector


def _smooth(made: Made, cell) -> None:
    """Constraints that keep a cell's slide near those of its neighbours further along x, y and z."""
    recipe = made.recipe
    for k in range(3):
        next_cell = tuple(min(i + (axis == k), n - 1) for axis, (i, n) in enumerate(zip(cell, recipe.count)))
        if next_cell != cell and _on_shell(next_cell, recipe.count):
            made.tie("joint", recipe.smooth, plain=False, joint1=f"{recipe.prefix}J{_name(cell)}", joint2=f"{recipe.prefix}J{_name(next_cell)}")
