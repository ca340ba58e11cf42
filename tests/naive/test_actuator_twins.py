"""Muscles, servos, motors and late controls give what their plain twins give."""
import numpy as np
import pytest

from physics import Data, load_string
from physics.engine import forward as stages
from physics.engine.actuator import actuation, delay_history
from tests.naive import actuators as plain

pytestmark = pytest.mark.nojit

FRAME = """<mujoco><option timestep=".005"/><worldbody><body><joint name="j" range="-2 2" limited="true"/><geom size=".1" pos=".2 0 0"/>
<body pos=".3 0 0"><joint name="b" type="ball"/><geom size=".1" pos=".1 0 0"/></body></body></worldbody><actuator>{}</actuator></mujoco>"""


def scene(element, seed, spread=1.0):
    m = load_string(FRAME.format(element))
    d = Data(m)
    rng = np.random.default_rng(seed)
    d.qpos[0], d.qvel[0] = spread * rng.normal(), 2 * rng.normal()
    d.qpos[1:] = rng.normal(size=4)
    d.qvel[1:] = rng.normal(size=3)
    d.act[:] = rng.normal(size=m.na)
    d.ctrl[:] = 2 * rng.normal(size=m.nu)
    return m, d


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("extra", ["", 'force="50" lmin=".6" lmax="1.9" fpmax="2" range=".8 1.2"', 'tausmooth=".3" vmax=".4" fvmax="1.6"'])
def test_muscles(extra, seed):
    m, d = scene(f'<muscle joint="j" lengthrange="-1 1" {extra}/>', seed)
    stages.forward(m, d)
    assert d.act_dot[0] == pytest.approx(plain.muscle_rate(m.actuator_dynprm[0], d.ctrl[0], d.act[0]), rel=1e-12)
    assert d.actuator_force[0] == pytest.approx(plain.muscle(m, 0, d.qpos[0], d.qvel[0], d.act[0]), rel=1e-11, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("extra", ["", 'ki="3" imax=".5"', 'ki="3" slewmax="4" input="pos ff"', 'slewmax="4" input="pos vel ff"', 'input="vel"'])
def test_pid_servos(extra, seed):
    m, d = scene(f'<pid joint="j" kp="7" kv=".3" {extra}/>', seed)
    stages.forward(m, d)
    f, rates = plain.pid(m, 0, d.ctrl, d.qpos[0], d.qvel[0], d.act)
    assert d.actuator_force[0] == pytest.approx(f, rel=1e-12)
    assert np.allclose(d.act_dot, rates, rtol=1e-12, atol=1e-12)


MOTORS = ("", 'inductance=".02"', 'inductance=".02" saturation="0 0 40"', 'cogging=".3 4 .2" saturation=".1 0 0"', 'lugre="20 .3 .5 .9 .2"',
          'thermal="3 5 0 .004 20 25"', 'input="pos vel" controller="4 2 .1 3 .6 6"', 'input="pos ff voltage" controller="4 0 .1 0 0 0" inductance=".01"',
          'input="pos" controller="4 2 .1 3 .6 6" thermal="3 5 0 .004 20 25" lugre="20 .3 .5 .9 .2" inductance=".01"')


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("extra", MOTORS)
def test_motors(extra, seed):
    m, d = scene(f'<dcmotor joint="j" motorconst=".4" resistance="1.7" {extra}/>', seed)
    stages.forward(m, d)
    f, rates = plain.motor(m, 0, d.ctrl, d.qpos[0], d.qvel[0], np.array(d.act))
    assert d.actuator_force[0] == pytest.approx(f, rel=1e-12)
    assert np.allclose(d.act_dot, rates, rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("extra", ['input="quat"', "", 'forcerange="0 1"'])
def test_orientation_servos(extra, seed):
    m, d = scene(f'<orientation joint="b" kp="3" kv=".2" {extra}/>', seed)
    stages.forward(m, d)
    assert np.allclose(d.actuator_force, plain.orientation(m, 0, d.ctrl, d.actuator_length, d.actuator_velocity), rtol=1e-12, atol=1e-12)
    assert np.allclose(d.qfrc_actuator[1:], d.actuator_force, atol=1e-14)


@pytest.mark.parametrize("order", [0, 1, 2])
def test_kept_controls_at_any_times(order):
    """Samples may come in any order of time; reading in between takes the chosen curve."""
    n, interp = 6, ("zoh", "linear", "cubic")[order]
    m, d = scene(f'<orientation joint="b" input="quat" nsample="{n}" delay=".012" interp="{interp}"/>', 0)
    rng, kept = np.random.default_rng(order), plain.Kept(n, m.opt_timestep, 4)
    kept.samples = [(t, np.array([1.0, 0, 0, 0])) for t, _ in kept.samples]
    for _ in range(60):
        d.time = rng.choice([s[0] for s in kept.samples]) if rng.random() < 0.3 else kept.samples[-1][0] + 0.01 * rng.normal()
        d.ctrl[:] = rng.normal(size=4)
        delay_history.keep_controls(m, d)
        kept.insert(d.time, d.ctrl)
        at = d.history[2:2 + n]
        assert np.array_equal(np.sort(at), [s[0] for s in kept.samples])
        d.time += 0.015 * rng.normal()
        actuation.actuation(m, d)
        assert np.allclose(d.ctrl_used, kept.read(d.time - m.actuator_delay[0], order), rtol=1e-9, atol=1e-10)
