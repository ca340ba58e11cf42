"""A mocap body with a weld, offered by the panel Teleoperation as one edit of the text."""
import numpy as np
import pytest
from PyQt6.QtTest import QTest

from app.inputs.mapping.dead_man import Lamp
from app.panels.teleoperation.weld_menu import OTHERS, TITLE
from physics.runtime import commands
from tests.app.panels.teleoperation.test_teleoperation import MODEL as WELDED
from tests.app.workbench import CTRL, SHIFT, Key
from tests.journeys.hands import bring, click

MODEL = """<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="thing" pos="0 0 .5"><freejoint/><geom size=".04"/></body>
  </worldbody>
</mujoco>
"""
HANDLE = '<body name="handle" mocap="true" pos="0 .4 .5"><geom type="box" size=".02 .02 .02" contype="0" conaffinity="0"/></body>'


def opened(workbench, path, text=MODEL):
    path.write_text(text)
    bench = workbench(path, size=(1400, 900))
    bench.application.actions["workspace_teleoperate"].trigger()
    panel = bench.panel("teleoperation")
    bench.wait(lambda: panel.isVisible() and panel.boxes)
    return bench, panel


def drives(panel):
    return [(one.kind, one.mocap) for one in panel.control.mapping.drives]


def offered(menu) -> dict:
    menu.aboutToShow.emit()
    return {action.text(): action for action in menu.actions() if action.text()}


def place(bench, body="thing"):
    return np.array(bench.snapshot.xpos[bench.context.model.id("body", body)])


def lead_from_the_menu(bench, panel):
    offered(panel.menu)
    assert panel.menu.actions()[-1].text() == TITLE
    found = offered(panel._weld_menu)
    assert list(found) == ["thing", OTHERS]
    found["thing"].trigger()
    bench.wait(lambda: ("mocap", "thing_target") in drives(panel))


def test_one_edit_adds_both_the_drive_moves_the_body_and_one_undo_takes_it_back(workbench, tmp_path):
    bench, panel = opened(workbench, tmp_path / "scene.xml")
    before = drives(panel)
    bench.runner.send(commands.PoseFree(bench.context.model.id("body", "thing"), (0.3, 0.1, 0.7), (1.0, 0.0, 0.0, 0.0)))
    bench.runner.send(commands.Run())
    bench.wait(lambda: place(bench)[0] > 0.29 and bench.snapshot.running)
    lead_from_the_menu(bench, panel)
    assert bench.session.document.main.text.count("<weld") == 1 and before[0][0] == "pull"
    bench.wait(lambda: bench.snapshot.running and np.abs(bench.snapshot.mocap_pos[0] - (0.3, 0.1, 0.7)).max() < 1e-3)      # where the body is, not where the text has it
    bench.pass_time(0.1)
    assert place(bench) == pytest.approx((0.3, 0.1, 0.7), abs=2e-3)
    box = next(box for box in panel.boxes if box.mapping.mocap)
    assert not box.weld.isVisible()
    bring(box.arm)
    click(box.arm)
    bench.wait(lambda: panel.control.states[-1].lamp is Lamp.ARMED)
    QTest.keyPress(bench.host, Key.Key_E)
    bench.wait(lambda: place(bench)[2] > 0.73)
    QTest.keyRelease(bench.host, Key.Key_E)
    QTest.keyClick(bench.host, Key.Key_Escape)
    bench.wait(lambda: not panel.control.armed)
    QTest.keyClick(bench.window, Key.Key_Z, CTRL)
    bench.wait(lambda: drives(panel) == before and bench.context.model.nmocap == 0)
    assert bench.session.document.main.text == MODEL
    QTest.keyClick(bench.window, Key.Key_Z, CTRL | SHIFT)
    bench.wait(lambda: drives(panel) == [*before, ("mocap", "thing_target")])


def test_a_drive_whose_mocap_body_is_missing_has_one_made(workbench, tmp_path):
    (tmp_path / "scene.teleop.toml").write_text('[[drive]]\nname = "hand"\nsource = "keyboard"\nkind = "mocap"\nmocap = "gone"\n')
    bench, panel = opened(workbench, tmp_path / "scene.xml")
    box = panel.boxes[0]
    bench.wait(lambda: box.weld.isVisible() and box.weld.text() == TITLE)
    offered(box.weld.menu())["thing"].trigger()
    bench.wait(lambda: drives(panel) == [("mocap", "thing_target")] and bench.context.model.nmocap == 1)
    assert panel.control.mapping.drives[0].name == "hand" and not panel.boxes[0].weld.isVisible()
    panel.control.arm("hand")
    bench.wait(lambda: panel.control.states[0].lamp is Lamp.ARMED and not panel.control.states[0].problems)
    panel.control.disarm()
    bench.actions["undo"].trigger()
    bench.wait(lambda: drives(panel) == [("mocap", "gone")])
    bench.wait(lambda: panel.boxes[0].weld.isVisible())


def test_a_handle_that_leads_nothing_is_welded_and_comes_to_the_body(workbench, tmp_path):
    bench, panel = opened(workbench, tmp_path / "scene.xml", MODEL.replace("</worldbody>", HANDLE + "</worldbody>"))
    assert drives(panel) == [("mocap", "handle")]
    box = panel.boxes[0]
    bench.wait(box.weld.isVisible)
    offered(box.weld.menu())["thing"].trigger()
    bench.wait(lambda: bench.context.model.neq == 1 and np.abs(bench.snapshot.mocap_pos[0] - (0, 0, 0.5)).max() < 1e-6)
    assert place(bench) == pytest.approx((0, 0, 0.5), abs=1e-6) and drives(panel) == [("mocap", "handle")] and not panel.boxes[0].weld.isVisible()


def test_nothing_is_offered_where_a_body_is_led(workbench, tmp_path):
    bench, panel = opened(workbench, tmp_path / "scene.xml", WELDED)
    bench.pictures(1)
    assert not panel.boxes[0].weld.isVisible() and list(offered(panel._weld_menu)) == [OTHERS]


def test_a_text_that_is_no_xml_is_told(workbench, tmp_path):
    bench, panel = opened(workbench, tmp_path / "scene.xml")
    found = offered(panel._weld_menu)
    bench.session.set_text(bench.session.document.key, MODEL.replace("</worldbody>", "</worldbod"))
    found["thing"].trigger()
    assert panel.note.isVisible() and panel.note.text() and drives(panel)[0][0] == "pull"
