"""The picture of README.md: a quadruped that runs and is pulled up."""
from __future__ import annotations

from PyQt6.QtCore import QPointF
from PyQt6.QtGui import QImage

from physics.runtime import commands
from tests.app.workbench import CTRL, Button
from tests.pictures.desk import Desk

SIZE = (1320, 840)
SHOWN = ("contact_force", "friction_cone")
UP = 60         # logical pixels that the trunk is pulled up by
RISEN = 0.6     # s of simulated time until it hangs still


def window(desk: Desk) -> QImage:
    """Pulled up by its trunk, with contact forces and friction cones at its feet."""
    for flag in SHOWN:
        desk.actions[f"flag_{flag}"].trigger()
    desk.look((0.02, 0.0, 0.24), 1.5, 128, -14)
    desk.panel("inspector")
    trunk = desk.centre("trunk")
    desk.double_click(trunk)
    desk.wait(lambda: desk.context.selection.bodyid == desk.context.model.id("body", "trunk"))
    desk.runner.send(commands.Run())
    desk.pass_time(0.5)
    trunk = desk.centre("trunk")
    desk.drag(trunk, *(trunk + QPointF(0, -k * UP / 5) for k in range(1, 6)), button=Button.RightButton, modifiers=CTRL, between=lambda: desk.pictures(1), release=False)
    desk.pass_time(RISEN)
    desk.rest()
    return desk.picture()
