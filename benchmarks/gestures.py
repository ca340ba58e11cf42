"""How long a motion of a drag takes until it is seen: from Session.show to the end of the first paint whose picture was drawn from a state with its fields, while the simulation runs;
and the longest gap between two turns of the GUI thread in a drag of five seconds, of those in which nothing is painted.

The colour of a geom is read again (P1), its size runs the compiler's passes (P3: inertia, bounds, constants). Aims: p95 at most one frame and 20 ms, no gap above 33 ms.
"""
from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from benchmarks.latency import PATIENCE, SETTLE, prepared, seconds_until_seen
from benchmarks.real_window import RealWindow
from benchmarks.turns import Turns
from editor.edits.attribute_patches import attribute_patches
from editor.edits.patch import Edit

MOTIONS, DRAG, EVERY_MS = 60, 5.0, 16      # motions that are timed; s and ms between two motions of the long drag
PAUSE = (0.05, 0.1)                         # s between two motions that are timed: not in step with the pictures
NAME = "benchmark ball"
DRAGGED = {"colour": ("rgba", "geom_rgba", lambda x: f"{x:.3f} .3 .3 1"), "size": ("size", "geom_size", lambda x: f"{0.05 + 0.05 * x:.4f}")}


class _Drag:
    """A gesture on the ball that `prepared` puts into a model."""

    def __init__(self, window: RealWindow, what: str):
        self.session = window.application.session
        self.attribute, self.field, self._text = DRAGGED[what]
        version = self.session.document.version()
        self._element = next(found for found in version.root.walk() if found.name == NAME)
        self.gesture = self.session.gesture()

    def move(self, x: float) -> None:
        """x: from 0 to 1, where the hand is."""
        file = self._element.origin.file
        self.session.show(self.gesture, Edit(f"Drag {self.attribute}", attribute_patches(self.gesture.texts[file], self._element, {self.attribute: self._text(x)})))

    def end(self) -> None:
        self.session.end(self.gesture)


def measure(model: Path, folder: Path) -> list[dict]:
    """The rows' figures [ms]."""
    window, model = RealWindow(), prepared(model, folder)
    window.open(model)
    window.run(SETTLE)
    window.run(PATIENCE, lambda: window.application.session.live.model is not None)
    frame = window.viewport.interval
    rows = []
    for what in DRAGGED:
        drag = _Drag(window, what)
        times = [_motion(window, drag, (k + 1) / (MOTIONS + 1)) for k in range(-2, MOTIONS)][2:]
        drag.end()
        window.run(2.0)     # looked at by a compile
        rows.append({"name": f"gesture, {what}", "median_ms": 1e3 * float(np.median(times)), "p95_ms": 1e3 * float(np.percentile(times, 95)), "max_ms": 1e3 * max(times), "frame_ms": frame})
    rows += [_long_drag(window, what) for what in DRAGGED]
    window.close()
    return rows


def _motion(window: RealWindow, drag: _Drag, x: float) -> float:
    """Seconds from a motion to the end of the paint that shows it. Raises TimeoutError."""
    def move():
        before = window.application.context.model.revision.of(drag.field)
        drag.move(x)
        return lambda picture: picture.snapshot.revision.of(drag.field) > before

    return seconds_until_seen(window, drag.attribute, PAUSE, move)


class _Gaps(Turns):
    """Gaps, and which of them hold a paint."""

    def __init__(self, window: RealWindow):
        super().__init__()
        self.painted: list[bool] = []
        self._paint = False
        self._noted = self._note
        window.viewport.painted.connect(self._noted)

    def _note(self, _picture) -> None:
        self._paint = True

    def _turn(self) -> None:
        super()._turn()
        self.painted.append(self._paint)
        self._paint = False


def _long_drag(window: RealWindow, what: str) -> dict:
    from PyQt6.QtCore import Qt, QTimer

    drag, gaps, timer, motions = _Drag(window, what), _Gaps(window), QTimer(), []
    begun, before = time.perf_counter(), window.application.context.model.revision.number

    def move() -> None:
        moved = time.perf_counter()
        drag.move(0.5 + 0.5 * np.sin(3 * (moved - begun)))
        motions.append(time.perf_counter() - moved)

    timer.setTimerType(Qt.TimerType.PreciseTimer)
    timer.timeout.connect(move)
    timer.start(EVERY_MS)
    window.run(DRAG)
    timer.stop()
    window.viewport.painted.disconnect(gaps._noted)
    still = [gap for gap, painted in zip(gaps.gaps, gaps.painted) if not painted]
    found = {"name": f"drag of {DRAG:g} s, {what}", "stall_ms": 1e3 * max(still), "stall_with_paints_ms": 1e3 * max(gaps.gaps), "motion_max_ms": 1e3 * max(motions),
             "motion_median_ms": 1e3 * float(np.median(motions)), "motions": len(motions), "written": window.application.context.model.revision.number - before}
    gaps._timer.stop()
    drag.end()
    window.run(2.0)
    return found
