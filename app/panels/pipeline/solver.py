"""Solver: what the constraint solver does in the present state, iteration by iteration: costs, gradients, the active set, for any island.

While paused the solve of the present state is done again in a thread (app/panels/pipeline/solver_tracing.py); while the simulation runs the last one stays.
"""
from __future__ import annotations

from html import escape

import numpy as np
from PyQt6.QtCore import QTimer
from PyQt6.QtGui import QColor, QIcon, QPixmap
from PyQt6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QSizePolicy, QTabWidget, QVBoxLayout, QWidget

from app.bridge.layers.islands import tree_colours
from app.context import AppContext
from app.panels.diagnostics.live_query import COMPILING
from app.panels.live_panel import LivePanel
from app.panels.pipeline.iterate_markers import OWNER, show_forces
from app.panels.pipeline.landscape import LandscapeView
from app.panels.pipeline.solver_plots import BESIDE, MAIN, SolverPlots
from app.panels.pipeline.solver_tables import ColumnsTable, iteration_columns, row_columns
from app.panels.pipeline.solver_tracing import SolverTracing, Traced
from physics.enums import Cone, Solver
from physics.model.model import Model
from physics.pipeline.row_names import island_name
from physics.pipeline.solver_trace import SolverTrace
from physics.runtime.snapshot import Snapshot

ALL, SAME = "All islands", "as it is"
MAIN_TRACE, BESIDE_TRACE = "Details: the model as it is", "Details: compared"
IMPRATIOS, ITERATIONS = ("1", "10", "100"), ("1", "2", "3", "5", "10", "20", "50", "100")
MOST_LISTED = 500       # islands
RUNNING = "The simulation runs: pause to trace the next solve."
WORKING = "The solve of the present state is being traced."
LATE_MS = 150           # after which it is said that a trace is under way
RETRY_MS = 1000         # while the engine is being compiled
STATE = ("qpos", "qvel", "act", "ctrl", "qacc_warmstart", "qfrc_applied", "xfrc_applied", "xfrc_perturb", "mocap_pos", "mocap_quat", "eq_active", "tree_asleep")
ICON = 12
WIDE = 700              # logical pixels from which all options stand in one row


class SolverPanel(LivePanel):
    """traced: what is shown, None before the first trace."""

    scrolls = False

    def __init__(self, context: AppContext):
        super().__init__(context)
        self.traced: Traced | None = None
        self._seen: tuple | None = None         # of the state that was traced last
        self._state: tuple | None = None        # of the last paused state
        self._paused = False
        self._place = -1                        # of the chosen iterate
        self._tracing = SolverTracing(context, self)
        self._tracing.traced.connect(self._take)
        self._tracing.failed.connect(self._failed)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.setInterval(LATE_MS)
        self._late.timeout.connect(self._tell_working)
        self._retry = QTimer(self)
        self._retry.setSingleShot(True)
        self._retry.setInterval(RETRY_MS)
        self._retry.timeout.connect(self._retrace)
        self.island = self._box("Which constraint island the figures are of; islands share no degree of freedom and are solved one by one", self._island_chosen)
        self.compare = QCheckBox("Compare with")
        self.compare.setToolTip("Solve the same state with other options as well; the model stays as it is")
        self.compare.toggled.connect(self._compare_toggled)
        self.solver = self._box("Solver of the second trace", self._retrace, (f"solver {SAME}", *(one.name for one in Solver)))
        self.cone = self._box("Friction cones of the second trace", self._retrace, (f"cone {SAME}", *(one.name for one in Cone)))
        self.impratio = self._number("impratio", "How much harder friction rows are than normal rows in elliptic cones", IMPRATIOS)
        self.iterations = self._number("iterations", "Most iterations of the solver", ITERATIONS)
        self.details = self._box("Which trace table, rows, landscape and forces are of", self._show, (MAIN_TRACE, BESIDE_TRACE))
        self.told = QLabel(RUNNING)
        self.told.setWordWrap(True)
        self.told.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.forces = QCheckBox("Forces in the view")
        self.forces.setToolTip("Draw the contact forces of the chosen iterate on the model")
        self.forces.setChecked(True)
        self.forces.toggled.connect(lambda _on: self._mark())
        self.plots, self.table, self.rows, self.landscape = SolverPlots(self._in_turn), ColumnsTable(), ColumnsTable(), LandscapeView(self._in_turn)
        self.plots.chosen.connect(self.choose)
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)
        self.tabs = QTabWidget()
        for widget, title, tip in ((self.plots, "Iterations", "Cost, gradient and states of rows; a click chooses an iterate"), (self.table, "Table", "The same numbers; Ctrl+C copies"),
                                   (self.rows, "Rows", "Constraint rows of the chosen iterate; Ctrl+C copies"), (self.landscape, "Landscape", "The cost on a plane")):
            self.tabs.setTabToolTip(self.tabs.addTab(widget, title), tip)
        self._lay_out()
        context.model_changed.connect(self._forget)
        self.catch_up()

    def _box(self, tip: str, chosen, entries=()) -> QComboBox:
        box = QComboBox()
        box.addItems(entries)
        box.setToolTip(tip)
        box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        box.activated.connect(lambda _index: chosen())
        return box

    def _number(self, name: str, tip: str, entries) -> QComboBox:
        """A box that takes other numbers too."""
        box = self._box(tip, self._retrace, (f"{name} {SAME}", *entries))
        box.setEditable(True)
        box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        box.lineEdit().editingFinished.connect(self._retrace)
        box.lineEdit().setCursorPosition(0)     # the name is seen where there is little room
        return box

    def _lay_out(self) -> None:
        self._top = QGridLayout()
        self._top.setSpacing(4)
        self._options = QWidget()
        self._grid = QGridLayout(self._options)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(2)
        self._columns = 0
        self._arrange(2)
        self._options.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 4, 2)
        column.setSpacing(2)
        column.addLayout(self._top)
        column.addWidget(self._options)
        column.addWidget(self.told)
        column.addWidget(self.tabs, 1)

    def _arrange(self, columns: int) -> None:
        """The options of the second trace in so many columns, with few the islands in a row of their own."""
        if columns == self._columns:
            return
        narrow = columns == 2
        self._top.addWidget(self.island, 0, 0, 1, 2 if narrow else 1)
        self._top.addWidget(self.forces, int(narrow), 0 if narrow else 1)
        self._top.addWidget(self.compare, int(narrow), 1 if narrow else 2)
        self._top.setColumnStretch(0, 1)
        self._columns, boxes = columns, (self.solver, self.cone, self.impratio, self.iterations, self.details)
        for k, box in enumerate(boxes):
            last = k == len(boxes) - 1
            self._grid.addWidget(box, k // columns, k % columns, 1, columns - k % columns if last else 1)
            self._grid.setColumnStretch(k, 1 if k < columns else 0)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._arrange(5 if event.size().width() >= WIDE else 2)

    # ------------------------------------------------------------------ when to trace

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Trace a paused state that was not traced yet."""
        self._paused = not snapshot.running
        if snapshot.running:
            if self._seen is not None or self.traced is None:
                self._give_up()
                self._tell_of_before(RUNNING)
            return
        seen = (snapshot.generation, snapshot.starts, snapshot.time, snapshot.changed_values, *(hash(getattr(snapshot, name).tobytes()) for name in STATE))
        if seen != self._state:
            self._state, self._place = seen, -1
            self._context.markers.owner(OWNER).clear()      # forces of an iterate of the state before
        if seen != self._seen:
            self._seen = seen
            self._retrace()

    def _retrace(self) -> None:
        """Trace the present state, if it is paused."""
        if not self._paused or not self.seen:
            return
        changes = self._changes()
        if changes is not None or not self.compare.isChecked():
            self._tracing.request(changes)
            self._late.start()
        else:
            self._tracing.give_up()     # what it would say would take the place of why there is none
            self._late.stop()

    def _give_up(self) -> None:
        """No trace is wanted now, and no forces of one."""
        self._tracing.give_up()
        self._late.stop()
        self._retry.stop()
        self._seen = None
        self._context.markers.owner(OWNER).clear()

    def _changes(self) -> dict | None:
        """Options of the second trace; None where there is none, or where a number is none."""
        if not self.compare.isChecked():
            return None
        found: dict = {}
        if self.solver.currentIndex() > 0:
            found["opt_solver"] = int(Solver[self.solver.currentText()])
        if self.cone.currentIndex() > 0:
            found["opt_cone"] = int(Cone[self.cone.currentText()])
        for box, name, kind, least in ((self.impratio, "opt_impratio", float, 1e-6), (self.iterations, "opt_iterations", int, 0)):
            text = box.currentText().strip()
            if text and SAME not in text:
                try:
                    value = kind(text)
                except ValueError:
                    value = None
                if value is None or not least <= value < 1e6:
                    self._tell(f"{name.removeprefix('opt_')} '{text}' is no number that can be used")
                    return None
                found[name] = value
        return found

    def _compare_toggled(self, on: bool) -> None:
        self._options.setVisible(on)
        if on and self.solver.currentIndex() == 0 and self.traced is not None:     # another solver is what most want to see first
            self.solver.setCurrentText("CG" if self.traced.trace.solver == "NEWTON" else "NEWTON")
        self.details.setCurrentIndex(0)
        self._retrace()

    def seen_changed(self, seen: bool) -> None:
        super().seen_changed(seen)
        if not seen:
            self._give_up()
            if self.traced is not None:
                self._tell_of_before(RUNNING)       # it may run on before somebody looks again

    def _forget(self, _model: Model) -> None:
        """Another model."""
        self._give_up()
        self.traced, self._state, self._place = None, None, -1
        self.island.clear()
        self.plots.clear()
        self.landscape.clear()
        self.table.show_columns((), 0)
        self.rows.show_columns((), 0)
        self._tell(RUNNING)

    # ------------------------------------------------------------------ what is shown

    @property
    def detailed(self) -> SolverTrace | None:
        """The trace that table, rows, landscape and forces are of."""
        if self.traced is None:
            return None
        return self.traced.beside if self.details.currentText() == BESIDE_TRACE and self.traced.beside is not None else self.traced.trace

    @property
    def chosen_island(self) -> int | None:
        """The island that is shown of the detailed trace; None: all."""
        island = self.island.currentData()
        return island if island is not None and self.detailed is not None and island < self.detailed.nisland else None

    def _take(self, traced: Traced) -> None:
        self._late.stop()
        self._retry.stop()
        if traced.model is not self._context.model:
            return
        self.traced = traced
        self._fill_islands()
        self._show()

    def _fill_islands(self) -> None:
        """The islands of the trace, the chosen one kept where it has the same number."""
        trace, kept = self.traced.trace, self.island.currentData()
        problem, m = trace.problem, self.traced.model
        rows, dofs = (np.bincount(of[of >= 0], minlength=trace.nisland) for of in (problem.efc_island, problem.dof_island))
        self.island.clear()
        self.island.addItem(f"{ALL} ({trace.nisland}; {problem.nefc} rows, {dofs.sum()} dofs)", None)
        snapshot = self._context.snapshot
        listed = min(trace.nisland, MOST_LISTED)
        island, tree = np.unique(problem.tree_island, return_index=True)     # the first tree of each
        known = snapshot is not None and snapshot.model is m
        colours = tree_colours(m, snapshot, tree[island >= 0][:listed]) if known else np.full((listed, 4), 0.5)
        for k in range(listed):
            pixmap = QPixmap(ICON, ICON)
            pixmap.fill(QColor.fromRgbF(*colours[k, :3].tolist()))
            self.island.addItem(QIcon(pixmap), f"Island {k}: {island_name(m, problem, k)} ({rows[k]} rows, {dofs[k]} dofs, {trace.niter[k]} iterations)", k)
        self.island.setCurrentIndex(kept + 1 if kept is not None and kept + 1 < self.island.count() else 0)

    def _island_chosen(self) -> None:
        self._place = -1
        self._show()

    def _show(self) -> None:
        """Everything of the chosen island."""
        if self.traced is None:
            return
        m, trace, island = self.traced.model, self.detailed, self.chosen_island
        other = self.traced.beside if trace is self.traced.trace else self.traced.trace
        elsewhere = island if other is None or island is None or island < other.nisland else None
        self.plots.show_traces(m, trace, island, other, elsewhere)
        self.table.show_columns(*iteration_columns(trace, island))
        same = other is not None and other.problem.nefc == trace.problem.nefc and np.array_equal(other.problem.aref, trace.problem.aref) and np.array_equal(
            other.problem.cost.R, trace.problem.cost.R) and np.array_equal(other.problem.efc_type, trace.problem.efc_type)
        self.landscape.show_trace(m, trace, island, other if same else None)
        self._tell(self._said())
        place = self._place if 0 <= self._place < len(trace.of_island(island)) else -1
        self._place = place
        self._mark()

    def _said(self) -> str:
        """A line for each trace, and the notes."""
        lines = []
        for trace, colour in ((self.detailed, MAIN), (self.traced.beside if self.detailed is self.traced.trace else self.traced.trace, BESIDE)):
            if trace is None:
                continue
            island = self.chosen_island if self.chosen_island is not None and self.chosen_island < trace.nisland else None
            figures = trace.figures(island)
            n = int(trace.niter.max(initial=0)) if island is None else int(trace.niter[island])
            text = f"{trace.solver}, {trace.cone.lower()}, impratio {trace.options['opt_impratio']:g}: {n} iteration{'s' * (n != 1)}"
            if trace.problem.nefc:
                text += f", cost {figures['cost'][0]:.6g} to {figures['cost'][-1]:.6g} (lowest + {figures['cost'][-1] - trace.lowest(island):.2g})"
                text += f", {figures['active'][-1]} of {len(trace.problem.island_rows(island))} rows act"
                text += f". Ended: {trace.ended(island)}" if island is not None else ""
            lines.append(f'<span style="color:{colour}">\u25cf</span> {escape(text)}.')
        lines += [escape(note) for note in dict.fromkeys((*self.detailed.notes, *(self.traced.beside.notes if self.traced.beside is not None else ())))]
        if self.traced.why:
            lines.append(f"Not compared: {escape(self.traced.why)}")
        return "<br>".join(lines)

    def _failed(self, text: str) -> None:
        self._late.stop()
        if text == COMPILING:
            self._retry.start()
        self._tell_of_before(text)

    def _tell_working(self) -> None:
        if self._tracing.working:
            self._tell_of_before(WORKING)

    def _tell_of_before(self, text: str) -> None:
        """Why there are no figures of the present state, and of which those are that stay."""
        self._tell(text + (f" The figures are those of t = {self.traced.time:g} s." if self.traced is not None else ""))

    def _tell(self, text: str) -> None:
        self.told.setText(text)

    # ------------------------------------------------------------------ one iterate

    def choose(self, place: int) -> None:
        """Show the iterate at this place of those of the island: in the plots, the table of rows, and on the model."""
        self._place = place
        self._mark()

    def _row_chosen(self, current, _before) -> None:
        if current.isValid() and current.row() != self._place:
            self.choose(current.row())

    def _mark(self) -> None:
        trace, place = self.detailed, self._place
        if trace is None:
            return
        iterates = trace.of_island(self.chosen_island)
        self.plots.mark(place)
        self.landscape.mark(place)
        if place >= 0 and self.table.currentIndex().row() != place:
            self.table.setCurrentIndex(self.table.model().index(place, 0))
        iterate = iterates[place]       # the last where none is chosen
        self.rows.show_columns(*row_columns(self.traced.model, trace, iterate, self.chosen_island))
        self.tabs.setTabText(2, f"Rows ({iterate.number})")
        self.tabs.setTabToolTip(2, f"Constraint rows of iterate {iterate.number}; Ctrl+C copies")
        markers = self._context.markers.owner(OWNER)
        if place >= 0 and self.forces.isChecked() and self._paused and self.seen:
            show_forces(markers, self.traced.model, trace.problem, iterate, self.chosen_island)
        else:
            markers.clear()
