"""Accelerations of bodies and the forces between them: as the official engine, and as the laws of mechanics say."""
import mujoco
import numpy as np
import pytest

import physics
from physics.engine.inertia import rne_post_constraint
from physics.engine.kinematics import subtree
from physics.model.data import Data
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, randomize, rel, take_state

HELD = models.STRUNG.replace('<spatial name="t0"', '<spatial name="t0" frictionloss=".5"').replace("</mujoco>", """
<equality><weld body1="a" body2="f" torquescale=".7"/><connect site1="e0" site2="f0"/><weld site1="c0" site2="f1" torquescale="2"/>
<tendon tendon1="t0" tendon2="t5" polycoef="0 .5 .1 .02 .01"/><tendon tendon1="t2"/></equality></mujoco>""")
SOURCES = {"strung": models.STRUNG, "held": HELD, "mixed": models.MIXED, "driven": models.DRIVEN}
FIELDS = ("cacc", "cfrc_ext", "cfrc_int", "subtree_linvel", "subtree_angmom")


def compare(text, seed):
    mj = mujoco.MjModel.from_xml_string(text)
    mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    mj.opt.tolerance = mj.opt.ls_tolerance = 0
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    randomize(mj, mjd, seed)
    mjd.qpos[:] = mj.qpos0 + 0.5 * (mjd.qpos - mj.qpos0)
    take_state(d, mjd)
    mujoco.mj_forward(mj, mjd)
    physics.forward(m, d)
    d.qacc[:] = mjd.qacc   # what the solvers leave between them is no matter here
    d.efc_force[:d.nefc] = mjd.efc_force
    mujoco.mj_rnePostConstraint(mj, mjd)
    mujoco.mj_subtreeVel(mj, mjd)
    rne_post_constraint.rne_post_constraint(m, d)
    subtree.subtree_vel(m, d)
    return {name: rel(getattr(d, name), getattr(mjd, name)) for name in FIELDS}


@pytest.mark.parametrize("name", SOURCES)
def test_reactions_agree(name):
    for seed in range(3):
        found = compare(SOURCES[name], seed)
        assert max(found.values()) < 1e-11, found


@pytest.mark.nojit
def test_reactions_of_a_small_model_agree():
    found = compare("""<mujoco><worldbody><body name="a"><freejoint/><geom type="box" size=".1 .2 .3"/><site name="s"/>
        <body name="b" pos=".3 0 0"><joint axis="0 1 0"/><geom type="capsule" size=".05 .1" pos="0 .1 0"/><site name="t" pos=".1 0 0"/></body></body>
        <site name="w" pos="0 0 1"/></worldbody>
        <tendon><spatial stiffness="3"><site site="w"/><site site="t"/></spatial></tendon><equality><weld body1="b" torquescale=".5"/></equality></mujoco>""", 2)
    assert max(found.values()) < 1e-11, found


CHAIN = """<mujoco><worldbody><body><freejoint/><geom type="box" size=".1 .2 .3"/><body pos=".3 0 0"><joint name="h" axis="0 1 .3" damping=".3" stiffness="5" range="-5 5"/>
<geom type="capsule" size=".05 .1"/><body pos=".2 0 .1"><joint name="b" type="ball" damping=".1"/><joint name="s" type="slide"/><geom size=".1"/></body></body></body></worldbody>
<actuator><motor joint="h" gear="2"/><position joint="s" kp="30"/></actuator></mujoco>"""


def test_along_its_dofs_a_joint_passes_on_what_acts_on_them():
    mj = mujoco.MjModel.from_xml_string(CHAIN)
    mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    mj.opt.tolerance = mj.opt.ls_tolerance = 0
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    for seed in range(3):
        randomize(mj, mjd, seed)
        take_state(d, mjd)
        d.xfrc_applied[:] = 0
        physics.forward(m, d)
        rne_post_constraint.rne_post_constraint(m, d)
        along = np.array([d.cdof[k] @ d.cfrc_int[m.dof_bodyid[k]] for k in range(m.nv)])
        assert np.allclose(along, d.qfrc_passive + d.qfrc_actuator + d.qfrc_applied + d.qfrc_constraint, atol=1e-9 * np.abs(along).max())


PULL = """<mujoco><option gravity="0 0 0"/><worldbody><site name="wall" pos="-1 0 0"/><body name="a"><joint type="slide" axis="1 0 0"/><geom size=".1" mass="2"/>
<body name="b" pos="1 0 0"><geom size=".1" mass="3"/><site name="end"/></body></body></worldbody>
<tendon><spatial name="t" stiffness="7" springlength="0"><site site="wall"/><site site="end"/></spatial></tendon><sensor><force site="end"/></sensor></mujoco>"""


def test_a_string_pulls_at_its_ends():
    """A string of stiffness 7 and length 2 pulls 14 N at the far mass, of which the joint between bears the near mass's share."""
    m = physics.load_string(PULL)
    d = physics.Data(m)
    physics.forward(m, d)
    acceleration = -14 / 5
    assert np.allclose(d.qacc, acceleration)
    assert np.allclose(d.sensordata, (3 * acceleration + 14, 0, 0))


WELD = """<mujoco><worldbody><body name="a"><freejoint/><geom size=".1" mass="2"/><site name="s" pos=".2 0 0"/>
<body name="load" pos="1 0 0"><geom size=".1" mass="1"/><site name="l"/></body></body>
</worldbody><equality><weld body1="a" torquescale="%s" solref=".004 1" solimp=".9999 .9999 .001"/></equality>
<sensor><force site="s"/><torque site="s"/><force site="l"/></sensor></mujoco>"""


@pytest.mark.parametrize("scale", [1, 0.2, 5])
def test_a_weld_holds_with_force_and_torque(scale):
    """A free body is held by a weld alone: its free joint passes on nothing, whatever the scale of the weld's torque."""
    m = physics.load_string(WELD % scale)
    d = physics.Data(m)
    m.opt_tolerance = m.opt_ls_tolerance = 0
    for _ in range(400):
        physics.step(m, d)
    physics.forward(m, d)
    assert np.abs(d.sensordata[:6]).max() < 1e-6
    assert np.allclose(d.sensordata[6:], (0, 0, 9.81), atol=0.2)
