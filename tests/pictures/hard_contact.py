"""The picture of docs/hard_contact.md: one slope under both engines, in pictures beside each other, with what the panel Engines says of them."""
from __future__ import annotations

from PyQt6.QtCore import Qt
from PyQt6.QtGui import QImage

import physics
from physics.enums import Engine
from physics.runtime import commands
from tests.app.workbench import Key
from tests.pictures.desk import Desk

SIZE = (1320, 900)
SHOWN = ("contact_force", "friction_cone")
PANEL = 215     # logical pixels of the panel
LATER = 0.8     # s of simulated time: ice, wood and leather slide, cork and rubber hold


def engines(desk: Desk) -> QImage:
    """The run with hard contact and the soft engine beside it."""
    physics.ensure_hard()
    desk.runner.kernels_ready()     # the model was opened before
    for flag in SHOWN:
        desk.actions[f"flag_{flag}"].trigger()
    desk.press_key(Key.Key_F10)
    companions = desk.application.companions
    desk.wait(lambda: companions.other_engine is not None and companions.other_engine.snapshot is not None and companions.other_engine.snapshot.model.opt_engine == Engine.SOFT)
    panel, row = desk.panel("engines"), companions.other_engine
    panel.view.setCurrentText("In a picture of its own")
    panel.view.activated.emit(panel.view.currentIndex())
    desk.actions["right_panels"].trigger()
    desk.window.resizeDocks([desk.docks.docks["engines"]], [PANEL], Qt.Orientation.Vertical)
    desk.look((-0.15, -0.1, 0.42), 2.2, 118, -32)
    desk.runner.send(commands.Run())
    desk.pass_time(LATER)
    desk.runner.send(commands.Pause())
    desk.wait(lambda: not desk.snapshot.running and abs(row.snapshot.time - desk.snapshot.time) < 1e-6)
    desk.wait(lambda: all(course is not None and course.time[-1] >= desk.snapshot.time - 0.006 for course in panel._courses()))
    desk.rest(1.0)
    return desk.picture()
