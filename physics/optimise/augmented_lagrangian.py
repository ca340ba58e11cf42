"""Constraints as costs: the augmented Lagrangian of a trajectory's costs.

    L = cost + sum over constraints   lambda' c + 1/2 c' P c      P = rho where c = 0 is wanted, or where c >= 0 or lambda > 0, else 0

After each minimisation lambda <- lambda + rho c (never below 0 for inequalities), and rho grows.

Source: Nocedal and Wright, "Numerical Optimization", 2nd edition, section 17.3; Howell, Jackson and Manchester, "ALTRO: a fast solver for constrained trajectory
optimization", 2019, section III.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from physics.model.model import Model
from physics.optimise.constraints import Constraint
from physics.optimise.costs import Cost, Expansion, Knot, counts, no_cost

LARGEST = 1e8   # penalty


class AugmentedLagrangian:
    """Costs and constraints of a trajectory with N controls. multipliers[j][k]: of constraint j at knot k, None where it does not count."""

    def __init__(self, m: Model, costs: Sequence[Cost], constraints: Sequence[Constraint], last: int, penalty: float):
        self._nx, self._nu, self._last = 2 * m.nv + m.na, m.nu, last
        self._costs = [cost.bind(m) for cost in costs]
        self._constraints = [constraint.bind(m) for constraint in constraints]
        knots = range(last + 1)
        self._costs_at = [[c for c in self._costs if counts(c.at, k, last)] for k in knots]
        self._constraints_at = [[j for j, c in enumerate(self._constraints) if counts(c.at, k, last)] for k in knots]
        self.multipliers: dict[tuple[int, int], np.ndarray] = {}
        self.penalty = penalty

    def cost(self, knot: Knot) -> float:
        """Of the costs alone."""
        return sum(c.value(knot) for c in self._costs_at[knot.k])

    def value(self, knot: Knot) -> tuple[float, float, float]:
        """(augmented Lagrangian, cost alone, largest violation) at a knot."""
        cost = self.cost(knot)
        total, worst = cost, 0.0
        for j in self._constraints_at[knot.k]:
            c = self._constraints[j].value(knot)
            multiplier, weight = self._weight(j, knot.k, c)
            total += float(multiplier @ c + 0.5 * (weight * c) @ c)
            worst = max(worst, self._violation(j, c))
        return total, cost, worst

    def expand(self, knot: Knot) -> Expansion:
        """To second order at a knot, constraints by Gauss-Newton."""
        e = no_cost(self._nx, self._nu)
        for cost in self._costs_at[knot.k]:
            for whole, part in zip(e, cost.expand(knot)):
                whole += part
        for j in self._constraints_at[knot.k]:
            c, (cx, cu) = self._constraints[j].value(knot), self._constraints[j].jacobians(knot)
            multiplier, weight = self._weight(j, knot.k, c)
            push = multiplier + weight * c
            e.x[:] += cx.T @ push
            e.u[:] += cu.T @ push
            e.xx[:] += (cx.T * weight) @ cx
            e.uu[:] += (cu.T * weight) @ cu
            e.ux[:] += (cu.T * weight) @ cx
        return e

    def update(self, knots: Sequence[Knot], factor: float) -> None:
        """New multipliers from the constraints at these knots, and a penalty `factor` times as large."""
        for knot in knots:
            for j in self._constraints_at[knot.k]:
                c = self._constraints[j].value(knot)
                new = self._multiplier(j, knot.k, c) + self.penalty * c
                self.multipliers[j, knot.k] = new if self._constraints[j].equality else np.maximum(new, 0.0)
        self.penalty = min(LARGEST, self.penalty * factor)

    @property
    def constrained(self) -> bool:
        """Whether there is any constraint."""
        return bool(self._constraints)

    def _multiplier(self, j: int, k: int, c: np.ndarray) -> np.ndarray:
        return self.multipliers.get((j, k), np.zeros(len(c)))

    def _weight(self, j: int, k: int, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        multiplier = self._multiplier(j, k, c)
        acts = np.ones(len(c), bool) if self._constraints[j].equality else (c >= 0) | (multiplier > 0)
        return multiplier, self.penalty * acts

    def _violation(self, j: int, c: np.ndarray) -> float:
        wrong = np.abs(c) if self._constraints[j].equality else np.maximum(c, 0.0)
        return float(wrong.max(initial=0.0))

    # ------------------------------------------------ what a checkpoint keeps

    def kept(self) -> dict[str, np.ndarray]:
        """Multipliers and penalty as arrays."""
        return {"penalty": np.array(self.penalty), **{f"multiplier {j} {k}": value for (j, k), value in self.multipliers.items()}}

    def take(self, arrays: dict[str, np.ndarray]) -> None:
        """What `kept` gave."""
        self.penalty = float(arrays["penalty"])
        for name, value in arrays.items():
            if name.startswith("multiplier "):
                j, k = name.split()[1:]
                self.multipliers[int(j), int(k)] = value
