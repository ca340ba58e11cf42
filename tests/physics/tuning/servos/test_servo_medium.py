"""The medium's drag on a coordinate: the engine's force at any speed and pose, its share of the closed form, and that it is said where it is left out."""
import numpy as np
import pytest

import physics
from physics.query.rest_state import at_rest
from physics.tuning.servos.axis import axis_of
from physics.tuning.servos.frozen import frozen_servo
from physics.tuning.servos.medium import NO_MEDIUM, medium_along
from physics.tuning.servos.reference import StepReference
from physics.tuning.servos.scalar import simulate
from tests.physics.tuning.servos.models import CASES, model


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("case", ["medium", "medium, ellipsoids"])
def test_two_speeds_say_what_it_is_at_all(case):
    m = model(case)
    d = physics.Data(m)
    found = medium_along(m, at_rest(m, d), {0: 1.0})
    assert found.linear > 0 and found.odd > 0
    for angle, speed in ((0.0, .3), (.7, -1.7), (-1.2, 4.0)):
        d.qpos[0], d.qvel[0] = angle, speed
        physics.forward(m, d)
        assert found.force(speed) == pytest.approx(d.qfrc_fluid[0], rel=1e-9)
        assert found.slope(speed) == pytest.approx(-(found.force(speed + 1e-6) - found.force(speed - 1e-6)) / 2e-6, rel=1e-6)


def test_the_state_is_at_rest_afterwards():
    m = model("medium")
    w = at_rest(m, physics.Data(m))
    before = w.qfrc_passive.copy()
    medium_along(m, w, {0: 1.0})
    assert not w.qvel.any() and np.array_equal(w.qfrc_passive, before) and not w.qfrc_fluid.any()


def test_it_slows_the_servo_and_its_share_at_rest_counts_as_damping():
    wet, dry = model("medium"), model("medium")
    dry.opt_density = dry.opt_viscosity = 0.0
    traces = [simulate(frozen_servo(m, physics.Data(m), "a"), StepReference(0.0, .9, 0.0), 100) for m in (wet, dry)]
    assert np.abs(traces[0].velocity).max() < .9 * np.abs(traces[1].velocity).max()
    axes = [axis_of(m, at_rest(m, physics.Data(m)), 0) for m in (wet, dry)]
    assert axes[0].damping - axes[1].damping == pytest.approx(medium_along(wet, at_rest(wet, physics.Data(wet)), {0: 1.0}).linear) and axes[1].damping == pytest.approx(.05)


def test_in_a_wind_it_is_left_out_and_said():
    m = model("medium")
    assert frozen_servo(m, physics.Data(m), "a").left_out == () and CASES["medium"][0] != CASES["position"][0]
    m.opt_wind[:] = 1.0, 0.0, 0.0
    servo = frozen_servo(m, physics.Data(m), "a")
    assert servo.medium == NO_MEDIUM and servo.left_out == ("the medium's drag in its wind",)
