"""What a connect's residual accelerates by itself, where we do not agree with the official engine on purpose.

On a body with a slide after a ball the official reference acceleration misses the truth (found by differences of positions); ours is kept.
"""
import mujoco
import numpy as np
import pytest

import physics
from physics.model.data import Data
from tests.physics.engine.oracle_model import model_from, take_state

TIED = """<mujoco><option><flag contact="disable"/></option><worldbody><body name="a" pos="0 0 1">{joints}<geom size=".1" pos=".1 .2 .3"/></body></worldbody>
<equality><connect body1="a" anchor=".2 .1 -.3"/></equality></mujoco>"""
BALL, SLIDE = '<joint type="ball"/>', '<joint type="slide" axis="1 2 .5"/>'
SPEED = (1.0, -2.0, 3.0, 4.0)


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def drifts(joints):
    """(ours, official, by differences): second derivative of the residual while the joints keep their speeds.

    The reference acceleration is linear in the speed but for it: aref(0) - (aref(v) + aref(-v)) / 2.
    """
    mj = mujoco.MjModel.from_xml_string(TIED.format(joints=joints))
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    start = physics.integrate_pos(m, d.qpos, np.array([0.3, 0.2, -0.4, 0.1])[:m.nv], 1.0)
    speed = np.array(SPEED[:m.nv])
    ours, official = [], []
    for sign in (0.0, 1.0, -1.0):
        mjd.qpos[:], mjd.qvel[:] = start, sign * speed
        take_state(d, mjd)
        mujoco.mj_forward(mj, mjd)
        physics.forward(m, d)
        ours.append(np.array(d.efc_aref[:3]))
        official.append(np.array(mjd.efc_aref[:3]))
    h, place = 1e-4, []
    for t in (-h, 0.0, h):
        d.qpos[:] = physics.integrate_pos(m, start, speed, t)
        physics.forward(m, d)
        place.append(np.array(d.efc_pos[:3]))
    return *(a[0] - (a[1] + a[2]) / 2 for a in (ours, official)), (place[0] - 2 * place[1] + place[2]) / h**2


def test_a_slide_after_a_ball_is_true_but_not_official():
    ours, official, true = drifts(BALL + SLIDE)
    assert np.allclose(ours, true, atol=1e-5 * np.abs(true).max())
    assert np.abs(official - true).max() > 1e-2 * np.abs(true).max()   # once this fails the official engine has been mended


@pytest.mark.parametrize("joints", [BALL, SLIDE + BALL, '<joint axis="0 1 0"/>' + SLIDE, SLIDE + '<joint axis="0 1 0"/>'])
def test_other_joints_are_true_and_official(joints):
    ours, official, true = drifts(joints)
    assert np.allclose(ours, true, atol=1e-5 * max(1.0, np.abs(true).max()))
    assert np.allclose(ours, official, rtol=1e-9, atol=1e-9)
