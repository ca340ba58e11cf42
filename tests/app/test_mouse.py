"""What the mouse does to camera and held bodies, against the official functions on the same motions."""
import mujoco
import numpy as np
import pytest

from app.viewport import camera_control
from app.viewport.input import WHEEL_CLICK, Button, Pointer
from app.viewport.perturb_control import PerturbControl, clamp_turn
from physics.runtime import commands
from render.scene import rotation
from render.scene.camera import CameraState, Lens, free_view

XML = """<mujoco><statistic extent="1.7"/><worldbody><body pos=".2 -.1 .6" euler="20 30 40"><freejoint/>
<geom type="box" size=".1 .2 .3" pos=".05 0 0"/></body></worldbody></mujoco>"""
MOUSE = mujoco.mjtMouse
ORBIT = CameraState(lookat=(0.1, 0.2, 0.3), distance=2.3, azimuth=35.0, elevation=-25.0)


@pytest.fixture(scope="module")
def official():
    model = mujoco.MjModel.from_xml_string(XML)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    scene = mujoco.MjvScene(model, 100)
    cam, pert = mujoco.MjvCamera(), mujoco.MjvPerturb()
    cam.lookat[:], cam.distance, cam.azimuth, cam.elevation = ORBIT.lookat, ORBIT.distance, ORBIT.azimuth, ORBIT.elevation
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), pert, cam, mujoco.mjtCatBit.mjCAT_ALL, scene)
    return model, data, scene, cam


def lens_of(model):
    extent = model.stat.extent
    return Lens(model.vis.global_.fovy, model.vis.map.znear * extent, model.vis.map.zfar * extent)


def pointer(buttons, dx, dy, shift=False, ctrl=False):
    return Pointer(0, 0, 640, 480, buttons, dx, dy, ctrl, shift)


@pytest.mark.parametrize(("buttons", "shift", "action"), [
    (Button.LEFT, False, MOUSE.mjMOUSE_ROTATE_V), (Button.LEFT, True, MOUSE.mjMOUSE_ROTATE_H), (Button.RIGHT, False, MOUSE.mjMOUSE_MOVE_V),
    (Button.RIGHT, True, MOUSE.mjMOUSE_MOVE_H), (Button.MIDDLE, False, MOUSE.mjMOUSE_ZOOM),
])
def test_drags_move_the_camera_as_the_official_ones(official, buttons, shift, action):
    model, _data, scene, cam = official
    for dx, dy in ((0.03, -0.02), (-0.2, 0.1), (0.0, 0.4)):
        theirs = mujoco.MjvCamera()
        theirs.lookat[:], theirs.distance, theirs.azimuth, theirs.elevation = cam.lookat, cam.distance, cam.azimuth, cam.elevation
        mujoco.mjv_moveCamera(model, action, dx, dy, theirs)
        mine = camera_control.drag(ORBIT, pointer(buttons, dx, dy, shift), lens_of(model), model.stat.extent)
        np.testing.assert_allclose([*mine.lookat, mine.distance, mine.azimuth, mine.elevation],
                                   [*theirs.lookat, theirs.distance, theirs.azimuth, theirs.elevation], rtol=1e-5, atol=1e-6)   # the official scene camera is float32


def test_the_wheel_zooms_two_percent_of_the_height_a_click(official):
    model = official[0]
    mine = camera_control.wheel(ORBIT, 3.0, model.stat.extent)
    drag = camera_control.drag(ORBIT, pointer(Button.MIDDLE, 0.0, -3 * WHEEL_CLICK), lens_of(model), model.stat.extent)
    assert mine == drag and mine.distance != ORBIT.distance
    assert camera_control.drag(ORBIT, pointer(Button.NONE, 0.1, 0.1), lens_of(model), model.stat.extent) == ORBIT


class Sent(list):
    """Stands for the runner: remembers commands."""

    def latest(self, _key, command):
        self.append(command)


LOCALPOS = (0.1, 0.05, 0.2)


def take(data, buttons, shift=False):
    sent = Sent()
    control = PerturbControl(sent.append, sent.latest)
    assert control.press(pointer(buttons, 0, 0, shift, ctrl=True), 1, LOCALPOS, data)
    return control, sent


def official_hold(model, data, scene, bit):
    pert = mujoco.MjvPerturb()
    pert.select = 1
    pert.localpos[:] = LOCALPOS
    mujoco.mjv_initPerturb(model, data, scene, pert)
    pert.active = bit
    return pert


@pytest.mark.parametrize(("buttons", "shift", "action"), [
    (Button.RIGHT, False, MOUSE.mjMOUSE_MOVE_V), (Button.RIGHT, True, MOUSE.mjMOUSE_MOVE_H),
    (Button.LEFT, False, MOUSE.mjMOUSE_ROTATE_V), (Button.LEFT, True, MOUSE.mjMOUSE_ROTATE_H),
])
def test_holding_a_body_moves_its_reference_as_the_official_window_does(official, buttons, shift, action):
    model, data, scene, _cam = official
    translate = buttons is Button.RIGHT
    pert = official_hold(model, data, scene, mujoco.mjtPertBit.mjPERT_TRANSLATE if translate else mujoco.mjtPertBit.mjPERT_ROTATE)
    control, sent = take(data, buttons, shift)
    assert sent == [commands.PerturbStart(1, LOCALPOS, commands.TRANSLATE if translate else commands.ROTATE)]
    view, lens = free_view(ORBIT, lens_of(model)), lens_of(model)
    for dx, dy in ((0.02, -0.01), (0.05, 0.03), (-0.04, 0.06), (0.2, 0.15)):
        mujoco.mjv_movePerturb(model, data, action, dx, dy, scene, pert)
        control.move(pointer(buttons, dx, dy, shift, ctrl=True), view, lens, data)
        if translate:
            np.testing.assert_allclose(sent[-1].refselpos, pert.refselpos, atol=1e-5)
        else:
            mine, theirs = np.array(sent[-1].refquat), pert.refquat
            np.testing.assert_allclose(mine * np.sign(mine @ theirs), theirs, atol=1e-5)
    control.release()
    assert sent[-1] == commands.PerturbStop() and control.perturbation is None


def test_nothing_is_held_without_ctrl_button_and_body(official):
    _model, data, _scene, _cam = official
    control = PerturbControl(None, None)
    assert not control.press(pointer(Button.RIGHT, 0, 0), 1, LOCALPOS, data)
    assert not control.press(pointer(Button.MIDDLE, 0, 0, ctrl=True), 1, LOCALPOS, data)
    assert not control.press(pointer(Button.RIGHT, 0, 0, ctrl=True), 0, LOCALPOS, data)
    control.move(pointer(Button.RIGHT, 1, 1), None, None, data)
    control.release()
    assert control.perturbation is None


def test_a_held_body_keeps_its_name_over_a_reload(official):
    control, sent = take(official[1], Button.RIGHT)
    control.follow(3)
    assert control.perturbation.bodyid == 3
    control.follow(0)
    assert control.perturbation is None and sent[-1] == commands.PerturbStop()


def test_the_reference_leads_by_a_right_angle_at_most():
    present = rotation.from_axis_angle((0, 0, 1), 0.3)
    far = rotation.multiply(rotation.from_axis_angle((0, 1, 0), 2.5), present)
    np.testing.assert_allclose(clamp_turn(far, present), rotation.multiply(rotation.from_axis_angle((0, 1, 0), np.pi / 2), present), atol=1e-12)
    near = rotation.multiply(rotation.from_axis_angle((0, 1, 0), 1.2), present)
    np.testing.assert_allclose(clamp_turn(near, present), near)
