"""Profiler: the four figures of the official one (counts and convergence per iteration, dimensions and time over frames) and stage timers.

pyqtgraph is imported when this panel is made, after the first frame. The physics thread times its stages only while the panel is shown.
"""
from collections import deque

import numpy as np
import pyqtgraph as pg
from PyQt6.QtGui import QFont
from PyQt6.QtWidgets import QGridLayout, QTableWidget, QTableWidgetItem, QWidget

from app.context import AppContext
from physics.runtime import commands
from physics.runtime.profile import GROUPS, STAGES
from physics.runtime.snapshot import Snapshot

WIDE = 900              # logical pixels from which all plots stand in one row
FRAMES = 201            # points kept, as in the official figures
TINY = 1e-15
PER_ITERATION = ("Counts per iteration", "Convergence (log10)")
DIMENSIONS = ("dof", "body", "constraint", "sqrt(nnz)", "contact", "iteration")
COUNTS = (("active", "solver_nactive"), ("changed", "solver_nchange"), ("line search", "solver_neval"), ("updates", "solver_nupdate"))
CONVERGENCE = (("improvement", "solver_improvement"), ("gradient", "solver_gradient"), ("line slope", "solver_lineslope"))
COLOURS = ("#e8791e", "#6fb1ff", "#9fd6a8", "#e08ad0", "#e0c92e", "#d9d9d9")


class ProfilerPanel(QWidget):
    """Four plots and a table of stages."""

    scrolls = False

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self._timing = False
        self._dimensions = {name: deque(maxlen=FRAMES) for name in DIMENSIONS}
        self.times = {name: deque(maxlen=FRAMES) for name in ("total", *GROUPS, "other")}
        pg.setConfigOptions(antialias=True, background=self.palette().base().color(), foreground=self.palette().text().color())
        layout = QGridLayout(self)
        layout.setContentsMargins(2, 2, 2, 2)
        layout.setSpacing(2)
        self._widgets: list[pg.PlotWidget] = []
        self._plots = [self._plot(title, names) for title, names in (
            (PER_ITERATION[0], [name for name, _ in COUNTS]), (PER_ITERATION[1], [name for name, _ in CONVERGENCE]),
            ("Dimensions", DIMENSIONS), ("Time per step [us]", list(self.times)))]
        self._table = QTableWidget(len(STAGES), 2)
        self._table.setHorizontalHeaderLabels(["Stage", "us"])
        self._table.verticalHeader().hide()
        self._table.setFixedWidth(150)
        self._table.setColumnWidth(0, 84)
        self._table.setColumnWidth(1, 44)
        for i, name in enumerate(STAGES):
            self._table.setItem(i, 0, QTableWidgetItem(name))
            self._table.setItem(i, 1, QTableWidgetItem(""))
        self._table.verticalHeader().setDefaultSectionSize(18)
        self._layout = layout
        self._columns = 0
        self._arrange(len(self._plots))
        context.snapshot_ready.connect(self._update)
        context.model_changed.connect(lambda _model: self._time_stages(self.isVisible(), force=True))

    def _plot(self, title: str, names) -> list:
        plot = pg.PlotWidget()
        plot.setTitle(title, size="8pt")
        plot.addLegend(offset=(1, 1), labelTextSize="7pt", verSpacing=-8, horSpacing=8, colCount=3, brush=pg.mkBrush(0, 0, 0, 0))
        plot.setMenuEnabled(False)
        plot.showGrid(x=True, y=True, alpha=0.2)
        plot.setMinimumSize(90, 110)
        for side in ("left", "bottom"):
            font = QFont(self.font())
            font.setPointSize(7)
            plot.getAxis(side).setTickFont(font)
        self._widgets.append(plot)
        dots = {"symbol": "o", "symbolSize": 3, "symbolPen": None} if title in PER_ITERATION else {}   # one iteration is one point
        return [plot.plot(pen=pg.mkPen(colour, width=1.5), name=name, **({**dots, "symbolBrush": colour} if dots else {})) for name, colour in zip(names, COLOURS, strict=False)]

    def _arrange(self, columns: int) -> None:
        """Plots in so many columns, the table at their right."""
        if columns == self._columns:
            return
        self._columns = columns
        for i, plot in enumerate(self._widgets):
            self._layout.addWidget(plot, i // columns, i % columns)
            self._layout.setColumnStretch(i, 1 if i < columns else 0)
        self._layout.addWidget(self._table, 0, len(self._widgets), len(self._widgets) // columns, 1)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._arrange(len(self._widgets) if event.size().width() >= WIDE else 2)

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == event.Type.PaletteChange:
            for plot in getattr(self, "_widgets", ()):
                plot.setBackground(self.palette().base().color())

    # ------------------------------------------------------------------ only while it is looked at

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._time_stages(True)

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        self._time_stages(False)

    def _time_stages(self, on: bool, force: bool = False) -> None:
        if on != self._timing or force:
            self._timing = on
            self._context.runner.send(commands.SetProfile(on))

    # ------------------------------------------------------------------ values

    def _update(self, snapshot: Snapshot) -> None:
        if not self.isVisible():
            return
        island = int(np.argmax(snapshot.solver_niter))   # the one that took longest
        iterations = int(snapshot.solver_niter[island])
        for curve, (_name, field) in zip(self._plots[0], COUNTS, strict=True):
            curve.setData(getattr(snapshot, field)[island, :iterations])
        for curve, (_name, field) in zip(self._plots[1], CONVERGENCE, strict=True):
            curve.setData(np.log10(np.maximum(np.abs(getattr(snapshot, field)[island, :iterations]), TINY)))
        model = snapshot.model
        figures = (model.nv, model.nbody, snapshot.nefc, np.sqrt(snapshot.solver_nnz.sum()), snapshot.ncon, iterations)
        for curve, name, value in zip(self._plots[2], DIMENSIONS, figures, strict=True):
            self._dimensions[name].append(value)
            curve.setData(list(self._dimensions[name]))
        self.show_times(snapshot.timers)

    def stage_time(self, stage: str) -> str:
        """Microseconds shown for a stage; '' before the first."""
        return self._table.item(STAGES.index(stage), 1).text()

    def show_times(self, timers) -> None:
        """Append one frame's stage times [us] to the curves and put them into the table; nothing while there are none."""
        if not timers:
            return
        for curve, (name, values) in zip(self._plots[3], self.times.items(), strict=True):
            values.append(timers[name if name == "total" else f"group:{name}"])
            curve.setData(list(values))
        for i, name in enumerate(STAGES):
            self._table.item(i, 1).setText(f"{timers.get(name, 0.0):.2f}")
