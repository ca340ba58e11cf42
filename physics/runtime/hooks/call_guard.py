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

    __slots__ = ("_lock", "_thread", "called", "clock", "sent", "since")

    def __init__(self, clock: Callable[[], float] = time.perf_counter):
        self.clock, self._lock = clock, threading.Lock()
        self._thread, self.sent = 0, False
        self.called, self.since = None, 0.0

    def call(self, what: object, function: Callable, *arguments) -> float:
        """Call function(*arguments) on behalf of `what`; the seconds that it took. Raises what it raises, Stopped where it was stopped; then `settle` is to be called."""
        self.since = begun = self.clock()
        self._thread = self._thread or threading.get_ident()
        self.called = what
        try:
            function(*arguments)
        finally:
            self.called = None
            if self.sent:
                self.take_back()
        return self.clock() - begun

    def take_back(self) -> None:
        """A stop was sent, and the call is over: if it has not come through yet it does here. Raises Stopped."""
        with self._lock:
            sent, self.sent = self.sent, False
        _let_through()
        if sent and not isinstance(sys.exception(), Stopped):
            raise Stopped

    def here(self) -> None:
        """Calls are made by this thread."""
        self._thread = threading.get_ident()

    def settle(self) -> None:
        """After an error, which may have struck while the call was being left: nothing can strike any more. Raises Stopped where one was under way; then once more."""
        self.called = None
        with self._lock:
            self.sent = False
        _let_through()

    def stop(self) -> bool:
        """From another thread: raise Stopped in what is being called; False where nothing is. Code that waits in C (a sleep, a long call of NumPy) ends that first."""
        with self._lock:
            self.sent = True
            if self.called is None:
                self.sent = False
                return False
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(Stopped))
            return True

    def under_way(self) -> tuple[object, float] | None:
        """What is being called, and for how many seconds; None between two calls."""
        what, since = self.called, self.since
        return None if what is None else (what, self.clock() - since)


def _let_through() -> None:
    """What was sent to this thread is raised here. To send nothing in its place would leave the interpreter looking for it for ever, at each call in every thread."""
    for _ in range(8):
        pass
