"""Inverse dynamics from dense matrices and the naive forces of the rows."""
import mujoco
import numpy as np
import pytest

from physics.model.data import Data
from physics.simulate import step
from tests.naive import constraint, smooth
from tests.physics.engine.oracle_model import model_from, rel

XML = """<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="1 1 .1"/>
<body pos="0 0 .19"><joint name="a" type="slide" axis="0 0 1" frictionloss=".1" armature=".1"/><joint name="b" axis="0 1 0" range="-1 1" limited="true" damping=".2"/>
<geom type="capsule" size=".1 .1" pos="0 0 0" condim="4"/></body>
<body pos="1 0 .09"><freejoint/><geom size=".1" condim="3"/></body></worldbody>
<equality><joint joint1="b" polycoef=".1 0 0 0 0"/></equality></mujoco>"""


@pytest.mark.nojit
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_inverse(cone):
    m = model_from(mujoco.MjModel.from_xml_string(XML.format(cone=cone)))
    d, rng = Data(m), np.random.default_rng(1)
    for _ in range(3):
        d.reset()
        d.qpos[1] = 1.2
        d.qvel[:] = rng.normal(size=m.nv)
        d.qacc[:] = 30 * rng.normal(size=m.nv)
        step.inverse(m, d)
        n = d.nefc
        row_forces = constraint.forces(d, constraint.dense_j(m, d) @ d.qacc - d.efc_aref[:n])[0]
        assert rel(d.efc_force[:n], row_forces) < 1e-12
        mass = smooth.mass_matrix(m, d.qpos, d.mocap_pos, d.mocap_quat)
        bias = smooth.bias(m, d.qpos, d.qvel, d.mocap_pos, d.mocap_quat)
        pushed = constraint.dense_j(m, d).T @ row_forces
        assert np.abs(d.qfrc_inverse - (mass @ d.qacc + bias - d.qfrc_passive - pushed)).max() < 1e-5 * np.abs(d.qfrc_inverse).max()
        assert rel(d.qfrc_inverse, mass @ d.qacc + d.qfrc_bias - d.qfrc_passive - pushed) < 1e-12
