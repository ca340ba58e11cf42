"""Position and orientation attributes, with their checks."""
from __future__ import annotations

import math
from collections.abc import Iterable

from physics.compiler.build import Build
from physics.compiler.source import numbers
from physics.enums import GEOM_BOX, GEOM_CAPSULE, GEOM_CYLINDER, GEOM_ELLIPSOID
from physics.errors import Issue
from physics.rotation.orientation import NOTATIONS, OrientationError, from_notation
from physics.rotation.quaternion import UNIT, ZERO3, from_z, unit
from physics.spec.defaults import Attrs
from physics.spec.element import Element

LARGE = 1e10  # a length beyond it leaves no digits for what is near
LARGEST = 1e100   # the square of a length beyond it is hardly a double


def position(build: Build, attrs: Attrs, name: str = "pos") -> tuple:
    """A position; the origin when none is given or it is not a number."""
    return checked_position(build, attrs, name, numbers(attrs[name]))


def checked_position(build: Build, attrs: Attrs, name: str, value: tuple) -> tuple:
    """The same of a value that has been read, () for none."""
    x, y, z = value = value or ZERO3
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        build.problems.error(attrs.element, f"'{name}' is not finite", attr=name)
        return ZERO3
    check_length(build, attrs.element, name, value)
    return value


def check_length(build: Build, element: Element, name: str, values: Iterable[float]) -> None:
    """Warn of lengths that leave no digits, and refuse those that cannot be squared."""
    longest = max(map(abs, values))
    if longest > LARGEST:
        build.problems.error(element, f"'{name}' is absurdly large", f"No length may exceed {LARGEST:g}", name)
    elif longest > LARGE:
        build.problems.warn(element, f"'{name}' is huge: numbers lose their digits at such lengths", f"Stay below {LARGE:g}", name)


def orientation(build: Build, attrs: Attrs) -> tuple:
    """Unit quaternion of whatever notation is given."""
    name = attrs.newest(NOTATIONS)
    if not name:
        return UNIT
    scope, value = build.source.scope(attrs.element), attrs[name]
    key = name, value.tobytes(), scope.degree, scope.eulerseq
    if key in build.shared.orientations:
        return build.shared.orientations[key]
    try:
        quat = build.shared.orientations[key] = tuple(from_notation(name, value, scope.degree, scope.eulerseq).tolist())
        return quat
    except OrientationError as problem:
        build.problems.issues.append(Issue("error", attrs.place(problem.attribute), build.source.resolver.path(attrs.element), str(problem)))
        return UNIT


def from_fromto(build: Build, attrs: Attrs, kind: int, size: tuple) -> tuple[tuple, tuple, tuple] | None:
    """Position, quaternion and size of a geom or site given by its two ends; None without fromto."""
    if not attrs.given("fromto"):
        return None
    ends = numbers(attrs["fromto"])
    if not all(map(math.isfinite, ends)):
        build.problems.error(attrs.element, "'fromto' is not finite", attr="fromto")
        return ZERO3, UNIT, size
    misspelt = attrs.element.attrs.get("type") not in (None, attrs["type"])     # which is told already
    if kind not in (GEOM_CAPSULE, GEOM_CYLINDER, GEOM_ELLIPSOID, GEOM_BOX) and not misspelt:
        build.problems.error(attrs.element, "fromto needs a capsule, cylinder, ellipsoid or box", attr="fromto")
    if any(numbers(attrs["pos"]) or ZERO3):
        build.problems.error(attrs.element, "pos and fromto cannot both be given", attr="fromto")
    direction, length = unit(tuple(a - b for a, b in zip(ends[:3], ends[3:])))
    if length / 2 < 1e-14:
        build.problems.error(attrs.element, "the two points of fromto are too close", attr="fromto")
        return ZERO3, UNIT, size
    half = length / 2
    size = (size[0], size[0], half) if kind in (GEOM_ELLIPSOID, GEOM_BOX) else (size[0], half, size[2])
    return tuple((a + b) / 2 for a, b in zip(ends[:3], ends[3:])), from_z(direction), size
