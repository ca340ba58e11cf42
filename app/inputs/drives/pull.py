"""The spring of the mouse at a site or a body: any model at once, without preparation. There is one such spring."""
from __future__ import annotations

from app.inputs.drives.drive import Problem
from app.inputs.drives.kind import DriveBase, body_pose, site_pose
from app.inputs.mapping.rotation import conj4, mul4, unit4
from app.inputs.sample import Pose
from physics.model.model import Model
from physics.runtime.commands import ROTATE, TRANSLATE, PerturbMove, PerturbStart, PerturbStop


class PullDrive(DriveBase):
    """mapping.site, or mapping.body; options.rotate = 1: it turns the body, too. While the clutch is open the spring is let go."""

    has_pose = lets_go = True

    def bind(self, m: Model) -> list[Problem]:
        """See Drive."""
        problems: list[Problem] = []
        if self.mapping.site:
            self._site = self.named(m, "site", "site", self.mapping.site, problems)
            self._body = int(m.site_bodyid[self._site]) if self._site >= 0 else 0
            self._point = tuple(m.site_pos[self._site].tolist()) if self._site >= 0 else (0.0, 0.0, 0.0)
        else:
            self._site, self._body, self._point = -1, self.named(m, "body", "body", self.mapping.body, problems), (0.0, 0.0, 0.0)
        if not problems and self._body == 0:
            problems.append(Problem(self.mapping.name, "site" if self.mapping.site else "body", self.mapping.site or self.mapping.body, "this is part of the world, which cannot be pulled"))
        self._rotates = bool(self.mapping.options.get("rotate", 0))
        self._first: Pose | None = None
        return problems

    def pose(self, snapshot) -> Pose:
        """See Drive."""
        return site_pose(snapshot, self._site) if self._site >= 0 else body_pose(snapshot, self._body)

    def begin(self, snapshot) -> list:
        """See Drive."""
        self._last = None
        self._first, self._reference = self.pose(snapshot), tuple(snapshot.xquat[self._body].tolist())
        self._inertial = tuple(snapshot.model.body_iquat[self._body].tolist())
        return [(None, PerturbStart(self._body, self._point, TRANSLATE | (ROTATE if self._rotates else 0)))]

    def act(self, target: Pose, sample, snapshot, h: float) -> list:
        """The reference of the spring: the target's point, and the body's inertial frame turned as the target has turned."""
        if target == self._last:
            return []
        self._last = target
        turned = None
        if self._rotates:
            body = mul4(mul4(target.quat, conj4(self._first.quat)), self._reference)
            turned = unit4(mul4(body, self._inertial))
        return [("", PerturbMove(target.pos, turned))]

    def end(self) -> list:
        """See Drive."""
        return [(None, PerturbStop())]
