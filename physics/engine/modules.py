"""The modules whose kernels make up the engine, and making them callable."""
from __future__ import annotations

import pkgutil
from collections.abc import Callable

import physics.engine
from physics.kernels import load


def engine_modules() -> tuple[str, ...]:
    """Dotted names of all engine modules."""
    found = pkgutil.walk_packages(physics.engine.__path__, "physics.engine.")
    return tuple(info.name for info in found if not info.ispkg and info.name != __name__)


def ensure_kernels(progress: Callable[[int, int, str], None] | None = None) -> dict:
    """Make the engine callable; compiles in worker processes what the cache lacks.

    progress(done, total, symbol) is called in the calling thread. Returns the report of kernels.load.ensure.
    """
    return load.ensure(engine_modules(), progress)
