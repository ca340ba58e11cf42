"""Equality rows against their plain twin: residuals, Jacobians and drift by differences of residuals."""
import mujoco
import numpy as np
import pytest

from physics.engine.constraint.reference import reference_constraint
from physics.engine.constraint.rows import make_constraint
from physics.kernels import load
from tests.naive import constraint, equalities, smooth
from tests.physics.engine.constraint import official as o

SMALL = """<mujoco><worldbody><site name="w"/><body name="a" pos="0 0 1"><joint name="a" axis="0 1 .1"/><geom size=".08"/><site name="a" pos=".1 .02 .03" quat="1 .2 .3 0"/>
 <body name="b" pos=".3 0 .1"><joint type="ball"/><geom size=".1"/></body></body></worldbody>
 <equality><weld site1="a" site2="w" torquescale=".3"/><connect body1="b" anchor=".1 0 0"/><joint joint1="a" polycoef=".1"/></equality></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def rows():
    load.ensure(["physics.engine.constraint.rows", "physics.engine.constraint.reference"])


TIED = o.tied().replace('<tendon tendon1="still"/>', "").replace('<connect body1="u" anchor="0 0 0"/>', "")  # without what has no rows


@pytest.mark.parametrize("xml", [pytest.param(SMALL, marks=pytest.mark.nojit), TIED], ids=["small", "tied"])
def test_equality_rows(xml):
    mj, m = o.official(xml)
    mjd = mujoco.MjData(mj)
    rng = np.random.default_rng(2)
    mjd.qvel[:] = 0.7 * rng.normal(size=mj.nv)
    mujoco.mj_integratePos(mj, mjd.qpos, 0.3 * rng.normal(size=mj.nv), 1.0)
    mujoco.mj_forward(mj, mjd)
    d = o.ours_at(m, mjd)
    o.with_room(make_constraint, m, d)
    reference_constraint(m, d)

    def at(change):
        return equalities.residuals(m, d.eq_active, smooth.move(m, d.qpos, change), d.mocap_pos, d.mocap_quat)

    n = d.ne
    start = at(np.zeros(m.nv))
    assert np.allclose(d.efc_pos[:n], start, atol=1e-12)
    h = 1e-5
    slopes = np.array([(at(h * e) - at(-h * e)) / (2 * h) for e in np.eye(m.nv)]).T
    assert np.allclose(constraint.dense_j(m, d)[:n], slopes, atol=1e-8)
    h = 1e-4
    drift = (at(h * d.qvel) - 2 * start + at(-h * d.qvel)) / h**2
    own = -d.efc_KBIP[:n, 1] * d.efc_vel[:n] - d.efc_KBIP[:n, 0] * d.efc_KBIP[:n, 2] * d.efc_pos[:n]
    pairs = np.isin(m.eq_type[d.efc_id[:n]], (0, 1))  # couplings keep their drift
    assert np.allclose((own - d.efc_aref[:n])[pairs], drift[pairs], rtol=1e-5, atol=1e-5)
    assert np.allclose((own - d.efc_aref[:n])[~pairs], 0)
