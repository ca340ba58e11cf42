"""The guilty quantities over the last steps before a divergence, by their sizes on a logarithmic scale: what grows is a rising line."""
from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QEvent
from PyQt6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.context import AppContext
from app.panels.in_turn import in_turn_of
from app.panels.plots.buffered_plot import BufferedPlot
from app.panels.plots.curve import COLOURS, WIDTH
from physics.diagnostics.divergence.curves import Curve

LEAST = 1e-9            # of the largest value of a curve, that is drawn
NOTHING = "No curves: kernels are still being compiled, or nothing was recorded."
LINES = 12              # height, in lines of text


class DivergenceCurves(QWidget):
    """A plot and its legend. Time is counted back from the last good state, in milliseconds: 0 is at the right."""

    def __init__(self, context: AppContext):
        super().__init__()
        self.legend = QLabel(NOTHING)
        self.legend.setWordWrap(True)
        self.legend.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.plot = BufferedPlot(in_turn_of(context))
        self.plot.fix_ranges()
        self.plot.showGrid(x=True, y=True, alpha=0.2)
        self.plot.setLogMode(y=True)
        self.plot.invertX(True)
        self.plot.setLabel("bottom", "ms before the last good state")
        self.onset = pg.InfiniteLine(angle=90, pen=pg.mkPen(COLOURS[-1], width=WIDTH))
        self.items: list[pg.PlotDataItem] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.legend)
        column.addWidget(self.plot)
        self._suit()

    def show_curves(self, curves: Sequence[Curve], end: float, onset: float) -> None:
        """Draw these; end: time of the last good state, onset: when it began [s]."""
        self.plot.clear()
        self.items = []
        parts = []
        for curve, colour in zip(curves, COLOURS, strict=False):
            size = np.abs(curve.values)
            most = float(np.nanmax(size, initial=0.0, where=np.isfinite(size)))
            if most:        # nothing but 0 has no logarithm
                size = np.maximum(size, LEAST * most)
                size[~np.isfinite(curve.values)] = np.nan
                item = pg.PlotDataItem(1e3 * (end - curve.time), size, pen=pg.mkPen(colour, width=WIDTH), connect="finite",
                                       symbol="o", symbolSize=3, symbolPen=None, symbolBrush=colour)
                self.plot.addItem(item)
                self.items.append(item)
            last = curve.values[np.isfinite(curve.values)]
            said = f" <b>{last[-1]:.3g}</b> {escape(curve.unit)}" if len(last) else ""
            text = escape(curve.text).replace(").", ")\u200b.")     # a line may end there
            parts.append(f'<span style="color:{colour}">\u25cf</span>\u00a0{text}{said}')
        self.onset.setValue(1e3 * (end - onset))
        self.plot.addItem(self.onset, ignoreBounds=True)
        self.legend.setText(" &nbsp; ".join(parts) + (" &nbsp; Sizes, on a logarithmic scale; the vertical line is where it began." if parts else NOTHING))
        self.plot.setVisible(bool(parts))

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "items"):
            self._suit()

    def _suit(self) -> None:
        """Colours and sizes that follow from the theme and the size of texts."""
        self.plot.setFixedHeight(LINES * self.fontMetrics().height())
        self.plot.setBackground(self.palette().base().color())
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setTickFont(self.font())
            axis.setPen(self.palette().text().color())
            axis.setTextPen(self.palette().text().color())
