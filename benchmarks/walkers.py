"""How well unknown walkers do what a pad commands: `python -m benchmarks.walkers FILE... [--seconds S] [--json FILE]`.

Each model begins in its qpos0, gets the drive that is proposed for a pad, stands up, and is told half and most of its speed forward and back, to a side, and to turn. Told are the speeds that were commanded and reached [m/s, rad/s], means over
the second half, and the least height and uprightness (cosine of the tilt) of its trunk; of a model without a proposal, why.
"""
import argparse
import json
from math import atan2, cos, sin
from pathlib import Path

import numpy as np

import physics
from app.inputs.mapping.proposals import not_legs, propose
from tests.app.inputs.devices import Desk

PAD = "pad:0"
TURN = 0.01         # s between two turns of the hub
STANDING = 2.5      # s until it stands
COMMANDS = ({}, {"lefty": -0.5}, {"lefty": -1.0}, {"lefty": 0.8}, {"leftx": -0.6}, {"rightx": -0.8}, {"lefty": -0.6, "rightx": 0.5})


def walk(m, drive, axes: dict, seconds: float) -> dict:
    """One command, from a stand."""
    desk = Desk(m, drive)
    trunk, limits = m.id("body", drive.body), drive.limits
    dof, every = int(m.body_dofadr[trunk]), max(1, round(TURN / m.opt.timestep))
    h, speeds, heights, upright = every * m.opt.timestep, [], [], []
    standing = round(STANDING / h)
    for k in range(standing + round(seconds / h)):
        desk.sample(PAD, axes=axes if k >= standing else {})
        desk.hub.turn(desk.now, h)
        desk.now += h
        desk.runner.step(every)
        if k < standing:
            continue
        turn = desk.data.body(trunk).xmat.reshape(3, 3)
        heading = atan2(turn[1, 0], turn[0, 0])
        vx, vy = desk.data.qvel[dof:dof + 2]
        heights.append(float(desk.data.body(trunk).xpos[2]))
        upright.append(float(turn[2, 2]))
        if k >= standing + 0.5 * seconds / h:
            speeds.append((vx * cos(heading) + vy * sin(heading), vy * cos(heading) - vx * sin(heading), desk.data.qvel[dof + 5]))
    told = (-axes.get("lefty", 0.0) * limits.speed, -axes.get("leftx", 0.0) * limits.speed, -axes.get("rightx", 0.0) * limits.turn)
    state = desk.hub.states[0]
    return {"commanded": [round(v, 2) for v in told], "reached": [round(float(v), 2) for v in np.mean(speeds, axis=0)], "height": round(min(heights), 3), "upright": round(min(upright), 3),
            "problems": [str(one) for one in state.problems]}


def measure(path: Path, seconds: float) -> dict:
    """All commands of one model."""
    m = physics.load(path, stand_ins=True)
    drive = next((one for one in propose(m, PAD).drives if one.kind == "legs"), None)
    if drive is None:
        return {"model": path.stem, "why not": not_legs(m) or "nothing in it looks like a walker"}
    found = {"model": path.stem, "feet": drive.feet, "options": dict(drive.options), "speed": drive.limits.speed}
    return found | {"walks": [walk(m, drive, axes, seconds) for axes in COMMANDS]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    physics.ensure_kernels()
    rows = []
    for path in chosen.files:
        rows.append(measure(path, chosen.seconds))
        walks = rows[-1].pop("walks", [])
        print(json.dumps(rows[-1]), flush=True)
        for one in walks:
            print("   ", json.dumps(one), flush=True)
        rows[-1]["walks"] = walks
    if chosen.json:
        chosen.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
