"""Differential inverse kinematics: one step of joints towards poses of sites or bodies, at the rate of a control loop.

    min over dq   |W (J dq - e)|^2 + lambda^2 |dq|^2 + rho |N (dq - k (q_rest - q))|^2
    subject to    max(lo - q, -h vmax) <= dq <= min(hi - q, h vmax)      and, as squares of those that would be broken,      J_c dq >= -gain (dist - margin)

e: what is left to the targets, of one step no more than it may go; N: projector onto the null space of W J, so that the rest posture never pulls at a target. lambda^2 rises in the singular directions of W J whose value falls below
SINGULAR. J_c: how fast the distance of two geoms changes. Limits are never broken: they are the box of the solver, not part of the cost.

Source: Nakamura and Hanafusa, "Inverse kinematic solutions with singularity robustness for robot manipulator control", 1986; Chiaverini, Siciliano and Egeland, "Review of the damped least-squares inverse
kinematics with experiments on an industrial robot manipulator", 1994 (numerical filtering of the damping); Kanoun, Lamiraux and Wieber, "Kinematic control of redundant manipulators", 2011 (inequalities);
Faverjon and Tournassoud, "A local based approach for path planning of manipulators with a high number of degrees of freedom", 1987 (velocity damper of a distance).
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from physics.engine.kinematics import com, jacobians
from physics.engine.kinematics import kinematics as poses
from physics.inverse_kinematics.box_qp import BoxQP
from physics.inverse_kinematics.distances import Distances
from physics.inverse_kinematics.frames import Frame, FrameTask, chosen_joints
from physics.inverse_kinematics.rows import wake
from physics.model.model import Model
from physics.simulate.engines import Data as engine_data

TURN_LENGTH = 0.2       # m that a radian counts as
SINGULAR = 0.04         # singular value of W J [m] below which the damping rises
DAMPING, MOST_DAMPING = 1e-3, 0.05      # lambda [m]: away from singular poses, and at one
NOTHING = 1e-18         # square of a singular value [m2] without a direction
POSTURE = 1e-3          # rho, beside the square of the length of a column of J
HELD = 1e3              # weight of a row that would be broken, beside the targets'
ROUNDS = 4              # of finding which rows would be


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

    joints: names or indices, None: all that stand between the world and the tasks' frames. avoid: pairs of geoms (names or indices) that keep their distance. Raises KeyError and IndexError for what there is not, ValueError
    for joints that are neither hinges nor slides, and where none is left.
    """

    def __init__(self, m: Model, tasks: Sequence[FrameTask], joints: Sequence[str | int] | None = None, options: StepOptions | None = None, avoid: Sequence[tuple] = ()):
        self.model, self.data, self.tasks, self.options = m, engine_data(m), tuple(tasks), options or StepOptions()
        self._frames = tuple(Frame.of(m, task) for task in self.tasks)
        wake(m, self.data)
        self.joints = chosen_joints(m, joints, self._frames)
        self.dofs, self.adr = m.jnt_dofadr[self.joints], m.jnt_qposadr[self.joints]
        limited = m.jnt_limited[self.joints] != 0
        self.lo, self.hi = np.where(limited, m.jnt_range[self.joints, 0], -np.inf), np.where(limited, m.jnt_range[self.joints, 1], np.inf)
        self.q = m.qpos0[self.adr].copy()
        self.rest = np.clip(self.q, self.lo, self.hi)
        self.errors = np.zeros(2 * len(self.tasks))     # of the last step's beginning: way [m] and turn [rad] of each task
        self.smallest = 0.0     # singular value of W J [m] there
        self._distances = Distances(m, self.data, avoid, self.dofs, self.options.reach) if avoid else None
        self._solver = BoxQP(len(self.joints))
        self._rows = sum(3 * (task.weight > 0) + 3 * (task.turn_weight > 0) for task in self.tasks)
        self._asked = np.zeros(self._rows, bool)    # rows of targets that there are
        self._jacobian, self._residual = np.zeros((self._rows, len(self.joints))), np.zeros(self._rows)

    def start(self, qpos: np.ndarray) -> None:
        """Begin at a pose (nq); joints that are beyond their range are brought to its end. Joints that are not moved stay as they are in it."""
        self.data.qpos[:] = qpos
        self.q = np.clip(np.asarray(qpos, float)[self.adr], self.lo, self.hi)

    def take_others(self, qpos: np.ndarray, mocap_pos: np.ndarray | None = None, mocap_quat: np.ndarray | None = None) -> None:
        """Where what is not moved here is by now: for distances, and for what the moved joints stand on."""
        self.data.qpos[:] = qpos
        if mocap_pos is not None and len(mocap_pos):
            self.data.mocap_pos[:], self.data.mocap_quat[:] = mocap_pos, mocap_quat

    def pose(self, task: int) -> tuple[np.ndarray, np.ndarray]:
        """(position, quaternion) of a task's frame at the joints as they are."""
        self._go()
        frame = self._frames[task]
        return frame.position(self.data).copy(), np.array(frame.quaternion(self.data))

    def step(self, targets: Sequence[tuple], h: float) -> np.ndarray:
        """The joints (n) after h [s]. targets: (pos (3), quat (4) or None) of each task, a pos of None leaves the task out."""
        self._go()
        if not len(self.joints):
            return self.q
        jacobian, residual = self._targets(targets)
        options, solver = self.options, self._solver
        most = options.speed * h
        np.maximum(self.lo - self.q, -most, out=solver.lo)
        np.minimum(self.hi - self.q, most, out=solver.hi)
        np.matmul(jacobian.T, jacobian, out=solver.hessian)
        np.matmul(residual, jacobian, out=solver.gradient)
        self._damp(jacobian)
        if self._distances is None:
            dq = solver.solve()
        else:
            dq = self._kept_apart()
        self.q = np.clip(self.q + dq, self.lo, self.hi)
        return self.q

    # ------------------------------------------------------------------ parts of a step

    def _go(self) -> None:
        self.data.qpos[self.adr] = self.q
        poses.kinematics(self.model, self.data)
        com.com_pos(self.model, self.data)

    def _targets(self, targets: Sequence[tuple]) -> tuple[np.ndarray, np.ndarray]:
        """Rows of W J and W e."""
        d, at, gain = self.data, 0, self.options.gain
        for k, (frame, task, (pos, quaternion)) in enumerate(zip(self._frames, self.tasks, targets, strict=True)):
            here = frame.position(d)
            jacobians.jac(self.model, d, frame.body, float(here[0]), float(here[1]), float(here[2]))
            if task.weight > 0:
                away = np.asarray(pos, float) - here if pos is not None else np.zeros(3)
                self.errors[2 * k] = np.sqrt(away @ away)
                self._jacobian[at:at + 3] = task.weight * (pos is not None) * d.jac_lin[:, self.dofs]
                self._residual[at:at + 3] = task.weight * gain * away
                self._asked[at:at + 3] = pos is not None
                at += 3
            if task.turn_weight > 0:
                wanted = pos is not None and quaternion is not None
                turn = frame.turn_to(d, quaternion) if wanted else np.zeros(3)
                self.errors[2 * k + 1] = np.sqrt(turn @ turn)
                scale = task.turn_weight * TURN_LENGTH
                self._jacobian[at:at + 3] = scale * wanted * d.jac_ang[:, self.dofs]
                self._residual[at:at + 3] = scale * gain * turn
                self._asked[at:at + 3] = wanted
                at += 3
        return self._jacobian, self._residual

    def _damp(self, jacobian: np.ndarray) -> None:
        """Damping by the smallest singular value, and the rest posture in the null space, added to the solver's problem."""
        solver, n = self._solver, len(self.joints)
        # W J = U S V': by the eigenvectors U of the smaller of J J' and J' J
        asked = jacobian if self._asked.all() else jacobian[self._asked]
        values, vectors = np.linalg.eigh(asked @ asked.T)
        values = np.maximum(values, 0.0)
        self.smallest = float(np.sqrt(values[max(0, len(values) - n)])) if len(values) else 0.0
        across = vectors.T @ asked
        # numerical filtering: only directions that are near to singular are damped, so that the null space is not
        extra = (MOST_DAMPING * np.maximum(0.0, 1.0 - np.sqrt(values) / SINGULAR)) ** 2
        solver.hessian.flat[::n + 1] += DAMPING ** 2
        solver.hessian += (across.T * (extra / np.maximum(values, NOTHING))) @ across
        if self.options.posture > 0:
            # N = I - J' (J J' + mu I)^-1 J; a symmetric N is its own square but for mu
            kept = np.eye(n) - (across.T / (values + extra + DAMPING ** 2)) @ across
            rho = self.options.posture * POSTURE * TURN_LENGTH ** 2
            solver.hessian += rho * kept
            solver.gradient += rho * (kept @ (self.options.posture_gain * (self.rest - self.q)))

    def _kept_apart(self) -> np.ndarray:
        """The step with distances as rows: which of them hold it back is found by adding those that it would break, until none is new."""
        solver, rows = self._solver, self._distances.rows()
        dq = solver.solve()
        if not len(rows.dist):
            return dq
        low = -self.options.avoid_gain * (rows.dist - self.options.margin)
        held = np.zeros(len(low), bool)
        hessian, gradient = solver.hessian.copy(), solver.gradient.copy()
        for _ in range(ROUNDS):
            broken = rows.jacobian @ dq < low - 1e-9
            if not (broken & ~held).any():
                break
            held |= broken
            near = rows.jacobian[held]
            solver.hessian[:] = hessian + HELD * near.T @ near
            solver.gradient[:] = gradient + HELD * low[held] @ near
            dq = solver.solve()
        return dq
