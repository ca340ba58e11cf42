"""Closed forms of rest depth, frequency, settling and restitution, against the engine and the scalar simulation."""
from dataclasses import replace
from math import exp, inf

import numpy as np
import pytest

import physics
from physics.enums import INT_EULER
from physics.tuning.closed_forms import bounce_time, closed_forms, damping_ratio_of, rest_depth, restitution, settling
from physics.tuning.law import Parameters, Row
from physics.tuning.scalar import impacts, load_step
from tests.physics.tuning.drops import CONSTANT, CURVED, DEFAULT, INTEGRATORS, Engine, drop

ROW = Row(1.0, 1.0, -9.81, 0.002, INT_EULER, True, 0.0)
HARD = (0.9999, 0.9999, 0.001, 0.5, 2.0)


@pytest.fixture(scope="module", autouse=True)
def _kernels():
    physics.ensure_kernels()


def rests(falling, seconds=2.0):
    """(by formula, in the engine) [m]."""
    depth = rest_depth(falling.row, falling.parameters)
    return depth, Engine(falling).rest(seconds, 1.2 * depth)


@pytest.mark.parametrize("shape", ["ball", "box", "capsule"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_rest_depth(shape, condim, cone):
    for solref, solimp in (((0.02, 1.0), DEFAULT), ((-4000.0, -80.0), CURVED)):
        depth, found = rests(drop(shape, solref, solimp, condim=condim, cone=cone, mu=0.7))
        assert depth == pytest.approx(found, rel=1e-5)


@pytest.mark.parametrize("mu", [0.2, 0.5, 1.0, 2.0])
@pytest.mark.parametrize("condim, impratio", [(3, 1.0), (4, 10.0), (6, 1.0)])
def test_friction_decides_how_deep_pyramids_rest(mu, condim, impratio):
    depth, found = rests(drop("ball", condim=condim, mu=mu, impratio=impratio), 3.0)
    assert depth == pytest.approx(found, rel=1e-5)


def test_deeper_with_more_friction():
    depths = [rest_depth(drop("ball", condim=3, mu=mu).row, drop("ball").parameters) for mu in (0.2, 0.5, 1.0, 2.0)]
    np.testing.assert_allclose(depths, [9e-6, 68e-6, 0.37e-3, 2.0e-3], rtol=0.06)
    assert len({rest_depth(drop("ball", condim=3, mu=mu, cone="elliptic").row, drop("ball").parameters) for mu in (0.2, 2.0)}) == 1


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_rest_depth_under_each_integrator(integrator):
    for solref in ((0.02, 1.0), (0.001, 1.0), (-4000.0, -80.0)):
        depth, found = rests(drop("box", solref, DEFAULT, integrator))
        assert depth == pytest.approx(found, rel=1e-5)


def test_rest_depth_where_there_is_none():
    assert rest_depth(replace(ROW, a0=1.0), Parameters((0.02, 1.0), DEFAULT)) == 0.0
    assert rest_depth(ROW, Parameters((0.0, -5.0), CONSTANT)) == rest_depth(ROW, Parameters((0.0, -5.0), CURVED)) == inf


def test_figures_of_a_plain_contact():
    """s = 1 and d = dmax: frequency 1 / (timeconst dampratio), nominal damping ratio, depth |a0| (1 - d) (timeconst dampratio)^2."""
    forms = closed_forms(ROW, Parameters((0.02, 0.8), CONSTANT))
    assert forms.depth == pytest.approx(9.81 * 0.1 * (0.02 * 0.8) ** 2) and forms.impedance == pytest.approx(0.9) == forms.effective
    assert forms.frequency == pytest.approx(1.0 / (0.02 * 0.8)) and forms.damping_ratio == pytest.approx(0.8)
    assert forms.step == pytest.approx(0.002 / 0.016) and forms.step_rule == pytest.approx(0.125 * 2.6) and forms.step_holds
    assert forms.stiffness == pytest.approx(forms.frequency ** 2) and forms.damping == pytest.approx(2 * 0.8 * forms.frequency)
    direct = closed_forms(ROW, Parameters((-1e6, -2000.0), CONSTANT))
    assert direct.frequency == pytest.approx(1000.0) and not direct.step_holds
    # four contacts with little impedance: twice the damping ratio
    assert closed_forms(replace(ROW, factor=4.0), Parameters((0.02, 0.8), (0.01, 0.01, 0.001, 0.5, 2.0))).damping_ratio == pytest.approx(1.6, rel=0.02)


@pytest.mark.parametrize("zeta", [0.05, 0.2, 0.5])
def test_settling_and_frequency_of_the_linearised_step(zeta):
    row = replace(ROW, timestep=1e-4)
    forms, found = closed_forms(row, Parameters((-2500.0, -100.0 * zeta), CONSTANT)), load_step(row, Parameters((-2500.0, -100.0 * zeta), CONSTANT))
    assert found.settling == pytest.approx(forms.settling, rel=0.006) and found.damping_ratio == pytest.approx(zeta, rel=0.006)
    assert 2 * np.pi * found.frequency == pytest.approx(forms.frequency * (1 - zeta ** 2) ** 0.5, rel=0.006)


def test_settling_beyond_critical_damping():
    assert settling(1.0, 10.0) == pytest.approx(0.3912, abs=1e-4) and settling(3.0, 10.0) == pytest.approx(0.3912 * (3 + 8 ** 0.5), abs=1e-3)
    assert settling(0.0, 10.0) == inf
    row, parameters = replace(ROW, timestep=1e-4), Parameters((-2500.0, -300.0), CONSTANT)
    assert load_step(row, parameters).settling == pytest.approx(closed_forms(row, parameters).settling, rel=0.006)


@pytest.mark.parametrize("zeta", [0.01, 0.05, 0.2, 0.36, 0.7, 1.0, 2.0])
def test_restitution_of_small_steps_without_gravity(zeta):
    """The impact ends with the force, so what is left of d_e below 1 does not count: against a step of a hundredth of 1 / w."""
    row, w = replace(ROW, timestep=1e-5, a0=0.0), 1000.0
    found, = impacts(row, Parameters((-w * w, -2 * zeta * w), HARD), (1.0,), 4)
    assert found.mean == pytest.approx(restitution(zeta), abs=0.006)


def test_restitution_and_back():
    assert restitution(0.0) == 1.0 and restitution(inf) == 0.0 and restitution(1.0) == pytest.approx(exp(-2.0))
    assert restitution(1.0 - 1e-9) == pytest.approx(exp(-2.0)) == pytest.approx(restitution(1.0 + 1e-9))
    for e in (0.02, 0.135, 0.5, 0.9, 0.999):
        assert restitution(damping_ratio_of(e)) == pytest.approx(e, rel=1e-9)
    for wrong in (0.0, 1.1):
        with pytest.raises(ValueError):
            damping_ratio_of(wrong)


def test_how_long_bounces_go_on():
    assert bounce_time(0.5, 2.0, -10.0) == pytest.approx(0.4) and bounce_time(0.5, 2.0, 0.0) == inf
