"""Demonstrations by real clicks and keys: episodes begun, judged, found to succeed, and a recording of them when the window closes."""
import numpy as np
import pytest
from PyQt6.QtTest import QTest

from app.controllers.teleoperation import demonstrations as controller
from app.demonstrations.session import EVENTS
from app.demonstrations import reaper
from app.demonstrations.sources import opened
from app.panels.teleoperation.episodes import WORDS
from app.demonstrations.episodes import SUCCESS
from tests.app.panels.teleoperation.test_teleoperation import MODEL
from tests.app.workbench import CTRL, SHIFT, Key
from tests.journeys.hands import bring, click, enter


@pytest.fixture
def made(workbench, tmp_path):
    path = tmp_path / "scene.xml"
    path.write_text(MODEL)
    bench = workbench(path, size=(1400, 900))
    bench.application.context.settings.set("demonstrations/folder", str(tmp_path / "kept"))
    bench.application.actions["workspace_teleoperate"].trigger()
    panel = bench.panel("demonstrations")
    bench.wait(lambda: panel.isVisible() and panel.filled)
    return bench, panel


def run(bench, seconds=0.05):
    end = bench.context.snapshot.time + seconds
    if not bench.context.snapshot.running:
        bench.host.setFocus()
        QTest.keyClick(bench.host, Key.Key_Space)
    bench.wait(lambda: bench.context.snapshot.time > end)


def outcomes(panel):
    return [panel.list.topLevelItem(k).text(2) for k in range(panel.list.topLevelItemCount())]


def test_episodes_are_begun_judged_taken_back_and_kept(made, tmp_path):
    bench, panel = made
    assert not panel.success.isEnabled() and panel.counts.text() == "Nothing is recorded yet"
    bring(panel.task)
    panel.task.setFocus()
    QTest.keyClicks(panel.task, "hold the thing")
    click(panel.start)
    bench.wait(lambda: outcomes(panel) == ["goes on"] and not panel.start.isEnabled())
    run(bench)
    click(panel.success)
    bench.wait(lambda: outcomes(panel) == [WORDS[SUCCESS]] and "1 succeeded" in panel.counts.text())
    panel.control.say("undo")
    bench.wait(lambda: outcomes(panel) == ["goes on"])
    click(panel.failure)
    bench.wait(lambda: outcomes(panel) == ["failure"])
    bench.host.setFocus()
    QTest.keyClick(bench.window, Key.Key_E, CTRL | SHIFT)
    bench.wait(lambda: outcomes(panel) == ["failure", "goes on"])
    run(bench)
    QTest.keyClick(bench.window, Key.Key_E, CTRL | SHIFT)
    bench.wait(lambda: outcomes(panel) == ["failure", "success"])
    assert panel.list.topLevelItem(1).text(1) == "hold the thing" and panel.list.topLevelItem(1).text(4) == "person"
    panel.control.close()
    reaper.wait()       # its file is made when the window has gone
    paths = list((tmp_path / "kept").glob("*.h5"))
    assert len(paths) == 1 and not list((tmp_path / "kept/unfinished").iterdir())
    with opened(paths[0]) as of:
        assert [(one.outcome, one.task) for one in of.episodes] == [("failure", "hold the thing"), ("success", "hold the thing")]
        assert all(one.steps > 0 for one in of.episodes)


def test_it_begins_elsewhere_each_time_and_succeeds_by_itself(made):
    bench, panel = made
    panel.how.fold(True)
    bench.wait(panel.drawn.isVisible)
    bring(panel.drawn)
    click(panel.drawn)
    bring(panel.expression)
    panel.expression.setFocus()
    QTest.keyClicks(panel.expression, "time > 0.1")
    enter(bench, panel.held, "0")
    starts = []
    for k in (1, 2):
        panel.control.say("record again")
        bench.wait(lambda k=k: len(outcomes(panel)) == k and panel.control.all[-1].drawn == k - 1)
        starts.append(tuple(np.round(bench.context.snapshot.qpos[:2], 9)))
        run(bench, 0.02)
        bench.wait(lambda k=k: outcomes(panel)[k - 1] == "success")
        assert panel.control.all[-1].how == "automatic: time > 0.1"
        bench.host.setFocus()
        QTest.keyClick(bench.host, Key.Key_Space)
        bench.wait(lambda: not bench.context.snapshot.running)
    assert starts[0] != starts[1] and all(0 < abs(number) <= 0.05 for start in starts for number in start)


def test_a_wrong_expression_is_told(made):
    bench, panel = made
    panel.control.succeed_by("body(\"none\").xpos[2] > 1", 0.0)
    click(panel.start)
    run(bench)
    bench.wait(lambda: "none" in panel.note.text())


def test_the_words_are_those_of_a_session():
    """Which the window does not import before it hears one."""
    assert set(controller.WORDS) == set(EVENTS)


def test_what_a_device_says_counts_as_well(made):
    bench, panel = made
    for word, expected in (("start", ["goes on"]), ("discard", ["discarded"])):
        bench.application.teleoperation._take_event(word)
        bench.wait(lambda expected=expected: outcomes(panel) == expected)
    run(bench)
    bench.application.teleoperation._take_event("reset")
    bench.wait(lambda: bench.context.snapshot.starts > 0)
