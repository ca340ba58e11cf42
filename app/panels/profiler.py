"""Profiler: the four figures of the official one (counts and convergence per iteration, dimensions and time over frames) and stage timers, of the engine that moves the model.

pyqtgraph is imported when this panel is made, after the first frame. The physics thread times its stages only while the panel is shown.
"""
import time
from collections import deque

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import Qt, QTimer
from PyQt6.QtGui import QFont
from PyQt6.QtWidgets import QAbstractItemView, QComboBox, QGridLayout, QHBoxLayout, QHeaderView, QLabel, QSizePolicy, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from app.context import AppContext
from app.controllers.simulation import SimulationController
from app.controllers.timeline import entry_of
from app.panels.engines.step_figures import FIGURES_OF, TIMES, Figure, StepFigures, figures_of
from app.panels.live_panel import LivePanel
from app.panels.plots.buffered_plot import BufferedPlot, pause_ms
from app.panels.plots.curve import WIDTH
from physics.enums import Engine
from physics.runtime import commands
from physics.runtime.profile import STAGES, stage_names
from physics.runtime.snapshot import Snapshot

WIDE = 1000             # logical pixels from which all plots stand in one row
FRAMES = 201            # points kept, as in the official figures
SHARE = 0.12            # of the window's time that drawing may take; then there are fewer
DRAW_MS = 150           # between two drawings: all figures are kept, and eighteen curves drawn anew with each took a sixth of the window's time in the long run
ITERATIONS = 20                             # shown of the figures per iteration, at least
CONVERGENCE_RANGE = (-15.0, 5.0)
LEAST_TIME = 400.0                          # us at the top of the figure of times, at least where a step takes long; else what it takes
COLOURS = ("#e8791e", "#6fb1ff", "#9fd6a8", "#e08ad0", "#e0c92e", "#d9d9d9", "#d05a4a", "#58b8b0")
RED = (220, 50, 40, 110)     # of a step that was not solved as wanted
NEAR = 3.0              # frames from a bar to the click that means it
COLUMNS = ("Stage", "us", "mean", "max", "share")
ALL, SLOWEST = "all islands", "slowest island"
TICKS, LEGENDS, LEAST_POINTS = 0.75, 0.8, 6.0     # of the size of texts; points
COST = "Timing costs a step about 1.5 us"


class ProfilerPanel(LivePanel):
    """Four plots, a chooser of the island, and a table of stages."""

    scrolls = False

    def __init__(self, context: AppContext, simulation: SimulationController):
        super().__init__(context)
        self._simulation = simulation
        self._timing = False
        self._newest: tuple[Snapshot, np.ndarray] | None = None     # what is not drawn yet, with its islands
        self._pause = QTimer(self)              # between two drawings
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._draw_in_turn)      # a method, which Qt forgets with the widget: a function may have been taken apart by then
        self._shown: StepFigures = FIGURES_OF[int(Engine.SOFT)]
        self._stage_names = STAGES
        self._begin()
        pg.setConfigOptions(antialias=True, background=self.palette().base().color(), foreground=self.palette().text().color())
        self.plots: list[BufferedPlot] = []
        self._cells: list[QWidget] = []
        self._legends: list[QLabel] = []
        self._curves = [self._figure(figure) for figure in self._shown.figures]
        self.plots[2].scene().sigMouseClicked.connect(self._frame_clicked)
        self.bars = pg.BarGraphItem(x=[0.0], height=[0.0], width=1.0, brush=RED, pen=None)
        self._show_bars(())
        self.islands = QComboBox()
        self.islands.setToolTip("Which constraint island the figures per iteration are of")
        self.islands.addItems([ALL, SLOWEST])
        self.islands.setCurrentText(SLOWEST)
        self.islands.activated.connect(lambda _index: self._draw_anew())
        self.cost = QLabel(COST)
        self.cost.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.table = QTableWidget(0, len(COLUMNS))
        self._fill_table()
        self._suit_font()
        side = QVBoxLayout()
        side.setSpacing(2)
        side.addWidget(self.islands)
        side.addWidget(self.table, 1)
        side.addWidget(self.cost)
        self._layout = QGridLayout()
        self._layout.setSpacing(2)
        whole = QHBoxLayout(self)
        whole.setContentsMargins(2, 2, 2, 2)
        whole.addLayout(self._layout, 1)
        whole.addLayout(side)
        self._columns = 0
        self._arrange(2)        # what needs least room; more of them beside each other where there is room
        context.model_changed.connect(lambda _model: self._time_stages(self.seen, force=True))

    # ------------------------------------------------------------------ making

    def _figure(self, figure: Figure) -> list:
        plot = BufferedPlot(self._in_turn)
        plot.fix_ranges()
        plot.showGrid(x=True, y=True, alpha=0.2)
        plot.setMinimumSize(90, 70)
        plot.setXRange(*((1, ITERATIONS) if figure.iterations else (0, FRAMES - 1)), padding=0.02)
        self.plots.append(plot)
        legend = QLabel()
        legend.setWordWrap(True)
        self._legends.append(legend)
        legend.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        cell = QWidget()
        column = QVBoxLayout(cell)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(legend)
        column.addWidget(plot, 1)
        self._cells.append(cell)
        return self._name_curves(figure, plot, legend)

    @staticmethod
    def _name_curves(figure: Figure, plot: BufferedPlot, legend: QLabel) -> list:
        """The curves of a figure, with their names above it."""
        legend.setText(f"<b>{figure.title}</b> " + " ".join(
            f'<span style="color:{colour}">\u25cf</span>\u00a0{name.replace(" ", chr(160))}' for name, colour in zip(figure.names, COLOURS, strict=False)))
        legend.setToolTip(figure.tip)
        dots = {"symbol": "o", "symbolSize": 3, "symbolPen": None} if figure.iterations else {}   # one iteration is one point
        return [plot.plot(pen=pg.mkPen(colour, width=WIDTH), connect="finite", **({**dots, "symbolBrush": colour} if dots else {}))
                for _name, colour in zip(figure.names, COLOURS, strict=False)]

    def _begin(self) -> None:
        """No frame was kept yet."""
        self._dimensions = {name: deque(maxlen=FRAMES) for name in self._shown.figures[2].names}
        self.times = {name: deque(maxlen=FRAMES) for name in TIMES}
        self._stages = {name: deque(maxlen=FRAMES) for name in self._stage_names}
        self.worse: deque[bool] = deque(maxlen=FRAMES)      # frames with a step that was not solved as wanted
        self._entries: deque[tuple[int, int]] = deque(maxlen=FRAMES)     # where in the history each frame is
        self._worse = 0                                     # how many there were of these steps

    def _follow_engine(self, snapshot: Snapshot) -> None:
        """Another engine has other figures and stages."""
        shown = figures_of(snapshot)
        if shown is self._shown:
            return
        self._shown, self._stage_names = shown, stage_names(snapshot.model)
        self._begin()
        self._worse = shown.worse(snapshot)
        for k, figure in enumerate(shown.figures):
            self.plots[k].clear()
            self._curves[k] = self._name_curves(figure, self.plots[k], self._legends[k])
        self._fill_table()
        self._show_bars(())

    def _show_bars(self, frames) -> None:
        """A bar over the third figure at each of these frames."""
        if self.bars.scene() is None:
            self.plots[2].addItem(self.bars, ignoreBounds=True)
            self.bars.setZValue(-10)
        self.bars.setVisible(bool(len(frames)))
        if len(frames):
            self.bars.setOpts(x=np.asarray(frames, float), height=np.full(len(frames), self.plots[2].viewRange()[1][1]))

    def _fill_table(self) -> None:
        """A row for each stage."""
        table = self.table
        table.setRowCount(len(self._stage_names))
        table.setHorizontalHeaderLabels(COLUMNS)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setMinimumSectionSize(30)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        for i, name in enumerate(self._stage_names):
            for column in range(len(COLUMNS)):
                item = QTableWidgetItem(name if column == 0 else "")
                if column:
                    item.setTextAlignment(0x0082)   # right, middle
                table.setItem(i, column, item)

    def _suit_font(self) -> None:
        """Sizes that follow from the size of texts."""
        for plot in self.plots:
            for side in ("left", "bottom"):
                plot.getAxis(side).setTickFont(self._smaller(TICKS))
        for legend in self._legends:
            legend.setFont(self._smaller(LEGENDS))
        metrics = self.table.fontMetrics()
        self.table.setFixedWidth(metrics.horizontalAdvance("actuation" + "00000.00" * 3 + "share") + 60)
        self.table.verticalHeader().setDefaultSectionSize(metrics.height() + 4)

    def _smaller(self, share: float) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(max(LEAST_POINTS, share * font.pointSizeF()))
        return font

    def _arrange(self, columns: int) -> None:
        """Plots in so many columns."""
        if columns == self._columns:
            return
        self._columns = columns
        for i, cell in enumerate(self._cells):
            self._layout.addWidget(cell, i // columns, i % columns)
            self._layout.setColumnStretch(i, 1 if i < columns else 0)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._arrange(len(self.plots) if event.size().width() >= WIDE else 2)

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == event.Type.FontChange and hasattr(self, "table"):
            self._suit_font()
        if event.type() == event.Type.PaletteChange:
            for plot in getattr(self, "plots", ()):
                plot.setBackground(self.palette().base().color())
                for side in ("left", "bottom"):
                    plot.getAxis(side).setTextPen(self.palette().text().color())

    # ------------------------------------------------------------------ only while it is looked at

    def seen_changed(self, seen: bool) -> None:
        super().seen_changed(seen)
        self._time_stages(seen)

    def _time_stages(self, on: bool, force: bool = False) -> None:
        if on != self._timing or force:
            self._timing = on
            self._context.runner.send(commands.SetProfile(on))

    # ------------------------------------------------------------------ values

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """One frame more; drawn at once if the last drawing was long enough ago, otherwise when it is."""
        self._follow_engine(snapshot)
        islands = self._chosen(snapshot)
        for name, value in zip(self._dimensions, self._shown.sizes(snapshot, islands), strict=True):
            self._dimensions[name].append(value)
        worse = self._shown.worse(snapshot)
        self.worse.append(worse > self._worse)
        self._entries.append(entry_of(snapshot))
        self._worse = worse
        self._take_times(snapshot.timers)
        self._newest = snapshot, islands
        if not self._pause.isActive():
            self._draw()

    def _draw_anew(self) -> None:
        """What was asked for is seen at once."""
        self._pause.stop()
        self.catch_up()

    def _draw_in_turn(self) -> None:
        self._in_turn.post(self, self._draw)

    def _draw(self) -> None:
        """Draw what has come since the last time."""
        if self._newest is None:
            return
        (snapshot, islands), self._newest = self._newest, None
        begun = time.thread_time()
        self._show_iterations(snapshot, islands)
        for curve, values in zip(self._curves[2], self._dimensions.values(), strict=True):
            curve.setData(list(values))
        self._fit(2, max(max(values) for values in self._dimensions.values()), 10)
        self._show_bars(np.flatnonzero(self.worse))
        self._show_times(snapshot.timers)
        for plot in self.plots:
            plot.scene().prepareForPaint()      # pyqtgraph would find the ranges while it paints, and paint again
        self._pause.start(pause_ms(DRAW_MS, SHARE, time.thread_time() - begun, self.plots))

    def _chosen(self, snapshot: Snapshot) -> np.ndarray:
        """Islands whose iterations are drawn; the chooser offers those that there are."""
        iterations = self._shown.iterations(snapshot)
        working = np.flatnonzero(iterations)
        count = len(working)
        names = [ALL, SLOWEST, *(f"island {k}" for k in range(count))]
        if self.islands.count() != len(names) and not self.islands.view().isVisible():
            chosen = self.islands.currentText()
            self.islands.clear()
            self.islands.addItems(names)
            self.islands.setCurrentText(chosen if chosen in names else SLOWEST)
        chosen = self.islands.currentText()
        if chosen == ALL:
            return working
        if chosen == SLOWEST:
            return np.array([int(np.argmax(iterations))]) if len(iterations) else working
        k = self.islands.currentIndex() - 2
        return working[k:k + 1]

    def _show_iterations(self, snapshot: Snapshot, islands: np.ndarray) -> None:
        """The figures per iteration; several islands stand after each other as lines of their own."""
        lines = self._shown.lines(snapshot, islands)
        for k, values in enumerate((lines.counts, lines.convergence)):
            for curve, line in zip(self._curves[k], values, strict=True):
                _draw(curve, lines.x, line)
        most = max(float(ITERATIONS), float(np.nanmax(lines.x, initial=0.0)))
        for plot in self.plots[:2]:
            plot.setXRange(1, most, padding=0.02)
        self._fit(0, lines.top, lines.least)
        self.plots[1].setYRange(*CONVERGENCE_RANGE, padding=0)

    def _frame_clicked(self, event) -> None:
        """Go to the entry of the history that the bar nearest to the click is of."""
        x, frames = self.plots[2].getViewBox().mapSceneToView(event.scenePos()).x(), np.flatnonzero(self.worse)
        if event.button() != Qt.MouseButton.LeftButton or not len(frames) or self._context.snapshot is None:
            return
        frame = int(frames[np.argmin(np.abs(frames - x))])
        branch, number = self._entries[frame]
        if abs(frame - x) <= NEAR and number >= self._context.snapshot.history_gone and branch == entry_of(self._context.snapshot)[0]:
            self._simulation.scrub_to(number)

    def _fit(self, figure: int, largest: float, least: float) -> None:
        """An axis from 0 to a round number that holds all."""
        top = least
        while top < largest:
            top *= 2
        self.plots[figure].setYRange(0, top, padding=0.02)

    def stage_time(self, stage: str, column: str = "us") -> str:
        """What the table shows of a stage; '' before the first."""
        return self.table.item(self._stage_names.index(stage), COLUMNS.index(column)).text()

    def _take_times(self, timers) -> None:
        """Keep one frame's stage times [us]; nothing while there are none."""
        if timers and all(name in timers for name in self._stage_names):      # not those of the engine before
            for name, values in self.times.items():
                values.append(timers[name if name == "total" else f"group:{name}"])
            for name, values in self._stages.items():
                values.append(timers.get(name, 0.0))

    def _show_times(self, timers) -> None:
        """Put the stage times into the curves and the table."""
        if not timers or not self.times["total"]:     # the newest snapshot may have times before one of them was taken
            return
        for curve, values in zip(self._curves[3], self.times.values(), strict=True):
            curve.setData(list(values))
        self._fit(3, max(self.times["total"]), LEAST_TIME if max(self.times["total"]) > LEAST_TIME / 4 else 10.0)
        every = timers.get("every", 1)
        self.cost.setText(COST + (f"; one batch of steps in {every} is timed" if every > 1 else ""))
        total = np.mean(self.times["total"]) or 1.0
        for i, name in enumerate(self._stage_names):
            values = self._stages[name]
            mean = float(np.mean(values))
            for column, text in enumerate((f"{values[-1]:.2f}", f"{mean:.2f}", f"{max(values):.2f}", f"{100 * mean / total:.0f} %"), 1):
                self.table.item(i, column).setText(text)


def _draw(curve, x: np.ndarray, y: np.ndarray) -> None:
    """Give a curve its points: a gap where a figure is no finite number, nothing where none is, which pyqtgraph warns of."""
    finite = np.isfinite(y)
    if finite.any():
        curve.setData(x, np.where(finite, y, np.nan))
    else:
        curve.setData([], [])
