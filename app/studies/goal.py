"""A goal: arithmetic on numbers of a run, each a Quantity reduced over it.

    last(site("trunk").xpos[0]) - 0.01 * mean(norm(actuator_force))
"""
from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.tuning.reductions import REDUCTIONS, reduced

OPERATIONS: Mapping[type, Callable] = MappingProxyType({ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow})
FUNCTIONS: Mapping[str, Callable[[float], float]] = MappingProxyType({"abs": abs, "sqrt": math.sqrt, "exp": math.exp, "log": math.log})


class GoalError(ValueError):
    """Text that is no goal, and why."""


@dataclass(frozen=True, slots=True)
class Goal:
    """text: of the goal; largest: whether the largest value is the best. stop: an expression that ends a run where it is true, '' for none."""

    text: str
    largest: bool = True
    stop: str = ""

    @property
    def expressions(self) -> tuple[str, ...]:
        """Quantities that have to be taken during a run. Raises GoalError."""
        found = [inner for _how, inner in _reductions(_tree(self.text), self.text)]
        return tuple(dict.fromkeys([*found, *([self.stop] if self.stop else [])]))

    def end(self, values: Mapping[str, np.ndarray]) -> int | None:
        """Number of states up to the one that meets the stop, with it; None where none does."""
        met = np.flatnonzero(np.nan_to_num(values[self.stop]) != 0.0) if self.stop else ()
        return int(met[0]) + 1 if len(met) else None

    def value(self, time: np.ndarray, values: Mapping[str, np.ndarray]) -> float:
        """Of a run: time (n) [s], values {expression: (n)}; what comes after the stop does not count. NaN where there is no such number. Raises GoalError."""
        end = self.end(values) or len(time)
        try:
            return float(_value(_tree(self.text), self.text, time[:end], {text: array[:end] for text, array in values.items()}))
        except (ZeroDivisionError, OverflowError, ValueError) as why:
            if isinstance(why, GoalError):
                raise
            return math.nan

    def better(self, one: float, other: float) -> bool:
        """Whether a value is better than another; what is no number is the worst."""
        if math.isnan(one) or math.isnan(other):
            return math.isnan(other) and not math.isnan(one)
        return one > other if self.largest else one < other


def _tree(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except SyntaxError as why:
        raise GoalError(f"'{text}': {why.msg} at character {why.offset}") from None


def _reductions(node: ast.expr, text: str) -> list[tuple[str, str]]:
    """(reduction, expression) in the order of the text."""
    match node:
        case ast.Constant(value=int() | float()):
            return []
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=inner):
            return _reductions(inner, text)
        case ast.BinOp(left=left, op=operation, right=right) if type(operation) in OPERATIONS:
            return [*_reductions(left, text), *_reductions(right, text)]
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in REDUCTIONS:
            return [(name, _text(inner, text))]
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in FUNCTIONS:
            return _reductions(inner, text)
    raise GoalError(f"'{_text(node, text)}' is no number of a run: write one of {', '.join(f'{name}(...)' for name in REDUCTIONS)} around an expression")


def _value(node: ast.expr, text: str, time: np.ndarray, values: Mapping[str, np.ndarray]) -> float:
    match node:
        case ast.Constant(value=number):
            return number
        case ast.UnaryOp(op=sign, operand=inner):
            value = _value(inner, text, time, values)
            return -value if isinstance(sign, ast.USub) else value
        case ast.BinOp(left=left, op=operation, right=right):
            found = OPERATIONS[type(operation)](_value(left, text, time, values), _value(right, text, time, values))
            return math.nan if isinstance(found, complex) else found
        case ast.Call(func=ast.Name(id=name), args=[inner]) if name in REDUCTIONS:
            return reduced(name, time, values[_text(inner, text)])
        case ast.Call(func=ast.Name(id=name), args=[inner]):
            return FUNCTIONS[name](_value(inner, text, time, values))
    raise GoalError(text)


def _text(node: ast.expr, text: str) -> str:
    return ast.get_source_segment(text.strip(), node) or text
