"""Derivatives of passive forces by velocity: against differences of the forces, and against the official matrix."""
import re

import mujoco
import numpy as np
import pytest

from physics.engine import forward as stages
from physics.engine.integrator import derivative, fluid_derivative
from physics.enums import DSBL_ACTUATION, DSBL_CONSTRAINT, DSBL_DAMPER, DSBL_SPRING
from physics.model.data import Data
from tests.naive import smooth
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, pair_from, randomize, rel, take_state

PLATE = """<mujoco><option density="1.5" viscosity="{viscosity}" wind="{wind}" timestep="1e-3"/><worldbody>
<body pos="0 0 1"><freejoint/><geom type="box" size="{size}" density="50" {shape}/></body>
<body pos="1 0 1"><joint axis="0 1 0"/><geom type="capsule" size=".02 .2" {shape}/>
<body pos=".3 0 0"><joint type="ball"/><geom type="ellipsoid" size=".05 .1 .02" {shape}/></body></body></worldbody></mujoco>"""
ELLIPSOID = 'fluidshape="ellipsoid" fluidcoef=".7 .3 1.3 .9 1.1"'


def at(mj, seed, speed=1.0):
    """Official and our model and data at a random state."""
    mj.opt.disableflags |= DSBL_CONSTRAINT
    mjd = mujoco.MjData(mj)
    randomize(mj, mjd, seed, speed)
    m = model_from(mj)
    d = Data(m)
    take_state(d, mjd)
    return mjd, m, d


def full(m, values):
    """Matrix of the numbers in the full pattern."""
    return smooth.csr(m.D_rownnz, m.D_rowadr, m.D_colind, values, m.nv)


def by_differences(m, d, h=1e-6):
    """Derivative of the passive forces by velocity."""
    qvel, columns = d.qvel.copy(), []
    for k in range(m.nv):
        ends = []
        for s in (h, -h):
            d.qvel[:] = qvel
            d.qvel[k] += s
            stages.forward(m, d)
            ends.append(d.qfrc_passive.copy())
        columns.append((ends[0] - ends[1]) / (2 * h))
    d.qvel[:] = qvel
    stages.forward(m, d)
    return np.array(columns).T


def passive_slope(m, d):
    """Our derivative of the passive forces: that of all forces less that with neither dampers nor medium."""
    m.opt_disableflags |= DSBL_ACTUATION
    stages.forward(m, d)
    derivative.smooth_slope(m, d)
    whole = full(m, d.qDeriv)
    flags = m.opt_disableflags
    m.opt_disableflags |= DSBL_SPRING | DSBL_DAMPER
    derivative.smooth_slope(m, d)
    m.opt_disableflags = flags
    return whole - full(m, d.qDeriv)


@pytest.mark.parametrize("shape", ["", ELLIPSOID])
@pytest.mark.parametrize("size", [".2 .1 .002", ".05 .05 .05", ".01 .2 .003"])
@pytest.mark.parametrize("viscosity, wind", [(0.0, "0 0 0"), (0.2, "1 2 -3")])
def test_tumbling_thin_things(shape, size, viscosity, wind):
    mj = mujoco.MjModel.from_xml_string(PLATE.format(shape=shape, size=size, viscosity=viscosity, wind=wind))
    for seed in range(3):
        _mjd, m, d = at(mj, seed, 3.0)
        expected = by_differences(m, d)
        assert np.allclose(passive_slope(m, d), expected, rtol=1e-6, atol=1e-8 * np.abs(expected).max())


@pytest.mark.parametrize("shape", ["", ELLIPSOID + " "])
@pytest.mark.parametrize("name", ["humanoid", "mixed", "driven"])
def test_passive_derivatives_of_whole_models(name, shape):
    mj = models.official(name)
    if name != "humanoid":
        mj = mujoco.MjModel.from_xml_string(re.sub(r"<geom (?!geom=)", f"<geom {shape}", models.OWN[name]))
    mj.opt.density, mj.opt.viscosity, mj.opt.wind[:] = 3.0, 0.5, (1, -1, 2)
    _mjd, m, d = at(mj, 4)
    expected, ours = by_differences(m, d), passive_slope(m, d)
    known = full(m, np.ones(m.nD)) > 0  # what ties branches together (tendons) has no entries
    assert np.allclose(ours, expected * known, rtol=1e-6, atol=1e-7 * np.abs(expected).max())


SMALL_SIZES = (0.1, 0.01, 0.001)
SLOW_SPEEDS = (1.0, 1e-3, 1e-7)


@pytest.mark.parametrize("speed", SLOW_SPEEDS)
@pytest.mark.parametrize("size", SMALL_SIZES)
@pytest.mark.parametrize("coefficients", ["1 0 0 0 0", "0 1 0 0 0", "0 0 1 0 0", "0 0 0 1 0", "0 0 0 0 1"])
def test_small_and_slow_shapes_are_as_in_4_0(coefficients, size, speed):
    """Before 4.0 floors under small numbers bent these."""
    text = f"""<mujoco><option density="1.2" integrator="implicit"/><worldbody><body><freejoint/>
    <geom type="ellipsoid" size="{size} {1.7 * size} {2.3 * size}" mass="1" fluidshape="ellipsoid" fluidcoef="{coefficients}"/></body></worldbody></mujoco>"""
    mj, mjd, m, d = pair_from(text)
    mjd.qvel[:] = speed * np.random.default_rng(0).normal(size=6)
    take_state(d, mjd)
    mujoco.mj_step(mj, mjd)
    stages.forward(m, d)
    force = mjd.qfrc_fluid.copy()
    assert rel(d.qfrc_fluid[:3], force[:3]) < 1e-12 and rel(d.qfrc_fluid[3:], force[3:]) < 1e-12
    medium = mjd.qDeriv.reshape(6, 6).copy()
    mj.opt.density = 0.0
    mjd = mujoco.MjData(mj)
    mjd.qvel[:] = d.qvel
    mujoco.mj_step(mj, mjd)
    medium -= mjd.qDeriv.reshape(6, 6)
    fluid_derivative.fluid_slopes(m, d)
    ours = np.array([[d.fluid_row[i] @ d.cdof[k] if k <= i else d.cdof[i] @ d.fluid_col[k] for k in range(6)] for i in range(6)])
    for rows in (slice(0, 3), slice(3, 6)):
        for columns in (slice(0, 3), slice(3, 6)):
            worst = np.abs(medium[rows, columns]).max()
            assert np.abs(ours - medium)[rows, columns].max() <= 1e-11 * worst + 1e-19


@pytest.mark.parametrize("ellipsoids", [False, True])
@pytest.mark.parametrize("name", models.OWN)
def test_the_full_matrix_is_the_official_one(name, ellipsoids):
    text = re.sub(r"<geom (?!geom=)", f"<geom {ELLIPSOID} ", models.OWN[name]) if ellipsoids else models.OWN[name]
    mj = mujoco.MjModel.from_xml_string(text)
    mj.opt.density, mj.opt.viscosity, mj.opt.wind[:], mj.opt.integrator = 3.0, 0.5, (1, -1, 2), mujoco.mjtIntegrator.mjINT_IMPLICIT
    mjd, m, d = at(mj, 6)
    stages.forward(m, d)
    derivative.smooth_slope(m, d)
    mujoco.mj_step(mj, mjd)
    ours, theirs = full(m, d.qDeriv), full(m, np.asarray(mjd.qDeriv).ravel())
    assert np.abs(ours - theirs).max() < 1e-12 * np.abs(theirs).max()


@pytest.mark.nojit
def test_the_symmetric_part_goes_into_the_rows_of_the_inertia():
    mj = mujoco.MjModel.from_xml_string(PLATE.format(shape=ELLIPSOID, size=".2 .1 .01", viscosity=0.1, wind="1 2 3"))
    _mjd, m, d = at(mj, 1)
    stages.forward(m, d)
    derivative.damped_inertia(m, d)
    ours = (smooth.dense(m, d.M) - smooth.dense(m, d.qH)) / m.opt_timestep
    whole = passive_slope(m, d)
    known = smooth.dense(m, np.ones(m.nC)) > 0
    assert rel(ours, (whole + whole.T) / 2 * known) < 1e-9
    assert not np.allclose(whole, whole.T, rtol=1e-3)
