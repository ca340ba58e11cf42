"""The handles of what is selected, in one of three modes: where they are now, along which axes, and why there are none."""
from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from editor.tools import rigid
from editor.tools.element_trees import Refused
from editor.tools.handles import LINE, Handle, move_handles, point_handle, rotate_handles, scale_at, size_handles
from editor.tools.modes import MOVE, ROTATE, SCALE
from editor.tools.shape_sizes import ends_of, knobs_of
from editor.tools.subject import Moment, Subject, angle_unit, engine_turns
from physics.enums import JointType
from render.scene.camera import View

__all__ = ["Gizmo", "LOCAL", "MOVE", "ORIENTATIONS", "PARENT", "ROTATE", "SCALE", "WORLD", "forward_of", "zero_direction"]

ORIENTATIONS = LOCAL, PARENT, WORLD = "local", "parent", "world"
AIM = 2.0           # heights of a gizmo from a camera or light to the point that it looks at
ARC = 1.0           # radius of a joint's range, in the same
ARC_POINTS = 48
MOST_SHOWN = 40     # parts whose lines are drawn


@dataclass(slots=True, eq=False)
class Gizmo:
    """subjects: the active one last. points: these are moved one by one, each by a dot of its own (a tendon's sites). moved: motion (4, 4) of the world that all have made since
    the subjects were read, None for none. refusal: why a mode has no handles, '' where it has."""

    mode: str
    subjects: Sequence[Subject]
    orientation: str = WORLD
    points: bool = False
    moved: np.ndarray | None = None
    refusal: str = field(default="", init=False)

    @property
    def active(self) -> Subject:
        """The one whose axes are taken, and which is snapped."""
        return self.subjects[-1]

    def pivot_of(self, moment: Moment, subject: Subject) -> np.ndarray:
        """Pose (4, 4) of an element as it is written, at a moment: without what the compiler does to the frames of meshes."""
        return moment.base(subject) if subject.part is not None and self.mode in subject.part.drawn_by else moment.pivot(subject)

    def frame(self, moment: Moment, orientation: str | None = None) -> np.ndarray:
        """Pivot and axes (4, 4) at a moment."""
        poses = [self.pivot_of(moment, subject) for subject in self.subjects]
        out = np.eye(4)
        out[:3, 3] = poses[-1][:3, 3] if self.points else np.mean([pose[:3, 3] for pose in poses], axis=0)
        out[:3, :3] = self.axes(moment, orientation or self.orientation, poses[-1])
        if self.moved is not None:
            out[:3, 3] = (self.moved @ out[:, 3])[:3]
            if (orientation or self.orientation) == LOCAL:
                out[:3, :3] = self.moved[:3, :3] @ out[:3, :3]
        return out

    def axes(self, moment: Moment, orientation: str, pose: np.ndarray | None = None) -> np.ndarray:
        """Rotation matrix (3, 3): axes of the active element, of what it stands in, or of the world."""
        if orientation == LOCAL:
            return (self.pivot_of(moment, self.active) if pose is None else pose)[:3, :3]
        return (moment.carrier(self.active) @ self.active.frame)[:3, :3] if orientation == PARENT else np.eye(3)

    def handles(self, moment: Moment, view: View, size: tuple[float, float]) -> list[Handle]:
        """What can be grabbed at a moment, in a view; none, with `refusal`, where nothing can. What is only drawn has an empty `what`."""
        self.refusal = ""
        shown = [Handle((), LINE, points, colour) for one in self.subjects[-MOST_SHOWN:] if one.part is not None for points, colour in one.part.lines(one, moment)]
        try:
            for one in self.subjects:
                if one.part is not None and self.mode not in one.part.modes:
                    raise Refused(one.part.refusal(self.mode))
            return shown + {MOVE: self._move, ROTATE: self._rotate, SCALE: self._scale}[self.mode](moment, view, size)
        except Refused as why:
            self.refusal = str(why)
            return shown

    # ------------------------------------------------------------------ the modes

    def _move(self, moment: Moment, view: View, size) -> list[Handle]:
        out = move_handles(self.frame(moment), view, size)
        if self.points:
            return out + [point_handle(("point", k), self.pivot_of(moment, one)[:3, 3], f"Move {one.label}") for k, one in enumerate(self.subjects[:-1])]
        if len(self.subjects) == 1:
            ends = ends_of(self.active)
            if ends is not None:
                frame = moment.base(self.active)
                out += [point_handle(("end", k), (frame @ np.append(end, 1.0))[:3], "Move this end") for k, end in enumerate(ends)]
            out += self._range(moment, view, size) + self._aim(moment, view, size)
        return out

    def _rotate(self, moment: Moment, view: View, size) -> list[Handle]:
        if any(engine_turns(moment.m, one) for one in self.subjects):
            raise Refused("Where it looks is computed: it follows its target (mode). Move it, or change its mode")
        one, orientation, axes = self.active, self.orientation, (0, 1, 2)
        if len(self.subjects) == 1 and one.part is None and (one.kind in ("joint", "light") or one.attrs.spec.attributes.get("fromto") and one.attrs.given("fromto")):
            orientation, axes = LOCAL, (0, 1)       # a turn about its own axis changes nothing
            if one.kind == "joint" and moment.m.jnt_type[one.number] == JointType.BALL:
                raise Refused("A ball joint has no axis")
        return rotate_handles(self.frame(moment, orientation), view, size, axes) + (self._aim(moment, view, size) if len(self.subjects) == 1 else [])

    def _scale(self, moment: Moment, view: View, size) -> list[Handle]:
        knobs = [knobs_of(one) for one in self.subjects]
        frame = moment.base(self.active)
        if len(self.subjects) > 1:
            return [point_handle(("all sizes",), self.frame(moment)[:3, 3], "Change all sizes by a factor", "view")]
        return size_handles(frame, view, size, knobs[0])

    # ------------------------------------------------------------------ joints, cameras and lights

    def _range(self, moment: Moment, view: View, size) -> list[Handle]:
        """A hinge's or slide's range at its anchor: an arc or a line between its two ends, and a line where it is now."""
        one = self.active
        given = one.attrs["range"] if one.kind == "joint" and one.part is None else None
        if given is None or moment.m.jnt_type[one.number] not in (JointType.HINGE, JointType.SLIDE) or not given[0] < given[1]:
            return []
        frame, unit = self.pivot_of(moment, one), angle_unit(one)
        pivot, axis, s = frame[:3, 3], frame[:3, 2], scale_at(view, size, frame[:3, 3])
        low, high = (float(x) for x in given)
        ref = float(one.attrs["ref"] or 0.0)
        if moment.m.jnt_type[one.number] == JointType.SLIDE:
            ends = [pivot + one.scale * (value - ref) * axis for value in (low, high)]
            return [Handle((), LINE, np.array(ends), "z"), *(point_handle(("range", k), end, f"{('Lower', 'Upper')[k]} end of the range") for k, end in enumerate(ends))]
        zero = zero_direction(moment, one, frame)
        def at(angle):
            return pivot + ARC * s * rigid.turn(axis, angle) @ zero
        low, high = (low - ref) / unit, (high - ref) / unit
        arc = np.array([at(angle) for angle in np.linspace(low, min(high, low + 2 * math.pi), ARC_POINTS)])
        now = float(moment.d.qpos[moment.m.jnt_qposadr[one.number]] - moment.m.qpos0[moment.m.jnt_qposadr[one.number]])
        return [Handle((), LINE, arc, "z"), Handle((), LINE, np.array([pivot, at(now)]), "view"),
                *(point_handle(("range", k), at(angle), f"{('Lower', 'Upper')[k]} end of the range", "point", pivot) for k, angle in enumerate((low, high)))]

    def _aim(self, moment: Moment, view: View, size) -> list[Handle]:
        one = self.active
        if one.kind not in ("camera", "light") or engine_turns(moment.m, one):
            return []
        frame = self.pivot_of(moment, one)
        end = frame[:3, 3] + AIM * scale_at(view, size, frame[:3, 3]) * forward_of(one, frame)
        return [point_handle(("aim",), end, "Look at a point", "point", frame[:3, 3])]


def forward_of(subject: Subject, frame: np.ndarray) -> np.ndarray:
    """Where (3,) a camera looks, or a light shines, in whose frame that is -z and z."""
    return -frame[:3, 2] if subject.kind == "camera" else frame[:3, 2]


def zero_direction(moment: Moment, subject: Subject, frame: np.ndarray) -> np.ndarray:
    """Unit vector (3,) across a hinge's axis that stands for the start of the model (the joint's ref): turned by where the joint is now, it points at the middle of its body."""
    axis, joint = frame[:3, 2], subject.number
    way = np.asarray(moment.d.xipos[moment.m.jnt_bodyid[joint]]) - frame[:3, 3]
    across = way - (way @ axis) * axis
    across = across if np.linalg.norm(across) > 1e-6 else frame[:3, 0]
    moved = float(moment.d.qpos[moment.m.jnt_qposadr[joint]] - moment.m.qpos0[moment.m.jnt_qposadr[joint]])
    return rigid.turn(axis, -moved) @ (across / np.linalg.norm(across))
