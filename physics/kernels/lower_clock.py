"""Machine code of clock.read_clock: a call of the function whose address it is given, without the interpreter.

A file of its own beside lower_primitives.py: only kernels that read the clock depend on its text (decorators.LOWERED_APART).
"""
from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

from physics.kernels import clock

INT, LONG = ir.IntType(32), ir.IntType(64)
SECOND = 1_000_000_000   # nanoseconds


@infer_global(clock.read_clock)
class _ReadClock(AbstractTemplate):
    """Type of read_clock(address, kind)."""

    def generic(self, args, kws):
        """Whole numbers in, int64 out."""
        if len(args) == 2 and all(isinstance(a, types.Integer) for a in args):
            return signature(types.int64, types.int64, types.int64)


@lower_builtin(clock.read_clock, types.Integer, types.Integer)
def _read_clock(context, b, sig, args):
    """clock_gettime(kind, &time), and its two words (seconds, nanoseconds) as one number."""
    address, kind = args
    words = ir.ArrayType(LONG, 2)
    place = cgutils.alloca_once(b, words)
    function = ir.FunctionType(INT, [INT, words.as_pointer()])
    b.call(b.inttoptr(address, function.as_pointer()), [b.trunc(kind, INT), place])
    seconds, rest = (b.load(cgutils.gep_inbounds(b, place, 0, k)) for k in (0, 1))
    return b.add(b.mul(seconds, ir.Constant(LONG, SECOND)), rest)
