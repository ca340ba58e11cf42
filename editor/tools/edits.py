"""A motion as an Edit: the attributes of each element that it changes, in its notation and units, and nothing else of the text.

L' = (C F)^-1 D (C F) L; what floats gets the same displacement and turn for its place in the model, wherever it is by now, and its state where that is seen (`state_of`).
"""
from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from editor.edits.attribute_patches import patches_of
from editor.edits.patch import Edit
from editor.notation.orientation import NOTATIONS, in_place_of, numbers_in_force
from editor.tools import rigid
from editor.tools.drag import TURN, Motion
from editor.tools.handles import HIGH
from editor.tools.shape_sizes import parameters_of, sizes_of
from editor.tools.subject import AIMED, Moment, Subject, compiled_pose, floats
from editor.tools.written import DIGITS_BEHIND, quantum_of, vector_text
from physics.rotation import quaternion
from physics.rotation.orientation import from_matrix

__all__ = ["attributes_of", "edit_of", "oriented", "outermost", "position_text", "quantum_for", "state_of", "states_of", "wanted_pose"]

Values = Mapping[str, "str | None"]
REACHED = 1e-6      # radians: a notation that comes so near says what a drag wants
ROUND = ("capsule", "cylinder", "sphere")   # shapes that a turn about their axis leaves as they are


def outermost(subjects: Sequence[Subject]) -> list[Subject]:
    """The subjects without those that stand in others, and without further copies of the same element; the active one, the last, stays where it can."""
    chosen: dict[tuple[int, str], Subject] = {}
    for one in reversed(subjects):
        chosen.setdefault(one.key, one)
    ids = frozenset(one.element.id for one in chosen.values() if one.part is None)
    return [one for one in reversed(chosen.values()) if not any(node.id in ids for node in one.tree.around(one.element))]


def edit_of(label: str, subjects: Sequence[Subject], motion: Motion, moment: Moment) -> Edit:
    """What a motion changes in the texts that the subjects were found in."""
    moved = [one for number, one in enumerate(subjects) if motion.kind != "point" or number == motion.values[0]]
    return Edit(label, patches_of(moved[0].tree.texts, ((one.element, attributes_of(one, motion, moment)) for one in moved)) if moved else ())


def attributes_of(subject: Subject, motion: Motion, moment: Moment) -> Values:
    """Attributes of one element by their new text; None: to be taken away."""
    if subject.part is not None:
        return subject.part.write(subject, motion, moment)
    make = {"rigid": _moved, "point": _moved, "sizes": _sized, "factor": _sized, "ends": _ended, "range": _ranged}[motion.kind]
    return make(subject, motion, moment)


def wanted_pose(subject: Subject, delta: np.ndarray, moment: Moment) -> np.ndarray:
    """L' (4, 4) [m] after a motion of the world."""
    parent, back = moment.parent(subject)
    if subject.kind == "body" and floats(moment.m, subject.number):
        present, rest = moment.base(subject), parent @ subject.local @ subject.beyond
        out = rigid.pose_of_matrix(rest[:3, 3] + (delta @ present)[:3, 3] - present[:3, 3], delta[:3, :3] @ rest[:3, :3])
        return back @ out @ rigid.inverse(subject.beyond)
    return back @ delta @ parent @ subject.local


def state_of(subject: Subject, delta: np.ndarray, moment: Moment) -> np.ndarray | None:
    """Position and quaternion (7,) that a floating body has after a motion; None for what follows its model's pose."""
    if subject.kind != "body" or not floats(moment.m, subject.number):
        return None
    present = delta @ moment.base(subject)
    return np.append(present[:3, 3], rigid.quat_of(present))


def states_of(subjects: Sequence[Subject], shown: Sequence[Subject], motion: Motion, moment: Moment) -> Iterator[tuple[int, np.ndarray]]:
    """(body, position and quaternion (7,)) of all that floats and goes along with a motion. shown: the subjects by what the text says after it."""
    for one, now in zip(subjects, shown, strict=True):
        if (pose := state_of(one, motion.delta, moment)) is not None:
            yield one.number, pose
        if one.part is not None or one.kind == "frame":
            for body, delta in one.part.follow(one, now, moment) if one.part is not None else _in_frame(one, now, moment):
                present = delta @ moment.body(body)
                yield body, np.append(present[:3, 3], rigid.quat_of(present))


def _in_frame(subject: Subject, shown: Subject, moment: Moment) -> Iterator[tuple[int, np.ndarray]]:
    """(number, motion (4, 4) of the world) of bodies that float and stand in a frame: C F_k L' (C F_k L)^-1 of each copy k of the frame, where F_k F^-1 = B_k B^-1 of the bodies' compiled poses."""
    m, frame = moment.m, moment.carrier(subject) @ subject.frame
    delta = frame @ shown.local @ rigid.inverse(frame @ subject.local)
    around = frozenset(node.id for node in subject.tree.around(subject.element))
    for element in subject.element.walk():
        items = [number for kind, number in m.links.items(element.id) if kind == "body" and floats(m, number)] if element.tag == "body" else []
        first: dict[tuple, np.ndarray] = {}     # by the copies that are made within the frame: the body of the frame's own first copy
        for number in items:
            own = compiled_pose(m, "body", number)
            within = tuple(one for one in m.links.source("body", number).copies if one[0] not in around)
            aside = own @ rigid.inverse(first.setdefault(within, own))
            yield number, aside @ delta @ rigid.inverse(aside)


# ------------------------------------------------------------------ poses

def quantum_for(motion: Motion, step: float) -> float:
    """What numbers of which a pixel is `step` are rounded to."""
    return quantum_of(step, DIGITS_BEHIND if motion.exact else 1)


def _moved(subject: Subject, motion: Motion, moment: Moment) -> dict[str, str | None]:
    local = wanted_pose(subject, motion.delta, moment)
    turned, out = motion.turns, {}
    length = quantum_for(motion, motion.step / subject.scale)
    if subject.kind in ("geom", "site") and subject.attrs.given("fromto"):
        change = local @ rigid.inverse(subject.local)
        return _fromto(subject, [(change @ np.append(end, 1.0))[:3] for end in subject.scale * np.reshape(subject.attrs["fromto"], (2, 3))], length)
    out |= position_text(subject, "pos", local[:3, 3], length)
    if turned and subject.kind in AIMED:
        out |= _aimed(subject, local[:3, 2])
    elif turned:
        out |= oriented(subject, local[:3, :3])
    return out


def position_text(subject: Subject, name: str, point: np.ndarray, quantum: float) -> dict[str, str | None]:
    """An attribute that is a point (3,) [m]."""
    present = subject.attrs[name]
    text = vector_text(subject.element.attrs.get(name), np.zeros(3) if present is None else present, point / subject.scale, quantum)
    return {} if text is None else {name: text}


def _fromto(subject: Subject, ends: Sequence[np.ndarray], quantum: float) -> dict[str, str | None]:
    text = vector_text(subject.element.attrs.get("fromto"), subject.attrs["fromto"], np.concatenate(ends) / subject.scale, quantum)
    return {} if text is None else {"fromto": text}


def _aimed(subject: Subject, way: np.ndarray) -> dict[str, str | None]:
    """A direction of the length that it has."""
    name = AIMED[subject.kind]
    present = np.asarray(subject.attrs[name], float)
    length = float(np.linalg.norm(present)) or 1.0
    text = vector_text(subject.element.attrs.get(name), present, way * length, quantum_of(length / HIGH, DIGITS_BEHIND))
    return {} if text is None else {name: text}


def oriented(subject: Subject, mat: np.ndarray) -> dict[str, str | None]:
    """An orientation in the notation that is in force, or as a quaternion where that cannot say it."""
    attrs, newest = subject.attrs, subject.attrs.newest(NOTATIONS)
    symmetric = newest == "zaxis" and subject.kind == "geom" and attrs["type"] in ROUND
    name, numbers = numbers_in_force(attrs, from_matrix(mat), subject.tree.settings, None if symmetric else REACHED)
    present = attrs[name] if name == newest else np.full(len(numbers), np.inf) if newest else quaternion.UNIT
    step = (math.degrees(1.0) if subject.tree.degrees and name in ("euler", "axisangle") else 1.0) / HIGH
    text = vector_text(subject.element.attrs.get(name), present, numbers, quantum_of(step, DIGITS_BEHIND))
    return {} if text is None else in_place_of(subject.element, name, text)


# ------------------------------------------------------------------ sizes, ends, ranges

def _sized(subject: Subject, motion: Motion, moment: Moment) -> dict[str, str | None]:
    present = sizes_of(subject)
    wanted = np.array(motion.values) if motion.kind == "sizes" else present.copy()
    parameters = parameters_of(subject)
    if motion.kind == "factor":
        for one in parameters:
            wanted[one.index] = present[one.index] * motion.values[0]
    return _size_text(subject, present, wanted, max(one.index for one in parameters) + 1, quantum_for(motion, motion.step / subject.scale))


def _size_text(subject: Subject, present: np.ndarray, wanted: np.ndarray, count: int, quantum: float) -> dict[str, str | None]:
    own = subject.element.attrs.get("size")
    count = max(count, len(own.split()) if own is not None else 0)
    if subject.attrs["type"] == "plane":
        count = 3       # the spacing of its grid is always needed
    least = min((float(x) for x in wanted[:count] / subject.scale if x > 0), default=1.0)       # what is small is not rounded to nothing
    text = vector_text(own, present[:count] / subject.scale, wanted[:count] / subject.scale, min(quantum, quantum_of(least)))
    return {} if text is None else {"size": text}


def _ended(subject: Subject, motion: Motion, moment: Moment) -> dict[str, str | None]:
    """The ends of a shape: as fromto where they are written so, else as position, orientation and half length."""
    quantum = quantum_for(motion, motion.step / subject.scale)
    back = moment.parent(subject)[1]
    a, b = ((back @ np.append(end, 1.0))[:3] for end in motion.values)
    if subject.attrs.given("fromto"):
        return _fromto(subject, (a, b), quantum)
    length = float(np.linalg.norm(a - b))
    if length < 1e-9:
        return {}
    mat = rigid.smallest_turn(subject.local[:3, 2], a - b) @ subject.local[:3, :3]
    out = position_text(subject, "pos", (a + b) / 2, quantum)
    if float(np.abs(mat - subject.local[:3, :3]).max()) > TURN:
        out |= oriented(subject, mat)
    sizes = sizes_of(subject)
    wanted = sizes.copy()
    wanted[1] = length / 2
    return out | _size_text(subject, sizes, wanted, 2, quantum)


def _ranged(subject: Subject, motion: Motion, moment: Moment) -> dict[str, str | None]:
    present = np.asarray(subject.attrs["range"], float)
    wanted = present.copy()
    wanted[int(motion.values[0])] = motion.values[1]
    text = vector_text(subject.element.attrs.get("range"), present, wanted, quantum_for(motion, motion.step))
    return {} if text is None else {"range": text}
