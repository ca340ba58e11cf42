"""mjv_*: scenes and cameras. They take MjModel and MjData themselves."""
from __future__ import annotations

import numpy as np

from ..picture_structs import MjvCamera, MjvGLCamera
from ..pictures import drawing
from .calls import put


def mjv_updateScene(m, d, opt, pert, cam, catmask, scn):
    """Fill a scene anew with what is seen of a state: geoms of the categories in catmask, lights, cameras."""
    _same(m, d)
    drawing().update_scene(m, d, opt, pert, cam, int(catmask), scn)


def mjv_addGeoms(m, d, opt, pert, catmask, scn):
    """Append the geoms of a state to a scene."""
    _same(m, d)
    drawing().add_geoms(m, d, opt, pert, int(catmask), scn)


def mjv_makeLights(m, d, scn):
    """The scene's lights anew."""
    _same(m, d)
    drawing().make_lights(m, d, scn)


def mjv_updateCamera(m, d, cam, scn):
    """The scene's cameras anew."""
    _same(m, d)
    drawing().update_camera(m, d, cam, scn)


def mjv_updateSkin(m, d, scn):
    """Nothing is left to do: skins are brought into shape where they are drawn."""
    _same(m, d)


def mjv_defaultFreeCamera(m, cam):
    """Put a camera where it sees the whole model."""
    inner = m._inner
    cam.take(MjvCamera())
    cam.lookat[:] = inner.stat_center
    cam.distance = 1.5 * inner.stat_extent
    cam.azimuth, cam.elevation, cam.orthographic = float(m.vis.global_.azimuth), float(m.vis.global_.elevation), int(m.vis.global_.orthographic)


def mjv_camera2GLCamera(m, d, cam):
    """The camera that OpenGL has for an MjvCamera."""
    m._settled()
    gl = MjvGLCamera()
    drawing().write_camera(drawing().aimed_view(m._inner, d._inner, cam), gl)
    return gl


def mjv_averageCamera(cam1, cam2):
    """The camera between two."""
    return drawing().mean_camera(cam1, cam2)


def mjv_cameraFrame(headpos, forward, up, right, d, cam):
    """Place and axes of a camera; each array may be None."""
    view = drawing().aimed_view(d.model._inner, d._inner, cam)
    for name, target, value in (("headpos", headpos, view.pos), ("forward", forward, view.forward), ("up", up, view.up), ("right", right, view.right_raw())):
        if target is not None:
            put(target, np.asarray(value, float), name)


def mjv_cameraFrustum(zver, zhor, zclip, m, cam):
    """Edges of a camera's view on its near plane, above and below, left and right (0 where the picture's shape gives them), and distances of its planes."""
    m._settled()
    if cam.type == 1:
        cam, tracking = MjvCamera(), cam
        cam.orthographic = tracking.orthographic
    view = drawing().lens_view(m._inner, cam)
    half = view.halfwidth
    for name, target, value in (("zver", zver, (view.top, -view.bottom)), ("zhor", zhor, (half - view.center, half + view.center) if half else (0, 0)), ("zclip", zclip, (view.near, view.far))):
        if target is not None:
            put(target, np.asarray(value, np.float32), name)


def _same(m, d) -> None:
    if not hasattr(m, "_inner") or not hasattr(d, "_inner"):
        raise TypeError(f"incompatible function arguments: {type(m).__name__}, {type(d).__name__}")
    if d._inner.model is not m._inner:
        d._belong(m)


FUNCTIONS = (mjv_updateScene, mjv_addGeoms, mjv_makeLights, mjv_updateCamera, mjv_updateSkin, mjv_defaultFreeCamera, mjv_camera2GLCamera, mjv_averageCamera, mjv_cameraFrame,
             mjv_cameraFrustum)
