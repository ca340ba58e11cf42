"""A mobile base by a planar twist: forward, to the left, about the vertical."""
from __future__ import annotations

from math import cos, sin

from app.inputs.drives.drive import Problem
from app.inputs.drives.kind import DriveBase, body_pose, control_named
from app.inputs.mapping.rotation import mul4, rotate, unit4, yaw
from app.inputs.mapping.twist import deflection
from app.inputs.sample import Pose, Sample
from app.inputs.table import kind_of
from physics.model.model import Model
from physics.runtime.commands import MoveMocap, SetCtrls

WHEELS = (2, 3, 4)


class BaseDrive(DriveBase):
    """mapping.mocap: a mocap body that is moved in the plane; or mapping.actuators, velocity actuators: two wheels (left, right), four (left and right in front, left and right behind), or three slides and
    hinges of a planar base (x, y, about z; mapping.body tells its heading). options: track [m] between the wheels, radius [m] of a wheel. limits.speed [m/s] and limits.turn [rad/s] are
    those of full axes x, y and rz."""

    def bind(self, m: Model) -> list[Problem]:
        """See Drive."""
        problems: list[Problem] = []
        given, self._mocap = self.mapping, -1
        if given.mocap:
            body = self.named(m, "body", "mocap", given.mocap, problems)
            self._mocap = int(m.body_mocapid[body]) if body >= 0 else -1
            if body >= 0 and self._mocap < 0:
                problems.append(Problem(given.name, "mocap", given.mocap, 'this body is no mocap body: it needs mocap="true"'))
        elif len(given.actuators) not in WHEELS:
            problems.append(Problem(given.name, "actuators", given.actuators, "name two or four wheels, or three actuators of a planar base"))
        self._actuators = tuple(control_named(self, m, "actuators", name, problems) for name in given.actuators)
        self._body = self.named(m, "body", "body", given.body, problems) if given.body else -1
        self._track, self._radius = float(given.options.get("track", 0.4)), float(given.options.get("radius", 0.1))
        for name, number in (("track", self._track), ("radius", self._radius)):
            if not number > 0:
                problems.append(Problem(given.name, f"options.{name}", number, "must be above 0"))
        self._axes = given.axes or kind_of(given.source).twist
        self._last: tuple | None = None
        self._at: Pose | None = None
        return problems

    def begin(self, snapshot) -> list:
        """See Drive."""
        self._last = self._at = None
        return []

    def act(self, target: Pose | None, sample: Sample, snapshot, h: float) -> list:
        """Move the mocap body on, or turn the wheels."""
        limits = self.mapping.limits
        x, y, _z, _rx, _ry, rz = deflection(self._axes, sample)
        forward, left, turn = limits.speed * self.mapping.scale[0] * x, limits.speed * self.mapping.scale[0] * y, limits.turn * self.mapping.scale[1] * rz
        if self._mocap >= 0:
            return self._move_mocap(forward, left, turn, snapshot, h)
        values = self._wheels(forward, left, turn, snapshot)
        if values == self._last:
            return []
        self._last = values
        return [("", SetCtrls(self._actuators, values))]

    def _move_mocap(self, forward: float, left: float, turn: float, snapshot, h: float) -> list:
        if self._at is None:
            self._at = Pose(tuple(snapshot.mocap_pos[self._mocap].tolist()), tuple(snapshot.mocap_quat[self._mocap].tolist()))
        if not (forward or left or turn):
            return []
        way = rotate(self._at.quat, (forward * h, left * h, 0.0))
        self._at = Pose(tuple(p + w for p, w in zip(self._at.pos, way)), unit4(mul4(yaw(turn * h), self._at.quat)))
        return [("", MoveMocap(self._mocap, self._at.pos, self._at.quat))]

    def _wheels(self, forward: float, left: float, turn: float, snapshot) -> tuple:
        """Wheel speeds [rad/s] of a differential drive, or the planar velocity in the world's axes [m/s, rad/s]."""
        if len(self._actuators) == 3:
            heading = _heading(body_pose(snapshot, self._body).quat) if self._body > 0 else 0.0
            return forward * cos(heading) - left * sin(heading), forward * sin(heading) + left * cos(heading), turn
        half = 0.5 * self._track * turn
        pair = ((forward - half) / self._radius, (forward + half) / self._radius)
        return pair * (len(self._actuators) // 2)

    def hold(self) -> list:
        """The wheels stand."""
        self._last = None
        return [("", SetCtrls(self._actuators, (0.0,) * len(self._actuators)))] if self._actuators else []

    end = hold


def _heading(quat) -> float:
    from math import atan2

    x, y, _z = rotate(quat, (1.0, 0.0, 0.0))
    return atan2(y, x)
