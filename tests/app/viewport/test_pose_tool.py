"""The Pose tool in the real window: grabbing, dragging, turning, pins, Esc, settings, the camera beside it, and the spring while the run goes on."""
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF, QRect, Qt
from PyQt6.QtGui import QColor, QImage, QPainter, QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

import physics
from app.viewport.tools.pose_painter import LIMIT, Marks, _paint_lines, lines_of
from physics.inverse_kinematics.problem import IKResult
from physics.runtime import commands
from tests.app.workbench import CTRL, NONE, SHIFT, Button, Key
from tests.journeys.hands import at

MODEL = """<mujoco model="chain">
  <compiler angle="radian"/><statistic center=".3 0 .3" extent="1.2"/><visual><global azimuth="90" elevation="-10"/></visual>
  <worldbody><light pos="0 -2 4" dir="0 .3 -1"/>
    <geom name="box" type="box" size=".05 .05 .05" pos="-.3 0 .1"/>
    <body name="l0" pos="0 0 .3"><joint name="j0" axis="0 1 0" range="-2 2"/><joint name="z0" axis="0 0 1" range="-2 2"/><geom name="g0" type="capsule" fromto="0 0 0 .25 0 0" size=".04"/>
      <body name="l1" pos=".25 0 0"><joint name="j1" axis="0 1 0" range="-2 2"/><geom name="g1" type="capsule" fromto="0 0 0 .25 0 0" size=".04"/>
        <body name="l2" pos=".25 0 0"><joint name="j2" axis="0 1 0" range="-2 2"/><geom name="g2" type="capsule" fromto="0 0 0 .2 0 0" size=".04"/><site name="end" pos=".25 0 0" size=".03"/>
        </body></body></body></worldbody></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "chain.xml"
    path.write_text(MODEL)
    made = workbench(path, size=(1000, 700))
    made.pictures(3)
    made.press_key(Key.Key_P, SHIFT)
    assert made.actions["pose"].isChecked()
    made.pictures(2)
    return made


def tool_of(bench):
    return bench.viewport.tools.active


def end_site(bench):
    return bench.snapshot.site_xpos[bench.context.model.id("site", "end")].copy()


def grab(bench, where: QPointF, keys=NONE) -> None:
    """Press the left button and wait until the tool knows on what."""
    QTest.mousePress(bench.host, Button.LeftButton, keys, where.toPoint())
    bench.wait(lambda: tool_of(bench)._grabbed is not None)


def let_go(bench, where: QPointF) -> None:
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, where.toPoint())


def settled(bench, solutions: int) -> None:
    """Wait until the target wanted last is answered."""
    session = tool_of(bench).session
    bench.wait(lambda: session.solutions > solutions and session.answer is not None and session.answer.target == tool_of(bench)._grabbed)


def test_a_site_is_dragged_to_the_pointer_and_the_history_keeps_its_length(bench):
    entries, start = bench.snapshot.history_length, bench.snapshot.qpos.copy()
    place = at(bench, end_site(bench))
    to = place + QPointF(-70, -90)
    grab(bench, place)
    assert tool_of(bench)._grabbed.kind == "site"
    for k in range(1, 11):
        bench.move(place + (to - place) * k / 10)
    settled(bench, 0)
    bench.wait(lambda: np.linalg.norm(end_site(bench) - tool_of(bench)._grabbed.pos) < 1e-4)
    shown = at(bench, end_site(bench))
    assert abs(shown.x() - to.x()) < 2.5 and abs(shown.y() - to.y()) < 2.5
    assert tool_of(bench).session.answer.result.converged
    let_go(bench, to)
    bench.pictures(2)
    assert not np.array_equal(bench.snapshot.qpos, start) and bench.snapshot.history_length == entries and not bench.snapshot.running
    assert tool_of(bench)._grabbed is None


def test_esc_takes_the_drag_back_and_then_ends_the_tool(bench):
    start = bench.snapshot.qpos.copy()
    place = at(bench, end_site(bench))
    grab(bench, place)
    bench.move(place + QPointF(-60, -60))
    settled(bench, 0)
    bench.wait(lambda: not np.array_equal(bench.snapshot.qpos, start))
    QTest.keyClick(bench.host, Key.Key_Escape)
    bench.wait(lambda: np.array_equal(bench.snapshot.qpos, start))
    assert tool_of(bench) is not None and tool_of(bench)._grabbed is None
    let_go(bench, place)
    bench.pictures(2)
    assert np.array_equal(bench.snapshot.qpos, start)
    options = tool_of(bench).options
    QTest.keyClick(bench.host, Key.Key_Escape)
    assert tool_of(bench) is None and not bench.actions["pose"].isChecked() and not options.isVisible()


def test_the_wheel_moves_the_target_away_and_shift_keeps_its_height(bench):
    place = at(bench, end_site(bench))
    grab(bench, place)
    before = np.array(tool_of(bench)._grabbed.pos)
    wheel = QWheelEvent(place, QPointF(bench.host.mapToGlobal(place.toPoint())), QPoint(), QPoint(0, 120), Button.LeftButton, NONE, Qt.ScrollPhase.NoScrollPhase, False)
    QApplication.sendEvent(bench.host, wheel)
    away = np.array(tool_of(bench)._grabbed.pos) - before
    assert away @ np.asarray(bench.application.view_control.view(bench.snapshot).forward) > 0.05
    bench.move(place)
    height = tool_of(bench)._grabbed.pos[2]
    bench.move(place + QPointF(-40, 30), modifiers=SHIFT)
    assert tool_of(bench)._grabbed.pos[2] == pytest.approx(height, abs=1e-9) and tool_of(bench)._grabbed.pos[1] != pytest.approx(before[1] + away[1], abs=1e-3)
    let_go(bench, place)


def test_ctrl_turns_what_is_grabbed(bench):
    place = at(bench, end_site(bench))
    grab(bench, place, CTRL)
    body = bench.context.model.id("body", "l2")
    before, where = bench.snapshot.xmat[body].copy(), end_site(bench)
    bench.move(place)
    bench.move(place + QPointF(25, 0), modifiers=CTRL | SHIFT)
    bench.move(place + QPointF(50, 0), modifiers=CTRL | SHIFT)
    settled(bench, 0)
    assert tool_of(bench)._grabbed.quat is not None and np.allclose(tool_of(bench)._grabbed.pos, where)
    bench.wait(lambda: not np.allclose(bench.snapshot.xmat[body], before, atol=0.05))
    let_go(bench, place)


def test_a_pin_stays_where_it_is(bench):
    model = bench.context.model
    elbow = bench.snapshot.xpos[model.id("body", "l2")].copy()
    bench.move(at(bench, elbow), button=Button.NoButton)
    bench.press_key(Key.Key_P)
    bench.wait(lambda: tool_of(bench).session.pins)
    pin = tool_of(bench).session.pins[0]
    assert pin.kind == "body" and pin.quat is None and not bench.context.options["contact_split"]
    place = at(bench, end_site(bench))
    grab(bench, place)
    bench.move(place + QPointF(-20, -60))
    settled(bench, 0)
    assert max(tool_of(bench).session.answer.result.pin_errors) < 1e-4
    let_go(bench, place)
    QTest.mouseClick(bench.host, Button.RightButton, NONE, at(bench, bench.snapshot.xpos[pin.element] + bench.snapshot.xmat[pin.element].reshape(3, 3) @ pin.point).toPoint())
    bench.wait(lambda: not tool_of(bench).session.pins)
    bench.move(at(bench, elbow), button=Button.NoButton)
    bench.press_key(Key.Key_P, SHIFT)
    bench.wait(lambda: tool_of(bench).session.pins and tool_of(bench).session.pins[0].quat is not None)
    QTest.mouseClick(tool_of(bench).options.clear, Button.LeftButton)
    assert not tool_of(bench).session.pins


def test_beside_the_mechanism_the_camera_is_moved_as_ever(bench):
    camera = bench.application.view_control.camera
    nothing = QPointF(80, 80)
    QTest.mousePress(bench.host, Button.LeftButton, NONE, nothing.toPoint())
    bench.wait(lambda: not tool_of(bench)._asking)
    bench.move(nothing + QPointF(5, 0))
    bench.move(nothing + QPointF(60, 10))
    let_go(bench, nothing + QPointF(60, 10))
    assert bench.application.view_control.camera != camera and tool_of(bench) is not None


def test_a_click_selects_and_moves_nothing(bench):
    start = bench.snapshot.qpos.copy()
    place = at(bench, bench.snapshot.geom_xpos[bench.context.model.id("geom", "g1")])
    QTest.mouseClick(bench.host, Button.LeftButton, NONE, place.toPoint())
    bench.wait(lambda: bench.context.selection.elements)
    assert np.array_equal(bench.snapshot.qpos, start)


def test_options_are_remembered_and_count(bench):
    strip = tool_of(bench).options
    assert strip.isVisible() and strip.geometry().bottom() < bench.viewport.height()
    assert tool_of(bench).session.options.limits and not tool_of(bench).session.options.contacts
    strip.buttons["pose/limits"].click()
    QTest.mouseClick(strip.buttons["pose/contacts"], Button.LeftButton, NONE, QPoint(8, strip.buttons["pose/contacts"].height() // 2))
    assert not bench.settings.get("pose/limits") and bench.settings.get("pose/contacts")
    assert not tool_of(bench).session.options.limits and tool_of(bench).session.options.contacts
    bench.window.resize(520, 600)       # the strip has more rows where the view is narrow
    bench.wait(lambda: bench.viewport.rect().contains(strip.geometry()))
    bench.press_key(Key.Key_Escape)
    bench.press_key(Key.Key_P, SHIFT)
    assert not tool_of(bench).options.buttons["pose/limits"].isChecked()


def test_joints_at_their_limit_are_said_and_ringed(bench):
    """Three equal links bend to a triangle only where two joints turn by 120 degrees; their ranges end before."""
    model = bench.context.model
    place, to = at(bench, end_site(bench)), at(bench, bench.snapshot.xpos[model.id("body", "l0")])
    grab(bench, place)
    for k in range(1, 21):
        bench.move(place + (to - place) * k / 20 + QPointF(0, -60 * np.sin(np.pi * k / 20)))
    settled(bench, 0)
    bench.wait(lambda: tool_of(bench).session.answer.result.settled)
    result = tool_of(bench).session.answer.result
    bench.wait(lambda: np.array_equal(bench.snapshot.qpos, tool_of(bench).session.answer.result.qpos))
    at_end = [name for name in ("j0", "z0", "j1", "j2") if abs(abs(bench.snapshot.qpos[model.jnt_qposadr[model.id("joint", name)]]) - 2) < 1e-6]
    assert at_end and not result.converged and result.pos_errors[0] > 0.005
    lines = lines_of(bench.snapshot, Marks(None, result, "", (), False))
    assert lines[0].endswith(" mm left") and lines[-1] == "At the limit: " + ", ".join(at_end)
    bench.pictures(2)
    ring = at(bench, bench.snapshot.xanchor[model.id("joint", at_end[-1])]) + QPointF(8, 0)
    picture = bench.viewport.grab().toImage()
    colours = [picture.pixelColor(round(ring.x()) + dx, round(ring.y()) + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    assert any(abs(c.red() - LIMIT.red()) + abs(c.green() - LIMIT.green()) + abs(c.blue() - LIMIT.blue()) < 60 for c in colours), [c.name() for c in colours]
    let_go(bench, to)


def test_what_is_off_is_said_with_its_unit_and_name(bench):
    """Lines of results whose pins, equality constraints and tendons are not met."""
    model = physics.load_string("""<mujoco><worldbody><body name="a"><joint name="a"/><geom size=".1"/></body><body name="b"><joint name="b"/><geom size=".1"/></body></worldbody>
      <equality><joint name="gear" joint1="a" joint2="b"/><connect name="loop" body1="a" body2="b" anchor="0 0 0"/></equality><tendon><fixed name="string"><joint joint="a" coef="1"/></fixed></tendon></mujoco>""")
    result = IKResult(np.zeros(2), False, (0.01,), (0.0,), (0.002,), 0.1, 0.0, 3, (0,), tendons_at_limit=(0,), equality_at=0, pin_quat_errors=(np.radians(12),))
    shown = SimpleNamespace(model=model)
    assert lines_of(shown, Marks(None, result, "", (), False)) == ["10.00 mm left", "Pins off by 2.0 mm, 12.0\N{DEGREE SIGN}", "Equality gear off by 5.7\N{DEGREE SIGN}", "At the limit: a, string"]
    assert "Equality loop off by 100.0 mm" in lines_of(shown, Marks(None, replace(result, equality_at=1), "", (), False))
    turned = replace(result, pin_errors=(0.0,), equality=0.0)
    assert "Pins off by 12.0\N{DEGREE SIGN}" in lines_of(shown, Marks(None, turned, "", (), False))


@pytest.mark.parametrize("x, y", [(-500, 100), (100, -500), (900, 100), (100, 900), (250, 100), (10, 10)])
@pytest.mark.parametrize("line", ["short", "a line that is much longer than the view is wide, so that it ends before its end"])
def test_the_text_stays_inside_the_view(qapp, x, y, line):
    """Wherever the target is, in the picture or beside it."""
    inside, around = QRect(100, 100, 300, 200), QImage(500, 400, QImage.Format.Format_RGB32)
    around.fill(QColor("red"))
    painter = QPainter(around)
    painter.translate(inside.topLeft())
    _paint_lines(painter, QPointF(x, y), (inside.width(), inside.height()), [line, "12 mm left"])
    painter.end()
    pixels = np.frombuffer(around.constBits().asstring(around.sizeInBytes()), np.uint32).reshape(400, 500)
    rows, columns = np.nonzero(pixels != QColor("red").rgb())
    assert len(rows) > 500 and inside.contains(QRect(QPoint(int(columns.min()), int(rows.min())), QPoint(int(columns.max()), int(rows.max()))))


def test_the_strip_follows_settings_that_were_changed_elsewhere(bench):
    strip = tool_of(bench).options
    for name, button in strip.buttons.items():
        bench.settings.set(name, not button.isChecked())
        assert button.isChecked() == bench.settings.get(name)
    bench.settings.set("pose/root", "fixed")
    assert strip.root.currentData() == "fixed"


def test_while_it_runs_the_spring_pulls(bench):
    bench.runner.send(commands.SetOption("gravity", (0.0, 0.0, 0.0)))
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: bench.snapshot.running)
    place = at(bench, end_site(bench))
    grab(bench, place)
    bench.move(place + QPointF(0, -10))
    bench.move(place + QPointF(0, -80))
    bench.wait(lambda: bench.snapshot.perturb.bodyid == bench.context.model.id("body", "l2") and bench.snapshot.perturb.newton > 0)
    height = end_site(bench)[2]
    bench.wait(lambda: end_site(bench)[2] > height + 0.02)
    let_go(bench, place)
    bench.wait(lambda: bench.snapshot.perturb.bodyid == 0)


def test_another_model_ends_the_drag_and_forgets_the_pins(bench, tmp_path):
    bench.move(at(bench, bench.snapshot.xpos[bench.context.model.id("body", "l2")]), button=Button.NoButton)
    bench.press_key(Key.Key_P)
    bench.wait(lambda: tool_of(bench).session.pins)
    place = at(bench, end_site(bench))
    grab(bench, place)
    other = tmp_path / "other.xml"
    other.write_text(MODEL.replace("chain", "other"))
    model = bench.context.model
    bench.session.open(other)
    bench.wait(lambda: bench.context.model is not model and bench.context.model is not None)
    assert tool_of(bench)._grabbed is None and not tool_of(bench).session.pins and tool_of(bench).session.model is bench.context.model
    let_go(bench, place)
