"""A pose made by hand: the button, a pinned foot, the hand of the bundled humanoid dragged, the state copied as a keyframe; all by real events."""
import numpy as np
import pytest
from PyQt6.QtCore import QPointF
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtTest import QTest

from assets.locate import bundled_model
from physics.inverse_kinematics.limits import Limits
from tests.app.workbench import CTRL, NONE, Button, Key
from tests.journeys.hands import at, press_button


@pytest.fixture
def bench(workbench):
    return workbench(bundled_model("humanoid.xml"), size=(1200, 800))


def test_a_humanoid_raises_its_hand_and_stays_on_its_feet(bench):
    bench.pictures(3)
    press_button(bench, "pose")
    tool, model = bench.viewport.tools.active, bench.context.model
    bench.pictures(2)
    for name in ("foot_left", "foot_right"):
        foot = bench.snapshot.xipos[model.id("body", name)]
        bench.move(at(bench, foot), button=Button.NoButton)
        bench.press_key(Key.Key_P)
        bench.wait(lambda name=name: model.id("body", name) in [pin.element for pin in tool.session.pins])
    feet = [bench.snapshot.xpos[model.id("body", name)].copy() for name in ("foot_left", "foot_right")]
    start = bench.snapshot.qpos.copy()
    place = bench.centre("forearm_left")
    QTest.mousePress(bench.host, Button.LeftButton, NONE, place.toPoint())
    bench.wait(lambda: tool._grabbed is not None)
    to = place + QPointF(20, -90)
    for k in range(1, 16):
        bench.move(place + (to - place) * k / 15)
    bench.wait(lambda: tool.session.answer is not None and tool.session.answer.target == tool._grabbed and tool.session.answer.result.converged)
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, to.toPoint())
    wanted = tool.session.answer.result.qpos
    bench.wait(lambda: np.allclose(bench.snapshot.qpos, wanted, atol=0.2))
    bench.pictures(2)

    assert not np.allclose(bench.snapshot.qpos[7:], start[7:], atol=0.1) and Limits(model).excess(bench.snapshot.qpos) <= 1e-9
    for name, before in zip(("foot_left", "foot_right"), feet, strict=True):
        pin = next(pin for pin in tool.session.pins if pin.element == model.id("body", name))
        here = bench.snapshot.xpos[pin.element] + bench.snapshot.xmat[pin.element].reshape(3, 3) @ pin.point
        assert np.linalg.norm(here - pin.pos) < 1e-4 and np.linalg.norm(bench.snapshot.xpos[pin.element] - before) < 0.2
    bench.press_key(Key.Key_Escape)
    assert bench.viewport.tools.active is None
    bench.press_key(Key.Key_C, CTRL)
    assert "<key" in QGuiApplication.clipboard().text()
