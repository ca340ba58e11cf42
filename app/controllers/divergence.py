"""Why the run diverged: the post-mortem of the newest divergence, made on a thread of its own, and what its remedies do to the run.

    physics thread --event with the last steps--> context.diverged --> thread: PostMortem, then each remedy --reported, tried--> panel
    panel --apply, companion, rewind--> commands, companion runs
"""
from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import suppress

import numpy as np
from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QGuiApplication

from app.context import AppContext
from app.controllers.companions import CompanionRow, CompanionsController
from physics.diagnostics.divergence import changes
from physics.diagnostics.divergence.changes import FLAGS, Change, InputChange
from physics.diagnostics.divergence.curves import Curve, curves
from physics.diagnostics.divergence.remedies import Remedy
from physics.diagnostics.divergence.report import DivergenceReport, PostMortem
from physics.diagnostics.divergence.trial import Outcome, clamp
from physics.recording.last_steps import LastSteps
from physics.runtime import commands
from physics.runtime.companions.companion import be_nice
from physics.runtime.companions.rewound import Beginning
from physics.runtime.events import Event

SETTING = "run/divergence_page"     # whether the page opens by itself


class Work:
    """One post-mortem. report, curves, outcomes: as far as they are there; failed: why there is none; over: whether nothing follows."""

    def __init__(self, steps: LastSteps):
        self.steps = steps
        self.stopping = self.over = False
        self.report: DivergenceReport | None = None
        self.curves: tuple[Curve, ...] = ()
        self.outcomes: dict[Remedy, Outcome] = {}
        self.failed = ""

    def run(self, told) -> None:
        """In a thread of its own: told() after each result."""
        be_nice()
        try:
            mortem = PostMortem(self.steps, lambda: self.stopping)
            self.curves = tuple(curves(mortem.model, self.steps, mortem.report.quantities))
            self.report = mortem.report
            told()
            for remedy, outcome in mortem.tries(lambda: self.stopping):
                self.outcomes = {**self.outcomes, remedy: outcome}
                told()
        except Exception as why:    # a page that cannot be written must not end the program
            self.failed = f"{type(why).__name__}: {why}"
            told()
        finally:
            self.over = True


class DivergenceController(QObject):
    """work: the newest post-mortem, None before the first divergence. Signals: changed() when there is more of it, or another; needed() when the page is to be seen."""

    changed = pyqtSignal()
    needed = pyqtSignal()
    _told = pyqtSignal(object)

    def __init__(self, context: AppContext, companions: CompanionsController):
        super().__init__()
        self._context, self._companions = context, companions
        self.work: Work | None = None
        self._told.connect(self._take)
        context.diverged.connect(self.diverged)
        context.model_changed.connect(self._model_changed)

    def diverged(self, event: Event) -> None:
        """The run has diverged: find out why, and open the page where it stands still and that is wanted."""
        steps = event.details.get("last_steps")
        if steps is None or event.details.get("reset") and self.work is not None and not self.work.over:
            return      # a run that is reset each time may diverge many times a second: one post-mortem after the other
        self.close()
        self.work = Work(steps)
        self.changed.emit()
        work, told = self.work, self._told

        def tell() -> None:
            with suppress(RuntimeError):    # the window has gone
                told.emit(work)

        threading.Thread(target=work.run, args=(tell,), name="divergence", daemon=True).start()
        if not event.details.get("reset") and self._context.settings.get(SETTING):
            self.needed.emit()

    def _model_changed(self, _model) -> None:
        self.changed.emit()

    def close(self) -> None:
        """Give up what is under way."""
        if self.work is not None:
            self.work.stopping = True

    def _take(self, work: Work) -> None:
        if work is self.work:
            self.changed.emit()

    # ------------------------------------------------------------------ what the page offers

    @property
    def applies(self) -> bool:
        """Whether the Model that diverged is the one that runs."""
        return self.work is not None and self.work.steps.model is self._context.model

    def rewind(self, entries: int) -> None:
        """Pause so many entries before the last good one."""
        if self.applies:
            steps = self.work.steps
            self._context.runner.send(commands.ScrubTo(max(steps.number, steps.number + len(steps) - 1 - max(0, entries))))

    def apply(self, remedy: Remedy) -> None:
        """Go back to before the divergence and give the run the remedy's values; what only the text can say is copied."""
        if not self.applies or self.work.report is None:
            return
        self.rewind(self.work.report.rewind)
        for command in commands_of(remedy.changes):
            self._context.runner.send(command)
            if isinstance(command, commands.SetOption):
                self._context.option_edited.emit(command.name)
        for command in self._inputs(remedy.inputs):
            self._context.runner.send(command)
        if not remedy.live:
            QGuiApplication.clipboard().setText(remedy.text)
            self._context.log("info", f"Copied, to be written into the text: {remedy.text}")
        else:
            self._context.log("info", f"Back by {self.work.report.rewind} steps; {remedy.label}. Space runs on.")

    def _inputs(self, wanted: Iterable[InputChange]):
        """Inputs of the refused step, held within bounds. A script that writes them at each step will write them again."""
        refused = self.work.steps.refused
        for change in wanted:
            value = np.clip(np.nan_to_num(np.asarray(getattr(refused, change.field)[change.index])), -change.most, change.most)
            if change.field == "ctrl":
                yield commands.SetCtrl(change.index, float(value))
            elif change.field == "xfrc_applied":
                yield commands.SetForce(change.index, tuple(value.tolist()))

    def companion(self, remedy: Remedy) -> CompanionRow | None:
        """Run on from before the divergence with a remedy, as a ghost beside the run."""
        if self.work is None or self.work.report is None:
            return None
        steps, report = self.work.steps, self.work.report
        inputs, rest = remedy.inputs, tuple(change for change in remedy.changes if not change.live)
        return self._companions.start_rewound(Beginning(
            steps, len(steps) - 1 - report.rewind, tuple(commands_of(change for change in remedy.changes if change.live)),
            (lambda model: changes.apply(model, rest)) if rest else None, (lambda data: clamp(data, inputs)) if inputs else None, self._context.snapshot.speed), remedy.label)


def commands_of(wanted: Iterable[Change]) -> list:
    """Changes of a Model as commands; those that cannot be made while it runs are left out."""
    found = []
    for change in wanted:
        if change.field in FLAGS:
            found.append(commands.SetFlag(change.field.removeprefix("opt_").removesuffix("flags"), change.index, bool(change.value)))
        elif change.field.startswith("opt_"):
            found.append(commands.SetOption(change.field.removeprefix("opt_"), change.value, change.index))
        elif change.live:
            found.append(commands.SetField(change.field, change.value, change.index))
    return found
