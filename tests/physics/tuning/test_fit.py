"""Parameters for wanted contacts: targets met in the engine, in both kinds of bodies and under other integrators; refusals with a goal that can be met."""
from dataclasses import replace

import numpy as np
import pytest

import physics
from physics.tuning.closed_forms import rest_depth
from physics.tuning.fit import Goal, fit, fit_restitution, standard_of
from physics.tuning.law import Parameters
from physics.tuning.scalar import simulate
from tests.physics.tuning.drops import CONSTANT, Engine, drop, with_parameters


@pytest.fixture(scope="module", autouse=True)
def _kernels():
    physics.ensure_kernels()


def proven(falling, goal, found):
    """(restitution, rest depth, settling) in the engine."""
    side = Engine(with_parameters(falling, found.parameters))
    w = (-found.parameters.solref[0]) ** 0.5
    growth = np.abs(np.linalg.eigvals(side.linear(goal.rest_depth, w))).max()
    return side.restitution(goal.speed).mean(), side.rest(4.0 * goal.settling, 1.1 * goal.rest_depth), falling.row.timestep * np.log(0.02) / np.log(growth)


@pytest.mark.parametrize("shape, integrator, timestep, goal", [
    ("ball", "Euler", 0.002, Goal(0.8, 1e-4, 0.4)), ("box", "Euler", 0.002, Goal(0.5, 1e-3, 0.3)), ("box", "Euler", 0.0005, Goal(0.3, 1e-4, 0.1)),
    ("ball", "implicitfast", 0.002, Goal(0.15, 1e-3, 0.2)), ("capsule", "RK4", 0.002, Goal(0.6, 1e-5, 0.2)), ("ball", "discrete", 0.002, Goal(0.5, 2e-4, 0.3)),
    ("ball", "Euler", 0.002, Goal(0.9, 1e-5, 1.0, 2.5)),
])
def test_targets_are_met_in_the_engine(shape, integrator, timestep, goal):
    falling = drop(shape, (-1000.0, -1.0), CONSTANT, integrator, timestep)
    found = fit(falling.row, goal)
    assert not found.refused and found.nearest is None and found.parameters.is_direct and found.evaluations < 20
    e, depth, settles = proven(falling, goal, found)
    assert e == pytest.approx(goal.restitution, abs=1e-3)
    assert depth == pytest.approx(goal.rest_depth, rel=2e-3) == pytest.approx(rest_depth(falling.row, found.parameters), rel=2e-3)
    assert settles == pytest.approx(goal.settling, rel=5e-3)


@pytest.mark.parametrize("goal, word", [
    (Goal(0.9, 1e-3, 0.2), "less deep"), (Goal(0.9, 1e-6, 0.02), "time step"), (Goal(0.3, 1e-6, 2.0), "impedances end"),
])
def test_what_cannot_be_is_refused_with_the_nearest_that_can(goal, word):
    row = drop("ball").row
    found = fit(row, goal)
    assert word in found.refused and found.nearest is not None and found.nearest != goal
    again = fit(row, found.nearest)
    assert not again.refused
    assert again.response.rest_depth == pytest.approx(found.nearest.rest_depth, rel=1e-2)


def test_without_load_there_is_no_rest_depth():
    found = fit(replace(drop("ball").row, a0=0.5), Goal(0.5, 1e-4, 0.2))
    assert found.refused and found.parameters is None and found.nearest is None


@pytest.mark.parametrize("goal", [Goal(0.0, 1e-4, 0.2), Goal(1.0, 1e-4, 0.2), Goal(0.5, 0.0, 0.2), Goal(0.5, 1e-4, -1.0), Goal(0.5, 1e-4, 0.2, 0.0)])
def test_targets_that_are_no_numbers_of_their_kind(goal):
    with pytest.raises(ValueError):
        fit(drop("ball").row, goal)


def test_the_standard_format_is_offered_where_it_means_the_same():
    row = drop("ball").row
    found = fit(row, Goal(0.5, 1e-3, 0.3))
    assert found.standard is not None and found.standard.solref[0] > 0.0
    one, other = (simulate(row, p, 1.0) for p in (found.parameters, found.standard))
    assert (one.impacts.mean, one.rest_depth) == pytest.approx((other.impacts.mean, other.rest_depth), rel=1e-6)
    # a damping that asks for a timeconst below two steps: refsafe would act on it
    fast = Parameters((-1e5, -600.0), CONSTANT)
    assert standard_of(row, fast) is None and standard_of(replace(row, refsafe=False), fast) is not None
    assert standard_of(row, Parameters((-1e5, 0.0), CONSTANT)) is None


def test_restitution_at_a_given_frequency():
    row = drop("ball").row
    parameters, evaluations = fit_restitution(row, 0.7, 2.0, 100.0, 1e-4)
    found = simulate(row, parameters, 2.0)
    assert found.impacts.mean == pytest.approx(0.7, abs=2e-4) and found.rest_depth == pytest.approx(1e-4, rel=1e-6) and evaluations < 12
