"""The text of an expression as a tree of few kinds of nodes; what is not among them is refused with its column. Nothing is ever evaluated as Python.

    qpos[3]   xpos["torso"]   geom_friction["floor", 0]   body("torso").xpos[2]   contact("ball", "floor").force
    norm(cvel["torso"])   0.5*(qpos["knee"] - qpos["hip"])   time > 2 and ncon == 0

Python's own parser reads the text (ast.parse makes a tree and runs nothing); the grammar is the part of Python's that `_Reader` has methods for.
"""
from __future__ import annotations

import ast
import warnings
from dataclasses import dataclass
from math import inf
from types import MappingProxyType

LONGEST = 2000      # letters of a text
DEEPEST = 60        # nodes inside one another
ARITHMETIC = MappingProxyType({ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**", ast.Mod: "%"})
COMPARISONS = MappingProxyType({ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!="})
SIGNS = MappingProxyType({ast.USub: "-", ast.UAdd: "+", ast.Not: "not"})
WORDS = MappingProxyType({ast.And: "and", ast.Or: "or"})
FOREIGN = MappingProxyType({ast.IfExp: "'if'; where(condition, a, b) chooses", ast.Lambda: "'lambda'", ast.Dict: "{ }", ast.Set: "{ }", ast.List: "[ ] without a name before it", ast.Tuple: "a comma outside brackets",
           ast.JoinedStr: "f'...'", ast.Starred: "*", ast.Slice: "':'; an index is a number or a name", ast.NamedExpr: "':='", ast.BitAnd: "'&'; 'and' joins conditions", ast.BitOr: "'|'; 'or' joins conditions",
           ast.BitXor: "'^'; powers are written **", ast.FloorDiv: "'//'", ast.MatMult: "'@'; dot(a, b) is the product of vectors", ast.In: "'in'", ast.NotIn: "'in'", ast.Is: "'is'", ast.IsNot: "'is'",
           ast.Invert: "'~'", ast.LShift: "'<<'", ast.RShift: "'>>'"})


class ExpressionError(ValueError):
    """What is wrong with an expression. column: of the letter where it begins, the first is 1; reason: without the column."""

    def __init__(self, column: int, reason: str):
        super().__init__(f"column {column}: {reason}")
        self.column, self.reason = column, reason


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is written out."""

    at: int
    value: float


@dataclass(frozen=True, slots=True)
class Name:
    """A field or a constant by its name."""

    at: int
    name: str


@dataclass(frozen=True, slots=True)
class Index:
    """Entries of something: each index a whole number or a name in quotes, with its column."""

    at: int
    of: object
    indices: tuple[tuple[int, int | str], ...]


@dataclass(frozen=True, slots=True)
class Attribute:
    """A value of an element: body("torso").xpos. at: where the name of the value is."""

    at: int
    of: object
    name: str


@dataclass(frozen=True, slots=True)
class Call:
    """A function by its name, with what it is given: nodes, and texts in quotes as (column, text)."""

    at: int
    name: str
    arguments: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """A name in quotes, as a function is given it."""

    at: int
    text: str


@dataclass(frozen=True, slots=True)
class Operation:
    """Signs, arithmetic, comparisons and conditions: `sign` with one operand or two."""

    at: int
    sign: str
    operands: tuple[object, ...]


def parse(text: str) -> object:
    """The tree of an expression. Raises ExpressionError."""
    if len(text) > LONGEST:
        raise ExpressionError(LONGEST + 1, f"the expression is longer than {LONGEST} letters")
    flat = text.replace("\n", " ").replace("\r", " ").replace("\f", " ")
    lead = len(flat) - len(flat.lstrip())
    flat = flat.strip()
    if not flat:
        raise ExpressionError(1, "write the name of a field, such as qpos[0], or an expression")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(flat, mode="eval")
    except SyntaxError as why:
        raise ExpressionError(lead + max(why.offset or 1, 1), f"this is no expression ({why.msg})") from None
    except (ValueError, MemoryError, RecursionError, OverflowError) as why:
        raise ExpressionError(lead + 1, f"this is no expression ({why or type(why).__name__})") from None
    return _Reader(flat, lead).read(tree.body, 0)


class _Reader:
    """Turns Python's tree into ours."""

    def __init__(self, text: str, lead: int):
        self._bytes, self._lead = text.encode(), lead

    def _column(self, node) -> int:
        """Column of a node's first letter; Python counts bytes from 0."""
        return self._lead + 1 + len(self._bytes[:node.col_offset].decode(errors="replace"))

    def read(self, node, depth: int) -> object:
        """Our node for one of Python's. Raises ExpressionError."""
        at = self._column(node)
        if depth > DEEPEST:
            raise ExpressionError(at, f"more than {DEEPEST} expressions inside one another")
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        if method is None:
            raise ExpressionError(at, f"{self._foreign(node)} is no part of an expression")
        return method(node, at, depth + 1)

    @staticmethod
    def _foreign(node) -> str:
        return FOREIGN.get(type(node), f"'{type(node).__name__.lower()}'")

    def _constant(self, node, at, _depth):
        value = node.value
        if isinstance(value, str):
            raise ExpressionError(at, "a name in quotes stands in brackets behind a field, or is given to a function")
        if isinstance(value, bool):
            return Number(at, float(value))
        if not isinstance(value, int | float):
            raise ExpressionError(at, f"{value!r} is no number")
        try:
            return Number(at, float(value))
        except OverflowError:
            return Number(at, inf)

    def _name(self, node, at, _depth):
        return Name(at, node.id)

    def _subscript(self, node, at, depth):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if not parts:
            raise ExpressionError(self._column(node.slice), "the brackets are empty")
        return Index(at, self.read(node.value, depth), tuple(self._index(part) for part in parts))

    def _index(self, node) -> tuple[int, int | str]:
        at, value, sign = self._column(node), node, 1
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            value, sign = node.operand, -1
        if not isinstance(value, ast.Constant) or isinstance(value.value, bool) or not isinstance(value.value, int | str) or sign < 0 and isinstance(value.value, str):
            raise ExpressionError(at, "an index is a whole number, or a name in quotes")
        return at, value.value if sign > 0 else -value.value

    def _attribute(self, node, _at, depth):
        end = self._lead + 1 + len(self._bytes[:node.end_col_offset].decode(errors="replace"))
        return Attribute(end - len(node.attr), self.read(node.value, depth), node.attr)

    def _call(self, node, at, depth):
        if node.keywords:
            first = node.keywords[0]
            raise ExpressionError(self._column(first), "functions are given values without names")
        if not isinstance(node.func, ast.Name):
            raise ExpressionError(at, "only functions are called, by their name")
        return Call(at, node.func.id, tuple(self._argument(one, depth) for one in node.args))

    def _argument(self, node, depth):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return Text(self._column(node), node.value)
        return self.read(node, depth)

    def _unaryop(self, node, at, depth):
        sign = SIGNS.get(type(node.op))
        if sign is None:
            raise ExpressionError(at, f"{self._foreign(node.op)} is no part of an expression")
        return Operation(at, sign, (self.read(node.operand, depth),))

    def _binop(self, node, at, depth):
        sign = ARITHMETIC.get(type(node.op))
        if sign is None:
            raise ExpressionError(at, f"{self._foreign(node.op)} is no part of an expression")
        return Operation(at, sign, (self.read(node.left, depth), self.read(node.right, depth)))

    def _boolop(self, node, at, depth):
        found = self.read(node.values[0], depth)
        for other in node.values[1:]:
            found = Operation(at, WORDS[type(node.op)], (found, self.read(other, depth)))
        return found

    def _compare(self, node, at, depth):
        """a < b < c holds where both comparisons do."""
        operands = [self.read(one, depth) for one in (node.left, *node.comparators)]
        for op in node.ops:
            if type(op) not in COMPARISONS:
                raise ExpressionError(at, f"{self._foreign(op)} is no part of an expression")
        pairs = [Operation(at, COMPARISONS[type(op)], (operands[k], operands[k + 1])) for k, op in enumerate(node.ops)]
        found = pairs[0]
        for other in pairs[1:]:
            found = Operation(at, "and", (found, other))
        return found
