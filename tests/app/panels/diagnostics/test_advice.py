"""The advice panel and its number in the status bar."""
from dataclasses import replace

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QGuiApplication
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from app.panels.diagnostics.advice import MARK
from physics.runtime import commands
from tests.app.panels.diagnostics.advised import SINKING, SOUND, click_link, hasten
from tests.journeys.hands import show_tab


@pytest.fixture
def opened(workbench, tmp_path):
    """opened(text, mode): the window on a model that runs."""
    def make(text=SINKING, mode="always"):
        path = tmp_path / "m.xml"
        path.write_text(text)
        bench = workbench(path, size=(1200, 800))
        bench.settings.set("run/advice", mode)
        hasten(bench)
        return bench
    return make


def told(bench):
    return [one.kind for one in bench.application.advice.advice]


def press(button):
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_advice_is_told_in_the_status_bar_and_in_the_panel(opened):
    bench = opened()
    status = bench.window.status.advice
    assert not status.isVisible()
    bench.runner.send(commands.Run())
    bench.wait(lambda: status.isVisible() and status.text() == "Advice: 1")
    assert "Contacts deeper than their geoms" in status.toolTip() and QApplication.activeModalWidget() is None
    QTest.mouseClick(status, Qt.MouseButton.LeftButton)
    panel = bench.docks.panels["advice"]
    bench.wait(lambda: not panel.visibleRegion().isEmpty() and set(panel.rows) == {"deep_contact"})
    row = panel.rows["deep_contact"]
    assert "10 mm thick" in row.label.text() and "solref" in row.label.text()
    click_link(bench, row.label, "all")
    assert {what.name for what in bench.context.selection.elements} == {"floor", "plate"}
    click_link(bench, row.label, "copy")
    assert QGuiApplication.clipboard().text().startswith("Contacts deeper than their geoms: Geom ")


def test_a_dismissed_advice_stays_away_until_it_is_wanted_again(opened):
    bench = opened()
    panel = bench.panel("advice")
    bench.runner.send(commands.Run())
    bench.wait(lambda: panel.rows)
    press(panel.rows["deep_contact"].dismiss)
    bench.wait(lambda: not panel.rows and not bench.window.status.advice.isVisible())
    assert not panel.copy_all.isVisible()
    samples = bench.snapshot.time
    bench.wait(lambda: bench.snapshot.time > samples + 1.0)
    assert not panel.rows and panel.again.isVisible() and panel.again.text() == "Dismissed: 1"
    press(panel.again)
    bench.wait(lambda: panel.rows)


def test_a_sound_model_has_none_and_a_paused_one_keeps_what_it_had(opened):
    bench = opened(SOUND)
    panel = bench.panel("advice")
    assert panel.summary.text().startswith("Run the model")
    bench.runner.send(commands.Run())
    bench.wait(lambda: bench.application.advice.samples >= 8)
    assert not panel.rows and panel.summary.text().startswith("Nothing to advise")
    bench.runner.send(commands.Pause())
    bench.wait(lambda: not bench.snapshot.running)
    bench.steady(lambda: bench.application.advice._thread.spent, 0.5)      # nothing is looked at any more


def test_switched_off_nothing_is_sampled(opened):
    bench = opened(mode="off")
    panel = bench.panel("advice")
    bench.runner.send(commands.Run())
    bench.pass_time(0.5)
    control = bench.application.advice
    assert control._thread is None and not control._timer.isActive() and not panel.rows
    assert panel.summary.text() == "Advice is switched off." and panel.switch.isVisible()
    press(panel.switch)
    hasten(bench)
    bench.wait(lambda: panel.rows)
    assert bench.settings.get("run/advice") == "always" and not panel.switch.isVisible()


def test_while_its_panel_is_seen_alone(opened):
    bench = opened(mode="panel")
    bench.docks.docks["advice"].hide()
    bench.runner.send(commands.Run())
    bench.pass_time(0.3)
    assert not bench.application.advice._timer.isActive()
    panel = bench.panel("advice")
    bench.wait(lambda: panel.rows)
    bench.docks.docks["advice"].hide()
    bench.wait(lambda: not bench.application.advice._timer.isActive())


def test_behind_another_tab_it_is_not_looked_at(opened):
    bench = opened(mode="panel")
    panel = bench.panel("advice")
    bench.runner.send(commands.Run())
    bench.wait(lambda: panel.rows)
    bench.panel("log")
    bench.wait(lambda: not bench.application.advice.seen)
    QTest.qWait(300)
    spent = bench.application.advice._thread.spent
    QTest.qWait(500)
    assert bench.application.advice._thread.spent == spent
    show_tab(bench, "Advice")
    bench.wait(lambda: bench.application.advice._thread.spent > spent)


def test_marks_say_what_they_mean(opened):
    bench = opened()
    panel = bench.panel("advice")
    bench.runner.send(commands.Run())
    bench.wait(lambda: panel.rows)
    row = panel.rows["deep_contact"]
    assert row.advice.severity == "warning" and row.mark.toolTip() == "Something is likely to be wrong"
    row.show_advice(replace(row.advice, severity="slow"))
    assert row.mark.toolTip() == "Costs time; the results are the same" and MARK in row.mark.text()


def test_another_model_begins_without_advice(opened, tmp_path):
    bench = opened()
    bench.runner.send(commands.Run())
    bench.wait(lambda: told(bench))
    other = tmp_path / "other.xml"
    other.write_text(SOUND)
    bench.session.open(other, run=False)
    bench.wait(lambda: bench.context.model.ngeom == 2 and bench.context.model.names["geom"][1] == "cube")
    assert not told(bench) and not bench.window.status.advice.isVisible()
