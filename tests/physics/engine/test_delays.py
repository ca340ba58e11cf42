"""Controls that act late."""
import mujoco
import numpy as np
import pytest

import physics
from tests.physics.engine.oracle_model import rel

TEXT = """<mujoco><option timestep=".01" gravity="0 0 0"/><worldbody><body><joint name="j"/><geom size=".1" pos=".1 0 0"/></body></worldbody>
<actuator><motor joint="j" nsample="{n}" delay="{delay}" interp="{interp}" ctrlrange="-3 3"/><motor joint="j"/></actuator></mujoco>"""


def scene(n=5, delay=0.03, interp="zoh"):
    text = TEXT.format(n=n, delay=delay, interp=interp)
    mj = mujoco.MjModel.from_xml_string(text)
    m = physics.load_string(text)
    return mj, mujoco.MjData(mj), m, physics.Data(m)


@pytest.mark.nojit
def test_a_control_acts_whole_steps_later():
    _mj, _mjd, m, d = scene()
    sent = np.sin(np.arange(12.0)) * 2
    felt = []
    for u in sent:
        d.ctrl[0] = u
        physics.step(m, d)
        felt.append(d.actuator_force[0])
    assert np.allclose(felt[3:], sent[:-3], atol=1e-15) and not any(felt[:3])


def test_a_straight_line_is_read_between_steps():
    _mj, _mjd, m, d = scene(delay=0.025, interp="linear")
    for _ in range(20):
        d.ctrl[0] = 7 * d.time
        physics.step(m, d)
    assert d.actuator_force[0] == pytest.approx(7 * (d.time - 0.01 - 0.025), abs=1e-13)


def test_a_late_control_is_clamped_when_it_acts():
    _mj, _mjd, m, d = scene()
    d.ctrl[0] = 10
    physics.step(m, d, 6)
    assert d.actuator_force[0] == 3
    m.actuator_ctrlrange[0] = (-1, 1)
    physics.step(m, d)
    assert d.actuator_force[0] == 1


@pytest.mark.parametrize("interp", ["zoh", "linear", "cubic"])
@pytest.mark.parametrize("delay", [0.03, 0.0234, 0.2, 0])
def test_late_controls_are_the_official_ones(interp, delay):
    mj, mjd, m, d = scene(delay=delay, interp=interp)
    assert np.array_equal(d.history, mjd.history)
    rng = np.random.default_rng(1)
    for _ in range(30):
        mjd.ctrl[:] = d.ctrl[:] = rng.normal(size=2)
        if rng.random() < 0.2:   # time may jump
            mjd.time = d.time = mjd.time + 0.02 * rng.normal()
        mujoco.mj_step(mj, mjd)
        physics.step(m, d)
        assert rel(d.history, mjd.history) < 1e-12
        assert rel(d.actuator_force, mjd.actuator_force) < 1e-9


def test_noise_travels_with_the_control():
    _mj, _mjd, m, d = scene()
    d.ctrl[0], d.ctrl_noise[0] = 1, 0.5
    physics.step(m, d)
    d.ctrl[0] = d.ctrl_noise[0] = 0
    physics.step(m, d, 3)
    assert d.actuator_force[0] == 1.5


def test_runge_kutta_keeps_one_sample_a_step():
    mj, mjd, m, d = scene()
    mj.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    m.opt_integrator = int(mujoco.mjtIntegrator.mjINT_RK4)
    for k in range(8):
        mjd.ctrl[:] = d.ctrl[:] = k
        mujoco.mj_step(mj, mjd)
        physics.step(m, d)
    assert rel(d.history, mjd.history) < 1e-12 and rel(d.qvel, mjd.qvel) < 1e-12


def test_a_copy_and_a_reset_keep_and_clear_what_is_kept():
    _mj, _mjd, m, d = scene()
    begin = d.history.copy()
    d.ctrl[0] = 2
    physics.step(m, d, 4)
    other = d.copy()
    physics.step(m, d, 3)
    physics.step(m, other, 3)
    assert np.array_equal(d.history, other.history) and d.actuator_force[0] == other.actuator_force[0] == 2
    d.reset()
    assert np.array_equal(d.history, begin)


def test_without_a_time_step_there_are_no_delays():
    _mj, _mjd, m, _d = scene()
    m.opt_timestep = 0
    with pytest.raises(ValueError, match="positive timestep"):
        physics.Data(m)
