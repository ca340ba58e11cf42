"""mjv_*: from the model's space to the room's and back, the camera in both, single geoms. The room is where the camera is: it sees the model moved by translate,
turned by rotate and scaled."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from ..errors import FatalError
from ..scene_structs import MjvGeom

CAPSULE, CYLINDER, SPHERE = 3, 5, 2
CONNECTORS = (CAPSULE, CYLINDER, 100, 101, 102, 103)     # with arrows and lines


def turned(q, v) -> np.ndarray:
    """A vector turned by a quaternion."""
    w, axis = float(q[0]), np.asarray(q[1:], float)
    v = np.asarray(v, float)
    return v + 2 * np.cross(axis, np.cross(axis, v) + w * v)


def times(a, b) -> np.ndarray:
    """Product of quaternions."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    return np.concatenate([[a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])


def turn_of(axis, angle: float) -> np.ndarray:
    """Quaternion of a turn about an axis of any length by an angle [rad]."""
    length = float(np.linalg.norm(axis))
    return np.array([np.cos(angle / 2), *(np.sin(angle / 2) * np.asarray(axis, float) / (length or 1))])


def _moved(scn) -> tuple[np.ndarray, np.ndarray, float]:
    """How the model stands in the room: translation, quaternion, scale. Raises FatalError for a scale of none."""
    if not scn.enabletransform:
        return np.zeros(3), np.array([1.0, 0, 0, 0]), 1.0
    if scn.scale < 1e-15:
        raise FatalError("mjvScene scale too small")
    q = scn.rotate.astype(float)
    return scn.translate.astype(float), q / max(np.linalg.norm(q), 1e-15), float(scn.scale)


def room_to_model(roompos, roomquat, scn):
    """A pose of the room in the model's space."""
    shift, q, scale = _moved(scn)
    back = q * (1, -1, -1, -1)
    return turned(back, roompos - shift) / scale, times(back, roomquat)


def model_to_room(modelpos, modelquat, scn):
    """A pose of the model's space in the room."""
    shift, q, scale = _moved(scn)
    return turned(q, modelpos) * scale + shift, times(q, modelquat)


def camera_in_room(scn):
    """Place, forward and up of the scene's camera, between its eyes."""
    left, right = scn.camera
    out = [(left.pos.astype(float) + right.pos) / 2]
    for name in ("forward", "up"):
        way = getattr(left, name).astype(float) + getattr(right, name)
        out.append(way / max(np.linalg.norm(way), 1e-15))
    return tuple(out)


def camera_in_model(scn):
    """The same in the model's space."""
    pos, forward, up = camera_in_room(scn)
    shift, q, scale = _moved(scn)
    back = q * (1, -1, -1, -1)
    return turned(back, pos - shift) / scale, turned(back, forward), turned(back, up)


def frustum_height(scn) -> float:
    """Height of the picture per unit of depth; of an orthographic camera the height."""
    left, right = scn.camera
    height = (left.frustum_top + right.frustum_top - left.frustum_bottom - right.frustum_bottom) / 2
    return height if left.orthographic else height / max((left.frustum_near + right.frustum_near) / 2, 1e-15)


def align_to_camera(vec, forward) -> np.ndarray:
    """A vector turned about z, so that its y axis goes along with the camera's forward direction."""
    way = forward[:2] / max(np.linalg.norm(forward[:2]), 1e-15)
    return np.array([vec[0] * way[1] + vec[1] * way[0], -vec[0] * way[0] + vec[1] * way[1], vec[2]])


def init_geom(geom, type, size, pos, mat, rgba) -> None:
    """Make a geom anew, without material or label; its size as the type has it: a sphere's radius three times, that of capsules and cylinders twice."""
    geom.take(MjvGeom())
    geom.type, geom.pos, geom.mat, geom.rgba = int(type), pos, mat, rgba
    size = np.asarray(size, float)
    geom.size = size[[0, 0, 0]] if type == SPHERE else size[[0, 0, 1]] if type in (CAPSULE, CYLINDER) else size


def connector(geom, type, width, from_, to) -> None:
    """Have a capsule, cylinder, arrow or line reach from one point to another. Raises FatalError for another type."""
    if type not in CONNECTORS:
        raise FatalError(f"mjv_connector: invalid geom type {int(type)} for connector")
    way = to - from_
    length = float(np.linalg.norm(way))
    centred = type in (CAPSULE, CYLINDER)
    geom.type = int(type)
    geom.size = (width, width, length / 2 if centred else length)
    geom.pos = (from_ + to) / 2 if centred else from_
    geom.mat = frame_about(way / length) if length > 1e-15 else np.eye(3)


def frame_about(z: np.ndarray) -> np.ndarray:
    """(3, 3) of the shortest turn that brings the z axis to a unit vector."""
    axis, cosine = np.cross((0.0, 0.0, 1.0), z), float(z[2])
    if cosine < -1 + 1e-12:
        return np.diag([1.0, -1, -1])
    cross = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + cross + cross @ cross / (1 + cosine)


TABLE = MappingProxyType({
    "mjv_room2model": room_to_model, "mjv_model2room": model_to_room, "mjv_cameraInModel": camera_in_model, "mjv_cameraInRoom": camera_in_room, "mjv_frustumHeight": frustum_height,
    "mjv_alignToCamera": align_to_camera, "mjv_initGeom": init_geom, "mjv_connector": connector,
})
