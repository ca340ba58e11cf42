"""Nearest points of things, looked for beside the run: a thread of its own works on a Data that takes the poses that the window shows.

    Measuring --ask()--> poses of the snapshot, pairs --> thread: look_nearest of each --found(answers)--> Measuring
"""
from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable

import numpy as np
from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.context import AppContext
from app.posing.measurements import look_nearest
from physics.model.data import Data
from physics.model.model import Model

POSES = ("xpos", "xmat", "geom_xpos", "geom_xmat", "site_xpos")     # what distances depend on
ASK = 0.06      # s between two questions
REST = 2.0      # times as long as the last answer took nothing is asked


class NearestWorker(QObject):
    """pairs(): [(key, (thing, thing))] that are wanted now. One question is out at a time. Signal (in the GUI thread): found([(key, pair, NearestNow)]) for the present Model."""

    found = pyqtSignal(object)
    _done = pyqtSignal(object, object, float)

    def __init__(self, context: AppContext, pairs: Callable[[], list[tuple]], parent: QObject | None = None):
        super().__init__(parent)
        self._context, self._pairs = context, pairs
        self._out = self._due = False       # whether a question is out; whether another is to follow it
        self._free_at = 0.0
        self._data: Data | None = None      # the thread's
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self.ask)
        self._done.connect(self._take)

    def ask(self, at_once: bool = False) -> None:
        """Look for them in the poses that the window shows; a little later where the last answer was just now, unless at_once."""
        wait = self._free_at - time.monotonic()
        if self._out:
            self._due = True
        elif wait > 0 and not at_once:
            if not self._late.isActive():
                self._late.start(max(1, round(1000 * wait)))
        else:
            self._begin()

    def _begin(self) -> None:
        m, snapshot, pairs = self._context.model, self._context.snapshot, self._pairs()
        if m is None or snapshot is None or snapshot.model is not m or not pairs:
            self._data = None       # of a Model that may have gone
            return
        self._out, self._due = True, False
        poses = {name: np.array(getattr(snapshot, name)) for name in POSES}
        threading.Thread(target=self._work, args=(m, poses, pairs), name="nearest points", daemon=True).start()

    def _work(self, m: Model, poses: dict[str, np.ndarray], pairs: list[tuple]) -> None:
        begun, answers = time.perf_counter(), []
        with contextlib.suppress(Exception):    # without an answer the next question tries again
            if self._data is None or self._data.model is not m:
                self._data = Data(m)
            for name, values in poses.items():
                getattr(self._data, name)[...] = values
            answers = [(key, pair, look_nearest(m, self._data, *pair)) for key, pair in pairs]
        with contextlib.suppress(RuntimeError):     # the window was closed meanwhile
            self._done.emit(m, answers, time.perf_counter() - begun)

    def _take(self, m: Model, answers: list, seconds: float) -> None:
        self._out, self._free_at = False, time.monotonic() + max(ASK, REST * seconds)
        if m is self._context.model:
            self.found.emit(answers)
        if self._due or m is not self._context.model:
            self.ask()
