"""A mocap body follows the target; what is welded to it is drawn along."""
from __future__ import annotations

from app.inputs.drives.drive import Problem
from app.inputs.drives.kind import DriveBase, body_pose
from app.inputs.mapping.rotation import conj4, mul4, rotate
from app.inputs.sample import Pose
from physics.enums import EQ_WELD, ObjType
from physics.model.model import Model
from physics.runtime.commands import MoveMocap


class MocapDrive(DriveBase):
    """mapping.mocap: name of a mocap body."""

    has_pose = True

    def bind(self, m: Model) -> list[Problem]:
        """See Drive."""
        problems: list[Problem] = []
        body = self.named(m, "body", "mocap", self.mapping.mocap, problems)
        self._mocap = int(m.body_mocapid[body]) if body >= 0 else -1
        if body >= 0 and self._mocap < 0:
            problems.append(Problem(self.mapping.name, "mocap", self.mapping.mocap, 'this body is no mocap body: it needs mocap="true"'))
        self._weld = welded(m, body) if self._mocap >= 0 else None
        self._last: Pose | None = None
        return problems

    def pose(self, snapshot) -> Pose:
        """See Drive."""
        return Pose(tuple(snapshot.mocap_pos[self._mocap].tolist()), tuple(snapshot.mocap_quat[self._mocap].tolist()))

    def actual(self, snapshot) -> Pose | None:
        """Where the mocap body would be if it were where the welded body has it."""
        if self._weld is None or not snapshot.eq_active[self._weld[0]]:
            return None
        _equality, body, inverse = self._weld
        there = body_pose(snapshot, body)
        return Pose(tuple(p + w for p, w in zip(there.pos, rotate(there.quat, inverse.pos))), mul4(there.quat, inverse.quat))

    def begin(self, snapshot) -> list:
        """See Drive."""
        self._last = None
        return []

    def act(self, target: Pose, sample, snapshot, h: float) -> list:
        """See Drive."""
        if target == self._last:
            return []
        self._last = target
        return [("", MoveMocap(self._mocap, target.pos, target.quat))]


def welded(m: Model, mocap: int) -> tuple[int, int, Pose] | None:
    """(weld, the body that is welded to a mocap body, pose of the mocap body in that one's frame where the weld is met); None where none is.

    A weld keeps the point `anchor` of body 2 at the point relpos of body 1 and its orientation at relquat there: eq_data = (anchor, relpos, relquat, torquescale)."""
    for i in range(m.neq):
        ends = int(m.eq_obj1id[i]), int(m.eq_obj2id[i])
        if m.eq_type[i] != EQ_WELD or m.eq_objtype[i] != ObjType.BODY or mocap not in ends:
            continue
        anchor, relpos, relquat = (tuple(m.eq_data[i, a:b].tolist()) for a, b in ((0, 3), (3, 6), (6, 10)))
        origin = tuple(p - w for p, w in zip(relpos, rotate(relquat, anchor)))      # of body 2 in body 1
        second_in_first = Pose(origin, relquat)
        other = ends[1] if mocap == ends[0] else ends[0]
        if m.body_mocapid[other] >= 0 or other == 0:
            continue
        return i, other, _inverse(second_in_first) if mocap == ends[0] else second_in_first
    return None


def _inverse(pose: Pose) -> Pose:
    quat = conj4(pose.quat)
    return Pose(tuple(-x for x in rotate(quat, pose.pos)), quat)
