"""Sweep: one or two values go through ranges; what becomes of a number is drawn, a point of it is picked, tried and written.

    fields --plan_of--> Plan --scalar_of, in a thread--> line or map at once, where the tuner's numbers vary
                             --engine_of, drops_of, in the background on all processors--> dots or map as they come
    click --> the tuner's numbers: its candidate, which its Apply, or that here, writes; values of the model: Beside starts a companion run, Apply writes them by one Edit
"""
from __future__ import annotations

from functools import partial
from pathlib import Path
from types import MappingProxyType

import numpy as np
from PyQt6.QtCore import QTimer
from PyQt6.QtGui import QResizeEvent
from PyQt6.QtWidgets import QComboBox, QFileDialog, QGridLayout, QHBoxLayout, QLabel, QLineEdit, QProgressBar, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.context import AppContext
from app.controllers.companions import CompanionsController
from app.panels.diagnostics.query_panel import text_label
from app.panels.live_panel import LivePanel
from app.panels.pipeline.newest_work import NewestWork
from app.panels.sweep.axis_row import HEADS, AxisRow
from app.panels.sweep.metrics import BY_NAME, METRICS, OWN, Subject, subject_of
from app.panels.sweep.plan import Plan, csv_text, drops_of, engine_of, number_now, plan_of, scalar_of, value_of
from app.panels.sweep.result_plot import ResultPlot
from app.panels.tuner.present_text import PresentText
from app.panels.tuner.tuned import tuned_of
from app.session import Session
from editor.tuning.value_edits import value_edit
from editor.widgets.number_edit import NumberEdit
from physics.model.model import Model
from physics.model.state_fields import State
from physics.runtime.snapshot import Snapshot
from physics.tuning.model_values import changes_of, names_offered
from physics.tuning.parameter_set import ParameterSet
from physics.tuning.reductions import REDUCTIONS
from physics.tuning.sweep import PROVEN, ContactSweep, DropSweep, Sweep
from physics.tuning.target_values import changes_for

BESIDE = 16             # lines of text that the plot is wide at least, beside the fields
POLL_MS = 150
SETTLE_MS = 200         # after the last change in the tuner, as while a handle is dragged, until its sweep is another
NOW, START = "present moment", "start of the model"
UNITS = MappingProxyType({"rest_depth": "m", "restitution": "", "settling": "s"})
PICK = "Click a point to pick it."
NO_SCALAR = "Known at once for numbers of the tuner's contact only: vary solref and solimp."
NO_SUBJECT = "This metric needs the tuner's contact, or a selected body."


class SweepPanel(LivePanel):
    """plan: of what is drawn; scalar, engine: its values, None while there are none; place: the picked point, None for none; sweep: what runs in the background."""

    def __init__(self, context: AppContext, session: Session, companions: CompanionsController):
        super().__init__(context)
        self._session, self._companions, self._tuned, self._text = session, companions, tuned_of(context), PresentText(session)
        self.plan: Plan | None = None
        self.scalar: ContactSweep | None = None
        self.engine: np.ndarray | None = None
        self.sweep: Sweep | DropSweep | None = None
        self.place: tuple[int, ...] | None = None
        self._title = self._unit = ""       # of the metric that is drawn
        self._waits = False                 # whether a sweep is being made
        self._scalar_work, self._engine_work = NewestWork("scalar sweep", self, 0.5), NewestWork("sweep", self)
        self._make()
        self._lay_out()
        self._poll = QTimer(self)
        self._poll.setInterval(POLL_MS)
        self._poll.timeout.connect(self._look)
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self._tuner_changed)
        self._connect()
        context.model_changed.connect(lambda _model: self._forget_runs())
        self.fill_with_models(self._fill)
        self._metric_chosen()

    # ------------------------------------------------------------------ parts

    def _make(self) -> None:
        self.grid = QGridLayout()
        for column, head in enumerate(HEADS):
            label = QLabel(head)
            label.setForegroundRole(self.palette().ColorRole.PlaceholderText)
            self.grid.addWidget(label, 0, column)
        self.axes = (AxisRow(self.grid, 1, False), AxisRow(self.grid, 2, True))
        self.metric_box = QComboBox()
        for metric in METRICS:
            self.metric_box.addItem(metric.name[:1].upper() + metric.name[1:], metric.name)
            self.metric_box.setItemData(self.metric_box.count() - 1, metric.tip, 3)       # its tool tip
        self.expression = QLineEdit()
        self.expression.setPlaceholderText("expression with one number")
        self.expression.setToolTip("What is taken at every step of a run of the engine, as the charts have it")
        self.reduction = QComboBox()
        self.reduction.addItems(list(REDUCTIONS))
        self.reduction.setToolTip("What is kept of a run. holds: 1 where it is not 0 at the end")
        self.seconds = NumberEdit(1.0, low=1e-3, high=1e6, share=0.7)
        self.seconds.setToolTip("Simulated time of each run [s]")
        self.begin = QComboBox()
        self.begin.addItems((NOW, START))
        self.begin.setToolTip("State with which each run begins")
        self.start, self.stop = QPushButton("Run"), QPushButton("Stop")
        self.start.setToolTip("Run the engine for each point, on all processors; the window's run goes on")
        self.progress = QProgressBar()
        self.message = text_label()
        self.beside, self.apply, self.export = QPushButton("Beside"), QPushButton("Apply"), QPushButton("Export…")
        self.beside.setToolTip("Start a companion run with the picked values from the present moment, drawn as a ghost")
        self.export.setToolTip("Write all points as comma-separated values")
        self.plot = ResultPlot(self._context)

    def _lay_out(self) -> None:
        self.grid.setHorizontalSpacing(4)
        self.grid.setVerticalSpacing(2)
        self.grid.setColumnStretch(0, 1)
        asked, run, taken = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        asked.addWidget(self.metric_box)
        asked.addWidget(self.expression, 1)
        asked.addWidget(self.reduction)
        for part in (QLabel("for"), self.seconds, QLabel("s from the"), self.begin):
            run.addWidget(part)
        run.addWidget(self.start)
        run.addWidget(self.stop)
        run.addWidget(self.progress, 1)
        for part in (self.beside, self.apply, self.export):
            taken.addWidget(part)
        taken.addStretch(1)
        left = QWidget()
        column = QVBoxLayout(left)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        for layout in (self.grid, asked, run):
            column.addLayout(layout)
        column.addLayout(taken)
        column.addStretch(1)
        left.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        right = QVBoxLayout()       # what is said of the curve stands below it: the fields need all of the height that the panel has at first
        right.setSpacing(0)
        right.addWidget(self.plot, 1)
        right.addWidget(self.message)
        self._whole, self._fields = QHBoxLayout(self), left
        self._whole.setContentsMargins(4, 2, 4, 2)
        self._whole.addWidget(left, 2)
        self._whole.addLayout(right, 3)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The plot stands beside the fields where there is room for both, else below."""
        super().resizeEvent(event)
        narrow = self.width() < self._fields.sizeHint().width() + BESIDE * self.fontMetrics().height()
        self._whole.setDirection(QHBoxLayout.Direction.TopToBottom if narrow else QHBoxLayout.Direction.LeftToRight)
        self.plot.stand_alone(narrow)

    def _connect(self) -> None:
        for axis in self.axes:
            axis.named.connect(partial(self._suggest, axis))
            axis.edited.connect(self._changed)
        self.metric_box.activated.connect(lambda _index: self._metric_chosen())
        self.expression.textEdited.connect(lambda _text: self._own_expression())
        self.expression.editingFinished.connect(self._show)
        self.reduction.activated.connect(lambda _index: self._own_expression())
        self.start.clicked.connect(lambda _on: self._run())
        self.stop.clicked.connect(lambda _on: self._stop())
        self.beside.clicked.connect(lambda _on: self._beside())
        self.apply.clicked.connect(lambda _on: self._apply())
        self.export.clicked.connect(lambda _on: self._export())
        self.plot.picked.connect(self._pick)
        self._scalar_work.done.connect(lambda found: self._scalar_done(*found))
        self._scalar_work.failed.connect(self._tell)
        self._engine_work.done.connect(self._made)
        self._engine_work.failed.connect(self._not_made)
        self._tuned.changed.connect(self._settle.start)
        self._context.selection_changed.connect(lambda _selection: self._subject_changed())

    def _fill(self, m: Model) -> None:
        """Another Model: other names; what was found was of the one before."""
        names = names_offered(m)
        for axis in self.axes:
            axis.offer(names)
        self._subject_changed()
        if self.axes[0].low.number == self.axes[0].high.number:
            self._suggest(self.axes[0], self.axes[0].what)
        self._changed()

    def show_snapshot(self, _snapshot: Snapshot) -> None:
        """Nothing here follows the run."""

    def seen_changed(self, seen: bool) -> None:
        """A sweep goes on out of sight; a Model that does not run any more is kept by none (`_forget_runs`)."""
        super().seen_changed(seen)
        if seen:
            self._tuner_changed()
        else:
            self._text.forget()

    def _forget_runs(self) -> None:
        """End what runs in the background; what it has found stays."""
        if self.sweep is not None:
            self.sweep.cancel()
            self._take(self.sweep)
        self.sweep, self._waits = None, False
        self._scalar_work.give_up()
        self._engine_work.give_up()
        self._poll.stop()
        self._show()

    # ------------------------------------------------------------------ what is asked

    @property
    def _subject(self) -> Subject:
        m, snapshot, now = self._context.model, self._context.snapshot, self._tuned.now
        height = (lambda body: float(snapshot.xpos[body][2])) if snapshot is not None and snapshot.model is m else (lambda _body: 0.0)
        return subject_of(m, now.target if now is not None else None, self._context.selection.elements, height)

    def _tell(self, text: str) -> None:
        text = f"{text[:1].upper()}{text[1:].rstrip('.')}." if text else ""
        self.message.setText(text)
        self.message.setVisible(bool(text))

    def _metric_chosen(self) -> None:
        """Its expression and reduction, which the user may go on from."""
        metric = BY_NAME[self.metric_box.currentData()]
        if metric.name != OWN:
            text = metric.text(self._subject) if self._context.model is not None else None
            self.expression.setText(text or "")
            self.reduction.setCurrentText(metric.reduction)
            self._tell(NO_SUBJECT if text is None and self._context.model is not None else "")
        self._changed()

    def _own_expression(self) -> None:
        """The user says it in other words."""
        self.metric_box.setCurrentIndex(self.metric_box.findData(OWN))
        self._changed(tell=False)

    def _subject_changed(self) -> None:
        """Something else is selected: metrics by name are about it. Selections of a new Model come before the panel, and the tuner, are of it."""
        if self.seen and self._filled_with is self._context.model is not None and self.metric_box.currentData() != OWN and self.sweep is None and not self._waits:
            text = BY_NAME[self.metric_box.currentData()].text(self._subject)
            if (text or "") != self.expression.text():
                self.expression.setText(text or "")
                if self.message.text() == NO_SUBJECT:
                    self._tell("")
                self._show()

    def _tuner_changed(self) -> None:
        """The tuner is about something else, or tries other values than those that a pick here gave it."""
        if not self.seen or self._context.model is None or self._filled_with is not self._context.model:
            return
        self._subject_changed()
        now, plan = self._tuned.now, self.plan
        runs = self.engine is not None or self.sweep is not None or self._waits
        if plan is not None and plan.tuned and now is not None and plan.holds_for(now, runs):
            return
        first = self.axes[0]
        if first.choice is not None and first.choice.tuned and first.low.number == first.high.number:
            self._suggest(first, first.what)
        if plan is None or plan.tuned:
            self._changed()

    def _suggest(self, axis: AxisRow, what: str) -> None:
        m = self._context.model
        if not what or m is None:
            return
        try:
            axis.suggest(number_now(m, what, self._tuned.now))
        except ValueError as why:
            self._tell(str(why))

    def _changed(self, tell: bool = True) -> None:
        """Another question: what was found is of the one before."""
        if self.sweep is not None or self._waits:
            self._stop()
        self.plan = self.scalar = self.engine = self.place = None
        m = self._context.model
        choices = [choice for axis in self.axes if (choice := axis.choice) is not None]
        self._scalar_work.give_up()
        if m is not None and self.seen:
            try:
                self.plan = plan_of(m, choices, self._tuned.now)
            except ValueError as why:
                if tell:
                    self._tell(str(why))
            else:
                if tell and self.expression.text():
                    self._tell("")
                self._begin_scalar()
        self._show()

    # ------------------------------------------------------------------ by the scalar simulation

    def _begin_scalar(self) -> None:
        plan, metric = self.plan, BY_NAME[self.metric_box.currentData()]
        if not metric.scalar:
            return
        if not plan.tuned or plan.now.row is None:
            self._tell(NO_SCALAR)
            return
        self._scalar_work.begin(lambda stop: (plan, scalar_of(plan, stop)))

    def _scalar_done(self, plan: Plan, found: ContactSweep | None) -> None:
        if plan is self.plan and found is not None:
            self.scalar = found
            self._tell(PICK)
            self._show()

    @property
    def scalar_values(self) -> np.ndarray | None:
        """Of the metric, by the scalar simulation."""
        name = BY_NAME[self.metric_box.currentData()].scalar
        return getattr(self.scalar, name) if self.scalar is not None and name else None

    # ------------------------------------------------------------------ by the engine

    def _run(self) -> None:
        m, snapshot, plan = self._context.model, self._context.snapshot, self.plan
        if m is None or snapshot is None or snapshot.model is not m or plan is None:
            return
        text, metric = self.expression.text().strip(), BY_NAME[self.metric_box.currentData()]
        if not text and not self._drops:
            self._tell(NO_SCALAR if metric.scalar in PROVEN else NO_SUBJECT)
            return
        state = State.of(snapshot) if self.begin.currentText() == NOW else None
        reduction, seconds = self.reduction.currentText(), self.seconds.number
        self.engine, self.place, self._waits = None, None, True
        self._tell("")
        drops = self._drops
        self._engine_work.begin(lambda _stop: (plan, drops_of(plan, metric.scalar) if drops else engine_of(m, state, plan, text, reduction, seconds)))
        self._show()

    @property
    def _drops(self) -> bool:
        """Whether the engine is asked by drops of the tuner's contact, as no run of the scene tells the metric."""
        return self.plan is not None and self.plan.tuned and self.plan.now.row is not None and BY_NAME[self.metric_box.currentData()].scalar in PROVEN

    def _made(self, found: tuple[Plan, Sweep | DropSweep]) -> None:
        plan, sweep = found
        self._waits = False
        if plan is not self.plan:
            return
        try:
            sweep.start()
        except RuntimeError as why:
            self._not_made(str(why))
            return
        self.sweep = sweep
        self._poll.start()
        self._look()

    def _not_made(self, text: str) -> None:
        self._waits = False
        self._tell(text)
        self._show()

    def _stop(self) -> None:
        self._waits = False
        self._engine_work.give_up()
        if self.sweep is not None:
            self.sweep.cancel()
            self._look()
        self._show()

    def _look(self) -> None:
        """What has come; the end of it."""
        sweep = self.sweep
        if sweep is None:
            return
        over = sweep.over
        self._take(sweep)
        if over:
            self.sweep = None
            self._poll.stop()
            diverged = int(sweep.result().diverged.sum())
            what = "points do not come to rest" if isinstance(sweep, DropSweep) else "runs diverged"
            self._tell(sweep.error or (f"{diverged} of {sweep.progress[1]} {what}. {PICK}" if diverged else PICK))
        self._show()

    def _take(self, sweep: Sweep | DropSweep) -> None:
        result = sweep.result()
        self.engine, self._unit = result.values, result.unit
        done, all_of_them = sweep.progress
        self.progress.setRange(0, all_of_them)
        self.progress.setValue(done)

    # ------------------------------------------------------------------ what is taken of it

    def _pick(self, place: tuple[int, ...]) -> None:
        if self.plan is None:
            return
        self.place = place
        said = ", ".join(f"{name} = {number:.6g}" for name, number in self.plan.point(place))
        found = [f"{self._name} {value:.5g}{f' {self._shown_unit}' if self._shown_unit else ''}{by}" for value, by in self._values_at(place) if np.isfinite(value)]
        self.message.setText(f"{said}: {', '.join(found)}" if found else said)      # a name begins it
        self.message.show()
        if self.plan.tuned:
            self._tuned.candidate.emit(self.plan.parameters(place))
        self._show()

    def _values_at(self, place: tuple[int, ...]):
        scalar = self.scalar_values
        if self.engine is not None:
            yield float(self.engine[place]), " by the engine" if scalar is not None else ""
        if scalar is not None:
            yield float(scalar[place]), " as one coordinate" if self.engine is not None else ""

    def _changes(self, m: Model) -> tuple:
        if self.plan.tuned:
            return changes_for(m, self.plan.now.target, self.plan.parameters(self.place))
        return changes_of(m, [(value_of(m, what), number) for what, number in self.plan.point(self.place)])

    def _beside(self) -> None:
        m = self._context.model
        if m is None or self.place is None:
            return
        label = ", ".join(f"{what} = {number:.4g}" for what, number in self.plan.point(self.place))
        try:
            self._companions.start_sets([ParameterSet(label, len(self._companions.rows), self._changes(m))])
        except ValueError as why:
            self._tell(str(why))

    def _apply(self) -> bool:
        """Write the picked values, by one Edit; False where that is refused, which is told."""
        m = self._context.model
        if m is None or self.place is None:
            return False
        if self.plan.tuned:
            self._tuned.candidate.emit(self.plan.parameters(self.place))
            self._tuned.apply.emit()
            return True
        reading = self._text.read()
        why = self._text.why_not(reading)
        if why:
            self._tell(why)
            return False
        try:
            edit = value_edit(reading, m, [(value_of(m, what), number) for what, number in self.plan.point(self.place)])
            if edit.patches:
                self._session.edit(edit)
        except ValueError as why:
            self._tell(str(why))
            return False
        self._tell("Written." if edit.patches else "The text says these values already.")
        return True

    def _export(self) -> None:
        if self.plan is None:
            return
        path, _filter = QFileDialog.getSaveFileName(self, "Export the sweep", "sweep.csv", "Comma-separated values (*.csv)")
        if path:
            self.write_csv(Path(path))

    def write_csv(self, path: Path) -> None:
        """All points, as a file."""
        columns = [(f"{self._name}{by}", values) for by, values in ((" by the engine", self.engine), (" as one coordinate", self.scalar_values)) if values is not None]
        try:
            path.write_text(csv_text(self.plan, columns), encoding="utf-8")
        except OSError as why:
            self._tell(f"{path} cannot be written: {why.strerror or why}")

    # ------------------------------------------------------------------ showing

    @property
    def _name(self) -> str:
        """What is drawn, in words."""
        metric = BY_NAME[self.metric_box.currentData()]
        return f"{self.reduction.currentText()} of {self.expression.text()}" if metric.name == OWN else metric.name

    @property
    def _shown_unit(self) -> str:
        metric = BY_NAME[self.metric_box.currentData()]
        return UNITS[metric.scalar] if metric.scalar else self._unit if self.engine is not None else ""

    def _show(self) -> None:
        going = self.sweep is not None or self._waits
        self.start.setVisible(not going)
        self.stop.setVisible(going)
        self.progress.setVisible(going)
        self.start.setEnabled(self.plan is not None and (self._drops or bool(self.expression.text().strip())))
        known = self.plan is not None and (self.engine is not None or self.scalar_values is not None)
        if known:
            title = f"{self._name} [{self._shown_unit}]" if self._shown_unit else self._name
            self.plot.show_result(self.plan, title, self.scalar_values, self.engine)
        else:
            self.plot.clear()
        picked = self.place is not None and self.plan is not None
        self.plot.mark(self.place if picked else None, next((value for value, _by in self._values_at(self.place) if np.isfinite(value)), float("nan")) if picked else 0.0)
        self.beside.setEnabled(picked)
        self.apply.setEnabled(picked)
        self.apply.setToolTip("Write the picked values into the text, as one change that can be undone: numbers of the tuner at the place that is chosen there")
        self.export.setEnabled(known)
