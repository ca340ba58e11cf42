"""Kernels of the compiler: the inner loops over pixels, triangles and text, for when compiled code is at hand.

Each has a twin in NumPy beside its caller, which gives the same to the last bit and does the work where kernels have not been compiled yet (the first
start on a machine) and where there is too little to do to load them for.
"""
from functools import lru_cache

from physics.kernels import load

MODULES = (
    "physics.compiler.native.pixels",
    "physics.compiler.native.mesh_text",
    "physics.compiler.native.mesh_corners",
    "physics.compiler.native.trees",
    "physics.compiler.native.hull_links",
    "physics.compiler.native.hull_polygons",
    "physics.compiler.native.vertex_normals",
    "physics.compiler.native.mesh_mass",
)
LARGE = 300_000   # bytes of meshes or dotted pixels from which on loading the kernels pays
PATIENCE = 0.3   # seconds to wait for a thread that is loading them already


@lru_cache(maxsize=1)
def prepare() -> bool:
    """Load the compiler's kernels from the cache, once per process (40 ms); whether they are there. Never waits for a compiler."""
    return load.ensure_cached(MODULES, PATIENCE)


def ensure_compiler() -> dict:
    """Make the compiler's kernels callable; compiles what the cache lacks. Result and errors: those of physics.compile_kernels."""
    return load.ensure(MODULES)
