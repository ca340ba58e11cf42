"""The row that a contact or limit has now: inverse mass, factor and load from the engine's own rows, never from mass and gravity.

    J = mean of the rows' normals, weighted by D = 1 / R      A = J inv(M) J'      s = A sum(D) (1 - d) / d      a0 = J qacc_smooth

The contacts of two bodies bear the load together and count as one row.
"""
from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from physics.diagnostics.constraint_rows import dense_jacobian, rows_of
from physics.enums import DSBL_REFSAFE, INT_DISCRETE, ConstraintType
from physics.model.data import Data
from physics.model.elements import CONTACT, Element
from physics.model.model import Model
from physics.query.mass_matrix import solve_m
from physics.tuning.law import Friction, Row

PYRAMIDAL = int(ConstraintType.CONTACT_PYRAMIDAL)
LIMITS = (int(ConstraintType.LIMIT_JOINT), int(ConstraintType.LIMIT_TENDON))


def contact_row(m: Model, d: Data, contact: int) -> Row | None:
    """The row of a contact with all others between the same two bodies; d has been computed by forward or a step. None where it has no rows. Raises IndexError."""
    if not 0 <= contact < d.ncon:
        raise IndexError(f"contact {contact}: there are {d.ncon}")
    bodies = m.geom_bodyid[d.contact_geom[:d.ncon]]
    like = np.flatnonzero((np.sort(bodies, axis=1) == np.sort(bodies[contact])).all(axis=1))
    normals = [i for k in like for i in _normal_rows(m, d, int(k))]
    # J of each is the rate at which its gap opens, whichever geom comes first
    return row_of(m, d, normals) if normals else None


def _normal_rows(m: Model, d: Data, contact: int) -> tuple[int, ...]:
    """Rows that push along the normal: all edges of a pyramid, else the first."""
    rows = rows_of(m, d, Element(CONTACT, contact))
    return rows if rows and d.efc_type[rows[0]] == PYRAMIDAL else rows[:1]


def limit_row(m: Model, d: Data, what: Element) -> Row | None:
    """The row of a joint's or tendon's limit that is reached; None where none is."""
    rows = [i for i in rows_of(m, d, what) if int(d.efc_type[i]) in LIMITS]
    return row_of(m, d, rows[:1]) if rows else None


def row_of(m: Model, d: Data, rows: Iterable[int]) -> Row:
    """Rows that push together as one. Raises IndexError for a row that is not there, ValueError where nothing moves them."""
    rows = list(rows)
    jacobian = dense_jacobian(m, d, rows)
    discrete = m.opt_integrator == INT_DISCRETE
    R = (d.efc_plain[rows, 0] if discrete else d.efc_R[rows])       # as made, without the integrator's own scale
    D = 1.0 / R
    J = D @ jacobian / D.sum()
    A = float(J @ solve_m(m, d, J))
    if not A > 0.0:
        raise ValueError(f"nothing moves the rows {rows}")
    imp = float(D @ d.efc_KBIP[rows, 2] / D.sum())
    factor = A * float(D.sum()) * (1.0 - imp) / imp
    return Row(A, factor, float(J @ d.qacc_smooth), float(m.opt_timestep), int(m.opt_integrator), not m.opt_disableflags & DSBL_REFSAFE, float(d.efc_margin[rows[0]]))


def contact_friction(m: Model, d: Data, contact: int) -> Friction:
    """What of a contact's friction matters for its normal. Raises IndexError."""
    if not 0 <= contact < d.ncon:
        raise IndexError(f"contact {contact}: there are {d.ncon}")
    return Friction(int(d.contact_dim[contact]), float(d.contact_friction[contact, 0]), float(m.opt_impratio), int(m.opt_cone))
