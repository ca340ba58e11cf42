"""Rangefinders: one ray along a site's z axis, or one through each pixel of a camera.

Source: MuJoCo documentation, XML reference, sensor/rangefinder.
"""
from __future__ import annotations

from physics.engine.linalg.vec import addscl3, dot3, sub3
from physics.engine.ray.cast import ALL_GROUPS, cast
from physics.engine.sensor.camera import pixel_ray
from physics.engine.sensor.output import put3
from physics.enums import OBJ_SITE, RAYDATA_DEPTH, RAYDATA_DIR, RAYDATA_DIST, RAYDATA_NORMAL, RAYDATA_ORIGIN, RAYDATA_POINT
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld9


@helper
def put_ray(d, a, fields, dist, origin, direction, depth):
    """Write the wanted RayData fields of one ray from address a of sensordata; returns the address after them."""
    hit = dist >= 0.0
    if fields >> RAYDATA_DIST & 1:
        d.sensordata[a] = dist
        a += 1
    if fields >> RAYDATA_DIR & 1:
        put3(d, a, direction if hit else (0.0, 0.0, 0.0))
        a += 3
    if fields >> RAYDATA_ORIGIN & 1:
        put3(d, a, origin)
        a += 3
    if fields >> RAYDATA_POINT & 1:
        put3(d, a, addscl3(origin, direction, dist) if hit else (0.0, 0.0, 0.0))
        a += 3
    if fields >> RAYDATA_NORMAL & 1:
        put3(d, a, ld3(d.ray_normal, 0))
        a += 3
    if fields >> RAYDATA_DEPTH & 1:
        d.sensordata[a] = depth if hit else -1.0
        a += 1
    return a


@kernel("m d i")
def read_camera_rays(m, d, i):
    """Read camera rangefinder i, line by line from the top; depth is measured along the camera's axis."""
    c = m.sensor_objid[i]
    a = m.sensor_adr[i]
    mat = ld9(d.cam_xmat, c)
    for line in range(m.cam_resolution[c, 1]):
        for column in range(m.cam_resolution[c, 0]):
            p, v = pixel_ray(m, d, c, column, line)
            x = cast(m, d, p[0], p[1], p[2], v[0], v[1], v[2], ALL_GROUPS, 1, m.cam_bodyid[c])
            ahead = sub3(addscl3(p, v, x), ld3(d.cam_xpos, c))
            a = put_ray(d, a, m.sensor_intprm[i, 0], x, p, v, -dot3(ahead, (mat[2], mat[5], mat[8])))


@kernel("m d i")
def read_range(m, d, i):
    """Read rangefinder i; geoms of its own body are left out."""
    if m.sensor_objtype[i] != OBJ_SITE:
        read_camera_rays(m, d, i)
        return
    s = m.sensor_objid[i]
    mat = ld9(d.site_xmat, s)
    p = ld3(d.site_xpos, s)
    v = (mat[2], mat[5], mat[8])
    x = cast(m, d, p[0], p[1], p[2], v[0], v[1], v[2], ALL_GROUPS, 1, m.site_bodyid[s])
    put_ray(d, m.sensor_adr[i], m.sensor_intprm[i, 0], x, p, v, x)
