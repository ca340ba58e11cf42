"""The five ways MJCF writes an orientation, in one place.

quat; axisangle (x y z angle); euler (three angles, one letter each: lower case turns about the moving axis, upper case about the
fixed one); xyaxes (x axis and a vector towards y); zaxis (smallest turn taking z there). At most one may be given.
Quaternions are (w, x, y, z). Source: MuJoCo's MJCF reference, chapter "Frame orientations"; Gram-Schmidt for xyaxes.
"""

from __future__ import annotations

import math

import numpy as np

from physics.rotation.quaternion import multiply

__all__ = ["NOTATIONS", "OrientationError", "from_axisangle", "from_euler", "from_matrix", "from_notation", "from_xyaxes", "from_zaxis", "to_quat"]

NOTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
TINY = 1e-15  # lengths below this have no direction (mjMINVAL)
NEAR_ONE = 1e-14  # a length this close to 1 is left as it is
NO_TURN = 1e-10  # sine below which z and its target count as parallel


class OrientationError(ValueError):
    """The numbers describe no orientation; `attribute` names the notation."""

    def __init__(self, attribute: str, what: str) -> None:
        self.attribute = attribute
        super().__init__(what)


def rotated(quat, vector) -> np.ndarray:
    """A vector turned by a unit quaternion: v + w s + u x s with s = 2 u x v, the order in which replicated elements are placed officially."""
    w, axis = quat[0], quat[1:]
    side = _across(axis, vector) * 2
    return np.asarray(vector) + w * side + _across(axis, side)


def _across(a, b) -> np.ndarray:
    """The cross product of two vectors; numpy's takes ten times as long for just two."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def normalized(vector, attribute: str) -> np.ndarray:
    """The vector at unit length. Raises OrientationError when it has none."""
    vector = np.asarray(vector, dtype=np.float64)
    length = math.sqrt(float(vector @ vector))
    if not length > TINY or not math.isfinite(length):
        raise OrientationError(attribute, f"'{attribute}' has no direction: its length is {length:g}")
    return vector if abs(length - 1.0) <= NEAR_ONE else vector / length  # as the official compiler rounds


def radians(angle, degrees: bool):
    """An angle or array of angles as written, in radians; in the order of operations of the official compiler."""
    return angle / 180.0 * math.pi if degrees else angle


def from_axisangle(axis, angle: float) -> np.ndarray:
    """Turn by `angle` [rad] about an axis of any length."""
    x, y, z = normalized(axis, "axisangle")
    s = math.sin(0.5 * angle)
    return np.array([math.cos(0.5 * angle), s * x, s * y, s * z])


def from_euler(angles, eulerseq: str) -> np.ndarray:
    """Three turns [rad] by the letters of `eulerseq`, lower case about moving axes, upper case about fixed ones."""
    quat = (1.0, 0.0, 0.0, 0.0)
    for angle, letter in zip(np.asarray(angles, np.float64).tolist(), eulerseq, strict=True):
        turn = [math.cos(0.5 * angle), 0.0, 0.0, 0.0]
        turn[1 + "xyz".index(letter.lower())] = math.sin(0.5 * angle)
        quat = multiply(quat, turn) if letter.islower() else multiply(turn, quat)
    return normalized(quat, "euler")


def from_matrix(matrix) -> np.ndarray:
    """Quaternion of a rotation matrix (3, 3), by its largest diagonal combination."""
    (a, b, c), (d, e, f), (g, h, i) = np.asarray(matrix, dtype=np.float64).tolist()
    if a + e + i > 0:
        w = 0.5 * math.sqrt(1 + a + e + i)
        quat = (w, 0.25 * (h - f) / w, 0.25 * (c - g) / w, 0.25 * (d - b) / w)
    elif a > e and a > i:
        x = 0.5 * math.sqrt(1 + a - e - i)
        quat = (0.25 * (h - f) / x, x, 0.25 * (b + d) / x, 0.25 * (c + g) / x)
    elif e > i:
        y = 0.5 * math.sqrt(1 - a + e - i)
        quat = (0.25 * (c - g) / y, 0.25 * (b + d) / y, y, 0.25 * (f + h) / y)
    else:
        z = 0.5 * math.sqrt(1 - a - e + i)
        quat = (0.25 * (d - b) / z, 0.25 * (c + g) / z, 0.25 * (f + h) / z, z)
    return normalized(quat, "quat")


def from_xyaxes(axes) -> np.ndarray:
    """x axis as given, y axis made perpendicular to it, z their cross product."""
    x = normalized(axes[:3], "xyaxes")
    y = np.asarray(axes[3:], dtype=np.float64)
    y = normalized(y - x * (x @ y), "xyaxes")
    return from_matrix(np.column_stack((x, y, np.cross(x, y))))


def from_zaxis(direction) -> np.ndarray:
    """The smallest rotation taking (0, 0, 1) to a direction; a half turn about x when it points straight down."""
    x, y, z = normalized(direction, "zaxis")
    s = math.hypot(x, y)  # z cross v = (-y, x, 0)
    axis = (1.0, 0.0, 0.0) if s < NO_TURN else (-y / s, x / s, 0.0)
    return from_axisangle(axis, math.atan2(s, z))


def to_quat(attrs, degrees: bool, eulerseq: str = "xyz") -> np.ndarray | None:
    """Unit quaternion of an element's orientation, None when none is given.

    attrs: physics.spec.defaults.Attrs. The newest layer that gives any notation decides: the element, then its class, then the
    class around it. degrees: unit of axisangle and euler. Raises OrientationError for numbers without meaning.
    """
    name = attrs.newest(NOTATIONS)
    return from_notation(name, attrs[name], degrees, eulerseq) if name else None


def from_notation(name: str, value: np.ndarray, degrees: bool, eulerseq: str = "xyz") -> np.ndarray:
    """The same of one notation's numbers."""
    if not all(map(math.isfinite, value.tolist())):
        raise OrientationError(name, f"'{name}' holds a number that is not finite")
    if name == "quat":
        return normalized(value, "quat")
    if name == "axisangle":
        return from_axisangle(value[:3], radians(value[3], degrees))
    if name == "euler":
        return from_euler(radians(value, degrees), eulerseq)
    return from_xyaxes(value) if name == "xyaxes" else from_zaxis(value)
