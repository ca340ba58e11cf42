"""Where a model is looked at from: its default free camera, its own cameras, and the View the renderer takes."""
from __future__ import annotations

from physics.enums import PROJ_ORTHOGRAPHIC
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import camera
from render.scene.camera import FIXED, TRACKING, CameraState, Lens, View


def lens_of(m: Model) -> Lens:
    """The free camera's lens."""
    g, extent = m.vis.global_, m.stat_extent
    return Lens(g.fovy, m.vis.map.znear * extent, m.vis.map.zfar * extent, bool(g.orthographic))


def default_camera(m: Model) -> CameraState:
    """The free camera as a model opens, or the camera that visual/global names."""
    if 0 <= m.vis.global_.cameraid < m.ncam:
        return CameraState(FIXED, fixedcamid=m.vis.global_.cameraid)
    return free_camera(m)


def free_camera(m: Model) -> CameraState:
    """The free camera at the model's centre, from one and a half extents."""
    return camera.aligned(m.stat_center, m.stat_extent, m.vis.global_.azimuth, m.vis.global_.elevation)


def view_of(m: Model, snapshot: Snapshot, state: CameraState) -> View:
    """What this camera sees at the moment of the snapshot."""
    lens = lens_of(m)
    if state.kind == FIXED:
        i = state.fixedcamid
        own = Lens(float(m.cam_fovy[i]), lens.znear, lens.zfar, int(m.cam_projection[i]) == PROJ_ORTHOGRAPHIC)
        return camera.fixed_view(snapshot.cam_xpos[i], snapshot.cam_xmat[i], own, m.cam_intrinsic[i], m.cam_sensorsize[i])
    if state.kind == TRACKING:
        state = camera.track(state, state.trackbodyid, snapshot.subtree_com[state.trackbodyid])
    return camera.free_view(state, lens)
