"""Differential inverse kinematics: one step of joints towards poses of sites or bodies, at the rate of a control loop.

    min over dq   |W (J dq - e)|^2 + lambda^2 |dq|^2 + |D^(1/2) N (dq - k (q_rest - q))|^2
    subject to    max(lo - q, -h vmax) <= dq <= min(hi - q, h vmax)      and, as squares of those that would be broken,      J_c dq >= -gain (dist - margin)

e: what is left to the targets, of one step no more than it may go; N: projector onto the null space of W J, so that the rest posture never pulls at a target. lambda^2 rises in the singular directions of W J whose value falls below
SINGULAR. J_c: how fast the distance of two geoms changes. Limits are never broken: they are the box of the solver, not part of the cost.

Several frames of one mechanism are rows of one problem: what they have in common, a waist, goes where it serves all of them. Two frames that hold one thing are three rows of (J_b - J_a) dq and three of their turns beside it.
All of a step but distances is one compiled call (physics/engine/kinematics/differential_ik.py).

Source: Nakamura and Hanafusa, "Inverse kinematic solutions with singularity robustness for robot manipulator control", 1986; Chiaverini, Siciliano and Egeland, "Review of the damped least-squares inverse
kinematics with experiments on an industrial robot manipulator", 1994 (numerical filtering of the damping); Kanoun, Lamiraux and Wieber, "Kinematic control of redundant manipulators", 2011 (inequalities);
Faverjon and Tournassoud, "A local based approach for path planning of manipulators with a high number of degrees of freedom", 1987 (velocity damper of a distance); Uchiyama and Dauchez, "A symmetric hybrid
position/force control scheme for the coordination of two robots", 1988 (the relative motion of two arms that hold one object).
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.engine.kinematics import differential_ik as kernels
from physics.engine.kinematics.differential_ik import TURN_LENGTH
from physics.engine.linalg.quat import conj4, mul4, rotate
from physics.enums import ObjType
from physics.inverse_kinematics.box_qp import BoxQP
from physics.inverse_kinematics.distances import Distances
from physics.inverse_kinematics.frames import Frame, FrameTask, chosen_joints
from physics.inverse_kinematics.rows import wake
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.simulate.engines import Data as engine_data

HELD = 1e3              # weight of a row that would be broken, beside the targets'
ROUNDS = 4              # of finding which rows would be
TOGETHER = 10.0         # weight of a pair that is held, beside a target's: of what two targets disagree about 1/200 is left between the two
KINDS = MappingProxyType({"body": ObjType.XBODY, "geom": ObjType.GEOM, "site": ObjType.SITE})


@dataclass(frozen=True, slots=True)
class StepOptions:
    """speed [rad/s or m/s]: of each joint at most; gain: share of the way to a target that one step goes; posture: strength of the rest pose in the null space, 0: none; posture_gain (k): share of the way to it in one step.
    margin [m]: how near geoms of `avoid` may come; reach [m]: distances that count; avoid_gain: share of the room between that one step may use up."""

    speed: float = 3.0
    gain: float = 1.0
    posture: float = 1.0
    posture_gain: float = 0.02
    margin: float = 0.01
    reach: float = 0.10
    avoid_gain: float = 0.5


class DifferentialIK:
    """Hinges and slides of a Model that follow several targets at once, on a Data of its own. One thread at a time.

    joints: names or indices, None: all that stand between the world and the tasks' frames. avoid: pairs of geoms (names or indices) that keep their distance. pairs: of tasks (by number) that can be held together.
    Raises KeyError and IndexError for what there is not, ValueError for joints that are neither hinges nor slides, and where none is left.

    joints, dofs, adr (n): what moves, its dofs, where it is in qpos; q, rest, lo, hi (n) [rad or m]: where it is, its rest posture, its range. speed, posture (n): as of the options, of each joint; moves (n): 0 for those that stay
    for now. smallest: the smallest singular value of W J [m] at the last step.
    """

    def __init__(self, m: Model, tasks: Sequence[FrameTask], joints: Sequence[str | int] | None = None, options: StepOptions | None = None, avoid: Sequence[tuple] = (), pairs: Sequence[tuple[int, int]] = ()):
        self.model, self.data, self.tasks, self.options, self.pairs = m, engine_data(m), tuple(tasks), options or StepOptions(), tuple(pairs)
        self._frames = tuple(Frame.of(m, task) for task in self.tasks)
        wake(m, self.data)
        self.joints = chosen_joints(m, joints, self._frames)
        self.dofs, self.adr = m.jnt_dofadr[self.joints], m.jnt_qposadr[self.joints]
        limited = m.jnt_limited[self.joints] != 0
        self.lo, self.hi = np.where(limited, m.jnt_range[self.joints, 0], -np.inf), np.where(limited, m.jnt_range[self.joints, 1], np.inf)
        n = len(self.joints)
        self.q = m.qpos0[self.adr].copy()
        self.rest = np.clip(self.q, self.lo, self.hi)
        self.speed, self.posture, self.moves = np.full(n, float(self.options.speed)), np.full(n, float(self.options.posture)), np.ones(n, np.int32)
        self.smallest = 0.0
        self._distances = Distances(m, self.data, avoid, self.dofs, self.options.reach) if avoid else None
        self._lend(m, n)

    def _lend(self, m: Model, n: int) -> None:
        """Arrays that the kernel works on, for as long as this lives."""
        tasks, pairs = len(self.tasks), len(self.pairs)
        rows = 6 * (tasks + pairs)
        column = np.full(m.nv, -1, np.int32)
        column[self.dofs] = np.arange(n)
        self._asked, self._pos, self._quat = np.zeros(tasks, np.int32), np.zeros((tasks, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (tasks, 1))
        self.weights = np.array([[task.weight, task.turn_weight * TURN_LENGTH] for task in self.tasks]).reshape(-1, 2)
        self._together, self._pair_pos, self._pair_quat = np.zeros(pairs), np.zeros((pairs, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (pairs, 1))
        left = np.zeros(2 * (tasks + pairs))
        self.errors, self.pair_errors = left[:2 * tasks], left[2 * tasks:]     # of the last step's beginning: way [m] and turn [rad] of each task, of each pair that is held
        self._solver = BoxQP(
            n, ik_column=column, ik_qposadr=self.adr.astype(np.int32), ik_moves=self.moves, ik_q=self.q, ik_lo=self.lo, ik_hi=self.hi, ik_speed=self.speed, ik_rest=self.rest, ik_posture=self.posture,
            ik_kind=np.array([KINDS[task.kind] for task in self.tasks], np.int32), ik_index=np.array([index_of(m, task.kind, task.element) for task in self.tasks], np.int32),
            ik_body=np.array([frame.body for frame in self._frames], np.int32), ik_asked=self._asked, ik_weight=self.weights, ik_pos=self._pos, ik_quat=self._quat, ik_error=left,
            ik_pair=np.array(self.pairs, np.int32).reshape(-1), ik_pair_weight=self._together, ik_pair_pos=self._pair_pos, ik_pair_quat=self._pair_quat,
            ik_jacobian=np.zeros(rows * n), ik_residual=np.zeros(rows), ik_square=np.zeros(rows), ik_kept=np.zeros(n * n), ik_room=np.zeros(n * n))

    def start(self, qpos: np.ndarray) -> None:
        """Begin at a pose (nq); joints that are beyond their range are brought to its end. Joints that are not moved stay as they are in it."""
        self.data.qpos[:] = qpos
        np.clip(self.data.qpos[self.adr], self.lo, self.hi, out=self.q)

    def take_others(self, qpos: np.ndarray, mocap_pos: np.ndarray | None = None, mocap_quat: np.ndarray | None = None) -> None:
        """Where what is not moved here is by now: for distances, and for what the moved joints stand on."""
        self.data.qpos[:] = qpos
        if mocap_pos is not None and len(mocap_pos):
            self.data.mocap_pos[:], self.data.mocap_quat[:] = mocap_pos, mocap_quat

    def pose(self, task: int) -> tuple[np.ndarray, np.ndarray]:
        """(position, quaternion) of a task's frame at the joints as they are."""
        kernels.place.briefly(self.model, self.data, self._solver.buffers, len(self.joints))
        frame = self._frames[task]
        return frame.position(self.data).copy(), np.array(frame.quaternion(self.data))

    def hold(self, pair: int, weight: float = TOGETHER) -> None:
        """From now on both frames of a pair keep to each other as they are. weight: beside a target's."""
        one, other = (self.pose(task) for task in self.pairs[pair])
        back = conj4(tuple(one[1].tolist()))
        self._pair_pos[pair] = rotate(back, tuple((other[0] - one[0]).tolist()))
        self._pair_quat[pair] = mul4(back, tuple(other[1].tolist()))
        self._together[pair] = weight

    def release(self, pair: int) -> None:
        """Both frames of a pair go their ways again."""
        self._together[pair] = 0.0

    def holds(self, pair: int) -> bool:
        """Whether both frames of a pair keep to each other."""
        return bool(self._together[pair] > 0)

    def step(self, targets: Sequence[tuple], h: float) -> np.ndarray:
        """The joints (n) after h [s], valid until the next call. targets: (pos (3), quat (4) or None) of each task, a pos of None leaves the task out. Raises ValueError where the problem has no solution: a target is no number."""
        for k, (pos, quaternion) in enumerate(targets):
            self._aim(k, pos, quaternion)
        options, numbers = self.options, (len(self.joints), len(self.tasks), len(self.pairs))
        if self._distances is None:
            self.smallest = kernels.differential_step.briefly(self.model, self.data, self._solver.buffers, *numbers, h, options.gain, options.posture_gain)
            if not self.smallest >= 0:
                self._solver.x[:] = 0.0
                raise ValueError("the step has no solution")
            return self.q
        self.smallest = kernels.differential_problem.briefly(self.model, self.data, self._solver.buffers, *numbers, h, options.gain, options.posture_gain)
        np.clip(self.q + self._kept_apart(), self.lo, self.hi, out=self.q)
        return self.q

    def _aim(self, k: int, pos, quaternion) -> None:
        if pos is None:
            self._asked[k] = 0
            return
        self._pos[k] = pos
        self._asked[k] = 1
        if quaternion is not None:
            self._quat[k] = quaternion
            self._asked[k] = 2

    def _kept_apart(self) -> np.ndarray:
        """The step with distances as rows: which of them hold it back is found by adding those that it would break, until none is new."""
        solver, rows = self._solver, self._distances.rows()
        dq = solver.solve()
        if not len(rows.dist):
            return dq
        low = -self.options.avoid_gain * (rows.dist - self.options.margin)
        jacobian = rows.jacobian * self.moves
        held = np.zeros(len(low), bool)
        hessian, gradient = solver.hessian.copy(), solver.gradient.copy()
        for _ in range(ROUNDS):
            broken = jacobian @ dq < low - 1e-9
            if not (broken & ~held).any():
                break
            held |= broken
            near = jacobian[held]
            solver.hessian[:] = hessian + HELD * near.T @ near
            solver.gradient[:] = gradient + HELD * low[held] @ near
            dq = solver.solve()
        return dq
