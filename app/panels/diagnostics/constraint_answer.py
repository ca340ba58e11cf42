"""What the constraint panel asks the physics thread for, and what it is told. No Qt."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from physics.diagnostics.constraint_parameters import ConstraintParameters, constraint_parameters
from physics.diagnostics.constraint_rows import CONTACT_TYPES, KINDS, ConstraintRow, constraint_rows, effective_mass, row_element, rows_of
from physics.enums import ConstraintType
from physics.model.data import Data
from physics.model.elements import Element
from physics.model.model import Model

CONSTRAINED = ("equality", "joint", "tendon")   # kinds of elements that the panel is about
MOST_LISTED = 200


@dataclass(frozen=True, slots=True)
class ListedConstraint:
    """An element with rows now. what: kinds of its rows in words; count: of its rows; force: the length of their forces [N, N m]."""

    element: Element
    what: str
    count: int
    force: float


@dataclass(frozen=True, slots=True)
class ConstraintAnswer:
    """About one element at one moment, or of None the elements that have rows.

    parts: its constraints; masses: that the rows of each feel together; rows: all its rows;
    listed, more, contacts: elements with rows, how many more there are, contacts with rows.
    """

    element: Element | None
    time: float
    parts: tuple[ConstraintParameters, ...] = ()
    rows: tuple[ConstraintRow, ...] = ()
    masses: tuple[np.ndarray, ...] = ()
    listed: tuple[ListedConstraint, ...] = ()
    more: int = 0
    contacts: int = 0


def answer(m: Model, d: Data, what: Element | None) -> ConstraintAnswer:
    """In the physics thread: all that the panel shows."""
    if what is None:
        return listing(m, d)
    parts = constraint_parameters(m, d, what)
    masses = tuple(effective_mass(m, d, part.rows) for part in parts)
    return ConstraintAnswer(what, float(d.time), parts, constraint_rows(m, d, rows_of(m, d, what)), masses)


def listing(m: Model, d: Data) -> ConstraintAnswer:
    """The elements that have rows now, contacts left out, those with the largest force first."""
    n = int(d.nefc)
    kind, ident = d.efc_type[:n], d.efc_id[:n].copy()
    dry = kind == ConstraintType.FRICTION_DOF
    ident[dry] = m.dof_jntid[ident[dry]]
    contact = np.isin(kind, CONTACT_TYPES)
    own = np.flatnonzero(~contact)
    # one number for an element with a kind of rows: quicker to sort than pairs
    keys, first, group = np.unique(kind[own].astype(np.int64) << 32 | ident[own], return_index=True, return_inverse=True)
    force = np.sqrt(np.bincount(group, np.square(d.efc_force[own]), minlength=len(keys)))
    count = np.bincount(group, minlength=len(keys))
    order = np.argsort(-force, kind="stable")
    listed = tuple(ListedConstraint(row_element(m, d, int(own[first[k]])), KINDS[int(keys[k]) >> 32][0], int(count[k]), float(force[k])) for k in order[:MOST_LISTED].tolist())
    return ConstraintAnswer(None, float(d.time), listed=listed, more=len(keys) - len(listed), contacts=int(np.count_nonzero(np.bincount(ident[contact]))))
