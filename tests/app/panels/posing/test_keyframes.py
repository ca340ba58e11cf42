"""The panel Keyframes: going to them, storing, the window's own, pictures, blend, mirror, a part, the text."""
import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QLineEdit

from app.panels.bookmarks import IMAGE
from app.panels.posing.keyframes import ROW
from physics.model.elements import element
from physics.runtime import commands
from tests.app.workbench import CTRL, Key

MODEL = """<mujoco>
  <worldbody>
    <light pos="0 0 4"/>
    <body name="left_arm" pos="0 .3 1"><joint name="left" axis="1 0 0"/><geom type="capsule" fromto="0 0 0 0 .4 0" size=".05" rgba="1 0 0 1"/></body>
    <body name="right_arm" pos="0 -.3 1"><joint name="right" axis="1 0 0"/><geom type="capsule" fromto="0 0 0 0 -.4 0" size=".05" rgba="0 0 1 1"/></body>
  </worldbody>
  <keyframe>
    <key name="home"/>
    <key name="up" time="2" qpos="1 0.2"/>
  </keyframe>
</mujoco>
"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1300, 900))


@pytest.fixture
def panel(bench):
    panel = bench.panel("keyframes")
    bench.wait(lambda: panel.list.count() == 2)
    return panel


def click(widget):
    assert widget.isEnabled()
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton)


def names(panel):
    return [panel.list.item(k).text() for k in range(panel.list.count())]


def choose(panel, *wanted):
    for k in range(panel.list.count()):
        panel.list.item(k).setSelected(panel.list.item(k).text() in wanted)


def pose(bench, *qpos):
    for adr, value in enumerate(qpos):
        bench.runner.send(commands.SetQpos(adr, value))
    bench.wait(lambda: np.allclose(bench.snapshot.qpos, qpos))


def test_a_double_click_goes_there(bench, panel):
    assert names(panel) == ["home", "up"] and not panel.note.isVisible()
    at = panel.list.visualItemRect(panel.list.item(1)).center()
    QTest.mouseClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    QTest.mouseDClick(panel.list.viewport(), Qt.MouseButton.LeftButton, pos=at)
    bench.wait(lambda: np.allclose(bench.snapshot.qpos, [1, 0.2]) and bench.snapshot.time == 2)
    panel.keep_time.setChecked(True)
    choose(panel, "home")
    click(panel.go)
    bench.wait(lambda: np.allclose(bench.snapshot.qpos, 0) and bench.snapshot.time == 2)


def test_each_has_a_picture_of_its_pose(bench, panel):
    bench.wait(lambda: all(not panel.list.item(k).data(IMAGE).isNull() for k in range(2)))
    images = [panel.list.item(k).data(IMAGE).toImage() for k in range(2)]
    assert images[0] != images[1] and len({images[0].pixel(x, y) for x in range(0, 240, 6) for y in range(0, 150, 6)}) > 5


def test_stored_in_the_model_and_in_the_window(bench, panel):
    pose(bench, 0.5, -0.5)
    choose(panel, "home")
    click(panel.store)
    bench.wait(lambda: np.allclose(bench.context.model.key_qpos[0], [0.5, -0.5]))
    bench.wait(lambda: np.allclose(panel.list.item(0).data(ROW).key.qpos, [0.5, -0.5]))
    click(panel.new)
    assert names(panel) == ["home", "up", "keyframe"]
    click(panel.new)
    assert names(panel)[3] == "keyframe_2"
    panel.list.setFocus()
    choose(panel, "keyframe_2")
    panel.list.setCurrentRow(3)
    QTest.keyClick(panel.list, Key.Key_F2)
    editor = panel.list.findChild(QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, "bent")
    QTest.keyClick(editor, Key.Key_Return)
    bench.wait(lambda: names(panel)[3] == "bent")
    pose(bench, 0.0, 0.0)
    choose(panel, "bent")
    click(panel.go)
    bench.wait(lambda: np.allclose(bench.snapshot.qpos, [0.5, -0.5]))
    choose(panel, "keyframe")
    QTest.keyClick(panel.list, Key.Key_Delete)
    assert names(panel) == ["home", "up", "bent"]


def test_saved_by_a_key(bench):
    pose(bench, 0.1, 0.2)
    bench.press_key(Key.Key_K, CTRL)
    bench.wait(lambda: "keyframes" in bench.docks.panels and bench.docks.panels["keyframes"].list.count() == 3)
    made = bench.docks.panels["keyframes"].list.item(2).data(ROW)
    assert made.own is not None and np.allclose(made.key.qpos, [0.1, 0.2])


def test_the_windows_own_are_there_again(bench, panel, workbench, tmp_path):
    pose(bench, 0.3, 0.1)
    click(panel.new)
    bench.close()
    again = workbench(tmp_path / "m.xml", size=(1300, 900))
    other = again.panel("keyframes")
    again.wait(lambda: names(other) == ["home", "up", "keyframe"])
    assert np.allclose(other.list.item(2).data(ROW).key.qpos, [0.3, 0.1])


def test_two_are_blended(bench, panel):
    choose(panel, "home", "up")
    assert panel.blend.isEnabled() and "home to up" in panel.blend_text.text()
    handle = QPoint(panel.blend.width() // 2, panel.blend.height() // 2)
    panel.blend.setSliderDown(True)
    panel.blend.setSliderPosition(50)
    ghosts = bench.context.ghosts
    assert len(ghosts) == 1 and ghosts[0].label == "50 %" and np.allclose(bench.snapshot.qpos, 0), "a ghost until it is let go"
    assert handle is not None
    panel.blend.setSliderDown(False)
    bench.wait(lambda: np.allclose(bench.snapshot.qpos, [0.5, 0.1]))
    assert not bench.context.ghosts and bench.snapshot.time == 0
    click(panel.keep_blend)
    assert names(panel)[2] == "home_up_50" and np.allclose(panel.list.item(2).data(ROW).key.qpos, [0.5, 0.1])


def test_while_it_runs_a_blend_is_a_ghost_only(bench, panel):
    bench.actions["run"].trigger()
    bench.pass_time(0.05)
    choose(panel, "home", "up")
    panel.blend.setSliderDown(True)
    panel.blend.setSliderPosition(100)
    panel.blend.setSliderDown(False)
    assert len(bench.context.ghosts) == 1 and bench.snapshot.running
    bench.wait(lambda: not panel.copy_part.isEnabled())
    choose(panel, "home")
    assert not bench.context.ghosts


def test_mirrored(bench, panel):
    choose(panel, "up")
    click(panel.mirror)
    assert names(panel)[2] == "up_mirrored" and [row.name for row in panel.chosen] == ["up_mirrored"] and "1 pairs" in panel.said.text() or "1 pair" in panel.said.text()
    assert np.allclose(panel.chosen[0].key.qpos, [-0.2, -1])


def test_a_part_is_copied_into_the_present_state(bench, panel):
    choose(panel, "up")
    assert not panel.copy_part.isEnabled()
    bench.context.select_elements([element(bench.context.model, "body", 2)])
    click(panel.copy_part)
    bench.wait(lambda: np.allclose(bench.snapshot.qpos, [0, 0.2]))
    assert bench.snapshot.time == 0


def test_written_into_the_text_where_it_can_be_undone(bench, panel):
    pose(bench, 0.25, -0.75)
    click(panel.new)
    choose(panel, "keyframe")
    click(panel.write)
    bench.wait(lambda: bench.context.model.nkey == 3 and bench.snapshot.model is bench.context.model)
    assert bench.context.model.names["key"][2] == "keyframe" and np.allclose(bench.context.model.key_qpos[2], [0.25, -0.75])
    assert np.allclose(bench.snapshot.qpos, [0.25, -0.75]), "the run goes on"
    editor = bench.source.editor()
    assert '    <key name="keyframe" qpos="0.25 -0.75"/>\n  </keyframe>' in editor.text() and bench.session.modified
    bench.panel("keyframes")
    bench.wait(lambda: names(panel) == ["home", "up", "keyframe"] and panel.list.item(2).data(ROW).own is None)
    assert bench.session.undo()
    assert bench.source.editor().text() == MODEL
    bench.wait(lambda: bench.context.model.nkey == 2)


def test_one_of_the_model_is_written_in_its_place(bench, panel):
    pose(bench, 0.5, 0.5)
    choose(panel, "up")
    click(panel.store)
    bench.wait(lambda: np.allclose(panel.list.item(1).data(ROW).key.qpos, 0.5))
    choose(panel, "up")
    click(panel.write)
    bench.wait(lambda: '<key name="up" qpos="0.5 0.5"/>' in bench.session.document.main.text)
    assert bench.session.document.main.text.count("<key ") == 2


@pytest.fixture
def split(workbench, tmp_path):
    """A scene that includes the robot's file, which has keyframes, one of them without a name."""
    (tmp_path / "robot.xml").write_text(MODEL.replace('<key name="home"/>', "<key/>"))
    scene = '<mujoco>\n  <include file="robot.xml"/>\n  <worldbody><geom type="plane" size="1 1 .1"/></worldbody>\n</mujoco>\n'
    (tmp_path / "scene.xml").write_text(scene)
    return workbench(tmp_path / "scene.xml", size=(1300, 900))


def test_one_of_an_included_file_is_written_there_and_a_new_one_into_the_main_file(split, tmp_path):
    bench, panel, robot = split, split.panel("keyframes"), str(tmp_path / "robot.xml")
    bench.wait(lambda: panel.list.count() == 2)
    main = bench.session.document.main.text
    for number, (name, text) in enumerate((("keyframe 0", '<key qpos="0.5 0.5"/>'), ("up", '<key name="up" qpos="0.5 0.5"/>'))):
        pose(bench, 0.5, 0.5)
        choose(panel, name)
        click(panel.store)
        bench.wait(lambda number=number: np.allclose(panel.list.item(number).data(ROW).key.qpos, 0.5))
        choose(panel, name)
        click(panel.write)
        bench.wait(lambda text=text: text in bench.session.document.included[robot].text)
        bench.wait(lambda: bench.snapshot.model is bench.context.model and np.allclose(bench.context.model.key_qpos[0], 0.5))
        bench.panel("keyframes")
    assert bench.session.document.included[robot].text.count("<key") == 3 and bench.session.document.main.text == main
    editor = bench.source.editor(robot)
    assert 'name="up" qpos="0.5 0.5"' in editor.text()
    assert bench.session.undo()
    bench.wait(lambda: '<key name="up" time="2" qpos="1 0.2"/>' in bench.session.document.included[robot].text)
    bench.panel("keyframes")
    click(panel.new)
    choose(panel, "keyframe")
    click(panel.write)
    bench.wait(lambda: bench.context.model.nkey == 3)
    assert '<key name="keyframe"' in bench.session.document.main.text and "keyframe\"" not in bench.session.document.included[robot].text


def test_started_at(bench, panel):
    choose(panel, "up")
    menu = panel.menu_for(panel.chosen)
    next(action for action in menu.actions() if action.text() == "Start and reset here").trigger()
    bench.wait(lambda: bench.snapshot.start_key == 1)
    bench.actions["reset"].trigger()
    bench.wait(lambda: np.allclose(bench.snapshot.qpos, [1, 0.2]))
