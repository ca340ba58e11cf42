"""A four-legged robot on position servos walks by a planar twist: a trot of its feet, and joints that bring them there."""
from __future__ import annotations

from math import atan2, cos, sin

import numpy as np

from app.inputs.drives.bearing import Bearing, on_its_feet
from app.inputs.drives.drive import Problem
from app.inputs.drives.kind import DriveBase
from app.inputs.drives.trot import Gait, Trot
from app.inputs.mapping.rotation import conj4, rotate
from app.inputs.mapping.twist import deflection
from app.inputs.mapping.walker import foot_named
from app.inputs.sample import Pose, Sample
from app.inputs.servos import joints_above, position_servos
from app.inputs.table import kind_of
from physics.engine.kinematics.joints import dof_count
from physics.inverse_kinematics.differential import DifferentialIK, StepOptions
from physics.model.model import Model
from physics.runtime.commands import SetCtrls, SetState

FREE = 6            # dofs of a free joint
LONGEST = 0.05      # s of the simulation that one turn may count for
FASTEST = 20.0      # rad/s of a joint
RISING = 1.0        # s from where it is to its stance
APART = 0.10        # rad or m that a joint may be from its stance without that
PLACED = 1.0        # s in which it is not set upright once more
GAIT = ("period", "duty", "lift", "reach", "k", "ki", "rise")
GAINS = ("k", "ki")     # which may be 0


class LegsDrive(DriveBase):
    """mapping.body: the trunk, which has a free joint; mapping.feet: sites, geoms or bodies of the four feet; the joints between are moved by position actuators. The twist is that of the axes x, y and rz, of limits.speed [m/s] and limits.turn
    [rad/s]; z lowers and raises the trunk. options: of the gait (trot.Gait), crouch [m]: how far a full z goes, support: share of the weight that servos bear ahead of sagging
    under it (bearing.Bearing).

    Strides pass with the simulation's time. The feet's places are those of mapping.stance, which it gets up to in RISING, set upright first if it has fallen or nothing has happened yet; without one where the actuators have them when it begins: let it stand first, knees bent. While it only holds, it walks
    to a stand."""

    regulates = True

    def bind(self, m: Model) -> list[Problem]:
        """See Drive."""
        problems: list[Problem] = []
        given, options = self.mapping, self.mapping.options
        self._ik: DifferentialIK | None = None
        self._trunk = self.named(m, "body", "body", given.body, problems)
        stance = {self.named(m, "joint", "stance", name, problems): value for name, value in given.stance.items()}
        pose = m.qpos0.copy()
        for j, value in stance.items():
            pose[m.jnt_qposadr[j]] = value
        feet = [foot_named(m, name, pose) for name in given.feet]
        problems += [Problem(given.name, "feet", name, "the model has no site, geom or body of this name, or that body has no geom") for name, task in zip(given.feet, feet) if task is None]
        if problems:
            return problems
        free = [j for j in range(m.body_jntadr[self._trunk], m.body_jntadr[self._trunk] + m.body_jntnum[self._trunk]) if dof_count(m.jnt_type[j]) == FREE]
        if not free:
            return [Problem(given.name, "body", given.body, "the trunk of a walker needs a free joint")]
        self._dof = int(m.jnt_dofadr[free[0]])
        servos = position_servos(m)
        bodies = [int((m.site_bodyid if task.kind == "site" else m.geom_bodyid)[task.element]) for task in feet]
        joints = sorted({j for body in bodies for j in joints_above(m, body) if j in servos})
        if not_moved := [m.name("joint", j) for j in stance if j not in joints]:
            return [Problem(given.name, "stance", not_moved[0], "no position actuator moves this joint between the trunk and a foot")]
        try:
            self._ik = DifferentialIK(m, feet, joints, StepOptions(speed=FASTEST, posture=0.0))
            self._stance = np.array([[adr, stance[j]] for j, adr in zip(self._ik.joints.tolist(), self._ik.adr.tolist()) if j in stance]).reshape(-1, 2)
            self._gait = Gait(**{name: float(options[name]) for name in GAIT if name in options})
            self._stand(self._stood(m.qpos0))
        except ValueError as why:
            return [Problem(given.name, "feet", given.feet, str(why))]
        wrong = [name for name in GAIT if not getattr(self._gait, name) > 0 and name not in GAINS]
        if wrong or self._gait.duty >= 1:
            name = wrong[0] if wrong else "duty"
            return [Problem(given.name, f"options.{name}", options.get(name), "must be above 0, and of a duty below 1")]
        self._servos = [servos[j] for j in self._ik.joints.tolist()]
        above = set(joints_above(m, self._trunk))
        self._bearing = Bearing(m, self._ik, [[j for j in joints_above(m, body) if j not in above] for body in bodies], self._servos, self._trunk, float(options.get("support", 0.0)))
        self._crouch, self._axes = float(options.get("crouch", 0.08)), given.axes or kind_of(given.source).twist
        self._time, self._low, self._from, self._risen, self._placed = 0.0, 0.0, self._home, 1.0, -PLACED
        return problems

    def _stood(self, qpos: np.ndarray) -> np.ndarray:
        """A pose (nq) with the joints of the stance in it."""
        qpos = qpos.copy()
        qpos[self._stance[:, 0].astype(int)] = self._stance[:, 1]
        return qpos

    def _stand(self, qpos: np.ndarray) -> None:
        """The feet's places are those of this pose (nq). Raises ValueError where they are not at four corners."""
        ik = self._ik
        ik.start(qpos)
        self._at = [ik.pose(k)[0] for k in range(len(ik.tasks))]
        self._home = ik.q.copy()
        self._turn = tuple(ik.data.xquat[self._trunk].tolist())
        back, middle = conj4(self._turn), ik.data.xpos[self._trunk]
        self._trot = Trot(self._gait, [rotate(back, tuple((pos - middle).tolist()))[:2] for pos in self._at])

    def begin(self, snapshot) -> list:
        """See Drive."""
        qpos = snapshot.model.qpos0.copy()
        self._time = float(snapshot.time)
        placed = self._placed <= self._time < self._placed + PLACED
        if self.mapping.stance and not placed and (up := self._upright(snapshot)) is not None:
            self._placed = self._time
            return [(None, SetState(up))]       # it begins anew when that has happened
        for servo, adr in zip(self._servos, self._ik.adr.tolist()):
            qpos[adr] = float(snapshot.ctrl[servo.ctrl]) / servo.gear
        self._from = qpos[self._ik.adr]
        self._stand(self._stood(qpos))
        if self.mapping.stance:     # controls may say more than where joints are
            self._from = snapshot.qpos[self._ik.adr].copy()
        self._risen = 1.0 if placed or np.abs(self._home - self._from).max() < APART else 0.0
        self._low = 0.0
        self._bearing.reset()
        self.busy = True
        return []

    def _upright(self, snapshot):
        """The state in which it stands, where it does not."""
        m = snapshot.model
        self._stand(self._stood(m.qpos0))
        qpos, ctrl = self._stood(snapshot.qpos), snapshot.ctrl.copy()
        for servo, x in zip(self._servos, self._told(self._home, self._home, [True] * len(self._at), 1.0)):
            ctrl[servo.ctrl] = servo.control(x)
        return on_its_feet(m, snapshot, self._trunk, qpos, ctrl)

    def _told(self, before: np.ndarray, q: np.ndarray, standing, h: float, share: float = 1.0) -> list[float]:
        """Positions that servos are told, so that joints are at q."""
        return (q + self._bearing.ahead(before, q, standing, h, share)).tolist()

    def act(self, target: Pose | None, sample: Sample, snapshot, h: float) -> list:
        """The feet a little farther on their ways."""
        passed = min(float(snapshot.time) - self._time, LONGEST)
        if not passed > 0:
            return []
        self._time = float(snapshot.time)
        if self._risen < 1.0:
            self._risen = min(self._risen + passed / RISING, 1.0)
            share = self._risen * self._risen * (3.0 - 2.0 * self._risen)
            q = self._from + share * (self._home - self._from)
            return [("", self._controls(self._told(q, q, [True] * len(self._at), passed, share)))]
        limits, (ways, turns) = self.mapping.limits, self.mapping.scale
        x, y, z, _rx, _ry, rz = deflection(self._axes, sample)
        feet = self._trot.advance((limits.speed * ways * x, limits.speed * ways * y, limits.turn * turns * rz), self._speed(snapshot), passed)
        most = 2 * self._crouch * passed        # half a second from one end to the middle
        self._low += min(max(self._crouch * z - self._low, -most), most)
        targets = [(at + rotate(self._turn, (dx, dy, dz - self._low)), None) for at, (dx, dy, dz) in zip(self._at, feet)]
        before = self._ik.q.copy()
        q = self._ik.step(targets, passed)
        return [("", self._controls(self._told(before, q, [dz == 0.0 for _dx, _dy, dz in feet], passed)))]

    def _speed(self, snapshot) -> tuple[float, float, float]:
        """Of the trunk forward and to the left [m/s], and about its own vertical [rad/s]."""
        ahead = rotate(tuple(snapshot.xquat[self._trunk].tolist()), (1.0, 0.0, 0.0))
        heading = atan2(ahead[1], ahead[0])
        vx, vy, _vz, _wx, _wy, wz = snapshot.qvel[self._dof:self._dof + 6].tolist()
        return vx * cos(heading) + vy * sin(heading), vy * cos(heading) - vx * sin(heading), wz

    def _controls(self, q: list[float]) -> SetCtrls:
        return SetCtrls(tuple(servo.ctrl for servo in self._servos), tuple(servo.control(x) for servo, x in zip(self._servos, q)))

    def end(self) -> list:
        """All feet down at their places."""
        self.busy = False
        self._ik.q[:] = self._home
        return [("", self._controls(self._told(self._home, self._home, [True] * len(self._at), 1.0)))]

    def forget(self) -> None:
        """See Drive."""
        self.busy = False
