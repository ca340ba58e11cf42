"""The implicit integrators once more with dense matrices, derivatives by differences and NumPy's solver."""
import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.engine.integrator import derivative
from physics.enums import DSBL_CONSTRAINT, INT_DISCRETE, INT_IMPLICIT
from physics.model.data import Data
from tests.naive import smooth
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, randomize, rel, take_state

SMALL = """<mujoco><option timestep=".01"/><worldbody><body><freejoint/><geom type="box" size=".1 .2 .3"/>
<body pos=".3 0 0"><joint name="a" axis="0 1 0" pos="0 .1 0" damping=".1 .02" stiffness="2 .1"/><geom type="capsule" size=".05 .1" pos="0 .1 0"/>
<body pos=".3 0 0"><joint type="ball" damping=".1"/><joint name="s" type="slide" axis="1 0 0"/><geom type="capsule" size=".05 .1" pos="0 .1 0"/></body>
</body></body></worldbody><actuator><position joint="a" kp="3" kv=".1"/></actuator></mujoco>"""
# scalar joints only, so that positions are a vector; tendons across branches and trees; every slope holds back
LINES = """<mujoco><option timestep=".02"/><worldbody><geom type="plane" size="9 9 .1" condim="1"/>
<body pos="0 0 .1"><joint name="x" type="slide" axis="1 0 0" damping="1"/><joint name="z" type="slide" axis="0 0 1" stiffness="30"/><geom size=".12" mass="1"/>
<body pos=".4 0 .3"><joint name="p" axis="0 1 0" stiffness="3 .5" damping=".2 .1"/><geom type="capsule" size=".05 .1" pos=".1 0 0" contype="0"/></body>
<body pos="-.4 0 .3"><joint name="q" axis="0 1 0" range="-.1 .1"/><geom type="capsule" size=".05 .1" pos="-.1 0 0" contype="0"/></body></body>
<body pos="2 0 1"><joint name="w" axis="0 1 0" frictionloss=".3"/><geom type="capsule" size=".05 .1" pos=".1 0 0" contype="0"/></body></worldbody>
<tendon><fixed name="t" stiffness="40" damping="2"><joint joint="p" coef="1"/><joint joint="q" coef="-.7"/></fixed>
<fixed name="u"><joint joint="q" coef=".5"/><joint joint="w" coef="1"/></fixed></tendon>
<equality><joint joint1="p" joint2="w"/></equality>
<actuator><position tendon="u" kp="60" kv="3"/><position joint="w" kp="5" kv=".4"/><velocity joint="x" kv="4"/></actuator></mujoco>"""


def at_random(xml, integrator, flags, seed=5):
    mj = mujoco.MjModel.from_xml_string(xml)
    mj.opt.disableflags |= flags
    mj.opt.integrator = integrator
    mj.opt.tolerance = 0
    mjd = mujoco.MjData(mj)
    randomize(mj, mjd, seed)
    mjd.xfrc_applied[:] = 0
    m = model_from(mj)
    m.jnt_actfrclimited[:] = m.tendon_actfrclimited[:] = m.actuator_forcelimited[:] = False  # kinks have no derivative
    d = Data(m)
    take_state(d, mjd)
    stages.forward(m, d)
    return m, d


def slope(m, d, name, bias, e=1e-6):
    """Derivative of the smooth forces, with or without the bias force, by qvel, or by qpos where that is a vector: central differences."""
    columns = []
    for k in range(m.nv):
        ends = []
        for s in (e, -e):
            other = d.copy()
            getattr(other, name)[k] += s
            stages.forward(m, other)
            ends.append(other.qfrc_smooth + (0 if bias else other.qfrc_bias))
        columns.append((ends[0] - ends[1]) / (2 * e))
    return np.array(columns).T


@pytest.mark.parametrize("xml", [pytest.param(SMALL, marks=pytest.mark.nojit), models.MIXED, models.DRIVEN], ids=["small", "mixed", "driven"])
def test_implicit_solves_its_linear_system(xml):
    m, d = at_random(xml, INT_IMPLICIT, DSBL_CONSTRAINT)
    pattern = smooth.csr(m.D_rownnz, m.D_rowadr, m.D_colind, np.ones(m.nD), m.nv) > 0
    theirs = slope(m, d, "qvel", True) * pattern  # what ties branches or trees together stays explicit
    derivative.smooth_slope(m, d)
    ours = smooth.csr(m.D_rownnz, m.D_rowadr, m.D_colind, d.qDeriv, m.nv)
    assert np.allclose(ours, theirs, atol=1e-6 * max(1, np.abs(theirs).max()))
    full, h, before = smooth.dense(m, d.M), m.opt_timestep, d.qvel.copy()
    expected = np.linalg.solve(full - h * ours, d.qfrc_smooth)
    assert stages.step(m, d) == 1
    assert rel((d.qvel - before) / h, expected) < 1e-9
    lu = smooth.csr(m.D_rownnz, m.D_rowadr, m.D_colind, d.qLU, m.nv)
    assert rel((np.triu(lu, 1) + np.eye(m.nv)) @ np.tril(lu), full - h * ours) < 1e-10


@pytest.mark.nojit
def test_discrete_is_one_optimum_in_its_effective_mass():
    m, d = at_random(LINES, INT_DISCRETE, 0)
    h = m.opt_timestep
    damping, stiffness = -slope(m, d, "qvel", False), -slope(m, d, "qpos", False)
    metric = smooth.dense(m, d.M) + h * damping + h * h * stiffness
    force = d.qfrc_smooth - h * stiffness @ d.qvel
    assert rel(d.qacc_smooth, np.linalg.solve(metric, force)) < 1e-6
    assert d.nefc >= 5 and d.M_eff_coupled == 1 and d.ncoupling == 0
    # the rows' forces and the acceleration belong together
    jac = smooth.csr(d.efc_J_rownnz[:d.nefc], d.efc_J_rowadr[:d.nefc], d.efc_J_colind, d.efc_J, m.nv)
    assert rel(metric @ d.qacc, force + jac.T @ d.efc_force[:d.nefc]) < 1e-6
    residual = jac @ d.qacc - d.efc_aref[:d.nefc]
    pulled = -residual * d.efc_D[:d.nefc]
    bound = d.efc_frictionloss[:d.nefc]
    free = np.where(d.efc_type[:d.nefc] == 0, pulled, np.where(bound > 0, np.clip(pulled, -bound, bound), np.maximum(pulled, 0)))
    assert np.allclose(d.efc_force[:d.nefc], free, rtol=1e-7, atol=1e-8)
    before = d.qvel.copy()
    assert stages.step(m, d) == 1
    assert np.allclose(d.qvel, before + h * d.qacc, rtol=1e-13)
