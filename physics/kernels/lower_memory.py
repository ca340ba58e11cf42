"""Machine code of memory.py: a load from an address that is a number, and a store to one.

A file of its own beside lower_primitives.py: only kernels that read or write so depend on its text (decorators.LOWERED_APART).
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

STORES = ((memory.poke_i8, INT64, None), (memory.poke_u1, ir.IntType(8), lambda b, x: b.trunc(x, ir.IntType(8))))


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


def _learn_store(function, element, narrow) -> None:
    """Let numba know the type and the code of one of the functions that write. Nothing is said of what the address may be: it may be that of any number."""

    @infer_global(function)
    class _Typing(AbstractTemplate):
        """Type of a call."""

        def generic(self, args, kws):
            """An address and a whole number in, nothing out."""
            if len(args) == 2 and all(isinstance(a, types.Integer) for a in args):
                return signature(types.void, types.int64, types.int64)

    @lower_builtin(function, types.Integer, types.Integer)
    def _store(context, b, sig, args):
        """The number, as wide as it is in memory. A function without a value gives numba's dummy value back."""
        b.store(args[1] if narrow is None else narrow(b, args[1]), b.inttoptr(args[0], element.as_pointer()), align=1)
        return context.get_dummy_value()


for _row in LOADS:
    _learn(*_row)
for _row in STORES:
    _learn_store(*_row)
