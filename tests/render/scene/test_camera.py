"""Camera arithmetic against the official functions."""
import mujoco
import numpy as np
import pytest

from render.scene import camera
from render.scene.camera import CameraState, Lens, View, fixed_view, free_view, pixel_ray, project, projection_matrix, view_matrix
from tests.render.mujoco_scene import view_of

XML = '''<mujoco><statistic extent="2.5" center=".1 .2 .3"/><visual><global fovy="50" {glob}/><map znear=".02" zfar="40"/></visual><worldbody>
<body name="b" pos="1 2 3"><joint type="hinge"/><geom size=".1"/><body pos="1 0 0"><geom size=".3"/></body></body>
<camera name="plain" pos="1 -2 3" euler="40 20 10" fovy="60"/>
<camera name="sensor" pos="1 -2 3" euler="40 20 10" resolution="320 240" sensorsize=".04 .03" focal=".03 .032" principal=".002 .001"/>
<camera name="ortho" pos="1 -2 3" euler="40 20 10" projection="orthographic" fovy="3"/></worldbody></mujoco>'''
EXTENT = 2.5


def official(glob=''):
    m = mujoco.MjModel.from_xml_string(XML.format(glob=glob))
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    cam = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(m, cam)
    return m, d, cam


def official_view(m, d, cam):
    scene = mujoco.MjvScene(m, 100)
    mujoco.mjv_updateScene(m, d, mujoco.MjvOption(), None, cam, mujoco.mjtCatBit.mjCAT_ALL, scene)
    return view_of(scene)


def lens_of(m):
    return Lens(m.vis.global_.fovy, m.vis.map.znear * m.stat.extent, m.vis.map.zfar * m.stat.extent, bool(m.vis.global_.orthographic))


def state_of(cam):
    return CameraState(lookat=tuple(cam.lookat), distance=cam.distance, azimuth=cam.azimuth, elevation=cam.elevation)


def assert_state(ours, theirs):
    assert np.allclose([*ours.lookat, ours.distance, ours.azimuth, ours.elevation], [*theirs.lookat, theirs.distance, theirs.azimuth, theirs.elevation],
                       rtol=1e-6, atol=1e-6)      # znear is float32 there


def assert_view(ours, theirs):
    for name in ('pos', 'forward', 'up', 'top', 'bottom', 'near', 'far', 'center', 'halfwidth'):
        assert np.allclose(getattr(ours, name), getattr(theirs, name), rtol=1e-5, atol=1e-5), name
    assert ours.orthographic == theirs.orthographic


def test_default_free_camera():
    m, _, cam = official('azimuth="33" elevation="-12"')
    assert_state(camera.aligned(m.stat.center, m.stat.extent, 33, -12), cam)


@pytest.mark.parametrize('glob', ['', 'orthographic="true"'])
def test_mouse_moves_as_officially(glob):
    m, _, cam = official(glob)
    ours, lens, rng = state_of(cam), lens_of(m), np.random.default_rng(3)
    act = mujoco.mjtMouse
    moves = {act.mjMOUSE_ROTATE_V: lambda s, x, y: camera.orbit(s, x, y, EXTENT),
             act.mjMOUSE_ROTATE_H: lambda s, x, y: camera.orbit(s, x, y, EXTENT),
             act.mjMOUSE_MOVE_V: lambda s, x, y: camera.pan(s, x, y, lens, EXTENT),
             act.mjMOUSE_MOVE_H: lambda s, x, y: camera.pan(s, x, y, lens, EXTENT, horizontal=True),
             act.mjMOUSE_ZOOM: lambda s, x, y: camera.zoom(s, y, EXTENT)}
    for _ in range(200):
        action = list(moves)[rng.integers(len(moves))]
        dx, dy = rng.normal(scale=0.3, size=2)
        mujoco.mjv_moveCamera(m, action, dx, dy, cam)
        ours = moves[action](ours, dx, dy)
        assert_state(ours, cam)


def test_clamps_hold_for_absurd_moves():
    s = camera.orbit(CameraState(), 0, 50, EXTENT)
    assert s.elevation == -89
    assert camera.zoom(CameraState(), 100, EXTENT).distance == pytest.approx(0.01 * EXTENT)
    assert camera.zoom(CameraState(distance=200), -100, EXTENT).distance == pytest.approx(100 * EXTENT)


@pytest.mark.parametrize('glob', ['', 'orthographic="true"'])
def test_free_view(glob):
    m, d, cam = official(glob)
    cam.azimuth, cam.elevation, cam.distance = 17, -33, 3.3
    assert_view(free_view(state_of(cam), lens_of(m)), official_view(m, d, cam))


def test_tracking_view_follows_the_subtree():
    m, d, cam = official()
    cam.type, cam.trackbodyid = mujoco.mjtCamera.mjCAMERA_TRACKING, 1
    theirs = official_view(m, d, cam)
    state = camera.track(CameraState(distance=cam.distance, azimuth=cam.azimuth, elevation=cam.elevation), 1, d.subtree_com[1])
    assert_view(free_view(state, lens_of(m)), theirs)
    assert camera.pan(state, 0.1, 0.1, lens_of(m), EXTENT) is state


@pytest.mark.parametrize('name', ['plain', 'sensor', 'ortho'])
def test_fixed_view(name):
    m, d, cam = official()
    i = m.camera(name).id
    cam.type, cam.fixedcamid = mujoco.mjtCamera.mjCAMERA_FIXED, i
    lens = Lens(float(m.cam_fovy[i]), m.vis.map.znear * m.stat.extent, m.vis.map.zfar * m.stat.extent, name == 'ortho')
    assert_view(fixed_view(d.cam_xpos[i], d.cam_xmat[i], lens, m.cam_intrinsic[i], m.cam_sensorsize[i]), official_view(m, d, cam))


def some_views():
    a = free_view(CameraState(lookat=(0.3, 0.2, 0.1), azimuth=20, elevation=-30), Lens(40, 0.05, 30))
    b = free_view(CameraState(azimuth=200, elevation=60), Lens(3, 0.05, 30, orthographic=True))
    return a, b, View(a.pos, a.forward, a.up, 0.02, -0.03, 0.05, 30, 0.004, 0.05)


@pytest.mark.parametrize('view', some_views())
def test_a_pixel_ray_projects_back_to_its_pixel(view):
    size = (320, 200)
    for x, y in ((0.5, 0.5), (160, 100), (319.5, 20), (33, 180)):
        origin, ray = pixel_ray(view, x, y, size)
        pixels, depth = project(view, [origin + 2.5 * ray], size)
        assert np.allclose(pixels, (x, y), atol=1e-9) and depth[0] > 0


@pytest.mark.parametrize('view', some_views())
def test_near_and_far_map_to_the_depth_range(view):
    matrix = projection_matrix(view, 1.5) @ view_matrix(view)
    forward, right = np.array(view.forward), view.right()
    for depth, ndc in ((view.near, -1), (view.far, 1)):
        clip = matrix @ np.r_[np.array(view.pos) + depth * forward + 0.01 * right, 1]
        assert clip[2] / clip[3] == pytest.approx(ndc, abs=1e-6)


def test_recentring_keeps_the_distance_and_angles():
    s = camera.look_at_point(CameraState(camera.TRACKING, trackbodyid=3, distance=1.7, azimuth=5), (1, 2, 3))
    assert (s.kind, s.trackbodyid, s.lookat, s.distance, s.azimuth) == (camera.FREE, -1, (1, 2, 3), 1.7, 5)
