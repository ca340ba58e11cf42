"""The motion that the scalar simulation predicts for an impact: with the values being tuned, and with those in force."""
from __future__ import annotations

import pyqtgraph as pg
from PyQt6.QtCore import QEvent, Qt
from PyQt6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from app.context import AppContext
from app.panels.in_turn import in_turn_of
from app.panels.plots.buffered_plot import BufferedPlot
from app.panels.plots.curve import COLOURS
from app.panels.tuner.impedance_plot import scaled_unit
from app.panels.tuner.prediction import Quick

LINES = 9               # of text, that it is high


class MotionPlot(QWidget):
    """show_motions(); distances below the axis are depths."""

    def __init__(self, context: AppContext):
        super().__init__()
        self.plot = BufferedPlot(in_turn_of(context))
        self.plot.fix_ranges()
        self.plot.showGrid(x=True, y=True, alpha=0.2)
        for side in ("left", "bottom"):
            self.plot.getAxis(side).enableAutoSIPrefix(False)
        self.plot.setLabel("bottom", "time [ms]")
        self._title = ""
        self.surface = pg.InfiniteLine(angle=0, pos=0.0)
        self.before, self.now = pg.PlotCurveItem(), pg.PlotCurveItem()
        for item in (self.before, self.now):
            self.plot.addItem(item)
        self.plot.addItem(self.surface, ignoreBounds=True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.plot)
        self._suit()

    def show_motions(self, now: Quick | None, before: Quick | None, unit: str = "m") -> None:
        """Draw these; before: of the values in force, None where they are the same."""
        shown = [motion for motion in (now, before) if motion is not None and motion.time is not None]
        factor, said = scaled_unit(max((abs(motion.distance).max() for motion in shown), default=1.0), unit)
        for item, motion in ((self.now, now), (self.before, before)):
            if motion is None or motion.time is None:
                item.setData([], [])
            else:
                item.setData(1e3 * motion.time, factor * motion.distance)
        title = f"distance [{'µm' if said == 'um' else said}]"
        if title != self._title:
            self._title = title
            self.plot.setLabel("left", title)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange) and hasattr(self, "now"):
            self._suit()

    def _suit(self) -> None:
        """Colours and sizes that follow from the theme and the size of texts."""
        palette = self.palette()
        self.setFixedHeight(LINES * self.fontMetrics().height())
        self.plot.setBackground(palette.base().color())
        self.now.setPen(pg.mkPen(COLOURS[1], width=1.5))
        self.before.setPen(pg.mkPen(palette.placeholderText().color(), width=1, style=Qt.PenStyle.DashLine))
        self.surface.setPen(pg.mkPen(palette.placeholderText().color(), width=1))
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setTickFont(self.font())
            axis.setPen(palette.text().color())
            axis.setTextPen(palette.text().color())
