"""Advice while a model runs: has the physics thread sampled now and then, and hands on what a thread of its own finds in the samples.

    timer --Visit--> physics thread: take_sample --> AdviceThread (measures, rules) --changed--> panel, status bar
"""
from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.context import AppContext
from app.model_memory import path_of
from physics.model.data import Data
from physics.model.elements import Element
from physics.model.model import Model
from physics.runtime import commands
from physics.runtime.companions.companion import be_nice

if TYPE_CHECKING:   # at the start every import counts
    from physics.diagnostics.advice.finding import Advice
    from physics.diagnostics.advice.thread import AdviceThread, Told

SAMPLES, THREADS = "physics.diagnostics.advice.sample", "physics.diagnostics.advice.thread"      # what it takes, which is imported once the first sample is wanted
SETTING = "run/advice"
ALWAYS, WHILE_SEEN, OFF = "always", "panel", "off"
PAUSE_MS = 500
CLOSING = 0.2       # s that closing waits at most for what the thread is at
SAMPLING = 0.002    # of the physics thread's time that samples may take


class AdviceController(QObject):
    """advice: what is told now. Signal: changed() when that is another, or it is switched on or off. Nothing is sampled while the run is paused."""

    changed = pyqtSignal()
    _arrived = pyqtSignal(object)

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self.advice: tuple[Advice, ...] = ()
        self.samples = 0                # that it comes from
        self.seen = False               # whether the panel is open, and no other lies on top of it
        self._dismissed: dict[str, set[tuple]] = {}     # by the model's path: keys of findings that are not told
        self._thread: AdviceThread | None = None
        self._imports: threading.Thread | None = None
        self._next, self._failed, self._closed = 0.0, False, False
        self._timer = QTimer(self)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self._ask)
        self._arrived.connect(self._take)
        context.model_changed.connect(self._model_changed)
        context.settings.changed.connect(self._setting_changed)
        self._setting_changed(SETTING)

    # ------------------------------------------------------------------ whether it is wanted

    @property
    def mode(self) -> str:
        """ALWAYS, WHILE_SEEN (the panel) or OFF."""
        return self._context.settings.get(SETTING)

    @property
    def wanted(self) -> bool:
        """Whether anybody looks at it."""
        return not self._closed and (self.mode == ALWAYS or (self.mode == WHILE_SEEN and self.seen))

    def panel_seen(self, seen: bool) -> None:
        """The panel has come into view or gone."""
        self.seen = seen
        self._setting_changed(SETTING)

    def switch_on(self) -> None:
        """Have advice from now on."""
        self._context.settings.set(SETTING, ALWAYS)

    def _setting_changed(self, name: str) -> None:
        if name != SETTING:
            return
        if self.wanted:
            self._timer.start()
        else:
            self._timer.stop()
            self._let_go(self.mode == OFF)
        self.changed.emit()

    def _let_go(self, forget: bool) -> None:
        if self._thread is not None and self._context.model is not None:
            self._thread.add(self._context.model, None, set())
        if forget:
            self.advice, self.samples = (), 0

    # ------------------------------------------------------------------ samples

    def _ask(self) -> None:
        """In the GUI thread, twice a second: have a sample taken where time passes."""
        snapshot = self._context.snapshot
        if snapshot is None or not snapshot.running or snapshot.model is not self._context.model or self._failed or time.monotonic() < self._next:
            return
        if self._imports is None:
            self._imports = threading.Thread(target=lambda: [import_module(name) for name in (SAMPLES, THREADS)], name="imports", daemon=True)
            self._imports.start()
        if self._imports.is_alive():
            return
        threads = import_module(THREADS)
        if self._thread is None:
            self._thread = threads.AdviceThread(self._told, be_nice)
        self._thread.share = threads.SEEN if self.seen else threads.SHARE
        if self._thread.behind:
            return
        dismissed = self._dismissed.setdefault(path_of(snapshot.model), set())
        self._context.runner.send(commands.Visit(partial(self._sample, self._thread, dismissed, 1e-6 * snapshot.step_us, snapshot.timers)))

    def _sample(self, thread: AdviceThread, dismissed: set[tuple], step_cost: float, timers: Mapping[str, float], m: Model, d: Data) -> None:
        """In the physics thread."""
        begun = time.thread_time()
        try:
            thread.add(m, import_module(SAMPLES).take_sample(m, d, step_cost, timers), dismissed)
        except Exception as why:    # advice must not stop the run
            self._told(import_module(THREADS).Told(m, (), 0, f"{type(why).__name__}: {why}"))
        self._next = time.monotonic() + (time.thread_time() - begun) / SAMPLING

    def _told(self, told: Told) -> None:
        """In another thread, which may outlive the window."""
        with suppress(RuntimeError):
            self._arrived.emit(told)

    def _take(self, told: Told) -> None:
        if told.model is not self._context.model or not self.wanted:
            return
        if told.why:
            self._failed = True
            self._context.log("warning", f"There is no advice for this model: {told.why}")
        before, self.advice = self.advice, tuple(one for one in told.advice if not self._all_dismissed(one))
        self.samples = told.samples
        if self.advice != before:
            self.changed.emit()

    def _all_dismissed(self, advice: Advice) -> bool:
        """Whether it was dismissed while this was on its way."""
        return set(advice.keys) <= self._dismissed.get(path_of(self._context.model), set())

    def _model_changed(self, _model: Model) -> None:
        self._failed = False
        self._let_go(True)
        self.changed.emit()

    # ------------------------------------------------------------------ what the user does with it

    @property
    def dismissed(self) -> int:
        """How many findings are not told of this model."""
        return len(self._dismissed.get(path_of(self._context.model), ()))

    def dismiss(self, advice: Advice) -> None:
        """Tell this no more of this model, while the program runs."""
        self._dismissed.setdefault(path_of(self._context.model), set()).update(advice.keys)
        self.advice = tuple(one for one in self.advice if one is not advice)
        self.changed.emit()

    def tell_again(self) -> None:
        """Tell again what was dismissed, with the next samples."""
        self._dismissed.get(path_of(self._context.model), set()).clear()
        self.changed.emit()

    def select(self, elements: tuple[Element, ...]) -> None:
        """Select what an advice is about."""
        self._context.select_elements(elements)

    def close(self) -> None:
        """Have the thread end; it may outlive the window by the step that it is measuring."""
        self._closed = True
        self._timer.stop()
        if self._thread is not None:
            self._thread.stop(CLOSING)
            self._thread = None
