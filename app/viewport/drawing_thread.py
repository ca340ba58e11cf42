"""A thread that carries out jobs one after the other, whose results are handed over in the GUI thread.

    GUI thread --post(job, then)--> queue --> the thread: job() --> results --event loop--> GUI thread: then(result, error)

What a job raises is handed over in its place.
"""
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue

from PyQt6.QtCore import QObject, Qt, pyqtSignal


class DrawingThread(QObject):
    """Begun by the first job, ended by `end`, begun anew by the next job."""

    _arrived = pyqtSignal()

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self._jobs: SimpleQueue = SimpleQueue()
        self._results: deque = deque()
        self._thread: threading.Thread | None = None
        self._arrived.connect(self._hand_over, Qt.ConnectionType.QueuedConnection)

    def post(self, job: Callable[[], object], then: Callable[[object, BaseException | None], None]) -> None:
        """Have a job done after those that wait."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="drawing", daemon=True)
            self._thread.start()
        self._jobs.put((job, then))

    def end(self) -> None:
        """Let the thread end after the jobs that wait; their results are not handed over any more."""
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()
            self._thread = None
        self._results.clear()

    def _work(self) -> None:
        while (waiting := self._jobs.get()) is not None:
            job, then = waiting
            try:
                done = then, job(), None
            except Exception as error:      # raised where it was asked for
                done = then, None, error
            self._results.append(done)
            del waiting, job, then, done    # nothing is kept alive by a thread that waits
            with suppress(RuntimeError):    # the widget went without a word
                self._arrived.emit()

    def _hand_over(self) -> None:
        while self._results:
            then, result, error = self._results.popleft()
            then(result, error)
