"""Constraint rows in words and numbers: what each belongs to, what it asks for and how hard it pushes; which rows an element has; the mass that they feel.

    vel = J qvel              aref = -B vel - K I (pos - margin)         acc = J qacc
    D = 1 / R                 R = (1 - I) / I diagA                      b = J qacc_smooth - aref

Source: MuJoCo documentation, chapter Computation, "Constraint model".
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.engine.kinematics.joints import is_ball
from physics.enums import DSBL_ISLAND, ConstraintState, ConstraintType, EqType, JointType, WrapType
from physics.model.elements import CONTACT, Element, contact_element, contact_number, element
from physics.query.mass_matrix import solve_m

# efc_type -> (in words, kind of the element that the row belongs to)
KINDS: Mapping[int, tuple[str, str]] = MappingProxyType({
    int(ConstraintType.EQUALITY): ("equality", "equality"),
    int(ConstraintType.FRICTION_DOF): ("friction dof", "joint"),
    int(ConstraintType.FRICTION_TENDON): ("friction tendon", "tendon"),
    int(ConstraintType.LIMIT_JOINT): ("limit joint", "joint"),
    int(ConstraintType.LIMIT_TENDON): ("limit tendon", "tendon"),
    int(ConstraintType.CONTACT_FRICTIONLESS): ("contact frictionless", CONTACT),
    int(ConstraintType.CONTACT_PYRAMIDAL): ("contact pyramidal", CONTACT),
    int(ConstraintType.CONTACT_ELLIPTIC): ("contact elliptic", CONTACT),
})
CONTACT_TYPES = tuple(kind for kind, (_words, owner) in KINDS.items() if owner == CONTACT)
STATES: Mapping[int, str] = MappingProxyType({
    int(ConstraintState.SATISFIED): "satisfied", int(ConstraintState.QUADRATIC): "quadratic", int(ConstraintState.LINEARNEG): "linear negative",
    int(ConstraintState.LINEARPOS): "linear positive", int(ConstraintState.CONE): "cone",
})
STATE_MEANINGS: Mapping[str, str] = MappingProxyType({
    "satisfied": "pushes nothing",
    "quadratic": "pushes by how far it is from what it asks for: force = -D (acc - aref)",
    "linear negative": "at its bound: force = -frictionloss",
    "linear positive": "at its bound: force = +frictionloss",
    "cone": "on the side of the friction cone: the contact slides",
})
AXES = ("x", "y", "z", "rotation x", "rotation y", "rotation z")
CONTACT_AXES = ("normal", "tangent 1", "tangent 2", "spin", "roll 1", "roll 2")
# joint type -> its dofs in words
DOF_PARTS: Mapping[int, tuple[str, ...]] = MappingProxyType({
    int(JointType.FREE): AXES, int(JointType.BALL): AXES[3:], int(JointType.SLIDE): ("translation",), int(JointType.HINGE): ("rotation",),
})
# joint type -> unit of its position, of a ball that of its angle; a free joint has no position that could be limited
POSITION_UNITS: Mapping[int, str] = MappingProxyType({int(JointType.SLIDE): "m", int(JointType.HINGE): "rad", int(JointType.BALL): "rad"})
FORCE_UNITS: Mapping[str, str] = MappingProxyType({"m": "N", "rad": "N m"})      # unit of a position -> of the force along it
EQUALITY_PARTS: Mapping[int, tuple[str, ...]] = MappingProxyType({
    int(EqType.CONNECT): AXES[:3], int(EqType.WELD): AXES, int(EqType.JOINT): ("joint position",), int(EqType.TENDON): ("tendon length",),
    int(EqType.DISTANCE): ("distance",),
})


@dataclass(frozen=True, slots=True)
class ConstraintRow:
    """One row of the constraints.

    row: its number. kind: efc_type in words. id: efc_id. element: what it belongs to, name: that in words. part: which direction of it.
    pos, margin [m or rad], vel, aref, acc, b; K, B: stiffness [1/s2] and damping [1/s] of the reference acceleration; impedance; diagA, R, D; force [N or N m];
    frictionloss: bound of a friction row, else 0. state: efc_state in words. island: -1 for none. jacobian: (dof, value) of the stored entries that are not zero.
    """

    row: int
    kind: str
    id: int
    element: Element
    name: str
    part: str
    pos: float
    margin: float
    vel: float
    aref: float
    acc: float
    b: float
    K: float
    B: float
    impedance: float
    diagA: float
    R: float
    D: float
    frictionloss: float
    force: float
    state: str
    island: int
    jacobian: tuple[tuple[int, float], ...]


def constraint_rows(m, d, rows: Iterable[int]) -> tuple[ConstraintRow, ...]:
    """These rows of a Data that has been computed, in the given order. Raises IndexError for a row that is not there."""
    return tuple(_row(m, d, i) for i in _checked(d, rows))


def row_island(m, d, i: int) -> int:
    """Number of the island in which the solver had row i, as in efc_island; -1 where the flag `island` is off. Asked of one row: it takes no longer where there are many."""
    if m.opt_disableflags & DSBL_ISLAND:
        return -1
    return int(d.sol_tree_island[m.dof_treeid[d.efc_J_colind[d.efc_J_rowadr[i]]]])     # all that a row moves is in one island


def rows_of(m, d, what: Element) -> tuple[int, ...]:
    """Numbers of the present rows of a contact, equality, joint (its limit and its dofs' dry friction) or tendon (the same); none for other kinds."""
    kind, ident = d.efc_type[:d.nefc], d.efc_id[:d.nefc]
    if what.kind == CONTACT:
        number = contact_number(m, d, what) if what.geoms else what.id
        if not 0 <= number < d.ncon:
            return ()
        found = np.isin(kind, CONTACT_TYPES) & (ident == number)
    elif what.kind == "equality":
        found = (kind == ConstraintType.EQUALITY) & (ident == what.id)
    elif what.kind == "joint":
        dofs = np.flatnonzero(m.dof_jntid == what.id)
        found = (kind == ConstraintType.LIMIT_JOINT) & (ident == what.id) | (kind == ConstraintType.FRICTION_DOF) & np.isin(ident, dofs)
    elif what.kind == "tendon":
        found = ((kind == ConstraintType.LIMIT_TENDON) | (kind == ConstraintType.FRICTION_TENDON)) & (ident == what.id)
    else:
        return ()
    return tuple(np.flatnonzero(found).tolist())


def row_element(m, d, i: int) -> Element:
    """What row i belongs to: an equality, joint, tendon or contact."""
    kind, ident = int(d.efc_type[i]), int(d.efc_id[i])
    if kind == ConstraintType.FRICTION_DOF:
        ident = int(m.dof_jntid[ident])
    owner = KINDS[kind][1]
    if owner == CONTACT:
        return contact_element(m, d, ident) or Element(CONTACT, ident)
    return element(m, owner, ident)


def row_jacobian(d, i: int) -> tuple[np.ndarray, np.ndarray]:
    """(dofs, values) of the stored entries of row i: views."""
    entries = slice(int(d.efc_J_rowadr[i]), int(d.efc_J_rowadr[i] + d.efc_J_rownnz[i]))
    return d.efc_J_colind[entries], d.efc_J[entries]


def dense_jacobian(m, d, rows: Iterable[int]) -> np.ndarray:
    """The rows' Jacobian as a new (n, nv) array."""
    rows = _checked(d, rows)
    out = np.zeros((len(rows), m.nv))
    for k, i in enumerate(rows):
        dofs, values = row_jacobian(d, i)
        out[k, dofs] = values
    return out


def effective_mass(m, d, rows: Iterable[int]) -> np.ndarray:
    """(n, n) inverse of J inv(M) J': the mass [kg, kg m, kg m2] that the rows feel together; the pseudo-inverse where rows depend on each other or nothing moves them."""
    jacobian = dense_jacobian(m, d, rows)
    if not len(jacobian):
        return np.zeros((0, 0))
    inverse = jacobian @ solve_m(m, d, jacobian).T
    return np.linalg.pinv(0.5 * (inverse + inverse.T), rcond=1e-12, hermitian=True)


def dof_part(m, dof: int) -> str:
    """A dof of its joint in words: 'x', 'rotation y', for hinges 'rotation', for slides 'translation'."""
    joint = int(m.dof_jntid[dof])
    return DOF_PARTS[int(m.jnt_type[joint])][dof - int(m.jnt_dofadr[joint])]


def position_unit(m, what: Element) -> str:
    """Unit of a joint's position or a tendon's length; a fixed tendon adds up positions of joints, so that it is in rad along hinges alone; '' where there is none."""
    if what.kind == "joint":
        return POSITION_UNITS.get(int(m.jnt_type[what.id]), "")
    path = slice(int(m.tendon_adr[what.id]), int(m.tendon_adr[what.id] + m.tendon_num[what.id]))
    if m.wrap_type[path.start] != WrapType.JOINT:
        return "m"
    units = {POSITION_UNITS[int(kind)] for kind in m.jnt_type[m.wrap_objid[path]]}
    return units.pop() if len(units) == 1 else ""


def force_unit(m, what: Element) -> str:
    """Unit of the force along a joint or tendon, '' where it has none, 'N or N m' of a free joint."""
    return FORCE_UNITS.get(position_unit(m, what), "N or N m" if what.kind == "joint" else "")


def _checked(d, rows: Iterable[int]) -> list[int]:
    rows = [int(i) for i in rows]
    for i in rows:
        if not 0 <= i < d.nefc:
            raise IndexError(f"constraint row {i} of {d.nefc}")
    return rows


def _row(m, d, i: int) -> ConstraintRow:
    what = row_element(m, d, i)
    dofs, values = row_jacobian(d, i)
    stiffness, damping, impedance = d.efc_KBIP[i, :3].tolist()
    return ConstraintRow(
        row=i, kind=KINDS[int(d.efc_type[i])][0], id=int(d.efc_id[i]), element=what, name=str(what), part=_part(m, d, i),
        pos=float(d.efc_pos[i]), margin=float(d.efc_margin[i]), vel=float(d.efc_vel[i]), aref=float(d.efc_aref[i]), acc=float(values @ d.qacc[dofs]), b=float(d.efc_b[i]),
        K=stiffness, B=damping, impedance=impedance, diagA=float(d.efc_diagA[i]), R=float(d.efc_R[i]), D=float(d.efc_D[i]), frictionloss=float(d.efc_frictionloss[i]),
        force=float(d.efc_force[i]), state=STATES[int(d.efc_state[i])], island=row_island(m, d, i),
        jacobian=tuple((k, x) for k, x in zip(dofs.tolist(), values.tolist(), strict=True) if x != 0.0))


def _part(m, d, i: int) -> str:
    """Which direction of its element a row is about."""
    kind, ident = int(d.efc_type[i]), int(d.efc_id[i])
    if kind == ConstraintType.EQUALITY:
        return EQUALITY_PARTS[int(m.eq_type[ident])][i - _first(d, i)]
    if kind == ConstraintType.FRICTION_DOF:
        return f"friction loss, {dof_part(m, ident)}"
    if kind == ConstraintType.FRICTION_TENDON:
        return "friction loss"
    if kind == ConstraintType.LIMIT_JOINT:
        if is_ball(m, ident):
            return "rotation angle limit"
        return "lower limit" if d.efc_J[d.efc_J_rowadr[i]] > 0.0 else "upper limit"
    if kind == ConstraintType.LIMIT_TENDON:
        length, (low, high) = d.ten_length[ident], m.tendon_range[ident]
        return "lower limit" if abs(d.efc_pos[i] - (length - low)) <= abs(d.efc_pos[i] - (high - length)) else "upper limit"
    place = i - _first(d, i)
    return f"edge {place + 1}" if kind == ConstraintType.CONTACT_PYRAMIDAL else CONTACT_AXES[place]


def _first(d, i: int) -> int:
    """The first row of the equality or contact that row i belongs to: its rows follow each other."""
    while i > 0 and d.efc_type[i - 1] == d.efc_type[i] and d.efc_id[i - 1] == d.efc_id[i]:
        i -= 1
    return i
