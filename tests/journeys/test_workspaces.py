"""A morning in each workspace: run and look back, look into a state, edit the text, by mouse and keys alone."""
import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QLineEdit

from app.panels.inspector import RELATED, VALUE
from physics.model.elements import CONTACT, contact_number
from tests.app.workbench import CTRL, NONE, SHIFT, Button, Key
from tests.journeys.hands import at, choose, click, click_view, geom_at, press_button, retype, show_tab, strike, type_keys, write

MODEL = """<mujoco model="day">
  <option timestep="0.002"/>
  <visual><global azimuth="110" elevation="-25"/></visual>
  <statistic center="0 0 .4" extent="1.6"/>
  <worldbody>
    <light pos="0 0 4"/>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="box" pos="-.4 0 .12">
      <freejoint name="root"/>
      <geom name="cube" type="box" size=".12 .12 .12" mass="2"/>
    </body>
    <body name="arm" pos=".5 0 .9">
      <joint name="hinge" axis="0 1 0" damping=".05"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0 0 -.4" size=".04"/>
    </body>
  </worldbody>
  <actuator><motor name="turn" joint="hinge" ctrlrange="-1 1"/></actuator>
  <keyframe><key name="up" qpos=".4 0 .6 1 0 0 0 1.5"/></keyframe>
</mujoco>
"""


@pytest.fixture
def path(tmp_path):
    (tmp_path / "day.xml").write_text(MODEL)
    return tmp_path / "day.xml"


@pytest.fixture
def bench(workbench, path):
    return workbench(path, size=(1400, 900))


def test_a_model_is_run_pulled_and_looked_back_at(bench):
    """Simulate."""
    axis = bench.window.timeline.axis
    press_button(bench, "run")
    bench.wait(lambda: bench.snapshot.running and bench.window.status.speed.text().startswith("100 %"))
    pull(bench)
    press_button(bench, "run")
    bench.wait(lambda: not bench.snapshot.running and bench.window.status.speed.text() == "paused")
    bench.wait(lambda: axis.scale.length == bench.snapshot.history_length > 50)
    newest, newest_time, pose = bench.snapshot.history_length - 1, bench.snapshot.time, bench.snapshot.qpos.copy()

    stops = [QPoint(round(axis.x_of(newest * share)), axis.height() - 8) for share in (0.9, 0.6, 0.5)]
    QTest.mousePress(axis, Button.LeftButton, NONE, stops[0])
    for stop in stops[1:]:
        QTest.mouseMove(axis, stop)
        bench.wait(lambda stop=stop: bench.snapshot.history_index == axis.index_at(stop.x()))
    QTest.mouseRelease(axis, Button.LeftButton, NONE, stops[-1])
    assert 0 < bench.snapshot.time < newest_time and not np.allclose(bench.snapshot.qpos, pose) and bench.snapshot.history_length == newest + 1
    bench.wait(lambda: "(-" in bench.window.timeline.time.text())

    back, old = bench.snapshot.time, bench.snapshot.history_index
    press_button(bench, "run")      # on from there
    bench.wait(lambda: bench.snapshot.running and bench.snapshot.time > back)
    choose(bench, bench.window.timeline.speed, "50 %")
    bench.wait(lambda: bench.snapshot.speed == 0.5 and bench.window.status.speed.text().startswith("50 %"))
    bench.pass_time(0.05)
    choose(bench, bench.window.timeline.keys, "up")
    bench.wait(lambda: bench.snapshot.qpos[0] == pytest.approx(0.4, abs=0.01) and bench.snapshot.time < back)
    bench.pass_time(0.05)
    press_button(bench, "run")
    bench.wait(lambda: not bench.snapshot.running)
    press_button(bench, "reset")
    bench.wait(lambda: bench.snapshot.time == 0 and bench.snapshot.qpos[0] == pytest.approx(-0.4))
    assert bench.snapshot.history_length > old + 50 and [mark.kind for mark in bench.snapshot.history_marks] == ["start", "keyframe", "reset"]
    click(axis, QPoint(round(axis.x_of(old // 2)), axis.height() - 8))      # what was before all that is still there
    bench.wait(lambda: 0 < bench.snapshot.time < back and bench.snapshot.history_index == axis.index_at(axis.x_of(old // 2)))


def pull(bench) -> None:
    """Double-click the box and pull it up with Ctrl and the right button."""
    box = bench.context.model.id("body", "box")
    bench.pictures()
    start = geom_at(bench, "cube")
    bench.double_click(start)
    assert bench.context.selection.name == "box"
    height = bench.snapshot.xpos[box][2]
    stops = [QPointF(start.x(), start.y() - 18 * k) for k in range(1, 16)]
    bench.drag(start, *stops, button=Button.RightButton, modifiers=CTRL, release=False)
    bench.wait(lambda: bench.snapshot.perturb.newton > 0 and bench.snapshot.xpos[box][2] > height + 0.1)
    bench.drag(stops[-1], button=Button.RightButton, modifiers=CTRL)
    bench.wait(lambda: bench.snapshot.perturb.bodyid == 0)


def test_a_state_is_looked_into(bench):
    """Inspect."""
    bench.press_key(Key.Key_2, CTRL)
    bench.wait(lambda: bench.window.top_bar.tabs.currentIndex() == 1 and bench.docks.filled)
    inspector, profiler = bench.docks.panels["inspector"], bench.docks.panels["profiler"]
    bench.wait(lambda: inspector.isVisible() and profiler.isVisible())
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: bench.snapshot.time > 0.2 and bench.snapshot.ncon == 4)
    bench.wait(lambda: profiler.stage_time("collision", "mean") != "" and float(profiler.stage_time("kinematics")) > 0)
    bench.pictures()

    click_view(bench, geom_at(bench, "cube"))
    bench.wait(lambda: str(bench.context.selection.active) == "geom cube" and not inspector._stale)     # filled in a turn of its own
    assert inspector.value("size") == "0.12 0.12 0.12 m" and inspector.value("type") == "box"
    section = inspector._sections[RELATED]
    row = next(section.child(k) for k in range(section.childCount()) if section.child(k).text(VALUE) == "box")
    inspector.table.scrollToItem(row)
    place = inspector.table.visualItemRect(row)
    click(inspector.table.viewport(), QPoint(inspector.table.columnWidth(0) + 30, place.center().y()))
    bench.wait(lambda: str(bench.context.selection.active) == "body box" and inspector.value("mass") == "2 kg")

    bench.press_key(Key.Key_H, SHIFT)       # the contacts are below the box
    bench.pictures(3)
    weights = [force_of_contact(bench, inspector, number) for number in range(4)]
    assert sum(weights) == pytest.approx(2 * 9.81, rel=0.02)
    watch(bench)
    shares = [profiler.stage_time(stage, "share") for stage in ("collision", "efc_rows")]
    assert all(share.endswith("%") for share in shares), shares


def force_of_contact(bench, inspector, number: int) -> float:
    """Click on a contact in the view; its normal force as the inspector shows it."""
    click_view(bench, at(bench, bench.snapshot.contact_pos[number]))
    bench.wait(lambda: (what := bench.context.selection.active) is not None and what.kind == CONTACT
               and contact_number(bench.context.model, bench.snapshot, what) == number and inspector.value("normal force").endswith(" N"))
    assert {inspector._sections[RELATED].child(k).text(VALUE) for k in range(2)} == {"floor", "cube"} and abs(float(inspector.value("distance").split()[0])) < 1e-3
    return float(inspector.value("normal force").split()[0])


def watch(bench) -> None:
    """Type a field with the name of an element into the watch panel."""
    panel = show_tab(bench, "Watch")
    field = panel.findChild(QLineEdit)
    click(field)
    bench.wait(field.hasFocus)
    type_keys('xpos["box"]')
    strike(Key.Key_Return)
    bench.wait(lambda: panel.cell("xpos[1, 2]") != "")
    assert float(panel.cell("xpos[1, 2]")) == pytest.approx(0.12, abs=0.01) and panel.owner("xpos[1, 2]") == "box" and not field.text()


def test_a_text_is_edited_broken_mended_and_saved(bench, path):
    """Edit."""
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: bench.snapshot.running)
    gravity_by_hand(bench)
    bench.press_key(Key.Key_3, CTRL)
    bench.wait(lambda: bench.window.top_bar.tabs.currentIndex() == 2 and bench.docks.filled)
    bench.docks.show("source")
    bench.wait(lambda: not bench.docks.panels["source"].visibleRegion().isEmpty())
    editor, status = bench.docks.panels["source"].editor(), bench.window.status
    bench.pass_time(0.1)
    click(editor.viewport())
    strike(Key.Key_Z, CTRL)     # nothing was typed yet
    assert editor.text() == MODEL and not bench.session.modified

    model, before = bench.context.model, bench.snapshot.time
    retype(bench, editor, 'damping=".05"', 'damping=".05" armature=".2"')
    bench.wait(lambda: "armature" in editor.text())
    bench.taken_up()
    assert bench.context.model.dof_armature[6] == pytest.approx(0.2) and bench.snapshot.time >= before and bench.snapshot.running
    assert bench.context.model.opt.gravity[2] == -3.0 and "armature" not in path.read_text()

    model = bench.context.model
    retype(bench, editor, "capsule", "capsul")
    bench.wait(lambda: status.problems.isVisible())
    assert status.problems.text() == "1 problem" and "day.xml:14" in status.problems.toolTip() and status.message.text().startswith("day.xml:14:")
    bench.pass_time(0.05)
    assert bench.context.model is model and bench.snapshot.running
    editor.setCursorPosition(0, 0)
    click(status.problems)
    assert editor.getCursorPosition()[0] == 13 and editor.hasFocus()
    retype(bench, editor, "capsul", "cylinder")
    bench.wait(lambda: bench.context.model is not model and not status.problems.isVisible())
    assert bench.snapshot.time > before and not bench.application.overlay.problem
    strike(Key.Key_S, CTRL)
    bench.wait(lambda: not bench.session.modified)
    assert 'armature=".2"' in path.read_text() and "cylinder" in path.read_text() and bench.window.windowTitle() == "day.xml - Linkwork"

    assert bench.context.model.opt.gravity[2] == -3.0 and "changed" in status.changed.text()
    click(status.changed)
    bench.wait(lambda: status.changed_list is not None and status.changed_list.isVisible())
    click(status.changed_list.rows["opt.gravity"])
    bench.wait(lambda: bench.context.model.opt.gravity[2] == -9.81 and not status.changed.isVisible())
    bench.wait(lambda: not status.changed_list.isVisible())


def gravity_by_hand(bench) -> None:
    """Another gravity, typed in the Physics panel."""
    panel = show_tab(bench, "Physics")
    field = panel.numbers["gravity", 2]
    bench.wait(lambda: not field.visibleRegion().isEmpty())
    write(bench, field, "-3")
    bench.wait(lambda: bench.context.model.opt.gravity[2] == -3.0)
    bench.wait(lambda: bench.window.status.changed.text() == "\u25cf 1 changed")
