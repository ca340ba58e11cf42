"""Where elements are: read from their attributes, and written in the notation that each uses already (editor/notation/orientation.py).

    placement = placed(attrs, settings)  ->  placement.under(pos, quat), placement.mirrored(axis)  ->  written(attrs, placement, settings): {attribute: text or None}

Numbers get as few digits as give the value to rounding; a number that stays keeps its characters, and what the class says already is not written.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from editor.notation.numbers import ROUNDING, numbers_text
from editor.notation.orientation import NOTATIONS, frame_of_ends, in_place_of, notation_text, numbers_in_force, orientation, text_of_numbers, turn_between
from physics.expand.replicate import Settings
from physics.rotation import quaternion
from physics.rotation.orientation import OrientationError
from physics.spec.defaults import Attrs

__all__ = ["Placement", "Pose", "UNIT_POSE", "placed", "pose_attributes", "pose_of", "written"]

Pose = tuple[tuple, tuple]      # position, unit quaternion
UNIT_POSE: Pose = (quaternion.ZERO3, quaternion.UNIT)
SAME_TURN = 1e-14       # rad: turns that count as one


class Placement(NamedTuple):
    """Where an element is in what it stands in: what of this its kind has, None for the rest. pos, quat: its frame; fromto: its two ends in place of these (with quat for a
    box, which the ends do not say all of);
    axis: of a joint, dir: of a light; inertia: fullinertia (xx, yy, zz, xy, xz, yz)."""

    pos: tuple | None = None
    quat: tuple | None = None
    fromto: tuple | None = None
    axis: tuple | None = None
    dir: tuple | None = None
    inertia: tuple | None = None

    def under(self, pos: tuple, quat: tuple) -> Placement:
        """The same in the frame in which a frame at `pos`, `quat` holds it."""
        def point(p):
            return quaternion.compose(pos, quat, p, quaternion.UNIT)[0]

        return Placement(
            None if self.pos is None else point(self.pos),
            None if self.quat is None else _turned(quat, self.quat),
            None if self.fromto is None else (*point(self.fromto[:3]), *point(self.fromto[3:])),
            None if self.axis is None else quaternion.rotate(quat, self.axis),
            None if self.dir is None else quaternion.rotate(quat, self.dir),
            None if self.inertia is None else _turned_inertia(quat, self.inertia))

    def mirrored(self, normal: int, polar: bool = True, handed: int | None = None) -> Placement:
        """Its image in the plane through the origin whose normal is axis `normal` (0, 1, 2). polar: a joint's axis is that of a slide; a hinge's is an axial vector.
        handed: an own axis of the element along which its image is turned round, so that the frame is right-handed, None for `normal`."""
        s = [1.0, 1.0, 1.0]
        s[normal] = -1.0

        def image(v, sign=1.0):
            return tuple(sign * a * b for a, b in zip(s, v, strict=True))

        quat = self.quat
        if quat is not None:
            quat = (quat[0], *image(quat[1:], -1.0))      # S R S: the axis of a turn is an axial vector
            if handed is not None and handed != normal:     # S R F: S R S (S F), where S F is half a turn about the third axis
                half = [0.0, 0.0, 0.0, 0.0]
                half[1 + ({0, 1, 2} - {normal, handed}).pop()] = 1.0
                quat = quaternion.multiply(quat, tuple(half))
        inertia = self.inertia
        if inertia is not None:
            xx, yy, zz, xy, xz, yz = inertia
            inertia = (xx, yy, zz, xy * s[0] * s[1], xz * s[0] * s[2], yz * s[1] * s[2])
        return Placement(
            None if self.pos is None else image(self.pos), quat,
            None if self.fromto is None else (*image(self.fromto[:3]), *image(self.fromto[3:])),
            None if self.axis is None else image(self.axis, 1.0 if polar else -1.0),
            None if self.dir is None else image(self.dir), inertia)


def _turned(turn: tuple, quat: tuple) -> tuple:
    return quaternion.unit(quaternion.multiply(turn, quat))[0]


def _turned_inertia(quat: tuple, inertia: tuple) -> tuple:
    r = np.reshape(quaternion.matrix(quat), (3, 3))
    xx, yy, zz, xy, xz, yz = inertia
    made = r @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ r.T
    return tuple(float(made[i]) for i in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


def _list(attrs: Attrs, name: str) -> tuple | None:
    """None for what is no list of as many numbers as it needs, or not given."""
    value = attrs[name]
    return None if value is None else tuple(value.tolist())


def _orientation(attrs: Attrs, settings: Settings) -> tuple | None:
    """The turn that an element says, whatever the notation; None where its numbers have no meaning."""
    try:
        return orientation(attrs, settings)
    except OrientationError:
        return None


def placed(attrs: Attrs, settings: Settings) -> Placement:
    """Where an element is by its attributes and its class; None for what cannot be read. settings: how angles are written (physics.expand.replicate.angle_settings)."""
    known = attrs.spec.attributes
    if "fromto" in known and attrs.given("fromto"):
        ends = _list(attrs, "fromto")
        return Placement(quat=frame_of_ends(ends)[1] if ends is not None and attrs["type"] == "box" and attrs["size"] is not None else None, fromto=ends)
    pos = (_list(attrs, "pos") or (None if attrs.given("pos") else quaternion.ZERO3)) if "pos" in known else None
    quat = _orientation(attrs, settings) if "quat" in known else None
    axis = _list(attrs, "axis") if "axis" in known else None
    direction = _list(attrs, "dir") if "dir" in known else None
    if "fullinertia" in known and attrs.given("fullinertia"):
        return Placement(pos, None, inertia=_list(attrs, "fullinertia"))
    return Placement(pos, quat, None, axis, direction)


def pose_of(attrs: Attrs, settings: Settings) -> Pose:
    """The frame of an element in what it stands in; what cannot be read moves and turns nothing."""
    known = attrs.spec.attributes
    if "fromto" in known and attrs.given("fromto"):
        ends = _list(attrs, "fromto")
        return frame_of_ends(ends) if ends is not None else UNIT_POSE
    pos, quat = _list(attrs, "pos") if "pos" in known else None, _orientation(attrs, settings) if "quat" in known else None
    return pos or quaternion.ZERO3, quat or quaternion.UNIT


def pose_attributes(pos: Sequence[float] | None, quat: Sequence[float] | None = None) -> dict[str, str]:
    """Attributes of a new element at a pose; what says nothing is left out."""
    out = {}
    if pos is not None and max(map(abs, pos)) > ROUNDING:
        out["pos"] = numbers_text(tuple(pos))
    if quat is not None and turn_between(quat, quaternion.UNIT) > SAME_TURN:
        out["quat"] = notation_text("quat", quat, (False, "xyz"))
    return out


def written(attrs: Attrs, wanted: Placement, settings: Settings) -> dict[str, str | None]:
    """What is to be set, or taken away (None), so that an element is where it is wanted. attrs: of the element as it is, in the class that is in force for it then."""
    out: dict[str, str | None] = {}
    if wanted.fromto is not None and wanted.quat is not None:
        if turn_between(frame_of_ends(wanted.fromto)[1], wanted.quat) <= SAME_TURN:
            wanted = wanted._replace(quat=None)
        else:
            return _box(attrs, wanted)
    for name, value in (("pos", wanted.pos), ("fromto", wanted.fromto), ("axis", wanted.axis), ("dir", wanted.dir), ("fullinertia", wanted.inertia)):
        if value is not None and not _equal(_list(attrs, name), value, _within(name, value)):
            out[name] = _text(attrs, name, value)
    if wanted.quat is not None and ((present := _orientation(attrs, settings)) is None or turn_between(present, wanted.quat) > SAME_TURN):
        out |= _orientation_text(attrs, wanted.quat, settings)
    return out


def _box(attrs: Attrs, wanted: Placement) -> dict[str, str | None]:
    """A box by its frame and size in place of its ends, which cannot say how it lies about its axis any more."""
    ends = wanted.fromto
    half = math.dist(ends[:3], ends[3:]) / 2
    middle = tuple((a + b) / 2 for a, b in zip(ends[:3], ends[3:], strict=True))
    radius = _list(attrs, "size")[0]
    return {"fromto": None, "size": numbers_text((radius, radius, half)), "pos": numbers_text(middle), "quat": notation_text("quat", wanted.quat, (False, "xyz"))}


def _within(name: str, value: tuple) -> list[float]:
    """How near numbers have to come: to rounding of a length of 1, moments of inertia, which may be very small, to rounding of the largest."""
    size = max(map(abs, value)) if name == "fullinertia" else 1.0
    return [ROUNDING * max(size, abs(x)) for x in value]


def _equal(have: tuple | None, value: tuple, within: Sequence[float]) -> bool:
    return have is not None and len(have) == len(value) and all(abs(a - b) <= near for a, b, near in zip(have, value, within, strict=True))


def _text(attrs: Attrs, name: str, value: tuple) -> str | None:
    """None where nothing need be written: it is what holds without the attribute."""
    within = _within(name, value)
    if not attrs.spec.attributes[name].required and not _from_class(attrs, (name,)):
        default = attrs.spec.attributes[name].default
        if default is not None and _equal(tuple(map(float, default.split())), value, within):
            return None
    return numbers_text(value, attrs.element.attrs.get(name, ""), within)


def _from_class(attrs: Attrs, names: Sequence[str]) -> bool:
    return any(name in layer.attrs for layer in attrs.layers[:-1] for name in names)


def _orientation_text(attrs: Attrs, quat: tuple, settings: Settings) -> dict[str, str | None]:
    """In the notation that is in force, if it can say this turn; else as a quaternion."""
    own = [name for name in NOTATIONS if name in attrs.element.attrs]
    if turn_between(quat, quaternion.UNIT) <= SAME_TURN and not _from_class(attrs, NOTATIONS):
        return dict.fromkeys(own)
    name, numbers = numbers_in_force(attrs, quat, settings)
    return in_place_of(attrs.element, name, text_of_numbers(name, numbers, settings, attrs.element.attrs.get(name, "")))
