"""The window of a script: what it shows, what the user does in it reaches the script, and what means nothing there is off."""
import numpy as np
import pytest
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtGui import QImage, QPainter
from PyQt6.QtTest import QTest

import linkwork
import physics
from app.passive.answers import array_of
from physics.runtime import commands
from tests.app.passive.script_bench import Button, ScriptBench, beside
from tests.app.workbench import CTRL, SHIFT

MODEL = """<mujoco model="balls"><option gravity="0 0 0"/><visual><headlight ambient=".5 .5 .5"/></visual><worldbody><light pos="0 0 4"/>
  <body name="ball" pos="0 0 1"><freejoint/><geom name="ball" size=".3" rgba="1 0 0 1"/></body>
  <body name="hand" mocap="true" pos="1 0 1"><geom name="hand" type="box" size=".2 .2 .2"/></body>
  <body pos="0 1 1"><joint name="hinge" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body>
  <camera name="side" pos="0 -4 1" xyaxes="1 0 0 0 0 1"/></worldbody>
  <actuator><motor name="motor" joint="hinge" ctrlrange="-1 1" ctrllimited="true"/></actuator><keyframe><key name="up" qpos="0 0 2 1 0 0 0 0"/></keyframe></mujoco>"""


@pytest.fixture
def opened(qtbot, tmp_path, monkeypatch, kept_context):
    kept_context.patch(monkeypatch)
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path / "state"))
    monkeypatch.setattr("sys.argv", ["loop.py"])
    made = []

    def make(**options):
        made.append(ScriptBench(qtbot, tmp_path, MODEL, **options))
        return made[-1]

    yield make
    for bench in made:
        bench.close()


@pytest.fixture
def bench(opened):
    return opened()


def test_states_of_the_script_are_seen(bench):
    assert bench.application.window.windowTitle().startswith("balls (loop.py)") and bench.context.model is not bench.m
    bench.d.qvel[0] = 1
    physics.step(bench.m, bench.d, 100)
    snapshot = bench.shown()
    np.testing.assert_array_equal(snapshot.xpos, bench.d.xpos)
    assert bench.settings.get("files/recent") == []


def test_a_drag_of_the_mouse_pulls_the_scripts_body(bench):
    bench.context.select_body(1)
    bench.until(lambda: bench.viewer.perturb.select == 1)
    start = bench.centre("ball")
    bench.drag(start, beside(start, 40, 0), beside(start, 120, 0), button=Button.RightButton, modifiers=CTRL, release=False)
    bench.until(lambda: bench.d.perturb_active == 1)
    for _ in range(100):
        bench.viewer.sync()
        physics.step(bench.m, bench.d)
    assert np.linalg.norm(bench.d.qvel[:3]) > 0.1 and not bench.d.xfrc_applied.any()
    assert bench.viewer.perturb.active == 1 and np.linalg.norm(bench.viewer.perturb.force[:3]) > 0
    bench.wait(lambda: bench.snapshot.perturb.bodyid == 1)
    bench.drag(beside(start, 120, 0), button=Button.RightButton, modifiers=CTRL)
    bench.until(lambda: not bench.d.perturb_active)


def test_a_mocap_body_follows_the_mouse(bench):
    bench.context.select_body(2)
    start = bench.centre("hand")
    bench.drag(start, beside(start, 60, 0), button=Button.RightButton, modifiers=CTRL)
    bench.until(lambda: np.linalg.norm(bench.d.mocap_pos[0] - (1, 0, 1)) > 0.1)


def test_sliders_and_options_reach_the_script_and_show_what_holds_there(bench):
    controls = bench.application.window.layout_of_docks.show("controls")
    controls.rows[0].enter(0.5)
    bench.context.runner.send(commands.SetOption("gravity", -2.0, 2))
    bench.until(lambda: bench.d.ctrl[0] == 0.5 and bench.m.opt_gravity[2] == -2)
    bench.until(lambda: bench.snapshot.changed_values and bench.snapshot.model.opt_gravity[2] == -2)
    bench.d.ctrl[0] = -0.25
    bench.shown()
    bench.wait(lambda: controls.rows[0].value == -0.25)


def test_backspace_resets_the_scripts_data(bench):
    bench.d.qvel[0] = 1
    physics.step(bench.m, bench.d, 50)
    bench.shown()
    bench.press_key(Qt.Key.Key_Backspace)
    bench.until(lambda: bench.d.time == 0)
    assert bench.d.qpos[0] == 0


def test_space_and_step_are_the_scripts_run(bench):
    assert bench.viewer.run
    bench.press_key(Qt.Key.Key_Space)
    bench.wait(lambda: not bench.viewer.run)
    bench.wait(lambda: not bench.snapshot.running)
    bench.viewer.sync()
    bench.actions["step"].trigger()
    bench.wait(lambda: bench.viewer.run)
    bench.viewer.sync()
    assert not bench.viewer.run
    bench.press_key(Qt.Key.Key_Space)
    bench.wait(lambda: bench.viewer.run)
    bench.viewer.run = False
    bench.shown()
    bench.wait(lambda: not bench.actions["run"].isChecked())


def test_keys_are_told_with_the_numbers_of_glfw(bench):
    for key, modifiers in ((Qt.Key.Key_Space, None), (Qt.Key.Key_A, SHIFT), (Qt.Key.Key_Up, None), (Qt.Key.Key_F5, CTRL), (Qt.Key.Key_7, None)):
        bench.press_key(key, *((modifiers,) if modifiers else ()))
    def told():
        return [code for code in bench.keys if code not in (340, 341)]      # of Shift and Ctrl

    bench.wait(lambda: len(told()) >= 5)
    assert told() == [32, 65, 265, 294, 55]
    bench.keys.clear()


def test_camera_and_switches_go_both_ways(bench):
    viewer, view = bench.viewer, bench.application.view_control
    viewer.cam.distance, viewer.cam.lookat[:] = 3.5, (0.1, 0.2, 0.3)
    viewer.opt.flags[linkwork.VisFlag.CONTACT_POINT] = True
    viewer.opt.geomgroup[1] = 0
    viewer.opt.label = linkwork.LabelMode.BODY
    bench.until(lambda: view.camera.distance == 3.5)
    options = bench.context.options
    assert view.camera.lookat == (0.1, 0.2, 0.3) and options.flags["contact_point"] and not options.geomgroup[1] and options.label == "Body"
    bench.drag(QPointF(60, 300), QPointF(90, 300))
    bench.actions["flag_joint"].trigger()
    bench.until(lambda: viewer.opt.flags["joint"])
    bench.until(lambda: viewer.cam.azimuth == view.camera.azimuth)
    assert viewer.cam.distance == view.camera.distance and viewer.opt.label == linkwork.LabelMode.BODY
    viewer.cam.type, viewer.cam.fixedcamid = linkwork.CameraType.FIXED, 0
    bench.until(lambda: view.camera_index() == 0)
    viewer.cam.fixedcamid = 7
    bench.until(lambda: any("there is no camera 7" in text for _level, text in bench.context.log_lines))


def test_texts_stand_at_the_edges(bench):
    bench.viewer.set_texts([(0, linkwork.GridPos.TOPRIGHT, "speed\nforce", "1\n2"), (0, linkwork.GridPos.BOTTOMLEFT, "hello", "")])
    bench.until(lambda: bench.application.overlay.corner_texts)
    first, second = bench.application.overlay.corner_texts
    assert first.rows == [("speed", "1"), ("force", "2")] and second.place == "bottom left"
    bench.viewer.clear_texts()
    bench.until(lambda: not bench.application.overlay.corner_texts)


def test_what_means_nothing_here_is_off_with_a_reason(bench):
    for name in ("open", "reload", "apply", "save", "new_window", "step_back", "loop", "full_speed", "speed_2", "record", "save_recording", "report", "open_script", "start_companion",
                 "play_backward", "add_bookmark"):
        assert not bench.actions[name].isEnabled() and bench.actions[name].property("reason"), name
    for name in ("run", "step", "reset", "screenshot", "save_as", "flag_joint"):
        assert bench.actions[name].isEnabled(), name
    assert not bench.application.session.open("nothing.xml")
    assert bench.context.log_lines[-1][1].endswith("shows the model of a script")


def test_the_text_of_the_model_can_be_written(bench, tmp_path):
    assert bench.application.session.save_as(tmp_path / "out.xml")
    assert physics.load(tmp_path / "out.xml").nbody == bench.m.nbody and bench.application.session.document.script


def test_panels_of_a_side_can_be_left_out_and_that_is_not_remembered(opened):
    bench = opened(left=False, right=False)
    docks = bench.application.window.layout_of_docks
    assert not docks.open_docks("left") and not docks.open_docks("right")
    bench.application.window.remember()
    assert not bench.settings.get("window/workspaces")


def test_pixels_of_a_texture_are_taken_up(qtbot, tmp_path, monkeypatch):
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path / "state"))
    text = """<mujoco><asset><texture name="t" type="2d" builtin="flat" rgb1="1 0 0" width="16" height="16"/><material name="m" texture="t"/></asset>
      <worldbody><light pos="0 0 3"/><geom type="box" size="1 1 1" material="m"/></worldbody></mujoco>"""
    bench = ScriptBench(qtbot, tmp_path, text)
    try:
        with pytest.raises(IndexError, match="no texture 4"):
            bench.viewer.update_texture(4)
        bench.m.tex_data[:] = np.resize((0, 255, 0), bench.m.tex_data.shape)
        bench.viewer.update_texture(0)
        bench.viewer.sync()
        bench.wait(lambda: bench.context.model.tex_data.ravel()[1] == 255)
        green = lambda: (lambda p: p[:, :, 1].astype(int) - p[:, :, 0])(picture(bench)).max()   # noqa: E731
        bench.wait(lambda: green() > 60)
    finally:
        bench.close()


def picture(bench):
    from app.passive.answers import array_of

    bench.application.viewport.refresh()
    return array_of(bench.application.viewport.image())


def test_the_window_answers_for_as_long_as_it_is_open(opened, tmp_path, monkeypatch):
    """What the program does by itself in a window of its own, such as recording, must not be asked of a script."""
    monkeypatch.setattr("app.recordings.recorder.EVERY", 0.02)
    bench = opened()
    bench.application.window.layout_of_docks.show("plots")
    bench.shown()
    QTest.qWait(300)
    bench.viewer.run = False
    bench.shown()
    bench.press_key(Qt.Key.Key_Space)
    bench.wait(lambda: bench.viewer.run)
    bench.actions["start_companion"].setEnabled(True)
    bench.actions["start_companion"].trigger()
    assert "A companion run needs the inputs" in bench.context.log_lines[-1][1] and not bench.application.companions.rows
    assert not (tmp_path / "state" / "recordings").exists()


def test_the_window_is_closed_by_the_script(bench):
    bench.viewer._process.say("close")
    bench.wait(lambda: bench.application not in bench.program.windows)


def test_a_change_of_the_model_just_before_the_script_rests_is_seen(bench):
    """States go through shared memory, where sync looks at the Model only now and then."""
    bench.shown()
    assert bench.viewer._process.states is not None
    for _ in range(3):
        bench.viewer.sync()
    bench.m.geom_rgba[0] = (0, 0, 1, 1)
    bench.viewer.sync()
    bench.wait(lambda: tuple(bench.context.model.geom_rgba[0]) == (0, 0, 1, 1))


def test_pictures_and_charts_of_the_script_are_painted_over_its_view(bench):
    red = np.zeros((60, 80, 3), np.uint8)
    red[..., 0] = 255
    figure = linkwork.Figure(title="height", background=(0, 0, 1, 1), pane=(0, 0, 1, 1), grid=(1, 1))
    figure.line("up", [0, 1, 2], [0, 1, 0.5], rgb=(0, 1, 0))
    bench.viewer.set_images((linkwork.Rect(10, 10, 80, 60), red))
    bench.viewer.set_figures([((200, 10, 220, 140), figure)])
    bench.shown()
    framed = bench.window.framed
    bench.wait(lambda: framed.images and framed.figures)
    image = QImage(bench.host.size(), QImage.Format.Format_RGB888)
    image.fill(Qt.GlobalColor.black)
    painter = QPainter(image)
    framed.paint(painter, image.width(), image.height(), None, None)
    painter.end()
    pixels = array_of(image)[::-1]      # from below
    assert (pixels[12:68, 12:88] == (255, 0, 0)).all() and not pixels[75:100, 10:90].any()
    chart = pixels[10:150, 200:420]
    assert (chart == (0, 0, 255)).all(axis=2).mean() > 0.5 and ((chart[..., 1] > 150) & (chart[..., 0] < 90)).sum() > 50
    bench.viewer.clear_images()
    bench.viewer.clear_figures()
    bench.until(lambda: not framed.images and not framed.figures)
    assert bench.viewer.viewport[2:] == (bench.host.width(), bench.host.height()) or bench.host.devicePixelRatioF() != 1
    bench.application.window.resize(1200, 800)
    bench.until(lambda: bench.viewer.viewport.width == round(bench.host.width() * bench.host.devicePixelRatioF()))


def test_pictures_that_do_not_fit_are_refused(bench):
    with pytest.raises(ValueError, match="does not match target shape"):
        bench.viewer.set_images((linkwork.Rect(0, 0, 10, 10), np.zeros((10, 11, 3), np.uint8)))
    with pytest.raises(ValueError, match="of uint8"):
        bench.viewer.set_images((linkwork.Rect(0, 0, 10, 10), np.zeros((10, 10, 3))))
    with pytest.raises(ValueError, match="nothing in it"):
        bench.viewer.set_figures(((0, 0, 0, 5), linkwork.Figure()))
    with pytest.raises(TypeError, match="needs a Figure"):
        bench.viewer.set_figures((linkwork.Rect(0, 0, 10, 10), 3))
    with pytest.raises(ValueError, match="rgb must be 3"):
        linkwork.Figure().line("a", [0], [0], rgb=(1, 2))
