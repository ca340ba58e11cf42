"""Forces over time, at every step, on the time axis of the timeline: between two geoms, or of the constraint rows of an element."""
from __future__ import annotations

import time
from math import prod

from PyQt6.QtCore import QTimer
from PyQt6.QtWidgets import QVBoxLayout, QWidget

from app.context import AppContext
from app.panels.elements.quantities import element_text
from app.panels.in_turn import in_turn_of
from app.panels.live_panel import Sight, in_front
from app.panels.plots.buffered_plot import pause_ms
from app.panels.plots.chart import Chart
from app.panels.plots.past import PastValues
from physics.model.elements import Element, element
from physics.model.model import Model
from physics.quantities.quantity import compile_quantity
from physics.quantities.syntax import ExpressionError
from physics.recording.series import Series
from physics.runtime import commands
from physics.runtime.snapshot import Snapshot

SECONDS, LEAST = 5.0, 0.5       # of the run that are shown, less where there is less [s]
DRAW_MS, SHARE = 100, 0.1
LINES = 11               # of text, that it is high


class ForceStrip(QWidget):
    """show_quantities() says which; while the strip is seen they are taken at every step."""

    def __init__(self, context: AppContext):
        super().__init__()
        self._context = context
        self.chart = Chart(in_turn_of(context))
        self.chart.scrubbed.connect(self._scrub)
        self.series: dict[str, Series] = {}
        self.texts: tuple[str, ...] = ()        # the expressions that are drawn
        self._shapes: list[tuple] = []          # and what they are in the Model: (text, shape, unit)
        self._past = PastValues(context)
        self._past.changed.connect(self._draw_anew)
        self._newest: Snapshot | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.timeout.connect(self._draw)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.chart)
        Sight(self).changed.connect(self._seen_changed)
        self._suit()

    def show_quantities(self, model: Model, texts: tuple[str, ...]) -> None:
        """A curve for each number of these expressions of the Model; (): none."""
        wholes = [compile_quantity(model, text) for text in texts]
        shapes = [(text, whole.shape, whole.unit) for text, whole in zip(texts, wholes, strict=True)]
        if shapes != self._shapes:      # the same text may be another number of values in another Model
            self.texts, self._shapes = texts, shapes
            self.chart.clear()
            box = self.chart.plot.getViewBox()
            box.setYRange(0.0, 1.0, padding=0.0)        # curves that are zero all the time keep the range that there was
            box.enableAutoRange(axis=box.YAxis)
            self.series = {text: Series(text) for text in texts}
            for (text, series), whole in zip(self.series.items(), wholes, strict=True):
                for k in range(prod(whole.shape)):
                    unit = whole.unit if whole.unit or not whole.shape else compile_quantity(model, f"{text}[{k}]").unit
                    self.chart.add(series, [k], unit, whole.shape)
            self._ask()
            self._draw_anew()

    def _ask(self) -> None:
        self._context.traced.trace(self, self.texts if in_front(self) else ())

    def _seen_changed(self, seen: bool) -> None:
        self._ask()
        if seen:
            self._draw_anew()

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
        if snapshot is None or snapshot is not self._context.snapshot or snapshot.model is not self._context.model or not in_front(self):
            return
        begun = time.thread_time()
        for series in self.series.values():
            series.know(snapshot.generation, snapshot.model)
            series.update(snapshot.trace)
        self._past.fill(self.series, snapshot)
        self.chart.show_snapshot(snapshot)
        oldest = snapshot.history_gone
        entries = max(self.chart.axis.entries_of(LEAST), min(self.chart.axis.entries_of(SECONDS), snapshot.history_length))
        last = max(oldest + snapshot.history_index, oldest + entries)
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


def row_texts(model: Model, what: Element) -> tuple[str, ...]:
    """The expressions of the constraint forces of an equality, joint or tendon: of its limit and its dry friction where it has them."""
    of = element_text(what)
    if what.kind == "equality":
        return _known(model, f"{of}.force")
    if what.kind == "joint":
        limited, dry = model.jnt_limited[what.id], (model.dof_frictionloss[model.dof_jntid == what.id] > 0.0).any()
    else:
        limited, dry = model.tendon_limited[what.id], model.tendon_frictionloss[what.id] > 0.0
    return tuple(f"{word}({of}).force" for word, there in (("limit", limited), ("frictionloss", dry)) if there)


def _known(model: Model, text: str) -> tuple[str, ...]:
    """The expression where the Model has it: the rows of a flex have no names."""
    try:
        compile_quantity(model, text)
    except ExpressionError:
        return ()
    return (text,)
