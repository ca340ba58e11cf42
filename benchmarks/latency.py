"""How long a change takes until it is seen: from the call that makes it to the end of the first paint whose picture was drawn from a state with it.

Made as the user makes it: a slider's value, a number of the Physics panel, text typed into the editor, text applied by the action of Ctrl+Enter, a file that
another program saves. The simulation runs meanwhile. A picture is known by the snapshot that it was drawn from (Viewport.picture).
"""
from __future__ import annotations

import random
import re
import shutil
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.real_window import RealWindow

REPEATS = 10
PATIENCE = 20.0         # s that a change may take
PAUSE = (0.4, 0.7)      # s between two changes: not in step with the pictures
SETTLE = 4.0            # s after the first picture: panels are filled, programs of the pictures compiled
BALL = '<geom name="benchmark ball" type="sphere" size="SIZE" pos="0 0 2" mass="0" contype="0" conaffinity="0"/>'
BODY = '<body name="benchmark" pos="1 1 2"><freejoint/><geom type="sphere" size="0.05"/></body>'


@dataclass(frozen=True, slots=True)
class Change:
    """One row. make(k): the k-th change, returns what tells whether a picture shows it."""
    name: str
    make: Callable[[int], Callable[[object], bool]]


class Changes:
    """What is changed in a window with a model that lies in a folder of its own."""

    def __init__(self, window: RealWindow, model: Path):
        self._window, self._model = window, model
        self._panels, self._actions = window.application.window.layout_of_docks, window.application.actions

    def rows(self, structural_only: bool) -> list[Change]:
        """All of them, in the order in which they are made: no file is taken in while typed text is not saved."""
        structure = Change("structure, Ctrl+Enter", self.structure)
        if structural_only:
            return [structure]
        return [Change("control slider", self.control), Change("option in the panel", self.option), Change("file saved elsewhere", self.saved),
                Change("attribute typed", self.typed), Change("attribute, Ctrl+Enter", self.applied), structure]

    def control(self, k: int):
        """The first slider of the Controls panel."""
        value = (0.25, -0.25)[k % 2]
        self._panels.show("controls").rows[0].enter(value)
        return lambda picture: abs(picture.snapshot.ctrl[0] - value) < 1e-9

    def option(self, k: int):
        """Gravity in the Physics panel."""
        value = -9.0 - 0.01 * (k + 1)
        self._panels.show("physics").numbers["gravity", 2].edited.emit(value)
        return lambda picture: any(one.target == "opt.gravity" and one.value[2] == value for one in picture.snapshot.changed_values)

    def typed(self, k: int):
        """An attribute in the text, applied by the pause in typing."""
        shown = self._newer()
        self._editor().replace_text(self._attribute(k))
        return shown

    def applied(self, k: int):
        """An attribute in the text, applied by Ctrl+Enter."""
        shown = self.typed(k)
        self._actions["apply"].trigger()
        return shown

    def structure(self, k: int):
        """A body with a free joint that comes and goes, applied by Ctrl+Enter."""
        text = self._editor().text()
        there = BODY in text
        bodies = self._window.picture.snapshot.model.nbody + (-1 if there else 1)
        self._editor().replace_text(text.replace(BODY, "") if there else text.replace("</worldbody>", BODY + "</worldbody>", 1))
        self._actions["apply"].trigger()
        return lambda picture: picture.snapshot.model.nbody == bodies

    def saved(self, k: int):
        """The file, written by another program."""
        shown = self._newer()
        self._model.write_text(self._attribute(k))
        return shown

    def _newer(self):
        """A picture of another Model, or of the same one with another size of a geom."""
        picture = self._window.picture
        generation, sizes = picture.generation, picture.snapshot.revision.of("geom_size")
        return lambda picture: picture.generation > generation or picture.snapshot.revision.of("geom_size") > sizes

    def _editor(self):
        return self._panels.show("source").editor()

    def _attribute(self, k: int) -> str:
        """The text with another size of the ball that `prepared` put in."""
        return re.sub(re.escape(BALL).replace("SIZE", r"[\d.]+"), BALL.replace("SIZE", f"{0.05 + 0.001 * (k + 2):.3f}"), self._editor().text(), count=1)


def prepared(model: Path, folder: Path) -> Path:
    """A copy of a model, with all that lies beside it, and a ball that takes part in nothing."""
    beside = folder / "model"
    shutil.copytree(model.parent, beside)
    copy = beside / model.name
    copy.write_text(copy.read_text().replace("</worldbody>", BALL.replace("SIZE", "0.05") + "</worldbody>", 1))
    return copy


def measure(model: Path, folder: Path, structural_only: bool, repeats: int = REPEATS) -> list[dict]:
    """Make all changes in a window in this process; the rows' figures [ms]."""
    window, model = RealWindow(), prepared(model, folder)
    window.open(model)
    window.run(SETTLE)
    rows = []
    for change in Changes(window, model).rows(structural_only):
        times = [_timed(window, change, k) for k in range(-1, repeats)][1:]      # the first one makes a panel
        rows.append({"name": change.name, "median_ms": 1e3 * statistics.median(times), "p95_ms": 1e3 * float(np.percentile(times, 95)), "max_ms": 1e3 * max(times)})
    window.close()
    return rows


def _timed(window: RealWindow, change: Change, k: int) -> float:
    """Seconds from a change to the end of the paint that shows it. Raises TimeoutError."""
    return seconds_until_seen(window, change.name, PAUSE, lambda: change.make(k))


def seconds_until_seen(window: RealWindow, name: str, pause: tuple[float, float], make: Callable[[], Callable[[object], bool]]) -> float:
    """Seconds from the beginning of make(), which changes something and returns what tells whether a picture shows it, to the end of the paint that does; after a pause between
    these [s]. Raises TimeoutError."""
    window.run(random.uniform(*pause))
    seen: list[float] = []
    begun = time.perf_counter()
    shows = make()

    def painted(picture) -> None:
        if not seen and picture.snapshot is not None and shows(picture):
            seen.append(time.perf_counter() - begun)
            window.app.exit()

    window.viewport.painted.connect(painted)
    window.run(PATIENCE, lambda: bool(seen))
    window.viewport.painted.disconnect(painted)
    if not seen:
        raise TimeoutError(f"{name}: not seen after {PATIENCE:g} s")
    return seen[0]
