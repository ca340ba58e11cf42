"""The window itself: docks, toolbar, menus, keys of one's own, colours, text over the view, and surviving mistakes."""
import sys
import threading

import numpy as np
import pytest
from PyQt6.QtCore import QPointF, QTimer
from PyQt6.QtGui import QGuiApplication, QKeySequence
from PyQt6.QtWidgets import QComboBox, QLabel

from app import crash
from app.dialogs.help import HelpDialog
from app.dialogs.keys import KeysDialog
from app.viewport.overlay import Overlay
from assets.locate import bundled_model
from physics.mjcf.reader import read_text
from tests.app.workbench import CTRL, Button, Key


@pytest.fixture
def bench(workbench):
    return workbench(bundled_model("mocap_paddle.xml"), size=(1280, 800))


def test_choosers_follow_the_model_and_act(bench):
    chooser = bench.window.findChild(QComboBox, "camera")
    names = [chooser.itemText(i) for i in range(chooser.count())]
    assert names == ["Free", "Tracking", *(name for name in bench.context.model.names["camera"])]
    speed = bench.window.findChild(QComboBox, "speed")
    assert speed.itemText(0) == "max" and speed.currentText() == "100 %"
    speed.activated.emit(0)
    bench.wait(lambda: bench.snapshot.speed is None)
    assert bench.actions["full_speed"].isChecked() and speed.currentText() == "max"
    bench.actions["full_speed"].trigger()
    bench.wait(lambda: bench.snapshot.speed == 1.0)


def test_keys_can_be_bound_anew(bench, qtbot):
    dialog = KeysDialog(bench.settings, bench.actions, bench.window)
    qtbot.addWidget(dialog)
    dialog.select("flag_contact_point")
    dialog.edit.setKeySequence(QKeySequence("T"))
    assert not dialog.assign() and "Transparent" in dialog.note.text()
    dialog.edit.setKeySequence(QKeySequence("Ctrl+J"))
    assert dialog.assign() and bench.settings.keys("flag_contact_point", ()) == ("Ctrl+J",)
    bench.press_key(Key.Key_C)
    assert not bench.context.options["contact_point"]
    bench.press_key(Key.Key_J, CTRL)
    assert bench.context.options["contact_point"]
    dialog.restore()
    bench.press_key(Key.Key_C)
    assert not bench.context.options["contact_point"]


def test_help_and_tips_tell_the_keys_that_are_bound(bench):
    bench.actions["help"].trigger()
    page = bench.window.findChild(HelpDialog)
    bench.settings.set_keys("run", ("Ctrl+Alt+K",))
    assert "(Ctrl+Alt+K)" in bench.actions["run"].toolTip() and "Space" not in bench.actions["run"].toolTip()
    assert any("Ctrl+Alt+K" in label.text() for label in page.findChildren(QLabel))
    bench.settings.set_keys("run", ())
    assert "(" not in bench.actions["run"].toolTip()


def test_a_mocap_body_follows_the_perturbation_while_paused_and_running(bench):
    model = bench.context.model
    body = int(np.nonzero(model.body_mocapid >= 0)[0][0])
    bench.context.select_body(body)
    for run in (False, True):
        if run:
            bench.actions["run"].trigger()
            bench.wait(lambda: bench.snapshot.running)
        before = bench.snapshot.mocap_pos[0].copy()
        at = bench.viewport.body_pixel(body)
        bench.drag(at, at + QPointF(20, -20), at + QPointF(30, -40), button=Button.RightButton, modifiers=CTRL)
        bench.wait(lambda before=before: bench.snapshot.mocap_pos[0][2] > before[2] + 0.01)


def test_dragging_a_mocap_body_tells_no_force(bench):
    """It is moved: what the mouse's spring would pull with is rounding."""
    body = int(np.nonzero(bench.context.model.body_mocapid >= 0)[0][0])
    bench.actions["run"].trigger()
    bench.pass_time(0.1)
    bench.context.select_body(body)
    at, told, forces = bench.viewport.body_pixel(body), [], []

    def between():
        for _ in range(5):
            bench.pictures(1)
            forces.append(bench.snapshot.perturb.newton if bench.snapshot.perturb.active else 0.0)
            told.extend(value for name, value in bench.application.overlay.state_rows(bench.snapshot) if name == "Pull")
            told.extend(text for text in bench.viewport.picture.scene.labels.text if " N" in text)

    bench.drag(at, at + QPointF(20, -20), at + QPointF(30, -40), at + QPointF(10, -30), button=Button.RightButton, modifiers=CTRL, between=between)
    assert bench.snapshot.perturb.bodyid == body and not told and max(forces) < 1e-6


def test_the_camera_is_copied_as_an_element_the_model_understands(bench):
    bench.actions["copy_camera"].trigger()
    text = QGuiApplication.clipboard().text()
    read = read_text(f"<mujoco><worldbody>{text}</worldbody></mujoco>")
    assert not read.errors and text.startswith("<camera pos=")


def test_while_kernels_compile_the_model_is_drawn_and_then_runs_by_itself(workbench):
    bench = workbench(bundled_model("pendulum.xml"), size=(700, 420), running=True, ready=False)
    bench.application.loader.progressed.emit(3, 40, "com")
    progress = bench.window.status.progress
    bench.wait(lambda: progress.isVisible() and "3 of 40" in progress.label.text() and progress.bar.value() == 75)
    bench.pictures()
    assert bench.snapshot.time == 0 and bench.snapshot.status == "preparing" and bench.viewport.pick(*middle(bench)) is not None
    bench.application.loader.ready.emit()
    bench.pass_time(0.05)
    assert bench.snapshot.status == "running" and not progress.isVisible()


def middle(bench):
    """Where the first moving body is in the view."""
    at = bench.viewport.body_pixel(1)
    return at.x(), at.y()


# ---------------------------------------------------------------- text over the view


class Shown:
    """A snapshot with just what the overlay reads."""

    speed, real_speed, running, message, steps_per_picture = 1.0, 1.0, True, "", 0
    history_length, history_index = 10, 9
    time, nefc, ncon, step_us, solver_niter_max, energy = 1.5, 12, 3, 40.0, np.array(4), np.zeros(2)
    maxuse_con, maxuse_efc = 5, 21
    solver_gradient, solver_niter = np.array([[1.0, 0.1, 1e-3, 1e-9]]), np.array([4])

    class perturb:
        active = bodyid = 0
        newton, newton_metre = 12.5, 0.5

    class model:
        body_mocapid = (-1, 0, -1)


def rows(**changes):
    return dict(Overlay().state_rows(type("S", (Shown,), changes)()))


def test_the_state_is_described_in_words():
    assert rows() == {"Speed": "100 %"}
    assert rows(real_speed=0.42)["Speed"] == "100 % (real 42 %)"
    assert rows(real_speed=0.95)["Speed"] == "100 %"
    assert rows(speed=None, real_speed=37.0)["Speed"] == "max (37 times)"
    assert rows(running=False, real_speed=0.0) == {"Speed": "100 %", "PAUSE": ""}
    assert rows(running=False, history_index=4)["PAUSE"] == "-5"
    held = type("P", (Shown.perturb,), {"active": 1, "bodyid": 2})
    assert rows(perturb=held)["Pull"] == "12.5 N   0.5 N m"
    assert rows(perturb=type("P", (held,), {"newton": 2e-14, "newton_metre": 3e-7})).get("Pull", "") == "", "rounding is no force"
    assert "Pull" not in rows(perturb=type("P", (held,), {"bodyid": 1})), "a mocap body is moved, not pulled"
    info = dict(Overlay().info_rows(type("S", (Shown,), {"energy": np.array([1.0, 2.0])})()))
    assert info["Solver"] == "4 iterations (residual 1e-9.0)" and info["Time"] == "1.500 s" and "3 contacts" in info["Size"] and info["Energy"].startswith("3 J")
    assert info["Peak"] == "21 rows (5 contacts)" and "Labels" not in info
    crowded = Overlay()
    crowded.labels.layout.left_out = 7
    assert dict(crowded.info_rows(Shown))["Labels"] == "7 have no room"


def test_a_diverging_model_says_where_and_keeps_its_last_good_state(workbench, tmp_path):
    path = tmp_path / "wild.xml"
    path.write_text("""<mujoco><option timestep=".05"><flag autoreset="disable"/></option><worldbody><body name="wild">
    <joint name="spin" axis="0 1 0" damping="-900"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05"/></body></worldbody></mujoco>""")
    bench = workbench(path, size=(700, 420))
    bench.actions["run"].trigger()
    bench.wait(lambda: bench.snapshot.message)
    for word in ("dof 0", "spin", "wild", "time"):
        assert word in bench.snapshot.message
    bench.wait(lambda: bench.logged("spin"))
    assert not bench.snapshot.running and np.isfinite(bench.snapshot.qpos).all()
    bench.pictures()
    bench.actions["reset"].trigger()
    bench.wait(lambda: not bench.snapshot.message)


# ---------------------------------------------------------------- mistakes of ours


def test_an_unexpected_error_is_reported_once_and_the_window_lives_on(bench, tmp_path, monkeypatch):
    monkeypatch.setattr(crash, "user_log_dir", lambda *_, **__: str(tmp_path / "logs"))
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    crash.install(lambda text: bench.context.log("error", text))

    def fail():
        raise RuntimeError("a slot failed")

    with bench.qtbot.captureExceptions() as caught:   # the test's own hook is in the way here: call ours as Qt would
        QTimer.singleShot(0, fail)
        bench.wait(lambda: caught)
    crash.install(lambda text: bench.context.log("error", text))
    for _ in range(3):
        sys.excepthook(*caught[0])
    assert sum("a slot failed" in text for _level, text in bench.context.log_lines) == 1
    assert crash.log_file().read_text().count("RuntimeError: a slot failed") == 1
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    assert bench.logged("ZeroDivisionError")
    bench.pictures()


def test_fewer_pictures_are_drawn_while_kernels_are_compiled_beside_the_window(bench):
    usual, loader = bench.viewport.interval, bench.application.loader
    assert usual == 33, "software GL, as in every test"
    loader.first_ready.emit()
    assert bench.viewport.interval == 67 and bench.application._frames.interval() == 67
    loader.first_ready.emit()   # another model that was opened meanwhile
    bench.settings.set("view/frame_cap", 10)
    bench.viewport.spare(True)
    assert bench.viewport.interval == 100, "what the user has chosen may be less"
    bench.settings.set("view/frame_cap", 0)
    loader.ended.emit()
    assert bench.viewport.interval == usual and bench.application._frames.interval() == usual
