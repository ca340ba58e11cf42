"""The offset and euler of a replicate, dragged by one of its copies, which follows the pointer.

    T_k = (R_0 + ... + R_(k-1)) offset, R_k       pose of copy k in what the replicate stands in, R_k the turn of k times the angles

A motion D of copy k asks for T' = P^-1 D P T_k, P of the replicate: its turn divided by k is euler, and offset follows from its position. Copies around an axis stay there: of a shift
they take the angle and, where they rise, the rise (editor.tools.ring). Source of T_k: physics.expand.replicate.
"""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from editor.notation.orientation import euler_angles
from editor.tools import rigid
from editor.tools.drag import Motion
from editor.tools.edits import quantum_for, wanted_pose
from editor.tools.element_trees import ElementTree, ElementTrees, Refused
from editor.tools.gizmo import MOVE, ROTATE
from editor.tools.handles import HIGH
from editor.tools.ring import Ring, angle_about, ring_of
from editor.tools.subject import Moment, Part, Subject, angle_unit, compiled_pose, floats, frames_around, scale_around, subject_of, written_pose
from editor.tools.written import DIGITS_BEHIND, quantum_of, vector_text
from physics.expand.replicate import copy_count
from physics.model.elements import body_of
from physics.model.elements import element as model_element
from physics.rotation.orientation import from_euler, radians
from physics.spec.defaults import Attrs
from physics.spec.element import Element

__all__ = ["Spacing", "replicate_subjects", "spacing_of"]

FLAT = 1e-6     # singular value of the sum of turns, as a share of the largest, below which no offset moves a copy that way: it has come round to the first
HELD = ("body", "geom", "site", "camera")       # what shows where a copy is


@dataclass(frozen=True, slots=True, eq=False)
class Spacing(Part):
    """copy: which one is dragged, from 1; held: (kind, number) of what of it shows where it is."""

    copy: int
    held: tuple[str, int]
    name = "spacing"
    modes = (MOVE, ROTATE)
    drawn_by = (MOVE,)      # turned about the place from which copies are counted, so that a ring stays one

    @property
    def key(self) -> str:
        return f"{self.name} by copy {self.copy}"

    def label(self, subject: Subject, name: str) -> str:
        return f"spacing of {name}"

    def note(self, subject: Subject) -> str:
        ring = ring_of(*_numbers(subject.attrs), subject.tree.eulerseq)
        by = "offset and euler" if ring is None or ring.rise else "the angle (euler)"
        return f"Copy {self.copy + 1} of {copy_count(subject.element)}: all but the first follow, by {by} of the replicate"

    def read(self, subject: Subject, tree: ElementTree, attrs: Attrs) -> tuple[np.ndarray, np.ndarray]:
        return _poses(tree, attrs.element, self.copy, subject.scale)[-1], subject.beyond

    def write(self, subject: Subject, motion: Motion, moment: Moment) -> dict[str, str | None]:
        pose, tree, k, own = wanted_pose(subject, motion.delta, moment), subject.tree, self.copy, subject.element.attrs
        offset, euler = _numbers(subject.attrs)
        unit, out = angle_unit(subject), {}
        ring = ring_of(offset, euler, tree.eulerseq)
        if ring is not None and not motion.turns:
            return self._around(subject, motion, ring, (subject.local @ subject.beyond)[:3, 3], (pose @ subject.beyond)[:3, 3])
        if motion.turns:
            found = euler_angles(rigid.quat_of(pose), tree.eulerseq, (k * euler / unit).tolist())
            if found is None:
                raise Refused(f'Angles in the sequence "{tree.eulerseq}" cannot say every turn')
            text = vector_text(own.get("euler"), euler, np.array(found) * unit / k, quantum_of(unit / HIGH / k, DIGITS_BEHIND))
            if text is not None:
                out["euler"] = text
                euler = np.array(text.split(), float)
        total = _poses_of((0.0, 0.0, 0.0), tuple(euler.tolist()), tree.degrees, tree.eulerseq, k - 1)[:, :3, :3].sum(axis=0)
        change = np.linalg.lstsq(total, pose[:3, 3] / subject.scale - total @ offset, rcond=FLAT)[0]
        text = vector_text(own.get("offset"), offset, offset + change, quantum_for(motion, motion.step / subject.scale / k))
        return out if text is None else {**out, "offset": text}

    def _around(self, subject: Subject, motion: Motion, ring: Ring, start: np.ndarray, end: np.ndarray) -> dict[str, str | None]:
        """Attributes by which this copy of a ring goes as near as it can from one place (3,) [m] of what the replicate stands in to another."""
        (offset, euler), own, out = _numbers(subject.attrs), subject.element.attrs, {}
        found = angle_about(ring.axis, start, end)
        if found is None and not ring.rise:
            raise Refused("It stands on the axis that the copies are turned about: choose Rotate")
        if found is not None:
            (angle, radius), unit = found, angle_unit(subject) / self.copy
            wanted = euler.copy()
            wanted[ring.number] += angle * unit
            text = vector_text(own.get("euler"), euler, wanted, quantum_for(motion, unit * motion.step / radius))
            out |= {} if text is None else {"euler": text}
        if ring.rise:
            step = subject.scale * self.copy
            text = vector_text(own.get("offset"), offset, offset + float((end - start) @ ring.axis) / step * ring.axis, quantum_for(motion, motion.step / step))
            out |= {} if text is None else {"offset": text}
        return out

    def present(self, subject: Subject, m, d, carrier: np.ndarray) -> np.ndarray:
        kind, number = self.held
        if kind != "body":
            return carrier @ subject.base
        rest = carrier @ compiled_pose(m, kind, number)     # what the joints do follows it
        return carrier @ subject.base @ rigid.inverse(rest) @ rigid.pose_of_matrix(d.xpos[number], d.xmat[number])

    def follow(self, subject: Subject, shown: Subject, moment: Moment) -> Iterator[tuple[int, np.ndarray]]:
        frame, m = moment.carrier(subject) @ subject.frame, moment.m
        bodies = [(number, dict(m.links.source(kind, number).copies)[subject.element.id]) for kind, number in m.links.made_by(subject.element.id)
                  if kind == "body" and floats(m, number)]
        last = max((k for _body, k in bodies), default=0)
        before, after = (_poses(one.tree, one.element, last, one.scale) for one in (subject, shown))
        for body, k in bodies:
            yield body, frame @ after[k] @ rigid.inverse(frame @ before[k])

    def things(self, subject: Subject, m) -> Iterator[tuple[str, int]]:
        for kind, number in m.links.made_by(subject.element.id):
            if dict(m.links.source(kind, number).copies)[subject.element.id] == self.copy:
                yield kind, number

    def lines(self, subject: Subject, moment: Moment) -> Iterator[tuple[np.ndarray, str]]:
        """The places from which copies are counted, up to this one; of a ring those of the copies."""
        of_copies = subject.beyond if ring_of(*_numbers(subject.attrs), subject.tree.eulerseq) is not None else np.eye(4)
        points = (moment.carrier(subject) @ subject.frame @ _poses(subject.tree, subject.element, self.copy, subject.scale) @ of_copies)[:, :3, 3]
        if np.ptp(points, axis=0).max() > 1e-9:
            yield points, "point"


def replicate_subjects(trees: ElementTrees, m, element: Element) -> tuple[Subject, ...]:
    """What of a <replicate> can be dragged: its last copy, and last, as the active one, that next to the first. Raises Refused for one with a single copy, or that makes nothing
    with a pose."""
    trees.changeable(element.id)
    made: dict[int, tuple[str, int, tuple]] = {}
    for kind, number in m.links.made_by(element.id):
        if kind in HELD:
            found = m.links.source(kind, number).copies
            k = dict(found)[element.id]
            if k not in made and all(one == 0 for macro, one in found if macro != element.id):
                made[k] = kind, number, found
    wanted = [k for k in dict.fromkeys((max(made, default=0), 1)) if k in made and k > 0]
    if not wanted:
        raise Refused("It makes no second copy of anything that has a pose")
    return tuple(_subject(trees, m, element, made[k][0], made[k][1], k) for k in wanted)


def spacing_of(trees: ElementTrees, m, kind: str, number: int) -> Subject:
    """The innermost replicate that something of the Model is a copy of, dragged by that copy. Raises Refused for what is none, or the first."""
    source = m.links.source(kind, number)
    for macro, k in reversed(source.copies if source is not None else ()):
        found = trees.element(macro)
        if found is not None and found[0].tag == "replicate":
            if k == 0:
                raise Refused("The first copy stays where it is: drag another one")
            return _subject(trees, m, found[0], kind, number, k)
    raise Refused("It is no copy of a replicate")


def _subject(trees: ElementTrees, m, element: Element, kind: str, number: int, k: int) -> Subject:
    element, tree = trees.changeable(element.id)
    kind, number = _outermost_made(m, element.id, kind, number)
    held = subject_of(trees, m, kind, number)
    scale = scale_around(tree, element)
    frame = _frame_of(m, tree, element, held, k, scale)
    local = _poses(tree, element, k, scale)[-1]
    return Subject("replicate", -1, element, tree, tree.attrs(element), frame, local, held.base, scale, held.copies, held.body, Spacing(k, (kind, number)))


def _outermost_made(m, macro: int, kind: str, number: int) -> tuple[str, int]:
    """The body of a copy, in what the replicate stands in, that something belongs to; itself where it stands there."""
    body, found = body_of(m, model_element(m, kind, number)), (kind, number)
    while body and (source := m.links.source("body", body)) is not None and any(made == macro for made, _k in source.copies):
        found, body = ("body", body), int(m.body_parentid[body])
    return found


def _frame_of(m, tree: ElementTree, element: Element, held: Subject, k: int, scale: float) -> np.ndarray:
    """P (4, 4) of a replicate in the body that it stands in: from where something of copy k is by what stands between, else by what stands around the replicate."""
    numbers, inner = dict(m.links.source(held.kind, held.number).copies), np.eye(4)
    for node in held.tree.around(held.element):
        if node.id == element.id:
            return held.frame @ rigid.inverse(_poses(tree, element, k, scale)[-1] @ inner)
        if node.tag == "frame":
            inner = written_pose(held.tree, held.tree.attrs(node), "frame", scale_around(held.tree, node)) @ inner
        elif node.tag == "replicate":
            inner = _poses(held.tree, node, numbers[node.id], scale_around(held.tree, node))[-1] @ inner
        else:
            break
    candidates = list(frames_around(tree, element))
    if len(candidates) != 1:
        raise Refused("Where it stands cannot be told from its text")
    return candidates[0]


# ------------------------------------------------------------------ as written

def _numbers(attrs: Attrs) -> tuple[np.ndarray, np.ndarray]:
    """(offset, euler) as the file writes them. Raises Refused for some that are not finite."""
    offset, euler = (np.zeros(3) if attrs[name] is None else np.array(attrs[name], float) for name in ("offset", "euler"))
    if not (np.isfinite(offset).all() and np.isfinite(euler).all()):
        raise Refused("Its offset or euler is not finite")
    return offset, euler


def _poses(tree: ElementTree, element: Element, last: int, scale: float) -> np.ndarray:
    """(last + 1, 4, 4) T_k [m] of the copies up to a last one."""
    offset, euler = _numbers(tree.attrs(element))
    return _poses_of(tuple((scale * offset).tolist()), tuple(euler.tolist()), tree.degrees, tree.eulerseq, last)


@lru_cache(maxsize=32)
def _poses_of(offset: tuple, euler: tuple, degrees: bool, eulerseq: str, last: int) -> np.ndarray:
    out, pos = np.empty((last + 1, 4, 4)), np.zeros(3)
    for k in range(last + 1):
        out[k] = rigid.pose(pos, from_euler(radians(k * np.array(euler), degrees), eulerseq))
        pos = pos + out[k, :3, :3] @ offset
    out.setflags(write=False)
    return out
