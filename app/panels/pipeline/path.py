"""Central path: the next step of the hard engine, iterate by iterate. While paused its solve is done again in a thread; the chosen iterate is drawn on the model: bodies as a
ghost, contact forces in their friction cones; and how the selected body would go otherwise with other controls, at several points of the path."""
from __future__ import annotations

from html import escape

import numpy as np
from PyQt6.QtCore import QSize, Qt, QTimer
from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QSizePolicy, QSlider, QVBoxLayout

from app.context import AppContext
from app.panels.controls import control_names
from app.panels.diagnostics.live_query import COMPILING
from app.panels.diagnostics.query_panel import text_label
from app.panels.live_panel import LivePanel
from app.panels.pipeline.path_drawing import COLOURS, ON_EDGE, OWNER, draw_forces, draw_gradients, friction_share, ghost_of, strongest
from app.panels.pipeline.path_plot import PathPlot
from app.panels.pipeline.path_work import KAPPAS, TracedPath, Wish, traced_path
from app.panels.pipeline.solver_tracing import SolverTracing
from physics.enums import Engine
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot

RUNNING = "The simulation runs: pause to see how its next step is solved."
SOFT = "The soft engine moves this model. The hard one is chosen in the Physics panel, Engine."
WORKING = "The next step is being solved."
NO_BODY = "Select a body that moves to see how controls move it."
NO_CONTROLS = "The model has no controls."
MAGNIFIED = (1, 10, 100, 1000)
RETRY_MS = 1000         # while the engine is being compiled


class PathPanel(LivePanel):
    """path: what is shown, None before the first; chosen: the iterate. The slider and the arrow keys on it go from iterate to iterate, as does a click in the plot."""

    scrolls = False

    def __init__(self, context: AppContext):
        super().__init__(context)
        self.path: TracedPath | None = None
        self._seen: tuple | None = None         # the state that was asked for last
        self._paused = False
        self._markers = context.markers.owner(OWNER)
        self._tracing = SolverTracing(context, self, traced_path)
        self._tracing.traced.connect(self._take)
        self._tracing.failed.connect(self._failed)
        self._retry = QTimer(self)
        self._retry.setSingleShot(True)
        self._retry.setInterval(RETRY_MS)
        self._retry.timeout.connect(self._retrace)
        self._make_parts()
        context.model_changed.connect(self._model_changed)
        context.selection_changed.connect(self._selection_changed)
        self._tell(RUNNING)
        self.catch_up()

    def _make_parts(self) -> None:
        self.told, self.effects = text_label(), text_label(rich=True)
        self.plot = PathPlot(self._in_turn)
        self.plot.chosen.connect(self.choose)
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setToolTip("The iterate that is drawn: the first point on the left, the end of the step on the right")
        self.slider.setPageStep(1)
        self.slider.valueChanged.connect(self._slid)
        self.number = QLabel()
        self.ghost = self._check("Bodies", "Draw the bodies as they are at the iterate, as a ghost", True)
        self.forces = self._check("Forces in their cones", "Draw contact forces of the iterate in their friction cones: red at a cone's edge, where a contact slides or is about to", True)
        self.gradients = self._check("Gradients", "Arrows at the selected body: how each control changes the velocity of its centre of mass after the step, at three points of the path", False)
        self.gradients.toggled.connect(lambda _on: self._retrace())
        self.magnify = QComboBox()
        for factor in MAGNIFIED:
            self.magnify.addItem("motion as it is" if factor == 1 else f"motion x{factor}", float(factor))
        self.magnify.setToolTip("How far the ghost goes for what the bodies move within the step, which is little")
        self.magnify.activated.connect(lambda _index: self._retrace())
        self.magnify.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        grid = QGridLayout()
        grid.setSpacing(3)
        grid.addWidget(self.slider, 0, 0, 1, 2)
        grid.addWidget(self.number, 0, 2)
        for place, widget in (((1, 0), self.ghost), ((1, 1), self.forces), ((2, 0), self.gradients), ((2, 1), self.magnify)):
            grid.addWidget(widget, *place)
        grid.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 2, 4, 2)
        column.setSpacing(2)
        column.addLayout(grid)
        column.addWidget(self.told)
        column.addWidget(self.effects)
        column.addWidget(self.plot, 1)
        self.effects.hide()

    def _check(self, title: str, tip: str, on: bool) -> QCheckBox:
        box = QCheckBox(title)
        box.setToolTip(tip)
        box.setChecked(on)
        box.toggled.connect(lambda _on: self._draw())
        return box

    def sizeHint(self) -> QSize:
        return QSize(340, 260)

    # ------------------------------------------------------------------ when to trace

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Trace a paused state of the hard engine that was not traced yet."""
        self._paused = not snapshot.running
        if snapshot.running or snapshot.model.opt_engine != Engine.HARD:
            self._forget()
            self._tell(RUNNING if snapshot.running else SOFT)
            return
        seen = (snapshot.generation, snapshot.number)
        if seen != self._seen:
            self._seen = seen
            self._retrace()

    def _retrace(self) -> None:
        """Trace the present state, if it is paused."""
        model = self._context.model
        if not self._paused or not self.seen or model is None or model.opt_engine != Engine.HARD:
            return
        self._tracing.request(Wish(self.magnify.currentData(), self._body() if self.gradients.isChecked() else 0))
        if self.path is None:
            self._tell(WORKING)

    def _body(self) -> int:
        """The selected body, 0 where none that moves is."""
        body, model = self._context.selection.bodyid, self._context.model
        return body if model is not None and 0 < body < model.nbody and model.body_treeid[body] >= 0 and model.nu else 0

    def _selection_changed(self, *_selection) -> None:
        if self.gradients.isChecked():
            self._retrace()

    def _model_changed(self, _model: Model) -> None:
        self._forget()

    def seen_changed(self, seen: bool) -> None:
        super().seen_changed(seen)
        if not seen:
            self._forget()

    def _forget(self) -> None:
        """There is no path, and none is wanted: nothing of it is shown."""
        self._tracing.give_up()
        self._retry.stop()
        self._seen = None
        if self.path is not None:
            self.path = None
            self.plot.show_figures({})
            self.number.setText("")
            self.effects.hide()
            self._clear_drawing()

    # ------------------------------------------------------------------ what arrives

    def _take(self, path: TracedPath) -> None:
        self._retry.stop()
        if path.model is not self._context.model or not self._paused or not path.points:
            return
        before, count = self.path, len(path.points)
        last = before is None or self.chosen == len(before.points) - 1      # its end stays its end, however many iterates there are
        self.path = path
        self.slider.blockSignals(True)
        self.slider.setRange(0, count - 1)
        self.slider.setValue(count - 1 if last else min(self.chosen, count - 1))
        self.slider.blockSignals(False)
        self.plot.show_figures(path.figures())
        self._show()

    def _failed(self, text: str) -> None:
        seen = self._seen
        self._forget()
        if text != COMPILING:
            self._seen = seen       # it would fail again
        else:
            self._retry.start()
        self._tell(text)

    # ------------------------------------------------------------------ one iterate

    @property
    def chosen(self) -> int:
        """The number of the iterate that is shown."""
        return self.slider.value()

    def choose(self, k: int) -> None:
        """Show this iterate."""
        self.slider.setValue(k)

    def _slid(self, _value: int) -> None:
        if self.path is not None:
            self._show()

    def _show(self) -> None:
        path, k = self.path, self.chosen
        self.plot.mark(k)
        self.number.setText(f"{k} of {len(path.points) - 1}")
        self._tell(said(path, k))
        self._show_effects()
        self._draw()

    def _show_effects(self) -> None:
        """What the arrows of gradients are, and the largest of them in numbers."""
        self.effects.setVisible(self.gradients.isChecked())
        if self.gradients.isChecked():
            self.effects.setText(NO_CONTROLS if not self.path.model.nu else NO_BODY if not self._body() else escape(self.path.why) if self.path.arrows is None else effects(self.path))

    def _draw(self) -> None:
        path = self.path
        if path is None or not self.seen:
            return
        with self._markers.frame() as frame:
            if self.forces.isChecked():
                draw_forces(frame, path, self.chosen)
            if self.gradients.isChecked() and path.arrows is not None:
                draw_gradients(frame, path.model, path.arrows)
        self._context.show_ghosts(OWNER, (ghost_of(path, self.chosen),) if self.ghost.isChecked() else ())

    def _clear_drawing(self) -> None:
        self._markers.clear()
        self._context.show_ghosts(OWNER, ())

    def _tell(self, text: str) -> None:
        if self.told.text() != text:
            self.told.setText(text)


def said(path: TracedPath, k: int) -> str:
    """Figures of iterate k in a line."""
    point = path.points[k]
    parts = [f"t = {path.time:g} s, iterate {k}: r_vio {point.r_vio:.2g}, kappa_vio {point.kappa_vio:.2g} J"]
    if k:
        parts.append(f"mu {point.mu:.2g} J, target {point.target:.2g} J, followed {100 * point.alpha:.0f} %")
    if len(point.force):
        sizes, edge = np.linalg.norm(point.force, axis=1), int(np.count_nonzero(friction_share(point) >= ON_EDGE))
        parts.append(f"{len(sizes)} contact{'s' * (len(sizes) != 1)}, largest force {sizes.max():.4g} N" + (f", {edge} at the cone's edge" if edge else ""))
    else:
        parts.append("no contacts within reach")
    return "; ".join(parts)


def effects(path: TracedPath) -> str:
    """The legend of the kappas, and the controls with the largest effects, as rich text."""
    size = np.linalg.norm(path.arrows.change, axis=2)
    legend = " ".join(f'<span style="color:{QColor.fromRgbF(*rgba[:3]).name()}">\u25cf</span>\u00a0{kappa:g}\u00a0J' for kappa, rgba in zip(KAPPAS, COLOURS, strict=True))
    names = control_names(path.model)
    lines = "; ".join(f"{escape(names[j])} {' / '.join(f'{value:.3g}' for value in size[:, j])}" for j in strongest(path.arrows))
    return f"kappa {legend}: {lines} m/s per unit" if lines else f"kappa {legend}: no control moves this body within a step"
