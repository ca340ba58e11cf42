"""All kernels there are: those of the engines, and those that make loading a model quick."""
from __future__ import annotations

from collections.abc import Callable, Iterable

from physics.compiler import native
from physics.kernels import load
from physics.simulate.warm_up import ENGINE, HARD

MODULES = (*ENGINE, *native.MODULES, *HARD)


def compile_kernels(progress: Callable[[int, int, str], None] | None = None, modules: Iterable[str] = ()) -> dict:
    """Make the engine and the compiler's inner loops callable. Arguments, result and errors: those of ensure_engine, which takes a sixth less.

    modules: names of modules with kernels of the user's, such as compiled callbacks. The hard engine's are left for when it is first used.
    """
    return load.ensure((*ENGINE, *native.MODULES, *modules), progress)
