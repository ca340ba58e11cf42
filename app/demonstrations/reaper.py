"""Sees to workers that were told to end, when whoever began them is gone: a window that closes waits for none of them, and the program ends when they have.

    close --end, see_to--> the worker ends by itself, in its own time                the program's end --waits for those that still live--> gone
"""
from __future__ import annotations

import atexit
import threading
import time

_lock = threading.Lock()
_left: dict[threading.Thread, float] = {}       # a thread that ends -> until when it is waited for at the program's end [s of time.monotonic]


def see_to(thread: threading.Thread | None, longest: float) -> None:
    """A thread that was told to end, and ends what it has begun (a process, a file): the program lasts until it has, but so long [s] from now at most. Returns at once."""
    if thread is None or not thread.is_alive():
        return
    with _lock:
        for one in [one for one in _left if not one.is_alive()]:
            del _left[one]
        _left[thread] = time.monotonic() + longest


def wait() -> None:
    """Until all have ended, or their time is over. At the program's end; in tests."""
    while True:
        with _lock:
            if not _left:
                return
            thread, until = _left.popitem()
        thread.join(max(0.0, until - time.monotonic()))


atexit.register(wait)
