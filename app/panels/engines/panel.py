"""Engines: the other engine beside the one that moves the model, from one moment and with the same inputs: overlap, slip, energy and pose on common axes, and what each costs.

    F10 --companion that differs in opt.engine--> recorded states of both --Sampling--> one judge for both --> curves, figures
"""
from __future__ import annotations

from math import isfinite
from types import MappingProxyType

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import QComboBox, QHBoxLayout, QHeaderView, QLabel, QPushButton, QVBoxLayout

from app.context import AppContext
from app.controllers.companions import CompanionRow, CompanionsController
from app.panels.companions import swatch
from app.panels.compare.plots import ComparePlots, scaled
from app.panels.compare.sampling import Sampling
from app.panels.diagnostics.fitted_tree import FittedTree, put
from app.panels.diagnostics.query_panel import show_note, text_label
from app.panels.engines.course import EngineCourse, EngineStates, Worst, beside, worst_of
from app.panels.live_panel import LivePanel
from editor.widgets.number_edit import NumberEdit
from physics.enums import Engine
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot
from physics.simulate.hard_endings import ENDINGS, summary

PRIMARY, OTHER = "run", "other"
UNITS = MappingProxyType({"overlap": "m", "slip": "m/s", "energy": "J", "pose": "m"})
HEADS = ("Run", "Deepest overlap", "Fastest slip", "Energy change", "Apart", "Cost of a step", "Real time", "Not solved at once")
TIPS = ("", "Deepest penetration of two geoms in the time that the curves show, by the same collision test", "Fastest motion along a contact that sticks, in the time that the curves show",
        "Potential and kinetic energy of the whole model: at the end of the curves less at their beginning",
        "Largest distance of a body's centre of mass from where it is in the run, in the time that the curves show", "Processor time", "Simulated time over real time",
        "Steps of the hard engine since its last reset that " + "; ".join(f"{ending.what} ({ending.word})" for ending in ENDINGS))
GHOST, GRID, NOTHING = range(3)
VIEWS = ("Translucent", "In a picture of its own", "Not in the view")
EMPTY = "The other engine can run beside this one, from this moment and with the same inputs: it is drawn as a ghost, and what differs is shown here."
NONE = "\u2013"


class EnginesPanel(LivePanel):
    """A line for each of the two; below them the curves."""

    def __init__(self, context: AppContext, companions: CompanionsController):
        super().__init__(context)
        self._companions = companions
        self._row: CompanionRow | None = None       # the other run, once it is looked at
        self._engine = -1                           # of the primary, then
        self._begin = float("inf")                  # since when both are there [s]
        self._tint: QColor | None = None            # of the other run
        self.sampling = Sampling(self)
        self.start = QPushButton("Run beside")
        self.start.setToolTip("Run the other engine beside this one from the present moment, or end it (F10)")
        self.start.clicked.connect(lambda _checked=False: companions.toggle_other_engine())
        self.view = QComboBox()
        self.view.addItems(VIEWS)
        self.view.setToolTip("How the other run is seen")
        self.view.activated.connect(lambda _index: self._show_view())
        self.apart = NumberEdit(0.0, low=-1e3, high=1e3, share=0.8)
        self.apart.setToolTip("How far its ghost stands beside the run, along x [m]")
        self.apart.edited.connect(lambda _value: self._show_view())
        self.list = FittedTree(HEADS, 0)
        self.list.setRootIsDecorated(False)
        for column, tip in enumerate(TIPS):
            self.list.headerItem().setToolTip(column, tip)
            if column:
                self.list.header().setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
                self.list.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
        for _line in (PRIMARY, OTHER):
            item = self.list.add(None, [""] * len(HEADS))
            for column in range(1, len(HEADS)):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.note, self.plots = text_label(), ComparePlots(context, UNITS)
        self._lay_out()
        self.sampling.changed.connect(self._show_courses)
        self.sampling.failed.connect(lambda text: self._say(f"The runs cannot be compared: {text}"))
        companions.changed.connect(self._follow)
        context.model_changed.connect(lambda _model: self._model_changed())
        context.model_edited.connect(lambda _fields: self._follow(anew=True))
        self._follow()

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        for widget in (self.start, self.view, QLabel("apart [m]"), self.apart):
            line.addWidget(widget)
        line.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.setSpacing(3)
        column.addLayout(line)
        for widget in (self.note, self.list, self.plots):
            column.addWidget(widget)
        column.addStretch(1)
        self.list.fit()

    # ------------------------------------------------------------------ which runs

    def _model_changed(self) -> None:
        """What was measured of the model of another document says nothing of this one."""
        if self._context.newly_opened:
            self.sampling.forget()
        self._follow(anew=True)

    def _follow(self, anew: bool = False) -> None:
        """Look at the two that there are."""
        row, model = self._companions.other_engine, self._context.model
        engine = model.opt_engine if model is not None else -1
        if row is not None and (anew or row is not self._row or engine != self._engine):
            self._begin = float("inf")
            self.sampling.forget()
            self.sampling.begin(EngineStates, {PRIMARY: lambda look: self._context.runner.send(commands.VisitRun(look)), OTHER: row.visit})
        elif row is None:
            self.sampling.end()     # what was measured stays,
            if engine != self._engine:
                self.sampling.forget()      # unless the run is of the other engine now: it would get that one's name
        if row is not None:     # the list of companions and the view change this, too
            self.view.setCurrentIndex(GHOST if row.visible else GRID if row.beside else NOTHING)
            self.apart.show_value(row.offset[0])
        self._row, self._engine = row, engine
        self._say("" if row is not None or self.sampling.courses else EMPTY)
        self.start.setText("End" if row is not None else "Run beside")
        self._show_courses()

    def _show_view(self) -> None:
        if self._row is not None:
            kind = self.view.currentIndex()
            self._companions.show(self._row, visible=kind == GHOST, beside=kind == GRID, offset=(self.apart.number, 0.0, 0.0))

    # ------------------------------------------------------------------ what is shown

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """What each costs; ask for what is new."""
        if snapshot.model.opt_engine != self._engine:
            self._follow()
        self._show_costs(snapshot)
        self.sampling.look()

    def _show_costs(self, snapshot: Snapshot) -> None:
        row = self._row
        costs = ((snapshot.step_us, snapshot.real_speed), (row.state.step_us, row.state.real_speed) if row is not None else (0.0, 0.0))
        for k, shown in enumerate((snapshot, row.snapshot if row is not None else None)):
            put(self.list.topLevelItem(k), 7, summary(shown) or NONE if shown is not None else NONE)
        for k, (cost, speed) in enumerate(costs):
            item = self.list.topLevelItem(k)
            put(item, 5, f"{cost:.0f} us" if cost else NONE)
            put(item, 6, f"{100 * speed:.0f} %" if speed else NONE)

    def _courses(self) -> list[EngineCourse | None]:
        """Of both, from when both are there."""
        primary, other = (self.sampling.courses.get(key) for key in (PRIMARY, OTHER))
        if primary is None or other is None or not len(other.time):
            return [None, None]
        self._begin = min(self._begin, float(other.time[0]))
        return [primary.since(self._begin), beside(primary, other)]

    def _show_courses(self) -> None:
        courses, row = self._courses(), self._row
        names = [engine_name(self._engine), engine_name(1 - self._engine) if self._engine in (0, 1) else ""]
        for k, (course, name) in enumerate(zip(courses, names, strict=True)):
            item = self.list.topLevelItem(k)
            put(item, 0, f"{name}: {'the run' if k == 0 else 'beside' if row is not None else 'was beside' if course is not None else 'not running'}")
            for column, text in enumerate(texts_of(worst_of(course) if course is not None else Worst()), 1):
                put(item, column, text)
        if self._context.snapshot is not None:
            self._show_costs(self._context.snapshot)    # the other run goes on after the last snapshot of this one
        if row is not None:
            self.list.topLevelItem(1).setIcon(0, swatch(row.tint))
            self._tint = QColor.fromRgbF(*row.tint)
        shown = [(course, colour) for course, colour in zip(courses, (None, self._tint), strict=True) if course is not None]
        self.plots.show_courses(shown)
        self.plots.setVisible(bool(shown))

    def _say(self, text: str) -> None:
        show_note(self.note, text)


def engine_name(number: int) -> str:
    """'Soft', 'Hard', '' for none."""
    return Engine(number).name.capitalize() if number in tuple(Engine) else ""


def texts_of(worst: Worst) -> list[str]:
    """In the order of HEADS."""
    found = []
    for value, unit in ((worst.overlap, "m"), (worst.slip, "m/s"), (worst.drift, "J"), (worst.pose, "m")):
        factor, said = scaled(abs(value), unit) if isfinite(value) else (1.0, unit)
        found.append(f"{factor * value:.3g} {said}" if isfinite(value) else NONE)
    return found
