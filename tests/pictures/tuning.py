"""Pictures of docs/tuning.md: what solimp does to a ball's contact, what becomes of its depth over a range, and a servo's response."""
from __future__ import annotations

from dataclasses import replace

import numpy as np
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QImage

from physics.runtime import commands
from tests.pictures.desk import Desk

SIZE = (1320, 900)
BALL = """<mujoco model="ball">
  <option timestep="0.001"/>
  <visual><global azimuth="120" elevation="-15"/></visual>
  <worldbody>
    <light pos="1 -1 2" dir="-.4 .4 -1" directional="true"/>
    <geom name="floor" type="plane" size="2 2 .1" rgba=".45 .5 .55 1" condim="1"/>
    <body name="ball" pos="0 0 .1"><freejoint/>
      <geom name="ball" size=".1" mass=".5" rgba=".85 .45 .2 1" condim="1"/></body>
  </worldbody>
</mujoco>
"""
SOFTER = (0.5, 0.95, 0.01, 0.5, 2.0)
LIVELY = (0.02, 0.3)
RANGE, POINTS = (0.005, 0.1), 25        # of timeconst [s]
PLOT = 440      # logical pixels of the panel Sweep
SETTLED = 0.5   # s of simulated time


def _at_rest(desk: Desk):
    """The Tuner, about the ball that has settled."""
    panel = desk.panel("tuner")
    if desk.context.snapshot.time < SETTLED:
        desk.runner.send(commands.Run())
        desk.pass_time(SETTLED)
        desk.runner.send(commands.Pause())
    desk.wait(lambda: panel.row is not None and panel.answer is not None and desk.context.snapshot.ncon == 1)
    return panel


def tuner(desk: Desk) -> QImage:
    """What is in force dashed, what is tried drawn through."""
    panel = _at_rest(desk)
    panel._tune(replace(panel.parameters, solref=LIVELY, solimp=SOFTER))
    desk.wait(lambda: panel.full is not None and not panel._predicting.busy)
    desk.look((0.0, 0.0, 0.1), 0.8, 120, -15)
    desk.rest()
    return desk.picture()


def sweep(desk: Desk) -> QImage:
    """Rest depth over timeconst, by the one coordinate and by the engine."""
    about, panel = _at_rest(desk), desk.panel("sweep")
    about.revert()
    desk.wait(panel.isVisible)
    desk.window.resizeDocks([desk.docks.docks["sweep"]], [PLOT], Qt.Orientation.Vertical)
    axis = panel.axes[0]
    axis.low.show_value(RANGE[0])
    axis.high.show_value(RANGE[1])
    axis.points.show_value(POINTS)
    panel._changed()
    desk.wait(lambda: panel.scalar is not None and panel.start.isEnabled())
    panel.start.click()
    desk.wait(lambda: panel.engine is not None and panel.sweep is None and np.isfinite(panel.engine).all())
    desk.rest()
    return desk.picture()


def servos(desk: Desk) -> QImage:
    """A step of the arm's shoulder, all else held and all of it moving."""
    panel = desk.panel("servos")
    desk.wait(lambda: panel.isVisible() and panel.filled)
    desk.rest(3.0)
    return desk.picture()
