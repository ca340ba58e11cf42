"""Numbers over time as often as a panel looks at them, for what no expression names."""
from __future__ import annotations

from collections import deque
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PyQt6.QtWidgets import QVBoxLayout, QWidget

from app.panels.in_turn import in_turn_of
from app.panels.plots.buffered_plot import BufferedPlot
from app.panels.plots.curve import COLOURS, WIDTH

SECONDS = 5.0       # of the run that are shown
MOST = 2000         # moments that are kept
LINES = 9           # of text, that it is high
SMALLER = 0.85      # texts of the legend, beside the others


class SampledStrip(QWidget):
    """add() takes the numbers of a moment; another subject, other names or a time before the last one begin anew."""

    def __init__(self, context):
        super().__init__()
        self.plot = BufferedPlot(in_turn_of(context))
        self.plot.setMouseEnabled(x=False, y=False)
        self.plot.setMenuEnabled(False)
        self.plot.hideButtons()
        self.plot.setLabel("bottom", "time", units="s")
        self.setToolTip("Forces of the rows [N, N m], a point each time that the panel looks, about five times a second.\n"
                        "Exact at every step: plot efc_force of a row, or qfrc_constraint of a joint.")
        self._subject: object = None
        self._names: tuple[str, ...] = ()
        self._moments: deque[tuple[float, tuple[float, ...]]] = deque(maxlen=MOST)
        self._curves: list[pg.PlotCurveItem] = []
        self._legend = self.plot.addLegend(offset=(4, 4), verSpacing=-6)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot)
        self._suit()

    @property
    def points(self) -> tuple[np.ndarray, np.ndarray]:
        """Times (n) and numbers (n, curves) that are drawn."""
        if not self._moments:
            return np.zeros(0), np.zeros((0, len(self._names)))
        times, values = zip(*self._moments, strict=True)
        return np.array(times), np.array(values)

    def clear(self) -> None:
        """Begin anew."""
        self._moments.clear()
        for curve in self._curves:
            self.plot.removeItem(curve)
        self._legend.clear()
        self._curves, self._names, self._subject = [], (), None

    def add(self, subject: object, time: float, names: Sequence[str], values: Sequence[float]) -> None:
        """The numbers of a moment, by name."""
        if subject != self._subject or tuple(names) != self._names or self._moments and time < self._moments[-1][0]:
            self.clear()
            self._subject, self._names = subject, tuple(names)
            for k, name in enumerate(names):
                curve = pg.PlotCurveItem(pen=pg.mkPen(COLOURS[k % len(COLOURS)], width=WIDTH), name=name)
                self.plot.addItem(curve)
                self._curves.append(curve)
        if self._moments and time == self._moments[-1][0]:
            self._moments.pop()
        self._moments.append((time, tuple(values)))
        if self.isVisible():
            self._draw()

    def _draw(self) -> None:
        times, values = self.points
        for k, curve in enumerate(self._curves):
            curve.setData(times, values[:, k])
        if len(times):
            self.plot.setXRange(max(times[0], times[-1] - SECONDS), max(times[-1], times[0] + 1e-3), padding=0)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._draw()

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() in (event.Type.FontChange, event.Type.PaletteChange) and hasattr(self, "plot"):
            self._suit()

    def _suit(self) -> None:
        self.setFixedHeight(LINES * self.fontMetrics().height())
        palette = self.palette()
        self.plot.setBackground(palette.base().color())
        for side in ("bottom", "left"):
            self.plot.getAxis(side).setPen(palette.text().color())
            self.plot.getAxis(side).setTextPen(palette.text().color())
        self._legend.setLabelTextSize(f"{SMALLER * self.font().pointSizeF():.1f}pt")
        self._legend.setLabelTextColor(palette.text().color())
