"""Normal and friction force between two geoms over time, at every step, on the time axis of the timeline."""
from __future__ import annotations

import time

from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QVBoxLayout, QWidget

from app.context import AppContext
from app.panels.elements.quantities import element_text
from app.panels.in_turn import in_turn_of
from app.panels.plots.buffered_plot import pause_ms
from app.panels.plots.chart import Chart
from app.panels.plots.past import PastValues
from physics.model.elements import element
from physics.model.model import Model
from physics.recording.series import Series
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot

SECONDS = 5.0           # of the run that are shown
DRAW_MS, SHARE = 100, 0.1
LINES = 11               # of text, that it is high


class ForceStrip(QWidget):
    """show_pair() says which two; while the strip is seen the forces are taken at every step."""

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self.chart = Chart(in_turn_of(context))
        self.chart.scrubbed.connect(self._scrub)
        self.series: dict[str, Series] = {}
        self._pair: tuple[str, ...] = ()
        self._past = PastValues(context)
        self._past.changed.connect(self._draw_anew)
        self._newest: Snapshot | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._draw)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.chart)
        self._suit()

    @property
    def texts(self) -> tuple[str, ...]:
        """The expressions that are drawn."""
        return self._pair

    def show_pair(self, model: Model, geoms: tuple[int, int] | None) -> None:
        """The force between these two, None: nothing."""
        texts = force_texts(model, geoms) if geoms is not None else ()
        if texts != self._pair:
            self._pair = texts
            self.chart.clear()
            self.series = {text: Series(text) for text in texts}
            for series in self.series.values():
                self.chart.add(series, [0], "N")
            self._ask()
            self._draw_anew()

    def _ask(self) -> None:
        self._context.traced.trace(self, self._pair if self.isVisible() else ())

    def showEvent(self, event) -> None:
        self._ask()
        super().showEvent(event)
        self._draw_anew()

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        self._ask()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Draw what is new, at once if the last drawing was long enough ago."""
        self._newest = snapshot
        if not self._pause.isActive():
            self._draw()

    def _draw_anew(self) -> None:
        self._pause.stop()
        if self._context.snapshot is not None:
            self.show_snapshot(self._context.snapshot)

    def _draw(self) -> None:
        snapshot, self._newest = self._newest, None
        if snapshot is None or snapshot is not self._context.snapshot or snapshot.model is not self._context.model or not self.isVisible():
            return
        begun = time.thread_time()
        for series in self.series.values():
            series.know(snapshot.generation, snapshot.model)
            series.update(snapshot.trace)
        self._past.fill(self.series, snapshot)
        self.chart.show_snapshot(snapshot)
        oldest, entries = snapshot.history_gone, self.chart.axis.entries_of(SECONDS)
        last = max(snapshot.history_gone + snapshot.history_index, oldest + entries)
        self.chart.show_range(last - entries, last)
        self.chart.draw()
        self._pause.start(pause_ms(DRAW_MS, SHARE, time.thread_time() - begun, [self.chart.plot]))

    def _scrub(self, number: int) -> None:
        snapshot = self._context.snapshot
        if snapshot is not None:
            self._context.runner.latest("scrub", commands.Scrub(min(max(number - snapshot.history_gone, 0), snapshot.history_length - 1)))

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if event.type() == event.Type.FontChange and hasattr(self, "chart"):
            self._suit()

    def _suit(self) -> None:
        self.setFixedHeight(LINES * self.fontMetrics().height())


def force_texts(model: Model, geoms: tuple[int, int]) -> tuple[str, str]:
    """The expressions of normal and friction force between two geoms."""
    pair = ", ".join(element_text(element(model, "geom", geom)) for geom in geoms)
    return f"contact({pair}).normal", f"contact({pair}).friction"
