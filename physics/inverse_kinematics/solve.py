"""Inverse kinematics: damped least squares with joint limits, constraints before targets, and the posture in what is left over.

    evaluate -> Jacobian -> step within the box of the limits -> better? take it, less damping : more damping, a shorter step
             -> targets met, or as near as they get: towards the rest pose in the null space, corrected -> constraints once more, to the end

A step is that of box_least_squares.py, taken only where the sum of squares falls. The damping follows how well the linear model told the fall, so that it is large
near singular poses and next to nothing at a solution. Dofs differ in damping: what floats moves last.

Source: Marquardt, "An algorithm for least-squares estimation of nonlinear parameters", 1963; Nielsen, "Damping parameter in Marquardt's method", 1999; Sugihara,
"Solvability-unconcerned inverse kinematics by the Levenberg-Marquardt method", 2011; the null space: Liegeois, "Automatic supervisory control of the configuration
and behavior of multibody mechanisms", 1977.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from physics.engine.kinematics import com
from physics.engine.kinematics import kinematics as poses
from physics.inverse_kinematics.box_least_squares import box_least_squares, ranged_least_squares
from physics.inverse_kinematics.limits import Box, Limits, dof_kinds, random_pose
from physics.inverse_kinematics.problem import IKOptions, IKResult, IKTarget
from physics.inverse_kinematics.rows import FIRST, Errors, Point, Rows, points_of, take_state, wake
from physics.inverse_kinematics.tendon_limits import Ranges, TendonLimits
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.query.configuration import differentiate_pos, integrate_pos, normalize_quat
from physics.simulate.arguments import vector
from physics.simulate.engines import Data as engine_data
from physics.simulate.step import check_mocap

STEP = 0.5              # largest turn of a dof in one step [rad]; of a translation as many lengths
ROOT = 1e4              # damping of what floats, beside that of joints
BEGIN, LEAST, MOST = 1e-2, 1e-13, 1e6     # damping, beside the largest diagonal of J' J
POSTURE = 1e-8          # weight of the rest pose beside the targets'
POSTURE_STEP = 0.25     # [rad or lengths]
POSTURE_ROUNDS, QUICK_ROUNDS = 60, 2
POSTURE_GAIN, QUICK_GAIN = 1e-5, 1e-3     # share of the distance to the rest pose below which nothing is gained any more
STUCK, QUICK_STUCK = 1e-9, 1e-5     # relative fall of the cost below which nothing is gained any more, ...
STUCK_STEPS = 3         # ... so often
QUICK_ITERATIONS, QUICK_ASIDE = 20, 8
KICK, KICK_GAIN = 0.1, 0.98     # [rad or lengths] away from where nothing is gained, and the share of the cost that must be left then


class Mechanism:
    """What of a Model moves for given targets. dofs: their numbers; last: which of them move only where the others do not reach; damping: of each beside the
    others; reach: what counts as much as a radian; above: joints that carry a target; length [m]: from the points to the farthest joint."""

    def __init__(self, m: Model, d: Data, points: Sequence[Point], options: IKOptions):
        translation, free = dof_kinds(m)
        trees = _trees(m, d, points, options)
        moves = np.isin(m.dof_treeid, list(trees))
        moves[np.isin(m.dof_jntid, [index_of(m, "joint", j) for j in options.locked])] = False
        root = free & (m.tree_dofnum[m.dof_treeid] > 6) & _others_move(m, points, free & moves, moves & ~free)[m.dof_treeid]
        if options.root == "fixed":
            moves &= ~root
        self.dofs = np.flatnonzero(moves)
        self.joints = np.unique(m.dof_jntid[self.dofs])
        self.above = frozenset(self.joints.tolist()) & _joints_above(m, points)
        self.length = _length(m, d, points, self.joints)
        damping = np.where(translation, 1.0 / self.length**2, 1.0)
        self.last = (root & (options.root == "last"))[self.dofs]
        self.damping = np.where(self.last, ROOT, 1.0) * damping[self.dofs]
        self.reach = np.where(translation, self.length, 1.0)[self.dofs]


class IKSolver:
    """Looks for poses of one Model, on a Data of its own (`data`), which ends at the pose found. One thread at a time."""

    def __init__(self, m: Model):
        self.model = m
        self.data = engine_data(m)
        self._damping, self._share = BEGIN, 1.0
        self._mechanism: tuple = (None, None)   # the last one, after what it depends on

    def depths(self, source) -> dict:
        """How deep geoms are in each other in a state (a Data, Snapshot or State): what `solve` takes as allowed."""
        take_state(self.data, source)
        wake(self.model, self.data)
        return Rows(self.model, self.data, (), IKOptions(), 1.0, {}).depths(np.array(self.data.qpos))

    def solve(self, targets: Iterable[IKTarget], qpos=None, pins: Iterable[IKTarget] = (), rest=None, options: IKOptions | None = None, state=None, allowed: dict | None = None) -> IKResult:
        """The pose nearest to the start (or to `rest`, where the posture counts) in which the targets are met, or as nearly as limits and constraints let them.

        qpos (nq): the start, else that of `state`, else the Model's; rest (nq): the rest pose, else the start. state: a Data, Snapshot or State with mocap poses and
        the equality constraints that are on. allowed: of `depths`, else what is so at the start. Raises KeyError, IndexError and ValueError for what does not fit.
        """
        m, d, options = self.model, self.data, options or IKOptions()
        if state is not None:
            take_state(d, state)
        wake(m, d)
        check_mocap(m, d)
        start = np.array(d.qpos if qpos is None else vector(qpos, m.nq, "qpos"))
        if not np.isfinite(start).all():
            raise ValueError("the start pose holds what is no number")
        start = normalize_quat(m, start)
        rest = normalize_quat(m, vector(rest, m.nq, "rest")) if rest is not None else start
        d.qpos[:] = start
        poses.kinematics(m, d)
        com.com_pos(m, d)
        points = points_of(m, d, tuple(targets), tuple(pins))
        mechanism = self._moving(points, options)
        limits = Limits(m, options.limits, mechanism.joints)
        if options.contacts and allowed is None:
            allowed = Rows(m, d, points, options, mechanism.length, {}).depths(start)
        tendons = TendonLimits(m, d, mechanism.dofs, mechanism.length, options.tolerance, FIRST, options.limits)
        search = Search(m, Rows(m, d, points, options, mechanism.length, allowed or {}, tendons), mechanism, limits, options, points)
        if options.quick:
            search.damping, search.share = self._damping, self._share
        found = search.run(start, rest)
        random = np.random.default_rng(options.seed)
        for number in range(options.restarts):
            if found[1]:
                break
            other = search.run(random_pose(m, start, mechanism.joints, mechanism.length, limits, random), rest)
            best = min(found, other, key=lambda one: (not one[1], one[2].cost))
            found = (*best[:3], found[3] + other[3], best[4], number + 1)
        self._damping, self._share = min(max(search.damping, 1e-6), BEGIN), search.share
        pose, converged, errors, iterations, settled, restarts = found
        search.rows.evaluate(pose)
        count = len(points) - sum(p.first for p in points)
        return IKResult(pose, converged, errors.position[:count], errors.orientation[:count], errors.position[count:], errors.equality, errors.depth, iterations,
                        tuple(j for j in limits.reached(pose) if j in mechanism.above), restarts, settled,
                        tendons.excess(), tendons.reached(), search.rows.worst_equality(), errors.orientation[count:])

    def other_start(self, qpos: np.ndarray, limits: bool, seed: int) -> np.ndarray:
        """A pose that differs from qpos in what moved for the last solution: there each joint is anywhere in its range."""
        moving = self._mechanism[1]
        if moving is None:
            return np.array(qpos)
        return random_pose(self.model, np.array(qpos), moving.joints, moving.length, Limits(self.model, limits, moving.joints), np.random.default_rng(seed))

    def _moving(self, points: tuple[Point, ...], options: IKOptions) -> Mechanism:
        """What moves for these points; that of the last solution where nothing else is asked for."""
        key = tuple((p.body, p.first) for p in points), options, self.data.eq_active.tobytes()
        if self._mechanism[0] != key:
            self._mechanism = key, Mechanism(self.model, self.data, points, options)
        return self._mechanism[1]


class Search:
    """From one start to the pose nearest to the targets."""

    def __init__(self, m: Model, rows: Rows, mechanism: Mechanism, limits: Limits, options: IKOptions, points: Sequence[Point]):
        self._m, self.rows, self._mechanism, self._limits, self._options, self._points = m, rows, mechanism, limits, options, points
        self.damping, self.share = BEGIN, 1.0     # share: of the largest step towards the rest pose
        self._stuck = QUICK_STUCK if options.quick else STUCK
        self._left = 0      # iterations
        self._still = np.zeros(len(mechanism.dofs), bool)   # dofs that do not move for now

    def run(self, start: np.ndarray, rest: np.ndarray) -> tuple[np.ndarray, bool, Errors, int, bool, int]:
        """(pose, whether all is met, its errors, iterations, whether it would stay, 0)."""
        most = min(self._options.iterations, QUICK_ITERATIONS) if self._options.quick else self._options.iterations
        self._left = most
        pose = self._limits.project(start.copy())
        pose, errors, ended = self._reach(pose, self.rows.evaluate(pose))
        settled = ended
        if self._options.posture > 0 and len(self._mechanism.dofs):
            pose, errors, settled = self._take_posture(pose, errors, rest)
            settled &= ended
        if not self._first_met(errors):
            pose, errors, _ended = self._descend(pose, errors, first=True)
        return pose, self._met(errors), errors, most - self._left, settled, 0

    def _reach(self, pose: np.ndarray, errors: Errors) -> tuple[np.ndarray, Errors, bool]:
        """As near as joints bring the targets; where that is not enough, what floats too.

        At a singular pose, such as of a stretched arm that is to be bent, no step gains anything: a little beside it one may.
        """
        self._still, kept = self._mechanism.last, 0
        if self._still.any():
            kept = self._left // 2
            self._left -= kept
        pose, errors, ended = self._descend(pose, errors)
        if not self._met(errors) and ended and not (self._options.quick and self._limits.reached(pose)):
            aside = self._aside(pose)
            other, after, also = self._descend(aside, self.rows.evaluate(aside), most=QUICK_ASIDE if self._options.quick else self._options.iterations)
            if after.cost < KICK_GAIN * errors.cost:
                pose, errors, ended = other, after, also
        if self._still.any():
            self._left += kept
            self._still = np.zeros(len(self._still), bool)
            if not self._met(errors):
                pose, errors, ended = self._descend(pose, errors)
        return pose, errors, ended

    def _aside(self, pose: np.ndarray) -> np.ndarray:
        """A little beside a pose, in the dofs that move the targets."""
        errors, box = self.rows.evaluate(pose), self._box(pose, KICK)
        counts = (self._turned(self.rows.jacobian(), box)[:errors.soft] != 0).any(axis=0)
        signs = np.random.default_rng(len(counts)).choice((-1.0, 1.0), len(counts))
        return self._moved(pose, np.clip(KICK * self._mechanism.reach * signs * counts, box.lo, box.hi), box)

    # ------------------------------------------------------------------ what counts as met

    def _first_met(self, errors: Errors) -> bool:
        within = self._options.tolerance
        far = all(errors.position[k] <= within and errors.orientation[k] <= self._options.quat_tolerance for k, p in enumerate(self._points) if p.first)
        return far and max(errors.equality, errors.depth, errors.tendon) <= within

    def _met(self, errors: Errors) -> bool:
        options = self._options
        return max(errors.position, default=0.0) <= options.tolerance and max(errors.orientation, default=0.0) <= options.quat_tolerance and self._first_met(errors)

    # ------------------------------------------------------------------ steps

    def _box(self, pose: np.ndarray, most: float) -> Box:
        """Bounds of the moving dofs' step from a pose: of the limits, and at most so far [rad or lengths]."""
        box, dofs = self._limits.box(pose), self._mechanism.dofs
        far = np.where(self._still, 0.0, most * self._mechanism.reach)
        return Box(np.maximum(box.lo[dofs], -far), np.minimum(box.hi[dofs], far), box.turns)

    def _ranges(self, box: Box) -> Ranges | None:
        """What the step may change of limited tendons."""
        found = self.rows.ranges()
        return found._replace(jacobian=self._turned(found.jacobian, box)) if found is not None else None

    def _turned(self, jacobian: np.ndarray, box: Box) -> np.ndarray:
        """A Jacobian's columns of the moving dofs, in the axes of the box."""
        for dof, axes in box.turns:
            jacobian[:, dof:dof + 3] = jacobian[:, dof:dof + 3] @ axes.T
        return jacobian[:, self._mechanism.dofs]

    def _moved(self, pose: np.ndarray, step: np.ndarray, box: Box) -> np.ndarray:
        """The pose after a step, within the ranges."""
        whole = np.zeros(self._m.nv)
        whole[self._mechanism.dofs] = step
        for dof, axes in box.turns:
            whole[dof:dof + 3] = axes.T @ whole[dof:dof + 3]
        return self._limits.project(integrate_pos(self._m, pose, whole))

    def _descend(self, pose: np.ndarray, errors: Errors, first: bool = False, most: int | None = None) -> tuple[np.ndarray, Errors, bool]:
        """Steps that lessen the cost until all is met, nothing is gained, or the iterations are used up; whether it ended otherwise than by the last.

        first: only what comes before the targets counts. most: iterations of this descent, which do not count for the others.
        """
        rows, damping, growth, small = self.rows, min(self.damping, BEGIN), 2.0, 0
        guess = np.zeros(len(self._mechanism.dofs), np.int8)
        if not len(self._mechanism.dofs):
            return pose, errors, True
        fresh, steps = False, 0     # whether the Data is at the pose
        limit = most if most is not None else self._left if not first else 10
        while not (self._first_met(errors) if first else self._met(errors)):
            if steps >= limit:
                return pose, errors, False
            if not fresh:
                errors = rows.evaluate(pose)
            box = self._box(pose, STEP)
            jacobian, residual, cost, ranges = self._turned(rows.jacobian(), box), errors.residual, errors.cost, self._ranges(box)
            if first:
                jacobian, residual, cost = jacobian[errors.soft:], residual[errors.soft:], errors.first_cost
            counted = jacobian if len(jacobian) or ranges is None else ranges.jacobian
            scale = float(np.max(np.einsum("ij,ij->j", counted, counted) / self._mechanism.damping, initial=1e-12))
            fresh = False
            while damping <= MOST:
                steps += 1
                if most is None and not first:
                    self._left -= 1
                step = _step(jacobian, residual, damping * scale * self._mechanism.damping, box, ranges, guess=guess)
                left = residual - jacobian @ step
                told = cost - 0.5 * float(left @ left) - _beyond(ranges, step)
                new = self._moved(pose, step, box)
                after = rows.evaluate(new)
                fall = cost - (after.first_cost if first else after.cost)
                if fall > 0 and told > 0:
                    damping = max(LEAST, damping * max(0.1, 1.0 - (2.0 * fall / told - 1.0) ** 3))
                    growth, fresh = 2.0, True
                    break
                if told <= self._stuck * cost or steps >= limit:
                    break
                damping, growth = damping * growth, 2.0 * growth
            if not fresh:
                break
            small = small + 1 if fall <= self._stuck * cost else 0
            pose, errors = new, after
            if small >= STUCK_STEPS:
                break
        if most is None and not first:
            self.damping = damping
        return pose, errors, steps < limit

    # ------------------------------------------------------------------ posture

    def _take_posture(self, pose: np.ndarray, errors: Errors, rest: np.ndarray) -> tuple[np.ndarray, Errors, bool]:
        """Towards the rest pose as far as the targets leave a choice; whether it got there."""
        dofs, damping, far = self._mechanism.dofs, self._mechanism.damping, self._away(pose, rest)
        quick = self._options.quick
        least = QUICK_GAIN if quick else POSTURE_GAIN
        for _ in range(QUICK_ROUNDS if quick else POSTURE_ROUNDS):
            if far < 1e-12:
                return pose, errors, True
            errors = self.rows.evaluate(pose)
            box = self._box(pose, POSTURE_STEP * self.share)
            whole = self._options.posture * differentiate_pos(self._m, pose, rest)
            for dof, axes in box.turns:
                whole[dof:dof + 3] = axes @ whole[dof:dof + 3]
            way, jacobian = whole[dofs], self._turned(self.rows.jacobian(), box)
            # the targets' residuals are to stay as they are, so the step lies in the null space
            step = _step(jacobian, np.zeros(len(jacobian)), POSTURE * damping, box, self._ranges(box), way)
            if float((damping * step) @ (2 * way - step)) < least * far:
                self.share = 1.0
                return pose, errors, True
            new = self._moved(pose, step, box)
            keep, self.damping = self.damping, 1e-9
            new, after, _ended = self._descend(new, self.rows.evaluate(new), most=4)
            self.damping = keep
            away = self._away(new, rest)
            if away < far * (1 - least * self.share) and (self._met(after) or after.cost <= errors.cost * (1 + 1e-6)):
                pose, errors, far, self.share = new, after, away, min(1.0, 2.0 * self.share)
            elif self.share < 0.05:
                return pose, errors, True
            else:
                self.share *= 0.4
        return pose, errors, False

    def _away(self, pose: np.ndarray, rest: np.ndarray) -> float:
        """How far a pose is from the rest pose, in the measure of the damping."""
        way = differentiate_pos(self._m, pose, rest)[self._mechanism.dofs]
        return float(way @ (self._mechanism.damping * way))


def _step(jacobian, residual, damping, box: Box, ranges: Ranges | None, rest=None, guess=None) -> np.ndarray:
    """The step within the box and, as nearly as that lets it, within the ranges of tendons."""
    if ranges is None:
        return box_least_squares(jacobian, residual, damping, box.lo, box.hi, rest, guess)
    return ranged_least_squares(jacobian, residual, damping, box.lo, box.hi, *ranges, rest, guess)


def _beyond(ranges: Ranges | None, step: np.ndarray) -> float:
    """The cost of tendons that a step leaves beyond their range, to first order."""
    if ranges is None:
        return 0.0
    value = ranges.jacobian @ step
    off = value - np.clip(value, ranges.low, ranges.high)
    return 0.5 * float(off @ off)


def solve_ik(m: Model, targets: Iterable[IKTarget], qpos=None, pins: Iterable[IKTarget] = (), rest=None, state=None, **options) -> IKResult:
    """One pose by inverse kinematics, with up to 20 restarts unless the options say otherwise; arguments as IKSolver.solve, options as IKOptions."""
    return IKSolver(m).solve(targets, qpos, pins, rest, replace(IKOptions(restarts=20), **options), state)


def _trees(m: Model, d: Data, points: Sequence[Point], options: IKOptions) -> set[int]:
    """Kinematic trees of the points, and those that equality constraints tie to them."""
    trees = {int(m.body_treeid[p.body]) for p in points} - {-1}
    if not (options.equality and m.neq and d.eq_active.any()):
        return trees
    rows = Rows(m, d, (), options, 1.0, {})
    rows.evaluate(np.array(d.qpos))
    tied = [set(m.dof_treeid[np.flatnonzero(row)].tolist()) for row in rows.jacobian()]
    while True:
        more = set().union(*(others for others in tied if others & trees), set()) - trees
        if not more:
            return trees
        trees |= more


def _others_move(m: Model, points: Sequence[Point], free: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Of each tree whether a point of a target has a moving dof above it that is not of the root (ntree)."""
    found = np.zeros(m.ntree, bool)
    for point in points:
        body, tree = point.body, int(m.body_treeid[point.body])
        while body > 0 and tree >= 0 and not point.first:
            a, n = int(m.body_dofadr[body]), int(m.body_dofnum[body])
            found[tree] |= bool(n and other[a:a + n].any())
            body = int(m.body_parentid[body])
    return found


def _joints_above(m: Model, points: Sequence[Point]) -> frozenset[int]:
    """Joints between the world and the targets."""
    found, bodies = set(), {p.body for p in points if not p.first}
    while bodies := bodies - {0}:
        for body in bodies:
            found |= set(range(m.body_jntadr[body], m.body_jntadr[body] + m.body_jntnum[body]))
        bodies = {int(m.body_parentid[body]) for body in bodies}
    return frozenset(found)


def _length(m: Model, d: Data, points: Sequence[Point], joints: np.ndarray) -> float:
    """From the targets' points to the farthest joint that moves [m]; at least a hundredth of the model's extent."""
    least = max(0.01 * float(m.stat_extent), 1e-6)
    ways = [np.linalg.norm(d.xanchor[joints] - getattr(d, p.xpos)[p.index], axis=1).max() for p in points if not p.first and len(joints)]
    return max([least, *map(float, ways)])
