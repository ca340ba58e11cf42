"""Where the things that sensors are attached to are, how they move and accelerate: bodies, geoms, sites and cameras.

A body stands for its inertial frame, an xbody for the frame of the joints. Velocities and accelerations are those of the
point of the body at the object's origin, along the world's axes.

Source: MuJoCo documentation, XML reference, sensor/framepos; Featherstone, "Rigid Body Dynamics Algorithms", section 2.8.
"""
from __future__ import annotations

from physics.engine.kinematics.points import from_com, moved
from physics.engine.linalg.quat import mul4
from physics.engine.linalg.vec import add3, cross3
from physics.enums import OBJ_BODY, OBJ_CAMERA, OBJ_GEOM, OBJ_SITE
from physics.kernels.decorators import helper
from physics.kernels.rows import ld3, ld4, ld6, ld9


@helper
def object_body(m, kind, k):
    """Body that object k of an ObjType belongs to."""
    if kind == OBJ_GEOM:
        return m.geom_bodyid[k]
    if kind == OBJ_SITE:
        return m.site_bodyid[k]
    if kind == OBJ_CAMERA:
        return m.cam_bodyid[k]
    return k


@helper
def object_pos(d, kind, k):
    """Origin of the object's frame."""
    if kind == OBJ_BODY:
        return ld3(d.xipos, k)
    if kind == OBJ_GEOM:
        return ld3(d.geom_xpos, k)
    if kind == OBJ_SITE:
        return ld3(d.site_xpos, k)
    if kind == OBJ_CAMERA:
        return ld3(d.cam_xpos, k)
    return ld3(d.xpos, k)


@helper
def object_mat(d, kind, k):
    """Orientation of the object's frame."""
    if kind == OBJ_BODY:
        return ld9(d.ximat, k)
    if kind == OBJ_GEOM:
        return ld9(d.geom_xmat, k)
    if kind == OBJ_SITE:
        return ld9(d.site_xmat, k)
    if kind == OBJ_CAMERA:
        return ld9(d.cam_xmat, k)
    return ld9(d.xmat, k)


@helper
def object_quat(m, d, kind, k):
    """The same as a quaternion; a camera's is that of its place on the body, whatever its mode."""
    q = ld4(d.xquat, object_body(m, kind, k))
    if kind == OBJ_BODY:
        return mul4(q, ld4(m.body_iquat, k))
    if kind == OBJ_GEOM:
        return mul4(q, ld4(m.geom_quat, k))
    if kind == OBJ_SITE:
        return mul4(q, ld4(m.site_quat, k))
    if kind == OBJ_CAMERA:
        return mul4(q, ld4(m.cam_quat, k))
    return q


@helper
def object_velocity(m, d, kind, k):
    """(angular, linear) velocity."""
    body = object_body(m, kind, k)
    w = ld6(d.cvel, body)
    v = moved(w, from_com(m, d, body, object_pos(d, kind, k)))
    return (w[0], w[1], w[2]), v


@helper
def object_acceleration(m, d, kind, k):
    """(angular, linear) acceleration, as an accelerometer feels it: gravity counts as an acceleration upwards."""
    body = object_body(m, kind, k)
    r = from_com(m, d, body, object_pos(d, kind, k))
    a = ld6(d.cacc, body)
    w = ld6(d.cvel, body)
    turning = (w[0], w[1], w[2])
    return (a[0], a[1], a[2]), add3(moved(a, r), cross3(turning, moved(w, r)))
