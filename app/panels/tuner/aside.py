"""Work that takes longer than a turn of the window may, in a thread: one piece at a time, of what is asked meanwhile the newest."""
from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any

from PyQt6.QtCore import QObject, QTimer, pyqtSignal


class Aside(QObject):
    """ask(key, job) has job() called in a thread; done(key, result) tells what came of it, failed(key, text) what it raised, both in the GUI thread.

    share: of the time that it may work; after a long piece the next one waits. Results of what was asked before `drop` are not told.
    """

    done = pyqtSignal(object, object)
    failed = pyqtSignal(object, str)
    _over = pyqtSignal(object, object, object, float)

    def __init__(self, name: str, share: float = 0.5, parent: QObject | None = None):
        super().__init__(parent)
        self._name, self._share = name, share
        self._next: tuple[Any, Callable[[], Any]] | None = None
        self._out: object | None = None
        self._wanted = object()         # token of what still counts
        self._free_at = 0.0
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self._begin)
        self._over.connect(self._take)

    @property
    def busy(self) -> bool:
        """Whether something is under way or waits."""
        return self._out is not None or self._next is not None

    def ask(self, key: Any, job: Callable[[], Any]) -> None:
        """Do this, in place of what waits."""
        self._next = key, job
        self._begin()

    def drop(self) -> None:
        """What is under way or waits is not wanted any more."""
        self._next, self._wanted = None, object()

    def _begin(self) -> None:
        if self._out is not None or self._next is None:
            return
        wait = self._free_at - time.monotonic()
        if wait > 0:
            self._late.start(max(1, round(1000 * wait)))
            return
        (key, job), self._next, self._out = self._next, None, self._wanted
        threading.Thread(target=self._work, args=(self._out, key, job), name=self._name, daemon=True).start()

    def _work(self, token: object, key: Any, job: Callable[[], Any]) -> None:
        begun = time.perf_counter()
        try:
            result: Any = (True, job())
        except Exception as why:        # told in the window: what is worked out of a text that is being written may fail
            result = (False, f"{type(why).__name__}: {why}")
        with contextlib.suppress(RuntimeError):     # the window was closed meanwhile
            self._over.emit(token, key, result, time.perf_counter() - begun)

    def _take(self, token: object, key: Any, result: tuple[bool, Any], seconds: float) -> None:
        self._out, self._free_at = None, time.monotonic() + seconds * (1.0 / self._share - 1.0)
        if token is self._wanted:
            (self.done if result[0] else self.failed).emit(key, result[1])
        self._begin()
