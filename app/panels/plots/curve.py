"""A curve of a chart: one number of a quantity, and what is drawn of it."""
from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import Qt

from app.panels.plots.companion_curves import BesideCurve
from app.panels.plots.decimate import decimated
from physics.recording.series import Series

# Okabe and Ito, Color Universal Design (2008), told apart by people with any colour vision; black left out
COLOURS = ("#e69f00", "#56b4e9", "#009e73", "#d55e00", "#cc79a7", "#0072b2", "#b8a800", "#999999")
WIDTH = 1.0     # logical pixels: Qt fills the outline of wider lines, which for a noisy curve takes a hundred times as long
_PLAIN = re.compile(r"""\w+(\((?:"[^"]*"|'[^']*'|[\w, ])*\))?(\.\w+)?(\[[^\[\]]*\])?""")     # texts that an index may stand behind


@dataclass
class Curve:
    """Number `component` of the values of `series`, which have `shape`. item: what pyqtgraph draws: what of the values is in view, as decimate.py has it."""

    series: Series
    component: int
    colour: str
    unit: str = ""
    shape: tuple[int, ...] = ()
    item: pg.PlotCurveItem = field(default=None)

    def __post_init__(self):
        self.item = pg.PlotCurveItem(pen=pg.mkPen(self.colour, width=WIDTH), connect="finite")
        self._box: pg.ViewBox | None = None
        self.beside: dict[int, pg.PlotCurveItem] = {}       # of companion runs, by BesideCurve.key

    def stand_in(self, box: pg.ViewBox | None) -> None:
        """Be drawn in this box and no other; None: in none."""
        for item in (self.item, *self.beside.values()):
            self._move(item, box)
        self._box = box

    def _move(self, item: pg.PlotCurveItem, box: pg.ViewBox | None) -> None:
        if self._box is not None:
            self._box.removeItem(item)
        if box is not None:
            box.addItem(item)

    @property
    def text(self) -> str:
        """The expression."""
        return self.series.text

    @property
    def name(self) -> str:
        """The expression of this number alone."""
        return component_text(self.text, self.component, self.shape) if self.shape else self.text

    def values(self) -> np.ndarray:
        """(n,) by the series' entries; empty where the present Model has fewer numbers."""
        values = self.series.values
        return values[:, self.component] if self.component < values.shape[1] else np.full(len(values), np.nan)

    def at(self, number: int) -> float:
        """The value at an entry of the history, or at the last one before it that has any; NaN where there is none."""
        entries = self.series.entries
        k = int(np.searchsorted(entries, number, "right")) - 1
        return float(self.values()[k]) if k >= 0 else float("nan")

    def draw(self, first: float, last: float, pixels: int) -> None:
        """Give pyqtgraph the values from place `first` to `last`, which has so many pixels."""
        _draw(self.item, self.series.entries, self.values(), first, last, pixels)

    def draw_beside(self, curves: Sequence[BesideCurve], first: float, last: float, pixels: int) -> None:
        """Draw those of companion runs, dashed, in the same way."""
        for key in set(self.beside) - {one.key for one in curves}:
            self._move(self.beside.pop(key), None)
        for one in curves:
            item = self.beside.get(one.key)
            if item is None:
                item = self.beside[one.key] = pg.PlotCurveItem(connect="finite")
                if self._box is not None:
                    self._box.addItem(item)
            item.setPen(pg.mkPen(one.colour, width=WIDTH, style=Qt.PenStyle.DashLine))
            inside = (one.x >= first) & (one.x <= last)     # ascending but for jumps
            _draw(item, one.x[inside], one.y[inside], first, last, pixels)


def _draw(item: pg.PlotCurveItem, x: np.ndarray, y: np.ndarray, first: float, last: float, pixels: int) -> None:
    x, y = decimated(x, y, first, last, pixels)
    finite = np.isfinite(y)
    if finite.any():
        item.setData(x.astype(float), y if finite.all() else np.where(finite, y, np.nan))
    elif item.xData is not None and len(item.xData):
        item.setData([], [])


def component_text(text: str, component: int, shape: tuple[int, ...]) -> str:
    """The expression of one number of several."""
    place = ", ".join(str(k) for k in np.unravel_index(component, shape))
    return f"{text}[{place}]" if _PLAIN.fullmatch(text) else f"({text})[{place}]"
