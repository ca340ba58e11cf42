"""Inverse dynamics against the official engine, and against our own forward dynamics."""
import mujoco
import numpy as np
import pytest

from physics.enums import DSBL_CONTACT, ENBL_FWDINV, ENBL_INVDISCRETE, INT_DISCRETE, INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_RK4
from physics.model.data import Data
from physics.simulate import step
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, pair_from, randomize, rel, take_state

# every kind of row: equality, dof and tendon friction, limits of both sides, contacts of each dimension
ROWS = """<mujoco><option timestep=".003"/><worldbody><geom type="plane" size="3 3 .1" condim="{condim}"/>
<body name="a" pos="0 0 .09"><freejoint/><geom size=".1" condim="{condim}"/></body>
<body name="b" pos=".5 0 .19"><freejoint/><geom type="box" size=".2 .1 .2" condim="{condim}" friction=".7 .02 .01"/></body>
<body name="c" pos="0 1 1"><joint name="c" axis="0 1 0" damping=".3" frictionloss=".2" range="-10 20" limited="true"/><geom type="capsule" size=".05 .2"/>
<body name="e" pos="0 0 .5"><joint name="s" type="slide" axis="1 0 0" frictionloss=".1"/>
<joint name="e" type="ball" damping=".1"/><geom type="capsule" size=".05 .2"/></body></body>
<body name="f" pos="1 1 1"><joint name="f" axis="1 0 0"/><geom type="capsule" size=".05 .2"/></body></worldbody>
<tendon><fixed name="t" frictionloss=".3" range="-.1 .2" limited="true"><joint joint="c" coef="2"/><joint joint="f" coef="1"/></fixed></tendon>
<equality><connect body1="e" body2="f" anchor="0 0 .2"/><joint joint1="c" joint2="f" polycoef="0 .5 0 0 0"/></equality>
<actuator><position joint="c" kp="3" kv=".4" ctrlrange="-1 1"/><general joint="f" gainprm="1" gaintype="affine" biastype="affine" biasprm="0 0 -.3"/></actuator></mujoco>"""


def pair(name, seed, disable=0, enable=0, integrator=INT_EULER):
    mj = mujoco.MjModel.from_xml_string(ROWS.format(condim=name)) if isinstance(name, int) else models.official(name)
    mj.opt.integrator = integrator
    mj.opt.disableflags |= disable | (DSBL_CONTACT if name in ("mixed", "strung") else 0)
    mj.opt.enableflags |= enable
    mjd = mujoco.MjData(mj)
    randomize(mj, mjd, seed, 0.3)
    if isinstance(name, int):
        mjd.qpos[2] = 0.08
        mjd.qpos[9] = 0.18
        mjd.qpos[10:14] = [1, 0.01, 0.02, 0.03]
    m = model_from(mj)
    d = Data(m)
    take_state(d, mjd)
    return mj, mjd, m, d


@pytest.mark.parametrize("cone", [0, 1])
@pytest.mark.parametrize("name", [*models.NAMES, 1, 3, 4, 6])
def test_force_of_a_given_acceleration(name, cone):
    for seed in range(3):
        mj, mjd, m, d = pair(name, seed)
        mj.opt.cone = m.opt_cone = cone
        mjd.qacc[:] = d.qacc[:] = 5 * np.random.default_rng(seed).normal(size=mj.nv)
        mujoco.mj_inverse(mj, mjd)
        step.inverse(m, d)
        assert d.nefc == mjd.nefc and (d.nefc > 12 or not isinstance(name, int))
        for field in ("qfrc_inverse", "qfrc_constraint", "qacc"):
            assert rel(getattr(d, field), getattr(mjd, field)) < 1e-11, field
        assert rel(d.efc_force[:d.nefc], mjd.efc_force) < 1e-11


@pytest.mark.parametrize("integrator", [INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_DISCRETE])
@pytest.mark.parametrize("name", ["mixed", "driven", "strung", "humanoid", 4])
def test_discrete_inverse_of_the_official_one(name, integrator):
    for seed in range(3):
        mj, mjd, m, d = pair(name, seed, 0, ENBL_INVDISCRETE, integrator)
        qacc = np.random.default_rng(seed).normal(size=mj.nv)
        mujoco.mj_forward(mj, mjd)
        mjd.qacc[:] = d.qacc[:] = qacc
        mujoco.mj_inverse(mj, mjd)
        step.inverse(m, d)
        assert rel(d.qfrc_inverse, mjd.qfrc_inverse) < 1e-10
        assert (d.qacc == qacc).all()


@pytest.mark.parametrize("name", ["humanoid", "driven", 3, 6])
def test_forward_and_inverse_agree(name):
    """Ideas 55 and 33-35 of the reference: applied and actuator forces come back."""
    _, _, m, d = pair(name, 1)
    m.opt_tolerance = m.opt_ls_tolerance = 0.0
    step.forward(m, d)
    wanted = d.qfrc_smooth - d.qfrc_passive + d.qfrc_bias
    qfrc = d.qfrc_constraint.copy()
    step.inverse(m, d)
    assert rel(d.qfrc_inverse, wanted) < 1e-9 and (not d.nefc or rel(d.qfrc_constraint, qfrc) < 1e-9)


@pytest.mark.parametrize("integrator", [INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_DISCRETE])
@pytest.mark.parametrize("name", ["mixed", "driven", "strung", 3])
def test_the_discrete_inverse_finds_what_moved_a_step(name, integrator):
    """The acceleration is the change of velocity over a step; without invdiscrete it gives another force."""
    _, _, m, d = pair(name, 2, 0, ENBL_INVDISCRETE, integrator)
    m.opt_tolerance = m.opt_ls_tolerance = 0.0
    step.forward(m, d)
    wanted = d.qfrc_smooth - d.qfrc_passive + d.qfrc_bias
    after = d.copy()
    assert step.step(m, after) == 1
    d.qacc[:] = (after.qvel - d.qvel) / m.opt_timestep
    step.inverse(m, d)
    assert rel(d.qfrc_inverse, wanted) < 1e-8
    m.opt_enableflags &= ~ENBL_INVDISCRETE
    step.inverse(m, d)
    assert (rel(d.qfrc_inverse, wanted) > 1e-4) == (integrator != INT_DISCRETE)   # that one implies the flag


@pytest.mark.parametrize("flag", [0, ENBL_INVDISCRETE])
def test_sensors_see_the_given_acceleration(flag):
    """With invdiscrete it is the continuous one, as in the official engine."""
    xml = ROWS.format(condim=3).replace("</actuator>", '</actuator><sensor><framelinacc objtype="body" objname="e"/><frameangacc objtype="body" objname="f"/></sensor>')
    mj, mjd, m, d = pair_from(xml)
    for opt in (mj.opt, m.opt):
        opt.enableflags |= flag
        opt.integrator = INT_IMPLICITFAST
    mujoco.mj_forward(mj, mjd)
    mjd.qacc[:] = d.qacc[:] = np.random.default_rng(0).normal(size=mj.nv)
    mujoco.mj_inverse(mj, mjd)
    step.inverse(m, d)
    assert rel(d.sensordata, mjd.sensordata) < 1e-11 and (d.qacc == mjd.qacc).all()


def test_rk4_has_no_discrete_inverse():
    _, _, m, d = pair("driven", 0, 0, ENBL_INVDISCRETE, INT_RK4)
    with pytest.raises(ValueError, match="RK4"):
        step.inverse(m, d)


def test_stages_that_are_done_are_skipped():
    _, _, m, d = pair(4, 3)
    d.qacc[:] = 1
    step.inverse(m, d)
    first = d.qfrc_inverse.copy()
    d.qpos[0] += 1
    d.qvel += 1
    step.inverse(m, d, 2)
    assert (d.qfrc_inverse == first).all()
    step.inverse(m, d, 1)
    assert np.abs(d.qfrc_inverse - first).max() > 0.01
    with pytest.raises(ValueError):
        step.inverse(m, d, 9)


@pytest.mark.parametrize("flag", [0, ENBL_INVDISCRETE])
def test_comparison_of_forward_with_inverse(flag):
    """With a loose solver both numbers are those of the official engine; the forward results stay as they were."""
    mj, mjd, m, d = pair(4, 0, 0, ENBL_FWDINV, INT_EULER)
    for each in (mj.opt, m.opt):
        each.tolerance, each.iterations = 1e-12, 50
    mujoco.mj_forward(mj, mjd)
    step.forward(m, d)
    d.qacc[:] = mjd.qacc[:] = mjd.qacc + 0.01
    kept = d.qfrc_constraint.copy(), d.efc_force.copy()
    mujoco.mj_compareFwdInv(mj, mjd)
    found = step.compare_fwd_inv(m, d)
    assert rel(found, mjd.solver_fwdinv) < 1e-6 and min(found) > 0
    assert (d.qfrc_constraint == kept[0]).all() and (d.efc_force == kept[1]).all()


def test_the_flag_compares_at_every_step():
    _, _, m, d = pair(3, 0, 0, ENBL_FWDINV)
    plain, _ = d.copy(), step.step(m, d)
    assert 0 < d.solver_fwdinv[1] < 1e-3
    m.opt_enableflags &= ~ENBL_FWDINV
    step.step(m, plain)
    assert (plain.qpos == d.qpos).all() and (plain.solver_fwdinv == 0).all()


@pytest.mark.nojit
def test_inverse_by_hand():
    """A slide of 2 kg pushed against gravity on a spring and damper."""
    m = model_from(mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><body><joint type="slide" axis="0 0 1" stiffness="7" damping="3"/><geom size=".1" mass="2"/></body></worldbody></mujoco>'))
    d = Data(m)
    d.qpos[0], d.qvel[0], d.qacc[0] = 0.5, 2, 4
    step.inverse(m, d)
    assert d.qfrc_inverse[0] == pytest.approx(2 * 4 + 2 * 9.81 + 7 * 0.5 + 3 * 2, rel=1e-14)
    m.opt_enableflags |= ENBL_INVDISCRETE
    step.inverse(m, d)
    assert d.qfrc_inverse[0] == pytest.approx((2 + 3 * m.opt_timestep) * 4 + 2 * 9.81 + 7 * 0.5 + 3 * 2, rel=1e-14)
