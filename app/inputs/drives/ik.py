"""A site follows the target by differential inverse kinematics; the joints go to position actuators, or as speeds to velocity actuators."""
from __future__ import annotations

import numpy as np

from app.inputs.drives.drive import Problem
from app.inputs.drives.ik_stack import IkStack
from app.inputs.drives.kind import DriveBase, site_pose
from app.inputs.sample import Pose
from app.inputs.servos import Servo, joints_above, position_servos, velocity_servos
from physics.engine.kinematics.joints import dof_count
from physics.model.model import Model
from physics.runtime.commands import SetCtrls

STILL = 1e-6        # rad or m that a joint moves in a turn, below which there is nothing to do


class IkDrive(DriveBase):
    """mapping.site; mapping.joints: those that move, else all with such actuators between the world and the site. options: speed [rad/s or m/s] of each joint at most; posture: how strongly the
    joints keep to where they began, where the target leaves a choice; turn = 0: the site may turn as it likes; weight: of its target beside those of other drives of the same tree; avoid = 1: geoms that could touch keep `margin` [m].

    Where it begins is where the actuators have the joints, so that taking over changes no control. Drives of one tree are solved together (ik_stack.py): a turn of the hub takes the targets of all first.

    site: its index; joints: those that may move; servos: their actuators, and whether each brings to a position; stack, place: the problem that it is part of, and which part."""

    has_pose = True

    def bind(self, m: Model) -> list[Problem]:
        """See Drive."""
        problems: list[Problem] = []
        given = self.mapping
        self.stack: IkStack | None = None
        self.place = 0
        self.site = self.named(m, "site", "site", given.site, problems)
        positions, velocities = position_servos(m), velocity_servos(m)
        for name in given.joints:
            joint = self.named(m, "joint", "joints", name, problems)
            if joint >= 0 and joint not in positions and joint not in velocities:
                problems.append(Problem(given.name, "joints", name, "no position or velocity actuator moves this joint"))
        if problems:
            return problems
        joints = [m.id("joint", name) for name in given.joints] or [j for j in joints_above(m, int(m.site_bodyid[self.site])) if j in positions or j in velocities]
        self.joints = [j for j in sorted(set(joints)) if given.joints or dof_count(m.jnt_type[j]) == 1]
        if not self.joints:
            return [Problem(given.name, "site", given.site, "no joint above this site has a position or velocity actuator")]
        self.servos: list[tuple[Servo, bool]] = [(positions[j], True) if j in positions else (velocities[j], False) for j in self.joints]
        try:
            IkStack(m, [self])
        except ValueError as why:
            return [Problem(given.name, "joints", given.joints, str(why))]
        self._last: tuple | None = None
        return problems

    def option(self, name: str, default: float) -> float:
        """A number of the mapping."""
        return float(self.mapping.options.get(name, default))

    def pose(self, snapshot) -> Pose:
        """Where the site is when the actuators have brought the joints to where they are to go."""
        return self.stack.begin(self.place, snapshot)

    def actual(self, snapshot) -> Pose:
        """See Drive."""
        return site_pose(snapshot, self.site)

    def begin(self, snapshot) -> list:
        """See Drive."""
        self._last = None
        self.busy = False
        return []

    def forget(self) -> None:
        """See Drive."""
        if self.stack is not None:
            self.stack.leave(self.place)
        self.busy = False

    def act(self, target: Pose, sample, snapshot, h: float) -> list:
        """The target, for the step that the drives of the tree take together."""
        self.stack.aim(self.place, target, h)
        return []

    def settle(self, snapshot) -> list:
        """One step of the joints towards the targets; the controls of those that this drive commands."""
        stack = self.stack
        if stack is None or not stack.stepped(self.place, snapshot):
            return []
        owned, where = stack.owned(self.place), stack.where(self.place)
        if not owned.any():
            self.busy = False
            return []
        q, moved = stack.ik.q[where], stack.moved[where]
        self.busy = bool(np.abs(moved).max() > STILL)
        values = tuple(servo.control(float(x) if position else float(dx) / stack.h * self.busy) for (servo, position), x, dx, mine in zip(self.servos, q, moved, owned) if mine)
        if values == self._last:
            return []
        self._last = values
        return [("", SetCtrls(tuple(servo.ctrl for (servo, _position), mine in zip(self.servos, owned) if mine), values))]

    def hold(self) -> list:
        """What is driven by speeds stands."""
        self.busy, self._last = False, None
        owned = self.stack.owned(self.place)
        still = [servo.ctrl for (servo, position), mine in zip(self.servos, owned) if mine and not position]
        return [("", SetCtrls(tuple(still), (0.0,) * len(still)))] if still else []

    def end(self) -> list:
        """See Drive."""
        out = self.hold()
        self.stack.leave(self.place)
        return out
