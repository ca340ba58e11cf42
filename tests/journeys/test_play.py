"""The main job, end to end on the real window with real Qt events: open, run, pull, edit outside and inside, break, mend, step back."""
import os
import time

import numpy as np
import pytest
from PyQt6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PyQt6.QtGui import QDragEnterEvent, QDropEvent, QImage
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from tests.app.workbench import CTRL, NONE, SHIFT, Button, Key

MODEL = """<mujoco model="play">
  <option timestep="0.002"/>
  <visual><global azimuth="90" elevation="-10"/></visual>
  <statistic center="0 0 .5" extent="2"/>
  <worldbody>
    <light pos="0 0 4"/>
    <camera name="front" pos="0 -3 1" xyaxes="1 0 0 0 .2 1"/>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="box" pos="-.4 0 .1">
      <freejoint name="root"/>
      <geom name="box" type="box" size=".1 .1 .1"/>
    </body>
    <body name="arm" pos=".5 0 1">
      <joint name="hinge" axis="0 1 0" damping=".05"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0 0 -.4" size=".04"/>
    </body>
  </worldbody>
  <actuator><motor name="turn" joint="hinge" ctrlrange="-1 1"/></actuator>
  <keyframe><key name="up" qpos=".4 0 .6 1 0 0 0 1.5"/></keyframe>
</mujoco>
"""


@pytest.fixture
def model_file(tmp_path):
    path = tmp_path / "play.xml"
    path.write_text(MODEL)
    return path


def rename_over(path, text):
    """Write as careful editors do: a new file, renamed over the old one."""
    new = path.with_suffix(".new")
    new.write_text(text)
    os.replace(new, path)


def test_play_with_a_model(workbench, model_file):
    bench = workbench(model_file)
    run_and_pull(bench)
    edit_while_running(bench, model_file)
    break_and_mend(bench, model_file)
    go_back_in_time(bench)


def run_and_pull(bench):
    """Space runs; a double-click selects; Ctrl + right drag pulls the box up off the floor."""
    assert bench.window.windowTitle() == "play.xml - Linkwork" and not bench.snapshot.running
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: bench.snapshot.running)
    bench.pass_time(0.1)
    bench.pictures()
    box = bench.context.model.id("body", "box")
    at = bench.centre("box")
    bench.double_click(at)
    assert bench.context.selection.name == "box"
    height = bench.snapshot.xpos[box][2]
    steps = [QPointF(at.x() + 2 * k, at.y() - 8 * k) for k in range(1, 14)]
    bench.drag(at, *steps, button=Button.RightButton, modifiers=CTRL, release=False)
    bench.wait(lambda: bench.snapshot.perturb.bodyid == box and bench.snapshot.perturb.newton > 0)
    assert "Pull" in dict(bench.application.overlay.state_rows(bench.snapshot))
    bench.wait(lambda: bench.snapshot.xpos[box][2] > height + 0.15)
    bench.drag(steps[-1], button=Button.RightButton, modifiers=CTRL)
    bench.wait(lambda: bench.snapshot.perturb.bodyid == 0)


def edit_while_running(bench, model_file):
    """A change of the file by another program, then one in the panel: the model changes, time and pose go on."""
    bench.pass_time(0.3)
    bench.wait(lambda: np.abs(bench.snapshot.qvel[:6]).max() < 1e-3)   # back on the floor, and standing still
    before = bench.snapshot.qpos.copy(), bench.snapshot.time
    rename_over(model_file, MODEL.replace('type="box" size=".1 .1 .1"', 'type="box" size=".1 .1 .1" rgba="1 .2 .1 1"'))
    bench.wait(lambda: bench.context.model.geom_rgba[1][1] == pytest.approx(0.2))
    went_on(bench, *before)
    assert 'rgba="1 .2 .1 1"' in bench.source.editor().text()

    editor = bench.source.editor()
    row = next(i for i in range(editor.lines()) if "rod" in editor.text(i))
    column = editor.text(row).index(".04")
    editor.setFocus()
    editor.setSelection(row, column, row, column + 3)
    for letter in ".06":
        editor.SendScintilla(editor.SCI_REPLACESEL, letter.encode())
    bench.wait(lambda: bench.context.model.geom_size[2][0] == pytest.approx(0.06))   # after the pause in typing
    went_on(bench, *before)
    assert bench.session.modified and bench.window.windowTitle().startswith("*") and ".04" in model_file.read_text()
    bench.press_key(Key.Key_S, CTRL)
    bench.wait(lambda: not bench.session.modified)
    assert ".06" in model_file.read_text()


def went_on(bench, qpos, at):
    """The state was kept: same pose of the resting box and time not back at the start."""
    assert bench.snapshot.running and bench.snapshot.time >= at > 0.5
    np.testing.assert_allclose(bench.snapshot.qpos[:3], qpos[:3], atol=2e-3)


def break_and_mend(bench, model_file):
    """Broken text in the panel marks its place and changes nothing; mended text is taken."""
    editor, model, before = bench.source.editor(), bench.context.model, (bench.snapshot.qpos.copy(), bench.snapshot.time)
    good = editor.text()
    editor.replace_text(good.replace('type="capsule"', 'type="capsul"'))
    bench.press_key(Key.Key_Return, CTRL)
    bench.wait(lambda: bool(bench.session.issues))
    issue = bench.session.issues[0]
    assert (issue.severity, issue.place.file) == ("error", str(model_file)) and "capsul" in editor.text(issue.place.line - 1)
    assert editor.message_at(issue.place.line - 1, -1) and "good model" in bench.application.overlay.problem
    assert bench.context.model is model and bench.snapshot.running
    editor.replace_text(good.replace("</worldbody>", ""))   # half-written
    bench.press_key(Key.Key_Return, CTRL)
    bench.wait(lambda: bool(bench.session.issues) and bench.session.issues[0] != issue)
    bench.pass_time(0.05)
    assert bench.context.model is model
    editor.replace_text(good.replace('damping=".05"', 'damping=".5"'))
    bench.press_key(Key.Key_Return, CTRL)
    bench.taken_up()
    assert bench.context.model.dof_damping[6] == pytest.approx(0.5) and not bench.session.issues and not bench.application.overlay.problem
    went_on(bench, *before)


def go_back_in_time(bench):
    """Space pauses, Left goes back, Right forward, Backspace to the start, a keyframe elsewhere."""
    bench.pass_time(0.1)   # the history begins anew with each model
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running)
    now, step = bench.snapshot.time, bench.context.model.opt.timestep
    for key, modifiers, wanted in ((Key.Key_Left, NONE, -1), (Key.Key_Left, SHIFT, -11), (Key.Key_Right, NONE, -10), (Key.Key_Right, SHIFT, 0), (Key.Key_Right, NONE, 1)):
        bench.press_key(key, modifiers)
        bench.wait(lambda wanted=wanted: bench.snapshot.time == pytest.approx(now + wanted * step, abs=step / 10))
    bench.press_key(Key.Key_Backspace)
    bench.wait(lambda: bench.snapshot.time == 0)
    bench.window.timeline.load_key("up")
    bench.wait(lambda: bench.snapshot.qpos[2] == pytest.approx(0.6))


def test_hands_while_paused(workbench, model_file):
    """Paused: the free box goes where it is dragged, the hinge follows its slider, controls are set by hand."""
    bench = workbench(model_file)
    bench.pictures()
    at = bench.centre("box")
    bench.double_click(at)
    start = bench.snapshot.qpos.copy()
    bench.drag(at, at + QPointF(20, -20), at + QPointF(40, -60), button=Button.RightButton, modifiers=CTRL)
    bench.wait(lambda: bench.snapshot.qpos[2] > start[2] + 0.1)
    assert bench.snapshot.time == 0 and bench.snapshot.qpos[0] > start[0]
    bench.drag(bench.centre("box"), bench.centre("box") + QPointF(30, 0), modifiers=CTRL)
    bench.wait(lambda: abs(bench.snapshot.qpos[3]) < 0.999)   # turned
    row = next(iter(bench.panel("joints").rows.values()))
    row.enter(0.7)
    bench.wait(lambda: bench.snapshot.qpos[7] == pytest.approx(0.7))
    bench.panel("controls").rows[0].enter(-0.5)
    bench.wait(lambda: bench.snapshot.ctrl[0] == pytest.approx(-0.5))


def test_cameras_flags_and_speed_by_keys(workbench, model_file):
    bench = workbench(model_file)
    options, control = bench.context.options, bench.application.view_control
    for key, flag in ((Key.Key_C, "contact_point"), (Key.Key_T, "transparent"), (Key.Key_S, "shadow"), (Key.Key_Comma, "activation")):
        before = options[flag]
        bench.press_key(key)
        assert options[flag] is not before and bench.actions[f"flag_{flag}"].isChecked() is not before
    bench.press_key(Key.Key_F7)
    assert options.label == "Body"
    bench.press_key(Key.Key_3)
    assert options.geomgroup[3]
    bench.press_key(Key.Key_BracketRight)
    bench.press_key(Key.Key_BracketRight)
    assert bench.window.chooser_text("camera") == "front" and control.camera_index() == 0
    bench.press_key(Key.Key_Escape)
    assert control.camera_index() == -2
    bench.press_key(Key.Key_A, CTRL)
    before = control.camera
    bench.drag(QPointF(100, 100), QPointF(160, 120))
    assert control.camera.azimuth != before.azimuth and control.camera.distance == before.distance
    bench.press_key(Key.Key_A, CTRL)
    assert control.camera == before
    bench.press_key(Key.Key_Minus)
    bench.wait(lambda: bench.snapshot.speed == pytest.approx(0.8))
    assert bench.window.chooser_text("speed") == "80 %"


def test_letters_stay_in_text_fields(workbench, model_file):
    bench = workbench(model_file)
    field = bench.panel("controls").filter
    bench.press_key(Key.Key_C, widget=field)
    bench.press_key(Key.Key_Space, widget=field)
    assert field.text() == "c " and not bench.context.options["contact_point"] and not bench.snapshot.running
    bench.host.setFocus()
    bench.panel("visual")
    for widget in (bench.docks.panels["visual"].flags["joint"], bench.panel("controls").rows[0].slider):
        QTest.mouseClick(widget, Button.LeftButton, pos=QPoint(8, widget.height() // 2))
        assert bench.host.hasFocus()   # a click into a panel does not take the letters away
    assert bench.context.options["joint"]
    editor = bench.source.editor()
    bench.press_key(Key.Key_T, widget=editor)
    assert editor.text().startswith("t") and not bench.context.options["transparent"]


def test_drop_a_file_and_take_a_picture(workbench, model_file, tmp_path):
    bench = workbench()
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(model_file))])
    how = Qt.DropAction.CopyAction, mime, Button.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), *how)
    QApplication.sendEvent(bench.window, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(bench.window, QDropEvent(QPointF(5, 5), *how))
    bench.wait(lambda: bench.context.model is not None and bench.snapshot is not None and bench.snapshot.model.nq == 8)
    assert bench.session.path == model_file and str(model_file) in bench.settings.get("files/recent")
    bench.pictures()
    assert bench.viewport.image().save(str(tmp_path / "view.png"))
    picture = QImage(str(tmp_path / "view.png"))
    assert picture.width() == round(bench.host.width() * bench.host.devicePixelRatioF())
    colours = {picture.pixel(x, y) for x in range(0, picture.width(), 7) for y in range(0, picture.height(), 7)}
    assert len(colours) > 10   # the scene
    assert 0xFFFFFFFF not in colours   # and no text of the overlay


def test_conflict_with_another_editor_is_offered(workbench, model_file):
    """Unsaved text here and a change on disk: nothing is overwritten until the user decides."""
    bench = workbench(model_file)
    mine, theirs = MODEL.replace('name="play"', 'name="mine"').replace(".05", ".06"), MODEL.replace(".05", ".07")
    bench.source.editor().replace_text(mine)
    bench.wait(lambda: bench.session.modified)
    time.sleep(0.01)
    rename_over(model_file, theirs)
    bar = bench.source.bar
    bench.wait(bar.isVisible)
    assert bench.source.editor().text() == mine and model_file.read_text() == theirs
    assert not bench.session.save() and model_file.read_text() == theirs   # saving asks for the decision first
    bar.button("keep_mine").click()
    assert not bar.isVisible() and bench.session.save() and model_file.read_text() == mine
    bench.source.editor().replace_text(mine.replace(".06", ".08"))
    rename_over(model_file, theirs)
    bench.wait(bar.isVisible)
    bar.button("take_disk").click()
    bench.wait(lambda: bench.source.editor().text() == theirs and not bench.session.modified)
