"""What a sweep has found: a curve for one value, a map with a bar of colours for two; a click picks a point.

Both are drawn by number of the point, with the values at the ticks: so ranges of even ratios are as even as others.
"""
from __future__ import annotations

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QEvent, QPointF, QRectF, Qt, pyqtSignal
from PyQt6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.context import AppContext
from app.panels.in_turn import InTurn, in_turn_of
from app.panels.plots.buffered_plot import BufferedPlot
from app.panels.plots.curve import COLOURS
from app.panels.sweep.plan import Plan

LINES, TALL = 6, 10    # of text that it is high at least, beside other things and below them
WIDE = 14              # times that height that it is wide at least
MOST_TICKS = 5
COLOUR_MAP = "viridis"
LEAST_SPAN = 1e-12      # of the colours, where all values are the same
HALF = 0.5


class PickPlot(BufferedPlot):
    """Signal: pressed(place) in the coordinates of the plot."""

    pressed = pyqtSignal(QPointF)

    def __init__(self, in_turn: InTurn):
        super().__init__(in_turn)
        self.fix_ranges()

    def mousePressEvent(self, event) -> None:
        """A point is picked by the left button."""
        box = self.getPlotItem().getViewBox()
        place = self.mapToScene(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and box.sceneBoundingRect().contains(place):
            self.pressed.emit(box.mapSceneToView(place))
        event.accept()


class ResultPlot(QWidget):
    """show_result(); mark(). Signal: picked(place), numbers of the point along each value."""

    picked = pyqtSignal(tuple)

    def __init__(self, context: AppContext):
        super().__init__()
        self._shape: tuple[int, ...] = ()
        self._alone = False
        self.plot = PickPlot(in_turn_of(context))
        self.line = pg.PlotCurveItem(connect="finite")
        self.dots = pg.ScatterPlotItem(size=7, pen=None)
        self.image = pg.ImageItem(axisOrder="row-major")
        self.bar = pg.ColorBarItem(colorMap=pg.colormap.get(COLOUR_MAP), interactive=False, width=12)
        self.bar.setImageItem(self.image, insert_in=self.plot.getPlotItem())
        self.bar.axis.setWidth(None)        # as wide as its texts
        self.chosen = pg.ScatterPlotItem(symbol="o", size=14, brush=None)
        for item in (self.image, self.line, self.dots, self.chosen):
            self.plot.addItem(item)
        for part in (self, self.plot):      # as small as it may be: what it stands in scrolls, else, where it could do without
            part.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot)
        self.plot.pressed.connect(self._pressed)
        self._suit()
        self.clear()

    def stand_alone(self, alone: bool) -> None:
        """Whether it stands below the fields: nothing else makes it high then."""
        if alone != self._alone:
            self._alone = alone
            self._suit()

    # ------------------------------------------------------------------ showing

    def clear(self) -> None:
        """Nothing is known."""
        self._shape = ()
        for item in (self.line, self.dots, self.chosen):
            item.setData([], [])
        self.image.setVisible(False)
        self.bar.setVisible(False)
        for side in ("left", "bottom"):
            self.plot.getAxis(side).setTicks([[]])
            self.plot.setLabel(side, "")

    def show_result(self, plan: Plan, title: str, scalar: np.ndarray | None, engine: np.ndarray | None) -> None:
        """Values of the plan's shape, NaN where there is none yet; scalar: by the scalar simulation, engine: by the engine. title: of what is shown, with its unit."""
        self._shape = plan.shape
        axis = self.plot.getAxis("bottom")
        self.plot.setLabel("bottom", plan.choices[0].what)
        axis.setTicks([_ticks(plan.numbers[0])])
        flat = len(plan.shape) == 1
        self.image.setVisible(not flat)
        self.bar.setVisible(not flat)
        self.line.setVisible(flat)
        self.dots.setVisible(flat)
        if flat:
            self._show_curve(title, scalar, engine)
        else:
            self._show_map(plan, title, engine if engine is not None and np.isfinite(engine).any() else scalar)

    def _show_curve(self, title: str, scalar: np.ndarray | None, engine: np.ndarray | None) -> None:
        x = np.arange(self._shape[0], dtype=float)
        known = [np.where(np.isfinite(values), values, np.nan) for values in (scalar, engine) if values is not None]
        self.plot.setLabel("left", title)
        self.plot.getAxis("left").setTicks(None)
        self.line.setData(x, _finite(scalar) if scalar is not None else _finite(engine), connect="finite")
        there = np.isfinite(engine) if engine is not None else np.zeros(self._shape, bool)
        self.dots.setData(x[there], engine[there] if engine is not None else [])
        numbers = np.concatenate(known) if known else np.zeros(0)
        numbers = numbers[np.isfinite(numbers)]
        low, high = (float(numbers.min()), float(numbers.max())) if numbers.size else (0.0, 1.0)
        room = 0.08 * (high - low) or 0.1 * abs(high) or 1.0
        self.plot.getPlotItem().setRange(xRange=(-HALF, self._shape[0] - HALF), yRange=(low - room, high + room), padding=0)

    def _show_map(self, plan: Plan, title: str, values: np.ndarray | None) -> None:
        self.plot.setLabel("left", plan.choices[1].what)
        self.plot.getAxis("left").setTicks([_ticks(plan.numbers[1])])
        shown = _finite(values).T if values is not None else np.full(plan.shape[::-1], np.nan)
        finite = shown[np.isfinite(shown)]
        low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 1.0)
        if high - low <= LEAST_SPAN * max(abs(high), 1e-300):
            high = low + (abs(low) or 1.0)
        self.image.setImage(shown, autoLevels=False, levels=(low, high))
        self.image.setRect(QRectF(-HALF, -HALF, plan.shape[0], plan.shape[1]))
        self.bar.setLevels((low, high))
        self.bar.setLabel("right", title)
        self.plot.getPlotItem().setRange(xRange=(-HALF, plan.shape[0] - HALF), yRange=(-HALF, plan.shape[1] - HALF), padding=0)

    def mark(self, place: tuple[int, ...] | None, value: float = 0.0) -> None:
        """Show which point is picked; None: none. value: of it, in a curve."""
        if place is None or len(place) != len(self._shape):
            self.chosen.setData([], [])
        else:
            self.chosen.setData([float(place[0])], [float(place[1]) if len(place) == 2 else value if np.isfinite(value) else self._middle])

    @property
    def _middle(self) -> float:
        low, high = self.plot.getPlotItem().getViewBox().viewRange()[1]
        return 0.5 * (low + high)

    # ------------------------------------------------------------------ picking

    def _pressed(self, at: QPointF) -> None:
        if self._shape:
            place = (at.x(), at.y())[:len(self._shape)]
            self.picked.emit(tuple(int(min(max(round(x), 0), count - 1)) for x, count in zip(place, self._shape, strict=True)))

    def pixel_of(self, place: tuple[int, ...], value: float = 0.0) -> QPointF:
        """Where a point is in the plot's own widget."""
        box = self.plot.getPlotItem().getViewBox()
        at = QPointF(float(place[0]), float(place[1]) if len(place) == 2 else value)
        return QPointF(self.plot.mapFromScene(box.mapViewToScene(at)))

    # ------------------------------------------------------------------ looks

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "chosen"):
            self._suit()

    def _suit(self) -> None:
        palette = self.palette()
        text = palette.text().color()
        for part in (self, self.plot):
            part.setMinimumHeight((TALL if self._alone else LINES) * self.fontMetrics().height())
            part.setMinimumWidth(WIDE * self.fontMetrics().height())
        self.plot.setBackground(palette.base().color())
        for axis in (self.plot.getAxis("left"), self.plot.getAxis("bottom"), self.bar.axis):
            axis.setTickFont(self.font())
            axis.setPen(text)
            axis.setTextPen(text)
            if axis.autoSIPrefix:
                axis.enableAutoSIPrefix(False)      # once: pyqtgraph scales the figures of an axis that has its label all the same
        self.line.setPen(pg.mkPen(COLOURS[1], width=1.5))
        self.dots.setBrush(pg.mkBrush(COLOURS[0]))
        self.chosen.setPen(pg.mkPen(text, width=2))


def _finite(values: np.ndarray) -> np.ndarray:
    """With NaN for what is infinite."""
    return np.where(np.isfinite(values), values, np.nan)


def _ticks(numbers: np.ndarray) -> list[tuple[float, str]]:
    """(number of the point, its value as text), some of them, with the first and last."""
    count = min(MOST_TICKS, len(numbers))
    return [(float(k), f"{numbers[k]:.3g}") for k in dict.fromkeys(np.round(np.linspace(0, len(numbers) - 1, count)).astype(int).tolist())]
