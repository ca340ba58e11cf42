"""What 6-axis mice of 3Dconnexion say, by USB and by spacenavd, as axes: x forward, y left, z up, and turns about these, -1 to 1.

By USB: report 1 holds three ways and, on newer ones, three turns too, report 2 the three turns of older ones; report 3 the buttons as bits. Numbers are of two bytes, low
byte first, up to about 350. The mouse's axes are right, towards the person, and down.
From spacenavd: eight integers of four bytes; 0 motion (three ways, three turns, milliseconds), 1 a button down, 2 up. Its axes are right, up and forward; each of its turns
is right-handed about the axis of that name.

Source: the devices' HID report descriptors (usage page 1, usage 8); spacenavd's protocol 0 and its default axis map.
"""
from __future__ import annotations

import struct

from app.inputs.table import TWIST

FULL = 350.0            # of an axis, about
BUTTON = "button{}".format
WAYS, TURNS, BUTTONS = 1, 2, 3      # reports by USB
MOTION, PRESS, RELEASE = 0, 1, 2    # events of spacenavd
EVENT = struct.Struct("=8i")


def scaled(value: float) -> float:
    """A count as -1 to 1."""
    return max(-1.0, min(1.0, value / FULL))


class UsbReports:
    """What reports by USB have come to."""

    def __init__(self):
        self._counts = [0] * 6      # ways and turns in the mouse's axes
        self._buttons = 0

    def take(self, report: bytes) -> bool:
        """Take a report with its number in the first byte; whether it said something. One that is cut short says nothing."""
        if len(report) >= 7 and report[0] in (WAYS, TURNS):
            n = 6 if report[0] == WAYS and len(report) >= 13 else 3
            first = 3 if report[0] == TURNS else 0
            self._counts[first:first + n] = struct.unpack_from(f"<{n}h", report, 1)
            return True
        if len(report) >= 2 and report[0] == BUTTONS:
            self._buttons = int.from_bytes(report[1:], "little")
            return True
        return False

    @property
    def axes(self) -> dict[str, float]:
        right, back, down, about_right, about_back, about_down = self._counts
        return dict(zip(TWIST, map(scaled, (-back, -right, -down, -about_back, -about_right, -about_down))))

    @property
    def buttons(self) -> frozenset[str]:
        """button0 is the left one."""
        return frozenset(BUTTON(i) for i in range(self._buttons.bit_length()) if self._buttons >> i & 1)


class DaemonEvents:
    """What spacenavd's events have come to."""

    def __init__(self):
        self._counts = (0,) * 6
        self._held: set[int] = set()

    def take(self, event: bytes) -> bool:
        """Take an event of 32 bytes; whether it said something."""
        kind, *numbers = EVENT.unpack(event)
        if kind == MOTION:
            self._counts = tuple(numbers[:6])
        elif kind == PRESS:
            self._held.add(numbers[0])
        elif kind == RELEASE:
            self._held.discard(numbers[0])
        return kind in (MOTION, PRESS, RELEASE)

    @property
    def axes(self) -> dict[str, float]:
        right, up, forward, about_right, about_up, about_forward = self._counts
        return dict(zip(TWIST, map(scaled, (forward, -right, up, about_forward, -about_right, about_up))))

    @property
    def buttons(self) -> frozenset[str]:
        return frozenset(map(BUTTON, self._held))
