"""Table VI, learning: `python -m benchmarks.dojo.table6 [--engine soft|hard] [--only NAME ...] [--seeds N] [--iterations N] [--folder DIR]`.

Half-cheetah and ant by augmented random search and augmented gradient search: reward of one more episode after training, and controls taken, mean and deviation over all
seeds (the paper's caption says the best three of five; its stored rewards give its numbers over all five). --folder: checkpoints, so that a run can be taken up again.

The repository's gradient search (examples/reinforcement_learning/algorithms/ags.jl) lets controls change with the weights alone: what the weights have changed of the state does not come back
through the policy (feedback=False here). Its derivatives are taken at a tolerance of 1e-3, of products of impulses with gaps in metres: 2e-2 J at a step of 0.05 s.
"""
from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.dojo.engines import ByEngine, add_engine, by_engine
from benchmarks.dojo.learning_models import ant_task, cheetah_task
from benchmarks.dojo.tables import print_table
from physics.model.data import Data
from physics.optimise import Checkpoint, GradientSearchOptions, RandomSearchOptions, Task, run_episode, train_ags, train_ars
from physics.optimise.progress import generator

KAPPA = 3e-4        # J, of random search
SMOOTH = 2e-2       # J, of gradient search
AFTER = 99      # place of the random numbers of the episode after training


class Wanted(NamedTuple):
    """A row: task, method, iterations, step of AGS; the paper's reward and controls taken, and the rewards that its repository has stored."""

    task: Callable[[ByEngine], Task]
    method: str
    iterations: int
    paper: tuple[float, float, float]
    stored: tuple[float, ...] = ()


ROWS = {
    "cheetah ARS": Wanted(cheetah_task, "ARS", 30, (45.8, 24.4, 3e4), (8.7, 37.5, 70.6, 48.9, 63.2)),
    "cheetah AGS": Wanted(cheetah_task, "AGS", 30, (44.0, np.nan, 5e3)),
    "ant ARS": Wanted(ant_task, "ARS", 100, (64.3, 15.4, 2e5), (44.0, 84.1, 58.2, 74.0, 61.3)),
    "ant AGS": Wanted(ant_task, "AGS", 67, (54.0, np.nan, 2e4)),
}


def train(name: str, engine: ByEngine, seed: int, iterations: int | None = None, folder: Path | None = None) -> tuple[float, int]:
    """(reward of an episode after training, controls taken in training)."""
    row = ROWS[name]
    if row.method == "AGS":
        engine = engine._replace(kappa=SMOOTH)
    task, n = row.task(engine), iterations or row.iterations
    checkpoint = None if folder is None else Checkpoint(folder / f"{name.replace(' ', '_')}_{engine.name}_{seed}.npz")
    if row.method == "ARS":
        found = train_ars(task, RandomSearchOptions(n, directions=6, best=6, step=0.02, noise=0.03, first=0.1, common=False, seed=seed), checkpoint=checkpoint)
    else:
        found = train_ags(task, GradientSearchOptions(n, step=0.02, first=0.1, kappa=engine.kappa, feedback=False, seed=seed), checkpoint=checkpoint)
    after = run_episode(task, found.policy, Data(task.m), generator(seed, AFTER))
    return after.reward, found.evaluations


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, print, and 1 where a mean is below the paper's."""
    parser = argparse.ArgumentParser(description="Table VI: policies by ARS and AGS.")
    add_engine(parser)
    parser.add_argument("--only", nargs="+", choices=tuple(ROWS), default=tuple(ROWS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--iterations", type=int, help="of each training (default: the paper's)")
    parser.add_argument("--folder", type=Path)
    args = parser.parse_args(arguments)
    if args.folder is not None:
        args.folder.mkdir(parents=True, exist_ok=True)
    engine, rows, below = by_engine(args.engine, KAPPA), [], 0
    for name in args.only:
        start = time.perf_counter()
        found = [train(name, engine, seed, args.iterations, args.folder) for seed in range(args.seeds)]
        rewards, taken = np.array([r for r, _n in found]), np.mean([n for _r, n in found])
        mean, deviation, evaluations = ROWS[name].paper
        stored = ROWS[name].stored
        rows += [(f"{name}: reward", mean, float(np.mean(stored)) if stored else None, float(rewards.mean())),
                 ("  deviation", None if np.isnan(deviation) else deviation, float(np.std(stored, ddof=1)) if stored else None, float(rewards.std(ddof=1)) if len(rewards) > 1 else None),
                 ("  controls taken", evaluations, None, float(taken)),
                 (f"  each seed: {' '.join(f'{r:.1f}' for r in rewards)}, {time.perf_counter() - start:.0f} s", "", "", "")]
        below += rewards.mean() < mean
    print_table(f"Table VI, engine {args.engine}", rows)
    return int(below > 0)


if __name__ == "__main__":
    sys.exit(main())
