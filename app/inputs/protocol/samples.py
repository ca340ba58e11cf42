"""Messages as Samples."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from app.inputs.protocol.messages import Controls, Event, Hand, Joints, Message, Pose
from app.inputs.sample import Sample

THUMB_TIP, INDEX_TIP = 4, 9     # of the 25 joints
CURLING = ((10, 14), (15, 19), (20, 24))    # middle, ring and little finger: metacarpal to tip
TOUCHING, APART = 0.015, 0.080  # m between the tips of thumb and index finger: a whole pinch, and none
CLOSED, OPEN = 0.55, 0.90       # the way from a finger's root to its tip over its length: a fist, and a flat hand
PRESSED = 0.5                   # of a whole pinch or fist, from which on the button is down


def sample_of(message: Message, prefix: str, t_source: float, received: float, base: int = 0) -> Sample | None:
    """The Sample of a pose, hand, joints, controls or event; None for messages that tell of no device. t_source, received [s]: by time.perf_counter.

    prefix: of the source's name: a pose of 'right' is of 'xr:right'. A hand of the right side is of 'xr:right' too and posed at its wrist; a pinch of thumb and index finger is
    its axis 'trigger' and button 'pinch', a fist of the other fingers its axis and button 'squeeze', as of a controller.
    base: added to the message's number.
    """
    make = MAKERS.get(type(message))
    return None if make is None else make(message, prefix, {"seq": base + message.seq, "t_source": t_source, "t_received": received})


def pinch(joints: np.ndarray) -> float:
    """How far a hand's thumb and index finger are closed, 0 (apart) to 1 (tips touch). joints (25, 7) [m]."""
    gap = float(np.linalg.norm(joints[THUMB_TIP, :3] - joints[INDEX_TIP, :3]))
    return min(max((APART - gap) / (APART - TOUCHING), 0.0), 1.0)


def fist(joints: np.ndarray) -> float:
    """How far the other three fingers are curled, 0 (straight) to 1. joints (25, 7) [m]."""
    ratios = []
    for root, tip in CURLING:
        chain = joints[root:tip + 1, :3]
        length = float(np.linalg.norm(np.diff(chain, axis=0), axis=1).sum())
        ratios.append(float(np.linalg.norm(chain[-1] - chain[0])) / length if length > 0 else 1.0)
    return min(max((OPEN - sum(ratios) / len(ratios)) / (OPEN - CLOSED), 0.0), 1.0)


def _pose(message: Pose, prefix: str, common: dict) -> Sample:
    kind = "axes" if message.p is None and message.q is None else "pose"
    return Sample(f"{prefix}:{message.source}", kind, pos=message.p, quat=message.q, axes=message.axes, buttons=message.buttons, tracked=message.tracked, **common)


def _hand(message: Hand, prefix: str, common: dict) -> Sample:
    closed, curled = pinch(message.joints), fist(message.joints)
    pressed = frozenset(name for name, share in (("pinch", closed), ("squeeze", curled)) if share >= PRESSED)
    wrist = message.joints[0].tolist()
    return Sample(f"{prefix}:{message.side}", "hand", pos=tuple(wrist[:3]), quat=tuple(wrist[3:]), axes=MappingProxyType({"trigger": closed, "squeeze": curled}),
                  buttons=pressed, hand=message.joints, tracked=message.tracked, **common)


def _joints(message: Joints, prefix: str, common: dict) -> Sample:
    return Sample(f"{prefix}:{message.source}", "joints", joints=message.joints, **common)


def _controls(message: Controls, prefix: str, common: dict) -> Sample:
    return Sample(f"{prefix}:{message.source}", "controls", joints=message.controls, **common)


def _event(message: Event, prefix: str, common: dict) -> Sample:
    return Sample(f"{prefix}:events", "event", buttons=frozenset((message.event,)), **common)


MAKERS = MappingProxyType({Pose: _pose, Hand: _hand, Joints: _joints, Controls: _controls, Event: _event})
