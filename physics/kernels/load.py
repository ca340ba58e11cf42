"""Make kernels callable: take their object files from the cache, have the missing ones compiled, bind the symbols.

Needs llvmlite only; numba is not imported. All kernels of one call are loaded together, because a symbol that is missing would be
noticed only when it is called. On a first start the kernels that are needed first may be loaded ahead of the others: then each of
the others is a stub that does nothing but say so (`stubbed_call`), and sets Data's cb_error, with which no step is completed.
"""
from __future__ import annotations

import ctypes
import importlib
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import MappingProxyType

from physics.kernels import cache, decorators, link
from physics.kernels.cache import cache_dir
from physics.kernels.decorators import KERNELS
from physics.kernels.gather import Gathering

__all__ = ["NotCompiledError", "cache_dir", "ensure", "ensure_cached", "is_compiling", "is_partial", "missing", "stubbed_call", "want"]
_engines: list = []  # engines stay alive: a thread may still be inside their code, and old handles stay callable
_gatherings: list = []  # what an `ensure` is compiling now
_ensured: dict[tuple[str, ...], _Ensured] = {}  # by modules: so that asking again takes no time
_lock = threading.Lock()
_LLVM = MappingProxyType({"m": "ptr", "w": "ptr", "d": "ptr", "D": "ptr", "p": "ptr", "a": "ptr", "i": "i64", "f": "double", "": "void"})
_ZERO = MappingProxyType({"i": "ret i64 0", "f": "ret double 0.0", "": "ret void"})
_CALLED = "linkwork_stub_called"


# ---------------------------------------------------------------- machine code


def _stubs(symbols: list[str]) -> str:
    """LLVM text of functions that stand for kernels which are not there yet: number k notes k + 1 and sets cb_error of a Data it is given."""
    from physics.fields.layout import LAYOUTS

    error = LAYOUTS["d"].scalars["cb_error"][0]
    text = [f"@{_CALLED} = global i64 0"]
    for k, symbol in enumerate(symbols):
        kernel = KERNELS[symbol]
        arguments = ", ".join(f"{_LLVM[a]} %a{i}" for i, a in enumerate(kernel.args))
        text += [f"define {_LLVM[kernel.ret]} @{symbol}({arguments}) {{", f"store i64 {k + 1}, ptr @{_CALLED}"]
        for i, letter in enumerate(kernel.args):
            if letter == "d":
                text += [f"%e{i} = getelementptr i8, ptr %a{i}, i64 {error}", f"store i64 1, ptr %e{i}"]
        text += [_ZERO[kernel.ret], "}"]
    return "\n".join(text)


class _Engine:
    """One set of loaded object files; stubs: symbols of kernels that are not among them."""

    def __init__(self, objects: list[bytes], stubs: Iterable[str] = ()):
        import llvmlite.binding as ll

        ll.initialize_native_target()
        ll.initialize_native_asmprinter()
        target = ll.Target.from_triple(ll.get_process_triple())
        machine = target.create_target_machine(cpu=ll.get_host_cpu_name(), opt=3, jit=True, codemodel="jitdefault",
                                               reloc="static" if target.name.startswith("x86") else "default")
        self.stubs = self.pending = list(stubs)
        module = ll.parse_assembly(_stubs(self.stubs) if self.stubs else "")
        # llvmlite's manager takes one piece of memory for an object: code and constants are 32-bit distances apart
        self.engine = ll.create_mcjit_compiler(module, machine, use_lmm=True if link.one_block() else None)
        for data in objects:
            self.engine.add_object_file(ll.ObjectFileRef.from_data(data))
        self.engine.finalize_object()
        self._called = ctypes.c_int64.from_address(self.engine.get_global_value_address(_CALLED)) if self.stubs else None

    def address(self, symbol: str) -> int:
        """Where a kernel's code begins."""
        return self.engine.get_function_address(symbol)

    def stubbed_call(self) -> str:
        """The last stub that was called since this was asked, '' for none."""
        number = self._called.value if self._called is not None else 0
        if not number:
            return ""
        self._called.value = 0
        return self.stubs[number - 1]


def _load(objects: list[bytes], keys: dict[str, str], stubs: Iterable[str] = ()) -> None:
    """Load these object files together and bind their kernels, all or none. Raises RuntimeError where they do not hold them."""
    engine = _Engine(objects, stubs)
    addresses = {symbol: engine.address(symbol) for symbol in keys}
    if lacking := [symbol for symbol, address in addresses.items() if not address]:
        raise RuntimeError(f"object files do not hold {', '.join(lacking)}")
    _engines.append(engine)
    for symbol, key in keys.items():
        KERNELS[symbol].bind(addresses[symbol], key)
    for engine in _engines:
        engine.pending = [s for s in engine.pending if not KERNELS[s].addr]


class NotCompiledError(RuntimeError):
    """A kernel (symbol) was called that is still being compiled; what was computed is void."""

    def __init__(self, symbol: str):
        super().__init__(f"{symbol} is still being compiled")
        self.symbol = symbol


def missing() -> list[str]:
    """Kernels that a loaded one may call and that are stubs as yet; none once everything is loaded."""
    return list(dict.fromkeys(s for engine in _engines for s in engine.pending))


def is_partial() -> bool:
    """Whether `missing` names any."""
    return any(engine.pending for engine in _engines)


def stubbed_call() -> str:
    """The symbol of a kernel that was called while it was a stub: what was computed since this was last asked is void. '' where there is none."""
    for engine in _engines:
        if engine.stubs and (symbol := engine.stubbed_call()):
            return symbol
    return ""


def is_compiling() -> bool:
    """Whether an `ensure` is compiling something now. From any thread."""
    return bool(_gatherings)


def want(symbols: Iterable[str]) -> None:
    """Somebody waits for these kernels: an `ensure` that is under way compiles them next, and loads them as soon as it has them. From any thread."""
    for gathering in list(_gatherings):
        gathering.want(symbols)


# ---------------------------------------------------------------- all kernels of some modules


def ensure(modules: Iterable[str], progress: Callable | None = None, procs: int | None = None,
           first: Callable[[], Iterable[str]] | None = None, first_ready: Callable[[], None] | None = None) -> dict:
    """Import these modules and make their kernels callable, compiling in worker processes what the cache lacks.

    progress(done, total, symbol) is called in the calling thread, once per kernel that had to be compiled. Modules given first are
    compiled first. May be called again at any time (after a reload: what was edited is rebuilt, and handles of before stay callable).
    first: where something has to be compiled, this is asked (when the workers are starting) for the kernels to compile and load ahead of
    the others; then first_ready() is called in the calling thread, and again when what `want` has asked for meanwhile is loaded. Until the
    rest is there `missing` names it.
    Returns {'kernels': n, 'compiled': n, 'compile_s': t, 'load_s': t, 'first_s': t or None}.
    Raises KernelError or BuildError naming the kernels at fault.
    """
    modules = list(modules)
    for name in modules:
        importlib.import_module(name)
    if decorators.NOJIT:
        return dict(kernels=0, compiled=0, compile_s=0.0, load_s=0.0, first_s=None)
    with _lock:
        return _ensure(modules, progress, procs, first, first_ready)


def ensure_cached(modules: Iterable[str], patience: float) -> bool:
    """Make the kernels of these modules callable if the cache has them all: nothing is compiled. Returns whether they are.

    patience [s]: how long to wait for another thread that is loading kernels, or compiling them.
    """
    modules = list(modules)
    for name in modules:
        importlib.import_module(name)
    if decorators.NOJIT or not _lock.acquire(timeout=patience):
        return False
    try:
        keys = decorators.keys(_symbols(modules))
        if _bound(keys):
            return True
        folder = cache.kernel_folder()
        objects = cache.read_pack(folder, _pack(keys))
        if objects is None:
            found = {s: cache.read_object(folder, key) for s, key in keys.items()}
            if None in found.values():
                return False
            objects = link.merge(list(found.values()))
            cache.store_pack(folder, _pack(keys), objects)
        _load(objects, keys)
        return True
    except RuntimeError:   # files with the content of others
        cache.forget(folder, _pack(keys))
        return False
    finally:
        _lock.release()


def _pack(keys: dict[str, str]) -> dict[str, str]:
    """What a pack of these kernels depends on: their keys, and how they were merged."""
    return keys | {"": decorators.source_key("physics.kernels.link")}


def _ensure(modules: list[str], progress, procs, first, first_ready) -> dict:
    wanted = _symbols(modules)
    known = _ensured.get(tuple(modules))
    if known is not None and known.holds(wanted):
        return dict(kernels=len(known.keys), compiled=0, compile_s=0.0, load_s=0.0, first_s=None)
    stamp, closure = decorators.sources_stamp(), decorators.Closure()
    keys = decorators.keys(wanted, closure)
    report = dict(kernels=len(keys), compiled=0, compile_s=0.0, load_s=0.0, first_s=None)
    if not _bound(keys):
        folder = cache.kernel_folder()
        try:
            _fetch(folder, keys, modules, report, progress, procs, first, first_ready)
        except _OtherContentError:   # files of the right names with the content of others: they go, or stay unread
            _fetch(folder if cache.forget(folder, _pack(keys)) else None, keys, modules, report, progress, procs, first, first_ready)
    _ensured[tuple(modules)] = _Ensured(wanted, keys, closure, stamp)
    return report


def _symbols(modules: Iterable[str]) -> list[str]:
    """Kernels of these modules."""
    chosen = frozenset(modules)
    return [s for s, k in KERNELS.items() if k.module in chosen]


def _bound(keys: dict[str, str]) -> bool:
    return all(KERNELS[s].key == key for s, key in keys.items())


@dataclass(frozen=True, slots=True)
class _Ensured:
    """What an `ensure` has found: kernels of its modules, keys of all that they need, what the keys were made of."""

    wanted: list[str]
    keys: dict[str, str]
    closure: decorators.Closure
    stamp: tuple

    def holds(self, wanted: list[str]) -> bool:
        """Whether it would find the same now, and all is still there."""
        return wanted == self.wanted and _bound(self.keys) and self.closure.holds() and self.stamp == decorators.sources_stamp()


class _OtherContentError(RuntimeError):
    """Object files from the cache do not hold their kernels."""


def _fetch(folder: str | None, keys: dict[str, str], modules: list[str], report: dict, progress, procs, first, first_ready) -> None:
    """Load these kernels from the cache, compiling what it lacks."""
    objects = cache.read_pack(folder, _pack(keys))
    if objects is None:
        start = time.perf_counter()
        gathering = Gathering(folder, keys, procs, lambda objects, *rest: _load(link.merge(objects), *rest))
        _gatherings.append(gathering)
        try:
            report["compiled"] = gathering.run(modules, progress, first, first_ready)
        finally:
            _gatherings.remove(gathering)
        objects = link.merge([gathering.have[s] for s in keys])
        cache.store_pack(folder, _pack(keys), objects)
        report["compile_s"] = time.perf_counter() - start
        report["first_s"] = gathering.first_at and gathering.first_at - start
    start = time.perf_counter()
    try:
        _load(objects, keys)
    except RuntimeError as error:
        if report["compiled"] == len(keys):
            raise
        raise _OtherContentError(str(error)) from error
    report["load_s"] = time.perf_counter() - start
