"""Calling the user's code from a thread of ours: who is called and since when is seen from other threads, and one of them can stop it."""
from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable


class Stopped(BaseException):
    """Raised inside the user's code that somebody has asked to stop."""


class CallGuard:
    """For the calls of one thread, one at a time. called: what is being called now, None between two calls; since: when that began.

    No lock is taken for a call that nobody stops: `stop` says that it will before it looks whether there is a call, and a call is over before it is looked
    whether somebody has said so; so one of the two sees the other.
    """

    __slots__ = ("_clock", "_lock", "_sent", "_thread", "called", "since")

    def __init__(self, clock: Callable[[], float] = time.perf_counter):
        self._clock, self._lock = clock, threading.Lock()
        self._thread, self._sent = 0, False
        self.called, self.since = None, 0.0

    def call(self, what: object, function: Callable, *arguments) -> float:
        """Call function(*arguments) on behalf of `what`; the seconds that it took. Raises what it raises, Stopped where it was stopped; then `settle` is to be called."""
        self.since = begun = self._clock()
        self._thread = self._thread or threading.get_ident()
        self.called = what
        try:
            function(*arguments)
        finally:
            self.called = None
            if self._sent:
                self._leave()
        return self._clock() - begun

    def _leave(self) -> None:
        """A stop that has not come through is taken back, and raised here."""
        with self._lock:
            sent, self._sent = self._sent, False
        if sent:
            _raise_in(self._thread, None)
            if not isinstance(sys.exception(), Stopped):
                raise Stopped

    def settle(self) -> None:
        """After an error: it may have struck while the call was being left."""
        with self._lock:
            self.called, self._sent = None, False
            _raise_in(threading.get_ident(), None)

    def stop(self) -> bool:
        """From another thread: raise Stopped in what is being called; False where nothing is. Code that waits in C (a sleep, a long call of NumPy) ends that first."""
        with self._lock:
            self._sent = True
            if self.called is None:
                self._sent = False
                return False
            _raise_in(self._thread, Stopped)
            return True

    def under_way(self) -> tuple[object, float] | None:
        """What is being called, and for how many seconds; None between two calls."""
        what, since = self.called, self.since
        return None if what is None else (what, self._clock() - since)


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Have a thread raise this between two of its bytecodes; None takes back what has not been raised yet."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), None if kind is None else ctypes.py_object(kind))
