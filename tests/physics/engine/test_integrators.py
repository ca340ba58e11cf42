"""Rollouts without constraints follow the official engine to 1e-10 over 100 steps, with every integrator."""
import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.enums import DSBL_ACTUATION, DSBL_CONSTRAINT, DSBL_DAMPER, DSBL_EULERDAMP, DSBL_SPRING, INT_DISCRETE, INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_RK4
from physics.model.data import Data
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, randomize, rel, take_state

INTEGRATORS = {"euler": INT_EULER, "rk4": INT_RK4, "implicit": INT_IMPLICIT, "implicitfast": INT_IMPLICITFAST, "discrete": INT_DISCRETE}


def rollout(mj, steps, flags=0, speed=0.3):
    """Largest relative difference of qpos, qvel and act after so many steps from a common state near the initial pose."""
    mj.opt.disableflags |= DSBL_CONSTRAINT | flags
    mj.opt.tolerance = 0  # the official engine solves for couplings in the discrete integrator's effective mass matrix as far as it says
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    randomize(mj, mjd, 1, speed)
    mjd.qpos[:] = mj.qpos0 + 0.1 * np.random.default_rng(0).normal(size=mj.nq)
    mjd.xfrc_applied[:] = 0
    take_state(d, mjd)
    for _ in range(steps):
        mujoco.mj_step(mj, mjd)
    assert stages.step_n(m, d, steps) == steps
    assert d.time == mjd.time
    assert not any(w.number for w in mjd.warning)
    assert rel(d.qacc_warmstart, mjd.qacc_warmstart) < 1e-8
    return max(rel(d.qpos, mjd.qpos), rel(d.qvel, mjd.qvel), rel(d.act, mjd.act))


@pytest.mark.parametrize("integrator", INTEGRATORS)
@pytest.mark.parametrize("name", models.NAMES)
def test_rollouts_agree(name, integrator):
    mj = models.official(name)
    mj.opt.integrator = INTEGRATORS[integrator]
    if (name, integrator) == ("reacher", "rk4"):
        mj.opt.timestep = 1e-4  # its damping is too stiff for an explicit method at the file's 0.02
    assert rollout(mj, 100) < 1e-10


@pytest.mark.parametrize("flags", [DSBL_EULERDAMP, DSBL_DAMPER, DSBL_SPRING | DSBL_DAMPER, DSBL_SPRING | DSBL_ACTUATION])
@pytest.mark.parametrize("integrator", ["euler", "implicit", "implicitfast", "discrete"])
def test_rollouts_agree_without_implicit_damping(integrator, flags):
    mj = models.official("driven")
    mj.opt.integrator = INTEGRATORS[integrator]
    assert rollout(mj, 50, flags) < 1e-10


def test_disabled_actuators_keep_their_activation():
    mj = models.official("driven")
    mj.opt.disableactuator = 1  # group 0: all but one
    for integrator in INTEGRATORS.values():
        mj.opt.integrator = integrator
        assert rollout(mj, 20) < 1e-10


@pytest.mark.parametrize("name", models.NAMES)
def test_matrices_of_the_implicit_methods_agree(name):
    mj = models.official(name)
    mj.opt.disableflags |= DSBL_CONSTRAINT
    m, mjd = model_from(mj), mujoco.MjData(mj)
    for integrator, fields in ((INT_IMPLICIT, ("qDeriv", "qLU")), (INT_IMPLICITFAST, ("qH", "qHDiagInv"))):
        for seed in range(3):
            d = Data(m)
            m.opt_integrator = mj.opt.integrator = integrator
            randomize(mj, mjd, seed)
            take_state(d, mjd)
            mujoco.mj_step(mj, mjd)
            assert stages.step(m, d) == 1
            for field in fields:
                assert rel(getattr(d, field), getattr(mjd, field)) < 1e-11, field


def test_implicitfast_turns_fast_lone_bodies_like_the_reference():
    mj = mujoco.MjModel.from_xml_string(
        """<mujoco><option integrator="implicitfast" timestep="0.01"/><worldbody>
        <body><freejoint/><geom type="box" size=".1 .2 .3"/></body>
        <body pos="3 0 0"><joint type="free" damping=".3"/><geom type="box" size=".1 .2 .3" pos=".2 .1 .05" euler="10 20 30"/></body>
        </worldbody></mujoco>"""
    )
    assert rollout(mj, 100, speed=10.0) < 1e-10


@pytest.mark.parametrize("integrator", ["implicitfast", "discrete"])
def test_what_is_welded_to_a_lone_body_turns_with_it(integrator):
    mj = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option integrator="{integrator}" timestep="0.002"/><worldbody>
        <body><freejoint/><geom type="box" size=".1 .2 .3"/><body pos=".4 .1 0" euler="10 20 30"><geom type="box" size=".1 .02 .05"/>
        <body pos="0 .1 .2"><geom size=".05"/></body></body></body></worldbody></mujoco>"""
    )
    assert rollout(mj, 30, speed=5.0) < 1e-11


@pytest.mark.parametrize("damping", [0, 0.3])
def test_euler_takes_the_forces_of_a_solver_that_was_stopped_early(damping):
    """One damped tree, and one without dampers that the solver is not done with after an iteration."""
    mj = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option iterations="1"/><worldbody><body pos="0 0 1"><joint axis="0 1 0" damping="{damping}"/><geom size=".1" pos=".3 0 .2"/></body>
        <body pos="1 0 1"><freejoint/><geom type="box" size=".1 .2 .15" pos=".05 0 0"/><body pos=".3 .2 0">
        <joint type="ball" limited="true" range="0 20" frictionloss=".1"/><geom size=".05 .2" type="capsule"/></body></body></worldbody></mujoco>"""
    )
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    mjd.qvel[:] = np.linspace(-1, 1, mj.nv)
    for _ in range(40):
        take_state(d, mjd)
        mujoco.mj_step(mj, mjd)
        assert stages.step(m, d) == 1 and rel(d.qvel, mjd.qvel) < 1e-10


@pytest.mark.nojit
@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_small_rollouts_agree(integrator):
    mj = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><body><freejoint/><geom type="box" size=".1 .2 .3" pos=".05 0 0"/></body>
        <body pos="2 0 0"><joint name="b" type="ball" damping=".2"/><geom type="capsule" size=".05 .1" pos="0 .1 0"/>
        <body pos=".3 0 0"><joint name="h" axis="0 1 0" damping=".1 .2" armature=".05"/><geom size=".05"/></body></body></worldbody>
        <actuator><general joint="h" dyntype="filterexact" dynprm=".02" biastype="affine" biasprm="0 -1 -1"/>
        <motor joint="b" gear="1 2 3"/></actuator></mujoco>"""
    )
    mj.opt.integrator = INTEGRATORS[integrator]
    assert rollout(mj, 6, speed=1.0) < 1e-11
