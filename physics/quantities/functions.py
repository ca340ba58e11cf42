"""The functions of expressions: how many arguments, the shape and unit of the result, and the values.

Values are arrays (moments, *shape). Each entry is computed by itself and sums run in the order of the components, so that the result does not depend on how many
moments are evaluated together.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.quantities import units
from physics.quantities.units import NONE, Unit

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Function:
    """A function of an expression. least, most: numbers of arguments; shape(shapes) and unit(units) of the result, shape raises ValueError in words;
    values(*arrays): the result, each array (moments, *shape). form, doc: for the help."""

    form: str
    doc: str
    least: int
    most: int
    shape: Callable[[list[Shape]], Shape]
    unit: Callable[[list[Unit]], Unit]
    values: Callable[..., np.ndarray]


def together(shapes: list[Shape]) -> Shape:
    """The shape of an operation by entries: all alike, single numbers apart. Raises ValueError."""
    found: Shape = ()
    for shape in shapes:
        if shape and found and shape != found:
            raise ValueError(f"shapes {in_words(found)} and {in_words(shape)} do not fit together")
        found = found or shape
    return found


def in_words(shape: Shape) -> str:
    """'a single number', '3 numbers', '4 x 3 numbers'."""
    return f"{' x '.join(map(str, shape))} numbers" if shape else "a single number"


def spread(arrays: tuple[np.ndarray, ...]) -> list[np.ndarray]:
    """Single numbers with axes for the components of the others."""
    axes = max(array.ndim for array in arrays)
    return [array.reshape(array.shape + (1,) * (axes - array.ndim)) for array in arrays]


def entries(array: np.ndarray) -> np.ndarray:
    """(moments, count) of (moments, *shape)."""
    return array.reshape(len(array), -1)


def add_up(array: np.ndarray) -> np.ndarray:
    """Sum of the components, one after the other."""
    flat, total = entries(array), np.zeros(len(array))
    for k in range(flat.shape[1]):
        total = total + flat[:, k]
    return total


def _any_shape(shapes: list[Shape]) -> Shape:
    return ()


def _vectors(count: int | None = None) -> Callable[[list[Shape]], Shape]:
    def shape(shapes: list[Shape]) -> Shape:
        for one in shapes:
            if len(one) != 1 or count is not None and one != (count,):
                raise ValueError(f"it takes vectors{f' of {count}' if count else ''}, not {in_words(one)}")
        if len(set(shapes)) > 1:
            raise ValueError(f"{in_words(shapes[0])} and {in_words(shapes[1])} do not fit together")
        return shapes[0] if count else ()
    return shape


def _spread_shape(shapes: list[Shape]) -> Shape:
    return shapes[0] if len(shapes) == 1 else together(shapes)


def _plain(_units: list[Unit]) -> Unit:
    return NONE


def _first(found: list[Unit]) -> Unit:
    return found[0]


def _product(found: list[Unit]) -> Unit:
    return units.times(found[0], found[1])


def _by_entry(form: str, doc: str, unit: Callable[[list[Unit]], Unit], values: Callable[..., np.ndarray], count: int = 1) -> Function:
    def spread_values(*arrays: np.ndarray) -> np.ndarray:
        return values(*map(np.ascontiguousarray, np.broadcast_arrays(*spread(arrays))))

    return Function(form, doc, count, count, together, unit, spread_values)


def _extreme(form: str, doc: str, pick: Callable) -> Function:
    """Of one vector its entries, of several arguments entry by entry."""
    def shape(shapes: list[Shape]) -> Shape:
        return () if len(shapes) == 1 else together(shapes)

    def values(*arrays: np.ndarray) -> np.ndarray:
        if len(arrays) == 1:
            flat = entries(arrays[0])
            return pick.reduce(flat, axis=1) if flat.shape[1] else np.full(len(flat), np.nan)
        found = arrays[0]
        for other in arrays[1:]:
            found = pick(*spread((found, other)))
        return found

    return Function(form, doc, 1, 20, shape, units.same, values)


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return add_up(a * b)


def _norm(a: np.ndarray) -> np.ndarray:
    return np.sqrt(add_up(a * a))


def _mean(a: np.ndarray) -> np.ndarray:
    count = entries(a).shape[1]
    return add_up(a) / count if count else np.full(len(a), np.nan)


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.stack([a[:, 1] * b[:, 2] - a[:, 2] * b[:, 1], a[:, 2] * b[:, 0] - a[:, 0] * b[:, 2], a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]], axis=1)


def _root(found: list[Unit]) -> Unit:
    return units.power(found[0], 0.5)


def _where(condition: np.ndarray, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.where(condition != 0, a, b)


FUNCTIONS: Mapping[str, Function] = MappingProxyType({
    "norm": Function("norm(v)", "length of a vector", 1, 1, _any_shape, _first, _norm),
    "dot": Function("dot(a, b)", "product of two vectors", 2, 2, _vectors(), _product, _dot),
    "cross": Function("cross(a, b)", "cross product of two vectors of 3", 2, 2, _vectors(3), _product, _cross),
    "sum": Function("sum(v)", "all entries added", 1, 1, _any_shape, _first, add_up),
    "mean": Function("mean(v)", "mean of all entries", 1, 1, _any_shape, _first, _mean),
    "min": _extreme("min(v), min(a, b)", "the smallest entry, or the smaller value entry by entry", np.minimum),
    "max": _extreme("max(v), max(a, b)", "the largest entry, or the larger value entry by entry", np.maximum),
    "abs": _by_entry("abs(x)", "absolute value", _first, np.abs),
    "sign": _by_entry("sign(x)", "-1, 0 or 1", _plain, np.sign),
    "sqrt": _by_entry("sqrt(x)", "square root", _root, np.sqrt),
    "exp": _by_entry("exp(x)", "exponential", _plain, np.exp),
    "log": _by_entry("log(x)", "natural logarithm", _plain, np.log),
    "sin": _by_entry("sin(x)", "sine of an angle in radians", _plain, np.sin),
    "cos": _by_entry("cos(x)", "cosine", _plain, np.cos),
    "tan": _by_entry("tan(x)", "tangent", _plain, np.tan),
    "asin": _by_entry("asin(x)", "inverse sine [rad]", lambda _units: units.read("rad"), np.arcsin),
    "acos": _by_entry("acos(x)", "inverse cosine [rad]", lambda _units: units.read("rad"), np.arccos),
    "atan": _by_entry("atan(x)", "inverse tangent [rad]", lambda _units: units.read("rad"), np.arctan),
    "atan2": _by_entry("atan2(y, x)", "angle of the point (x, y) [rad]", lambda _units: units.read("rad"), np.arctan2, 2),
    "deg": _by_entry("deg(x)", "radians as degrees", lambda found: units.times(units.read("deg"), units.times(found[0], units.read("rad"), -1)) if found[0] else units.read("deg"), np.rad2deg),
    "rad": _by_entry("rad(x)", "degrees as radians", lambda found: units.times(units.read("rad"), units.times(found[0], units.read("deg"), -1)) if found[0] else units.read("rad"), np.deg2rad),
    "clip": _by_entry("clip(x, low, high)", "x kept between two limits", _first, lambda x, low, high: np.minimum(np.maximum(x, low), high), 3),
    "where": _by_entry("where(condition, a, b)", "a where the condition holds, else b", lambda found: units.same(found[1:]), _where, 3),
})
