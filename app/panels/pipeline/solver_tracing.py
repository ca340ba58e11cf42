"""Traces of a solver for a panel: the present state is copied between two steps, the solves are done again in a thread with a Model and Data of its own.

    request(changes) --> LiveQuery: a copy of Data and of what may be set in the Model --> thread: solver_trace --> traced(Traced), in the GUI thread
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from PyQt6.QtCore import QObject, pyqtSignal

from app.context import AppContext
from app.panels.diagnostics.live_query import LiveQuery
from app.panels.pipeline.newest_work import NewestWork
from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import live_values, model_beside, put_live_values
from physics.pipeline.solver_trace import SolverTrace, solver_trace

Make = Callable[[Model, Data, Mapping[str, Any], Any, Callable[[], bool]], Any]     # make(m, d, live, changes, stop), in the thread


@dataclass(frozen=True, slots=True)
class Traced:
    """model: the running Model then; time: of the state [s]; trace: with its own options; beside: with others, None where nothing is compared; why: why not, where
    that failed."""

    model: Model
    time: float
    trace: SolverTrace
    beside: SolverTrace | None
    why: str = ""


class SolverTracing(QObject):
    """working: whether a trace is still to come. Signals (in the GUI thread): traced(Traced) of the newest request; failed(text)."""

    traced = pyqtSignal(object)
    failed = pyqtSignal(str)

    def __init__(self, context: AppContext, parent: QObject, make: Make | None = None):
        """make: what makes of the copied state what is told by `traced`; None: a trace of the constraint solver."""
        super().__init__(parent)
        self._make = make
        self._query = LiveQuery(context, _copy, self, forces=True)
        self._query.answered.connect(self._start)
        self._query.failed.connect(self._fail)
        self._work = NewestWork("solver trace", self)
        self._work.done.connect(self._take)
        self._work.failed.connect(self._fail)
        self._changes: Any = None
        self._asked = False     # a state is to be copied
        self.working = False

    def request(self, changes: Any) -> None:
        """Trace the present state; changes: what `make` is given, options of a second trace or None for no second one."""
        self._changes = changes
        self._asked = self.working = True
        self._work.give_up()        # what is being traced is of a state or of options before
        self._query.ask(at_once=True)

    def give_up(self) -> None:
        """Nothing is wanted any more, neither of what is being traced nor of a state that is being copied."""
        self._asked = self.working = False
        self._work.give_up()

    def _start(self, copied: tuple) -> None:
        if self._asked:
            self._work.begin(partial(self._make or _traces, *copied, self._changes))

    def _take(self, result: Any) -> None:
        self.working = False
        self.traced.emit(result)

    def _fail(self, text: str) -> None:
        if self._asked:
            self.working = False
            self.failed.emit(text)


def _copy(m: Model, d: Data) -> tuple[Model, Data, Mapping[str, Any]]:
    return m, d.copy(), live_values(m)


def _traces(m: Model, d: Data, live: Mapping[str, Any], changes: Mapping[str, Any] | None, stop: Callable[[], bool]) -> Traced:
    own = model_beside(m)
    put_live_values(own, live)      # m may have been written since
    data = Data(own, d.maxcon, d.maxefc, d.maxJ, d.maxH)
    data.copy_fields(d)
    trace, beside, why = solver_trace(own, data, stop=stop), None, ""
    if changes is not None:
        try:
            beside = solver_trace(own, data, changes, stop=stop)
        except ValueError as error:
            why = str(error)
    return Traced(m, float(d.time), trace, beside, why)
