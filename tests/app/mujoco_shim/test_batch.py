"""mujoco.batch under `linkwork exec`: simulations equal single MjData to the bit, fields of the model for each, errors and warnings of single ones."""
import ctypes

import numpy as np
import pytest

from app.mujoco_shim import mujoco
from app.mujoco_shim.mujoco import batch
from tests.app.mujoco_shim.models import ARM

N = 5
STAGE = mujoco.mjtStage


@pytest.fixture(scope="module")
def model():
    return mujoco.MjModel.from_xml_string(ARM)


def singles(model):
    return [mujoco.MjData(model) for _ in range(N)]


@pytest.mark.parametrize("persistent", [False, True])
def test_simulations_equal_single_ones_to_the_bit(model, persistent):
    many, ones, rng = batch.Batch(model, N, 2, persistent), singles(model), np.random.default_rng(0)
    felt = many.sensordata
    for k in range(6):
        control = rng.normal(size=(N, 2))
        many.ctrl = control
        mask = np.arange(N) != k
        many.step(mask, nstep=3)
        for i in np.flatnonzero(mask):
            ones[i].ctrl[:] = control[i]
            mujoco.mj_step(model, ones[i], 3)
    for i, data in enumerate(ones):
        np.testing.assert_array_equal(many.qpos[i], data.qpos)
        np.testing.assert_array_equal(felt[i], data.sensordata)
        assert many.time[i] == data.time


def test_bound_fields_are_views_of_the_state_and_found_ones_are_read_only(model):
    many = batch.Batch(model, N)
    many.qvel[2, 3] = 7.0
    assert (many.state == 7.0).sum() == 1 and many.bind("xpos").shape == (N, model.nbody, 3)
    with pytest.raises(ValueError):
        many.xpos[0] = 1
    with pytest.raises(ValueError, match="computed by every call"):
        many.xpos = 1
    assert {"qpos", "xpos", "ncon"} < batch.DATA_FIELDS and {"body_mass", "opt.gravity"} < batch.MODEL_FIELDS


def test_a_stage_after_the_step_makes_fields_up_to_it_current(model):
    many = batch.Batch(model, N)
    many.qvel = 1.0
    xpos, qacc, velocity = many.xpos, many.qacc, many.actuator_velocity
    many.step(stage=STAGE.mjSTAGE_VEL)
    data = mujoco.MjData(model)
    data.qvel[:] = 1
    mujoco.mj_step(model, data)
    np.testing.assert_array_equal(qacc[0], data.qacc)      # of the step
    mujoco.mj_step1(model, data)
    np.testing.assert_array_equal(xpos[0], data.xpos)      # of the new state
    np.testing.assert_array_equal(velocity[0], data.actuator_velocity)


def test_masses_of_each_with_constants_found_anew(model):
    many, body = batch.Batch(model, N), model.body("lower").id
    many.body("lower").mass = np.linspace(.2, 2, N).reshape(N, 1)
    assert many.expanded("body_subtreemass") is None
    many.set_const()
    many.step(nstep=4)
    for i in (0, 4):
        one = mujoco.MjModel.from_xml_string(ARM)
        one.body_mass[body] = np.linspace(.2, 2, N)[i]
        data = mujoco.MjData(one)
        mujoco.mj_setConst(one, data)
        mujoco.mj_resetData(one, data)
        mujoco.mj_step(one, data, 4)
        np.testing.assert_array_equal(many.qpos[i], data.qpos)
        np.testing.assert_array_equal(many.get_model(i).body_subtreemass, one.body_subtreemass)
    assert not many.expanded("body_invweight0").flags.writeable


def test_models_of_the_caller(model):
    models = [model.__copy__() for _ in range(N)]
    for i, one in enumerate(models):
        one.opt.gravity[2] = -i
    many = batch.Batch(model, N)
    many.set_models(models)
    many.step(nstep=3)
    data = mujoco.MjData(models[3])
    mujoco.mj_step(models[3], data, 3)
    np.testing.assert_array_equal(many.qpos[3], data.qpos)
    with pytest.raises(mujoco.FatalError, match="caller models"):
        many.expand("body_mass")
    many.set_models(None)
    many.reset()
    many.step(nstep=3)
    np.testing.assert_array_equal(many.qpos[3], many.qpos[0])


def test_a_diverging_one_starts_over_and_is_counted(model):
    many = batch.Batch(model, N)
    many.qvel[2, 1] = np.inf
    many.step(nstep=3)
    data = mujoco.MjData(model)
    data.qvel[1] = np.inf
    mujoco.mj_step(model, data, 3)
    np.testing.assert_array_equal(many.qpos[2], data.qpos)
    kind = int(mujoco.mjtWarning.mjWARN_BADQVEL)
    assert many.warning[2, kind].tolist() == [1, 1] and many.warning[0, kind, 1] == 0
    many.step()
    assert many.time[2] == pytest.approx(4 * model.opt.timestep)


def test_structure_that_differs_is_an_error_of_that_one(model):
    many = batch.Batch(model, N)
    many.expand("actuator_biastype")[3] = 0
    with pytest.raises(batch.SimulationError, match=r"1 of 5 simulations \(3\)") as found:
        many.step()
    assert found.value.ids.tolist() == [3] and many.time[3] == 0 and (np.delete(many.time, 3) > 0).all() and "actuator_biastype" in many.error(3)


def test_a_rollout_records_after_each_step(model):
    many, data = batch.Batch(model, N), mujoco.MjData(model)
    control = np.random.default_rng(1).normal(size=(2, 4, 2))
    found = many.rollout(4, control, record=("qpos", "sensordata", mujoco.mjtState.mjSTATE_QVEL), ids=[1, 3])
    for k in range(4):
        data.ctrl[:] = control[1, k]
        mujoco.mj_step(model, data)
        np.testing.assert_array_equal(found["qpos"][1, k], data.qpos)
        np.testing.assert_array_equal(found["sensordata"][1, k], data.sensordata)
    np.testing.assert_array_equal(many.qvel[3], found[mujoco.mjtState.mjSTATE_QVEL][1, -1])
    assert many.time[0] == 0


def test_jacobians_and_rays_are_those_of_single_ones(model):
    many, body = batch.Batch(model, N), model.body("lower").id
    many.qpos[:, 4] = np.linspace(-1, 1, N)
    jacp, jacr = many.jac(body, [.5, 0, 1])
    dist, geom, normal = many.ray([[.1, 0, 3], [.58, 0, 3]], [0, 0, -1.0], normal=True)
    data, ep, er, hit = mujoco.MjData(model), np.zeros((3, model.nv)), np.zeros((3, model.nv)), np.zeros(1, np.int32)
    for i in range(N):
        data.qpos[:] = many.qpos[i]
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_jac(model, data, ep, er, np.array([.5, 0, 1]), body)
        np.testing.assert_array_equal(jacp[i], ep)
        np.testing.assert_array_equal(jacr[i], er)
        assert dist[i, 1] == mujoco.mj_ray(model, data, np.array([.58, 0, 3]), np.array([0, 0, -1.0]), None, 1, -1, hit) and geom[i, 1] == hit[0]
    assert dist.shape == (N, 2) and normal.shape == (N, 2, 3) and len(set(geom[:, 1])) > 1


def test_keyframes_for_each(model):
    many = batch.Batch(model, N)
    many.expand("key_qpos")[3, 0, 4] = -0.25
    many.step(nstep=2)
    many.reset(keyframe=[0, -1, 0, 0, -1])
    np.testing.assert_array_equal(many.qpos[:, 4], [.5, 0, .5, -.25, 0])
    np.testing.assert_array_equal(many.ctrl[0], [.2, .1])
    assert (many.time == 0).all()


def test_callbacks_of_python_are_refused_and_those_of_c_are_called(model):
    many, calls = batch.Batch(model, N), []
    try:
        mujoco.set_mjcb_control(lambda m, d: None)
        with pytest.raises(ValueError, match="mjcb_control"):
            many.step()
        kept = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(lambda m, d: calls.append((m, d)))
        mujoco.set_mjcb_control(kept)
        many.step(nstep=2)
    finally:
        mujoco.set_mjcb_control(None)
    assert len(calls) == 2 * N and many.time[0] == pytest.approx(2 * model.opt.timestep)


@pytest.mark.parametrize(("call", "text"), [
    (lambda b: b.bind("body_mass"), r"use expand\('body_mass'\)"), (lambda b: b.bind("qpso"), "did you mean 'qpos'"), (lambda b: b.bind("efc_force"), "arena"),
    (lambda b: b.expand("xpos"), r"use bind\('xpos'\)"), (lambda b: b.expand("mesh_vert"), "asset data"), (lambda b: b.expand("timestep"), r"use expand\('opt.timestep'\)"),
    (lambda b: b.step([0, N]), f"got {N}"), (lambda b: b.step([2, 1]), "got 2 before 1"), (lambda b: b.step([.5]), "integers"), (lambda b: b.reset(keyframe=1), "keyframe"),
    (lambda b: b.joint("elbow").__setattr__("qposadr", 0), "structural"), (lambda b: b.get_data(N), f"got {N}"),
])
def test_what_does_not_fit_is_named(model, call, text):
    with pytest.raises(ValueError, match=text):
        call(batch.Batch(model, N))
