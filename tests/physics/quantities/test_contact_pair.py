"""What contacts between two things add up to, against Newton's second law and the official engine."""
import mujoco
import numpy as np
import pytest

import physics
from physics.quantities.quantity import compile_quantity

MASS, G = 2.0, 9.81
RESTING = f"""<mujoco><option timestep="0.002"/>
<worldbody>
  <geom name="floor" type="plane" size="1 1 .1"/>
  <body name="low" pos="0 0 .1"><freejoint/><geom name="low" type="box" size=".1 .1 .1" mass="{MASS}"/></body>
  <body name="high" pos="0 0 .25"><freejoint/><geom name="upper" type="box" size=".05 .05 .05" mass="1"/></body>
</worldbody></mujoco>"""


@pytest.fixture(scope="module")
def resting():
    physics.ensure_kernels()
    m = physics.load_string(RESTING)
    d = physics.Data(m)
    physics.step(m, d, 2000)
    physics.forward(m, d)
    return m, d


def value(pair, text):
    return compile_quantity(pair[0], text).now(*pair)


def test_forces_hold_the_weights(resting):
    whole, above = (MASS + 1) * G, G
    assert np.allclose(value(resting, 'contact("low", "floor").force'), [0, 0, whole], atol=1e-5)
    assert np.allclose(value(resting, 'contact("floor", "low").force'), [0, 0, -whole], atol=1e-5)
    assert np.allclose(value(resting, 'contact("upper", "low").force'), [0, 0, above], atol=1e-5)
    assert np.allclose(value(resting, 'contact("low").force'), [0, 0, whole - above], atol=1e-5)
    assert np.isclose(value(resting, 'contact("low", "floor").normal'), whole, atol=1e-5)
    assert value(resting, 'contact("low", "floor").friction') < 1e-5
    assert value(resting, 'contact("low", "floor").count') == 4
    assert np.allclose(value(resting, 'contact("low", "floor").pos'), [0, 0, 0], atol=1e-4)
    assert -0.01 < value(resting, 'contact("low", "floor").dist') < 0


def test_bodies_and_geoms_may_be_told_apart(resting):
    for first in ('"low"', 'geom("low")', 'body("low")', "body(1)"):
        assert value(resting, f'contact({first}, "floor").count') == 4


def test_things_that_do_not_touch(resting):
    assert value(resting, 'contact("upper", "floor").count') == 0
    assert np.array_equal(value(resting, 'contact("upper", "floor").force'), np.zeros(3))
    assert np.isnan(value(resting, 'contact("upper", "floor").dist'))
    assert np.isnan(value(resting, 'contact("upper", "floor").pos')).all()


def test_the_official_engine_sums_to_the_same():
    text = RESTING.replace('pos="0 0 .1"', 'pos="0 0 .12" euler="5 10 0"').replace('pos="0 0 .25"', 'pos=".01 .02 .3" euler="20 0 30"')
    mj = mujoco.MjModel.from_xml_string(text)
    mjd = mujoco.MjData(mj)
    m = physics.load_string(text)
    d = physics.Data(m)
    seen = 0
    for _ in range(200):
        mujoco.mj_step(mj, mjd)
        d.qpos[:], d.qvel[:], d.qacc_warmstart[:] = mjd.qpos, mjd.qvel, mjd.qacc_warmstart
        mujoco.mj_forward(mj, mjd)
        physics.forward(m, d)
        total, local = np.zeros(3), np.zeros(6)
        for i in range(mjd.ncon):
            if {int(g) for g in mjd.contact.geom[i]} == {0, 1}:
                mujoco.mj_contactForce(mj, mjd, i, local)
                total += (1 if mjd.contact.geom[i, 1] == 1 else -1) * mjd.contact.frame[i].reshape(3, 3).T @ local[:3]
        assert np.allclose(value((m, d), 'contact("low", "floor").force'), total, rtol=1e-4, atol=1e-4 * max(1.0, np.abs(total).max()))
        seen += bool(np.any(total))
    assert seen > 50
