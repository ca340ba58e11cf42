"""The divergence page with real events: it opens by itself, says who led, tries remedies, applies them, shows them as ghosts."""
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from app.controllers.divergence import SETTING
from app.panels.diagnostics.divergence_offers import TRYING, WAITING
from physics.runtime import commands
from physics.runtime.companions.companion import RUNNING
from tests.physics.diagnostics.divergence_cases import ARM, ARM_VALUES

STIFF = ARM.format(**{**ARM_VALUES, "kp": 1e6})
LIGHT = ARM.format(**{**ARM_VALUES, "hand": 3e-6, "wristdamping": 0})


def open_and_diverge(workbench, tmp_path, text, **settings):
    (tmp_path / "arm.xml").write_text(text)
    bench = workbench(tmp_path / "arm.xml", size=(1200, 800))
    for name, value in settings.items():
        bench.settings.set(name.replace("__", "/"), value)
    diverge(bench)
    return bench


def diverge(bench):
    bench.runner.send(commands.SetCtrl(2, 0.3))
    bench.runner.send(commands.Run())
    bench.wait(lambda: bench.snapshot.status == "diverged")


def page(bench):
    """The page with a whole report, all remedies tried."""
    panel = bench.panel("divergence")
    bench.wait(lambda: panel.report is not None and len(bench.application.divergence.work.outcomes) == len(panel.report.remedies))
    bench.wait(lambda: not any(row.state.text() in (TRYING, WAITING) for row in panel.offers))       # the thread is ahead of what is shown
    return panel


def click(button):
    QTest.qWait(200)     # until it is laid out: a click into its middle of before would miss it
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def offer(panel, part):
    return next(row for row in panel.offers if part in row.remedy.label)


def test_it_opens_by_itself_and_names_the_servo(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    bench.wait(lambda: "divergence" in bench.docks.panels and bench.docks.panels["divergence"].isVisible())
    panel = page(bench)
    assert "The simulation diverged" in panel.what.text() and "actuator wrist_servo" in panel.why.text() and "gain too high" in panel.why.text()
    assert "wrist_servo" in panel.stiffest.text() and panel.forces.text() and panel.curves.items
    assert offer(panel, "nothing changed").state.text().count("diverges after")
    assert "survives" in offer(panel, "gain and bias").state.text()
    panel.why.linkActivated.emit("actuator:2")
    assert bench.context.selection.active.name == "wrist_servo"


def test_a_remedy_applied_survives_when_the_run_goes_on(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    panel = page(bench)
    number, rewind, diverged_at = panel.report.number, panel.report.rewind, bench.snapshot.time
    click(offer(panel, "gain and bias").apply)
    bench.wait(lambda: bench.snapshot.history_gone + bench.snapshot.history_index == number - rewind and not bench.snapshot.running)
    bench.runner.send(commands.Run())
    bench.wait(lambda: bench.snapshot.time > diverged_at + 0.3)
    assert bench.snapshot.status == "running" and bench.snapshot.changed_values


def test_rewinding_alone(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    panel = page(bench)
    panel.rewind.setValue(1)
    click(panel.back)
    bench.wait(lambda: bench.snapshot.history_gone + bench.snapshot.history_index == panel.report.number - 1)


def test_what_only_the_text_can_say_is_copied(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, LIGHT)
    panel = page(bench)
    assert "body hand" in panel.why.text()
    row = offer(panel, "armature")
    assert row.apply.text() == "Copy" and "survives" in row.state.text()
    click(row.apply)
    assert 'armature="' in QApplication.clipboard().text() and "joint wrist" in QApplication.clipboard().text()


def test_a_remedy_runs_as_a_ghost(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, LIGHT)
    panel = page(bench)
    end = bench.snapshot.time
    click(offer(panel, "armature").ghost)
    bench.wait(lambda: len(bench.application.companions.rows) == 1)
    row = bench.application.companions.rows[0]
    bench.wait(lambda: row.state.status == RUNNING and row.state.time > end + 0.2)
    assert bench.context.ghosts and "armature" in bench.context.ghosts[0].label and bench.snapshot.time == end
    click(offer(panel, "nothing changed").ghost)
    bench.wait(lambda: any(row.state.status == "diverged" for row in bench.application.companions.rows))


def test_it_stays_closed_where_that_is_wanted(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, STIFF, run__divergence_page=False)
    bench.wait(lambda: bench.application.divergence.work.report is not None)
    assert bench.docks.docks["divergence"].isHidden()
    panel = page(bench)
    assert not panel.opens.isChecked()
    click(panel.opens)
    assert bench.settings.get(SETTING)


def test_the_message_in_the_status_bar_opens_it(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, STIFF, run__divergence_page=False)
    bar = bench.window.statusBar()
    bench.wait(lambda: "diverged" in bar.message.toolTip())
    assert "Click: why" in bar.message.toolTip()
    click(bar.message)
    bench.wait(lambda: not bench.docks.docks["divergence"].isHidden())


def test_another_model_leaves_the_page_to_be_read_only(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    panel = page(bench)
    (tmp_path / "other.xml").write_text("<mujoco/>")
    model = bench.context.model
    bench.session.open(tmp_path / "other.xml")
    bench.wait(lambda: bench.context.model is not model)
    bench.wait(lambda: not panel.back.isEnabled())
    assert not any(row.apply.isEnabled() for row in panel.offers)
