"""The dead man's switch of a drive: who falls silent loses the drive, and takes it again only by the clutch.

    armed --silent for HOLD--> holding --for LOSE--> lost --the clutch is closed anew--> armed
      any --Esc, disarm--> disarmed --arm--> armed
"""
from __future__ import annotations

from enum import StrEnum

HOLD = 0.150    # s without a sign of life until the target is held
LOSE = 1.0      # s of holding until the drive is disarmed


class Lamp(StrEnum):
    """What the lamp shows."""

    DISARMED = "disarmed"   # until it is armed
    ARMED = "armed"         # follows, while its clutch is closed
    HOLDING = "holding"     # the target stays: there is no word from the source
    LOST = "lost"           # it must be clutched anew


class DeadMan:
    """Times in seconds of one clock."""

    def __init__(self):
        self.lamp = Lamp.DISARMED
        self._alive = self._held = float("-inf")    # last sign of life; since when it holds

    @property
    def driving(self) -> bool:
        """Whether the drive may move its target."""
        return self.lamp is Lamp.ARMED

    def arm(self, now: float) -> None:
        """By the arm button: wait for the source."""
        if self.lamp is not Lamp.ARMED:
            self.lamp, self._alive = Lamp.ARMED, now

    def disarm(self) -> None:
        """By Esc or the arm button."""
        self.lamp = Lamp.DISARMED

    def update(self, now: float, heard: float, well: bool, clutched: bool) -> Lamp:
        """The state at `now`. heard: when the newest sample arrived; well: the source is tracked and connected, the window has the focus, time passes; clutched: the clutch has
        just been closed, having been open before."""
        if well:
            self._alive = max(self._alive, heard)
        alive = well and now - self._alive <= HOLD
        if self.lamp is Lamp.ARMED and not alive:
            self.lamp, self._held = Lamp.HOLDING, now
        elif self.lamp is Lamp.HOLDING:
            if alive:
                self.lamp = Lamp.ARMED
            elif now - self._held > LOSE:
                self.lamp = Lamp.LOST
        elif self.lamp is Lamp.LOST and alive and clutched:
            self.lamp = Lamp.ARMED
        return self.lamp
