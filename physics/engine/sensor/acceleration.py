"""Sensors that read accelerations and forces.

Source: MuJoCo documentation, XML reference, sensor.
"""
from __future__ import annotations

from physics.engine.inertia.rne_post_constraint import rne_post_constraint
from physics.engine.kinematics.objects import object_acceleration
from physics.engine.kinematics.points import from_com
from physics.engine.linalg.vec import cross3, mat_t_vec3, sub3
from physics.engine.sensor.output import put3
from physics.engine.sensor.position import limit_row
from physics.enums import (
    CNSTR_LIMIT_JOINT,
    CNSTR_LIMIT_TENDON,
    OBJ_SITE,
    SENS_ACCELEROMETER,
    SENS_ACTUATORFRC,
    SENS_FORCE,
    SENS_FRAMEANGACC,
    SENS_FRAMELINACC,
    SENS_JOINTACTFRC,
    SENS_JOINTLIMITFRC,
    SENS_TENDONACTFRC,
    SENS_TENDONLIMITFRC,
    SENS_TORQUE,
    TRN_TENDON,
)
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, ld9


@kernel("m d i")
def joint_reaction(m, d, i):
    """force and torque: what the parent of the site's body passes on to it, at the site and along its axes."""
    s = m.sensor_objid[i]
    body = m.site_bodyid[s]
    f = ld6(d.cfrc_int, body)
    v = (f[3], f[4], f[5])
    if m.sensor_type[i] == SENS_TORQUE:
        v = sub3((f[0], f[1], f[2]), cross3(from_com(m, d, body, ld3(d.site_xpos, s)), v))
    put3(d, m.sensor_adr[i], mat_t_vec3(ld9(d.site_xmat, s), v))


@kernel("m d i")
def frame_acceleration(m, d, i):
    """framelinacc, frameangacc along the world's axes; accelerometer along the site's."""
    kind = m.sensor_type[i]
    k = m.sensor_objid[i]
    obj = m.sensor_objtype[i]
    if kind == SENS_ACCELEROMETER:
        obj = OBJ_SITE
    w, v = object_acceleration(m, d, obj, k)
    if kind == SENS_FRAMEANGACC:
        v = w
    elif kind == SENS_ACCELEROMETER:
        v = mat_t_vec3(ld9(d.site_xmat, k), v)
    put3(d, m.sensor_adr[i], v)


@helper
def limit_force(d, kind, k):
    """Force of the row that holds joint or tendon k within its range, 0 where none does."""
    row = limit_row(d, kind, k)
    if row < 0:
        return 0.0
    return d.efc_force[row]


@helper
def tendon_actuators(m, d, t):
    """Sum of the forces of the actuators that pull at tendon t."""
    f = 0.0
    for j in range(m.nactuator):
        if m.actuator_trntype[j] == TRN_TENDON and m.actuator_trnid[j, 0] == t:
            f += d.actuator_force[m.actuator_outadr[j]]
    return f


@kernel("m d i")
def read_acceleration(m, d, i):
    """Read acceleration sensor i, of any type that needs no contacts."""
    kind = m.sensor_type[i]
    a = m.sensor_adr[i]
    k = m.sensor_objid[i]
    if kind == SENS_ACTUATORFRC:
        for j in range(m.sensor_dim[i]):
            d.sensordata[a + j] = d.actuator_force[m.actuator_outadr[k] + j]
    elif kind == SENS_JOINTACTFRC:
        d.sensordata[a] = d.qfrc_actuator[m.jnt_dofadr[k]]
    elif kind == SENS_TENDONACTFRC:
        d.sensordata[a] = tendon_actuators(m, d, k)
    elif kind == SENS_JOINTLIMITFRC:
        d.sensordata[a] = limit_force(d, CNSTR_LIMIT_JOINT, k)
    elif kind == SENS_TENDONLIMITFRC:
        d.sensordata[a] = limit_force(d, CNSTR_LIMIT_TENDON, k)
    elif kind == SENS_ACCELEROMETER or kind == SENS_FRAMELINACC or kind == SENS_FRAMEANGACC or kind == SENS_FORCE or kind == SENS_TORQUE:
        if d.flg_rnepost == 0:
            rne_post_constraint(m, d)
        if kind == SENS_FORCE or kind == SENS_TORQUE:
            joint_reaction(m, d, i)
        else:
            frame_acceleration(m, d, i)
