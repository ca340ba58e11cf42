"""What a function of the running Model and Data says, asked for in the physics thread between two steps.

    panel --ask()--> Visit --> physics thread: look(m, d) --answered(result)--> panel, in the GUI thread
"""
from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.context import AppContext
from app.panels.live_panel import in_front
from physics.model.data import Data
from physics.model.model import Model
from physics.runtime import commands
from physics.simulate import warm_up

PAUSE = 0.2     # s between two questions
SHARE = 0.05    # of the time that answers may take: what takes longer is asked less often
VIEW_ONLY = "This model can only be viewed, so that its forces are not known"
COMPILING = "The physics engine is still being compiled for this model"
LOST = 5.0      # s after which a question that got no answer is taken for lost: the state could not be computed, say


class LiveQuery(QObject):
    """look(m, d) may look and copy, must change nothing, and should take a few milliseconds at most: steps wait for it. What was passed over is asked later while the
    widget that it belongs to (the nearest of its parents) is seen: a panel asks anew when it comes into view.

    forces: it looks at what only `forward` computes, so that models that can only be viewed, and kernels that are still being compiled, have no answer.
    Signals (in the GUI thread): answered(result) for the present Model; failed(text) where there is none, or `look` raised.
    """

    answered = pyqtSignal(object)
    failed = pyqtSignal(str)
    _arrived = pyqtSignal(object, object, str)

    def __init__(self, context: AppContext, look: Callable[[Model, Data], Any], parent: QObject | None = None, pause: float = PAUSE, forces: bool = False):
        super().__init__(parent)
        self._forces = forces
        self._context, self._look, self.pause = context, look, pause    # the last may be changed: a costly look wants longer ones
        self._out = False               # whether a question is under way
        self._again = False             # whether another is to follow it at once
        self._missed = False            # whether one was passed over meanwhile
        self._asked = float("-inf")
        self._seconds = 0.0             # that the last answer took
        self._late = QTimer(self)       # what was passed over is asked later: while paused nothing may follow that would ask again
        self._late.setSingleShot(True)
        self._late.timeout.connect(self._ask_late)
        self._arrived.connect(self._take)
        context.model_changed.connect(self._model_changed)

    def ask(self, at_once: bool = False) -> None:
        """Ask; where a question is under way or the last one was just now, a little later. at_once: something else is asked now, so ask without delay, or after the one under way."""
        now = time.monotonic()
        if self._out and now - self._asked < LOST:
            self._again |= at_once
            self._missed = True         # asked when the answer is here
            return
        pause = max(self.pause, self._seconds / SHARE)
        if not at_once and now - self._asked < pause:
            if not self._late.isActive():
                self._late.start(max(1, round(1000 * (self._asked + pause - now))))
            return
        self._out, self._again, self._missed, self._asked = True, False, False, now
        self._late.stop()
        self._context.runner.send(commands.Visit(self._answer))

    def _answer(self, m: Model, d: Data) -> None:
        """In the physics thread."""
        begun = time.perf_counter()
        try:
            text = (VIEW_ONLY if m.view_only else "" if warm_up.covers(m) else COMPILING) if self._forces else ""
            result = None if text else self._look(m, d)
        except Exception as why:    # a panel that cannot say why must not stop the simulation
            result, text = None, f"{type(why).__name__}: {why}"
        self._seconds = time.perf_counter() - begun
        self._arrived.emit(m, result, text)

    def _take(self, m: Model, result: Any, text: str) -> None:
        self._out = False
        if m is self._context.model:
            if text:
                self.failed.emit(text)
            else:
                self.answered.emit(result)
        if self._again or self._missed:
            self._ask_late()

    def _ask_late(self) -> None:
        if in_front(self):
            self.ask(at_once=self._again)

    def _model_changed(self, _model: Model) -> None:
        self._out = False       # a question to the Model before may never be answered
