"""What balances at each degree of freedom: the equation of motion with every force on its own, signed so that all parts add up to zero.

    0 = actuators + passive + applied + J'xfrc - bias + J' efc_force - M qacc + solver

The passive forces are split into springs, dampers, gravity compensation, medium and adhesion, the bias into gravity and what velocities make, the
constraint forces by the element whose rows they are. Under the integrator `discrete` qacc solves the equation with the effective mass matrix;
what that adds to M qacc is a part of its own. A primal solver that is stopped early leaves a gradient M qacc - qfrc_smooth - J' efc_force: `solver` is that,
as the solver itself computed it, and it shrinks with more iterations.

Source: MuJoCo documentation, chapter Computation, "General framework", "Numerical integration".
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from physics.diagnostics.constraint_rows import DOF_PARTS, KINDS, dof_part, row_element
from physics.engine.integrator.derivative import gyroscopic
from physics.engine.kinematics.joints import is_lone_free
from physics.engine.passive.gravity_compensation import compensates_gravity
from physics.enums import DSBL_ACTUATION, DSBL_GRAVITY, INT_DISCRETE, SOL_PGS, ConstraintType
from physics.model.data import Data
from physics.model.elements import Element, element
from physics.model.model import Model
from physics.simulate import step

EXACT = 1e-9    # of the largest term, or of 1 N or N m: a sum below that is zero up to rounding
# groups of parts in the order in which they are shown, with their formula
GROUPS: Mapping[str, str] = MappingProxyType({
    "actuator": "moment' actuator_force of each actuator, and what actuatorfrcrange of the joint cuts off",
    "spring": "qfrc_spring: springs of joints and tendons",
    "damper": "qfrc_damper: dampers of joints and tendons",
    "gravity compensation": "qfrc_gravcomp: weight that is taken off, as passive force or by the actuators (actuatorgravcomp)",
    "fluid": "qfrc_fluid: the medium's drag and lift",
    "adhesion": "qfrc_adhesion: attraction of contacts that stick",
    "user": "what the user's callback for passive forces adds to qfrc_passive",
    "applied": "qfrc_applied, J' xfrc_applied of each body, the mouse",
    "gravity": "-qfrc_bias at zero velocity",
    "Coriolis": "-qfrc_bias less its gravity: Coriolis, centrifugal and gyroscopic forces",
    "equality": "J' efc_force of the rows of equality constraints",
    "friction loss": "J' efc_force of the rows of dry friction",
    "limit": "J' efc_force of the rows of limits",
    "contact": "J' efc_force of the rows of contacts",
    "inertia": "-M qacc",
    "implicit": "-(M_eff - M) qacc and the springs' change over the step: forces that the integrator `discrete` takes at the end of the step",
    "solver": "sol_grad: what the constraint solver left over when its tolerance or iterations ended; more of them make it smaller",
})
# of the user, that accelerations depend on
CALLBACKS = ("cb_passive", "cb_control", "cb_contactfilter", "cb_contactparam", "cb_act_dyn", "cb_act_gain", "cb_act_bias")
ROW_GROUPS: Mapping[int, str] = MappingProxyType({
    int(kind): {"equality": "equality", "friction": "friction loss", "limit": "limit", "contact": "contact"}[words.split()[0]] for kind, (words, _owner) in KINDS.items()
})


@dataclass(frozen=True, slots=True)
class Part:
    """A force on the chosen dofs: values (n) [N, N m]. name: of the element that it comes from, where it is one alone, else of the group."""

    group: str
    name: str
    element: Element | None
    values: np.ndarray = field(compare=False)


@dataclass(frozen=True, slots=True)
class TorqueBalance:
    """time [s]; dofs: which; names, units: of each dof; asleep (n): nothing is computed for these, their parts are zero; recomputed: found by `forward` from a copy of the
    state, as what Data held did not belong together (Runge-Kutta, an input set since). largest_term (n): the largest number that went into a part: of constraints what a
    single row pushes, as rows of thousands of newtons may cancel to almost nothing, and rounding is that of these.
    """

    time: float
    dofs: tuple[int, ...]
    names: tuple[str, ...]
    units: tuple[str, ...]
    parts: tuple[Part, ...]
    asleep: np.ndarray = field(compare=False)
    largest_term: np.ndarray = field(compare=False)
    recomputed: bool = False

    @property
    def sum(self) -> np.ndarray:
        """All parts added up (n)."""
        return np.sum([part.values for part in self.parts], axis=0) if self.parts else np.zeros(len(self.dofs))

    @property
    def largest(self) -> np.ndarray:
        """Size of the largest part of each dof (n)."""
        return np.max([np.abs(part.values) for part in self.parts], axis=0, initial=0.0) if self.parts else np.zeros(len(self.dofs))

    @property
    def left(self) -> float:
        """What the constraint solver left over, as a share of the largest term: the worst dof's."""
        return float(np.max(np.abs(self.group("solver")) / np.maximum(1.0, self.largest_term), initial=0.0))

    @property
    def error(self) -> float:
        """|sum| as a share of the largest term of its dof, or of 1 N or N m where that is less: the worst dof's."""
        return float(np.max(np.abs(self.sum) / np.maximum(1.0, self.largest_term), initial=0.0))

    def group(self, name: str) -> np.ndarray:
        """The parts of a group added up (n). Raises KeyError for what is no group."""
        if name not in GROUPS:
            raise KeyError(name)
        return np.sum([part.values for part in self.parts if part.group == name], axis=0) if any(part.group == name for part in self.parts) else np.zeros(len(self.dofs))


def torque_balance(m: Model, d: Data, dofs: Iterable[int] | None = None) -> TorqueBalance:
    """The parts at these dofs, all of them where None, at the state whose accelerations were computed last. Raises IndexError for dofs that are not there,
    ViewOnlyError for a model whose dynamics cannot be computed.

    After `forward` that is the present state, after a step the one that the step began with. After a Runge-Kutta step, and where inputs have changed since, the
    parts do not belong together: see present_balance.
    """
    step.check_pair(m, d)
    step.check_dynamics(m)
    chosen = np.arange(m.nv) if dofs is None else np.asarray(list(dofs), int)
    if len(chosen) and not (0 <= chosen.min() and chosen.max() < m.nv):
        raise IndexError(f"dofs {chosen.tolist()} of {m.nv}")
    asleep = d.tree_awake[m.dof_treeid[chosen]] == 0 if m.nv else np.zeros(0, bool)
    smooth = (*_passive(m, d), *_applied(m, d), *_bias(m, d)) if m.nv else ()
    rows, columns, pushes = _pushes(m, d, chosen)
    found = [*_actuators(m, d, chosen), *((*head, values[chosen]) for *head, values in smooth), *_constraints(m, d, len(chosen), rows, columns, pushes)]
    found += [(*head, values[chosen]) for *head, values in (*_inertia(m, d), *_solver(m, d))]
    parts = [Part(group, name, what, np.where(asleep, 0.0, values)) for group, name, what, values in found]
    joints = m.dof_jntid[chosen].tolist()
    names = tuple(_dof_name(m, k, j) for k, j in zip(chosen.tolist(), joints, strict=True))
    units = tuple("N" if dof_part(m, k) in ("x", "y", "z", "translation") else "N m" for k in chosen.tolist())
    term = np.max([np.abs(part.values) for part in parts], axis=0, initial=0.0) if parts else np.zeros(len(chosen))
    np.maximum.at(term, columns, np.abs(pushes))
    return TorqueBalance(float(d.time), tuple(chosen.tolist()), names, units, tuple(part for part in parts if part.values.any()), asleep, term)


def present_balance(m: Model, d: Data, dofs: Iterable[int] | None = None, second: Callable[[], Data] | None = None) -> TorqueBalance:
    """torque_balance of the accelerations that Data holds, or where their parts do not belong together, of what `forward` finds from a copy of the state.

    second: gives another Data of the Model for that, which is overwritten; None: one is made. Data with callbacks of the user is never computed anew.
    """
    dofs = None if dofs is None else tuple(dofs)
    found = torque_balance(m, d, dofs)
    if found.error <= EXACT or any(getattr(d, name) for name in CALLBACKS):
        return found
    scratch = Data(m) if second is None else second()
    scratch.copy_from(d)
    step.forward(m, scratch)
    again = torque_balance(m, scratch, dofs)
    return replace(again, recomputed=True)


def joint_dofs(m: Model, joint: int) -> tuple[int, ...]:
    """The dofs of a joint."""
    return tuple(np.flatnonzero(m.dof_jntid == joint).tolist())


def _dof_name(m: Model, dof: int, joint: int) -> str:
    name = m.names["joint"][joint] or f"joint {joint}"
    return f"{name}, {dof_part(m, dof)}" if len(DOF_PARTS[int(m.jnt_type[joint])]) > 1 else name


# ------------------------------------------------------------------ parts: (group, name, element, values on all dofs, of actuators and constraints on the chosen ones)

Raw = tuple[str, str, Element | None, np.ndarray]


def _actuators(m: Model, d: Data, chosen: np.ndarray) -> Iterable[Raw]:
    """Each actuator that reaches one of the chosen dofs; the share of gravity compensation that is theirs; what the limit of the joint's total cuts off."""
    if m.nactuator == 0 or not len(chosen) or m.opt_disableflags & DSBL_ACTUATION:
        return
    outputs, columns, pushes = _entries(m, chosen, d.moment_rowadr, d.moment_rownnz, d.moment_colind.ravel(), d.actuator_moment.ravel(), d.actuator_force)
    numbers, group = np.unique(np.repeat(np.arange(m.nactuator), m.actuator_outnum)[outputs], return_inverse=True)
    found = np.zeros((len(numbers), len(chosen)))
    np.add.at(found, (group, columns), pushes)
    total = found.sum(0)
    for i, values in zip(numbers.tolist(), found, strict=True):
        what = element(m, "actuator", i)
        yield "actuator", str(what), what, values
    joints = m.dof_jntid[chosen]
    if compensates_gravity(m):
        values = np.where(m.jnt_actgravcomp[joints] != 0, d.qfrc_gravcomp[chosen], 0.0)
        total = total + values
        yield "gravity compensation", "gravity compensation by actuators", None, values
    cut = np.clip(total, *m.jnt_actfrcrange[joints].T) - total
    yield "actuator", "cut off by actuatorfrcrange", None, np.where((m.jnt_actfrclimited[joints] != 0) & (m.jnt_dofadr[joints] == chosen), cut, 0.0)


def _passive(m: Model, d: Data) -> Iterable[Raw]:
    plain = {"spring": d.qfrc_spring, "damper": d.qfrc_damper, "fluid": d.qfrc_fluid, "adhesion": d.qfrc_adhesion}
    if compensates_gravity(m):
        plain["gravity compensation"] = np.where(m.jnt_actgravcomp[m.dof_jntid] == 0, d.qfrc_gravcomp, 0.0)
    for name, values in plain.items():
        yield name, name, None, values
    if d.cb_passive:
        yield "user", "passive force of the callback", None, d.qfrc_passive - sum(plain.values())


def _applied(m: Model, d: Data) -> Iterable[Raw]:
    yield "applied", "qfrc_applied", None, d.qfrc_applied
    for b in np.flatnonzero(d.xfrc_applied.any(1)).tolist():
        what = element(m, "body", b)
        yield "applied", f"xfrc_applied of {what}", what, _wrench(m, d, b, d.xfrc_applied[b])
    if d.perturb_bodyid > 0 and d.xfrc_perturb.any():
        what = element(m, "body", d.perturb_bodyid)
        yield "applied", f"mouse at {what}", what, _wrench(m, d, d.perturb_bodyid, d.xfrc_perturb)


def _wrench(m: Model, d: Data, body: int, wrench: np.ndarray) -> np.ndarray:
    """J' of a force and torque (6) at a body's centre of mass, in world axes."""
    values = np.zeros(m.nv)
    force, torque = wrench[:3], wrench[3:] + np.cross(d.xipos[body] - d.subtree_com[m.body_rootid[body]], wrench[:3])
    while body > 0 and m.body_dofnum[body] == 0:
        body = int(m.body_parentid[body])
    k = int(m.body_dofadr[body] + m.body_dofnum[body]) - 1 if body > 0 else -1
    while k >= 0:
        values[k] = d.cdof[k, :3] @ torque + d.cdof[k, 3:] @ force
        k = int(m.dof_parentid[k])
    return values


def _bias(m: Model, d: Data) -> Iterable[Raw]:
    """Weight of all that a dof carries, along its motion; the rest of qfrc_bias comes from velocities."""
    weight = np.zeros(m.nv)
    if not m.opt_disableflags & DSBL_GRAVITY:
        bodies = m.dof_bodyid
        force = m.body_subtreemass[bodies, None] * m.opt_gravity
        arm = d.subtree_com[bodies] - d.subtree_com[m.body_rootid[bodies]]
        weight = np.einsum("ij,ij->i", d.cdof[:, :3], np.cross(arm, force)) + np.einsum("ij,ij->i", d.cdof[:, 3:], force)
    yield "gravity", "gravity", None, weight
    yield "Coriolis", "Coriolis and centrifugal", None, -d.qfrc_bias - weight


def _pushes(m: Model, d: Data, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(row, place of its dof among the chosen ones, J force) of each stored entry of the Jacobian that pushes there."""
    n = int(d.nefc)
    return _entries(m, chosen, d.efc_J_rowadr[:n], d.efc_J_rownnz[:n], d.efc_J_colind, d.efc_J, d.efc_force[:n])


def _entries(m: Model, chosen: np.ndarray, start: np.ndarray, count: np.ndarray, dofs: np.ndarray, values: np.ndarray,
             force: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(row, place of its dof among the chosen ones, value force) of each stored entry of a sparse matrix that pushes there.

    start, count, force: of each row; dofs, values: of entries."""
    rows = np.repeat(np.arange(len(count)), count)
    entries = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(start, count)
    place = np.full(m.nv, -1)
    place[chosen] = np.arange(len(chosen))
    column = place[dofs[entries]]
    push = values[entries] * force[rows]
    felt = (column >= 0) & (push != 0.0)
    return rows[felt], column[felt], push[felt]


def _constraints(m: Model, d: Data, width: int, rows: np.ndarray, columns: np.ndarray, pushes: np.ndarray) -> Iterable[Raw]:
    """J' efc_force of the rows of each element, from _pushes; values on the chosen dofs only, as there may be thousands of contacts."""
    if not len(rows):
        return
    n = int(d.nefc)
    # rows of one element in one group: dofs of a joint count together
    kind, ident = d.efc_type[:n], d.efc_id[:n].copy()
    dry = kind == ConstraintType.FRICTION_DOF
    ident[dry] = m.dof_jntid[ident[dry]]
    keys, group = np.unique(np.stack([kind[rows], ident[rows]], 1), axis=0, return_inverse=True)
    values = np.zeros((len(keys), width))
    np.add.at(values, (group.ravel(), columns), pushes)
    first = np.full(len(keys), n)
    np.minimum.at(first, group.ravel(), rows)
    for k, row in enumerate(first.tolist()):
        what = row_element(m, d, row)
        words = ROW_GROUPS[int(keys[k, 0])]
        yield words, str(what) if words in ("equality", "contact") else f"{words} of {what}", what, values[k]


def _inertia(m: Model, d: Data) -> Iterable[Raw]:
    yield "inertia", "inertia", None, -_times_lower(m, d.M, d.qacc)
    if m.opt_integrator != INT_DISCRETE:
        return
    h, more = m.opt_timestep, _times_lower(m, d.M_eff - d.M, d.qacc) + d.qfrc_smooth - d.qfrc_eff
    if d.M_eff_coupled:
        for t in np.flatnonzero(d.M_eff_tendon).tolist():
            entries = slice(int(m.ten_J_rowadr[t]), int(m.ten_J_rowadr[t] + m.ten_J_rownnz[t]))
            _add_outer(more, d.M_eff_tendon[t], m.ten_J_colind.ravel()[entries], d.ten_J.ravel()[entries], d.qacc)
        for out in np.flatnonzero(d.M_eff_output).tolist():
            entries = slice(int(d.moment_rowadr[out]), int(d.moment_rowadr[out] + d.moment_rownnz[out]))
            _add_outer(more, d.M_eff_output[out], d.moment_colind.ravel()[entries], d.actuator_moment.ravel()[entries], d.qacc)
    untouched = (d.sol_tree_island < 0) if d.nefc else np.ones(m.ntree, bool)
    for k in m.tree_dofadr[untouched & (m.tree_dofnum == 6)].tolist():
        j = int(m.dof_jntid[k])
        if is_lone_free(m, j) and not d.M_eff_dof[k:k + 6].any():
            for row, slope in zip((k, k + 3), gyroscopic(m, d, j), strict=True):
                more[row:row + 3] += h * np.reshape(slope, (3, 3)) @ d.qacc[k + 3:k + 6]
    yield "implicit", "implicit forces of the integrator", None, -more


def _solver(m: Model, d: Data) -> Iterable[Raw]:
    """The gradient at which Newton's method or conjugate gradients were stopped, on the dofs of their islands. PGS and noslip find qacc from the forces: they leave none."""
    if d.nefc and m.opt_solver != SOL_PGS and not m.opt_noslip_iterations:
        yield "solver", "solver", None, np.where(d.sol_tree_island[m.dof_treeid] >= 0, d.sol_grad, 0.0)


def _times_lower(m: Model, stored: np.ndarray, x: np.ndarray) -> np.ndarray:
    """A x of a symmetric matrix in M's pattern: rows of the lower triangle, the diagonal last."""
    rows, cols = np.repeat(np.arange(m.nv), m.M_rownnz), m.M_colind
    out = np.bincount(rows, stored * x[cols], minlength=m.nv)
    below = rows != cols
    return out + np.bincount(cols[below], stored[below] * x[rows[below]], minlength=m.nv)


def _add_outer(out: np.ndarray, scale: float, dofs: np.ndarray, row: np.ndarray, x: np.ndarray) -> None:
    """out += scale J' (J x) of a sparse row J."""
    np.add.at(out, dofs, scale * (row @ x[dofs]) * row)
