"""Make kernels callable: take their object files from the cache, have the missing ones compiled, bind the symbols.

Needs llvmlite only; numba is not imported. All kernels of one call are loaded together, because a symbol that is
missing would be noticed only when it is called. The cache holds one file per kernel (`KEY.o`) and one pack per set of
kernels, which is read in one go at the next start. Every file carries a checksum, as LLVM crashes on a damaged one.
"""
from __future__ import annotations

import contextlib
import hashlib
import importlib
import json
import os
import threading
import time
from collections.abc import Callable, Iterable

from physics.kernels import decorators
from physics.kernels.decorators import KERNELS

KEEP_DAYS = 60  # cache files not used for so long are removed after a build
_engines: list = []  # engines stay alive: a thread may still be inside their code, and old handles stay callable
_lock = threading.Lock()


def cache_dir() -> str:
    """Folder of the kernel cache: $LINKWORK_CACHE, else linkwork in the user's cache folder; created if missing."""
    folder = os.environ.get("LINKWORK_CACHE")
    if not folder:
        import platformdirs

        folder = os.path.join(platformdirs.user_cache_dir("linkwork"))
    os.makedirs(folder, exist_ok=True)
    return folder


# ---------------------------------------------------------------- files


def write_blob(path: str, data: bytes) -> None:
    """Write checksum and data; the file appears whole or not at all."""
    temporary = f"{path}.{os.getpid()}.{threading.get_ident()}.tmp"
    with open(temporary, "wb") as f:
        f.write(hashlib.sha256(data).digest() + data)
    os.replace(temporary, path)


def read_blob(path: str) -> bytes | None:
    """The data, or None where the file is absent or damaged (then it is removed)."""
    try:
        with open(path, "rb") as f:
            raw = f.read()
    except FileNotFoundError:
        return None
    if len(raw) > 32 and hashlib.sha256(raw[32:]).digest() == raw[:32]:
        return raw[32:]
    os.unlink(path)
    return None


def _pack_path(cache: str, keys: dict[str, str]) -> str:
    digest = hashlib.sha256("\n".join(sorted(keys.values())).encode()).hexdigest()[:24]
    return os.path.join(cache, f"pack-{digest}")


def _read_pack(path: str) -> list[bytes] | None:
    raw = read_blob(path)
    if raw is None:
        return None
    start = 8 + int.from_bytes(raw[:8], "little")
    objects = []
    for size in json.loads(raw[8:start]):
        objects.append(raw[start:start + size])
        start += size
    with contextlib.suppress(OSError):  # in a folder that may only be read
        os.utime(path)
    return objects


def _write_pack(path: str, objects: list[bytes]) -> None:
    head = json.dumps([len(o) for o in objects]).encode()
    write_blob(path, len(head).to_bytes(8, "little") + head + b"".join(objects))


def _prune(cache: str) -> None:
    oldest = time.time() - KEEP_DAYS * 86400
    for entry in os.scandir(cache):
        if entry.name.endswith((".o", ".tmp")) or entry.name.startswith("pack-"):
            try:
                if entry.stat().st_mtime < oldest:
                    os.unlink(entry.path)
            except FileNotFoundError:  # another program was first
                continue


# ---------------------------------------------------------------- machine code


class _Engine:
    """One set of loaded object files."""

    def __init__(self, objects: list[bytes]):
        import llvmlite.binding as ll

        ll.initialize_native_target()
        ll.initialize_native_asmprinter()
        target = ll.Target.from_triple(ll.get_process_triple())
        machine = target.create_target_machine(cpu=ll.get_host_cpu_name(), opt=3, jit=True, codemodel="jitdefault",
                                               reloc="static" if target.name.startswith("x86") else "default")
        self.engine = ll.create_mcjit_compiler(ll.parse_assembly(""), machine)
        for data in objects:
            self.engine.add_object_file(ll.ObjectFileRef.from_data(data))
        self.engine.finalize_object()

    def address(self, symbol: str) -> int:
        return self.engine.get_function_address(symbol)


def _load(objects: list[bytes], keys: dict[str, str]) -> None:
    engine = _Engine(objects)
    _engines.append(engine)
    for symbol, key in keys.items():
        KERNELS[symbol].bind(engine.address(symbol), key)


def _objects(cache: str, keys: dict[str, str]) -> dict[str, bytes | None]:
    return {s: read_blob(os.path.join(cache, key + ".o")) for s, key in keys.items()}


def ensure(modules: Iterable[str], progress: Callable | None = None, procs: int | None = None) -> dict:
    """Import these modules and make their kernels callable, compiling in worker processes what the cache lacks.

    progress(done, total, symbol) is called in the calling thread, once per kernel that had to be compiled. Modules
    given first are compiled first. May be called again at any time (after a reload: what was edited is rebuilt, and
    handles of before stay callable). Returns {'kernels': n, 'compiled': n, 'compile_s': t, 'load_s': t}.
    Raises KernelError or BuildError naming the kernels at fault.
    """
    modules = list(modules)
    for name in modules:
        importlib.import_module(name)
    if decorators.NOJIT:
        return dict(kernels=0, compiled=0, compile_s=0.0, load_s=0.0)
    with _lock:
        return _ensure(modules, progress, procs)


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
        keys = decorators.keys([s for s, k in KERNELS.items() if k.module in modules])
        if all(KERNELS[s].key == key for s, key in keys.items()):
            return True
        cache = cache_dir()
        pack = _pack_path(cache, keys)
        objects = _read_pack(pack)
        if objects is None:
            found = _objects(cache, keys)
            if None in found.values():
                return False
            objects = list(found.values())
            _write_pack(pack, objects)
        _load(objects, keys)
        return True
    except OSError:   # no cache that can be used
        return False
    finally:
        _lock.release()


def _ensure(modules: list[str], progress, procs) -> dict:
    wanted = [s for s, k in KERNELS.items() if k.module in modules]
    keys = decorators.keys(wanted)
    report = dict(kernels=len(keys), compiled=0, compile_s=0.0, load_s=0.0)
    if all(KERNELS[s].key == key for s, key in keys.items()):
        return report
    cache = cache_dir()
    pack = _pack_path(cache, keys)
    objects = _read_pack(pack)
    if objects is None:
        start = time.perf_counter()
        objects, report["compiled"] = _gather(cache, keys, modules, progress, procs)
        _write_pack(pack, objects)
        report["compile_s"] = time.perf_counter() - start
    start = time.perf_counter()
    _load(objects, keys)
    report["load_s"] = time.perf_counter() - start
    return report


def _gather(cache, keys, modules, progress, procs) -> tuple[list[bytes], int]:
    """Object files of all keys, from the cache or fresh, and how many had to be compiled."""
    from physics.kernels import build

    have = _objects(cache, keys)
    todo = {s: keys[s] for s, data in have.items() if data is None}
    if todo:
        rank = {name: k for k, name in enumerate(modules)}
        order = {s: rank.get(KERNELS[s].module, -1) for s in todo}
        build.build(todo, cache, progress, procs, order)
        have |= _objects(cache, todo)
        _prune(cache)
    lacking = [s for s, data in have.items() if data is None]
    if lacking:
        raise build.BuildError(f"the kernel cache {cache} loses files: {', '.join(lacking[:5])}")
    return list(have.values()), len(todo)
