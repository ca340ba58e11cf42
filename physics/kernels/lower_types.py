"""What Model, Data and their fields are in compiled code: numba types, how they lie in registers, and how their elements are read and written.

Model and Data are one pointer each, to a block of scalars and array addresses, so one compiled version serves every model. A field is a
typed pointer whose row strides are known at compile time (`PointerType`): no wrap-around of negative indices and no shape loads, so loops
vectorise. Loads carry alias classes (doubles, ints, bytes and block slots never overlap), and what is in Model never changes within a kernel.

What this takes from numba is its documented way of adding types (numba.extending and the decorators behind it): `register_model` says what
a type is in LLVM, a typing template (`infer_getattr`, `infer_global`) says which type an expression has or returns None where it does not
apply, and `lower_getattr_generic`, `lower_setattr_generic`, `lower_builtin`, `lower_cast` write the LLVM code. Would one of these change,
importing this file would fail, or every kernel would with 'No implementation of function' and the name of the operation.
"""
from __future__ import annotations

import operator
import types as pytypes

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import lower_builtin, lower_cast, lower_getattr_generic, lower_setattr_generic
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr, infer_global, signature
from numba.extending import models, register_model
from numba.np.numpy_support import from_dtype

from physics.fields.layout import LAYOUTS
from physics.kernels import rows

BYTES, I32, I64, F64 = ir.IntType(8).as_pointer(), ir.IntType(32), ir.IntType(64), ir.DoubleType()

# ---------------------------------------------------------------- types


class StructType(types.Type):
    """Model ('m' read-only, 'w' writable), Data ('d') or KernelBuffers ('a'): the address of its block."""

    def __init__(self, key):
        super().__init__(f"linkwork.{key}")
        self.letter = key

    @property
    def layout(self):
        """Where its fields lie (physics/fields/layout.py); a writable Model lies as a Model does."""
        return LAYOUTS["m" if self.letter == "w" else self.letter]

    @property
    def readonly(self):
        """Whether kernels may not write it, so that its loads may be moved over any store."""
        return self.letter == "m"

    def can_convert_to(self, typingctx, other):
        """A kernel that only reads a Model may be called with one that may be written. None (numba's word for no) otherwise."""
        if isinstance(other, StructType) and self.letter == "w" and other.letter == "m":
            return Conversion.safe


class PointerType(types.Type):
    """A field: address with element type and compile-time row shape."""

    def __init__(self, dtype, inner, const):
        self.dtype, self.inner, self.const = dtype, inner, const
        super().__init__(f"linkwork.pointer({dtype},{inner},{int(const)})")

    @property
    def elem(self):
        """Type of a loaded value: all integers widen to int64, all floats to float64."""
        return types.int64 if isinstance(self.dtype, types.Integer | types.Boolean) else types.float64


class BatchType(types.Type):
    """Addresses of Data blocks; ds[i] is a Data."""

    def __init__(self):
        super().__init__("linkwork.batch")


class Four(types.Type):
    """Four doubles in a vector register."""

    def __init__(self):
        super().__init__("linkwork.four")


M, W, D, A, V4, VEC = StructType("m"), StructType("w"), StructType("d"), StructType("a"), Four(), ir.VectorType(F64, 4)
KIND = pytypes.MappingProxyType(
    {"m": M, "w": W, "d": D, "D": BatchType(), "a": A, "i": types.int64, "p": types.int64, "f": types.float64, "": types.void}
)


@register_model(StructType)
@register_model(BatchType)
class _OpaqueAddress(models.OpaqueModel):
    """An untyped pointer (i8*): numba counts no references to it and looks for nothing behind it."""


@register_model(PointerType)
class _PointerModel(models.PrimitiveModel):
    """A pointer to elements as they lie in memory (bool: one byte), not as numba holds them in registers."""

    def __init__(self, dmm, t):
        super().__init__(dmm, t, dmm.lookup(t.dtype).get_data_type().as_pointer())


@register_model(Four)
class _FourModel(models.PrimitiveModel):
    """<4 x double>; LLVM takes two registers for it where the processor has no wide ones."""

    def __init__(self, dmm, t):
        super().__init__(dmm, t, VEC)


@lower_cast(StructType, StructType)
def _struct_to_struct(context, builder, fromty, toty, val):
    """'w' to 'm', as can_convert_to allows: the same address."""
    return val


# ---------------------------------------------------------------- alias classes


def _alias_class(builder, name):
    """The TBAA node of a kind of memory, made once a module: children of one root, of which LLVM believes that none overlaps another.

    Nodes belong to a module, so they are kept in an attribute that is put on llvmlite's module object, which allows that as it has a __dict__.
    """
    mod = builder.module
    known = mod.__dict__.setdefault("_linkwork_alias", {})
    if not known:
        known[""] = mod.add_metadata([ir.MetaDataString(mod, "linkwork")])
        known["invariant"] = mod.add_metadata([])
    if name not in known:
        node = mod.add_metadata([ir.MetaDataString(mod, "linkwork " + name), known[""], ir.Constant(I64, 0)])
        known[name] = mod.add_metadata([node, node, ir.Constant(I64, 0)])
    return known[name]


def tag(builder, instruction, name, constant=False):
    """Say of a load or store which kind of memory it touches; constant: of a load, that nothing changes it while the kernel runs. Gives it back."""
    instruction.set_metadata("tbaa", _alias_class(builder, name))
    if constant:
        instruction.set_metadata("invariant.load", _alias_class(builder, "invariant"))
    return instruction


# ---------------------------------------------------------------- fields of a struct


def _slot(builder, base, offset, ty):
    """Address of what lies some bytes into a block, as a pointer to this LLVM type."""
    return builder.bitcast(builder.gep(base, [ir.Constant(I64, offset)], inbounds=True), ty.as_pointer())


@infer_getattr
class _StructAttribute(AttributeTemplate):
    """Type of m.name and d.name. Its `key` is a class: numba looks attributes up for every class that the type derives from."""

    key = StructType

    def generic_resolve(self, t, attr):
        """float64 or int64 for a scalar, a PointerType for an array, None (then numba reports an unknown attribute) for anything else."""
        layout = t.layout
        if attr in layout.scalars:
            return types.float64 if layout.scalars[attr][1] == "f" else types.int64
        if attr in layout.arrays:
            spot = layout.arrays[attr]
            return PointerType(from_dtype(spot.dtype), spot.inner, t.readonly)


@lower_getattr_generic(StructType)
def _get_field(context, builder, t, base, attr):
    """Code of m.name: a load from the block, of the scalar itself or of the array's address."""
    layout = t.layout
    if attr in layout.scalars:
        offset, kind = layout.scalars[attr]
        place = _slot(builder, base, offset, F64 if kind == "f" else I64)
        return tag(builder, builder.load(place, align=8), "slot", t.readonly)
    spot = layout.arrays[attr]
    place = _slot(builder, base, spot.offset, context.get_data_type(from_dtype(spot.dtype)).as_pointer())
    return tag(builder, builder.load(place, align=8), "address", True)  # arrays stay where they are within a kernel


@lower_setattr_generic(StructType)
def _set_field(context, builder, sig, args, attr):
    """Code of d.name = value, for scalars; numba has typed the value as it is, so it is cast here. Raises TypeError, which refuses the kernel."""
    t = sig.args[0]
    if t.readonly or attr not in t.layout.scalars:
        raise TypeError(f"{attr} cannot be set in a kernel" + (" that takes the Model as 'm'" if t.readonly else ""))
    offset, kind = t.layout.scalars[attr]
    value = context.cast(builder, args[1], sig.args[1], types.float64 if kind == "f" else types.int64)
    tag(builder, builder.store(value, _slot(builder, args[0], offset, value.type), align=8), "slot")


# ---------------------------------------------------------------- elements: no wrap-around, no bounds


def _index_count(i):
    """How many indices an index expression has: 1, or the length of a tuple of integers; 99, which fits nothing, for anything else."""
    if isinstance(i, types.Integer):
        return 1
    return len(i) if isinstance(i, types.BaseTuple) and all(isinstance(t, types.Integer) for t in i) else 99


@infer_global(operator.getitem)
class _PointerGet(AbstractTemplate):
    """Type of p[i], p[i, k] and ds[i]."""

    def generic(self, args, kws):
        """All indices give an element, fewer a PointerType to a row or a block of rows; None hands on to numba's own templates."""
        p, i = args
        if isinstance(p, BatchType) and isinstance(i, types.Integer):
            return signature(D, p, types.int64)
        if isinstance(p, PointerType):
            n = _index_count(i)
            if n == 1 + len(p.inner):
                return signature(p.elem, p, i)
            if n <= len(p.inner):  # a row, or a block of rows
                return signature(PointerType(p.dtype, p.inner[n:], p.const), p, i)


@infer_global(operator.setitem)
class _PointerSet(AbstractTemplate):
    """Type of p[i, k] = x."""

    def generic(self, args, kws):
        """Only whole elements can be set, and none of what the kernel may only read."""
        p, i, _value = args
        if isinstance(p, PointerType) and not p.const and _index_count(i) == 1 + len(p.inner):
            return signature(types.void, p, i, p.elem)


@lower_builtin(operator.getitem, BatchType, types.Integer)
def _get_batch(context, builder, sig, args):
    """Code of ds[i]: the i-th address of a table of addresses."""
    place = builder.gep(builder.bitcast(args[0], BYTES.as_pointer()), [args[1]], inbounds=True)
    return tag(builder, builder.load(place, align=8), "address", True)


def _element(context, builder, p, base, index_type, index):
    """Address of p[i, k, ...]: base + i * stride + k * ..., without wrap-around (nsw tells LLVM that it never overflows, which lets loops vectorise)."""
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
    """An element as kernels see it: from memory's form to a register's (bool: i8 to i1), then widened to int64 or float64."""
    raw = tag(builder, builder.load(place), str(p.dtype), p.const)
    return context.cast(builder, context.data_model_manager[p.dtype].from_data(builder, raw), p.dtype, p.elem)


def _store(context, builder, p, place, value, value_type):
    """The way back; the first cast gives 1 and 1.0 one way to a float field, the second narrows."""
    value = context.cast(builder, context.cast(builder, value, value_type, p.elem), p.elem, p.dtype)
    tag(builder, builder.store(context.data_model_manager[p.dtype].as_data(builder, value), place), str(p.dtype))


def _get_element(context, builder, sig, args):
    """Code of p[i] and p[i, k]: an element, or the address of a row."""
    p, i = sig.args
    place = _element(context, builder, p, args[0], i, args[1])
    return place if isinstance(sig.return_type, PointerType) else _load(context, builder, p, place)


def _set_element(context, builder, sig, args):
    """Code of p[i, k] = x."""
    p, i, t = sig.args
    _store(context, builder, p, _element(context, builder, p, args[0], i, args[1]), args[2], t)


for _index in (types.Integer, types.BaseTuple):
    lower_builtin(operator.getitem, PointerType, _index)(_get_element)
    lower_builtin(operator.setitem, PointerType, _index, types.Any)(_set_element)


# ---------------------------------------------------------------- rows


def _row_place(builder, base, i, n, k):
    """Address of number k of row i of n numbers."""
    return builder.gep(base, [builder.add(builder.mul(i, ir.Constant(I64, n), flags=["nsw"]), ir.Constant(I64, k), flags=["nsw"])], inbounds=True)


def _declare_rows(n):
    """ldN and stN of physics/kernels/rows.py for rows of n numbers: one load or store each, the row as a tuple, which lives in registers."""
    ld, st = getattr(rows, f"ld{n}"), getattr(rows, f"st{n}")

    @infer_global(ld)
    class _LoadRow(AbstractTemplate):
        """Type of ldN(p, i)."""

        def generic(self, args, kws):
            """A tuple of n elements, for a field with rows of just n."""
            p, i = args
            if isinstance(p, PointerType) and p.inner == (n,) and isinstance(i, types.Integer):
                return signature(types.UniTuple(p.elem, n), p, types.int64)

    @lower_builtin(ld, PointerType, types.Integer)
    def _load_row(context, builder, sig, args):
        """Code of ldN(p, i). `make_tuple` is how numba builds a tuple value."""
        values = [_load(context, builder, sig.args[0], _row_place(builder, args[0], args[1], n, k)) for k in range(n)]
        return context.make_tuple(builder, sig.return_type, values)

    @infer_global(st)
    class _StoreRow(AbstractTemplate):
        """Type of stN(p, i, v)."""

        def generic(self, args, kws):
            """For tuples of n numbers of any kinds, into what may be written."""
            p, i, v = args
            fits = isinstance(p, PointerType) and p.inner == (n,) and not p.const and isinstance(i, types.Integer)
            if fits and isinstance(v, types.BaseTuple) and len(v) == n:
                return signature(types.void, p, types.int64, v)

    @lower_builtin(st, PointerType, types.Integer, types.BaseTuple)
    def _store_row(context, builder, sig, args):
        """Code of stN(p, i, v). A function without a value gives numba's dummy value back."""
        p, _i, v = sig.args
        for k, x in enumerate(cgutils.unpack_tuple(builder, args[2], n)):
            _store(context, builder, p, _row_place(builder, args[0], args[1], n, k), x, v[k])
        return context.get_dummy_value()


for _n in (3, 4, 6, 9, 10):
    _declare_rows(_n)
