"""Poles, margins and bandwidth of a servo's loop against the engine's steps."""
from dataclasses import replace
from math import pi

import numpy as np
import pytest

import physics
from physics.enums import INT_RK4
from physics.tuning.servos.law import servo_law
from physics.tuning.servos.loop import AHEAD, ServoLoop, bandwidth, margins, natural_frequency, place_poles, poles
from tests.physics.tuning.servos.models import INTEGRATORS, SLIDE, simple

SERVO = '<position name="a" joint="j" kp="{kp}" kv="{kv}" gear="2"/>'


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def law(integrator, kp=300., kv=12., joint='damping="3" stiffness="200"', h=.004):
    m = simple(SERVO.format(kp=kp, kv=kv), joint, integrator, h, SLIDE)
    return m, servo_law(m, physics.Data(m), "a")


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize(("kp", "kv"), [(300., 12.), (300., 2.), (3000., 400.)])
def test_poles_are_the_eigenvalues_of_the_engines_step(integrator, kp, kv):
    m, found = law(integrator, kp, kv)
    A = physics.transition_fd(m, physics.Data(m), eps=1e-5, centered=True)[0]
    np.testing.assert_allclose(np.sort_complex(np.array(found.poles.z)), np.sort_complex(np.linalg.eigvals(A)), atol=1e-7)


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_poles_tend_to_those_of_the_equations(integrator):
    _m, found = law(integrator, h=1e-5)
    assert found.poles.frequency == pytest.approx(found.frequency, rel=1e-3) and found.poles.damping_ratio == pytest.approx(found.damping_ratio, rel=1e-3)
    assert found.frequency == pytest.approx(np.sqrt((300 * 4 + 200) / 2)) and found.damping_ratio == pytest.approx((12 * 4 + 3) / (2 * found.frequency * 2))


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("zeta", [.5, 1., 1.5])
def test_placed_poles_are_where_they_are_wanted(integrator, zeta):
    _m, found = law(integrator)
    made = poles(found.loop.with_gains(*place_poles(found.loop, 60., zeta)))
    rel = 3e-3 if integrator == "RK4" else 1e-6    # RK4 takes the gains of the equations: its own error is below that
    assert made.frequency == pytest.approx(60., rel=rel) and made.damping_ratio == pytest.approx(zeta, rel=rel)


def grows(m, scale):
    """Whether a small motion grows when both gains of a servo are so many times larger."""
    m.actuator_biasprm[0, 1:3] *= scale
    m.actuator_gainprm[0, 0] *= scale
    m.opt_gravity[:] = 0
    d = physics.Data(m)
    d.qpos[0] = 1e-6
    first = abs(d.qpos[0])
    for _ in range(3000):
        physics.step(m, d, 1, autoreset=False)
    return not abs(d.qpos[0]) < first


@pytest.mark.parametrize(("integrator", "kv"), [("Euler", 12.), ("Euler", 2.), ("implicit", .3), ("implicitfast", .1)])
def test_the_gain_margin_is_where_the_engine_becomes_unstable(integrator, kv):
    _m, found = law(integrator, kv=kv)
    margin = found.margins.gain
    assert 1 < margin < 1e4
    assert not grows(law(integrator, kv=kv)[0], .98 * margin)
    assert grows(law(integrator, kv=kv)[0], 1.02 * margin)


def test_discrete_and_the_implicit_damping_of_it_have_no_gain_margin():
    _m, found = law("discrete")
    assert found.margins.gain == np.inf and not grows(law("discrete")[0], 1e4)


@pytest.mark.parametrize("kv", [12., 40.])
def test_the_delay_margin_is_where_a_late_controller_becomes_unstable(kv):
    """The same gains outside, through a motor whose control acts n steps late: between two samples the older one counts."""
    h, kp = .001, 300.
    _m, inside = law("Euler", kp, kv, 'damping="3"', h)
    n = inside.margins.delay / h
    assert 2 < n < 200

    def size(late):
        m = simple(f'<motor name="a" joint="j" gear="2" delay="{(late - .5) * h}" nsample="{late + 2}"/>', 'damping="3"', "Euler", h, SLIDE)
        m.opt_gravity[:] = 0
        d = physics.Data(m)
        d.qpos[0] = 1e-3
        last = 0.0
        for k in range(6000):
            d.ctrl[0] = -kp * 2 * d.qpos[0] - kv * 2 * d.qvel[0]
            physics.step(m, d, 1, autoreset=False)
            last = max(last, abs(float(d.qpos[0]))) if k >= 5500 else last
        return last

    assert size(int(np.floor(n))) < 1e-3 < size(int(np.ceil(n)) + 1)


def test_the_phase_margin_is_that_of_the_equations_for_small_steps():
    plain = ServoLoop(2.0, 0.0, 0.0, 200.0, 40.0, 1e-5, INT_RK4)
    w = plain.frequency
    zeta = plain.damping_ratio
    # |L| = 1: x^4 = 1 + 4 zeta^2 x^2 with x the frequency over w
    x = np.sqrt(2 * zeta ** 2 + np.sqrt(4 * zeta ** 4 + 1))
    found = margins(plain)
    assert found.crossover == pytest.approx(x * w, rel=1e-3) and found.phase == pytest.approx(np.degrees(np.arctan(2 * zeta * x)), abs=.05)
    assert margins(replace(plain, integrator=0)).phase == pytest.approx(found.phase, abs=.1)
    late = margins(plain, loop_delay=.5 * found.delay)
    assert late.phase == pytest.approx(.5 * found.phase, abs=.1) and late.delay == pytest.approx(.5 * found.delay, rel=1e-2)


def test_bandwidth_and_frequency_are_inverse():
    for zeta in (.2, .7, 1., 3., 1e4):
        w = natural_frequency(5.0, zeta)
        s = 2j * pi * 5.0
        assert abs(w * w / (s * s + 2 * zeta * w * s + w * w)) == pytest.approx(np.sqrt(.5), rel=1e-9)
    w, tau = 40.0, .02
    s = 2j * pi * bandwidth(w, .7, tau)
    assert abs(w * w / (s * s + 1.4 * w * s + w * w) / (1 + tau * s)) == pytest.approx(np.sqrt(.5), rel=1e-9)


def test_every_integrator_has_its_rule():
    assert {*AHEAD, INT_RK4} == set(map(int, physics.Integrator))
