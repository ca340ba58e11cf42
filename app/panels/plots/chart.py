"""A chart: curves over time, or what is made of them: spectrum, one against the other, histogram."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import numpy as np
import pyqtgraph as pg
from PyQt6.QtCore import QPoint, Qt, pyqtSignal
from PyQt6.QtGui import QColor, QFont
from PyQt6.QtWidgets import QLabel, QMenu, QSizePolicy, QVBoxLayout, QWidget

from app.panels.in_turn import InTurn
from app.panels.plots.buffered_plot import BufferedPlot
from app.panels.plots.companion_curves import BesideCurve
from app.panels.plots.curve import COLOURS, WIDTH, Curve
from app.panels.plots.entry_axis import EntryAxis
from app.panels.plots.figures_table import FiguresTable
from app.panels.plots.unit_axes import UnitAxes
from app.panels.quantity_drag import texts_of
from physics.quantities.statistics import histogram, spectrum
from physics.recording.series import Series
from physics.runtime.snapshot import Snapshot

TIME, SPECTRUM, PHASE, HISTOGRAM = "Over time", "Spectrum", "One against the other", "Histogram"
FORMS = (TIME, SPECTRUM, PHASE, HISTOGRAM)
MOST_CURVES = 24       # of one chart
MOST_COMPONENTS = 8    # of a vector that is added at once
SMALLER = 0.85
BAND = 40              # opacity of a reference band, of 255


class Chart(QWidget):
    """Signals: wanted(texts) expressions that were dropped; scrubbed(number) the cursor was dragged to an entry; moved() the user has moved the view; changed() curves
    came or went; kept() something else that is remembered is another; menu_wanted(place on the screen)."""

    wanted = pyqtSignal(list)
    scrubbed = pyqtSignal(int)
    moved = pyqtSignal()
    changed = pyqtSignal()
    kept = pyqtSignal()
    menu_wanted = pyqtSignal(QPoint)

    def __init__(self, in_turn: InTurn):
        super().__init__()
        self.curves: list[Curve] = []
        self.beside: Callable[[Curve], Sequence[BesideCurve]] | None = None     # what companion runs have of a curve
        self.bands: list[pg.LinearRegionItem] = []
        self.form = TIME
        self.axis = EntryAxis()
        self.plot = BufferedPlot(in_turn, axisItems={"bottom": self.axis})
        self.plot.showGrid(x=True, y=True, alpha=0.2)
        self.plot.setMinimumSize(120, 60)
        self.plot.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.plot.customContextMenuRequested.connect(lambda at: self.menu_wanted.emit(self.plot.mapToGlobal(at)))
        self._box = self.plot.getViewBox()
        self._box.setMouseEnabled(x=True, y=False)
        self._box.enableAutoRange(axis=pg.ViewBox.YAxis)
        self._box.setAutoVisible(y=True)
        self._ranging = False
        self._box.sigXRangeChanged.connect(lambda *_range: self._range_changed())
        self._box.sigResized.connect(lambda _box: self._range_changed())
        self._box.sigRangeChangedManually.connect(lambda _axes: self.moved.emit())
        self.units = UnitAxes(self.plot.getPlotItem())
        self._shapes: list[pg.PlotDataItem] = []     # of the forms that are not over time
        self.time_cursor = pg.InfiniteLine(angle=90, movable=True)
        self.time_cursor.sigDragged.connect(lambda line: self.scrubbed.emit(round(line.value())))
        self.plot.addItem(self.time_cursor, ignoreBounds=True)
        self.stretch = pg.LinearRegionItem()
        self.stretch.sigRegionChanged.connect(lambda _region: self._stretch_moved())
        self.stretch.setVisible(False)
        self.plot.addItem(self.stretch, ignoreBounds=True)
        self.legend = QLabel("")
        self.legend.setWordWrap(True)
        self.legend.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.legend.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.figures = FiguresTable()
        self.figures.hide()
        self._present = 0
        self.follows_region = False      # whether the stretch is the region of the timeline
        self._following = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.legend)
        column.addWidget(self.plot, 1)
        column.addWidget(self.figures)
        self.setAcceptDrops(True)
        self._suit()

    # ------------------------------------------------------------------ curves

    @property
    def texts(self) -> tuple[str, ...]:
        """The expressions of its curves, once each."""
        return tuple(dict.fromkeys(curve.text for curve in self.curves))

    def add(self, series: Series, components: Sequence[int], unit: str, shape: tuple[int, ...] = ()) -> int:
        """Curves for these numbers of an expression; how many were added: those that are there already are not, nor more than MOST_CURVES in all."""
        there, added = {(curve.text, curve.component) for curve in self.curves}, 0
        for component in components:
            if (series.text, component) not in there and len(self.curves) < MOST_CURVES:
                curve = Curve(series, component, self._free_colour(), unit, shape)
                self.curves.append(curve)
                if self.form == TIME:
                    curve.stand_in(self.units.box(unit))
                added += 1
        if added:
            self.changed.emit()
        return added

    def _free_colour(self) -> str:
        used = [curve.colour for curve in self.curves]
        return min(COLOURS, key=lambda colour: (used.count(colour), COLOURS.index(colour)))

    def remove(self, curve: Curve) -> None:
        """Without this one; axes that nobody needs go too."""
        curve.stand_in(None)
        self.curves.remove(curve)
        self._lay_out()
        self.changed.emit()

    def clear(self) -> None:
        """No curves and no bands."""
        for curve in self.curves:
            curve.stand_in(None)
        self.curves = []
        self.remove_bands()
        self._lay_out()
        self.changed.emit()

    def state(self) -> dict:
        """What is remembered: curves as [expression, number], the form, bands."""
        return {"curves": [[curve.text, curve.component] for curve in self.curves], "form": self.form, "bands": [list(map(float, band.getRegion())) for band in self.bands]}

    def take_state(self, state: dict) -> None:
        """The form and the bands of a state; what is damaged is passed over."""
        for band in state.get("bands", ()):
            if isinstance(band, list) and len(band) == 2 and all(isinstance(value, int | float) for value in band):
                self.add_band(*band)
        if state.get("form") in FORMS:
            self.set_form(state["form"])

    def set_unit(self, text: str, unit: str) -> None:
        """The unit of an expression, which another Model may give in another one."""
        if any(curve.text == text and curve.unit != unit for curve in self.curves):
            for curve in self.curves:
                if curve.text == text:
                    curve.unit = unit
            self._lay_out()

    def set_form(self, form: str) -> None:
        """Show the curves in one of FORMS."""
        self.form = form
        self._lay_out()
        self.kept.emit()

    def _lay_out(self) -> None:
        """Put all items where they belong."""
        for curve in self.curves:
            curve.stand_in(None)
        for shape in self._shapes:
            self._box.removeItem(shape)
        self.units.clear()
        over_time = self.form == TIME
        self._box.setMouseEnabled(x=True, y=not over_time)
        self.axis.set_times(over_time)
        self.time_cursor.setVisible(over_time)
        self.stretch.setVisible(over_time and self.figures.isVisibleTo(self))
        if over_time:
            for curve in self.curves:
                curve.stand_in(self.units.box(curve.unit))
            self._box.enableAutoRange(axis=pg.ViewBox.YAxis)
        else:
            self._box.enableAutoRange()
        self._shapes = []
        self.draw()

    # ------------------------------------------------------------------ drawing

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Another present entry."""
        self._present = snapshot.history_gone + snapshot.history_index
        self.axis.show_snapshot(snapshot)
        if not self.time_cursor.moving:
            self.time_cursor.setValue(self._present)

    def show_range(self, first: float, last: float) -> None:
        """Show these entries."""
        if self.form == TIME:
            self._ranging = True        # they are drawn next
            self._box.setXRange(first, max(last, first + 1), padding=0)
            self._ranging = False

    @property
    def shown(self) -> tuple[float, float]:
        """First and last entry that spectrum, histogram and figures are made of: the stretch where one is chosen, else all that is shown."""
        if self.figures.isVisibleTo(self):
            return self.stretch.getRegion()
        return tuple(self._box.viewRange()[0]) if self.form == TIME else (-np.inf, np.inf)

    def choose_stretch(self, on: bool) -> None:
        """Figures of the curves over a stretch that the user moves; at first the middle half of what is shown."""
        first, last = self._box.viewRange()[0]
        self.follows_region = False
        self.figures.setVisible(on)
        self.stretch.setVisible(on and self.form == TIME)
        if on:
            self.stretch.setRegion((first + 0.25 * (last - first), first + 0.75 * (last - first)))
        self.draw()

    def use_region(self, first: float, last: float) -> None:
        """Figures over these entries, the region of the timeline, until the user moves the stretch."""
        if not self.figures.isVisibleTo(self):
            self.choose_stretch(True)
        self._following = self.follows_region = True
        self.stretch.setRegion((first, last))
        self._following = False
        self.draw()

    def _stretch_moved(self) -> None:
        self.follows_region &= self._following
        self.draw()

    def add_band(self, low: float | None = None, high: float | None = None) -> None:
        """A band of values that the user moves; at first the middle half of the axis."""
        bottom, top = self._box.viewRange()[1]
        low, high = (bottom + 0.25 * (top - bottom), bottom + 0.75 * (top - bottom)) if low is None or high is None else (low, high)
        colour = QColor(COLOURS[2])
        colour.setAlpha(BAND)
        band = pg.LinearRegionItem((low, high), orientation="horizontal", brush=colour)
        band.sigRegionChanged.connect(lambda _region: self._tell())
        band.sigRegionChangeFinished.connect(lambda _region: self.kept.emit())
        self.bands.append(band)
        self.plot.addItem(band, ignoreBounds=True)
        self._tell()
        self.kept.emit()

    def remove_bands(self) -> None:
        """No reference bands any more."""
        for band in self.bands:
            self.plot.removeItem(band)
        self.bands = []
        self._tell()
        self.kept.emit()

    def draw(self) -> None:
        """Draw the values that the series have."""
        if self.form == TIME:
            self._draw_curves()
        else:
            self._draw_shapes({SPECTRUM: self._spectrum, PHASE: self._phase, HISTOGRAM: self._histogram}[self.form])
        if self.figures.isVisibleTo(self):
            self.figures.show_curves(self.curves, *self.shown)
        self._tell()
        self.plot.scene().prepareForPaint()     # ranges follow from the values now: pyqtgraph would find them while it paints, and paint again

    def _draw_curves(self) -> None:
        (first, last), pixels = self._box.viewRange()[0], max(1, round(self._box.width()))
        for curve in self.curves:
            curve.draw(first, last, pixels)
            curve.draw_beside(self.beside(curve) if self.beside is not None else (), first, last, pixels)

    def _range_changed(self) -> None:
        """The user has moved the view, or it has another width."""
        if self.form == TIME and not self._ranging:
            self._draw_curves()

    def _draw_shapes(self, make: Callable[[], list[tuple[np.ndarray, np.ndarray, Curve]]]) -> None:
        found = make()
        while len(self._shapes) < len(found):
            self._shapes.append(pg.PlotDataItem(connect="finite"))
            self._box.addItem(self._shapes[-1])
        while len(self._shapes) > len(found):
            self._box.removeItem(self._shapes.pop())
        for item, (x, y, curve) in zip(self._shapes, found, strict=True):
            item.setPen(pg.mkPen(curve.colour, width=WIDTH))
            item.setData(x, y, stepMode="center" if self.form == HISTOGRAM else None)

    def _within(self, curve: Curve) -> tuple[np.ndarray, np.ndarray]:
        """Times and values of a curve in the stretch."""
        first, last = self.shown
        inside = (curve.series.entries >= first) & (curve.series.entries <= last)
        return curve.series.time[inside], curve.values()[inside]

    def _spectrum(self):
        return [(*spectrum(*self._within(curve)), curve) for curve in self.curves]

    def _histogram(self):
        return [(*histogram(self._within(curve)[1]), curve) for curve in self.curves]

    def _phase(self):
        """Each further curve against the first one."""
        if not self.curves:
            return []
        first = self.curves[0]
        x = dict(zip(first.series.entries.tolist(), first.values().tolist(), strict=True))
        return [(np.array([x.get(entry, np.nan) for entry in curve.series.entries.tolist()]), curve.values(), curve) for curve in self.curves[1:]]

    def _tell(self) -> None:
        """Names and present values."""
        parts = []
        for curve in self.curves:
            value = curve.at(self._present)
            said = f" {value:.4g}" if np.isfinite(value) and self.form == TIME else ""
            parts.append(f'<span style="color:{curve.colour}">\u25cf</span>\u00a0{escape(curve.name)}<b>{said}</b>{f" {escape(curve.unit)}" if curve.unit else ""}')
        names = {one.name: one.colour for curve in self.curves for one in (self.beside(curve) if self.beside is not None and self.form == TIME else ())}
        parts += [f'<span style="color:{colour}">\u254c</span>\u00a0{escape(name)}' for name, colour in names.items()]
        for band in self.bands:
            low, high = band.getRegion()
            parts.append(f"band {low:.4g} to {high:.4g}")
        if self.form != TIME:
            parts.insert(0, f"<b>{escape(self._form_text())}</b>")
        self.legend.setText(" &nbsp; ".join(parts) or "Drag quantities here, or enter an expression above.")

    def _form_text(self) -> str:
        if self.form == PHASE:
            return f"against {self.curves[0].name}" if len(self.curves) > 1 else "One against the other: add a second curve"
        return "Amplitude by frequency [Hz]" if self.form == SPECTRUM else "Share of the time by value"

    # ------------------------------------------------------------------ Qt

    def curve_menu(self, parent: QMenu) -> None:
        """Entries that remove a curve each."""
        for curve in self.curves:
            parent.addAction(curve.name, lambda one=curve: self.remove(one))

    def _suit(self) -> None:
        """Sizes and colours that follow from the texts' and the theme's."""
        font = QFont(self.font())
        font.setPointSizeF(max(6.0, SMALLER * font.pointSizeF()))
        palette = self.palette()
        self.plot.setBackground(palette.base().color())
        self.units.suit(font, palette.text().color())
        self.time_cursor.setPen(pg.mkPen(palette.highlight().color(), width=1.5))
        self.legend.setFont(font)

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() in (event.Type.FontChange, event.Type.PaletteChange) and hasattr(self, "legend"):
            self._suit()

    def dragEnterEvent(self, event) -> None:
        if texts_of(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event) -> None:
        self.wanted.emit(texts_of(event.mimeData()))
        event.acceptProposedAction()


def curves_of(state) -> list[tuple[str, list[int]]]:
    """(expression, its numbers) of a chart's state, in the order of the curves; what is damaged is passed over."""
    found: dict[str, list[int]] = {}
    for one in state.get("curves", ()) if isinstance(state, dict) else ():
        if isinstance(one, list) and len(one) == 2 and isinstance(one[0], str) and isinstance(one[1], int):
            found.setdefault(one[0], []).append(one[1])
    return list(found.items())
