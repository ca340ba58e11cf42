"""Compiled nodes of an expression: how values of leaves become values of the whole, moment by moment.

evaluate(values, memory) gets the values of all leaves, (moments, *shape) each, and what nodes that look back have kept of the moments before.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.quantities import units
from physics.quantities.functions import spread, together
from physics.quantities.units import Unit

Values = Sequence[np.ndarray]
Memory = dict[int, tuple]


@dataclass(frozen=True, slots=True)
class Node:
    """shape of the value at a moment, its unit, and how it is computed. constant: the same at all moments of all models. leaf: the number of the leaf that it is, -1: none."""

    shape: tuple[int, ...]
    unit: Unit
    evaluate: Callable[[Values, Memory], np.ndarray]
    constant: bool = False
    leaf: int = -1


def constant(value: float) -> Node:
    """A number that is written out; it takes the unit of what it is added to."""
    return Node((), units.ANY, lambda values, _memory: np.full(len(values[0]), value), True)


def leaf(place: int, shape: tuple[int, ...], unit: Unit) -> Node:
    """The values of leaf number `place`."""
    return Node(shape, unit, lambda values, _memory: values[place], leaf=place)


def entries(of: Node, index: tuple[int, ...]) -> Node:
    """Entries of a vector by their numbers. Raises ValueError."""
    if len(index) > len(of.shape):
        raise ValueError("a single number has no entries" if not of.shape else f"it has {len(of.shape)} axes")
    for k, size in zip(index, of.shape, strict=False):
        if not 0 <= k < size:
            raise ValueError(f"it has {size} entries, from 0 on")
    return Node(of.shape[len(index):], of.unit, lambda values, memory: np.ascontiguousarray(of.evaluate(values, memory)[(slice(None), *index)]))


def apply(function, arguments: tuple[Node, ...]) -> Node:
    """A function of FUNCTIONS of these. Raises ValueError in words."""
    shape = function.shape([one.shape for one in arguments])
    fixed = all(one.constant for one in arguments)
    unit = units.ANY if fixed else function.unit([one.unit for one in arguments])
    return Node(shape, unit, lambda values, memory: function.values(*(one.evaluate(values, memory) for one in arguments)), fixed)


def _truth(array: np.ndarray) -> np.ndarray:
    return array != 0


ARITHMETIC = MappingProxyType({"+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "%": np.mod, "**": np.power})
CONDITIONS = MappingProxyType({"<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal, "==": np.equal, "!=": np.not_equal,
              "and": lambda a, b: _truth(a) & _truth(b), "or": lambda a, b: _truth(a) | _truth(b)})


def sign(word: str, of: Node) -> Node:
    """-x, +x, not x."""
    if word == "not":
        return Node(of.shape, units.NONE, lambda values, memory: (of.evaluate(values, memory) == 0).astype(np.float64), of.constant)
    if word == "+":
        return of
    return Node(of.shape, of.unit, lambda values, memory: -of.evaluate(values, memory), of.constant)


def operation(word: str, a: Node, b: Node, exponent: float | None) -> Node:
    """a + b and the like, entry by entry; conditions are 1 where they hold, else 0. exponent: of '**', where it is written out. Raises ValueError."""
    shape, fixed = together([a.shape, b.shape]), a.constant and b.constant
    does = ARITHMETIC.get(word) or CONDITIONS[word]

    def evaluate(values: Values, memory: Memory) -> np.ndarray:
        one, other = np.broadcast_arrays(*spread((a.evaluate(values, memory), b.evaluate(values, memory))))
        return does(np.ascontiguousarray(one), np.ascontiguousarray(other)).astype(np.float64, copy=False)

    return Node(shape, units.ANY if fixed else _unit(word, a.unit, b.unit, exponent), evaluate, fixed)


def _unit(word: str, a: Unit, b: Unit, exponent: float | None) -> Unit:
    if word in CONDITIONS:
        return units.NONE
    if word in "+-":
        return units.same([a, b])
    if word == "%":
        return a
    if word == "**":
        return units.power(a, exponent) if exponent is not None else units.NONE if a == units.NONE else None
    return units.times(a, b, -1 if word == "/" else 1)
