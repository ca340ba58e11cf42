"""Courses of the primary and of companions: their recorded states, each computed once more in one thread, with a Model and Data of their own.

    look --visit--> thread of each run: rows since the last time (views, and once a copy of the Model) --> one thread: forward, Follower --> Courses
"""
from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.panels.live_panel import in_front
from app.panels.pipeline.newest_work import NewestWork
from app.panels.tuner.replayed_states import Follower, ReplayedStates
from physics.model.model_copy import model_beside
from physics.recording.replayed import can_replay
from physics.runtime.simulation import Simulation
from physics.tuning.measured import CAPACITY

PAUSE = 0.25            # s between two looks
SHARE = 0.25            # of a core, at most, for all of them
LARGEST = 2000          # geoms of a model that is looked at

Visit = Callable[[Callable[[Simulation], None]], None]      # has something called with a run's Simulation, in its thread


class Sampling(QObject):
    """begin() says of which runs, by keys, and by what they are looked at. Signal: changed() `courses` are others (GUI thread); failed(text)."""

    changed = pyqtSignal()
    failed = pyqtSignal(str)
    _arrived = pyqtSignal(object)

    def __init__(self, parent: QObject):
        super().__init__(parent)
        self.courses: Mapping[Any, Any] = {}        # what the Follower of each has found last
        self._visits: dict[Any, Visit] = {}
        self._follower: Callable[[], Follower] | None = None
        self._contacts: dict[Any, ReplayedStates] = {}
        self._found: dict[Any, tuple] = {}
        self._out: set = set()
        self._number = 0            # of the begun comparison
        self._asked = float("-inf")
        self._work = NewestWork("compared contacts", self, SHARE)
        self._work.done.connect(self._take)
        self._work.failed.connect(self._fail)
        self._arrived.connect(self._take_rows)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(lambda: self.look() if in_front(self) else None)

    def begin(self, follower: Callable[[], Follower], visits: Mapping[Any, Visit]) -> None:
        """Of these runs from now on, each looked at by a follower of its own."""
        self.end()
        self._follower = follower
        self._visits = dict(visits)
        self._contacts = {key: ReplayedStates(follower(), CAPACITY) for key in visits}

    def end(self) -> None:
        """Of none; what was found stays."""
        self._work.give_up()
        self._number += 1
        self._visits, self._contacts, self._found, self._out = {}, {}, {}, set()

    def keep(self, keys: Sequence[Any]) -> None:
        """Of these runs alone; the courses of others stay as they are."""
        for key in [key for key in self._visits if key not in keys]:
            self._visits.pop(key)
            self._out.discard(key)
            self._found.pop(key, None)

    def renew(self, key: Any) -> None:
        """A run has other values in its Model from now on."""
        before = self._contacts.get(key)
        if before is not None:
            self._contacts[key] = ReplayedStates(self._follower(), CAPACITY)
            self._contacts[key].from_now = True

    def look(self) -> None:
        """Ask for what is new, where the last look was long enough ago."""
        if not self._visits:
            return
        now = time.monotonic()
        if self._out or self._work.busy or now - self._asked < PAUSE or not can_replay():
            self._late.start(round(1000 * PAUSE))       # the run may stand still by then
            return
        self._asked, number = now, self._number
        self._found, self._out = {}, set(self._visits)
        for key, visit in self._visits.items():
            visit(self._visitor(number, key, self._contacts[key].data is None))
        self._late.start(round(2000 * PAUSE))       # a companion may still be on its way when the run has stopped, which has no snapshots then

    def _visitor(self, number: int, key: Any, fresh: bool) -> Callable[[Simulation], None]:
        def look(sim: Simulation) -> None:
            pieces = sim.history.track().pieces if sim.model is not None and sim.model.ngeom <= LARGEST else ()
            newest = tuple(piece for piece in pieces if piece.model == pieces[-1].model and piece.layout == pieces[-1].layout)
            found = (newest, model_beside(sim.model) if fresh else None) if newest else None
            with contextlib.suppress(RuntimeError):     # the window was closed meanwhile
                self._arrived.emit((number, key, found))

        return look

    def _take_rows(self, arrived: tuple) -> None:
        number, key, found = arrived
        if number != self._number or key not in self._out:
            return
        self._out.discard(key)
        if found is not None:
            self._found[key] = found
        if self._out or not self._found:
            return
        rows, contacts = self._found, dict(self._contacts)
        self._found = {}

        def work(stop: Callable[[], bool]) -> tuple[int, dict[Any, Any]]:
            courses = {}
            for key, (pieces, beside) in rows.items():
                if stop():
                    break
                news = False
                for piece in pieces[-1:] if contacts[key].from_now and beside is not None else pieces:
                    if piece.number + len(piece.rows) - 1 > contacts[key].last or piece is pieces[-1]:
                        news, beside = contacts[key].work(piece, beside) is not None or news, None
                if news:
                    courses[key] = contacts[key].follower.found()
            return number, courses

        self._work.begin(work)

    def _take(self, found: tuple[int, dict[Any, Any]]) -> None:
        number, courses = found
        if number == self._number and courses:
            self.courses = {**self.courses, **courses}
            self.changed.emit()

    def _fail(self, text: str) -> None:
        self.end()
        self.failed.emit(text)

    def forget(self) -> None:
        """Nothing is known of any run."""
        self.end()
        self.courses = {}
