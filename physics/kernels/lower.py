"""From a kernel to LLVM's text and an object file. With object_file and quick_numba the only files that import numba; only compile workers (and tests) do.

Three things make the machine code good. Model and Data are one pointer each, to a block of scalars and array
addresses, so one compiled version serves every model. A field is a typed pointer whose row strides are known at
compile time (`Pointer`): no wrap-around of negative indices and no shape loads, so loops vectorise. Loads carry alias
classes (doubles, ints, bytes and block slots never overlap), and what is in Model never changes within a kernel.
"""
from __future__ import annotations

import operator
import types as pytypes

import llvmlite.binding as ll
import numba
from llvmlite import ir
from numba import njit
from numba.core import cgutils, compiler, registry, types
from numba.core import ir as nir
from numba.core.compiler import CompilerBase
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.imputils import lower_builtin, lower_cast, lower_getattr_generic, lower_setattr_generic
from numba.core.typeconv import Conversion
from numba.core.typed_passes import IRLegalization, NoPythonBackend, NopythonTypeInference, PreLowerStripPhis
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.core.untyped_passes import FixupArgs, GenericRewrites, IRProcessing, ReconstructSSA, TranslateByteCode
from numba.extending import models, register_model, typeof_impl
from numba.np.numpy_support import from_dtype

from physics.fields.layout import LAYOUTS
from physics.kernels import decorators, object_file, quick_numba, rows, simd

ll.set_option("linkwork", "-unroll-runtime=false")  # most loops here are short: unrolling them only makes the code longer

BYTES, I32, I64, F64 = ir.IntType(8).as_pointer(), ir.IntType(32), ir.IntType(64), ir.DoubleType()


def check_version() -> None:
    """Raise RuntimeError with what to do when another numba is installed than the one this file was written for."""
    if numba.__version__ != decorators.NUMBA_VERSION:
        raise RuntimeError(
            f"the kernel compiler needs numba {decorators.NUMBA_VERSION}, found {numba.__version__}: "
            f"pip install numba=={decorators.NUMBA_VERSION}"
        )


# ---------------------------------------------------------------- types


class Struct(types.Type):
    """Model ('m' read-only, 'w' writable), Data ('d') or Workpiece ('a'): the address of its block."""

    def __init__(self, key):
        super().__init__(f"linkwork.{key}")
        self.letter = key

    @property
    def layout(self):
        return LAYOUTS["m" if self.letter == "w" else self.letter]

    @property
    def readonly(self):
        return self.letter == "m"

    def can_convert_to(self, typingctx, other):
        if isinstance(other, Struct) and self.letter == "w" and other.letter == "m":
            return Conversion.safe


class Pointer(types.Type):
    """A field: address with element type and compile-time row shape."""

    def __init__(self, dtype, inner, const):
        self.dtype, self.inner, self.const = dtype, inner, const
        super().__init__(f"linkwork.pointer({dtype},{inner},{int(const)})")

    @property
    def elem(self):
        """Type of a loaded value: all integers widen to int64, all floats to float64."""
        return types.int64 if isinstance(self.dtype, types.Integer | types.Boolean) else types.float64


class Batch(types.Type):
    """Addresses of Data blocks; ds[i] is a Data."""

    def __init__(self):
        super().__init__("linkwork.batch")


class Four(types.Type):
    """Four doubles in a vector register."""

    def __init__(self):
        super().__init__("linkwork.four")


M, W, D, A, V4, VEC = Struct("m"), Struct("w"), Struct("d"), Struct("a"), Four(), ir.VectorType(F64, 4)
KIND = pytypes.MappingProxyType(
    {"m": M, "w": W, "d": D, "D": Batch(), "a": A, "i": types.int64, "p": types.int64, "f": types.float64, "": types.void}
)


@register_model(Struct)
@register_model(Batch)
class _OpaqueAddress(models.OpaqueModel):
    pass


@register_model(Pointer)
class _PointerModel(models.PrimitiveModel):
    def __init__(self, dmm, t):
        super().__init__(dmm, t, dmm.lookup(t.dtype).get_data_type().as_pointer())


@register_model(Four)
class _FourModel(models.PrimitiveModel):
    def __init__(self, dmm, t):
        super().__init__(dmm, t, VEC)


@lower_cast(Struct, Struct)
def _struct_to_struct(context, builder, fromty, toty, val):
    return val


# ---------------------------------------------------------------- alias classes


def _alias_class(builder, name):
    mod = builder.module
    known = mod.__dict__.setdefault("_linkwork_alias", {})
    if not known:
        known[""] = mod.add_metadata([ir.MetaDataString(mod, "linkwork")])
        known["invariant"] = mod.add_metadata([])
    if name not in known:
        node = mod.add_metadata([ir.MetaDataString(mod, "linkwork " + name), known[""], ir.Constant(I64, 0)])
        known[name] = mod.add_metadata([node, node, ir.Constant(I64, 0)])
    return known[name]


def _tag(builder, instruction, name, constant=False):
    instruction.set_metadata("tbaa", _alias_class(builder, name))
    if constant:
        instruction.set_metadata("invariant.load", _alias_class(builder, "invariant"))
    return instruction


# ---------------------------------------------------------------- fields of a struct


def _slot(builder, base, offset, ty):
    return builder.bitcast(builder.gep(base, [ir.Constant(I64, offset)], inbounds=True), ty.as_pointer())


@infer_getattr
class _StructAttribute(AttributeTemplate):
    key = Struct

    def generic_resolve(self, t, attr):
        layout = t.layout
        if attr in layout.scalars:
            return types.float64 if layout.scalars[attr][1] == "f" else types.int64
        if attr in layout.arrays:
            spot = layout.arrays[attr]
            return Pointer(from_dtype(spot.dtype), spot.inner, t.readonly)


@lower_getattr_generic(Struct)
def _get_field(context, builder, t, base, attr):
    layout = t.layout
    if attr in layout.scalars:
        offset, kind = layout.scalars[attr]
        place = _slot(builder, base, offset, F64 if kind == "f" else I64)
        return _tag(builder, builder.load(place, align=8), "slot", t.readonly)
    spot = layout.arrays[attr]
    place = _slot(builder, base, spot.offset, context.get_data_type(from_dtype(spot.dtype)).as_pointer())
    return _tag(builder, builder.load(place, align=8), "address", True)  # arrays stay where they are within a kernel


@lower_setattr_generic(Struct)
def _set_field(context, builder, sig, args, attr):
    t = sig.args[0]
    if t.readonly or attr not in t.layout.scalars:
        raise TypeError(f"{attr} cannot be set in a kernel" + (" that takes the Model as 'm'" if t.readonly else ""))
    offset, kind = t.layout.scalars[attr]
    value = context.cast(builder, args[1], sig.args[1], types.float64 if kind == "f" else types.int64)
    _tag(builder, builder.store(value, _slot(builder, args[0], offset, value.type), align=8), "slot")


# ---------------------------------------------------------------- elements: no wrap-around, no bounds


def _index_count(i):
    if isinstance(i, types.Integer):
        return 1
    return len(i) if isinstance(i, types.BaseTuple) and all(isinstance(t, types.Integer) for t in i) else 99


@infer_global(operator.getitem)
class _PointerGet(AbstractTemplate):
    def generic(self, args, kws):
        p, i = args
        if isinstance(p, Batch) and isinstance(i, types.Integer):
            return signature(D, p, types.int64)
        if isinstance(p, Pointer):
            n = _index_count(i)
            if n == 1 + len(p.inner):
                return signature(p.elem, p, i)
            if n <= len(p.inner):  # a row, or a block of rows
                return signature(Pointer(p.dtype, p.inner[n:], p.const), p, i)


@infer_global(operator.setitem)
class _PointerSet(AbstractTemplate):
    def generic(self, args, kws):
        p, i, _value = args
        if isinstance(p, Pointer) and not p.const and _index_count(i) == 1 + len(p.inner):
            return signature(types.void, p, i, p.elem)


@lower_builtin(operator.getitem, Batch, types.Integer)
def _get_batch(context, builder, sig, args):
    place = builder.gep(builder.bitcast(args[0], BYTES.as_pointer()), [args[1]], inbounds=True)
    return _tag(builder, builder.load(place, align=8), "address", True)


def _element(context, builder, p, base, index_type, index):
    single = isinstance(index_type, types.Integer)
    parts = [(index_type, index)] if single else zip(index_type, cgutils.unpack_tuple(builder, index, len(index_type)))
    strides = [1]
    for n in reversed(p.inner):
        strides.insert(0, strides[0] * n)
    total = None
    for (t, v), stride in zip(parts, strides):
        v = context.cast(builder, v, t, types.int64)
        v = v if stride == 1 else builder.mul(v, ir.Constant(I64, stride), flags=["nsw"])
        total = v if total is None else builder.add(total, v, flags=["nsw"])
    return builder.gep(base, [total], inbounds=True)


def _load(context, builder, p, place):
    raw = _tag(builder, builder.load(place), str(p.dtype), p.const)
    return context.cast(builder, context.data_model_manager[p.dtype].from_data(builder, raw), p.dtype, p.elem)


def _store(context, builder, p, place, value, value_type):
    value = context.cast(builder, context.cast(builder, value, value_type, p.elem), p.elem, p.dtype)
    _tag(builder, builder.store(context.data_model_manager[p.dtype].as_data(builder, value), place), str(p.dtype))


def _get_element(context, builder, sig, args):
    p, i = sig.args
    place = _element(context, builder, p, args[0], i, args[1])
    return place if isinstance(sig.return_type, Pointer) else _load(context, builder, p, place)


def _set_element(context, builder, sig, args):
    p, i, t = sig.args
    _store(context, builder, p, _element(context, builder, p, args[0], i, args[1]), args[2], t)


for _index in (types.Integer, types.BaseTuple):
    lower_builtin(operator.getitem, Pointer, _index)(_get_element)
    lower_builtin(operator.setitem, Pointer, _index, types.Any)(_set_element)


# ---------------------------------------------------------------- rows


def _row_place(builder, base, i, n, k):
    return builder.gep(base, [builder.add(builder.mul(i, ir.Constant(I64, n), flags=["nsw"]), ir.Constant(I64, k), flags=["nsw"])], inbounds=True)


def _declare_rows(n):
    ld, st = getattr(rows, f"ld{n}"), getattr(rows, f"st{n}")

    @infer_global(ld)
    class _LoadRow(AbstractTemplate):
        def generic(self, args, kws):
            p, i = args
            if isinstance(p, Pointer) and p.inner == (n,) and isinstance(i, types.Integer):
                return signature(types.UniTuple(p.elem, n), p, types.int64)

    @lower_builtin(ld, Pointer, types.Integer)
    def _load_row(context, builder, sig, args):
        values = [_load(context, builder, sig.args[0], _row_place(builder, args[0], args[1], n, k)) for k in range(n)]
        return context.make_tuple(builder, sig.return_type, values)

    @infer_global(st)
    class _StoreRow(AbstractTemplate):
        def generic(self, args, kws):
            p, i, v = args
            fits = isinstance(p, Pointer) and p.inner == (n,) and not p.const and isinstance(i, types.Integer)
            if fits and isinstance(v, types.BaseTuple) and len(v) == n:
                return signature(types.void, p, types.int64, v)

    @lower_builtin(st, Pointer, types.Integer, types.BaseTuple)
    def _store_row(context, builder, sig, args):
        p, _i, v = sig.args
        for k, x in enumerate(cgutils.unpack_tuple(builder, args[2], n)):
            _store(context, builder, p, _row_place(builder, args[0], args[1], n, k), x, v[k])
        return context.get_dummy_value()


for _n in (3, 4, 6, 9, 10):
    _declare_rows(_n)


# ---------------------------------------------------------------- other primitives

_ACCEPTS = pytypes.MappingProxyType(
    {"p": (Pointer, lambda t: isinstance(t, Pointer), None),
     "l": (Pointer, lambda t: isinstance(t, Pointer) and not t.inner and t.elem == types.float64, None),
     "i": (types.Integer, lambda t: isinstance(t, types.Integer), types.int64),
     "f": (types.Float, lambda t: isinstance(t, types.Float | types.Integer), types.float64),
     "v": (Four, lambda t: t == V4, V4), "s": (Struct, lambda t: isinstance(t, Struct), None)}
)


def _primitive(fn, result, kinds):
    """Register fn(...) with machine code emit(context, builder, sig, *values); kinds: p pointer, l flat double pointer,
    i int, f float, v four, s struct. result: a type, or a function of the argument types."""

    def register(emit):
        @infer_global(fn)
        class _Typing(AbstractTemplate):
            def generic(self, args, kws):
                if len(args) == len(kinds) and all(_ACCEPTS[k][1](a) for a, k in zip(args, kinds)):
                    final = [_ACCEPTS[k][2] or a for a, k in zip(args, kinds)]
                    return signature(result(*final) if callable(result) and not isinstance(result, types.Type) else result, *final)

        lower_builtin(fn, *[_ACCEPTS[k][0] for k in kinds])(lambda context, builder, sig, args: emit(context, builder, sig, *args))
        return emit

    return register


@_primitive(rows.off, lambda p, k: Pointer(p.dtype, (), p.const), "pi")
def _off(context, b, sig, p, k):
    return b.gep(p, [k], inbounds=True)


@_primitive(rows.callback, types.void, "iss")
def _callback(context, b, sig, addr, m, d):
    fn = ir.FunctionType(ir.VoidType(), [BYTES, BYTES])
    b.call(b.inttoptr(addr, fn.as_pointer()), [m, d])
    return context.get_dummy_value()


def _vector_place(b, p, k):
    return b.bitcast(b.gep(p, [k], inbounds=True), VEC.as_pointer())


@_primitive(simd.vld, V4, "li")
def _vld(context, b, sig, p, k):
    return _tag(b, b.load(_vector_place(b, p, k), align=8), str(sig.args[0].dtype), sig.args[0].const)


@_primitive(simd.vst, types.void, "liv")
def _vst(context, b, sig, p, k, v):
    _tag(b, b.store(v, _vector_place(b, p, k), align=8), str(sig.args[0].dtype))
    return context.get_dummy_value()


@_primitive(simd.vmul, V4, "vv")
def _vmul(context, b, sig, x, y):
    return b.fmul(x, y)


def _operate(op, instruction):
    @infer_global(op)
    class _Fours(AbstractTemplate):
        def generic(self, args, kws):
            if args == (V4, V4):
                return signature(V4, V4, V4)

    lower_builtin(op, Four, Four)(lambda context, b, sig, args: getattr(b, instruction)(*args, flags=("contract",)))


for _op, _instruction in ((operator.add, "fadd"), (operator.sub, "fsub"), (operator.mul, "fmul")):
    _operate(_op, _instruction)


@_primitive(simd.vfma, V4, "vvv")
def _vfma(context, b, sig, x, y, z):
    return b.call(cgutils.get_or_insert_function(b.module, ir.FunctionType(VEC, [VEC] * 3), "llvm.fmuladd.v4f64"), [x, y, z])


def _shuffle(b, v, places):
    return b.shuffle_vector(v, ir.Constant(v.type, ir.Undefined), ir.Constant(ir.VectorType(I32, len(places)), places))


@_primitive(simd.vbc, V4, "f")
def _vbc(context, b, sig, x):
    return _shuffle(b, b.insert_element(ir.Constant(VEC, ir.Undefined), x, ir.Constant(I32, 0)), [0] * 4)


@_primitive(simd.vset, V4, "ffff")
def _vset(context, b, sig, *values):
    four = ir.Constant(VEC, ir.Undefined)
    for k, x in enumerate(values):
        four = b.insert_element(four, x, ir.Constant(I32, k))
    return four


@_primitive(simd.vturn, types.UniTuple(V4, 4), "vvvv")
def _vturn(context, b, sig, *rows):
    def mix(x, y, places):
        return b.shuffle_vector(x, y, ir.Constant(ir.VectorType(I32, 4), places))

    even = [mix(x, y, [0, 4, 2, 6]) for x, y in (rows[:2], rows[2:])]
    odd = [mix(x, y, [1, 5, 3, 7]) for x, y in (rows[:2], rows[2:])]
    columns = [mix(*pair, places) for places in ([0, 1, 4, 5], [2, 3, 6, 7]) for pair in (even, odd)]
    return context.make_tuple(b, sig.return_type, columns)


@_primitive(simd.vle, types.int64, "vv")
def _vle(context, b, sig, x, y):
    return b.zext(b.bitcast(b.fcmp_ordered("<=", x, y), ir.IntType(4)), ir.IntType(64))


@_primitive(simd.vsum, types.float64, "v")
def _vsum(context, b, sig, v):
    half = b.fadd(_shuffle(b, v, [0, 1]), _shuffle(b, v, [2, 3]))
    return b.fadd(*[b.extract_element(half, ir.Constant(I32, k)) for k in (0, 1)])


@infer_global(simd.stack)
class _StackTyping(AbstractTemplate):
    prefer_literal = True

    def generic(self, args, kws):
        if len(args) == 1 and isinstance(args[0], types.IntegerLiteral):
            return signature(Pointer(types.float64, (), False), args[0])


@lower_builtin(simd.stack, types.IntegerLiteral)
def _stack(context, builder, sig, args):
    room = cgutils.alloca_once(builder, ir.ArrayType(F64, sig.args[0].literal_value))
    return builder.bitcast(room, F64.as_pointer())


# ---------------------------------------------------------------- calls: kernels by symbol, helpers inlined


def c_signature(k):
    """Numba signature of a kernel."""
    return KIND[k.ret](*[KIND[a] for a in k.args])


@typeof_impl.register(decorators.Kernel)
def _kernel_type(k, c):
    return types.ExternalFunction(k.symbol, c_signature(k))


_dispatchers = {}


@typeof_impl.register(pytypes.FunctionType)
def _function_type(fn, c):
    if fn in decorators.HELPERS:
        if fn not in _dispatchers:
            _dispatchers[fn] = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, error_model="numpy",
                                    fastmath=set(decorators.HELPERS[fn]), pipeline_class=Lean)(fn)
        return types.Dispatcher(_dispatchers[fn])


# ---------------------------------------------------------------- compiling


@register_pass(mutates_CFG=False, analysis_only=True)
class NoRaise(AnalysisPass):
    """Refuse raise and assert: without the interpreter they would be a silent return."""

    _name = "linkwork_no_raise"

    def __init__(self):
        AnalysisPass.__init__(self)

    def run_pass(self, state):
        for block in state.func_ir.blocks.values():
            for st in block.body:
                if isinstance(st, nir.Raise | nir.StaticRaise | nir.DynamicRaise):
                    raise TypeError(f"{state.func_id.func_name}, line {st.loc.line}: raise or assert in a kernel")
        return False


class Lean(CompilerBase):
    """Numba's pipeline without the passes that kernels never need."""

    def define_pipelines(self):
        pm = quick_numba.Passes("nopython")
        for step in (TranslateByteCode, FixupArgs, IRProcessing, GenericRewrites, NoRaise, ReconstructSSA, NopythonTypeInference,
                     PreLowerStripPhis, IRLegalization, quick_numba.QuickLowering, NoPythonBackend):
            pm.add_pass(step, step.__name__)
        pm.finalize()
        return [pm]


ALLOWED = frozenset(
    "sin cos sincos tan asin acos atan atan2 sinh cosh tanh exp exp2 expm1 log log10 log2 log1p pow sqrt cbrt hypot fmod floor ceil round"
    " trunc erf erfc memcpy memset memmove".split()
)


def _refuse_symbols(k, module) -> None:
    for fn in module.functions:
        name = fn.name
        if fn.is_declaration and not name.startswith("llvm.") and name not in ALLOWED and name not in decorators.KERNELS:
            why = "it allocates memory" if name.startswith("NRT") else "it calls into the interpreter" if name.startswith("Py") else "unknown symbol"
            raise TypeError(f"needs the forbidden symbol {name}: {why}")


def _wrap(k, lib, tc, compiled, sig):
    """Add the C entry point; the compiled body is inlined into it like any helper."""
    mod = lib.create_ir_module("entry")
    ret = tc.get_value_type(sig.return_type) if k.ret else ir.VoidType()
    fn = ir.Function(mod, ir.FunctionType(ret, [tc.get_value_type(a) for a in sig.args]), k.symbol)
    b = ir.IRBuilder(fn.append_basic_block())
    _status, result = tc.call_conv.call_function(b, tc.declare_function(mod, compiled.fndesc), sig.return_type, sig.args, fn.args)
    b.ret(result) if k.ret else b.ret_void()
    lib.add_ir_module(mod)


@global_compiler_lock
def compile_kernel(k: decorators.Kernel) -> bytes:
    """Object file that exports k.symbol with the C calling convention.

    Raises KernelError naming the kernel and its place, with Numba's reason.
    """
    object_file.install()
    quick_numba.install()
    ty, tc = registry.cpu_target.typing_context, registry.cpu_target.target_context
    ty.refresh()
    tc.refresh()
    flags = compiler.Flags()
    options = dict(nopython=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, error_model="numpy", fastmath=set(k.fastmath))
    registry.cpu_target.options.parse_as_flags(flags, options)
    flags.no_compile = True
    sig = c_signature(k)
    lib = tc.codegen().create_library("kernel:" + k.symbol)
    try:
        compiled = compiler.compile_extra(ty, tc, k.fn, sig.args, sig.return_type, flags, {}, library=lib, pipeline_class=Lean)
        _wrap(k, lib, tc, compiled, sig)
        lib.finalize()
        _refuse_symbols(k, lib._final_module)
    except Exception as error:
        raise decorators.KernelError(f"{decorators.place(k.fn)}: {error}") from error
    return lib.object_file
