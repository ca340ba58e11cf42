"""The engine with some kernels only, the others stubs, as it is for a while after a first start."""
from collections.abc import Iterator
from contextlib import contextmanager

import physics
from physics.kernels import cache, decorators, load
from physics.simulate.warm_up import ENGINE


def objects() -> dict[str, bytes]:
    """Object files of the whole engine. Raises RuntimeError where the kernel cache lacks some."""
    physics.ensure_engine()
    keys = decorators.keys([s for s, k in decorators.KERNELS.items() if k.module in ENGINE])
    folder = cache.kernel_folder()
    found = {s: cache.read_object(folder, key) for s, key in keys.items()}
    if None in found.values():
        raise RuntimeError("the kernel cache holds no object files of the engine")
    return found


@contextmanager
def only(files: dict[str, bytes], symbols: frozenset[str]) -> Iterator[None]:
    """These kernels are there, the others of the engine are stubs and cannot be called from Python."""
    kernels = decorators.KERNELS
    before = {s: (kernels[s].addr, kernels[s].key, kernels[s].call) for s in files}
    for s in files:
        kernels[s].addr, kernels[s].call = 0, kernels[s]._unbound
    load._load([files[s] for s in files if s in symbols], {s: before[s][1] for s in files if s in symbols}, [s for s in files if s not in symbols])
    engine = load._engines[-1]
    try:
        yield
    finally:
        for s, (addr, key, call) in before.items():
            kernels[s].addr, kernels[s].key, kernels[s].call = addr, key, call
        engine.pending = []
