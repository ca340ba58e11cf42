"""What was simulated is shown forwards, backwards, in a loop, within a region, picture by picture; nothing of it is simulated anew or lost."""
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest

from app.controllers.playback import BACKWARD, FORWARD, STILL, stepped
from app.timeline.region import Region
from physics.runtime import commands
from tests.app.windows.test_timeline import MODEL, ran, sign
from tests.app.workbench import CTRL, SHIFT, Key


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1100, 700))


@pytest.fixture
def seen(bench):
    """Entries of the snapshots, in their order."""
    found = []
    bench.context.snapshot_ready.connect(lambda snapshot: found.append(snapshot.history_index))
    return found


def pressed(bench):
    return {name for name in ("play_forward", "play_backward", "loop") if bench.actions[name].isChecked()}


def scrub(bench, index):
    bench.runner.send(commands.Scrub(index))
    bench.wait(lambda: bench.snapshot.history_index == index % bench.snapshot.history_length)


def turns(seen):
    """How often it came round, forwards."""
    return sum(b < a for a, b in zip(seen, seen[1:], strict=False))


def test_what_was_recorded_is_played_from_here_to_its_end(bench, seen):
    ran(bench, 0.4)
    newest = bench.snapshot.history_length - 1
    scrub(bench, newest // 2)
    bench.application.simulation.set_speed(0.25)        # so that some of it is seen on a busy machine too
    seen.clear()
    bench.press_key(Key.Key_Space, SHIFT)
    assert pressed(bench) == {"play_forward"} and sign(bench) == ("run", False)
    bench.wait(lambda: not pressed(bench))
    bench.wait(lambda: bench.snapshot.history_index == newest and len(seen) > 1)
    assert seen == sorted(seen) and min(seen) >= newest // 2 and not bench.snapshot.running
    assert bench.snapshot.history_length == newest + 1, "nothing was simulated, nothing dropped"


def test_at_the_newest_moment_it_begins_at_the_oldest(bench, seen):
    ran(bench, 0.2)
    bench.application.simulation.set_speed(0.1)
    seen.clear()
    bench.actions["play_forward"].trigger()
    bench.wait(lambda: any(index < bench.snapshot.history_length // 2 for index in seen))      # the newest may be told once more before
    bench.wait(lambda: not pressed(bench))


def test_it_is_played_backwards_to_the_oldest(bench, seen):
    ran(bench, 0.3)
    bench.application.simulation.set_speed(0.25)
    newest = bench.snapshot.history_length - 1
    seen.clear()
    bench.press_key(Key.Key_Space, CTRL)
    assert pressed(bench) == {"play_backward"}
    bench.wait(lambda: not pressed(bench))
    bench.wait(lambda: bench.snapshot.history_index == 0)
    assert seen == sorted(seen, reverse=True) and len(set(seen)) > 3 and bench.snapshot.history_length == newest + 1
    assert bench.snapshot.time == 0


def test_backwards_in_a_loop_and_turned_round(bench, seen):
    ran(bench, 0.2)
    bench.actions["play_backward"].trigger()
    bench.actions["loop"].trigger()
    assert pressed(bench) == {"play_backward", "loop"}
    seen.clear()
    bench.wait(lambda: turns(seen[::-1]) >= 2)
    bench.actions["play_forward"].trigger()
    assert pressed(bench) == {"play_forward", "loop"}
    seen.clear()
    bench.wait(lambda: turns(seen) >= 2)
    bench.press_key(Key.Key_Space)
    assert pressed(bench) == set() and bench.application.simulation.playback.direction == STILL


def test_pressing_a_button_again_stops_there(bench):
    ran(bench, 0.4)
    bench.application.simulation.set_speed(0.1)     # so that it does not come to the end before that is seen
    for name in ("play_backward", "play_forward"):
        bench.actions[name].trigger()
        bench.wait(lambda: bench.snapshot.history_index not in (0, bench.snapshot.history_length - 1))
        bench.actions[name].trigger()
        assert pressed(bench) == set()
        bench.steady(lambda: bench.snapshot.history_index)


def test_whatever_else_is_wanted_ends_it(bench):
    for what in ("step", "step_back", "reset", "history_last"):
        ran(bench, 0.1)
        bench.actions["play_backward"].trigger()
        assert pressed(bench) == {"play_backward"}
        bench.actions[what].trigger()
        assert pressed(bench) == set(), what


def test_nothing_is_played_at_the_start(bench):
    for name in ("play_forward", "play_backward"):
        bench.actions[name].trigger()
        assert pressed(bench) == set()


def test_only_the_region_is_played(bench, seen):
    ran(bench, 0.4)
    bench.context.region.take(Region(40, 80))
    bench.actions["loop"].trigger()
    bench.wait(lambda: bench.snapshot.history_index in range(40, 81))
    seen.clear()
    bench.wait(lambda: turns(seen) >= 2)
    assert set(seen) <= set(range(40, 81))
    bench.actions["loop"].trigger()
    bench.actions["play_backward"].trigger()
    bench.wait(lambda: not pressed(bench))
    bench.wait(lambda: bench.snapshot.history_index == 40)
    bench.actions["play_forward"].trigger()
    bench.wait(lambda: not pressed(bench))
    bench.wait(lambda: bench.snapshot.history_index == 80)
    bench.actions["clear_region"].trigger()
    assert bench.context.region.region is None


def test_a_slower_speed_chosen_meanwhile_holds_at_once(bench):
    ran(bench, 0.3)
    bench.actions["play_forward"].trigger()
    bench.application.simulation.set_speed(0.01)
    assert bench.application.simulation.playback.speed == 0.01 and pressed(bench) == {"play_forward"}
    bench.wait(lambda: bench.snapshot.history_index < 100)
    bench.qtbot.wait(300)
    assert pressed(bench) == {"play_forward"} and bench.snapshot.history_index < 100
    bench.actions["play_forward"].trigger()


# ---------------------------------------------------------------- picture by picture


def painted(bench):
    """Entries of the pictures that were seen, in their order."""
    found = []
    bench.viewport.painted.connect(lambda picture: found.append(picture.snapshot.history_index))
    return found


def test_each_picture_is_the_next_recorded_entry(bench):
    ran(bench, 0.1)
    newest = bench.snapshot.history_length - 1
    bench.actions["steps_1"].trigger()
    pictures = painted(bench)
    bench.actions["play_forward"].trigger()
    bench.wait(lambda: len(set(pictures)) > 15)
    bench.actions["play_forward"].trigger()
    shown = list(dict.fromkeys(pictures))
    shown = shown[shown.index(0):]      # pictures of before come late on a busy machine
    assert len(shown) > 10 and shown == list(range(len(shown))), "none is left out"
    bench.actions["steps_5"].trigger()
    scrub(bench, newest)
    bench.wait(lambda: pictures[-1] == newest)
    pictures.clear()
    bench.actions["play_backward"].trigger()
    bench.wait(lambda: len(set(pictures)) > 4)
    bench.actions["play_backward"].trigger()
    shown = list(dict.fromkeys([newest, *pictures]))
    assert shown == [newest - 5 * k for k in range(len(shown))]


def test_a_running_simulation_takes_a_step_for_each_picture(bench):
    bench.actions["steps_1"].trigger()
    assert bench.window.chooser_text("speed") == "1 step per picture" and not bench.actions["speed_1"].isChecked() and bench.actions["steps_1"].isChecked()
    bench.wait(lambda: bench.snapshot.steps_per_picture == 1)
    pictures = painted(bench)
    bench.actions["run"].trigger()
    bench.wait(lambda: len(set(pictures)) > 20)
    bench.actions["run"].trigger()
    bench.wait(lambda: not bench.snapshot.running)
    shown = list(dict.fromkeys([0, *pictures]))
    assert shown == list(range(len(shown))), "every state was seen"
    assert bench.snapshot.history_length <= len(shown) + 1
    bench.press_key(Key.Key_Equal)
    assert bench.window.chooser_text("speed") == "2 steps per picture"
    for _ in range(9):
        bench.press_key(Key.Key_Equal)
    assert bench.window.chooser_text("speed") == "20 steps per picture"
    bench.window.findChild(type(bench.window.timeline.speed), "speed").setFocus()
    bench.actions["speed_1"].trigger()
    assert bench.application.simulation.steps_per_picture is None and bench.window.chooser_text("speed") == "100 %"
    bench.wait(lambda: bench.snapshot.steps_per_picture == 0)


def test_it_is_told_how_fast_that_is(bench):
    bench.application.simulation.set_steps_per_picture(10)
    bench.actions["run"].trigger()
    bench.wait(lambda: bench.window.status.speed.text().startswith("10 steps per picture ("))
    assert "10 steps per picture" in dict(bench.application.overlay.state_rows(bench.snapshot))["Speed"]


def test_the_chooser_offers_steps_and_stays_narrow(bench):
    chooser = bench.window.timeline.speed
    width = chooser.width()
    row = chooser.findText("5 steps per picture")
    QTest.mouseClick(chooser, Qt.MouseButton.LeftButton)
    bench.wait(chooser.view().isVisible)
    QTest.keyClick(chooser.view(), Qt.Key.Key_End)
    QTest.keyClick(chooser.view(), Qt.Key.Key_Up)
    QTest.keyClick(chooser.view(), Qt.Key.Key_Up)
    QTest.keyClick(chooser.view(), Qt.Key.Key_Return)
    bench.wait(lambda: chooser.currentIndex() == row)
    assert bench.application.simulation.steps_per_picture == 5 and chooser.width() == width


def test_entries_by_pictures_end_or_come_round():
    assert stepped(5, 2, 0, 10, False) == (7, False) and stepped(9, 2, 0, 10, False) == (10, True) and stepped(9, 2, 3, 10, True) == (3, True)
    assert stepped(5, -2, 4, 10, False) == (4, True) and stepped(5, -2, 4, 10, True) == (10, True) and stepped(10, 1, 0, 10, False) == (10, True)
    assert (FORWARD, BACKWARD) == (1, -1)
