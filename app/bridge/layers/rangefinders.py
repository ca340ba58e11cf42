"""Rangefinders and shortest distances: a line to what was hit, a ball at the point, an arrow along the normal where the sensor reports them.

Source: MuJoCo documentation, XML reference, sensor/rangefinder (order and size of the data fields) and sensor/fromto.
"""
from __future__ import annotations

import numpy as np

from app.bridge.layers.connect import balls, connect
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.selected import with_selected
from app.bridge.view_state import ViewState
from physics.enums import (
    OBJ_CAMERA,
    OBJ_SITE,
    PROJ_ORTHOGRAPHIC,
    RAYDATA_DEPTH,
    RAYDATA_DIR,
    RAYDATA_DIST,
    RAYDATA_NORMAL,
    RAYDATA_ORIGIN,
    RAYDATA_POINT,
    SENS_GEOMFROMTO,
    SENS_RANGEFINDER,
)
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import Scene

FIELD_SIZES = ((RAYDATA_DIST, 1), (RAYDATA_DIR, 3), (RAYDATA_ORIGIN, 3), (RAYDATA_POINT, 3), (RAYDATA_NORMAL, 3), (RAYDATA_DEPTH, 1))
LINE_WIDTH = 3.0      # pixels
SITE_BALL, CAMERA_BALL = 1.5, 1.3   # radius of the ball at the point, in radii of a frame's axis
NORMAL = 2.0          # length of the normal's arrow, in lengths of a frame's axis


def fields_of(data: np.ndarray, which: int) -> dict[int, np.ndarray]:
    """{RayData field: its columns} of readings (n, columns) that hold the fields whose bits are set in `which`."""
    out, at = {}, 0
    for name, size in FIELD_SIZES:
        if which >> name & 1:
            out[name] = data[:, at:at + size]
            at += size
    return out


def pixel_rays(m: Model, snapshot: Snapshot, cam: int) -> tuple[np.ndarray, np.ndarray]:
    """Origins and unit directions (n, 3 each) of the rays through the middles of a camera's pixels, line by line from the top."""
    width, height = m.cam_resolution[cam].tolist()
    x, y = (a.ravel() + 0.5 for a in np.meshgrid(np.arange(width), np.arange(height)))
    mat, eye = snapshot.cam_xmat[cam].reshape(3, 3), snapshot.cam_xpos[cam]
    if m.cam_projection[cam] == PROJ_ORTHOGRAPHIC:
        half = m.cam_fovy[cam] / 2
        local = np.stack([half * (2 * x / width - 1), half * (1 - 2 * y / height), np.zeros(len(x))], axis=1)
        return eye + local @ mat.T, np.broadcast_to(-mat[:, 2], (len(x), 3))
    if m.cam_sensorsize[cam].all():
        scale = m.cam_resolution[cam] / m.cam_sensorsize[cam]
        (fx, fy), (cx, cy) = m.cam_intrinsic[cam, :2] * scale, m.cam_intrinsic[cam, 2:] * scale
    else:
        fx = fy = height / 2 / np.tan(np.radians(m.cam_fovy[cam]) / 2)
        cx, cy = width / 2, height / 2
    local = np.stack([(x - cx) / fx, (cy - y) / fy, np.full(len(x), -1.0)], axis=1)
    local /= np.linalg.norm(local, axis=1, keepdims=True)
    return np.broadcast_to(eye, local.shape), local @ mat.T


def _rays(m: Model, snapshot: Snapshot, i: int) -> tuple[np.ndarray, np.ndarray]:
    """The rays of a sensor on a site or camera."""
    on = int(m.sensor_objid[i])
    if m.sensor_objtype[i] == OBJ_CAMERA:
        return pixel_rays(m, snapshot, on)
    return snapshot.site_xpos[on:on + 1], snapshot.site_xmat[on].reshape(3, 3)[:, 2][None]


def _add_sensor(m: Model, snapshot: Snapshot, i: int, out: Scene) -> None:
    origin, direction = _rays(m, snapshot, i)
    start, on_site = int(m.sensor_adr[i]), m.sensor_objtype[i] == OBJ_SITE
    data = fields_of(snapshot.sensordata[start:start + int(m.sensor_dim[i])].reshape(len(origin), -1), int(m.sensor_intprm[i, 0]))
    rgba, what = m.vis.rgba.rangefinder, {"objtype": shapes.OBJ_SENSOR, "objid": i}
    point, hit = np.zeros(origin.shape), np.zeros(len(origin), bool)
    if RAYDATA_DIST in data:
        far = data[RAYDATA_DIST]
        hit = far[:, 0] >= 0
        point[hit] = origin[hit] + far[hit] * direction[hit]
        out.lines.put(origin[hit], point[hit], rgba, LINE_WIDTH, **what)
    radius, length = m.vis.scale.framewidth * m.stat_meansize, m.vis.scale.framelength * m.stat_meansize
    if RAYDATA_POINT in data:
        found = data[RAYDATA_POINT].any(axis=1)
        point[found] = data[RAYDATA_POINT][found]
        balls(out.geoms, point[found], (SITE_BALL if on_site else CAMERA_BALL) * radius, rgba, **what)
    if RAYDATA_NORMAL in data:
        known = hit | point.any(axis=1)
        connect(out.geoms, shapes.ARROW1, radius, point[known], point[known] + NORMAL * length * data[RAYDATA_NORMAL][known], rgba, **what)


def add_rangefinders(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """Rays of all rangefinders, and the segments between geoms that distance sensors report."""
    m = visuals.model
    shown = with_selected(m, state, "sensor", np.full(m.nsensor, options.flags["range_finder"]))
    if not shown.any():
        return
    for i in np.flatnonzero(shown & (m.sensor_type == SENS_RANGEFINDER)).tolist():
        _add_sensor(m, snapshot, i, out)
    ids = np.flatnonzero(shown & (m.sensor_type == SENS_GEOMFROMTO))
    if len(ids):
        ends = snapshot.sensordata[m.sensor_adr[ids][:, None] + np.arange(6)]
        some = ends.any(axis=1)
        out.lines.put(ends[some, :3], ends[some, 3:], m.vis.rgba.rangefinder, LINE_WIDTH, objtype=shapes.OBJ_SENSOR, objid=ids[some])
