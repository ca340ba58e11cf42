"""A walk through the step from the present state: the state is copied between two steps while the run is paused, the step is taken apart in a thread with a Model and Data of
its own.

    panel --ask()--> VisitRun: copies of Data, of what may be set in the Model and of the state before --> thread: walk --walked(Walk)--> panel, in the GUI thread
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.context import AppContext
from app.panels.diagnostics.live_query import COMPILING, VIEW_ONLY
from app.panels.pipeline.newest_work import NewestWork
from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import live_values, model_beside, put_live_values
from physics.pipeline.walk import Walk, walk
from physics.runtime import commands
from physics.runtime.simulation import Simulation
from physics.simulate import warm_up
from physics.simulate.engines import engine_of
from physics.simulate.step import grow

PAUSE_MS = 50       # between two walks at least
RETRY_MS = 1000     # while the engine is being compiled


@dataclass(frozen=True, slots=True)
class Copied:
    """What a walk begins with. model: the running one; live: what may be set in it; data: a copy; start: what makes of a copy of `data` the Data that tells what stood in all
    fields when the step begins, None where `data` itself does."""

    model: Model
    live: Mapping[str, Any]
    data: Data
    start: Callable[[Data], Data] | None


class WalkQuery(QObject):
    """Signals (in the GUI thread): walked(walk) of the present Model; failed(text) where there can be none."""

    walked = pyqtSignal(object)
    failed = pyqtSignal(str)
    _arrived = pyqtSignal(int, object, str)

    def __init__(self, context: AppContext, parent: QObject | None = None):
        super().__init__(parent)
        self._context = context
        self._number = 0            # of the newest question: answers to those before are of no interest
        self._out = self._again = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self.ask)
        self._work = NewestWork("walk through a step", self)
        self._work.done.connect(self._found)
        self._work.failed.connect(self._fail)
        self._arrived.connect(self._take)
        context.model_changed.connect(self.give_up)

    def ask(self) -> None:
        """Ask for the walk from the present state; once more after the one under way, if there is one."""
        if self._out or self._later.isActive():
            self._again = True
            return
        self._number += 1
        self._out, self._again = True, False
        visitor = partial(self._visit_run if self._context.runner.keeps_history else self._visit, self._number)
        self._context.runner.send(commands.VisitRun(visitor) if self._context.runner.keeps_history else commands.Visit(visitor))

    def give_up(self, _model: Model | None = None) -> None:
        """Nothing is wanted any more; a question to the Model before may never be answered."""
        self._number += 1
        self._out = self._again = False
        self._later.stop()
        self._work.give_up()

    # ------------------------------------------------------------------ in the physics thread

    def _visit_run(self, number: int, simulation: Simulation) -> None:
        if simulation.model is None or simulation.running:
            self._arrived.emit(number, None, "")
        else:
            self._copy(number, simulation.model, simulation.data, lambda: start_of(simulation))

    def _visit(self, number: int, m: Model, d: Data) -> None:
        self._copy(number, m, d, lambda: None)      # a script's Data holds what its last call has left

    def _copy(self, number: int, m: Model, d: Data, start: Callable[[], Callable[[Data], Data] | None]) -> None:
        found, text = None, VIEW_ONLY if m.view_only else "" if warm_up.covers(m) else COMPILING
        try:
            found = None if text else Copied(m, live_values(m), d.copy(), start())
        except Exception as why:    # a panel that cannot show a step must not stop the simulation
            text = f"{type(why).__name__}: {why}"
        self._arrived.emit(number, found, text)

    # ------------------------------------------------------------------ in the GUI thread

    def _take(self, number: int, found: Copied | None, text: str) -> None:
        if number != self._number:
            return
        if found is not None:
            self._work.begin(partial(taken_apart, found))
        elif text:
            self._fail(text)
        else:
            self._over()

    def _found(self, found: Walk) -> None:
        self._over()
        self.walked.emit(found)

    def _fail(self, text: str) -> None:
        self._again |= text == COMPILING
        self._over(RETRY_MS if text == COMPILING else PAUSE_MS)
        self.failed.emit(text)

    def _over(self, pause: int = PAUSE_MS) -> None:
        """The question is answered; the next one goes out a little later."""
        self._out = False
        if self._again:
            self._later.start(pause)


def taken_apart(copied: Copied, _stop: Callable[[], bool] = lambda: False) -> Walk:
    """The walk from a copied state; its Model is the one that runs."""
    own = model_beside(copied.model)
    put_live_values(own, copied.live)       # the running one may have been written since
    d = copied.data
    data = Data(own, d.maxcon, d.maxefc, d.maxJ, d.maxH)
    data.copy_fields(d)
    return replace(walk(own, data, copied.start(data) if copied.start is not None else None), model=copied.model)


def start_of(simulation: Simulation) -> Callable[[Data], Data]:
    """What finds a Data as the step that led to the present state left it: that step is taken once more. Where the state before is not known nothing was computed yet."""
    m, d, history = simulation.model, simulation.data, simulation.history
    if history.index < 1:
        return _nothing_computed
    piece, row = history.track().at(history.index - 1)
    if not piece.layout.fits(m) or abs(piece.time[row] + m.opt_timestep - d.time) > 0.5 * m.opt_timestep:
        return _nothing_computed
    return partial(_step_before, float(piece.time[row]), {name: np.array(piece.columns(name)[row]) for name in piece.layout.parts})


def _nothing_computed(data: Data) -> Data:
    return Data(data.model)


def _step_before(time: float, state: Mapping[str, np.ndarray], data: Data) -> Data:
    """state: the numbers of the state before."""
    before = data.copy()
    before.time = time
    for name, numbers in state.items():
        getattr(before, name).reshape(-1)[:] = numbers
    engine = engine_of(before.model)
    while not engine.step(before.model, before, 1):
        if not grow(before):
            return _nothing_computed(data)
    return before
