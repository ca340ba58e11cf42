"""Numbers and texts of the panel without a window."""
from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest

import physics
from app.panels.servos import choice, study
from app.panels.servos.figures import FIGURES, NONE, plain, position_text, share_text, texts
from app.panels.servos.live import rows_of
from app.panels.servos.value_rows import numbers_of, with_number
from physics.model.elements import element
from physics.tuning.servos.values import ServoValues
from tests.app.panels.servos.arms import TWO, arm7


@pytest.fixture(scope="module")
def two():
    physics.ensure_kernels()
    m = physics.load_string(TWO)
    return m, physics.Data(m)


def base(two, name):
    m, d = two
    return study.base_of(*study.pair_beside(m, d), m.id("actuator", name))


VALUES = ServoValues(60.0, 3.0, .02, .3, 1.0, None, 0.0, None)


def test_rows_and_values_are_the_same_numbers():
    numbers = numbers_of(VALUES, .25)
    assert numbers["kp"] == 60.0 and np.isnan(numbers["low"]) and np.isnan(numbers["timeconst"]) and numbers["dampratio"] == pytest.approx(3.0 / (2 * np.sqrt(15)))
    assert with_number(VALUES, "dampratio", numbers["dampratio"], .25).kv == pytest.approx(3.0)
    assert with_number(VALUES, "high", 5.0, .25).forcerange == (-5.0, 5.0)
    assert with_number(replace(VALUES, forcerange=(-1.0, 2.0)), "low", -4.0, .25).forcerange == (-4.0, 2.0)
    assert with_number(replace(VALUES, forcerange=(-1.0, 2.0)), "high", nan, .25).forcerange is None
    assert with_number(replace(VALUES, ctrlrange=(-1.0, 2.0)), "ctrl_high", 3.0, .25) == replace(VALUES, ctrlrange=(-1.0, 3.0)) and np.isnan(numbers["ctrl_low"])
    for name, number, why in (("gear", 0.0, "moves nothing"), ("timeconst", 0.0, "above 0"), ("low", 3.0, "the smaller")):
        with pytest.raises(ValueError, match=why):
            with_number(replace(VALUES, forcerange=(-1.0, 2.0), timeconst=.1), name, number, .25)


def test_texts():
    assert (plain(inf), plain(nan), plain(2.0, "Hz"), share_text(.0314), share_text(nan), share_text(2e-15)) == ("∞", NONE, "2 Hz", "3.14 %", NONE, "0 %")
    assert (position_text(.01, "rad"), position_text(.5, "rad"), position_text(.01, "m"), position_text(2.0, "m")) == ("10 mrad", "0.5 rad", "10 mm", "2 m")
    assert position_text(.1, "m/s") == "100 mm/s" and position_text(1.0, "rad/s") == "57.3°/s"


def test_which_actuator_is_meant(two):
    m, _d = two
    def meant(kind, name):
        found = choice.actuator_for(m, [element(m, kind, m.id(kind, name))])
        return found.name if found is not None else None
    assert [meant("joint", name) for name in ("upper", "lower", "rail", "bend")] == ["upper", "lower", "ratio", "biceps"]
    assert meant("body", "lower") == "lower" and meant("actuator", "push") == "push" and choice.actuator_for(m, []) is None
    assert choice.next_joint(m, 0) == 1 and choice.next_joint(m, 1) == 1


def test_what_is_tried_is_what_a_model_with_it_does(two):
    found = base(two, "upper")
    trial = replace(found.trial, seconds=.5)
    tried = study.tried(found, replace(found.values, kp=90.0), trial)
    m = physics.load_string(TWO.replace('class="strong"/>', 'class="strong" kp="90"/>', 1))
    other = study.base_of(*study.pair_beside(m, physics.Data(m)), 0)
    same = study.tried(other, other.values, trial)
    assert np.abs(tried.held.made - same.held.made).max() < 1e-12 and np.abs(tried.real.made - same.real.made).max() < 1e-12
    assert tried.law.bandwidth == pytest.approx(same.law.bandwidth) and found.values == base(two, "upper").values
    shown = {figure.name: texts(figure, tried, found.units) for figure in FIGURES}
    assert shown["rise"][0].endswith("ms") and shown["gain"] == (NONE, NONE) and shown["effective inertia"][1] and shown["bandwidth"][1] == ""


def test_it_says_what_its_figures_leave_out_and_what_it_cannot_hold(two):
    assert base(two, "upper").said == () and base(two, "push").said == ()
    m = physics.load_string(TWO.replace('forcerange="-40 40"', 'forcerange="-1 1" delay=".01" nsample="6"'))
    found = base((m, physics.Data(m)), "upper").said
    assert len(found) == 2 and found[0].startswith("The control acts 0.01 s late") and "does not hold this pose" in found[1] and found[1].endswith("it ends at -1.")


def test_only_what_may_be_written_while_it_runs_is_sent(two):
    found = base(two, "upper")
    other = replace(found.values, kp=90.0, armature=.5, gear=2.0, damping=.9, forcerange=(-1.0, 1.0))
    rows = rows_of(found.m, found.start.axis, found.values, other)
    assert set(rows) == {("actuator_gainprm", 0), ("actuator_biasprm", 0), ("dof_damping", 0), ("actuator_forcerange", 0)}
    assert rows["actuator_gainprm", 0][0] == 90.0 and len(rows["actuator_gainprm", 0]) == 10 and rows["dof_damping", 0] == .9


def test_values_that_are_tried_live_are_taken_back_from_the_copy(two):
    m, d = two
    model, data = study.pair_beside(m, d)
    found = base(two, "upper")
    live = replace(found.values, kp=90.0, kv=5.0)
    model.actuator_gainprm[0, 0], model.actuator_biasprm[0, 1:3] = 90.0, (-90.0, -5.0)
    assert study.base_of(model, data, 0, (live, found.values)).values == found.values


def test_a_robot_is_the_servos_of_one_tree():
    physics.ensure_kernels()
    m = physics.load_string(TWO)
    assert study.robot_of(m, physics.Data(m), 0) == [0, 1] and study.robot_of(m, physics.Data(m), 2) == [2]
    m = physics.load_string(arm7())
    assert study.robot_of(m, physics.Data(m), 3) == list(range(7))
