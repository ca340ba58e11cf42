"""Transmissions once more, plainly: lengths by geometry, moments of forces by dense Jacobians, of lengths by differences."""
from __future__ import annotations

import numpy as np

from physics.enums import JNT_BALL, JNT_FREE, TRN_BODY, TRN_JOINT, TRN_JOINTINPARENT, TRN_SITE, TRN_SLIDERCRANK, TRN_TENDON
from tests.naive import smooth


def site_pose(m, s, poses):
    """(position, rotation) of a site."""
    p, r = poses[m.site_bodyid[s]]
    return p + r @ m.site_pos[s], r @ smooth.matrix(m.site_quat[s])


def site_jacobian(m, d, s):
    """(linear, angular) Jacobian of a site."""
    poses, _ = smooth.poses(m, d.qpos, d.mocap_pos, d.mocap_quat)
    lin, ang = smooth.jacobians(m, d.qpos, d.mocap_pos, d.mocap_quat)
    b = m.site_bodyid[s]
    arm = site_pose(m, s, poses)[0] - poses[b][0] - poses[b][1] @ m.body_ipos[b]
    return lin[b] - np.cross(arm, ang[b].T).T, ang[b]


def crank(m, i, gear, poses):
    """Where the slider of a slider-crank is along its axis; the crank's foot where the rod does not reach."""
    at, _ = site_pose(m, m.actuator_trnid[i, 0], poses)
    base, r = site_pose(m, m.actuator_trnid[i, 1], poses)
    axis, arm = r[:, 2], at - base
    inside = (axis @ arm)**2 + m.actuator_cranklength[i]**2 - arm @ arm
    return gear[0] * (axis @ arm - (np.sqrt(inside) if inside > 0 else 0.0))


def length(m, d, i, qpos, tendon_lengths):
    """Length of actuator i at qpos."""
    gear, k, kind = m.actuator_gear[m.actuator_outadr[i]], int(m.actuator_trnid[i, 0]), int(m.actuator_trntype[i])
    if kind in (TRN_JOINT, TRN_JOINTINPARENT):
        q, joint = m.jnt_qposadr[k], m.jnt_type[k]
        if joint == JNT_FREE:
            return 0.0
        if joint == JNT_BALL:
            return gear[:3] @ smooth.log(qpos[q:q + 4])
        return gear[0] * qpos[q]
    if kind == TRN_TENDON:
        return gear[0] * tendon_lengths(qpos)[k]
    poses, _ = smooth.poses(m, qpos, d.mocap_pos, d.mocap_quat)
    if kind == TRN_SLIDERCRANK:
        return crank(m, i, gear, poses)
    if kind == TRN_SITE and m.actuator_trnid[i, 1] >= 0:
        (p, r), (p0, r0) = (site_pose(m, s, poses) for s in m.actuator_trnid[i])
        return gear[:3] @ (r0.T @ (p - p0)) + gear[3:] @ turn_of(r0.T @ r)
    return 0.0


def turn_of(r):
    """Rotation vector of a matrix, the short way."""
    cos = np.clip((np.trace(r) - 1) / 2, -1, 1)
    axis = np.array([r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])
    return np.arccos(cos) * axis / np.linalg.norm(axis) if axis.any() else np.zeros(3)


def shared(m, one, two):
    """Dofs that move both bodies."""
    def chain(b):
        found = set()
        while b > 0:
            found |= set(range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b])) if m.body_dofnum[b] else set()
            b = m.body_parentid[b]
        return found

    return sorted(chain(int(one)) & chain(int(two)))


def moment(m, d, i, tendon_lengths):
    """The row of moments of actuator i."""
    gear, k, kind = m.actuator_gear[m.actuator_outadr[i]], int(m.actuator_trnid[i, 0]), int(m.actuator_trntype[i])
    row = np.zeros(m.nv)
    if kind == TRN_BODY:
        return row   # without contacts
    if kind in (TRN_JOINT, TRN_JOINTINPARENT) and m.jnt_type[k] in (JNT_BALL, JNT_FREE):
        v, q = m.jnt_dofadr[k], m.jnt_qposadr[k]
        free = 3 * (m.jnt_type[k] == JNT_FREE)
        turn = smooth.matrix(d.qpos[q + free:q + free + 4])
        row[v:v + free] = gear[:free]
        spin = gear[free:free + 3]
        row[v + free:v + free + 3] = turn.T @ spin if kind == TRN_JOINTINPARENT else spin
        return row
    if kind == TRN_SITE:
        lin, ang = site_jacobian(m, d, k)
        poses, _ = smooth.poses(m, d.qpos, d.mocap_pos, d.mocap_quat)
        ref = int(m.actuator_trnid[i, 1])
        r = site_pose(m, k if ref < 0 else ref, poses)[1]
        if ref >= 0:
            lin0, ang0 = site_jacobian(m, d, ref)
            lin, ang = lin - lin0, ang - ang0
        row = gear[:3] @ r.T @ lin + gear[3:] @ r.T @ ang
        if ref >= 0:
            row[shared(m, m.site_bodyid[k], m.site_bodyid[ref])] = 0   # what moves both moves neither against the other
        return row
    h = 1e-6
    for c, e in enumerate(np.eye(m.nv)):
        ends = [length(m, d, i, smooth.move(m, d.qpos, s * e), tendon_lengths) for s in (h, -h)]
        row[c] = (ends[0] - ends[1]) / (2 * h)
    return row
