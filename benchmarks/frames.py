"""Cost of a picture beside the official renderer: `python -m benchmarks.frames [--only NAME ...] [--rounds N] [--json FILE]` (docs/agreement.md, 'Frames').

Two child processes take turns (frame_painter.py), so that drift of the machine cancels: `mujoco.Renderer` with MUJOCO_GL=egl, and ours. Both
draw the same poses of the same model through its default camera: 1280 x 720, abstract scene and readback included. Forced alike: shadow maps
of 2048, 4 samples, a mirror at full resolution, and as visual/quality says the same tessellation; lights, textures, visible objects as the
model has them. 'plain' is without shadows and reflection, 'full' with both.
What ours does and the official does not: what is small in the picture or a shadow is drawn with fewer triangles, what is outside not at all;
where nothing but ground or sky is seen, which samples do not change, they are not written; ground that no shadow or mirror image can reach
looks for none (render/passes/regions.py). The pictures are the same.

`speedup`: median over rounds of official time / ours (above 1: ours is faster). Time is CPU time of all threads where the driver draws in
software, which other programs disturb least, else wall time. A row whose pictures differ by more than 8/255 on average is void.
"""
import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from benchmarks.frame_painter import ANSWER
from benchmarks.frame_scenes import POSES, SCENES, SceneOf, prepare
from benchmarks.measuring import machine_load, median_ratio
from render.quality import is_software

SIZE, SHADOW, SAMPLES = (1280, 720), 2048, 4
WANTED = 1.67
LARGEST_DIFFERENCE = 8.0
COMPARED = (0, 3)           # poses whose pictures are compared
TURN_MS = 1500.0            # about how long a side draws at a time, at most all poses
ROUNDS = 5


class Painter:
    """A child process that draws."""

    def __init__(self, side: str):
        self.process = subprocess.Popen([sys.executable, "-m", "benchmarks.frame_painter", side], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env={**os.environ, "MUJOCO_GL": "egl", "PYOPENGL_PLATFORM": "egl"} if side == "official" else None)

    def ask(self, **job) -> dict | None:
        """The answer to a request. Raises RuntimeError with what went wrong there."""
        self.process.stdin.write(json.dumps(job) + "\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith(ANSWER):
                answer = json.loads(line[len(ANSWER):])
                if answer and "error" in answer:
                    raise RuntimeError(answer["error"])
                return answer
        raise RuntimeError(f"the process that draws ended with {self.process.wait()}")

    def close(self):
        """End the process."""
        self.process.stdin.close()
        self.process.wait()


def settings(full: bool) -> str:
    """What both sides are forced to, in words."""
    return f"{SIZE[0]}x{SIZE[1]}, {SAMPLES} samples" + (f", shadow maps {SHADOW}, reflection at full resolution with all samples" if full else ", no shadows, no reflection")


def difference(sides: dict, folder: Path) -> float:
    """Mean absolute difference of the pictures over all channels [1/255], the worse of the compared poses."""
    found = []
    for pose in COMPARED:
        for name, side in sides.items():
            side.ask(do="picture", pose=pose, out=str(folder / f"{name}{pose}.npy"))
        theirs, mine = (np.load(folder / f"{name}{pose}.npy").astype(int) for name in ("official", "ours"))
        found.append(float(np.abs(theirs - mine).mean()))
    return max(found)


def row_of(scene: SceneOf, full: bool, sides: dict, folder: Path, rounds: int) -> dict:
    """One row of the table; `speedup` is None where it is void, `why` says so."""
    row = {"name": f"{scene.name} {'full' if full else 'plain'}", "speedup": None, "ours_ms": None, "official_ms": None, "difference": None,
           "settings": settings(full), "clock": None, "load": machine_load(), "why": ""}
    try:
        path, poses = prepare(scene, folder)
        np.save(folder / "poses.npy", poses)
        job = {"do": "open", "path": str(path), "poses": str(folder / "poses.npy"), "full": full, "size": SIZE, "shadow": SHADOW, "samples": SAMPLES}
        drivers = {name: side.ask(**job)["driver"] for name, side in sides.items()}
        row["driver"] = drivers["ours"]
        row["difference"] = difference(sides, folder)
        times = measure(sides, rounds)
    except (RuntimeError, ValueError) as error:
        return row | {"why": str(error)}
    clock = row["clock"] = "cpu_ms" if is_software(drivers["ours"]) and is_software(drivers["official"]) else "wall_ms"
    row |= {f"{name}_{k}": statistics.median(found[k]) for name, found in times.items() for k in found}
    row["ours_ms"], row["official_ms"] = row[f"ours_{clock}"], row[f"official_{clock}"]
    if row["difference"] > LARGEST_DIFFERENCE:
        return row | {"why": f"pictures differ by {row['difference']:.1f}/255"}
    return row | {"speedup": median_ratio(times["official"][clock], times["ours"][clock])}


def measure(sides: dict, rounds: int) -> dict:
    """{side: {clock: [median ms of a turn's frames, per round]}}, the sides in turn and each first every other round."""
    probe = max(side.ask(do="draw", frames=2)["frames"][-1]["wall_ms"] for side in sides.values())     # the first also warms up
    frames = int(np.clip(TURN_MS // probe, 1, POSES))
    times = {name: {"cpu_ms": [], "wall_ms": []} for name in sides}
    for k in range(rounds):
        for name in list(sides)[::-1 if k % 2 else 1]:
            found = sides[name].ask(do="draw", frames=frames)["frames"]
            for clock, values in times[name].items():
                values.append(statistics.median(frame[clock] for frame in found))
    return times


def text_of(row: dict) -> str:
    """A row as a line."""
    name = f"{row['name']:24}"
    if row["ours_ms"] is None:
        return f"{name} void: {row['why']}"
    speedup = f"{row['speedup']:5.2f}x" if row["speedup"] else f"  void ({row['why']})"
    return f"{name} ours {row['ours_ms']:7.1f} ms   official {row['official_ms']:7.1f} ms   {speedup}   difference {row['difference']:4.2f}/255   {row['settings']}"


def report(scenes, kinds, rounds: int, tell=print) -> list[dict]:
    """All rows, told one by one."""
    sides = {name: Painter(name) for name in ("official", "ours")}
    rows = []
    try:
        with tempfile.TemporaryDirectory() as folder:
            for scene in scenes:
                for full in kinds:
                    rows.append(row_of(scene, full, sides, Path(folder), rounds))
                    tell(text_of(rows[-1]))
    finally:
        for side in sides.values():
            side.close()
    return rows


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 if a row is void or slower than wanted."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.frames")
    parser.add_argument("--only", nargs="+", default=None, help=f"scenes: {', '.join(scene.name for scene in SCENES)}")
    parser.add_argument("--kind", choices=("plain", "full"), default=None)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", type=Path, default=None)
    chosen = parser.parse_args(arguments)
    scenes = [scene for scene in SCENES if not chosen.only or scene.name in chosen.only]
    kinds = [kind == "full" for kind in ("plain", "full") if chosen.kind in (None, kind)]
    rows = report(scenes, kinds, chosen.rounds)
    drivers = sorted({row.get("driver") or "no OpenGL" for row in rows})
    machine = f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}, load {machine_load():.1f}; {'; '.join(drivers)}"
    clock = next((row["clock"] for row in rows if row["clock"]), None)
    print(f"{machine}; {'CPU time of all threads' if clock == 'cpu_ms' else 'wall time'}")
    short = [row["name"] for row in rows if row["speedup"] is None or row["speedup"] < WANTED]
    print(f"{len(rows) - len(short)} of {len(rows)} rows at least {WANTED}{': below ' if short else ''}{', '.join(short)}")
    if chosen.json:
        chosen.json.write_text(json.dumps({"machine": machine, "rows": rows}, indent=1))
    return int(bool(short))


if __name__ == "__main__":
    sys.exit(main())
