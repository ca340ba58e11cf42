"""What constraint rows and degrees of freedom are called."""
from __future__ import annotations

import numpy as np

from physics.enums import (
    CNSTR_CONTACT_ELLIPTIC,
    CNSTR_CONTACT_FRICTIONLESS,
    CNSTR_CONTACT_PYRAMIDAL,
    CNSTR_EQUALITY,
    CNSTR_FRICTION_DOF,
    CNSTR_FRICTION_TENDON,
    CNSTR_LIMIT_JOINT,
    ConstraintType,
)
from physics.pipeline.constraint_problem import ConstraintProblem

CONTACTS = (CNSTR_CONTACT_FRICTIONLESS, CNSTR_CONTACT_PYRAMIDAL, CNSTR_CONTACT_ELLIPTIC)
FRAME_PARTS = ("normal", "tangent 1", "tangent 2", "spin", "roll 1", "roll 2")
AXES = ("x", "y", "z", "rot x", "rot y", "rot z")    # of a free joint; the last three of a ball joint


def element_name(m, kind: str, number: int) -> str:
    """The name of an element, or its kind and number."""
    return m.name(kind, int(number)) or f"{kind} {number}"


def dof_name(m, dof: int) -> str:
    """The joint of a degree of freedom, with the axis where it has several."""
    joint = int(m.dof_jntid[dof])
    count = int(np.count_nonzero(m.dof_jntid == joint))
    part = dof - int(m.jnt_dofadr[joint])
    return element_name(m, "joint", joint) + (f" {AXES[part - count]}" if count > 1 else "")


def row_name(m, problem: ConstraintProblem, row: int) -> str:
    """What a row belongs to: the two geoms of a contact, a joint, a tendon, an equality constraint."""
    kind, number = int(problem.efc_type[row]), int(problem.efc_id[row])
    if kind in CONTACTS:
        geoms = problem.contacts.geom[number]
        return " and ".join(element_name(m, "geom", g) if g >= 0 else "flex" for g in geoms)
    if kind == CNSTR_FRICTION_DOF:
        return dof_name(m, number)
    element = "equality" if kind == CNSTR_EQUALITY else "joint" if kind == CNSTR_LIMIT_JOINT else "tendon"
    return element_name(m, element, number)


def row_kind(problem: ConstraintProblem, row: int) -> str:
    """The row's kind in words, and for a contact which direction of its frame or edge of its pyramid it is."""
    kind = int(problem.efc_type[row])
    if kind in (CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON):
        return "friction loss"
    if kind not in CONTACTS:
        return ConstraintType(kind).name.lower().replace("_", " ")
    part = row - int(problem.contacts.address[problem.efc_id[row]])
    if kind == CNSTR_CONTACT_PYRAMIDAL:
        return f"contact, edge {'+-'[part % 2]} {FRAME_PARTS[1 + part // 2]}"
    return f"contact, {FRAME_PARTS[part]}"


def island_name(m, problem: ConstraintProblem, island: int) -> str:
    """The first bodies of an island's trees."""
    trees = np.flatnonzero(problem.tree_island == island)
    names = [element_name(m, "body", m.tree_bodyadr[t]) for t in trees[:3].tolist()]
    return ", ".join(names) + (f" and {len(trees) - 3} more" if len(trees) > 3 else "")
