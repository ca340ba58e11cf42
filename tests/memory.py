"""What freed memory a test process keeps: with glibc, most of it, unless it is told otherwise."""
from __future__ import annotations

import ctypes
import gc
import sys

M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8   # of mallopt(3)
LARGE = 1 << 20   # bytes from which on a block is mapped by itself, and so goes back when it is freed
ARENAS = 2   # heaps that threads share; by default eight for each core, none of which shrinks


def _libc():
    """The C library where it is glibc, else None."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    return libc if hasattr(libc, "malloc_trim") else None


def keep_little() -> None:
    """Let malloc keep little of what is freed.

    The largest block freed so far becomes the size up to which blocks come from the heap (up to 32 MB), where one small block that lives on
    keeps everything below it; a worker that has seen a few large models and many threads holds gigabytes of free memory.
    """
    libc = _libc()
    if libc is not None:
        libc.mallopt(M_MMAP_THRESHOLD, LARGE)
        libc.mallopt(M_ARENA_MAX, ARENAS)


def give_back() -> None:
    """Free what only circles hold, and give free memory back to the system. What is left lives on (modules, caches, what later files share): no collection looks through
    it again."""
    gc.collect()
    gc.freeze()
    libc = _libc()
    if libc is not None:
        libc.malloc_trim(0)
