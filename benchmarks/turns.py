"""Turns of the GUI thread's event loop, one each 5 ms when nothing is to be done: the gaps between them are what the window keeps its user waiting."""
import time

import numpy as np

TICK_MS = 5


class Turns:
    """Looks at the clocks at every turn of the GUI thread's event loop."""

    def __init__(self):
        from PyQt6.QtCore import Qt, QTimer

        self.gaps: list[float] = []
        self.cpu: list[float] = []
        self._last = time.perf_counter(), time.thread_time()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._turn)
        self._timer.start(TICK_MS)

    def _turn(self) -> None:
        now = time.perf_counter(), time.thread_time()
        self.gaps.append(now[0] - self._last[0])
        self.cpu.append(now[1] - self._last[1])
        self._last = now

    def end(self) -> None:
        """Look no more."""
        self._timer.stop()

    def forget(self) -> None:
        """Begin anew: what has been done since the last turn is not the window's."""
        self.gaps.clear()
        self.cpu.clear()
        self._last = time.perf_counter(), time.thread_time()

    @property
    def last(self) -> float:
        """When the last turn was (time.perf_counter)."""
        return self._last[0]

    def figures(self) -> dict:
        """What is told of them."""
        gaps = 1e3 * np.array(self.gaps)
        p95, p99 = np.percentile(gaps, (95, 99))
        return {"stall_p95_ms": float(p95), "stall_p99_ms": float(p99), "stall_max_ms": float(gaps.max()), "cpu_max_ms": 1e3 * max(self.cpu)}
