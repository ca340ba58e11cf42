"""Goals of which some numbers are stated: the others stay where they can, and what cannot be is said at once."""
from dataclasses import replace

import pytest

from physics.tuning.fit import Goal
from physics.tuning.goals import fit_wanted, goal_of, objection, present_by_formula, present_numbers
from physics.tuning.law import Parameters
from physics.tuning.scalar import simulate
from tests.physics.tuning.drops import CONSTANT, drop

NOW = Parameters((-2500.0, -40.0), CONSTANT)


def test_what_is_not_stated_stays_as_it_is():
    row = drop("ball").row
    now = present_numbers(row, NOW, 1.0)
    goal = goal_of(row, {"restitution": 0.3}, now)
    assert (goal.rest_depth, goal.settling, goal.speed) == (now.rest_depth, pytest.approx(now.settling), 1.0) and goal.restitution == 0.3
    assert goal_of(row, {"restitution": 0.7}, now).rest_depth == now.rest_depth and goal_of(row, {"restitution": 0.7}, now).settling > 1.05 * now.settling    # so soon it would rest less deep
    found = fit_wanted(row, {"restitution": 0.7}, now)
    assert not found.refused and found.response.impacts.mean == pytest.approx(0.7, abs=1e-3)
    assert found.response.rest_depth == pytest.approx(now.rest_depth, rel=1e-3)


def test_the_formula_says_about_what_the_simulation_does():
    row = drop("ball").row
    one, other = present_by_formula(row, NOW, 10.0), present_numbers(row, NOW, 10.0)     # fast: the load matters little
    assert one.rest_depth == pytest.approx(other.rest_depth, rel=1e-6) and one.settling == pytest.approx(other.settling, rel=0.05)
    assert one.restitution == pytest.approx(other.restitution, abs=0.03)


@pytest.mark.parametrize("wanted", [{"rest_depth": 0.05}, {"rest_depth": 1e-7}, {"settling": 3.0}, {"restitution": 0.9}, {"restitution": 0.5, "rest_depth": 0.02}])
def test_the_others_move_where_they_leave_no_room(wanted):
    row = drop("ball").row
    found = fit_wanted(row, wanted, present_numbers(row, NOW, 1.0))
    assert not found.refused, found.refused
    response = simulate(row, found.parameters, 1.0)
    reached = {"restitution": response.impacts.mean, "rest_depth": response.rest_depth, "settling": response.load_step.settling}
    assert [reached[name] for name in wanted] == pytest.approx(list(wanted.values()), rel=0.02)


def test_a_contact_that_stays_can_be_made_to_rest_elsewhere():
    row = drop("ball").row
    stays = Parameters((0.2, 3.0), CONSTANT)
    now = present_numbers(row, stays, 1.0)
    found = fit_wanted(row, {"rest_depth": 1e-3}, now)
    assert not found.refused and simulate(row, found.parameters, 1.0).rest_depth == pytest.approx(1e-3, rel=1e-3)


@pytest.mark.parametrize("wanted, word", [({"restitution": 0.9, "rest_depth": 1e-3, "settling": 0.2}, "less deep"), ({"restitution": 0.9, "rest_depth": 1e-6, "settling": 0.02}, "time step"),
                                          ({"restitution": 0.3, "rest_depth": 1e-6, "settling": 2.0}, "impedances end")])
def test_what_cannot_be_is_said_by_formula_and_by_the_fit_with_the_nearest(wanted, word):
    row = drop("ball").row
    now = present_numbers(row, NOW, 1.0)
    why, nearest = objection(row, goal_of(row, wanted, now))
    assert word in why and nearest is not None and objection(row, nearest)[0] == ""
    found = fit_wanted(row, wanted, now)
    assert found.refused and found.nearest is not None and not fit_wanted(row, {name: getattr(found.nearest, name) for name in wanted}, now).refused


def test_numbers_of_no_kind_and_rows_without_load_are_refused():
    row = drop("ball").row
    assert "between 0 and 1" in objection(row, Goal(1.0, 1e-4, 0.1))[0] and objection(row, Goal(0.5, 0.0, 0.1))[0]
    assert "nothing presses" in objection(replace(row, a0=1.0), Goal(0.5, 1e-4, 0.1))[0]
