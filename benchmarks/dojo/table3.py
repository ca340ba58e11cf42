"""Table III, trajectory optimisation through contact: `python -m benchmarks.dojo.table3 [--engine soft|hard] [--only NAME ...] [--iterations N]`.

A box is moved right and up by three impulses, a hopper hops to a goal, a quadruped trots. Cost, largest violation of the goal and iterations of iLQR, beside the paper's.
Costs are the paper's: positions, velocities and impulses; its quaternion differences are half angles, so that an angle's weight is a quarter. Its starts and goals, too, at most 100
iterations, a penalty from 1 by factors of 10; goals are held to what the paper reports. Minimisations between two updates of the multipliers end soon (`loose`) as long as the goal is
missed, as the paper's do: the valley of the hopper's first one, without multipliers, is so flat that it would take all iterations. The box that is lifted does without. The hopper's first guess here carries its weight. The quadruped is planned with contacts that are a hundred times as smooth first (`smooth`, only the hard
engine): from the standing guess feet do not leave the ground otherwise, and the search ends in shuffling, at three times the cost. Iterations are those of both.

The repository's script gives one corner of the box a friction of 10: a row of its own. The boxes start from no impulse at all. With the soft engine they stay on the floor: a small impulse does not lift them, and derivatives say so.
"""
from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

import physics
from benchmarks.dojo import planning_models
from benchmarks.dojo.engines import ByEngine, add_engine, by_engine
from benchmarks.dojo.tables import print_table
from physics.model.data import Data
from physics.model.model import Model
from physics.optimise import ControlCost, ILQROptions, ILQRResult, Progress, State, StateCost, StateGoal, solve_ilqr

KAPPA = 3e-4
SMOOTH = 3e-2       # kappa of the quadruped's first plan [J]
QUARTER = 0.25      # |quaternion difference|^2 of a small angle^2


class Problem(NamedTuple):
    """Model, its start, first controls, costs, goals; outer: updates of multipliers; violation: of the goals, at most; tolerance, loose: of the cost, at the end and as long as goals are
    missed; smooth: kappa of a first plan [J], None: there is none."""

    m: Model
    d: Data
    controls: np.ndarray
    costs: tuple
    goals: tuple
    outer: int = 10
    violation: float = 3e-3
    tolerance: float = 1e-7
    loose: float | None = None
    smooth: float | None = None


def box(engine: ByEngine, goal: tuple[float, float, float], corner: float = 0.5) -> Problem:
    """1 m to the right, or up, in ten steps of 0.1 s. corner: friction of one corner."""
    m = engine.load(lambda steps: planning_models.box(steps=steps, corner=corner))
    d = Data(m)
    target = State(m.qpos0 + [*goal, 0, 0, 0, 0], np.zeros(6), np.zeros(0))
    weights = 2 * np.array([1, 1, 1, QUARTER, QUARTER, QUARTER])
    return Problem(m, d, np.zeros((10, 3)), (StateCost(weights, 2.0, target=target), ControlCost(2e-2)), (StateGoal(target),))


def hopper(engine: ByEngine) -> Problem:
    """Half a metre forwards and sideways in a hop of 1 s."""
    m = engine.load(lambda steps: planning_models.hopper(steps=steps))
    d, n = Data(m), 20
    above, there = (State(m.qpos0 + [0.5, 0.5, z, 0, 0, 0, 0, 0], np.zeros(7), np.zeros(0)) for z in (0.5, 0.0))
    qpos, qvel = 2 * np.array([1, 1, 1, .01, .01, .01, 1]), 2 * np.array([.1, .1, .1, .01, .01, .01, .01])
    targets = (above,) * (n // 2) + (there,) * (n // 2 + 1)
    hold = np.tile([0.0, 0.0, -0.05 * 4.18 * 9.81], (n, 1))
    return Problem(m, d, hold, (StateCost(qpos, qvel, target=targets), ControlCost(2e-2)), (StateGoal(there, qvel=[0, 1, 2], qpos=[0, 1, 2, 6]),),
                   violation=1e-3, tolerance=1e-4, loose=3e-3)


def quadruped(engine: ByEngine) -> Problem:
    """Two cycles of a trot, tracked over 2 s."""
    h = 0.05
    m = engine.load(lambda steps: planning_models.quadruped(h, steps))
    d = Data(m)
    qpos, qvel = planning_models.gait(h)
    track = tuple(State(q, v, np.zeros(0)) for q, v in zip(qpos, qvel))
    d.qpos[:], d.qvel[:] = qpos[0], qvel[0]
    places = 2 * h * np.array([.3, .05, .05, .01, .01, .01, *[.2] * 12])
    speeds = 2 * h * np.array([.01] * 6 + [.001] * 12)
    return Problem(m, d, np.tile(standing_impulses(m, qpos[0], h), (40, 1)), (StateCost(places, speeds, target=track), ControlCost(2 * h * 0.01)),
                   (StateGoal(track[-1], qpos=[0, 1, 2], qvel=False),), 5, 3e-4, 1e-4, 1e-3, SMOOTH)


def standing_impulses(m: Model, qpos: np.ndarray, h: float) -> np.ndarray:
    """What the joints give in a time h to hold the pose on four feet that carry alike."""
    still = physics.load_string(planning_models.quadruped())
    d = Data(still)
    d.qpos[:] = qpos
    physics.forward(still, d)
    weight = still.body_subtreemass[0] * 9.81 / 4
    carried = sum(physics.jac_site(still, d, name)[0][2] * weight for name, _front, _side in planning_models.LEGS)
    return h * (d.qfrc_bias - carried)[6:]


class Wanted(NamedTuple):
    """A row: how it is made, and (cost, violation, iterations) of the paper."""

    make: Callable[[ByEngine], Problem]
    paper: tuple[float, float, int]


PROBLEMS = {
    "box right": Wanted(lambda engine: box(engine, (0, 1, 0))._replace(tolerance=1e-5, loose=1e-3), (14.5, 3e-3, 30)),
    "box right, one corner's friction 10": Wanted(lambda engine: box(engine, (0, 1, 0), 10.0), (14.5, 3e-3, 30)),
    "box up": Wanted(lambda engine: box(engine, (0, 0, 1)), (14.5, 3e-3, 106)),
    "hopper": Wanted(hopper, (8.9, 1e-3, 96)),
    "quadruped": Wanted(quadruped, (2e-2, 3e-4, 20)),
}
BEST = {"box right": 14.509, "box up": 14.606}     # of the same costs without contact: a point mass


def solve(problem: Problem, engine: ByEngine, iterations: int = 100, report: Callable[[Progress], bool | None] | None = None) -> ILQRResult:
    """One row, its smooth plan counted."""
    options = ILQROptions(nstep=engine.steps, iterations=iterations, cost_tolerance=problem.tolerance, loose_tolerance=problem.loose, gradient_tolerance=1e-5,
                          constraint_tolerance=problem.violation, outer=problem.outer, penalty=1.0, penalty_factor=10.0, kappa=engine.kappa)
    controls, before = problem.controls, 0
    if problem.smooth is not None and engine.name == "hard":
        problem.m.opt_hard_kappa = problem.smooth
        roughly = replace(options, kappa=problem.smooth, cost_tolerance=1e-3, constraint_tolerance=1e-2)
        first = solve_ilqr(problem.m, problem.d, controls, problem.costs, problem.goals, roughly, report)
        problem.m.opt_hard_kappa = engine.kappa
        controls, before = first.controls, first.iterations
    found = solve_ilqr(problem.m, problem.d, controls, problem.costs, problem.goals, replace(options, iterations=iterations - before), report)
    return replace(found, iterations=before + found.iterations)


def main(arguments: Sequence[str] | None = None) -> int:
    """Solve the rows and print them; 1 where one did not converge."""
    parser = argparse.ArgumentParser(description="Table III: iLQR through contact.")
    add_engine(parser)
    parser.add_argument("--only", nargs="+", choices=tuple(PROBLEMS), default=tuple(PROBLEMS))
    parser.add_argument("--iterations", type=int, default=100)
    parser.add_argument("--verbose", action="store_true", help="each iteration")
    args = parser.parse_args(arguments)
    engine, rows, bad = by_engine(args.engine, KAPPA), [], 0
    for name in args.only:
        start = time.perf_counter()
        found = solve(PROBLEMS[name].make(engine), engine, args.iterations, (lambda p: print(f"  {p.done} {p.value:.5g} {p.text}")) if args.verbose else None)
        cost, violation, iterations = PROBLEMS[name].paper
        rows += [(f"{name}: cost", cost, BEST.get(name), found.cost), ("  violation", violation, None, found.violation), ("  iterations", iterations, None, found.iterations),
                 (f"  {found.why}, {time.perf_counter() - start:.1f} s", "", "", "")]
        bad += not found.converged
    print_table(f"Table III, engine {args.engine}", rows, ("", "paper", "without contact", "ours"))
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
