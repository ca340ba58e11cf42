"""The window under random input: `./test.sh --long window [--seconds S] [--json FILE] [--trace]`.

Ten models of the corpus in turn (bundled ones where it is absent, which the result says); each gets a few seconds of input drawn by a fixed seed
(random_input.py), up to twenty things a second. Nothing may be raised and nothing written to stderr; the event loop may not stand still for longer than LONGEST_STALL after each
model and panel was open once; and the resident memory of the process, as `ps` shows it (on software GL that of the graphics too), may not grow by
more than LARGEST_GROWTH from then on: the median of the last quarter is compared with that of the first. For a sample the same model is shown, paused, by a
renderer that begins anew; before it does, the growth may be AS_IT_WAS. in_use: what the C library had given out then, without the holes between.
--trace names the lines whose memory has grown most, and where the GUI thread stood still.
"""
from __future__ import annotations

import argparse
import faulthandler
import gc
import json
import os
import shutil
import sys
import tempfile
import threading
import time
import traceback
import tracemalloc
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QSurfaceFormat
from PyQt6.QtWidgets import QApplication

import physics
from app.bridge.options import VisOptions
from app.freed_memory import give_back
from app.program import prepare_process
from app.viewport.hosts import surface_format
from assets.locate import bundled_model
from benchmarks.measuring import machine_load
from benchmarks.turns import Turns
from tests.app.heap import in_use, is_told
from tests.app.workbench import Workbench
from tests.long.random_input import Hands, Wait, close_dialogs, drive
from tests.long.reloads import megabytes
from tests.long.reopen import HIGHEST
from tests.oracle.corpus import corpus_dir, has_corpus
from tests.render.gl_objects import living

LARGEST_GROWTH = 0.05
AS_IT_WAS = 0.15                # with the programs that the last models needed, which are other ones each time
LONGEST_STALL = 250.0           # ms
LOOK_AFTER = 150.0              # ms of standing still after which it is looked where
WARM_UP = 0.3                   # share of the time before which caches and the driver still fill
SECONDS_PER_MODEL = 4.0
BETWEEN = 0.05                  # seconds between two things that are done: up to twenty a second
REST = 1.0                      # seconds after which a paused picture is as fine as it gets
PATIENCE = 600.0                # seconds that opening a model may take on a busy machine
USUAL = ("workspace_simulate", "default_layout", "default_view", "usual_texts", "theme_dark")
CORPUS = ("humanoid", "22_humanoids", "shadow_hand", "agility_cassie", "google_barkour_vb", "kuka_iiwa_14", "aloha_pot", "replicate_particle", "wonik_allegro", "dmc_rodent")
BUNDLED = ("humanoid.xml", "arm.xml", "bouncing_balls.xml", "boxes.xml", "cartpole.xml", "double_pendula.xml", "heap.xml", "pendulum.xml", "quadruped.xml", "slope.xml")


def prepared(folder: Path) -> tuple[list[Path], Path]:
    """Copies of the models with their files, to open in turn and to write into; and one of the first that nobody writes into."""
    if not has_corpus():
        folders, names = [bundled_model(BUNDLED[0]).parent], [Path("models", name) for name in BUNDLED]
    else:
        mains = {model["name"]: Path(model["main"]) for model in json.loads((corpus_dir() / "manifest.json").read_text())["models"]}
        names = [mains[name] for name in CORPUS]
        folders = [corpus_dir() / top for top in {name.parts[0] for name in names}]
    for one in folders:
        shutil.copytree(one, folder / "models" / one.name)
    first = names[0].parts[0]
    shutil.copytree(folder / "models" / first, folder / "untouched" / first)
    return [folder / "models" / name for name in names], folder / "untouched" / names[0]


def pause(seconds: float) -> Iterator[None]:
    """Wait."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield


def opened(bench: Workbench, path: Path, run: bool) -> Iterator[None]:
    """Open a model and wait until it is there. Raises TimeoutError."""
    bench.session.open(path, run=run)
    end = time.monotonic() + PATIENCE
    while bench.context.model is None or Path(str(bench.context.model.source[0])) != path or bench.snapshot.running and not run:
        if time.monotonic() > end:
            raise TimeoutError(f"{path} was not opened")
        yield


def rest(bench: Workbench, path: Path) -> Iterator[None]:
    """The same state at every sample: one model, paused, drawn at rest in the classic look, with the panels and texts of the beginning."""
    close_dialogs(bench.window)
    for name in USUAL:
        bench.actions[name].trigger()
        yield
    bench.application.view_control.use_physical_look(False)
    usual = VisOptions(explained=True)
    for name in VisOptions.__slots__:
        setattr(bench.context.options, name, getattr(usual, name))
    bench.context.options_changed.emit()
    bench.window.resize(1000, 700)
    yield from opened(bench, path, run=False)
    yield from drawn(bench)


def drawn(bench: Workbench) -> Iterator[None]:
    """Wait until a paused picture is as fine as it gets."""
    bench.viewport.frame_times = times = []
    while len(times) < 3:
        bench.viewport.refresh()
        yield
    bench.viewport.frame_times = None
    yield from pause(REST)


def types() -> Counter:
    """Number of Python objects by type."""
    return Counter(type(one).__name__ for one in gc.get_objects())


def kinds_of_widgets() -> Counter:
    """Number of widgets by type."""
    return Counter(type(one).__name__ for one in QApplication.allWidgets())


class Stderr:
    """What any part of the process writes to its standard error; the file goes on there too."""

    def __init__(self, file: Path):
        self._file, self._real = file, os.dup(2)
        target = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(target, 2)
        os.close(target)
        faulthandler.enable(self._real)     # the file goes with its folder

    def lines(self) -> list[str]:
        """Lines so far."""
        return [line for line in self._file.read_text(errors="replace").splitlines() if line.strip()]

    def restore(self) -> None:
        """Write to where it went before."""
        os.dup2(self._real, 2)


class Collections:
    """How long the garbage collector takes. longest: since it was last set to 0 [ms]."""

    def __init__(self):
        self.longest, self._begun = 0.0, 0.0
        gc.callbacks.append(self._told)

    def _told(self, phase: str, _info: dict) -> None:
        if phase == "start":
            self._begun = time.perf_counter()
        else:
            self.longest = max(self.longest, 1e3 * (time.perf_counter() - self._begun))


class StallWatch(threading.Thread):
    """Looks into the GUI thread when its event loop has stood still for long. where: the last thing that it was seen at. Only for --trace: whoever looks at
    a call keeps what it holds, a painter too, when it has returned."""

    def __init__(self, turns: Turns):
        super().__init__(daemon=True)
        self._turns, self._gui, self.where = turns, threading.get_ident(), ""

    def run(self) -> None:
        while True:
            time.sleep(0.02)
            still = time.perf_counter() - self._turns.last
            if still > 0.001 * LOOK_AFTER:
                frames = traceback.extract_stack(sys._current_frames()[self._gui])
                own = [frame for frame in frames if "/long/" not in frame.filename and "runpy" not in frame.filename]
                self.where = " < ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(own[-5:]))


class Exceptions:
    """Exceptions that nobody caught, in any thread."""

    def __init__(self):
        self.texts: list[str] = []
        sys.excepthook = self._raised
        threading.excepthook = lambda args: self._raised(args.exc_type, args.exc_value, args.exc_traceback)

    def _raised(self, kind, value, trace) -> None:
        self.texts.append("".join(traceback.format_exception(kind, value, trace)))


class Soak:
    """The samples of a run, and what is needed to explain them."""

    def __init__(self, seconds: float, trace: bool):
        self.seconds, self.trace, self.start = seconds, trace, time.monotonic()
        self.samples: list[dict] = []
        self.stalls: list[tuple] = []       # [ms], processor time of the GUI thread, what was done last, where the thread was seen
        self.worst = 0.0        # the longest stall [ms]
        self.first: Counter | None = None
        self.widgets: Counter | None = None
        self._before = None
        self._turns: Turns | None = None
        self._watch: StallWatch | None = None
        self._collections = Collections()

    def script(self, bench: Workbench, hands: Hands, paths: list[Path], usual: Path) -> Iterator[None]:
        """Open all panels and models and take all actions once; then visit the models in turn until the time is over."""
        for panel in list(bench.docks.docks):
            bench.panel(panel)      # each is made
            yield
        for path in paths:
            yield from opened(bench, path, run=True)
        for action in hands.actions:    # dialogs are made
            action.trigger()
            yield from pause(BETWEEN)
        yield from rest(bench, usual)
        self._turns = Turns()
        self._watch = StallWatch(self._turns)
        if self.trace:
            self._watch.start()
        while time.monotonic() - self.start < self.seconds:
            for path in paths:
                yield from self._visit(bench, hands, path)
            yield from rest(bench, usual)
            gc.collect()
            give_back()
            as_it_was = megabytes()
            bench.host.restart()        # with the same programs each time
            yield from drawn(bench)
            self.sample(bench, hands, as_it_was)
            self._clear()

    def _clear(self) -> None:
        self._turns.forget()
        self._watch.where, self._collections.longest = "", 0.0

    def _visit(self, bench: Workbench, hands: Hands, path: Path) -> Iterator[None]:
        """Open a model and do things to it."""
        yield from self._watched(opened(bench, path, run=True), f"open {path.name}")
        end = time.monotonic() + SECONDS_PER_MODEL
        while time.monotonic() < end:
            yield from self._watched(hands.act(), lambda: f"{hands.last} {path.name}")
            yield from self._watched(pause(BETWEEN), lambda: f"after {hands.last} {path.name}")

    def _watched(self, steps: Iterator[None], what) -> Iterator[None]:
        """The same steps, with the longest stall among them noted."""
        self._clear()
        yield from steps
        yield
        gaps = self._turns.gaps
        worst = 1e3 * max(gaps, default=0.0)
        self.worst = max(self.worst, worst)
        if worst > LONGEST_STALL:
            cpu = 1e3 * self._turns.cpu[gaps.index(max(gaps))]
            self.stalls.append((round(worst, 1), f"{cpu:.0f} ms of processor time, {self._collections.longest:.0f} ms of collecting", what() if callable(what) else what, self._watch.where))
            print(self.stalls[-1], flush=True)

    def sample(self, bench: Workbench, hands: Hands, as_it_was: float) -> None:
        """Measure, after rings of objects were freed and what is free was given back, as the program does every minute or two and every half minute: how much of that
        there happens to be is no growth. as_it_was: with the renderer that had drawn the other models [MB]."""
        gc.collect()
        give_back()
        with bench.host.current() as ctx:
            objects = sum(living(ctx or bench.viewport.renderer.ctx, HIGHEST).values())
        now = time.monotonic() - self.start
        self.samples.append({"seconds": round(now, 1), "mb": round(megabytes(), 1), "as_it_was": round(as_it_was, 1), "in_use": round(in_use() / 2**20, 1) if is_told() else None,
                             "gl_objects": objects, "threads": threading.active_count(), "widgets": len(QApplication.allWidgets()), "acts": hands.count.total()})
        print(self.samples[-1], flush=True)
        if self.widgets is None:
            self.widgets = kinds_of_widgets()
        if self.first is None and now > WARM_UP * self.seconds:
            self.first = types()
            if self.trace:
                tracemalloc.start(8)
                self._before = tracemalloc.take_snapshot()

    def _early_and_late(self, what: str) -> tuple[float, float]:
        """Medians of the first and the last quarter after the warm-up [MB]."""
        late = [sample[what] for sample in self.samples if sample["seconds"] > WARM_UP * self.seconds] or [sample[what] for sample in self.samples[-1:]] or [0.0]
        quarter = max(1, len(late) // 4)
        return float(np.median(late[:quarter])), float(np.median(late[-quarter:]))

    def result(self, hands: Hands, exceptions: list[str], stderr: list[str]) -> dict:
        """What was seen."""
        if self._before is not None:
            for line in tracemalloc.take_snapshot().compare_to(self._before, "lineno")[:25]:
                print(line)
        (early, end), (first, last) = self._early_and_late("mb"), self._early_and_late("as_it_was")
        return {"seconds": round(time.monotonic() - self.start, 1), "corpus": has_corpus(), "load": machine_load(), "exceptions": len(exceptions), "stderr_lines": len(stderr),
                "memory_growth": end / early - 1 if early else None, "growth_as_it_was": last / first - 1 if first else None, "stall_max_ms": round(self.worst, 1),
                "stalls_above_limit": sorted(self.stalls, reverse=True)[:40], "mb": {"early": early, "late": end}, "acts": dict(hands.count),
                "exception_texts": exceptions[:10], "stderr": stderr[:20], "samples": self.samples,
                "more_widgets": dict((kinds_of_widgets() - (self.widgets or Counter())).most_common(15)),
                "more_objects": dict((types() - (self.first or types())).most_common(15))}


def soak(seconds: float, trace: bool, seed: int) -> dict:
    """Run the window for so long; what was seen."""
    with tempfile.TemporaryDirectory() as name:
        os.environ["LINKWORK_STATE"] = name
        stderr = Stderr(Path(name) / "stderr.txt")
        app = QApplication([])
        paths, usual = prepared(Path(name))
        bench = Workbench(Wait(app), Path(name), paths[0], size=(1000, 700), adaptive=True, quality="auto")
        exceptions = Exceptions()
        run, hands = Soak(seconds, trace), Hands(bench, seed)
        try:
            drive(app, run.script(bench, hands, paths, usual))
        finally:
            lines = stderr.lines()
            stderr.restore()
            print("\n".join(lines[:20] + exceptions.texts[:10]), file=sys.stderr)
        found = run.result(hands, exceptions.texts, lines)
        bench.close()
    return found


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=1800.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, default=Path("window.json"))
    parser.add_argument("--trace", action="store_true")
    chosen = parser.parse_args(arguments)
    prepare_process()
    physics.ensure_kernels()
    QSurfaceFormat.setDefaultFormat(surface_format())
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    found = soak(chosen.seconds, chosen.trace, chosen.seed)
    chosen.json.write_text(json.dumps(found, indent=1))
    print({name: value for name, value in found.items() if name not in ("samples", "exception_texts", "stderr")})
    good = not found["exceptions"] and not found["stderr_lines"] and found["memory_growth"] is not None and found["memory_growth"] <= LARGEST_GROWTH and found["growth_as_it_was"] <= AS_IT_WAS
    return 0 if good and found["stall_max_ms"] <= LONGEST_STALL else 1


if __name__ == "__main__":
    sys.exit(main())
