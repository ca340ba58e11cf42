"""Where equality constraints hold: the anchor of a connect or weld, the pose in which a weld holds its second body, the sites of those that couple sites.

    connect   eq_data = anchor in body 1, the same point in body 2 (of the initial pose)
    weld      eq_data = anchor in body 2, where that is held in body 1 and how body 2 is turned there: relpose, or that of the initial pose where relpose has no quaternion

Source: MuJoCo XML reference, chapter equality.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from editor.tools import rigid
from editor.tools.drag import Motion
from editor.tools.edits import position_text, quantum_for, wanted_pose
from editor.tools.element_trees import ElementTree, ElementTrees, Refused
from editor.tools.gizmo import MOVE, ROTATE
from editor.tools.handles import HIGH
from editor.tools.subject import Moment, Part, Subject, subject_of
from editor.tools.written import DIGITS_BEHIND, quantum_of, vector_text
from physics.enums import EqType, ObjType
from physics.spec.defaults import Attrs

__all__ = ["Anchor", "HeldPose", "equality_subjects"]


@dataclass(frozen=True, slots=True, eq=False)
class Anchor(Part):
    """A point in one body (body 1 of a connect, body 2 of a weld), which the other shares. bodies: numbers of both; points: (2, 3) eq_data's of the same in their frames."""

    bodies: tuple[int, int]
    points: np.ndarray
    name = "anchor"
    modes = (MOVE,)

    def refusal(self, mode: str) -> str:
        return "An anchor is a point: it can only be moved"

    def read(self, subject: Subject, tree: ElementTree, attrs: Attrs) -> tuple[np.ndarray, np.ndarray]:
        return _anchor_pose(attrs), np.eye(4)

    def write(self, subject: Subject, motion: Motion, moment: Moment) -> dict[str, str | None]:
        local = wanted_pose(subject, motion.delta, moment)
        quantum = quantum_for(motion, motion.step)
        out = position_text(subject, "anchor", local[:3, 3], quantum)
        if out and subject.element.tag == "weld" and (held := _given_pose(subject.attrs)) is not None:     # the bodies are held as before
            held = held @ rigid.shift(local[:3, 3] - subject.local[:3, 3])
            out |= _relpose(subject, held, quantum, turned=False)
        return out

    def lines(self, subject: Subject, moment: Moment) -> Iterator[tuple[np.ndarray, str]]:
        here = moment.base(subject)[:3, 3]
        for body, point in zip(self.bodies, self.points, strict=True):
            frame = rigid.pose_of_matrix(moment.d.xpos[body], moment.d.xmat[body])
            there = here if body == subject.body else (frame @ np.append(point, 1.0))[:3]
            if body != subject.body and np.linalg.norm(there - here) > 1e-9:
                yield np.array([here, there]), "point"
            if body:
                yield np.array([frame[:3, 3], there]), "view"


class HeldPose(Part):
    """Where body 1 of a weld holds the anchor of body 2, and how it is turned there."""

    name = "relpose"
    modes = (MOVE, ROTATE)

    def read(self, subject: Subject, tree: ElementTree, attrs: Attrs) -> tuple[np.ndarray, np.ndarray]:
        given = _given_pose(attrs)
        return subject.local if given is None else given, np.eye(4)

    def write(self, subject: Subject, motion: Motion, moment: Moment) -> dict[str, str | None]:
        return _relpose(subject, wanted_pose(subject, motion.delta, moment), quantum_for(motion, motion.step), motion.turns)


class InitialPose(HeldPose):
    """The same where it is that of the initial pose: its place is the anchor's, its turn is written when it is turned."""

    modes = (ROTATE,)


HELD_POSE, INITIAL_POSE = HeldPose(), InitialPose()


def equality_subjects(trees: ElementTrees, m, number: int) -> tuple[Subject, ...]:
    """What of an equality constraint can be dragged, each by itself, the active one last: its two sites, or its anchor and before that the pose that a weld holds. Raises Refused
    for one that has neither."""
    kind = int(m.eq_type[number])
    if kind not in (EqType.CONNECT, EqType.WELD):
        raise Refused("It has no anchor: only connect and weld hold points")
    if m.eq_objtype[number] == ObjType.SITE:
        return tuple(subject_of(trees, m, "site", int(ids[number])) for ids in (m.eq_obj2id, m.eq_obj1id))
    element, tree = trees.find(m, "equality", number)
    attrs, copies = tree.attrs(element), sum(its_kind == "equality" for its_kind, _k in m.links.items(element.id))
    bodies, data = (int(m.eq_obj1id[number]), int(m.eq_obj2id[number])), np.asarray(m.eq_data[number], float)

    def subject(body: int, local: np.ndarray, base: np.ndarray, part: Part) -> Subject:
        return Subject("equality", number, element, tree, attrs, base @ rigid.inverse(local), local, base, 1.0, copies, body, part)

    if kind == EqType.CONNECT:
        return (subject(bodies[0], _anchor_pose(attrs), rigid.pose(data[:3]), Anchor(bodies, data[:6].reshape(2, 3))),)
    base = rigid.pose(data[3:6], data[6:10])
    given = _given_pose(attrs)
    held = subject(bodies[0], base if given is None else given, base, INITIAL_POSE if given is None else HELD_POSE)
    return held, subject(bodies[1], _anchor_pose(attrs), rigid.pose(data[:3]), Anchor(bodies, data[[3, 4, 5, 0, 1, 2]].reshape(2, 3)))


def _anchor_pose(attrs: Attrs) -> np.ndarray:
    return rigid.pose(np.zeros(3) if attrs["anchor"] is None else np.asarray(attrs["anchor"], float))


def _given_pose(attrs: Attrs) -> np.ndarray | None:
    """Relpose as it is written; None where it is that of the initial pose."""
    numbers = np.asarray(attrs["relpose"], float)
    return rigid.pose(numbers[:3], numbers[3:]) if numbers[3:].any() else None


def _relpose(subject: Subject, pose: np.ndarray, quantum: float, turned: bool) -> dict[str, str | None]:
    """The attribute relpose of a pose; what is the same keeps its characters where it was written."""
    written = _given_pose(subject.attrs) is not None
    own = (subject.element.attrs.get("relpose") or "").split() if written else []
    present = np.asarray(subject.attrs["relpose"], float) if written else np.append(subject.local[:3, 3], rigid.quat_of(subject.local))
    length = float(np.linalg.norm(present[3:]))
    quat = length * rigid.quat_of(pose) if turned else present[3:]
    if quat @ present[3:] < 0:
        quat = -quat
    wanted, out = np.append(pose[:3, 3], quat), []
    for place, step in ((slice(0, 3), quantum), (slice(3, 7), quantum_of(length / HIGH, DIGITS_BEHIND))):
        words = " ".join(own[place]) or None
        text = vector_text(words, present[place], wanted[place], step)
        out.append(text if text is not None else words or vector_text(None, np.full(len(wanted[place]), np.inf), wanted[place], min(step, 1e-9)))
    text = " ".join(out)
    return {} if written and text == " ".join(own) else {"relpose": text}
