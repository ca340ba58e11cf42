"""Sensors that read positions.

Source: MuJoCo documentation, XML reference, sensor.
"""
from __future__ import annotations

from physics.engine.inertia.energy import energy_pos, energy_vel
from physics.engine.kinematics.joints import quat_at
from physics.engine.kinematics.objects import object_mat, object_pos, object_quat
from physics.engine.linalg.quat import conj4, mul4, unit4
from physics.engine.linalg.vec import mat_t_vec3, sub3
from physics.engine.sensor.camera import project
from physics.engine.sensor.containment_distance import containment_of_object
from physics.engine.sensor.inside import object_inside
from physics.engine.sensor.output import put3
from physics.enums import (
    CNSTR_LIMIT_JOINT,
    CNSTR_LIMIT_TENDON,
    SENS_ACTUATORPOS,
    SENS_BALLQUAT,
    SENS_CAMPROJECTION,
    SENS_CLOCK,
    SENS_E_KINETIC,
    SENS_E_POTENTIAL,
    SENS_FRAMEPOS,
    SENS_FRAMEQUAT,
    SENS_FRAMEXAXIS,
    SENS_FRAMEYAXIS,
    SENS_FRAMEZAXIS,
    SENS_INSIDESITE,
    SENS_JOINTLIMITPOS,
    SENS_JOINTPOS,
    SENS_MAGNETOMETER,
    SENS_SUBTREECOM,
    SENS_TENDONLIMITPOS,
    SENS_TENDONPOS,
)
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld9


@helper
def limit_row(d, kind, k):
    """First constraint row that holds joint or tendon k within its range, -1 where none does."""
    for row in range(d.ne + d.nf, d.nefc):
        if d.efc_type[row] == kind and d.efc_id[row] == k:
            return row
    return -1


@helper
def limit_depth(d, kind, k):
    """How far joint or tendon k is from its margin, 0 where no row holds it."""
    row = limit_row(d, kind, k)
    if row < 0:
        return 0.0
    return d.efc_pos[row] - d.efc_margin[row]


@helper
def put_quat(d, a, q):
    """Write four numbers from address a of sensordata."""
    d.sensordata[a] = q[0]
    put3(d, a + 1, (q[1], q[2], q[3]))


@kernel("m d i")
def frame_position(m, d, i):
    """framepos and the three frame axes: the object's, seen from the reference object if there is one."""
    kind = m.sensor_type[i]
    obj = m.sensor_objtype[i]
    k = m.sensor_objid[i]
    ref = m.sensor_reftype[i]
    r = m.sensor_refid[i]
    if kind == SENS_FRAMEPOS:
        v = object_pos(d, obj, k)
        if r >= 0:
            v = sub3(v, object_pos(d, ref, r))
    else:
        mat = object_mat(d, obj, k)
        if kind == SENS_FRAMEXAXIS:
            v = (mat[0], mat[3], mat[6])
        elif kind == SENS_FRAMEYAXIS:
            v = (mat[1], mat[4], mat[7])
        else:
            v = (mat[2], mat[5], mat[8])
    if r >= 0:
        v = mat_t_vec3(object_mat(d, ref, r), v)
    put3(d, m.sensor_adr[i], v)


@kernel("m d i")
def frame_quat(m, d, i):
    """framequat: the object's orientation, seen from the reference object if there is one."""
    q = object_quat(m, d, m.sensor_objtype[i], m.sensor_objid[i])
    r = m.sensor_refid[i]
    if r >= 0:
        q = mul4(conj4(object_quat(m, d, m.sensor_reftype[i], r)), q)
    put_quat(d, m.sensor_adr[i], q)


@kernel("m d i")
def read_position(m, d, i):
    """Read position sensor i, of any type that needs neither rays nor contacts."""
    kind = m.sensor_type[i]
    a = m.sensor_adr[i]
    k = m.sensor_objid[i]
    if kind == SENS_JOINTPOS:
        d.sensordata[a] = d.qpos[m.jnt_qposadr[k]]
    elif kind == SENS_FRAMEPOS or kind == SENS_FRAMEXAXIS or kind == SENS_FRAMEYAXIS or kind == SENS_FRAMEZAXIS:
        frame_position(m, d, i)
    elif kind == SENS_FRAMEQUAT:
        frame_quat(m, d, i)
    elif kind == SENS_TENDONPOS:
        d.sensordata[a] = d.ten_length[k]
    elif kind == SENS_ACTUATORPOS:
        for j in range(m.sensor_dim[i]):
            d.sensordata[a + j] = d.actuator_length[m.actuator_outadr[k] + j]
    elif kind == SENS_BALLQUAT:
        put_quat(d, a, unit4(quat_at(d.qpos, m.jnt_qposadr[k])))
    elif kind == SENS_JOINTLIMITPOS:
        d.sensordata[a] = limit_depth(d, CNSTR_LIMIT_JOINT, k)
    elif kind == SENS_TENDONLIMITPOS:
        d.sensordata[a] = limit_depth(d, CNSTR_LIMIT_TENDON, k)
    elif kind == SENS_SUBTREECOM:
        put3(d, a, ld3(d.subtree_com, k))
    elif kind == SENS_MAGNETOMETER:
        put3(d, a, mat_t_vec3(ld9(d.site_xmat, k), (m.opt_magnetic[0], m.opt_magnetic[1], m.opt_magnetic[2])))
    elif kind == SENS_CAMPROJECTION:
        x, y = project(m, d, m.sensor_refid[i], ld3(d.site_xpos, k))
        d.sensordata[a] = x
        d.sensordata[a + 1] = y
    elif kind == SENS_INSIDESITE:
        d.sensordata[a] = 0.0
        if m.sensor_intprm[i, 0] != 0:
            d.sensordata[a] = containment_of_object(m, d, i)
        elif object_inside(m, d, m.sensor_objtype[i], k, m.sensor_refid[i]):
            d.sensordata[a] = 1.0
    elif kind == SENS_CLOCK:
        d.sensordata[a] = d.time
    elif kind == SENS_E_POTENTIAL:
        if d.flg_energypos == 0:
            energy_pos(m, d)
        d.sensordata[a] = d.energy[0]
    elif kind == SENS_E_KINETIC:
        if d.flg_energyvel == 0:
            energy_vel(m, d)
        d.sensordata[a] = d.energy[1]
