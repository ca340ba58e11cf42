"""A person's hand as headsets see it: 25 joints in WebXR's order, the frame of its palm, and the angles of its fingers.

The frame of a palm: x from the wrist to the knuckles, z out of the back of the hand, y to the left of a hand that lies on its palm (of a right hand the thumb's side).
Made from positions of joints only, it is the same for every headset, and for hands of models.

Source: W3C, WebXR Hand Input Module, "Skeleton joints".
"""
from __future__ import annotations

from math import hypot
from types import MappingProxyType

import numpy as np

WRIST = 0
JOINTS = 25
# finger -> its joints from the one where it leaves the palm to its tip; thumb: metacarpal, proximal, distal, tip, others: proximal, intermediate, distal, tip
FINGERS = MappingProxyType({"thumb": (1, 2, 3, 4), "index": (6, 7, 8, 9), "middle": (11, 12, 13, 14), "ring": (16, 17, 18, 19), "little": (21, 22, 23, 24)})
LONG = ("index", "middle", "ring", "little")
KNUCKLES = tuple(FINGERS[name][0] for name in LONG)
SIDES = MappingProxyType({"right": 1.0, "left": -1.0})
SMALLEST = 1e-6     # lengths below are no directions [m]


def palm_frame(wrist: np.ndarray, knuckles: np.ndarray, side: str) -> np.ndarray:
    """The frame (3, 3), axes as columns, of a palm with its wrist (3) and two or more knuckles (k, 3) of long fingers from the index finger on. side: 'right' or 'left'.

    Raises ValueError where the points lie on one line.
    """
    forward = (knuckles.mean(axis=0) - wrist).tolist()
    across = (knuckles[0] - knuckles[-1]).tolist()
    back = _cross(forward, across)
    length, height = hypot(*forward), hypot(*back)
    if length < SMALLEST or height < max(SMALLEST * SMALLEST, 1e-3 * length * hypot(*across)):
        raise ValueError("wrist and knuckles lie on one line")
    x, z = [v / length for v in forward], [SIDES[side] * v / height for v in back]
    return np.array([x, _cross(z, x), z]).T


def _cross(a: list, b: list) -> list:
    """Of two vectors; three numbers each are not worth an array."""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def hand_frame(positions: np.ndarray, side: str) -> np.ndarray:
    """The frame (3, 3) of a person's palm; positions (25, 3) [m]. Raises ValueError as palm_frame."""
    return palm_frame(positions[WRIST], positions[list(KNUCKLES)], side)


def finger_length(points: np.ndarray) -> float:
    """Of a finger from its first joint to its tip, along it [m]; points (k, 3)."""
    return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())


def hand_angles(positions: np.ndarray, side: str) -> dict[str, float]:
    """Angles of a hand's joints by name [rad], for hands that copy them one by one; positions (25, 3).

    Of each long finger NAME: NAME_spread, to the left positive; NAME_knuckle, NAME_middle and NAME_end, bent positive. Of the thumb: thumb_spread away from the index finger, thumb_opposition before
    the palm, thumb_knuckle and thumb_end. Raises ValueError as palm_frame.
    """
    local = positions @ hand_frame(positions, side)
    found = {}
    for name, joints in FINGERS.items():
        bones = np.diff(local[list(joints)], axis=0)
        bones /= np.maximum(np.linalg.norm(bones, axis=1, keepdims=True), SMALLEST)
        first = bones[0]
        if name == "thumb":
            found["thumb_spread"] = float(np.arctan2(SIDES[side] * first[1], first[0]))
            found["thumb_opposition"] = float(np.arcsin(np.clip(-first[2], -1.0, 1.0)))
            found["thumb_knuckle"], found["thumb_end"] = _between(bones[0], bones[1]), _between(bones[1], bones[2])
            continue
        found[f"{name}_knuckle"] = float(np.arctan2(-first[2], first[0]))
        found[f"{name}_spread"] = float(np.arcsin(np.clip(first[1], -1.0, 1.0)))
        found[f"{name}_middle"], found[f"{name}_end"] = _between(bones[0], bones[1]), _between(bones[1], bones[2])
    return found


def _between(a: np.ndarray, b: np.ndarray) -> float:
    """The angle between two unit vectors [rad]."""
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), a @ b))
