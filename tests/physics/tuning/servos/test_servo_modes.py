"""Modes of a mechanism under all its servos, against the engine's steps."""
import numpy as np
import pytest

import physics
from physics.tuning.servos.modes import coupled_modes
from physics.tuning.servos.tune import tune
from tests.physics.tuning.servos.models import SLIDE, arm7, simple, with_tuned

TWO = """<mujoco><option gravity="0 0 0" timestep="1e-4" integrator="RK4"/><worldbody>
<body><joint name="one" axis="0 1 0" damping=".3"/><geom type="capsule" size=".02" fromto="0 0 0 .4 0 0"/>
<body pos=".4 0 0"><joint name="two" axis="0 1 0" stiffness="4"/><geom type="capsule" size=".02" fromto="0 0 0 .3 0 0"/></body></body></worldbody>
<tendon><fixed name="t" stiffness="3" damping=".1" springlength="0"><joint joint="one" coef="1"/><joint joint="two" coef="-1"/></fixed></tendon>
<actuator><position joint="one" kp="20" kv=".4"/><position tendon="t" kp="5" kv=".1" gear="2"/><motor joint="two"/></actuator></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def measured(m, d):
    """(frequency, damping ratio) of the modes of the engine's step, sorted."""
    values = np.linalg.eigvals(physics.transition_fd(m, d, eps=1e-6, centered=True, exact=False, sensors=False)[0])
    s = np.log(values.astype(complex)) / m.opt_timestep
    s = s[s.imag >= -1e-9]
    return np.array(sorted((abs(x), -x.real / abs(x)) for x in s))


def test_modes_are_those_of_the_engine():
    m = physics.load_string(TWO)
    d = physics.Data(m)
    d.qpos[:] = .2, .5
    # no force here, so that the inertia's change with position does not count
    m.qpos_spring[:], m.tendon_lengthspring[:], d.ctrl[:] = d.qpos, -.3 - 1e-7, (.2, -.6, 0)
    found = np.array([(mode.frequency, mode.damping_ratio) for mode in coupled_modes(m, d)])
    np.testing.assert_allclose(found, measured(m, d), rtol=1e-4)


def test_one_servo_has_its_own_mode():
    m = simple('<position name="a" joint="j" kp="300" kv="20"/>', 'damping="3" stiffness="20"', text=SLIDE)
    mode, = coupled_modes(m, physics.Data(m))
    assert mode.frequency == pytest.approx(np.sqrt(160)) and mode.damping_ratio == pytest.approx(23 / (2 * 2 * np.sqrt(160))) and mode.dof == 0


def test_an_arm_whose_joints_were_tuned_one_by_one():
    m, d = arm7()
    tuned = tune(m, d, 5.0, 1.0)
    w = tuned[0].law.frequency
    modes = coupled_modes(m, d, tuned)
    print(f"\nseven joints tuned to w = {w:.1f} rad/s, damping 1: modes from "
          f"{modes[0].frequency:.1f} to {modes[-1].frequency:.1f} rad/s, least damping {min(x.damping_ratio for x in modes):.3f}")
    assert modes[0].frequency < w < modes[-1].frequency and len(modes) >= 7
    new = with_tuned(m, tuned)
    e = physics.Data(new)
    e.qpos[:] = d.qpos
    np.testing.assert_allclose([mode.frequency for mode in coupled_modes(new, e)], [mode.frequency for mode in modes])
