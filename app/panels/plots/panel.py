"""Plots: charts of quantities at every step, on the time axis of the timeline.

The numbers are taken inside the compiled loop (Snapshot.trace) while the panel is shown; when it is hidden nothing is taken and nothing costs time.
"""
from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from math import prod
from pathlib import Path
from types import MappingProxyType

from PyQt6.QtCore import QPoint, QStringListModel, Qt, QTimer
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtWidgets import QComboBox, QCompleter, QHBoxLayout, QLabel, QLineEdit, QMenu, QPushButton, QSplitter, QToolButton, QVBoxLayout

from app.context import AppContext
from app.controllers.companions import CompanionsController
from app.dialogs.files import ask_for_new_file, with_suffix
from app.history_scale import HistoryScale
from app.model_memory import path_of, remember, remembered
from app.panels.live_panel import LivePanel
from app.panels.plots.buffered_plot import pause_ms
from app.panels.plots.chart import FORMS, MOST_COMPONENTS, Chart, curves_of
from app.panels.plots.companion_curves import BesideCurve, CompanionCurves
from app.panels.plots.curve import Curve
from app.panels.plots.past import PastValues
from app.panels.plots.export import python_lines, table, write_csv, write_npz, write_svg
from app.settings import Settings
from physics.quantities.field_rows import find_field, names_for, public_fields
from physics.quantities.quantity import Quantity, compile_quantity
from physics.quantities.syntax import ExpressionError
from physics.runtime import commands
from physics.recording.series import Series
from physics.runtime.snapshot import Snapshot
from physics.recording.trace_columns import traceable

DRAW_MS = 100           # between two drawings
SHARE = 0.15            # of the window's time that they may take; then there are fewer
SPANS = (("last 2 s", 2.0), ("last 5 s", 5.0), ("last 20 s", 20.0), ("last 60 s", 60.0), ("all", 0.0), ("as moved", -1.0))
MOST_CHARTS = 8
FILES = MappingProxyType({"csv": ("CSV (*.csv)", write_csv), "npz": ("NumPy (*.npz)", write_npz)})


class PlotsPanel(LivePanel):
    """A field for expressions, a chooser of the stretch of time, and charts one above the other."""

    scrolls = False

    def __init__(self, context: AppContext, settings: Settings, companions: CompanionsController):
        super().__init__(context)
        self._settings = settings
        self._beside = CompanionCurves(companions)
        self._past = PastValues(context)
        self._past.changed.connect(self._draw_anew)
        self._recalling = False
        self.charts: list[Chart] = []
        self.series: dict[str, Series] = {}
        self._newest: Snapshot | None = None
        self._scale: tuple[HistoryScale, int] | None = None     # of the history that is drawn, and the entries that it has lost
        self._pause = QTimer(self)      # between two drawings
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._draw)
        self.edit = QLineEdit()
        self.edit.setPlaceholderText('qvel["knee"], contact("foot", "floor").force')
        self.edit.setClearButtonEnabled(True)
        self._words = QStringListModel(public_fields())
        completer = QCompleter(self._words, self)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.edit.setCompleter(completer)
        self.edit.textEdited.connect(self._offer)
        self.edit.returnPressed.connect(self._enter)
        self.span = QComboBox()
        self.span.addItems([text for text, _ in SPANS])
        self.span.setCurrentIndex(1)
        self.span.setToolTip("How much of the run is shown; dragging a chart shows another part")
        self.span.activated.connect(lambda _index: self._draw_anew())
        more = QPushButton("New chart")
        more.clicked.connect(lambda _checked=False: self.new_chart())
        self.menu_button = QToolButton()
        self.menu_button.setText("\u22ee")
        self.menu_button.setToolTip("What can be done with the lowest chart; the right button on a chart shows its own menu")
        self.menu_button.clicked.connect(lambda _checked=False: self._open_menu(self.charts[-1], self.menu_button.mapToGlobal(QPoint(0, self.menu_button.height()))))
        self.note = QLabel("")
        self.note.setWordWrap(True)
        self.note.hide()
        line = QHBoxLayout()
        for widget, stretch in ((self.edit, 1), (self.span, 0), (more, 0), (self.menu_button, 0)):
            line.addWidget(widget, stretch)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.setSpacing(2)
        column.addLayout(line)
        column.addWidget(self.note)
        column.addWidget(self.splitter, 1)
        self.new_chart()
        context.model_changed.connect(self._model_changed)
        context.region.changed.append(self._region_changed)
        if context.model is not None:
            self._recall()

    # ------------------------------------------------------------------ charts

    def new_chart(self) -> Chart:
        """Another chart, below the others; the lowest one where there are MOST_CHARTS."""
        if len(self.charts) >= MOST_CHARTS:
            self._say(f"There are {MOST_CHARTS} charts; that is as many as one panel has.")
            return self.charts[-1]
        chart = Chart(self._in_turn)
        chart.beside = self._beside_curve
        chart.wanted.connect(lambda texts: [self.add(text, chart) for text in texts])
        chart.scrubbed.connect(self._scrub)
        chart.moved.connect(lambda: self._moved(chart))
        chart.changed.connect(self._ask)
        chart.kept.connect(self._remember)
        chart.menu_wanted.connect(lambda at: self._open_menu(chart, at))
        self.charts.append(chart)
        self.splitter.addWidget(chart)
        self._draw_anew()
        return chart

    def remove_chart(self, chart: Chart) -> None:
        """Without this one; an empty one stays."""
        self.charts.remove(chart)
        chart.setParent(None)
        chart.deleteLater()
        self._ask()
        if not self.charts:
            self.new_chart()

    def show_charts(self, charts: Sequence[tuple[str, ...]], before: Sequence[tuple[str, ...]] = ()) -> None:
        """Have a chart of each of these groups of expressions; of those that were asked for before and are not any more there is none."""
        for texts in before:
            chart = self._chart_of(texts)
            if texts not in charts and chart is not None:
                self.remove_chart(chart)
        for texts in charts:
            if self._chart_of(texts) is None:
                chart = next((chart for chart in self.charts if not chart.curves), None) or self.new_chart()
                for text in texts:
                    self.add(text, chart)

    def _chart_of(self, texts: tuple[str, ...]) -> Chart | None:
        return next((chart for chart in self.charts if set(chart.texts) == {text.strip() for text in texts}), None)

    def _enter(self) -> None:
        if self.add(self.edit.text()):
            self.edit.clear()

    def add(self, text: str, chart: Chart | None = None, components: Sequence[int] = ()) -> bool:
        """Curves for an expression, or for these numbers of it, in the lowest chart where none is given; False, and a note, where it is none."""
        model = self._context.model
        if model is None:
            return False
        try:
            quantity = compile_quantity(model, text)
        except ExpressionError as why:
            self._say(f"{text.strip()}: {why}")
            return False
        if not all(map(traceable, quantity.leaves)):
            self._say(f"{quantity.text}: the number of rows changes from step to step; choose a row, such as contact_dist[0]")
            return False
        if not prod(quantity.shape):
            self._say(f"{quantity.text} has no numbers in this model")
            return False
        series = self.series.setdefault(quantity.text, Series(quantity.text))
        self._know(series)
        count = prod(quantity.shape)
        wanted = [k for k in components if 0 <= k < count] or range(min(count, MOST_COMPONENTS))
        (chart or self.charts[-1]).add(series, wanted, quantity.unit, quantity.shape)
        self._say(f"{quantity.text} has {count} numbers; the first {MOST_COMPONENTS} are drawn" if count > MOST_COMPONENTS and not components else "")
        self._draw_anew()
        return True

    def _say(self, text: str) -> None:
        self.note.setText(text)
        self.note.setVisible(bool(text))

    def _offer(self, text: str) -> None:
        """Complete names of fields, and in brackets names of elements."""
        name, bracket, _rest = text.partition("[")
        words = [f'{name}["{element}"]' for element in names_for(self._context.model, name.strip())] if bracket and find_field(name.strip()) is not None else public_fields()
        if words != self._words.stringList():
            self._words.setStringList(words)

    # ------------------------------------------------------------------ what is taken

    @property
    def texts(self) -> tuple[str, ...]:
        """The expressions of all charts, once each."""
        return tuple(dict.fromkeys(text for chart in self.charts for text in chart.texts))

    def _ask(self) -> None:
        texts = self.texts
        self.series = {text: series for text, series in self.series.items() if text in texts}
        self._context.traced.trace(self, texts if self.seen else ())
        self._remember()

    def _remember(self) -> None:
        if not self._recalling and self._context.model is not None:
            charts = [chart.state() for chart in self.charts]
            remember(self._settings, path_of(self._context.model), "plots", charts if any(chart["curves"] for chart in charts) else None)

    def _recall(self) -> None:
        """The charts that are remembered of the present model, where any are."""
        kept = remembered(self._settings, path_of(self._context.model), "plots")
        if not isinstance(kept, list) or not kept:
            return
        self._recalling = True
        try:
            for chart in self.charts[1:]:
                self.remove_chart(chart)
            self.charts[0].clear()
            for number, state in enumerate(kept[:MOST_CHARTS]):
                chart = self.charts[0] if number == 0 else self.new_chart()
                for text, components in curves_of(state):
                    self.add(text, chart, components)
                if isinstance(state, dict):
                    chart.take_state(state)
        finally:
            self._recalling = False
        self._ask()

    def seen_changed(self, seen: bool) -> None:
        self._ask()
        super().seen_changed(seen)

    def _know(self, series: Series) -> Quantity | None:
        """Let a series know the present Model."""
        snapshot = self._context.snapshot
        if snapshot is None or snapshot.model is not self._context.model:
            return None
        series.know(snapshot.generation, snapshot.model)
        return series.quantity(snapshot.generation)

    def _model_changed(self, _model) -> None:
        if self._context.newly_opened:
            self._recall()
            lost = [text for text in self.texts if not self._is_there(text)]
            for chart in self.charts:
                for curve in [curve for curve in chart.curves if curve.text in lost]:
                    chart.remove(curve)
            self._say("Not in this model: " + ", ".join(lost) if lost else "")

    def _is_there(self, text: str) -> bool:
        try:
            return bool(compile_quantity(self._context.model, text))
        except ExpressionError:
            return False

    # ------------------------------------------------------------------ drawing

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Draw what is new, at once if the last drawing was long enough ago."""
        self._newest = snapshot
        if not self._pause.isActive():
            self._draw()

    def _draw_anew(self) -> None:
        self._pause.stop()
        self.catch_up()

    def _draw(self) -> None:
        snapshot, self._newest = self._newest, None
        if snapshot is None or snapshot is not self._context.snapshot:
            return
        begun = time.thread_time()
        for series in self.series.values():
            quantity = self._know(series)
            series.update(snapshot.trace)
            if quantity is not None:
                for chart in self.charts:
                    chart.set_unit(series.text, quantity.unit)
        self._past.fill(self.series, snapshot)
        self._beside.update(self.texts)
        self._scale = HistoryScale.of(snapshot), snapshot.history_gone
        for chart in self.charts:
            chart.show_snapshot(snapshot)
            first, last = self._range(snapshot, chart)
            if last > first:
                chart.show_range(first, last)
            chart.draw()
        if len(self.charts) > 1:
            widths = [(chart.units.left_width, chart.units.right_width) for chart in self.charts]
            for chart in self.charts:
                chart.units.leave_room(max(left for left, _ in widths), max(right for _, right in widths))
        self._pause.start(pause_ms(DRAW_MS, SHARE, time.thread_time() - begun, [chart.plot for chart in self.charts]))

    def _beside_curve(self, curve: Curve) -> list[BesideCurve]:
        """What companion runs have of a curve."""
        return self._beside.of(curve.text, curve.component, *self._scale) if self._scale is not None else []

    def _range(self, snapshot: Snapshot, chart: Chart) -> tuple[float, float]:
        """Entries to show; (0, 0): those that are shown."""
        seconds = SPANS[self.span.currentIndex()][1]
        newest, oldest = snapshot.history_gone + snapshot.history_length - 1, snapshot.history_gone
        if seconds < 0:
            return 0.0, 0.0
        if seconds == 0:
            return oldest, newest
        last = max(snapshot.history_gone + snapshot.history_index, oldest + chart.axis.entries_of(seconds))
        return last - chart.axis.entries_of(seconds), last

    def _moved(self, chart: Chart) -> None:
        """The user has moved one: the others over time follow, and none runs on."""
        self.span.setCurrentIndex(len(SPANS) - 1)
        first, last = chart.plot.getViewBox().viewRange()[0]
        for other in self.charts:
            if other is not chart and chart.form == FORMS[0]:
                other.show_range(first, last)

    def _scrub(self, number: int) -> None:
        snapshot = self._context.snapshot
        if snapshot is not None:
            index = min(max(number - snapshot.history_gone, 0), snapshot.history_length - 1)
            self._context.runner.latest("scrub", commands.Scrub(index))

    def _use_region(self, chart: Chart) -> None:
        """The stretch of a chart is the region of the timeline, where there is one."""
        region = self._context.region.region
        if region is not None:
            chart.use_region(region.first, region.last)

    def _toggle_region(self, chart: Chart) -> None:
        if chart.follows_region:
            chart.follows_region = False
        else:
            self._use_region(chart)

    def _region_changed(self) -> None:
        for chart in self.charts:
            if chart.follows_region:
                self._use_region(chart)

    # ------------------------------------------------------------------ menu

    def _open_menu(self, chart: Chart, at: QPoint) -> None:
        menu = self.menu_for(chart)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def menu_for(self, chart: Chart) -> QMenu:
        """All that can be done with a chart."""
        menu = QMenu(self)
        for form in FORMS:
            action = menu.addAction(form, partial(chart.set_form, form))
            action.setCheckable(True)
            action.setChecked(chart.form == form)
        menu.addSeparator()
        figures = menu.addAction("Figures of a stretch", lambda: chart.choose_stretch(not chart.figures.isVisibleTo(chart)))
        figures.setCheckable(True)
        figures.setChecked(chart.figures.isVisibleTo(chart))
        region = menu.addAction("Use timeline region", partial(self._toggle_region, chart))
        region.setCheckable(True)
        region.setChecked(chart.follows_region)
        region.setEnabled(self._context.region.region is not None)
        menu.addAction("Add a reference band", lambda: chart.add_band())
        if chart.bands:
            menu.addAction("Remove the reference bands", chart.remove_bands)
        menu.addSeparator()
        if chart.curves:
            chart.curve_menu(menu.addMenu("Remove a curve"))
            export = menu.addMenu("Export")
            for suffix, (name, _) in FILES.items():
                export.addAction(f"{name.partition(' (')[0]}...", partial(self._ask_and_export, chart, suffix))
            export.addAction("SVG...", partial(self._ask_and_export, chart, "svg"))
            export.addAction("Copy the Python that makes the arrays", lambda: QGuiApplication.clipboard().setText(self.python_of(chart)))
        menu.addAction("Remove the chart", lambda: self.remove_chart(chart))
        return menu

    def _ask_and_export(self, chart: Chart, suffix: str) -> None:
        filters = "SVG (*.svg)" if suffix == "svg" else FILES[suffix][0]
        path = ask_for_new_file(self, "Export the curves", Path.cwd() / f"curves.{suffix}", filters, lambda path, _filter: with_suffix(path, f".{suffix}"))
        if path is not None:
            self.export(chart, path)

    def export(self, chart: Chart, path: Path) -> None:
        """Write a chart's curves to a .csv, .npz or .svg file; what goes wrong is told."""
        try:
            if path.suffix == ".svg":
                write_svg(path, chart.plot)
            else:
                FILES[path.suffix[1:]][1](path, *table([(curve.name, curve.series, curve.values()) for curve in chart.curves]))
        except OSError as why:
            self._say(f"{path.name} could not be written: {why.strerror or why}")
            return
        self._context.log("info", f"Curves written to {path}")

    def python_of(self, chart: Chart) -> str:
        """Lines of Python that make the arrays of a chart."""
        names = [curve.name for curve in chart.curves]
        snapshot = self._context.snapshot
        return python_lines(str(self._context.model.source[0]) if self._context.model.source else "", names, snapshot.history_length - 1)

