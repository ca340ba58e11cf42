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

    def add(self, row: Row) -> None:
        """One more."""
        self.rows.append(row)

    def points(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of all points of which every seed has been run: numbers (n) of one trial of each, values (n, names), means (n); NaN where any seed has none."""
        by_point: dict[int, list[Row]] = {}
        for row in self.rows:
            by_point.setdefault(row.point, []).append(row)
        whole = [rows for rows in by_point.values() if len(rows) >= self.seeds]
        values = np.array([[rows[0].values[name] for name in self.names] for rows in whole], float).reshape(len(whole), len(self.names))
        return np.array([rows[0].trial for rows in whole], int), values, np.array([np.mean([row.value for row in rows]) for rows in whole], float)

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
