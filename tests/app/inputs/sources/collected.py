"""Samples as they come, and conditions that are waited for."""
from __future__ import annotations

import threading
import time
from contextlib import contextmanager

DEADLINE = 20.0     # s


class Collected:
    """Takes Samples from any thread."""

    def __init__(self):
        self.samples = []
        self._came = threading.Condition()

    def put(self, sample) -> None:
        with self._came:
            self.samples.append(sample)
            self._came.notify_all()

    def until(self, holds):
        """The first Sample for which holds(sample)."""
        with self._came:
            seen = 0
            end = time.monotonic() + DEADLINE
            while True:
                for sample in self.samples[seen:]:
                    if holds(sample):
                        return sample
                seen = len(self.samples)
                if not self._came.wait(end - time.monotonic()):
                    raise AssertionError(f"none of {seen} samples is it; the last: {self.samples[-1:]}")

    def forget(self) -> None:
        with self._came:
            self.samples.clear()


def wait_until(holds, what: str = "the condition") -> None:
    """Until holds() is true."""
    end = time.monotonic() + DEADLINE
    pause = threading.Event()
    while not holds():
        assert time.monotonic() < end, f"{what} did not come about"
        pause.wait(0.002)


@contextmanager
def running(source):
    """The source's Samples while it runs; its thread has ended afterwards."""
    collected = Collected()
    before = threading.active_count()
    source.search_every = 0.01
    source.start(collected.put)
    try:
        yield collected
    finally:
        source.stop()
        assert source._thread is None and threading.active_count() <= before
        n = len(collected.samples)
        assert source.state == "off" and n == len(collected.samples)
