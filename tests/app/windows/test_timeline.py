"""The bar along the bottom: the sign of the run button, scrubbing by mouse, looping, keyframes, marks on the time axis."""
from collections import namedtuple

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QToolButton

import physics
from app.history_scale import HistoryScale, nice_step, tick_text
from app.windows.timeline_menus import fill_key_menu
from physics.mjcf.reader import read_text
from physics.runtime import commands
from tests.app.workbench import Key

MODEL = """<mujoco>
  <worldbody>
    <body name="ball" pos="0 0 .5"><freejoint/><geom name="ball" size=".1"/></body>
    <body name="arm" pos="1 0 1"><joint name="elbow" axis="0 1 0"/><geom name="rod" size=".1" pos="0 0 -.3"/></body>
  </worldbody>
  <keyframe><key name="home"/><key name="away" qpos="0 0 2 1 0 0 0 1" time="3"/></keyframe>
</mujoco>"""
Mark = namedtuple("Mark", "index time kind text before")


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1100, 700))


def ran(bench, seconds=0.1):
    """Paused after so much time."""
    bench.actions["run"].trigger()
    bench.pass_time(seconds)
    bench.actions["run"].trigger()
    bench.wait(lambda: not bench.snapshot.running and bench.snapshot.history_length > 1)
    bench.wait(lambda: bench.window.timeline.axis.scale.length == bench.snapshot.history_length)


def sign(bench):
    return bench.actions["run"].property("picture"), bench.actions["run"].isChecked()


def test_the_run_button_never_lies(bench):
    """60 toggles without waiting for pictures: each time it has settled, sign and check say what the simulation does."""
    for k in range(60):
        bench.actions["run"].trigger()
        if k % 3 == 0:
            bench.actions["run"].trigger()   # before anything answered
            bench.actions["run"].trigger()
        wanted = k % 2 == 0
        assert sign(bench) == (("pause", True) if wanted else ("run", False)), "the wish is shown at once"
        bench.wait(lambda wanted=wanted: bench.snapshot.running == wanted)
        bench.wait(lambda wanted=wanted: sign(bench) == (("pause", True) if wanted else ("run", False)))
    bench.qtbot.wait(800)
    assert not bench.snapshot.running and sign(bench) == ("run", False)


def test_a_run_that_is_refused_is_not_shown_as_one(bench):
    bench.context.runner.send(commands.Pause())
    bench.application.simulation.run_state.expect(True)   # a wish that nobody grants
    assert sign(bench) == ("pause", True)
    bench.wait(lambda: sign(bench) == ("run", False))


def test_the_sign_follows_what_others_do(bench):
    bench.runner.send(commands.Run())
    bench.wait(lambda: sign(bench) == ("pause", True))
    bench.actions["step"].trigger()
    assert sign(bench) == ("run", False)
    bench.wait(lambda: not bench.snapshot.running)


def test_time_and_history_are_told_before_anything_runs(bench):
    """A model that is opened paused publishes its state once."""
    timeline = bench.window.timeline
    bench.wait(lambda: timeline.time.text() == "0.000 s")
    assert not bench.snapshot.running and "0.000 to 0.000 s" in timeline.time.toolTip() and timeline.axis.scale.length == 1


def test_the_mouse_goes_through_the_history(bench):
    ran(bench)
    axis, newest = bench.window.timeline.axis, bench.snapshot.history_length - 1
    at = [QPoint(round(axis.x_of(index)), axis.height() // 2) for index in (newest // 2, newest // 4)]
    QTest.mousePress(axis, Qt.MouseButton.LeftButton, pos=at[0])
    bench.wait(lambda: bench.snapshot.history_index == axis.index_at(at[0].x()))
    QTest.mouseMove(axis, at[1])
    bench.wait(lambda: bench.snapshot.history_index == axis.index_at(at[1].x()))
    QTest.mouseRelease(axis, Qt.MouseButton.LeftButton, pos=at[1])
    timestep = bench.context.model.opt.timestep
    assert bench.snapshot.time == pytest.approx(bench.snapshot.history_index * timestep) and 0 < bench.snapshot.history_index < newest
    bench.wait(lambda: "(-" in bench.window.timeline.time.text())
    QTest.mouseMove(axis, at[0])
    bench.qtbot.wait(150)
    assert bench.snapshot.history_index == axis.index_at(at[1].x()), "the button is up"
    end = QPoint(axis.width() - 2, axis.height() // 2)   # beyond the newest entry
    QTest.mouseClick(axis, Qt.MouseButton.LeftButton, pos=end)
    bench.wait(lambda: bench.snapshot.history_index == newest and "(-" not in bench.window.timeline.time.text())
    QTest.mouseClick(axis, Qt.MouseButton.LeftButton, pos=QPoint(0, 5))
    bench.wait(lambda: bench.snapshot.history_index == 0)


def test_pressing_the_axis_while_running_pauses_there(bench):
    bench.actions["run"].trigger()
    bench.pass_time(0.1)
    axis = bench.window.timeline.axis
    QTest.mouseClick(axis, Qt.MouseButton.LeftButton, pos=QPoint(round(axis.x_of(5)), 5))
    assert sign(bench) == ("run", False)
    bench.wait(lambda: not bench.snapshot.running and abs(bench.snapshot.history_index - 5) <= 5)


def test_the_history_is_looped(bench):
    ran(bench, 0.3)
    newest = bench.snapshot.history_length - 1
    seen = []
    bench.context.snapshot_ready.connect(lambda snapshot: seen.append(snapshot.history_index))
    button = next(button for button in bench.window.timeline.findChildren(QToolButton) if button.defaultAction() is bench.actions["loop"])
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    bench.wait(lambda: sum(b < a for a, b in zip(seen, seen[1:], strict=False)) >= 2)   # it came round
    assert bench.actions["loop"].isChecked() and max(seen) > newest / 2 and not bench.snapshot.running and sign(bench) == ("run", False)
    assert bench.snapshot.history_length == newest + 1, "nothing is lost"
    bench.press_key(Key.Key_Space)   # stops what moves
    assert not bench.actions["loop"].isChecked()
    bench.steady(lambda: bench.snapshot.history_index)
    assert not bench.snapshot.running
    bench.actions["loop"].trigger()
    bench.actions["reset"].trigger()
    bench.wait(lambda: not bench.actions["loop"].isChecked())


def test_there_is_nothing_to_loop_at_the_start(bench):
    bench.actions["loop"].trigger()
    assert not bench.actions["loop"].isChecked()


def test_keyframes_load_store_and_copy(bench):
    timeline = bench.window.timeline
    timeline.load_key("away")
    bench.wait(lambda: bench.snapshot.time == 3 and bench.snapshot.qpos[2] == 2)
    bench.actions["copy_state_full"].trigger()
    text = QGuiApplication.clipboard().text()
    with_key = MODEL.replace("</keyframe>", text.replace("<key", '<key name="copied"') + "</keyframe>")
    assert not [issue for issue in read_text(with_key).issues if issue.severity == "error"]
    np.testing.assert_array_equal(physics.load_string(with_key).key_qpos[2], bench.snapshot.qpos)
    timeline.load_key("home")
    bench.wait(lambda: bench.snapshot.time == 0)
    bench.panel("joints").rows[7].enter(-0.5)
    bench.wait(lambda: bench.snapshot.qpos[7] == -0.5)
    menu = timeline.key_menu
    fill_key_menu(menu, timeline._services, bench.actions)
    store = next(action.menu() for action in menu.actions() if action.menu() is not None)
    next(action for action in store.actions() if action.text() == "home").trigger()
    bench.wait(lambda: bench.context.model.key_qpos[0][7] == -0.5)
    next(action for action in menu.actions() if action.text() == "Go to away").trigger()
    bench.wait(lambda: bench.snapshot.time == 3)


def test_the_keyframe_chooser_follows_the_model(bench, tmp_path):
    keys = bench.window.timeline.keys
    assert [keys.itemText(i) for i in range(keys.count())] == ["home", "away"] and keys.isEnabled()
    (tmp_path / "n.xml").write_text("<mujoco><worldbody><body><joint name='only'/><geom size='.1'/></body></worldbody></mujoco>")
    bench.session.open(tmp_path / "n.xml")
    bench.wait(lambda: not keys.isEnabled() and keys.currentText() == "No keyframes")


# ---------------------------------------------------------------- the axis


def test_times_follow_the_marks():
    scale = HistoryScale(300, (0.0, 1.5), 0.01, (Mark(0, 0.0, "start", "", 0.0), Mark(100, 0.0, "reset", "reset", 0.99), Mark(200, 0.5, "keyframe", "home", 0.99)))
    assert [scale.time_at(i) for i in (0, 50, 99, 100, 150, 200, 299)] == pytest.approx([0, 0.5, 0.99, 0, 0.5, 0.5, 1.5])
    places, texts = zip(*scale.ticks(300, 6), strict=True)
    assert texts == ("0.0", "0.5", "0.0", "0.5", "0.5", "1.0", "1.5") and places == pytest.approx((0, 50, 100, 150, 200, 249.5, 299), abs=0.01)


SLOWER = HistoryScale(31, (0.0, 0.27), 0.005, (Mark(0, 0.0, "start", "", 0.0), Mark(11, 0.11, "edit", "edited: timestep", 0.1), Mark(20, 0.2, "timestep", "", 0.19)))


def test_times_before_a_change_of_the_time_step_stay_what_they_were():
    """Entries 10 ms apart, an edit, more of them, then 7 ms apart; by now the time step is 5 ms."""
    assert [SLOWER.time_at(i) for i in (0, 5, 10, 11, 15, 19, 20, 25, 30)] == pytest.approx([0, 0.05, 0.1, 0.11, 0.15, 0.19, 0.2, 0.235, 0.27])
    assert [mark.kind for mark in SLOWER.marks] == ["start", "edit"], "a change of the time step is no border to see"


def test_what_is_played_goes_by_the_times_of_the_entries():
    def later(place, seconds):
        return SLOWER.played(place, seconds, 0, 30, True)[0]

    assert later(0, 0.05) == pytest.approx(5) and later(8, 0.07) == pytest.approx(15) and later(15, 0.064) == pytest.approx(22)
    assert later(30, 0.007 + 0.02) == pytest.approx(2), "and from the end to the beginning"
    assert later(2, -0.02 - 0.007) == pytest.approx(30), "and from the beginning to the end"
    for start in (0.4, 13.7, 30.9):
        place = start
        for _ in range(100):
            place = later(place, 0.0277)
            assert 0 <= place < 31
        assert place == pytest.approx(later(start, 2.77), abs=1e-6)
        assert later(place, -2.77) == pytest.approx(start, abs=1e-6)


def test_what_is_played_ends_where_the_region_does():
    assert SLOWER.played(5, 0.02, 4, 9, False) == (pytest.approx(7), False)
    assert SLOWER.played(5, 0.06, 4, 9, False) == (pytest.approx(10, abs=1e-5), True), "the last entry lasts as long as the others"
    assert SLOWER.played(5, -0.02, 4, 9, False) == (4, True) and SLOWER.played(5, -0.005, 4, 9, False) == (pytest.approx(4.5), False)
    assert SLOWER.played(9.5, 0.01, 4, 9, True) == (pytest.approx(4.5), True)


def test_numbers_beside_the_axis_are_those_of_what_it_shows():
    scale = HistoryScale(100_001, (0.0, 200.0), 0.002)
    assert [(round(index), text) for index, text in scale.ticks(100, 4, 50_000)] == [(50_000, "100.00"), (50_025, "100.05"), (50_050, "100.10"), (50_075, "100.15"), (50_100, "100.20")]
    assert len(scale.ticks(100_000, 4)) <= 6


def test_round_times_are_written_beside_the_axis():
    assert [nice_step(span, 5) for span in (0.01, 1.0, 7.0, 300.0)] == pytest.approx([0.002, 0.2, 2.0, 100.0])
    assert [tick_text(0.2, 0.1), tick_text(2.0, 1.0), tick_text(40.0, 20.0), tick_text(0.004, 0.002)] == ["0.2", "2", "40", "0.004"]
    plain = HistoryScale(1001, (2.0, 4.0), 0.002)
    assert [(round(index), text) for index, text in plain.ticks(1000, 4)] == [(0, "2.0"), (250, "2.5"), (500, "3.0"), (750, "3.5"), (1000, "4.0")]
    assert HistoryScale(1, (0.0, 0.0), 0.002).ticks(2500, 5) == []


def test_marks_are_seen_told_and_caught(bench):
    ran(bench, 0.2)
    axis = bench.window.timeline.axis
    snapshot = type("S", (), {"history_gone": 0, "running": False, "history_length": 90, "history_index": 80, "history_time": (0.0, 0.178), "history_pace": 0.002, "model": bench.context.model,
                              "history_marks": (Mark(30, 0.06, "edit", "edited: gravity", 0.058), Mark(60, 0.0, "reset", "reset", 0.118))})()
    bare = type("S", (), {**{name: getattr(snapshot, name) for name in ("history_gone", "running", "history_length", "history_index", "history_time", "history_pace", "model")}, "history_marks": ()})()
    axis.show_snapshot(bare)
    without = axis.grab().toImage()
    axis.show_snapshot(snapshot)
    assert axis.grab().toImage() != without
    x = axis.x_of(30)
    assert "edited: gravity" in axis.told(x) and "step 31 of 90" in axis.told(x) and "edited" not in axis.told(axis.x_of(45))
    assert axis.index_at(x + 2) == 30, "the pointer catches a mark"


def test_a_speed_chosen_while_the_history_loops_is_the_loops(bench):
    ran(bench, 0.3)
    bench.actions["loop"].trigger()
    bench.application.simulation.set_speed(0.25)
    assert bench.application.simulation.playback.on and bench.application.simulation.playback.speed == 0.25
    bench.actions["loop"].trigger()
