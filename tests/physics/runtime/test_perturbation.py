"""The mouse's perturbation against the official perturbation: force, felt mass, and poses of mocap, free and floating bodies."""
import mujoco
import numpy as np
import pytest

from physics.engine.perturb import perturb_force, perturb_mass
from physics.runtime import commands as c
from tests.physics.runtime.models import ARM, do, named, simulation

BODIES = ("upper", "lower", "ball", "tail")
POINT = (0.05, -0.02, 0.1)


@pytest.fixture
def both():
    """(official model, data, simulation) in the same random state."""
    mj = mujoco.MjModel.from_xml_string(ARM)
    mjd = mujoco.MjData(mj)
    rng = np.random.default_rng(4)
    mujoco.mj_integratePos(mj, mjd.qpos, rng.normal(size=mj.nv), 0.5)
    mjd.qvel[:] = rng.normal(size=mj.nv)
    mujoco.mj_forward(mj, mjd)
    sim = simulation(named(mj))
    sim.data.qpos[:], sim.data.qvel[:] = mjd.qpos, mjd.qvel
    sim.edited()
    sim.idle()
    return mj, mjd, sim


def official(mj, mjd, body, active, localpos=POINT) -> mujoco.MjvPerturb:
    """mjv_initPerturb of the official library."""
    perturb = mujoco.MjvPerturb()
    perturb.select, perturb.active, perturb.localpos = body, active, localpos
    scene, camera = mujoco.MjvScene(mj, 100), mujoco.MjvCamera()
    mujoco.mjv_updateScene(mj, mjd, mujoco.MjvOption(), None, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
    mujoco.mjv_initPerturb(mj, mjd, scene, perturb)
    return perturb


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("kind", [c.TRANSLATE, c.ROTATE, c.TRANSLATE | c.ROTATE])
def test_force_and_felt_mass_are_the_official_ones(both, body, kind):
    mj, mjd, sim = both
    i = mj.body(body).id
    perturb = official(mj, mjd, i, kind)
    do(sim, c.PerturbStart(i, POINT, kind))
    d = sim.data
    assert d.perturb_localmass == pytest.approx(perturb.localmass, rel=1e-9)
    assert np.allclose(d.perturb_refpos, perturb.refpos) and np.allclose(d.perturb_refselpos, perturb.refselpos)
    assert np.allclose(np.abs(d.perturb_refquat @ perturb.refquat), 1)
    shift, quat = np.array([0.2, -0.3, 0.4]), np.array([0.8, 0.0, 0.6, 0.0])
    perturb.refselpos, perturb.refpos, perturb.refquat = perturb.refselpos + shift, perturb.refpos + shift, quat
    d.perturb_refselpos += shift
    d.perturb_refquat[:] = quat
    perturb_force(sim.model, d)
    mujoco.mjv_applyPerturbForce(mj, mjd, perturb)
    assert np.linalg.norm(mjd.xfrc_applied[i]) > 1e-3
    assert np.allclose(d.xfrc_perturb, mjd.xfrc_applied[i], rtol=1e-9, atol=1e-9)


@pytest.mark.nojit
def test_interpreted_kernels_agree(both):
    _mj, _mjd, sim = both
    do(sim, c.PerturbStart(2, POINT, 3), c.PerturbMove((0.5, 0.5, 1), (0.6, 0.8, 0, 0)))
    m, d = sim.model, sim.data
    perturb_force(m, d)
    compiled = d.xfrc_perturb.copy(), d.perturb_localmass
    perturb_mass.plain(m, d)
    perturb_force.plain(m, d)
    assert np.allclose(d.xfrc_perturb, compiled[0], rtol=1e-12) and d.perturb_localmass == pytest.approx(compiled[1])


def test_a_running_simulation_moves_as_with_the_official_force(both):
    mj, mjd, sim = both
    i = mj.body("lower").id
    perturb = official(mj, mjd, i, c.TRANSLATE)
    goal = np.array(perturb.refselpos) + (0.3, 0, 0.2)
    do(sim, c.PerturbStart(i, POINT))
    sim.running = True  # the spring acts only while time passes
    do(sim, c.PerturbMove(tuple(goal)))
    perturb.refpos, perturb.refselpos = np.array(perturb.refpos) + goal - perturb.refselpos, goal
    sim.take(25)
    for _ in range(25):
        mjd.xfrc_applied[:] = 0
        mujoco.mjv_applyPerturbForce(mj, mjd, perturb)
        mujoco.mj_step(mj, mjd)
    assert np.allclose(sim.data.qpos, mjd.qpos, rtol=0, atol=1e-8)
    do(sim, c.PerturbStop())
    assert sim.data.perturb_bodyid == 0 and not sim.data.xfrc_perturb.any()


@pytest.mark.parametrize("body", ["paddle", "ball", "tail", "upper"])
@pytest.mark.parametrize("paused", [True, False])
def test_poses_are_the_official_ones(both, body, paused):
    mj, mjd, sim = both
    i = mj.body(body).id
    perturb = official(mj, mjd, i, c.TRANSLATE)
    goal, quat = np.array(perturb.refselpos) + (0.3, -0.1, 0.2), np.array([0.6, 0, 0, 0.8])
    perturb.refpos, perturb.refselpos, perturb.refquat = np.array(perturb.refpos) + goal - perturb.refselpos, goal, quat
    mujoco.mjv_applyPerturbPose(mj, mjd, perturb, paused)
    before = sim.data.qpos.copy(), sim.data.mocap_pos.copy()
    do(sim, c.PerturbStart(i, POINT))
    sim.running = not paused
    do(sim, c.PerturbMove(tuple(goal), tuple(quat)))
    for ours, theirs in ((sim.data.qpos, mjd.qpos), (sim.data.mocap_pos, mjd.mocap_pos), (sim.data.mocap_quat, mjd.mocap_quat)):
        assert np.allclose(ours, theirs, atol=1e-12)
    moved = not np.allclose(before[0], mjd.qpos) or not np.allclose(before[1], mjd.mocap_pos)
    assert moved == (body == "paddle" or (paused and body in ("ball", "tail")))
    if body == "tail" and paused:
        mujoco.mj_forward(mj, mjd)
        assert np.allclose(sim.data.xpos[i], mjd.xpos[i]) and np.allclose(sim.data.xipos[i], perturb.refpos, atol=1e-9)


def test_a_mocap_body_is_moved_and_not_pulled(both):
    """Also in the first step after a motion, whose force is found before the body is there."""
    mj, _mjd, sim = both
    i = mj.body("paddle").id
    do(sim, c.PerturbStart(i, POINT))
    sim.running = True
    do(sim, c.PerturbMove(tuple(sim.data.perturb_refselpos + (0.3, -0.1, 0.2)), (0.6, 0, 0, 0.8)))
    sim.take(1)
    assert sim.data.perturb_bodyid == i and np.allclose(sim.data.xipos[i], sim.data.perturb_refpos)
    assert not sim.data.xfrc_perturb.any()


def test_posing_while_paused(both):
    mj, _mjd, sim = both
    i = mj.body("tail").id
    pos, quat = np.array([0.5, 0.6, 0.7]), np.array([0.6, 0.8, 0, 0])
    assert not do(sim, c.PoseFree(i, tuple(pos), tuple(quat)))
    assert np.allclose(sim.data.xpos[i], pos) and np.allclose(np.abs(sim.data.xquat[i] @ quat), 1)
    events = do(sim, c.PoseFree(mj.body("lower").id, tuple(pos), tuple(quat)))
    assert "fixed to the world" in events[0].text
    assert [e.kind for e in do(sim, c.PerturbStart(99))] == ["refused"]
