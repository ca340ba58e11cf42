"""Velocities and momenta of known motions, and of a humanoid against the official sums."""
import mujoco
import numpy as np

import physics
from app.bridge.options import VisOptions
from app.bridge.quantities import applied, motion, scales
from assets.locate import bundled_model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from tests.app.bridge.quantities.moments import drawn, moment, tips

BRICK = """<mujoco><option gravity="0 0 -9.81" {0}/><worldbody>
  <body pos="0 0 2" gravcomp="{1}"><freejoint/><geom type="box" size=".1 .2 .3" mass="3"/></body></worldbody></mujoco>"""


def test_a_brick_in_flight_has_the_momentum_of_its_mass_and_inertia():
    q = np.array((.8, .3, -.4, .2))
    m, _, s = moment(BRICK.format("", 0), qpos=(0, 0, 2, *q / np.linalg.norm(q)), qvel=(1, 2, -3, .5, -1, 2))
    linear, angular = motion.momenta(m, s)
    inertia = 3 / 3 * np.array([.2**2 + .3**2, .1**2 + .3**2, .1**2 + .2**2])
    np.testing.assert_allclose(linear[1], (3, 6, -9))
    np.testing.assert_allclose(angular[1], s.xmat[1].reshape(3, 3) @ (inertia * (.5, -1, 2)), rtol=1e-9)
    scene = drawn(m, s, "momentum", "linear_velocity")
    for rgba, kind, vector in ((motion.MOMENTUM, "momentum", (3, 6, -9)), (motion.LINEAR, "speed", (1, 2, -3))):
        end = s.xipos[1] + np.multiply(vector, scales.straight(m, VisOptions(), kind).metres)
        np.testing.assert_allclose(tips(scene, shapes.OBJ_BODY, rgba)[0], end, atol=1e-5)


def test_momenta_of_a_humanoid_are_the_official_sums():
    path = bundled_model("humanoid.xml")
    m, mj = physics.load(path), mujoco.MjModel.from_xml_path(str(path))
    d, mjd = physics.Data(m), mujoco.MjData(mj)
    rng = np.random.default_rng(7)
    mjd.qpos[:] = mj.qpos0
    mujoco.mj_integratePos(mj, mjd.qpos, rng.normal(0, .3, mj.nv), 1)
    mjd.qvel[:] = rng.normal(0, 1, mj.nv)
    d.qpos[:], d.qvel[:] = mjd.qpos, mjd.qvel
    physics.forward(m, d)
    mujoco.mj_forward(mj, mjd)
    mujoco.mj_subtreeVel(mj, mjd)
    s = Snapshot(m, d, 1)
    s.copy_from(d)
    heads, whole, spin = motion.tree_momenta(m, s, *motion.momenta(m, s))
    assert heads.tolist() == [1]
    np.testing.assert_allclose(whole[0], mj.body_subtreemass[1] * mjd.subtree_linvel[1], rtol=1e-7)
    np.testing.assert_allclose(spin[0], mjd.subtree_angmom[1], rtol=1e-6, atol=1e-9)


def test_lift_and_the_medium():
    m, _, s = moment(BRICK.format('viscosity="2"', ".5"), qvel=(0, 0, -1.5, 0, 0, 0))
    scale = scales.straight(m, VisOptions(), "force").metres
    scene = drawn(m, s, "gravity_compensation", "fluid_force")
    np.testing.assert_allclose(tips(scene, shapes.OBJ_BODY, applied.LIFT)[0], s.xipos[1] + (0, 0, .5 * 3 * 9.81 * scale), atol=1e-5)
    drag = 3 * np.pi * (.2 + .4 + .6) / 3 * 2 * 1.5   # Stokes' drag of a sphere as large as the box on average
    assert s.qfrc_fluid[2] == np.float64(drag) or np.isclose(s.qfrc_fluid[2], drag, rtol=1e-9)
    np.testing.assert_allclose(tips(scene, shapes.OBJ_BODY, applied.FLUID)[0], s.xipos[1] + (0, 0, drag * scales.straight(m, VisOptions(), "medium force").metres), atol=1e-5)
    m.opt.viscosity = 0.0
    assert drawn(m, s, "fluid_force").legend[0].scale == "no density or viscosity here"


SWIMMERS = """<mujoco><option density="1000" viscosity=".1" wind=".3 -.2 .1" gravity="0 0 0"/><worldbody>
  <body name="fish"><freejoint/><geom type="ellipsoid" size=".2 .1 .05" fluidshape="ellipsoid"/><geom type="capsule" size=".03 .1" pos=".2 0 0" fluidshape="ellipsoid"/>
    <body pos="-.25 0 0"><joint axis="0 0 1"/><geom type="box" size=".1 .02 .08" pos="-.1 0 0"/>
      <body pos="-.2 0 0"><joint type="ball"/><geom type="cylinder" size=".05 .1" fluidshape="ellipsoid" euler="20 30 0"/></body></body></body></worldbody></mujoco>"""


def test_forces_of_the_medium_on_bodies_add_up_to_the_official_ones_at_joints():
    speed = np.random.default_rng(3).normal(0, 1, 10)
    m, d, s = moment(SWIMMERS, qvel=speed)
    mj = mujoco.MjModel.from_xml_string(SWIMMERS)
    mjd = mujoco.MjData(mj)
    mjd.qvel[:] = speed
    mujoco.mj_forward(mj, mjd)
    wrench, felt = applied.fluid_wrenches(m, s), np.zeros(mj.nv)
    for body in range(1, mj.nbody):
        moving, turning = np.zeros((3, mj.nv)), np.zeros((3, mj.nv))
        mujoco.mj_jacBodyCom(mj, mjd, moving, turning, body)
        felt += wrench[body, :3] @ moving + wrench[body, 3:] @ turning
    assert np.abs(mjd.qfrc_fluid).max() > 1
    np.testing.assert_allclose(felt, mjd.qfrc_fluid, rtol=1e-6, atol=1e-6)
