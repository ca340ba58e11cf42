"""How the window keeps up: `xvfb-run -a python -m benchmarks.window [--only NAME ...] [--seconds S] [--json FILE]`

The real window (1400x900) in a process of its own for each row, on software GL where there is nothing else. Rows of robots: the model runs at full speed; stalls and pictures
are counted from its first picture on. Rows of many geoms: stalls are counted from the call that opens the model. stall: gap between two turns of the GUI
thread's event loop, of which there is one each 5 ms when nothing is to be done [ms]; cpu: processor time that the GUI thread took between
two turns, the most, which a busy machine does not lengthen [ms]; fps: pictures a second; level: how coarsely they were drawn in the end (render/pace.py);
rest: from a pause to the picture at full quality [ms].

Rows of what goes on beside a run (benchmarks/window_beside.py): the humanoid at 100 % of real time with its run on the disk or without, ten curves, four companions.

Latency rows (benchmarks/latency.py): from a change to the end of the first paint that shows it, the median, p95 and the worst of ten [ms]; gestures (benchmarks/gestures.py): the
same for each motion of a drag, and the longest gap in which nothing is painted; tuner handle (benchmarks/tuner_handle.py): the same for the Tuner's curve and the picture.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from assets.locate import bundled_model
from benchmarks import gestures, latency, tuner_handle, window_beside
from benchmarks.many_geoms import many_geoms
from benchmarks.measuring import machine_load
from benchmarks.real_window import RealWindow
from benchmarks.turns import Turns

RESTS, PATIENCE = 5, 10.0   # pauses; s until the fine picture is there
SECONDS = 60.0          # after the first picture
MADE = {"50,000 geoms": {"geoms": 50_000, "bodies": 1_000}, "50,000 geoms, 5,000 meshes": {"geoms": 50_000, "bodies": 1_000, "meshes": 5_000}}
ROBOTS = {"humanoid": "", "shadow_hand": "shadow_hand", "cassie": "agility_cassie", "22_humanoids": "22_humanoids"}      # name in the corpus, '' for a bundled model
LATENCY = {"latency": "humanoid", "latency of structure": "shadow_hand", "latency of structure, cassie": "cassie", "gestures": "humanoid", "gestures, shadow_hand": "shadow_hand",
           "tuner handle": "humanoid"}
BESIDE = tuple(window_beside.KINDS)
NAMES = (*ROBOTS, *MADE, *BESIDE, *LATENCY)


def measure(model: Path, seconds: float, opening: bool) -> dict:
    """Run a model in a window in this process; the row's figures. opening: whether its opening is looked at too."""
    window = RealWindow()
    turns = Turns() if opening else None
    window.open(model)
    turns = turns or Turns()
    window.viewport.frame_times = pictures = []
    window.run(seconds)
    speed, level = window.application.client.snapshot.real_speed, window.picture.level
    found = {"model": model.name, "fps": len(pictures) / seconds, **turns.figures(), "real_speed": speed, "level": level}
    if not opening:
        found["rest_ms"] = rest(window)
    found["load"] = machine_load()
    window.close()
    return found


def rest(window: RealWindow) -> float:
    """Milliseconds from the pause of a simulation to the end of the first paint at full quality, median of RESTS."""
    times = []
    for _ in range(RESTS):
        window.application.actions["run"].trigger()
        begun = time.perf_counter()
        window.run(PATIENCE, lambda: not window.application.client.snapshot.running and window.picture.level == 0
                   and window.picture.snapshot.time == window.application.client.snapshot.time)
        times.append(time.perf_counter() - begun)
        window.application.actions["run"].trigger()
        window.run(2.0)
    return 1e3 * float(np.median(times))


def path_of(name: str, folder: Path) -> Path:
    """The model of a row."""
    from tests.oracle.corpus import entry

    if name in MADE:
        path = folder / f"{name.replace(',', '').replace(' ', '_')}.xml"
        path.write_text(many_geoms(**MADE[name]))
        return path
    robot = ROBOTS["humanoid" if name in BESIDE else LATENCY.get(name, name)]
    return entry(robot).path if robot else bundled_model("humanoid.xml")


def row(name: str, seconds: float) -> dict | list[dict]:
    """The figures of a row, measured in a process of its own; a list of rows where they are of latency. Raises RuntimeError where that fails."""
    with tempfile.TemporaryDirectory() as folder:
        model = path_of(name, Path(folder))
        command = [sys.executable, "-m", "benchmarks.window", "--measure", name, str(model), "--seconds", str(seconds)]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LINKWORK_STATE": folder})
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr[-2000:]}")
    found = json.loads(done.stdout.splitlines()[-1])
    return {"name": name, **found} if name not in LATENCY else [{"model": LATENCY[name], **one} for one in found]


def measured(name: str, model: Path, seconds: float) -> dict | list[dict]:
    """The same in this process."""
    if name in BESIDE:
        return window_beside.measure(model, name, seconds)
    if name not in LATENCY:
        return measure(model, seconds, name in MADE)
    with tempfile.TemporaryDirectory() as folder:
        if name.startswith("gestures"):
            return gestures.measure(model, Path(folder))
        if name == "tuner handle":
            return tuner_handle.measure(model, Path(folder))
        return latency.measure(model, Path(folder), structural_only=name != "latency")


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--measure", nargs=2, metavar=("NAME", "MODEL"), help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.measure:
        print(json.dumps(measured(chosen.measure[0], Path(chosen.measure[1]), chosen.seconds)))
        return 0
    out = {"rows": [], "latency": []}
    for name in chosen.only:
        found = row(name, chosen.seconds)
        out["latency" if name in LATENCY else "rows"] += found if name in LATENCY else [found]
        for one in found if name in LATENCY else [found]:
            print({key: round(value, 1) if isinstance(value, float) else value for key, value in one.items()}, flush=True)
        print(f"machine load {machine_load():.1f}", flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps(out, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
