"""Does a film disturb the window? `xvfb-run -a python -m benchmarks.filming [--size 1280x720] [--json FILE]`

The real window shows the running humanoid and repaints at every tick, in turns without and with a film being recorded. Figures: intervals
between the window's pictures [ms] and pictures of the film per second.
"""
import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.measuring import machine_load
from benchmarks.threads import frames

SECONDS_PER_TURN, TURNS = 5.0, 3
WINDOW = (900, 620)


def measure(size, seconds: float = SECONDS_PER_TURN, turns: int = TURNS) -> dict:
    """Open the window, take the turns, and give the figures."""
    from PyQt6.QtWidgets import QApplication

    import physics
    from app import wire
    from app.film.plan import FilmPlan
    from app.settings import Settings
    from assets.locate import bundled_model
    from physics.runtime import commands
    from physics.runtime.runner import Runner

    app = QApplication.instance() or QApplication([])
    folder = Path(tempfile.mkdtemp())
    physics.compile_kernels()
    runner = Runner()
    runner.start()
    application = wire.Application(Settings(str(folder / "settings.ini")), runner)
    application.window.resize(*WINDOW)
    application.window.show()
    runner.kernels_ready()
    application.session.open(bundled_model("humanoid.xml"), run=False)
    frames(application, app, 3.0)
    runner.send(commands.SetAutoReset(True))
    runner.send(commands.Run())
    plain, filmed, pace = [], [], []
    for turn in range(turns):
        plain.append(frames(application, app, seconds))
        application.film.start(FilmPlan(folder / f"film{turn}.mp4", size))
        _wait(app, lambda: application.film.recording is None or application.film.recording.frames > 2)
        first, since = application.film.recording.frames, time.perf_counter()
        filmed.append(frames(application, app, seconds))
        pace.append((application.film.recording.frames - first) / (time.perf_counter() - since))
        application.film.record()
        _wait(app, lambda: application.film.recording is None)
    application.window.close()
    application.close()
    return {"window": WINDOW, "film": size, "without": _told(plain), "filming": _told(filmed), "film_frames_per_s": float(np.median(pace)),
            "load": machine_load(), "cores": os.cpu_count()}


def _wait(app, condition, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        app.processEvents()
        time.sleep(0.002)


def _told(turns) -> dict:
    intervals = np.concatenate(turns)
    return {"median_ms": float(np.median(intervals)), "p95_ms": float(np.percentile(intervals, 95)), "worst_ms": float(intervals.max())}


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    row = measure(tuple(map(int, chosen.size.split("x"))))
    for name in ("without", "filming"):
        print(f"{name:8} median {row[name]['median_ms']:6.1f}   p95 {row[name]['p95_ms']:6.1f}   worst {row[name]['worst_ms']:6.1f} ms")
    print(f"the film: {row['film_frames_per_s']:.1f} frames a second")
    if chosen.json:
        chosen.json.write_text(json.dumps(row))
    return 0


if __name__ == "__main__":
    sys.exit(main())
