"""Calling the user's code, and stopping it from another thread."""
import sys
import threading
import time

import pytest

from physics.runtime import events
from physics.runtime.hooks.call_guard import CallGuard, Stopped
from physics.runtime.hooks.hook import Hook, Hooks


def endless():
    while True:
        pass


def stop_soon(guard):
    """Stop from a thread of its own as soon as something is being called."""
    def wait():
        while guard.under_way() is None:
            time.sleep(0.001)
        guard.stop()
    thread = threading.Thread(target=wait, daemon=True)
    thread.start()
    return thread


def test_a_call_is_timed_and_seen_from_outside():
    guard, seen = CallGuard(iter([1.0, 1.5, 3.0]).__next__), []
    assert guard.call("me", lambda: seen.append(guard.under_way())) == 2.0
    assert seen == [("me", 0.5)] and guard.under_way() is None and not guard.stop()


def test_what_it_raises_comes_through_and_nothing_is_under_way_any_more():
    guard = CallGuard()
    with pytest.raises(ZeroDivisionError):
        guard.call("me", lambda: 1 / 0)
    assert guard.called is None


def test_an_endless_loop_is_stopped_and_the_next_call_is_not():
    guard = CallGuard()
    for _ in range(20):
        thread = stop_soon(guard)
        with pytest.raises(Stopped):
            guard.call("loop", endless)
        guard.settle()
        thread.join()
        done = []
        guard.call("next", lambda: done.extend(range(1000)))
        assert len(done) == 1000


def test_nothing_stays_behind_that_slows_every_thread():
    """A trace function is called at each line: with the interpreter still looking for an exception the first call would never return."""
    guard = CallGuard()
    for what in (endless, lambda: 1 / 0):
        if what is endless:
            stop_soon(guard)
        with pytest.raises((Stopped, ZeroDivisionError)):
            guard.call("loop", what)
        guard.settle()
    code = []
    before = sys.gettrace()
    sys.settrace(lambda frame, event, argument: code.append(event))
    try:
        (lambda: 1)()
    finally:
        sys.settrace(before)
    assert code


def test_a_stop_that_the_code_swallows_is_raised_when_it_returns():
    guard = CallGuard()

    def swallows():
        try:
            endless()
        except BaseException:
            pass

    stop_soon(guard)
    with pytest.raises(Stopped):
        guard.call("stubborn", swallows)


def test_functions_that_fail_while_they_are_stopped_end_nothing_else():
    over, failed, calls = threading.Event(), [], iter(range(10**9))
    hooks = Hooks(())

    def shoot():
        while not over.is_set():
            hooks.guard.stop()

    def tell(kind, text, **details):
        if kind == events.HOOK_FAILED:
            failed.append(details["failure"].text)

    def fails(m, d):
        for _ in range(1000):
            pass
        if next(calls) % 2:
            raise ValueError

    usual, thread = sys.getswitchinterval(), threading.Thread(target=shoot, daemon=True)
    sys.setswitchinterval(1e-6)
    thread.start()
    try:
        while len(failed) < 20_000 and (len(failed) < 20 or len(failed) - failed.count("ValueError") < 20):
            hook = Hook("a.py", "control", fails)
            hooks.around((hook,), tell, None, None)
            assert hooks.guard.called is None
    finally:
        over.set()
        thread.join()
        sys.setswitchinterval(usual)
    assert set(failed) == {"ValueError", "stopped, as it did not end"}


def test_stops_that_come_too_late_strike_nobody():
    """Thousands of short calls with stops at any moment: each is raised by the call that it was meant for, never behind it."""
    guard, over = CallGuard(), threading.Event()
    usual = sys.getswitchinterval()

    def counts():
        for _ in range(1000):
            pass

    def shoot():
        while not over.is_set():
            guard.stop()

    thread = threading.Thread(target=shoot, daemon=True)
    sys.setswitchinterval(1e-6)
    thread.start()
    stopped = finished = 0
    try:
        while stopped < 20 and finished < 50_000:
            try:
                guard.call("short", counts)
                finished += 1
            except Stopped:
                guard.settle()
                stopped += 1
    finally:
        over.set()
        thread.join()
        sys.setswitchinterval(usual)
    assert stopped == 20 and finished
