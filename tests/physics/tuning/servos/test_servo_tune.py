"""Tuned gains give the bandwidth and the damping that were asked for, as measured in the engine."""
from math import sqrt

import numpy as np
import pytest

import physics
from physics.enums import INT_EULER
from physics.tuning.servos.law import servo_law
from physics.tuning.servos.loop import natural_frequency
from physics.tuning.servos.measures import sine_measures, step_measures
from physics.tuning.servos.reference import SineReference, StepReference
from physics.tuning.servos.response import respond
from physics.tuning.servos.tune import changes, tune
from tests.physics.tuning.servos.models import INTEGRATORS, SLIDE, arm7, simple, with_tuned


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def responses(m, d, i, hertz, rest, size=.02):
    """(step, sine) measured from the pose in which the servo holds."""
    hold = servo_law(m, d, i).hold_ctrl
    h = m.opt_timestep
    step = respond(m, d, i, StepReference(hold, hold + size, 5 * h), int(1.5 / h), rest)
    sine = respond(m, d, i, SineReference(hold, size, hertz), int(8 / hertz / h), rest)
    return step_measures(step.time, step.reference, step.length), sine_measures(sine.time, sine.reference, sine.length, hertz, 4 / hertz)


def test_all_joints_of_an_arm_at_five_hertz_and_damping_one():
    m, d = arm7()
    tuned = tune(m, d, 5.0, 1.0)
    assert len(tuned) == 7 and all(t.feasible and t.given == (5.0, 1.0) for t in tuned)
    new, rise = with_tuned(m, tuned), (3.889720 - 0.531812) / natural_frequency(5.0, 1.0)
    e = physics.Data(new)
    e.qpos[:] = d.qpos
    for t in tuned:
        e.ctrl[t.actuator] = servo_law(new, e, t.actuator).hold_ctrl
    print("\njoint      kp        kv   | held: gain at 5 Hz, overshoot, rise/wanted | all seven moving: the same")
    for t in tuned:
        (step, sine), (real, moving) = (responses(new, e, t.actuator, 5.0, rest) for rest in ("locked", "real"))
        print(f"{t.name or t.actuator!s:10} {t.attributes['kp']:8.3f} {t.attributes['kv']:8.4f} | {sine.gain:.4f} {step.overshoot:.4f} {step.rise / rise:.3f}"
              f" | {moving.gain:.4f} {real.overshoot:.4f} {real.rise / rise:.3f}")
        assert sine.gain == pytest.approx(sqrt(.5), rel=.04)
        assert step.overshoot < .005 and step.rise == pytest.approx(rise, rel=.06)
        assert t.law.bandwidth == pytest.approx(5.0) and t.law.damping_ratio == pytest.approx(1.0)


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("zeta", [.5, 1.])
def test_gains_for_the_step_are_exact(integrator, zeta):
    """At w h = 0.2, where gains of the equations are off by a tenth."""
    m = simple('<position name="a" joint="j" kp="1" gear="2"/>', 'damping="2" stiffness="30"', integrator, .004, SLIDE)
    hertz = 50 / natural_frequency(1.0, zeta)
    d = physics.Data(m)
    exact, = tune(m, d, hertz, zeta, exact_step=True)
    plain, = tune(m, d, hertz, zeta)
    assert exact.feasible and exact.law.poles.frequency == pytest.approx(50, rel=1e-3) and exact.law.poles.damping_ratio == pytest.approx(zeta, rel=1e-3)
    new = with_tuned(m, [exact])
    step, _sine = responses(new, physics.Data(new), 0, 1.0, "real")
    wanted = np.exp(-np.pi * zeta / sqrt(1 - zeta ** 2)) if zeta < 1 else 0.0
    assert step.overshoot == pytest.approx(wanted, abs=.02)
    if integrator == "Euler" and zeta == 1:
        assert not plain.feasible and "exact_step" in plain.warnings[0]


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_what_the_step_cannot_do_becomes_the_nearest_that_it_can(integrator):
    m = simple('<position name="a" joint="j" kp="1"/>', 'damping="2"', integrator, .004, SLIDE)
    d = physics.Data(m)
    tuned, = tune(m, d, 60.0, 1.0)
    assert not tuned.feasible and tuned.wanted == (60.0, 1.0) and "the nearest that is possible" in tuned.warnings[0]
    assert 0 < tuned.given[0] < 60 and tuned.given[1] == 1
    assert tune(m, d, .999 * tuned.given[0], 1.0)[0].feasible and not tune(m, d, 1.001 * tuned.given[0], 1.0)[0].feasible
    print(f"\n{integrator}: largest bandwidth at 4 ms {tuned.given[0]:.3g} Hz, w h = {tuned.law.step_frequency:.3g}")
    new = with_tuned(m, [tuned])
    step, sine = responses(new, physics.Data(new), 0, tuned.given[0], "real")
    assert sine.gain == pytest.approx(sqrt(.5), rel=.2) and step.overshoot < .02


def test_passive_damping_and_springs_bound_what_is_possible():
    m = simple('<position name="a" joint="j" kp="1"/>', 'damping="100" stiffness="0"', text=SLIDE)
    over, = tune(m, physics.Data(m), 1.0, 1.0)
    assert not over.feasible and "damping" in over.warnings[0] and over.attributes["kv"] == pytest.approx(0, abs=1e-6) and over.given[0] == 1.0 and over.given[1] > 1
    assert over.law.bandwidth == pytest.approx(1.0, rel=1e-6) and over.law.damping_ratio == pytest.approx(over.given[1], rel=1e-6)
    m = simple('<position name="a" joint="j" kp="1"/>', 'stiffness="8000"', text=SLIDE)
    stiff, = tune(m, physics.Data(m), 1.0, 1.0)
    assert not stiff.feasible and "spring" in stiff.warnings[0] and stiff.given[0] > 5 and stiff.attributes["kp"] > 0


def test_what_is_written_compiles_to_the_same():
    text = '<position name="a" joint="j" gear="3" {}/>'
    m = simple(text.format('kp="1"'), 'damping=".2" armature=".01"')
    d = physics.Data(m)
    d.qpos[0] = .8
    for write in ("kv", "dampratio"):
        tuned, = tune(m, d, 4.0, .8, write=write)
        (name, attributes), = changes([tuned])
        assert name == "a" and set(attributes) == {"kp", write}
        other = simple(text.format(" ".join(f'{k}="{v!r}"' for k, v in attributes.items())), 'damping=".2" armature=".01"')
        np.testing.assert_allclose(other.actuator_gainprm[0, :3], tuned.parameters["gainprm"], rtol=1e-12)
        np.testing.assert_allclose(other.actuator_biasprm[0, :3], tuned.parameters["biasprm"], rtol=1e-9)
        law = servo_law(other, physics.Data(other), "a")
        assert law.bandwidth == pytest.approx(4.0) and law.damping_ratio == pytest.approx(.8)


def test_inertia_over_the_range_is_the_worst():
    m, d = arm7()
    pose, over = tune(m, d, 4.0), tune(m, d, 4.0, inertia="range")
    for here, worst in zip(pose, over, strict=True):
        assert worst.inertia[0] <= here.inertia[0] <= worst.inertia[1] and worst.attributes["kp"] >= here.attributes["kp"]
    assert over[0].inertia[1] > 3 * over[0].inertia[0]
    assert tune(m, d, 4.0, rest="free")[1].attributes["kp"] < pose[1].attributes["kp"]
    # with an explicit step gains for the heaviest pose are too much in the lightest
    m.opt_integrator = INT_EULER
    assert tune(m, d, 4.0, actuators=[0])[0].feasible
    euler = tune(m, d, 4.0, actuators=[0], inertia="range")[0]
    assert not euler.feasible and "lightest" in euler.warnings[0] and 0 < euler.given[0] < 4


def test_saturation_is_warned_of():
    m = simple('<position name="a" joint="j" kp="1" forcerange="-5 5"/>')
    tuned, = tune(m, physics.Data(m), 3.0)
    assert any("saturates" in w for w in tuned.warnings) and 0 < tuned.largest_step < .1
    new = with_tuned(m, [tuned])
    hold = servo_law(new, physics.Data(new), "a").hold_ctrl
    for scale, saturated in ((.99, False), (1.01, True)):
        forces = [respond(new, physics.Data(new), "a", StepReference(hold, hold + sign * scale * tuned.largest_step), 5).force for sign in (-1, 1)]
        assert any((np.abs(f) >= 5).any() for f in forces) == saturated
    weak = simple('<position name="a" joint="j" kp="1" forcerange="-.5 .5"/>')
    assert any("sags" in w for w in tune(weak, physics.Data(weak), 3.0)[0].warnings)


def test_velocity_servos_and_what_is_no_servo():
    m = simple('<velocity name="a" joint="j" kv="1" gear="2"/>', 'damping=".1"')
    tuned, = tune(m, physics.Data(m), 3.0)
    assert set(tuned.attributes) == {"kv"} and tuned.law.bandwidth == pytest.approx(3.0)
    new = with_tuned(m, [tuned])
    new.opt_gravity[:] = 0
    sine = respond(new, physics.Data(new), "a", SineReference(0, .1, 3.0), 2000)
    b = .1 / 4
    wanted = sqrt(.5) * tuned.attributes["kv"] / (tuned.attributes["kv"] + b)
    assert sine_measures(sine.time, sine.reference, sine.velocity, 3.0, 1.0).gain == pytest.approx(wanted, rel=.02)
    motor = simple('<motor name="a" joint="j"/>')
    assert tune(motor, physics.Data(motor), 3.0) == []
    with pytest.raises(ValueError, match="'a'.*no servo"):
        tune(motor, physics.Data(motor), 3.0, actuators=["a"])
    with pytest.raises(ValueError, match="positive"):
        tune(m, physics.Data(m), 0.0)


def test_a_control_in_a_unit_of_its_own_keeps_it():
    """As a gripper whose control goes to 255."""
    m = simple('<general name="a" joint="j" gainprm=".4" biastype="affine" biasprm="0 -40 -2" ctrlrange="-255 255"/>')
    d = physics.Data(m)
    tuned, = tune(m, d, 4.0)
    kp = tuned.law.kp
    assert set(tuned.attributes) == {"gainprm", "biasprm"} and tuned.attributes["gainprm"][0] == pytest.approx(kp / 100)
    new = with_tuned(m, [tuned])
    assert tuned.law.hold_ctrl == pytest.approx(servo_law(new, physics.Data(new), "a").hold_ctrl) == pytest.approx(100 * tuned.law.steady_error)
    step, _sine = responses(new, physics.Data(new), 0, 4.0, "real", 2.0)
    assert step.final - step.start == pytest.approx(.02, rel=.02) and step.overshoot < .005
