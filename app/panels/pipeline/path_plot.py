"""Residual, violation of complementarity, mean product and its target over the iterates of the central path, as logarithms, with a line at the chosen one."""
from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QEvent, QSize, Qt, pyqtSignal
from PyQt6.QtGui import QFont
from PyQt6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.panels.in_turn import InTurn
from app.panels.plots.buffered_plot import BufferedPlot
from app.panels.plots.curve import WIDTH

CURVES = (("r_vio", "#e8791e"), ("kappa_vio", "#6fb1ff"), ("mu", "#4fae6a"), ("target", "#c86fd8"))     # J, the residual in N s
TITLE = "Iterates (log10; residual, products in J)"
FLOOR = 1e-16
TICKS = 10
SMALLER, LEAST_POINTS = 0.8, 6.0     # texts


class PathPlot(QWidget):
    """curves: by the names of CURVES. Signal: chosen(iterate), by a click."""

    chosen = pyqtSignal(int)

    def __init__(self, in_turn: InTurn):
        super().__init__()
        self._count = 0
        self.head = QLabel(f"{TITLE} " + " ".join(f'<span style="color:{colour}">\u25cf</span>\u00a0{name}' for name, colour in CURVES))
        self.head.setWordWrap(True)
        self.head.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.plot = BufferedPlot(in_turn)
        self.plot.fix_ranges()
        self.plot.showGrid(x=True, y=True, alpha=0.2)
        self.plot.setMinimumSize(90, 80)
        self.curves = {name: self.plot.plot(pen=pg.mkPen(colour, width=WIDTH), symbolBrush=colour, symbol="o", symbolSize=5, symbolPen=None, connect="finite") for name, colour in CURVES}
        self.line = pg.InfiniteLine(angle=90, movable=False)
        self.line.hide()
        self.plot.addItem(self.line, ignoreBounds=True)
        self.plot.scene().sigMouseClicked.connect(self._clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.plot, 1)
        self._suit()

    def sizeHint(self) -> QSize:
        return QSize(300, 150)

    def show_figures(self, figures: Mapping[str, np.ndarray]) -> None:
        """Curves by name, an entry per iterate; nothing of {}."""
        self._count = max(map(len, figures.values()), default=0)
        for name, curve in self.curves.items():
            values = np.asarray(figures.get(name, ()), float)
            good = np.isfinite(values)
            x, y = np.arange(float(len(values))), np.log10(np.maximum(np.where(good, values, np.nan), FLOOR))
            curve.setData(*((x, y) if good.any() else ([], [])))
        self.plot.setXRange(0, max(1, self._count - 1), padding=0.03)
        self.plot.getAxis("bottom").setTickSpacing(levels=[(max(1.0, np.ceil(self._count / TICKS)), 0)])     # whole iterates
        self.plot.enableAutoRange(axis="y")
        self.plot.scene().prepareForPaint()
        self.mark(-1)

    def mark(self, k: int) -> None:
        """The line at iterate k; -1: none."""
        self.line.setVisible(0 <= k < self._count)
        if self.line.isVisible():
            self.line.setValue(k)

    def _clicked(self, event) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self._count:
            x = self.plot.getViewBox().mapSceneToView(event.scenePos()).x()
            self.chosen.emit(min(self._count - 1, max(0, round(x))))

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange) and hasattr(self, "line"):
            self._suit()

    def _suit(self) -> None:
        """Sizes and colours that follow from the texts' and the theme's."""
        text = self.palette().text().color()
        font = QFont(self.font())
        font.setPointSizeF(max(LEAST_POINTS, SMALLER * font.pointSizeF()))
        self.head.setFont(font)
        self.plot.setBackground(self.palette().base().color())
        self.line.setPen(pg.mkPen(text, width=WIDTH, style=Qt.PenStyle.DotLine))
        for side in ("left", "bottom"):
            self.plot.getAxis(side).setTickFont(font)
            self.plot.getAxis(side).setTextPen(text)
