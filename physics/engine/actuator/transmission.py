"""How actuators act on the mechanism: lengths, moment arms, and the armature and damping that they lend.

A joint's or tendon's `actuatorid` says which actuator lends armature and damping: -1 none, k >= 0 that one, -2 several
(then all actuators on it are summed). Both are scaled by the square of the gear.

Source: MuJoCo documentation, Computation chapter, "Actuation model"; XML reference, actuator/general (joint,
jointinparent, tendon, cranksite, site, refsite, gear, armature, damping).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.kinematics.joints import ball_turn, joint_moment
from physics.engine.kinematics.points import axis_wrench, from_com, last_dof
from physics.engine.linalg.quat import mul4, sub_quat
from physics.engine.linalg.spatial import dot6
from physics.engine.linalg.vec import add3, cross3, dot3, mat_t_vec3, mat_vec3, scl3, sub3
from physics.enums import DSBL_ACTUATION, TRN_BODY, TRN_JOINT, TRN_JOINTINPARENT, TRN_SLIDERCRANK, TRN_SO3, TRN_TENDON
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld4, ld6, ld9


@kernel()
def transmission(m, d):
    """Lengths and moment arms of all actuators; one row of actuator_moment per output.

    Reads: qpos, ten_length, ten_J, xquat, site_xpos, site_xmat, subtree_com, cdof, ncon, contact_exclude, contact_geom,
        contact_frame, contact_pos
    Writes: actuator_length, actuator_moment, moment_rownnz, moment_rowadr, moment_colind (and the scratch adhesion_row)
    """
    adr = 0
    for r in range(d.nactuator_run):
        for i in range(d.actuator_run[r, 0], d.actuator_run[r, 1]):
            kind = m.actuator_trntype[i]
            out = m.actuator_outadr[i]
            k = m.actuator_trnid[i, 0]
            n = 0
            d.moment_rowadr[out] = adr
            if kind == TRN_TENDON:
                gear = m.actuator_gear[out, 0]
                d.actuator_length[out] = gear * d.ten_length[k]
                row = m.ten_J_rowadr[k]
                n = m.ten_J_rownnz[k]
                for a in range(n):
                    d.moment_colind[adr + a] = m.ten_J_colind[row + a]
                    d.actuator_moment[adr + a] = gear * d.ten_J[row + a]
            elif kind == TRN_JOINT or kind == TRN_JOINTINPARENT:
                n = joint_moment(m, d, k, out, adr, kind == TRN_JOINTINPARENT)
            elif kind == TRN_BODY:
                d.actuator_length[out] = 0.0
                n = adhesion_moment(m, d, k, adr)
            elif kind == TRN_SO3:
                adr = orientation_moments(m, d, i, adr)
                continue
            else:
                n = site_moment(m, d, i, adr)
            d.moment_rownnz[out] = n
            adr += n


@helper
def wrench_at(m, d, site, frc, trq):
    """Force at a site and torque as a six-vector about its tree's centre of mass."""
    r = sub3(ld3(d.site_xpos, site), ld3(d.subtree_com, m.body_rootid[m.site_bodyid[site]]))
    t = add3(cross3(r, frc), trq)
    return t[0], t[1], t[2], frc[0], frc[1], frc[2]


@helper
def put_wrenches(m, d, adr, a, wa, b, wb, common):
    """Write the row of moments of the wrench wa on the chain that ends at dof a, and wb on that of b; returns its length.

    common: whether dofs of both chains count. Entries that are exactly zero are left out.
    """
    n = 0
    i = a
    j = b
    while i != j or (common and i >= 0):
        k = max(i, j)
        n += 1
        if i == k:
            i = m.dof_parentid[i]
        if j == k:
            j = m.dof_parentid[j]
    at = adr + n
    i = a
    j = b
    while at > adr:
        at -= 1
        k = max(i, j)
        c = ld6(d.cdof, k)
        x = 0.0
        if i == k:
            x += dot6(c, wa)
            i = m.dof_parentid[i]
        if j == k:
            x += dot6(c, wb)
            j = m.dof_parentid[j]
        d.actuator_moment[at] = x
        d.moment_colind[at] = k
    kept = 0
    for e in range(adr, adr + n):
        if d.actuator_moment[e] != 0.0:
            d.actuator_moment[adr + kept] = d.actuator_moment[e]
            d.moment_colind[adr + kept] = d.moment_colind[e]
            kept += 1
    return kept


@helper
def site_quat(m, d, site):
    """World orientation of a site, as a quaternion that does not jump."""
    return mul4(ld4(d.xquat, m.site_bodyid[site]), ld4(m.site_quat, site))


@kernel("m d i i", ret="i")
def site_moment(m, d, i, adr):
    """Length and moments of actuator i on one site, between two sites, or through a slider-crank; returns the row's length."""
    out = m.actuator_outadr[i]
    one = m.actuator_trnid[i, 0]
    two = m.actuator_trnid[i, 1]
    zero = (0.0, 0.0, 0.0)
    frc = (m.actuator_gear[out, 0], m.actuator_gear[out, 1], m.actuator_gear[out, 2])
    trq = (m.actuator_gear[out, 3], m.actuator_gear[out, 4], m.actuator_gear[out, 5])
    a = last_dof(m, m.site_bodyid[one])
    b = -1
    length = 0.0
    common = False
    if two < 0:
        r = ld9(d.site_xmat, one)
        wa = wrench_at(m, d, one, mat_vec3(r, frc), mat_vec3(r, trq))
        wb = wa
    else:
        b = last_dof(m, m.site_bodyid[two])
        r = ld9(d.site_xmat, two)
        arm = sub3(ld3(d.site_xpos, one), ld3(d.site_xpos, two))
        if m.actuator_trntype[i] == TRN_SLIDERCRANK:
            common = True
            gear = frc[0]
            axis = (r[2], r[5], r[8])
            length, by_arm, by_axis = slider_crank(arm, axis, m.actuator_cranklength[i])
            length *= gear
            wa = wrench_at(m, d, one, scl3(by_arm, gear), zero)
            wb = wrench_at(m, d, two, scl3(by_arm, -gear), scl3(cross3(axis, by_axis), gear))
        else:
            length = dot3(mat_t_vec3(r, arm), frc) + dot3(sub_quat(site_quat(m, d, one), site_quat(m, d, two)), trq)
            f = mat_vec3(r, frc)
            t = mat_vec3(r, trq)
            wa = wrench_at(m, d, one, f, t)
            wb = wrench_at(m, d, two, scl3(f, -1.0), scl3(t, -1.0))
    d.actuator_length[out] = length
    return put_wrenches(m, d, adr, a, wa, b, wb, common)


@helper
def slider_crank(arm, axis, rod):
    """Where a rod from the slider to the end of `arm` meets the slider's axis, and the derivatives by arm and by axis."""
    along = dot3(arm, axis)
    inside = along * along + rod * rod - dot3(arm, arm)
    if inside <= 0.0:
        return along, axis, arm
    root = sqrt(inside)
    share = 1.0 - along / root
    return along - root, add3(scl3(axis, share), scl3(arm, 1.0 / root)), scl3(arm, share)


@kernel("m d i i", ret="i")
def orientation_moments(m, d, i, adr):
    """The three lengths and rows of moments of actuator i on an orientation; returns the address after them."""
    out = m.actuator_outadr[i]
    one = m.actuator_trnid[i, 0]
    two = m.actuator_trnid[i, 1]
    if two < 0:
        v = ball_turn(m, d, one)
    else:
        v = sub_quat(site_quat(m, d, one), site_quat(m, d, two))
    for k in range(3):
        d.moment_rowadr[out + k] = adr
        n = 1
        if two < 0:
            d.actuator_moment[adr] = 1.0
            d.moment_colind[adr] = m.jnt_dofadr[one] + k
        else:
            t = (d.site_xmat[one, k], d.site_xmat[one, 3 + k], d.site_xmat[one, 6 + k])
            wa = (t[0], t[1], t[2], 0.0, 0.0, 0.0)
            wb = (-t[0], -t[1], -t[2], 0.0, 0.0, 0.0)
            n = put_wrenches(m, d, adr, last_dof(m, m.site_bodyid[one]), wa, last_dof(m, m.site_bodyid[two]), wb, False)
        d.moment_rownnz[out + k] = n
        adr += n
    d.actuator_length[out] = v[0]
    d.actuator_length[out + 1] = v[1]
    d.actuator_length[out + 2] = v[2]
    return adr


@helper
def add_pull(m, d, body, x, u, s):
    """Add to adhesion_row s times the speed along u of the point x on the body, per dof."""
    k = last_dof(m, body)
    if k >= 0:
        w = axis_wrench(u, from_com(m, d, body, x))
        while k >= 0:
            d.adhesion_row[k] += s * dot6(ld6(d.cdof, k), w)
            k = m.dof_parentid[k]


@kernel("m d i i", ret="i")
def adhesion_moment(m, d, body, adr):
    """Moments of an actuator that draws together what touches the body, within the gap too; returns the row's length.

    Minus the mean over these contacts of the rates at which they open.

    Reads: ncon, contact_exclude, contact_geom, contact_frame, contact_pos, subtree_com, cdof
    Writes: adhesion_row, actuator_moment, moment_colind
    """
    for k in range(m.nv):
        d.adhesion_row[k] = 0.0
    count = 0
    for c in range(d.ncon):
        if d.contact_exclude[c] > 1 or d.contact_geom[c, 0] < 0 or d.contact_geom[c, 1] < 0:
            continue
        one = m.geom_bodyid[d.contact_geom[c, 0]]
        two = m.geom_bodyid[d.contact_geom[c, 1]]
        if one == body or two == body:
            count += 1
            u = (d.contact_frame[c, 0], d.contact_frame[c, 1], d.contact_frame[c, 2])
            x = ld3(d.contact_pos, c)
            add_pull(m, d, two, x, u, -1.0)
            add_pull(m, d, one, x, u, 1.0)
    n = 0
    for k in range(m.nv):
        if d.adhesion_row[k] != 0.0:
            d.actuator_moment[adr + n] = d.adhesion_row[k] / count
            d.moment_colind[adr + n] = k
            n += 1
    return n


@kernel()
def actuator_velocity(m, d):
    """Rates of the actuator lengths, moment qvel; zero with actuation switched off.

    Reads: actuator_moment, moment_rownnz, moment_rowadr, moment_colind, qvel
    Writes: actuator_velocity
    """
    off = m.opt_disableflags & DSBL_ACTUATION
    for out in range(m.nout):
        v = 0.0
        if off == 0:
            adr = d.moment_rowadr[out]
            for a in range(adr, adr + d.moment_rownnz[out]):
                v += d.actuator_moment[a] * d.qvel[d.moment_colind[a]]
        d.actuator_velocity[out] = v


@helper
def on_joint(m, i):
    """Whether actuator i acts on a joint."""
    kind = m.actuator_trntype[i]
    return kind == TRN_JOINT or kind == TRN_JOINTINPARENT


@helper
def acts_on(m, k, i, tendon):
    """Whether actuator i acts on the joint (tendon = 0) or tendon (tendon = 1) k."""
    if m.actuator_trnid[i, 0] != k:
        return False
    if tendon == 1:
        return m.actuator_trntype[i] == TRN_TENDON
    return on_joint(m, i)


@helper
def square_gear(m, i):
    """Square of the first gear number of actuator i."""
    g = m.actuator_gear[m.actuator_outadr[i], 0]
    return g * g


@helper
def lent_armature(m, lender, k, tendon):
    """Armature that actuators lend to joint or tendon k."""
    if lender == -1:
        return 0.0
    if lender >= 0:
        return m.actuator_armature[lender] * square_gear(m, lender)
    total = 0.0
    for i in range(m.nactuator):
        if acts_on(m, k, i, tendon):
            total += m.actuator_armature[i] * square_gear(m, i)
    return total


@helper
def joint_armature(m, j):
    """Armature that actuators lend to each dof of joint j."""
    return lent_armature(m, m.jnt_actuatorid[j], j, 0)


@helper
def tendon_armature(m, t):
    """Armature of tendon t with what actuators lend."""
    return m.tendon_armature[t] + lent_armature(m, m.tendon_actuatorid[t], t, 1)


@helper
def add_damping_of(m, i, b, p0, p1):
    """Damping coefficients (b, p0, p1) plus those of actuator i."""
    g = square_gear(m, i)
    return b + g * m.actuator_damping[i], p0 + g * m.actuator_dampingpoly[i, 0], p1 + g * m.actuator_dampingpoly[i, 1]


@helper
def add_lent_damping(m, lender, k, tendon, b, p0, p1):
    """Damping coefficients (b, p0, p1) of a joint or tendon with what actuators lend."""
    if lender == -1:
        return b, p0, p1
    if lender >= 0:
        return add_damping_of(m, lender, b, p0, p1)
    for i in range(m.nactuator):
        if acts_on(m, k, i, tendon):
            b, p0, p1 = add_damping_of(m, i, b, p0, p1)
    return b, p0, p1


@helper
def dof_damping(m, dof):
    """Damping coefficients (b, p0, p1) of a dof: force -v (b + p0 |v| + p1 v^2)."""
    j = m.dof_jntid[dof]
    return add_lent_damping(m, m.jnt_actuatorid[j], j, 0, m.dof_damping[dof], m.dof_dampingpoly[dof, 0], m.dof_dampingpoly[dof, 1])


@helper
def tendon_damping(m, t):
    """Damping coefficients (b, p0, p1) of a tendon: force -v (b + p0 |v| + p1 v^2)."""
    return add_lent_damping(m, m.tendon_actuatorid[t], t, 1, m.tendon_damping[t], m.tendon_dampingpoly[t, 0], m.tendon_dampingpoly[t, 1])
