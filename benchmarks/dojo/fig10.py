"""Figure 10, the condition of the Newton matrix at the end of a step: `python -m benchmarks.dojo.fig10 [--atlas URDF] [--states N]`.

The matrix R of (29) is that of the whole maximal system - bodies, joints' impulses, cones - which the engine never builds: it comes from the plain twin (tests/naive/hard), which takes
the same iterates. States are taken from the drops of drops.py at a step of 10 ms, evenly among those with contacts near. Printed is cond(R) where the step has ended, for falling
tolerances of complementarity with a residual of 1e-8: the aims are the paper's ends of the curves, below 1e9 at 1e-8 and below 1e4 at 0.1 (where it prints 1e-4, which is a misprint).
"""
from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

import physics
from benchmarks.dojo.drops import Drop, drops
from benchmarks.dojo.fig9 import SHARP, STEP, TOLERANCES, State, states
from benchmarks.dojo.hard_run import hard_model
from benchmarks.dojo.tables import print_table
from physics.hard.gradients import Scratch, solved
from tests.naive.hard.newton import solve
from tests.naive.hard.system import System

LIMITS = {1e-1: 1e4, 1e-8: 1e9}     # of cond(R)


def plain_states(robot: Drop, n: int) -> list[State]:
    """n states of a drop, evenly among those with contacts near: where nothing overlaps at the start, and a step needs no look at its end and no parts."""
    m = hard_model(robot.text(STEP))
    d, found = physics.Data(m), []
    for state in states(robot):
        d.qpos[:], d.qvel[:] = state
        physics.step(m, d)
        if not d.hard_looked and not d.hard_halved and not d.hard_overlap:
            found.append(state)
    return [found[k] for k in np.linspace(0, len(found) - 1, min(n, len(found))).astype(int)]


def condition(robot: Drop, state: State, ktol: float) -> tuple[float, int]:
    """(cond(R) at the end of the step from a state, iterations of the twin). Raises RuntimeError where the twin does not end."""
    m = hard_model(robot.text(STEP))
    m.opt_hard_looks = 0
    d = physics.Data(m)
    d.qpos[:], d.qvel[:] = state
    twin = System(m, solved(m, d, Scratch()))
    done, passed = solve(twin, SHARP, ktol)
    if not done:
        raise RuntimeError(f"the twin does not end at {ktol:g}")
    return float(np.linalg.cond(twin.matrix())), len(passed) - 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; 1 where a median is above its limit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--atlas", help="path of Dojo.jl's atlas_simple.urdf")
    parser.add_argument("--states", type=int, default=8)
    options = parser.parse_args(arguments)
    physics.ensure_kernels()
    physics.ensure_hard()
    bad = 0
    for name, robot in drops(options.atlas).items():
        taken, rows = plain_states(robot, options.states), []
        for tolerance in TOLERANCES:
            found = [condition(robot, state, tolerance) for state in taken]
            size, limit = np.array([c for c, _n in found]), LIMITS.get(tolerance)
            bad += limit is not None and np.median(size) > limit
            rows.append((f"{tolerance:g}", limit and f"{limit:.0e}", None, f"{np.median(size):.1e} (max {size.max():.1e})", f"{np.median([n for _c, n in found]):g}"))
        print_table(f"Figure 10, {name}: cond(R) at the end of {len(taken)} steps", rows, ("tolerance", "paper, at most", "repository", "ours, median", "iterations"))
    return int(bad > 0)


if __name__ == "__main__":
    raise SystemExit(main())
