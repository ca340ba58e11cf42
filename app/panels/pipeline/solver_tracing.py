"""Traces of the solver for a panel: the present state is copied between two steps, the solves are done again in a thread with a Model and Data of its own.

    request(changes) --> LiveQuery: a copy of Data and of what may be set in the Model --> thread: solver_trace --> traced(Traced), in the GUI thread
"""
from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from PyQt6.QtCore import QObject, pyqtSignal

from app.context import AppContext
from app.panels.diagnostics.live_query import LiveQuery
from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import live_values, model_beside, put_live_values
from physics.pipeline.solver_trace import SolverTrace, TraceStopped, solver_trace
from physics.runtime.companions.companion import be_nice


@dataclass(frozen=True, slots=True)
class Traced:
    """model: the running Model then; trace: with its own options; beside: with others, None where nothing is compared; why: why not, where that failed."""

    model: Model
    trace: SolverTrace
    beside: SolverTrace | None
    why: str = ""


class SolverTracing(QObject):
    """Signals (in the GUI thread): traced(Traced) of the newest request; failed(text); working(whether a trace is under way)."""

    traced = pyqtSignal(object)
    failed = pyqtSignal(str)
    working = pyqtSignal(bool)
    _done = pyqtSignal(int, object, str)

    def __init__(self, context: AppContext, parent: QObject):
        super().__init__(parent)
        self._query = LiveQuery(context, _copy, self)
        self._query.answered.connect(self._start)
        self._query.failed.connect(self.failed.emit)
        self._changes: Mapping[str, Any] | None = None
        self._number = 0        # of the newest request: those before are given up
        self._thread: threading.Thread | None = None
        self._next: tuple | None = None     # what is to be traced when the thread is free
        self._done.connect(self._take)

    def request(self, changes: Mapping[str, Any] | None) -> None:
        """Trace the present state; changes: options of a second trace, None for no second one."""
        self._changes = changes
        self._number += 1
        self._query.ask(at_once=True)

    def give_up(self) -> None:
        """Nothing is wanted any more."""
        self._number += 1
        self._next = None

    def _start(self, copied: tuple) -> None:
        self._next = (self._number, *copied, self._changes)
        if self._thread is None:
            self._go()

    def _go(self) -> None:
        work, self._next = self._next, None
        self._thread = threading.Thread(target=self._work, args=work, name="solver trace", daemon=True)
        self._thread.start()
        self.working.emit(True)

    def _work(self, number: int, m: Model, d: Data, live: Mapping[str, Any], changes: Mapping[str, Any] | None) -> None:
        be_nice()
        result, text = None, ""
        try:
            result = _traces(m, d, live, changes, lambda: number != self._number)
        except TraceStopped:
            pass
        except Exception as why:    # a panel that cannot say why must not end the program
            text = f"{type(why).__name__}: {why}"
        with suppress(RuntimeError):    # the window is closed
            self._done.emit(number, result, text)

    def _take(self, number: int, result: Traced | None, text: str) -> None:
        self._thread = None
        if number == self._number:
            if result is not None:
                self.traced.emit(result)
            elif text:
                self.failed.emit(text)
        if self._next is not None:
            self._go()
        else:
            self.working.emit(False)


def _copy(m: Model, d: Data) -> tuple[Model, Data, Mapping[str, Any]]:
    return m, d.copy(), live_values(m)


def _traces(m: Model, d: Data, live: Mapping[str, Any], changes: Mapping[str, Any] | None, stop) -> Traced:
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
    return Traced(m, trace, beside, why)
