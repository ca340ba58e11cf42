"""Several sites of one mechanism that are led at the same time: one problem for all of them, so that they do not fight over the joints that they share.

    act of each drive: its target --> settle, once in a turn of the hub: one step of all joints --> each drive's own controls

Drives belong together whose joints are of one kinematic tree, and those between which a weld can hold: hands at one object. Who has not begun, or has let go, has no rows, and joints that only it moves stay as they are; who holds keeps its
place in the world while the others move what they stand on.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from app.inputs.sample import Pose
from app.inputs.servos import Servo
from physics.enums import EQ_WELD, ObjType
from physics.inverse_kinematics.differential import DifferentialIK, StepOptions
from physics.inverse_kinematics.distances import pairs_of
from physics.inverse_kinematics.frames import FrameTask
from physics.model.model import Model

SMALLEST_MARGIN = 0.01      # m that geoms keep, where no drive says


class SiteDrive(Protocol):
    """What a drive that leads a site tells of itself (ik.py). site: its index; joints: those that may move, in their order; servos: their actuators, and whether each brings to a position; stack, place: the problem that it is part of,
    None where it was not bound, and which part."""

    site: int
    joints: list[int]
    servos: list[tuple[Servo, bool]]
    stack: IkStack | None
    place: int

    def option(self, name: str, default: float) -> float:
        """A number of the mapping."""


class IkStack:
    """One problem of some drives that were bound to the Model; each knows its place in it afterwards. Raises ValueError where it cannot be."""

    def __init__(self, m: Model, drives: Sequence[SiteDrive]):
        self.drives = tuple(drives)
        tasks = [FrameTask(drive.site, weight=drive.option("weight", 1.0), turn_weight=drive.option("weight", 1.0) * drive.option("turn", 1.0)) for drive in self.drives]
        joints = sorted({joint for drive in self.drives for joint in drive.joints})
        careful = [drive for drive in self.drives if drive.option("avoid", 0.0)]
        margin = max((drive.option("margin", SMALLEST_MARGIN) for drive in careful), default=SMALLEST_MARGIN)
        avoid = sorted({pair for drive in careful for pair in pairs_of(m, drive.joints)})
        self._welds = _welds(m)
        self._bodies = [int(m.body_weldid[m.site_bodyid[drive.site]]) for drive in self.drives]
        pairs = [(a, b) for a in range(len(tasks)) for b in range(a + 1, len(tasks)) if _joined(self._welds, self._bodies[a], self._bodies[b])]
        self.ik = DifferentialIK(m, tasks, joints, StepOptions(margin=margin), avoid, pairs)
        places = {joint: k for k, joint in enumerate(self.ik.joints.tolist())}
        self._places = [np.array([places[joint] for joint in drive.joints]) for drive in self.drives]
        # a joint of several drives is as slow as the slowest, and keeps to its rest posture as the strictest would have it
        self.ik.speed[:], self.ik.posture[:] = np.inf, 0.0
        for drive, where in zip(self.drives, self._places):
            self.ik.speed[where] = np.minimum(self.ik.speed[where], drive.option("speed", 3.0))
            self.ik.posture[where] = np.maximum(self.ik.posture[where], drive.option("posture", 1.0))
        self._begun = [False] * len(tasks)
        self._targets: list[tuple] = [(None, None)] * len(tasks)
        self._due = 0.0         # s that the next step is for, 0: none is asked for
        self.h = 0.0            # s that the last one was for
        self._told: set[int] = set(range(len(tasks)))       # drives that have heard of the last one
        self._active: bytes | None = None   # equality constraints that were on
        self._before = self.ik.q.copy()
        self.moved = np.zeros(len(joints))      # by each joint in the last step
        self._owners()
        for k, drive in enumerate(self.drives):
            drive.stack, drive.place = self, k

    def where(self, k: int) -> np.ndarray:
        """Places of the joints of drive k among all."""
        return self._places[k]

    def owned(self, k: int) -> np.ndarray:
        """Which of these are commanded by drive k: a joint of several drives by the first that has begun."""
        return self._owned[k]

    def begin(self, k: int, snapshot) -> Pose:
        """Drive k begins where its actuators have the joints, which is told; joints that others move stay as those have them."""
        ik = self.ik
        free = np.ones(len(ik.q), bool)
        for other, begun in enumerate(self._begun):
            if begun and other != k:
                free[self._places[other]] = False
        ik.take_others(snapshot.qpos, snapshot.mocap_pos, snapshot.mocap_quat)
        servos = {place: servo for drive, where in zip(self.drives, self._places) for place, servo in zip(where.tolist(), drive.servos)}
        for place in np.flatnonzero(free).tolist():
            servo, position = servos[place]
            x = float(snapshot.ctrl[servo.ctrl]) / servo.gear if position else float(snapshot.qpos[ik.adr[place]])
            ik.q[place] = min(max(x, ik.lo[place]), ik.hi[place])
            ik.rest[place] = ik.q[place]
        self._begun[k] = True
        self._owners()
        pos, quat = ik.pose(k)
        pose = Pose(tuple(pos.tolist()), tuple(quat.tolist()))
        self._targets[k] = pose
        self._active = None
        return pose

    def leave(self, k: int) -> None:
        """Drive k has let go."""
        self._begun[k] = False
        self._targets[k] = (None, None)
        self._active = None
        self._owners()

    def aim(self, k: int, target: Pose, h: float) -> None:
        """The target of drive k, and that a step of h [s] is due; 0: none."""
        self._targets[k] = target
        self._due = max(self._due, h)

    def stepped(self, k: int, snapshot) -> bool:
        """Take the step that is due; whether there was one that drive k has not heard of."""
        if self._due > 0:
            self._step(snapshot)
        fresh = k not in self._told
        self._told.add(k)
        return fresh

    def _step(self, snapshot) -> None:
        self.h, self._due = self._due, 0.0
        self._told.clear()
        ik = self.ik
        ik.take_others(snapshot.qpos, snapshot.mocap_pos, snapshot.mocap_quat)
        self._hold_together(snapshot)
        self._before[:] = ik.q
        ik.step(self._targets, self.h)
        np.subtract(ik.q, self._before, out=self.moved)

    def _owners(self) -> None:
        """Which joints move, and who commands them."""
        ik = self.ik
        owner = np.full(len(ik.q), -1)
        for k in reversed(range(len(self.drives))):
            if self._begun[k]:
                owner[self._places[k]] = k
        ik.moves[:] = owner >= 0
        self._owned = [owner[where] == k for k, where in enumerate(self._places)]

    def _hold_together(self, snapshot) -> None:
        """Pairs of hands between which welds hold now keep to each other as they are when these begin to."""
        if not self.ik.pairs:
            return
        active = snapshot.eq_active.tobytes()
        if active == self._active:
            return
        self._active = active
        welds = {pair for weld, pair in self._welds.items() if snapshot.eq_active[weld]}
        for p, (a, b) in enumerate(self.ik.pairs):
            held = self._begun[a] and self._begun[b] and _joined(dict(enumerate(welds)), self._bodies[a], self._bodies[b])
            if held and not self.ik.holds(p):
                self.ik.hold(p)
            elif not held:
                self.ik.release(p)


def _welds(m: Model) -> dict[int, tuple[int, int]]:
    """Weld equality -> the two bodies (those that stand fast on one are one), the world's left out: what is welded to the world holds nothing together."""
    found = {}
    for i in np.flatnonzero(m.eq_type == EQ_WELD).tolist():
        sites = m.eq_objtype[i] == ObjType.SITE
        one, other = (int(m.body_weldid[m.site_bodyid[x] if sites else x]) for x in (m.eq_obj1id[i], m.eq_obj2id[i]))
        if one and other and m.body_mocapid[one] < 0 and m.body_mocapid[other] < 0:
            found[i] = one, other
    return found


def _joined(welds: dict[int, tuple[int, int]], a: int, b: int) -> bool:
    """Whether welds lead from one body to another, by things in between."""
    reached, size = {a}, 0
    while len(reached) > size:
        size = len(reached)
        for one, other in welds.values():
            if one in reached or other in reached:
                reached |= {one, other}
    return a != b and b in reached


def gather(m: Model, drives: Sequence[SiteDrive]) -> None:
    """One problem for each group of drives that were bound without a problem and belong together."""
    bound = [drive for drive in drives if drive.stack is not None]
    trees = [{int(m.dof_treeid[m.jnt_dofadr[joint]]) for joint in drive.joints} for drive in bound]
    welds = _welds(m)
    bodies = [int(m.body_weldid[m.site_bodyid[drive.site]]) for drive in bound]
    groups: list[set[int]] = []
    for k in range(len(bound)):
        near = {k} | {j for j in range(k) if trees[j] & trees[k] or _joined(welds, bodies[j], bodies[k])}
        touched = [group for group in groups if group & near]
        groups = [group for group in groups if group not in touched] + [near.union(*touched)]
    for group in groups:
        if len(group) > 1:
            IkStack(m, [bound[k] for k in sorted(group)])
