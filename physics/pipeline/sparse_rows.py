"""Matrices by rows, as Data stores them, with their products for one vector or many."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SparseRows:
    """values, cols: entries row after row; row: the row of each; shape: (rows, columns)."""

    values: np.ndarray
    cols: np.ndarray
    row: np.ndarray
    shape: tuple[int, int]

    @classmethod
    def of(cls, values, cols, count, start, columns: int) -> SparseRows:
        """Rows with `count` entries each that begin at `start` in values and cols; copied, one after the other."""
        count, start = np.asarray(count), np.asarray(start)
        row = np.repeat(np.arange(len(count)), count)
        entries = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(start, count)
        return cls(np.array(values[entries], float), np.array(cols[entries], int), row, (len(count), columns))

    @classmethod
    def symmetric(cls, values, cols, count) -> SparseRows:
        """A symmetric matrix of whose rows the entries up to the diagonal are stored, row after row."""
        row = np.repeat(np.arange(len(count)), count)
        below = cols < row
        rows, columns = np.r_[row, cols[below]].astype(int), np.r_[cols, row[below]].astype(int)
        order = np.argsort(rows, kind="stable")
        return cls(np.r_[values, values[below]][order].astype(float), columns[order], rows[order], (len(count), len(count)))

    def times(self, x) -> np.ndarray:
        """A x for x (..., columns)."""
        return self._summed(self.values * np.asarray(x)[..., self.cols], self.row, self.shape[0])

    def transposed_times(self, f) -> np.ndarray:
        """A' f for f (..., rows)."""
        return self._summed(self.values * np.asarray(f)[..., self.row], self.cols, self.shape[1])

    @staticmethod
    def _summed(terms: np.ndarray, place: np.ndarray, size: int) -> np.ndarray:
        return _by_vector(terms, place, size)


def sums_by(values, group, ngroup: int) -> np.ndarray:
    """Sums (..., ngroup) of values (..., n) by their group; those of group -1 count nowhere."""
    inside = group >= 0
    return _by_vector(np.asarray(values, float)[..., inside], group[inside], ngroup)


def _by_vector(terms: np.ndarray, place: np.ndarray, size: int) -> np.ndarray:
    """Sums (..., size) of terms (..., n) by their places."""
    many = int(np.prod(terms.shape[:-1]))
    return np.array([np.bincount(place, one, size) for one in terms.reshape(many, len(place))]).reshape(*terms.shape[:-1], size)
