"""Curves of muscles against the engine's forces."""
import numpy as np
import pytest

import physics
from physics.tuning.servos.muscle_curves import muscle_curves, operating_point
from tests.physics.tuning.servos.models import simple

MUSCLE = '<muscle name="a" joint="j" lengthrange="-.6 1" range=".7 1.15" lmin=".45" lmax="1.7" vmax="1.4" fpmax="1.1" fvmax="1.3" {force}/>'


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def force(m, d, length, velocity, act):
    d.qpos[0], d.qvel[0], d.act[0] = length, velocity, act
    physics.forward(m, d)
    return float(d.actuator_force[0])


@pytest.mark.parametrize("peak", ['force="30"', 'scale="250"'])
def test_curves_are_the_engines_forces(peak):
    m = simple(MUSCLE.format(force=peak))
    d, curves = physics.Data(m), muscle_curves(m, "a")
    lengths = np.linspace(.3, 2.2, 60)
    at_rest = np.array([force(m, d, x, 0., 1.) for x in curves.length_of(lengths)])
    alone = np.array([force(m, d, x, 0., 0.) for x in curves.length_of(lengths)])
    np.testing.assert_allclose(-curves.peak * curves.passive(lengths), alone, atol=1e-10)
    np.testing.assert_allclose(-curves.peak * curves.active_length(lengths), at_rest - alone, atol=1e-10)
    assert alone.min() < -curves.peak and (curves.active_length(lengths) == 0).any() and curves.active_length([1.0])[0] == 1
    speeds = np.linspace(-1.3, 1.3, 60)
    moving = np.array([force(m, d, float(curves.length_of(.9)), v * curves.fastest, 1.) for v in speeds])
    np.testing.assert_allclose(-curves.peak * curves.active_velocity(speeds) * curves.active_length([.9]), moving, atol=1e-10)


def test_the_operating_point_of_a_state():
    m = simple(MUSCLE.format(force='force="30"'))
    d, rng = physics.Data(m), np.random.default_rng(0)
    for _ in range(20):
        wanted = force(m, d, rng.uniform(-.8, 1.2), rng.uniform(-2, 2), rng.uniform(0, 1))
        point = operating_point(m, d, "a")
        assert point.force == pytest.approx(wanted, abs=1e-10) and point.activation == d.act[0]
        curves = muscle_curves(m, "a")
        assert point.active == pytest.approx(curves.active_length([point.length])[0] * curves.active_velocity([point.velocity])[0])
        assert point.passive == curves.passive([point.length])[0]


def test_slopes_are_those_of_the_curves():
    c = muscle_curves(simple(MUSCLE.format(force='force="30"')), "a")
    for x in np.linspace(.4, 1.9, 37) + 1e-4:
        for curve, slope in ((c.active_at, c.active_slope_at), (c.passive_at, c.passive_slope_at), (lambda v: c.velocity_at(v - 1), lambda v: c.velocity_slope_at(v - 1))):
            assert slope(x) == pytest.approx((curve(x + 1e-6) - curve(x - 1e-6)) / 2e-6, abs=1e-4)


def test_others_are_no_muscles():
    with pytest.raises(ValueError, match="'a'.*no muscle"):
        muscle_curves(simple('<motor name="a" joint="j"/>'), "a")
