"""The scalar simulation moves a coordinate as the engine does: drops with all integrators, cones, condims and both formats; what it tells of impacts and of rest."""
import itertools
from dataclasses import replace
from math import inf

import numpy as np
import pytest

import physics
from physics.enums import Integrator
from physics.tuning.closed_forms import closed_forms, rest_depth
from physics.tuning.law import Parameters
from physics.tuning.scalar import impacts, load_step, settled_after, simulate, trajectory
from tests.physics.tuning.drops import CONSTANT, CURVED, DEFAULT, INTEGRATORS, Engine, drop, limited

GRAVITY_SMALL = 0.01     # m/s^2: so that there is a rest
STANDARD, DIRECT = (0.03, 0.3), (-9000.0, -20.0)
# every shape, condim and cone with every integrator; formats and impedance curves take turns
CASES = [(shape, condim, cone, integrator, (STANDARD, DIRECT)[k % 2], (CONSTANT, DEFAULT, CURVED)[k % 3])
         for k, (shape, condim, cone, integrator) in enumerate(itertools.product(("ball", "box", "capsule"), (1, 3, 4, 6), ("pyramidal", "elliptic"), INTEGRATORS))]


@pytest.fixture(scope="module", autouse=True)
def _kernels():
    physics.ensure_kernels()


def apart(falling, official=False, height=0.1, seconds=1.0):
    """Largest distance between the engine's coordinate and the scalar's [m]."""
    engine = Engine(falling, official).run(height, 0.0, seconds)
    scalar = trajectory(falling.row, falling.parameters, height + falling.row.margin, 0.0, seconds)
    assert engine[:, 0].min() < -1e-4      # it did hit
    return np.abs(engine[:, 0] + falling.row.margin - scalar.distance[:, 0]).max()


@pytest.mark.parametrize("shape, condim, cone, integrator, solref, solimp", CASES[::3] + CASES[1::7])
def test_drops_fall_as_in_the_engine(shape, condim, cone, integrator, solref, solimp):
    assert apart(drop(shape, solref, solimp, integrator, condim=condim, cone=cone, mu=0.8)) < 1e-9


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_a_drop_falls_as_in_the_official_engine(integrator):
    assert apart(drop("ball", DIRECT, CURVED, integrator, condim=6, mu=0.6, impratio=3.0), official=True) < 1e-9


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_joint_damping_is_taken_as_the_integrator_takes_it(integrator):
    falling = drop("ball", DIRECT, DEFAULT, integrator, condim=1, damping=3.0)
    assert apart(falling) < 1e-9
    assert np.abs(trajectory(replace(falling.row, damping=0.0), falling.parameters, 0.1, 0.0, 1.0).distance - trajectory(falling.row, falling.parameters, 0.1, 0.0, 1.0).distance).max() > 1e-3


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("solref", [STANDARD, (0.001, 1.0), DIRECT])
def test_a_limit_is_a_row_like_others(integrator, solref):
    assert apart(limited(solref, CURVED, integrator)) < 1e-9


def test_margins_move_the_surface():
    assert apart(drop("ball", DIRECT, CURVED, margin=0.02)) < 1e-9


@pytest.mark.parametrize("integrator", ["Euler", "discrete"])
@pytest.mark.parametrize("flags", ["", 'refsafe="disable"'])
def test_short_time_constants_are_clamped_as_in_the_engine(integrator, flags):
    falling = drop("ball", (0.0015, 0.9), DEFAULT, integrator, flags=flags)
    assert apart(falling, height=0.02) < 1e-9
    other = trajectory(replace(falling.row, refsafe=not falling.row.refsafe), falling.parameters, 0.02, 0.0, 1.0)
    assert np.abs(other.distance - trajectory(falling.row, falling.parameters, 0.02, 0.0, 1.0).distance).max() > 1e-5


def test_several_starts_move_as_each_alone():
    falling = drop("box", DIRECT, CURVED)
    together = trajectory(falling.row, falling.parameters, [0.1, 0.2], [0.0, -1.0], 0.5)
    for k, (x, v) in enumerate(((0.1, 0.0), (0.2, -1.0))):
        np.testing.assert_array_equal(together.distance[:, k], trajectory(falling.row, falling.parameters, x, v, 0.5).distance[:, 0])


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("solref, solimp", [(DIRECT, CONSTANT), ((0.05, 0.4), CURVED)])
def test_restitution_of_each_phase_is_the_engines(integrator, solref, solimp):
    falling = drop("box", solref, solimp, integrator)
    found, = impacts(falling.row, falling.parameters, (1.5,), 8)
    np.testing.assert_allclose(found.restitution, Engine(falling).restitution(1.5, 8), atol=1e-8)
    assert 0.0 < found.scatter < 0.2 and 0.01 < found.depth < 0.1 and 0.0 < found.duration < 0.5


def test_what_stays_in_contact_has_no_restitution():
    row = drop("ball").row
    found, = impacts(row, Parameters((-400.0, -400.0), CONSTANT), (0.5,))
    assert found.mean == 0.0 and found.duration == inf


def test_restitution_scatters_with_the_phase_and_the_step():
    """The figures of damping ratio 0.05 under Euler and of RK4, to a quarter of a hundredth."""
    row = replace(drop("ball", condim=1).row, a0=0.0)
    for integrator, wh, scatter in (("EULER", 0.1, 0.005), ("EULER", 0.2, 0.008), ("EULER", 0.4, 0.016), ("EULER", 0.8, 0.042), ("EULER", 1.4, 0.066), ("RK4", 0.8, 0.0135)):
        w = wh / row.timestep
        found, = impacts(replace(row, integrator=int(Integrator[integrator])), Parameters((-w * w, -2.0 * 0.05 * w), (0.9999, 0.9999, 0.001, 0.5, 2.0)), (1.0,), 96)
        assert found.scatter == pytest.approx(scatter, abs=0.0025), (integrator, wh)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("solref, solimp", [((-2500.0, -10.0), CONSTANT), ((0.03, 0.5), DEFAULT), ((0.05, 1.5), CURVED)])
def test_the_linearised_step_is_the_engines(integrator, solref, solimp):
    falling = drop("box", solref, solimp, integrator)
    depth, found = rest_depth(falling.row, falling.parameters), load_step(falling.row, falling.parameters)
    growth = np.abs(np.linalg.eigvals(Engine(falling).linear(depth, closed_forms(falling.row, falling.parameters, depth).frequency))).max()
    assert found.growth == pytest.approx(growth, rel=1e-5)


def test_settling_as_seen_in_the_motion():
    row, parameters = drop("ball", condim=1).row, Parameters((-2500.0, -10.0), CONSTANT)      # w 50/s, zeta 0.1 by effective impedance
    found = load_step(row, parameters)
    seen, motion = settled_after(row, parameters)
    assert seen == pytest.approx(found.settling, rel=0.1)
    crossings = np.flatnonzero(np.diff(np.sign(motion.distance[:, 0] + rest_depth(row, parameters))))[:11]
    assert 10 / 2 / (motion.time[crossings[10]] - motion.time[crossings[0]]) == pytest.approx(found.frequency, rel=0.02)


def test_energy_is_gained_where_the_step_is_too_long_for_the_damping():
    row = replace(drop("ball", condim=1).row, a0=-GRAVITY_SMALL)
    w = 1.0 / row.timestep
    for zeta, e, gains in ((0.5, 0.51, False), (0.7, 0.91, False), (1.0, 1.52, True), (1.5, 2.5, True)):
        found = simulate(row, Parameters((-w * w, -2.0 * zeta * w), (0.9999, 0.9999, 0.001, 0.5, 2.0)), 1.0)
        assert found.impacts.mean == pytest.approx(e, rel=0.05) and found.gains_energy is gains and len(found.energy) == 3, zeta
