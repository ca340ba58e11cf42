"""What is known of a study's trials, as they come: values and scores of points, the best so far."""
from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, slots=True)
class Row:
    """A trial: its number, that of its point, its seed, {name: number}, the goal's value (NaN where there is none), whether it diverged, why it could not run."""

    trial: int
    point: int
    seed: int
    values: Mapping[str, float]
    value: float
    diverged: bool = False
    problem: str = ""


@dataclass(slots=True)
class Results:
    """rows: in the order of the trials. largest: whether the largest value is the best."""

    names: tuple[str, ...]
    largest: bool
    seeds: int = 1
    rows: list[Row] = field(default_factory=list)
    _begun: dict[int, list[Row]] = field(default_factory=dict)      # rows of points of which seeds are missing
    _whole: list[tuple[int, list[float], float]] = field(default_factory=list)      # (trial, values, mean) of those that came since the last look
    _points: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None

    def add(self, row: Row) -> None:
        """One more."""
        self.rows.append(row)
        rows = self._begun.setdefault(row.point, [])
        rows.append(row)
        if len(rows) == self.seeds:
            del self._begun[row.point]
            self._whole.append((rows[0].trial, [rows[0].values[name] for name in self.names], float(np.mean([one.value for one in rows]))))

    def points(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of all points of which every seed has been run: numbers (n) of one trial of each, values (n, names), means (n); NaN where any seed has none. Only what came since
        the last look is gone through: a window looks several times a second."""
        before = self._points or (np.zeros(0, int), np.zeros((0, len(self.names))), np.zeros(0))
        if self._whole or self._points is None:
            trials, values, means = zip(*self._whole, strict=True) if self._whole else ((), (), ())
            new = np.array(trials, int), np.array(values, float).reshape(len(values), len(self.names)), np.array(means, float)
            self._points = tuple(np.concatenate([old, one]) for old, one in zip(before, new, strict=True))
            self._whole.clear()
        return self._points

    def best(self) -> tuple[int, float]:
        """(a trial of the best point, its mean); (-1, NaN) before there is one."""
        trials, _values, means = self.points()
        if not np.isfinite(means).any():
            return -1, math.nan
        k = int(np.nanargmax(means) if self.largest else np.nanargmin(means))
        return int(trials[k]), float(means[k])

    def best_so_far(self) -> np.ndarray:
        """(n): the best mean up to each point, NaN until there is one."""
        means = self.points()[2]
        worst = -math.inf if self.largest else math.inf
        found = (np.maximum if self.largest else np.minimum).accumulate(np.where(np.isfinite(means), means, worst)) if len(means) else means
        return np.where(np.isfinite(found), found, np.nan)
