"""An orientation in the notation that an element uses: read from whichever it is, and written back in that, angles in the file's unit and sequence.

    quat = orientation(attrs, settings)      name, numbers = numbers_in_force(attrs, quat, settings)      notation_text(name, quat, settings, before): text or None

settings: (degrees, eulerseq) of a file, physics.expand.replicate.angle_settings. before: what stands there, near which the numbers of several meanings are chosen: an angle beyond
a whole turn stays there, an axis keeps its length and its sense, a quaternion its sign. It is the inverse of physics.rotation.orientation.
Sources: MuJoCo's MJCF reference, chapter "Frame orientations"; angles of three turns from a matrix, for any sequence of axes: Diebel, "Representing Attitude" (2006).
"""
from __future__ import annotations

import math
from collections.abc import Sequence
from types import MappingProxyType

import numpy as np

from editor.notation.numbers import number_of, numbers_text
from physics.expand.replicate import Settings
from physics.rotation import quaternion
from physics.rotation.orientation import NOTATIONS, OrientationError, from_notation
from physics.spec.defaults import Attrs
from physics.spec.element import Element

__all__ = ["NOTATIONS", "euler_angles", "frame_of_ends", "in_place_of", "notation_text", "numbers_in_force", "numbers_of", "orientation", "says",
           "text_of_numbers", "turn_between"]

NEAR = (1e-12, 4e-15)   # rad, or of 1: how near the text of each number is, the first where the turn is within ROUNDED all the same
ROUNDED = 2e-14     # rad
SAID = 1e-12        # rad: numbers of a notation that come nearer say a turn
LOCKED = 1e-13      # cosine of the middle angle (sine, where the outer axes are the same) below which only the sum of the outer angles is known
NO_TURN = 1e-14     # sine of half an angle below which a turn has no axis
UNIT_LENGTH = 1e-3  # from 1: a length that was meant to be 1
Numbers = tuple[float, ...]


# ------------------------------------------------------------------ reading

def orientation(attrs: Attrs, settings: Settings) -> tuple:
    """The unit quaternion that an element says, or its class, in any notation. Raises OrientationError for numbers without meaning."""
    name = attrs.newest(NOTATIONS)
    if not name:
        return quaternion.UNIT
    if attrs[name] is None:
        raise OrientationError(name, f"'{name}' is no list of as many numbers as it needs")
    return tuple(from_notation(name, attrs[name], *settings).tolist())


def frame_of_ends(ends: Sequence[float]) -> tuple[tuple, tuple]:
    """Position, between the ends, and unit quaternion that `fromto` says: z is from the second end to the first."""
    a, b = tuple(map(float, ends[:3])), tuple(map(float, ends[3:]))
    way = tuple(x - y for x, y in zip(a, b, strict=True))
    return tuple((x + y) / 2 for x, y in zip(a, b, strict=True)), quaternion.from_z(quaternion.unit(way)[0])


def turn_between(one: Sequence[float], other: Sequence[float]) -> float:
    """The angle [rad] of the turn from one unit quaternion to another."""
    w, *axis = quaternion.multiply(quaternion.conj(tuple(map(float, one))), tuple(map(float, other)))
    return 2 * math.atan2(math.hypot(*axis), abs(w))


def says(notation: str, numbers: Sequence[float], quat: Sequence[float], settings: Settings, within: float = SAID) -> bool:
    """Whether numbers of a notation mean a turn."""
    try:
        return turn_between(from_notation(notation, np.asarray(numbers, float), *settings).tolist(), quat) <= within
    except (OrientationError, ValueError):
        return False


# ------------------------------------------------------------------ writing

def numbers_of(notation: str, quat: Sequence[float], settings: Settings, before: Sequence[float] | None = None) -> Numbers | None:
    """A turn in a notation: of `zaxis` only where z points; None for a sequence of axes that cannot reach every turn."""
    before = None if before is None or not np.isfinite(np.asarray(before, float)).all() else tuple(map(float, before))
    return _NUMBERS[notation](quaternion.unit(tuple(map(float, quat)))[0], settings, before)


def numbers_in_force(attrs: Attrs, quat: Sequence[float], settings: Settings, within: float | None = SAID) -> tuple[str, Numbers]:
    """(notation, numbers) of a turn for an element: in the notation that is in force if that can say it, else as a quaternion. within: how near [rad], None: how it is turned
    about its own z does not matter."""
    name = attrs.newest(NOTATIONS) or "quat"
    numbers = numbers_of(name, quat, settings, attrs[name])
    if numbers is None or (within is not None and not says(name, numbers, quat, settings, within)):
        name, numbers = "quat", numbers_of("quat", quat, settings)
    return name, numbers


def text_of_numbers(notation: str, numbers: Numbers, settings: Settings, before: str = "") -> str:
    """Numbers of a notation as text: as few digits as say their turn, and words that stand there where their numbers stay."""
    angles, text = {"euler": (0, 1, 2), "axisangle": (3,)}.get(notation, ()), ""
    meant = from_notation(notation, np.asarray(numbers, float), *settings).tolist()
    for near in NEAR:       # rounding is many times larger in single numbers than in the turn, where Euler angles come near their lock
        text = numbers_text(numbers, before, [near * (_unit(settings) if k in angles else 1.0) for k in range(len(numbers))])
        if says(notation, list(map(number_of, text.split())), meant, settings, ROUNDED):
            break
    return text


def notation_text(notation: str, quat: Sequence[float], settings: Settings, before: str = "") -> str | None:
    """The text of a turn in a notation; None where that cannot say it."""
    numbers = numbers_of(notation, quat, settings, _numbers(before))
    return text_of_numbers(notation, numbers, settings, before) if numbers is not None and says(notation, numbers, quat, settings) else None


def in_place_of(element: Element, notation: str, text: str) -> dict[str, str | None]:
    """The attributes by which an element has its orientation in one notation, and in no other."""
    return {**{name: None for name in NOTATIONS if name != notation and name in element.attrs}, notation: text}


def _numbers(text: str) -> Numbers | None:
    try:
        return tuple(map(number_of, text.split())) or None
    except ValueError:
        return None


def _unit(settings: Settings) -> float:
    """What an angle of one radian is in the file."""
    return math.degrees(1.0) if settings[0] else 1.0


def _length(vector: Sequence[float]) -> float:
    """That a vector has by intent: 1 for one that was meant to be of length 1, or has none."""
    length = math.hypot(*vector)
    return length if length > 0 and abs(length - 1.0) > UNIT_LENGTH else 1.0


def _quat(quat: tuple, _settings: Settings, before: Numbers | None) -> Numbers:
    """Near the one that stands there; else its first component that is not 0 is positive."""
    if before is None or len(before) != 4:
        lead = next((x for x in quat if abs(x) > NO_TURN), 1.0)
        return tuple(x + 0.0 if lead > 0 else 0.0 - x for x in quat)
    length = _length(before)
    if sum(a * b for a, b in zip(quat, before, strict=True)) < 0:
        length = -length
    return tuple(length * x + 0.0 for x in quat)


def _axisangle(quat: tuple, settings: Settings, before: Numbers | None) -> Numbers:
    w, *axis = _quat(quat, settings, None)
    sine = math.hypot(*axis)
    angle, length, unit = 2 * math.atan2(sine, w), 1.0, _unit(settings)
    axis = tuple(x / sine for x in axis) if sine > NO_TURN else None
    if before is not None and len(before) == 4 and math.hypot(*before[:3]) > 0:
        length = _length(before[:3])
        if axis is None:
            axis = quaternion.unit(before[:3])[0]
        elif sum(a * b for a, b in zip(axis, before[:3], strict=True)) < 0:
            axis, angle = tuple(-x for x in axis), -angle
        angle = _unwound(angle, before[3] / unit)
    return (*(length * x for x in axis or (0.0, 0.0, 1.0)), angle * unit)


def _xyaxes(quat: tuple, _settings: Settings, before: Numbers | None) -> Numbers:
    m = quaternion.matrix(quat)
    x, y = (_length(before[:3]), _length(before[3:])) if before is not None and len(before) == 6 else (1.0, 1.0)
    return x * m[0], x * m[3], x * m[6], y * m[1], y * m[4], y * m[7]


def _zaxis(quat: tuple, _settings: Settings, before: Numbers | None) -> Numbers:
    m, length = quaternion.matrix(quat), _length(before) if before is not None else 1.0
    return length * m[2], length * m[5], length * m[8]


def _euler(quat: tuple, settings: Settings, before: Numbers | None) -> Numbers | None:
    unit = _unit(settings)
    angles = euler_angles(quat, settings[1], tuple(x / unit for x in before) if before is not None and len(before) == 3 else None)
    return None if angles is None else tuple(unit * x for x in angles)


_NUMBERS = MappingProxyType({"quat": _quat, "axisangle": _axisangle, "xyaxes": _xyaxes, "zaxis": _zaxis, "euler": _euler})


# ------------------------------------------------------------------ three turns

def euler_angles(quat: Sequence[float], sequence: str, before: Sequence[float] | None = None) -> Numbers | None:
    """Three angles [rad] about the letters of a sequence (lower case: the moving axes), of the two triples the one nearest to `before`, else that whose middle angle is up to a
    quarter turn, or positive where the outer axes are the same; None for a sequence that cannot reach all turns.

    With R = R_i(a) R_j(b) R_k(c) the angles a and b are those of single elements of R, and c is what they leave of it: so it is exact however near the outer axes come to one line.
    """
    order = [0]
    for place, letter in enumerate(sequence[1:], 1):    # a turn about a fixed axis comes before all that there are
        order = [*order, place] if letter.islower() else [place, *order]
    i, j, k = ("xyz".index(sequence[place].lower()) for place in order)
    if i == j or j == k:
        return None
    m = np.reshape(quaternion.matrix(tuple(map(float, quat))), (3, 3))
    near = None if before is None else [before[place] for place in order]
    found = [(a, b, _about(k, _turn(j, b).T @ _turn(i, a).T @ m)) for a, b in _outer_and_middle(m, i, j, k, near)]
    best = found[0]
    if near is not None:
        found = [tuple(map(_unwound, angles, near)) for angles in found]
        best = min(found, key=lambda angles: sum(abs(x - y) for x, y in zip(angles, near, strict=True)))
    out = [0.0, 0.0, 0.0]
    for place, angle in zip(order, best, strict=True):
        out[place] = angle
    return tuple(out)


def _outer_and_middle(m: np.ndarray, i: int, j: int, k: int, near: Sequence[float] | None) -> list[tuple[float, float]]:
    """(a, b) of the triples that make a matrix; where the outer axes are one line the first angle stays as it is, or has all of the turn about that."""
    third, s = 3 - i - j, 1.0 if (j - i) % 3 == 1 else -1.0
    if i != k:
        wide = math.hypot(m[i, i], m[i, j])
        a, b = math.atan2(-s * m[j, k], m[k, k]), math.atan2(s * m[i, k], wide)
        other = (a + math.pi, math.pi - b)
    else:
        wide = math.hypot(m[j, i], m[third, i])
        a, b = math.atan2(m[j, i], -s * m[third, i]), math.atan2(wide, m[i, i])
        other = (a + math.pi, -b)
    if wide < LOCKED:
        return [(near[0] if near is not None else _about(i, m @ _turn(j, b).T), b)]
    return [(a, b), other]


def _unwound(angle: float, near: float) -> float:
    """An angle beyond as many whole turns as another one."""
    return angle + 2 * math.pi * round((near - angle) / (2 * math.pi))


def _turn(axis: int, angle: float) -> np.ndarray:
    """The matrix (3, 3) of a turn about an axis."""
    u, v, out = (axis + 1) % 3, (axis + 2) % 3, np.eye(3)
    out[u, u] = out[v, v] = math.cos(angle)
    out[v, u] = math.sin(angle)
    out[u, v] = -out[v, u]
    return out


def _about(axis: int, m: np.ndarray) -> float:
    """The angle of a matrix that turns about an axis."""
    u, v = (axis + 1) % 3, (axis + 2) % 3
    return math.atan2(m[v, u], m[u, u])
