"""A rule about keyframes: rotations that are none, positions beyond limits, controls beyond their range."""
from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from physics.diagnostics.advice.finding import count, named, number
from physics.lint.finding import NOTE, WARNING, Finding
from physics.lint.fix import Fix, SetWords, numbers_text
from physics.lint.joint_kinds import hinges, quaternions, scalar_joints
from physics.lint.subject import Subject
from physics.spec.element import Element

NORM = 1e-3
SLACK = 5e-3        # of a range, and m or rad: rounding of texts
LITTLE = 0.02       # of a range: beyond it by less is a note


def keyframes(s: Subject) -> Iterator[Finding]:
    """What is wrong with the numbers of each keyframe."""
    for k in range(s.m.nkey):
        element = s.of("key", k)
        if element is None:
            continue
        yield from _rotations(s, k, element)
        yield from _positions(s, k, element)
        yield from _controls(s, k, element)


def _name(s: Subject, k: int) -> str:
    name = s.m.names["key"][k]
    return f"Keyframe '{name}'" if name else f"Keyframe {k}"


def _words(s: Subject, element: Element, attribute: str, length: int) -> list[str] | None:
    """The numbers as they are written, where they are those of the Model's field."""
    words = element.attrs.get(attribute, "").split()
    return words if len(words) == length and s.written(element) is not None else None


def _fix(s: Subject, element: Element, attribute: str, words: dict[int, str], label: str) -> Fix:
    """Other numbers for some of a list."""
    return Fix(label, (SetWords(s.written(element).id, attribute, tuple(words.items())),))


def _rotations(s: Subject, k: int, element: Element) -> Iterator[Finding]:
    m = s.m
    places = [(at, named(m, "joint", j)) for j, at in quaternions(m)]
    mocap = [(4 * int(m.body_mocapid[b]), named(m, "body", b)) for b in np.flatnonzero(m.body_mocapid >= 0).tolist()]
    for attribute, length, spots in (("qpos", m.nq, places), ("mquat", 4 * m.nmocap, mocap)):
        words = _words(s, element, attribute, length)
        if words is None:
            continue
        wrong, mended = [], {}
        for at, name in spots:
            quat = np.array(words[at:at + 4], float)
            norm = float(np.linalg.norm(quat))
            if abs(norm - 1.0) > NORM:
                wrong.append((norm, name))
                mended |= dict(enumerate(numbers_text(quat / norm if norm > 1e-6 else (1.0, 0.0, 0.0, 0.0), 9).split(), at))
        if wrong:
            norm, name = max(wrong, key=lambda row: abs(row[0] - 1.0))
            text = f"{_name(s, k)}: the rotation of {name} is a quaternion of length {number(norm)}{_others(wrong)}; it is made a unit quaternion when it is compiled."
            yield s.finding("keyframe", WARNING, element, text, "Check the order of the numbers (w first); write it with length 1.", s.items("key", k),
                            [_fix(s, element, attribute, mended, "Write it with length 1")], attribute + " rotation", abs(norm - 1.0))


def _others(wrong: list) -> str:
    return f", as {count(len(wrong) - 1, 'other')}" if len(wrong) > 1 else ""


def _beyond(values: np.ndarray, ranges: np.ndarray) -> np.ndarray:
    """How far values are beyond their ranges, with their sign; 0 within, and for what rounding explains."""
    far = values - np.clip(values, ranges[:, 0], ranges[:, 1])
    return np.where(np.abs(far) > SLACK * np.minimum(1.0, ranges[:, 1] - ranges[:, 0]), far, 0.0)


def _severity(far: np.ndarray, ranges: np.ndarray) -> str:
    return WARNING if (np.abs(far) > LITTLE * (ranges[:, 1] - ranges[:, 0])).any() else NOTE


def _beyond_ranges(s: Subject, k: int, element: Element, attribute: str, at: np.ndarray, ranges: np.ndarray, said: Callable[[int, str, str, str], tuple[str, str]],
                   length: int) -> Iterator[Finding]:
    """Numbers of a keyframe's list beyond their ranges. at: their places in it; said(row, value, range, how far): what is wrong and what helps, in words."""
    values = getattr(s.m, f"key_{attribute}")[k][at]
    far = _beyond(values, ranges)
    rows = np.flatnonzero(far)
    if not len(rows):
        return
    worst = rows[np.argmax(np.abs(far[rows]) / np.maximum(1e-12, ranges[rows, 1] - ranges[rows, 0]))]
    text, remedy = said(int(worst), number(float(values[worst])), " to ".join(number(float(end)) for end in ranges[worst]), f"{number(float(abs(far[worst])))}{_others(rows)}")
    fixes = []
    if _words(s, element, attribute, length) is not None:
        ends = {int(at[row]): numbers_text([float(np.clip(values[row], *ranges[row]))], 9) for row in rows}
        fixes.append(_fix(s, element, attribute, ends, "Move to the end of the range"))
    yield s.finding("keyframe", _severity(far, ranges), element, f"{_name(s, k)}: {text}", remedy, s.items("key", k), fixes, attribute, float(np.abs(far[worst])))


def _positions(s: Subject, k: int, element: Element) -> Iterator[Finding]:
    m = s.m
    joints = np.flatnonzero(m.jnt_limited.astype(bool) & scalar_joints(m))

    def said(row: int, value: str, ends: str, far: str) -> tuple[str, str]:
        j = int(joints[row])
        return (f"{named(m, 'joint', j)} is at {value} {'rad' if hinges(m)[j] else 'm'}, beyond its range {ends} by {far}: its limit pushes from the first step on.",
                "Another position, or a wider range; keyframes are in radians, whatever angle= says.")

    yield from _beyond_ranges(s, k, element, "qpos", m.jnt_qposadr[joints], m.jnt_range[joints], said, m.nq)


def _controls(s: Subject, k: int, element: Element) -> Iterator[Finding]:
    m = s.m
    limited = np.flatnonzero(m.actuator_ctrllimited.astype(bool))

    def said(row: int, value: str, ends: str, far: str) -> tuple[str, str]:
        actuator = int(np.searchsorted(m.actuator_ctrladr, limited[row], side="right") - 1)
        return (f"the ctrl of {named(m, 'actuator', actuator)} is {value}, beyond its ctrlrange {ends} by {far}: what acts is the end of the range.",
                "Another ctrl, or a wider ctrlrange.")

    if "ctrl" in element.attrs:
        yield from _beyond_ranges(s, k, element, "ctrl", limited, m.actuator_ctrlrange[limited], said, m.nu)
