"""Does physics at full load disturb the window? `python -m benchmarks.threads [--json FILE]` (docs/agreement.md, 'Threads').

The real window at 320x240, lowest quality, at most 60 frames per second; the humanoid 'as fast as possible' against paused, in turns.
Aims: median frame interval at most 1.1 times, p95 at most 1.5 times that of paused; waiting for the snapshot lock p95 at most 0.1 ms.
Run it on a display of its own: xvfb-run -a python -m benchmarks.threads
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

SECONDS_PER_TURN = 3.0
TURNS = 4
SIZE = (320, 240)


def frames(application, app, seconds: float) -> np.ndarray:
    """Intervals between frames [ms] over `seconds` of a view that repaints at every tick."""
    view = application.viewport
    view.frame_times = []
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        view.refresh()   # paused pictures would otherwise not be redrawn
        app.processEvents()
        time.sleep(0.0005)
    times, view.frame_times = np.array(view.frame_times), None
    return np.diff(times) * 1e3


def lock_waits(application, seconds: float) -> np.ndarray:
    """Time to take the newest snapshot [ms], sampled over `seconds`."""
    waits, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end:
        begun = time.perf_counter()
        application.runner.acquire()
        waits.append((time.perf_counter() - begun) * 1e3)
        time.sleep(0.002)
    return np.array(waits)


def measure() -> dict:
    """Open the window, take the turns, and give the figures."""
    from PyQt6.QtWidgets import QApplication

    import physics
    from app import wire
    from app.settings import Settings
    from assets.locate import bundled_model
    from physics.runtime import commands
    from physics.runtime.runner import Runner

    app = QApplication.instance() or QApplication([])
    settings = Settings(str(Path(tempfile.mkdtemp()) / "settings.ini"))
    settings.set("view/quality", "lowest")
    settings.set("view/frame_cap", 60)
    physics.compile_kernels()
    runner = Runner()
    runner.start()
    application = wire.Application(settings, runner)
    application.viewport.setFixedSize(*SIZE)
    for dock in application.window.layout_of_docks.docks.values():
        dock.hide()
    application.window.show()
    runner.kernels_ready()
    application.session.open(bundled_model("humanoid.xml"), run=False)
    frames(application, app, 3.0)
    found = {"paused": [], "loaded": []}
    for _ in range(TURNS):
        runner.send(commands.Pause())
        found["paused"].append(frames(application, app, SECONDS_PER_TURN))
        runner.send(commands.SetSpeed(None))
        runner.send(commands.Run())
        found["loaded"].append(frames(application, app, SECONDS_PER_TURN))
    waits = lock_waits(application, 2.0)
    speed = application.runner.acquire().real_speed
    application.window.hide()
    application.close()
    row = {"lock_wait_p95_ms": float(np.percentile(waits, 95)), "real_speed": speed, "load": machine_load()}
    for name, parts in found.items():
        intervals = np.concatenate(parts)
        row[name] = {"median_ms": float(np.median(intervals)), "p95_ms": float(np.percentile(intervals, 95)), "frames": len(intervals)}
    row["median_ratio"] = row["loaded"]["median_ms"] / row["paused"]["median_ms"]
    row["p95_ratio"] = row["loaded"]["p95_ms"] / row["paused"]["p95_ms"]
    return row


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    if sys.platform.startswith("linux") and not os.environ.get("DISPLAY"):
        print("a display is needed: xvfb-run -a python -m benchmarks.threads", file=sys.stderr)
        return 2
    row = measure()
    print(f"frame interval paused {row['paused']['median_ms']:.1f} ms (p95 {row['paused']['p95_ms']:.1f}), "
          f"at full load {row['loaded']['median_ms']:.1f} ms (p95 {row['loaded']['p95_ms']:.1f}): "
          f"ratios {row['median_ratio']:.2f} and {row['p95_ratio']:.2f} (aims 1.1 and 1.5); "
          f"snapshot lock p95 {row['lock_wait_p95_ms']:.4f} ms (aim 0.1); physics {row['real_speed']:.1f}x real time; load {row['load']:.1f}")
    if chosen.json:
        chosen.json.write_text(json.dumps(row, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
