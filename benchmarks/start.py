"""Start of the program: `python -m benchmarks.start [--json FILE]` (docs/agreement.md, 'Start').

From process start to the first model-coloured pixel on a virtual display, median of 5 launches, with a warm and with an empty kernel
cache. The pixels are read from the display server's memory-mapped framebuffer, so that looking costs the program nothing. Then the default
model from process start until it moves (0.1 s of simulated time have passed in the window), with its causes, median of --motions launches.
"""
import argparse
import json
import mmap
import os
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmarks.measuring import machine_load

BYTECODE = Path(tempfile.gettempdir()) / f"linkwork-bytecode-{os.getuid()}"
LAUNCHES = 5
TIMEOUT = 60.0
MOTIONS, MOTION_TIMEOUT = 3, 200.0
ENOUGH_PIXELS = 60
WIDTH, HEIGHT = 1600, 1000
MODEL = """<mujoco model="start">
  <visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/><map haze="0"/></visual>
  <statistic center="0 0 .5" extent="2"/>
  <worldbody>
    <geom type="plane" size="0 0 .1" rgba=".3 .3 .3 1"/>
    <body pos="0 0 .8"><freejoint/><geom type="sphere" size=".5" rgba="1 0 1 1"/></body>
    <body pos="0 1 .8"><freejoint/><geom type="capsule" size=".2 .3" rgba="1 0 1 1"/></body>
    <body pos="0 -1 .8"><joint axis="0 1 0"/><geom type="box" size=".2 .2 .3" rgba="1 0 1 1"/></body>
  </worldbody>
</mujoco>
"""


class Screen:
    """A virtual display whose pixels can be read from a file."""

    def __init__(self, folder: Path):
        for number in range(90, 200):
            if not Path(f"/tmp/.X{number}-lock").exists():
                break
        self.name = f":{number}"
        command = ["Xvfb", self.name, "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-fbdir", str(folder), "-nolisten", "tcp", "+extension", "GLX"]
        self._server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        file = folder / "Xvfb_screen0"
        deadline = time.monotonic() + 10
        while not Path(f"/tmp/.X11-unix/X{number}").exists() or not file.exists() or file.stat().st_size < WIDTH * HEIGHT * 4:
            if time.monotonic() > deadline:
                raise RuntimeError("the virtual display did not start")
            time.sleep(0.02)
        with file.open("rb") as handle:
            self._memory = mmap.mmap(handle.fileno(), 0, access=mmap.ACCESS_READ)
        header, colours = struct.unpack(">I", self._memory[:4])[0], struct.unpack(">I", self._memory[76:80])[0]
        self._offset = header + 12 * colours

    def model_pixels(self) -> int:
        """How many pixels have the colour of the model."""
        pixels = np.frombuffer(self._memory, np.uint8, WIDTH * HEIGHT * 4, self._offset).reshape(-1, 4)[::3].astype(np.int16)
        blue, green, red = pixels[:, 0], pixels[:, 1], pixels[:, 2]
        return int(((red > 200) & (green < 40) & (blue > 200)).sum())

    def close(self) -> None:
        self._server.terminate()
        self._server.wait()


def environment_of(display: str, folder: Path, cache: Path) -> dict[str, str]:
    """Of a launch: Python's bytecode is there, as it is from the second start on, whatever this process has of it."""
    environment = {**os.environ, "DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "LINKWORK_CACHE": str(cache),
                   "LINKWORK_SETTINGS": str(folder / "settings.ini"), "LIBGL_ALWAYS_SOFTWARE": "1", "PYTHONPYCACHEPREFIX": str(BYTECODE)}
    for name in ("WAYLAND_DISPLAY", "PYTHONDONTWRITEBYTECODE"):
        environment.pop(name, None)
    return environment


def launch(model: Path, folder: Path, cache: Path, screen_folder: Path) -> float:
    """Seconds from process start to the first model-coloured pixels. Raises RuntimeError when they do not come."""
    screen = Screen(screen_folder)
    try:
        environment = environment_of(screen.name, folder, cache)
        begun = time.perf_counter()
        program = subprocess.Popen([sys.executable, "-m", "app.main", str(model), "--reset-layout"], env=environment,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        try:
            while screen.model_pixels() < ENOUGH_PIXELS:
                if program.poll() is not None or time.perf_counter() - begun > TIMEOUT:
                    program.kill()
                    raise RuntimeError(f"no picture: {program.stderr.read().decode()[-2000:]}")
                time.sleep(0.005)
            return time.perf_counter() - begun
        finally:
            program.kill()
            program.wait()
    finally:
        screen.close()


def launch_until_motion(folder: Path, cache: Path, screen_folder: Path) -> dict[str, float]:
    """Seconds from process start to each thing that benchmarks/first_motion.py tells of. Raises RuntimeError when the model does not move."""
    screen = Screen(screen_folder)
    try:
        environment = environment_of(screen.name, folder, cache)
        done = subprocess.run([sys.executable, "-m", "benchmarks.first_motion", str(time.time())], env=environment, capture_output=True, text=True,
                              timeout=MOTION_TIMEOUT)
        found = {row["what"]: row["seconds"] for row in map(json.loads, done.stdout.splitlines())}
        if "first motion" not in found:
            raise RuntimeError(f"no motion: {done.stderr[-2000:]}")
        return found
    finally:
        screen.close()


def measure_motion(kind: str, launches: int) -> dict:
    """Row of the first motion with a 'warm' or an 'empty' kernel cache: medians of the times, and of what each part took."""
    with tempfile.TemporaryDirectory() as temporary:
        folder, runs = Path(temporary), []
        for i in range(launches):
            screen_folder = folder / f"screen{i}"
            screen_folder.mkdir()
            runs.append(launch_until_motion(folder, _warm_cache() if kind == "warm" else folder / f"cache{i}", screen_folder))
    at = {what: statistics.median(run[what] for run in runs) for what in runs[0] if all(what in run for run in runs)}
    order = sorted(at, key=at.get)
    parts = {what: at[what] - at[before] for before, what in zip([None, *order], order) if before} | {order[0]: at[order[0]]}
    return {"motion": kind, "median_s": at["first motion"], "at_s": at, "parts_s": parts, "load": machine_load()}


def _warm_cache() -> Path:
    return Path(os.environ.get("LINKWORK_CACHE", Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "linkwork"))


def measure(kind: str, launches: int = LAUNCHES) -> dict:
    """Row for a 'warm' or an 'empty' kernel cache."""
    seconds = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "start.xml").write_text(MODEL)
        for i in range(launches):
            cache = _warm_cache() if kind == "warm" else folder / f"cache{i}"
            screen_folder = folder / f"screen{i}"
            screen_folder.mkdir()
            seconds.append(launch(folder / "start.xml", folder, cache, screen_folder))
    return {"cache": kind, "median_s": statistics.median(seconds), "seconds": seconds, "load": machine_load()}


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--launches", type=int, default=LAUNCHES)
    parser.add_argument("--motions", type=int, default=MOTIONS)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    if shutil.which("Xvfb") is None:
        print("Xvfb is needed (Debian package xvfb)", file=sys.stderr)
        return 2
    measure("warm", 1)      # writes the bytecode of what is not known of it yet
    rows = []
    for kind in ("warm", "empty"):
        row = measure(kind, chosen.launches)
        rows.append(row)
        print(f"{kind:5} cache: first model pixel after {row['median_s']:.2f} s (median of {chosen.launches}: "
              f"{', '.join(f'{s:.2f}' for s in row['seconds'])}; load {row['load']:.1f})", flush=True)
    figures = {f"first_picture_{row['cache']}_s": row["median_s"] for row in rows}
    for kind in ("warm", "empty"):
        row = measure_motion(kind, chosen.motions)
        rows.append(row)
        figures[f"first_motion_{kind}_s"] = row["median_s"]
        parts = ", ".join(f"{what} {seconds:.2f}" for what, seconds in sorted(row["parts_s"].items(), key=lambda part: row["at_s"][part[0]]))
        print(f"{kind:5} cache: first motion after {row['median_s']:.2f} s (median of {chosen.motions}; {parts}; load {row['load']:.1f})", flush=True)
    if chosen.json:
        chosen.json.write_text(json.dumps({"rows": rows, **figures}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
