"""Shows what was simulated, forwards or backwards, without simulating: by the clock at the chosen speed, or entry by entry at the pace of the pictures."""
import time

from PyQt6.QtCore import QObject, Qt, QTimer, pyqtSignal

from app.context import AppContext
from app.history_scale import HistoryScale
from app.timeline.bookmarks import branch_of
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot

TICK_MS = 16
FORWARD, BACKWARD, STILL = 1, -1, 0
ALMOST = 1e-6      # of an entry: going backwards it begins at its end


class Playback(QObject):
    """Signal changed(): it begins, ends, turns round or loops. The simulation is paused meanwhile; it ends when time passes again, and where the history, or the
    region of the timeline, ends, unless it loops.

    direction: FORWARD, BACKWARD or STILL; speed: simulated seconds per second; steps: entries for each picture, None while the clock sets the pace. Both may change meanwhile.
    """

    changed = pyqtSignal()

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self.direction, self.looping = STILL, False
        self.speed = 1.0
        self._steps: int | None = None
        self._at = 0.0                       # entry of the history, with its fraction
        self._since = 0.0
        self._awaited: int | None = None     # number of the entry of which a picture is to be seen before the next
        self._history = (0, 0)               # what would be another history: starts of the snapshot, branch
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    @property
    def on(self) -> bool:
        """Whether it plays."""
        return self.direction != STILL

    @property
    def steps(self) -> int | None:
        """Entries for each picture; None: as the clock says."""
        return self._steps

    @steps.setter
    def steps(self, steps: int | None) -> None:
        self._steps, self._awaited, self._since = steps, None, time.perf_counter()

    def start(self, direction: int, loop: bool | None = None) -> bool:
        """Play in a direction; loop None: as it is. False where there is no history to show."""
        snapshot = self._context.snapshot
        bounds = None if snapshot is None else self._bounds(snapshot)
        if bounds is None:
            self.stop()
            self.changed.emit()      # a button that was pressed shows that it does not play
            return False
        self.looping = self.looping if loop is None else loop
        first, last = bounds
        now = snapshot.history_index
        inside = first <= now < last if direction == FORWARD else first < now <= last
        self._at = float(now if inside else first if direction == FORWARD else last)
        if direction == BACKWARD:
            self._at += 1 - ALMOST
        self.direction, self._since, self._awaited = direction, time.perf_counter(), None
        self._history = snapshot.starts, branch_of(snapshot)
        self._scrub(snapshot)
        self._timer.start()
        self.changed.emit()
        return True

    def loop(self, on: bool) -> None:
        """Go on at the beginning whenever the end is reached, or not."""
        if self.on and on != self.looping:
            self.looping = on
            self.changed.emit()

    def stop(self) -> None:
        """Stay where it is."""
        if self.on:
            self._timer.stop()
            self.direction, self.looping, self._awaited = STILL, False, None
            self.changed.emit()

    def _bounds(self, snapshot: Snapshot) -> tuple[int, int] | None:
        """Indices of the first and the last entry to play: those of the region, else of all; None where there are less than two."""
        found = self._context.region.within(snapshot) or (0, snapshot.history_length - 1)
        return found if found[1] > found[0] else None

    def _scrub(self, snapshot: Snapshot) -> None:
        number = snapshot.history_gone + int(self._at)
        self._awaited = number if self._steps else None
        self._context.runner.latest("scrub", commands.ScrubTo(number))

    def _tick(self) -> None:
        snapshot = self._context.snapshot
        bounds = None if snapshot is None or (snapshot.starts, branch_of(snapshot)) != self._history else self._bounds(snapshot)
        if bounds is None:
            self.stop()
        elif self._steps is None:
            now = time.perf_counter()
            seconds, self._since = (now - self._since) * self.speed, now
            self._go(snapshot, *HistoryScale.of(snapshot).played(self._at, self.direction * seconds, *bounds, self.looping))
        elif self._awaited is None:
            self._go(snapshot, *stepped(int(self._at), self.direction * self._steps, *bounds, self.looping))

    def picture_seen(self, number: int) -> None:
        """A picture of this entry is on the screen."""
        if self.on and number == self._awaited:
            self._awaited = None
            self._tick()

    def _go(self, snapshot: Snapshot, place: float, ended: bool) -> None:
        self._at = place
        self._scrub(snapshot)
        if ended and not self.looping:
            self.stop()


def stepped(index: int, steps: int, first: int, last: int, loop: bool) -> tuple[float, bool]:
    """(the entry so many further, within `first` to `last`; whether that is beyond their end). loop: from the end it goes on at the beginning."""
    wanted = index + steps
    beyond = not first <= wanted <= last
    if beyond and loop:
        return float(first if steps > 0 else last), True
    return float(min(max(wanted, first), last)), beyond
