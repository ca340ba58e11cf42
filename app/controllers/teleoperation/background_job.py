"""A job with demonstrations, done by a process while the window goes on.

    begin(make, then) --> thread: make() -> what is wanted --> process --> then(what came of it) --> ended, in the window's thread
"""
from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PyQt6.QtCore import QObject, pyqtSignal

if TYPE_CHECKING:   # at the start every import counts
    from app.headless.demo.job_process import JobProcess

LONGEST = 6.0   # s that the program waits at its end for a job that was given up


def same(result: Any) -> Any:
    """What came of it as it is."""
    return result


def nothing() -> None:
    """There is nothing to clear away."""


class BackgroundJob(QObject):
    """One job at a time. Signals: progressed(share), below 0: it is not known; ended(result, why): the result, or None and why there is none, '' where it was given up."""

    progressed = pyqtSignal(float)
    ended = pyqtSignal(object, str)
    _over = pyqtSignal(int, object, str)

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self._number = 0
        self._process: JobProcess | None = None
        self._thread: threading.Thread | None = None
        self._over.connect(self._take)

    @property
    def busy(self) -> bool:
        """Whether one is under way."""
        return self._process is not None

    def begin(self, make: Callable[[], dict[str, Any]], then: Callable[[dict[str, Any]], Any] = same, clear: Callable[[], None] = nothing) -> None:
        """Do this in place of what is under way. make, then: called in another thread; what they raise as OSError or ValueError is told. clear: called there in the end, whatever came of it."""
        from app.headless.demo.job_process import JobProcess

        self.drop()
        self._process = JobProcess()
        self._thread = threading.Thread(target=self._work, args=(self._number, self._process, make, then, clear), name="demonstrations' job", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """It is not wanted any more; `ended` follows."""
        if self._process is not None:
            self._process.stop()

    def drop(self) -> None:
        """Nothing is wanted any more, and nothing told."""
        self.cancel()
        self._number += 1
        self._process = None

    def close(self) -> None:
        """The window goes; what is under way ends by itself."""
        from app.demonstrations.reaper import see_to

        self.drop()
        see_to(self._thread, LONGEST)

    def _work(self, number: int, process: JobProcess, make, then, clear) -> None:
        from app.headless.demo.job_process import JobError, JobStopped

        result, why = None, ""
        try:
            result = then(process.run(make(), lambda share: self._emit(self.progressed, share)))
        except JobStopped:
            pass
        except (JobError, ValueError) as error:
            why = str(error)
        except OSError as error:
            why = f"{error.filename or 'a file'}: {error.strerror or error}"
        except Exception as error:  # a thread that cannot say why must not leave the panel waiting
            why = f"{type(error).__name__}: {error}"
        clear()
        self._emit(self._over, number, result, why)

    @staticmethod
    def _emit(signal, *values) -> None:
        with contextlib.suppress(RuntimeError):     # the window is closed
            signal.emit(*values)

    def _take(self, number: int, result: Any, why: str) -> None:
        if number == self._number:      # not of one that another took the place of
            self._process = None
            self.ended.emit(result, why)
