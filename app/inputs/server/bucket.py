"""How much one client may send: a token bucket for its messages, and strikes for those that are refused."""
from __future__ import annotations

STRIKES = 3     # refused messages after which a client is let go
FORGIVEN = 60.0     # s after which a strike is forgotten


class Bucket:
    """Holds at most `burst`, fills at `rate` a second (Turner, New directions in communications, 1986)."""

    def __init__(self, rate: float, burst: float):
        self._rate, self._burst = rate, burst
        self._level, self._at = burst, None

    def take(self, now: float) -> bool:
        """Whether one more may come now [s]."""
        if self._at is not None:
            self._level = min(self._burst, self._level + self._rate * (now - self._at))
        self._at = now
        if self._level < 1:
            return False
        self._level -= 1
        return True


class Strikes:
    """What a client has done wrong lately."""

    def __init__(self):
        self._at: list[float] = []

    def out(self, now: float) -> bool:
        """Note one more; whether that was the last one too many."""
        self._at = [at for at in self._at if now - at < FORGIVEN][1 - STRIKES:] + [now]
        return len(self._at) >= STRIKES
