"""Cameras: the free, tracking and fixed camera's arithmetic as pure functions, and the view the renderer takes.

    CameraState (what the user moves)  --free_view / fixed_view-->  View (pose and frustum)  -->  matrices, rays, pixels

Angles in degrees, lengths in metres. The free camera looks at `lookat` from `distance` along (azimuth, elevation);
a tracking camera is a free camera whose lookat is set each frame to the subtree's centre of mass of its body.
Mouse displacements are relative to the picture's HEIGHT, y pointing up (a drag to the top has dy > 0).

Source: MuJoCo documentation, chapters Visualization (abstract and OpenGL cameras) and the mouse actions of simulate.
"""
import math
from dataclasses import dataclass, replace

import numpy as np
from pyrr import matrix44

FREE, TRACKING, FIXED = 'free', 'tracking', 'fixed'
ELEVATION_LIMIT = 89.0
ORTHOGRAPHIC_PAN = 0.15     # the official window pans that much slower in orthographic views


@dataclass(frozen=True, slots=True)
class Lens:
    """Projection of a free camera: fovy [degree, or metre of height if orthographic], znear and zfar [m] (already times extent)."""
    fovy: float = 45.0
    znear: float = 0.01
    zfar: float = 50.0
    orthographic: bool = False

    def frustum_height(self) -> float:
        """Height of the picture per unit of depth; the whole height if orthographic."""
        return self.fovy if self.orthographic else 2 * np.tan(np.radians(self.fovy) / 2)


@dataclass(frozen=True, slots=True)
class CameraState:
    """What the mouse moves. kind: FREE, TRACKING (trackbodyid) or FIXED (fixedcamid)."""
    kind: str = FREE
    lookat: tuple = (0.0, 0.0, 0.0)
    distance: float = 2.0
    azimuth: float = 90.0
    elevation: float = -45.0
    trackbodyid: int = -1
    fixedcamid: int = -1


@dataclass(frozen=True, slots=True)
class View:
    """Pose and frustum of one picture.

    forward, up: unit vectors. top, bottom: frustum edges on the near plane [m] (of the picture if orthographic);
    halfwidth 0 means the width follows from the target's aspect ratio; center shifts the picture sideways.
    """
    pos: tuple
    forward: tuple
    up: tuple
    top: float
    bottom: float
    near: float
    far: float
    center: float = 0.0
    halfwidth: float = 0.0
    orthographic: bool = False

    def edges(self, aspect: float):
        """(left, right, bottom, top) on the near plane for a picture of that aspect ratio (width / height)."""
        half = self.halfwidth or 0.5 * aspect * (self.top - self.bottom)
        return self.center - half, self.center + half, self.bottom, self.top

    def right(self) -> np.ndarray:
        """Unit vector to the right of the picture."""
        r = self.right_raw()
        return r / np.linalg.norm(r)

    def right_raw(self) -> np.ndarray:
        """forward x up, zero if the two are parallel."""
        return np.array(cross(self.forward, self.up))


def cross(a, b) -> tuple[float, float, float]:
    """The product of two single vectors; NumPy's takes twenty times as long for them."""
    ax, ay, az = map(float, a)
    bx, by, bz = map(float, b)
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


def unit(a) -> tuple[float, float, float]:
    """A single vector's direction; not a number where it has none."""
    x, y, z = map(float, a)
    length = math.sqrt(x * x + y * y + z * z)
    return (x / length, y / length, z / length) if length else (math.nan,) * 3


def free_axes(cam: CameraState):
    """(forward, up, right) unit vectors of a free or tracking camera."""
    ca, sa = np.cos(np.radians(cam.azimuth)), np.sin(np.radians(cam.azimuth))
    ce, se = np.cos(np.radians(cam.elevation)), np.sin(np.radians(cam.elevation))
    return np.array([ce * ca, ce * sa, se]), np.array([-se * ca, -se * sa, ce]), np.array([sa, -ca, 0.0])


def free_view(cam: CameraState, lens: Lens) -> View:
    """View of a free or tracking camera."""
    forward, up, _ = free_axes(cam)
    half = lens.fovy / 2 if lens.orthographic else lens.znear * np.tan(np.radians(lens.fovy) / 2)
    return View(tuple(np.asarray(cam.lookat) - cam.distance * forward), tuple(forward), tuple(up), half, -half, lens.znear, lens.zfar,
                orthographic=lens.orthographic)


def fixed_view(xpos, xmat, lens: Lens, intrinsic=None, sensorsize=None) -> View:
    """View of a model camera: xpos (3,), xmat (9,) looking along its -z; intrinsic (fx, fy, cx, cy) and sensorsize (w, h) [m] replace fovy."""
    mat = np.reshape(np.asarray(xmat, float), (3, 3))
    forward, up = -mat[:, 2], mat[:, 1]
    if intrinsic is not None and sensorsize is not None and sensorsize[1] and not lens.orthographic:
        fx, fy, cx, cy = intrinsic
        w, h = sensorsize
        right, left = lens.znear / fx * (w / 2 + cx), lens.znear / fx * (w / 2 - cx)
        top, bottom = lens.znear / fy * (h / 2 - cy), lens.znear / fy * (h / 2 + cy)
        return View(tuple(xpos), tuple(forward), tuple(up), top, -bottom, lens.znear, lens.zfar, (right - left) / 2, (right + left) / 2)
    half = lens.fovy / 2 if lens.orthographic else lens.znear * np.tan(np.radians(lens.fovy) / 2)
    return View(tuple(xpos), tuple(forward), tuple(up), half, -half, lens.znear, lens.zfar, orthographic=lens.orthographic)


# ---------------------------------------------------------------- mouse actions: all return a new CameraState

def _clamped(cam: CameraState, extent: float) -> CameraState:
    azimuth = cam.azimuth - 360 if cam.azimuth > 180 else cam.azimuth + 360 if cam.azimuth < -180 else cam.azimuth
    return replace(cam, azimuth=azimuth, elevation=float(np.clip(cam.elevation, -ELEVATION_LIMIT, ELEVATION_LIMIT)),
                   distance=float(np.clip(cam.distance, 0.01 * extent, 100 * extent)))


def orbit(cam: CameraState, dx: float, dy: float, extent: float) -> CameraState:
    """Turn about the lookat point: half a turn per picture height."""
    return cam if cam.kind == FIXED else _clamped(replace(cam, azimuth=cam.azimuth - 180 * dx, elevation=cam.elevation - 180 * dy), extent)


def align_to_camera(vec, forward) -> np.ndarray:
    """Turn a vector about world z so that its y axis follows the camera's horizontal forward direction."""
    y = np.asarray(forward[:2], float)
    y = y / max(np.linalg.norm(y), 1e-15)
    return np.array([vec[0] * y[1] + vec[1] * y[0], -vec[0] * y[0] + vec[1] * y[1], vec[2]])


def pan(cam: CameraState, dx: float, dy: float, lens: Lens, extent: float, horizontal: bool = False) -> CameraState:
    """Move the lookat point so that what is under the pointer at its depth follows the pointer.

    horizontal False: plane of the camera's right and world z; True: the horizontal plane.
    """
    if cam.kind != FREE:
        return cam
    forward, _, _ = free_axes(cam)
    vec = align_to_camera((dx, -dy, 0) if horizontal else (dx, 0, -dy), forward)
    scale = lens.frustum_height() * cam.distance * (ORTHOGRAPHIC_PAN if lens.orthographic else 1)
    return _clamped(replace(cam, lookat=tuple(np.asarray(cam.lookat) - scale * vec)), extent)


def zoom(cam: CameraState, dy: float, extent: float) -> CameraState:
    """Change the distance; dy relative to the picture's height, > 0 comes nearer."""
    if cam.kind == FIXED:
        return cam
    return _clamped(replace(cam, distance=cam.distance - np.log(1 + cam.distance / extent / 3) * dy * 9 * extent), extent)


def look_at_point(cam: CameraState, point) -> CameraState:
    """Recentre on a clicked point, keeping the distance and angles; a tracking camera becomes free."""
    return replace(cam, kind=FREE, lookat=tuple(map(float, point)), trackbodyid=-1)


def track(cam: CameraState, bodyid: int, subtree_com) -> CameraState:
    """Follow a body: call each frame with the centre of mass of its subtree."""
    return replace(cam, kind=TRACKING, trackbodyid=bodyid, fixedcamid=-1, lookat=tuple(map(float, subtree_com)))


def aligned(center, extent: float, azimuth: float = 90.0, elevation: float = -45.0) -> CameraState:
    """The default free camera of a model: at its centre from 1.5 extents (vis.global azimuth and elevation)."""
    return CameraState(FREE, tuple(map(float, center)), 1.5 * float(extent), float(azimuth), float(elevation))


# ---------------------------------------------------------------- matrices, pixels, rays

def cropped(view: View, size, x: float, y: float, width: float, height: float) -> View:
    """The part of a picture of `size` that a rectangle of its pixels shows (origin at the top left), as a view of its own."""
    left, right, bottom, top = view.edges(size[0] / size[1])
    across, down = (right - left) / size[0], (top - bottom) / size[1]
    return replace(view, top=top - y * down, bottom=top - (y + height) * down, center=left + (x + width / 2) * across, halfwidth=width * across / 2)


def pixel_matrix(view: View, size) -> np.ndarray:
    """(3, 3) K of a perspective view: K (x right, y down, z ahead) = z (pixel x, pixel y, 1), pixel centres at .5. Raises ValueError if orthographic."""
    if view.orthographic:
        raise ValueError('an orthographic view has no focal length')
    left, right, bottom, top = view.edges(size[0] / size[1])
    fx, fy = view.near * size[0] / (right - left), view.near * size[1] / (top - bottom)
    return np.array([[fx, 0, -left / view.near * fx], [0, fy, top / view.near * fy], [0, 0, 1]])


def pose_matrix(view: View) -> np.ndarray:
    """(4, 4) from the view's coordinates (x right, y down, z ahead) to the world's."""
    return np.linalg.inv(np.diag([1.0, -1, -1, 1]) @ view_matrix(view))


def view_matrix(view: View) -> np.ndarray:
    """World to eye, (4, 4), eye looking along -z."""
    forward = unit(view.forward)
    side = unit(cross(forward, view.up))
    out = np.eye(4)
    out[0, :3], out[1, :3], out[2, :3] = side, unit(cross(side, forward)), (-forward[0], -forward[1], -forward[2])
    out[:3, 3] = out[:3, :3] @ -np.asarray(view.pos, float)
    return out


def projection_matrix(view: View, aspect: float) -> np.ndarray:
    """Eye to clip, (4, 4), OpenGL's depth convention (-1 near, 1 far). pyrr's matrices act on rows: theirs is our transpose."""
    make = matrix44.create_orthogonal_projection if view.orthographic else matrix44.create_perspective_projection_from_bounds
    return make(*view.edges(aspect), view.near, view.far).T


def project(view: View, points, size):
    """Pixels (n, 2) with the origin at the top left and depths (n,) along the view of world points (n, 3); depth <= near is not visible."""
    points = np.atleast_2d(np.asarray(points, float))
    w, h = size
    to_eye = view_matrix(view)
    eye = points @ to_eye[:3, :3].T + to_eye[:3, 3]
    clip = np.c_[eye, np.ones(len(eye))] @ projection_matrix(view, w / h).T
    with np.errstate(divide='ignore', invalid='ignore'):
        ndc = clip[:, :2] / clip[:, 3:]
    return np.c_[(ndc[:, 0] + 1) / 2 * w, (1 - ndc[:, 1]) / 2 * h], -eye[:, 2]


def pixel_ray(view: View, x: float, y: float, size):
    """(origin, unit direction) of the ray through a pixel (origin at the top left, pixel centres at .5)."""
    w, h = size
    l, r, b, t = view.edges(w / h)
    side, height = l + (r - l) * x / w, t + (b - t) * y / h
    forward = np.asarray(view.forward, float)
    right = view.right()
    up = np.array(cross(right, forward))
    pos = np.asarray(view.pos, float)
    if view.orthographic:
        return pos + side * right + height * up, forward / np.linalg.norm(forward)
    ray = forward * view.near + side * right + height * up
    return pos, ray / np.linalg.norm(ray)
