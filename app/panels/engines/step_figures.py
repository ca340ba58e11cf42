"""What the profiler draws of a step, by engine: figures per iteration of the solver, and counts of the step as a whole."""
from __future__ import annotations

from collections.abc import Callable
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.engine.hard.newton import KEPT
from physics.enums import Engine
from physics.runtime.profile import GROUPS
from physics.runtime.snapshot import Snapshot
from physics.simulate.hard_endings import counted

TINY = 1e-15
COUNT = 80                  # shown of the counts per iteration, at least
COUNTS = (("total", ""), ("active", "solver_nactive"), ("changed", "solver_nchange"), ("line search", "solver_neval"), ("updates", "solver_nupdate"))
CONVERGENCE = (("improvement", "solver_improvement"), ("gradient", "solver_gradient"), ("line slope", "solver_lineslope"))
SIZES = ("dof", "body", "constraint", "sqrt(nnz)", "contact", "iteration")
HARD_COUNTS = ("followed", "target of mu")
HARD_CONVERGENCE = ("r_vio", "kappa_vio", "mu", "target")
HARD_SIZES = ("dof", "contact", "constraint", "island", "iteration", "look", "halved", "restart")
TIMES = ("total", *GROUPS, "other")


class Figure(NamedTuple):
    """A plot: its title, names of its curves, whether it is drawn over iterations (points) or over frames; tip: what the title leaves out."""

    title: str
    names: tuple[str, ...]
    iterations: bool
    tip: str = ""


class Lines(NamedTuple):
    """Over iterations x, lines of several islands with gaps between: the curves of the first two figures, the second as logarithms; top: what the first must reach, at least `least`."""

    x: np.ndarray
    counts: list[np.ndarray]
    convergence: list[np.ndarray]
    top: float
    least: float


class StepFigures(NamedTuple):
    """figures: four; iterations(snapshot): of each island; sizes(snapshot, islands): by the names of the third figure; lines(snapshot, islands);
    worse(snapshot): how many steps were not solved as wanted since the last reset, of the last alone where that is not counted."""

    figures: tuple[Figure, ...]
    iterations: Callable[[Snapshot], np.ndarray]
    sizes: Callable[[Snapshot, np.ndarray], tuple[float, ...]]
    lines: Callable[[Snapshot, np.ndarray], Lines]
    worse: Callable[[Snapshot], int]


def joined(parts: list[np.ndarray]) -> np.ndarray:
    """Lines after each other, with a gap between."""
    gap = np.array([np.nan])
    return np.concatenate([piece for part in parts for piece in (part, gap)][:-1]) if parts else np.empty(0)


def logarithm(values) -> np.ndarray:
    """log10 of sizes, no lower than what is shown."""
    return np.log10(np.maximum(np.abs(values), TINY))


# ------------------------------------------------------------------ soft

def _soft_iterations(snapshot: Snapshot) -> np.ndarray:
    return snapshot.solver_niter


def _soft_sizes(snapshot: Snapshot, islands: np.ndarray) -> tuple[float, ...]:
    model, iterations = snapshot.model, int(snapshot.solver_niter[islands].max()) if len(islands) else 0
    return model.nv, model.nbody, snapshot.nefc, np.sqrt(snapshot.solver_nnz.sum()), snapshot.ncon, iterations


def _soft_lines(snapshot: Snapshot, islands: np.ndarray) -> Lines:
    stored = snapshot.solver_improvement.shape[1]     # a solver may take more iterations than it keeps figures of
    numbers = [min(int(snapshot.solver_niter[i]), stored) for i in islands]

    def of(field: str) -> np.ndarray:
        return joined([np.asarray(getattr(snapshot, field)[i, :n], float) for i, n in zip(islands, numbers, strict=True)])

    total = joined([np.full(n, float(snapshot.nefc)) for n in numbers])
    return Lines(joined([np.arange(1.0, n + 1) for n in numbers]), [of(field) if field else total for _name, field in COUNTS],
                 [logarithm(of(field)) for _name, field in CONVERGENCE], float(snapshot.nefc), COUNT)


def _none_worse(_snapshot: Snapshot) -> int:
    return 0


# ------------------------------------------------------------------ hard

def traces(snapshot: Snapshot) -> list[np.ndarray]:
    """Of each of the first islands, (iterations, 5): r_vio and kappa_vio before the iteration, mu, target and the share that was followed of its direction."""
    found = []
    for row in snapshot.hard_trace:
        kept = row.reshape(-1, KEPT)
        ends = np.flatnonzero(kept[:, 0] <= 0)
        found.append(kept[:ends[0]] if len(ends) else kept)
    return found


def _hard_iterations(snapshot: Snapshot) -> np.ndarray:
    return np.array([len(trace) for trace in traces(snapshot)], int)


def _hard_sizes(snapshot: Snapshot, _islands: np.ndarray) -> tuple[float, ...]:
    return (snapshot.model.nv, snapshot.ncon, snapshot.nefc, len(snapshot.hard_trace), snapshot.hard_niter, snapshot.hard_looked, snapshot.hard_halved, snapshot.hard_nrestart)


def _hard_lines(snapshot: Snapshot, islands: np.ndarray) -> Lines:
    every = traces(snapshot)
    shown = [every[i] for i in islands if i < len(every) and len(every[i])]     # the engine may have been changed since they were chosen
    columns = [joined([trace[:, k] for trace in shown]) for k in range(KEPT)]
    x = joined([np.arange(1.0, len(trace) + 1) for trace in shown])
    r_vio, kappa_vio, mu, target, alpha = columns
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.where(mu > 0, 100 * target / mu, np.nan)
    if len(every) == 1 and len(x):      # with one island the end is known as well
        x, r_vio, kappa_vio = np.append(x, x[-1] + 1), np.append(r_vio, snapshot.hard_rv), np.append(kappa_vio, snapshot.hard_kv)
        mu, target, alpha, share = (np.append(values, np.nan) for values in (mu, target, alpha, share))
    gone = [np.where(values > 0, values, np.nan) for values in (mu, target)]     # an island without contacts and limits has none
    return Lines(x, [100 * alpha, share], [logarithm(values) for values in (r_vio, kappa_vio, *gone)], 100.0, 100.0)


def _hard_worse(snapshot: Snapshot) -> int:
    return sum(count for _ending, count in counted(snapshot))


FIGURES_OF = MappingProxyType({
    int(Engine.SOFT): StepFigures((
        Figure("Counts per iteration", tuple(name for name, _ in COUNTS), True), Figure("Convergence (log10)", tuple(name for name, _ in CONVERGENCE), True),
        Figure("Dimensions", SIZES, False), Figure("Time per step [us]", TIMES, False)), _soft_iterations, _soft_sizes, _soft_lines, _none_worse),
    int(Engine.HARD): StepFigures((
        Figure("Directions [%]", HARD_COUNTS, True, "How far each iteration followed its direction, and what it aimed the mean product mu at, in percent of it"),
        Figure("Convergence (log10)", HARD_CONVERGENCE, True, "Largest residual and violation of complementarity before each iteration, the mean product mu and its target, of the last solve of an island"),
        Figure("Counts", HARD_SIZES, False, "Iterations of all solves of a step, repeated looks, halvings and restarts; a red bar where a step was halved, coarse or failed, or left an overlap that there was before"),
        Figure("Time per step [us]", TIMES, False)), _hard_iterations, _hard_sizes, _hard_lines, _hard_worse),
})


def figures_of(snapshot: Snapshot) -> StepFigures:
    """Of the engine that moves the model."""
    return FIGURES_OF[int(snapshot.model.opt_engine)]
