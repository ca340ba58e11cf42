"""Which points of the ranges are tried: searches are asked for points and told what became of them.

    ask() -> points (k, n) within the unit cube, () at the end        tell(points, scores): the larger the better, NaN the worst

A search is the same each time for the same answers, whatever ran them and in which order: so a study goes on where it was left.
"""
from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from itertools import product
from types import MappingProxyType
from typing import Protocol

import numpy as np

from app.studies.study import Parameter, Search

AT_A_TIME = 64      # points of a search that waits for no answer


class Asked(Protocol):
    """A search that goes on."""

    def ask(self) -> np.ndarray: ...

    def tell(self, points: np.ndarray, scores: np.ndarray) -> None: ...


class SearchMissing(Exception):
    """A package that a search needs is not there."""


class Listed:
    """Points that are known beforehand."""

    def __init__(self, points: np.ndarray):
        self._points, self._next = points, 0

    def ask(self) -> np.ndarray:
        """The next ones."""
        found = self._points[self._next:self._next + AT_A_TIME]
        self._next += len(found)
        return found

    def tell(self, points: np.ndarray, scores: np.ndarray) -> None:
        """Nothing follows from them."""


def grid(parameters: tuple[Parameter, ...], search: Search) -> Listed:
    """All combinations of the numbers of the parameters, the last one varying fastest."""
    rows = list(product(*([share_of(one, number) for number in one.numbers] for one in parameters)))
    points = np.array(rows, float).reshape(len(rows), len(parameters))
    return Listed(points[:search.trials] if search.trials else points)


def random(parameters: tuple[Parameter, ...], search: Search) -> Listed:
    """Independent and even."""
    return Listed(np.random.default_rng(search.seed).random((search.trials, len(parameters))))


def sobol(parameters: tuple[Parameter, ...], search: Search) -> Listed:
    """A scrambled Sobol sequence (Sobol 1967; scrambling by Owen 1998)."""
    from scipy.stats import qmc     # late: half a second

    made = qmc.Sobol(len(parameters), rng=np.random.default_rng(search.seed))
    return Listed(made.random_base2(max(0, math.ceil(math.log2(search.trials))))[:search.trials])


class CrossEntropy:
    """Normal distributions, of each coordinate one, moved to the best quarter (Rubinstein 1999)."""

    def __init__(self, parameters: tuple[Parameter, ...], search: Search):
        self._rng, self._left = np.random.default_rng(search.seed), search.trials
        self._population = search.population or 20
        self._mean, self._sigma = np.full(len(parameters), 0.5), np.full(len(parameters), search.sigma)

    def ask(self) -> np.ndarray:
        """A population."""
        number = min(self._population, self._left)
        self._left -= number
        return np.clip(self._mean + self._sigma * self._rng.standard_normal((number, len(self._mean))), 0.0, 1.0)

    def tell(self, points: np.ndarray, scores: np.ndarray) -> None:
        """Move to the best."""
        best = points[np.argsort(-_ranked(scores), kind="stable")[:max(2, len(points) // 4)]]
        self._mean, self._sigma = best.mean(axis=0), np.maximum(0.9 * best.std(axis=0) + 0.1 * self._sigma, 1e-6)


class _Around:
    """Samples around a nominal point, which is one of them."""

    POPULATION = 20

    def __init__(self, parameters: tuple[Parameter, ...], search: Search):
        self._rng, self._left = np.random.default_rng(search.seed), search.trials
        self._population, self._sigma = search.population or self.POPULATION, search.sigma
        self._nominal = np.full(len(parameters), 0.5)

    def ask(self) -> np.ndarray:
        """The nominal point and samples around it, within the ranges."""
        number = min(self._population, self._left)
        self._left -= number
        noise = self._sigma * self._rng.standard_normal((number, len(self._nominal)))
        noise[:1] = 0.0
        return np.clip(self._nominal + noise, 0.0, 1.0)


class PredictiveSampling(_Around):
    """Samples around the best so far, which stays among them (Howell et al. 2022, predictive sampling): what plans by controls with few runs at a time."""

    POPULATION = 10

    def tell(self, points: np.ndarray, scores: np.ndarray) -> None:
        """The best is the nominal one from now on."""
        self._nominal = points[int(np.argmax(_ranked(scores)))]


class PathIntegral(_Around):
    """Model predictive path integral control (Williams et al. 2017): the nominal point moves to the mean of the samples, weighted by exp(score / temperature). Scores are taken in
    units of their own standard deviation, so that a temperature of 1/3 suits any goal; sigma shrinks slowly, as nothing begins anew here."""

    TEMPERATURE, SHRINKS = 1 / 3, 0.97

    def tell(self, points: np.ndarray, scores: np.ndarray) -> None:
        """Move to the weighted mean."""
        there = np.isfinite(scores)
        if not there.any():
            return
        found, spread = scores[there], float(np.std(scores[there]))
        weights = np.exp((found - found.max()) / (self.TEMPERATURE * spread)) if spread > 0 else np.ones(len(found))
        self._nominal = np.clip(weights @ points[there] / weights.sum(), 0.0, 1.0)
        self._sigma *= self.SHRINKS


class Cma:
    """Covariance matrix adaptation (Hansen and Ostermeier 2001), by the package cma."""

    def __init__(self, parameters: tuple[Parameter, ...], search: Search):
        try:
            import cma
        except ImportError:
            raise SearchMissing("the search cma needs the package cma: pip install cma") from None
        options = {"bounds": [0.0, 1.0], "seed": search.seed + 1, "verbose": -9, "maxfevals": search.trials, **({"popsize": search.population} if search.population else {})}
        self._made, self._left = cma.CMAEvolutionStrategy(np.full(len(parameters), 0.5), search.sigma, options), search.trials

    def ask(self) -> np.ndarray:
        """A population; none when it has converged."""
        if self._left <= 0 or self._made.stop():
            return np.zeros((0, self._made.N))
        points = np.array(self._made.ask())
        self._left -= len(points)
        return points

    def tell(self, points: np.ndarray, scores: np.ndarray) -> None:
        """What became of a population: it minimises."""
        self._made.tell(list(points), (-_ranked(scores)).tolist())


class Tpe:
    """Tree-structured Parzen estimators (Bergstra et al. 2011), by the package optuna."""

    def __init__(self, parameters: tuple[Parameter, ...], search: Search):
        try:
            import optuna
        except ImportError:
            raise SearchMissing("the search tpe needs the package optuna: pip install optuna") from None
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        self._made = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=search.seed))
        self._space = {f"x{k}": optuna.distributions.FloatDistribution(0.0, 1.0) for k in range(len(parameters))}
        self._left, self._population, self._asked = search.trials, search.population or 8, []

    def ask(self) -> np.ndarray:
        """A few, which do not know of each other."""
        number = min(self._population, self._left)
        self._left -= number
        self._asked = [self._made.ask(self._space) for _ in range(number)]
        return np.array([[trial.params[name] for name in self._space] for trial in self._asked]).reshape(number, len(self._space))

    def tell(self, points: np.ndarray, scores: np.ndarray) -> None:
        """What became of them."""
        for trial, score in zip(self._asked, _ranked(scores).tolist(), strict=True):
            self._made.tell(trial, score)


SEARCHES: Mapping[str, Callable[[tuple[Parameter, ...], Search], Asked]] = MappingProxyType(
    {"grid": grid, "random": random, "sobol": sobol, "cem": CrossEntropy, "sampling": PredictiveSampling, "mppi": PathIntegral, "cma": Cma, "tpe": Tpe})


def _ranked(scores: np.ndarray) -> np.ndarray:
    """Scores with what is no number below all others."""
    there = np.isfinite(scores)
    lowest = scores[there].min() if there.any() else 0.0
    return np.where(there, scores, lowest - 1.0 - abs(lowest))


def number_at(one: Parameter, share: float) -> float:
    """A share of the range from 0 to 1 as a number; those of its list where one has them exactly."""
    if one.numbers:
        near = min(one.numbers, key=lambda number: abs(share_of(one, number) - share))
        if abs(share_of(one, near) - share) < 1e-12:
            return near
    if one.log:
        return float(np.sign(one.low) * math.exp((1 - share) * math.log(abs(one.low)) + share * math.log(abs(one.high))))
    return (1 - share) * one.low + share * one.high


def share_of(one: Parameter, number: float) -> float:
    """Where a number is in its range, from 0 to 1."""
    if one.high == one.low:
        return 0.0
    if one.log:
        return (math.log(abs(number)) - math.log(abs(one.low))) / (math.log(abs(one.high)) - math.log(abs(one.low)))
    return (number - one.low) / (one.high - one.low)
