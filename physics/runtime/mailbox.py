"""Commands on their way to the physics thread: an ordered queue and latest-wins slots in one line.

A command put under a key replaces the one waiting under the same key and takes its own place in the order, so a slider
that moves a hundred times between two chunks costs one command, and a reset sent after it still comes after it.
The lock is held for a few dictionary operations, never across a step.
"""
from __future__ import annotations

import threading
from collections.abc import Hashable
from itertools import count


class Mailbox:
    """Many senders, one receiver."""

    def __init__(self):
        self._lock = threading.Lock()
        self._waiting: dict = {}
        self._number = count().__next__
        self._bell = threading.Event()

    def send(self, command) -> None:
        """Append; nothing is lost."""
        with self._lock:
            self._waiting["ordered", self._number()] = command
        self._bell.set()

    def latest(self, key: Hashable, command) -> None:
        """Append and forget the command that waits under the same key."""
        with self._lock:
            self._waiting.pop(("latest", key), None)
            self._waiting["latest", key] = command
        self._bell.set()

    def drain(self) -> list:
        """Take everything, oldest first."""
        if not self._bell.is_set():
            return []
        self._bell.clear()  # before taking: what arrives later rings again
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        return list(waiting.values())

    def wait(self, seconds: float) -> bool:
        """Sleep until something arrives, at most so long."""
        return self._bell.wait(seconds)

    def ring(self) -> None:
        """Wake the receiver without a command."""
        self._bell.set()
