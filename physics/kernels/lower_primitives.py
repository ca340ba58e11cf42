"""Machine code of the primitives of rows.py and simd.py that are no plain loads and stores of a field: offsets, callbacks, vectors, scratch room.

Each is a Python function that runs as written under the interpreter; here numba learns its type (`infer_global` of the very function object)
and its code (`lower_builtin` of the same object). A call is recognised because the global that the kernel names is that object.
"""
from __future__ import annotations

import operator
import types as pytypes

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global, signature

from physics.kernels import rows, simd
from physics.kernels.lower_types import BYTES, F64, I32, V4, VEC, Four, PointerType, StructType, tag

_ACCEPTS = pytypes.MappingProxyType(
    {"p": (PointerType, lambda t: isinstance(t, PointerType), None),
     "l": (PointerType, lambda t: isinstance(t, PointerType) and not t.inner and t.elem == types.float64, None),
     "i": (types.Integer, lambda t: isinstance(t, types.Integer), types.int64),
     "f": (types.Float, lambda t: isinstance(t, types.Float | types.Integer), types.float64),
     "v": (Four, lambda t: t == V4, V4), "s": (StructType, lambda t: isinstance(t, StructType), None)}
)


def _primitive(fn, result, kinds):
    """Register fn(...) with machine code emit(context, builder, sig, *values); kinds: p pointer, l flat double pointer,
    i int, f float, v four, s struct. result: a type, or a function of the argument types.

    The signature names the types that the values are to have (int64 for any integer); numba casts them before it calls emit.
    """

    def register(emit):
        """Decorator of emit."""
        @infer_global(fn)
        class _Typing(AbstractTemplate):
            """Type of a call, where the arguments are of the kinds."""

            def generic(self, args, kws):
                """The signature, None where they are not."""
                if len(args) == len(kinds) and all(_ACCEPTS[k][1](a) for a, k in zip(args, kinds)):
                    final = [_ACCEPTS[k][2] or a for a, k in zip(args, kinds)]
                    return signature(result(*final) if callable(result) and not isinstance(result, types.Type) else result, *final)

        lower_builtin(fn, *[_ACCEPTS[k][0] for k in kinds])(lambda context, builder, sig, args: emit(context, builder, sig, *args))
        return emit

    return register


@_primitive(rows.off, lambda p, k: PointerType(p.dtype, (), p.const), "pi")
def _off(context, b, sig, p, k):
    """off(p, k): the pointer k elements on."""
    return b.gep(p, [k], inbounds=True)


@_primitive(rows.callback, types.void, "iss")
def _callback(context, b, sig, addr, m, d):
    """callback(address, m, d): call a C function there."""
    fn = ir.FunctionType(ir.VoidType(), [BYTES, BYTES])
    b.call(b.inttoptr(addr, fn.as_pointer()), [m, d])
    return context.get_dummy_value()


def _vector_place(b, p, k):
    """Address of four doubles from element k on."""
    return b.bitcast(b.gep(p, [k], inbounds=True), VEC.as_pointer())


@_primitive(simd.vld, V4, "li")
def _vld(context, b, sig, p, k):
    """vld(p, k): four doubles, aligned as doubles are and no more."""
    return tag(b, b.load(_vector_place(b, p, k), align=8), str(sig.args[0].dtype), sig.args[0].const)


@_primitive(simd.vst, types.void, "liv")
def _vst(context, b, sig, p, k, v):
    """vst(p, k, v)."""
    tag(b, b.store(v, _vector_place(b, p, k), align=8), str(sig.args[0].dtype))
    return context.get_dummy_value()


@_primitive(simd.vmul, V4, "vv")
def _vmul(context, b, sig, x, y):
    """vmul(x, y): a product that is rounded by itself; * may be fused with a sum."""
    return b.fmul(x, y)


def _operate(op, instruction):
    """x op y of two Fours; contract: a product and a sum may become one fused operation."""

    @infer_global(op)
    class _Fours(AbstractTemplate):
        """Type of x op y."""

        def generic(self, args, kws):
            """A Four, for two of them."""
            if args == (V4, V4):
                return signature(V4, V4, V4)

    lower_builtin(op, Four, Four)(lambda context, b, sig, args: getattr(b, instruction)(*args, flags=("contract",)))


for _op, _instruction in ((operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul")):
    _operate(_op, _instruction)


@_primitive(simd.vfma, V4, "vvv")
def _vfma(context, b, sig, x, y, z):
    """vfma(x, y, z): x y + z, fused where the processor can."""
    return b.call(cgutils.get_or_insert_function(b.module, ir.FunctionType(VEC, [VEC] * 3), "llvm.fmuladd.v4f64"), [x, y, z])


def _shuffle(b, v, places):
    """Elements of one vector in another order."""
    return b.shuffle_vector(v, ir.Constant(v.type, ir.Undefined), ir.Constant(ir.VectorType(I32, len(places)), places))


@_primitive(simd.vbc, V4, "f")
def _vbc(context, b, sig, x):
    """vbc(x): x four times."""
    return _shuffle(b, b.insert_element(ir.Constant(VEC, ir.Undefined), x, ir.Constant(I32, 0)), [0] * 4)


@_primitive(simd.vset, V4, "ffff")
def _vset(context, b, sig, *values):
    """vset(a, b, c, d)."""
    four = ir.Constant(VEC, ir.Undefined)
    for k, x in enumerate(values):
        four = b.insert_element(four, x, ir.Constant(I32, k))
    return four


@_primitive(simd.vturn, types.UniTuple(V4, 4), "vvvv")
def _vturn(context, b, sig, *rows):
    """vturn(a, b, c, d): the four columns of four rows."""
    def mix(x, y, places):
        """Elements of two rows: 0 to 3 of the first, 4 to 7 of the second."""
        return b.shuffle_vector(x, y, ir.Constant(ir.VectorType(I32, 4), places))

    even = [mix(x, y, [0, 4, 2, 6]) for x, y in (rows[:2], rows[2:])]
    odd = [mix(x, y, [1, 5, 3, 7]) for x, y in (rows[:2], rows[2:])]
    columns = [mix(*pair, places) for places in ([0, 1, 4, 5], [2, 3, 6, 7]) for pair in (even, odd)]
    return context.make_tuple(b, sig.return_type, columns)


@_primitive(simd.vle, types.int64, "vv")
def _vle(context, b, sig, x, y):
    """vle(x, y): bit k of the result says x[k] <= y[k]; the comparison of four is taken as a number of four bits."""
    return b.zext(b.bitcast(b.fcmp_ordered("<=", x, y), ir.IntType(4)), ir.IntType(64))


@_primitive(simd.vsum, types.float64, "v")
def _vsum(context, b, sig, v):
    """vsum(v): (v0 + v2) + (v1 + v3)."""
    half = b.fadd(_shuffle(b, v, [0, 1]), _shuffle(b, v, [2, 3]))
    return b.fadd(*[b.extract_element(half, ir.Constant(I32, k)) for k in (0, 1)])


@infer_global(simd.stack)
class _StackTyping(AbstractTemplate):
    """Type of stack(n). prefer_literal has numba ask with the number itself (IntegerLiteral) before it asks with int64."""

    prefer_literal = True

    def generic(self, args, kws):
        """A flat pointer to doubles, where n is known at compile time."""
        if len(args) == 1 and isinstance(args[0], types.IntegerLiteral):
            return signature(PointerType(types.float64, (), False), args[0])


@lower_builtin(simd.stack, types.IntegerLiteral)
def _stack(context, builder, sig, args):
    """stack(n): n doubles on the stack; alloca_once puts them at the entry of the function, so a loop takes them once."""
    room = cgutils.alloca_once(builder, ir.ArrayType(F64, sig.args[0].literal_value))
    return builder.bitcast(room, F64.as_pointer())
