"""Shows the history again and again, from the oldest entry to the newest, at the chosen speed."""
import time

from PyQt6.QtCore import QObject, Qt, QTimer, pyqtSignal

from app.context import AppContext
from app.history_scale import HistoryScale
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot

TICK_MS = 33


class HistoryLoop(QObject):
    """Signal changed(bool): the loop begins or ends. The simulation is paused meanwhile; it ends when time passes again."""

    changed = pyqtSignal(bool)

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self._at = 0.0      # entry of the history, with its fraction
        self._since = 0.0
        self._speed = 1.0
        self._starts = 0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    @property
    def on(self) -> bool:
        """Whether it loops."""
        return self._timer.isActive()

    def start(self, speed: float) -> bool:
        """Loop at so many simulated seconds per second; False where there is no history to show."""
        snapshot = self._context.snapshot
        if snapshot is None or snapshot.history_length < 2:
            self.changed.emit(False)
            return False
        newest = snapshot.history_index >= snapshot.history_length - 1
        self._at, self._since, self._speed, self._starts = 0.0 if newest else float(snapshot.history_index), time.perf_counter(), speed, snapshot.starts
        self._scrub(int(self._at))
        self._timer.start()
        self.changed.emit(True)
        return True

    def stop(self) -> None:
        """Stay where it is."""
        if self.on:
            self._timer.stop()
            self.changed.emit(False)

    def _scrub(self, index: int) -> None:
        self._context.runner.latest("scrub", commands.Scrub(index))

    def _tick(self) -> None:
        snapshot: Snapshot | None = self._context.snapshot
        if snapshot is None or snapshot.history_length < 2 or snapshot.starts != self._starts:
            self.stop()
            return
        now = time.perf_counter()
        self._at = HistoryScale.of(snapshot).later(self._at, (now - self._since) * self._speed)
        self._since = now
        self._scrub(int(self._at))
