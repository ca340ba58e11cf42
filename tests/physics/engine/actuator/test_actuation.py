"""Controls, noise and switches of actuators."""
import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.enums import WARN_BADCTRL
from tests.physics.engine.oracle_model import pair_from, rel, take_state

ARM = """<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom type="capsule" size=".05 .2"/>
<body pos="0 0 .5"><joint name="b" axis="0 1 0"/><geom type="capsule" size=".05 .2"/></body></body></worldbody>
<actuator><motor joint="a" ctrlrange="-1 1" gear="2"/><general joint="b" dyntype="integrator" group="2" gainprm="3"/>
<motor joint="b" group="35"/></actuator></mujoco>"""


@pytest.mark.nojit
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 2e10])
def test_one_bad_control_silences_all_and_is_named(bad):
    mj, mjd, m, d = pair_from(ARM)
    mjd.ctrl[:] = [0.5, 0.2, bad]
    take_state(d, mjd)
    mujoco.mj_forward(mj, mjd)
    stages.forward(m, d)
    assert d.warning_number[WARN_BADCTRL] == 1 == mjd.warning[WARN_BADCTRL].number
    assert d.warning_lastinfo[WARN_BADCTRL] == 2 == mjd.warning[WARN_BADCTRL].lastinfo
    assert not d.actuator_force.any() and not d.act_dot.any()
    assert rel(d.qacc, mjd.qacc) < 1e-13
    assert np.array_equal(d.ctrl, mjd.ctrl, equal_nan=True)


def test_an_infinite_control_is_clamped_where_it_has_a_range():
    mj, mjd, m, d = pair_from(ARM)
    mjd.ctrl[0] = np.inf
    take_state(d, mjd)
    mujoco.mj_forward(mj, mjd)
    stages.forward(m, d)
    assert d.actuator_force[0] == mjd.actuator_force[0] == 1.0
    assert not d.warning_number.any()


def test_noise_is_added_before_clamping_and_leaves_ctrl_alone():
    _mj, _mjd, m, d = pair_from(ARM)
    d.ctrl[:] = [0.7, 0.1, 0.0]
    d.ctrl_noise[:] = [0.6, 0.2, -0.3]
    stages.forward(m, d)
    assert np.allclose(d.actuator_force, [1.0, 0.0, -0.3], atol=1e-15)
    assert d.act_dot[0] == pytest.approx(0.3, abs=1e-15)
    assert list(d.ctrl) == [0.7, 0.1, 0.0]


@pytest.mark.parametrize("groups", [1, 4, 5, (1 << 31) - 1])
def test_groups_are_switched_off_as_officially(groups):
    mj, mjd, m, d = pair_from(ARM)
    mj.opt.disableactuator = groups
    m.opt_disableactuator = groups
    mjd.ctrl[:] = [0.5, 0.2, 0.7]
    mjd.act[:] = 0.3
    take_state(d, mjd)
    for _ in range(3):
        mujoco.mj_step(mj, mjd)
        stages.step(m, d)
    assert np.array_equal(d.actuator_force, mjd.actuator_force)
    assert rel(d.act, mjd.act) < 1e-14 and rel(d.qpos, mjd.qpos) < 1e-13
