"""Hold to move: a source's motion since the clutch was closed, carried over to the target.

With S0 = (p_s0, q_s0) the source's pose and T0 = (p_t0, q_t0) the target's when the clutch closes, R the rotation from the source's frame to the world's:

    p = p_t0 + a R (p_s - p_s0)         q = (R * dq * R^-1) q_t0,  dq = exp(b log(q_s q_s0^-1))

with a the scale of ways and b that of turns. Opened, the target stays where it is: there is no return spring.
"""
from __future__ import annotations

from app.inputs.sample import Pose

IDENTITY = (1.0, 0.0, 0.0, 0.0)


class Clutch:
    """scale: (of ways, of turns)."""

    def __init__(self, scale: tuple[float, float] = (1.0, 1.0)):
        self.scale = scale
        self.closed = False

    def close(self, source: Pose, target: Pose, rotation=IDENTITY) -> None:
        """From now on the target follows. rotation: quaternion R from the source's frame to the world's."""
        raise NotImplementedError

    def open(self) -> None:
        """The target stays."""
        self.closed = False

    def target(self, source: Pose) -> Pose:
        """Where the target is wanted. Raises ValueError while the clutch is open."""
        raise NotImplementedError
