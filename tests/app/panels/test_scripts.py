"""The scripts panel, with real scripts in the real window."""
from pathlib import Path

import numpy as np
import pytest
from PyQt6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PyQt6.QtGui import QDropEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QPushButton

from app.model_memory import remembered
from app.scripts.script import FAILED, ON
from physics.model.elements import element
from physics.runtime import commands
from tests.app.scripts.board import Board
from tests.app.workbench import NONE, Key

MODEL = """<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="arm" pos="0 0 1"><joint name="hinge" axis="0 1 0" damping="1"/><geom name="arm" size=".05" pos=".3 0 0"/></body>
  </worldbody>
  <actuator><motor name="m" joint="hinge"/></actuator>
  <keyframe><key name="up" qpos="1"/></keyframe>
</mujoco>"""
WAVE = """import math
gain = ui.slider("gain", 0, 10, 2.0, "N m")
square = ui.checkbox("square", False)
shape = ui.choice("shape", ("sine", "none"))
ui.plot("qpos['hinge']", "ctrl[0]")

def control(m, d):
    s = math.sin(20 * d.time) if shape.value == "sine" else 0.0
    d.ctrl[0] = gain.value * (math.copysign(1, s) if square.value else s)

@ui.button("Kick")
def kick(m, d):
    d.qvel[0] = 5
"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    (tmp_path / "wave.py").write_text(WAVE)
    return workbench(tmp_path / "m.xml", size=(1300, 820))


def opened(bench, path: Path):
    """The panel, with this script loaded."""
    assert bench.application.scripts.open(path)
    panel = bench.panel("scripts")
    bench.wait(lambda: all(script.state in (ON, FAILED) for script in bench.application.scripts.set.scripts))
    return panel


def rows(panel) -> list[tuple[str, str]]:
    """(text, state) of all rows of the list."""
    found = []
    for k in range(panel.tree.topLevelItemCount()):
        item = panel.tree.topLevelItem(k)
        found += [(item.text(0), item.text(1)), *((item.child(j).text(0), item.child(j).text(1)) for j in range(item.childCount()))]
    return found


def test_no_script_runs_by_itself(bench):
    assert bench.application.scripts.set.scripts == [] and "scripts" not in bench.docks.panels


def test_functions_sliders_buttons_and_plots_of_a_script_are_there(bench, tmp_path):
    panel = opened(bench, tmp_path / "wave.py")
    bench.wait(lambda: rows(panel) == [("wave.py", "on"), ("control", "on"), ("button Kick", "on")])
    assert [type(row).__name__ for _control, row in panel._rows] == ["SliderRow", "CheckRow", "ChoiceRow"]
    assert panel._rows[0][1].name == "gain [N m]"
    bench.wait(lambda: "plots" in bench.docks.panels and bench.docks.panels["plots"].texts == ("qpos['hinge']", "ctrl[0]"))
    bench.runner.send(commands.Run())
    bench.pass_time(0.2)
    assert bench.snapshot.ctrl[0] != 0
    bench.wait(lambda: panel.tree.topLevelItem(0).child(0).text(2).endswith("s"))


def test_moving_a_slider_is_felt_by_the_run_and_survives_a_save(bench, tmp_path):
    panel = opened(bench, tmp_path / "wave.py")
    script, = bench.application.scripts.set.scripts
    row = panel._rows[0][1]
    row.number.setFocus()
    row.number.selectAll()
    QTest.keyClicks(row.number, "0.5")
    QTest.keyClick(row.number, Key.Key_Return)
    bench.wait(lambda: script.controls[0].value == 0.5)
    QTest.mouseClick(panel._rows[1][1].box, Qt.MouseButton.LeftButton, NONE, QPoint(8, panel._rows[1][1].box.height() // 2))
    bench.wait(lambda: script.controls[1].value is True)
    bench.runner.send(commands.Run())
    bench.wait(lambda: abs(bench.snapshot.ctrl[0]) == 0.5)
    (tmp_path / "wave.py").write_text(WAVE.replace("20 * d.time", "30 * d.time"))
    bench.wait(lambda: script.version == 2 and script.state == ON)
    assert (script.controls[0].value, script.controls[1].value) == (0.5, True)
    bench.wait(lambda: panel._rows[0][1].value == 0.5 and panel._rows[0][0] is script.controls[0])


def test_a_value_that_the_script_sets_is_shown(bench, tmp_path):
    (tmp_path / "wave.py").write_text(WAVE + "\ndef on_load(m, d):\n    gain.value = 7.5\n")
    panel = opened(bench, tmp_path / "wave.py")
    bench.wait(lambda: panel._rows[0][1].value == 7.5)


def test_a_button_calls_its_function(bench, tmp_path):
    panel = opened(bench, tmp_path / "wave.py")
    button = next(b for b in panel.declared.widget().findChildren(QPushButton) if b.text() == "Kick")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    bench.wait(lambda: bench.snapshot.qvel[0] == 5 and not bench.snapshot.running)


def test_an_error_is_told_with_its_line_and_the_run_goes_on(bench, tmp_path):
    (tmp_path / "wave.py").write_text(WAVE.replace("    s = ", "    oops = nothing\n    s = "))
    panel = opened(bench, tmp_path / "wave.py")
    bench.runner.send(commands.Run())
    bench.pass_time(0.1)
    bench.wait(lambda: ("control", "off") in rows(panel) and ("wave.py", "failed") in rows(panel))
    assert bench.logged("control of wave.py failed and is off until its file changes: wave.py, line 8: NameError")
    assert panel.error.isVisible() and "wave.py, line 8</a>" in panel.error.text() and "NameError" in panel.error.text()
    bench.pass_time(0.1)
    assert bench.snapshot.running
    (tmp_path / "wave.py").write_text(WAVE)
    bench.wait(lambda: ("control", "on") in rows(panel) and not panel.error.isVisible())


def test_the_link_opens_the_editor_of_the_settings_at_the_line(bench, tmp_path):
    (tmp_path / "wave.py").write_text("x = 1\ny = (\n")
    bench.settings.set("scripts/editor", f"sh -c 'echo {{file}}:{{line}} > {tmp_path}/edited'")
    panel = opened(bench, tmp_path / "wave.py")
    bench.wait(lambda: panel.error.isVisible())
    panel.error.linkActivated.emit(f"{tmp_path}/wave.py:2")
    bench.wait(lambda: (tmp_path / "edited").exists() and (tmp_path / "edited").read_text().strip() == f"{tmp_path}/wave.py:2")
    bench.settings.set("scripts/editor", "no-such-editor {file}")
    panel.tree.itemDoubleClicked.emit(panel.tree.topLevelItem(0), 0)
    assert bench.logged("could not be started (no-such-editor {file})")


def test_an_endless_loop_stops_neither_the_window_nor_its_end(bench, tmp_path):
    (tmp_path / "wave.py").write_text("def control(m, d):\n    while d.time > 0.05:\n        pass\n")
    panel = opened(bench, tmp_path / "wave.py")
    bench.runner.send(commands.Run())
    bench.wait(lambda: bench.logged("control of wave.py has not come back for") and "does not come back" in panel.note.text())
    bench.pictures(3)       # the window lives
    QTest.mouseClick(panel.stop, Qt.MouseButton.LeftButton)
    bench.wait(lambda: bench.snapshot.time > 0.2)
    bench.wait(lambda: bench.logged("control of wave.py was stopped: wave.py, line") and ("control", "off") in rows(panel))
    QTest.mouseClick(next(b for b in panel.findChildren(QPushButton) if b.text() == "Reload"), Qt.MouseButton.LeftButton)
    bench.wait(lambda: bench.application.scripts.set.hanging() is not None)     # it hangs once more, and the window is closed under it


def test_the_box_switches_it_off_and_delete_removes_it(bench, tmp_path):
    panel = opened(bench, tmp_path / "wave.py")
    scripts = bench.application.scripts.set
    panel.tree.topLevelItem(0).setCheckState(0, Qt.CheckState.Unchecked)
    bench.wait(lambda: rows(panel) == [("wave.py", "off")] and not panel._rows)
    panel.tree.topLevelItem(0).setCheckState(0, Qt.CheckState.Checked)
    bench.wait(lambda: ("control", "on") in rows(panel))
    panel.tree.setCurrentItem(panel.tree.topLevelItem(0))
    QTest.keyClick(panel, Key.Key_Delete)
    bench.wait(lambda: scripts.scripts == [] and panel.note.isVisible() and "Python files" in panel.note.text())


def test_it_is_remembered_for_its_model_and_for_no_other(bench, tmp_path):
    opened(bench, tmp_path / "wave.py")
    scripts = bench.application.scripts.set
    scripts.set_value(scripts.scripts[0].controls[0], 4.0)
    path = str(tmp_path / "m.xml")
    bench.wait(lambda: (kept := remembered(bench.settings, path, "scripts")) and kept[0]["values"] == {"wave.py": {"gain": 4.0}})
    (tmp_path / "other.xml").write_text(MODEL)
    bench.session.open(tmp_path / "other.xml", run=False)
    bench.wait(lambda: "other" in str(bench.context.model.source[0]))
    assert scripts.scripts == [] and remembered(bench.settings, str(tmp_path / "other.xml"), "scripts") is None
    bench.session.open(tmp_path / "m.xml", run=False)
    bench.wait(lambda: [script.state for script in scripts.scripts] == [ON] and scripts.scripts[0].controls[0].value == 4.0)


def test_an_edit_of_the_model_keeps_it_and_loads_it_for_the_new_one(bench, tmp_path):
    (tmp_path / "wave.py").write_text("def on_load(m, d): ui.log(f'{m.nbody} bodies')\ndef control(m, d): d.ctrl[0] = 0.5\n")
    opened(bench, tmp_path / "wave.py")
    bench.wait(lambda: bench.logged("wave.py: 2 bodies"))
    (tmp_path / "m.xml").write_text(MODEL.replace("</worldbody>", '<body name="more" pos="2 0 1"><geom size=".1"/></body></worldbody>'))
    bench.wait(lambda: bench.logged("wave.py: 3 bodies"))
    bench.runner.send(commands.Step(1))
    bench.wait(lambda: bench.snapshot.ctrl[0] == 0.5)


def test_keys_of_the_view_and_the_selection_reach_it(bench, tmp_path):
    (tmp_path / "wave.py").write_text("""
def on_key(key): ui.log(f"key {key}")
def on_select(elements): ui.log("selected " + ", ".join(e.name for e in elements))
@ui.key("T")
def tee(m, d): d.qvel[0] = 2
""")
    opened(bench, tmp_path / "wave.py")
    transparent = bench.context.options["transparent"]
    bench.press_key(Key.Key_T)
    bench.wait(lambda: bench.snapshot.qvel[0] == 2 and bench.logged("key T"))
    assert bench.context.options["transparent"] == transparent      # the window's own T waits
    bench.press_key(Key.Key_C)
    bench.wait(lambda: bench.logged("key C"))
    assert bench.context.options["contact_point"]
    m = bench.context.model
    bench.context.select_elements((element(m, "body", m.id("body", "arm")),))
    bench.wait(lambda: bench.logged("selected arm"))
    bench.application.scripts.stop()
    bench.press_key(Key.Key_T)
    bench.wait(lambda: bench.context.options["transparent"] != transparent)


def test_it_draws_once_for_each_snapshot_that_is_shown(bench, tmp_path):
    (tmp_path / "wave.py").write_text("def draw(markers, m, snapshot):\n    markers.append(snapshot.time)\n")
    bench.application.scripts.set.markers = board = Board()
    opened(bench, tmp_path / "wave.py")
    bench.runner.send(commands.Run())
    bench.wait(lambda: len(board.seen) > 5)
    times = [time for _owner, made in board.seen for time in made]
    assert len(times) > 3 and (np.diff(times) >= 0).all() and {owner for owner, _made in board.seen} == {f"script {tmp_path / 'wave.py'}"}


def test_a_dropped_file_is_opened_as_a_script(bench, tmp_path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "wave.py"))])
    event = QDropEvent(QPointF(200, 200), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, NONE)
    bench.window.dropEvent(event)
    bench.wait(lambda: [script.state for script in bench.application.scripts.set.scripts] == [ON])
    assert Path(bench.context.model.source[0]).name == "m.xml"


def test_the_actions_open_reload_and_stop(bench, tmp_path, monkeypatch):
    monkeypatch.setattr("app.controllers.scripts.ask_for_file", lambda *_: tmp_path / "wave.py")
    bench.actions["open_script"].trigger()
    scripts = bench.application.scripts.set
    bench.wait(lambda: [script.state for script in scripts.scripts] == [ON] and bench.docks.docks["scripts"].isVisible())
    bench.actions["stop_scripts"].trigger()
    assert scripts.stopped
    bench.actions["reload_scripts"].trigger()
    bench.wait(lambda: not scripts.stopped and scripts.scripts[0].version == 2 and scripts.scripts[0].state == ON)


def test_a_changed_line_of_plots_changes_the_chart(bench, tmp_path):
    opened(bench, tmp_path / "wave.py")
    plots = bench.panel("plots")
    bench.wait(lambda: plots.texts == ("qpos['hinge']", "ctrl[0]"))
    (tmp_path / "wave.py").write_text(WAVE.replace('"ctrl[0]"', '"qvel[0]"'))
    bench.wait(lambda: plots.texts == ("qpos['hinge']", "qvel[0]"))
    assert len(plots.charts) == 1
