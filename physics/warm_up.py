"""All kernels there are: those of the engine, and those that make loading a model quick."""
from __future__ import annotations

from collections.abc import Callable

from physics.compiler import native
from physics.kernels import load
from physics.simulate.warm_up import ENGINE

MODULES = (*ENGINE, *native.MODULES)


def ensure_kernels(progress: Callable[[int, int, str], None] | None = None) -> dict:
    """Make the engine and the compiler's inner loops callable. Arguments, result and errors: those of ensure_engine, which takes a sixth less."""
    return load.ensure(MODULES, progress)
