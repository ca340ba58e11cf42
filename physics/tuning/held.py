"""A target's row as it is felt while all other rows act as they do now.

Rows in the quadratic state are springs, f = D (aref - J qacc), so that all of them but the target's own push along its direction belong to what has to be moved:

    H = M + sum D J' J - G j' j        A = j inv(H) j'        a0 = j inv(H) (qfrc_smooth + sum J' D aref - G j' aref)

with j, G, aref of the target's rows together. Rows at a bound (dry friction that slides, a contact on the side of its cone) push with the force that they have now.

Source: MuJoCo documentation, chapter Computation, "Constraint model: dual and primal problem", "Friction loss", "Contact".
"""
from __future__ import annotations

import numpy as np

from physics.diagnostics.constraint_rows import row_jacobian
from physics.enums import DSBL_ISLAND, INT_DISCRETE, ConstraintState
from physics.model.data import Data
from physics.model.model import Model
from physics.query.mass_matrix import full_m

MOST_DOFS = 1500        # of one island: a dense factor of more takes longer than anybody waits


def held_row(m: Model, d: Data, rows: np.ndarray, direction: np.ndarray | None) -> tuple[float, float]:
    """(A, a0) of the target's rows. direction: weights of rows along axes, None for rows side by side, which are weighted by 1/R. Raises ValueError for too many dofs
    and for the integrator `discrete`."""
    if m.opt_integrator == INT_DISCRETE:
        raise ValueError("the integrator 'discrete' makes its rows for the effective mass matrix: what other rows hold is not known here")
    dofs = _dofs_together(m, d, rows)
    if len(dofs) > MOST_DOFS:
        raise ValueError(f"{len(dofs)} degrees of freedom hang together here: at most {MOST_DOFS} are looked at")
    place = np.full(m.nv, -1)
    place[dofs] = np.arange(len(dofs))
    mine, state = np.zeros(d.nefc, bool), d.efc_state[:d.nefc]
    mine[rows] = True
    spring = state == ConstraintState.QUADRATIC
    bound = (state == ConstraintState.LINEARNEG) | (state == ConstraintState.LINEARPOS) | (state == ConstraintState.CONE)
    # what moves: inertia, and all rows of the island that act as springs or push with a fixed force
    H = full_m(m, d)[np.ix_(dofs, dofs)] if len(dofs) < m.nv else full_m(m, d)
    force = np.array(d.qfrc_smooth[dofs])
    for i in np.flatnonzero(spring | bound & ~mine).tolist():
        columns, values = row_jacobian(d, i)
        at = place[columns]
        if at[0] < 0:
            continue
        if spring[i]:
            H[np.ix_(at, at)] += d.efc_D[i] * np.outer(values, values)
            force[at] += values * (d.efc_D[i] * d.efc_aref[i])
        else:
            force[at] += values * d.efc_force[i]
    # less the target's own push along its direction
    acting = np.flatnonzero(spring[rows])
    some = rows[acting] if len(acting) and direction is None else rows
    stiffness = d.efc_D[some]
    weights = stiffness / stiffness.sum() if direction is None else direction
    G = float(stiffness.sum() if direction is None else (direction * direction) @ stiffness)
    j = np.zeros(len(dofs))
    for w, i in zip(weights, some, strict=True):
        columns, values = row_jacobian(d, int(i))
        j[place[columns]] += w * values
    if len(acting):
        H -= G * np.outer(j, j)
        force -= j * (G * float(weights @ d.efc_aref[some]))
    response = np.linalg.solve(H, np.stack([j, force], 1))
    return float(j @ response[:, 0]), float(j @ response[:, 1])


def _dofs_together(m: Model, d: Data, rows: np.ndarray) -> np.ndarray:
    """The dofs of the islands that rows are in; all where the flag `island` is off."""
    if m.opt_disableflags & DSBL_ISLAND:
        return np.arange(m.nv)
    islands = {int(d.sol_tree_island[tree]) for i in rows.tolist() for tree in np.unique(m.dof_treeid[row_jacobian(d, i)[0]])}
    return np.flatnonzero(np.isin(np.asarray(d.sol_tree_island)[m.dof_treeid], list(islands)))
