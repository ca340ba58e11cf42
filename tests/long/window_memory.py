"""The window under random input: `./test.sh --long window_memory [--seconds S] [--json FILE] [--trace]`.

Ten models in turn; each gets a few seconds of keys, mouse, menus, sliders, resizing, typing and edits, drawn by a fixed seed. After a warm-up the
resident memory of the process, as `ps` shows it (on software GL that of the graphics too), may not grow: the median of the last quarter is compared
with that of the first. Nothing is done for a sample but that the same model is shown, paused. --trace names the lines whose memory has grown most.
"""
from __future__ import annotations

import argparse
import gc
import json
import random
import shutil
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PyQt6.QtCore import QPoint, QPointF, Qt, QTimer
from PyQt6.QtGui import QMouseEvent, QSurfaceFormat, QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

import physics
from app.viewport.hosts import surface_format
from assets.locate import bundled_model
from tests.app.workbench import Workbench
from tests.long.reloads import megabytes
from tests.long.reopen import HIGHEST
from tests.render.gl_objects import living

LARGEST_GROWTH = 0.05
WARM_UP = 0.3                   # share of the time before which caches and the driver still fill
SECONDS_PER_MODEL = 2.5
PATIENCE = 600.0                # seconds that opening a model may take on a busy machine
MODELS = ("humanoid.xml", "arm.xml", "bouncing_balls.xml", "boxes.xml", "cartpole.xml", "double_pendula.xml", "heap.xml", "pendulum.xml", "quadruped.xml", "slope.xml")
ASKING = ("open", "save", "save_as", "revert", "reload", "new", "quit", "keys", "about", "screenshot", "record", "fullscreen", "full_speed", "copy_state",
          "copy_state_full", "copy_camera")     # actions with dialogs, and those that touch what belongs to the desktop
KEYS = tuple(Qt.Key(code) for code in (*range(Qt.Key.Key_A, Qt.Key.Key_Z + 1), *range(Qt.Key.Key_0, Qt.Key.Key_5 + 1), Qt.Key.Key_Space, Qt.Key.Key_Left,
                                       Qt.Key.Key_Right, Qt.Key.Key_BracketLeft, Qt.Key.Key_BracketRight, Qt.Key.Key_F6, Qt.Key.Key_F7, Qt.Key.Key_F8))
Button, Modifier = Qt.MouseButton, Qt.KeyboardModifier


class Wait:
    """What Workbench waits with, in a program of its own."""

    def __init__(self, app: QApplication):
        self._app = app

    def waitUntil(self, condition, timeout: int) -> None:
        """Process events until condition(). Raises TimeoutError."""
        end = time.monotonic() + timeout / 1000
        while not condition():
            if time.monotonic() > end:
                raise TimeoutError("the window did not get there")
            self._app.processEvents()
            time.sleep(0.001)       # the drawing thread needs the interpreter too
            time.sleep(0.001)


class Hands:
    """Random input for a window; every method is one thing that somebody may do."""

    def __init__(self, bench: Workbench, seed: int):
        self.bench, self.random = bench, random.Random(seed)
        self.actions = [action for name, action in bench.actions.items() if name not in ASKING]
        self.docks = list(bench.docks.docks)
        self.does = (self.key, self.key, self.drag, self.drag, self.wheel, self.click, self.double_click, self.action, self.panel, self.slide, self.type, self.edit, self.resize,
                     self.pause)
        self.count = Counter()

    def act(self) -> None:
        """One of them."""
        what = self.random.choice(self.does)
        self.count[what.__name__] += 1
        what()

    def _point(self) -> QPointF:
        host = self.bench.host
        return QPointF(self.random.uniform(1, max(2, host.width() - 1)), self.random.uniform(1, max(2, host.height() - 1)))

    def key(self) -> None:
        """A key in the view."""
        QTest.keyClick(self.bench.host, self.random.choice(KEYS), self.random.choice((Modifier.NoModifier, Modifier.NoModifier, Modifier.ShiftModifier)))

    def drag(self) -> None:
        """The camera, or the selected body with Ctrl."""
        button, modifier = self.random.choice((Button.LeftButton, Button.RightButton, Button.MiddleButton)), self.random.choice((Modifier.NoModifier, Modifier.ControlModifier))
        self.bench.drag(self._point(), *(self._point() for _ in range(4)), button=button, modifiers=modifier, between=QApplication.processEvents)

    def wheel(self) -> None:
        """Zoom."""
        at = self._point()
        event = QWheelEvent(at, QPointF(self.bench.host.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, self.random.choice((-120, 120))), Button.NoButton, Modifier.NoModifier,
                            Qt.ScrollPhase.NoScrollPhase, False)
        QApplication.sendEvent(self.bench.host, event)

    def click(self) -> None:
        """What is there?"""
        at = self._point().toPoint()
        QApplication.sendEvent(self.bench.host, QMouseEvent(QMouseEvent.Type.MouseMove, QPointF(at), QPointF(self.bench.host.mapToGlobal(at)), Button.NoButton, Button.NoButton,
                                                            Modifier.NoModifier))
        QTest.mouseClick(self.bench.host, Button.LeftButton, Modifier.NoModifier, at)

    def double_click(self) -> None:
        """Select, or look at."""
        self.bench.double_click(self._point(), self.random.choice((Button.LeftButton, Button.RightButton)))

    def action(self) -> None:
        """A menu entry."""
        self.random.choice(self.actions).trigger()

    def panel(self) -> None:
        """Bring a panel to the front."""
        self.bench.docks.show(self.random.choice(self.docks))

    def slide(self) -> None:
        """A control or a joint."""
        panel = self.bench.docks.panels.get(self.random.choice(("controls", "joints")))
        rows = list(getattr(panel, "rows", ()) or ())
        if rows:
            row = self.random.choice(rows if isinstance(panel.rows, list) else list(panel.rows.values()))
            row.enter(self.random.uniform(-1, 1))

    def type(self) -> None:
        """Some keys in the text, and back."""
        editor = self.bench.source.editor()
        for letter in "<!-- a -->":
            QTest.keyClick(editor, letter)
        for _ in range(10):
            QTest.keyClick(editor, Qt.Key.Key_Backspace)

    def edit(self) -> None:
        """Another text, applied at once."""
        session = self.bench.session
        session.set_text(session.document.key, session.document.main.text.replace("</worldbody>", f"<!-- {self.random.randrange(100)} --></worldbody>", 1)[:200_000])
        session.apply()

    def resize(self) -> None:
        """The window."""
        self.bench.window.resize(self.random.randrange(700, 1300), self.random.randrange(500, 900))

    def pause(self) -> None:
        """Run or pause."""
        self.bench.actions["run"].trigger()


def prepared(folder: Path) -> list[Path]:
    """Copies of the bundled models, to open in turn."""
    shutil.copytree(bundled_model(MODELS[0]).parent, folder / "models")
    return [folder / "models" / name for name in MODELS]


def visit(bench: Workbench, hands: Hands, path: Path, seconds: float) -> Iterator[None]:
    """Open a model and do things to it."""
    yield from opened(bench, path, run=True)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        hands.act()
        yield


def opened(bench: Workbench, path: Path, run: bool) -> Iterator[None]:
    """Open a model and wait until it is there. Raises TimeoutError."""
    bench.session.open(path, run=run)
    end = time.monotonic() + PATIENCE
    while Path(str(bench.context.model.source[0])) != path or bench.snapshot.running != run and not run:
        if time.monotonic() > end:
            raise TimeoutError(f"{path} was not opened")
        yield


def rest(bench: Workbench, path: Path) -> Iterator[None]:
    """The same state at every sample: one model, paused, drawn."""
    bench.window.resize(1000, 700)
    yield from opened(bench, path, run=False)
    bench.viewport.frame_times = drawn = []
    while len(drawn) < 3:
        bench.viewport.refresh()
        yield
    bench.viewport.frame_times = None


def types() -> Counter:
    """Number of Python objects by type."""
    return Counter(type(one).__name__ for one in gc.get_objects())


def drive(app: QApplication, script: Iterator[None]) -> None:
    """Take the script's steps from the program's own event loop, as input comes: what Qt puts off until a handler has returned happens."""
    failed: list[BaseException] = []

    def step() -> None:
        try:
            next(script)
        except StopIteration:
            app.exit()
        except BaseException as error:
            failed.append(error)
            app.exit(1)

    timer = QTimer()
    timer.timeout.connect(step)
    timer.start(0)
    app.exec()
    if failed:
        raise failed[0]


class Soak:
    """The samples of a run, and what is needed to explain them."""

    def __init__(self, seconds: float, trace: bool):
        self.seconds, self.trace, self.start = seconds, trace, time.monotonic()
        self.samples: list[dict] = []
        self.first: Counter | None = None
        self._before = None

    def script(self, bench: Workbench, hands: Hands, paths: list[Path]) -> Iterator[None]:
        """Visit the models in turn until the time is over."""
        for panel in bench.docks.docks:
            bench.panel(panel)      # each is made
            yield
        while time.monotonic() - self.start < self.seconds:
            for path in paths:
                yield from visit(bench, hands, path, SECONDS_PER_MODEL)
            yield from rest(bench, paths[0])
            self.sample(bench, hands)

    def sample(self, bench: Workbench, hands: Hands) -> None:
        """Measure."""
        with bench.host.current() as ctx:
            objects = sum(living(ctx or bench.viewport.renderer.ctx, HIGHEST).values())
        now = time.monotonic() - self.start
        self.samples.append({"seconds": round(now, 1), "mb": round(megabytes(), 1), "gl_objects": objects,
                             "widgets": len(QApplication.allWidgets()), "acts": hands.count.total()})
        print(self.samples[-1], flush=True)
        if self.first is None and now > WARM_UP * self.seconds:
            self.first = types()
            if self.trace:
                tracemalloc.start(8)
                self._before = tracemalloc.take_snapshot()

    def result(self, hands: Hands) -> dict:
        """What was seen."""
        if self._before is not None:
            for line in tracemalloc.take_snapshot().compare_to(self._before, "lineno")[:25]:
                print(line)
        late = [sample["mb"] for sample in self.samples if sample["seconds"] > WARM_UP * self.seconds] or [self.samples[-1]["mb"]]
        quarter = max(1, len(late) // 4)
        early, end = float(np.median(late[:quarter])), float(np.median(late[-quarter:]))
        return {"seconds": self.seconds, "growth": end / early - 1, "mb": {"early": early, "late": end}, "acts": dict(hands.count), "samples": self.samples,
                "more_objects": dict((types() - (self.first or types())).most_common(15))}


def soak(seconds: float, trace: bool, seed: int = 1) -> dict:
    """Run the window for so long; what was seen."""
    app = QApplication([])
    with tempfile.TemporaryDirectory() as name:
        paths = prepared(Path(name))
        bench = Workbench(Wait(app), Path(name), paths[0], size=(1000, 700))
        run, hands = Soak(seconds, trace), Hands(bench, seed)
        drive(app, run.script(bench, hands, paths))
        found = run.result(hands)
        bench.close()
    return found


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1800.0)
    parser.add_argument("--json", type=Path, default=Path("window_memory.json"))
    parser.add_argument("--trace", action="store_true")
    chosen = parser.parse_args(arguments)
    physics.ensure_kernels()
    QSurfaceFormat.setDefaultFormat(surface_format())
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    found = soak(chosen.seconds, chosen.trace)
    chosen.json.write_text(json.dumps(found, indent=1))
    print({name: value for name, value in found.items() if name != "samples"})
    return 0 if found["growth"] < LARGEST_GROWTH else 1


if __name__ == "__main__":
    sys.exit(main())
