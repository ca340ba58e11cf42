"""Tendons that no degree of freedom can move have no constraint rows, whatever the storage of the Jacobian."""
import mujoco
import pytest

import physics

HINGE = '<body pos="0 0 1"><joint type="hinge" axis="1 0 0" range="-1 -.5" limited="true"/><geom size=".1" pos="0 .3 0"/></body>'
MODEL = """<mujoco><option jacobian="{jacobian}" solver="{solver}"/>
  <worldbody><site name="a"/><site name="b" pos="0 0 1"/>{body}</worldbody>
  <tendon><spatial frictionloss="1"><site site="a"/><site site="b"/></spatial>
    <spatial limited="true" range="0 .5"><site site="a"/><site site="b"/></spatial></tendon></mujoco>"""


@pytest.mark.nojit
@pytest.mark.parametrize("solver", ["Newton", "CG", "PGS"])
@pytest.mark.parametrize("jacobian", ["sparse", "dense"])
@pytest.mark.parametrize("body", ["", HINGE], ids=["no dofs", "a hinge"])
def test_a_tendon_between_fixed_sites_has_no_rows(jacobian, solver, body):
    text = MODEL.format(jacobian=jacobian, solver=solver, body=body)
    official = mujoco.MjModel.from_xml_string(text)
    theirs = mujoco.MjData(official)
    mujoco.mj_forward(official, theirs)
    m = physics.load_string(text)
    d = physics.Data(m)
    physics.forward(m, d)
    assert d.nefc == theirs.nefc == (1 if body else 0)
    assert all(d.efc_J_rownnz[:d.nefc] > 0)
    physics.step(m, d, 5)
    assert d.time > 0
