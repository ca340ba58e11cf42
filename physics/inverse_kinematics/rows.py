"""Residuals and Jacobians of a pose: how far targets, pins, equality constraints and contacts are from what is wanted, and what each dof does about it.

Rows are without unit: lengths are divided by that of the mechanism, a radian of an orientation counts as ORIENTATION lengths. Rows of pins, equality constraints
and contacts are FIRST times as heavy, and so are tendons beyond their range. A contact has a row while it is deeper than allowed.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.engine.collide import collision
from physics.engine.constraint import equality
from physics.engine.constraint.append import SPARE
from physics.engine.kinematics import com, jacobians
from physics.engine.kinematics import kinematics as poses
from physics.engine.kinematics.joints import is_slide
from physics.engine.linalg import quat
from physics.engine.tendon import tendon
from physics.enums import ENBL_SLEEP, EQ_JOINT, EQ_TENDON
from physics.inverse_kinematics.problem import FRAMES, IKOptions, IKTarget
from physics.inverse_kinematics.tendon_limits import Ranges, TendonLimits, in_metres
from physics.model.data import Data
from physics.model.model import Model
from physics.query.quaternion import mat2_quat
from physics.simulate.arguments import vector
from physics.simulate.step import call

ORIENTATION = 0.2
FIRST = 30.0


class Errors(NamedTuple):
    """Of one pose. position [m], orientation [rad]: of targets, then pins; equality: largest residual [m or rad]; depth: beyond what is allowed [m];
    tendon: beyond a range [m or rad].

    residual (m): all rows; soft: how many of them, at the beginning, are of targets. cost: half their squared length, with that of tendons beyond their range;
    first_cost: that of all but the targets."""

    position: tuple[float, ...]
    orientation: tuple[float, ...]
    equality: float
    depth: float
    tendon: float
    residual: np.ndarray
    soft: int
    cost: float
    first_cost: float


class Point(NamedTuple):
    """A target with all indices known: field names of its frame, weights of its rows."""

    index: int
    body: int
    xpos: str
    xmat: str
    local: np.ndarray
    pos: np.ndarray | None
    quat: tuple | None
    weight: float
    quat_weight: float
    first: bool


class Rows:
    """Rows of targets and pins of a Model at poses, computed on the Data d, which is nobody else's. length [m]: of the mechanism.

    `evaluate(qpos)` goes to a pose; `jacobian()` belongs to the last one."""

    def __init__(self, m: Model, d: Data, points: tuple[Point, ...], options: IKOptions, length: float, allowed: dict, tendons: TendonLimits | None = None):
        self._m, self._d, self._points, self._options, self.tendons = m, d, points, options, tendons
        self._length, self._allowed = length, allowed
        self._equality = options.equality and bool(m.neq) and bool(d.eq_active.any())
        self._tendons = self._equality and bool((m.eq_type[d.eq_active != 0] == EQ_TENDON).any())
        self._eq_scale = np.array([FIRST / (length if equality_in_metres(m, i) else 1.0) for i in range(m.neq)]) if self._equality else np.zeros(0)
        self._deep: list[tuple[int, float]] = []    # contact, how much deeper than allowed [m]
        self._soft = 0
        self._moved = False     # whether com_pos is of the present pose

    def evaluate(self, qpos: np.ndarray) -> Errors:
        """Go to a pose (nq)."""
        m, d = self._m, self._d
        d.qpos[:] = qpos
        poses.kinematics(m, d)
        self._moved = False
        soft, first, position, orientation = [], [], [], []
        for point in self._points:
            rows, far, turned = self._point(point)
            (first if point.first else soft).extend(rows)
            position.append(far)
            orientation.append(turned)
        self._soft = sum(map(len, soft))
        drift = self._drift(first)
        depth = self._depths(first)
        beyond, farthest = 0.0, 0.0
        if self.tendons:
            self._axes()
            off = self.tendons.evaluate()
            beyond, farthest = 0.5 * float(off @ off), self.tendons.largest()
        residual = np.concatenate([*soft, *first]) if soft or first else np.zeros(0)
        hard = residual[self._soft:]
        costs = (0.5 * float(part @ part) + beyond for part in (residual, hard))
        return Errors(tuple(position), tuple(orientation), drift, depth, farthest, residual, self._soft, *costs)

    def ranges(self) -> Ranges | None:
        """What a step from the last pose may change of tendons; None where none is limited."""
        return self.tendons.ranges() if self.tendons else None

    def jacobian(self) -> np.ndarray:
        """(m, nv): the rows' change per unit speed of each dof, with the sign that `residual - J dq` is what is left after a step dq."""
        m, d = self._m, self._d
        self._axes()
        soft, first = [], []
        for point in self._points:
            lin, ang = self._jac(point.body, self._at(point))
            scale = point.weight * (FIRST if point.first else 1.0)
            out = first if point.first else soft
            if point.pos is not None:
                out.append(lin * (scale / self._length))
            if point.quat is not None:
                out.append(ang * (scale / point.weight * point.quat_weight * ORIENTATION))
        if self._equality and d.nefc:
            first.append(self._equality_jacobian() * -self._eq_scales()[:, None])
        for contact, _depth in self._deep:
            first.append(self._contact_row(contact)[None] * (FIRST / self._length))
        return np.concatenate([*soft, *first]) if soft or first else np.zeros((0, m.nv))

    def depths(self, qpos: np.ndarray) -> dict:
        """How deep geoms are in each other at a pose: {(geom1, geom2): the deepest of their contacts [m]}."""
        m, d = self._m, self._d
        d.qpos[:] = qpos
        poses.kinematics(m, d)
        com.com_pos(m, d)
        call(collision.collision, m, d)
        found: dict = {}
        for geoms, dist in zip(map(tuple, d.contact_geom[:d.ncon].tolist()), d.contact_dist[:d.ncon].tolist(), strict=True):
            found[geoms] = max(found.get(geoms, 0.0), -dist)
        return found

    # ------------------------------------------------------------------ targets

    def _at(self, point: Point) -> np.ndarray:
        d = self._d
        return getattr(d, point.xpos)[point.index] + getattr(d, point.xmat)[point.index].reshape(3, 3) @ point.local

    def _point(self, point: Point) -> tuple[list, float, float]:
        rows, far, turned = [], 0.0, 0.0
        scale = FIRST if point.first else 1.0
        if point.pos is not None:
            off = point.pos - self._at(point)
            far = float(np.sqrt(off @ off))
            rows.append(off * (scale * point.weight / self._length))
        if point.quat is not None:
            mat = getattr(self._d, point.xmat)[point.index].reshape(3, 3)
            turn = mat @ np.array(quat.sub_quat(point.quat, tuple(mat2_quat(mat).tolist())))
            turned = float(np.sqrt(turn @ turn))
            rows.append(turn * (scale * point.quat_weight * ORIENTATION))
        return rows, far, turned

    def _jac(self, body: int, at) -> tuple[np.ndarray, np.ndarray]:
        m, d = self._m, self._d
        jacobians.jac(m, d, body, float(at[0]), float(at[1]), float(at[2]))
        return d.jac_lin.copy(), d.jac_ang.copy()

    def _axes(self) -> None:
        if not self._moved:
            com.com_pos(self._m, self._d)
            self._moved = True

    # ------------------------------------------------------------------ equality constraints

    def _drift(self, first: list) -> float:
        """The largest residual of the constraints that are on; appends their rows. Those of connects and welds are in metres, with torquescale also the turns."""
        if not self._equality:
            return 0.0
        m, d = self._m, self._d
        self._axes()
        if self._tendons:
            tendon.tendon(m, d)
        while True:
            d.nefc = d.nJ = d.need_nefc = d.need_nJ = 0
            equality.equality_rows(m, d)
            if d.nefc <= d.maxefc and d.nJ + SPARE <= d.maxJ:
                break
            d.need_nefc, d.need_nJ = d.nefc, d.nJ + SPARE
            d.make_room()
        if not d.nefc:
            return 0.0
        off = d.efc_pos[:d.nefc]
        first.append(off * self._eq_scales())
        return float(np.abs(off).max())

    def worst_equality(self) -> int:
        """The equality constraint whose residual was the largest in the last pose; -1 where none is on."""
        d = self._d
        return int(d.efc_id[np.argmax(np.abs(d.efc_pos[:d.nefc]))]) if self._equality and d.nefc else -1

    def _eq_scales(self) -> np.ndarray:
        """Weight of each equality row."""
        return self._eq_scale[self._d.efc_id[:self._d.nefc]]

    def _equality_jacobian(self) -> np.ndarray:
        d = self._d
        dense = np.zeros((d.nefc, self._m.nv))
        dense[np.repeat(np.arange(d.nefc), d.efc_J_rownnz[:d.nefc]), d.efc_J_colind[:d.nJ]] = d.efc_J[:d.nJ]
        return dense

    # ------------------------------------------------------------------ contacts

    def _depths(self, first: list) -> float:
        """How much deeper than allowed geoms are in each other; appends a row for each such contact."""
        self._deep.clear()
        if not self._options.contacts:
            return 0.0
        m, d = self._m, self._d
        self._axes()
        call(collision.collision, m, d)
        for k in np.flatnonzero(d.contact_dist[:d.ncon] < 0).tolist():
            more = -float(d.contact_dist[k]) - self._allowed.get(tuple(d.contact_geom[k].tolist()), 0.0)
            if more > 0:
                self._deep.append((k, more))
        if not self._deep:
            return 0.0
        deep = np.array([more for _k, more in self._deep])
        first.append(deep * (FIRST / self._length))
        return float(deep.max())

    def _contact_row(self, contact: int) -> np.ndarray:
        """How fast the distance of a contact grows."""
        m, d = self._m, self._d
        normal, at = d.contact_frame[contact, :3], d.contact_pos[contact]
        one, two = (int(m.geom_bodyid[g]) for g in d.contact_geom[contact])
        return normal @ (self._jac(two, at)[0] - self._jac(one, at)[0])


def points_of(m: Model, d: Data, targets, pins) -> tuple[Point, ...]:
    """Targets, then pins, checked; d: at the start, where pins stay that name no place. Raises KeyError, IndexError or ValueError."""
    return tuple(_point_of(m, d, one, k >= len(targets)) for k, one in enumerate((*targets, *pins)))


def _point_of(m: Model, d: Data, one: IKTarget, first: bool) -> Point:
    index, body = one.indices(m)
    _owner, xpos, xmat = FRAMES[one.kind]
    local = vector(one.point, 3, "point")
    pos = vector(one.pos, 3, "pos") if one.pos is not None else None
    if first and one.pos is None and one.quat is None:
        pos = getattr(d, xpos)[index] + getattr(d, xmat)[index].reshape(3, 3) @ local
    if not first and pos is None and one.quat is None:
        raise ValueError(f"nothing is wanted of {one.kind} {one.element}: it has neither pos nor quat")
    if not (one.weight > 0 and one.quat_weight > 0):
        raise ValueError(f"weights of {one.kind} {one.element}: {one.weight}, {one.quat_weight}")
    turn = tuple(quat.unit4(tuple(vector(one.quat, 4, "quat").tolist()))) if one.quat is not None else None
    return Point(index, body, xpos, xmat, local, pos, turn, float(one.weight), float(one.quat_weight), first)


def equality_in_metres(m: Model, i: int) -> bool:
    """Whether the residual of an equality constraint is a length."""
    one = int(m.eq_obj1id[i])
    if m.eq_type[i] == EQ_JOINT:
        return bool(is_slide(m, one))
    return in_metres(m, one) if m.eq_type[i] == EQ_TENDON else True


def take_state(d: Data, source) -> None:
    """Copy what poses depend on (qpos, mocap poses, which equality constraints are on) from a Data, Snapshot or State of the same Model."""
    for name in ("qpos", "mocap_pos", "mocap_quat", "eq_active"):
        getattr(d, name)[...] = getattr(source, name)


def wake(m: Model, d: Data) -> None:
    """Nothing sleeps here: every pose is computed."""
    if m.opt_enableflags & ENBL_SLEEP:
        d.wake()
