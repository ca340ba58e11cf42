"""A plot of a few curves over one axis, with a point on it: responses, forces, inertia, a muscle's curves."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.context import AppContext
from app.panels.in_turn import in_turn_of
from app.panels.plots.buffered_plot import BufferedPlot
from app.panels.plots.curve import COLOURS

FAINT = -1      # in place of a colour's number


@dataclass(frozen=True, slots=True)
class Line:
    """x, y (n). colour: number of COLOURS, or FAINT. dashed: drawn so; wide: logical pixels."""

    x: np.ndarray = field(compare=False)
    y: np.ndarray = field(compare=False)
    colour: int = FAINT
    dashed: bool = False
    wide: float = 1.5


class CurvesPlot(QWidget):
    """show_lines(). lines: of text, that it is high."""

    def __init__(self, context: AppContext, lines: int, bottom: str):
        super().__init__()
        self._lines = lines
        self.plot = BufferedPlot(in_turn_of(context))
        self.plot.fix_ranges()
        self.plot.showGrid(x=True, y=True, alpha=0.2)
        for side in ("left", "bottom"):
            self.plot.getAxis(side).enableAutoSIPrefix(False)
        self._titles = ["", ""]
        self.shown: tuple[Line, ...] = ()
        self._items: list[pg.PlotCurveItem] = []
        self.point = pg.ScatterPlotItem(size=9)
        self.plot.addItem(self.point, ignoreBounds=True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot)
        self._title(1, bottom)
        self._suit()

    def show_lines(self, lines: Sequence[Line], left: str = "", bottom: str = "", point: tuple[float, float] | None = None) -> None:
        """Draw these. left, bottom: what the axes say; point: marked on the curves."""
        fresh = [(line.colour, line.dashed) for line in lines] != [(line.colour, line.dashed) for line in self.shown]
        self.shown = tuple(lines)
        if fresh:
            for item in self._items:
                self.plot.removeItem(item)
            self._items = [pg.PlotCurveItem() for _line in lines]
            for item in self._items:
                self.plot.addItem(item)
            self._suit()
        for item, line in zip(self._items, lines, strict=True):
            good = np.isfinite(line.y)
            item.setData(line.x[good], line.y[good])
        self.point.setData(*(([point[0]], [point[1]]) if point is not None else ([], [])))
        self._title(0, left)
        self._title(1, bottom)

    def _title(self, which: int, text: str) -> None:
        if text and text != self._titles[which]:
            self._titles[which] = text
            self.plot.setLabel(("left", "bottom")[which], text)
            self.plot.getAxis(("left", "bottom")[which]).resizeEvent()     # of a fixed width: else the text is centred as the one before

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "_items"):
            self._suit()

    def _suit(self) -> None:
        """Colours and sizes that follow from the theme and the size of texts."""
        palette = self.palette()
        self.setFixedHeight(self._lines * self.fontMetrics().height())
        self.plot.getAxis("left").setWidth(self.fontMetrics().horizontalAdvance("-0.0000") + 2 * self.fontMetrics().height())      # plots below each other have one time axis
        self.plot.setBackground(palette.base().color())
        for item, line in zip(self._items, self.shown, strict=True):
            colour = palette.placeholderText().color() if line.colour == FAINT else COLOURS[line.colour]
            item.setPen(pg.mkPen(colour, width=line.wide, style=Qt.PenStyle.DashLine if line.dashed else Qt.PenStyle.SolidLine))
        self.point.setBrush(pg.mkBrush(COLOURS[0]))
        self.point.setPen(pg.mkPen(palette.base().color()))
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setTickFont(self.font())
            axis.setPen(palette.text().color())
            axis.setTextPen(palette.text().color())
