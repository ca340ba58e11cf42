"""What one replicate makes: the same elements again and again, each time a step further and under a numbered name.

Source: MuJoCo's XML reference, `replicate`; that the turn of copy k is k times the angles rather than k turns, so that rounding does not
add up, was found by trying.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from physics.rotation.orientation import from_euler, radians, rotated
from physics.spec.defaults import Attrs
from physics.spec.element import Element

__all__ = ["Settings", "angle_settings", "copies", "copy_count", "suffix"]

Settings = tuple[bool, str]  # degrees, eulerseq


def angle_settings(root: Element) -> Settings:
    """How a file writes angles: its <compiler> elements, the last setting wins."""
    degrees, sequence = True, "xyz"
    for element in root.all("compiler"):
        degrees = element.attrs.get("angle", "degree" if degrees else "radian").strip() == "degree"
        sequence = element.attrs.get("eulerseq", sequence)
    return degrees, sequence if len(sequence) == 3 and all(letter in "xyzXYZ" for letter in sequence) else "xyz"


def suffix(separator: str, count: int, k: int) -> str:
    """What copy k of `count` adds to names: as many digits as the count has."""
    return f"{separator}{k:0{len(str(count))}d}"


def copy_count(element: Element) -> int:
    """How many copies; a count below 1 makes none."""
    return max(0, Attrs.alone(element, "body/replicate")["count"])


def copies(element: Element, settings: Settings) -> Iterator[tuple[str, str]]:
    """(pos, quat) of each copy, as attributes. Raises ValueError for numbers that are not finite."""
    attrs = Attrs.alone(element, "body/replicate")
    offset, euler = (np.zeros(3) if attrs[name] is None else attrs[name] for name in ("offset", "euler"))
    if not (np.isfinite(offset).all() and np.isfinite(euler).all()):
        raise ValueError("a number is not finite")
    pos = np.zeros(3)
    for k in range(copy_count(element)):
        quat = from_euler(radians(k * euler, settings[0]), settings[1])
        yield _text(pos), _text(quat)
        pos = pos + rotated(quat, offset)


def _text(values: np.ndarray) -> str:
    return " ".join(map(repr, values.tolist()))

