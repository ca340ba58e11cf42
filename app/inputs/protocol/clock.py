"""Another machine's clock by ours, and which of its messages are too late.

    sender: ping t0 ---> received t1, pong sent t2 ---> back t3         offset = ((t1 - t0) + (t2 - t3)) / 2, delay = (t3 - t0) - (t2 - t1)

The offset is that of the fastest of the last PINGS exchanges (Mills, Network Time Protocol, clock filter). Before the first exchange it is the least
difference that a message showed, which is wrong by the shortest way here.
"""
from __future__ import annotations

import time
from collections import deque

PINGS = 8
AGAIN = 10.0            # s after which a sender measures again
OLDEST = 0.250          # s, samples that took longer are dropped
WINDOW = 200            # messages whose least difference stands in for an exchange


class Clock:
    """The offset of one sender: its clock [ms] to time.perf_counter [s]."""

    def __init__(self):
        self._exchanges: deque[tuple[float, float]] = deque(maxlen=PINGS)      # delay, offset [s]
        self._differences: deque[float] = deque(maxlen=WINDOW)
        self._least: float | None = None

    def exchange(self, sent: float, received: float, answered: float, back: float) -> None:
        """Take in one ping and pong [ms]: sent and back by the sender's clock, received and answered by ours (`milliseconds`)."""
        delay = (back - sent) - (answered - received)
        if delay >= 0:
            self._exchanges.append((delay * 1e-3, 0.5e-3 * ((received - sent) + (answered - back))))

    def message(self, t: float, received: float) -> None:
        """Take in when a message says it was sent [ms, sender's clock] and when it came [s, ours]."""
        difference = received - 1e-3 * t
        dropped = self._differences[0] if len(self._differences) == WINDOW else None
        self._differences.append(difference)
        if self._least is None or difference <= self._least:
            self._least = difference
        elif dropped == self._least:
            self._least = min(self._differences)

    @property
    def delay(self) -> float | None:
        """Of the fastest exchange [s], there and back; None before the first."""
        return min(self._exchanges)[0] if self._exchanges else None

    def ours(self, t: float) -> float:
        """The sender's time t [ms] by time.perf_counter [s]."""
        offset = min(self._exchanges)[1] if self._exchanges else self._least
        return 1e-3 * t + (offset or 0.0)


class Order:
    """Which messages of one sender are taken: those that are newer than all before, and not older than OLDEST. Counts those that are not."""

    def __init__(self, oldest: float = OLDEST):
        self.clock = Clock()
        self.replayed = self.late = 0
        self._oldest, self._seq = oldest, -1

    def restart(self) -> None:
        """The sender has begun anew: it counts from anywhere."""
        self.clock, self._seq = Clock(), -1

    def numbered(self, seq: int) -> bool:
        """Whether this number is higher than all before; notes it."""
        if seq <= self._seq:
            self.replayed += 1
            return False
        self._seq = seq
        return True

    def on_time(self, t: float, received: float) -> bool:
        """Whether what was sent at t [ms, sender's clock] and came at `received` [s, ours] is recent enough."""
        self.clock.message(t, received)
        if received - self.clock.ours(t) > self._oldest:
            self.late += 1
            return False
        return True


def milliseconds(now: float | None = None) -> float:
    """Our clock as pongs tell it [ms]."""
    return 1e3 * (time.perf_counter() if now is None else now)
