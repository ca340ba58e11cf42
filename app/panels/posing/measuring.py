"""The measurements of a window: made by clicks in the view, drawn over it, listed in the panel Measure.

    tool --take(thing)--> Measuring --NearestWorker--> thread: nearest points --> drawn, listed
    picture that is seen --paint--> lines and figures of its very moment
"""
from __future__ import annotations

from collections.abc import Iterable

from PyQt6.QtCore import QObject, pyqtSignal
from PyQt6.QtGui import QPainter

from app.context import AppContext
from app.panels.posing.nearest_worker import NearestWorker
from app.posing.measure_painter import paint_measurements
from app.posing.measurements import GEOMS, MOST_POINTS, Measurement, Picked
from app.viewport.hover import Thing
from physics.model.elements import element, find_again
from physics.model.model import Model
from render.scene.camera import View


class Measuring(QObject):
    """items: all measurements; current: the one that clicks add to, None: the next click begins another. between: what nearest points are looked for on.

    Signals: changed() when there are others; answered() when nearest points are elsewhere; plot_wanted(text) an expression is to be drawn over time."""

    changed = pyqtSignal()
    answered = pyqtSignal()
    plot_wanted = pyqtSignal(str)

    def __init__(self, context: AppContext, parent: QObject | None = None):
        super().__init__(parent)
        self._context, self._model = context, context.model
        self.items: list[Measurement] = []
        self.current: Measurement | None = None
        self.between = GEOMS
        self._worker = NearestWorker(context, self._pairs, self)
        self._worker.found.connect(self._take_answers)
        context.model_changed.connect(self._model_changed)
        context.snapshot_ready.connect(lambda _snapshot: self._ask())

    # ------------------------------------------------------------------ points

    def take(self, thing: Thing | None) -> bool:
        """A click in the view; whether it was on something."""
        m = self._context.model
        if thing is None or not len(thing.point) or m is None:
            return False
        body = max(0, thing.bodyid)
        self.add(Picked(element(m, "body", body), tuple(map(float, thing.local)), thing.element))
        return True

    def add(self, point: Picked) -> None:
        """The next point: of the present measurement, or of another where it is complete."""
        if self.current is None or len(self.current.points) >= MOST_POINTS:
            self.current = Measurement()
            self.items.append(self.current)
        self.current.points.append(point)
        self._ask(at_once=True)
        self.changed.emit()

    def finish(self) -> bool:
        """The next click begins another measurement; one of a single point is dropped. Whether one was under way."""
        current, self.current = self.current, None
        if current is not None and len(current.points) < 2:
            self.items.remove(current)
        if current is not None:
            self.changed.emit()
        return current is not None

    def drop(self) -> bool:
        """Take the present measurement away; False where none is under way."""
        if self.current is None:
            return False
        self.remove([self.current])
        return True

    def remove(self, items: Iterable[Measurement]) -> None:
        """Without these."""
        gone = list(items)
        self.items = [item for item in self.items if item not in gone]
        self.current = self.current if self.current in self.items else None
        self.changed.emit()

    def choose_between(self, between: str) -> None:
        """Look for nearest points on geoms, bodies or subtrees from now on."""
        self.between = between
        for item in self.items:
            item.nearest = None
        self._ask(at_once=True)
        self.changed.emit()

    def _model_changed(self, m) -> None:
        """Points stay on bodies that the next Model has too."""
        before, self._model = self._model, m
        fresh = self._context.newly_opened
        self.items = [] if fresh else [item for item in self.items if _found_again(before, m, item)]
        self.current = self.current if self.current in self.items else None
        self.changed.emit()
        self._ask(at_once=True)

    # ------------------------------------------------------------------ nearest points

    def _pairs(self) -> list[tuple]:
        """(Measurement, pair of things) of those that have two."""
        m = self._model
        return [] if m is None else [(item, pair) for item in self.items if (pair := item.pair(m, self.between)) is not None]

    def _ask(self, at_once: bool = False) -> None:
        if self.items:
            self._worker.ask(at_once)

    def _take_answers(self, found: list) -> None:
        for item, pair, nearest in found:
            if item in self.items and item.pair(self._model, self.between) == pair:
                item.nearest = nearest
        self.answered.emit()

    def paint(self, painter: QPainter, width: float, height: float, snapshot, view: View) -> None:
        """Draw them over the picture, as they are at the moment that is seen [logical pixels]."""
        if self.items and snapshot.model is self._model:
            paint_measurements(painter, (width, height), self.items, snapshot, view)


def _found_again(before: Model | None, m: Model, item: Measurement) -> bool:
    """Whether all its points are on bodies of the next Model; they are those of it then."""
    points = []
    for point in item.points:
        body = find_again(before, m, point.body)
        if body is None:
            return False
        thing = find_again(before, m, point.thing) if point.thing is not None else None
        points.append(Picked(body, point.local, thing))
    item.points, item.nearest = points, None
    return True
