"""Values of what was simulated before anybody traced it: computed from the recorded states, in a thread of its own, with the bits that the trace of these steps has."""
from __future__ import annotations

import threading
from contextlib import suppress
from dataclasses import dataclass

from PyQt6.QtCore import QObject, pyqtSignal

from app.context import AppContext
from physics.errors import ModelError
from physics.model.data import Data
from physics.model.model_copy import model_beside
from physics.recording.series import Series
from physics.recording.track import Track
from physics.runtime import commands
from physics.runtime.companions.replayed_curves import ReplayedCurve, ReplayedCurves
from physics.runtime.snapshot import Snapshot

SPARE = 4       # entries that may lack a row: the newest, and those at which the run has jumped
PATIENCE = 5.0  # s that the physics thread has to answer


@dataclass(frozen=True, slots=True)
class Found:
    """Values by expression, of the history as it was when they were wanted (key)."""

    key: tuple
    curves: dict[str, ReplayedCurve]


class PastValues(QObject):
    """Of one panel. `fill` asks for what series lack; it comes to them later, then changed() is told."""

    changed = pyqtSignal()
    _found = pyqtSignal(object)

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self._tried: dict[str, tuple[Series, tuple]] = {}      # of each expression the series and the history that were asked for last
        self._series: dict[str, Series] = {}
        self._thread: threading.Thread | None = None
        self._over = threading.Event()
        self._found.connect(self._take)

    def fill(self, series: dict[str, Series], snapshot: Snapshot) -> None:
        """Have these series filled where the history of this snapshot has entries that they lack."""
        self._series = series
        self._tried = {text: tried for text, tried in self._tried.items() if series.get(text) is tried[0]}     # a new one knows nothing of the past yet
        if self._thread is not None or not self._context.runner.keeps_history or snapshot.running and snapshot.history_length < 2 * SPARE:
            return
        first, last = snapshot.history_gone, snapshot.history_gone + snapshot.history_length - 1
        wanted = {}
        for text, one in series.items():
            key = (snapshot.generation, snapshot.history_branch, one.dropped, one.begun, one.holes)
            if text in self._tried and self._tried[text][1] == key:
                continue
            self._tried[text] = one, key
            if last - first + 1 - one.count(first, last) > SPARE + len(snapshot.history_marks):
                wanted[text] = key
        if wanted:
            self._thread = threading.Thread(target=self._work, args=(wanted,), name="past of curves", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Compute nothing any more."""
        self._over.set()

    def _work(self, wanted: dict[str, tuple]) -> None:
        curves: dict[str, ReplayedCurve] = {}
        with suppress(LookupError, OSError, ModelError):    # what cannot be computed is not drawn
            curves = self._computed(tuple(wanted))
        with suppress(RuntimeError):        # the window is closed
            self._found.emit(Found(tuple(wanted.items()), curves))

    def _computed(self, texts: tuple[str, ...]) -> dict[str, ReplayedCurve]:
        taken: list = []
        answered = threading.Event()

        def look(sim) -> None:
            if sim.model is not None:
                line = sim.history.line()
                number = sim.models.add(sim.model)
                taken.append((line, number, model_beside(sim.model), sim.models))
            answered.set()

        self._context.runner.send(commands.VisitRun(look))
        if not answered.wait(PATIENCE) or not taken:
            return {}
        line, present, model, store = taken[0]
        datas: dict[int, Data] = {}

        def data_of(number: int) -> Data:
            if number not in datas:
                datas[number] = Data(model if number == present else store.load(number))
            return datas[number]

        replayed = ReplayedCurves(Track(line.pieces), line.held, data_of)
        replayed.choose(texts)
        while not self._over.is_set() and replayed.step():
            pass
        return dict(replayed.found)

    def _take(self, found: Found) -> None:
        self._thread = None
        for text, curve in found.curves.items():
            if text in self._series:
                self._series[text].take_past(curve.number, curve.time, curve.values)
        if found.curves:
            self.changed.emit()
