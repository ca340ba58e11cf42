"""Why the run diverged: the post-mortem of a divergence, made on a thread of its own while somebody looks at it, and what its remedies do to the run.

    physics thread --event with the last steps--> context.diverged --> Work: PostMortem, then each remedy --changed--> panel
    panel --look, rest--> Work goes on, or waits          --apply, rewind--> commands          --companion--> companion runs
"""
from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QGuiApplication

from app.context import AppContext
from app.controllers.companions import CompanionRow, CompanionsController
from physics.recording.last_steps import LastSteps
from physics.runtime import commands
from physics.runtime.companions.companion import be_nice
from physics.runtime.companions.rewound import Beginning
from physics.runtime.events import Event

SETTING = "run/divergence_page"     # whether the page opens by itself
PATIENCE = 2.0      # s
CHANGED = "The model was changed before the last steps had been analysed."

if TYPE_CHECKING:   # at the start every import counts
    from physics.diagnostics.divergence.changes import Change, InputChange
    from physics.diagnostics.divergence.curves import Curve
    from physics.diagnostics.divergence.remedy import Remedy
    from physics.diagnostics.divergence.report import DivergenceReport, PostMortem
    from physics.diagnostics.divergence.trial import Outcome


class Work:
    """One post-mortem. steps: None as soon as another Model runs; report, curves, outcomes: as far as they are there; failed: why there is none; over: whether nothing
    follows; begun: whether anybody has wanted it."""

    def __init__(self, steps: LastSteps):
        self.steps: LastSteps | None = steps
        self.report: DivergenceReport | None = None
        self.curves: tuple[Curve, ...] = ()
        self.outcomes: dict[Remedy, Outcome] = {}
        self.failed = ""
        self.begun = self.over = False
        self._mortem: PostMortem | None = None
        self._thread: threading.Thread | None = None
        self._stop = threading.Event()

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self._thread is not None and self._thread.is_alive() and not self._stop.is_set() and not self.over

    def begin(self, told: Callable[[], None]) -> None:
        """Go on where it was left. told(): from its thread, after each result and at the end."""
        if self.over or self.running or self.steps is None:
            return
        self.begun, self._stop = True, threading.Event()
        self._thread = threading.Thread(target=self._run, args=(self.steps, self._mortem, self._stop, self._thread, told), name="divergence", daemon=True)
        self._thread.start()

    def rest(self) -> None:
        """Give up what is under way, until `begin`."""
        self._stop.set()

    def join(self) -> None:
        """After `rest`, wait for the end of the thread, which is asked between two pieces of work of some ms."""
        if self._thread is not None:
            self._thread.join(PATIENCE)

    def release(self) -> None:
        """Another Model runs: keep what is there to be read, but not the Model. What is being tried is tried to the end."""
        self.steps = self._mortem = None
        if self.report is None:
            self.rest()
            self.failed, self.over = CHANGED, True

    def _run(self, steps: LastSteps, mortem: PostMortem | None, stop: threading.Event, before: threading.Thread | None, told: Callable[[], None]) -> None:
        from physics.diagnostics.divergence.curves import curves
        from physics.diagnostics.divergence.report import PostMortem
        from physics.diagnostics.divergence.stopping import GivenUp

        be_nice()
        if before is not None:
            before.join()       # it has been asked to end
        mortem = mortem or self._mortem     # it may have got there all the same
        try:
            if mortem is None:
                mortem = PostMortem(steps, stop.is_set)
                self.curves = tuple(curves(mortem.model, steps, mortem.report.quantities))
                if self.steps is not None:
                    self._mortem, self.report = mortem, mortem.report
                told()
            for remedy, outcome in mortem.tries(stop.is_set, self.outcomes):
                self.outcomes = {**self.outcomes, remedy: outcome}
                told()
            self.over |= not stop.is_set()
        except GivenUp:
            return
        except Exception as why:    # a page that cannot be written must not end the program
            self.failed, self.over = f"{type(why).__name__}: {why}", True
        told()


class DivergenceController(QObject):
    """work: the post-mortem that is shown, None where no run of the present document has diverged. since: how often the run has diverged since, where it starts over by itself.
    Signals: changed() when there is more of it, or another; needed() when the page is to be seen."""

    changed = pyqtSignal()
    needed = pyqtSignal()
    _told = pyqtSignal(object)

    def __init__(self, context: AppContext, companions: CompanionsController):
        super().__init__()
        self._context, self._companions = context, companions
        self.work: Work | None = None
        self.since = 0
        self._newest: LastSteps | None = None
        self._applied: Remedy | None = None
        self._beside: dict[Remedy, CompanionRow] = {}
        self._told.connect(self._take)
        companions.changed.connect(self._companions_changed)
        context.diverged.connect(self.diverged)
        context.model_changed.connect(self._model_changed)
        context.model_edited.connect(self._model_edited)

    def diverged(self, event: Event) -> None:
        """The run has diverged: open the page that says why where it stands still and that is wanted; else the page says it when it is looked at."""
        steps, reset = event.details.get("last_steps"), event.details.get("reset")
        if steps is None:
            return
        if reset and self.work is not None and self.work.begun and self.applies:
            self.since, self._newest = self.since + 1, steps    # a run that starts over may diverge each second: the page that is read stays
            self.changed.emit()
            return
        self._show(steps)
        if not reset and self._context.settings.get(SETTING):
            self.look()
            self.needed.emit()

    def show_newest(self) -> None:
        """The newest divergence in place of the one that is shown."""
        if self._newest is not None:
            self._show(self._newest)
            self.look()

    def _show(self, steps: LastSteps) -> None:
        self.rest()
        self.work, self.since, self._newest, self._applied, self._beside = Work(steps), 0, None, None, {}
        self.changed.emit()

    def look(self) -> None:
        """The page is seen: find out, or go on."""
        work = self.work
        if work is not None:
            work.begin(lambda: self._tell(work))

    def _tell(self, work: Work) -> None:
        with suppress(RuntimeError):    # the window has gone
            self._told.emit(work)

    def rest(self) -> None:
        """The page is seen no more: give up what is under way."""
        if self.work is not None:
            self.work.rest()

    def close(self) -> None:
        """The window goes: as `rest`, and wait for the thread."""
        self.rest()
        if self.work is not None:
            self.work.join()

    def _model_changed(self, model) -> None:
        work = self.work
        if work is not None and (work.steps is None or work.steps.model is not model):
            self._newest = None
            if self._context.newly_opened:
                work.rest()
                self.work = None
            elif work.steps is not None:
                work.release()
        self.changed.emit()

    def _model_edited(self, fields: tuple[str, ...]) -> None:
        """The text has given the Model that diverged other numbers."""
        work = self.work
        if fields and work is not None and work.steps is not None and work.steps.model is self._context.model:
            self._newest = None
            work.release()
            self.changed.emit()

    def _companions_changed(self) -> None:
        if self._beside:
            self._beside = {remedy: row for remedy, row in self._beside.items() if row in self._companions.rows}
            self.changed.emit()

    def _take(self, work: Work) -> None:
        if work is self.work:
            self.changed.emit()

    # ------------------------------------------------------------------ what the page offers

    @property
    def applies(self) -> bool:
        """Whether the Model that diverged is the one that runs."""
        return self.work is not None and self.work.steps is not None and self.work.steps.model is self._context.model

    def rewind(self, entries: int) -> bool:
        """Pause so many entries before the last good one, of the branch of the history in which the run diverged; False, and a line in the log, where these are forgotten."""
        if not self.applies:
            return False
        steps, snapshot = self.work.steps, self._context.snapshot
        number = max(steps.number, steps.number + len(steps) - 1 - max(0, entries))
        if steps.branch not in {snapshot.history_branch, *(info.id for info in snapshot.history_branches)} or number < snapshot.history_gone:
            self._context.log("warning", "The history does not hold the steps before this divergence any more")
            return False
        for command in (commands.SwitchBranch(steps.branch), commands.ScrubTo(number)):
            self._context.runner.send(command)
        return True

    def apply(self, remedy: Remedy) -> None:
        """Go back to before the divergence and give the run the remedy's values, in place of those of the remedy before; what only the text can say is copied."""
        from physics.diagnostics.divergence import changes

        if not self.applies or self.work.report is None or not self.rewind(self.work.report.rewind):
            return
        before, self._applied = self._applied, remedy
        if before is not None:
            self._send([*commands_of(changes.reverse([change for change in before.changes if change.live], self.work.steps.live)), *self._recorded(before.inputs)])
        self._send([*commands_of(remedy.changes), *self._held(remedy.inputs)])
        said = f", in place of {before.label}" if before is not None and before != remedy and (before.changes or before.inputs) else ""
        if not remedy.live and remedy.text:
            QGuiApplication.clipboard().setText(remedy.text)
            self._context.log("info", f"Copied, to be written into the text: {remedy.text}")
        else:
            self._context.log("info", f"Back by {self.work.report.rewind} steps; {remedy.label}{said}. Space runs on.")

    def _send(self, wanted: Iterable) -> None:
        for command in wanted:
            self._context.runner.send(command)
            if isinstance(command, commands.SetOption):
                self._context.option_edited.emit(command.name)

    def _held(self, wanted: Iterable[InputChange]) -> Iterator:
        """Inputs of the refused step, held within bounds. A script that writes them at each step will write them again."""
        for change in wanted:
            yield from input_commands(change, change.held(getattr(self.work.steps.refused, change.field)[change.index]))

    def _recorded(self, wanted: Iterable[InputChange]) -> Iterator:
        """The same inputs as the entry has them to which `apply` goes back."""
        steps = self.work.steps
        row = len(steps) - 1 - self.work.report.rewind
        for change in wanted:
            if change.field == "ctrl":
                yield from input_commands(change, steps.columns("ctrl")[row, change.index])
            elif change.field in (held := steps.held_at(row)):
                yield from input_commands(change, held[change.field].reshape(getattr(steps.refused, change.field).shape)[change.index])

    def beside(self, remedy: Remedy) -> CompanionRow | None:
        """The companion run that shows a remedy, while there is one."""
        return self._beside.get(remedy)

    def companion(self, remedy: Remedy) -> CompanionRow | None:
        """Run on from before the divergence with a remedy, as it was tried, as a companion beside the run."""
        from physics.diagnostics.divergence import changes
        from physics.diagnostics.divergence.trial import clamp

        if not self.applies or self.work.report is None:
            return None
        steps, report = self.work.steps, self.work.report
        inputs, rest = remedy.inputs, tuple(change for change in remedy.changes if not change.live)
        row = self._companions.start_rewound(Beginning(
            steps, len(steps) - 1 - report.rewind, tuple(commands_of(change for change in remedy.changes if change.live)),
            (lambda model: changes.apply(model, rest)) if rest else None, (lambda data: clamp(data, inputs)) if inputs else None, self._context.snapshot.speed), remedy.label)
        if row is not None:
            self._beside[remedy] = row
        self.changed.emit()
        return row

    def stop_companion(self, remedy: Remedy) -> None:
        """End the companion run of a remedy."""
        row = self._beside.pop(remedy, None)
        if row is not None:
            self._companions.stop(row)
        self.changed.emit()


def input_commands(change: InputChange, value) -> Iterator:
    """The command that sets an input; what scripts alone write has none."""
    if change.field == "ctrl":
        yield commands.SetCtrl(change.index, float(value))
    elif change.field == "xfrc_applied":
        yield commands.SetForce(change.index, tuple(value.tolist()))


def commands_of(wanted: Iterable[Change]) -> list:
    """Changes of a Model as commands; those that cannot be made while it runs are left out."""
    from physics.diagnostics.divergence.changes import FLAGS

    found = []
    for change in wanted:
        if change.field in FLAGS:
            found.append(commands.SetFlag(change.field.removeprefix("opt_").removesuffix("flags"), change.index, bool(change.value)))
        elif change.field.startswith("opt_"):
            found.append(commands.SetOption(change.field.removeprefix("opt_"), change.value, change.index))
        elif change.live:
            found.append(commands.SetField(change.field, change.value, change.index))
    return found
