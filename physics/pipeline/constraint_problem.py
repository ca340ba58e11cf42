"""The problem that the constraint solver solves for one state, copied out of a Data: minimise (a - a0)' M (a - a0) / 2 + s(J a - aref) over the accelerations a.

Under the discrete integrator M is the effective mass matrix, and a0 and qfrc_smooth are those that belong to it; tendons and actuators that do not fit
its rows add s (J a)^2 / 2 each to the Gauss part.

Source: MuJoCo documentation, chapter Computation, "Constraint solver" and "Numerical integration" (discrete).
"""
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from physics.enums import CNSTR_CONTACT_PYRAMIDAL, DSBL_ISLAND, INT_DISCRETE, SOL_CG
from physics.pipeline.constraint_cost import ConstraintCost, RowCosts
from physics.pipeline.sparse_rows import SparseRows, sums_by


class Cost(NamedTuple):
    """By island (..., nisland): the Gauss part and that of the constraint rows [N m/s2]; gradient (..., nv), of no island zero [N, N m]; rows: force and state of each."""

    gauss: np.ndarray
    constraint: np.ndarray
    gradient: np.ndarray
    rows: RowCosts

    @property
    def total(self) -> np.ndarray:
        """Of both parts and all islands."""
        return np.sum(self.gauss + self.constraint, axis=-1)


@dataclass(frozen=True)
class ContactRows:
    """Of each contact: pos (n, 3) [m], frame (n, 3, 3) whose rows are normal and tangents, geom (n, 2), first row (-1: none), dim, friction (n, 5), adhesion [N]."""

    pos: np.ndarray
    frame: np.ndarray
    geom: np.ndarray
    address: np.ndarray
    dim: np.ndarray
    friction: np.ndarray
    adhesion: np.ndarray

    @classmethod
    def of(cls, d) -> ContactRows:
        """The present contacts of a Data, copied."""
        n = d.ncon
        return cls(np.array(d.contact_pos[:n]), np.array(d.contact_frame[:n]).reshape(n, 3, 3), np.array(d.contact_geom[:n]), np.array(d.contact_efc_address[:n]),
                   np.array(d.contact_dim[:n]), np.array(d.contact_friction[:n]), np.array(d.contact_adhesion[:n]))

    def forces(self, kind: np.ndarray, efc_force: np.ndarray) -> np.ndarray:
        """(n, 6) forces and torques on geom 2's body along the contact frames that these forces of rows make [N, N m]."""
        out = np.zeros((len(self.dim), 6))
        there = np.flatnonzero(self.address >= 0)
        pyramids = (self.dim[there] > 1) & (kind[self.address[there]] == CNSTR_CONTACT_PYRAMIDAL)
        for dim in np.unique(self.dim[there]).tolist():
            own = self.dim[there] == dim
            c = there[own & ~pyramids]
            out[c, :dim] = efc_force[self.address[c, None] + np.arange(dim)]
            c = there[own & pyramids]
            if len(c):
                edges = efc_force[self.address[c, None] + np.arange(2 * (dim - 1))].reshape(len(c), dim - 1, 2)
                out[c, 0] = edges.sum(axis=(1, 2))
                out[c, 1:dim] = self.friction[c, :dim - 1] * (edges[..., 0] - edges[..., 1])
        out[there, 0] -= self.adhesion[there]
        return out


@dataclass(frozen=True)
class ConstraintProblem:
    """M (nv x nv), qacc_smooth and qfrc_smooth (nv), J (nefc x nv), aref (nefc) and the rows' cost; efc_type and efc_id; the island of each dof (nv), row (nefc) and tree,
    -1: none; trace: of M over each island; coupling: rows of the effective mass matrix, with their weights; contacts."""

    M: SparseRows
    qacc_smooth: np.ndarray
    qfrc_smooth: np.ndarray
    J: SparseRows
    aref: np.ndarray
    cost: ConstraintCost
    efc_type: np.ndarray
    efc_id: np.ndarray
    nisland: int
    dof_island: np.ndarray
    efc_island: np.ndarray
    tree_island: np.ndarray
    trace: np.ndarray
    coupling: SparseRows
    coupling_weight: np.ndarray
    contacts: ContactRows

    @classmethod
    def of(cls, m, d) -> ConstraintProblem:
        """That of a Data whose solver has run (physics.forward)."""
        discrete = m.opt_integrator == INT_DISCRETE and d.nefc > 0
        M = d.M_eff if discrete else d.M
        n, tree_island = d.nefc, _tree_island(m, d)
        nisland = int(tree_island.max(initial=-1)) + 1
        J = SparseRows.of(d.efc_J, d.efc_J_colind, d.efc_J_rownnz[:n], d.efc_J_rowadr[:n], m.nv)
        dof_island = tree_island[m.dof_treeid] if m.nv else np.zeros(0, int)
        diagonal = M[m.M_rowadr + m.M_rownnz - 1]
        trace = sums_by(diagonal, np.zeros(m.nv, int) if m.opt_disableflags & DSBL_ISLAND else dof_island, max(nisland, 1))[:nisland]
        coupling, weight = _couplings(m, d) if discrete else (_no_rows(m.nv), np.zeros(0))
        return cls(
            SparseRows.symmetric(M, m.M_colind, m.M_rownnz), np.array(d.qacc_eff if discrete else d.qacc_smooth), np.array(d.qfrc_eff if discrete else d.qfrc_smooth),
            J, np.array(d.efc_aref[:n]), ConstraintCost.of(d), np.array(d.efc_type[:n]), np.array(d.efc_id[:n]), nisland, dof_island,
            dof_island[d.efc_J_colind[d.efc_J_rowadr[:n]]] if n else np.zeros(0, int), tree_island, trace, coupling, weight, ContactRows.of(d))

    @property
    def nefc(self) -> int:
        """Number of rows."""
        return len(self.aref)

    def residual(self, qacc) -> np.ndarray:
        """J a - aref (..., nefc) for accelerations (..., nv)."""
        return self.J.times(qacc) - self.aref

    def at(self, qacc) -> Cost:
        """Costs and gradients at accelerations (..., nv). What no row moves has no cost."""
        qacc = np.asarray(qacc, float)
        tied = self.dof_island >= 0
        pull = self.pull(qacc)
        inertial = pull if not len(self.coupling_weight) else self._inertial(qacc)
        gauss = sums_by(0.5 * np.where(tied, qacc - self.qacc_smooth, 0.0) * inertial, self.dof_island, self.nisland)
        if len(self.coupling_weight):
            gauss = gauss + sums_by(0.5 * self.coupling_weight * self.coupling.times(qacc)**2, self._coupling_island(), self.nisland)
        rows = self.cost.at(self.residual(qacc))
        gradient = pull - self.J.transposed_times(rows.force)
        return Cost(gauss, sums_by(rows.cost, self.efc_island, self.nisland), gradient, rows)

    def pull(self, qacc) -> np.ndarray:
        """The gradient of the Gauss part (..., nv), zero at what no row moves [N, N m]."""
        pull = self._inertial(qacc)
        if len(self.coupling_weight):
            pull = pull + np.where(self.dof_island >= 0, self.coupling.transposed_times(self.coupling_weight * self.coupling.times(qacc)), 0.0)
        return pull

    def _inertial(self, qacc) -> np.ndarray:
        return np.where(self.dof_island >= 0, self.M.times(qacc) - self.qfrc_smooth, 0.0)

    def dual(self, qacc, efc_force) -> np.ndarray:
        """f' (A + R) f / 2 + f' b by island, A = J M^-1 J', b = J qacc_smooth - aref, for accelerations qacc_smooth + M^-1 J' f: what PGS minimises [N m/s2].

        NaN where the effective mass matrix has couplings, whose forces are not among efc_force.
        """
        if len(self.coupling_weight):
            return np.full(self.nisland, np.nan)
        joint = self.J.transposed_times(efc_force)
        own = sums_by(0.5 * joint * (qacc - self.qacc_smooth), self.dof_island, self.nisland)
        return own + sums_by(efc_force * (0.5 * self.cost.R * efc_force + self.residual(self.qacc_smooth)), self.efc_island, self.nisland)

    def product(self, x, y) -> float:
        """x' M y, in the effective mass matrix with its couplings."""
        return float(x @ self.M.times(y) + np.sum(self.coupling_weight * self.coupling.times(x) * self.coupling.times(y)))

    def island_dofs(self, island: int | None) -> np.ndarray:
        """Dofs of an island, or of all."""
        return np.flatnonzero(self.dof_island >= 0 if island is None else self.dof_island == island)

    def island_rows(self, island: int | None) -> np.ndarray:
        """Rows of an island, or of all."""
        return np.flatnonzero(self.efc_island >= 0 if island is None else self.efc_island == island)

    def _coupling_island(self) -> np.ndarray:
        return np.array([self.dof_island[self.coupling.cols[self.coupling.row == k][0]] for k in range(len(self.coupling_weight))])


def _tree_island(m, d) -> np.ndarray:
    """Island of each tree as the solver has numbered them; without islands the rows' trees are one, with CG all trees."""
    if not d.nefc:
        return np.full(m.ntree, -1)
    if m.opt_disableflags & DSBL_ISLAND and m.opt_solver == SOL_CG:
        return np.zeros(m.ntree, int)
    return np.array(d.sol_tree_island, int)


def _couplings(m, d) -> tuple[SparseRows, np.ndarray]:
    """Tendons and actuators that are rows of their own in the effective mass matrix (engine/solve/effective_mass_rows.py), with their weights."""
    if not d.M_eff_coupled:
        return _no_rows(m.nv), np.zeros(0)
    tendons, outputs = np.flatnonzero(d.M_eff_tendon), np.flatnonzero(d.M_eff_output)
    by_tendon = SparseRows.of(d.ten_J.ravel(), m.ten_J_colind.ravel(), m.ten_J_rownnz[tendons], m.ten_J_rowadr[tendons], m.nv)
    by_output = SparseRows.of(d.actuator_moment.ravel(), d.moment_colind.ravel(), d.moment_rownnz[outputs], d.moment_rowadr[outputs], m.nv)
    rows = SparseRows(np.r_[by_tendon.values, by_output.values], np.r_[by_tendon.cols, by_output.cols], np.r_[by_tendon.row, by_output.row + len(tendons)],
                      (len(tendons) + len(outputs), m.nv))
    return rows, np.r_[d.M_eff_tendon[tendons], d.M_eff_output[outputs]]


def _no_rows(columns: int) -> SparseRows:
    return SparseRows(np.zeros(0), np.zeros(0, int), np.zeros(0, int), (0, columns))
