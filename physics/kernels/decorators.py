"""Declare compiled functions and say exactly what their machine code depends on.

A `@kernel` becomes one C symbol in one object file; a `@helper` is inlined into the kernels that call it. Both stay
ordinary Python functions, so `LINKWORK_NOJIT=1` runs the same text under the interpreter.

The cache key of a kernel is a digest of everything that can change its machine code and of nothing else: its own
bytecode and constants, the same of the helpers it reaches, the values of the global numbers they name, the place and
type of the fields they name, the signatures (not the bodies) of the kernels they call, the lowering and the compiler
versions, and the processor. Comments, docstrings, file paths and fields that nobody names do not count.
"""
from __future__ import annotations

import ctypes
import functools
import hashlib
import importlib.util
import opcode
import os
import sys
import types
from collections.abc import Callable, Iterable, Mapping

from physics.kernels import guard, link

CONTRACT = frozenset({"contract"})  # fused multiply-add only; NaN tests keep working
EXACT = frozenset()  # every operation rounds by itself, as in NumPy
REASSOC = frozenset({"contract", "reassoc", "nsz", "arcp"})  # for dense reductions only; NaN tests keep working
NOJIT = os.environ.get("LINKWORK_NOJIT") == "1"
NUMBA_VERSION = "0.68.1"  # lower.py builds on this version's internals

KERNELS: dict[str, "Kernel"] = {}  # symbol -> kernel, in the order of definition
HELPERS: dict[Callable, frozenset] = {}  # python function -> its fast-math flags

LETTERS = types.MappingProxyType(
    {"m": ctypes.c_void_p, "w": ctypes.c_void_p, "d": ctypes.c_void_p, "D": ctypes.c_void_p,
     "p": ctypes.c_void_p, "a": ctypes.c_void_p, "i": ctypes.c_int64, "f": ctypes.c_double, "": None}
)
_VARIADIC = 0x04 | 0x08  # co_flags: *args, **kwargs


class KernelError(TypeError):
    """A compiled function uses something it may not; the message names it and its place."""


def place(fn: Callable) -> str:
    """`name (file:line)` of a function, for messages."""
    code = fn.__code__
    return f"{fn.__name__} ({code.co_filename}:{code.co_firstlineno})"


def _refuse_shape(fn: Callable) -> None:
    if fn.__defaults__ or fn.__kwdefaults__ or fn.__code__.co_flags & _VARIADIC:
        raise KernelError(f"{place(fn)}: compiled functions take no default, * or ** arguments")
    if fn.__code__.co_freevars:
        raise KernelError(f"{place(fn)}: compiled functions must not close over {fn.__code__.co_freevars}")


class Kernel:
    """One C symbol. Called like a function: `com_vel(m, d)`; the interpreter lock is released meanwhile."""

    def __init__(self, fn: Callable, args: str, ret: str, fastmath: Iterable[str]):
        _refuse_shape(fn)
        self.fn, self.args, self.ret, self.fastmath = fn, tuple(args.split()), ret, frozenset(fastmath)
        if len(self.args) != fn.__code__.co_argcount or not set(self.args) | {ret} <= set(LETTERS):
            raise KernelError(f"{place(fn)}: '{args}' does not fit the parameters, or has an unknown letter")
        self.__name__, self.__doc__, self.module = fn.__name__, fn.__doc__, fn.__module__
        self.symbol = f"{fn.__module__.replace('.', '_')}__{fn.__name__}"
        self.key = None  # cache key of the code that is bound now
        self.addr = 0
        self._brief = None
        self.call = self.plain if NOJIT else self._unbound
        KERNELS[self.symbol] = self

    def __call__(self, *args):
        return self.call(*args)

    def __repr__(self) -> str:
        return f"<kernel {self.symbol}>"

    def plain(self, *args):
        """Run under the interpreter on bounds-checked arrays (no compiled code needed)."""
        return self.fn(*map(guard.checked, args))

    def at_once(self, *args):
        """Run, under the interpreter as long as there is no compiled code."""
        return (self.call if self.addr else self.plain)(*args)

    def briefly(self, *args):
        """Run like at_once, but keep the interpreter's lock meanwhile: for calls of a tenth of a millisecond at most, in a thread that must answer soon. Who lets go of the lock waits for it up to
        sys.getswitchinterval() [s] where another thread is busy, and that once for each call."""
        if not self.addr:
            return self.plain(*args)
        if self._brief is None:
            self._brief = ctypes.PYFUNCTYPE(LETTERS[self.ret], *[LETTERS[a] for a in self.args])(self.addr)
        return self._brief(*args)

    def bound(self, *args) -> Callable:
        """As it is now, with its first arguments given once and for all: a third of the time of a call where they are Models and the like, which must outlive it."""
        if not self.addr:
            return functools.partial(self.call, *args)
        return functools.partial(self.call, *(getattr(a, "_as_parameter_", a) for a in args))

    def _unbound(self, *args):
        if any(isinstance(a, guard.Checked) for a in args):  # called from a kernel that runs under the interpreter
            return self.fn(*args)
        raise RuntimeError(f"{self.symbol} is not compiled yet: call physics.compile_kernels() first")

    def bind(self, addr: int, key: str) -> None:
        """Call the machine code at this address from now on."""
        if not addr:
            raise RuntimeError(f"{self.symbol}: its object file does not hold the symbol")
        self.addr, self.key, self._brief = addr, key, None
        self.call = ctypes.CFUNCTYPE(LETTERS[self.ret], *[LETTERS[a] for a in self.args])(addr)


def kernel(args: str = "m d", ret: str = "", fastmath: Iterable[str] = CONTRACT) -> Callable[[Callable], Kernel]:
    """Declare a compiled function.

    args: one letter per parameter: m Model (read-only), w Model (writable), d Data, D batch of Data, a KernelBuffers,
    i int64, f float64, p raw address. ret: '', 'i' or 'f'.
    """
    return lambda fn: Kernel(fn, args, ret, fastmath)


def helper(fn: Callable | None = None, fastmath: Iterable[str] = CONTRACT):
    """Declare a small function that is inlined into kernels; it may take field pointers, scalars and tuples."""
    if fn is None:
        return lambda f: helper(f, fastmath)
    _refuse_shape(fn)
    HELPERS[fn] = frozenset(fastmath)
    return fn


# ---------------------------------------------------------------- what a kernel's machine code depends on

_GLOBAL, _EXTENDED = opcode.opmap["LOAD_GLOBAL"], opcode.opmap["EXTENDED_ARG"]
_PRIMITIVES = ("physics.kernels.rows", "physics.kernels.simd")
LOWERED_APART = types.MappingProxyType({"physics.kernels.clock": "physics.kernels.lower_clock", "physics.kernels.memory": "physics.kernels.lower_memory"})   # primitives that few kernels need: module, its machine code
LOWERING = ("physics.kernels.lower", "physics.kernels.lower_primitives", "physics.kernels.lower_types", "physics.kernels.object_file",
            "physics.kernels.quick_numba")   # all that import numba


def _sha(*parts) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part if isinstance(part, bytes) else repr(part).encode())
        digest.update(b"\0")
    return digest.hexdigest()[:24]


@functools.lru_cache(maxsize=4096)
def global_names(code: types.CodeType) -> tuple[str, ...]:
    """Names that the code looks up as globals (attribute names left out), without repetition."""
    found, high, raw = {}, 0, code.co_code
    for k in range(0, len(raw), 2):
        op, arg = raw[k], raw[k + 1] | high
        high = arg << 8 if op == _EXTENDED else 0
        if op == _GLOBAL:
            found[code.co_names[arg >> 1]] = None
    return tuple(found)


def _constants(fn: Callable) -> list:
    out = []
    for k, c in enumerate(fn.__code__.co_consts):
        if isinstance(c, types.CodeType):
            raise KernelError(f"{place(fn)}: no inner function, lambda or comprehension in compiled code (line {c.co_firstlineno})")
        if k == 0 and fn.__doc__:
            continue
        out.append(sorted(map(repr, c)) if isinstance(c, frozenset) else c)
    return out


def _is_number(value) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_number, value))
    return isinstance(value, int | float)


_ABSENT = object()


class Closure:
    """Digests of functions and the kernels they reach, each computed once."""

    def __init__(self):
        from physics.fields.layout import LAYOUTS

        self.fields = field_places()
        self.seen: dict[Callable, tuple[str, frozenset]] = {}
        self._calls: dict[Callable, list] = {}   # helpers that a function calls itself
        self._codes: list[tuple[Callable, types.CodeType]] = []
        self._reads: dict[tuple[int, object], tuple[Mapping, object]] = {}   # (id of a namespace, a name in it) -> the namespace, the value
        for name in LAYOUTS:
            self._read(LAYOUTS, name)

    def holds(self) -> bool:
        """Whether all that the digests were made of is the same as then. Much sooner told than the digests."""
        return all(space.get(name, _ABSENT) is value for (_, name), (space, value) in self._reads.items()) and all(fn.__code__ is code for fn, code in self._codes)

    def _read(self, space: Mapping, name: object) -> None:
        self._reads[id(space), name] = space, space.get(name, _ABSENT)

    def helpers(self, fn: Callable) -> frozenset:
        """All helpers that end up inside a function."""
        self.of(fn)
        found, todo = set(), [fn]
        while todo:
            fresh = set(self._calls.get(todo.pop(), ())) - found
            found |= fresh
            todo += fresh
        return frozenset(found)

    def of(self, fn: Callable) -> tuple[str, frozenset]:
        """(digest, kernels called directly or through helpers)."""
        if fn in self.seen:
            return self.seen[fn]
        self.seen[fn] = ("recursive", frozenset())
        code, parts, kernels = fn.__code__, [], set()
        self._codes.append((fn, code))
        parts += [code.co_code, _constants(fn), code.co_names, code.co_varnames, code.co_argcount]
        parts += [self.fields[n] for n in code.co_names if n in self.fields]
        for name in global_names(code):
            self._read(fn.__globals__, name)
            if name in fn.__globals__:
                self._add(fn, name, fn.__globals__[name], parts, kernels)
        self.seen[fn] = (_sha(*parts), frozenset(kernels))
        return self.seen[fn]

    def _add(self, fn, name, value, parts, kernels) -> None:
        if isinstance(value, Kernel):
            kernels.add(value.symbol)
            parts.append((value.symbol, value.args, value.ret))
        elif _is_number(value):
            parts.append((name, value))
        elif isinstance(value, types.FunctionType) and value in HELPERS:
            digest, inner = self.of(value)
            kernels |= inner
            self._calls.setdefault(fn, []).append(value)
            self._read(HELPERS, value)
            parts.append((digest, sorted(HELPERS[value])))
        elif isinstance(value, types.ModuleType):
            for attr in fn.__code__.co_names:
                self._read(vars(value), attr)
                if hasattr(value, attr):
                    self._add(fn, f"{name}.{attr}", getattr(value, attr), parts, kernels)
        elif isinstance(value, types.BuiltinFunctionType | type) or getattr(value, "__module__", "") in _PRIMITIVES:
            parts.append((name, value.__module__, value.__name__))
        elif getattr(value, "__module__", "") in LOWERED_APART:
            parts.append((name, value.__name__, source_key(LOWERED_APART[value.__module__])))
        elif type(value).__name__ == "ufunc":
            parts.append((name, value.__name__))
        else:
            what = "a function without @helper" if callable(value) else f"a {type(value).__name__}"
            raise KernelError(f"{place(fn)}: global '{name}' is {what}; compiled code may use kernels, helpers, numbers and tuples of numbers")


def field_places() -> dict[str, str]:
    """field name -> text of where and what it is in every struct that has it."""
    from physics.fields.layout import LAYOUTS

    table: dict[str, list] = {}
    for key, layout in LAYOUTS.items():
        for name, slot in layout.scalars.items():
            table.setdefault(name, []).append((key, *slot))
        for name, spot in layout.arrays.items():
            table.setdefault(name, []).append((key, spot.offset, spot.dtype.str, spot.inner))
    return {name: repr(rows) for name, rows in table.items()}


def _source(module: str) -> bytes:
    with open(importlib.util.find_spec(module).origin, "rb") as f:
        return f.read()


def source_key(module: str) -> str:
    """Digest of a module's source."""
    return _sha(_source(module))


def sources_stamp() -> tuple:
    """Changes when a file is written whose text the keys depend on."""
    files = [os.stat(importlib.util.find_spec(m).origin) for m in (*LOWERING, *_PRIMITIVES, *LOWERED_APART.values())]
    return tuple((file.st_mtime_ns, file.st_size) for file in files)


def base_key() -> str:
    """Digest of what shapes all machine code: the lowering, the versions, the processor."""
    import llvmlite
    import llvmlite.binding as ll

    texts = [_source(m) for m in (*LOWERING, *_PRIMITIVES)]
    return _sha(*texts, NUMBA_VERSION, llvmlite.__version__, sys.version_info[:2], ll.get_process_triple(),
                ll.get_host_cpu_name(), ll.get_host_cpu_features().flatten(), link.one_block())


def key(symbol: str, closure: Closure, base: str) -> str:
    """Cache key of one kernel. Raises KernelError where it uses what it may not."""
    k = KERNELS[symbol]
    return f"{symbol}-{_sha(base, closure.of(k.fn)[0], k.args, k.ret, sorted(k.fastmath))}"


def calls(symbols: Iterable[str], skip: Callable[[str], bool] = lambda symbol: False, closure: Closure | None = None) -> set[str]:
    """These kernels and all kernels they call, directly or not; calls of those that `skip` names are not followed.

    Raises KernelError where a kernel uses what it may not.
    """
    closure, found, todo = closure or Closure(), set(), list(symbols)
    while todo:
        symbol = todo.pop()
        if symbol not in found and not skip(symbol):
            found.add(symbol)
            todo += closure.of(KERNELS[symbol].fn)[1]
    return found


def keys(symbols: Iterable[str], closure: Closure | None = None) -> dict[str, str]:
    """symbol -> cache key, for these kernels and all kernels they call, in the order of definition.

    Raises KernelError where a kernel uses what it may not.
    """
    closure, base = closure or Closure(), base_key()
    found = calls(symbols, closure=closure)
    return {s: key(s, closure, base) for s in KERNELS if s in found}
