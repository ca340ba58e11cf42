"""Pixels of a camera: where a point appears, and the ray through the middle of a pixel.

Pixels count from the upper left corner of the picture. A camera with a sensor size has focal lengths and a principal point
of its own, else its vertical angle of view fixes both.

Source: MuJoCo documentation, XML reference, body/camera and sensor/camprojection; R. Hartley, A. Zisserman, "Multiple View
Geometry in Computer Vision", section 6.1 (the pinhole camera).
"""
from __future__ import annotations

from math import pi, tan

from physics.engine.linalg.vec import add3, mat_t_vec3, mat_vec3, sub3, unit3
from physics.enums import MINVAL, PROJ_ORTHOGRAPHIC
from physics.kernels.decorators import helper
from physics.kernels.rows import ld3, ld9


@helper
def focal(m, c):
    """(fx, fy): focal lengths of camera c in pixels."""
    if m.cam_sensorsize[c, 0] != 0.0 and m.cam_sensorsize[c, 1] != 0.0:
        return (m.cam_intrinsic[c, 0] / m.cam_sensorsize[c, 0] * m.cam_resolution[c, 0],
                m.cam_intrinsic[c, 1] / m.cam_sensorsize[c, 1] * m.cam_resolution[c, 1])
    f = 0.5 / tan(m.cam_fovy[c] * pi / 360.0) * m.cam_resolution[c, 1]
    return f, f


@helper
def principal(m, c):
    """(cx, cy): principal point of camera c in pixels."""
    if m.cam_sensorsize[c, 0] != 0.0 and m.cam_sensorsize[c, 1] != 0.0:
        return (m.cam_intrinsic[c, 2] / m.cam_sensorsize[c, 0] * m.cam_resolution[c, 0],
                m.cam_intrinsic[c, 3] / m.cam_sensorsize[c, 1] * m.cam_resolution[c, 1])
    return 0.5 * m.cam_resolution[c, 0], 0.5 * m.cam_resolution[c, 1]


@helper
def project(m, d, c, p):
    """Pixel coordinates at which camera c sees the point p; the picture's middle is taken as the principal point."""
    fx, fy = focal(m, c)
    q = mat_t_vec3(ld9(d.cam_xmat, c), sub3(p, ld3(d.cam_xpos, c)))
    z = q[2]
    if abs(z) < MINVAL:
        z = -MINVAL if z < 0.0 else MINVAL
    return 0.5 * m.cam_resolution[c, 0] - fx * q[0] / z, 0.5 * m.cam_resolution[c, 1] + fy * q[1] / z


@helper
def pixel_ray(m, d, c, column, line):
    """(origin, unit direction) of the ray through the middle of a pixel of camera c."""
    at = ld3(d.cam_xpos, c)
    mat = ld9(d.cam_xmat, c)
    if m.cam_projection[c] == PROJ_ORTHOGRAPHIC:
        # the same half height scales both directions
        half = 0.5 * m.cam_fovy[c]
        wide = 0.5 * m.cam_resolution[c, 0]
        high = 0.5 * m.cam_resolution[c, 1]
        shift = mat_vec3(mat, (half * (column + 0.5 - wide) / wide, -half * (line + 0.5 - high) / high, 0.0))
        return add3(at, shift), (-mat[2], -mat[5], -mat[8])
    fx, fy = focal(m, c)
    cx, cy = principal(m, c)
    return at, unit3(mat_vec3(mat, ((column + 0.5 - cx) / fx, -(line + 0.5 - cy) / fy, -1.0)))
