"""What a contact has really done: states of the history, each computed once more in a thread, with a Model and Data of its own.

    show_snapshot --VisitRun--> physics thread: rows since the last time (views, and a copy of the Model where it is another) --> thread: forward, Follower --> what it has found

The tuner follows touches (Probe, Window --> Measured).
"""
from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from math import nan
from typing import Any

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.context import AppContext
from app.panels.live_panel import in_front
from app.panels.pipeline.newest_work import NewestWork
from app.panels.tuner.replayed_states import Follower, ReplayedStates, Touches
from physics.model.model_copy import model_beside
from physics.recording.replayed import can_replay
from physics.runtime import commands
from physics.tuning.target import Form, Target

PAUSE = 0.25            # s between two looks
SHARE = 0.2             # of a core, at most
LARGEST = 2000          # geoms of a model that is measured


class Measuring(QObject):
    """begin() says of what. Signal: changed() `measured` is another (GUI thread)."""

    changed = pyqtSignal()
    _arrived = pyqtSignal(object)

    def __init__(self, context: AppContext, parent: QObject | None = None):
        super().__init__(parent)
        self._context = context
        self.measured: Any = None       # what the follower has found last
        self._make: Callable[[], Follower] | None = None
        self._task: ReplayedStates | None = None
        self._asked = float("-inf")
        self._out = False
        self._work = NewestWork("measured contact", self, SHARE)
        self._work.done.connect(self._take)
        self._work.failed.connect(self._failed)
        self._arrived.connect(self._start)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(lambda: self.look() if in_front(self) else None)
        context.model_changed.connect(lambda _model: self._anew())
        context.model_edited.connect(lambda _fields: self._anew())

    def begin(self, target: Target | None, mass: float = nan) -> None:
        """Touches of this contact from now on; None, or what is no contact: of none."""
        self.follow((lambda: Touches(target, mass)) if target is not None and target.form == Form.CONTACT else None)

    def follow(self, make: Callable[[], Follower] | None) -> None:
        """Have states looked at by make() from now on; None: by nobody."""
        self._work.give_up()
        self._out, self.measured, self._make = False, None, make
        self._task = ReplayedStates(make()) if make is not None else None

    def _anew(self) -> None:
        """Other values are in force: what was before them says nothing."""
        if self._task is not None:
            self.follow(self._make)
            self._task.from_now = True
            self.changed.emit()

    def look(self) -> None:
        """Ask for what is new, where the last look was long enough ago."""
        m, task = self._context.model, self._task
        if task is None or m is None or m.ngeom > LARGEST or m.view_only or not self._context.runner.keeps_history:
            return
        now = time.monotonic()
        if self._out or self._work.busy or now - self._asked < PAUSE or not can_replay():
            self._late.start(round(1000 * PAUSE))       # the run may stand still by then
            return
        self._out, self._asked = True, now

        def visit(sim) -> None:
            found = None
            if sim.model is m:
                pieces = sim.history.track().pieces
                found = (pieces[-1], model_beside(m) if task.data is None else None) if pieces else None
            with contextlib.suppress(RuntimeError):     # the window was closed meanwhile
                self._arrived.emit((task, found))

        self._context.runner.send(commands.VisitRun(visit))

    def _start(self, arrived: tuple) -> None:
        task, found = arrived
        if task is not self._task:
            return
        self._out = False
        if found is not None:
            piece, beside = found
            self._work.begin(lambda _stop: task.work(piece, beside))

    def _take(self, measured: Any) -> None:
        if measured is not None:
            self.measured = measured
            self.changed.emit()

    def _failed(self, text: str) -> None:
        self._task = None       # it would fail again
        self._context.log("warning", f"The contact cannot be measured: {text}")
