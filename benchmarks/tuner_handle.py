"""How long a handle of the Tuner takes, while the simulation runs: from a motion of the mouse to the end of the paint of the curve with it, and to the end of the first paint of the
view whose picture was drawn from a state with the values. Aims: 16 ms, and one frame and 20 ms."""
from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from benchmarks.latency import PATIENCE, SETTLE, prepared, seconds_until_seen
from benchmarks.real_window import RealWindow

MOTIONS = 60
PAUSE = (0.05, 0.1)     # s between two motions: not in step with the pictures
REACH = 15              # logical pixels up and down, in the end; at first one
BELOW = 35              # logical pixels that the handle is dragged to and fro about, under where it was


def measure(model: Path, folder: Path) -> list[dict]:
    """The rows' figures [ms]. Raises RuntimeError where nothing that touches can be written."""
    window = RealWindow()
    window.open(prepared(model, folder))
    window.run(SETTLE)
    panel = _tuner(window)
    curve = _Painted(panel.plot)
    where = _press(panel)
    kind = panel.writing.place.items[0][0]
    pictures = [_motion(window, panel, curve, where, k, f"{kind}_solimp") for k in range(-2, MOTIONS)][2:]
    curves = curve.times[-len(pictures):]
    _event(panel, where, "release")
    window.run(2.0)
    rows = [{"name": f"tuner handle, {name}", "median_ms": 1e3 * float(np.median(times)), "p95_ms": 1e3 * float(np.percentile(times, 95)), "max_ms": 1e3 * max(times),
             "frame_ms": window.viewport.interval} for name, times in (("curve", curves), ("picture", pictures))]
    window.close()
    return rows


def _tuner(window: RealWindow):
    """The panel, about the contact that presses hardest, to be written where a drag is followed."""
    from app.panels.tuner.choice import pressing
    from app.panels.tuner.writing import follows

    application = window.application
    context, panel = application.context, application.window.layout_of_docks.show("tuner")
    window.run(PATIENCE, lambda: panel.isVisible() and context.snapshot.ncon > 0)
    target = pressing(context.model, context.snapshot)[0]
    context.select_elements(list(target.element.geoms))
    window.run(PATIENCE, lambda: panel.row is not None and bool(panel.writing.places))
    found = next((k for k, place in enumerate(panel.writing.places) if follows(place)), None)
    if found is None:
        raise RuntimeError("there is no place that follows a drag")
    panel.writing.choose(found)
    window.run(1.0)
    return panel


class _Painted:
    """Times from when `begun` was set to the end of the next paint of the Tuner's curve [s]."""

    def __init__(self, plot):
        self.begun: float | None = None
        self.times: list[float] = []
        paint = type(plot).paintEvent

        def noted(widget, event) -> None:
            paint(widget, event)
            if widget is plot and self.begun is not None:
                self.times.append(time.perf_counter() - self.begun)
                self.begun = None

        type(plot).paintEvent = noted


def _press(panel):
    where = panel.plot.handle_place("d0").toPoint()
    _event(panel, where, "press")
    return where


def _event(panel, where, kind: str) -> None:
    """A mouse event of the left button on the curve."""
    from PyQt6.QtCore import QEvent, QPointF, Qt
    from PyQt6.QtGui import QMouseEvent
    from PyQt6.QtWidgets import QApplication

    types = {"press": QEvent.Type.MouseButtonPress, "move": QEvent.Type.MouseMove, "release": QEvent.Type.MouseButtonRelease}
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    at = QPointF(where)
    QApplication.sendEvent(panel.plot, QMouseEvent(types[kind], at, QPointF(panel.plot.mapToGlobal(where)), none if kind == "move" else left, none if kind == "release" else left,
                                                   Qt.KeyboardModifier.NoModifier))


def offset(k: int) -> int:
    """Logical pixels by which the pointer is below where it pressed, at motion k from -2 on: at each another than at the one before, else there is nothing to be seen."""
    side = 1 if k % 2 else -1
    return BELOW + side * (1 + round(REACH * (k + 2) / (MOTIONS + 1)))


def _motion(window: RealWindow, panel, curve: _Painted, where, k: int, field: str) -> float:
    """Seconds from a motion to the end of the paint of the view that shows it."""
    from PyQt6.QtCore import QPoint

    def move():
        before = window.application.context.model.revision.of(field)
        curve.begun = time.perf_counter()
        _event(panel, where + QPoint(0, offset(k)), "move")
        return lambda picture: picture.snapshot.revision.of(field) > before

    return seconds_until_seen(window, "tuner handle", PAUSE, move)
