"""The cost s(x) of constraint rows, x = J qacc - aref, with forces -s'(x) and states, over whole arrays of accelerations at once.

    equality                   D x^2/2
    friction loss, bound f     D x^2/2 for |x| < R f, beyond f |x| - R f^2/2 (Huber's function)
    limit, frictionless, edge of a pyramid   D x^2/2 for x < 0, else 0
    elliptic contact           with U = (mu x0, mu1 x1, ...), N = U0, T = |U1..|: 0 for N >= mu T, the sum of D x^2/2 for mu N + T <= 0,
                               else Dm (N - mu T)^2/2, Dm = D0 / (mu^2 (1 + mu^2))

The same function as the solver's own (engine/solve/cost.py), which the tests compare; written for looking at it, not for solving.

Source: MuJoCo documentation, chapter Computation, "Constraint solver" and "Friction cones".
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from physics.enums import (
    CNSTR_CONTACT_ELLIPTIC,
    CNSTR_EQUALITY,
    CNSTR_FRICTION_DOF,
    CNSTR_FRICTION_TENDON,
    CNSTRSTATE_CONE,
    CNSTRSTATE_LINEARNEG,
    CNSTRSTATE_LINEARPOS,
    CNSTRSTATE_QUADRATIC,
    CNSTRSTATE_SATISFIED,
)

MOST_DIM = 6


class RowCosts(NamedTuple):
    """Arrays of the shape of x: cost [N m/s2] (of an elliptic contact on the side of its cone all at its first row), force [N, N m], state (a ConstraintState)."""

    cost: np.ndarray
    force: np.ndarray
    state: np.ndarray


@dataclass(frozen=True)
class ConstraintCost:
    """The rows' parameters (nefc each) as in Data; cone_rows (ncone, 6) rows of the elliptic contacts, -1 past their dim, cone_mu (ncone), cone_friction (ncone, 5)."""

    kind: np.ndarray
    D: np.ndarray
    R: np.ndarray
    frictionloss: np.ndarray
    cone_rows: np.ndarray
    cone_mu: np.ndarray
    cone_friction: np.ndarray

    @classmethod
    def of(cls, d) -> ConstraintCost:
        """The present rows of a Data, copied."""
        n = d.nefc
        kind = np.array(d.efc_type[:n])
        adr = d.contact_efc_address[:d.ncon]
        cones = np.flatnonzero(adr >= 0)
        cones = cones[kind[adr[cones]] == CNSTR_CONTACT_ELLIPTIC]
        place = np.arange(MOST_DIM)
        rows = np.where(place < d.contact_dim[cones, None], adr[cones, None] + place, -1)
        return cls(kind, np.array(d.efc_D[:n]), np.array(d.efc_R[:n]), np.array(d.efc_frictionloss[:n]), rows, np.array(d.contact_mu[cones]),
                   np.array(d.contact_friction[cones]))

    def part(self, rows: np.ndarray) -> ConstraintCost:
        """Of these rows alone, ascending; contacts must be there with all of theirs."""
        place = np.full(len(self.kind) + 1, -1)
        place[rows] = np.arange(len(rows))
        cones = place[self.cone_rows[:, 0]] >= 0
        return ConstraintCost(self.kind[rows], self.D[rows], self.R[rows], self.frictionloss[rows], place[self.cone_rows[cones]], self.cone_mu[cones],
                              self.cone_friction[cones])

    def at(self, x) -> RowCosts:
        """Costs, forces and states at x (..., nefc)."""
        x = np.asarray(x, float)
        force = -self.D * x
        push = (self.kind == CNSTR_EQUALITY) | (x < 0.0)
        state = np.where(push, CNSTRSTATE_QUADRATIC, CNSTRSTATE_SATISFIED).astype(np.int8)
        force = np.where(push, force, 0.0)
        cost = -0.5 * force * x
        dry = np.flatnonzero((self.kind == CNSTR_FRICTION_DOF) | (self.kind == CNSTR_FRICTION_TENDON))
        if len(dry):
            cost[..., dry], force[..., dry], state[..., dry] = self._dry(x[..., dry], dry)
        if len(self.cone_rows):
            self._cones(x, cost, force, state)
        return RowCosts(cost, force, state)

    def _dry(self, x: np.ndarray, rows: np.ndarray) -> RowCosts:
        """Rows of dry friction: the force is -D x as far as the bound allows."""
        bound, R = self.frictionloss[rows], self.R[rows]
        free = -self.D[rows] * x
        force = np.clip(free, -bound, bound)
        state = np.where(free >= bound, CNSTRSTATE_LINEARNEG, np.where(free <= -bound, CNSTRSTATE_LINEARPOS, CNSTRSTATE_QUADRATIC)).astype(np.int8)
        linear = state != CNSTRSTATE_QUADRATIC
        return RowCosts(np.where(linear, bound * (np.abs(x) - 0.5 * R * bound), -0.5 * free * x), force, state)

    def _cones(self, x: np.ndarray, cost: np.ndarray, force: np.ndarray, state: np.ndarray) -> None:
        """Write the rows of elliptic contacts."""
        there = self.cone_rows >= 0
        rows = np.where(there, self.cone_rows, 0)
        first, mu = self.cone_rows[:, 0], self.cone_mu
        own = np.where(there, x[..., rows], 0.0)                                   # (..., ncone, 6)
        D = self.D[rows]
        normal = own[..., 0] * mu
        side = own[..., 1:] * self.cone_friction
        tangent = np.sqrt(np.sum(np.square(side), axis=-1))
        top = (normal >= mu * tangent) | ((tangent <= 0.0) & (normal >= 0.0))
        bottom = ~top & ((mu * normal + tangent <= 0.0) | ((tangent <= 0.0) & (normal < 0.0)))
        middle = ~top & ~bottom
        weight = self.D[first] / (mu * mu * (1.0 + mu * mu))
        gap = normal - mu * tangent
        push = -weight * gap * mu                                                  # on the side: normal force, and its share along the tangents
        along = side / np.where(tangent > 0.0, tangent, 1.0)[..., None]
        on_side = np.concatenate([push[..., None], -push[..., None] * along * self.cone_friction], axis=-1)
        own_force = np.where(bottom[..., None], -D * own, np.where(middle[..., None], on_side, 0.0))
        own_cost = np.where(bottom[..., None], 0.5 * D * own * own, 0.0)
        own_cost[..., 0] += np.where(middle, 0.5 * weight * gap * gap, 0.0)
        own_state = np.where(bottom, CNSTRSTATE_QUADRATIC, np.where(middle, CNSTRSTATE_CONE, CNSTRSTATE_SATISFIED))
        kept = self.cone_rows[there]
        cost[..., kept], force[..., kept] = own_cost[..., there], own_force[..., there]
        state[..., kept] = np.broadcast_to(own_state[..., None], own.shape)[..., there]
