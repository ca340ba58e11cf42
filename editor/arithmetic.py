"""Numbers as people type them: a number or a small expression of them. A whitelisted syntax tree, never `eval`."""
import ast
import math
import operator
from collections.abc import Mapping
from types import MappingProxyType

_OPERATIONS = MappingProxyType({ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv, ast.Pow: operator.pow})
NAMES: Mapping[str, float] = MappingProxyType({"pi": math.pi, "e": math.e, "inf": math.inf})
LARGEST_POWER = 64


def evaluated(text: str, names: Mapping[str, float] = NAMES) -> float:
    """Value of a number or an expression (+ - * / **) of numbers and these names. Raises ValueError with what is wrong."""
    try:
        value = _value(ast.parse(text.strip(), mode="eval").body, names)
        if not isinstance(value, complex):
            return float(value)
    except (SyntaxError, TypeError, ZeroDivisionError, OverflowError, RecursionError, MemoryError) as error:
        raise ValueError(f"'{text.strip()}' is not a number") from error
    raise ValueError(f"'{text.strip()}' is not a number")


def _value(node, names):
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        return node.value
    if isinstance(node, ast.Name) and node.id in names:
        return names[node.id]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.UAdd, ast.USub)):
        return -_value(node.operand, names) if isinstance(node.op, ast.USub) else _value(node.operand, names)
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        left, right = _value(node.left, names), _value(node.right, names)
        if isinstance(node.op, ast.Pow) and abs(right) > LARGEST_POWER:
            raise ValueError("the power is too large")
        return _OPERATIONS[type(node.op)](left, right)
    raise ValueError("only numbers and + - * / ** are understood here")
