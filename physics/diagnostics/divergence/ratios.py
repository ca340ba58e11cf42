"""What is too stiff for the time step: for each spring, damper, servo and constraint row of a state how near it is to the integrator's limit of stability.

An element of stiffness k and damping c acts along a coordinate of inverse inertia w = J M^-1 J'. With a = h^2 k w and b = h c w, b split into what the integrator takes
explicitly and what it takes at the end of the step (g):

    Euler, implicit    v' = (v - a x / h - b v) / (1 + g),  x' = x + h v'      stable while a + 2 b < 4 + 2 g
    RK4                stable while sqrt(a) < 2.828 and b + g < 2.785
    constraint rows    a = h^2 K I^2, b = h B I (K, B, I of efc_KBIP): a row sets its acceleration, whatever the inertia

`load` is the left side over the right: 1 is the limit. At 1 and beyond any motion grows in each step.

Source: Hairer and Wanner, "Solving Ordinary Differential Equations II", chapter IV.2 (stability regions); MuJoCo documentation, chapter Computation, "Numerical integration"
(what each integrator takes implicitly) and "Constraint model: parameters".
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from physics import enums
from physics.diagnostics.divergence import sources
from physics.diagnostics.divergence.sources import Source
from physics.diagnostics.divergence.stopping import Stopping, check
from physics.engine.actuator.transmission import dof_damping, tendon_damping
from physics.engine.kinematics.joints import joint_spring_slope, poly_slope
from physics.engine.passive.passive import tendon_stretch
from physics.model.data import Data
from physics.model.elements import Element, element
from physics.model.model import Model
from physics.query.configuration import integrate_pos
from physics.query.mass_matrix import solve_m
from physics.simulate.step import forward

RK4_IMAGINARY, RK4_REAL = 2.828, 2.785      # the limits of its stability region on the axes
STEP = 1e-6             # of lengths and velocities, by which an actuator's force is differentiated
MOST_DOFS = 400         # of which all diagonal entries of M^-1 are computed
MOST_OUTPUTS = 100      # of actuators, that are differentiated
LEAST_RATIO = 100.0     # that is told


@dataclass(frozen=True, slots=True)
class Stiff:
    """An element against the time step. stiffness k, damping c; inverse: w, None of constraint rows and activations, whose k [1/s2] and c [1/s] act whatever the inertia;
    load: 1 at the limit."""

    source: Source
    stiffness: float
    damping: float
    inverse: float | None
    load: float

    @property
    def of_row(self) -> bool:
        """Whether it is a constraint row."""
        return self.source.kind in sources.ROW_KINDS

    @property
    def drives(self) -> bool:
        """Whether it pushes away from rest, or in the direction of motion, in place of back."""
        return self.stiffness < 0 or self.damping < 0

    def growth(self, h: float) -> float:
        """By which share any motion grows in a time step where it drives, about; else 0."""
        damping = 0.0 if self.source.kind in (sources.SPRING, sources.TENDON_SPRING) else self.damping      # told there, but the damper's
        w = 1.0 if self.inverse is None else self.inverse
        return max(h * max(0.0, -damping) * w, h * sqrt(max(0.0, -self.stiffness * w)))


@dataclass(frozen=True, slots=True)
class Ratio:
    """Two numbers of neighbours that are far apart. what: 'mass' or 'inertia'; element: the one with less, other: the one with more."""

    what: str
    element: Element
    other: Element
    less: float
    more: float

    @property
    def ratio(self) -> float:
        """More over less."""
        return self.more / max(self.less, enums.MINVAL)


def integrator_word(integrator: int) -> str:
    """MJCF's word for an integrator."""
    name = enums.Integrator(integrator).name
    return {"EULER": "Euler", "RK4": "RK4"}.get(name, name.lower())


def load_of(integrator: int, h: float, kw, explicit, implicit=0.0):
    """How near to the limit of stability: kw = k w [1/s2], explicit and implicit = c w [1/s] of damping taken explicitly and at the end of the step; numbers or arrays. What is NaN
    counts as 0."""
    a, b, g = h * h * np.fmax(0.0, kw), h * np.fmax(0.0, explicit), h * np.fmax(0.0, implicit)
    if integrator == enums.INT_RK4:
        return np.fmax(np.sqrt(a) / RK4_IMAGINARY, (b + g) / RK4_REAL)
    return (a + 2 * b) / (4 + 2 * g)


def stiff_elements(m: Model, d: Data, first: Sequence[Source] = (), stopping: Stopping = bool) -> list[Stiff]:
    """All that act against motion in a state that `forward` has computed, the nearest to its limit first. first: of very many actuators those that are looked at before
    others. Raises GivenUp."""
    parts = [joint_elements(m, d), tendon_elements(m, d), actuator_elements(m, d, first), row_elements(m, d), activation_elements(m)]
    if m.opt_density > 0 or m.opt_viscosity > 0:
        parts.append(medium_elements(m, d))
    found = []
    for part in parts:
        for stiff in part:
            check(stopping)
            found.append(stiff)
    return sorted(found, key=lambda stiff: -stiff.load)


def inverse_inertia(m: Model, d: Data) -> np.ndarray:
    """(nv,) diagonal of M^-1; of large models that of the initial pose."""
    if not m.nv:
        return np.zeros(0)
    if m.nv > MOST_DOFS:
        return np.array(m.dof_invweight0)
    return np.diag(solve_m(m, d, np.eye(m.nv))).copy()


def joint_elements(m: Model, d: Data) -> Iterator[Stiff]:
    """Springs and dampers of joints. A joint's damping tames its spring where the integrator takes it at the end of the step."""
    w, h, flags = inverse_inertia(m, d), m.opt_timestep, m.opt_disableflags
    explicit = m.opt_integrator == enums.INT_EULER and bool(flags & enums.DSBL_EULERDAMP)
    whole = m.opt_integrator == enums.INT_DISCRETE      # springs too
    for j in range(m.njnt):
        first, count = int(m.jnt_dofadr[j]), dof_number(m, j)
        d.spring_slope[first:first + count] = 0
        if not flags & enums.DSBL_SPRING:
            joint_spring_slope(m, d, j)
        k = np.array(d.spring_slope[first:first + count])
        c = np.array([poly_slope(*dof_damping(m, i), abs(d.qvel[i])) for i in range(first, first + count)]) * (not flags & enums.DSBL_DAMPER)
        at = w[first:first + count]
        if k.any():
            worst = int(np.argmax(np.abs(k) * at))
            load = 0.0 if whole else load_of(m.opt_integrator, h, k[worst] * at[worst], c[worst] * at[worst] * explicit, c[worst] * at[worst] * (not explicit))
            yield Stiff(Source(sources.SPRING, j), float(k[worst]), float(c[worst]), float(at[worst]), load)
        if c.any():
            worst = int(np.argmax(np.abs(c) * at))
            cw = c[worst] * at[worst]
            load = load_of(m.opt_integrator, h, 0.0, cw) if explicit or m.opt_integrator == enums.INT_RK4 else 0.0
            yield Stiff(Source(sources.DAMPER, j), 0.0, float(c[worst]), float(at[worst]), load)


def dof_number(m: Model, j: int) -> int:
    """Number of degrees of freedom of a joint."""
    end = int(m.jnt_dofadr[j + 1]) if j + 1 < m.njnt else m.nv
    return end - int(m.jnt_dofadr[j])


def tendon_elements(m: Model, d: Data) -> Iterator[Stiff]:
    """Springs and dampers of tendons, whose damping Euler takes explicitly."""
    if not m.ntendon:
        return
    rows = sources.sparse_dense(d.ten_J, m.ten_J_rownnz, m.ten_J_rowadr, m.ten_J_colind, m.nv)
    inverses, explicit = inverses_along(m, d, rows), m.opt_integrator in (enums.INT_EULER, enums.INT_RK4)
    for t in range(m.ntendon):
        k = c = 0.0
        if not m.opt_disableflags & enums.DSBL_SPRING and (x := tendon_stretch(m, d, t)):
            k = poly_slope(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t, 0], m.tendon_stiffnesspoly[t, 1], x)
        if not m.opt_disableflags & enums.DSBL_DAMPER:
            c = poly_slope(*tendon_damping(m, t), abs(d.ten_velocity[t]))
        for kind, number in ((sources.TENDON_SPRING, k), (sources.TENDON_DAMPER, c)):
            if number:
                yield Stiff(Source(kind, t), float(k), float(c), float(inverses[t]), _load(m, k * inverses[t], c * inverses[t], explicit))


def _load(m: Model, kw: float, cw: float, explicit: bool) -> float:
    """Of a tendon, an actuator or the medium."""
    if m.opt_integrator == enums.INT_DISCRETE:
        return 0.0
    return load_of(m.opt_integrator, m.opt_timestep, kw, cw * explicit, cw * (not explicit))


def inverses_along(m: Model, d: Data, rows: np.ndarray) -> np.ndarray:
    """J M^-1 J' of each row (n, nv)."""
    return np.einsum("ij,ij->i", rows, solve_m(m, d, rows)) if len(rows) and m.nv else np.zeros(len(rows))


def actuator_elements(m: Model, d: Data, first: Sequence[Source] = ()) -> Iterator[Stiff]:
    """Actuators, as stiffness and damping along their lengths: whatever their gain and bias are, their force is differentiated."""
    if not m.nout or m.opt_disableflags & enums.DSBL_ACTUATION:
        return
    owners = sources.output_owners(m)
    leaders = {source.id: k for k, source in enumerate(first) if source.kind == sources.ACTUATOR}
    chosen = np.array(sorted(range(m.nout), key=lambda out: leaders.get(int(owners[out]), len(leaders)))[:MOST_OUTPUTS])
    rows = sources.sparse_dense(d.actuator_moment, d.moment_rownnz[chosen], d.moment_rowadr[chosen], d.moment_colind, m.nv)
    moves = solve_m(m, d, rows)
    inverses = np.einsum("ij,ij->i", rows, moves)
    beside, explicit = _Beside(m, d), m.opt_integrator in (enums.INT_EULER, enums.INT_RK4)
    for place, out in enumerate(chosen.tolist()):
        w, owner = float(inverses[place]), int(owners[out])
        if w <= 0 or not np.isfinite(w):
            continue
        way = moves[place] / w      # a unit of length
        k, c = (-(force[out] - d.actuator_force[out]) / STEP for force in beside.forces(way))
        if k or c:
            yield Stiff(Source(sources.ACTUATOR, owner), float(k), float(c), w, _load(m, k * w, c * w, explicit))


class _Beside:
    """The same state in a Data of its own, moved a little."""

    def __init__(self, m: Model, d: Data):
        self._m, self._from = m, d
        self._data = Data(m)
        self._data.copy_fields(d)

    def forces(self, way: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Forces of the actuators (nout,) where positions, and where velocities, are a little farther that way."""
        m, d, start = self._m, self._data, self._from
        d.qpos[:] = integrate_pos(m, start.qpos, way, STEP)
        forward(m, d)
        moved = np.array(d.actuator_force)
        d.qpos[:] = start.qpos
        d.qvel[:] = start.qvel + STEP * way
        forward(m, d)
        faster = np.array(d.actuator_force)
        d.qvel[:] = start.qvel
        return moved, faster

    def drag(self, dof: int) -> float:
        """How much the medium's force on a dof falls with its velocity."""
        m, d, start = self._m, self._data, self._from
        d.qvel[dof] += STEP
        forward(m, d)
        found = -(float(d.qfrc_fluid[dof]) - float(start.qfrc_fluid[dof])) / STEP
        d.qvel[dof] = start.qvel[dof]
        return found


def medium_elements(m: Model, d: Data) -> Iterator[Stiff]:
    """The medium's drag on each body that moves, along the dof where it weighs most."""
    beside, w = _Beside(m, d), inverse_inertia(m, d)
    explicit = m.opt_integrator in (enums.INT_EULER, enums.INT_RK4)
    for body in np.unique(np.asarray(m.dof_bodyid)[:MOST_DOFS]).tolist():       # dofs of a body lie together
        dofs = [i for i in range(int(m.body_dofadr[body]), int(m.body_dofadr[body]) + int(m.body_dofnum[body])) if i < MOST_DOFS]
        yield max((Stiff(Source(sources.MEDIUM, body), 0.0, c, float(w[i]), _load(m, 0.0, c * w[i], explicit)) for i in dofs for c in (beside.drag(i),)), key=lambda one: one.load)


def row_elements(m: Model, d: Data) -> Iterator[Stiff]:
    """Limits, equalities, contacts and friction: of each the row that is nearest to its limit."""
    found, of_row = sources.row_sources(m, d)
    k, b, imp, _slope = np.array(d.efc_KBIP[:d.nefc]).reshape(-1, 4).T
    stiffness, damping = k * imp * imp, b * imp
    load = load_of(m.opt_integrator, m.opt_timestep, stiffness, damping)
    acting = np.flatnonzero(np.asarray(d.efc_force[:d.nefc]) != 0)
    acting = acting[np.argsort(load[acting], kind="stable")]
    worst = np.full(len(found), -1)
    worst[of_row[acting]] = acting      # the last of a source's rows stays
    yield from (Stiff(source, float(stiffness[row]), float(damping[row]), None, float(load[row])) for source, row in zip(found, worst.tolist(), strict=True) if row >= 0)


def activation_elements(m: Model) -> Iterator[Stiff]:
    """Activations that follow their control faster than a time step: explicit in all integrators, stable up to h = 2 tau."""
    for i in range(m.nactuator):
        if m.actuator_dyntype[i] == enums.DYN_FILTER and m.actuator_dynprm[i, 0] > 0:
            rate = 1 / float(m.actuator_dynprm[i, 0])
            yield Stiff(Source(sources.ACTIVATION, i), 0.0, rate, None, m.opt_timestep * rate / (RK4_REAL if m.opt_integrator == enums.INT_RK4 else 2.0))


# ------------------------------------------------------------------ masses and inertias

def mass_ratios(m: Model, pairs: Iterator[tuple[int, int]] = ()) -> list[Ratio]:
    """Neighbours in the tree, and bodies of `pairs` (as in contact), whose masses or inertias are far apart; the farthest first."""
    found: dict[tuple, Ratio] = {}
    for body in range(1, m.nbody):
        above = int(m.body_parentid[body])
        if m.body_dofnum[body] and above and m.body_mass[above] > 0:
            _note(found, "mass", m, body, float(m.body_subtreemass[body]), above, float(m.body_mass[above]))
            _note(found, "inertia", m, body, _inertia(m, body), above, _inertia(m, above))
    for one, other in pairs:
        if one and other and one != other:
            _note(found, "mass", m, one, float(m.body_subtreemass[one]), other, float(m.body_subtreemass[other]))
    return sorted(found.values(), key=lambda ratio: -ratio.ratio)


def _inertia(m: Model, body: int) -> float:
    """The largest moment of inertia of a body with the mass that it carries at its own size."""
    own = float(m.body_mass[body])
    return float(np.max(m.body_inertia[body])) * (float(m.body_subtreemass[body]) / own if own > 0 else 1.0)


def _note(found: dict, what: str, m: Model, one: int, of_one: float, other: int, of_other: float) -> None:
    if of_one > of_other:
        one, other, of_one, of_other = other, one, of_other, of_one
    ratio = Ratio(what, element(m, "body", one), element(m, "body", other), of_one, of_other)
    if of_one > 0 and ratio.ratio >= LEAST_RATIO:
        found[what, one, other] = ratio
