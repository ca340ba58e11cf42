"""What servos of a walker's legs are told beyond where they are to be, and how a walker that has fallen gets to its feet."""
from __future__ import annotations

from math import atan2, cos, exp, sin

import numpy as np

from app.inputs.mapping.lowest_points import ground_height, lowest_point
from app.inputs.mapping.rotation import mul4, rotate
from app.inputs.mapping.walker import placed, posed
from app.inputs.servos import Servo
from physics.engine.kinematics.joints import is_slide
from physics.inverse_kinematics.differential import DifferentialIK
from physics.model.model import Model
from physics.model.state_fields import State

HANDED_OVER = 0.03      # s in which weight goes from some feet to others
FALLEN = 0.8            # cosine of the trunk's tilt
LYING = 0.6             # of the trunk's height above the ground when it stands
NEAR = 0.3              # rad or m that joints may be from where they stand
BEGINNING = 1.0         # s of the simulation in which nothing counts as happened yet
FASTEST = 20.0          # rad/s or m/s that count of a joint


class Bearing:
    """A position servo pushes by  kp (ctrl - q) - (kv + damping) dq/dt.  So that q is where it is wanted while it moves and bears a part of the weight, its control is

        q_d + ((kv + damping) dq_d/dt + tau) / kp,      tau = -J^T s W up / sum of s

    of each leg; s: how far its foot stands, W: weight of the walker times `support`, J: Jacobian of the foot.

    Source: Craig, "Introduction to Robotics", 3rd edition, 9 and 5.9 (what a servo lacks is fed forward; forces of a foot as torques)."""

    def __init__(self, m: Model, ik: DifferentialIK, legs: list[list[int]], servos: list[Servo], trunk: int, support: float):
        """legs: joints of each task of ik."""
        self._ik, joints = ik, ik.joints.tolist()
        self._slides = np.array([is_slide(m, j) for j in joints])
        self._legs = np.array([[j in leg for j in joints] for leg in legs], float)
        gear = np.array([servo.gear for servo in servos])
        kp, kv = (sign * prm[[servo.actuator for servo in servos], k] for sign, prm, k in ((1.0, m.actuator_gainprm, 0), (-1.0, m.actuator_biasprm, 2)))
        self._stiffness = gear * gear * kp
        self._lag = (gear * gear * kv + m.dof_damping[ik.dofs]) / self._stiffness
        self._weight = support * float(m.body_subtreemass[trunk] * np.linalg.norm(m.opt.gravity))
        self.reset()

    def reset(self) -> None:
        """All feet stand."""
        self._borne = np.full(len(self._legs), 1.0 / len(self._legs))

    def ahead(self, before: np.ndarray, q: np.ndarray, standing, h: float, share: float = 1.0) -> np.ndarray:
        """What is added to q (n) [rad or m]. before: where it was h [s] ago; standing: of each foot; share: of the weight that is borne."""
        ik, stands = self._ik, np.array(standing, float)
        if stands.any():
            self._borne += (1.0 - exp(-h / HANDED_OVER)) * (stands / stands.sum() - self._borne)
        moving = self._lag * np.clip((q - before) / h, -FASTEST, FASTEST) if h > 0 else 0.0
        if not self._weight:
            return moving
        axis, anchor = ik.data.xaxis[ik.joints], ik.data.xanchor[ik.joints]
        tau = np.zeros(len(q))
        for leg, task, borne in zip(self._legs, ik.tasks, self._borne):
            columns = np.where(self._slides[:, None], axis, np.cross(axis, placed(ik.data, task) - anchor))
            tau -= leg * columns[:, 2] * (share * borne * self._weight)
        return moving + tau / self._stiffness


def on_its_feet(m: Model, snapshot, trunk: int, qpos: np.ndarray, ctrl: np.ndarray) -> State | None:
    """The state in which a walker that has fallen, or of which nothing has happened yet, stands where it is; None for one that is up already. qpos (nq): its joints; ctrl (nu): its controls."""
    adr = int(m.jnt_qposadr[m.body_jntadr[trunk]])
    way = rotate(tuple(snapshot.qpos[adr + 3:adr + 7].tolist()), rotate(_back(m.qpos0[adr + 3:adr + 7]), (1.0, 0.0, 0.0)))
    heading = atan2(way[1], way[0])
    stood = qpos.copy()
    stood[adr:adr + 3] = snapshot.qpos[adr:adr + 3]
    stood[adr + 3:adr + 7] = mul4((cos(heading / 2), 0.0, 0.0, sin(heading / 2)), tuple(m.qpos0[adr + 3:adr + 7].tolist()))
    d = posed(m, stood)
    inside = [g for g in range(m.ngeom) if m.body_rootid[m.geom_bodyid[g]] == m.body_rootid[trunk] and (m.geom_contype[g] or m.geom_conaffinity[g])]
    ground = ground_height(m, d)
    upright = rotate(tuple(snapshot.xquat[trunk].tolist()), (0.0, 0.0, 1.0))[2] > FALLEN
    if ground is not None:
        stood[adr + 2] += ground - min(float(lowest_point(m, d, g)[2]) for g in inside)
        upright = upright and snapshot.qpos[adr + 2] - ground > LYING * (stood[adr + 2] - ground)
    others = np.delete(stood - snapshot.qpos, range(adr, adr + 7))
    if upright and (float(snapshot.time) > BEGINNING or np.abs(others).max(initial=0.0) < NEAR):
        return None
    state = State.of(snapshot)
    for body in (b for b in range(m.nbody) if m.body_rootid[b] == m.body_rootid[trunk] and m.body_dofnum[b]):
        state.qvel[m.body_dofadr[body]:m.body_dofadr[body] + m.body_dofnum[body]] = 0.0
    state.qpos[:], state.ctrl[:] = stood, ctrl
    state.qacc_warmstart[:] = 0.0
    return state


def _back(quat) -> tuple:
    w, x, y, z = quat.tolist()
    return w, -x, -y, -z
