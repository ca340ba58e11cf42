"""Rows and solver give what their plain twins give."""
import mujoco
import numpy as np
import pytest

from physics.engine.constraint.reference import reference_constraint
from physics.engine.constraint.rows import make_constraint
from physics.engine.solve.constraint_solve import fwd_constraint
from physics.kernels import load
from tests.naive import constraint
from tests.physics.engine.constraint import official as o
from tests.physics.engine.oracle_model import rel

SMALL = """<mujoco><option cone="{cone}"/><worldbody><geom type="plane" size="1 1 .1"/>
<body pos="0 0 .09"><freejoint/><geom type="sphere" size=".1" condim="4"/>
 <body pos=".2 0 0"><joint name="h" axis="0 1 0" range="-1 1" frictionloss=".1"/><geom type="capsule" size=".06 .05" condim="6"/></body></body>
<body pos="-.17 0 .1"><freejoint/><geom type="sphere" size=".11"/></body></worldbody></mujoco>"""


def solved(cone):
    mj, m = o.official(SMALL.format(cone=cone))
    mjd = mujoco.MjData(mj)
    mjd.qvel[:] = np.random.default_rng(3).normal(size=mj.nv)
    mujoco.mj_forward(mj, mjd)
    d = o.ours_at(m, mjd)
    o.with_room(make_constraint, m, d)
    reference_constraint(m, d)
    m.opt_tolerance = 0.0
    o.with_room(fwd_constraint, m, d)
    return mj, mjd, m, d


@pytest.fixture(scope="module", autouse=True)
def solver():
    load.ensure(["physics.engine.constraint.reference", "physics.engine.constraint.rows", "physics.engine.solve.constraint_solve"])


@pytest.mark.nojit
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_accelerations_have_the_least_cost(cone):
    mj, mjd, m, d = solved(cone)
    assert d.nefc > 10
    assert rel(d.qacc, constraint.minimise(m, d)) < 1e-7
    x = constraint.dense_j(m, d) @ d.qacc - d.efc_aref[:d.nefc]
    assert rel(d.efc_force[:d.nefc], constraint.forces(d, x)[0]) < 1e-7


@pytest.mark.nojit
def test_the_dense_gradient_is_zero():
    mj, mjd, m, d = solved("elliptic")
    scale = np.linalg.norm(d.qfrc_smooth)
    assert np.linalg.norm(constraint.gradient(m, d, d.qacc)) < 1e-9 * scale
    assert np.linalg.norm(constraint.gradient(m, d, d.qacc_smooth)) > 1e-3 * scale
