"""Who exerts forces in a state, and how much each drives the motion.

    generalised forces of a source s: f_s     what they add to the acceleration: power_s = f_s . a,  a = (qvel of the next entry - qvel) / timestep

Gauss's principle weighs accelerations by a' M a, and M a is the sum of all forces: so the powers of all sources add up to a' M a, whatever the units of the joints, and a
source that leads has the largest positive one. Those that hold back are negative.

Source: MuJoCo documentation, chapter Computation, "General framework" (the terms of M a) and "Constraint model" (Gauss's principle).
"""
from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics import enums
from physics.engine.actuator.transmission import tendon_damping
from physics.engine.kinematics.joints import poly
from physics.engine.passive.passive import tendon_stretch
from physics.model.data import Data
from physics.model.elements import Element, element
from physics.model.model import Model
from physics.quantities.actuator_units import length_units
from physics.query.jacobian import jac_body_com

ACTUATOR, SPRING, DAMPER, TENDON_SPRING, TENDON_DAMPER, MEDIUM = "actuator", "joint spring", "joint damper", "tendon spring", "tendon damper", "medium"
EQUALITY, FRICTION, TENDON_FRICTION, LIMIT, TENDON_LIMIT, CONTACT = "equality", "joint friction", "tendon friction", "limit", "tendon limit", "contact"
APPLIED, BODY_APPLIED, WEIGHT, GYROSCOPIC, COMPENSATION, ACTIVATION = "applied to a joint", "applied to a body", "weight", "Coriolis and gyroscopic", "gravity compensation", "activation"
ROW_KINDS = (EQUALITY, FRICTION, TENDON_FRICTION, LIMIT, TENDON_LIMIT, CONTACT, CONTACT, CONTACT)      # by enums.ConstraintType
KIND_CODES = tuple(map(ROW_KINDS.index, ROW_KINDS))     # by enums.ConstraintType: the same number for all kinds of contacts
FORCE, TORQUE, EITHER = "N", "N m", "N, N m"
# kind of a source -> kind of the element it belongs to
ELEMENTS: Mapping[str, str] = MappingProxyType({ACTUATOR: "actuator", ACTIVATION: "actuator", EQUALITY: "equality", TENDON_SPRING: "tendon", TENDON_DAMPER: "tendon", TENDON_FRICTION: "tendon", TENDON_LIMIT: "tendon",
            BODY_APPLIED: "body", MEDIUM: "body", GYROSCOPIC: "body", WEIGHT: "body", COMPENSATION: "body"})


@dataclass(frozen=True, slots=True)
class Source:
    """What exerts a force. kind: one of the words above; id: number of the element, of a contact the numbers of its geoms, the lower first."""

    kind: str
    id: int | tuple[int, int]

    def elements(self, m: Model) -> tuple[Element, ...]:
        """The elements it belongs to: of a contact both geoms."""
        if self.kind == CONTACT:
            return tuple(element(m, "geom", geom) for geom in self.id)
        return (element(m, ELEMENTS.get(self.kind, "joint"), self.id),)

    def bodies(self, m: Model) -> tuple[int, ...]:
        """Numbers of the bodies it moves directly, as far as they are known without a state."""
        if self.kind == CONTACT:
            return tuple(int(m.geom_bodyid[geom]) for geom in self.id)
        kind = ELEMENTS.get(self.kind, "joint")
        return (int(m.jnt_bodyid[self.id]),) if kind == "joint" else (int(self.id),) if kind == "body" else ()


@dataclass(frozen=True, slots=True)
class Exerted:
    """force: the largest of its numbers (units_of); power: what it adds to a' M a (see above); depth: of a contact [m], 0 for others."""

    force: float
    power: float
    depth: float = 0.0


def sparse_dot(values: np.ndarray, rownnz: np.ndarray, rowadr: np.ndarray, colind: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Products (rows,) of sparse rows with a vector."""
    rows, places = sparse_places(rownnz, rowadr)
    return np.bincount(rows, weights=values[places] * x[colind[places]], minlength=len(rownnz))


def sparse_dense(values: np.ndarray, rownnz: np.ndarray, rowadr: np.ndarray, colind: np.ndarray, columns: int) -> np.ndarray:
    """Sparse rows as a matrix (rows, columns)."""
    rows, places = sparse_places(rownnz, rowadr)
    found = np.zeros((len(rownnz), columns))
    found[rows, colind[places]] = values[places]
    return found


def sparse_places(rownnz: np.ndarray, rowadr: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each stored entry of all rows: (its row, where it lies)."""
    counts = np.asarray(rownnz, np.int64)
    rows = np.repeat(np.arange(len(counts)), counts)
    inside = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    return rows, np.asarray(rowadr, np.int64)[rows] + inside


def row_sources(m: Model, d: Data) -> tuple[list[Source], np.ndarray]:
    """(all whose constraint rows there are, for each row (nefc,) which of them it is of)."""
    kinds, numbers = np.array(KIND_CODES)[d.efc_type[:d.nefc]], np.array(d.efc_id[:d.nefc], np.int64)
    second = np.zeros_like(numbers)
    friction, contact = kinds == ROW_KINDS.index(FRICTION), kinds == ROW_KINDS.index(CONTACT)
    numbers[friction] = np.asarray(m.dof_jntid)[numbers[friction]]
    geoms = np.sort(d.contact_geom[:d.ncon], axis=1)[numbers[contact]]
    numbers[contact], second[contact] = geoms[:, 0], geoms[:, 1]
    keys, first, of_row = np.unique(np.stack([kinds, numbers, second], axis=1), axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)       # as their rows come
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    found = [Source(ROW_KINDS[kind], (one, other) if ROW_KINDS[kind] == CONTACT else one) for kind, one, other in keys[order].tolist()]
    return found, place[of_row.reshape(-1)]


def exerted(m: Model, d: Data, acceleration: np.ndarray) -> dict[Source, Exerted]:
    """All that exert forces in a state that `forward` has computed. acceleration (nv): what the step made of it."""
    force: dict[Source, float] = defaultdict(float)
    power: dict[Source, float] = defaultdict(float)
    depth: dict[Source, float] = defaultdict(float)

    def add(kind: str, numbers, forces: np.ndarray, motion: np.ndarray) -> None:
        for number, f, a in zip(numbers, np.asarray(forces).tolist(), np.asarray(motion).tolist(), strict=True):
            if f:
                source = Source(kind, number)
                force[source] = max(force[source], abs(f))
                power[source] += f * a

    _constraints(m, d, acceleration, force, power, depth)
    add(ACTUATOR, output_owners(m).tolist(), d.actuator_force, sparse_dot(d.actuator_moment, d.moment_rownnz, d.moment_rowadr, d.moment_colind, acceleration))
    _passive(m, d, acceleration, add)
    joints, bodies = m.dof_jntid.tolist(), m.dof_bodyid.tolist()
    weight = gravity_forces(m, d)
    add(WEIGHT, bodies, weight, acceleration)
    add(GYROSCOPIC, bodies, -d.qfrc_bias - weight, acceleration)
    add(APPLIED, joints, d.qfrc_applied, acceleration)
    for body in np.flatnonzero(d.xfrc_applied.any(axis=1)).tolist():
        lin, ang = jac_body_com(m, d, body)
        source, wrench = Source(BODY_APPLIED, body), d.xfrc_applied[body]
        force[source], power[source] = float(np.abs(wrench).max()), float(wrench[:3] @ (lin @ acceleration) + wrench[3:] @ (ang @ acceleration))
    return {source: Exerted(force[source], power[source], depth[source]) for source in force}


def units_of(m: Model, source: Source) -> tuple[str, str]:
    """(unit of what it exerts: 'N', 'N m' or 'N, N m'; of the coordinate that it acts along: 'm', 'rad' or '' where that is not one of both)."""
    kind = ELEMENTS.get(source.kind, "joint")
    if source.kind == CONTACT:
        return FORCE, "m"
    if kind == "actuator":
        force, length = length_units(m, source.id)
        return force or EITHER, length
    if kind == "tendon":
        return _of_tendon(m, source.id)
    if kind == "equality":
        return _of_equality(m, source.id)
    if source.kind == BODY_APPLIED:
        return EITHER, ""
    return _of_joints(m, [source.id] if kind == "joint" else range(int(m.body_jntadr[source.id]), int(m.body_jntadr[source.id]) + int(m.body_jntnum[source.id])))


def _of_joints(m: Model, joints: Iterable[int]) -> tuple[str, str]:
    kinds = {int(m.jnt_type[j]) for j in joints}
    if kinds == {enums.JointType.SLIDE}:
        return FORCE, "m"
    return (TORQUE, "rad") if kinds and kinds <= {enums.JointType.HINGE, enums.JointType.BALL} else (EITHER, "")


def _of_tendon(m: Model, tendon: int) -> tuple[str, str]:
    """A fixed tendon is as long as its joints say; a spatial one is a length."""
    wraps = range(int(m.tendon_adr[tendon]), int(m.tendon_adr[tendon]) + int(m.tendon_num[tendon]))
    joints = [int(m.wrap_objid[k]) for k in wraps if m.wrap_type[k] == enums.WrapType.JOINT]
    return _of_joints(m, joints) if joints else (FORCE, "m")


def _of_equality(m: Model, number: int) -> tuple[str, str]:
    kind = m.eq_type[number]
    if kind == enums.EqType.JOINT:
        return _of_joints(m, [int(m.eq_obj1id[number])])
    if kind == enums.EqType.TENDON:
        return _of_tendon(m, int(m.eq_obj1id[number]))
    return (EITHER, "") if kind == enums.EqType.WELD else (FORCE, "m")


def output_owners(m: Model) -> np.ndarray:
    """(nout,) the actuator of each output."""
    owners = np.zeros(m.nout, int)
    for i, (start, count) in enumerate(zip(m.actuator_outadr.tolist(), m.actuator_outnum.tolist(), strict=True)):
        owners[start:start + count] = i
    return owners


def _constraints(m: Model, d: Data, acceleration: np.ndarray, force: dict[Source, float], power: dict[Source, float], depth: dict[Source, float]) -> None:
    n = d.nefc
    if not n:
        return
    sources, of_row = row_sources(m, d)
    exerts = np.array(d.efc_force[:n])
    work = exerts * sparse_dot(d.efc_J, d.efc_J_rownnz[:n], d.efc_J_rowadr[:n], d.efc_J_colind, acceleration)
    largest, overlap, contact = np.zeros(len(sources)), np.zeros(len(sources)), np.array(KIND_CODES)[d.efc_type[:n]] == ROW_KINDS.index(CONTACT)
    np.maximum.at(largest, of_row, np.abs(exerts))
    np.maximum.at(overlap, of_row[contact], -d.contact_dist[d.efc_id[:n][contact]])
    powers = np.bincount(of_row, weights=work, minlength=len(sources))
    for source, f, p, deep in zip(sources, largest.tolist(), powers.tolist(), overlap.tolist(), strict=True):
        if f:
            force[source], power[source], depth[source] = f, p, deep


def _passive(m: Model, d: Data, acceleration: np.ndarray, add) -> None:
    """Springs and dampers of joints and tendons, the medium, gravity compensation."""
    spring, damper = np.array(d.qfrc_spring), np.array(d.qfrc_damper)
    if m.ntendon:
        pull, drag = tendon_forces(m, d)
        motion = sparse_dot(d.ten_J, m.ten_J_rownnz, m.ten_J_rowadr, m.ten_J_colind, acceleration)
        add(TENDON_SPRING, range(m.ntendon), pull, motion)
        add(TENDON_DAMPER, range(m.ntendon), drag, motion)
        dense = sparse_dense(d.ten_J, m.ten_J_rownnz, m.ten_J_rowadr, m.ten_J_colind, m.nv)
        spring -= _rest(pull @ dense, spring)
        damper -= _rest(drag @ dense, damper)
    joints, bodies = m.dof_jntid.tolist(), m.dof_bodyid.tolist()
    add(SPRING, joints, spring, acceleration)
    add(DAMPER, joints, damper, acceleration)
    add(MEDIUM, bodies, d.qfrc_fluid, acceleration)
    add(COMPENSATION, bodies, d.qfrc_gravcomp, acceleration)


def _rest(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """A part of a sum; the whole where the two are the same but for rounding."""
    return np.where(np.abs(whole - part) <= 1e-9 * np.abs(whole), whole, part)


def tendon_forces(m: Model, d: Data) -> tuple[np.ndarray, np.ndarray]:
    """(springs, dampers) of all tendons (ntendon,) along their lengths [N]."""
    pull, drag = np.zeros(m.ntendon), np.zeros(m.ntendon)
    for t in range(m.ntendon):
        if not m.opt_disableflags & enums.DSBL_SPRING:
            x = tendon_stretch(m, d, t)
            pull[t] = -x * poly(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t, 0], m.tendon_stiffnesspoly[t, 1], x)
        if not m.opt_disableflags & enums.DSBL_DAMPER:
            v = d.ten_velocity[t]
            drag[t] = -v * poly(*tendon_damping(m, t), abs(v))
    return pull, drag


def gravity_forces(m: Model, d: Data) -> np.ndarray:
    """(nv,) generalised forces of all weights."""
    if m.opt_disableflags & enums.DSBL_GRAVITY or not m.nv:
        return np.zeros(m.nv)
    body = np.asarray(m.dof_bodyid)
    arm = d.subtree_com[body] - d.subtree_com[np.asarray(m.body_rootid)[body]]
    motion = d.cdof[:, 3:] + np.cross(d.cdof[:, :3], arm)
    return np.asarray(m.body_subtreemass)[body] * (motion @ np.asarray(m.opt_gravity))
