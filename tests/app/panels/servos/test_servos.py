"""The servos panel by real events: which servo, numbers and handles, what comes of them, where it writes, trying live, all joints at once, and that nothing upsets it."""
import gc
import threading
import weakref

import numpy as np
import pytest
from PyQt6.QtCore import QPoint, QPointF
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from app.panels.servos import study
from app.panels.servos.figures_table import RUNS_HELD, RUNS_REAL, TRIED_HELD, TRIED_REAL
from app.panels.servos.panel import FIGURES, MUSCLE, NOTHING, TUNE
from editor.tuning.place import Kind
from physics.model.elements import element
from physics.runtime import commands
from tests.app.panels.servos.arms import TWO, arm7
from tests.app.workbench import CTRL, NONE, Button, Key
from tests.journeys.hands import bring, choose, click, write


@pytest.fixture
def opened(workbench, tmp_path):
    def open_text(text=TWO, servo="upper"):
        path = tmp_path / "model.xml"
        path.write_text(text)
        bench = workbench(path, size=(1400, 1000))
        panel = bench.panel("servos")
        bench.wait(panel.isVisible)
        if servo:
            select(bench, "actuator", servo)
            ready(bench, panel)
        return bench, panel
    return open_text


def select(bench, kind, name):
    m = bench.context.model
    bench.context.select_elements([element(m, kind, m.id(kind, name))])


def ready(bench, panel):
    """The newest values were tried, and places are known."""
    bench.wait(lambda: panel.base is not None and panel.runs is not None and panel.runs.values == panel.in_force and not panel._trying.busy and not panel._pause.isActive() and not panel._look_timer.isActive()
               and (panel.values == panel.in_force or panel.tried is not None and panel.tried.values == panel.values))
    bench.wait(lambda: panel.writing.places and not panel.writing._work.busy)


def text_of(bench):
    return bench.session.document.main.text


def gains(bench, name):
    m = bench.context.model
    i = m.id("actuator", name)
    return -float(m.actuator_biasprm[i, 1]), -float(m.actuator_biasprm[i, 2])


def type_number(bench, panel, name, text):
    bring(panel.rows.fields[name])
    write(bench, panel.rows.fields[name], text)


def press(bench, button):
    bench.wait(button.isEnabled)
    bring(button)
    bench.wait(lambda: not button.visibleRegion().isEmpty())
    click(button)


def test_it_is_about_what_is_selected_or_chosen(opened):
    bench, panel = opened(servo="")
    bench.wait(lambda: panel.base is not None)
    assert panel.chooser.currentText() == "upper" and panel.chooser.count() == 6      # nothing selected: the first
    select(bench, "joint", "lower")
    bench.wait(lambda: panel.base is not None and panel.base.start.axis.name == "lower")
    assert panel.values.kp == 25.0 and panel.values.kv == 3.0 and panel.values.forcerange == (-40.0, 40.0) and panel.values.gear == 1.0
    choose(bench, panel.chooser, "ratio")
    bench.wait(lambda: panel.base is not None and panel.base.start.axis.name == "ratio")
    ready(bench, panel)
    assert panel.rows.fields["dampratio"].number == pytest.approx(.4) and panel.base.units == ("m", "N") and not panel.rows.fields["timeconst"].isEnabled()


def test_numbers_wait_for_apply_and_one_undo_takes_them_back(opened):
    bench, panel = opened()
    before, entries = text_of(bench), len(bench.session.document.history.entries)
    assert panel.figures.text("overshoot", RUNS_HELD) != "–" and panel.figures.text("bandwidth", RUNS_HELD).endswith("Hz") and not panel.apply_button.isEnabled()
    assert panel.figures.isColumnHidden(TRIED_HELD)
    rise = panel.runs.held.step.rise
    type_number(bench, panel, "kp", "240")
    assert panel.now is not None and panel.now.step.rise < .7 * rise      # at once
    ready(bench, panel)
    assert panel.tried.real.step.rise < .8 * panel.runs.real.step.rise and not panel.figures.isColumnHidden(TRIED_REAL)
    assert panel.tried.law.bandwidth > 1.5 * panel.runs.law.bandwidth and panel.runs.real.step.final != panel.tried.real.step.final
    assert text_of(bench) == before
    press(bench, panel.apply_button)
    bench.taken_up()
    assert gains(bench, "upper") == (240.0, 3.0) and '<position name="upper" joint="upper" class="strong" kp="240"/>' in text_of(bench)
    assert len(bench.session.document.history.entries) == entries + 1
    ready(bench, panel)
    assert panel.in_force.kp == panel.values.kp == 240.0 and not panel.apply_button.isEnabled() and panel.tried is None
    bench.press_key(Key.Key_Z, CTRL)
    bench.wait(lambda: text_of(bench) == before)
    bench.wait(lambda: panel.in_force is not None and panel.in_force.kp == panel.values.kp == 60.0)


def test_a_name_is_a_handle_and_escape_takes_it_back(opened):
    bench, panel = opened()
    handle = panel.rows.handles["kv"]
    bring(panel.bar.follow)
    click(panel.bar.follow)
    assert not panel.bar.follow.isChecked()
    bring(handle)
    before = text_of(bench)
    overshoot = panel.now.step.overshoot

    def move(x):
        drag_to(handle, x)

    QTest.mousePress(handle, Button.LeftButton, NONE, QPoint(5, 5))
    for x in (30, 80, 155):
        move(x)
    assert panel.values.kv > 5.0 and panel.now.step.overshoot < overshoot and panel.rows.fields["kv"].number == panel.values.kv
    assert panel.rows.fields["dampratio"].number > 0.0
    QTest.keyClick(handle, Key.Key_Escape)
    assert panel.values.kv == 3.0 and text_of(bench) == before
    QTest.mouseRelease(handle, Button.LeftButton, NONE, QPoint(5, 5))
    QTest.mousePress(handle, Button.LeftButton, NONE, QPoint(5, 5))
    move(55)
    QTest.mouseRelease(handle, Button.LeftButton, NONE, QPoint(55, 5))
    assert panel.values.kv == pytest.approx(4.0)
    ready(bench, panel)
    assert panel.apply_button.isEnabled()
    press(bench, panel.revert_button)
    assert panel.values == panel.in_force and not panel.apply_button.isEnabled()


def drag_to(handle, x):
    at = QPointF(x, 5)
    QApplication.sendEvent(handle, QMouseEvent(QMouseEvent.Type.MouseMove, at, QPointF(handle.mapToGlobal(at.toPoint())), Button.NoButton, Button.LeftButton, NONE))


def grab(panel, name):
    handle = panel.rows.handles[name]
    bring(handle)
    QTest.mousePress(handle, Button.LeftButton, NONE, QPoint(5, 5))
    return handle


def test_a_drag_is_written_as_it_goes_on_and_one_undo_takes_it_back(opened):
    bench, panel = opened()
    before, entries, model = text_of(bench), len(bench.session.document.history.entries), bench.context.model
    handle = grab(panel, "kv")
    for x, kv in ((30, 3.5), (105, 5.0)):
        drag_to(handle, x)
        bench.wait(lambda kv=kv: gains(bench, "upper") == (60.0, pytest.approx(kv)))        # while it is held
    assert panel.in_force.kv == 3.0 and panel.values.kv == pytest.approx(5.0) and 'class="strong" kv="5"/>' in text_of(bench)
    QTest.mouseRelease(handle, Button.LeftButton, NONE, QPoint(105, 5))
    assert panel.in_force.kv == pytest.approx(5.0) and not panel.apply_button.isEnabled()
    assert len(bench.session.document.history.entries) == entries + 1 and bench.context.model is model
    ready(bench, panel)
    assert panel.in_force.kv == panel.values.kv == pytest.approx(5.0) and panel.tried is None
    bench.press_key(Key.Key_Z, CTRL)
    bench.wait(lambda: text_of(bench) == before and gains(bench, "upper") == (60.0, 3.0))
    bench.wait(lambda: panel.in_force is not None and panel.in_force.kv == panel.values.kv == 3.0)


def test_where_a_drag_ends_in_what_is_refused_the_last_that_was_written_is_in_force(opened):
    bench, panel = opened(servo="ratio")
    handle = grab(panel, "kp")
    drag_to(handle, -20)
    bench.wait(lambda: gains(bench, "ratio")[0] == 250.0)
    drag_to(handle, -400)       # to 0, where no dampratio gives the kv
    bench.wait(lambda: "give it a kv in its place" in panel.note.text())
    QTest.mouseRelease(handle, Button.LeftButton, NONE, QPoint(-400, 5))
    assert 'kp="250"' in text_of(bench) and panel.in_force.kp == 250.0 and panel.values.kp == 0.0
    assert panel.revert_button.isEnabled() and "says these values already" not in panel.apply_button.toolTip()
    press(bench, panel.revert_button)
    assert panel.values.kp == 250.0


def test_escape_takes_a_written_drag_back(opened):
    bench, panel = opened()
    before, entries = text_of(bench), len(bench.session.document.history.entries)
    handle = grab(panel, "damping")
    drag_to(handle, 105)
    bench.wait(lambda: bench.context.model.dof_damping[0] > .4)
    QTest.keyClick(handle, Key.Key_Escape)
    assert text_of(bench) == before and panel.values == panel.in_force and len(bench.session.document.history.entries) == entries
    bench.wait(lambda: bench.context.model.dof_damping[0] == .3)


def test_what_takes_a_compile_waits_for_apply(opened):
    bench, panel = opened()
    before = text_of(bench)
    type_number(bench, panel, "delay", ".01")
    handle = grab(panel, "kv")
    drag_to(handle, 105)
    QTest.mouseRelease(handle, Button.LeftButton, NONE, QPoint(105, 5))
    assert panel.values.kv == pytest.approx(5.0) and text_of(bench) == before and panel.in_force.kv == 3.0
    ready(bench, panel)
    assert panel.apply_button.isEnabled()


def test_a_range_is_taken_away_and_given(opened):
    bench, panel = opened()
    i = bench.context.model.id("actuator", "upper")
    type_number(bench, panel, "high", " ")
    assert panel.values.forcerange is None and panel.rows.fields["low"].text() == ""
    type_number(bench, panel, "ctrl_high", ".5")
    assert panel.values.ctrlrange == (-.5, .5) and panel.rows.fields["ctrl_low"].number == -.5
    ready(bench, panel)
    assert np.isnan(panel.tried.real.saturation) and panel.runs.real.saturation >= 0
    press(bench, panel.apply_button)
    bench.wait(lambda: not bench.context.model.actuator_forcelimited[i] and tuple(bench.context.model.actuator_ctrlrange[i]) == (-.5, .5))
    line = next(line for line in text_of(bench).splitlines() if 'name="upper" joint' in line and 'position' in line)
    assert 'forcerange="0 0"' in line and 'ctrlrange="-0.5 0.5"' in line, line
    ready(bench, panel)
    type_number(bench, panel, "ctrl_low", " ")
    ready(bench, panel)
    press(bench, panel.apply_button)
    bench.wait(lambda: not bench.context.model.actuator_ctrllimited[i])
    assert "ctrlrange" not in text_of(bench)


def test_what_is_being_worked_out_is_said(opened, monkeypatch):
    go, tried = threading.Event(), study.tried
    bench, panel = opened()
    assert panel.working.text() == f"In the pose of {panel.base.time:.3f} s." and panel.working.isVisible()
    monkeypatch.setattr(study, "tried", lambda *given: (go.wait(60), tried(*given))[1])
    type_number(bench, panel, "kp", "90")
    bench.wait(lambda: panel.working.text().endswith("Simulating what is tried…"))
    go.set()
    ready(bench, panel)
    bench.wait(lambda: panel.working.text() == f"In the pose of {panel.base.time:.3f} s.")


def test_into_the_class_it_changes_others_and_says_so(opened):
    bench, panel = opened()
    before = text_of(bench)
    type_number(bench, panel, "kv", "4.5")
    bench.wait(lambda: len(panel.writing.places) == 3 and not panel.writing._work.busy)
    assert [place.kind for place in panel.writing.places] == [Kind.ELEMENT, Kind.CLASS, Kind.CLASS] and "nothing else" in panel.places.told.text()
    assert "within main gives kv" in panel.writing.places[2].refusal
    choose(bench, panel.places.place, "class strong")
    assert "actuator lower" in panel.places.told.text()
    ready(bench, panel)
    press(bench, panel.apply_button)
    bench.taken_up()
    assert '<position kp="60" kv="4.5" forcerange="-40 40"/>' in text_of(bench) and gains(bench, "lower") == (25.0, 4.5) and gains(bench, "upper") == (60.0, 4.5)
    assert bench.session.undo() and text_of(bench) == before


def test_a_dampratio_stays_one_and_general_has_its_own_words(opened):
    bench, panel = opened(servo="ratio")
    type_number(bench, panel, "kp", "500")
    type_number(bench, panel, "dampratio", ".9")
    ready(bench, panel)
    press(bench, panel.apply_button)
    bench.taken_up()
    assert '<position name="ratio" joint="rail" kp="500" dampratio=".9"/>' in text_of(bench) and gains(bench, "ratio") == (500.0, pytest.approx(panel.values.kv))
    select(bench, "actuator", "raw")
    bench.wait(lambda: panel.base is not None and panel.base.start.axis.name == "raw")
    ready(bench, panel)
    type_number(bench, panel, "kp", "45")
    ready(bench, panel)
    press(bench, panel.apply_button)
    bench.taken_up()
    assert 'gainprm="45" biastype="affine" biasprm="0 -45 -1"/>' in text_of(bench)


def test_all_other_numbers_are_written_in_one_edit(opened):
    bench, panel = opened()
    before, entries = text_of(bench), len(bench.session.document.history.entries)
    for name, text in (("armature", ".05"), ("damping", ".6"), ("gear", "2"), ("low", "-30"), ("delay", ".01")):
        type_number(bench, panel, name, text)
    ready(bench, panel)
    assert panel.tried.real is not None and panel.tried.held.step.final == pytest.approx(panel.tried.real.step.final, abs=.02)
    press(bench, panel.apply_button)
    bench.wait(lambda: len(bench.session.document.history.entries) == entries + 1)
    bench.wait(lambda: bench.context.model.nhistory > 0)
    m = bench.context.model
    i, dof = m.id("actuator", "upper"), 0
    assert (m.dof_armature[dof], m.dof_damping[dof], m.actuator_gear[i, 0], m.actuator_delay[i]) == (.05, .6, 2.0, .01) and tuple(m.actuator_forcerange[i]) == (-30.0, 40.0)
    bench.wait(lambda: panel.base is not None and panel.in_force is not None and panel.in_force.delay == .01)
    assert bench.session.undo() and text_of(bench) == before


def test_trying_live_changes_the_run_and_not_the_text(opened):
    bench, panel = opened()
    before = text_of(bench)
    type_number(bench, panel, "kp", "90")
    type_number(bench, panel, "armature", ".1")
    ready(bench, panel)
    press(bench, panel.try_live)
    bench.wait(lambda: gains(bench, "upper") == (90.0, 3.0))
    assert "armature" in panel.note.text() and text_of(bench) == before and panel.in_force.kp == 60.0
    type_number(bench, panel, "kp", "120")
    type_number(bench, panel, "damping", ".7")
    bench.wait(lambda: gains(bench, "upper") == (120.0, 3.0) and bench.context.model.dof_damping[0] == .7)
    panel._ask_at_once()
    bench.wait(lambda: not panel._query._out and not panel._basing.busy)
    assert panel.in_force.kp == 60.0 and panel.values.kp == 120.0        # what the text says stays what it is compared with
    press(bench, panel.try_live)
    bench.wait(lambda: gains(bench, "upper") == (60.0, 3.0) and bench.context.model.dof_damping[0] == .3)
    press(bench, panel.try_live)
    bench.wait(lambda: gains(bench, "upper") == (120.0, 3.0))
    bench.panel("controls")
    bench.wait(lambda: not panel.seen and gains(bench, "upper") == (60.0, 3.0))
    assert text_of(bench) == before


def test_one_servo_is_tuned(opened):
    bench, panel = opened()
    write_field(bench, panel.tune.hertz, "4")
    write_field(bench, panel.tune.zeta, ".7")
    press(bench, panel.tune.one)
    bench.wait(lambda: panel.values != panel.in_force)
    ready(bench, panel)
    assert panel.tried.law.bandwidth == pytest.approx(4.0, rel=1e-4) and panel.tried.law.damping_ratio == pytest.approx(.7, rel=1e-4)
    assert panel.tried.held.bandwidth == pytest.approx(4.0, rel=.05) and panel.tried.held.step.overshoot == pytest.approx(.046, abs=.01)
    assert panel.apply_button.isEnabled()


def write_field(bench, field, text):
    bring(field)
    bench.wait(lambda: not field.visibleRegion().isEmpty())
    write(bench, field, text)


def test_a_refused_wish_says_why_and_gives_the_nearest(opened):
    bench, panel = opened()
    write_field(bench, panel.tune.hertz, "90")
    press(bench, panel.tune.all)
    bench.wait(lambda: panel.tune.table.rows)
    assert [row.name for row in panel.tune.table.rows] == ["upper", "lower"] and not panel.tune.table.chosen and not panel.tune.write.isEnabled()
    assert "the nearest that is possible" in panel.tune.reasons.text() and panel.tune.reasons.text().startswith("upper: ")


def test_a_ramp_and_a_sine_have_their_figures(opened):
    bench, panel = opened()
    choose(bench, panel.trial_row.kind, "Ramp")
    ready(bench, panel)
    assert "ms" in panel.figures.text("lag", RUNS_REAL) and panel.figures.text("rise", RUNS_HELD) == "–"
    choose(bench, panel.trial_row.kind, "Sine")
    write_field(bench, panel.trial_row.frequency, "3")
    write_field(bench, panel.trial_row.seconds, "2")
    ready(bench, panel)
    assert panel.figures.text("gain", RUNS_HELD) != "–" and panel.figures.text("phase", RUNS_HELD).startswith("-")
    assert panel.plots.response.shown[1].x[-1] == pytest.approx(2000)


def test_a_muscle_shows_its_curves_in_place_of_gains(opened):
    bench, panel = opened(servo="biceps")
    assert panel.sections[MUSCLE].isVisible() and not panel.sections[TUNE].isVisible() and not panel.rows.fields["kp"].isEnabled()
    assert "peak of 12 N" in panel.muscle.told.text() and len(panel.muscle.length.shown) == 2 and panel.muscle.length.shown[0].y.max() == pytest.approx(1.0, abs=.01)
    assert panel.plots.response.shown
    panel.sections["Effective inertia"].fold(True)
    bench.wait(lambda: panel.inertia.plot.shown and panel.inertia.joint.currentText() == "bend")
    assert np.ptp(panel.inertia.plot.shown[0].y) < 1e-9 and panel.inertia.plot.shown[0].y[0] == pytest.approx(panel.base.start.axis.inertia["locked"])
    select(bench, "actuator", "push")
    bench.wait(lambda: panel.base is not None and panel.base.start.axis.name == "push")
    ready(bench, panel)
    assert not panel.sections[MUSCLE].isVisible() and not panel.sections[TUNE].isVisible()


def test_while_paused_it_follows_the_pose(opened):
    bench, panel = opened(arm7(), servo="shoulder")
    inertia = panel.base.start.axis.inertia["locked"]
    bench.runner.send(commands.LoadKey(0))
    bench.wait(lambda: panel.base is not None and np.allclose(panel.base.qpos[1], .5))
    assert panel.base.start.axis.inertia["locked"] != pytest.approx(inertia)
    panel.sections["Effective inertia"].fold(True)
    bench.wait(lambda: panel.inertia.plot.shown)
    assert panel.inertia.joint.currentText() == "upper_roll" and len(panel.inertia.plot.shown[0].x) == 25
    bring(panel.inertia.joint)
    choose(bench, panel.inertia.joint, "elbow")
    bench.wait(lambda: np.ptp(panel.inertia.plot.shown[0].y) > .05)


def test_models_that_come_and_go_do_not_upset_it(opened):
    bench, panel = opened()
    type_number(bench, panel, "kp", "90")
    bench.session.reload()
    bench.taken_up()
    ready(bench, panel)
    assert panel.actuator.name == "upper"
    bench.session.new("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>", run=False)
    bench.wait(lambda: bench.context.model.nactuator == 0 and panel.actuator is None and panel.note.text() == NOTHING)
    assert not panel.bar.isVisible() and not panel.sections[FIGURES].isVisible()
    bench.session.new(TWO, run=True)
    bench.wait(lambda: panel.base is not None and panel.runs is not None)
    assert panel.actuator.name == "upper"


def test_a_hidden_panel_keeps_no_model(opened):
    bench, panel = opened()
    bench.panel("controls")
    bench.wait(lambda: not panel.seen)
    first = weakref.ref(bench.context.model)
    for k in range(2):
        bench.session.new(TWO.replace('kp="60"', f'kp="{61 + k}"'), run=False)
        bench.taken_up()

    def gone():
        gc.collect()
        return first() is None

    bench.wait(gone)


def test_the_tune_workspace_has_it(opened):
    bench, panel = opened(servo="")
    bench.press_key(Key.Key_4, CTRL)
    bench.wait(lambda: bench.docks.docks["servos"].isVisible())
