"""Curves of several runs, over one axis of time: depth, force and energy, or others."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from types import MappingProxyType

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QEvent
from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from app.context import AppContext
from app.panels.compare.comparison import Course
from app.panels.in_turn import in_turn_of
from app.panels.plots.buffered_plot import BufferedPlot
from app.panels.plots.decimate import decimated
from app.panels.tuner.impedance_plot import scaled_unit

UNITS = MappingProxyType({"depth": "m", "force": "N", "energy": "J"})
LINES = 8               # of text, that each is high
ABREAST = 26            # letters that a plot is wide at least, where all stand side by side
LEAST_WIDTH = 7         # letters of the numbers on the left, so that they begin at one place


class ComparePlots(QWidget):
    """show_courses(); the first is that of the primary, in the colour of texts. units: attributes of a Course, each drawn in a plot of its own, with their units; lengths and
    speeds are scaled to their size."""

    def __init__(self, context: AppContext, units: Mapping[str, str]):
        super().__init__()
        self._units = units
        self.plots = {name: BufferedPlot(in_turn_of(context)) for name in units}
        self._titles: dict[str, str] = {}
        self._drawn: tuple = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(2)
        self._columns = 0
        first = next(iter(self.plots.values()))
        for plot in self.plots.values():
            plot.fix_ranges()
            plot.showGrid(x=True, y=True, alpha=0.2)
            plot.setXLink(first if plot is not first else None)
            for side in ("left", "bottom"):
                plot.getAxis(side).enableAutoSIPrefix(False)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._arrange()
        self._suit()

    def show_courses(self, courses: Sequence[tuple[Course, QColor | None]]) -> None:
        """Draw these, each in its colour; None: that of texts."""
        self._drawn = tuple(courses)
        spans = [(course.time[0], course.time[-1]) for course, _colour in courses if len(course.time)]
        if spans:
            begin, end = min(span[0] for span in spans), max(span[1] for span in spans)
            next(iter(self.plots.values())).setXRange(begin, max(end, begin + 1e-3), padding=0.02)
        for name, plot in self.plots.items():
            plot.clear()
            values = [np.abs(getattr(course, name)) for course, _colour in courses if len(course.time)]
            largest = max((float(np.nanmax(one)) for one in values if np.isfinite(one).any()), default=0.0)
            factor, said = scaled(largest, self._units[name])
            for course, colour in reversed(courses):        # the primary on top
                x, y = decimated(course.time, getattr(course, name), -inf, inf, max(100, plot.width()))
                item = pg.PlotCurveItem(x, factor * y, connect="finite", pen=pg.mkPen(colour or self.palette().text().color(), width=1))
                plot.addItem(item)
            self._name(name, said)

    def _name(self, name: str, unit: str) -> None:
        title = f"{name} [{unit.replace('um', 'µm')}]"
        if title != self._titles.get(name):
            self._titles[name] = title
            self.plots[name].setTitle(title, color=self.palette().text().color(), size=f"{self.font().pointSizeF():.0f}pt")

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Side by side where there is room, else below each other."""
        columns = len(self.plots) if self.width() >= len(self.plots) * ABREAST * self.fontMetrics().averageCharWidth() else 1
        if columns == self._columns:
            return
        self._columns = columns
        for k, plot in enumerate(self.plots.values()):
            self._grid.removeWidget(plot)
            self._grid.addWidget(plot, k // columns, k % columns)
        self._fit()

    def _fit(self) -> None:
        rows = -(-len(self.plots) // max(1, self._columns))
        self.setFixedHeight(rows * LINES * self.fontMetrics().height())
        for k, plot in enumerate(self.plots.values()):
            last = k + self._columns >= len(self.plots)
            plot.setLabel("bottom", "time [s]" if last else None)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "_columns"):
            self._suit()

    def _suit(self) -> None:
        """Colours and sizes that follow from the theme and the size of texts."""
        palette = self.palette()
        self._titles = {}
        for plot in self.plots.values():
            plot.setBackground(palette.base().color())
            for side in ("left", "bottom"):
                axis = plot.getAxis(side)
                axis.setTickFont(self.font())
                axis.setPen(palette.text().color())
                axis.setTextPen(palette.text().color())
            plot.getAxis("left").setWidth(LEAST_WIDTH * self.fontMetrics().averageCharWidth())
        self._fit()
        self.show_courses(self._drawn)


def scaled(largest: float, unit: str) -> tuple[float, str]:
    """(factor, unit) in which numbers up to this one are read well."""
    if not unit.startswith("m"):
        return 1.0, unit
    factor, length = scaled_unit(largest, "m")
    return factor, length + unit[1:]
