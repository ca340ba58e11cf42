"""What is tuned, and the rows that it has now: true inverse mass, factor, unconstrained acceleration, position, velocity and force along one direction.

    contact, pair, geom      all rows of the contacts between two geoms, which share the push along the normal
    limit of a joint, tendon, equality, dry friction of a joint or tendon

Rows of one target act together. With weights w = (1/R) / sum(1/R) they are one row

    J = sum w J_i     A = J inv(M) J'     s = A sum(1 / efc_diagA)     a0 = J qacc_smooth

and with d the impedance s d / (1 - d) = A sum(1/R), so that d_e = s d / (s d + 1 - d). The edges of a pyramidal cone add up to its normal; of an elliptic cone the first row
counts.

Rows are in the Data, which `forward` or a step has computed: a Snapshot has neither efc_J, efc_R nor qacc_smooth, so this runs where the Data is (the physics thread, a companion).

Source: MuJoCo documentation, chapter Computation, "Constraint model: parameters", "Contact"; chapter Modeling, "Solver parameters".
"""
from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

import numpy as np

from physics.diagnostics.constraint_parameters import constraint_parameters
from physics.diagnostics.constraint_rows import POSITION_UNITS, dense_jacobian, rows_of
from physics.diagnostics.contact_exclusion import contacts_between
from physics.diagnostics.contact_parameters import contact_parameters, explicit_pairs
from physics.engine.solve.effective_mass_rows import KEPT_R
from physics.enums import CNSTR_CONTACT_PYRAMIDAL, DSBL_REFSAFE, INT_DISCRETE, EqType
from physics.model.data import Data
from physics.model.elements import CONTACT, Element, element
from physics.model.model import Model
from physics.query.mass_matrix import solve_m
from physics.query.object_motion import contact_force
from physics.simulate.step import check_pair
from physics.tuning.held import held_row
from physics.tuning.law import Friction, Parameters, Row

__all__ = ["Form", "State", "Target", "attributes_of", "contact_friction", "contacts_of", "parameters_of", "read", "targets_of"]


class Form(StrEnum):
    """What of an element is tuned."""

    CONTACT = "contact"
    LIMIT = "limit"
    EQUALITY = "equality"
    FRICTION_LOSS = "friction loss"


@dataclass(frozen=True, slots=True)
class Target:
    """element: of kind contact (with its geoms), pair, geom, joint, tendon or equality; form: what of it. rotation: of a weld, or a free joint's dry friction, its rotations in
    place of its translations."""

    form: Form
    element: Element
    rotation: bool = False

    def __str__(self) -> str:
        what = str(self.element)
        return f"{what}, {self.form}" if self.form in (Form.LIMIT, Form.FRICTION_LOSS) else what


# (kind of element, form) -> what is tuned: attribute of MJCF, field of the Model
_CONTACT_NAMES = MappingProxyType({"solref": "solref", "solimp": "solimp", "friction": "friction", "condim": "condim", "margin": "margin", "gap": "gap"})
_LIMIT_NAMES = MappingProxyType({"solref": "solreflimit", "solimp": "solimplimit", "margin": "margin"})
_FRICTION_NAMES = MappingProxyType({"solref": "solreffriction", "solimp": "solimpfriction", "frictionloss": "frictionloss"})
_EQUALITY_NAMES = MappingProxyType({"solref": "solref", "solimp": "solimp"})
_OF_FLEXES = frozenset((EqType.FLEX, EqType.FLEXVERT, EqType.FLEXSTRAIN))      # which are not simulated
_BY_FORM = MappingProxyType({Form.CONTACT: _CONTACT_NAMES, Form.LIMIT: _LIMIT_NAMES, Form.FRICTION_LOSS: _FRICTION_NAMES, Form.EQUALITY: _EQUALITY_NAMES})


def attributes_of(target: Target) -> MappingProxyType:
    """What can be tuned -> MJCF's attribute for it: {'solref': 'solreflimit', ...} of a limit."""
    return _BY_FORM[target.form]


def targets_of(m: Model, what: Element) -> tuple[Target, ...]:
    """What can be tuned of an element: of a contact itself and the explicit pair that it is of; none for kinds without constraints."""
    if what.kind == CONTACT:
        pairs = explicit_pairs(m, *(geom.id for geom in what.geoms)) if len(what.geoms) == 2 else ()
        return Target(Form.CONTACT, what), *(Target(Form.CONTACT, element(m, "pair", pair)) for pair in pairs)
    if what.kind in ("geom", "pair"):
        return (Target(Form.CONTACT, what),)
    if what.kind == "joint":
        limit = (Target(Form.LIMIT, what),) if int(m.jnt_type[what.id]) in POSITION_UNITS else ()
        return *limit, Target(Form.FRICTION_LOSS, what)
    if what.kind == "tendon":
        return Target(Form.LIMIT, what), Target(Form.FRICTION_LOSS, what)
    return (Target(Form.EQUALITY, what),) if what.kind == "equality" and m.eq_type[what.id] not in _OF_FLEXES else ()


@dataclass(frozen=True, slots=True)
class State:
    """A target now. rows: that act together; contacts: numbers of the contacts, () for others; geoms: of these, (-1, -1) for others.

    row: for the law of one row, as if nothing else held what moves; parameters: in force, before any clamp. position: distance less the margin, negative where it pushes
    [m, rad]; velocity [m/s, rad/s], positive = apart; force [N, N m]; impedance: d now; aref, acceleration [m/s^2, rad/s^2]: reference and present one.
    """

    target: Target
    row: Row
    parameters: Parameters
    rows: tuple[int, ...]
    contacts: tuple[int, ...]
    geoms: tuple[int, int]
    position: float
    velocity: float
    force: float
    impedance: float
    aref: float
    acceleration: float


def read(m: Model, d: Data, target: Target, held: bool = False) -> State | None:
    """The target's rows as the last `forward` or step has computed them, taken together; None where it has none now, as nothing pushes, and where nothing of it can move.

    held: the row as it is felt while all other rows act as they do now: those of other contacts and constraints, and the contact's own friction (physics/tuning/held.py). So
    the rest depth of one foot of several is right, which by itself would have to carry all of the body. Raises ValueError for a Data of another Model; with `held` where so
    many dofs hang together that this takes too long, and for the integrator `discrete`, whose rows are those of another inertia.
    """
    check_pair(m, d)
    contacts = contacts_of(m, d, target)
    rows = _rows(m, d, target, contacts)
    if not rows:
        return None
    # the rows as one: their weights, its Jacobian and what it moves
    index = np.array(rows)
    regularizer = _regularizers(m, d, index)
    weights, directed = _weights(d, target, index, regularizer)
    jacobian = weights @ dense_jacobian(m, d, rows)
    size = weights * weights if directed else np.ones(len(rows))      # of each row's force in the force along the direction
    response = solve_m(m, d, jacobian)
    inverse, free = float(jacobian @ response), float(jacobian @ d.qacc_smooth)
    margin = float(np.abs(weights) @ d.efc_margin[index]) if not directed else 0.0
    along = float(jacobian @ response)
    position = float(weights @ (d.efc_pos[index] - d.efc_margin[index]))
    damping = float(response @ (m.dof_damping * response)) / along if along > 0.0 else 0.0
    # s by what R was made for, 1 / diagA = (1 - d) / (d R) of each row
    imp = d.efc_KBIP[index, 2]
    made_for = float((size * (1.0 - imp) / (imp * regularizer)).sum())
    row = Row(inverse, inverse * made_for, free, float(m.opt_timestep), int(m.opt_integrator), not m.opt_disableflags & DSBL_REFSAFE, margin, damping, 0.0, position)
    if held:
        row = _felt(m, d, index, weights if directed else None, row, made_for)
    if row is None or not row.inverse_mass > 0.0:
        return None
    # what it does now
    force = float((weights if directed else np.ones(len(rows))) @ d.efc_force[index])
    return State(target, row, parameters_of(m, d, target, contacts), rows, contacts, _geoms(d, contacts), position,
                 float(weights @ d.efc_vel[index]), force, float(imp @ size / size.sum()), float(weights @ d.efc_aref[index]), float(jacobian @ d.qacc))


def _felt(m: Model, d: Data, index: np.ndarray, direction: np.ndarray | None, row: Row, made_for: float) -> Row | None:
    """A row as it is felt, with that of impacts where dry friction sticks now; None where nothing of it can move."""
    found = held_row(m, d, index, direction)
    held = [found, held_row(m, d, index, direction, loose=True)] if found.sticks else [found]
    if not min(one.inverse_mass for one in held) > 0.0:
        return None
    rows = [replace(row, inverse_mass=one.inverse_mass, factor=one.inverse_mass * made_for, a0=one.free, damping=one.damping, drag=one.drag, hold=one.hold,
                    by_frequency=one.by_frequency, dry=one.dry) for one in held]
    return replace(rows[0], loose=rows[1]) if len(rows) > 1 else rows[0]


def contacts_of(m: Model, d, target: Target) -> tuple[int, ...]:
    """Numbers of the contacts that a target is about: all between its two geoms; of a geom those with the geom that it presses hardest against. d: a Data or Snapshot."""
    what = target.element
    if target.form != Form.CONTACT:
        return ()
    if what.kind == CONTACT:
        if len(what.geoms) != 2:
            raise ValueError("a contact is known by its two geoms: give an Element of kind contact with both")
        return contacts_between(d, *(geom.id for geom in what.geoms))
    if what.kind == "pair":
        return contacts_between(d, int(m.pair_geom1[what.id]), int(m.pair_geom2[what.id]))
    touching = np.flatnonzero((d.contact_geom[:d.ncon] == what.id).any(axis=1))
    pressing = [(_pressure(m, d, k), int(d.contact_geom[k].sum()) - what.id) for k in map(int, touching)]
    return contacts_between(d, what.id, max(pressing)[1]) if pressing else ()


def contact_friction(m: Model, d: Data, contact: int) -> Friction:
    """What of a contact's friction matters for its normal. Raises IndexError."""
    if not 0 <= contact < d.ncon:
        raise IndexError(f"contact {contact}: there are {d.ncon}")
    return Friction(int(d.contact_dim[contact]), float(d.contact_friction[contact, 0]), float(m.opt_impratio), int(m.opt_cone))


def _pressure(m: Model, d, contact: int) -> tuple[float, float]:
    """(normal force [N], depth [m])."""
    force = contact_force(m, d, contact)[0] if isinstance(d, Data) else d.contact_force[contact, 0]
    return float(force), float(d.contact_includemargin[contact] - d.contact_dist[contact])


def _geoms(d: Data, contacts: tuple[int, ...]) -> tuple[int, int]:
    return tuple(map(int, d.contact_geom[contacts[0]])) if contacts else (-1, -1)


# ------------------------------------------------------------------ rows

def _rows(m: Model, d: Data, target: Target, contacts: tuple[int, ...]) -> tuple[int, ...]:
    """Numbers of the rows that push along the target's direction."""
    if target.form == Form.CONTACT:
        return tuple(row for k in contacts for row in _along_normal(d, k))
    rows = [i for i in rows_of(m, d, target.element) if target.form == Form.EQUALITY or (d.efc_frictionloss[i] > 0.0) == (target.form == Form.FRICTION_LOSS)]
    if target.form == Form.LIMIT:
        return (min(rows, key=lambda i: d.efc_pos[i] - d.efc_margin[i]),) if rows else ()
    six = len(rows) == 6
    return tuple(rows[3:] if six and target.rotation else rows[:3] if six else rows)


def _along_normal(d: Data, contact: int) -> range:
    """Rows of a contact that push along its normal: all edges of a pyramid, the first one of others."""
    first, dim = int(d.contact_efc_address[contact]), int(d.contact_dim[contact])
    if first < 0:
        return range(0)
    return range(first, first + (2 * (dim - 1) if d.efc_type[first] == CNSTR_CONTACT_PYRAMIDAL else 1))


def _regularizers(m: Model, d: Data, rows: np.ndarray) -> np.ndarray:
    """R of rows as made for M: the integrator `discrete` has others for the effective mass matrix, and keeps these (engine/solve/effective_mass_rows.py)."""
    if m.opt_integrator == INT_DISCRETE and d.rows_kept & KEPT_R:
        return np.array(d.efc_plain[rows, 0])
    return np.array(d.efc_R[rows])


def _weights(d: Data, target: Target, rows: np.ndarray, regularizer: np.ndarray) -> tuple[np.ndarray, bool]:
    """(share of each row in the one that they are together, whether these are a direction): of rows side by side by 1/R, of those along axes as the force points now."""
    if target.form in (Form.EQUALITY, Form.FRICTION_LOSS):
        for vector in (d.efc_force[rows], -d.efc_b[rows], d.efc_pos[rows]):
            length = float(np.linalg.norm(vector))
            if length > 0.0:
                return vector / length, True
        return np.full(len(rows), len(rows) ** -0.5), True
    stiffness = 1.0 / regularizer
    return stiffness / stiffness.sum(), False


# ------------------------------------------------------------------ parameters

def parameters_of(m: Model, d: Data, target: Target, contacts: tuple[int, ...] | None = None) -> Parameters:
    """solref and solimp in force for a target that has rows now, as they are written. Raises ValueError for a geom or contact that touches nothing: ask
    physics.diagnostics.contact_parameters.pair_parameters about two geoms."""
    if target.form == Form.CONTACT:
        contacts = contacts_of(m, d, target) if contacts is None else contacts
        if contacts:
            found = contact_parameters(m, d, contacts[0])
            return Parameters(found["solref"].value, found["solimp"].value)
        if target.element.kind == "pair":
            return Parameters(*(tuple(getattr(m, f"pair_{name}")[target.element.id].tolist()) for name in ("solref", "solimp")))
        raise ValueError(f"{target} touches nothing now")
    found = next(one for one in constraint_parameters(m, d, target.element) if one.form == str(target.form))
    names = attributes_of(target)
    return Parameters(found[names["solref"]].value, found[names["solimp"]].value)

