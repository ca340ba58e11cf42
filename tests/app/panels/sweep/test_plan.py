"""From lines to a sweep: what is refused, which numbers are tried, until when a result holds, and the table of it."""
from dataclasses import replace

import numpy as np
import pytest

import physics
from app.panels.sweep.metrics import BY_NAME, subject_of
from app.panels.sweep.plan import Choice, csv_text, engine_of, number_now, plan_of
from app.panels.tuner.tuned import TunedRow
from physics.model.elements import CONTACT, Element, element
from physics.tuning.law import Parameters
from physics.tuning.target import Form, Target
from tests.physics.tuning.drops import DEFAULT, drop
from tests.physics.tuning.grip import grip


@pytest.fixture(scope="module")
def m():
    return physics.load_string(grip())


def tuned(m, parameters=Parameters((0.02, 1.0), DEFAULT)):
    geoms = tuple(element(m, "geom", m.id("geom", name)) for name in ("left", "cup"))
    return TunedRow(Target(Form.CONTACT, Element(CONTACT, -1, "", geoms)), drop("ball").row, parameters, parameters, None, 1.0, False, ("m", "N"))


@pytest.mark.parametrize("choices, words", [
    ((), "what is to vary"), ((Choice("solref[0]", 0.01, 0.1, 3, True), Choice("opt.impratio", 1, 2, 2, False)), "not varied together"),
    ((Choice("opt.impratio", 1, 2, 2, False),) * 2, "twice"), ((Choice("opt.impratio", -1, 2, 3, True),), "one side of 0"), ((Choice("opt.impratio", -1, 2, 3, False),), "takes numbers"),
    ((Choice("opt.impratio", 1, 2, 200, False), Choice("opt.density", 1, 2, 200, False)), "more than 10000"), ((Choice("geom.cup.color", 1, 2, 2, False),), "cannot be set"),
])
def test_what_cannot_be_swept_is_said(m, choices, words):
    with pytest.raises(ValueError, match=words):
        plan_of(m, choices, tuned(m))


def test_numbers_of_the_tuner_need_a_tuner(m):
    with pytest.raises(ValueError, match="about nothing"):
        plan_of(m, [Choice("solref[0]", 0.01, 0.1, 3, True)], None)
    with pytest.raises(ValueError, match="about nothing"):
        number_now(m, "solref[0]", None)
    assert number_now(m, "solref[0]", tuned(m)) == 0.02 and number_now(m, "geom.cup.friction[0]", None) == 0.01


def test_numbers_are_as_short_as_a_text_keeps_them_and_downward_ranges_stay_so(m):
    plan = plan_of(m, [Choice("solref[0]", -7.0, -1000.0, 5, True)], tuned(m))
    assert plan.numbers[0].tolist() == [-7.0, -24.2005, -83.666, -289.251, -1000.0]
    assert plan_of(m, [Choice("geom.*.condim", 1, 6, 11, False)], None).numbers[0].tolist() == [1, 2, 3, 4, 5, 6]


def test_a_result_holds_while_only_what_varies_is_another(m):
    plan = plan_of(m, [Choice("solref[0]", 0.01, 0.1, 3, True)], tuned(m))
    assert plan.holds_for(tuned(m, plan.parameters((2,)))) and plan.parameters((2,)).solref == (0.1, 1.0)
    assert not plan.holds_for(tuned(m, Parameters((0.02, 0.5), DEFAULT)))
    loaded = replace(tuned(m), row=drop("box").row)
    assert not plan.holds_for(loaded) and plan.holds_for(loaded, runs=True)


def test_the_table_has_a_line_for_each_point_and_gaps_for_what_is_missing(m):
    plan = plan_of(m, [Choice("opt.impratio", 1, 2, 2, False), Choice("geom.cup.friction[0]", 0.1, 0.2, 2, False)], None)
    text = csv_text(plan, [('min of "x", y', np.array([[1.5, np.nan], [2.0, 0.25]]))])
    assert text.splitlines() == ['opt.impratio,geom.cup.friction[0],"min of ""x"", y"', "1,0.1,1.5", "1,0.2,", "2,0.1,2", "2,0.2,0.25"]


@pytest.mark.parametrize("name", ["largest depth", "largest force", "slip", "held"])
def test_metrics_by_name_are_numbers_of_a_run(m, name):
    physics.ensure_kernels()
    subject = subject_of(m, tuned(m).target, (), lambda body: 0.3)
    metric = BY_NAME[name]
    sweep = engine_of(m, None, plan_of(m, [Choice("geom.cup.friction[0]", 0.5, 1.0, 2, False)], None), metric.text(subject), metric.reduction, 0.2)
    sweep.start()
    assert sweep.wait(60.0) and not sweep.error and np.isfinite(sweep.result().values).all() and (sweep.result().values > 0.0).all()


def test_metrics_of_a_contact_need_one(m):
    nothing = subject_of(m, None, (), lambda body: 0.0)
    assert BY_NAME["largest force"].text(nothing) is None and BY_NAME["held"].text(nothing) is None
    cup = subject_of(m, None, (element(m, "body", m.id("body", "cup")),), lambda body: 0.3)
    assert BY_NAME["held"].text(cup) == 'body("cup").xpos[2] > 0.25'
