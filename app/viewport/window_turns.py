"""Whether the window is in one long turn of its event loop, for a thread that can wait until it is over.

A picture that is drawn meanwhile cannot be seen before, and drawing it takes a core and the interpreter, for which the window waits. Compiling a model, all Python,
makes such a turn twice as long.
"""
import time
from collections.abc import Callable

from PyQt6.QtCore import QObject, Qt, QTimer

TICK_MS = 10
LONG = 0.03     # seconds: a turn that takes no longer is left alone
MOST = 0.3      # seconds of a turn after which nobody waits for its end: it may be waiting for him
LOOK = 0.003    # seconds between two looks


class WindowTurns(QObject):
    """Looks at the clock at every turn while `watch` is on. Made and switched in the GUI thread."""

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self._needed: Callable[[], bool] = lambda: True
        self._last = self._waited = 0.0     # when this turn began, and which one somebody has waited for in vain
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._turn)

    def watch(self, on: bool, needed: Callable[[], bool] = lambda: True) -> None:
        """Look at the turns for as long as it is needed, or leave it."""
        self._needed = needed
        self._last = time.perf_counter()
        if on:
            self._timer.start(TICK_MS)
        else:
            self._timer.stop()

    def _turn(self) -> None:
        self._last = time.perf_counter()
        if not self._needed():
            self._timer.stop()

    @property
    def long(self) -> bool:
        """Whether the present turn is a long one."""
        return time.perf_counter() - self._last > LONG

    def wait(self, unless: Callable[[], bool]) -> None:
        """In another thread: return when the window has its next turn, when unless() says so, and after MOST seconds of a turn at the latest."""
        while self.long and not unless() and self._waited != (turn := self._last):
            time.sleep(LOOK)
            if time.perf_counter() - turn > MOST:
                self._waited = turn
