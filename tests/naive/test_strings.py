"""Spatial tendons against their plain twin: lengths, and Jacobians and rates by differences of lengths."""
import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.model.data import Data
from tests.naive import smooth, strings
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, randomize, take_state

WRAPPED = """<mujoco><worldbody><site name="p" pos=".5 .1 .1"/><site name="q" pos="-.4 .3 -.1"/><site name="far" pos="0 .6 .1"/>
  <body><joint axis="0 1 .2" pos=".1 .2 0"/><joint type="slide" axis="1 2 3"/><geom name="s" type="{kind}" size=".2 .3"/><site name="in" pos=".02 .03 0"/></body></worldbody>
  <tendon><spatial><site site="p"/><geom geom="s" sidesite="in"/><site site="q"/></spatial><spatial><site site="p"/><geom geom="s" sidesite="far"/><site site="q"/></spatial>
  <spatial armature="2"><site site="p"/><site site="in"/><pulley divisor="3"/><site site="p"/><site site="in"/></spatial>
  <spatial><site site="p"/><geom geom="s"/><site site="q"/></spatial></tendon></mujoco>"""


def state(xml, seed):
    mj = mujoco.MjModel.from_xml_string(xml)
    mj.opt.disableflags |= 1
    mjd = mujoco.MjData(mj)
    randomize(mj, mjd, seed)
    m = model_from(mj)
    d = Data(m)
    take_state(d, mjd)
    stages.forward(m, d)
    return m, d


def check(m, d, accuracy):
    at = lambda qpos: strings.lengths(m, qpos, d.mocap_pos, d.mocap_quat)  # noqa: E731
    assert np.allclose(d.ten_length, at(d.qpos), rtol=0, atol=accuracy)
    jac = smooth.csr(m.ten_J_rownnz, m.ten_J_rowadr, m.ten_J_colind, d.ten_J, m.nv)
    h = 1e-5
    slopes = np.array([(at(smooth.move(m, d.qpos, h * e)) - at(smooth.move(m, d.qpos, -h * e))) / (2 * h) for e in np.eye(m.nv)]).T
    assert np.allclose(jac, slopes, rtol=0, atol=1e-6)
    assert np.allclose(d.ten_velocity, jac @ d.qvel, atol=1e-12)


@pytest.mark.parametrize("kind", ["sphere", "cylinder"])
@pytest.mark.parametrize("seed", [pytest.param(1, marks=pytest.mark.nojit), 2, 3])
def test_wrapped_strings(kind, seed):
    m, d = state(WRAPPED.format(kind=kind), seed)
    check(m, d, 1e-9)  # where a path is held inside, the engine's own equation is solved to 1e-6, its length to the square of that
    # the inertia of the plain string: J' armature dJ/dt qvel, by differences
    armature, m.tendon_armature[:] = m.tendon_armature.copy(), 0.0
    with_it = d.qfrc_bias.copy()
    stages.rne(m, d)
    h = 1e-4
    lengths = [strings.lengths(m, smooth.move(m, d.qpos, s * d.qvel), d.mocap_pos, d.mocap_quat)[2] for s in (-h, 0, h)]
    jac = smooth.csr(m.ten_J_rownnz, m.ten_J_rowadr, m.ten_J_colind, d.ten_J, m.nv)
    expected = jac[2] * armature[2] * (lengths[0] - 2 * lengths[1] + lengths[2]) / h**2
    assert np.allclose(with_it - d.qfrc_bias, expected, rtol=1e-5, atol=1e-5)


def test_branched_strings():
    m, d = state(models.STRUNG, 5)
    check(m, d, 1e-8)
