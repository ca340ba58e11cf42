"""Where pictures are taken from, against the official camera of the same name."""
import mujoco
import numpy as np
import pytest

from app.bridge.view import default_camera, free_camera, view_of
from render.scene.camera import FIXED, TRACKING, CameraState
from tests.app.bridge.official import our_model, our_snapshot
from tests.app.bridge.test_scene import XML


def official(mj, mjd, camera):
    scene = mujoco.MjvScene(mj, 500)
    mujoco.mjv_updateScene(mj, mjd, mujoco.MjvOption(), None, camera, mujoco.mjtCatBit.mjCAT_ALL, scene)
    a, b = scene.camera
    return {n: (np.array(getattr(a, n)) + np.array(getattr(b, n))) / 2 for n in ("pos", "forward", "up")} | {
        "top": a.frustum_top, "bottom": a.frustum_bottom, "near": a.frustum_near, "far": a.frustum_far}


@pytest.fixture(scope="module")
def model():
    mj = mujoco.MjModel.from_xml_string(XML)
    mj.vis.global_.azimuth, mj.vis.global_.elevation, mj.vis.global_.fovy = 130, -20, 50
    mjd = mujoco.MjData(mj)
    for _ in range(30):
        mujoco.mj_step(mj, mjd)
    mujoco.mj_forward(mj, mjd)
    m = our_model(mj)
    return mj, mjd, m, our_snapshot(m, mjd)


def assert_same_view(view, theirs):
    for name, value in theirs.items():
        assert np.allclose(getattr(view, name), value, rtol=1e-5, atol=1e-5), name


def test_free_camera(model):
    mj, mjd, m, snapshot = model
    camera = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(mj, camera)
    assert_same_view(view_of(m, snapshot, free_camera(m)), official(mj, mjd, camera))
    assert default_camera(m) == free_camera(m)


@pytest.mark.parametrize("index", [0, 1])
def test_model_cameras(model, index):
    mj, mjd, m, snapshot = model
    camera = mujoco.MjvCamera()
    camera.type, camera.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, index
    assert_same_view(view_of(m, snapshot, CameraState(FIXED, fixedcamid=index)), official(mj, mjd, camera))
    m.vis.global_.cameraid = index
    assert default_camera(m) == CameraState(FIXED, fixedcamid=index)
    m.vis.global_.cameraid = -1


def test_tracking_camera_follows_the_subtree(model):
    mj, mjd, m, snapshot = model
    camera = mujoco.MjvCamera()
    camera.type, camera.trackbodyid, camera.distance, camera.azimuth, camera.elevation = mujoco.mjtCamera.mjCAMERA_TRACKING, 2, 3, 40, -30
    assert_same_view(view_of(m, snapshot, CameraState(TRACKING, distance=3, azimuth=40, elevation=-30, trackbodyid=2)), official(mj, mjd, camera))
