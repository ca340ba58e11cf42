"""Operational space control: joint torques that make a site behave as a mass on a spring and damper, whatever hangs on it.

    tau = J' Lambda (Kp e - Kd v) + h + (I - J' Jbar') M (kn (q_rest - q) - dn qd)
    Lambda = (J M^-1 J')^-1,   Jbar = M^-1 J' Lambda,   h = qfrc_bias - qfrc_passive (gravity, Coriolis and what springs do)

e: way [m] and turn [rad] to the target; v: velocity of the site; the last part is a posture that the site does not feel (dynamically consistent null space).
Source: Khatib, "A unified approach for motion and force control of robot manipulators: the operational space formulation", IEEE J. Robotics and Automation 3, 1987.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from physics.engine.kinematics import com, jacobians
from physics.engine.kinematics import kinematics as poses
from physics.engine.inertia import mass_matrix, rne
from physics.engine.passive import passive
from physics.engine.tendon import tendon
from physics.inverse_kinematics.frames import Frame, FrameTask, chosen_joints
from physics.inverse_kinematics.rows import wake
from physics.model.model import Model
from physics.query.mass_matrix import full_m
from physics.simulate.engines import Data as engine_data

SOFTEST = 1e-4      # added to the diagonal of J M^-1 J', beside its mean: near singular poses the site's mass stays finite


@dataclass(frozen=True, slots=True)
class SpaceGains:
    """stiffness [1/s2] and damping [1/s] of ways and turns, as accelerations: damping 2 sqrt(stiffness) is critical; rest: the same of the posture. reach: (way [m], turn [rad]) of an error at most."""

    stiffness: float = 400.0
    damping: float = 40.0
    rest_stiffness: float = 20.0
    rest_damping: float = 9.0
    reach: tuple[float, float] = (0.1, 0.5)


class OperationalSpace:
    """Torques of some hinges and slides for one frame, on a Data of its own. One thread at a time. joints: as DifferentialIK; raises the same.

    Other dofs are taken as held: they count neither in the inertia nor in the motion."""

    def __init__(self, m: Model, task: FrameTask, joints: Sequence[str | int] | None = None, gains: SpaceGains | None = None):
        self.model, self.data, self.task, self.gains = m, engine_data(m), task, gains or SpaceGains()
        wake(m, self.data)
        self._frame = Frame.of(m, task)
        self.joints = chosen_joints(m, joints, (self._frame,))
        self.dofs, self.adr = m.jnt_dofadr[self.joints], m.jnt_qposadr[self.joints]
        self.rest = m.qpos0[self.adr].copy()

    def torques(self, qpos: np.ndarray, qvel: np.ndarray, pos, quat=None) -> np.ndarray:
        """Forces of the joints (n) [N m, N] in a state that bring the frame to pos (3), and to quat (4) where it is given."""
        m, d, dofs = self.model, self.data, self.dofs
        d.qpos[:], d.qvel[:] = qpos, qvel
        poses.kinematics.briefly(m, d)
        com.com_pos.briefly(m, d)
        if m.ntendon:
            tendon.tendon.briefly(m, d)
        mass_matrix.crb.briefly(m, d)
        com.com_vel.briefly(m, d)
        passive.passive.briefly(m, d)
        rne.rne.briefly(m, d)
        inertia, velocity = full_m(m, d, dofs), np.asarray(qvel, float)[dofs]
        jacobian, acceleration = self._wanted(pos, quat, velocity)
        # Lambda of the site, Jbar' = Lambda J M^-1
        across = np.linalg.solve(inertia, jacobian.T)
        inverse = jacobian @ across
        for at in range(0, len(inverse), 3):        # ways and turns have other units
            block = inverse[at:at + 3, at:at + 3]
            block.flat[::4] += SOFTEST * np.trace(block) / 3
        consistent = np.linalg.solve(inverse, across.T)
        gains = self.gains
        posture = inertia @ (gains.rest_stiffness * (self.rest - d.qpos[self.adr]) - gains.rest_damping * velocity)
        force = np.linalg.solve(inverse, acceleration)
        return jacobian.T @ force + posture - jacobian.T @ (consistent @ posture) + (d.qfrc_bias - d.qfrc_passive)[dofs]

    def _wanted(self, pos, quat, velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(J, acceleration of the frame that the spring and damper ask for)."""
        d, gains = self.data, self.gains
        here = self._frame.position(d)
        jacobians.jac.briefly(self.model, d, self._frame.body, float(here[0]), float(here[1]), float(here[2]))
        rows, away = [d.jac_lin[:, self.dofs]], [_shortened(np.asarray(pos, float) - here, gains.reach[0])]
        if quat is not None and self.task.turn_weight > 0:
            rows.append(d.jac_ang[:, self.dofs])
            away.append(_shortened(self._frame.turn_to(d, quat), gains.reach[1]))
        jacobian = np.concatenate(rows)
        return jacobian, gains.stiffness * np.concatenate(away) - gains.damping * (jacobian @ velocity)


def _shortened(vector: np.ndarray, most: float) -> np.ndarray:
    length = float(np.sqrt(vector @ vector))
    return vector if length <= most else vector * (most / length)
