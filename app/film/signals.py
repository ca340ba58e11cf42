"""Ctrl+C, a plain kill and a closed terminal as exceptions, so that files are completed or removed before a program ends."""
from __future__ import annotations

import io
import os
import select
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


class WakefulReader:
    """Reads a pipe without sleeping over a signal: one that comes between Python's last look for signals and the call that waits for data raises nothing there until data come.

    Only where `select` takes pipes, and in the main thread.
    """

    def __init__(self, pipe: io.RawIOBase):
        self._pipe = pipe
        self._wakes, told = os.pipe()       # the C library's part of a signal writes a byte
        for end in (self._wakes, told):
            os.set_blocking(end, False)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)

    def readinto(self, room: memoryview) -> int:
        """As the pipe's own."""
        select.select([self._pipe, self._wakes], [], [])
        return self._pipe.readinto(room)
