"""Figure 10, the condition of the Newton matrix at the end of a step: `python -m benchmarks.dojo.fig10 [--atlas URDF] [--states N] [--primal N]`.

The matrix R of (29) is that of the whole maximal system - bodies, joints' impulses, cones - which the engine never builds: it comes from the plain twin (tests/naive/hard), which takes
the same iterates. States are taken from the drops of drops.py at a step of 10 ms, evenly among those with contacts near. Printed is cond(R) where the step has ended, for falling
tolerances of complementarity with a residual of 1e-8: the aims are the paper's ends of the curves, below 1e9 at 1e-8 and below 1e4 at 0.1 (where it prints 1e-4, which is a misprint).

    as the paper    unknowns, units and floor of the products (a fifth of the tolerance) as in its repository: gaps are lengths, joints have impulses along what they hold (paper_matrix.py)
    primal          the same problem without dual variables (primal.py), whose matrix has no cones
    as the engine   products are energies, which for gaps makes the same tolerance 1 / h as sharp, with a floor of a hundredth; rates and six impulses for each joint are unknowns
"""
from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

import physics
from benchmarks.dojo.drops import Drop, drops
from benchmarks.dojo.fig9 import SHARP, STEP, TOLERANCES, State, plain_states
from benchmarks.dojo.paper_matrix import paper_matrix, primal_matrix
from benchmarks.dojo.primal import FLOOR, solve_primal, twin_at
from benchmarks.dojo.tables import print_table
from tests.naive.hard.newton import solve
from tests.naive.hard.system import System

LIMITS = {1e-1: 1e4, 1e-8: 1e9}     # of cond(R)


def condition(robot: Drop, state: State, ktol: float) -> tuple[float, int | None]:
    """(cond(R), iterations of the twin) where a step from a state has stopped, as the engine has them; None where that is not the end."""
    twin = twin_at(robot.text(STEP), state)
    n = ended(twin, ktol)
    return float(np.linalg.cond(twin.matrix())), n


def paper_condition(robot: Drop, state: State, ktol: float) -> tuple[float, int | None]:
    """The same as the paper has them: ktol of products in which gaps are lengths."""
    twin = twin_at(robot.text(STEP), state, STEP)
    n = ended(twin, ktol, FLOOR)
    return float(np.linalg.cond(paper_matrix(twin)[0])), n


def primal_condition(robot: Drop, state: State, ktol: float) -> tuple[float, int | None]:
    """The same of the method without dual variables."""
    twin = twin_at(robot.text(STEP), state, STEP)
    done, n = solve_primal(twin, SHARP, ktol)
    return float(np.linalg.cond(primal_matrix(twin))), n if done else None


def ended(twin: System, ktol: float, floor: float = 100) -> int | None:
    """Iterations to the end, None where there is none."""
    done, passed = solve(twin, SHARP, ktol, floor=floor)
    return len(passed) - 1 if done else None


def told(found: Sequence[tuple[float, int | None]]) -> str:
    """Median and largest condition of steps, and the median of the iterations of those that ended."""
    if not found:
        return "-"
    sizes, counts = [c for c, _ in found], [n for _, n in found if n is not None]
    some = "" if len(counts) == len(found) else f", {len(counts)} of {len(found)} ended"
    return f"{np.median(sizes):.1e} (max {max(sizes):.1e}; {np.median(counts) if counts else np.nan:g} iterations{some})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; 1 where a median as the paper has it is above its limit."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--atlas", help="path of Dojo.jl's atlas_simple.urdf")
    parser.add_argument("--states", type=int, default=8)
    parser.add_argument("--primal", type=int, default=2, help="states for the method without dual variables, which is slow: at the ends of the curves alone")
    options = parser.parse_args(arguments)
    physics.ensure_kernels()
    physics.ensure_hard()
    bad = 0
    for name, robot in drops(options.atlas).items():
        taken, rows = plain_states(robot, options.states), []
        few = plain_states(robot, options.primal)
        for tolerance in TOLERANCES:
            limit = LIMITS.get(tolerance)
            found = [[measure(robot, state, tolerance) for state in some]
                     for measure, some in ((paper_condition, taken), (primal_condition, few if limit else []), (condition, taken))]
            bad += limit is not None and np.median([c for c, _n in found[0]]) > limit
            rows.append((f"{tolerance:g}", limit and f"{limit:.0e}", *map(told, found)))
        print_table(f"Figure 10, {name}: cond(R) at the end of {len(taken)} steps, medians", rows, ("tolerance", "paper, at most", "as the paper", "primal", "as the engine"))
    return int(bad > 0)


if __name__ == "__main__":
    raise SystemExit(main())
