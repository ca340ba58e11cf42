"""Where everything is: bodies, inertial frames, geoms, sites, centres of mass, cameras and lights.

One pass from the root to the leaves places the bodies; what is fixed to a body follows from its pose. A frame that
coincides with its body's (or its inertia's) is copied, not multiplied out.

Source: MuJoCo documentation, Computation chapter, "Kinematic tree"; XML reference, camera and light modes.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.kinematics.joints import free_pose, is_free, joint_pose, last_joint_pose
from physics.engine.linalg.quat import mul4, to_mat, unit4
from physics.engine.linalg.vec import add3, addscl3, cross3, mat_vec3, norm3, scl3, sub3, unit3
from physics.engine.sleep.awake import some_asleep
from physics.engine.sleep.fall_asleep import wake_touched
from physics.enums import (
    CAMLIGHT_FIXED,
    CAMLIGHT_TARGETBODY,
    CAMLIGHT_TRACK,
    CAMLIGHT_TRACKCOM,
    MINVAL,
    S_AWAKE,
    SAMEFRAME_BODY,
    SAMEFRAME_BODYROT,
    SAMEFRAME_INERTIA,
    SAMEFRAME_NONE,
)
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld4, ld9, off, st3, st4, st9
from physics.kernels.simd import vld, vset, vst, vturn


@kernel()
def bodies(m, d):
    """Place bodies, joints and inertial frames.

    Reads: qpos, mocap_pos, mocap_quat
    Writes: xpos, xquat, xmat, xipos, xiquat, ximat, xanchor, xaxis
    Source: MuJoCo documentation, Computation chapter, "Kinematic tree". qpos is never normalised in place.
    """
    st3(d.xpos, 0, (0.0, 0.0, 0.0))
    st4(d.xquat, 0, (1.0, 0.0, 0.0, 0.0))
    st9(d.xmat, 0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    st3(d.xipos, 0, (0.0, 0.0, 0.0))
    st4(d.xiquat, 0, (1.0, 0.0, 0.0, 0.0))
    st9(d.ximat, 0, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0))
    for run in range(d.nbody_run):
        for i in range(d.body_run[run, 0], d.body_run[run, 1]):
            j = m.body_jntadr[i]
            if is_free(m, i):
                p, q = free_pose(m, d, j)
                r = to_mat(q)
            else:
                # frame in the parent: from the model or from the mocap arrays
                k = m.body_mocapid[i]
                if k >= 0:
                    p = ld3(d.mocap_pos, k)
                    q = unit4(ld4(d.mocap_quat, k))
                else:
                    p = ld3(m.body_pos, i)
                    q = ld4(m.body_quat, i)
                parent = m.body_parentid[i]
                if parent > 0:
                    p = add3(mat_vec3(ld9(d.xmat, parent), p), ld3(d.xpos, parent))
                    q = mul4(ld4(d.xquat, parent), q)
                last = j + m.body_jntnum[i] - 1
                if last < j:
                    q = unit4(q)
                    r = to_mat(q)
                else:
                    for k in range(j, last):
                        p, q = joint_pose(m, d, k, p, q)
                    p, q, r = last_joint_pose(m, d, last, p, q)
            st3(d.xpos, i, p)
            st4(d.xquat, i, q)
            st9(d.xmat, i, r)
            # inertial frame
            same = m.body_sameframe[i]
            if same == SAMEFRAME_BODY:
                st3(d.xipos, i, p)
            else:
                st3(d.xipos, i, add3(mat_vec3(r, ld3(m.body_ipos, i)), p))
            if same == SAMEFRAME_BODY or same == SAMEFRAME_BODYROT:
                st4(d.xiquat, i, q)
                st9(d.ximat, i, r)
            else:
                qi = mul4(q, ld4(m.body_iquat, i))
                st4(d.xiquat, i, qi)
                st9(d.ximat, i, to_mat(qi))


@helper
def place_four(d, k, xpos, xquat, xmat, pos, quat, bodies):
    """Write rows k to k + 3 of xpos, xquat and xmat, for frames that coincide with no other; it spoils row k + 4, which is to be written next."""
    b0, b1, b2, b3 = bodies[k], bodies[k + 1], bodies[k + 2], bodies[k + 3]
    at = off(d.xpos, 0)
    x = off(pos, 3 * k)
    turn = off(d.xquat, 0)
    q = off(quat, 4 * k)
    of_body = vturn(vld(turn, 4 * b0), vld(turn, 4 * b1), vld(turn, 4 * b2), vld(turn, 4 * b3))
    own = vturn(vld(q, 0), vld(q, 4), vld(q, 8), vld(q, 12))
    arm = (vset(x[0], x[3], x[6], x[9]), vset(x[1], x[4], x[7], x[10]), vset(x[2], x[5], x[8], x[11]))
    b0, b1, b2, b3 = 3 * b0, 3 * b1, 3 * b2, 3 * b3
    base = (vset(at[b0], at[b1], at[b2], at[b3]), vset(at[b0 + 1], at[b1 + 1], at[b2 + 1], at[b3 + 1]),
            vset(at[b0 + 2], at[b1 + 2], at[b2 + 2], at[b3 + 2]))
    p = add3(mat_vec3(to_mat(of_body), arm), base)
    turned = mul4(of_body, own)
    r = to_mat(turned)
    p = vturn(p[0], p[1], p[2], p[2])
    turned = vturn(turned[0], turned[1], turned[2], turned[3])
    first = vturn(r[0], r[1], r[2], r[3])
    middle = vturn(r[4], r[5], r[6], r[7])
    last = vturn(r[8], r[8], r[8], r[8])
    to_pos = off(xpos, 3 * k)
    to_quat = off(xquat, 4 * k)
    to_rows = off(xmat, 9 * k)
    for i in range(4):
        vst(to_pos, 3 * i, p[i])
        vst(to_quat, 4 * i, turned[i])
        vst(to_rows, 9 * i, first[i])
        vst(to_rows, 9 * i + 4, middle[i])
        vst(to_rows, 9 * i + 8, last[i])


@helper
def place_frames(d, first, end, xpos, xquat, xmat, pos, quat, bodies, same):
    """Write rows first to end - 1 of xpos, xquat and xmat: frames fixed to their bodies at pos, quat, or where `same` says so at the body's or its inertia's."""
    k = first
    while k < end:
        kind = same[k]
        if k + 4 < end and kind | same[k + 1] | same[k + 2] | same[k + 3] == SAMEFRAME_NONE:  # which is 0
            place_four(d, k, xpos, xquat, xmat, pos, quat, bodies)
            k += 4
            continue
        b = bodies[k]
        if kind == SAMEFRAME_NONE:
            st3(xpos, k, add3(mat_vec3(ld9(d.xmat, b), ld3(pos, k)), ld3(d.xpos, b)))
            q = mul4(ld4(d.xquat, b), ld4(quat, k))
            st4(xquat, k, q)
            st9(xmat, k, to_mat(q))
            k += 1
            continue
        if kind == SAMEFRAME_BODY:
            p = ld3(d.xpos, b)
        elif kind == SAMEFRAME_INERTIA:
            p = ld3(d.xipos, b)
        else:
            p = add3(mat_vec3(ld9(d.xmat, b), ld3(pos, k)), ld3(d.xpos, b))
        st3(xpos, k, p)
        if kind == SAMEFRAME_BODY or kind == SAMEFRAME_BODYROT:
            st4(xquat, k, ld4(d.xquat, b))
            st9(xmat, k, ld9(d.xmat, b))
        else:
            st4(xquat, k, ld4(d.xiquat, b))
            st9(xmat, k, ld9(d.ximat, b))
        k += 1


@kernel()
def frames(m, d):
    """Place geoms and sites.

    Reads: xpos, xquat, xmat, xipos, xiquat, ximat
    Writes: geom_xpos, geom_xquat, geom_xmat, site_xpos, site_xquat, site_xmat
    """
    for r in range(d.ngeom_run):
        place_frames(d, d.geom_run[r, 0], d.geom_run[r, 1], d.geom_xpos, d.geom_xquat, d.geom_xmat, m.geom_pos, m.geom_quat, m.geom_bodyid, m.geom_sameframe)
    for r in range(d.nsite_run):
        place_frames(d, d.site_run[r, 0], d.site_run[r, 1], d.site_xpos, d.site_xquat, d.site_xmat, m.site_pos, m.site_quat, m.site_bodyid, m.site_sameframe)


@helper
def finish_com(m, d, i, moment):
    """Centre of mass of body i with all that hangs on it, whose mass times its place is `moment`."""
    mass = m.body_subtreemass[i]
    if mass < MINVAL:
        st3(d.subtree_com, i, ld3(d.xipos, i))
    else:
        st3(d.subtree_com, i, scl3(moment, 1.0 / mass))


@helper
def begin_moments(m, d, first, end):
    """Mass times place of the bodies first to end - 1, to subtree_com."""
    for i in range(first, end):
        st3(d.subtree_com, i, scl3(ld3(d.xipos, i), m.body_mass[i]))


@helper
def add_sleepers(m, d):
    """Add the trees that sleep to what they hang on."""
    for t in range(m.ntree):
        if d.tree_awake[t] == 0:
            i = m.tree_bodyadr[t]
            p = m.body_parentid[i]
            st3(d.subtree_com, p, addscl3(ld3(d.subtree_com, p), ld3(d.subtree_com, i), m.body_subtreemass[i]))


@helper
def moments_inwards(m, d, first, end):
    """From the moments of the bodies end - 1 down to first, to which what hangs on them has been added, to the centres."""
    for i in range(end - 1, first - 1, -1):
        moment = ld3(d.subtree_com, i)
        p = m.body_parentid[i]
        st3(d.subtree_com, p, add3(ld3(d.subtree_com, p), moment))
        finish_com(m, d, i, moment)


@kernel()
def subtree_com(m, d):
    """Find the centre of mass of every subtree; of a massless one it is the body's own xipos.

    Reads: xipos
    Writes: subtree_com
    """
    if not some_asleep(m, d):
        begin_moments(m, d, 0, m.nbody)
        moments_inwards(m, d, 1, m.nbody)
    else:
        begin_moments(m, d, 0, 1)
        for r in range(d.nbody_run):
            begin_moments(m, d, d.body_run[r, 0], d.body_run[r, 1])
        add_sleepers(m, d)
        for r in range(d.nbody_run - 1, -1, -1):
            moments_inwards(m, d, d.body_run[r, 0], d.body_run[r, 1])
    finish_com(m, d, 0, ld3(d.subtree_com, 0))


@helper
def target_point(d, mode, body):
    """The point that a camera or light looks at."""
    if mode == CAMLIGHT_TARGETBODY:
        return ld3(d.xpos, body)
    return ld3(d.subtree_com, body)


@helper
def facing(v):
    """Axes of a camera that looks against v, by rows of nine numbers: z along v, x horizontal; (1, 0, 0) for what has no direction."""
    n = norm3(v)
    if n < MINVAL:
        v = (1.0, 0.0, 0.0)
        n = 1.0
    z = scl3(v, 1.0 / n)
    x = (1.0, 0.0, 0.0)
    h = sqrt(v[0] * v[0] + v[1] * v[1])
    if h >= MINVAL * n:
        x = (-v[1] / h, v[0] / h, 0.0)
    y = cross3(z, x)
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@helper
def stays(d, body, target):
    """Whether neither the body that carries a camera or light nor the one that it looks at (-1: none) moves."""
    return d.body_awake[body] != S_AWAKE and (target < 0 or d.body_awake[target] != S_AWAKE)


@kernel()
def cameras(m, d):
    """Place cameras by their mode.

    Reads: xpos, xquat, xmat, subtree_com
    Writes: cam_xpos, cam_xmat
    Source: XML reference, body/camera, attribute mode. The camera looks along its -z, x stays horizontal.
    """
    for i in range(m.ncam):
        b = m.cam_bodyid[i]
        if some_asleep(m, d) and stays(d, b, m.cam_targetbodyid[i]):
            continue
        mode = m.cam_mode[i]
        if mode == CAMLIGHT_TRACK or mode == CAMLIGHT_TRACKCOM:
            if mode == CAMLIGHT_TRACK:
                st3(d.cam_xpos, i, add3(ld3(d.xpos, b), ld3(m.cam_pos0, i)))
            else:
                st3(d.cam_xpos, i, add3(ld3(d.subtree_com, b), ld3(m.cam_poscom0, i)))
            st9(d.cam_xmat, i, ld9(m.cam_mat0, i))
            continue
        p = add3(mat_vec3(ld9(d.xmat, b), ld3(m.cam_pos, i)), ld3(d.xpos, b))
        st3(d.cam_xpos, i, p)
        t = m.cam_targetbodyid[i]
        if mode == CAMLIGHT_FIXED or t < 0:
            st9(d.cam_xmat, i, to_mat(mul4(ld4(d.xquat, b), ld4(m.cam_quat, i))))
        else:
            st9(d.cam_xmat, i, facing(sub3(p, target_point(d, mode, t))))


@kernel()
def lights(m, d):
    """Place lights by their mode.

    Reads: xpos, xmat, subtree_com
    Writes: light_xpos, light_xdir
    Source: XML reference, body/light, attribute mode.
    """
    for i in range(m.nlight):
        b = m.light_bodyid[i]
        if some_asleep(m, d) and stays(d, b, m.light_targetbodyid[i]):
            continue
        mode = m.light_mode[i]
        if mode == CAMLIGHT_TRACK or mode == CAMLIGHT_TRACKCOM:
            if mode == CAMLIGHT_TRACK:
                st3(d.light_xpos, i, add3(ld3(d.xpos, b), ld3(m.light_pos0, i)))
            else:
                st3(d.light_xpos, i, add3(ld3(d.subtree_com, b), ld3(m.light_poscom0, i)))
            st3(d.light_xdir, i, unit3(ld3(m.light_dir0, i)))
            continue
        p = add3(mat_vec3(ld9(d.xmat, b), ld3(m.light_pos, i)), ld3(d.xpos, b))
        st3(d.light_xpos, i, p)
        t = m.light_targetbodyid[i]
        if mode == CAMLIGHT_FIXED or t < 0:
            st3(d.light_xdir, i, unit3(mat_vec3(ld9(d.xmat, b), ld3(m.light_dir, i))))
        else:
            st3(d.light_xdir, i, unit3(sub3(target_point(d, mode, t), p)))


@kernel()
def kinematics(m, d):
    """Place everything for the present qpos and mocap poses.

    Reads: qpos, mocap_pos, mocap_quat, and with sleepers what wake_touched reads
    Writes: xpos, xquat, xmat, xipos, xiquat, ximat, xanchor, xaxis, geom_xpos, geom_xquat, geom_xmat, site_xpos,
        site_xquat, site_xmat, subtree_com, cam_xpos, cam_xmat, light_xpos, light_xdir, and what wake_touched writes
    """
    if some_asleep(m, d):
        wake_touched(m, d)
    bodies(m, d)
    frames(m, d)
    subtree_com(m, d)
    if m.ncam > 0:
        cameras(m, d)
    if m.nlight > 0:
        lights(m, d)
