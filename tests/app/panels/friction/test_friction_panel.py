"""The Friction panel by real events: coefficients with their sources, slip while it runs, the slope test, the comparison and its companions, and that Models may come and go."""
from dataclasses import replace
from math import atan, degrees, isfinite, nan

import pytest
from PyQt6.QtCore import Qt

from app.panels.friction.panel import APART, NOTHING
from app.panels.friction.tables import LATELY, NOW, SHARE, SOURCE, SPEED, VALUE
from app.panels.tuner import choice
from physics.model.elements import element
from physics.runtime.companions.companion import PAUSED, RUNNING
from physics.tuning.target import Form
from tests.app.workbench import CTRL, Key
from tests.journeys.hands import choose, click, write

# a tilted floor would roll the ball: gravity leans instead, so that friction has something to hold
MODEL = """<mujoco><option gravity="2 0 -9.5" {option}/><worldbody><light pos="0 0 3"/>
  <geom name="floor" type="plane" size="5 5 .1" friction=".3"/>
  <body name="crate" pos="0 0 .0999"><freejoint/><geom name="crate" type="box" size=".2 .2 .1" friction=".6 .01 .001"/></body>
  <body name="ball" pos="2 0 1"><freejoint/><geom name="ball" size=".1" friction=".1"/></body>
</worldbody></mujoco>"""


def opened(workbench, tmp_path, option="", text=MODEL):
    path = tmp_path / "model.xml"
    path.write_text(text.format(option=option))
    bench = workbench(path, size=(1300, 950))
    panel = bench.panel("friction")
    bench.wait(panel.isVisible)
    return bench, panel


@pytest.fixture
def bench_and_panel(workbench, tmp_path):
    bench, panel = opened(workbench, tmp_path)
    bench.wait(lambda: panel.answer is not None and panel.answer.slip is not None)
    return bench, panel


def run_for(bench, seconds):
    bench.press_key(Key.Key_Space)
    bench.pass_time(seconds)
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running)


def test_coefficients_are_told_with_those_who_say_so(bench_and_panel):
    bench, panel = bench_and_panel
    assert panel.chooser.currentText() == "floor – crate"
    table = panel.coefficients
    assert (table.text("condim", VALUE), table.text("tangent 1", VALUE), table.text("tangent 1", SOURCE)) == ("3", "0.6", 'geom "crate"')
    assert table.text("condim", SOURCE) == 'geom "floor", geom "crate"' and (table.text("cone", VALUE), table.text("cone", SOURCE)) == ("pyramidal", "option")
    with pytest.raises(StopIteration):
        table.text("spin [m]", VALUE)       # with condim 3 it has none
    assert f"{degrees(atan(.6)):.4g}°" in panel.expected.text() and "friction 0.6 0.6" in panel.why.text()
    write(bench, panel.heading, "45")
    bench.wait(lambda: f"{degrees(atan(.6 / 2 ** .5)):.4g}°" in panel.expected.text())


def test_slip_and_drift_are_measured_while_it_runs(bench_and_panel):
    bench, panel = bench_and_panel
    run_for(bench, 1.2)
    bench.wait(lambda: panel.measuring.measured is not None and panel.measuring.measured.seconds > 0.5 and panel.answer.slip.share > 0.3)
    creep = panel.measuring.measured
    assert creep.share == pytest.approx(2 / 9.5 / .6, rel=.05) and creep.held == 1 and 1e-5 < creep.speed < .05
    bench.wait(lambda: panel.slips.text("motion", LATELY) == "creeps")
    assert panel.slips.text("motion", NOW) == "held" and panel.slips.text("drift", LATELY).endswith("m/s")
    assert panel.slips.text("cone in use", NOW) == f"{panel.answer.slip.share:.0%}" and panel.slips.text("normal force", NOW).endswith("N")


def test_a_slope_test_runs_beside_the_model(bench_and_panel):
    bench, panel = bench_and_panel
    run_for(bench, 0.3)
    time = bench.snapshot.time
    bench.wait(panel.test.isEnabled)
    click(panel.test)
    assert panel.test.text() == "Stop"
    bench.wait(lambda: panel.slope is not None)
    assert panel.slope.friction == pytest.approx(.6, rel=.04) and "slides from" in panel.slope_text.text() and panel.test.text() == "Slope test"
    assert bench.snapshot.time == time and bench.context.model.opt_gravity.tolist() == [2, 0, -9.5]
    click(panel.test)
    click(panel.test)       # stopped
    assert panel.test.text() == "Slope test" and not panel.slope_text.text() and panel.slope is None


def test_sets_are_compared_and_started_as_companions(bench_and_panel):
    bench, panel = bench_and_panel
    run_for(bench, 0.3)
    bench.wait(panel.compare.isEnabled)
    assert [panel.sets.topLevelItem(k).text(0) for k in range(panel.sets.topLevelItemCount())] == [
        "as it is", "elliptic cone", "impratio 10", "elliptic cone, impratio 10", "noslip 10", "condim 4", "condim 6"]
    click(panel.compare)
    bench.wait(lambda: len(panel.slippings) == 7 and panel.compare.text() == "Compare")
    found = panel.slippings
    assert found["as it is"].share == 1 and found["elliptic cone, impratio 10"].drift.speed < .2 * found["elliptic cone"].drift.speed
    assert panel.sets.text("as it is", SPEED).endswith("m/s") and f"{degrees(atan(.3)):.3g}°" in panel.compared.text()
    assert panel.sets.chosen == ("elliptic cone", "impratio 10", "elliptic cone, impratio 10")
    panel.sets.topLevelItem(2).setCheckState(0, Qt.CheckState.Unchecked)
    click(panel.start)
    rows = bench.application.companions.rows
    bench.wait(lambda: len(rows) == 2 and all(row.state.status in (PAUSED, RUNNING) and row.snapshot is not None for row in rows))
    assert [row.title for row in rows] == ["elliptic cone", "elliptic cone, impratio 10"] and rows[1].snapshot.model.opt_impratio == 10 and rows[0].snapshot.model.opt_cone == 1
    assert bench.context.model.opt_cone == 0 and rows[0].tint != rows[1].tint


def test_what_leaves_the_ground_on_the_slope_is_said_to(bench_and_panel):
    bench, panel = bench_and_panel
    click(panel.compare)
    bench.wait(lambda: len(panel.slippings) == 7)
    assert "leaves" not in panel.compared.text()
    one = panel.slippings["as it is"]
    panel._token = object()
    panel._one_came(panel._token, replace(one, drift=replace(one.drift, speed=nan)))
    assert panel.sets.text("as it is", SPEED) == "leaves" and "leaves the ground" in panel.compared.text() and "leaves the ground" in panel.sets.topLevelItem(0).toolTip(SPEED)


def test_names_of_variants_are_read_in_a_narrow_window(bench_and_panel):
    bench, panel = bench_and_panel
    bench.wait(lambda: panel.sets.topLevelItemCount() == 7)
    panel.sets.resize(300, panel.sets.height())
    assert panel.sets.isColumnHidden(SHARE) and panel.sets.columnWidth(0) > panel.sets.fontMetrics().horizontalAdvance("elliptic cone") + 20
    panel.sets.resize(460, panel.sets.height())
    assert not panel.sets.isColumnHidden(SHARE)


def test_what_was_compared_stays_while_it_is_apart_for_a_moment(bench_and_panel):
    bench, panel = bench_and_panel
    click(panel.compare)
    bench.wait(lambda: len(panel.slippings) == 7 and panel.compare.text() == "Compare")     # its thread has ended, too
    said, ticked = panel.sets.text("as it is", SPEED), panel.sets.chosen
    panel._answered(replace(panel.answer, slip=None, sets=()))
    assert panel.sets.text("as it is", SPEED) == said != "–" and panel.sets.chosen == ticked and not panel.compare.isEnabled()
    panel._set_target(None)
    panel._answered(panel.answer)
    assert not panel.slippings and panel.compared.text() == "" and not panel.compared.isVisible()


def test_a_comparison_that_has_just_begun_keeps_its_rows_while_it_is_apart_for_a_moment(bench_and_panel):
    bench, panel = bench_and_panel
    bench.wait(lambda: panel.compare.isEnabled())
    found = panel.answer
    click(panel.compare)
    assert not panel.slippings
    panel._answered(replace(found, slip=None, sets=()))
    assert panel.sets.topLevelItemCount() == 7      # and what is ticked
    bench.wait(lambda: len(panel.slippings) == 7)
    assert panel.sets.text("as it is", SPEED) != "–"


def test_other_values_are_of_another_comparison(bench_and_panel):
    bench, panel = bench_and_panel
    click(panel.compare)
    bench.wait(lambda: len(panel.slippings) == 7)
    write(bench, panel.impratio, "50")
    bench.wait(lambda: "impratio 50" in panel.sets.chosen)
    assert not panel.slippings and panel.sets.text("as it is", SPEED) == "–"


def test_what_touches_nothing_is_said_to_and_followed_until_it_does(workbench, tmp_path):
    bench, panel = opened(workbench, tmp_path)
    m = bench.context.model
    bench.context.select_elements([element(m, "geom", m.id("geom", "floor")), element(m, "geom", m.id("geom", "ball"))])
    bench.wait(lambda: panel.note.text() == APART)
    assert not panel.test.isEnabled() and not panel.start.isEnabled() and panel.test.toolTip() == APART
    run_for(bench, 0.6)
    bench.wait(lambda: panel.answer.slip is not None)
    assert isfinite(panel.answer.slip.normal) and panel.coefficients.text("tangent 1", SOURCE) == 'geom "floor"'


PILE = """<mujoco><worldbody><light pos="0 0 3"/>
  <geom name="floor" type="plane" size="5 5 .1"/>
  <body pos="0 0 .0999"><freejoint/><geom name="heavy" type="box" size=".2 .2 .1" mass="5"/></body>
  <body pos="1 0 .0999"><freejoint/><geom name="light" type="box" size=".2 .2 .1" mass="1"/></body>
  <body name="arm" pos="0 2 1"><joint name="arm" range="-1 1" limited="true"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/></body>
</worldbody></mujoco>"""


def test_it_is_about_the_contact_that_the_tuner_is_about(workbench, tmp_path):
    bench, panel = opened(workbench, tmp_path, text=PILE)
    tuner = bench.panel("tuner")
    bench.wait(lambda: tuner.row is not None)
    assert tuner.chooser.currentText() == "floor – heavy"
    choose(bench, tuner.chooser, "floor – light")
    bench.wait(lambda: tuner.row is not None and not panel.seen)
    bench.panel("friction")
    bench.wait(lambda: panel.seen and panel.answer is not None)
    assert panel.chooser.currentText() == "floor – light"
    choose(bench, panel.chooser, "floor – heavy")       # and the other way, out of sight
    bench.wait(lambda: panel.answer is not None and tuner.parameters is not None)
    assert not tuner.seen
    bench.panel("tuner")
    bench.wait(lambda: tuner.seen and tuner.row is not None)
    assert tuner.chooser.currentText() == "floor – heavy"
    bench.panel("friction")
    bench.wait(lambda: panel.seen)
    m = bench.context.model
    bench.context.select_elements([element(m, "geom", m.id("geom", "light"))])
    assert panel.chooser.currentText() == "floor – light"
    bench.wait(lambda: tuner.target is not None and choice.name_of(tuner.target) == "floor – light")
    bench.context.select_elements([element(m, "joint", m.id("joint", "arm"))])       # which has no friction of a contact
    bench.panel("tuner")
    bench.wait(lambda: tuner.seen and tuner.target.form != Form.CONTACT and tuner.parameters is not None)
    bench.panel("friction")
    bench.wait(lambda: panel.seen)
    assert panel.chooser.currentText() == "floor – light" and tuner.target.form != Form.CONTACT


def test_models_that_come_and_go_do_not_upset_it(bench_and_panel):
    bench, panel = bench_and_panel
    click(panel.compare)
    click(panel.test)
    before = bench.context.model
    bench.session.new(MODEL.format(option='timestep="0.001"'), run=False)
    bench.wait(lambda: bench.context.model is not before and panel.answer is not None and panel.answer.slip is not None)
    assert panel.compare.text() == "Compare" and panel.test.text() == "Slope test" and not panel.slippings and panel.slope is None
    bench.session.new("<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>", run=False)
    bench.wait(lambda: bench.context.model.ngeom == 1 and panel.target is None and panel.note.text() == NOTHING)
    assert not panel.sections["Slope"].isVisible()


def test_it_stands_in_the_tune_workspace(workbench, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(MODEL.format(option=""))
    bench = workbench(path, size=(1400, 950))
    bench.press_key(Key.Key_4, CTRL)
    bench.wait(lambda: "tuner" in bench.docks.panels and bench.docks.panels["tuner"].seen)
    assert bench.docks.docks["friction"].isVisible() and not bench.docks.panels["tuner"].visibleRegion().isEmpty()
