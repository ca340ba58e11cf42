"""One drive of a mapping at work: sample -> filter -> clutch -> guards -> target -> drive -> commands. In the hub's thread alone."""
from __future__ import annotations

from dataclasses import dataclass, replace
from math import exp, log
from typing import Any

from app.inputs.drives.drive import Drive, Problem
from app.inputs.drives.kind import control_named
from app.inputs.mapping import frames
from app.inputs.mapping.clutch import Clutch
from app.inputs.mapping.dead_man import DeadMan, Lamp
from app.inputs.mapping.drive_mapping import DriveMapping
from app.inputs.mapping.guards import Guards
from app.inputs.mapping.one_euro import OneEuro
from app.inputs.mapping.rotation import mul4, yaw
from app.inputs.mapping.scene_frame import SceneFrame
from app.inputs.mapping.soft_takeover import SoftTakeover, Waiting
from app.inputs.mapping.twist import deflection, integrated, value
from app.inputs.sample import NO_AXES, Pose, Sample
from app.inputs.table import kind_of
from physics.model.model import Model
from physics.runtime.commands import SetCtrls

ALWAYS, TOGGLE = "always", "toggle:"
LONGEST = 0.05      # s that one turn may count for: who was away does not catch up in one leap
PRESSED = 0.5       # of an axis that serves as a button
ZOOM = log(4.0) / 1.5   # of the scale's logarithm in a second: from 1 to the largest in a second and a half
SILENT = float("-inf")
LET_GO = (Lamp.LOST, Lamp.DISARMED)
GRIP = "grip"       # part of a drive's commands
HALF = 0.5          # of a gripper's way: beyond it counts as closed


@dataclass(frozen=True, slots=True)
class Moment:
    """What all channels of one turn of the hub see. now, h [s]: the time, and since the last turn; snapshot: the newest; view: azimuth of the camera [rad]; well: the window has the
    focus and time passes."""

    now: float
    h: float
    snapshot: Any
    view: float = 0.0
    well: bool = True


class Channel:
    """mapping: as it was given; drive: of its kind. target: where what it moves is wanted, None while it never began, and for kinds without a pose.

    grip: the pose of its hand while that takes hold of the scene; scene, at_scene: what both hands have made of it, and whether they are at it (two_hands.py)."""

    def __init__(self, mapping: DriveMapping, drive: Drive):
        self.mapping, self.drive = mapping, drive
        self.source = kind_of(mapping.source)
        chosen = mapping.filter
        self.filter = OneEuro(self.source.cutoff if chosen.min_cutoff is None else chosen.min_cutoff, self.source.beta if chosen.beta is None else chosen.beta, chosen.lead)
        self.clutch, self.guards, self.dead_man = Clutch(mapping.scale), Guards(mapping.limits), DeadMan()
        self.target: Pose | None = None
        self._wanted: Pose | None = None        # where the target goes, as fast as it may
        self._clutch = mapping.clutch or self.source.clutch
        self._axes = mapping.axes or self.source.twist
        self._seq: int | None = None            # of the newest sample that was used
        self._raw: Pose | None = None           # its pose
        self._begun = self._followed = False    # the drive has begun; it followed in the last turn
        self._toggled = self._was_closed = False
        self._pushed = self._moved = False      # an axis is deflected; the target moved in the last turn
        self._grippers: tuple = ()
        self._grip: tuple | None = None
        self._soft = SoftTakeover()     # of the gripper
        self._base = -1
        self.grip: Pose | None = None
        self.scene, self.at_scene = SceneFrame(), False
        self._hands_off = False     # its hand is at the scene, or has yet to let go of it

    def bind(self, m: Model) -> list[Problem]:
        """Look up what is named in a Model; the problems."""
        found = self.drive.bind(m)
        if said := frames.problem(self.mapping.frame, m):
            found.append(Problem(self.mapping.name, "frame", self.mapping.frame, said))
        self._base = m.id("body", frames.body_of(self.mapping.frame))
        gripper = self.mapping.gripper
        if gripper is not None:
            self._grippers = tuple((control_named(self.drive, m, "gripper.actuators", name, found), *ends) for name, ends in gripper.actuators.items())
        self.forget()
        return found

    def forget(self) -> None:
        """The state of what is driven has jumped, or another Model runs: the target is where that is then."""
        self.target = self._grip = None
        self._soft.begin()
        self._begun = self._followed = False
        self.drive.forget()
        self._still()
        self.filter.reset()

    @property
    def lamp(self) -> Lamp:
        """What the lamp shows."""
        return self.dead_man.lamp

    @property
    def following(self) -> bool:
        """Whether its clutch is closed, and it is armed."""
        return self._followed

    @property
    def engaged(self) -> bool:
        """Whether a person is at it now: it follows, and its clutch is held; of one that is always closed, something is pushed or posed."""
        return self._followed and self._was_closed

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """Inputs that have yet to come past the present values of what they set."""
        return (*self._soft.waiting, *self.drive.waiting) if self._followed else ()

    @property
    def has_clutch(self) -> bool:
        """Whether there is a clutch that a person opens."""
        return self._clutch != ALWAYS

    @property
    def moving(self) -> bool:
        """Whether there is something to do though no new sample comes: a target on its way, a deflected axis."""
        return self._followed and (self._pushed or self._moved) or self._begun and self.drive.busy

    def arm(self, now: float) -> None:
        """Follow, once the clutch closes."""
        self.dead_man.arm(now)

    def disarm(self) -> list:
        """Commands that let go; nothing moves any more."""
        self.dead_man.disarm()
        return self._let_go()

    def give_up(self) -> list:
        """Commands that let go, as somebody else drives, or the time has jumped: it begins anew from where things are then, armed as it was."""
        ended = self._let_go()
        self.forget()
        return ended

    def rescale(self, factor: float) -> None:
        """Another scale of ways, without moving the target."""
        if self.target is not None:
            self.clutch.rescale(factor, self._raw or Pose(), self.target)
            self.filter.reset()

    # ------------------------------------------------ a turn

    def turn(self, sample: Sample | None, pressed: frozenset, moment: Moment) -> list:
        """Commands of one turn, (part, command) each. sample: the newest of its source; pressed: buttons that went down since the last turn."""
        if sample is None:      # its source is yet to come
            return []
        closed = self._closed(sample, pressed)
        well = moment.well and sample.tracked
        heard = SILENT if not well else moment.now if self.source.quiet or _at_rest(sample) else sample.t_received
        lamp = self.dead_man.update(moment.now, heard, well, closed and not self._was_closed and self._can_be_clutched(sample))
        self._was_closed = closed
        follows = lamp is Lamp.ARMED and moment.snapshot is not None and (closed or self._follows_at_rest())
        out = self._stop(lamp, closed) if self._followed and not follows or lamp in LET_GO else []
        if follows and not self._followed:
            self._soft.begin()
            self._grip = None
        self._followed = follows
        self._take_hold(sample, closed and follows)
        if not follows:
            self._still()
            if self.drive.regulates and self._begun and moment.snapshot is not None:
                out += self.drive.act(self.target, _resting(sample), moment.snapshot, min(moment.h, LONGEST))
            return out
        if not self._begun:
            out += self._begin(moment.snapshot)
        fresh, self._seq = sample.seq != self._seq, sample.seq
        if self.target is not None:
            self._zoom(sample, moment)
            self._aim(sample, closed and not self._hands_off, fresh, moment)
        return out + self.drive.act(self.target, sample, moment.snapshot, min(moment.h, LONGEST)) + self._gripper(sample, pressed, moment.snapshot)

    def _begin(self, snapshot) -> list:
        """The target is where what is driven is: taking over is never a jump."""
        self._begun = True
        self.target, self._wanted = self.drive.pose(snapshot), None
        self.filter.reset()
        return self.drive.begin(snapshot)

    def _stop(self, lamp: Lamp, closed: bool) -> list:
        """It follows no longer."""
        if lamp is Lamp.LOST and self.drive.regulates:      # whoever pushes by torques would let it fall
            return []
        if lamp in LET_GO or (self.drive.lets_go and not closed):
            return self._let_go()
        return self.drive.hold()

    def _let_go(self) -> list:
        self._still()
        self._toggled = self._followed = False
        begun, self._begun = self._begun, False
        return self.drive.end() if begun else []

    def _still(self) -> None:
        """The target stays where it is, and the source's motion meanwhile counts for nothing."""
        self.clutch.open()
        self._wanted = None
        self._pushed = self._moved = False

    # ------------------------------------------------ the clutch

    def _closed(self, sample: Sample, pressed: frozenset) -> bool:
        """Whether the clutch is held; one that is always closed counts as open while a device without a pose is at rest."""
        if self._clutch == ALWAYS:
            return sample.tracked and not _at_rest(sample)
        if self._clutch.startswith(TOGGLE):
            self._toggled ^= self._clutch[len(TOGGLE):] in pressed
            return self._toggled and sample.tracked
        return abs(value(sample, self._clutch)) > PRESSED and sample.tracked

    def _follows_at_rest(self) -> bool:
        """Whether what has no pose is driven though nothing is pushed: sticks at rest mean 0. What has one does not begin before it is moved."""
        return self._clutch == ALWAYS and (not self.drive.has_pose or self._begun and not self.drive.lets_go)

    def _can_be_clutched(self, sample: Sample) -> bool:
        """Whether there is a clutch that a person closes: of a pose that is always followed there is none."""
        return self._clutch != ALWAYS or (sample.pose is None and sample.joints is None and sample.hand is None)

    def _take_hold(self, sample: Sample, closed: bool) -> None:
        """Whether its hand wants the scene, or is at it: until it lets go of the button, though the other hand may have done so before."""
        wants = closed and bool(self.mapping.grab) and sample.pose is not None and abs(value(sample, self.mapping.grab)) > PRESSED
        self.grip = self.guards.checked(sample.pose) if wants else None
        self._hands_off = self.at_scene or (self._hands_off and wants)

    # ------------------------------------------------ the target

    def _zoom(self, sample: Sample, moment: Moment) -> None:
        pushed = sum(value(sample, name) for name in self.mapping.zoom)
        if pushed:
            self.rescale(exp(ZOOM * min(max(pushed, -1.0), 1.0) * min(moment.h, LONGEST)))

    def _aim(self, sample: Sample, closed: bool, fresh: bool, moment: Moment) -> None:
        """Move the target on."""
        if not closed:
            self._still()
        elif sample.pose is None:
            self._push(sample, moment)
        elif fresh:
            self._follow(sample, moment)
        before = self.target
        if self._wanted is not None:
            self.target = self.guards.bounded(self._wanted, before, min(moment.h, LONGEST), self.drive.actual(moment.snapshot))
        self._moved = self.target != before

    def _rotation(self, moment: Moment) -> tuple:
        found = frames.rotation(self.mapping.frame, self._base, moment.snapshot, self.target, moment.view)
        return mul4(found, yaw(self.scene.yaw)) if self.scene.yaw and self.mapping.frame != frames.TOOL else found

    def _push(self, sample: Sample, moment: Moment) -> None:
        """Axes say how fast; what is integrated is the target, never what was reached."""
        pushed = deflection(self._axes, sample)
        self._pushed = any(pushed)
        limits, (ways, turns) = self.mapping.limits, self.clutch.scale
        self._wanted = integrated(self.target, pushed, self._rotation(moment), ways * limits.speed, turns * limits.turn, min(moment.h, LONGEST)) if self._pushed else None

    def _follow(self, sample: Sample, moment: Moment) -> None:
        """A pose that is followed from where it was when the clutch closed."""
        pose = self.guards.checked(sample.pose)
        if pose is None:
            return
        before, self._raw = self._raw, pose
        lost_track = self.clutch.closed and before is not None and self.guards.jumps(before, pose)
        if lost_track or not self.clutch.closed:
            self.filter.reset()
        smooth = self.filter(pose, sample.t_source or sample.t_received)
        if lost_track or not self.clutch.closed:
            self.clutch.gain = self.scene.scale
            self.clutch.close(smooth, self.target, self._rotation(moment))
        self._wanted = self.clutch.target(smooth)

    def _gripper(self, sample: Sample, pressed: frozenset, snapshot) -> list:
        """Controls of the gripper, once somebody has pressed its button, or its trigger has come past where it is: taking over neither drops nor crushes anything."""
        gripper = self.mapping.gripper
        if gripper is None or not self._grippers or self._hands_off:
            return []
        if not gripper.toggle:
            closed = min(1.0, max(0.0, value(sample, gripper.axis)))
            if not self._soft.acts(gripper.axis, closed, self._closure(snapshot)):
                return []
        elif gripper.axis in pressed:
            closed = float(self._closure(snapshot) < HALF if self._grip is None else self._grip != tuple(b for _i, _a, b in self._grippers))
        else:
            return []
        values = tuple(a + closed * (b - a) for _i, a, b in self._grippers)
        if values == self._grip:
            return []
        self._grip = values
        return [(GRIP, SetCtrls(tuple(i for i, _a, _b in self._grippers), values))]

    def _closure(self, snapshot) -> float:
        """How far the gripper is closed by its present controls, 0..1."""
        shares = [min(1.0, max(0.0, (float(snapshot.ctrl[i]) - a) / (b - a))) for i, a, b in self._grippers if a != b]
        return sum(shares) / len(shares) if shares else 0.0


def _resting(sample: Sample) -> Sample:
    """A Sample of a device that nobody touches: what a drive that holds may go by."""
    return replace(sample, axes=NO_AXES, buttons=frozenset())


def _at_rest(sample: Sample) -> bool:
    """Whether a device that has no pose has nothing pushed."""
    return sample.pose is None and sample.hand is None and sample.joints is None and not sample.buttons and not any(sample.axes.values())
