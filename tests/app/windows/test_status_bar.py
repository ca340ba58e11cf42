"""The status bar: how the run goes, what takes long, what wants attention, and what a click on it opens."""
from dataclasses import dataclass

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest

from app.windows.changed_values import value_text
from app.windows.status_bar import run_text
from physics.runtime import commands
from tests.app.workbench import Key

MODEL = """<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <body name="ball" pos="0 0 .5"><freejoint/><geom name="ball" size=".1"/></body>
  </worldbody>
</mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "ball.xml").write_text(MODEL)
    return workbench(tmp_path / "ball.xml", size=(1100, 700))


@dataclass(frozen=True)
class Changed:
    """As physics.runtime has it."""

    target: str
    label: str
    file_value: object
    value: object


class Shown:
    """A snapshot with just what the speed is read from."""

    running, speed, real_speed, status, steps_per_picture = True, 1.0, 1.0, "running", 0


def said(**changes):
    return run_text(type("S", (Shown,), changes)())


def test_the_speed_is_told_as_it_is():
    assert said() == "100 %" and said(real_speed=0.95) == "100 %" and said(real_speed=0.424) == "100 % (real 42 %)"
    assert said(speed=None, real_speed=37.0) == "max (37 times)" and said(running=False, status="paused") == "paused"
    assert said(running=False, status="preparing") == "preparing"
    assert said(steps_per_picture=1, real_speed=0.0312) == "1 step per picture (3.1 %)" and said(steps_per_picture=5, real_speed=0.0) == "5 steps per picture"


def test_model_time_speed_and_pictures_are_in_the_bar(bench):
    status = bench.window.status
    bench.wait(lambda: status.model.text() == "ball.xml" and status.speed.text() == "paused")
    assert "1 joint" in status.model.toolTip() or "1 joints" in status.model.toolTip()
    bench.actions["run"].trigger()
    bench.wait(lambda: status.speed.text().startswith("100 %") and status.time.text() not in ("", "0.000 s") and status.pace.text().endswith("fps"))
    bench.source.editor().append(" ")
    bench.wait(lambda: status.model.text() == "*ball.xml")
    overlay = bench.application.overlay
    assert not overlay.show_info and not overlay._boxes(None, 600, bench.snapshot), "nothing lies over the picture"


def test_problems_are_counted_and_lead_to_their_place(bench):
    status = bench.window.status
    bench.source.editor().setText(MODEL.replace('type="plane"', 'type="plain"'))
    bench.actions["apply"].trigger()
    bench.wait(lambda: status.problems.text() == "1 problem" and status.problems.isVisible())
    bench.docks.show("controls")
    QTest.mouseClick(status.problems, Qt.MouseButton.LeftButton)
    editor = bench.source.editor()
    bench.wait(lambda: bench.docks.docks["source"].visibleRegion().boundingRect().width() > 0)
    assert editor.getCursorPosition()[0] == 2
    editor.setText(MODEL)
    bench.wait(lambda: "error" in status.message.text())
    bench.actions["apply"].trigger()
    bench.wait(lambda: not status.problems.isVisible())
    bench.wait(lambda: "error" not in status.message.text())        # what is mended is not told as an error any more; the log keeps it
    assert bench.logged("error")


def test_messages_fade_and_errors_stay_and_open_the_log(bench):
    status = bench.window.status
    bench.context.log("info", "State copied")
    assert status.message.text() == "State copied" and status._fade.isActive()
    bench.context.log("error", "It broke\nbecause")
    assert status.message.text() == "It broke" and not status._fade.isActive() and "because" in status.message.toolTip()
    bench.wait(lambda: status.message.isVisible())
    QTest.mouseClick(status.message, Qt.MouseButton.LeftButton)
    bench.wait(lambda: not bench.docks.docks["log"].isHidden() and "It broke" in bench.docks.panels["log"].toPlainText())


def test_a_place_is_told_without_its_folders(bench):
    for text, said in (("/a b/c.d/m.xml:3:4: error: odd", "m.xml:3:4: error: odd"), ("C:\\a\\m.xml:3: odd", "m.xml:3: odd"), ("a/b: odd/c:1", "a/b: odd/c:1")):
        bench.context.log("error", text)
        assert bench.window.status.message.text() == said and text in bench.window.status.message.toolTip()


def test_what_takes_long_is_told_after_a_while_and_gone_when_it_is_over(bench):
    progress, context = bench.window.status.progress, bench.context
    context.busy("Writing the film", 0.25, "film")
    assert not progress.isVisible(), "what is over at once is not told"
    bench.wait(progress.isVisible)
    assert progress.label.text() == "Writing the film" and progress.bar.value() == 250
    context.busy("Compiling", who="model")
    assert progress.label.text() == "Compiling" and progress.bar.maximum() == 0
    context.idle("model")
    assert progress.label.text() == "Writing the film" and progress.isVisible()
    context.idle("film")
    assert not progress.isVisible()
    context.busy("Quick", who="quick")
    context.idle("quick")
    bench.qtbot.wait(400)
    assert not progress.isVisible()


def test_values_that_differ_from_the_file_are_listed_and_reverted(bench, monkeypatch):
    sent = []
    monkeypatch.setattr(bench.runner, "send", sent.append)
    values = (Changed("opt.gravity", "gravity", (0.0, 0.0, -9.81), (0.0, 0.0, 1.5)), Changed("opt.timestep", "timestep", 0.002, 0.004))
    status, snapshot = bench.window.status, bench.snapshot
    monkeypatch.setattr(type(snapshot), "changed_values", values, raising=False)
    snapshot.__dict__.pop("changed_values", None)
    status.show_snapshot(snapshot)
    assert status.changed.text() == "\u25cf 2 changed"
    bench.wait(status.changed.isVisible)
    QTest.mouseClick(status.changed, Qt.MouseButton.LeftButton)
    listed = status.changed_list
    assert listed.isVisible() and list(listed.rows) == ["opt.gravity", "opt.timestep"]
    QTest.mouseClick(listed.rows["opt.gravity"], Qt.MouseButton.LeftButton)
    QTest.mouseClick(listed.revert_all, Qt.MouseButton.LeftButton)
    assert sent == [commands.RevertValue("opt.gravity"), commands.RevertAll()]
    listed.hide()


def test_values_are_written_short():
    assert [value_text(value) for value in (0.002, (0.0, 0.0, -9.81), "euler", 3, tuple(range(6)))] == ["0.002", "0 0 -9.81", "euler", "3", "0 1 2 3 ..."]


def test_warnings_of_the_simulation_are_counted(bench):
    status, snapshot = bench.window.status, bench.snapshot
    snapshot.warning_number[:] = 0
    snapshot.warning_number[1] = 3
    status.show_snapshot(snapshot)
    assert status.warnings.text() == "3 warnings"
    bench.wait(status.warnings.isVisible)
    QTest.mouseClick(status.warnings, Qt.MouseButton.LeftButton)
    bench.wait(lambda: bench.docks.open_docks("bottom"))


def test_what_was_clicked_is_told_for_a_while(bench):
    """The box goes by itself, with a click on nothing and with Esc."""
    overlay, note = bench.application.overlay, bench.application.clicked_note
    thing = type("Thing", (), {"lines": ("geom 0", "floor")})()
    bench.context.thing_clicked.emit(thing)
    assert overlay.clicked == thing.lines and note._stays.isActive()
    bench.context.thing_clicked.emit(None)
    assert not overlay.clicked
    bench.context.thing_clicked.emit(thing)
    note._stays.stop()   # it would go by itself
    bench.press_key(Key.Key_Escape)
    bench.wait(lambda: not overlay.clicked)
    bench.context.thing_clicked.emit(thing)
    note._stays.start(1)
    bench.wait(lambda: not overlay.clicked)
