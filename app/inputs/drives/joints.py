"""A leader arm: its joints, by name, to the position actuators of ours."""
from __future__ import annotations

from app.inputs.drives.drive import Problem
from app.inputs.drives.kind import DriveBase
from app.inputs.servos import Servo, position_servos
from app.inputs.sample import Pose, Sample
from physics.engine.kinematics.joints import is_slide
from physics.model.model import Model
from physics.runtime.commands import SetCtrls


class JointsDrive(DriveBase):
    """mapping.leader: joint of the source -> (joint here, offset [rad or m], sign): angle here = sign * angle there + offset. Without it joints go by their own names.

    Each control moves to where the leader is at limits.turn [rad/s] or limits.speed [m/s] at most, so that taking over is no leap."""

    def bind(self, m: Model) -> list[Problem]:
        """See Drive."""
        problems: list[Problem] = []
        servos = position_servos(m)
        self._rows: dict[str, tuple[int, Servo, float, float]] = {}     # name there -> (joint, its actuator, offset, sign)
        leader = self.mapping.leader or {name: (name, 0.0, 1.0) for name in self.mapping.joints or filter(None, m.names["joint"])}
        for there, (name, offset, sign) in leader.items():
            joint = self.named(m, "joint", f"leader.{there}", name, problems)
            if joint in servos:
                self._rows[there] = joint, servos[joint], float(offset), float(sign)
            elif joint >= 0 and (self.mapping.leader or self.mapping.joints):
                problems.append(Problem(self.mapping.name, f"leader.{there}", name, "no position actuator moves this joint"))
        if not self._rows and not problems:
            problems.append(Problem(self.mapping.name, "leader", "", "the model has no joint that a position actuator moves"))
        self._most = {joint: self.mapping.limits.speed if is_slide(m, joint) else self.mapping.limits.turn for joint, *_ in self._rows.values()}
        self._now: dict[int, float] = {}        # control -> what was last sent
        return problems

    def begin(self, snapshot) -> list:
        """See Drive."""
        self._now.clear()
        return []

    def act(self, target: Pose | None, sample: Sample, snapshot, h: float) -> list:
        """Controls on their way to the leader's angles."""
        if not sample.joints:
            return []
        moved = {}
        for there, angle in sample.joints.items():
            row = self._rows.get(there)
            if row is None:
                continue
            joint, servo, offset, sign = row
            wanted = servo.control(sign * angle + offset)
            now = self._now.get(servo.ctrl, float(snapshot.ctrl[servo.ctrl]))
            most = h * abs(servo.gear) * self._most[joint]
            new = now + min(max(wanted - now, -most), most)
            if new != self._now.get(servo.ctrl):
                moved[servo.ctrl] = new
        self._now |= moved
        return [("", SetCtrls(tuple(self._now), tuple(self._now.values())))] if moved else []

    def calibrated(self, sample: Sample, snapshot) -> dict[str, tuple[str, float, float]]:
        """The mapping's `leader` with offsets by which the two arms, which were put alike, agree."""
        m, found = snapshot.model, {}
        for there, (joint, _servo, _offset, sign) in self._rows.items():
            if sample.joints and there in sample.joints:
                found[there] = m.name("joint", joint), float(snapshot.qpos[m.jnt_qposadr[joint]]) - sign * sample.joints[there], sign
        return found
