"""Ranges of tendons as bounds on the step that may be taken from a pose: those of joints are bounds of one dof each, a tendon's is one on J step.

What a step may lengthen a tendon by is told to first order, so its range is made smaller by the tolerance of a target: a pose within the tolerance is within the range.

Source: MuJoCo documentation, XML reference, tendon/spatial/range and tendon/fixed.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.engine.kinematics.joints import is_slide
from physics.engine.tendon import tendon
from physics.enums import TENDON_FIXED
from physics.model.data import Data
from physics.model.model import Model


class Ranges(NamedTuple):
    """low <= jacobian step <= high; jacobian (n, nv), low, high (n)."""

    jacobian: np.ndarray
    low: np.ndarray
    high: np.ndarray


class TendonLimits:
    """The ranges of those limited tendons of a Model that one of these dofs moves; lengths are those of the Data d, which has a pose with com_pos. on False: there are none.

    tolerance: how much smaller each range is made; weight: of a row, over `length` [m] where the tendon is measured in metres.
    """

    def __init__(self, m: Model, d: Data, dofs: np.ndarray, length: float, tolerance: float, weight: float, on: bool = True):
        self._m, self._d = m, d
        ids = np.flatnonzero(np.asarray(m.tendon_limited, bool) & on)
        entries = [np.arange(m.ten_J_rowadr[t], m.ten_J_rowadr[t] + m.ten_J_rownnz[t]) for t in ids.tolist()]
        moved = [bool(np.isin(m.ten_J_colind[at], dofs).any()) for at in entries]
        self.tendons = ids[np.array(moved, bool)]
        entries = [at for at, moves in zip(entries, moved, strict=True) if moves]
        self._row = np.repeat(np.arange(len(entries)), list(map(len, entries)))
        self._entry = np.concatenate([*entries, np.zeros(0, int)]).astype(int)
        self._column = m.ten_J_colind[self._entry]
        self._range = m.tendon_range[self.tendons].reshape(-1, 2)
        slack = np.minimum(tolerance, 0.25 * np.diff(self._range, axis=1)[:, 0])
        self._low, self._high = self._range[:, 0] + slack, self._range[:, 1] - slack
        self._weight = np.array([weight / (length if in_metres(m, t) else 1.0) for t in self.tendons.tolist()])

    def __len__(self) -> int:
        return len(self.tendons)

    def evaluate(self) -> np.ndarray:
        """Go to the Data's pose; (n) how far each is beyond its smaller range, weighted."""
        tendon.tendon(self._m, self._d)
        return self._weight * np.abs(self._lengths() - np.clip(self._lengths(), self._low, self._high))

    def largest(self) -> float:
        """How far beyond its smaller range the farthest tendon is [m or rad]."""
        value = self._lengths()
        return float(np.abs(value - np.clip(value, self._low, self._high)).max(initial=0.0))

    def excess(self) -> float:
        """How far beyond its range the farthest tendon is [m or rad]; 0 where all are within."""
        value = self._lengths()
        return float(np.abs(value - np.clip(value, *self._range.T)).max(initial=0.0))

    def reached(self) -> tuple[int, ...]:
        """Tendons at the end of their range, or beyond."""
        value, slack = self._lengths(), 2 * (self._low - self._range[:, 0])
        return tuple(self.tendons[(value <= self._range[:, 0] + slack) | (value >= self._range[:, 1] - slack)].tolist())

    def ranges(self) -> Ranges:
        """What a step from the pose may change, weighted."""
        jacobian = np.zeros((len(self), self._m.nv))
        jacobian[self._row, self._column] = self._d.ten_J[self._entry]
        value = self._lengths()
        return Ranges(jacobian * self._weight[:, None], self._weight * (self._low - value), self._weight * (self._high - value))

    def _lengths(self) -> np.ndarray:
        return self._d.ten_length[self.tendons]


def in_metres(m: Model, t: int) -> bool:
    """Whether the length of a tendon is one: a spatial tendon's, and of a fixed one that adds up slides only."""
    path = range(int(m.tendon_adr[t]), int(m.tendon_adr[t] + m.tendon_num[t]))
    return bool(m.tendon_type[t] != TENDON_FIXED) or all(is_slide(m, int(m.wrap_objid[w])) for w in path)
