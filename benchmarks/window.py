"""How long the window does not answer: `xvfb-run -a python -m benchmarks.window [--only NAME ...] [--seconds S] [--json FILE]`

Each row opens a model in the real window (1400x900), in a process of its own, and watches the event loop from the call that opens it until some
seconds after its first picture. stall: gap between two turns of the GUI thread's event loop, of which there is one each 5 ms when nothing is
to be done [ms]; cpu: processor time that the GUI thread took between two turns, the most, which a busy machine does not lengthen [ms]; fps:
pictures a second from the first on.
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
from benchmarks.many_geoms import many_geoms
from benchmarks.measuring import machine_load

WINDOW, TICK_MS = (1400, 900), 5
SECONDS = 10.0          # after the first picture
PATIENCE = 300.0        # until then
MADE = {"50,000 geoms": {"geoms": 50_000, "bodies": 1_000}, "50,000 geoms, 5,000 meshes": {"geoms": 50_000, "bodies": 1_000, "meshes": 5_000}}
ROWS = ("humanoid", *MADE)


class Turns:
    """Looks at the clocks at every turn of the GUI thread's event loop."""

    def __init__(self):
        from PyQt6.QtCore import Qt, QTimer

        self.gaps: list[float] = []
        self.cpu: list[float] = []
        self._last = time.perf_counter(), time.thread_time()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._turn)
        self._timer.start(TICK_MS)

    def _turn(self) -> None:
        now = time.perf_counter(), time.thread_time()
        self.gaps.append(now[0] - self._last[0])
        self.cpu.append(now[1] - self._last[1])
        self._last = now


def measure(model: Path, seconds: float) -> dict:
    """Open the model in this process's window; the row's figures."""
    from PyQt6.QtCore import Qt
    from PyQt6.QtGui import QSurfaceFormat
    from PyQt6.QtWidgets import QApplication

    import physics
    from app import wire
    from app.settings import Settings
    from app.viewport.hosts import surface_format
    from physics.runtime.runner import Runner

    physics.compile_kernels()
    QSurfaceFormat.setDefaultFormat(surface_format())
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    app = QApplication([])
    runner = Runner()
    runner.start()
    application = wire.Application(Settings(str(Path(tempfile.mkdtemp()) / "settings.ini")), runner)
    application.window.resize(*WINDOW)
    application.window.show()
    runner.kernels_ready()
    _run(app, lambda: False, 1.0)       # the empty window is there
    application.viewport.frame_times = pictures = []
    turns, swapped = Turns(), []
    application.client.on_swap.append(lambda _event: swapped.append(len(pictures)))
    application.session.open(model, run=True)
    _run(app, lambda: swapped and len(pictures) > swapped[0], PATIENCE)
    first = len(pictures)
    _run(app, lambda: False, seconds)
    application.files.may_leave = lambda: True
    application.window.close()
    application.close()
    gaps = 1e3 * np.array(turns.gaps)
    p95, p99 = np.percentile(gaps, (95, 99))
    return {"model": model.name, "fps": (len(pictures) - first) / seconds, "stall_p95_ms": float(p95), "stall_p99_ms": float(p99),
            "stall_max_ms": float(gaps.max()), "cpu_max_ms": 1e3 * max(turns.cpu), "load": machine_load()}


def _run(app, condition, seconds: float) -> None:
    """The program's own event loop, until the condition holds or the time is over."""
    from PyQt6.QtCore import QTimer

    end, timer = time.monotonic() + seconds, QTimer()
    timer.timeout.connect(lambda: app.exit() if condition() or time.monotonic() > end else None)
    timer.start(50)
    app.exec()


def row(name: str, seconds: float) -> dict:
    """The figures of a row, measured in a process of its own. Raises RuntimeError where that fails."""
    with tempfile.TemporaryDirectory() as folder:
        model = bundled_model("humanoid.xml")
        if name in MADE:
            model = Path(folder) / f"{name.replace(',', '').replace(' ', '_')}.xml"
            model.write_text(many_geoms(**MADE[name]))
        command = [sys.executable, "-m", "benchmarks.window", "--measure", str(model), "--seconds", str(seconds)]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "LINKWORK_STATE": folder})
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr[-2000:]}")
    return {"name": name, **json.loads(done.stdout.splitlines()[-1])}


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=ROWS, default=ROWS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--measure", type=Path, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.measure:
        print(json.dumps(measure(chosen.measure, chosen.seconds)))
        return 0
    rows = []
    for name in chosen.only:
        rows.append(row(name, chosen.seconds))
        print({key: round(value, 1) if isinstance(value, float) else value for key, value in rows[-1].items()}, flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps({"rows": rows, "latency": []}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
