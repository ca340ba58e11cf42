"""The section Policy of the panel Demonstrations by real clicks and keys, with real processes."""
import numpy as np
import pytest
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QFileDialog

from app.inputs.mapping.dead_man import Lamp
from app.panels.teleoperation.policy_box import PolicyBox
from physics.runtime import commands as c
from tests.app.demonstrations.policy.programs import CRASHING, HEAD, importable, written
from tests.app.panels.teleoperation.test_teleoperation import MODEL
from tests.app.workbench import CTRL, SHIFT, Key
from tests.journeys.hands import bring, click, enter

RAISING = HEAD + """
run(lambda state: Action(mocap={"target": ((0.0, 0.0, 0.7), (1.0, 0.0, 0.0, 0.0))}))
"""


@pytest.fixture
def made(workbench, tmp_path, monkeypatch):
    importable(monkeypatch)
    path = tmp_path / "scene.xml"
    path.write_text(MODEL)
    bench = workbench(path, size=(1400, 1000))
    bench.application.context.settings.set("demonstrations/folder", str(tmp_path / "kept"))
    bench.application.actions["workspace_teleoperate"].trigger()
    panel = bench.panel("demonstrations")
    bench.wait(lambda: panel.isVisible() and panel.filled)
    panel.how.fold(False)
    box = panel.findChild(PolicyBox)
    box.fold(True)
    bench.wait(box.command.isVisible)
    bench.settled()
    return bench, box


def started(bench, box, tmp_path, text):
    bring(box.command)
    box.command.setFocus()
    box.command.selectAll()
    QTest.keyClicks(box.command, written(tmp_path, text))
    bring(box.start)
    click(box.start)


def height(bench):
    """Of the mocap body in the newest state."""
    return float(bench.snapshot.mocap_pos[0][2])


def driving(bench, box, tmp_path):
    started(bench, box, tmp_path, RAISING)
    bench.wait(lambda: box.control.driver == "policy" and height(bench) > 0.69)


def heights(bench):
    """At every step so far."""
    found = []
    bench.context.runner.send(c.VisitRun(lambda sim: found.append(np.concatenate([piece.columns("mocap_pos") for piece in sim.history.line().pieces])[:, 2])))
    bench.wait(lambda: found)
    return found[0]


def test_a_process_drives_and_is_stopped(made, tmp_path):
    bench, box = made
    assert box.start.text() == "Start" and not box.take.isEnabled() and not box.give.isEnabled() and not box.state.isVisible()
    driving(bench, box, tmp_path)
    assert box.start.text() == "Stop" and not box.command.isEnabled()
    bench.wait(lambda: "states/s" in box.state.text() and "policy drives" in box.state.text() and box.take.isEnabled())
    process = box.control.policy._link._process
    bring(box.start)
    click(box.start)
    bench.wait(lambda: box.start.text() == "Start" and process.poll() is not None and not box.control.alive)
    assert box.control.driver == "person" and not box.take.isEnabled() and height(bench) > 0.69
    assert bench.application.context.settings.get("demonstrations/policy").endswith("policy.py")


def test_buttons_take_over_and_hand_back(made, tmp_path):
    bench, box = made
    driving(bench, box, tmp_path)
    bring(box.take)
    click(box.take)
    bench.wait(lambda: box.give.isEnabled() and "person drives" in box.state.text() and "refused" in box.state.text())
    bring(box.give)
    click(box.give)
    bench.wait(lambda: box.control.driver == "policy" and not box.give.isEnabled())


def test_keys_of_the_view_take_over_and_hand_back_without_a_jump(made, tmp_path):
    bench, box = made
    driving(bench, box, tmp_path)
    bench.application.teleoperation.arm()
    bench.wait(lambda: bench.application.teleoperation.states[0].lamp is Lamp.ARMED and bench.host.hasFocus())
    bench.pictures(2)
    assert box.control.driver == "policy"       # arming alone takes nothing over
    before = height(bench)
    QTest.keyPress(bench.host, Key.Key_E)
    bench.wait(lambda: box.control.driver == "person" and height(bench) > before + 0.3)
    QTest.keyRelease(bench.host, Key.Key_E)
    bench.wait(lambda: box.control.driver == "policy" and abs(height(bench) - 0.7) < 0.001)
    seen = heights(bench)
    assert seen.max() > 0.98 and np.abs(np.diff(seen)).max() < 0.2


def test_a_key_goes_back_and_takes_over(made, tmp_path):
    bench, box = made
    bench.application.demonstrations.say("start")
    driving(bench, box, tmp_path)
    bring(box.seconds)
    enter(bench, box.seconds, "1")
    bench.pass_time(1.5)
    bench.host.setFocus()
    branches = len(bench.snapshot.history_branches)
    QTest.keyClick(bench.window, Key.Key_R, CTRL | SHIFT)
    bench.wait(lambda: box.control.driver == "person" and len(bench.snapshot.history_branches) > branches and bench.snapshot.running)
    bench.wait(lambda: bench.application.demonstrations.episodes.driver == "person")
    (one,) = bench.application.demonstrations.all
    assert [who for _entry, who in one.drivers][-2:] == ["policy", "person"] and one.whole
    bench.application.actions["hand_back"].trigger()
    bench.wait(lambda: box.control.driver == "policy")


def test_one_that_crashes_is_told(made, tmp_path):
    bench, box = made
    started(bench, box, tmp_path, CRASHING.replace('{"shoulder": 0.3}', "None"))
    bench.wait(lambda: "policy.py has ended with code 1" in box.note.text() and "no weights here" in box.note.text())
    assert box.start.text() == "Start" and "ended" in box.state.text()
    started(bench, box, tmp_path, RAISING)      # mended, and started again
    bench.wait(lambda: box.control.driver == "policy" and not box.note.isVisible())


def test_a_file_is_chosen_and_what_is_missing_is_told(made, tmp_path, monkeypatch):
    bench, box = made
    bring(box.start)
    click(box.start)
    assert "Say how the policy is started" in box.note.text()
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *a: (str(tmp_path / "my policy.py"), ""))
    bring(box.browse)
    click(box.browse)
    assert box.command.text() == f"'{tmp_path}/my policy.py'"
    bring(box.start)
    click(box.start)
    bench.wait(lambda: "there is no such file" in box.note.text())


def test_it_ends_with_the_window_and_with_another_model(made, tmp_path):
    bench, box = made
    driving(bench, box, tmp_path)
    process = box.control.policy._link._process
    other = tmp_path / "other.xml"
    other.write_text(MODEL)
    bench.session.open(other)
    bench.wait(lambda: not box.control.alive and process.poll() is not None)
    box.control.start()
    bench.wait(lambda: box.control.driver == "policy")
    process = box.control.policy._link._process
    bench.application.demonstrations.close()
    bench.wait(lambda: process.poll() is not None)
