"""The picture of docs/teleoperation.md: two arms, one of which is moved by keys."""
from __future__ import annotations

from PyQt6.QtGui import QImage
from PyQt6.QtTest import QTest

from app.inputs.mapping.dead_man import Lamp
from tests.app.workbench import Key
from tests.pictures.desk import Desk

SIZE = (1320, 860)
DRIVE = "left hand"
MOVED = 1.2     # s of simulated time


def teleoperation(desk: Desk) -> QImage:
    """The left arm on its way, its target shown."""
    panel, episodes = desk.panel("teleoperation"), desk.panel("demonstrations")
    desk.wait(lambda: panel.boxes and episodes.filled)
    desk.panel("teleoperation")
    panel.control.arm(DRIVE)
    desk.wait(lambda: any(state.lamp is Lamp.ARMED for state in panel.control.states))
    QTest.keyPress(desk.host, Key.Key_W)
    desk.pass_time(MOVED)
    desk.rest()
    picture = desk.picture()
    QTest.keyRelease(desk.host, Key.Key_W)
    panel.control.disarm()
    return picture
