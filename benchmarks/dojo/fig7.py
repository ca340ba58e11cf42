"""Figure 7, the same drop at 20 to 500 Hz: `python -m benchmarks.dojo.fig7 [--atlas URDF]`.

A1 and Atlas fall by half a metre; printed is the height of the torso at the end and how far it is, at most and in the mean of squares, from that at 100 Hz at the same times. The
paper draws the curves, which lie on each other, and gives no numbers: beside ours are those of a prototype of its method at the same drops. A1's are the limits; Atlas falls over, and
where it is then hangs on how it has landed. The official engine runs the same models: at the lowest rates it diverges or is thrown back.
"""
from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

import mujoco
import numpy as np

import physics
from benchmarks.dojo.atlas import absent
from benchmarks.dojo.drops import Drop, drops
from benchmarks.dojo.hard_run import hard_model, run_steps
from benchmarks.dojo.tables import print_table

RATES = (20, 50, 100, 200, 500)     # Hz
AGAINST = 100
# robot -> rate -> largest deviation from the curve at 100 Hz [m], by a prototype
PROTOTYPE = {"A1": {20: 0.06, 50: 0.015}, "Atlas": {20: 0.09, 50: 0.017}}
LIMITED = ("A1",)


class Fall(NamedTuple):
    """times [s] and heights [m] of the torso, from the start on; counts: how the steps fared."""

    times: np.ndarray
    heights: np.ndarray
    counts: str


def fall(robot: Drop, rate: int) -> Fall:
    """A drop under the hard engine."""
    m = hard_model(robot.text(1 / rate))
    d = physics.Data(m)
    robot.put(m, d)
    heights = [float(d.qpos[robot.height])]
    fared = run_steps(m, d, round(robot.seconds * rate), lambda: heights.append(float(d.qpos[robot.height])))
    return Fall(np.arange(len(heights)) / rate, np.array(heights), f"{fared}, {fared.counts}")


def official(robot: Drop, rate: int) -> Fall | None:
    """The same by the official engine; None where it diverges."""
    mine = physics.load_string(robot.text(1 / rate))
    start = physics.Data(mine)
    robot.put(mine, start)
    m = mujoco.MjModel.from_xml_string(robot.text(1 / rate))
    d = mujoco.MjData(m)
    d.qpos[:] = start.qpos
    heights = [float(d.qpos[robot.height])]
    for _ in range(round(robot.seconds * rate)):
        mujoco.mj_step(m, d)
        heights.append(float(d.qpos[robot.height]))
        if d.warning[mujoco.mjtWarning.mjWARN_BADQACC].number:
            return None
    return Fall(np.arange(len(heights)) / rate, np.array(heights), "")


def deviation(one: Fall, other: Fall) -> tuple[float, float]:
    """(largest, root of the mean square) of the difference of heights [m], at the times of the one that has fewer."""
    few, many = sorted((one, other), key=lambda f: len(f.times))
    off = few.heights - np.interp(few.times, many.times, many.heights)
    return float(np.abs(off).max()), float(np.sqrt((off * off).mean()))


def table(name: str, robot: Drop) -> tuple[list[tuple], int]:
    """(rows, how many rates are beyond their limit)."""
    middle, theirs = fall(robot, AGAINST), official(robot, AGAINST)
    rows, beyond = [], 0
    for rate in RATES:
        ours, other = fall(robot, rate), official(robot, rate)
        largest, mean = deviation(ours, middle)
        limit = PROTOTYPE.get(name, {}).get(rate)
        beyond += name in LIMITED and limit is not None and largest > limit
        rows.append((f"{rate} Hz", limit, f"{largest:.4f}", f"{mean:.4f}", f"{ours.heights[-1]:.4f}", ours.counts,
                     "diverges" if other is None else "-" if theirs is None else f"{deviation(other, theirs)[0]:.4f}"))
    return rows, beyond


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; 1 where a curve is farther off than its limit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--atlas", help="path of Dojo.jl's atlas_simple.urdf")
    options = parser.parse_args(arguments)
    physics.ensure_kernels()
    physics.ensure_hard()
    mujoco.set_mju_user_warning(lambda text: None)
    robots, bad = drops(options.atlas), 0
    for name in PROTOTYPE:
        if name not in robots:
            print(absent(), flush=True)
            continue
        rows, beyond = table(name, robots[name])
        bad += beyond
        print_table(f"Figure 7, {name}: height of the torso against that at {AGAINST} Hz [m]", rows,
                    ("rate", "prototype", "ours, largest", "root mean square", "height at the end", "iterations, coarse/halved/failed", f"official {mujoco.__version__}, largest"))
    return int(bad > 0)


if __name__ == "__main__":
    raise SystemExit(main())
