"""Poses in the words of an element: read from its attributes, and written in the notation that it uses already.

    placement = placed(attrs, settings)  ->  placement.under(pos, quat), placement.mirrored(axis)  ->  written(attrs, placement, settings): {attribute: text or None}

Numbers get as few digits as give the value to rounding (1e-15 of 1 or of their size); a number that stays keeps its characters, and what the class says already is not written.
Sources: MuJoCo's MJCF reference, "Frame orientations"; Diebel, "Representing Attitude" (2006), for Euler angles.
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.expand.replicate import Settings
from physics.rotation import quaternion
from physics.rotation.orientation import NOTATIONS, OrientationError, from_notation
from physics.spec.defaults import Attrs

__all__ = ["Placement", "Pose", "UNIT_POSE", "numbers_text", "placed", "pose_of", "written"]

Pose = tuple[tuple, tuple]      # position, unit quaternion
UNIT_POSE: Pose = (quaternion.ZERO3, quaternion.UNIT)
ROUNDING = 1e-15        # of 1 or of a number's size: what digits beyond it say is rounding
SAME_TURN = 4e-15       # components of quaternions that count as one turn


def number_text(value: float) -> str:
    """The shortest text of a number, to rounding."""
    allowed = ROUNDING * max(1.0, abs(value))
    if abs(value) <= allowed:
        return "0"
    for digits in range(1, 17):
        text = f"{value:.{digits}g}"
        if abs(float(text) - value) <= allowed:
            return text
    return repr(float(value))


def numbers_text(values: Sequence[float], before: str = "") -> str:
    """Several numbers as text. before: what is written now: words of it whose number stays are kept."""
    words = before.split()
    if len(words) != len(values):
        return " ".join(map(number_text, values))
    return " ".join(word if _says(word, value) else number_text(value) for word, value in zip(words, values, strict=True))


def _says(word: str, value: float) -> bool:
    try:
        return abs(float(word) - value) <= ROUNDING * max(1.0, abs(value))
    except ValueError:
        return False


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


def _list(attrs: Attrs, name: str) -> tuple:
    value = attrs[name]
    return () if value is None else tuple(value.tolist())


def orientation(attrs: Attrs, settings: Settings) -> tuple:
    """The turn that an element says, whatever the notation; none where its numbers have no meaning."""
    name = attrs.newest(NOTATIONS)
    if not name:
        return quaternion.UNIT
    try:
        return tuple(from_notation(name, attrs[name], *settings).tolist())
    except (OrientationError, ValueError, TypeError):
        return quaternion.UNIT


def placed(attrs: Attrs, settings: Settings) -> Placement:
    """Where an element is by its attributes and its class. settings: how angles are written (physics.expand.replicate.angle_settings)."""
    known = attrs.spec.attributes
    if "fromto" in known and attrs.given("fromto"):
        return Placement(quat=pose_of(attrs, settings)[1] if attrs["type"] == "box" else None, fromto=_list(attrs, "fromto"))
    pos = (_list(attrs, "pos") or quaternion.ZERO3) if "pos" in known else None
    quat = orientation(attrs, settings) if "quat" in known else None
    axis = _list(attrs, "axis") if "axis" in known else None
    direction = _list(attrs, "dir") if "dir" in known else None
    if "fullinertia" in known and attrs.given("fullinertia"):
        return Placement(pos, None, inertia=_list(attrs, "fullinertia"))
    return Placement(pos, quat, None, axis, direction)


def pose_of(attrs: Attrs, settings: Settings) -> Pose:
    """The frame of an element in what it stands in."""
    known = attrs.spec.attributes
    if "fromto" in known and attrs.given("fromto"):
        ends = _list(attrs, "fromto")
        direction = quaternion.unit(tuple(a - b for a, b in zip(ends[:3], ends[3:], strict=True)))[0]
        return tuple((a + b) / 2 for a, b in zip(ends[:3], ends[3:], strict=True)), quaternion.from_z(direction)
    return (_list(attrs, "pos") or quaternion.ZERO3) if "pos" in known else quaternion.ZERO3, orientation(attrs, settings) if "quat" in known else quaternion.UNIT


def written(attrs: Attrs, wanted: Placement, settings: Settings) -> dict[str, str | None]:
    """What is to be set, or taken away (None), so that an element is where it is wanted. attrs: of the element as it is, in the class that is in force for it then."""
    out: dict[str, str | None] = {}
    if wanted.fromto is not None and wanted.quat is not None:
        if _same_turn(_turn_of_ends(wanted.fromto), wanted.quat):
            wanted = wanted._replace(quat=None)
        else:
            return _box(attrs, wanted)
    for name, value in (("pos", wanted.pos), ("fromto", wanted.fromto), ("axis", wanted.axis), ("dir", wanted.dir), ("fullinertia", wanted.inertia)):
        if value is not None and not _equal(_list(attrs, name), value):
            out[name] = _text(attrs, name, value)
    if wanted.quat is not None and not _same_turn(orientation(attrs, settings), wanted.quat):
        out |= _orientation_text(attrs, wanted.quat, settings)
    return out


def _turn_of_ends(ends: tuple) -> tuple:
    return quaternion.from_z(quaternion.unit(tuple(a - b for a, b in zip(ends[:3], ends[3:], strict=True)))[0])


def _box(attrs: Attrs, wanted: Placement) -> dict[str, str | None]:
    """A box by its frame and size in place of its ends, which cannot say how it lies about its axis any more."""
    ends = wanted.fromto
    half = math.dist(ends[:3], ends[3:]) / 2
    middle = tuple((a + b) / 2 for a, b in zip(ends[:3], ends[3:], strict=True))
    radius = _list(attrs, "size")[0]
    return {"fromto": None, "size": numbers_text((radius, radius, half)), "pos": numbers_text(middle), "quat": numbers_text(_quat(wanted.quat, (False, "")))}


def _equal(have: tuple, value: tuple) -> bool:
    return len(have) == len(value) and all(abs(a - b) <= ROUNDING * max(1.0, abs(b)) for a, b in zip(have, value, strict=True))


def _same_turn(a: tuple, b: tuple) -> bool:
    return any(all(abs(x - sign * y) <= SAME_TURN for x, y in zip(a, b, strict=True)) for sign in (1.0, -1.0))


def _text(attrs: Attrs, name: str, value: tuple) -> str | None:
    """None where nothing need be written: it is what holds without the attribute."""
    if not attrs.spec.attributes[name].required and not _from_class(attrs, (name,)):
        default = attrs.spec.attributes[name].default
        if default is not None and _equal(tuple(map(float, default.split())), value):
            return None
    return numbers_text(value, attrs.element.attrs.get(name, ""))


def _from_class(attrs: Attrs, names: Sequence[str]) -> bool:
    return any(name in layer.attrs for layer in attrs.layers[:-1] for name in names)


def _orientation_text(attrs: Attrs, quat: tuple, settings: Settings) -> dict[str, str | None]:
    """In the notation that is in force, if it can say this turn; else as a quaternion."""
    own = [name for name in NOTATIONS if name in attrs.element.attrs]
    if _same_turn(quat, quaternion.UNIT) and not _from_class(attrs, NOTATIONS):
        return dict.fromkeys(own)
    name = attrs.newest(NOTATIONS) or "quat"
    before = attrs.element.attrs.get(name, "")
    text = notation_text(name, quat, settings, before)
    if text is None:
        name, text = "quat", notation_text("quat", quat, settings)
    return {**{other: None for other in own if other != name}, name: text}


def notation_text(name: str, quat: tuple, settings: Settings, before: str = "") -> str | None:
    """A turn in a notation, None where it cannot say it to rounding."""
    values = _VALUES[name](quat, settings)
    if values is None:
        return None
    text = numbers_text(values, before)
    try:
        again = tuple(from_notation(name, np.array([float(word) for word in text.split()]), *settings).tolist())
    except (OrientationError, ValueError):
        return None
    return text if _near(again, quat) or name == "quat" else None


def _near(a: tuple, b: tuple) -> bool:
    return abs(abs(sum(x * y for x, y in zip(a, b, strict=True))) - 1.0) <= 1e-15 and any(
        all(abs(x - sign * y) <= 1e-14 for x, y in zip(a, b, strict=True)) for sign in (1.0, -1.0))


def _quat(quat: tuple, _settings: Settings) -> tuple:
    """Its first component that is not 0 is positive."""
    lead = next((x for x in quat if abs(x) > ROUNDING), 1.0)
    return tuple(x if lead > 0 else -x for x in quat)


def _axisangle(quat: tuple, settings: Settings) -> tuple:
    axis, sine = quaternion.unit(quat[1:])
    if sine == 0.0:
        return (0.0, 0.0, 1.0, 0.0)
    angle = 2 * math.atan2(sine, quat[0])
    return (*axis, _angle(angle if angle <= math.pi else angle - 2 * math.pi, settings))


def _angle(value: float, settings: Settings) -> float:
    return value * 180.0 / math.pi if settings[0] else value


def _xyaxes(quat: tuple, _settings: Settings) -> tuple:
    m = quaternion.matrix(quat)
    return m[0], m[3], m[6], m[1], m[4], m[7]


def _zaxis(quat: tuple, _settings: Settings) -> tuple:
    m = quaternion.matrix(quat)
    return m[2], m[5], m[8]


def _euler(quat: tuple, settings: Settings) -> tuple | None:
    """The three angles in the order of `eulerseq`, whose letters turn about moving axes where small and fixed ones where capital."""
    order: list[tuple[int, int]] = []       # (axis, place among the letters), as turns about moving axes
    for place, letter in enumerate(settings[1]):
        turn = ("xyz".index(letter.lower()), place)
        order = [*order, turn] if letter.islower() else [turn, *order]
    a, b, c = (axis for axis, _place in order)
    if a == b or b == c:
        return None
    m = np.reshape(quaternion.matrix(quat), (3, 3))
    third = 3 - a - b
    sign = 1.0 if (b - a) % 3 == 1 else -1.0
    if a == c:
        sine = math.hypot(m[a, b], m[a, third])
        middle = math.atan2(sine, m[a, a])
        level, first, last = sine < 1e-12, (m[b, a], -sign * m[third, a]), (m[a, b], sign * m[a, third])
    else:
        cosine = math.hypot(m[a, a], m[a, b])
        middle = math.atan2(sign * m[a, c], cosine)
        level, first, last = cosine < 1e-12, (-sign * m[b, c], m[c, c]), (-sign * m[a, b], m[a, a])
    angles = (math.atan2(sign * m[third, b], m[b, b]), middle, 0.0) if level else (math.atan2(*first), middle, math.atan2(*last))
    out = [0.0, 0.0, 0.0]
    for (_axis, place), angle in zip(order, angles, strict=True):
        out[place] = _angle(angle, settings)
    return tuple(out)


_VALUES = MappingProxyType({"quat": _quat, "axisangle": _axisangle, "xyaxes": _xyaxes, "zaxis": _zaxis, "euler": _euler})
