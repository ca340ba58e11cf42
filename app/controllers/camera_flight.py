"""A short way for the free camera from where it is to where it is wanted, so that the eye can follow."""
from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

from PyQt6.QtCore import QObject, QTimer

from render.scene.camera import TRACKING, CameraState

SECONDS = 0.25
TICK_MS = 15


def between(start: CameraState, end: CameraState, share: float) -> CameraState:
    """The camera at a share of the way (0 to 1): angles the short way round, distances in equal ratios."""
    turn = (end.azimuth - start.azimuth + 180) % 360 - 180
    lookat = tuple(a + share * (b - a) for a, b in zip(start.lookat, end.lookat, strict=True))
    distance = math.exp((1 - share) * math.log(start.distance) + share * math.log(end.distance))
    return replace(end, lookat=lookat, distance=distance, azimuth=start.azimuth + share * turn, elevation=start.elevation + share * (end.elevation - start.elevation))


def followed(state: CameraState, present: CameraState) -> CameraState:
    """A state of a tracking camera with what it looks at now; that of another camera as it is."""
    return replace(state, lookat=present.lookat) if state.kind == TRACKING else state


class CameraFlight(QObject):
    """One for a view. move(state) puts the camera somewhere and has the view drawn; a flight ends early when the camera is elsewhere than it was put:
    of a tracking camera, which follows its body meanwhile, but for what it looks at."""

    def __init__(self, camera: Callable[[], CameraState], move: Callable[[CameraState], None]):
        super().__init__()
        self._camera, self._move = camera, move
        self._start = self._end = self._last = CameraState()
        self._began = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    @property
    def flying(self) -> bool:
        """Whether the camera is on its way."""
        return self._timer.isActive()

    def go(self, start: CameraState, end: CameraState) -> None:
        """From one free camera to another."""
        self._start, self._end, self._began = start, end, time.perf_counter()
        self._last = start
        self._move(start)
        self._timer.start()

    def stop(self) -> None:
        """Stay where the camera is now."""
        self._timer.stop()

    def _tick(self) -> None:
        present = self._camera()
        if present != followed(self._last, present):    # somebody else has taken it
            self._timer.stop()
            return
        share = min(1.0, (time.perf_counter() - self._began) / SECONDS)
        self._last = self._end if share >= 1 else between(self._start, self._end, share * share * (3 - 2 * share))
        self._move(followed(self._last, present))
        if share >= 1:
            self._timer.stop()
