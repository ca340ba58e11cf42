"""Compare: up to four sets of solref and solimp beside the run, from the same moment: as ghosts or in a grid of pictures, with depth, force and energy on common axes.

    Tuner --NamedSets--> sets --target_changes--> companions --recorded states--> Sampling --> curves, figures
"""
from __future__ import annotations

from functools import partial

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor, QKeyEvent
from PyQt6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QPushButton, QTreeWidgetItem, QVBoxLayout, QWidget

from app.context import AppContext
from app.controllers.companions import TINTS, CompanionRow, CompanionsController
from app.panels.compare.comparison import HEADS, Course, Figures, WholeCourse, figures_of, texts_of
from app.panels.compare.plots import UNITS, ComparePlots
from app.panels.compare.sampling import Sampling
from app.panels.compare.sets_tree import FIRST_FIGURE, NAME, SOLIMP, SOLREF, SetsTree
from app.panels.compare.wrapped_row import WrappedRow
from app.panels.companions import swatch
from app.panels.diagnostics.fitted_tree import put
from app.panels.diagnostics.query_panel import show_note, text_label
from app.panels.live_panel import LivePanel
from app.panels.tuner.named_sets import MOST, NamedSet, sets_of
from app.panels.tuner.tuned import tuned_of
from app.panels.tuner.choice import name_of
from editor.widgets.number_edit import NumberEdit
from physics.model.model import Model
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot
from physics.tuning.law import Parameters
from physics.tuning.parameter_set import ParameterSet
from physics.tuning.target_changes import target_changes

PRIMARY = -1            # key of the run of the window; those of sets are their colours
GHOSTS, GRID, NOTHING = range(3)
VIEWS = ("Translucent", "In a grid", "Not in the view")
RUNNING = "the run"
NO_TARGET = "Choose in the Tuner what is tuned: its values, or those in force, become a set here."
NO_SETS = "Add sets, then start them: each runs from this moment beside the run, with values of its own for this contact."
ADD, FULL = "A set of the values that stand in the Tuner", f"{MOST} sets are as many as run beside each other"
NO_ROOM = "They could not be started: the log says why."


class ComparePanel(LivePanel):
    """A line for the run and one for each set; below them the curves. A name is changed by a double-click or F2; Delete removes a set."""

    def __init__(self, context: AppContext, companions: CompanionsController):
        super().__init__(context)
        self._companions, self._tuned, self._sets = companions, tuned_of(context), sets_of(context)
        self._rows: dict[int, CompanionRow] = {}            # by colour, those that run
        self._started: dict[int, Parameters] = {}           # by colour, with which values
        self._began = float("inf")                          # when, in simulated time
        self._filling = False
        self.sampling = Sampling(self)
        self._make()
        self._lay_out()
        self._connect()
        self._show_sets()

    def _make(self) -> None:
        self.add, self.add_running = QPushButton("Add as set"), QPushButton("Add those in force")
        self.add_running.setToolTip("A set of the values that the running model has")
        self.copy, self.remove = QPushButton("Duplicate"), QPushButton("Remove")
        self.take, self.write = QPushButton("To the Tuner"), QPushButton("Write")
        self.take.setToolTip("The chosen set's values into the Tuner, where they can be changed")
        self.write.setToolTip("Write the chosen set's values into the text, at the place that is chosen in the Tuner")
        self.start, self.stop = QPushButton("Start"), QPushButton("Stop")
        self.start.setToolTip("Run all sets from the present moment; those that run are ended")
        self.view = QComboBox()
        self.view.addItems(VIEWS)
        self.view.setToolTip("How they are seen")
        self.apart = NumberEdit(0.0, low=-1e3, high=1e3, share=0.8)
        self.apart.setToolTip("How far ghosts stand beside each other, along x [m]")
        self.list = SetsTree(HEADS)
        self.note, self.about = text_label(), QLabel("")
        self.plots = ComparePlots(self._context, UNITS)

    def _lay_out(self) -> None:
        self._apart_label = QLabel("apart [m]")
        apart = QWidget()
        pair = QHBoxLayout(apart)
        pair.setContentsMargins(0, 0, 0, 0)
        for widget in (self._apart_label, self.apart):
            pair.addWidget(widget)
        runs = WrappedRow(self.start, self.stop, self.view, apart, self.about)
        sets = WrappedRow(self.add, self.add_running, self.copy, self.remove, self.take, self.write)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.setSpacing(3)
        for widget in (runs, sets, self.note, self.list, self.plots):
            column.addWidget(widget)
        column.addStretch(1)

    def _connect(self) -> None:
        tuned, sets = self._tuned, self._sets
        self.add.clicked.connect(lambda _checked=False: sets.add(tuned.now.parameters))
        self.add_running.clicked.connect(lambda _checked=False: sets.add(tuned.now.in_force, "as it is"))
        self.copy.clicked.connect(lambda _checked=False: sets.add(self.chosen.parameters, self.chosen.name))
        self.remove.clicked.connect(lambda _checked=False: sets.remove(self.chosen))
        self.take.clicked.connect(lambda _checked=False: tuned.candidate.emit(self.chosen.parameters))
        self.write.clicked.connect(lambda _checked=False: self._write())
        self.start.clicked.connect(lambda _checked=False: self._start())
        self.stop.clicked.connect(lambda _checked=False: self._stop())
        self.view.activated.connect(lambda _index: self._show_views())
        self.apart.edited.connect(lambda _value: self._show_views())
        self.list.itemChanged.connect(self._renamed)
        self.list.itemDoubleClicked.connect(self._edit_name)
        self.list.currentItemChanged.connect(lambda _now, _before: self._show_buttons())
        self.sampling.changed.connect(self._show_courses)
        self.sampling.failed.connect(lambda text: self._say(f"The runs cannot be compared: {text}"))
        tuned.changed.connect(self._show_buttons)
        sets.changed.connect(self._show_sets)
        tuned.refused.connect(self._say)
        self._companions.changed.connect(self._companions_changed)
        self._context.model_changed.connect(self._model_changed)
        self._context.model_edited.connect(lambda _fields: self.sampling.renew(PRIMARY))

    # ------------------------------------------------------------------ sets

    @property
    def chosen(self) -> NamedSet | None:
        """The set that is chosen in the list."""
        k = self.list.indexOfTopLevelItem(self.list.currentItem()) - 1
        return self._sets.sets[k] if 0 <= k < len(self._sets.sets) else None

    def _show_sets(self) -> None:
        """One line for the run and one for each set; the newest is chosen."""
        sets, self._filling = self._sets.sets, True
        for colour in [colour for colour in self._rows if colour not in {one.colour for one in sets}]:
            self._companions.stop(self._rows[colour])
        before = self.list.topLevelItemCount()
        while self.list.topLevelItemCount() > len(sets) + 1:
            self.list.takeTopLevelItem(self.list.topLevelItemCount() - 1)
        while self.list.topLevelItemCount() < len(sets) + 1:
            self.list.setCurrentItem(self._line())
        for k, one in enumerate(sets, 1):
            item = self.list.topLevelItem(k)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
            item.setIcon(NAME, swatch(TINTS[one.colour % len(TINTS)]))
            put(item, NAME, one.name)
            row = self._rows.get(one.colour)
            if row is not None and row.name != one.name:
                self._companions.show(row, name=one.name)
        self._filling = False
        if before != self.list.topLevelItemCount():
            self.list.fit()
        self._show_courses()
        self._show_buttons()

    def _line(self) -> QTreeWidgetItem:
        item = self.list.add(None, [RUNNING, *([""] * (self.list.columnCount() - 1))])
        for column in range(FIRST_FIGURE, self.list.columnCount()):
            item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.list.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight)
        return item

    def _edit_name(self, item: QTreeWidgetItem, column: int) -> None:
        if column == NAME and self.list.indexOfTopLevelItem(item) > 0:
            self.list.editItem(item, NAME)

    def _renamed(self, item: QTreeWidgetItem, column: int) -> None:
        k = self.list.indexOfTopLevelItem(item) - 1
        if not self._filling and column == NAME and 0 <= k < len(self._sets.sets):
            self._sets.rename(self._sets.sets[k], item.text(NAME))

    def _write(self) -> None:
        self._say("")
        self._tuned.candidate.emit(self.chosen.parameters)
        self._tuned.apply.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.list.currentItem()
        if self.list.hasFocus() and self.chosen is not None and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_F2):
            if event.key() == Qt.Key.Key_Delete:
                self._sets.remove(self.chosen)
            else:
                self._edit_name(item, NAME)
        else:
            super().keyPressEvent(event)

    # ------------------------------------------------------------------ runs

    def _start(self) -> None:
        """All sets from one moment."""
        self._stop()
        m, target = self._context.model, self._tuned.now.target
        try:
            sets = [ParameterSet(one.name, one.colour, target_changes(m, target, one.parameters)) for one in self._sets.sets]
        except ValueError as why:
            self._say(f"{why}.")
            return
        rows = self._companions.start_sets(sets)
        if not rows:
            self._say(NO_ROOM)
            return
        self._rows = {one.colour: row for one, row in zip(self._sets.sets, rows, strict=True)}
        self._started, self._began = {one.colour: one.parameters for one in self._sets.sets}, float("inf")
        self.sampling.forget()
        visits = {PRIMARY: lambda look: self._context.runner.send(commands.VisitRun(look))}
        self.sampling.begin(partial(WholeCourse, target), visits | {colour: row.visit for colour, row in self._rows.items()})
        self._say("")
        self._show_views()
        self._show_sets()

    def _stop(self) -> None:
        """End those that this panel has started; what was measured stays."""
        rows, self._rows = self._rows, {}
        self.sampling.end()
        for row in rows.values():
            self._companions.stop(row)
        self._show_buttons()

    def _show_views(self) -> None:
        """Ghosts beside each other by the wanted distance, or a picture for each."""
        ghosts, grid = (self.view.currentIndex() == kind for kind in (GHOSTS, GRID))
        for k, row in enumerate(self._rows.values(), 1):
            self._companions.show(row, visible=ghosts, beside=grid, offset=(k * self.apart.number, 0.0, 0.0))
        for part in (self._apart_label, self.apart):
            part.setEnabled(ghosts)

    def _companions_changed(self) -> None:
        """Some may have ended, or were stopped elsewhere."""
        kept = {colour: row for colour, row in self._rows.items() if row in self._companions.rows}
        if len(kept) != len(self._rows):
            self._rows = kept
            self.sampling.keep((PRIMARY, *kept) if kept else ())
            self._show_buttons()

    def _model_changed(self, _model: Model) -> None:
        """The primary is of another Model: what was measured is of the one before."""
        self._stop()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Ask for what is new."""
        self.sampling.look()

    # ------------------------------------------------------------------ showing

    def _courses(self) -> list[Course | None]:
        """Of the run, and of each set as it was started, from the common beginning on."""
        courses = self.sampling.courses
        begins = [course.time[0] for colour, course in courses.items() if colour != PRIMARY and len(course.time)]
        if begins:
            self._began = min(self._began, *begins)
        of_sets = [courses.get(one.colour) if self._started.get(one.colour) == one.parameters else None for one in self._sets.sets]
        primary = courses.get(PRIMARY)
        return [primary.since(self._began) if primary is not None and begins else None, *of_sets]

    def _show_courses(self) -> None:
        courses = self._courses()
        self._filling = True
        parameters = [self._tuned.now.in_force if self._tuned.now is not None else None, *(one.parameters for one in self._sets.sets)]
        for k, (course, values) in enumerate(zip(courses, parameters, strict=True)):
            item = self.list.topLevelItem(k)
            said = {name: words(getattr(values, name)) if values is not None else "" for name in ("solref", "solimp")}
            for column, name in ((SOLREF, "solref"), (SOLIMP, "solimp")):
                put(item, column, said[name], said[name])
            put(item, NAME, item.text(NAME), "\n".join((item.text(NAME), *(f"{name} {text}" for name, text in said.items() if text))))
            figures = figures_of(course) if course is not None else Figures()
            for column, text in enumerate(texts_of(figures), FIRST_FIGURE):
                put(item, column, text)
        self._filling = False
        self.list.share()
        colours = [None, *(QColor.fromRgbF(*TINTS[one.colour % len(TINTS)]) for one in self._sets.sets)]
        self.plots.show_courses([(course, colour) for course, colour in zip(courses, colours, strict=True) if course is not None])
        self.plots.setVisible(any(course is not None for course in courses))

    def _show_buttons(self) -> None:
        now, sets, chosen = self._tuned.now, self._sets, self.chosen
        for button, on in ((self.add, now is not None and sets.room), (self.add_running, now is not None and sets.room), (self.copy, chosen is not None and sets.room),
                           (self.remove, chosen is not None), (self.take, chosen is not None and now is not None), (self.write, chosen is not None and now is not None),
                           (self.start, bool(sets.sets) and now is not None), (self.stop, bool(self._rows))):
            button.setEnabled(on)
        self.add.setToolTip(ADD if sets.room else FULL)
        put(self.list.topLevelItem(0), SOLREF, words(now.in_force.solref) if now is not None else "")
        put(self.list.topLevelItem(0), SOLIMP, words(now.in_force.solimp) if now is not None else "")
        self.about.setText(name_of(now.target) if now is not None else "")
        if now is None and not sets.sets:
            self._say(NO_TARGET)
        elif not sets.sets:
            self._say(NO_SETS)
        elif self.note.text() in (NO_TARGET, NO_SETS):
            self._say("")

    def _say(self, text: str) -> None:
        show_note(self.note, text)


def words(numbers) -> str:
    """As a text has them."""
    return " ".join(f"{number:.5g}" for number in numbers)
