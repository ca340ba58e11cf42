"""Figure 9, iterations of a step against its tolerances: `python -m benchmarks.dojo.fig9 [--atlas URDF] [--primal N]`.

Robots are dropped (drops.py) at a step of 10 ms, and from each state on the way with contacts near a step is solved: the median and the largest number of iterations for falling tolerances
of complementarity with a residual of 1e-8, and for falling tolerances of the residual with a complementarity of 0.1. The paper's three robots are not named, and its curves have no numbers but their ends:
primal-dual iterations that grow by a few where those of a primal method grow without end. Counted are all iterations of a step, with those after a second look at the contacts.
Beside them stands the method without dual variables (primal.py), from N of the states (0: none; it is slow).
"""
from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

import physics
from benchmarks.dojo.drops import Drop, drops
from benchmarks.dojo.hard_run import hard_model, run_steps
from benchmarks.dojo.primal import solve_primal, twin_at
from benchmarks.dojo.tables import print_table

STEP = 0.01     # s
TOLERANCES = (1e-1, 1e-2, 1e-4, 1e-6, 1e-8)
SHARP, LOOSE = 1e-8, 1e-1   # the residual's while that of complementarity falls, and the other way round
MOST = 15       # median at 1e-8


class State(NamedTuple):
    """Where a step begins."""

    qpos: np.ndarray
    qvel: np.ndarray


def states(robot: Drop) -> list[State]:
    """Those of a drop, at the sharp tolerances, from which a step has contacts to solve for. Raises RuntimeError where a step does not happen."""
    m = hard_model(robot.text(STEP), SHARP)
    d = physics.Data(m)
    robot.put(m, d)
    passed = [State(d.qpos.copy(), d.qvel.copy())]
    near: list[bool] = []

    def note() -> None:
        passed.append(State(d.qpos.copy(), d.qvel.copy()))
        near.append(d.hard_nrow > 0)

    run_steps(m, d, round(robot.seconds / STEP), note)
    return [state for state, counts in zip(passed, near) if counts]


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


def iterations(robot: Drop, begun: Sequence[State], rtol: float, ktol: float) -> np.ndarray:
    """Of a step from each of these states. Raises RuntimeError where one does not happen."""
    m = hard_model(robot.text(STEP), rtol)
    m.opt_hard_ktol = ktol
    d, found = physics.Data(m), []
    for state in begun:
        d.qpos[:], d.qvel[:] = state
        found += run_steps(m, d, 1).iterations
    return np.array(found)


def primal_iterations(robot: Drop, begun: Sequence[State], rtol: float, ktol: float) -> str:
    """Those of the method without dual variables: the median of the steps that it ends, and how many these are."""
    found = [solve_primal(twin_at(robot.text(STEP), state), rtol, ktol) for state in begun]
    counts = [n for done, n in found if done]
    return f"{np.median(counts) if counts else np.nan:g} ({len(counts)} of {len(found)} ended)"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; 1 where a median at the sharpest tolerance is above MOST."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--atlas", help="path of Dojo.jl's atlas_simple.urdf")
    parser.add_argument("--primal", type=int, default=3)
    options = parser.parse_args(arguments)
    physics.ensure_kernels()
    physics.ensure_hard()
    bad = 0
    for name, robot in drops(options.atlas).items():
        begun, rows = states(robot), []
        few = plain_states(robot, options.primal)
        for tolerance in TOLERANCES:
            by_kappa, by_residual = iterations(robot, begun, SHARP, tolerance), iterations(robot, begun, tolerance, LOOSE)
            most = MOST if tolerance == SHARP else None
            bad += tolerance == SHARP and np.median(by_kappa) > MOST
            rows.append((f"{tolerance:g}", most, f"{np.median(by_kappa):g} (max {by_kappa.max()})", f"{np.median(by_residual):g} (max {by_residual.max()})",
                         *(primal_iterations(robot, few, *both) if few else None for both in ((SHARP, tolerance), (tolerance, LOOSE)))))
        print_table(f"Figure 9, {name}: iterations, median of {len(begun)} steps with contacts", rows,
                    ("tolerance", "paper, at most", f"ours, of complementarity (residual {SHARP:g})", f"ours, of the residual (complementarity {LOOSE:g})", "primal", "primal, of the residual"))
    return int(bad > 0)


if __name__ == "__main__":
    raise SystemExit(main())
