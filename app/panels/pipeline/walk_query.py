"""A walk through the step from the present state, taken in the physics thread while the run is paused.

    panel --ask()--> VisitRun --> physics thread: walk(m, d, a step before) --walked(Walk)--> panel, in the GUI thread
"""
from __future__ import annotations

import time

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.context import AppContext
from physics.model.data import Data
from physics.model.model import Model
from physics.pipeline.walk import Walk, walk
from physics.runtime import commands
from physics.runtime.simulation import Simulation
from physics.simulate.engines import engine_of
from physics.simulate.step import grow

PAUSE, SHARE = 0.05, 0.25       # s between two walks at least; of the physics thread's time that they may take


class WalkQuery(QObject):
    """Signals (in the GUI thread): walked(walk) of the present Model; failed(text) where there can be none."""

    walked = pyqtSignal(object)
    failed = pyqtSignal(str)
    _arrived = pyqtSignal(object, object, str, float)

    def __init__(self, context: AppContext, parent: QObject | None = None):
        super().__init__(parent)
        self._context = context
        self._out = self._again = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self.ask)
        self._arrived.connect(self._take)
        context.model_changed.connect(self._model_changed)
        self._pause = PAUSE

    def ask(self) -> None:
        """Ask for the walk from the present state; once more after the one under way, if there is one."""
        if self._out or self._later.isActive():
            self._again = True
            return
        self._out, self._again = True, False
        keeps = self._context.runner.keeps_history
        self._context.runner.send(commands.VisitRun(self._visit_run) if keeps else commands.Visit(self._visit))

    # ------------------------------------------------------------------ in the physics thread

    def _visit_run(self, simulation: Simulation) -> None:
        if simulation.model is None or simulation.running:
            self._arrived.emit(simulation.model, None, "", 0.0)
            return
        self._walk(simulation.model, simulation.data, lambda: step_before(simulation))

    def _visit(self, m: Model, d: Data) -> None:
        self._walk(m, d, lambda: None)

    def _walk(self, m: Model, d: Data, before) -> None:
        began, found, text = time.perf_counter(), None, ""
        try:
            found = walk(m, d, before() or Data(m))
        except Exception as why:    # a panel that cannot show a step must not stop the simulation
            text = f"{type(why).__name__}: {why}"
        self._arrived.emit(m, found, text, time.perf_counter() - began)

    # ------------------------------------------------------------------ in the GUI thread

    def _take(self, m: Model, found: Walk | None, text: str, seconds: float) -> None:
        self._out = False
        self._pause = max(PAUSE, seconds / SHARE)
        if m is self._context.model:
            if text:
                self.failed.emit(text)
            elif found is not None:
                self.walked.emit(found)
        if self._again:
            self._later.start(round(1000 * self._pause))

    def _model_changed(self, _model: Model) -> None:
        self._out = False       # a question to the Model before may never be answered


def step_before(simulation: Simulation) -> Data | None:
    """A Data as the step that led to the present state left it: what stood in all fields when the next one begins. None where the state before is not known."""
    m, d, history = simulation.model, simulation.data, simulation.history
    if history.index < 1:
        return None
    piece, row = history.track().at(history.index - 1)
    if not piece.layout.fits(m) or abs(piece.time[row] + m.opt_timestep - d.time) > 0.5 * m.opt_timestep:
        return None
    before = d.copy()
    before.time = float(piece.time[row])
    for name in piece.layout.parts:
        getattr(before, name).reshape(-1)[:] = piece.columns(name)[row]
    engine = engine_of(m)
    while not engine.step(m, before, 1):
        if not grow(before):
            return None
    return before
