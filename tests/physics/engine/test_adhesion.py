"""Actuators that draw together what touches a body."""
import mujoco
import numpy as np
import pytest

import physics
from tests.physics.engine.oracle_model import rel
from tests.physics.engine.random_actuators import moments

CEILING = """<mujoco><option cone="{cone}" timestep=".002"/><worldbody><geom type="plane" size="1 1 1" zaxis="0 0 -1" pos="0 0 .1" margin=".001"/>
<body name="ball"><freejoint/><geom size=".1" mass="1" condim="{condim}"/></body></worldbody>
<actuator><adhesion body="ball" ctrlrange="0 20" gain="2"/></actuator></mujoco>"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_a_ball_hangs_by_more_than_its_weight_and_falls_with_less(cone, condim):
    m = physics.load_string(CEILING.format(cone=cone, condim=condim))
    for share, stays in ((1.05, True), (0.95, False)):
        d = physics.Data(m)
        d.ctrl[0] = share * 9.81 / 2
        physics.step(m, d, 300)
        assert (d.qpos[2] > -0.005) == stays


SCENE = """<mujoco><option cone="{cone}"/><default><geom margin=".01" gap=".03"/></default>
<worldbody><geom name="floor" type="plane" size="1 1 1"/><body name="a" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/>
<body name="b" pos=".25 0 0"><joint axis="0 1 0"/><geom size=".1" condim="1"/></body></body>
<body name="c" pos="0 0 .32"><joint type="slide" axis="0 0 1"/><joint/><geom type="capsule" size=".1 .1" zaxis="1 0 0" condim="6"/></body></worldbody>
<actuator><adhesion body="a" ctrlrange="0 2" gain="3"/><adhesion body="b" ctrlrange="0 2"/><adhesion body="c" ctrlrange="0 2"/>
<adhesion body="world" ctrlrange="0 2"/></actuator></mujoco>"""


@pytest.mark.nojit
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_moments_are_the_official_ones_within_the_gap_too(cone):
    text = SCENE.format(cone=cone)
    mj, m = mujoco.MjModel.from_xml_string(text), physics.load_string(text)
    mjd, d = mujoco.MjData(mj), physics.Data(m)
    rng, seen = np.random.default_rng(0), set()
    for _ in range(12):
        mjd.qpos[:] = d.qpos[:] = mj.qpos0 + 0.02 * rng.normal(size=mj.nq)
        mjd.qvel[:] = d.qvel[:] = rng.normal(size=mj.nv)
        mjd.ctrl[:] = d.ctrl[:] = rng.random(4)
        mujoco.mj_forward(mj, mjd)
        physics.forward(m, d)
        seen |= set(mjd.contact.exclude.tolist())
        assert rel(moments(m, d), moments(mj, mjd)) < 1e-9
        assert rel(d.qfrc_actuator, mjd.qfrc_actuator) < 1e-9
    assert {0, 1} <= seen and d.ncon > 0
