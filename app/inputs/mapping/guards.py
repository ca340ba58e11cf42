"""What keeps a target sane, in this order: numbers, jumps, the workspace, speeds, how far ahead of what it moves."""
from __future__ import annotations

from dataclasses import dataclass
from math import dist, hypot, isfinite

from app.inputs.mapping.drive_mapping import Limits
from app.inputs.mapping.rotation import angle_between, conj4, exp, log, mul4, unit4
from app.inputs.sample import Pose

UNIT = 1e-3             # by which a quaternion's length may differ from 1 before that is counted
SHORTEST = 1e-3         # of a quaternion that says something


@dataclass(slots=True)
class Counts:
    """How often a guard had something to do."""

    refused: int = 0        # not finite, or no quaternion
    normalised: int = 0
    jumps: int = 0
    outside: int = 0
    fast: int = 0
    ahead: int = 0


class Guards:
    """One drive's; counts: what they have done."""

    def __init__(self, limits: Limits):
        self.limits, self.counts = limits, Counts()

    def checked(self, pose: Pose) -> Pose | None:
        """A source's pose with a unit quaternion; None where it is none."""
        length = hypot(*pose.quat)
        if not all(map(isfinite, (*pose.pos, length))) or length < SHORTEST:
            self.counts.refused += 1
            return None
        if abs(length - 1.0) > UNIT:
            self.counts.normalised += 1
        return Pose(pose.pos, unit4(pose.quat))

    def jumps(self, before: Pose, pose: Pose) -> bool:
        """Whether a source's pose is so far from the one before that its track was lost: the clutch takes a new reference then, and nothing moves."""
        most, turn = self.limits.jump
        found = dist(before.pos, pose.pos) > most or angle_between(before.quat, pose.quat) > turn
        self.counts.jumps += found
        return found

    def bounded(self, wanted: Pose, before: Pose, h: float, actual: Pose | None = None) -> Pose:
        """Where the target may be h [s] after it was at `before`: within the workspace, no faster than it may be, and no farther ahead of `actual` than it may be."""
        pos = self._inside(wanted.pos)
        return self._near(self._slowed(Pose(pos, wanted.quat), before, h), actual)

    def _inside(self, pos: tuple) -> tuple:
        low, high = self.limits.min, self.limits.max
        inside = pos
        if low is not None:
            inside = tuple(map(max, inside, low))
        if high is not None:
            inside = tuple(map(min, inside, high))
        self.counts.outside += inside != pos
        return inside

    def _slowed(self, pose: Pose, before: Pose, h: float) -> Pose:
        pos, moved = _towards(before.pos, pose.pos, self.limits.speed * h)
        quat, turned = _turned(before.quat, pose.quat, self.limits.turn * h)
        self.counts.fast += moved or turned
        return Pose(pos, quat)

    def _near(self, pose: Pose, actual: Pose | None) -> Pose:
        if actual is None:
            return pose
        pos, moved = _towards(actual.pos, pose.pos, self.limits.lead[0])
        quat, turned = _turned(actual.quat, pose.quat, self.limits.lead[1])
        self.counts.ahead += moved or turned
        return Pose(pos, quat)


def _towards(a: tuple, b: tuple, most: float) -> tuple[tuple, bool]:
    """(b, or the point on the way from a to it after `most`, whether it is the latter)."""
    way = dist(a, b)
    if way <= most:
        return b, False
    share = most / way
    return tuple(x + share * (y - x) for x, y in zip(a, b)), True


def _turned(a: tuple, b: tuple, most: float) -> tuple[tuple, bool]:
    if angle_between(a, b) <= most:
        return b, False
    turn = log(mul4(b, conj4(a)))
    share = most / max(hypot(*turn), 1e-12)
    return unit4(mul4(exp(tuple(share * w for w in turn)), a)), True
