"""A site follows the target by operational space control: torques of motors, for arms without position actuators."""
from __future__ import annotations

import numpy as np

from app.inputs.drives.drive import Problem
from app.inputs.drives.kind import DriveBase, site_pose
from app.inputs.sample import Pose
from app.inputs.servos import joints_above, motors
from physics.inverse_kinematics.frames import FrameTask
from physics.inverse_kinematics.operational_space import OperationalSpace, SpaceGains
from physics.model.model import Model
from physics.runtime.commands import SetCtrls


class OscDrive(DriveBase):
    """mapping.site; mapping.joints: those that push, else all with a motor between the world and the site. options: stiffness [1/s2], damping [1/s] of the site, turn = 0: it may turn as it likes.

    A torque is right for a moment only, so it is computed anew in every turn of the hub, also while the target is held."""

    has_pose = regulates = True

    def bind(self, m: Model) -> list[Problem]:
        """See Drive."""
        problems: list[Problem] = []
        given = self.mapping
        self._site = self.named(m, "site", "site", given.site, problems)
        pushing = motors(m)
        for name in given.joints:
            joint = self.named(m, "joint", "joints", name, problems)
            if joint >= 0 and joint not in pushing:
                problems.append(Problem(given.name, "joints", name, "no motor moves this joint"))
        if problems:
            return problems
        joints = given.joints or [j for j in joints_above(m, int(m.site_bodyid[self._site])) if j in pushing]
        if not joints:
            return [Problem(given.name, "site", given.site, "no joint above this site has a motor")]
        default = SpaceGains()
        stiffness = float(given.options.get("stiffness", default.stiffness))
        gains = SpaceGains(stiffness, float(given.options.get("damping", 2.0 * stiffness ** 0.5)))
        try:
            self._space = OperationalSpace(m, FrameTask(self._site, turn_weight=float(given.options.get("turn", 1.0))), joints, gains)
        except ValueError as why:
            return [Problem(given.name, "joints", given.joints, str(why))]
        self._motors = [pushing[j] for j in self._space.joints.tolist()]
        self._controls = tuple(motor.ctrl for motor in self._motors)
        return problems

    def pose(self, snapshot) -> Pose:
        """See Drive."""
        return site_pose(snapshot, self._site)

    def actual(self, snapshot) -> Pose:
        """See Drive."""
        return site_pose(snapshot, self._site)

    def begin(self, snapshot) -> list:
        """See Drive."""
        self._space.rest[:] = snapshot.qpos[self._space.adr]
        self.busy = True
        return []

    def act(self, target: Pose, sample, snapshot, h: float) -> list:
        """Torques for the state of the snapshot."""
        forces = self._space.torques(snapshot.qpos, snapshot.qvel, target.pos, target.quat)
        if not np.isfinite(forces).all():
            return []
        return [("", SetCtrls(self._controls, tuple(motor.push(float(force)) for motor, force in zip(self._motors, forces))))]

    def end(self) -> list:
        """No torque."""
        self.busy = False
        return [("", SetCtrls(self._controls, (0.0,) * len(self._controls)))]
