"""Collision of many free spheres, ours beside the official engine: `python -m benchmarks.broad [--counts N ...] [--json FILE]`.

Two densities: 'gas' (a sphere meets about one other's bounds in twenty) and 'packed' (a random pile, about six neighbours each), above a
plane. Positions drift as spheres do that move by a hundredth of their radius a step, the same for both engines; a figure is the median CPU time of
the whole collision stage (broad and narrow phase) at one of these positions. `growth` is the exponent of time over count from one row to the next:
1 is linear. Contacts must be the same in number at every position, else the row says so and has no figures.
"""
import argparse
import json
import math
import statistics
import sys
from pathlib import Path

import mujoco
import numpy as np

import physics
from benchmarks.measuring import cpu_seconds, machine_load, pin_to_one_core
from benchmarks.official import silent_clock
from physics.engine.collide.broad_phase import broad
from physics.engine.collide.collision import collision
from physics.simulate.step import grow

COUNTS = (100, 300, 1000, 3000, 10000)
SPACING = {"gas": 3.0, "packed": 1.65}   # cube root of the room per sphere, in radii
RADIUS = 0.1
FRAMES = 24
DRIFT = 0.01   # movement from one position to the next, in radii


def text(count: int) -> str:
    """A plane and free spheres."""
    body = f'<body><freejoint/><geom size="{RADIUS}"/></body>'
    return f'<mujoco><size memory="4G"/><worldbody><geom type="plane" size="0 0 1"/>{body * count}</worldbody></mujoco>'


def positions(count: int, spacing: float) -> np.ndarray:
    """(FRAMES, count, 3) places in a cube on the ground, drifting."""
    rng = np.random.default_rng(count)
    side = spacing * RADIUS * count ** (1 / 3)
    at = rng.uniform(0, side, (count, 3))
    speed = rng.normal(size=(count, 3)) * DRIFT * RADIUS
    return np.array([at + k * speed for k in range(FRAMES)])


class Scene:
    """Both engines with the same spheres; only collision is called."""

    def __init__(self, count: int):
        self.official_model = mujoco.MjModel.from_xml_string(text(count))
        self.official = mujoco.MjData(self.official_model)
        self.ours_model = physics.load_string(text(count))
        self.ours = physics.Data(self.ours_model)
        mujoco.mj_kinematics(self.official_model, self.official)

    def place(self, at: np.ndarray) -> None:
        self.official.geom_xpos[1:] = at
        self.ours.geom_xpos[:], self.ours.geom_xmat[:] = self.official.geom_xpos, self.official.geom_xmat

    def collide(self) -> None:
        """Once in both, with room."""
        mujoco.mj_collision(self.official_model, self.official)
        collision(self.ours_model, self.ours)
        while grow(self.ours):
            collision(self.ours_model, self.ours)


def measure(count: int, kind: str) -> dict:
    """One row of the table."""
    scene, frames = Scene(count), positions(count, SPACING[kind])
    row = {"count": count, "kind": kind, "ours_us": None, "official_us": None, "broad_us": None, "speedup": None, "ncon": None, "why": ""}
    times = {"ours": [], "official": [], "broad": []}
    for k, at in enumerate(frames):
        scene.place(at)
        if k == 0:
            scene.collide()
        order = (("ours", lambda: collision(scene.ours_model, scene.ours)), ("official", lambda: mujoco.mj_collision(scene.official_model, scene.official)))
        for name, call in order if k % 2 else order[::-1]:
            times[name].append(cpu_seconds(call))
        if scene.ours.need_ncon:
            scene.collide()
            times["ours"].pop()
            times["official"].pop()
        if scene.ours.ncon != scene.official.ncon:
            row["why"] = f"{scene.ours.ncon} contacts, officially {scene.official.ncon}"
            return row
        times["broad"].append(cpu_seconds(lambda: broad(scene.ours_model, scene.ours)))
    row |= {f"{name}_us": statistics.median(values) * 1e6 for name, values in times.items()}
    row |= {"speedup": row["official_us"] / row["ours_us"], "ncon": int(scene.ours.ncon), "load": machine_load()}
    return row


def table(counts) -> list[dict]:
    """All rows, with the exponent of growth from the row before."""
    rows = []
    for kind in SPACING:
        before = None
        for count in counts:
            row = measure(count, kind)
            for name in ("ours", "official"):
                old = before and before[f"{name}_us"]
                row[f"{name}_growth"] = math.log(row[f"{name}_us"] / old) / math.log(count / before["count"]) if old and row[f"{name}_us"] else None
            rows.append(row)
            before = row
            print(line(row), flush=True)
    return rows


def line(row: dict) -> str:
    if row["why"]:
        return f"{row['kind']:7}{row['count']:7}  {row['why']}"
    growth = "  ".join(f"{row[f'{name}_growth']:5.2f}" if row[f"{name}_growth"] is not None else "    -" for name in ("ours", "official"))
    return (f"{row['kind']:7}{row['count']:7}{row['ncon']:8}{row['ours_us']:11.1f}{row['broad_us']:11.1f}{row['official_us']:11.1f}"
            f"{row['speedup']:9.2f}  {growth}")


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--counts", nargs="*", type=int, default=COUNTS)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args(arguments)
    physics.compile_kernels()
    pin_to_one_core()
    print("kind    spheres contacts    ours us   broad us official us  speedup  growth ours, official")
    with silent_clock():
        rows = table(chosen.counts)
    if chosen.json:
        chosen.json.write_text(json.dumps({"rows": rows}, indent=1, allow_nan=False))
    return 0


if __name__ == "__main__":
    sys.exit(main())
