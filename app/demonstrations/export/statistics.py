"""Statistics of a data set's columns, as LeRobot has them: min, max, mean, std, count and quantiles; of pictures by colour, from 0 to 1."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

QUANTILES = MappingProxyType({"q01": 0.01, "q10": 0.10, "q50": 0.50, "q90": 0.90, "q99": 0.99})
LEVELS = 256


def of_numbers(values: np.ndarray) -> dict[str, list]:
    """Of (n, numbers): each statistic has a value for each number, count is [n]."""
    values = np.asarray(values, float).reshape(len(values), -1)
    found = {"min": values.min(axis=0), "max": values.max(axis=0), "mean": values.mean(axis=0), "std": values.std(axis=0)}
    quantiles = np.quantile(values, list(QUANTILES.values()), axis=0)
    return {**{name: one.tolist() for name, one in found.items()}, "count": [len(values)], **{name: row.tolist() for name, row in zip(QUANTILES, quantiles, strict=True)}}


class Pictures:
    """Histograms of pictures (height, width, 3) uint8: all statistics of them follow, whatever their number."""

    def __init__(self):
        self.levels = np.zeros((3, LEVELS), np.int64)
        self.count = 0

    def add(self, image: np.ndarray) -> None:
        """One more picture."""
        for colour in range(3):
            self.levels[colour] += np.bincount(image[..., colour].reshape(-1), minlength=LEVELS)
        self.count += 1

    def merge(self, other: Pictures) -> None:
        """Those of another one too."""
        self.levels += other.levels
        self.count += other.count

    def told(self) -> dict[str, list]:
        """The statistics, of shape (3, 1, 1)."""
        value = np.arange(LEVELS) / (LEVELS - 1)
        share = self.levels / np.maximum(1, self.levels.sum(axis=1, keepdims=True))
        mean = share @ value
        std = np.sqrt(np.maximum(0.0, share @ value ** 2 - mean ** 2))
        below = np.cumsum(share, axis=1)
        there = [np.flatnonzero(row) for row in self.levels]
        found = {"min": [value[k[0]] if len(k) else 0.0 for k in there], "max": [value[k[-1]] if len(k) else 0.0 for k in there], "mean": mean, "std": std}
        for name, q in QUANTILES.items():
            found[name] = [value[min(LEVELS - 1, int(np.searchsorted(row, q - 1e-12)))] for row in below]
        return {**{name: [[[float(one)]] for one in numbers] for name, numbers in found.items()}, "count": [self.count]}
