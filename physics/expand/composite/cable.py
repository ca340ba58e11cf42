"""Cables: a chain of bodies along a curve, joined by ball joints; the x axis of each body runs along its edge.

Frames turn along the curve without twisting: the first normal lies in the plane of the first two edges, the next ones are turned by the
angle between edges (Bergou et al. 2008, "Discrete elastic rods"). Vertices are single precision, as in the official reader.
"""

from __future__ import annotations

import math

import numpy as np

from physics.expand.composite.made import DraftElement, Made
from physics.expand.composite.recipe import LARGE, Recipe, Unmakeable
from physics.expand.composite.sheet import sheet_skin
from physics.rotation.orientation import from_matrix
from physics.rotation.quaternion import multiply
from physics.rotation.quaternion_arrays import conjugate, rotate
from physics.schema.numbers import format_floats

__all__ = ["cable"]

_TINY = 1e-14  # squared lengths below it have no direction


def cable(made: Made) -> None:
    """Bodies B_first, B_1, ..., B_last with joints J, geoms G{i}, excludes between neighbours and sites at both ends."""
    recipe = made.recipe
    if recipe.dim != 1:
        raise Unmakeable(recipe.element, "a cable has one dimension", "Write 1 as the second and third count, or give its vertices", "count")
    points = _points(recipe)
    edges = (points[1:] - points[:-1]).astype(np.float64)
    for edge in edges:
        if not float(edge @ edge) >= _TINY:
            raise Unmakeable(recipe.element, "two neighbouring points of the cable are the same", "Give size and curve, or distinct vertices",
                             "vertex" if recipe.attrs.count("vertex") else "curve")
    made.add("custom", "text", {"name": f"composite_{recipe.prefix}", "data": f"rope_{recipe.prefix}"})
    quats = _frames(edges)
    lengths = np.sqrt((edges * edges).sum(1)).tolist()
    body, last = made.top, len(edges) - 1
    for i in range(len(edges)):
        if i == 0:
            frame = {"pos": format_floats(recipe.offset + points[0]), "quat": format_floats(quats[0])}
        else:
            back = conjugate(quats[i - 1])
            frame = {"pos": format_floats((lengths[i - 1], 0, 0)), "quat": format_floats(multiply(back, quats[i]))}
        body = made.body(body, "B" + _label(i, last), **frame)
        _link(made, body, i, last, lengths[i])
    if recipe.geom_kind == "box":
        _skin(made, lengths[-1], last)


def _points(recipe: Recipe) -> np.ndarray:
    """The cable's vertices (n, 3), single precision."""
    if recipe.attrs.count("vertex"):
        points = np.array(recipe.attrs["vertex"]).reshape(-1, 3)
    else:
        size, words = recipe.attrs["size"], recipe.attrs["curve"] or ()
        if len(words) > 3:
            raise Unmakeable(recipe.element, "a curve has at most three components", attribute="curve")
        if float(size @ size) < 1e-15:
            raise Unmakeable(recipe.element, "a cable without vertices needs a length or radius", attribute="size")
        n = recipe.count[0]
        turn = [math.pi * i * size[2] / (n - 1) for i in range(n)]
        along = {"s": [i * size[0] / (n - 1) for i in range(n)], "cos(s)": [size[1] * math.cos(t) for t in turn],
                 "sin(s)": [size[1] * math.sin(t) for t in turn], "0": [0.0] * n}
        points = np.array([along[word] for word in (*words, "0", "0", "0")[:3]]).T
        if recipe.attrs["quat"][1:].any():
            points = rotate(recipe.attrs["quat"], points)
    if not np.isfinite(points).all() or np.abs(points).max() > LARGE:
        raise Unmakeable(recipe.element, "the cable's points are not finite", attribute="vertex" if recipe.attrs.count("vertex") else "size")
    return points.astype(np.float32)


def _unit(vector: np.ndarray) -> tuple[np.ndarray, float]:
    square = float(vector @ vector)
    if square < _TINY:
        return vector, 0.0
    length = math.sqrt(square)
    return vector / length, length


def _frames(edges: np.ndarray) -> list[np.ndarray]:
    """Orientation of each edge's frame (tangent, normal, binormal)."""
    tangents = [_unit(edge)[0] for edge in edges]
    normal, quats = np.zeros(3), []
    for i, tangent in enumerate(tangents):
        if i == 0:
            following = tangents[1] if len(tangents) > 1 else np.zeros(3)
            binormal = _unit(np.cross(tangent, following))[0]
            normal = _unit(np.cross(binormal, tangent))[0]
        else:
            axis, sine = _unit(np.cross(tangents[i - 1], tangent))
            angle = math.atan2(sine, float(tangents[i - 1] @ tangent))
            normal = _unit(rotate(np.array((math.cos(angle / 2), *(axis * math.sin(angle / 2)))), normal))[0]
            binormal = _unit(np.cross(tangent, normal))[0]
        quats.append(from_matrix(np.column_stack((tangent, normal, binormal))))
    return quats


def _label(i: int, last: int) -> str:
    return "_first" if i == 0 else "_last" if i == last else f"_{i}"


def _link(made: Made, body: DraftElement, i: int, last: int, length: float) -> None:
    """Geom, joint, exclude and site of one body."""
    recipe, label = made.recipe, _label(i, last)
    if recipe.geom_kind == "box":
        _half, width, depth = recipe.geom_size
        made.geom(body, f"G{i}", pos=format_floats((0.5 * length, 0, 0)), size=format_floats((0.5 * length, width, depth)))
    else:
        made.geom(body, f"G{i}", fromto=format_floats((0, 0, 0, length, 0, 0)))
    initial = recipe.attrs["initial"]
    if i == 0 and initial == "free":
        made.joint(body, recipe.joint(), "J" + label, type="free", damping="0", armature="0", frictionloss="0")
    elif i > 0 or initial == "ball":
        made.joint(body, recipe.joint(), "J" + label, type="ball")
    if i < last:
        made.exclude(f"{recipe.prefix}B{label}", f"{recipe.prefix}B{_label(i + 1, last)}")
    if i in (0, last):
        made.site(body, "S" + label, pos=format_floats((length if i == last else 0, 0, 0)), quat="1 0 0 0")


def _skin(made: Made, length: float, last: int) -> None:
    """A band as wide as the boxes. Bones stand at both sides of every point, the last point's on the last body."""
    recipe = made.recipe
    _half, width, depth = recipe.geom_size
    sides = (-width, 0.0, width) if recipe.skin_value("subgrid") > 0 else (-width, width)
    n = recipe.count[0]
    bones = []
    for i in range(n):
        name = f"{recipe.prefix}B{_label(min(i, last), last)}"
        bones += [(name, (-2 * recipe.geom_size[0] if i == n - 1 else 0.0, side, 0.0)) for side in sides]
    sheet_skin(made, 2 * depth, across=len(sides), bones=bones)
