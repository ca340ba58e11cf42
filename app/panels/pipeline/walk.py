"""Pipeline: one step taken apart. Stage by stage what was read and written, the formula with the numbers of what is selected, and the same drawn on the model."""
from __future__ import annotations

from collections.abc import Mapping

from PyQt6.QtCore import QSize, Qt, QTimer
from PyQt6.QtGui import QAction, QKeySequence, QResizeEvent, QShortcut
from PyQt6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QSplitter, QTabWidget, QToolButton, QVBoxLayout

from app.bridge.ghost import BLUE, Ghost
from app.context import AppContext
from app.controllers.selection import SelectionController
from app.controllers.simulation import SimulationController
from app.panels.live_panel import LivePanel
from app.panels.pipeline.drawing import draw
from app.panels.pipeline.field_view import FieldView
from app.panels.pipeline.matrix_view import MATRICES, MatrixView
from app.panels.pipeline.rows import namer
from app.panels.pipeline.stage_list import StageList
from app.panels.pipeline.stage_text import StageText
from app.panels.pipeline.walk_query import WalkQuery
from physics.engine.step_order import STAGES
from physics.enums import CNSTR_CONTACT_FRICTIONLESS, CNSTR_FRICTION_DOF, CNSTR_LIMIT_JOINT
from physics.model.elements import contact_element, element
from physics.model.model import Model
from physics.pipeline.formulas import FORMULAS
from physics.pipeline.numbers import about, target_for, with_numbers
from physics.pipeline.target import Target
from physics.pipeline.walk import Walk
from physics.runtime.snapshot import Snapshot

OWNER = "Pipeline"          # of the markers and ghosts
INTEGRATE = len(STAGES) - 1
RUNNING = "Pause to walk through a step."
WAITING = "The step is being taken apart..."
LATE_MS = 150               # after which it is said that a walk is under way
BESIDE = 1.3                # width to height from which the parts stand side by side
ABOUT = "With the numbers of {}:"


class WalkPanel(LivePanel):
    """Walks while the run is paused and the panel is seen; `.` and `,` go to the next stage and back while it has the keys."""

    scrolls = False

    def __init__(self, context: AppContext, simulation: SimulationController, actions: Mapping[str, QAction], selection: SelectionController):
        super().__init__(context)
        self._simulation, self._actions, self._selection = simulation, actions, selection
        self.walk: Walk | None = None
        self.number = 0
        self._row: int | None = None        # chosen in a picture of a matrix, until something else is selected
        self._dof: int | None = None
        self._choosing = False
        self._number_seen = -1              # of the snapshot that the walk is of
        self._drawn = False
        self._why = ""                      # there is no walk of the present state
        self._late = QTimer(self)           # a walk of a state before is still shown
        self._late.setSingleShot(True)
        self._late.setInterval(LATE_MS)
        self._late.timeout.connect(self._tell_working)
        self._markers = context.markers.owner(OWNER)
        self.query = WalkQuery(context, self)
        self.query.walked.connect(self._walked)
        self.query.failed.connect(self._failed)
        self._make_parts()
        context.selection_changed.connect(self._selection_changed)
        context.model_changed.connect(self._model_changed)
        self._show_running(True)

    # ------------------------------------------------------------------ making

    def _make_parts(self) -> None:
        self.back = self._button("\u25c0", "The stage before (,)", self.go_back)
        self.next = self._button("\u25b6", "The next stage (.)", self.go_on)
        self.take = QPushButton("Take the step")
        self.take.setToolTip("Take this step in the run itself, and begin with the first stage of the one after it")
        self.take.clicked.connect(lambda _checked=False: self.take_step())
        self.pause = QPushButton("Pause")
        self.pause.clicked.connect(lambda _checked=False: self._simulation.toggle_run())
        self.see_through = QToolButton()
        self.see_through.setDefaultAction(self._actions["flag_transparent"])
        self.see_through.setToolTip("See through the geoms, to frames and inertias inside them")
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        bar = QHBoxLayout()
        bar.setSpacing(3)
        for widget, stretch in ((self.back, 0), (self.next, 0), (self.take, 0), (self.pause, 0), (self.note, 1)):
            bar.addWidget(widget, stretch)
        self.list, self.text, self.fields, self.matrix = StageList(), StageText(), FieldView(), MatrixView()
        self.list.chosen.connect(self.show_stage)
        self.text.panel_wanted.connect(self._selection.show_panel)
        self.matrix.cell_clicked.connect(self._cell_clicked)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.setCornerWidget(self.see_through)
        self.tabs.addTab(self.fields, "Fields")
        self.tabs.addTab(self.matrix, "Matrix")
        self.tabs.setTabToolTip(0, "What the stage has written, with what differs from before, and what it has read")
        self.tabs.setTabToolTip(1, "Stored entries of M, of its factors or of the constraint Jacobian: orange above zero, blue below, by the logarithm of their size")
        self.parts = QSplitter(Qt.Orientation.Vertical)
        for widget, stretch in ((self.list, 2), (self.text, 3), (self.tabs, 3)):
            self.parts.addWidget(widget)
            self.parts.setStretchFactor(self.parts.indexOf(widget), stretch)
        self.parts.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.setSpacing(3)
        column.addLayout(bar)
        column.addWidget(self.parts, 1)
        for key, call in ((".", self.go_on), (",", self.go_back)):
            shortcut = QShortcut(QKeySequence(key), self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(call)

    def _button(self, text: str, tip: str, call) -> QToolButton:
        button = QToolButton()
        button.setText(text)
        button.setToolTip(tip)
        button.clicked.connect(lambda _checked=False: call())
        return button

    def sizeHint(self) -> QSize:
        return QSize(320, 480)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = event.size().width() > BESIDE * event.size().height() and event.size().width() > 600
        self.parts.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)

    # ------------------------------------------------------------------ stages

    def go_on(self) -> None:
        """The next stage; those that the step did not take are passed over."""
        self._go(1)

    def go_back(self) -> None:
        """The stage before."""
        self._go(-1)

    def _go(self, by: int) -> None:
        number = self.number + by
        while 0 <= number < len(STAGES) and self.walk is not None and not self.walk[number].ran:
            number += by
        if 0 <= number < len(STAGES):
            self.show_stage(number)

    def take_step(self) -> None:
        """Take the step in the run."""
        self.number = 0
        self._simulation.step_forward()

    def show_stage(self, number: int) -> None:
        """Show a row of step_order.STAGES."""
        self.number = number
        if self.walk is not None:
            self._fill()

    # ------------------------------------------------------------------ what arrives

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """A state: walk from it where the run is paused."""
        if snapshot.running:
            self._forget()
        elif snapshot.number != self._number_seen:
            self._number_seen, self._why = snapshot.number, ""
            self.query.ask()
            self._late.start()
        self._show_running(snapshot.running)

    def _walked(self, walk: Walk) -> None:
        snapshot = self._context.snapshot
        if not self.seen or snapshot is None or snapshot.running or walk.time != snapshot.time:
            return
        self._late.stop()
        self.walk, self._why = walk, ""
        self.list.show_walk(walk)
        self.note.setText(f"t = {walk.time:g} s, {1e6 * walk.seconds:.0f} \u03bcs" + (f". {walk.problem}" if walk.problem else ""))
        self._fill()

    def _tell_working(self) -> None:
        if self.walk is not None:
            self.note.setText(f"{WAITING} Shown: t = {self.walk.time:g} s.")

    def _failed(self, text: str) -> None:
        self._late.stop()
        self.walk, self._why = None, text
        self._clear_drawing()
        self._clear_parts()
        self.note.setText(text)

    def _model_changed(self, _model: Model) -> None:
        self._row = self._dof = None
        self._forget()
        self._clear_parts()

    def _clear_parts(self) -> None:
        """Nothing of a walk that is none of the present state is left to be read, nor keeps its Model."""
        self.fields.forget()
        self.matrix.forget()

    def _selection_changed(self, _selection) -> None:
        if not self._choosing:
            self._row = self._dof = None
        if self.seen and self.walk is not None:
            self._fill()

    def _show_running(self, running: bool) -> None:
        self.pause.setVisible(running)
        self.take.setVisible(not running)
        self.parts.setEnabled(not running)
        for button in (self.back, self.next, self.take):
            button.setEnabled(not running)
        if running:
            self.note.setText(RUNNING)
        elif self.walk is None:
            self.note.setText(self._why or WAITING)

    def _forget(self) -> None:
        """There is no walk and none is wanted: nothing of it is drawn."""
        self.query.give_up()
        self._late.stop()
        self.walk, self._why, self._number_seen = None, "", -1
        self._clear_drawing()

    # ------------------------------------------------------------------ showing

    def target(self) -> Target | None:
        """What numbers are put in for."""
        return target_for(self.walk.model, self.walk, self.number, self._chosen, self._row, self._dof) if self.walk is not None else None

    @property
    def _chosen(self):
        """The element that is selected; None while that is one of a Model that has just come, which the walk is not of."""
        return self._context.selection.active if self.walk.model is self._context.model else None

    def _fill(self) -> None:
        walk, m, number = self.walk, self.walk.model, self.number
        stage, target = walk[number], self.target()
        self.list.show_stage(number)
        lines = with_numbers(m, walk, number, self._chosen, self._row, self._dof)
        told = about(m, walk, number, target)
        self.text.show_stage(number, lines, ABOUT.format(told) if told and stage.ran else "")
        self.fields.show_stage(m, walk, stage, target)
        self._fill_matrix(walk, number, target)
        self._draw()

    def _fill_matrix(self, walk: Walk, number: int, target: Target) -> None:
        kind = FORMULAS[number].matrix
        made = dict(MATRICES).get(kind)
        self.tabs.setTabVisible(1, made is not None)
        if made is None:
            return
        m, v = walk.model, walk.after(number)
        matrix = made(m, v)
        dof_names = namer(m, v, "qvel")
        row_names = namer(m, v, "efc_pos") if kind == "J" else dof_names
        self.matrix.show_matrix(matrix, row_names, dof_names, (target.row if kind == "J" else target.dof, target.dof))
        self.tabs.setTabText(1, f"{matrix.name} ({matrix.shape[0]}x{matrix.shape[1]}, {100 * matrix.filled:.0f} %)")

    def _cell_clicked(self, row: int, column: int) -> None:
        """Select what a row and column of the matrix belong to."""
        walk = self.walk
        if walk is None:
            return
        m, v = walk.model, walk.after(self.number)
        if FORMULAS[self.number].matrix != "J":
            self._row, self._dof = None, row
            what = element(m, "joint", int(m.dof_jntid[row]))
        else:
            self._row, self._dof = row, column
            what = self._element_of_row(m, v, row)
        self._choosing = True
        if what is not None:
            self._context.select_elements((what,))
        self._choosing = False
        self._fill()

    def _element_of_row(self, m: Model, v, row: int):
        """The element that a constraint row belongs to; None where it is none that can be selected."""
        kind, ident = int(v.efc_type[row]), int(v.efc_id[row])
        if kind >= CNSTR_CONTACT_FRICTIONLESS:
            return contact_element(m, v, ident)
        if kind == CNSTR_LIMIT_JOINT:
            return element(m, "joint", ident)
        return element(m, "joint", int(m.dof_jntid[ident])) if kind == CNSTR_FRICTION_DOF else None

    # ------------------------------------------------------------------ the view

    def _draw(self) -> None:
        if not self.seen or self.walk is None:
            return
        with self._markers.frame() as frame:
            draw(frame, self.walk.model, self.walk, self.number, self.target())
        pose = self.walk.next_pose if self.number == INTEGRATE else {}
        self._context.show_ghosts(OWNER, (Ghost(self.walk.model, pose["geom_xpos"], pose["geom_xmat"], BLUE, label="next step"),) if pose else ())
        self._drawn = True

    def _clear_drawing(self) -> None:
        if self._drawn:
            self._drawn = False
            self._markers.clear()
            self._context.show_ghosts(OWNER, ())

    def seen_changed(self, seen: bool) -> None:
        super().seen_changed(seen)
        if not seen:
            self._forget()
