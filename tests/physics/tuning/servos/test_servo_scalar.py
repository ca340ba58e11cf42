"""The one-coordinate simulation of a servo gives the engine's numbers: every integrator, limits, delays, activations; on an arm whose other joints are held, too."""
import numpy as np
import pytest

import physics
from physics.enums import INT_EULER, INT_RK4
from physics.tuning.servos.frozen import frozen_servo
from physics.tuning.servos.reference import RampReference, SineReference, StepReference
from physics.tuning.servos.response import respond
from physics.tuning.servos.scalar import simulate
from physics.tuning.servos.tune import tune
from tests.physics.tuning.servos.models import CASES, INTEGRATORS, arm7, model, off, simple, with_tuned

EQUAL = 1e-9
STEPS = 400


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_it_equals_the_engine_on_one_joint(case, integrator):
    m = model(case, integrator)
    d = physics.Data(m)
    d.qpos[0], d.qvel[0] = .1, -.3
    amplitude = CASES[case][3]
    for reference in (StepReference(0.0, amplitude, .05), RampReference(0.0, amplitude, .1), SineReference(.1 * amplitude, amplitude, 1.7)):
        servo = frozen_servo(m, d, "a")
        assert servo.left_out == ()
        assert off(simulate(servo, reference, STEPS), respond(m, d, "a", reference, STEPS)) < EQUAL


def test_limits_and_delay_are_met_in_these_cases():
    """So that the comparison above proves something of them."""
    def trace(case):
        m = model(case)
        return simulate(frozen_servo(m, physics.Data(m), "a"), StepReference(0.0, CASES[case][3], .05), STEPS)

    force = trace("forcerange").force
    assert force.max() == 5 and force.min() < 0
    assert 0 < np.mean(force == 5) < .5
    assert abs(trace("ctrlrange").length[-1] - .35) < .15
    m = simple('<position name="a" joint="j" kp="60" kv="3"/>', 'damping=".2"')
    late, prompt = trace("delay"), simulate(frozen_servo(m, physics.Data(m), "a"), StepReference(0., .9, .05), STEPS)
    np.testing.assert_allclose(late.length[9 + 25:], prompt.length[25:-9], atol=1e-2)
    assert abs(late.length[29] - prompt.length[29]) > 1e-3


def test_kept_controls_of_a_run_count():
    """A run that is in the middle of something goes on from its history, not from zeros."""
    m = model("delay")
    d = physics.Data(m)
    for k in range(20):
        d.ctrl[0] = .03 * k
        physics.step(m, d)
    reference = StepReference(.6, .2, .01)
    assert off(simulate(frozen_servo(m, d, "a"), reference, STEPS), respond(m, d, "a", reference, STEPS)) < EQUAL
    fresh = physics.Data(m)
    fresh.qpos[:], fresh.qvel[:] = d.qpos, d.qvel
    assert off(simulate(frozen_servo(m, fresh, "a"), reference, STEPS), respond(m, d, "a", reference, STEPS)) > 1e-6


@pytest.mark.parametrize("integrator", range(5))
def test_it_equals_the_engine_on_an_arm_whose_other_joints_are_held(integrator):
    m, d = arm7()
    m.opt_integrator = integrator
    if integrator in (INT_EULER, INT_RK4):      # its damping of 200 on a wrist is too stiff for an explicit method
        m, before = with_tuned(m, tune(m, d, 4.0)), d
        d = physics.Data(m)
        d.copy_fields(before)
    worst = 0.0
    for i in range(m.nactuator):
        reference = StepReference(float(d.qpos[i]), float(d.qpos[i]) + .2, .02)
        worst = max(worst, off(simulate(frozen_servo(m, d, i), reference, 250), respond(m, d, i, reference, 250, rest="locked")))
    print(f"\narm of seven joints, integrator {integrator}: worst difference {worst:.2g}")
    assert worst < EQUAL


def test_the_real_mechanism_is_another_one():
    m, d = arm7()
    reference = StepReference(float(d.qpos[1]), float(d.qpos[1]) + .2, .02)
    assert off(simulate(frozen_servo(m, d, 1), reference, 250), respond(m, d, 1, reference, 250)) > 1e-4


def test_what_is_given_stays_as_it_is():
    m, d = arm7()
    physics.forward(m, d)
    state, gains, flags = physics.get_state(m, d), m.actuator_gainprm.copy(), (m.opt_disableflags, m.opt_enableflags)
    respond(m, d, 1, StepReference(0., 1.), 20, rest="locked")
    respond(m, d, 1, StepReference(0., 1.), 20)
    frozen_servo(m, d, 1)
    assert np.array_equal(state, physics.get_state(m, d)) and np.array_equal(gains, m.actuator_gainprm)
    assert flags == (m.opt_disableflags, m.opt_enableflags) and not m.dof_armature.any()


def test_what_is_left_out_is_said():
    m = simple('<position name="a" joint="j" kp="60"/><motor joint="j"/>', 'range="-1 1" frictionloss=".1"')
    assert frozen_servo(m, physics.Data(m), "a").left_out == ("friction loss", "the joint's limits", "other actuators on the same joint")


@pytest.mark.parametrize(("actuator", "words"), [
    ('<dcmotor name="a" joint="j" motorconst=".1" resistance="2"/>', "gaintype dcmotor"),
    ('<pid name="a" joint="j" kp="10" ki="2"/>', "gaintype pid"),
    ('<motor name="a" joint="j" gear="0"/>', "moves nothing"),
])
def test_other_laws_are_refused_by_name(actuator, words):
    m = simple(actuator)
    with pytest.raises(ValueError, match=f"actuator 'a'.*{words}"):
        frozen_servo(m, physics.Data(m), "a")


def test_a_run_that_diverges_ends_there():
    m = simple('<position name="a" joint="j" kp="-40000" kv="0"/>'.replace("position", "general").replace('kp="-40000" kv="0"', 'biastype="affine" biasprm="0 4e6 0"'))
    d = physics.Data(m)
    d.qpos[0] = .1
    ours, engine = simulate(frozen_servo(m, d, "a"), StepReference(0., 0.), 300), respond(m, d, "a", StepReference(0., 0.), 300)
    assert ours.steps == engine.steps < 300
