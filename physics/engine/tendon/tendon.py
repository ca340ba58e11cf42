"""Tendons: fixed ones, weighted sums of joint coordinates, and spatial ones, strings through sites and around geoms.

The points of a spatial tendon's path are kept for drawing, two to a row of wrap_xpos: a site, or the two points where the
string leaves and meets a geom, or a pulley, from which on lengths and forces are divided.

Source: MuJoCo documentation, XML reference, tendon/fixed and tendon/spatial.
"""
from __future__ import annotations

from physics.engine.actuator.transmission import tendon_armature
from physics.engine.kinematics.points import axis_wrench, from_com, last_dof, point_drift, point_velocity
from physics.engine.linalg.spatial import dot6
from physics.engine.linalg.vec import dot3, norm3, scl3, sub3, unit3
from physics.engine.sleep.awake import some_asleep
from physics.engine.sleep.state import tendon_state
from physics.engine.sleep.wake import may_wake, wake_by_tendons
from physics.engine.tendon.wrap import NO_WRAP, side_rule, wrap
from physics.enums import MINVAL, S_ASLEEP, TENDON_FIXED, WRAP_CYLINDER, WRAP_PULLEY, WRAP_SITE
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, ld9, off

AT_SITE = -1  # wrap_obj of a point on the path that is no geom
AT_PULLEY = -2


@kernel()
def tendon(m, d):
    """Lengths, Jacobians and paths of all tendons.

    Reads: qpos, site_xpos, geom_xpos, geom_xmat, subtree_com, cdof, and what wake_by_tendons reads
    Writes: ten_length, ten_J, ten_wrapadr, ten_wrapnum, wrap_obj, wrap_xpos, and what wake_by_tendons writes
    """
    count = 0
    for t in range(m.ntendon):
        start = m.ten_J_rowadr[t]
        for a in range(start, start + m.ten_J_rownnz[t]):
            d.ten_J[a] = 0.0
        d.ten_wrapadr[t] = count
        if some_asleep(m, d) and tendon_state(m, d, t) == S_ASLEEP:
            d.ten_length[t] = 0.0
            d.ten_wrapnum[t] = 0
            continue
        if m.tendon_type[t] == TENDON_FIXED:
            fixed_tendon(m, d, t)
        else:
            count = spatial_tendon(m, d, t, count)
        d.ten_wrapnum[t] = count - d.ten_wrapadr[t]
    if may_wake(m, d):
        wake_by_tendons(m, d)


@helper
def fixed_tendon(m, d, t):
    """Length and Jacobian of fixed tendon t."""
    start = m.ten_J_rowadr[t]
    length = 0.0
    path = m.tendon_adr[t]
    for w in range(path, path + m.tendon_num[t]):
        j = m.wrap_objid[w]
        coef = m.wrap_prm[w]
        length += coef * d.qpos[m.jnt_qposadr[j]]
        dof = m.jnt_dofadr[j]
        for a in range(start, start + m.ten_J_rownnz[t]):
            if m.ten_J_colind[a] == dof:
                d.ten_J[a] += coef
    d.ten_length[t] = length


@helper
def put_point(d, k, obj, p):
    """Write point k of all paths."""
    row = off(d.wrap_xpos, 3 * k)
    row[0] = p[0]
    row[1] = p[1]
    row[2] = p[2]
    on = off(d.wrap_obj, k)
    on[0] = obj


@kernel("m d i i i i i", ret="f")
def add_straight(m, d, t, k, b0, b1, w):
    """Length of the straight part from point k of a path, on body b0, to the next point, on b1; added to tendon t's Jacobian is how each dof changes it.

    w: item of the last pulley, -1: none. A dof that moves both bodies does not change the part, and is passed over.
    """
    row = off(d.wrap_xpos, 3 * k)
    p0 = (row[0], row[1], row[2])
    p1 = (row[3], row[4], row[5])
    u = sub3(p1, p0)
    length = norm3(u)
    i = last_dof(m, b0)
    j = last_dof(m, b1)
    if i == j:
        return length
    s = 1.0
    if w >= 0:
        s = 1.0 / m.wrap_prm[w]
    if length < MINVAL:
        u = (s, 0.0, 0.0)
    else:
        u = scl3(u, s / length)
    w0 = axis_wrench(u, from_com(m, d, b0, p0))
    w1 = axis_wrench(u, from_com(m, d, b1, p1))
    at = m.ten_J_rowadr[t] + m.ten_J_rownnz[t] - 1
    while i != j:
        dof = max(i, j)
        while m.ten_J_colind[at] != dof:
            at -= 1
        c = ld6(d.cdof, dof)
        if j == dof:
            d.ten_J[at] += dot6(c, w1)
            j = m.dof_parentid[j]
        else:
            d.ten_J[at] -= dot6(c, w0)
            i = m.dof_parentid[i]
    return length


@kernel("m d i i", ret="f")
def wrap_geom(m, d, w, k):
    """Length on the geom at item w of a path, between its sites, NO_WRAP where the string passes by; its ends become points k+1 and k+2."""
    g = m.wrap_objid[w]
    side = int(m.wrap_prm[w])
    p0 = ld3(d.site_xpos, m.wrap_objid[w - 1])
    p1 = ld3(d.site_xpos, m.wrap_objid[w + 1])
    on, first, last = wrap(p0, p1, ld3(d.geom_xpos, g), ld9(d.geom_xmat, g), m.geom_size[g, 0], m.wrap_type[w] == WRAP_CYLINDER,
                           side_rule(m, side >= 0), ld3(d.site_xpos, max(side, 0)))
    if on >= 0.0:
        put_point(d, k + 1, g, first)
        put_point(d, k + 2, g, last)
    return on


@kernel("m d i i", ret="i")
def spatial_tendon(m, d, t, count):
    """Length, Jacobian and path of spatial tendon t, whose points start at `count`; returns the number of points so far."""
    w = m.tendon_adr[t]
    last = w + m.tendon_num[t] - 1
    pulley = -1
    divisor = 1.0
    length = 0.0
    while w < last:
        if m.wrap_type[w] == WRAP_PULLEY:
            pulley = w
            divisor = m.wrap_prm[w]
            put_point(d, count, AT_PULLEY, (0.0, 0.0, 0.0))
            count += 1
            w += 1
            continue
        s0 = m.wrap_objid[w]
        p0 = ld3(d.site_xpos, s0)
        b0 = m.site_bodyid[s0]
        put_point(d, count, AT_SITE, p0)
        on = NO_WRAP
        via = w + 1
        end = via
        if m.wrap_type[via] != WRAP_SITE:
            end = via + 1
            on = wrap_geom(m, d, via, count)
        s1 = m.wrap_objid[end]
        p1 = ld3(d.site_xpos, s1)
        b1 = m.site_bodyid[s1]
        if on >= 0.0:
            body = m.geom_bodyid[m.wrap_objid[via]]
            put_point(d, count + 3, AT_SITE, p1)
            on += add_straight(m, d, t, count, b0, body, pulley) + add_straight(m, d, t, count + 2, body, b1, pulley)
            count += 3
        else:
            put_point(d, count + 1, AT_SITE, p1)
            on = add_straight(m, d, t, count, b0, b1, pulley)
            count += 1
        length += on / divisor
        w = end
        if w == last or m.wrap_type[w + 1] == WRAP_PULLEY:
            # the end of a branch is a point of its own
            count += 1
            w += 1
    d.ten_length[t] = length
    return count


@kernel()
def tendon_velocity(m, d):
    """Rates of the tendon lengths, J qvel.

    Reads: ten_J, qvel
    Writes: ten_velocity
    """
    for t in range(m.ntendon):
        start = m.ten_J_rowadr[t]
        v = 0.0
        for a in range(start, start + m.ten_J_rownnz[t]):
            v += d.ten_J[a] * d.qvel[m.ten_J_colind[a]]
        d.ten_velocity[t] = v


@helper
def tendon_drift(m, d, t):
    """Second derivative of the length of tendon t with all dofs at constant speed; it must not wrap around geoms."""
    if m.tendon_type[t] == TENDON_FIXED:
        return 0.0
    total = 0.0
    divisor = 1.0
    first = m.tendon_adr[t]
    for w in range(first, first + m.tendon_num[t] - 1):
        if m.wrap_type[w] == WRAP_PULLEY:
            divisor = m.wrap_prm[w]
        if m.wrap_type[w] == WRAP_SITE and m.wrap_type[w + 1] == WRAP_SITE:
            s0 = m.wrap_objid[w]
            s1 = m.wrap_objid[w + 1]
            b0 = m.site_bodyid[s0]
            b1 = m.site_bodyid[s1]
            if b0 != b1:
                p0 = ld3(d.site_xpos, s0)
                p1 = ld3(d.site_xpos, s1)
                x = sub3(p1, p0)
                u = unit3(x)
                v = sub3(point_velocity(m, d, b1, p1), point_velocity(m, d, b0, p0))
                along = dot3(u, v)
                total += dot3(u, sub3(point_drift(m, d, b1, p1), point_drift(m, d, b0, p0))) / divisor
                n = norm3(x)
                if n > MINVAL:
                    total += (dot3(v, v) - along * along) / (n * divisor)
    return total


@kernel()
def tendon_bias(m, d):
    """Add to the bias force what the inertia of spatial tendons asks for: J' armature (dJ/dt qvel).

    Reads: cvel, cdof_dot, qvel, site_xpos, subtree_com, ten_J
    Writes: qfrc_bias
    """
    for t in range(m.ntendon):
        if some_asleep(m, d) and tendon_state(m, d, t) == S_ASLEEP:
            continue
        armature = tendon_armature(m, t)
        if armature != 0.0:
            f = armature * tendon_drift(m, d, t)
            start = m.ten_J_rowadr[t]
            for a in range(start, start + m.ten_J_rownnz[t]):
                k = m.ten_J_colind[a]
                if d.tree_awake[m.dof_treeid[k]] != 0:
                    d.qfrc_bias[k] += d.ten_J[a] * f
