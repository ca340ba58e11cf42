"""Moving surfaces: conveyors, turntables and belts on moving bodies, beside the official engine and by their documented speeds."""
import mujoco
import numpy as np
import pytest

import physics
from physics import Data
from tests.physics.engine.oracle_model import pair_from, rel

CONES = ("pyramidal", "elliptic")
BOX = '<body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="1" condim="{0}"/></body>'
SCENE = '<mujoco><option cone="{0}" {3}/><worldbody>{1}{2}</worldbody></mujoco>'
MANY = """<geom type="plane" size="0 0 1" surfacevel=".5 .2 .1 .3 .2 1" condim="{0}"/>
  <body pos="0 0 .1"><freejoint/><geom size=".1" surfacevel="0 .3 0 1 0 2" condim="{0}"/></body>
  <body pos=".3 0 .1" euler="20 30 40"><freejoint/><geom type="capsule" size=".08 .1" condim="3"/><geom type="box" size=".05 .05 .1" pos="0 0 .1" surfacevel="0 0 1 0 0 0"/></body>
  <body pos=".25 .1 .3"><freejoint/><geom type="box" size=".1 .12 .08" condim="{0}" priority="1"/></body>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def ended(cone, worldbody, seconds, option="", qvel=()):
    m = physics.load_string(SCENE.format(cone, worldbody, "", option))
    d = Data(m)
    d.qvel[:len(qvel)] = qvel
    physics.step(m, d, round(seconds / m.opt_timestep))
    return d


@pytest.mark.parametrize("cone", CONES)
def test_a_conveyor_carries_at_its_speed(cone):
    d = ended(cone, '<geom type="plane" size="5 5 .1" surfacevel=".5 0 0 0 0 0"/>' + BOX.format(3), 2)
    assert np.allclose(d.qvel[[0, 1, 5]], (0.5, 0, 0), atol=1e-3)


@pytest.mark.parametrize("cone", CONES)
def test_a_turntable_turns_what_stands_on_its_axis(cone):
    d = ended(cone, '<geom type="plane" size="5 5 .1" condim="6" surfacevel="0 0 0 0 0 1"/>' + BOX.format(6), 4)
    assert np.allclose(d.qvel[[0, 1, 5]], (0, 0, 1), atol=1e-3)


def test_motion_along_the_normal_does_nothing():
    d = ended("pyramidal", '<geom type="plane" size="5 5 .1" surfacevel="0 0 1 0 0 0"/>' + BOX.format(3), 2)
    assert np.allclose(d.qvel, 0, atol=1e-6)


def test_a_belt_on_a_vehicle_adds_its_speed_to_the_vehicles():
    vehicle = """<geom type="plane" size="10 10 .1" friction="0 0 0" condim="1" priority="1"/>
      <body pos="0 0 .15"><freejoint/><geom type="box" size=".5 .3 .04" mass="10"/>
        <geom type="box" size=".4 .25 .01" pos="0 0 .05" mass=".01" surfacevel=".3 0 0 0 0 0"/></body>
      <body pos="0 0 .3"><freejoint/><geom type="box" size=".08 .08 .08" mass=".1"/></body>"""
    d = ended("pyramidal", vehicle, 1, qvel=(0.2,))
    assert d.qvel[6] - d.qvel[0] == pytest.approx(0.3, abs=1e-3)


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "discrete"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("cone", CONES)
def test_many_surfaces_move_things_as_officially(cone, condim, integrator):
    mj, mjd, m, d = pair_from(SCENE.format(cone, MANY.format(condim), "", f'integrator="{integrator}"'))
    mj.opt.tolerance = m.opt_tolerance = 0
    mj.opt.ls_tolerance = m.opt_ls_tolerance = 0
    moving = 0.0
    for k in range(30):
        mujoco.mj_step(mj, mjd)
        physics.step(m, d)
        if k % 10:
            continue
        d.qpos[:], d.qvel[:], d.qacc_warmstart[:] = mjd.qpos, mjd.qvel, mjd.qacc_warmstart
        mujoco.mj_forward(mj, mjd)
        physics.forward(m, d)
        assert d.ncon == mjd.ncon
        assert np.allclose(d.contact_surfacevel[:d.ncon], mjd.contact.surfacevel, atol=1e-12)
        assert rel(d.efc_vel[:d.nefc], mjd.efc_vel) < 1e-8
        assert rel(d.qacc, mjd.qacc) < 1e-6
        moving = max(moving, np.abs(d.contact_surfacevel[:d.ncon]).max(initial=0))
        mujoco.mj_inverse(mj, mjd)
        physics.inverse(m, d)
        if integrator != "discrete":
            assert np.allclose(d.qfrc_inverse, mjd.qfrc_inverse, rtol=1e-5, atol=1e-5)
    assert moving > 0.1


def test_the_flag_switches_surfaces_off():
    m = physics.load_string(SCENE.format("pyramidal", MANY.format(3), "", ""))
    d = Data(m)
    physics.forward(m, d)
    assert d.contact_surfacevel[:d.ncon].any() and d.contact[0].surfacevel.shape == (3,)
    m.flg_surfacevel = 0
    physics.forward(m, d)
    assert d.ncon and not d.contact_surfacevel[:d.ncon].any() and not d.efc_vel[:d.nefc].any()


@pytest.mark.nojit
def test_surfaces_under_the_interpreter():
    """Rows of a resting ball are as fast as the belt under it, in the pyramid's edges with their friction."""
    for cone in CONES:
        m = physics.load_string(SCENE.format(cone, '<geom type="plane" size="1 1 1" surfacevel="1 0 0 0 0 2" margin=".001"/>', BOX.format(4), ""))
        d = Data(m)
        physics.forward(m, d)
        k = d.contact_efc_address[0]
        x, y = d.contact_pos[0, :2]
        belt = d.contact_frame[0].reshape(3, 3) @ (-1 + 2 * y, -2 * x, 0)
        assert np.allclose(d.contact_surfacevel[0], (belt[1], belt[2], -2))
        expected = (0, belt[1], belt[2], -2) if cone == "elliptic" else (belt[1], -belt[1], belt[2], -belt[2], -2 * 0.005, 2 * 0.005)
        assert np.allclose(d.efc_vel[k:k + len(expected)], expected)
