"""Fit by real events: what cannot be is said at once, what can is solved aside, proven by the engine, tried in the tuner and written by one change."""
import pytest

from app.panels.tuner.fit_part import BOTH_WAYS, NOTHING_WANTED
from app.panels.tuner.panel import FIT
from physics.model.elements import element
from tests.app.panels.tuner.test_tuner import EQUALITY, MODEL, PAIR, opened, pair_of, text_of
from tests.app.workbench import CTRL, Key
from tests.journeys.hands import enter, press


def unfolded(workbench, tmp_path, text=MODEL, contact=PAIR):
    bench, panel = opened(workbench, tmp_path, contact, text)
    for title, section in panel.sections.items():
        section.fold(title == FIT)
    return bench, panel, panel.fit


@pytest.fixture
def bench_panel_fit(workbench, tmp_path):
    bench, panel, fit = unfolded(workbench, tmp_path)
    bench.wait(lambda: panel.row is not None and panel.writing.places and fit.message.text() == NOTHING_WANTED)
    return bench, panel, fit


def test_a_stated_number_is_solved_for_the_others_stay_and_apply_writes_it(bench_panel_fit):
    bench, panel, fit = bench_panel_fit
    before, depth = text_of(bench), fit.fields["rest_depth"].number
    assert depth == pytest.approx(panel.quick.rest, rel=1e-3) and not fit.use.isEnabled()
    enter(bench, fit.fields["restitution"], "0.6")
    assert fit.ticks["restitution"].isChecked() and not fit.ticks["rest_depth"].isChecked()
    bench.wait(lambda: fit.solution is not None)
    assert fit.reached["restitution"].text().startswith("0.600 ±") and fit.solution.response.rest_depth == pytest.approx(depth, rel=0.01)
    assert fit.step.text() != "–" and fit.use.isEnabled()
    press(fit.use)
    assert panel.parameters == fit.solution.parameters and panel.bar.apply.isEnabled() and text_of(bench) == before
    bench.wait(lambda: panel.full is not None and panel.full.response.impacts.mean == pytest.approx(0.6, abs=2e-3))
    press(panel.bar.apply)
    bench.taken_up()
    assert pair_of(bench) == (pytest.approx(panel.parameters.solref), pytest.approx(panel.parameters.solimp))
    bench.press_key(Key.Key_Z, CTRL)
    bench.wait(lambda: text_of(bench) == before)


def test_the_engine_proves_it_in_a_copy_of_the_scene(bench_panel_fit):
    bench, panel, fit = bench_panel_fit
    enter(bench, fit.fields["restitution"], "0.5")
    enter(bench, fit.fields["rest_depth"], "2e-4")
    bench.wait(lambda: fit.solution is not None and fit.prove.isEnabled())
    press(fit.prove)
    bench.wait(lambda: fit.proof is not None)
    assert "16 bounces in a copy of the scene" in fit.message.text() and fit.proved["rest_depth"].text() == "0.2 mm" == fit.reached["rest_depth"].text()
    assert fit.proof.bounces.mean() == pytest.approx(0.5, abs=2e-3) and fit.proved["restitution"].text().startswith("0.500 ±")
    assert fit.proof.drop.settling == pytest.approx(fit.solution.response.load_step.settling, rel=0.01)
    enter(bench, fit.fields["restitution"], "0.4")
    assert fit.proof is None and fit.proved["restitution"].text() == "–"


def test_what_cannot_be_is_said_at_once_and_one_click_takes_the_nearest(bench_panel_fit):
    bench, panel, fit = bench_panel_fit
    for name, text in (("rest_depth", "1e-3"), ("settling", "0.2"), ("restitution", "0.9")):
        enter(bench, fit.fields[name], text)
    assert "less deep" in fit.message.text() and fit.nearest is not None and fit.nearest_button.isVisible() and not fit.use.isEnabled()       # no thread was waited for
    bench.wait(lambda: fit.solution is not None)
    assert "less deep" in fit.message.text() and not fit.use.isEnabled() and "rest depth" in fit.nearest_button.text()
    press(fit.nearest_button)
    bench.wait(lambda: fit.solution is not None and fit.use.isEnabled())
    assert fit.fields["rest_depth"].number < 1e-3 and fit.fields["restitution"].number == pytest.approx(0.9, abs=0.01) and not fit.nearest_button.isVisible()
    assert fit.solution.response.rest_depth == pytest.approx(fit.fields["rest_depth"].number, rel=0.01)


def test_another_contact_has_nothing_wanted_yet_and_an_equality_never(bench_panel_fit):
    bench, panel, fit = bench_panel_fit
    enter(bench, fit.fields["restitution"], "0.5")
    bench.context.select_elements([element(bench.context.model, "geom", bench.context.model.id("geom", "small"))])
    bench.wait(lambda: panel.row is not None and panel.row.inverse_mass == pytest.approx(10.0))
    assert not fit.wanted and fit.message.text() == NOTHING_WANTED and fit.solution is None


def test_an_equality_has_no_fit(workbench, tmp_path):
    bench, panel, fit = unfolded(workbench, tmp_path, EQUALITY.format(integrator="Euler"))
    bench.context.select_elements([element(bench.context.model, "equality", 0)])
    bench.wait(lambda: panel.row is not None and fit.message.text() == BOTH_WAYS)
    assert not fit.use.isEnabled() and not fit.prove.isEnabled()


def test_the_same_in_the_standard_format(bench_panel_fit):
    bench, panel, fit = bench_panel_fit
    enter(bench, fit.fields["restitution"], "0.3")
    enter(bench, fit.fields["settling"], "0.3")
    bench.wait(lambda: fit.solution is not None and fit.standard.isEnabled())
    press(fit.standard)
    press(fit.use)
    assert panel.parameters.solref[0] > 0.0 and panel.parameters == fit.solution.standard
