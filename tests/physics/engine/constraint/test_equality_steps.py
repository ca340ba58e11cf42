"""Mechanisms held by equality constraints move as the official ones; constraints can be switched off."""
import mujoco
import numpy as np
import pytest

from physics.enums import DSBL_EQUALITY
from physics.kernels import load
from physics.model.data import Data
from physics.simulate import step
from tests.physics.engine.constraint import official as o
from tests.physics.engine.oracle_model import model_from, rel, take_state

OPTIONS = ("", 'cone="elliptic"', 'integrator="implicitfast"', 'integrator="RK4"', 'jacobian="sparse"')


@pytest.fixture(scope="module", autouse=True)
def kernels():
    load.ensure(["physics.engine.forward"])


def off_after(mj, steps, switch=()):
    """Largest relative difference of positions and velocities after so many steps, both solvers run to the end."""
    mj.opt.tolerance = mj.opt.ls_tolerance = 0.0
    m, mjd = model_from(mj), mujoco.MjData(mj)
    d = Data(m)
    mjd.qvel[:] = 0.3 * np.random.default_rng(1).normal(size=mj.nv)
    for i in switch:
        mjd.eq_active[i] ^= 1
    take_state(d, mjd)
    d.eq_active[:] = mjd.eq_active
    for _ in range(steps):
        mujoco.mj_step(mj, mjd)
    assert step.step(m, d, steps) == steps
    assert (d.ne, d.nefc) == (mjd.ne, mjd.nefc)
    return max(rel(d.qpos, mjd.qpos), rel(d.qvel, mjd.qvel))


@pytest.mark.parametrize("option", OPTIONS)
def test_rollouts_agree(option):
    assert off_after(mujoco.MjModel.from_xml_string(o.tied('timestep=".001" ' + option)), 60) < 1e-11


def test_constraints_are_switched_one_by_one():
    assert off_after(mujoco.MjModel.from_xml_string(o.tied('timestep=".001"')), 20, switch=(0, 3, 8, 10)) < 1e-11


def test_all_are_switched_off_by_the_flag():
    mj = mujoco.MjModel.from_xml_string(o.tied('timestep=".001"'))
    mj.opt.disableflags |= DSBL_EQUALITY
    assert off_after(mj, 20) < 1e-11
