"""The window's end of the pipe to the script. No Qt.

    standard input (app/film/pipe.py)                       standard output
      ("show", Opening) or ("launch", Launch)   first         ("opened", view and whether states are shared) or ("failed", reason)   first
      ("news", News, {what the view is told})                  ("taken",)              after each news, when it is shown
      ("kernels",)    the script's are compiled                ("do", key or None, command)
      ("ask", number, word)                                    ("answer", number, value)
      ("close",)                                               ("view", {...}), ("key", code), ("closed", last State or None)
                                                               ("quiet",)      no state has come through shared memory for a while

Where the script ends without a word the window closes. Nothing here waits but the two threads: one reads, one writes.
"""
from __future__ import annotations

import os
import threading
from collections.abc import Callable, Hashable
from queue import SimpleQueue
from typing import Any, BinaryIO

from app.film.pipe import receive, send

CLOSES = 10.0   # s after which a window that hangs is ended, when its script is gone


class ScriptLink:
    """take(message) is called in the reading thread for each message, ("close",) at the end of all at the latest."""

    def __init__(self, incoming: BinaryIO, outgoing: BinaryIO, take: Callable[[tuple], None]):
        self._incoming, self._outgoing, self._take = incoming, outgoing, take
        self._queue: SimpleQueue = SimpleQueue()
        self._written = threading.Event()
        self._ended = threading.Event()

    def start(self) -> None:
        """Begin to read and to write."""
        for work in (self._read, self._write):
            threading.Thread(target=work, name="script", daemon=True).start()

    def tell(self, *message) -> None:
        """Send a message; returns at once. From any thread."""
        self._queue.put(message)

    def do(self, key: Hashable | None, command: Any) -> None:
        """Have the script carry a command out; the newest of a key counts."""
        self.tell("do", key, command)

    def taken(self) -> None:
        """News are shown: there may be more."""
        self.tell("taken")

    def finish(self, timeout: float = 2.0) -> None:
        """The last message is told: wait until it is written."""
        self._ended.set()
        self._queue.put(None)
        self._written.wait(timeout)

    def _read(self) -> None:
        try:
            while True:
                self._take(receive(self._incoming))
        except (EOFError, OSError):
            self._take(("close",))
        if not self._ended.wait(CLOSES):
            os._exit(1)     # nobody is there who would end it

    def _write(self) -> None:
        while (message := self._queue.get()) is not None:
            try:
                send(self._outgoing, message)
            except OSError:     # the script is gone; the reading thread knows
                break
        self._written.set()
