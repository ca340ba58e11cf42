"""The solver's cost on a plane through the solution: contours, regions with the same set of active rows, and the way of the iterates."""
from __future__ import annotations

from functools import partial

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QEvent, QRectF, Qt
from PyQt6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.panels.in_turn import InTurn
from app.panels.live_panel import Sight, in_front
from app.panels.pipeline.contour_lines import contour_lines
from app.panels.pipeline.newest_work import NewestWork
from app.panels.pipeline.solver_plots import BESIDE, MAIN
from app.panels.plots.buffered_plot import BufferedPlot
from app.panels.plots.curve import WIDTH
from physics.model.model import Model
from physics.pipeline.cost_landscape import CostLandscape, cost_landscape
from physics.pipeline.row_names import dof_name
from physics.pipeline.solver_trace import SolverTrace

STEPS, DOFS = "Plane of the first steps", "Two degrees of freedom"
LEVELS = 12             # contours
POINTS = 81             # of a side
LEAST = 1e-12           # of the highest cost above the lowest, where the scale of contours ends
ROUNDING = 1e-13        # of the cost itself: what differs by no more is the same
GOLDEN = 0.618034       # of the circle of hues from one region to the next
SATURATION = 0.35


class LandscapeView(QWidget):
    """The plane is computed while the view is seen."""

    def __init__(self, in_turn: InTurn):
        super().__init__()
        self.landscape: CostLandscape | None = None
        self._place = -1                        # of the chosen iterate
        self._wanted: tuple | None = None       # Model, trace, island, beside
        self._asked: tuple | None = None
        self._work = NewestWork("cost landscape", self)
        self._work.done.connect(self._show)
        self._work.failed.connect(self._tell_why)
        self.plane, self.first, self.second = QComboBox(), QComboBox(), QComboBox()
        self.plane.addItems((STEPS, DOFS))
        self.plane.setToolTip("Directions of the plane: to the solver's start and first iterate, or the accelerations of two degrees of freedom")
        self.regions = QCheckBox("Regions")
        self.regions.setToolTip("A colour for each set of row states: the cost is smooth within (but on the side of a cone quadratic only in parts)")
        self.regions.setChecked(True)
        self.note = QLabel("")
        self.note.setWordWrap(True)
        self.note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        for box in (self.plane, self.first, self.second):
            box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            box.activated.connect(lambda _index: self._ask())
        self.regions.toggled.connect(lambda _on: self._draw())
        self._make_plot(in_turn)
        Sight(self).changed.connect(self._seen_changed)
        top = QGridLayout()
        top.setContentsMargins(0, 0, 0, 0)
        top.addWidget(self.plane, 0, 0, 1, 2)
        top.addWidget(self.regions, 0, 2)
        top.addWidget(self.first, 1, 0)
        top.addWidget(self.second, 1, 1, 1, 2)
        top.setColumnStretch(0, 1)
        top.setColumnStretch(1, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(top)
        column.addWidget(self.plot, 1)
        column.addWidget(self.note)
        self._suit()

    def _make_plot(self, in_turn: InTurn) -> None:
        self.plot = BufferedPlot(in_turn)
        self.plot.setMinimumSize(90, 70)
        self.plot.fix_ranges()
        self.image = pg.ImageItem(axisOrder="row-major")
        self.contours = [pg.PlotDataItem(connect="finite") for _ in range(LEVELS)]
        self.path = pg.PlotDataItem(pen=pg.mkPen(MAIN, width=WIDTH), symbol="o", symbolSize=6, symbolPen=None, symbolBrush=MAIN)
        self.beside = pg.PlotDataItem(pen=pg.mkPen(BESIDE, width=WIDTH, style=Qt.PenStyle.DashLine), symbol="o", symbolSize=5, symbolPen=None, symbolBrush=BESIDE)
        self.solution = pg.ScatterPlotItem(symbol="+", size=14)
        self.chosen = pg.ScatterPlotItem(symbol="o", size=12, brush=None)
        for item in (self.image, *self.contours, self.beside, self.path, self.solution, self.chosen):
            self.plot.addItem(item)

    # ------------------------------------------------------------------ what is wanted

    def show_trace(self, m: Model, trace: SolverTrace, island: int | None, beside: SolverTrace | None) -> None:
        """Be of this trace; beside: another one of the same problem. It is computed when it is seen."""
        self._wanted = (m, trace, island, beside)
        if in_front(self):
            self._ask()

    def clear(self) -> None:
        """Nothing is shown."""
        self._wanted = self._asked = self.landscape = None
        self._place = -1
        self.first.clear()      # another Model may have as many degrees of freedom with other names
        self.second.clear()
        self._work.give_up()
        self._draw()

    def mark(self, place: int) -> None:
        """Show which iterate is chosen; -1: none. It is marked when the plane is there."""
        self._place = place
        there = self.landscape is not None and 0 <= place < len(self.landscape.path)
        self.chosen.setData(*([[x] for x in self.landscape.path[place]] if there else ([], [])))

    def _fill_dofs(self, m: Model, trace: SolverTrace, island: int | None) -> None:
        """Offer the island's degrees of freedom, those that were chosen still chosen where they are among them."""
        own = trace.problem.island_dofs(island).tolist()
        if own == [self.first.itemData(k) for k in range(self.first.count())]:
            return
        for k, box in enumerate((self.first, self.second)):
            kept = box.currentText()
            box.clear()
            for dof in own:
                box.addItem(dof_name(m, dof), dof)
            found = box.findText(kept) if kept else -1
            box.setCurrentIndex(found if found >= 0 else min(k, len(own) - 1))

    def _seen_changed(self, seen: bool) -> None:
        if seen:
            self._ask()

    def _ask(self) -> None:
        by_dofs = self.plane.currentText() == DOFS
        for box in (self.first, self.second):
            box.setVisible(by_dofs)
        if self._wanted is None:
            return
        m, trace, island, beside = self._wanted
        if by_dofs:
            self._fill_dofs(m, trace, island)
        dofs = (self.first.currentData(), self.second.currentData()) if by_dofs else None
        wanted = (trace, island, beside, dofs)
        if self._asked is None or self._asked[0] is not trace or self._asked[2] is not beside or self._asked[1::2] != wanted[1::2]:
            self._asked = wanted        # the traces themselves: the number of one that is gone may come again
            self._work.begin(partial(_computed, m, trace, island, dofs, beside))

    # ------------------------------------------------------------------ drawing

    def _show(self, found: CostLandscape) -> None:
        if self._wanted is not None:
            self.landscape = found
            self._draw()

    def _tell_why(self, text: str) -> None:
        if self._wanted is not None:
            self.landscape = None
            self._draw()
            self.note.setText(text)

    def _draw(self) -> None:
        found = self.landscape
        for item in (self.image, *self.contours, self.path, self.beside, self.solution):
            item.setVisible(found is not None)
        if found is None:
            self.note.setText("")
            self.chosen.setData([], [])
            return
        height = height_of(found)
        self.image.setImage(self._pixels(found, height), autoLevels=False, levels=(0, 255))
        width, tall = found.u[-1] - found.u[0], found.v[-1] - found.v[0]
        du, dv = width / (len(found.u) - 1), tall / (len(found.v) - 1)
        self.image.setRect(QRectF(found.u[0] - du / 2, found.v[0] - dv / 2, width + du, tall + dv))
        for item, level in zip(self.contours, np.linspace(0, 1, LEVELS + 2)[1:-1], strict=True):
            item.setData(*contour(height, level, found))
        self.path.setData(*found.path.T)
        self.beside.setData(*found.beside.T)
        self.solution.setData([0.0], [0.0])
        box = self.plot.getPlotItem()
        box.setRange(xRange=(found.u[0], found.u[-1]), yRange=(found.v[0], found.v[-1]), padding=0)
        for side, label in (("bottom", found.labels[0]), ("left", found.labels[1])):
            box.setLabel(side, label)
        self.note.setText(self._told(found))
        self.mark(self._place)
        self.plot.scene().prepareForPaint()

    def _told(self, found: CostLandscape) -> str:
        """What is seen, in words."""
        away = float(found.off_plane.max(initial=0.0))
        reach = float(np.linalg.norm(found.path, axis=1).max(initial=0.0))
        sets = f"{found.nregion} set{'s' * (found.nregion != 1)} of row states"
        if is_level(found):
            return f"The cost is {found.lowest:.6g} in all of this part of the plane, to rounding: the solver began at the solution. There is no height to draw; {sets}."
        text = (f"Lowest cost {found.lowest:.6g} at the cross, up to {found.cost.max() - found.lowest:.3g} more in this part of the plane; contours by the logarithm of what is above; "
                f"{sets}.")
        if self.plane.currentText() == STEPS and away > 1e-6 * reach:
            text += " Start and first iterate lie in the plane, later ones are projected on it."
        elif away > 1e-6 * reach:
            text += " Iterates are projected on the plane: they also move in other directions."
        return text

    def _pixels(self, found: CostLandscape, height: np.ndarray) -> np.ndarray:
        """(n, n, 3) colours: a hue for each region, lighter or darker with the cost."""
        dark = self.palette().base().color().lightnessF() < 0.5
        value = (0.55 - 0.4 * height) if dark else (1.0 - 0.35 * height)
        hue = (found.region * GOLDEN + 0.58) % 1.0
        saturation = SATURATION if self.regions.isChecked() else 0.0
        distance = (6.0 * hue[..., None] + np.array([5.0, 3.0, 1.0])) % 6.0
        rgb = value[..., None] * (1.0 - saturation * np.clip(np.minimum(distance, 4.0 - distance), 0.0, 1.0))
        return np.round(255 * rgb).astype(np.uint8)

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange) and hasattr(self, "plot"):
            self._suit()

    def _suit(self) -> None:
        text = self.palette().text().color()
        self.plot.setBackground(self.palette().base().color())
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setTickFont(self.font())
            axis.setTextPen(text)
            if axis.autoSIPrefix:
                axis.enableAutoSIPrefix(False)      # once: pyqtgraph scales the figures of an axis that has its label all the same
        faint = text.toRgb()
        faint.setAlphaF(0.45)
        for item in self.contours:
            item.setPen(pg.mkPen(faint, width=WIDTH))
        for item in (self.path, self.beside):
            item.setSymbolPen(pg.mkPen(text, width=0.8))
        self.solution.setPen(pg.mkPen(text, width=2))
        self.chosen.setPen(pg.mkPen(text, width=2))
        self._draw()


def _computed(m: Model, trace: SolverTrace, island: int | None, dofs: tuple[int, int] | None, beside: SolverTrace | None, _stop) -> CostLandscape:
    return cost_landscape(m, trace, island, dofs, POINTS, beside=beside)


def height_of(found: CostLandscape) -> np.ndarray:
    """(n, n) 0 to 1: the logarithm of the cost above the lowest on the grid, over the decades that there are; 0 where it differs by rounding alone."""
    above = found.cost - min(found.lowest, float(found.cost.min()))
    top = float(above.max())
    if is_level(found):
        return np.zeros(above.shape)
    low = max(LEAST * top, float(np.quantile(above[above > 0.0], 0.002)))
    return np.log10(np.clip(above, low, top) / low) / max(1e-9, np.log10(top / low))


def is_level(found: CostLandscape) -> bool:
    """Whether the cost is the same on the whole grid, to rounding: the solver began at the solution."""
    lowest = min(found.lowest, float(found.cost.min()))
    return not float(found.cost.max()) - lowest > ROUNDING * float(np.abs(found.cost).max())


def contour(height: np.ndarray, level: float, found: CostLandscape) -> tuple[np.ndarray, np.ndarray]:
    """Lines of one height in the plane, pieces with gaps between."""
    pieces = contour_lines(height, level)
    gap = np.full((len(pieces), 1), np.nan)
    places = ((pieces[..., k], axis) for k, axis in enumerate((found.u, found.v)))
    return tuple(np.concatenate([np.interp(place, np.arange(len(axis)), axis), gap], axis=1).ravel() for place, axis in places)
