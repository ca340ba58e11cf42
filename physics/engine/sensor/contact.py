"""Sensors of contacts: touch sums forces in a volume, contact reports chosen contacts field by field.

A contact sensor looks at the list of contacts in three steps: those that match two objects (or a volume), reduced to a number
of slots (the first, the nearest, the strongest, or one that stands for all), of which the wanted fields are written. Where
the second object of the sensor is the contact's first, the frame is turned half round its last axis: normal and first
tangent point the other way.

Source: MuJoCo documentation, XML reference, sensor/touch and sensor/contact.
"""
from __future__ import annotations

from physics.engine.constraint.contact_force import decode_contact
from physics.engine.kinematics.points import from_com, moved
from physics.engine.linalg.vec import add3, addscl3, cross3, dot3, mat_t_vec3, mat_vec3, norm3, scl3, sub3
from physics.engine.ray.cast import meet_shape
from physics.engine.sensor.inside import inside_site
from physics.engine.sensor.output import fill, put3
from physics.enums import (
    CONDATA_ANGVEL,
    CONDATA_DIST,
    CONDATA_FORCE,
    CONDATA_FOUND,
    CONDATA_LINVEL,
    CONDATA_NORMAL,
    CONDATA_POS,
    CONDATA_TANGENT,
    CONDATA_TORQUE,
    MINVAL,
    OBJ_BODY,
    OBJ_GEOM,
    OBJ_SITE,
    OBJ_UNKNOWN,
    OBJ_XBODY,
)
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, ld9

MINDIST, MAXFORCE, NETFORCE = 1, 2, 3


@kernel("m d i")
def read_touch(m, d, i):
    """Read touch sensor i: normal forces of the contacts of the site's body whose point lies in the site, or before it along the normal."""
    s = m.sensor_objid[i]
    body = m.site_bodyid[s]
    mat = ld9(d.site_xmat, s)
    total = 0.0
    for k in range(d.ncon):
        if d.contact_efc_address[k] < 0:
            continue
        first = m.geom_bodyid[d.contact_geom[k, 0]] == body
        second = m.geom_bodyid[d.contact_geom[k, 1]] == body
        if first or second:
            f = decode_contact(d, k)[0]
            if f > 0.0:
                frame = ld9(d.contact_frame, k)
                n = (frame[0], frame[1], frame[2])
                if second:
                    n = scl3(n, -1.0)
                p = mat_t_vec3(mat, sub3(ld3(d.contact_pos, k), ld3(d.site_xpos, s)))
                x, _ = meet_shape(m.site_type[s], ld3(m.site_size, s), p, mat_t_vec3(mat, n))
                if x >= 0.0:
                    total += f
    d.sensordata[m.sensor_adr[i]] = total


@helper
def is_side(m, geom, kind, k):
    """Whether the geom belongs to object k, of an ObjType; no object, and a volume, take all."""
    body = m.geom_bodyid[geom]
    if kind == OBJ_GEOM:
        return geom == k
    if kind == OBJ_BODY:
        return body == k
    if kind == OBJ_XBODY:
        while body > k:
            body = m.body_parentid[body]
        return body == k
    return kind == OBJ_UNKNOWN or kind == OBJ_SITE


@helper
def match(m, d, i, k):
    """0: contact k is not for sensor i; 1: it is; -1: it is, turned round."""
    one, obj1 = m.sensor_objtype[i], m.sensor_objid[i]
    two, obj2 = m.sensor_reftype[i], m.sensor_refid[i]
    if one == OBJ_SITE and not inside_site(m, d, obj1, ld3(d.contact_pos, k)):
        return 0
    g1 = d.contact_geom[k, 0]
    g2 = d.contact_geom[k, 1]
    first1 = is_side(m, g1, one, obj1)
    first2 = is_side(m, g2, one, obj1)
    second1 = is_side(m, g1, two, obj2)
    second2 = is_side(m, g2, two, obj2)
    if not (first1 or first2) or not (second1 or second2):
        return 0
    along = first1 and second2
    against = first2 and second1
    if one != OBJ_UNKNOWN and two != OBJ_UNKNOWN:
        if along:
            return 1
        if against:
            return -1
        return 0
    if one != OBJ_UNKNOWN and not first1:
        return -1
    if two != OBJ_UNKNOWN and not second2:
        return -1
    return 1


@kernel("m d i", ret="i")
def gather(m, d, i):
    """Write the contacts that match sensor i to sens_match, and what they are sorted by to sens_key; returns their number."""
    n = 0
    for k in range(d.ncon):
        side = match(m, d, i, k)
        if side == 0:
            continue
        d.sens_match[n] = k if side > 0 else -1 - k
        key = 0.0
        if m.sensor_intprm[i, 1] == MINDIST:
            key = d.contact_dist[k]
        elif m.sensor_intprm[i, 1] == MAXFORCE:
            f = decode_contact(d, k)
            key = -dot3((f[0], f[1], f[2]), (f[0], f[1], f[2]))
        d.sens_key[n] = key
        n += 1
    return n


@helper
def bring_least(d, j, n):
    """Move the match of least key among those from j on to place j, the others keep their order."""
    least = j
    for k in range(j + 1, n):
        if d.sens_key[k] < d.sens_key[least]:
            least = k
    key = d.sens_key[least]
    contact = d.sens_match[least]
    for k in range(least, j, -1):
        d.sens_key[k] = d.sens_key[k - 1]
        d.sens_match[k] = d.sens_match[k - 1]
    d.sens_key[j] = key
    d.sens_match[j] = contact


@helper
def wants(m, i, field):
    """Whether sensor i reports a ContactData field."""
    return m.sensor_intprm[i, 0] >> field & 1 == 1


@helper
def relative_velocity(m, d, k):
    """(angular, linear) velocity of the second body of contact k against the first, at the contact's point."""
    p = ld3(d.contact_pos, k)
    b1 = m.geom_bodyid[d.contact_geom[k, 0]]
    b2 = m.geom_bodyid[d.contact_geom[k, 1]]
    w1 = ld6(d.cvel, b1)
    w2 = ld6(d.cvel, b2)
    v = sub3(moved(w2, from_com(m, d, b2, p)), moved(w1, from_com(m, d, b1, p)))
    return sub3((w2[0], w2[1], w2[2]), (w1[0], w1[1], w1[2])), v


@helper
def put_turned(d, a, v, turned):
    """Write three numbers along a contact's axes as a reaction on the other body, in the turned frame where it is."""
    last = -v[2] if turned else v[2]
    put3(d, a, (v[0], v[1], last))
    return a + 3


@kernel("m d i i i i")
def put_contact(m, d, i, slot, entry, found):
    """Write the fields of one matching contact from an address of sensordata on."""
    # decode the match: contact k, turned where the sensor's second object is the contact's first
    turned = entry < 0
    k = -1 - entry if turned else entry
    frame = ld9(d.contact_frame, k)
    sign = -1.0 if turned else 1.0
    f = decode_contact(d, k)
    a = slot
    # the wanted fields, in the order of ContactData
    if wants(m, i, CONDATA_FOUND):
        d.sensordata[a] = found
        a += 1
    if wants(m, i, CONDATA_FORCE):
        a = put_turned(d, a, (f[0], f[1], f[2]), turned)
    if wants(m, i, CONDATA_TORQUE):
        a = put_turned(d, a, (f[3], f[4], f[5]), turned)
    if wants(m, i, CONDATA_DIST):
        d.sensordata[a] = d.contact_dist[k]
        a += 1
    if wants(m, i, CONDATA_POS):
        put3(d, a, ld3(d.contact_pos, k))
        a += 3
    if wants(m, i, CONDATA_NORMAL):
        put3(d, a, (sign * frame[0], sign * frame[1], sign * frame[2]))
        a += 3
    if wants(m, i, CONDATA_TANGENT):
        put3(d, a, (sign * frame[3], sign * frame[4], sign * frame[5]))
        a += 3
    # velocities of the second object against the first
    if wants(m, i, CONDATA_LINVEL) or wants(m, i, CONDATA_ANGVEL):
        w, v = relative_velocity(m, d, k)
        if wants(m, i, CONDATA_LINVEL):
            a = put_turned(d, a, mat_vec3(frame, v), turned)
        if wants(m, i, CONDATA_ANGVEL):
            a = put_turned(d, a, mat_vec3(frame, w), turned)


@helper
def acting(d, entry):
    """(contact, force, torque) of a match along the world's axes, on the sensor's second object."""
    k = -1 - entry if entry < 0 else entry
    f = decode_contact(d, k)
    frame = ld9(d.contact_frame, k)
    sign = -1.0 if entry < 0 else 1.0
    return k, scl3(mat_t_vec3(frame, (f[0], f[1], f[2])), sign), scl3(mat_t_vec3(frame, (f[3], f[4], f[5])), sign)


@kernel("m d i i")
def put_net(m, d, i, n):
    """Write one contact that stands for all n matches: their wrench about the centre of their forces, along the world's axes."""
    # centre of the forces, weighted by their norms
    centre = (0.0, 0.0, 0.0)
    total = 0.0
    for j in range(n):
        k, f, t = acting(d, d.sens_match[j])
        size = norm3(f)
        centre = addscl3(centre, ld3(d.contact_pos, k), size)
        total += size
    centre = scl3(centre, 1.0 / max(total, MINVAL))
    # the wrench about it
    frc = (0.0, 0.0, 0.0)
    trq = (0.0, 0.0, 0.0)
    for j in range(n):
        k, f, t = acting(d, d.sens_match[j])
        frc = add3(frc, f)
        trq = add3(trq, add3(t, cross3(sub3(ld3(d.contact_pos, k), centre), f)))
    # the wanted fields; the frame is the world's
    a = m.sensor_adr[i]
    if wants(m, i, CONDATA_FOUND):
        d.sensordata[a] = n
        a += 1
    if wants(m, i, CONDATA_FORCE):
        put3(d, a, frc)
        a += 3
    if wants(m, i, CONDATA_TORQUE):
        put3(d, a, trq)
        a += 3
    if wants(m, i, CONDATA_DIST):
        a += 1
    if wants(m, i, CONDATA_POS):
        put3(d, a, centre)
        a += 3
    if wants(m, i, CONDATA_NORMAL):
        d.sensordata[a] = 1.0
        a += 3
    if wants(m, i, CONDATA_TANGENT):
        d.sensordata[a + 1] = 1.0


@kernel("m d i")
def read_contact(m, d, i):
    """Read contact sensor i; slots without a contact are zero."""
    fill(m, d, i, 0.0)
    n = gather(m, d, i)
    if n == 0:
        return
    reduce = m.sensor_intprm[i, 1]
    if reduce == NETFORCE:
        put_net(m, d, i, n)
        return
    slots = max(m.sensor_intprm[i, 2], 1)
    size = m.sensor_dim[i] // slots
    for j in range(min(slots, n)):
        if reduce == MINDIST or reduce == MAXFORCE:
            bring_least(d, j, n)
        put_contact(m, d, i, m.sensor_adr[i] + j * size, d.sens_match[j], n)
