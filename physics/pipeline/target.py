"""Which body, joint, dof, tendon, actuator, contact, row and sensor formulas are filled in for, where one element is selected."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from physics.enums import CNSTR_CONTACT_FRICTIONLESS, CNSTR_FRICTION_DOF, CNSTR_LIMIT_JOINT, TRN_JOINT, TRN_JOINTINPARENT
from physics.model.elements import CONTACT, Element, body_of, contact_number
from physics.pipeline.sparse_rows import SparseRows


@dataclass(frozen=True, slots=True)
class Target:
    """Numbers of elements, -1: there is none of the kind. joint, dof: of the body or of the nearest body above it that has joints; the others: what is selected, else what
    belongs to the joint or the body, else the first."""

    body: int
    joint: int
    dof: int
    tendon: int
    actuator: int
    contact: int
    row: int
    sensor: int


def target_of(m, v, element: Element | None = None, row: int | None = None, dof: int | None = None, rows: bool = True) -> Target:
    """What a selected element means for every kind. v: a Moment, Data or Snapshot, whose contacts and rows are meant; row, dof: chosen by number instead; rows: whether
    the rows are of these contacts, which they are not between the stages that find them."""
    kind = element.kind if element is not None else ""
    if dof is not None and 0 <= dof < m.nv:
        joint, body = int(m.dof_jntid[dof]), int(m.dof_bodyid[dof])
    else:
        body = _body(m, element)
        joint = element.id if kind == "joint" else _joint(m, body)
        dof = int(m.jnt_dofadr[joint]) if joint >= 0 else -1
    contact = _contact(m, v, element, body)     # -1: nothing touches what is selected
    actuator = element.id if kind == "actuator" else _actuator(m, joint)
    chosen = -1
    if rows:
        chosen = row if row is not None and 0 <= row < v.nefc else _row(v, contact if kind in (CONTACT, "geom") else -1, joint, dof)
    if contact < 0 or row is not None:
        of_contact = chosen >= 0 and v.efc_type[chosen] >= CNSTR_CONTACT_FRICTIONLESS
        contact = int(v.efc_id[chosen]) if of_contact else max(contact, min(0, v.ncon - 1))
    tendon = element.id if kind == "tendon" else min(0, m.ntendon - 1)
    return Target(body, joint, dof, tendon, actuator, contact, chosen, element.id if kind == "sensor" else -1)


def _body(m, element: Element | None) -> int:
    """The element's body; the first that moves where there is none."""
    found = body_of(m, element) if element is not None else 0
    if element is not None and element.kind == CONTACT and element.geoms:
        bodies = [int(m.geom_bodyid[g.id]) for g in element.geoms]
        found = next((b for b in reversed(bodies) if m.body_weldid[b]), bodies[-1])
    if element is not None and element.kind == "actuator" and m.actuator_trntype[element.id] in (TRN_JOINT, TRN_JOINTINPARENT):
        found = int(m.jnt_bodyid[m.actuator_trnid[element.id, 0]])
    if not found:
        moving = np.flatnonzero(m.body_dofnum > 0)
        found = int(moving[0]) if len(moving) else min(1, m.nbody - 1)
    return found


def _joint(m, body: int) -> int:
    while body > 0 and m.body_jntnum[body] == 0:
        body = int(m.body_parentid[body])
    return int(m.body_jntadr[body]) if body > 0 else -1


def _actuator(m, joint: int) -> int:
    drives = np.isin(m.actuator_trntype, (TRN_JOINT, TRN_JOINTINPARENT)) & (np.reshape(m.actuator_trnid, (m.nactuator, -1))[:, 0] == joint) if m.nactuator else np.zeros(0, bool)
    return int(np.argmax(drives)) if drives.any() else min(0, m.nactuator - 1)


def _contact(m, v, element: Element | None, body: int) -> int:
    """The contact itself; else the deepest of the geom's or the body's."""
    if v.ncon == 0:
        return -1
    if element is not None and element.kind == CONTACT:
        number = contact_number(m, v, element)
        if number >= 0:
            return number
    geoms = np.asarray(v.contact_geom[:v.ncon])
    touches = (geoms == element.id).any(axis=1) if element is not None and element.kind == "geom" else (np.where(geoms >= 0, m.geom_bodyid[geoms], -1) == body).any(axis=1)
    found = np.flatnonzero(touches)
    return int(found[np.argmin(v.contact_dist[found])]) if len(found) else -1


def _row(v, contact: int, joint: int, dof: int) -> int:
    """The first row of the contact, else of the joint's limit or friction, else the first that moves the dof (of a contact, if there is one), else the first."""
    if v.nefc == 0:
        return -1
    if contact >= 0 and v.contact_efc_address[contact] >= 0:
        return int(v.contact_efc_address[contact])
    kinds, ids = np.asarray(v.efc_type[:v.nefc]), np.asarray(v.efc_id[:v.nefc])
    own = np.flatnonzero((kinds == CNSTR_LIMIT_JOINT) & (ids == joint) | (kinds == CNSTR_FRICTION_DOF) & (ids == dof))
    if len(own):
        return int(own[0])
    J = SparseRows.of(v.efc_J, v.efc_J_colind, v.efc_J_rownnz[:v.nefc], v.efc_J_rowadr[:v.nefc], dof + 1)
    moving = J.row[J.cols == dof]
    found = np.concatenate([moving[kinds[moving] >= CNSTR_CONTACT_FRICTIONLESS], moving])
    return int(found[0]) if len(found) else 0
