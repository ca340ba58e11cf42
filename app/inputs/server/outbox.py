"""What waits to be sent to one client: of poses and pictures the newest only, of the rest a few. However slow a client reads, it cannot make this grow."""
from __future__ import annotations

import asyncio
from collections import deque

MOST_TEXTS = 32     # pongs, pulses and the like; the oldest are let go


class Outbox:
    """All methods are called in the server's thread.

    A picture waits until the one before was said to be seen: on a slow link pictures become fewer, not later.
    """

    def __init__(self):
        self._texts: deque[str] = deque(maxlen=MOST_TEXTS)
        self._geometry: bytes | None = None
        self._poses: bytes | None = None
        self._picture: tuple[int, bytes] | None = None
        self._unseen: int | None = None
        self._ready = asyncio.Event()

    def text(self, text: str) -> None:
        """Queue a text."""
        self._texts.append(text)
        self._ready.set()

    def geometry(self, frame: bytes) -> None:
        """Another model's geometry; poses of the one before are let go."""
        self._geometry, self._poses = frame, None
        self._ready.set()

    def poses(self, frame: bytes) -> None:
        """Newer poses."""
        self._poses = frame
        self._ready.set()

    def picture(self, number: int, frame: bytes) -> None:
        """A newer picture."""
        self._picture = number, frame
        if self._unseen is None:
            self._ready.set()

    def seen(self, number: int) -> None:
        """The client has the picture of this number on its screen."""
        if self._unseen is not None and number >= self._unseen:
            self._unseen = None
            if self._picture is not None:
                self._ready.set()

    @property
    def wants_picture(self) -> bool:
        """Whether another picture would be sent at once."""
        return self._unseen is None and self._picture is None

    async def next(self) -> str | bytes:
        """What to send next: texts first, then geometry, poses, a picture. Waits for something."""
        while (found := self._take()) is None:
            self._ready.clear()
            await self._ready.wait()
        return found

    def _take(self) -> str | bytes | None:
        if self._texts:
            return self._texts.popleft()
        if self._geometry is not None:
            found, self._geometry = self._geometry, None
            return found
        if self._poses is not None:
            found, self._poses = self._poses, None
            return found
        if self._picture is not None and self._unseen is None:
            (self._unseen, found), self._picture = self._picture, None
            return found
        return None
