"""Derivatives of a hard step: implicit, at exactly one point of the central path (physics/engine/hard/sensitivity.py).

With x the state's 2 nv + na directions (positions along their tangents, velocities, activations), u the controls and p the model's parameters
    dx' = A dx + B du + sum of P dp

The solve's unknown is the position after the step, of which the velocity is a difference quotient: for a dof that is a number
dqvel' = (dqpos' - dqpos) / h, for a rotation by the exponential's right Jacobian.

Source: Howell and others, "Dojo: A Differentiable Physics Engine for Robotics", (11), (30), (32); Sola, Deray and Atchuthan, "A micro Lie theory for
state estimation in robotics", 2018, (143), (144).
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np

from physics.engine.hard import next_state, sensitivity
from physics.engine.hard.derivatives import projected, state_columns
from physics.engine.hard.overlaps import BY_PROJECTION
from physics.engine.hard.rescue import FAILED, LACKING
from physics.engine.hard.start_scales import RECOVERY
from physics.engine.kinematics.joints import rotation_dof
from physics.enums import ENGINE_HARD
from physics.fields.layout import GROWING, LAYOUTS
from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import model_beside
from physics.model.struct import places_of
from physics.simulate.step import check_pair, check_runs

PARAMETERS = ("body_mass", "body_inertia", "body_ipos", "geom_friction", "geom_size", "geom_pos")
_KEPT = "gradients"   # name of what a Data keeps for the next call
_ROOMS = tuple(size for size in GROWING if size.startswith("maxh") and size != "maxhs")   # of the hard engine, all but its derivatives
_MOTION = "maxhb", "maxhv", "maxhq"   # of these, all that a copy needs where nothing touches and nothing is tied
_SCALARS = places_of(LAYOUTS["d"], (name for name in LAYOUTS["d"].scalars if name.startswith("hard_")))


class NoWholeStep(ValueError):
    """A step was not solved as a whole, but in parts perhaps: it has no implicit derivatives."""


class Gradients(NamedTuple):
    """A (2 nv + na, 2 nv + na) of the next state by the state, B (2 nv + na, nu) by the controls; P: by each parameter, (2 nv + na, ...) with the field's own shape behind.

    kappa: the point of the central path [J]; status: 0, or 1 where contacts' features changed with a nudge of a parameter, whose derivative is NaN.
    projected: whether the step's positions come from a projection that ends overlaps of its start without friction: their derivatives are those of the projection along the
    velocities' own.
    """

    A: np.ndarray
    B: np.ndarray
    P: Mapping[str, np.ndarray]
    kappa: float
    status: int
    projected: bool = False


def gradients(m: Model, d: Data, kappa: float = 0.0, parameters: Iterable[str] = (), eps: float = 1e-6, scratch: Scratch | None = None) -> Gradients:
    """Derivatives of the step from the present state, which is not taken; d stays as it is.

    kappa: the point of the central path [J]; 0: opt_hard_kappa, or opt_hard_ktol where that is 0 as well. parameters: names among PARAMETERS. eps: nudge of
    the residual's differences. scratch: room that is kept from call to call; d's own where None. Raises ValueError where the hard engine does not move the
    model, where the step finds no solution as a whole, and for unknown parameters; ViewOnlyError as `step`.
    """
    parameters = tuple(parameters)
    if parameters and (wrong := sorted(set(parameters) - set(PARAMETERS))):
        raise ValueError(f"no derivatives by {', '.join(wrong)}; there are those by {', '.join(PARAMETERS)}")
    _check(m, d)
    kappa = kappa or m.opt_hard_kappa or m.opt_hard_ktol
    if parameters:
        m = model_beside(m)   # whose numbers are nudged
        scratch = Scratch()
    kept = scratch is None
    if kept:
        scratch = d.scratch.pop(_KEPT, None) or Scratch()   # taken out meanwhile: another thread makes one of its own
    try:
        return _gradients(m, d, kappa, parameters, eps, scratch)
    finally:
        if kept:
            d.scratch[_KEPT] = scratch


def _gradients(m: Model, d: Data, kappa: float, parameters: tuple[str, ...], eps: float, scratch: Scratch) -> Gradients:
    own = kappa == (m.opt_hard_kappa or m.opt_hard_ktol)   # else the contacts that are looked at are those of the step itself
    work = solved(m, d, scratch, kappa if own else None)
    n = 2 * m.nv + m.na
    if not parameters and not work.hard_overlap:   # one solution tells all
        _meet(m, work, kappa, 0.0)
        whole = _Solution(m, work, eps, scratch).by_state_and_controls()
        return Gradients(whole[:, :n].copy(), whole[:, n:].copy(), {}, kappa, 0)
    found = np.zeros((n, n + m.nu))
    p = {name: np.zeros((n, *getattr(m, name).shape)) for name in parameters}
    status = 0
    # velocities leave overlaps of the start as they are, positions end them: two solutions where there are such overlaps
    passes, by_projection = ((0.0, slice(None)),), work.hard_overlap == BY_PROJECTION
    recovery = RECOVERY * m.opt_timestep
    if by_projection:
        passes = ((0.0, slice(m.nv, None)),)
    elif work.hard_overlap:
        passes = ((0.0, slice(m.nv, None)), (recovery, slice(0, m.nv)))
    for recover, rows in passes:
        _meet(m, work, kappa, recover)
        one = _Solution(m, work, eps, scratch)
        found[rows] = one.by_state_and_controls()[rows]
        for name in parameters:
            columns, partly = one.by_parameter(name)
            p[name][rows] = columns[rows]
            status = max(status, partly)
    if by_projection:
        one.project(kappa, recovery)
        try:
            found[:m.nv] = one.positions_by_state_and_controls(found[m.nv:2 * m.nv])
            for name in parameters:
                columns, partly = one.by_parameter(name, p[name][m.nv:2 * m.nv])
                p[name][:m.nv] = columns[:m.nv]
                status = max(status, partly)
        finally:
            one.end_projection()
    return Gradients(found[:, :n].copy(), found[:, n:].copy(), p, kappa, status, by_projection)


def _meet(m: Model, work: Data, kappa: float, recover: float) -> None:
    """Have `work` at this point of the central path, with so much of overlaps undone. Raises ValueError where there is no solution."""
    if (work.hard_overlap or kappa != work.hard_kappa) and sensitivity.solve_at(m, work, kappa, recover) >= FAILED:
        raise ValueError(f"derivatives of a hard step: no solution at kappa {kappa:g} J")


class Scratch:
    """Two Data to work in, kept for the next call with the same Model."""

    def __init__(self) -> None:
        self._kept: dict[str, Data] = {}

    def start(self, m: Model, d: Data) -> Data:
        """A Data of m with the state of d, whose Model m may be a copy of."""
        kept = self._kept.get("work")
        if kept is None or kept.model is not m or kept.nbody_awake != d.nbody_awake:
            return self._copied(m, d, "work")
        next_state.take_state(m, d, kept)
        return kept

    def solution(self, m: Model, work: Data) -> Data:
        """A second Data of m with the state of `work` and the solution that it holds."""
        kept = self._kept.get("nudged")
        if kept is None or kept.model is not m or kept.nbody_awake != work.nbody_awake:
            return self._copied(m, work, "nudged")
        next_state.take_state(m, work, kept)
        kept.copy_workings(work, _ROOMS if work.hard_nrow or work.hard_ntie or work.hard_nten else _MOTION, _SCALARS)
        return kept

    def _copied(self, m: Model, d: Data, name: str) -> Data:
        kept = self._kept.get(name)
        if kept is None or kept.model is not m:
            kept = self._kept[name] = Data(m, d.maxcon, d.maxefc, d.maxJ, d.maxH)
        kept.copy_fields(d)
        return kept


def _check(m: Model, d: Data) -> None:
    check_pair(m, d)
    if m.opt_engine != ENGINE_HARD:
        raise ValueError("derivatives of a hard step: opt.engine picks another engine")
    if m.nhistory:
        raise ValueError("derivatives of a step: delays of controls and sensors are not supported")
    check_runs(m, d)   # with kernels that are there then


def solved(m: Model, d: Data, scratch: Scratch, kappa: float | None = None) -> Data:
    """A copy of d, for a copy m of its Model perhaps, at which the step's end has been found, at opt_hard_kappa where kappa is None. Raises NoWholeStep where there is none as a whole."""
    work = scratch.start(m, d)
    kappa = m.opt_hard_kappa if kappa is None else kappa
    while (status := sensitivity.find_step_at.call(m, work, kappa)) == LACKING:
        if not work.make_room():
            raise RuntimeError("a hard step lacks room and does not say for what")
    if status == FAILED:
        raise NoWholeStep(f"derivatives of a hard step: the step from time {d.time:g} s has no solution as a whole")
    return work


class _Solution:
    """Derivatives at one solution of the step."""

    def __init__(self, m: Model, work: Data, eps: float, scratch: Scratch):
        self.m, self.d, self.eps = m, work, eps
        size = (2 * m.nv + m.na) * (2 * m.nv + m.na + m.nu)
        if work.maxhs < size:
            work.need_nhs = size
            work.make_room()
        self._scratch = scratch
        self.e = scratch.solution(m, work)

    def by_state_and_controls(self) -> np.ndarray:
        """(2 nv + na, 2 nv + na + nu)."""
        m = self.m
        while state_columns.by_state_and_controls(m, self.d, self.e, self.eps) == 0:
            if not self.e.make_room():
                raise RuntimeError("a hard step lacks room and does not say for what")
        rows, columns = 2 * m.nv + m.na, 2 * m.nv + m.na + m.nu
        return self.d.hard_column[:rows * columns].reshape(rows, columns)

    def project(self, kappa: float, recover: float) -> None:
        """Have positions projected from the velocities of the present solution. Raises ValueError where there is no projection."""
        if projected.project_at(self.m, self.d, kappa, recover) >= FAILED:
            self.end_projection()
            raise ValueError(f"derivatives of a hard step: no projection at kappa {kappa:g} J")
        self.e = self._scratch.solution(self.m, self.d)

    def end_projection(self) -> None:
        """Steps are solved again."""
        projected.end_projection(self.m, self.d, self.e)

    def positions_by_state_and_controls(self, velocities: np.ndarray) -> np.ndarray:
        """(nv, 2 nv + na + nu) of projected positions; velocities: how those of the step change (nv, 2 nv + na + nu)."""
        m, d = self.m, self.d
        found = np.zeros_like(velocities)
        for c in range(velocities.shape[1]):
            sensitivity.clear_right_side(m, d)
            for step in (self.eps, -self.eps):
                self._add_projected(velocities[:, c], c if c < m.nv else -1, step)
            sensitivity.answer(m, d)
            found[:, c] = m.opt_timestep * d.hard_dir[:m.nv]
        return found

    def _add_projected(self, velocities: np.ndarray, k: int, step: float) -> int:
        """What projected.add_projected says where the step's velocities change with these (nv), and position k with them."""
        m, d, e = self.m, self.d, self.e
        e.hard_vel0[:m.nv] = d.hard_vel0[:m.nv] + step * velocities
        while (found := projected.add_projected(m, d, e, k, step)) == 0:
            if not e.make_room():
                raise RuntimeError("a hard step lacks room and does not say for what")
        return found

    @cached_property
    def by_last(self) -> np.ndarray:
        """How the step's velocity changes with its last coordinates (nv, nv)."""
        m = self.m
        found = np.eye(m.nv) / m.opt_timestep
        for k in filter(lambda k: k >= 0, (rotation_dof(m, j) for j in range(m.njnt))):
            own = slice(k, k + 3)
            found[own, own] = np.linalg.inv(right_jacobian(m.opt_timestep * self.d.hard_qd[own])) / m.opt_timestep
        return found

    def by_parameter(self, name: str, velocities: np.ndarray | None = None) -> tuple[np.ndarray, int]:
        """((2 nv + na, ...) with the shape of the field behind, 1 where a column is unknown). Only what can matter is nudged: moving bodies, geoms that are near a contact.

        velocities: how those of the step change (nv, ...), for projected positions, of which the first nv rows are."""
        m = self.m
        values = getattr(m, name)
        out, status = np.zeros((2 * m.nv + m.na, *values.shape)), 0
        for place in self._entries(name):
            column = self._changed(name, place, None if velocities is None else velocities[(slice(None), *place)])
            out[(slice(None), *place)] = column
            status = max(status, int(np.isnan(column).any()))
        return out, status

    def _entries(self, name: str) -> list[tuple[int, int]]:
        m, d = self.m, self.d
        values = getattr(m, name)
        if name.startswith("body"):
            owners = [b for b in range(1, m.nbody) if m.body_treeid[b] >= 0]
        else:
            owners = sorted(set(d.hrow_geom[:d.hard_nrow].ravel().tolist()))
        return [(k, *i) for k in owners for i in np.ndindex(values.shape[1:])]

    def _changed(self, name: str, place: tuple[int, ...], velocities: np.ndarray | None) -> np.ndarray:
        """The column of one number of the model; NaN where its nudge changes the contacts' features."""
        m, d, e = self.m, self.d, self.e
        values = getattr(m, name)
        before = float(values[place])
        step = self.eps * max(1.0, abs(before))
        sensitivity.clear_right_side(m, d)
        whole = True
        same = [(field, k, int(getattr(m, field)[k])) for field, k in _same_frame(m, name, place)]
        try:
            for field, k, _ in same:
                getattr(m, field)[k] = 0
            m.check_written()
            for sign in (1, -1):
                values[place] = before + sign * step
                found = sensitivity.add_changed(m, d, e, sign / (2 * step)) if velocities is None else self._add_projected(velocities, -1, sign * step)
                whole &= found == 1
        finally:
            values[place] = before
            for field, k, value in same:
                getattr(m, field)[k] = value
            m.check_written()
        if not whole:
            return np.full(2 * m.nv + m.na, np.nan)
        sensitivity.answer(m, d)
        moved = m.opt_timestep * d.hard_dir[:m.nv]
        return np.concatenate([moved, self.by_last @ moved, np.zeros(m.na)])


def _same_frame(m: Model, name: str, place: tuple[int, ...]) -> list[tuple[str, int]]:
    """The notes that say of a frame that it is its body's, so that its own place is not looked at."""
    if name == "body_ipos":
        return [("body_sameframe", place[0])] + [("geom_sameframe", g) for g in np.flatnonzero(m.geom_bodyid == place[0])]
    if name == "geom_pos":
        return [("geom_sameframe", place[0])]
    return []


def right_jacobian(w: np.ndarray) -> np.ndarray:
    """How exp(w) changes with w, in body axes (3, 3)."""
    angle = float(np.linalg.norm(w))
    x, y, z = w
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    half = np.sinc(angle / (2 * np.pi))**2 / 2   # (1 - cos) / angle^2
    third = 1 / 6 - angle**2 / 120 if angle < 1e-2 else (angle - np.sin(angle)) / angle**3
    return np.eye(3) - half * cross + third * cross @ cross
