"""Cost, gradient and active set over the iterations of the solver, side by side or one below the other."""
from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QEvent, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QFont
from PyQt6.QtWidgets import QGridLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from app.panels.in_turn import InTurn
from app.panels.pipeline.active_set import NAMES, ActiveSet, legend
from app.panels.plots.buffered_plot import BufferedPlot
from app.panels.plots.curve import WIDTH
from physics.model.model import Model
from physics.pipeline.row_names import row_kind, row_name
from physics.pipeline.solver_trace import SolverTrace

WIDE = 560              # logical pixels from which all stand in one row
MAIN, BESIDE = "#e8791e", "#6fb1ff"
LEAST_COST = 1e-16      # of the lowest cost: differences below are rounding
SMALLER, LEAST_POINTS = 0.8, 6.0
TICKS = 6               # of iterations, at most
TITLES = ("Cost above the lowest (log10)", "Gradient (log10)")


class SolverPlots(QWidget):
    """Signals: chosen(number of an iterate among those shown)."""

    chosen = pyqtSignal(int)

    def __init__(self, in_turn: InTurn):
        super().__init__()
        self.plots: list[BufferedPlot] = []
        self.curves: list[tuple[pg.PlotDataItem, pg.PlotDataItem]] = []
        self._lines: list[pg.InfiniteLine] = []
        self._heads: list[QLabel] = []
        self._cells: list[QWidget] = []
        self.active = ActiveSet()
        self.active.chosen.connect(self.chosen.emit)
        for title in TITLES:
            self._add(title, self._plot(in_turn))
        self._add(f"Rows by state {legend()}", self.active)
        self._numbers = np.zeros(0)
        area, inside = QScrollArea(), QWidget()      # one below the other they may be higher than there is room
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inside)
        outside = QVBoxLayout(self)
        outside.setContentsMargins(0, 0, 0, 0)
        outside.addWidget(area)
        self._grid = QGridLayout(inside)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(3)
        self._columns = 0
        self._arrange(3)
        self._suit()

    def _plot(self, in_turn: InTurn) -> BufferedPlot:
        plot = BufferedPlot(in_turn)
        plot.fix_ranges()
        plot.showGrid(x=True, y=True, alpha=0.2)
        plot.setMinimumSize(90, 70)
        plot.sizeHint = lambda: QSize(160, 90)      # as high as all three need where they scroll
        dots = {"symbol": "o", "symbolSize": 5, "symbolPen": None, "connect": "finite"}
        beside = plot.plot(pen=pg.mkPen(BESIDE, width=WIDTH, style=Qt.PenStyle.DashLine), symbolBrush=BESIDE, **dots)
        main = plot.plot(pen=pg.mkPen(MAIN, width=WIDTH), symbolBrush=MAIN, **dots)
        line = pg.InfiniteLine(angle=90, movable=False)
        line.hide()
        plot.addItem(line, ignoreBounds=True)
        plot.scene().sigMouseClicked.connect(lambda event, one=plot: self._clicked(one, event))
        self.plots.append(plot)
        self.curves.append((main, beside))
        self._lines.append(line)
        return plot

    def _add(self, title: str, widget: QWidget) -> None:
        head = QLabel(title)
        head.setWordWrap(True)
        head.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        cell = QWidget()
        column = QVBoxLayout(cell)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(widget, 1)
        self._heads.append(head)
        self._cells.append(cell)

    def show_traces(self, m: Model, trace: SolverTrace, island: int | None, beside: SolverTrace | None, beside_island: int | None) -> None:
        """Curves of one island, or of all together; beside: another trace, dashed."""
        iterates, rows = trace.of_island(island), trace.problem.island_rows(island)
        self._numbers = np.array([one.number for one in iterates], float)
        for which, (one, where) in enumerate(((trace, island), (beside, beside_island))):
            for curves, values in zip(self.curves, logarithms(one, where) if one is not None else ((), ()), strict=True):
                curves[which].setData(*_finite([k.number for k in one.of_island(where)] if one is not None else [], values))
        most = max([1.0, *self._numbers, *([k.number for k in beside.of_island(beside_island)] if beside is not None else [])])
        for plot in self.plots:
            plot.setXRange(0, most, padding=0.03)
            plot.getAxis("bottom").setTickSpacing(levels=[(max(1.0, np.ceil(most / TICKS)), 0)])       # whole iterations
            plot.enableAutoRange(axis="y")
            plot.scene().prepareForPaint()
        states = np.array([one.efc_state[rows] for one in iterates]).T

        def tip(row: int, column: int) -> str:
            at, one = int(rows[row]), iterates[column]
            return (f"row {at}: {row_name(m, trace.problem, at)}, {row_kind(trace.problem, at)}\niteration {one.number}: {NAMES[one.efc_state[at]]}, "
                    f"force {one.efc_force[at]:.5g}{', changed' if one.changed[at] else ''}")

        self.active.show_states(np.ascontiguousarray(states) if states.size else np.zeros((0, 0), np.int8), tip)

    def clear(self) -> None:
        """Nothing is shown."""
        self._numbers = np.zeros(0)
        for curves in self.curves:
            for curve in curves:
                curve.setData([], [])
        self.active.show_states(np.zeros((0, 0), np.int8), lambda row, column: "")
        self.mark(-1)

    def mark(self, place: int) -> None:
        """Show which iterate is chosen; -1: none."""
        for line in self._lines:
            line.setVisible(0 <= place < len(self._numbers))
            if line.isVisible():
                line.setValue(self._numbers[place])
        self.active.mark(place)

    def _clicked(self, plot: BufferedPlot, event) -> None:
        if event.button() == Qt.MouseButton.LeftButton and len(self._numbers):
            x = plot.getViewBox().mapSceneToView(event.scenePos()).x()
            self.chosen.emit(int(np.argmin(np.abs(self._numbers - x))))

    # ------------------------------------------------------------------ Qt

    def _arrange(self, columns: int) -> None:
        if columns == self._columns:
            return
        self._columns = columns
        for k, cell in enumerate(self._cells):
            self._grid.addWidget(cell, k // columns, k % columns)
            self._grid.setColumnStretch(k, 1 if k < columns else 0)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._arrange(3 if event.size().width() >= WIDE else 1)

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange) and hasattr(self, "_grid"):
            self._suit()

    def _suit(self) -> None:
        """Sizes and colours that follow from the texts' and the theme's."""
        font = QFont(self.font())
        font.setPointSizeF(max(LEAST_POINTS, SMALLER * font.pointSizeF()))
        text = self.palette().text().color()
        for head in self._heads:
            head.setFont(font)
        for plot, line in zip(self.plots, self._lines, strict=True):
            plot.setBackground(self.palette().base().color())
            line.setPen(pg.mkPen(text, width=WIDTH, style=Qt.PenStyle.DotLine))
            for side in ("left", "bottom"):
                plot.getAxis(side).setTickFont(font)
                plot.getAxis(side).setTextPen(text)


def logarithms(trace: SolverTrace, island: int | None) -> tuple[np.ndarray, np.ndarray]:
    """log10 of the cost above the lowest one, no lower than its rounding, and of the gradient's norm."""
    figures = trace.figures(island)
    floor = max(LEAST_COST * abs(trace.lowest(island)), np.finfo(float).tiny)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log10(np.maximum(figures["cost"] - trace.lowest(island), floor)), np.log10(figures["gradient"])


def _finite(x, y) -> tuple[np.ndarray, np.ndarray]:
    """Points with gaps where a value is no finite number; none where none is."""
    y = np.asarray(y, float)
    good = np.isfinite(y)
    return (np.asarray(x, float), np.where(good, y, np.nan)) if good.any() else (np.zeros(0), np.zeros(0))
