"""A thread that has pictures made of the cameras somebody looks through, and no faster than they are seen."""
from __future__ import annotations

import threading
import time
from collections.abc import Callable

from app.inputs.server.feed import Feed, jpeg_of

RATE = 30.0     # pictures a second of all cameras together


class PictureMaker:
    """draw(camera): (height, width, 3) uint8 of the camera of that name, None where there is none now; called in this thread, one at a time, for a camera whose next picture would be sent
    at once: while a client has not said that it has seen one, none is drawn for it. close: called there at the end; rest: there, whenever nobody looks any more; fails: with why there are no pictures any more, where
    drawing one has failed.
    """

    def __init__(self, feed: Feed, draw: Callable[[str], object], rate: float = RATE, close: Callable[[], None] | None = None, fails: Callable[[Exception], None] | None = None,
                 rest: Callable[[], None] | None = None):
        self._feed, self._draw, self._rate, self._close, self._fails, self._rest = feed, draw, rate, close, fails, rest
        self.failed: Exception | None = None
        self._wanted = threading.Event()
        self._stopping = False
        self._thread = threading.Thread(target=self._loop, name="teleoperation pictures", daemon=True)
        feed.on_wanted = self._changed
        self._thread.start()

    def stop(self, wait: bool = True) -> None:
        """End the thread; it is through with its picture then. wait False: it will end by itself."""
        self._stopping = True
        self._wanted.set()
        if wait:
            self._thread.join()

    def _changed(self, wanted: frozenset[str]) -> None:
        if wanted:
            self._wanted.set()
        elif not self._stopping:
            self._wanted.clear()

    def _loop(self) -> None:
        try:
            self._make()
        except Exception as error:      # no OpenGL here, perhaps: all else goes on without pictures
            self.failed = error
            if self._fails is not None:
                self._fails(error)
        finally:
            if self._close is not None:
                self._close()

    def _make(self) -> None:
        while True:
            if not self._wanted.is_set() and self._rest is not None:
                self._rest()
            self._wanted.wait()
            for camera in sorted(self._feed.wanted) or ("",):
                if self._stopping:
                    return
                began = time.perf_counter()
                picture = self._draw(camera) if camera and self._feed.due(camera) else None
                if picture is not None and not self._stopping:
                    self._feed.show_picture(camera, jpeg_of(picture))
                time.sleep(max(1 / self._rate - (time.perf_counter() - began), 1e-3))
