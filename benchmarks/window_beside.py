"""What goes on beside a run in the window: the humanoid at 100 % of real time, as benchmarks.window opens it, in four rows.

not recorded: nothing beside, the disk limit 0. recording: nothing beside, the run on the disk, as the program does by itself. ten curves, four companions: the same
with curves in the Plots panel, with companions drawn as ghosts, of which three differ in something; before them the same window runs alone for a while.

Stalls and pictures as in the other rows, from a moment when what is beside has settled. speed_percent: share of real time that is held, its median; slowest_percent: its least;
alone_percent: its median in the same window before there is anything beside; step_us: time of a step; lag: simulated time that companions are behind; mb_per_hour: what the run on the disk grew by; cpu_NAME: processor time of a thread in percent of a core
(llvmpipe: software GL's own threads, of which there are several; other: those that take next to nothing; all: the whole process).
"""
from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

from app.controllers.recordings import LIMIT
from benchmarks.companions import Looked, begin_in_window
from benchmarks.measuring import machine_load, seconds_by_thread
from benchmarks.real_window import RealWindow
from benchmarks.trace import scalars
from benchmarks.turns import Turns

LOOK_MS = 50            # between two looks at the run
SETTLE = 4.0            # s: panels are laid out, programs of the pictures compiled
ALONE = 8.0             # s that the run is looked at before there is anything beside it
PATIENCE = 30.0
NAMES = MappingProxyType({"MainThread": "gui", "companion": "companions"})      # of threads, as they are told
SMALL = 0.5             # % of a core: what all threads together take that are told as 'other'


def nothing(_window: RealWindow) -> list:
    """The run alone."""
    return []


def curves(window: RealWindow) -> list:
    """Ten single numbers of every step in the Plots panel, seen. Raises RuntimeError where they are not drawn."""
    docks, context = window.application.window.layout_of_docks, window.application.context
    window.run(PATIENCE, lambda: docks.filled)      # after the first picture
    panel, texts = docks.show("plots"), scalars(context.model)
    window.run(PATIENCE, panel.isVisible)
    if not all([panel.add(text) for text in texts]):
        raise RuntimeError(panel.note.text())
    window.run(PATIENCE, lambda: bool(context.snapshot.trace.pieces))
    if len(panel.texts) != len(texts) or not context.snapshot.trace.pieces or panel.visibleRegion().isEmpty():
        raise RuntimeError("the curves are not drawn")
    return []


def companions(window: RealWindow) -> list:
    """Four, as ghosts. Raises RuntimeError where they are not drawn."""
    rows = begin_in_window(window)
    window.run(PATIENCE, lambda: len(window.application.context.ghosts) == len(rows))
    if len(window.application.context.ghosts) != len(rows):
        raise RuntimeError("the companions are not drawn")
    return [row.companion for row in rows]


KINDS: MappingProxyType[str, Callable[[RealWindow], list]] = MappingProxyType(
    {"not recorded": nothing, "recording": nothing, "ten curves": curves, "four companions": companions})


def measure(model: Path, kind: str, seconds: float) -> dict:
    """A row's figures, in this process."""
    from PyQt6.QtCore import QTimer

    window = RealWindow()
    application = window.application
    recorder = application.recordings.recorder
    if kind == "not recorded":
        application.context.settings.set(LIMIT, 0)
    window.open(model)
    window.run(SETTLE)
    before = alone(window) if KINDS[kind] is not nothing else {}
    beside = KINDS[kind](window)
    window.run(SETTLE)
    looked, timer = Looked(application.runner), QTimer()
    timer.timeout.connect(lambda: looked.look(beside))
    recorder.flush()
    size, used, begun = recorder.size, seconds_by_thread(), time.perf_counter()
    window.viewport.frame_times = pictures = []
    turns = Turns()
    looked.begin()
    timer.start(LOOK_MS)
    window.run(seconds)
    looked.end()
    timer.stop()
    stalls, passed = turns.figures(), time.perf_counter() - begun
    window.viewport.frame_times = None
    cpu = seconds_by_thread() - used
    recorder.flush()
    run = looked.figures()
    found = {"model": model.name, "fps": len(pictures) / passed, **stalls, "speed_percent": 100 * run["real_speed"], "slowest_percent": 100 * run["slowest"],
             "step_us": run["step_us"], "mb_per_hour": (recorder.size - size) / (time.perf_counter() - begun) * 3600 / 1e6, "level": window.picture.level}
    found |= before | {name: run[name] for name in ("lag_ms", "lag_max_ms") if name in run}
    found |= {f"cpu_{name}": 100 * value / passed for name, value in by_name(cpu, passed).items()} | {"cpu_all": 100 * run["share_of_core"]}
    found["load"] = machine_load()
    window.close()
    return found


def alone(window: RealWindow) -> dict[str, float]:
    """Share of real time that the run holds by itself [%], its median."""
    from PyQt6.QtCore import QTimer

    looked, timer = Looked(window.application.runner), QTimer()
    timer.timeout.connect(lambda: looked.look(()))
    looked.begin()
    timer.start(LOOK_MS)
    window.run(ALONE)
    timer.stop()
    looked.end()
    return {"alone_percent": 100 * looked.figures()["real_speed"]}


def by_name(cpu, passed: float) -> dict[str, float]:
    """Seconds by what a thread is for, the largest first; those that take next to nothing as 'other'."""
    found, small = {}, 0.0
    for name, value in cpu.most_common():
        if 100 * value / passed < SMALL:
            small += value
        else:
            found[NAMES.get(name, name)] = value
    return found | {"other": small}
