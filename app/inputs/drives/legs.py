"""A four-legged robot on position servos walks by a planar twist: a trot of its feet, and joints that bring them there."""
from __future__ import annotations

from math import atan2, cos, sin

import numpy as np

from app.inputs.drives.drive import Problem
from app.inputs.drives.kind import DriveBase
from app.inputs.drives.trot import Gait, Trot
from app.inputs.mapping.rotation import conj4, rotate
from app.inputs.mapping.twist import deflection
from app.inputs.sample import Pose, Sample
from app.inputs.servos import joints_above, position_servos
from app.inputs.table import kind_of
from physics.engine.kinematics.joints import dof_count
from physics.inverse_kinematics.differential import DifferentialIK, StepOptions
from physics.inverse_kinematics.frames import FrameTask
from physics.model.model import Model
from physics.runtime.commands import SetCtrls

FREE = 6            # dofs of a free joint
LONGEST = 0.05      # s of the simulation that one turn may count for
FASTEST = 20.0      # rad/s of a joint
GAIT = ("period", "duty", "lift", "reach", "k", "ki", "rise")
GAINS = ("k", "ki")     # which may be 0


class LegsDrive(DriveBase):
    """mapping.body: the trunk, which has a free joint; mapping.feet: sites at the four feet; the joints between are moved by position actuators. The twist is that of the axes x, y and rz, of limits.speed [m/s] and limits.turn [rad/s]; z lowers and
    raises the trunk. options: of the gait (trot.Gait), crouch [m]: how far a full z goes.

    Strides pass with the simulation's time. The feet's places are where the actuators have them when it begins: let it stand first, knees bent. While it only holds, it walks to a stand."""

    regulates = True

    def bind(self, m: Model) -> list[Problem]:
        """See Drive."""
        problems: list[Problem] = []
        given, options = self.mapping, self.mapping.options
        self._ik: DifferentialIK | None = None
        self._trunk = self.named(m, "body", "body", given.body, problems)
        feet = [self.named(m, "site", "feet", name, problems) for name in given.feet]
        if problems:
            return problems
        free = [j for j in range(m.body_jntadr[self._trunk], m.body_jntadr[self._trunk] + m.body_jntnum[self._trunk]) if dof_count(m.jnt_type[j]) == FREE]
        if not free:
            return [Problem(given.name, "body", given.body, "the trunk of a walker needs a free joint")]
        self._dof = int(m.jnt_dofadr[free[0]])
        servos = position_servos(m)
        joints = sorted({j for site in feet for j in joints_above(m, int(m.site_bodyid[site])) if j in servos})
        try:
            self._ik = DifferentialIK(m, [FrameTask(site, turn_weight=0.0) for site in feet], joints, StepOptions(speed=FASTEST, posture=0.0))
            self._gait = Gait(**{name: float(options[name]) for name in GAIT if name in options})
            self._stand(m.qpos0)
        except ValueError as why:
            return [Problem(given.name, "feet", given.feet, str(why))]
        wrong = [name for name in GAIT if not getattr(self._gait, name) > 0 and name not in GAINS]
        if wrong or self._gait.duty >= 1:
            name = wrong[0] if wrong else "duty"
            return [Problem(given.name, f"options.{name}", options.get(name), "must be above 0, and of a duty below 1")]
        self._servos = [servos[j] for j in self._ik.joints.tolist()]
        self._crouch, self._axes = float(options.get("crouch", 0.08)), given.axes or kind_of(given.source).twist
        self._time, self._low = 0.0, 0.0
        return problems

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
        for servo, adr in zip(self._servos, self._ik.adr.tolist()):
            qpos[adr] = float(snapshot.ctrl[servo.ctrl]) / servo.gear
        self._stand(qpos)
        self._time, self._low = float(snapshot.time), 0.0
        self.busy = True
        return []

    def act(self, target: Pose | None, sample: Sample, snapshot, h: float) -> list:
        """The feet a little farther on their ways."""
        passed = min(float(snapshot.time) - self._time, LONGEST)
        if not passed > 0:
            return []
        self._time = float(snapshot.time)
        limits, (ways, turns) = self.mapping.limits, self.mapping.scale
        x, y, z, _rx, _ry, rz = deflection(self._axes, sample)
        feet = self._trot.advance((limits.speed * ways * x, limits.speed * ways * y, limits.turn * turns * rz), self._speed(snapshot), passed)
        most = 2 * self._crouch * passed        # half a second from one end to the middle
        self._low += min(max(self._crouch * z - self._low, -most), most)
        targets = [(at + rotate(self._turn, (dx, dy, dz - self._low)), None) for at, (dx, dy, dz) in zip(self._at, feet)]
        q = self._ik.step(targets, passed)
        return [("", self._controls(q))]

    def _speed(self, snapshot) -> tuple[float, float, float]:
        """Of the trunk forward and to the left [m/s], and about its own vertical [rad/s]."""
        ahead = rotate(tuple(snapshot.xquat[self._trunk].tolist()), (1.0, 0.0, 0.0))
        heading = atan2(ahead[1], ahead[0])
        vx, vy, _vz, _wx, _wy, wz = snapshot.qvel[self._dof:self._dof + 6].tolist()
        return vx * cos(heading) + vy * sin(heading), vy * cos(heading) - vx * sin(heading), wz

    def _controls(self, q: np.ndarray) -> SetCtrls:
        return SetCtrls(tuple(servo.ctrl for servo in self._servos), tuple(servo.control(x) for servo, x in zip(self._servos, q.tolist())))

    def end(self) -> list:
        """All feet down at their places."""
        self.busy = False
        return [("", self._controls(self._home))]

    def forget(self) -> None:
        """See Drive."""
        self.busy = False
