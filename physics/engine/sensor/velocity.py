"""Sensors that read velocities.

Source: MuJoCo documentation, XML reference, sensor.
"""
from __future__ import annotations

from physics.engine.kinematics.objects import object_mat, object_pos, object_velocity
from physics.engine.kinematics.subtree import subtree_vel
from physics.engine.linalg.vec import add3, cross3, mat_t_vec3, sub3
from physics.engine.sensor.output import put3
from physics.engine.sensor.position import limit_row
from physics.enums import (
    CNSTR_LIMIT_JOINT,
    CNSTR_LIMIT_TENDON,
    OBJ_SITE,
    SENS_ACTUATORVEL,
    SENS_BALLANGVEL,
    SENS_FRAMEANGVEL,
    SENS_FRAMELINVEL,
    SENS_GYRO,
    SENS_JOINTLIMITVEL,
    SENS_JOINTVEL,
    SENS_SUBTREEANGMOM,
    SENS_SUBTREELINVEL,
    SENS_TENDONLIMITVEL,
    SENS_TENDONVEL,
    SENS_VELOCIMETER,
)
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld9


@kernel("m d i")
def frame_velocity(m, d, i):
    """framelinvel and frameangvel: the object's, seen by an observer that moves and turns with the reference object if there is one."""
    kind = m.sensor_objtype[i]
    k = m.sensor_objid[i]
    ref = m.sensor_reftype[i]
    r = m.sensor_refid[i]
    w, v = object_velocity(m, d, kind, k)
    if r >= 0:
        w0, v0 = object_velocity(m, d, ref, r)
        away = sub3(object_pos(d, kind, k), object_pos(d, ref, r))
        mat = object_mat(d, ref, r)
        v = mat_t_vec3(mat, add3(sub3(v, v0), cross3(away, w0)))
        w = mat_t_vec3(mat, sub3(w, w0))
    if m.sensor_type[i] == SENS_FRAMEANGVEL:
        v = w
    put3(d, m.sensor_adr[i], v)


@kernel("m d i")
def site_velocity(m, d, i):
    """velocimeter and gyro: the site's velocity along its own axes."""
    s = m.sensor_objid[i]
    w, v = object_velocity(m, d, OBJ_SITE, s)
    if m.sensor_type[i] == SENS_GYRO:
        v = w
    put3(d, m.sensor_adr[i], mat_t_vec3(ld9(d.site_xmat, s), v))


@helper
def limit_speed(d, kind, k):
    """Speed of the row that holds joint or tendon k within its range, 0 where none does."""
    row = limit_row(d, kind, k)
    if row < 0:
        return 0.0
    return d.efc_vel[row]


@kernel("m d i")
def read_velocity(m, d, i):
    """Read velocity sensor i, of any type that needs no contacts."""
    kind = m.sensor_type[i]
    a = m.sensor_adr[i]
    k = m.sensor_objid[i]
    if kind == SENS_JOINTVEL:
        d.sensordata[a] = d.qvel[m.jnt_dofadr[k]]
    elif kind == SENS_VELOCIMETER or kind == SENS_GYRO:
        site_velocity(m, d, i)
    elif kind == SENS_FRAMELINVEL or kind == SENS_FRAMEANGVEL:
        frame_velocity(m, d, i)
    elif kind == SENS_TENDONVEL:
        d.sensordata[a] = d.ten_velocity[k]
    elif kind == SENS_ACTUATORVEL:
        for j in range(m.sensor_dim[i]):
            d.sensordata[a + j] = d.actuator_velocity[m.actuator_outadr[k] + j]
    elif kind == SENS_BALLANGVEL:
        for j in range(3):
            d.sensordata[a + j] = d.qvel[m.jnt_dofadr[k] + j]
    elif kind == SENS_JOINTLIMITVEL:
        d.sensordata[a] = limit_speed(d, CNSTR_LIMIT_JOINT, k)
    elif kind == SENS_TENDONLIMITVEL:
        d.sensordata[a] = limit_speed(d, CNSTR_LIMIT_TENDON, k)
    elif kind == SENS_SUBTREELINVEL or kind == SENS_SUBTREEANGMOM:
        if d.flg_subtreevel == 0:
            subtree_vel(m, d)
        if kind == SENS_SUBTREELINVEL:
            put3(d, a, ld3(d.subtree_linvel, k))
        else:
            put3(d, a, ld3(d.subtree_angmom, k))
