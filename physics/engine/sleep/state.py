"""Whether elements other than bodies sleep: tendons, actuators, equality constraints, sensors.

What hangs on nothing that moves counts as static; a stage that passes over sleepers goes on looking after it. All of this is asked only
while some tree sleeps.

Source: MuJoCo documentation, Programming chapter, "Sleeping islands", notes on actuators and sensors.
"""
from __future__ import annotations

from physics.enums import (
    EQ_CONNECT,
    EQ_DISTANCE,
    EQ_JOINT,
    EQ_TENDON,
    EQ_WELD,
    OBJ_ACTUATOR,
    OBJ_BODY,
    OBJ_CAMERA,
    OBJ_GEOM,
    OBJ_JOINT,
    OBJ_SITE,
    OBJ_TENDON,
    OBJ_UNKNOWN,
    OBJ_XBODY,
    S_ASLEEP,
    S_AWAKE,
    S_STATIC,
    SENS_CONTACT,
    SENS_RANGEFINDER,
    SENS_USER,
    TRN_BODY,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_SO3,
    TRN_TENDON,
)
from physics.kernels.decorators import helper, kernel


@helper
def tendon_state(m, d, t):
    """SleepState of tendon t: asleep where all trees along it are, awake with more than two."""
    n = m.tendon_treenum[t]
    if n == 0:
        return S_STATIC
    if n > 2 or d.tree_awake[m.tendon_treeid[t, 0]] != 0:
        return S_AWAKE
    if n == 2 and d.tree_awake[m.tendon_treeid[t, 1]] != 0:
        return S_AWAKE
    return S_ASLEEP


@helper
def site_state(m, d, s):
    """SleepState of site s."""
    return d.body_awake[m.site_bodyid[s]]


@helper
def either_awake(a, b):
    """Awake where one of two states is, else asleep."""
    if a == S_AWAKE or b == S_AWAKE:
        return S_AWAKE
    return S_ASLEEP


@kernel("m d i", ret="i")
def actuator_state(m, d, i):
    """SleepState of actuator i.

    Reads: body_awake, tree_awake
    Writes: nothing
    """
    kind = m.actuator_trntype[i]
    one = m.actuator_trnid[i, 0]
    two = m.actuator_trnid[i, 1]
    if kind == TRN_TENDON:
        return tendon_state(m, d, one)
    if kind == TRN_JOINT or kind == TRN_JOINTINPARENT or (kind == TRN_SO3 and two < 0):
        return d.body_awake[m.jnt_bodyid[one]]
    if kind == TRN_SLIDERCRANK or kind == TRN_SO3:
        return either_awake(site_state(m, d, one), site_state(m, d, two))
    if kind == TRN_SITE:
        return site_state(m, d, one)
    if kind == TRN_BODY:
        return d.body_awake[one]
    return S_AWAKE


@kernel("m d i i", ret="i")
def object_state(m, d, kind, i):
    """SleepState of element i of an ObjType; -1, for none, counts as static.

    Reads: body_awake, tree_awake
    Writes: nothing
    """
    state = S_AWAKE
    if kind == OBJ_UNKNOWN:
        return S_AWAKE
    if i < 0:
        return S_STATIC
    if kind == OBJ_BODY or kind == OBJ_XBODY:
        state = d.body_awake[i]
    elif kind == OBJ_GEOM:
        state = d.body_awake[m.geom_bodyid[i]]
    elif kind == OBJ_SITE:
        state = site_state(m, d, i)
    elif kind == OBJ_JOINT:
        state = d.body_awake[m.jnt_bodyid[i]]
    elif kind == OBJ_CAMERA:
        state = d.body_awake[m.cam_bodyid[i]]
    elif kind == OBJ_TENDON:
        state = tendon_state(m, d, i)
    elif kind == OBJ_ACTUATOR:
        state = actuator_state(m, d, i)
    return state


@kernel("m d i", ret="i")
def equality_sleeps(m, d, i):
    """Whether equality constraint i holds nothing that is awake.

    Reads: body_awake, tree_awake
    Writes: nothing
    """
    kind = m.eq_type[i]
    objtype = OBJ_UNKNOWN
    if kind == EQ_CONNECT or kind == EQ_WELD or kind == EQ_DISTANCE:
        objtype = m.eq_objtype[i]
    elif kind == EQ_JOINT:
        objtype = OBJ_JOINT
    elif kind == EQ_TENDON:
        objtype = OBJ_TENDON
    return int(object_state(m, d, objtype, m.eq_obj1id[i]) != S_AWAKE and object_state(m, d, objtype, m.eq_obj2id[i]) != S_AWAKE)


@kernel("m d i", ret="i")
def sensor_sleeps(m, d, i):
    """Whether sensor i keeps showing what it read last, as all that it looks at sleeps; those that keep past readings go on reading.

    Reads: body_awake, tree_awake
    Writes: nothing
    """
    kind = m.sensor_type[i]
    obj = m.sensor_objtype[i]
    ref = m.sensor_reftype[i]
    if kind == SENS_USER or kind == SENS_RANGEFINDER or m.sensor_history[i, 0] > 0:
        return 0
    if kind == SENS_CONTACT and (obj == OBJ_SITE or ref == OBJ_SITE):
        return 0
    one = object_state(m, d, obj, m.sensor_objid[i])
    two = object_state(m, d, ref, m.sensor_refid[i])
    if obj == OBJ_UNKNOWN:
        return int(ref != OBJ_UNKNOWN and two == S_ASLEEP)
    if ref == OBJ_UNKNOWN:
        return int(one == S_ASLEEP)
    return int(one != S_AWAKE and two != S_AWAKE)
