"""Constraints on a trajectory as small objects: c(x, u) = 0 or c(x, u) <= 0 at the knots at which they count (`at` as in costs.py).

Bounds of controls are none of these: iLQR keeps within them exactly (ilqr.py).
"""
from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np

from physics.model.model import Model
from physics.optimise.costs import At, Knot, Posed, targets_of
from physics.optimise.tangent import State, Tangent


class Slopes(NamedTuple):
    """Jacobians of c by state (n, nx) and control (n, nu)."""

    x: np.ndarray
    u: np.ndarray


class Constraint(Protocol):
    """equality: c = 0 is wanted, else c <= 0."""

    at: At
    equality: bool

    def bind(self, m: Model) -> Constraint:
        """The constraint for this Model."""

    def value(self, knot: Knot) -> np.ndarray:
        """c (n)."""

    def jacobians(self, knot: Knot) -> Slopes:
        """Of c."""


def _chosen(given, n: int, what: str) -> np.ndarray:
    """True, False, or directions by number, as numbers of 0 .. n - 1. Raises ValueError."""
    if isinstance(given, bool):
        return np.arange(n if given else 0)
    numbers = np.asarray(given, int).reshape(-1)
    if ((numbers < 0) | (numbers >= n)).any():
        raise ValueError(f"{what}: directions are 0 .. {n - 1}, not {numbers.tolist()}")
    return numbers


class StateGoal:
    """x = target in the chosen directions, at the end unless `at` says otherwise. qpos, qvel, act: True (all), False, or directions (dofs) by number."""

    equality = True

    def __init__(self, target: State | None = None, qpos=True, qvel=True, act=False, at: At = "final"):
        self._target, self._given, self.at = target, (qpos, qvel, act), at

    def bind(self, m: Model) -> StateGoal:
        """See Constraint."""
        self._tangent, self._nu, self._targets = Tangent(m), m.nu, targets_of(m, self._target)
        qpos, qvel, act = self._given
        self._rows = np.concatenate([_chosen(qpos, m.nv, "qpos"), m.nv + _chosen(qvel, m.nv, "qvel"), 2 * m.nv + _chosen(act, m.na, "act")]).astype(int)
        return self

    def value(self, knot: Knot) -> np.ndarray:
        """See Constraint."""
        return self._tangent.difference(self._targets[min(knot.k, len(self._targets) - 1)], knot.x)[self._rows]

    def jacobians(self, knot: Knot) -> Slopes:
        """See Constraint."""
        j = self._tangent.difference_jacobian(self._targets[min(knot.k, len(self._targets) - 1)], knot.x)
        return Slopes(j[self._rows], np.zeros((len(self._rows), self._nu)))


class StateBounds:
    """low <= value <= high for chosen numbers of qpos or of qvel: those of joints with one position number, or velocities of any dof.

    qpos, qvel: {number of a dof: (low, high)}; infinite ends are left out. Raises ValueError (`bind`) for a position of a ball or free joint.
    """

    equality = False

    def __init__(self, qpos: dict[int, tuple[float, float]] | None = None, qvel: dict[int, tuple[float, float]] | None = None, at: At = "all"):
        self._qpos, self._qvel, self.at = dict(qpos or {}), dict(qvel or {}), at

    def bind(self, m: Model) -> StateBounds:
        """See Constraint."""
        turning, rows = set(Tangent(m).turning.tolist()), []
        for at, given in ((0, self._qpos), (m.nv, self._qvel)):
            for dof, (low, high) in given.items():
                if not 0 <= dof < m.nv or at == 0 and dof in turning:
                    raise ValueError(f"no bounds for dof {dof}: it is none, or a position of a ball or free joint, which is no single number")
                rows += [(at + dof, 1.0, high)] if np.isfinite(high) else []
                rows += [(at + dof, -1.0, -low)] if np.isfinite(low) else []
        self._rows, self._sign, self._bound = (np.array(column) for column in zip(*rows)) if rows else (np.zeros(0, int), np.zeros(0), np.zeros(0))
        self._slopes = Slopes(np.zeros((len(rows), 2 * m.nv + m.na)), np.zeros((len(rows), m.nu)))
        self._slopes.x[np.arange(len(rows)), self._rows.astype(int)] = self._sign
        self._address = m.jnt_qposadr[m.dof_jntid] + np.arange(m.nv) - m.jnt_dofadr[m.dof_jntid]
        return self

    def value(self, knot: Knot) -> np.ndarray:
        """See Constraint."""
        numbers = np.concatenate([knot.x.qpos[self._address], knot.x.qvel])
        return self._sign * numbers[self._rows.astype(int)] - self._bound

    def jacobians(self, knot: Knot) -> Slopes:
        """See Constraint."""
        return self._slopes


class UserConstraint:
    """c = function(m, d, u, k), one number or more, with Jacobians by differences; function and forward as in ResidualCost. equality: c = 0, else c <= 0."""

    def __init__(self, function: Callable, equality: bool = False, forward: bool = False, at: At = "all"):
        self._function, self.equality, self._forward, self.at = function, equality, forward, at

    def bind(self, m: Model) -> UserConstraint:
        """See Constraint."""
        self._posed = Posed(m, self._function, self._forward)
        return self

    def value(self, knot: Knot) -> np.ndarray:
        """See Constraint."""
        return np.atleast_1d(self._posed(knot.k, knot.x, knot.u))

    def jacobians(self, knot: Knot) -> Slopes:
        """See Constraint."""
        n = len(self.value(knot))
        return Slopes(*(np.reshape(j, (n, -1)) for j in self._posed.jacobians(knot.k, knot.x, knot.u)))
