"""A pose made by hand: the button, a pinned foot, the hand of the bundled humanoid dragged, the state copied as a keyframe; all by real events."""
import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtTest import QTest

from app.panels.bookmarks import IMAGE
from assets.locate import bundled_model
from physics.inverse_kinematics.limits import Limits
from tests.app.workbench import CTRL, NONE, Button, Key
from tests.journeys.hands import at, click, press_button, strike


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


def drag_forearm(bench, way: QPointF, steps: int = 15):
    """Press on the left forearm and lead it along; the button stays down."""
    place = bench.centre("forearm_left")
    tool = bench.viewport.tools.active
    QTest.mousePress(bench.host, Button.LeftButton, NONE, place.toPoint())
    bench.wait(lambda: tool._grabbed is not None)
    for k in range(1, steps + 1):
        bench.move(place + way * k / steps)
    return place + way


def answered(bench):
    """The result for where the pointer is, once it is settled."""
    tool = bench.viewport.tools.active
    bench.wait(lambda: (a := tool.session.answer) is not None and a.target == tool._grabbed and a.result is not None and a.result.settled)
    return tool.session.answer.result


def led_around(bench):
    """Results of a drag that leads the left forearm once around the shoulder."""
    shoulder = at(bench, bench.snapshot.xpos[bench.context.model.id("body", "upper_arm_left")])
    to, results = drag_forearm(bench, QPointF(0, 5), 1), []
    for k in range(24):
        to = shoulder + 70 * QPointF(np.cos(2 * np.pi * k / 24), np.sin(2 * np.pi * k / 24))
        bench.move(to)
        if k % 3 == 2:
            results.append(answered(bench))
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, to.toPoint())
    bench.wait(lambda: np.allclose(bench.snapshot.qpos, results[-1].qpos, atol=1e-6))
    bench.pictures(2)
    return results


def test_limits_are_left_out_by_a_click_and_the_pose_is_kept_as_a_keyframe(bench):
    """Led around the shoulder the arm stays within its limits; after a click on Limits it does not. The pose is kept with Ctrl+K and gets a picture."""
    bench.pictures(3)
    press_button(bench, "pose")
    bench.pictures(2)
    tool, limits = bench.viewport.tools.active, Limits(bench.context.model)
    click(tool.options.root)
    bench.wait(tool.options.root.view().isVisible)
    strike(Key.Key_Home)
    strike(Key.Key_Down)
    strike(Key.Key_Return)
    bench.wait(lambda: tool.session.options.root == "fixed")
    held = led_around(bench)
    assert max(limits.excess(result.qpos) for result in held) == 0 and any(result.at_limit for result in held)
    box = tool.options.buttons["pose/limits"]
    click(box, QPoint(8, box.height() // 2))
    bench.wait(lambda: not tool.session.options.limits)
    free = led_around(bench)
    assert max(limits.excess(result.qpos) for result in free) > 0.05 and not any(result.at_limit for result in free)
    strike(Key.Key_Escape)
    strike(Key.Key_K, CTRL)
    bench.wait(lambda: "keyframes" in bench.docks.panels and not bench.docks.panels["keyframes"].visibleRegion().isEmpty())
    panel = bench.docks.panels["keyframes"]
    item = panel.list.item(panel.list.count() - 1)
    assert item.text() == "keyframe"
    bench.wait(lambda: not panel.list.item(panel.list.count() - 1).data(IMAGE).isNull())


def test_while_it_runs_the_same_drag_pulls_and_esc_lets_go(bench):
    bench.pictures(3)
    press_button(bench, "pose")
    bench.pictures(2)
    strike(Key.Key_Space)
    bench.wait(lambda: bench.snapshot.running)
    body = bench.context.model.id("body", "forearm_left")
    before = bench.snapshot.time
    drag_forearm(bench, QPointF(0, -150))
    bench.wait(lambda: bench.snapshot.perturb.bodyid == body and bench.snapshot.perturb.newton > 1)
    bench.wait(lambda: bench.snapshot.time > before + 0.1)
    strike(Key.Key_Escape)
    bench.wait(lambda: bench.snapshot.perturb.bodyid == 0)
    assert bench.viewport.tools.active is not None and bench.snapshot.running
    strike(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running)
