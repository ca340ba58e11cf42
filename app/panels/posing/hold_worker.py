"""What holds the pose, worked out beside the run: the physics thread copies its Data, a thread of its own does the rest, which takes a second where many constraints hold loops.

    panel --ask(contacts)--> LiveQuery --copy--> thread: hold_torque --found(Hold)--> panel
"""
from __future__ import annotations

import contextlib
import threading
import time

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.context import AppContext
from app.panels.diagnostics.live_query import LiveQuery
from app.panels.live_panel import in_front
from physics.model.data import Data
from physics.model.model import Model
from physics.query.hold_torque import Hold, hold_torque

REST = 2.0      # times as long as the last one took nothing is worked out


class HoldWorker(QObject):
    """Signals (in the GUI thread): found(Hold) for the present Model; failed(text)."""

    found = pyqtSignal(object)
    failed = pyqtSignal(str)
    _done = pyqtSignal(object, object, float, str)

    def __init__(self, context: AppContext, parent: QObject | None = None):
        super().__init__(parent)
        self._context = context
        self._contacts = False
        self._out = self._due = False       # whether one is under way; whether another is to follow
        self._free_at = 0.0
        self._copied: Data | None = None    # written by the physics thread, read by the worker, never at once
        self._scratch: Data | None = None
        self._query = LiveQuery(context, self._copy, self)
        self._query.answered.connect(self._begin)
        self._query.failed.connect(self._failed)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self._ask_again)
        self._done.connect(self._take)
        context.model_changed.connect(self._model_changed)

    def ask(self, contacts: bool) -> None:
        """Work it out for the present moment, now or as soon as there is time. contacts: as hold_torque has it."""
        self._contacts = contacts
        wait = self._free_at - time.monotonic()
        if self._out:
            self._due = True
        elif wait > 0:
            if not self._late.isActive():
                self._late.start(max(1, round(1000 * wait)))
        else:
            self._out, self._due = True, False
            self._query.ask(at_once=True)       # the pause is kept here; a question that is put off may never be asked

    def _ask_again(self) -> None:
        if in_front(self):      # else the panel asks when it comes into view
            self.ask(self._contacts)

    def _copy(self, m: Model, d: Data) -> bool:
        """In the physics thread; whether there is something to work with."""
        if m.view_only:
            return False
        if self._copied is None or self._copied.model is not m:
            self._copied = d.copy()
        else:
            self._copied.copy_from(d)
        return True

    def _begin(self, copied: bool) -> None:
        if not copied:
            self._failed("This model can only be viewed, so that its forces are not known")
            return
        threading.Thread(target=self._work, args=(self._copied, self._contacts), name="hold torque", daemon=True).start()

    def _work(self, d: Data, contacts: bool) -> None:
        begun, hold, text = time.perf_counter(), None, ""
        try:
            if self._scratch is None or self._scratch.model is not d.model:
                self._scratch = d.copy()
            hold = hold_torque(d.model, d, contacts, self._scratch)
        except Exception as why:    # told in the panel
            text = f"{type(why).__name__}: {why}"
        with contextlib.suppress(RuntimeError):     # the window was closed meanwhile
            self._done.emit(d.model, hold, time.perf_counter() - begun, text)

    def _take(self, m: Model, hold: Hold | None, seconds: float, text: str) -> None:
        if m is not self._context.model:
            return
        self._out, self._free_at = False, time.monotonic() + REST * seconds
        if text:
            self.failed.emit(text)
        else:
            self.found.emit(hold)
        if self._due:
            self._ask_again()

    def _failed(self, text: str) -> None:
        self._out = False
        self.failed.emit(text)

    def _model_changed(self, _model: Model) -> None:
        self._out, self._due, self._free_at = False, False, 0.0
        self._copied = self._scratch = None
