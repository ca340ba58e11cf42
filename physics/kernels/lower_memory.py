"""Machine code of memory.py: a load from an address that is a number.

A file of its own beside lower_primitives.py: only kernels that read so depend on its text (decorators.LOWERED_APART).
"""
from __future__ import annotations

from llvmlite import ir
from numba.core import types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

from physics.kernels import memory

INT64, DOUBLE = ir.IntType(64), ir.DoubleType()
LOADS = (
    (memory.peek_f8, types.float64, DOUBLE, None), (memory.peek_f4, types.float64, ir.FloatType(), lambda b, x: b.fpext(x, DOUBLE)),
    (memory.peek_i8, types.int64, INT64, None), (memory.peek_i4, types.int64, ir.IntType(32), lambda b, x: b.sext(x, INT64)),
    (memory.peek_u1, types.int64, ir.IntType(8), lambda b, x: b.zext(x, INT64)),
)


def _learn(function, result, element, widen) -> None:
    """Let numba know the type and the code of one of the functions."""

    @infer_global(function)
    class _Typing(AbstractTemplate):
        """Type of a call."""

        def generic(self, args, kws):
            """A whole number in."""
            if len(args) == 1 and isinstance(args[0], types.Integer):
                return signature(result, types.int64)

    @lower_builtin(function, types.Integer)
    def _load(context, b, sig, args):
        """The number there, in a register's form."""
        found = b.load(b.inttoptr(args[0], element.as_pointer()), align=1)
        return found if widen is None else widen(b, found)


for _row in LOADS:
    _learn(*_row)
