"""Ctrl+C, a plain kill and a closed terminal as exceptions, so that files are completed or removed before a program ends."""
from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def signals_raise(exception: type[BaseException], *names: str) -> Iterator[None]:
    """Inside the block these signals, where the system has them, raise the exception in the main thread; elsewhere nothing changes."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(*_):
        raise exception

    before = {number: signal.signal(number, stop) for number in (getattr(signal, name) for name in names if hasattr(signal, name))}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
