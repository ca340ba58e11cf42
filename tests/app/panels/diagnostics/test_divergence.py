"""The divergence page with real events: it opens by itself, says who led, tries remedies, applies them, shows them as ghosts; what happens while nobody looks, and when the
run starts over by itself."""
import gc
import threading
import weakref

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from app.controllers.divergence import SETTING
from app.panels.diagnostics.divergence_offers import TRYING, WAITING
from physics.diagnostics.divergence import report
from physics.diagnostics.divergence.curves import Curve
from physics.diagnostics.divergence.trial import Outcome
from physics.runtime import commands
from physics.runtime.companions.companion import RUNNING
from physics.runtime.hooks.hook import Hook, Hooks
from tests.physics.diagnostics.divergence_cases import ARM, ARM_VALUES

STIFF = ARM.format(**{**ARM_VALUES, "kp": 1e6})
VERY_STIFF = ARM.format(**{**ARM_VALUES, "kp": 1e6, "wristdamping": 0.2})
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


def click_link(label, where):
    """Move over the text until the pointer is on the link, and click."""
    QTest.qWait(300)        # until it is laid out
    hovered = [""]
    label.linkHovered.connect(hovered.append)
    for y in range(4, label.height(), 6):
        for x in range(4, label.width(), 8):
            QTest.mouseMove(label, QPoint(x, y))
            QApplication.processEvents()
            if hovered[-1] == where:
                QTest.mouseClick(label, Qt.MouseButton.LeftButton, pos=QPoint(x, y))
                return
    raise AssertionError(f"no link to {where} under the pointer: {label.text()}")


def offer(panel, part):
    return next(row for row in panel.offers if part in row.remedy.label)


def threads():
    """Those that analyse."""
    return [thread for thread in threading.enumerate() if thread.name == "divergence" and thread.is_alive()]


def close_page(bench):
    bench.docks.docks["divergence"].close()
    bench.wait(lambda: bench.docks.docks["divergence"].isHidden())


def test_it_opens_by_itself_and_names_the_servo(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    bench.wait(lambda: "divergence" in bench.docks.panels and bench.docks.panels["divergence"].isVisible())
    panel = page(bench)
    assert "The simulation diverged" in panel.what.text() and "actuator wrist_servo" in panel.why.text() and "gain too high" in panel.why.text()
    assert "wrist_servo" in panel.stiffest.text() and panel.forces.text() and panel.curves.items
    assert offer(panel, "nothing changed").state.text().count("diverges after")
    assert "survives" in offer(panel, "gain and bias").state.text()
    click_link(panel.why, "actuator:2")
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
    assert "beside: running" in offer(panel, "armature").state.text() and offer(panel, "armature").ghost.isChecked()
    click(offer(panel, "armature").ghost)
    bench.wait(lambda: not bench.application.companions.rows)
    assert not offer(panel, "armature").ghost.isChecked() and "beside" not in offer(panel, "armature").state.text()


def test_what_is_shown_beside_does_what_was_tried(workbench, tmp_path):
    """The trial and the companion run of a remedy stop at the same simulated time."""
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    panel, companions = page(bench), bench.application.companions
    for k, part in enumerate(("nothing changed", "time step 0.001", "integrator implicitfast")):
        row, work = offer(panel, part), bench.application.divergence.work
        outcome = work.outcomes[row.remedy]
        assert outcome.status == "diverges"
        click(row.ghost)
        bench.wait(lambda k=k: len(companions.rows) == k + 1 and companions.rows[k].state.status == "diverged")
        begun = work.steps.time[-1 - work.report.rewind]
        assert companions.rows[k].state.time == pytest.approx(begun + outcome.lasted, abs=1e-9), part
        bench.wait(lambda row=row: "beside: diverged" in row.state.text())


def test_it_stays_closed_and_nothing_is_analysed_where_that_is_wanted(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, STIFF, run__divergence_page=False)
    work = bench.application.divergence.work
    assert bench.docks.docks["divergence"].isHidden() and not work.begun and not threads()
    panel = page(bench)
    assert work.over and panel.report is work.report
    assert not panel.opens.isChecked()
    click(panel.opens)
    assert bench.settings.get(SETTING)


@pytest.mark.parametrize("aside", ["closed", "behind another tab"])
def test_a_page_that_nobody_sees_lets_the_trials_rest(workbench, tmp_path, monkeypatch, aside):
    begun, going, gate = [], threading.Event(), threading.Event()
    whole = report.try_remedy

    def slow(m, steps, growth, remedy, stopping=bool, *rest):
        begun.append(remedy.label)
        if len(begun) > 6:
            going.set()
            while not gate.wait(0.01) and not stopping():
                pass
        return whole(m, steps, growth, remedy, stopping, *rest)

    monkeypatch.setattr(report, "try_remedy", slow)
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    bench.wait(going.is_set)
    work = bench.application.divergence.work
    if aside == "closed":
        close_page(bench)
    else:
        bench.panel("physics")
    bench.wait(lambda: not threads())
    known = dict(work.outcomes)
    assert not work.over and len(known) < len(work.report.remedies)
    gate.set()
    begun.clear()
    page(bench)
    assert known.items() <= work.outcomes.items() and len(begun) == len(work.report.remedies) - len(known)


def test_a_window_that_closes_ends_a_post_mortem(workbench, tmp_path, monkeypatch):
    failed, going = [], threading.Event()
    monkeypatch.setattr(threading, "excepthook", failed.append)

    def endless(m, steps, growth, remedy, stopping=bool, *rest):
        going.set()
        while not stopping():
            threading.Event().wait(0.005)
        return Outcome("unknown")

    monkeypatch.setattr(report, "try_remedy", endless)
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    bench.wait(going.is_set)
    assert threads()
    bench.close()
    assert not threads() and not failed


def test_a_run_that_starts_over_leaves_the_page_that_is_read(workbench, tmp_path):
    (tmp_path / "arm.xml").write_text(STIFF)
    bench = workbench(tmp_path / "arm.xml", size=(1200, 800))
    bench.runner.send(commands.SetAutoReset(True))
    divergence = bench.application.divergence
    _write(bench, _hold)
    bench.runner.send(commands.Run())
    bench.wait(lambda: divergence.work is not None)
    first = divergence.work
    bench.wait(lambda: divergence.work is not first)      # nobody looks: the newest is kept, and nothing is analysed
    assert not first.begun and not threads() and bench.docks.docks["divergence"].isHidden()
    panel = page(bench)
    work = divergence.work
    bench.wait(lambda: divergence.since >= 2)
    assert divergence.work is work and panel.report is work.report and bench.snapshot.status == "running"
    bench.wait(lambda: "times since" in panel.what.text())
    for _ in range(8):      # a text that changes between press and release is no link that was clicked
        if divergence.work is work:
            click_link(panel.what, "newest:0")
            QTest.qWait(100)
    bench.wait(lambda: divergence.work is not work and panel.report is not None and panel.report is divergence.work.report)


def _write(bench, function):
    """Have a script write inputs before each step."""
    bench.runner.send(commands.SetHooks(Hooks([Hook("test", "before_step", function)])))


def _hold(m, d):
    d.ctrl[2] = 0.3


def _ramp(m, d):
    d.ctrl[2] = 0.3 * (1 + d.time)


def test_a_remedy_stands_in_place_of_the_one_before(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, VERY_STIFF)
    panel, divergence = page(bench), bench.application.divergence
    end = divergence.work.steps.number + len(divergence.work.steps) - 1
    gain = bench.context.model.actuator_gainprm[2, 0]
    click(offer(panel, "gain and bias").apply)
    bench.wait(lambda: bench.context.model.actuator_gainprm[2, 0] < gain)
    bench.runner.send(commands.Run())
    bench.pass_time(0.3)
    bench.runner.send(commands.Pause())
    bench.wait(lambda: bench.snapshot.history_branch != divergence.work.steps.branch and not bench.snapshot.running)
    softer = offer(panel, "more damping")
    click(softer.apply)
    bench.wait(lambda: bench.snapshot.changed_values and "damping" in bench.snapshot.changed_values[-1].target)
    model = bench.context.model
    assert model.actuator_gainprm[2, 0] == gain and model.dof_damping[2] == softer.remedy.changes[0].value
    assert len(bench.snapshot.changed_values) == 1 and bench.logged("in place of actuator wrist_servo")
    # where it went back to is of the run that diverged
    assert bench.snapshot.history_branch == divergence.work.steps.branch
    assert bench.snapshot.history_gone + bench.snapshot.history_index == end - panel.report.rewind
    bench.runner.send(commands.Run())
    bench.pass_time(0.3)
    assert bench.snapshot.status == "running"
    click(offer(panel, "nothing changed").apply)
    bench.wait(lambda: not bench.snapshot.changed_values and not bench.snapshot.running)
    assert model.dof_damping[2] == pytest.approx(0.2)


def test_going_back_after_another_way_was_taken_is_in_the_branch_that_diverged(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    panel, steps = page(bench), bench.application.divergence.work.steps
    click(offer(panel, "gain and bias").apply)
    bench.wait(lambda: bench.snapshot.changed_values)
    bench.runner.send(commands.Run())
    bench.pass_time(0.2)
    panel.rewind.setValue(0)
    click(panel.back)
    bench.wait(lambda: not bench.snapshot.running and bench.snapshot.history_branch == steps.branch and bench.snapshot.time == steps.time[-1])
    assert np.array_equal(bench.snapshot.qpos, steps.columns("qpos")[-1])


def test_the_page_says_by_what_an_applied_remedy_differs_from_the_trial(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    assert "Inputs changed" not in page(bench).trials.text()
    bench.runner.send(commands.Reset())
    _write(bench, _ramp)
    diverge(bench)
    panel = page(bench)
    bench.wait(lambda: "Inputs changed in these steps (ctrl of wrist_servo)" in panel.trials.text())
    assert "until a slider or a script writes others" in panel.trials.text()


def test_forces_and_stiffnesses_have_units_and_time_is_counted_back(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    panel = page(bench)
    forces, stiffest = (label.text().replace("\u00a0", " ").replace("\u2060", "") for label in (panel.forces, panel.stiffest))
    assert "N m<" in forces and "N m/rad<" in stiffest and "N m s/rad<" in stiffest
    for item in panel.curves.items:
        x = item.getOriginalDataset()[0]
        assert (x >= 0).all() and x[-1] == 0
    assert panel.curves.plot.getViewBox().xInverted()


def test_the_page_is_no_wider_than_its_panel(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    panel = page(bench)
    bench.window.resize(1024, 640)
    area = panel.parentWidget().parentWidget()
    bench.wait(lambda: area.verticalScrollBar().maximum() > 0)
    bench.wait(lambda: area.horizontalScrollBar().maximum() == 0, 5000)


def test_a_curve_of_nothing_but_zeros_is_not_drawn(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    curves = page(bench).curves
    time = np.linspace(0, 0.1, 5)
    curves.show_curves([Curve("qvel[0]", "m/s", time, 2 ** np.arange(5.0)), Curve("ctrl[0]", "N", time, np.zeros(5))], 0.1, 0.05)
    box = curves.plot.getPlotItem().getViewBox()
    box.updateAutoRange()       # as it does when it is painted, which it is not while the page is scrolled past it
    assert -1 < box.viewRange()[1][0] < box.viewRange()[1][1] < 3       # by the logarithm
    assert len(curves.items) == 1 and "ctrl[0]" in curves.legend.text()


def test_the_message_in_the_status_bar_opens_it(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, STIFF, run__divergence_page=False)
    bar = bench.window.statusBar()
    bench.wait(lambda: "diverged" in bar.message.toolTip())
    assert "Click: why" in bar.message.toolTip()
    click(bar.message)
    bench.wait(lambda: not bench.docks.docks["divergence"].isHidden())


def test_the_companion_of_a_divergence_before_is_not_told_as_one_of_this(workbench, tmp_path):
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    panel = page(bench)
    work, remedy = bench.application.divergence.work, next(row.remedy for row in panel.offers if row.ghost.isEnabled())
    assert bench.application.divergence.companion(remedy) is not None and bench.application.divergence.beside(remedy) is not None
    bench.actions["reset"].trigger()
    bench.wait(lambda: bench.snapshot.status != "diverged")
    diverge(bench)
    bench.wait(lambda: bench.application.divergence.work is not work)
    assert bench.application.divergence.beside(remedy) is None


@pytest.mark.parametrize("more", ["<worldbody>", "<worldbody><site/>"], ids=["written", "compiled"])
def test_an_edit_leaves_the_page_to_be_read_only(workbench, tmp_path, more):
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    panel = page(bench)
    (tmp_path / "arm.xml").write_text(STIFF.replace('kp="1000000.0"', 'kp="20"').replace("<worldbody>", more, 1))
    bench.wait(lambda: not panel.back.isEnabled())
    assert "read only" in panel.what.text() and "wrist_servo" in panel.why.text() and bench.application.divergence.work.steps is None
    assert not any(row.apply.isEnabled() or row.ghost.isEnabled() for row in panel.offers)


@pytest.mark.parametrize("edited", [False, True])
def test_another_file_empties_the_page_and_frees_what_was_analysed(workbench, tmp_path, edited):
    bench = open_and_diverge(workbench, tmp_path, STIFF)
    panel, model = page(bench), bench.context.model
    copy = weakref.ref(bench.application.divergence.work._mortem.model)
    if edited:
        (tmp_path / "arm.xml").write_text(STIFF.replace('kp="1000000.0"', 'kp="20"'))
        bench.wait(lambda: bench.application.divergence.work.steps is None)
        model = bench.context.model
    (tmp_path / "other.xml").write_text("<mujoco/>")
    bench.session.open(tmp_path / "other.xml")
    bench.wait(lambda: bench.context.model is not model)
    bench.wait(lambda: "No run of this model" in panel.what.text())
    assert bench.application.divergence.work is None

    def gone():
        gc.collect()
        return copy() is None
    bench.wait(gone)
