"""What a message can say; each is a frozen value. Positions in metres, angles in radians, quaternions w first, right-handed, z up, x forward.

`seq` rises from message to message of one sender; `t` is the sender's own clock [ms].
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

SIDES = ("left", "right")
HAND_JOINTS = 25    # in the order of WebXR hand input: wrist, thumb (4), index (5), middle (5), ring (5), little finger (5)


@dataclass(frozen=True, slots=True)
class Message:
    """What all have."""

    seq: int
    t: float


@dataclass(frozen=True, slots=True)
class Pose(Message):
    """Where a thing held in the hand, a head or a phone is, and its sticks and buttons. p (3,) or None, q (4,) or None; buttons: those that are pressed."""

    source: str
    p: tuple[float, ...] | None
    q: tuple[float, ...] | None
    axes: Mapping[str, float]
    buttons: frozenset[str]
    tracked: bool


@dataclass(frozen=True, slots=True)
class Hand(Message):
    """joints (25, 7): position and quaternion of each joint; radii (25,) or None [m]."""

    side: str
    joints: np.ndarray
    radii: np.ndarray | None
    tracked: bool


@dataclass(frozen=True, slots=True)
class Joints(Message):
    """Coordinates of a leader arm by joint name [rad, m]."""

    source: str
    joints: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Controls(Message):
    """Values of actuators by name, in their own units."""

    source: str
    controls: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Event(Message):
    """One of EVENTS (app.inputs.sample): what is to happen to the episode."""

    event: str


@dataclass(frozen=True, slots=True)
class Hello(Message):
    """The first message over a socket: the token of the session, what the sender calls itself, and whether it only wants to watch."""

    token: str
    name: str
    watch: bool


@dataclass(frozen=True, slots=True)
class Ping(Message):
    """Asks for a pong with the same t. last: of the pong before: (t of the ping, received, sent, t at which the pong came) [ms], the middle two by the receiver's clock."""

    last: tuple[float, ...] | None


@dataclass(frozen=True, slots=True)
class Camera(Message):
    """Asks for pictures of a camera by name; '' for none any more."""

    camera: str


@dataclass(frozen=True, slots=True)
class Seen(Message):
    """The picture of this number is on the screen: the next may come."""

    number: int
