"""Memory that was freed goes back to the system.

The C library of Linux keeps it for later, in holes between what lives on. A software driver that compiles and frees programs all the time makes
such holes: a window that is worked with for half an hour grew by them, though nothing in it did.
"""
import ctypes
import os
import sys
import threading
from functools import lru_cache

INTERVAL_MS = 30_000    # between two times; each takes some milliseconds


@lru_cache(maxsize=1)
def _trim():
    """The C library's function, None where it has none."""
    return getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform.startswith("linux") else None


def resident_bytes() -> int:
    """How much of this process lies in memory; 0 where that cannot be told."""
    try:
        with open("/proc/self/statm", "rb") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def give_back() -> bool:
    """Give back what is free now; whether there was anything. It does not hold the interpreter's lock."""
    trim = _trim()
    return trim is not None and bool(trim(0))


def give_back_aside() -> None:
    """The same in a thread of its own, so that nobody waits for it."""
    threading.Thread(target=give_back, name="give back", daemon=True).start()
