"""One orientation in five notations: what its numbers are in each, and which a document uses.

MuJoCo documentation, XML reference, "Frame orientations". Angles of Euler sequences follow from single elements of the rotation matrix R = R_i(a) R_j(b) R_k(c): of three
different axes
R[i,k] = s sin b (s: whether i, j, k are in cyclic order, 1 or -1), of two R[i,i] = cos b.
"""
from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

import numpy as np

from editor.inspect.units import eulerseq_of, is_degrees
from editor.inspect.values import as_text
from physics.rotation.orientation import NOTATIONS, OrientationError, from_notation
from physics.schema.numbers import parse
from physics.schema.schema import ElementSpec
from physics.spec.element import Element

__all__ = ["NOTATIONS", "has_orientation", "notation_in_use", "quat_of", "same_turn", "words_of"]

DIGITS = 9          # significant, of converted numbers
SINGULAR = 1e-7     # sine or cosine of the middle angle below which the first and the third axis are the same
IDENTITY = (1.0, 0.0, 0.0, 0.0)


def has_orientation(spec: ElementSpec) -> bool:
    """Whether an element can be turned in any of the notations."""
    return all(name in spec.attributes for name in NOTATIONS)


def notation_in_use(root: Element, tag: str = "") -> str:
    """The notation that the document uses most for elements of a tag, else for others without the two that are for cameras and the like; 'euler' where it uses none."""
    turned = [(element.tag, name) for element in root.walk() for name in NOTATIONS if name in element.attrs]
    found = Counter(name for kind, name in turned if kind == tag) or Counter(name for _kind, name in turned if name not in ("xyaxes", "zaxis"))
    return found.most_common(1)[0][0] if found else "euler"


def quat_of(spec: ElementSpec, notation: str, words: tuple[str, ...] | list[str], root: Element) -> np.ndarray:
    """The unit quaternion of a notation's numbers. Raises ValueError for what is no orientation."""
    value, problem, _warning = parse(spec.attributes[notation], " ".join(words))
    if value is None:
        raise ValueError(problem or f"{notation} is empty")
    try:
        return from_notation(notation, value, is_degrees(root), eulerseq_of(root))
    except OrientationError as error:
        raise ValueError(str(error)) from None


def same_turn(one, other, within: float = 1e-6) -> bool:
    """Whether two unit quaternions turn alike."""
    return abs(abs(float(np.dot(one, other))) - 1.0) < within ** 2 and min(np.abs(one - other).max(), np.abs(one + other).max()) < within


def words_of(notation: str, quat, root: Element) -> tuple[str, ...]:
    """The numbers of an orientation in a notation, angles in the unit of the text. zaxis keeps only where z points. Raises ValueError for an eulerseq that cannot say it."""
    quat = np.asarray(quat, float)
    turn = math.degrees if is_degrees(root) else float
    if notation == "quat":
        numbers = quat if quat[0] >= 0 else -quat
    elif notation == "axisangle":
        numbers = (*_axis(quat), turn(2 * math.atan2(float(np.linalg.norm(quat[1:])), float(quat[0]))))
        if numbers[3] > turn(math.pi):
            numbers = (*(-x for x in numbers[:3]), turn(2 * math.pi) - numbers[3])
    elif notation == "euler":
        numbers = tuple(turn(angle) for angle in _euler(matrix_of(quat), eulerseq_of(root)))
    else:
        matrix = matrix_of(quat)
        numbers = matrix[:, 2] if notation == "zaxis" else (*matrix[:, 0], *matrix[:, 1])
    return tuple(as_text(_tidy(float(number))) for number in numbers)


def _tidy(number: float) -> float:
    """Without what rounding left."""
    number = float(f"{number:.{DIGITS}g}")
    return 0.0 if abs(number) < 1e-10 else number


def _axis(quat: np.ndarray) -> tuple[float, float, float]:
    length = float(np.linalg.norm(quat[1:]))
    return tuple(float(x) / length for x in quat[1:]) if length > 1e-12 else (0.0, 0.0, 1.0)


def matrix_of(quat) -> np.ndarray:
    """The rotation matrix (3, 3) of a unit quaternion."""
    w, x, y, z = (float(v) for v in quat)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def _order(eulerseq: str) -> list[int]:
    """The numbers of the three turns in the order in which they stand in R: one about a moving axis (lower case) is put behind those before it, one about a fixed axis in front."""
    order: list[int] = []
    for k, letter in enumerate(eulerseq):
        order = [*order, k] if letter.islower() else [k, *order]
    return order


def _euler(matrix: np.ndarray, eulerseq: str) -> tuple[float, float, float]:
    """Three angles [rad] of a rotation matrix, in the order of `eulerseq`; the last of R is 0 where only the sum of two matters. Raises ValueError."""
    order = _order(eulerseq)
    i, j, k = ("xyz".index(eulerseq[place].lower()) for place in order)
    if i == j or j == k:
        raise ValueError(f"eulerseq {eulerseq} turns twice about the same axis: it cannot say every orientation")
    third = 3 - i - j
    s = 1.0 if (j - i) % 3 == 1 else -1.0
    if i == k:
        sine = math.hypot(matrix[i, j], matrix[i, third])
        middle = math.atan2(sine, matrix[i, i])
        first, last = math.atan2(matrix[j, i], -s * matrix[third, i]), math.atan2(matrix[i, j], s * matrix[i, third])
    else:
        sine = math.hypot(matrix[i, i], matrix[i, j])       # cosine of the middle angle
        middle = math.atan2(s * matrix[i, third], sine)
        first, last = math.atan2(-s * matrix[j, third], matrix[third, third]), math.atan2(-s * matrix[i, j], matrix[i, i])
    if sine < SINGULAR:
        first, last = math.atan2(s * matrix[third, j], matrix[j, j]), 0.0
    angles = [0.0, 0.0, 0.0]
    for place, angle in zip(order, (first, middle, last), strict=True):
        angles[place] = angle
    return tuple(angles)


def offered(spec: ElementSpec, notation: str, words: tuple[str, ...], root: Element) -> Mapping[str, str]:
    """Notations that an orientation can be written in: {notation: why not, '' where it can}."""
    try:
        quat = quat_of(spec, notation, words, root)
    except ValueError as error:
        return {name: "" if name == notation else str(error) for name in NOTATIONS}
    out = {}
    for name in NOTATIONS:
        try:
            back = quat_of(spec, name, words_of(name, quat, root), root)
            out[name] = "" if same_turn(quat, back) else "it would lose the turn about z" if name == "zaxis" else "it cannot say this orientation"
        except ValueError as error:
            out[name] = str(error)
    out[notation] = ""
    return out
