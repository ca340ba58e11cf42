"""What the contact panel asks the physics thread for, and what it is told. No Qt."""
from __future__ import annotations

from dataclasses import dataclass

from physics.diagnostics.constraint_rows import ConstraintRow, constraint_rows
from physics.diagnostics.contact_exclusion import Exclusion, contact_exclusion
from physics.diagnostics.contact_parameters import ContactParameters, contact_parameters, pair_parameters
from physics.diagnostics.contact_state import ContactState, contact_state
from physics.model.data import Data
from physics.model.elements import Element, contact_element, contact_number
from physics.model.model import Model
from physics.query.object_motion import contact_force


@dataclass(frozen=True, slots=True)
class ContactQuestion:
    """geoms: two of the present Model; contact: one of their contacts as an element, None: that with the largest force."""

    geoms: tuple[int, int]
    contact: Element | None = None


@dataclass(frozen=True, slots=True)
class ContactPoint:
    """One of the contacts of two geoms: its number, how large its force is along the normal [N], its distance [m], and what it is called by."""

    number: int
    normal: float
    dist: float
    element: Element


@dataclass(frozen=True, slots=True)
class ContactAnswer:
    """About two geoms at one moment; chosen: number of the contact that state and rows are of, -1 where they have none."""

    question: ContactQuestion
    time: float
    exclusion: Exclusion
    parameters: ContactParameters
    points: tuple[ContactPoint, ...]
    chosen: int
    state: ContactState | None
    rows: tuple[ConstraintRow, ...]


def answer(m: Model, d: Data, question: ContactQuestion) -> ContactAnswer:
    """In the physics thread: all that the panel shows of two geoms."""
    exclusion = contact_exclusion(m, d, *question.geoms)
    points = tuple(ContactPoint(k, float(contact_force(m, d, k)[0]), float(d.contact_dist[k]), what)
                   for k in exclusion.contacts if (what := contact_element(m, d, k)) is not None)
    chosen = contact_number(m, d, question.contact) if question.contact is not None else -1
    if chosen not in exclusion.contacts:
        chosen = max(points, key=lambda point: (point.normal, -point.dist)).number if points else -1
    if chosen < 0:
        return ContactAnswer(question, float(d.time), exclusion, pair_parameters(m, *question.geoms), points, -1, None, ())
    state = contact_state(m, d, chosen)
    first, count = state.rows
    rows = constraint_rows(m, d, range(first, first + count))
    return ContactAnswer(question, float(d.time), exclusion, contact_parameters(m, d, chosen), points, chosen, state, rows)
