"""Lights that shine, and cameras and lights as things to see."""
from __future__ import annotations

import numpy as np

from app.bridge.derived_from import derived_from
from app.bridge.labels import add_names
from app.bridge.layers.connect import axes, triangles
from app.bridge.layers.frames import frame_size
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.selected import with_selected
from app.bridge.view_state import ViewState
from physics.enums import CAMLIGHT_TARGETBODY, CAMLIGHT_TARGETBODYCOM, LIGHT_POINT, LIGHT_SPOT, PROJ_ORTHOGRAPHIC
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import rotation, shapes
from render.scene.snapshot import Scene

LINE_WIDTH = 3.0  # pixels, of a frustum's edges
FRUSTUM_ALPHA = 0.3  # of a camera that shows its frustum
AUTO = 2  # visual/headlight active: on, but off in looks that compute in candela when a light gives its intensity


@derived_from("body_pos", "body_quat", "light_pos0", "light_dir0", "light_mode", "light_targetbodyid")
def light_homes(m: Model) -> tuple[np.ndarray, np.ndarray]:
    """Places and directions (nlight, 3) of the lights at qpos0, whichever way they move."""
    pos, turn = np.zeros((m.nbody, 3)), np.tile(np.eye(3), (m.nbody, 1, 1))
    own = rotation.matrix(m.body_quat)
    for i in range(1, m.nbody):
        parent = m.body_parentid[i]
        pos[i] = pos[parent] + turn[parent] @ m.body_pos[i]
        turn[i] = turn[parent] @ own[i]
    place, direction = pos[m.light_bodyid] + m.light_pos0, np.array(m.light_dir0, float)
    aimed = np.flatnonzero(np.isin(m.light_mode, (CAMLIGHT_TARGETBODY, CAMLIGHT_TARGETBODYCOM)) & (m.light_targetbodyid >= 0))
    direction[aimed] = pos[m.light_targetbodyid[aimed]] - place[aimed]
    return place, direction


def add_lights(visuals: ModelVisuals, snapshot: Snapshot, out: Scene) -> None:
    """The headlight and the active lights of the model."""
    m = visuals.model
    head, mine = m.vis.headlight, out.headlight
    mine.active, mine.auto = bool(head.active), head.active == AUTO
    mine.ambient, mine.diffuse, mine.specular = tuple(head.ambient), tuple(head.diffuse), tuple(head.specular)
    ids = np.flatnonzero(m.light_active)
    lights = out.lights
    rows = lights.add(len(ids))
    lights.pos[rows], lights.dir[rows], lights.objid[rows] = snapshot.light_xpos[ids], snapshot.light_xdir[ids], ids
    if m.nlight:
        place, direction = visuals.of(light_homes)
        lights.home[rows], lights.home_dir[rows] = place[ids], direction[ids]
    for name in ("type", "castshadow", "ambient", "diffuse", "specular", "intensity", "range", "bulbradius", "softness", "texid"):
        getattr(lights, name)[rows] = getattr(m, "light_" + name)[ids]
    spot = m.light_type[ids] == LIGHT_SPOT
    for name, those in (("attenuation", spot | (m.light_type[ids] == LIGHT_POINT)), ("cutoff", spot), ("exponent", spot)):
        column = getattr(lights, name)[rows]
        column[those] = getattr(m, "light_" + name)[ids][those]


def add_light_decor(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """A short cylinder behind each light."""
    m = visuals.model
    ids = np.flatnonzero(with_selected(m, state, "light", np.full(m.nlight, options.flags["light"])))
    if not len(ids):
        return
    size = m.vis.scale.light * m.stat_meansize
    g = out.geoms
    rows = g.add(len(ids))
    pos, direction = snapshot.light_xpos[ids], snapshot.light_xdir[ids]
    mat, what = rotation.turn_z(direction), {"objtype": shapes.OBJ_LIGHT, "objid": ids, "bodyid": m.light_bodyid[ids]}
    g.shape[rows], g.flags[rows], g.rgba[rows], g.size[rows] = shapes.CYLINDER, shapes.DECOR, m.vis.rgba.light, (0.8 * size, 0.8 * size, size)
    g.pos[rows], g.mat[rows] = pos - (size + 1e-4) * direction, mat
    g.objtype[rows], g.objid[rows], g.bodyid[rows] = what.values()
    if options.label == "Light":
        add_names(m, "light", ids, pos, out)
    if options.frame == "Light":
        axes(g, pos, mat, *frame_size(m), **what)


def add_camera_decor(visuals: ModelVisuals, snapshot: Snapshot, options: VisOptions, state: ViewState, out: Scene) -> None:
    """A box with a lens for each camera, and its frustum where it has a resolution."""
    m = visuals.model
    ids = np.flatnonzero(with_selected(m, state, "camera", np.full(m.ncam, options.flags["camera"])))
    if not len(ids):
        return
    size = m.vis.scale.camera * m.stat_meansize
    frustum = (m.cam_resolution[ids] > 1).any(axis=1)
    for i in ids[frustum].tolist():
        _add_frustum(m, snapshot, i, out)
    rgba = np.tile(np.asarray(m.vis.rgba.camera), (len(ids), 1))
    rgba[frustum, 3] = FRUSTUM_ALPHA
    pos, mat = snapshot.cam_xpos[ids], snapshot.cam_xmat[ids]
    back = mat.reshape(-1, 3, 3)[:, :, 2]
    g, dark = out.geoms, np.array([0.5, 0.5, 0.5, 1])
    for shape, half, centre, colour in ((shapes.BOX, (size, 0.8 * size, 0.4 * size), pos, rgba),
                                        (shapes.CYLINDER, (0.4 * size, 0.4 * size, 0.3 * size), pos - 0.6 * size * back, dark * rgba)):
        rows = g.add(len(ids))
        g.shape[rows], g.size[rows], g.pos[rows], g.mat[rows], g.rgba[rows] = shape, half, centre, mat, colour
        g.flags[rows], g.objtype[rows], g.objid[rows], g.bodyid[rows] = shapes.DECOR, shapes.OBJ_CAMERA, ids, m.cam_bodyid[ids]
    if options.label == "Camera":
        add_names(m, "camera", ids, pos, out)
    if options.frame == "Camera":
        axes(g, pos, mat, *frame_size(m), objtype=shapes.OBJ_CAMERA, objid=ids, bodyid=m.cam_bodyid[ids])


def frustum_edges(m: Model, i: int) -> tuple[np.ndarray, np.ndarray]:
    """Corners (4, 3) of a camera's near and far plane in its frame, counter-clockwise from the lower left."""
    near, far = m.vis.map.znear * m.stat_extent, m.vis.scale.frustum * m.stat_meansize
    aspect = m.cam_resolution[i, 0] / m.cam_resolution[i, 1]
    orthographic = m.cam_projection[i] == PROJ_ORTHOGRAPHIC
    if orthographic:
        half = m.cam_fovy[i] / 2
        left = right = half * aspect
        bottom = top = half
        far = (half * aspect + half) / 2
    elif m.cam_sensorsize[i].all():
        fx, fy, cx, cy = m.cam_intrinsic[i].astype(float)
        w, h = m.cam_sensorsize[i].astype(float)
        left, right = near / fx * (w / 2 - cx), near / fx * (w / 2 + cx)
        bottom, top = near / fy * (h / 2 - cy), near / fy * (h / 2 + cy)
    else:
        bottom = top = near * np.tan(np.radians(m.cam_fovy[i]) / 2)
        left = right = top * aspect
    corners = np.array([[-left, -bottom], [right, -bottom], [right, top], [-left, top]])
    grow = 1.0 if orthographic else far / near
    return np.c_[corners, np.full(4, -near)], np.c_[grow * corners, np.full(4, -far)]


def _add_frustum(m: Model, snapshot: Snapshot, i: int, out: Scene) -> None:
    mat, pos = snapshot.cam_xmat[i].reshape(3, 3), snapshot.cam_xpos[i]
    near, far = (pos + c @ mat.T for c in frustum_edges(m, i))
    rgba, what = m.vis.rgba.frustum, {"objtype": shapes.OBJ_CAMERA, "objid": i, "bodyid": m.cam_bodyid[i]}
    near2, far2 = np.roll(near, -1, axis=0), np.roll(far, -1, axis=0)
    triangles(out.geoms, np.concatenate([np.stack([near, far, near2], axis=1), np.stack([far, far2, near2], axis=1)]), rgba, **what)
    out.lines.put(np.concatenate([near, far, near]), np.concatenate([near2, far2, far]), rgba, LINE_WIDTH, **what)
