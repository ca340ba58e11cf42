"""A rule about units: angles that were written in the other one."""
from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from physics.diagnostics.advice.finding import count, named, number
from physics.lint.finding import WARNING, Finding
from physics.lint.fix import Fix, Insert, SetAttribute
from physics.lint.joint_kinds import hinges
from physics.lint.subject import Subject
from physics.spec.defaults import Resolver
from physics.spec.element import Element

TURN = 2.0 * math.pi
LEAST = 0.2             # the largest number of a range that says something about its unit
MOST_OF = 0.6           # of the hinges with ranges
MANY_TURNS = 2.0 * TURN     # rad: a hinge with more is rare
TOLERANCE = 1.01
ROUND = (math.pi / 6, math.pi / 4, math.pi / 3, math.pi / 2, 2 * math.pi / 3, 3 * math.pi / 4, math.pi, 1.5 * math.pi, TURN)     # what ranges in rad are made of
NEAR = 0.01
ORIENTATIONS = ("euler", "axisangle")       # notations with angles
JOINT_ANGLES = ("range", "ref", "springref")        # of hinges and balls


def unit_slip(s: Subject) -> Iterator[Finding]:
    """Hinge ranges in radians where angles are read as degrees, or the other way round."""
    degrees = s.settings("compiler", "angle", "degree") == "degree"
    rows = [(j, element, values) for j in np.flatnonzero(hinges(s.m)).tolist() if (element := _hinge(s, j)) is not None and (values := _range(s, element)) is not None]
    if not rows:
        return
    largest = np.array([np.abs(values).max() for _j, _e, values in rows])
    if degrees:
        slipped = (largest <= TURN * TOLERANCE) & (largest > LEAST) & np.array([(values != np.round(values)).any() for _j, _e, values in rows])     # whole numbers are degrees
        if slipped.mean() < MOST_OF or slipped.sum() < 2 and not _is_round(rows[int(np.argmax(slipped))][2]):
            return
        told, other = "degrees (the default of <compiler angle>)" if not s.settings("compiler", "angle") else "degrees", "radian"
    else:
        slipped = largest > MANY_TURNS
        if slipped.mean() < MOST_OF:
            return
        told, other = "radians", "degree"
    worst = int(np.argmax(np.where(slipped, largest, -1.0)))
    j, element, values = rows[worst]
    widest = np.degrees(largest[worst]) if not degrees else largest[worst]
    text = (f"{count(int(slipped.sum()), 'hinge')} of the {len(rows)} with a range have numbers that look like {other}s, and they are read as {told}: "
            f"{named(s.m, 'joint', j)} has range {number(float(values[0]))} {number(float(values[1]))}, "
            + (f"so that it can turn by {number(float(widest))} degrees at most." if degrees else f"which are {number(float(largest[worst] / TURN))} turns."))
    remedy = f'<compiler angle="{other}"/>, if the angles of the whole file are in {other}s.'
    compiler = next((c for c in reversed(s.root.all("compiler")) if "angle" in c.attrs), None) or s.root.first("compiler")
    yield s.finding("unit_slip", WARNING, compiler or s.root, text, remedy, s.items("joint", *(rows[k][0] for k in np.flatnonzero(slipped))), [_other_unit(s, compiler, other)])


def _hinge(s: Subject, j: int) -> Element | None:
    """The element of a hinge of the main model: others may be written under other settings."""
    element = s.of("joint", j)
    return element if element is not None and element.tag == "joint" and s.written(element) is not None else None


def _range(s: Subject, element: Element) -> np.ndarray | None:
    """As it is written; None for none."""
    attrs = s.attrs(element)
    values = attrs["range"] if attrs.given("range") else None
    return values if values is not None and len(values) == 2 and np.isfinite(values).all() and values[0] < values[1] else None


def _is_round(values: np.ndarray) -> bool:
    """Whether a range of one hinge is made of parts of pi."""
    return all(not x or min(abs(part - abs(x)) for part in ROUND) < NEAR for x in values)


def _other_unit(s: Subject, compiler: Element | None, other: str) -> Fix | None:
    """Switch the unit, where no angle of the file speaks against it: it is that of all of them."""
    for values, is_range in _angles(s):
        largest = max(map(abs, values), default=0.0)
        if other == "radian" and largest > TURN * TOLERANCE:
            return None
        # in degrees next to nothing, in radians what people write
        if other == "degree" and 0 < largest <= TURN * TOLERANCE and (not is_range or any(x != round(x) for x in values)):
            return None
    label = f'Set <compiler angle="{other}"/>'
    if compiler is None:
        return Fix(label, (Insert(s.root.id, "compiler", (("angle", other),)),))
    there = s.written(compiler)
    return Fix(label, (SetAttribute(there.id, "angle", other),)) if there is not None else None


def _angles(s: Subject) -> Iterator[tuple[list[float], bool]]:
    """Numbers of the file that are in the unit of <compiler angle>, and whether they are a range."""
    resolver = Resolver(s.root)
    for element in s.root.walk():
        for name in ORIENTATIONS:
            words = element.attrs.get(name, "").split()[-1 if name == "axisangle" else 0:]
            yield list(map(_number, words)), False
        if element.tag == "joint" and not _slides(resolver, element):
            for name in JOINT_ANGLES:
                yield list(map(_number, element.attrs.get(name, "").split())), name == "range"


def _slides(resolver: Resolver, element: Element) -> bool:
    """Whether the numbers of a joint are in m, or it is no joint of a body: in a tendon or an equality."""
    known = resolver.context.get(element.id)
    if known is None or known[0].path not in ("body/joint", "default/joint"):
        return True
    attrs = resolver.attrs(element) if known[0].path == "body/joint" else resolver.in_default(element)
    return attrs["type"] == "slide"


def _number(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        return 0.0
