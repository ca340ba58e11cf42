"""The frame in which a source's motion is meant, as a rotation to the world's axes."""
from __future__ import annotations

from app.inputs.mapping.rotation import IDENTITY, yaw
from app.inputs.sample import Pose
from physics.model.model import Model

TOOL = "tool"
FRAMES = ("view", "world", TOOL, "base:BODY")
BASE = "base:"


def body_of(frame: str) -> str:
    """The body's name of 'base:BODY'; '' for another frame."""
    return frame[len(BASE):] if frame.startswith(BASE) else ""


def problem(frame: str, m: Model | None = None) -> str:
    """What is wrong with a frame's name; '' for nothing."""
    if frame in FRAMES[:3]:
        return ""
    name = body_of(frame)
    if not name:
        return f"frames are {', '.join(FRAMES)}"
    return "" if m is None or m.id("body", name) >= 0 else f"the model has no body '{name}'"


def rotation(frame: str, body: int, snapshot, target: Pose, view: float = 0.0) -> tuple:
    """Quaternion from a frame to the world. body: index of that of 'base:BODY'; view: azimuth of the camera's line of sight about z [rad], 0 along x. The tool's is that of the target."""
    if frame == TOOL:
        return target.quat
    if frame == "view":
        return yaw(view)
    return tuple(snapshot.xquat[body].tolist()) if body > 0 else IDENTITY
