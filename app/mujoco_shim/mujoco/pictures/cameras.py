"""MjvCamera and MjvGLCamera from and to the renderer's View."""
from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.bridge.view import lens_of, view_of
from physics.enums import PROJ_ORTHOGRAPHIC
from render.scene.camera import FIXED, FREE, TRACKING, CameraState, Lens, View, fixed_view, free_axes, free_view, orbit, pan, zoom

from ..errors import FatalError
from ..picture_structs import MjvGLCamera

_KINDS = (FREE, TRACKING, FIXED)    # by mjtCamera
USER = 3                            # mjCAMERA_USER: the scene's cameras stay as they are


def camera_of(m, cam) -> CameraState:
    """An MjvCamera as the renderer has it. Raises FatalError for a camera or body that there is not."""
    if not 0 <= cam.type < len(_KINDS):
        raise FatalError(f"mjv_updateCamera: unknown camera type {cam.type}")
    kind = _KINDS[cam.type]
    if kind == FIXED and not 0 <= cam.fixedcamid < m.ncam:
        raise FatalError("mjv_updateCamera: fixed camera id is outside valid range")
    if kind == TRACKING and not 0 <= cam.trackbodyid < m.nbody:
        raise FatalError("mjv_updateCamera: track body id is outside valid range")
    return CameraState(kind, tuple(cam.lookat.tolist()), cam.distance, cam.azimuth, cam.elevation, cam.trackbodyid, cam.fixedcamid)


def aimed_view(m, d, cam) -> View:
    """What an MjvCamera sees. d: a Data or Snapshot; a tracking camera looks at the centre of mass of its body's subtree."""
    state = camera_of(m, cam)
    if state.kind == FIXED:
        return view_of(m, d, state)
    if state.kind == TRACKING:
        state = replace(state, lookat=tuple(map(float, d.subtree_com[state.trackbodyid])))
        cam.lookat[:] = state.lookat
    return free_view(state, replace(lens_of(m), orthographic=bool(cam.orthographic)))


def lens_view(m, cam) -> View:
    """The frustum of an MjvCamera, wherever it is."""
    if camera_of(m, cam).kind != FIXED:
        return free_view(CameraState(), replace(lens_of(m), orthographic=bool(cam.orthographic)))
    i = cam.fixedcamid
    lens = lens_of(m)
    return fixed_view((0, 0, 0), np.eye(3), Lens(float(m.cam_fovy[i]), lens.znear, lens.zfar, int(m.cam_projection[i]) == PROJ_ORTHOGRAPHIC), m.cam_intrinsic[i], m.cam_sensorsize[i])


def move_camera(m, action: int, dx: float, dy: float, cam) -> None:
    """The mouse moves an MjvCamera: mjtMouse; dx, dy relative to the picture's height, dy > 0 as mjv_moveCamera has it."""
    before, lens = camera_of(m, cam), replace(lens_of(m), orthographic=bool(cam.orthographic))
    extent = float(m.stat_extent)
    if action in (1, 2):
        after = orbit(before, dx, dy, extent)
    elif action in (3, 4):
        after = pan(before, dx, dy, lens, extent, action == 4)
    elif action == 5:
        after = zoom(before, dy, extent)
    elif before.kind == FREE:
        forward, up, right = free_axes(before)
        after = replace(before, lookat=tuple(np.asarray(before.lookat) + dx * right + dy * (up if action == 6 else forward)))
    else:
        after = before
    cam.lookat[:] = after.lookat
    cam.distance, cam.azimuth, cam.elevation = float(after.distance), float(after.azimuth), float(after.elevation)


def write_camera(view: View, gl: MjvGLCamera, shift: float = 0.0) -> None:
    """Make an MjvGLCamera of a view, moved to its right [m]."""
    gl.pos = np.asarray(view.pos) + shift * view.right_raw()
    gl.forward, gl.up = view.forward, view.up
    gl.frustum_center, gl.frustum_width, gl.frustum_bottom, gl.frustum_top = map(_single, (view.center, view.halfwidth, view.bottom, view.top))
    gl.frustum_near, gl.frustum_far, gl.orthographic = _single(view.near), _single(view.far), int(view.orthographic)


def _single(value: float) -> float:
    return float(np.float32(value))


def put_eyes(m, view: View, scn) -> None:
    """Set the scene's left and right camera, as far from each other as visual/global/ipd says."""
    for gl, side in zip(scn.camera, (-0.5, 0.5)):
        write_camera(view, gl, side * m.vis.global_.ipd)


def mean_camera(one: MjvGLCamera, two: MjvGLCamera) -> MjvGLCamera:
    """The camera between two."""
    new = MjvGLCamera()
    for name in MjvGLCamera.FIELDS:
        a, b = getattr(one, name), getattr(two, name)
        setattr(new, name, a if name == "orthographic" else (a + b) / 2)
    for name in ("forward", "up"):
        way = getattr(new, name)
        way /= max(np.linalg.norm(way), 1e-15)
    return new


def view_of_scene(scn, gl: MjvGLCamera) -> View:
    """The view through one of a scene's cameras, in the model's space where the scene has the model moved, turned and scaled."""
    pos, forward, up, scale = gl.pos.astype(float), gl.forward.astype(float), gl.up.astype(float), 1.0
    if scn.enabletransform:
        scale, turn = max(scn.scale, 1e-15), _matrix(scn.rotate.astype(float))
        pos, forward, up = turn.T @ (pos - scn.translate) / scale, turn.T @ forward, turn.T @ up
    sizes = (gl.frustum_top, gl.frustum_bottom, gl.frustum_near, gl.frustum_far, gl.frustum_center, gl.frustum_width)
    return View(tuple(pos), tuple(forward), tuple(up), *(size / scale for size in sizes), bool(gl.orthographic))


def _matrix(q) -> np.ndarray:
    w, x, y, z = q / max(np.linalg.norm(q), 1e-15)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])
