"""A site follows the target by differential inverse kinematics; the joints go to position actuators, or as speeds to velocity actuators."""
from __future__ import annotations

import numpy as np

from app.inputs.drives.drive import Problem
from app.inputs.drives.kind import DriveBase, site_pose
from app.inputs.sample import Pose
from app.inputs.servos import Servo, joints_above, position_servos, velocity_servos
from physics.inverse_kinematics.differential import DifferentialIK, StepOptions
from physics.inverse_kinematics.distances import pairs_of
from physics.inverse_kinematics.frames import FrameTask
from physics.model.model import Model
from physics.runtime.commands import SetCtrls

STILL = 1e-6        # rad or m that a joint moves in a turn, below which there is nothing to do


class IkDrive(DriveBase):
    """mapping.site; mapping.joints: those that move, else all with such actuators between the world and the site. options: speed [rad/s or m/s] of each joint at most; posture: how strongly the
    joints keep to where they began, where the target leaves a choice; turn = 0: the site may turn as it likes; avoid = 1: geoms that could touch keep `margin` [m].

    Where it begins is where the actuators have the joints, so that taking over changes no control."""

    has_pose = True

    def bind(self, m: Model) -> list[Problem]:
        """See Drive."""
        problems: list[Problem] = []
        given = self.mapping
        self._site = self.named(m, "site", "site", given.site, problems)
        self._ik: DifferentialIK | None = None
        self._others, self._velocities = position_servos(m), velocity_servos(m)
        for name in given.joints:
            joint = self.named(m, "joint", "joints", name, problems)
            if joint >= 0 and joint not in self._others and joint not in self._velocities:
                problems.append(Problem(given.name, "joints", name, "no position or velocity actuator moves this joint"))
        if problems:
            return problems
        joints = given.joints or [j for j in joints_above(m, int(m.site_bodyid[self._site])) if j in self._others or j in self._velocities]
        if not joints:
            return [Problem(given.name, "site", given.site, "no joint above this site has a position or velocity actuator")]
        task = FrameTask(self._site, turn_weight=float(given.options.get("turn", 1.0)))
        options = StepOptions(speed=given.options.get("speed", 3.0), posture=given.options.get("posture", 1.0), margin=given.options.get("margin", 0.01))
        try:
            ik = DifferentialIK(m, [task], joints, options)
            if given.options.get("avoid"):
                ik = DifferentialIK(m, [task], joints, options, pairs_of(m, ik.joints))
        except ValueError as why:
            return [Problem(given.name, "joints", given.joints, str(why))]
        self._ik = ik
        self._servos: list[Servo] = [self._others.get(j) or self._velocities[j] for j in ik.joints.tolist()]
        self._positions = np.array([j in self._others for j in ik.joints.tolist()])
        self._last: tuple | None = None
        return problems

    def pose(self, snapshot) -> Pose:
        """Where the site is when the actuators have brought the joints to where they are to go."""
        ik, qpos = self._ik, snapshot.qpos.copy()
        for k, (servo, adr) in enumerate(zip(self._servos, ik.adr.tolist())):
            if self._positions[k]:
                qpos[adr] = float(snapshot.ctrl[servo.ctrl]) / servo.gear
        ik.start(qpos)
        ik.rest[:] = ik.q
        pos, quat = ik.pose(0)
        return Pose(tuple(pos.tolist()), tuple(quat.tolist()))

    def actual(self, snapshot) -> Pose:
        """See Drive."""
        return site_pose(snapshot, self._site)

    def begin(self, snapshot) -> list:
        """See Drive."""
        self._last = None
        self.busy = False
        return []

    def act(self, target: Pose, sample, snapshot, h: float) -> list:
        """One step of the joints towards the target."""
        ik = self._ik
        if h <= 0:
            return []
        before = ik.q.copy()
        ik.take_others(snapshot.qpos, snapshot.mocap_pos, snapshot.mocap_quat)
        q = ik.step([(target.pos, target.quat)], h)
        moved = q - before
        self.busy = bool(np.abs(moved).max() > STILL)
        values = tuple(servo.control(float(x if position else dx / h)) for servo, position, x, dx in zip(self._servos, self._positions, q, moved if self.busy else np.zeros(len(q))))
        if values == self._last:
            return []
        self._last = values
        return [("", SetCtrls(tuple(servo.ctrl for servo in self._servos), values))]

    def hold(self) -> list:
        """What is driven by speeds stands."""
        self.busy, self._last = False, None
        still = [servo.ctrl for servo, position in zip(self._servos, self._positions) if not position]
        return [("", SetCtrls(tuple(still), (0.0,) * len(still)))] if still else []

    end = hold
