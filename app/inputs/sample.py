"""What a source hands over: one moment of a device.

Metres, radians, seconds; quaternions (w, x, y, z); right-handed frames, z up, x forward.
"""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

NO_AXES: Mapping[str, float] = MappingProxyType({})
KINDS = ("pose", "axes", "joints", "hand", "controls", "event")   # of what a Sample tells
EVENTS = ("start", "stop", "success", "failure", "discard", "reset", "undo")   # names in `buttons` of a Sample of kind 'event'


class Pose(NamedTuple):
    """pos (3) [m], quat (4)."""

    pos: tuple[float, float, float] = (0.0, 0.0, 0.0)
    quat: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Sample:
    """One moment of a device, never changed afterwards.

    source: which device, or which part of it ('pad:0', 'xr:right'): what a drive of a mapping names. kind: one of KINDS. seq: rising by source; t_source [s]: the device's clock as time.perf_counter of
    this process, t_received: when it arrived. pos (3) [m], quat (4): the pose of what is held, in the source's own frame; None where the device has none.
    axes: what rests at 0, -1..1 (triggers and faders 0..1), by the names of table.py; buttons: those that are down, and of a Sample of kind 'event' the event's name (EVENTS).
    joints: angles of a leader arm by name [rad or m]; of kind 'controls' control values by actuator. hand (25, 7): position and quaternion of each joint in WebXR's order.
    tracked: False where the device is there but does not know where it is.
    """

    source: str
    kind: str = "axes"
    seq: int = 0
    t_source: float = 0.0
    t_received: float = 0.0
    pos: tuple[float, float, float] | None = None
    quat: tuple[float, float, float, float] | None = None
    axes: Mapping[str, float] = field(default_factory=lambda: NO_AXES)
    buttons: frozenset[str] = field(default_factory=frozenset)
    joints: Mapping[str, float] | None = None
    hand: np.ndarray | None = None
    tracked: bool = True

    @property
    def pose(self) -> Pose | None:
        """Position and orientation, where the device has both or one of them."""
        if self.pos is None and self.quat is None:
            return None
        return Pose(self.pos or Pose().pos, self.quat or Pose().quat)
