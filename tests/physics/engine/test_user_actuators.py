"""Actuators whose dynamics, gain and bias are the user's."""
import mujoco
import numpy as np
import pytest

import physics
from tests.physics.engine.oracle_model import rel

TEXT = """<mujoco><worldbody><body><joint name="j"/><geom size=".1" pos=".1 0 0"/></body></worldbody><actuator>
<general joint="j" dyntype="user" gaintype="user" biastype="user"/><general joint="j" dyntype="user" actdim="3" gainprm="2"/><motor joint="j"/>
<general joint="j" gaintype="user" forcerange="-1 1"/></actuator></mujoco>"""


@pytest.fixture
def scene():
    mj, m = mujoco.MjModel.from_xml_string(TEXT), physics.load_string(TEXT)
    mjd, d = mujoco.MjData(mj), physics.Data(m)
    rng = np.random.default_rng(0)
    mjd.act[:] = d.act[:] = rng.normal(size=4)
    mjd.ctrl[:] = d.ctrl[:] = rng.normal(size=4)
    mjd.qvel[0] = d.qvel[0] = 0.5
    yield mj, mjd, m, d
    for setter in (mujoco.set_mjcb_act_dyn, mujoco.set_mjcb_act_gain, mujoco.set_mjcb_act_bias):
        setter(None)


def dynamics(_m, d, i):
    if i == 1:
        d.act_dot[1:4] = [d.ctrl[1], d.act[1], d.act[2]]
    return 3 * (d.ctrl[i] - d.act[i])


def gain(_m, d, i):
    return 2 + i * d.actuator_length[i] + d.actuator_velocity[i]


def bias(_m, d, i):
    return -d.actuator_velocity[i] - i


@pytest.mark.nojit
def test_callbacks_are_called_as_officially(scene):
    mj, mjd, m, d = scene
    mujoco.set_mjcb_act_dyn(dynamics)
    mujoco.set_mjcb_act_gain(gain)
    mujoco.set_mjcb_act_bias(bias)
    for slot, fn in (("cb_act_dyn", dynamics), ("cb_act_gain", gain), ("cb_act_bias", bias)):
        d.set_callback(slot, fn)
    for _ in range(5):
        mujoco.mj_step(mj, mjd)
        physics.step(m, d)
        assert mjd.actuator_force.all() and mjd.act_dot.all()
        for name in ("act_dot", "actuator_force", "qfrc_actuator", "act", "qvel"):
            assert rel(getattr(d, name), getattr(mjd, name)) < 1e-12, name


def test_without_callbacks_the_rate_is_0_the_gain_1_and_the_bias_0(scene):
    mj, mjd, m, d = scene
    mujoco.mj_forward(mj, mjd)
    physics.forward(m, d)
    assert not d.act_dot.any()
    assert np.allclose(d.actuator_force, [d.act[0], 2 * d.act[3], d.ctrl[2], np.clip(d.ctrl[3], -1, 1)])
    assert rel(d.actuator_force, mjd.actuator_force) < 1e-15


def test_what_a_callback_raises_comes_out_and_the_step_does_not_happen(scene):
    _mj, _mjd, m, d = scene

    def broken(_m, _d, i):
        raise LookupError(f"no gain for actuator {i}")

    d.set_callback("cb_act_gain", broken)
    with pytest.raises(LookupError, match="actuator 0"):
        physics.step(m, d)
    assert d.time == 0
