"""Reading the system's clock inside a kernel. Under the interpreter it runs as written; lower_clock.py gives it its machine code."""
from __future__ import annotations

import ctypes
import sys
import time


def read_clock(address, kind):
    """Nanoseconds by a clock of the system: `address` is that of its function clock_gettime, `kind` the number of the clock."""
    return time.clock_gettime_ns(kind)


def clock_address() -> int:
    """Address of clock_gettime, 0 on systems that have none (Windows)."""
    if sys.platform == "win32":
        return 0
    try:
        return ctypes.cast(ctypes.CDLL(None).clock_gettime, ctypes.c_void_p).value or 0
    except (OSError, AttributeError):
        return 0
