"""How much simulated time is due: wall clock times the speed factor, with the official rule for falling behind.

Simulated time should be `start_sim + speed * (now - start_wall)`. Where it is further off than MISALIGN (of wall time above
real-time speed, of simulated time below), or time ran backward, or the speed was changed, both clocks start anew from here:
debts are dropped, never caught up in a burst. Source: simulate, physics loop (0.1 s).
"""
from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

MISALIGN = 0.1  # s
WINDOW = 0.6  # s, over which the real speed is measured

# speeds offered by the window [%]: ten per decade below real time as in simulate, above it the same steps up to 16 times
SPEEDS = (
    1600, 1250, 1000, 800, 630, 500, 400, 320, 250, 200, 160, 125,
    100, 80, 63, 50, 40, 32, 25, 20, 16, 13, 10, 8, 6.3, 5, 4, 3.2, 2.5, 2, 1.6, 1.3, 1, 0.8, 0.63, 0.5, 0.4, 0.32, 0.25, 0.2, 0.16, 0.13, 0.1,
)


class Pacing:
    """The two clocks. speed: simulated seconds per second, None for as fast as possible."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter):
        self.clock = clock
        self.speed: float | None = 1.0
        self.resyncs = 0
        self._wall = self._sim = None
        self._marks: deque = deque()

    def set_speed(self, factor: float | None) -> None:
        """Change the speed; both clocks start anew. Raises ValueError outside 0.001 to 16."""
        if factor is not None and not 0.001 <= factor <= 16.0:
            raise ValueError(f"speed {factor} is not between 0.001 and 16")
        self.speed = factor
        self.stop()

    def stop(self) -> None:
        """Forget the clocks (paused, state loaded): the next call of due starts them anew."""
        self._wall = self._sim = None
        self._marks.clear()

    def due(self, simtime: float, timestep: float) -> float:
        """Seconds to simulate now; 0 or less: ahead of the clock. After a new start one step is due at once."""
        if self.speed is None:
            return float("inf")
        now = self.clock()
        if self._wall is not None:
            ahead = simtime - self._sim
            behind = self.speed * (now - self._wall) - ahead
            limit = MISALIGN * max(1.0, self.speed)
            if ahead >= 0 and now >= self._wall and (-limit - timestep) <= behind <= limit:
                return behind
            self.resyncs += 1
        self._wall, self._sim = now, simtime
        return timestep

    def wait(self, simtime: float) -> float:
        """Wall seconds until simulated time `simtime` is due."""
        if self.speed is None or self._wall is None:
            return 0.0
        return self._wall + (simtime - self._sim) / self.speed - self.clock()

    def mark(self, simtime: float) -> None:
        """Note that the simulation is here now (called a few times per frame)."""
        now = self.clock()
        if self._marks and simtime < self._marks[-1][1]:
            self._marks.clear()
        self._marks.append((now, simtime))
        while len(self._marks) > 2 and now - self._marks[1][0] >= WINDOW:
            self._marks.popleft()

    def measured(self) -> float:
        """Real speed over the last window, simulated seconds per second; 0 before there is one."""
        if len(self._marks) < 2:
            return 0.0
        (w0, s0), (w1, s1) = self._marks[0], self._marks[-1]
        return (s1 - s0) / (w1 - w0) if w1 > w0 else 0.0
