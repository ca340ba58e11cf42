"""Pictures of a study: parallel coordinates, a map of two values, the best so far. Colours go from dark (bad) to bright (good); a click picks a point.

Parallel coordinates (Inselberg 1985): an axis for each value and one for the goal; a point is a line across them.
"""
from __future__ import annotations

from abc import abstractmethod

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QEvent, QPointF, pyqtSignal

from app.panels.in_turn import InTurn
from app.panels.plots.curve import COLOURS
from app.panels.sweep.result_plot import COLOUR_MAP, PickPlot

SHADES = 12         # colours of lines: one curve item each, whatever the number of points
MOST = 3000         # points that are drawn, the best and the newest of more
NEAR = 0.05         # of the picture's height that a click may be off a line
CUT = 16            # letters of an axis's name


class SuitedPlot(PickPlot):
    """A plot in the window's colours and sizes."""

    def __init__(self, in_turn: InTurn):
        super().__init__(in_turn)
        self._made = True
        self.suit()

    def suit(self) -> None:
        """Colours and sizes of the window."""
        text = self.palette().text().color()
        self.setBackground(self.palette().base().color())
        for side in ("left", "bottom"):
            axis = self.getAxis(side)
            axis.setTickFont(self.font())
            axis.setPen(text)
            axis.setTextPen(text)
            axis.enableAutoSIPrefix(False)
        self.setMinimumHeight(6 * self.fontMetrics().height())

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "_made"):
            self.suit()


class StudyPlot(SuitedPlot):
    """A picture of points, of which one is picked by a click. Signal: picked(trial)."""

    picked = pyqtSignal(int)

    def __init__(self, in_turn: InTurn):
        super().__init__(in_turn)
        self._trials, self._values, self._means = np.zeros(0, int), np.zeros((0, 0)), np.zeros(0)
        self._chosen = -1
        self.pressed.connect(self._pressed)

    def show_points(self, names: tuple[str, ...], trials: np.ndarray, values: np.ndarray, means: np.ndarray, largest: bool, chosen: int) -> None:
        """Points with a number each: trials (n), values (n, names), means (n); chosen: the trial that is marked."""
        order = np.argsort(means if largest else -means, kind="stable")
        keep = np.sort(np.unique(np.concatenate([order[-MOST // 2:], np.arange(max(0, len(means) - MOST // 2), len(means))])))
        there = keep[np.isfinite(means[keep])]
        self._trials, self._values, self._means, self._chosen = trials[there], values[there], means[there], chosen
        self._draw(names, largest)

    @abstractmethod
    def _draw(self, names: tuple[str, ...], largest: bool) -> None:
        """Draw the points that are kept."""

    @abstractmethod
    def _pressed(self, at: QPointF) -> None:
        """Which point was meant."""


class ParallelPlot(StudyPlot):
    """Parallel coordinates."""

    def __init__(self, in_turn: InTurn):
        self._lines = [pg.PlotCurveItem(connect="finite") for _ in range(SHADES)]
        self._mark = pg.PlotCurveItem(connect="finite")
        super().__init__(in_turn)
        for item in (*self._lines, self._mark):
            self.addItem(item)
        self._shares = np.zeros((0, 0))
        self.getAxis("bottom").setStyle(hideOverlappingLabels=False)    # the first and the last axis have names, too

    def _draw(self, names: tuple[str, ...], largest: bool) -> None:
        table = np.column_stack([self._values, self._means]) if len(self._means) else np.zeros((0, len(names) + 1))
        low, high = (table.min(axis=0), table.max(axis=0)) if len(table) else (np.zeros(len(names) + 1), np.ones(len(names) + 1))
        self._shares = np.where(high > low, (table - low) / np.where(high > low, high - low, 1.0), 0.5)
        good = goodness(self._means, largest)
        shade, colours = np.minimum((good * SHADES).astype(int), SHADES - 1), pg.colormap.get(COLOUR_MAP).getLookupTable(nPts=SHADES)
        x = np.append(np.arange(len(names) + 1, dtype=float), np.nan)
        for k, item in enumerate(self._lines):
            rows = self._shares[shade == k]
            y = np.column_stack([rows, np.full(len(rows), np.nan)]).ravel()
            item.setPen(pg.mkPen(colours[k], width=1))
            item.setData(np.tile(x, len(rows)), y, connect="finite")
        mine = np.flatnonzero(self._trials == self._chosen)
        self._mark.setPen(pg.mkPen(self.palette().highlight().color(), width=3))
        self._mark.setData(x[:-1] if len(mine) else [], self._shares[mine[0]] if len(mine) else [])
        self.getAxis("bottom").setTicks([[(float(k), f"{_cut(name)}\n{low[k]:.4g} … {high[k]:.4g}") for k, name in enumerate((*names, "goal"))]])
        self.getAxis("bottom").setHeight(round(2.6 * self.fontMetrics().height()))
        self.getAxis("left").setTicks([[(0.0, "low"), (1.0, "high")]])
        self.showGrid(x=True, y=False, alpha=0.35)
        self.getPlotItem().setRange(xRange=(-0.55, len(names) + 0.55), yRange=(-0.03, 1.03), padding=0)

    def _pressed(self, at: QPointF) -> None:
        count = self._shares.shape[1] if len(self._shares) else 0
        if count < 2:
            return
        x = min(max(at.x(), 0.0), count - 1.0)
        k = min(int(x), count - 2)
        heights = self._shares[:, k] + (x - k) * (self._shares[:, k + 1] - self._shares[:, k])
        nearest = int(np.argmin(np.abs(heights - at.y())))
        if abs(heights[nearest] - at.y()) < NEAR:
            self.picked.emit(int(self._trials[nearest]))

    def pixel_of(self, trial: int, axis: int) -> QPointF:
        """Where a trial's line crosses an axis, in the plot's own widget."""
        return _pixel(self, float(axis), float(self._shares[np.flatnonzero(self._trials == trial)[0], axis]))


class MapPlot(StudyPlot):
    """Two of the values as coordinates, the goal as colour. axes: numbers of these values."""

    def __init__(self, in_turn: InTurn):
        self._dots, self._mark = pg.ScatterPlotItem(pen=None, size=10), pg.ScatterPlotItem(size=16, brush=None)
        self.axes = (0, 1)
        super().__init__(in_turn)
        for item in (self._dots, self._mark):
            self.addItem(item)

    def _draw(self, names: tuple[str, ...], largest: bool) -> None:
        one, other = self.axes
        self.setLabel("bottom", names[one] if names else "")
        self.setLabel("left", names[other] if len(names) > other else "goal")
        x, y = (self._values[:, one], self._values[:, other] if len(names) > other else self._means) if len(self._values) else (np.zeros(0), np.zeros(0))
        colours = pg.colormap.get(COLOUR_MAP).map(goodness(self._means, largest), mode="qcolor") if len(x) else []
        order = np.argsort(self._means if largest else -self._means, kind="stable")     # the best on top
        self._dots.setData(x[order], y[order], brush=[pg.mkBrush(colours[k]) for k in order])
        mine = np.flatnonzero(self._trials == self._chosen)
        self._mark.setPen(pg.mkPen(self.palette().highlight().color(), width=3))
        self._mark.setData(x[mine], y[mine])
        if len(x):
            self.getPlotItem().setRange(xRange=_room(x), yRange=_room(y), padding=0)

    def _pressed(self, at: QPointF) -> None:
        x, y = self._dots.getData()
        if x is None or not len(x):
            return
        wide, high = (max(float(np.ptp(one)), 1e-300) for one in (x, y))
        far = ((x - at.x()) / wide) ** 2 + ((y - at.y()) / high) ** 2
        nearest = int(np.argmin(far))
        if far[nearest] < NEAR ** 2:
            one, other = self.axes
            shown = self._values[:, other] if self._values.shape[1] > other else self._means
            best = np.flatnonzero((self._values[:, one] == x[nearest]) & (shown == y[nearest]))
            self.picked.emit(int(self._trials[best[-1]]))

    def pixel_of(self, trial: int) -> QPointF:
        """Where a trial is in the plot's own widget."""
        one, other = self.axes
        row = int(np.flatnonzero(self._trials == trial)[0])
        return _pixel(self, float(self._values[row, one]), float(self._values[row, other] if self._values.shape[1] > other else self._means[row]))


class BestPlot(SuitedPlot):
    """The best mean up to each point."""

    def __init__(self, in_turn: InTurn):
        super().__init__(in_turn)
        self._line = pg.PlotCurveItem(connect="finite")
        self.addItem(self._line)

    def show_course(self, course: np.ndarray) -> None:
        """(n), NaN until there is one."""
        self._line.setPen(pg.mkPen(COLOURS[1], width=1))
        self._line.setData(np.arange(len(course), dtype=float), course, connect="finite")
        self.setLabel("bottom", "point")
        self.setLabel("left", "best so far")
        there = course[np.isfinite(course)]
        if len(there):
            self.getPlotItem().setRange(xRange=(0, max(1, len(course) - 1)), yRange=_room(there), padding=0.01)


def goodness(means: np.ndarray, largest: bool) -> np.ndarray:
    """(n) from 0, the worst, to 1, the best, by rank: a single very bad point does not make all others the same colour."""
    if len(means) < 2:
        return np.ones(len(means))
    ranks = np.empty(len(means))
    ranks[np.argsort(means if largest else -means, kind="stable")] = np.arange(len(means))
    return ranks / (len(means) - 1)


def _room(numbers: np.ndarray) -> tuple[float, float]:
    low, high = float(numbers.min()), float(numbers.max())
    room = 0.08 * (high - low) or 0.1 * abs(high) or 1.0
    return low - room, high + room


def _cut(name: str) -> str:
    return name if len(name) <= CUT else f"…{name[1 - CUT:]}"


def _pixel(plot: StudyPlot, x: float, y: float) -> QPointF:
    return QPointF(plot.mapFromScene(plot.getPlotItem().getViewBox().mapViewToScene(QPointF(x, y))))
