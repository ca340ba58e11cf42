"""Figure 12, identification from recorded tosses: `python -m benchmarks.dojo.fig12 --data FOLDER [--engine soft|hard] [--tosses N] [--iterations N]`.

100 tosses of a cube (github.com/DAIRLab/contact-nets, BSD-3; as text in github.com/dojo-sim/Dojo.jl, examples/system_identification/data/experiment/tosses_csv):
its friction and its eight corners, 25 numbers, from three time steps of each. Lengths are in units of 0.05 m, so that a corner's true numbers are 1.

The script's start has all corners twice as far out as they are, deep in the floor. There the engine says little of them: an overlap of the start stays as it is, where the paper's method
throws the cube out in one step. So that the first iterations count the overlaps of the measured states besides, and more than all else; the loss that is printed is without them. Steps are
bounded: a corner that is drawn in too far touches nothing any more, and nothing draws it out again.
"""
from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

import physics
from benchmarks.dojo import planning_models
from benchmarks.dojo.engines import ByEngine, add_engine, by_engine
from benchmarks.dojo.tables import print_table
from physics.model.model import Model
from physics.optimise import IdentifyOptions, IdentifyResult, Motion, Parameter, Progress, fit_parameters

H = 1 / 148
FIRST, STEPS = 50, 3    # of a toss's lines, counted from 1; steps that are predicted
KAPPA = 3e-4
POINTS = tuple(product((-1, 1), (1, -1), (1, -1)))     # signs of z, x, y
LEAST, START, MOST = 0.05, 2.0, 2.0
OVERLAP, FIRST_ITERATIONS = 100.0, 8    # weight of the measured states' overlaps, and in how many iterations they count
FARTHEST = (0.2, 0.05)      # step of a corner, at most, in those and after them
FLOOR = 1e-4                # of the damping: corners that the tosses hardly tell of stay where they are
PAPER = (22.1, 3.2, 0.2325)     # loss, mean error of corners in %, friction: the loss is a prototype's, the rest of the repository's stored solution


def read_toss(path: Path, m: Model) -> Motion:
    """A toss's lines as a motion: positions of each line (place, quaternion), velocities from the line before."""
    lines = np.loadtxt(path, delimiter=",", skiprows=FIRST - 1, max_rows=STEPS + 2)
    qpos = lines[:, :7]
    qvel = np.array([physics.differentiate_pos(m, a, b, H) for a, b in zip(qpos, qpos[1:])])
    return Motion(qpos[1:], qvel, np.zeros((STEPS, 0)))


def parameters() -> list[Parameter]:
    """Friction, which all points share, and where each of them is."""
    found = [Parameter("geom_friction", tuple(f"p{k}" for k in range(8)), 0, 0.0, 0.8, 0.4)]
    for k, (z, x, y) in enumerate(POINTS):
        for column, sign in enumerate((x, y, z)):
            low, high = (LEAST, MOST) if sign > 0 else (-MOST, -LEAST)
            found.append(Parameter("geom_pos", f"p{k}", column, low, high, 1.0))
    return found


class Identified(NamedTuple):
    """start: loss at the script's start; the fit without overlaps; iterations of both."""

    start: float
    fit: IdentifyResult
    iterations: int


def identify(engine: ByEngine, motions: Sequence[Motion], iterations: int = 20, report=None) -> Identified:
    """As the script of the repository has it: weights 1 for places and quaternions, 0.1 for velocities."""
    m = engine.load(lambda steps: planning_models.tossed_cube())
    quarter = 0.25      # a quaternion's difference is half an angle
    options = IdentifyOptions(qpos=(1, 1, 1, quarter, quarter, quarter), qvel=0.1, iterations=0, loss_tolerance=1e-6, floor=FLOOR)
    start = fit_parameters(m, parameters(), motions, options)
    first = replace(options, iterations=min(FIRST_ITERATIONS, iterations), overlap=OVERLAP, farthest=FARTHEST[0])
    shaped = fit_parameters(m, parameters(), motions, first, report=report)
    last = replace(options, iterations=iterations - first.iterations, farthest=FARTHEST[1])
    found = fit_parameters(m, parameters(), motions, last, start=shaped.values, report=report)
    return Identified(start.loss, found, len(shaped.losses) + len(found.losses) - 2)


def corner_error(values: np.ndarray) -> float:
    """How far the mean of the corners' numbers is from the truth [%]."""
    return 100 * abs(1 - float(np.abs(values[1:]).mean()))


def main(arguments: Sequence[str] | None = None) -> int:
    """Identify and print; 1 where the loss or the corners' error is above the paper's, 2 where there are no data."""
    parser = argparse.ArgumentParser(description="Figure 12: a cube's friction and corners from tosses.")
    add_engine(parser)
    parser.add_argument("--data", type=Path, help="folder of 0.csv, 1.csv, ...")
    parser.add_argument("--tosses", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=20)
    args = parser.parse_args(arguments)
    files = [] if args.data is None else [path for k in range(args.tosses) if (path := args.data / f"{k}.csv").is_file()]
    if not files:
        print("no tosses: give --data FOLDER with 0.csv, 1.csv, ... (see above: python -m pydoc benchmarks.dojo.fig12)" if args.data is None else f"no tosses in {args.data}")
        return 2
    engine = by_engine(args.engine, KAPPA, 1)
    m = physics.load_string(planning_models.tossed_cube())
    motions = [read_toss(path, m) for path in files]
    start = time.perf_counter()

    def report(progress: Progress) -> None:
        print(f"  {progress.done} loss {progress.value:.4f}")

    found = identify(engine, motions, args.iterations, report)
    fit, (loss, error, friction) = found.fit, PAPER
    print_table(f"Figure 12, engine {args.engine}, {len(motions)} tosses", [
        ("loss at the start", None, None, found.start), ("loss", None, loss, fit.loss), ("mean error of corners [%]", 5.0, error, corner_error(fit.values)),
        ("largest [%]", None, 5.5, 100 * float(np.abs(np.abs(fit.values[1:]) - 1).max())), ("friction (0.18 in contact-nets)", None, friction, float(fit.values[0])),
        (f"{found.iterations} iterations, {fit.why}, {time.perf_counter() - start:.1f} s", "", "", "")])
    return int(fit.loss > loss or corner_error(fit.values) > error)


if __name__ == "__main__":
    sys.exit(main())
