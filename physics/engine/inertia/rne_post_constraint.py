"""Accelerations of the bodies and the forces between them and their parents, once all forces are known.

    cacc      how each body accelerates, gravity counted as an acceleration of the world upwards
    cfrc_ext  what acts on it from outside its joint: the user, contacts, equalities of bodies and geoms, spatial tendons
    cfrc_int  what its joint must pass on from the parent: its own inertia and that of its descendants, less their cfrc_ext

All are (torque, force) about the centre of mass of the body's tree. Forces of actuators, springs and dampers at joints, of
limits and friction of joints, and of fixed tendons are part of cfrc_int.

A spatial tendon pulls at the ends of its straight parts with one tension, divided by its pulleys: spring, damper, actuators,
limits, friction, equalities, and the inertia of its armature.

Source: Featherstone, "Rigid Body Dynamics Algorithms", section 5.3; MuJoCo documentation, chapter Computation, "Sensors"
and changelog of 3.14 (torque of welds, tendons).
"""
from __future__ import annotations

from physics.engine.actuator.transmission import tendon_armature, tendon_damping
from physics.engine.collide.distance import geom_distance
from physics.engine.constraint.contact_force import decode_contact
from physics.engine.constraint.distance_row import UNBOUNDED, ordered_geoms
from physics.engine.constraint.equality import between, displacement, pair_anchor, pair_body, pair_quats, rows_of_pose
from physics.engine.kinematics.joints import poly
from physics.engine.kinematics.points import from_com
from physics.engine.linalg.quat import conj4
from physics.engine.linalg.spatial import add6, addscl6, cross_force, mul_inertia
from physics.engine.linalg.vec import add3, cross3, mat_t_vec3, scl3, sub3, unit3
from physics.engine.passive.passive import tendon_stretch
from physics.engine.tendon.tendon import AT_PULLEY, AT_SITE, tendon_drift
from physics.enums import (
    CNSTR_FRICTION_TENDON,
    CNSTR_LIMIT_TENDON,
    DSBL_ACTUATION,
    DSBL_DAMPER,
    DSBL_GRAVITY,
    DSBL_SPRING,
    EQ_DISTANCE,
    EQ_TENDON,
    TENDON_FIXED,
    TRN_TENDON,
    WRAP_PULLEY,
    WRAP_SITE,
)
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, ld9, ld10, off, st6


@helper
def push(m, d, body, point, frc, trq):
    """Add to cfrc_ext a force at a point and a torque, unless the body is the world."""
    if body > 0:
        t = add3(trq, cross3(from_com(m, d, body, point), frc))
        st6(d.cfrc_ext, body, add6(ld6(d.cfrc_ext, body), (t[0], t[1], t[2], frc[0], frc[1], frc[2])))


@kernel()
def push_users(m, d):
    """Start cfrc_ext with the forces of the user and of the mouse.

    Reads: xfrc_applied, xfrc_perturb, perturb_bodyid, xipos, subtree_com
    Writes: cfrc_ext
    """
    for b in range(m.nbody):
        st6(d.cfrc_ext, b, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
        f = ld6(d.xfrc_applied, b)
        if f[0] != 0.0 or f[1] != 0.0 or f[2] != 0.0 or f[3] != 0.0 or f[4] != 0.0 or f[5] != 0.0:
            push(m, d, b, ld3(d.xipos, b), (f[0], f[1], f[2]), (f[3], f[4], f[5]))
    b = d.perturb_bodyid
    if b > 0:
        x = d.xfrc_perturb
        push(m, d, b, ld3(d.xipos, b), (x[0], x[1], x[2]), (x[3], x[4], x[5]))


@kernel()
def push_contacts(m, d):
    """Add the forces of all contacts to cfrc_ext.

    Reads: ncon, contact_pos, contact_frame, contact_geom, contact_dim, contact_friction, contact_adhesion, contact_efc_address, efc_type, efc_force, subtree_com
    Writes: cfrc_ext
    """
    for i in range(d.ncon):
        if d.contact_efc_address[i] < 0:
            continue
        f = decode_contact(d, i)
        frame = ld9(d.contact_frame, i)
        frc = mat_t_vec3(frame, (f[0], f[1], f[2]))
        trq = mat_t_vec3(frame, (f[3], f[4], f[5]))
        p = ld3(d.contact_pos, i)
        push(m, d, m.geom_bodyid[d.contact_geom[i, 0]], p, scl3(frc, -1.0), scl3(trq, -1.0))
        push(m, d, m.geom_bodyid[d.contact_geom[i, 1]], p, frc, trq)


@helper
def push_apart(m, d, i, force):
    """Add the force of distance constraint i, which pushes its geoms apart where it is positive."""
    one, two = ordered_geoms(m, i)
    geom_distance(m, d, one, two, UNBOUNDED)
    p = ld3(d.contact_pos, d.ncon)
    f = (force * d.contact_frame[d.ncon, 0], force * d.contact_frame[d.ncon, 1], force * d.contact_frame[d.ncon, 2])
    push(m, d, m.geom_bodyid[two], p, f, (0.0, 0.0, 0.0))
    push(m, d, m.geom_bodyid[one], p, scl3(f, -1.0), (0.0, 0.0, 0.0))


@kernel()
def push_equalities(m, d):
    """Add the forces of connects, welds and distance constraints to cfrc_ext.

    Reads: ne, ncon, efc_id, efc_force, xpos, xmat, xquat, site_xpos, subtree_com, geom_xpos, geom_xmat
    Writes: cfrc_ext, beyond the contacts contact_pos and contact_frame
    """
    row = 0
    while row < d.ne:
        i = d.efc_id[row]
        rows = rows_of_pose(m, i)
        if rows == 0:
            if m.eq_type[i] == EQ_DISTANCE:
                push_apart(m, d, i, d.efc_force[row])
            row += 1
            continue
        frc = (d.efc_force[row], d.efc_force[row + 1], d.efc_force[row + 2])
        trq = (0.0, 0.0, 0.0)
        if rows == 6:
            # the residual turns with s/2 vec(back w q); its force f acts back as the torque s/2 vec(conj(back) f conj(q))
            q, back = pair_quats(m, d, i)
            f = (d.efc_force[row + 3], d.efc_force[row + 4], d.efc_force[row + 5])
            trq = scl3(between(conj4(back), f, conj4(q)), m.eq_data[i, 10])
        row += rows
        one = m.eq_obj1id[i]
        two = m.eq_obj2id[i]
        push(m, d, pair_body(m, i, one), pair_anchor(m, d, i, one, True), frc, trq)
        push(m, d, pair_body(m, i, two), pair_anchor(m, d, i, two, False), scl3(frc, -1.0), scl3(trq, -1.0))


# ---------------------------------------------------------------- spatial tendons


@helper
def row_sign(m, d, row, t):
    """1 where constraint row `row` is the Jacobian of tendon t, -1 where it is its negative."""
    s = 0.0
    a = m.ten_J_rowadr[t]
    e = d.efc_J_rowadr[row]
    for k in range(m.ten_J_rownnz[t]):
        s += d.ten_J[a + k] * d.efc_J[e + k]
    if s < 0.0:
        return -1.0
    return 1.0


@kernel()
def tendon_tensions(m, d):
    """What pushes each tendon longer: all forces along it but those on the tendon's joints themselves.

    Reads: ten_length, ten_velocity, ten_J, actuator_force, ne, nefc, efc_type, efc_id, efc_J, efc_J_rowadr, efc_force, qpos, qacc, qvel,
        cvel, cdof_dot, site_xpos, subtree_com
    Writes: ten_tension
    """
    for t in range(m.ntendon):
        f = 0.0
        if m.opt_disableflags & DSBL_SPRING == 0:
            x = tendon_stretch(m, d, t)
            f -= x * poly(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t, 0], m.tendon_stiffnesspoly[t, 1], x)
        if m.opt_disableflags & DSBL_DAMPER == 0:
            v = d.ten_velocity[t]
            b, p0, p1 = tendon_damping(m, t)
            f -= v * poly(b, p0, p1, abs(v))
        armature = tendon_armature(m, t)
        if armature != 0.0:
            a = tendon_drift(m, d, t)
            start = m.ten_J_rowadr[t]
            for k in range(start, start + m.ten_J_rownnz[t]):
                a += d.ten_J[k] * d.qacc[m.ten_J_colind[k]]
            f -= armature * a
        d.ten_tension[t] = f
    if m.opt_disableflags & DSBL_ACTUATION == 0:
        for i in range(m.nactuator):
            if m.actuator_trntype[i] == TRN_TENDON:
                out = m.actuator_outadr[i]
                d.ten_tension[m.actuator_trnid[i, 0]] += m.actuator_gear[out, 0] * d.actuator_force[out]
    for row in range(d.nefc):
        kind = d.efc_type[row]
        i = d.efc_id[row]
        if kind == CNSTR_LIMIT_TENDON or kind == CNSTR_FRICTION_TENDON:
            d.ten_tension[i] += row_sign(m, d, row, i) * d.efc_force[row]
        elif row < d.ne and m.eq_type[i] == EQ_TENDON:
            d.ten_tension[m.eq_obj1id[i]] += d.efc_force[row]
            two = m.eq_obj2id[i]
            if two >= 0:
                x = displacement(m, d, EQ_TENDON, two)
                slope = m.eq_data[i, 1] + x * (2.0 * m.eq_data[i, 2] + x * (3.0 * m.eq_data[i, 3] + x * 4.0 * m.eq_data[i, 4]))
                d.ten_tension[two] -= slope * d.efc_force[row]


@kernel("m d i")
def push_tendon(m, d, t):
    """Add to cfrc_ext what the tension of spatial tendon t does at the ends of its straight parts."""
    w = m.tendon_adr[t] - 1
    share = d.ten_tension[t]
    start = d.ten_wrapadr[t]
    before = AT_PULLEY
    body0 = 0
    p0 = (0.0, 0.0, 0.0)
    for k in range(start, start + d.ten_wrapnum[t]):
        on = off(d.wrap_obj, k)
        obj = on[0]
        row = off(d.wrap_xpos, 3 * k)
        p1 = (row[0], row[1], row[2])
        body1 = 0
        if obj == AT_PULLEY:
            w += 1
            while m.wrap_type[w] != WRAP_PULLEY:
                w += 1
            share = d.ten_tension[t] / m.wrap_prm[w]
        elif obj == AT_SITE:
            w += 1
            while m.wrap_type[w] != WRAP_SITE:
                w += 1
            body1 = m.site_bodyid[m.wrap_objid[w]]
        else:
            body1 = m.geom_bodyid[obj]
        arc = obj >= 0 and before == obj
        if before != AT_PULLEY and obj != AT_PULLEY and not arc and body0 != body1:
            u = scl3(unit3(sub3(p1, p0)), share)
            push(m, d, body1, p1, u, (0.0, 0.0, 0.0))
            push(m, d, body0, p0, scl3(u, -1.0), (0.0, 0.0, 0.0))
        before = obj
        body0 = body1
        p0 = p1


@kernel()
def rne_post_constraint(m, d):
    """Accelerations of all bodies, external forces on them and the forces that their joints pass on.

    Reads: qvel, qacc, cdof, cdof_dot, cvel, cinert, ncon, ne, ten_wrapadr, ten_wrapnum and what the push_* kernels read
    Writes: cacc, cfrc_ext, cfrc_int, ten_tension, flg_rnepost
    """
    push_users(m, d)
    push_contacts(m, d)
    push_equalities(m, d)
    if m.ntendon > 0:
        tendon_tensions(m, d)
        for t in range(m.ntendon):
            if m.tendon_type[t] != TENDON_FIXED and d.ten_tension[t] != 0.0:
                push_tendon(m, d, t)
    st6(d.cfrc_int, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    if m.opt_disableflags & DSBL_GRAVITY:
        st6(d.cacc, 0, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    else:
        st6(d.cacc, 0, (0.0, 0.0, 0.0, -m.opt_gravity[0], -m.opt_gravity[1], -m.opt_gravity[2]))
    for b in range(1, m.nbody):
        acc = ld6(d.cacc, m.body_parentid[b])
        k = m.body_dofadr[b]
        for a in range(k, k + m.body_dofnum[b]):
            acc = addscl6(addscl6(acc, ld6(d.cdof_dot, a), d.qvel[a]), ld6(d.cdof, a), d.qacc[a])
        st6(d.cacc, b, acc)
        inert = ld10(d.cinert, b)
        v = ld6(d.cvel, b)
        f = add6(mul_inertia(inert, acc), cross_force(v, mul_inertia(inert, v)))
        st6(d.cfrc_int, b, addscl6(f, ld6(d.cfrc_ext, b), -1.0))
    for b in range(m.nbody - 1, 0, -1):
        up = m.body_parentid[b]
        st6(d.cfrc_int, up, add6(ld6(d.cfrc_int, up), ld6(d.cfrc_int, b)))
    d.flg_rnepost = 1
