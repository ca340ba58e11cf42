"""Targets of teleoperation over the picture."""
from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtGui import QImage, QPainter

from app.inputs.hub import DriveState
from app.inputs.mapping.dead_man import Lamp
from app.inputs.sample import Pose
from app.viewport.teleop_targets import AXES, paint_targets
from render.scene.camera import View

VIEW = View((0.0, -2.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), 0.05, -0.05, 0.1, 100.0)
STATE = DriveState("one", "keyboard", "mocap", Lamp.ARMED, True, Pose(), 1.0, ())


def drawn(state, view=VIEW):
    image = QImage(200, 200, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    paint_targets(painter, (200.0, 200.0), [state], view)
    painter.end()
    rows = np.frombuffer(image.constBits().asstring(image.sizeInBytes()), np.uint8).reshape(200, 200, 4)[..., 2::-1].astype(int)
    return [np.argwhere(np.abs(rows - np.array(colour.getRgb()[:3])).max(2) < 40) for colour in AXES]


def test_axes_stand_where_the_target_is_and_turn_with_it(qapp):
    x, y, z = drawn(STATE)
    assert len(x) > 4 and len(z) > 4 and x[:, 1].mean() > 101 and z[:, 0].mean() < 99      # to the right, and up
    half = np.sqrt(0.5)
    turned, _, _ = drawn(replace(STATE, target=Pose(quat=(half, 0.0, -half, 0.0))))       # x is up now
    assert turned[:, 0].mean() < 99 and abs(turned[:, 1].mean() - 100) < 2
    moved, _, _ = drawn(replace(STATE, target=Pose(pos=(0.3, 0.0, 0.0))))
    assert moved[:, 1].mean() > x[:, 1].mean() + 20


def test_another_scale_than_1_is_written_beside_it(qapp):
    def written(state):
        image = QImage(200, 200, QImage.Format.Format_RGB32)
        image.fill(0)
        painter = QPainter(image)
        paint_targets(painter, (200.0, 200.0), [state], VIEW)
        painter.end()
        rows = np.frombuffer(image.constBits().asstring(image.sizeInBytes()), np.uint8).reshape(200, 200, 4)[..., :3]
        return int((rows > 200).all(2).sum())

    assert written(STATE) == 0 == written(replace(STATE, scale=0.5, following=False)) and written(replace(STATE, scale=0.5)) > 10


@pytest.mark.parametrize("state", [replace(STATE, lamp=Lamp.DISARMED), replace(STATE, target=None), replace(STATE, target=Pose(pos=(0.0, -3.0, 0.0)))])
def test_nothing_is_drawn_of_what_is_not_armed_nor_before_the_camera(qapp, state):
    assert not any(len(found) for found in drawn(state))
