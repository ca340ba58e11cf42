"""Work for a panel in a thread of its own: one piece at a time, of those that wait only the newest.

    begin(work) --> thread: work(stop) --> done(result) or failed(text), in the GUI thread
"""
from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from physics.runtime.companions.companion import be_nice

PATIENCE = 0.2      # s that a window that is closed waits for its thread
Work = Callable[[Callable[[], bool]], Any]      # work(stop): stop() says whether nobody wants the result any more


class NewestWork(QObject):
    """Signals, of the newest work alone: done(result); failed(text) where it raised."""

    done = pyqtSignal(object)
    failed = pyqtSignal(str)
    _ended = pyqtSignal(int, object, str, float)

    def __init__(self, name: str, parent: QObject, share: float = 1.0):
        """name: of the thread; share: of the time that it may work: after a long piece the next one waits."""
        super().__init__(parent)
        self._name, self._share = name, share
        self._free_at = 0.0     # by the monotonic clock
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self._go)
        self._number = 0        # of the newest work
        self._thread: threading.Thread | None = None
        self._next: tuple[int, Work] | None = None
        self._ended.connect(self._take)

    @property
    def busy(self) -> bool:
        """Whether a result is still to come."""
        return self._thread is not None or self._next is not None

    def begin(self, work: Work) -> None:
        """Do this, in place of any before."""
        self._number += 1
        self._next = self._number, work
        self._go()

    def give_up(self) -> None:
        """Nothing is wanted any more."""
        self._number += 1
        self._next = None

    def end(self) -> None:
        """The window goes: as `give_up`, and wait for the thread, which may not ask for some ms."""
        self.give_up()
        if self._thread is not None:
            self._thread.join(PATIENCE)

    def _go(self) -> None:
        if self._thread is not None or self._next is None:
            return
        wait = self._free_at - time.monotonic()
        if wait > 0:
            self._late.start(max(1, round(1000 * wait)))
            return
        work, self._next = self._next, None
        self._thread = threading.Thread(target=self._work, args=work, name=self._name, daemon=True)
        self._thread.start()

    def _work(self, number: int, work: Work) -> None:
        be_nice()
        result, text, begun = None, "", time.monotonic()
        try:
            result = work(lambda: number != self._number)
        except ValueError as why:
            text = str(why)
        except Exception as why:    # a panel that cannot say why must not end the program
            text = f"{type(why).__name__}: {why}"
        with suppress(RuntimeError):    # the window is closed
            self._ended.emit(number, result, text, time.monotonic() - begun)

    def _take(self, number: int, result: Any, text: str, seconds: float) -> None:
        self._thread, self._free_at = None, time.monotonic() + seconds * (1.0 / self._share - 1.0)
        self._go()
        if number != self._number:
            return
        if text:
            self.failed.emit(text)
        else:
            self.done.emit(result)
