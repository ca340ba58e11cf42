"""Fingers of a model by the fingers of a person."""
from __future__ import annotations

from app.inputs.drives.drive import Problem
from app.inputs.drives.kind import DriveBase
from app.inputs.sample import Pose, Sample
from app.inputs.servos import Servo, position_servos
from physics.enums import EQ_JOINT
from physics.inverse_kinematics.hand_frame import FINGERS, SIDES, hand_angles
from physics.inverse_kinematics.retarget import FingerRetargeting
from physics.model.model import Model
from physics.runtime.commands import SetCtrls

ANGLES = ("thumb_spread", "thumb_opposition", "thumb_knuckle", "thumb_end", *(f"{finger}_{joint}" for finger in FINGERS if finger != "thumb" for joint in ("spread", "knuckle", "middle", "end")))


class HandDrive(DriveBase):
    """mapping.tips: finger -> the site at its tip; mapping.site: the palm's, at the wrist (or mapping.body): vectors from palm to tips are matched. Or mapping.leader: angle of the person's hand
    (hand_frame.hand_angles) -> (joint here, offset [rad], sign): angles are copied. Joints are moved by position actuators; those that neither one moves nor an equality couples stay.

    The side is that of the source's name, right where it says none. Each control moves at limits.turn [rad/s] at most, so that taking over is no leap."""

    def bind(self, m: Model) -> list[Problem]:
        """See Drive."""
        problems: list[Problem] = []
        self._servos = position_servos(m)
        self._side = next((side for side in SIDES if self.mapping.source.endswith(side)), "right")
        self._fingers: FingerRetargeting | None = None
        self._copied: dict[str, tuple[int, float, float]] = {}      # angle -> (joint, offset, sign)
        self._now: dict[int, float] = {}                            # control -> what was last sent
        if self.mapping.leader:
            self._bind_copy(m, problems)
        elif self.mapping.tips:
            self._bind_tips(m, problems)
        else:
            problems.append(Problem(self.mapping.name, "tips", "", f"name the sites at the tips of fingers ({', '.join(FINGERS)})"))
        return problems

    def _bind_copy(self, m: Model, problems: list[Problem]) -> None:
        for angle, (name, offset, sign) in self.mapping.leader.items():
            joint = self.named(m, "joint", f"leader.{angle}", name, problems)
            if angle not in ANGLES:
                problems.append(Problem(self.mapping.name, "leader", angle, f"a hand has no such angle; there are {', '.join(ANGLES)}"))
            elif joint >= 0 and joint not in self._servos:
                problems.append(Problem(self.mapping.name, f"leader.{angle}", name, "no position actuator moves this joint"))
            elif joint >= 0:
                self._copied[angle] = joint, float(offset), float(sign)

    def _bind_tips(self, m: Model, problems: list[Problem]) -> None:
        kind = "site" if self.mapping.site else "body"
        palm = self.named(m, kind, kind, self.mapping.site or self.mapping.body, problems)
        tips = {finger: ("site", self.named(m, "site", f"tips.{finger}", name, problems)) for finger, name in self.mapping.tips.items()}
        if problems:
            return
        coupled = {int(m.eq_obj1id[i]) for i in range(m.neq) if m.eq_type[i] == EQ_JOINT and m.eq_active0[i]}
        still = [j for j in range(m.njnt) if j not in self._servos and j not in coupled]
        try:
            self._fingers = FingerRetargeting(m, (kind, palm), tips, self._side, still)
        except ValueError as why:
            problems.append(Problem(self.mapping.name, "tips", dict(self.mapping.tips), str(why)))

    def begin(self, snapshot) -> list:
        """See Drive."""
        self._now.clear()
        if self._fingers is not None:
            self._fingers.reset(snapshot.qpos[snapshot.model.jnt_qposadr[self._fingers.joints]])
        return []

    def act(self, target: Pose | None, sample: Sample, snapshot, h: float) -> list:
        """Controls on their way to the person's fingers. A hand that is none is passed over."""
        if sample.hand is None or not sample.tracked:
            return []
        try:
            wanted = self._wanted(sample)
        except ValueError:
            return []
        moved = {}
        for servo, value in wanted:
            goal, now = servo.control(value), self._now.get(servo.ctrl, float(snapshot.ctrl[servo.ctrl]))
            most = h * abs(servo.gear) * self.mapping.limits.turn
            new = now + min(max(goal - now, -most), most)
            if new != self._now.get(servo.ctrl):
                moved[servo.ctrl] = new
        self._now |= moved
        return [("", SetCtrls(tuple(self._now), tuple(self._now.values())))] if moved else []

    def _wanted(self, sample: Sample) -> list[tuple[Servo, float]]:
        """(actuator, position of its joint [rad or m]). Raises ValueError."""
        if self._fingers is None:
            angles = hand_angles(sample.hand[:, :3], self._side)
            return [(self._servos[joint], sign * angles[angle] + offset) for angle, (joint, offset, sign) in self._copied.items()]
        found = zip(self._fingers.joints.tolist(), self._fingers.solve(sample.hand).tolist())
        return [(self._servos[joint], value) for joint, value in found if joint in self._servos]

