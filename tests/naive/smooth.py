"""The smooth stages once more, plainly: NumPy, dense matrices, one obvious formula each, derivatives by differences."""
from __future__ import annotations

import numpy as np

from physics.enums import (
    BIAS_AFFINE,
    DYN_FILTER,
    DYN_FILTEREXACT,
    DYN_INTEGRATOR,
    GAIN_AFFINE,
    JNT_BALL,
    JNT_FREE,
    JNT_HINGE,
    JNT_SLIDE,
    TRN_TENDON,
)

WIDTH = {JNT_FREE: 6, JNT_BALL: 3, JNT_SLIDE: 1, JNT_HINGE: 1}


def matrix(q):
    """Rotation matrix of a quaternion of any length."""
    w, x, y, z = np.asarray(q) / np.linalg.norm(q)
    v = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * v + 2 * v @ v


def exp(r):
    """Quaternion of a rotation vector."""
    angle = np.linalg.norm(r)
    axis = np.asarray(r) / angle if angle > 0 else np.zeros(3)
    return np.array([np.cos(angle / 2), *(np.sin(angle / 2) * axis)])


def product(a, b):
    """a times b."""
    return np.array([a[0] * b[0] - a[1:] @ b[1:], *(a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:]))])


def log(q):
    """Rotation vector of a quaternion, the short way."""
    q = np.asarray(q) / np.linalg.norm(q)
    s = np.linalg.norm(q[1:])
    angle = 2 * np.arctan2(s, q[0])
    return q[1:] / s * (angle - 2 * np.pi if angle > np.pi else angle) if s > 0 else np.zeros(3)


def move(m, qpos, dq):
    """qpos after the displacement dq: (nv,), rotations in body axes."""
    out = qpos.copy()
    for j in range(m.njnt):
        a, k, kind = m.jnt_qposadr[j], m.jnt_dofadr[j], m.jnt_type[j]
        if kind in (JNT_SLIDE, JNT_HINGE):
            out[a] += dq[k]
            continue
        if kind == JNT_FREE:
            out[a:a + 3] += dq[k:k + 3]
            a, k = a + 3, k + 3
        out[a:a + 4] = product(qpos[a:a + 4] / np.linalg.norm(qpos[a:a + 4]), exp(dq[k:k + 3]))
    return out


def poses(m, qpos, mocap_pos, mocap_quat):
    """(position, rotation) of every body, and the (anchor, axis) of every joint, by homogeneous chaining."""
    place, joints = [(np.zeros(3), np.eye(3))], {}
    for b in range(1, m.nbody):
        p0, r0 = place[m.body_parentid[b]]
        k = m.body_mocapid[b]
        local = (mocap_pos[k], mocap_quat[k]) if k >= 0 else (m.body_pos[b], m.body_quat[b])
        p, r = p0 + r0 @ local[0], r0 @ matrix(local[1])
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            a, kind = m.jnt_qposadr[j], m.jnt_type[j]
            if kind == JNT_FREE:
                p, r = qpos[a:a + 3], matrix(qpos[a + 3:a + 7])
                joints[j] = (p, m.jnt_axis[j])
                continue
            anchor, axis = p + r @ m.jnt_pos[j], r @ m.jnt_axis[j]
            joints[j] = (anchor, axis)
            if kind == JNT_SLIDE:
                p = p + axis * (qpos[a] - m.qpos0[a])
                continue
            turn = matrix(qpos[a:a + 4]) if kind == JNT_BALL else matrix(exp(m.jnt_axis[j] * (qpos[a] - m.qpos0[a])))
            r = r @ turn
            p = anchor - r @ m.jnt_pos[j]
        place.append((p, r))
    return place, joints


def jacobians(m, qpos, mocap_pos, mocap_quat):
    """Velocity Jacobians (linear at the centre of mass, angular), each (nbody, 3, nv), in world axes."""
    place, joints = poses(m, qpos, mocap_pos, mocap_quat)
    lin, ang = np.zeros((2, m.nbody, 3, m.nv))
    for b in range(1, m.nbody):
        com = place[b][0] + place[b][1] @ m.body_ipos[b]
        a = b
        while a > 0:
            for j in range(m.body_jntadr[a], m.body_jntadr[a] + m.body_jntnum[a]):
                k, kind = m.jnt_dofadr[j], m.jnt_type[j]
                anchor, axis = joints[j]
                if kind == JNT_SLIDE:
                    lin[b, :, k] = axis
                elif kind == JNT_HINGE:
                    ang[b, :, k], lin[b, :, k] = axis, np.cross(axis, com - anchor)
                else:
                    if kind == JNT_FREE:
                        lin[b, :, k:k + 3] = np.eye(3)
                        k += 3
                    ang[b, :, k:k + 3] = place[a][1]
                    lin[b, :, k:k + 3] = np.cross(place[a][1].T, com - anchor).T
            a = m.body_parentid[a]
    return lin, ang


def world_inertias(m, qpos, mocap_pos, mocap_quat):
    """Inertia of every body about its centre of mass in world axes."""
    place, _ = poses(m, qpos, mocap_pos, mocap_quat)
    turned = [r @ matrix(m.body_iquat[b]) for b, (_p, r) in enumerate(place)]
    return [t @ np.diag(m.body_inertia[b]) @ t.T for b, t in enumerate(turned)]


def lenders(m, kind, k):
    """Actuators that lend armature and damping to a joint or tendon."""
    lender = m.jnt_actuatorid[k] if kind == "joint" else m.tendon_actuatorid[k]
    if lender == -1:
        return []
    on = [i for i in range(m.nactuator) if (m.actuator_trntype[i] == TRN_TENDON) == (kind == "tendon") and m.actuator_trnid[i, 0] == k]
    return [int(lender)] if lender >= 0 else on


def tendon_jacobian(m):
    """(ntendon, nv)."""
    jac = np.zeros((m.ntendon, m.nv))
    for t in range(m.ntendon):
        for w in range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t]):
            jac[t, m.jnt_dofadr[m.wrap_objid[w]]] += m.wrap_prm[w]
    return jac


def mass_matrix(m, qpos, mocap_pos, mocap_quat):
    """M = sum over bodies of m Jl'Jl + Ja' I Ja, plus armatures."""
    lin, ang = jacobians(m, qpos, mocap_pos, mocap_quat)
    inert = world_inertias(m, qpos, mocap_pos, mocap_quat)
    total = np.diag(m.dof_armature.astype(float))
    for b in range(1, m.nbody):
        total += m.body_mass[b] * lin[b].T @ lin[b] + ang[b].T @ inert[b] @ ang[b]
    for k in range(m.nv):
        total[k, k] += sum(m.actuator_armature[i] * m.actuator_gear[i, 0] ** 2 for i in lenders(m, "joint", m.dof_jntid[k]))
    for t, row in enumerate(tendon_jacobian(m)):
        armature = m.tendon_armature[t] + sum(m.actuator_armature[i] * m.actuator_gear[i, 0] ** 2 for i in lenders(m, "tendon", t))
        total += armature * np.outer(row, row)
    return total


def bias(m, qpos, qvel, mocap_pos, mocap_quat, h=1e-5):
    """Rates of the bodies' momenta at constant qvel (by central differences) less gravity, seen by the dofs. Good to about 1e-8."""

    def momenta(t):
        q = move(m, qpos, t * qvel)
        lin, ang = jacobians(m, q, mocap_pos, mocap_quat)
        inert = world_inertias(m, q, mocap_pos, mocap_quat)
        return np.array([m.body_mass[b] * lin[b] @ qvel for b in range(m.nbody)]), np.array([inert[b] @ ang[b] @ qvel for b in range(m.nbody)])

    (p1, l1), (p0, l0) = momenta(h), momenta(-h)
    lin, ang = jacobians(m, qpos, mocap_pos, mocap_quat)
    force = (p1 - p0) / (2 * h) - m.body_mass[:, None] * m.opt_gravity
    return sum(lin[b].T @ force[b] + ang[b].T @ ((l1 - l0)[b] / (2 * h)) for b in range(m.nbody))


def spring_energy(m, qpos):
    """Energy of all joint and tendon springs."""

    def stored(k, p, x):
        return k * x**2 / 2 + p[0] * x**3 / 3 + p[1] * x**4 / 4

    e = 0.0
    for j in range(m.njnt):
        a, kind = m.jnt_qposadr[j], m.jnt_type[j]
        parts = [qpos[a] - m.qpos_spring[a]]
        if kind == JNT_FREE:
            parts = [np.linalg.norm(qpos[a:a + 3] - m.qpos_spring[a:a + 3])]
            a += 3
        if kind in (JNT_FREE, JNT_BALL):
            rest = m.qpos_spring[a:a + 4] * [1, -1, -1, -1]
            parts = (parts if kind == JNT_FREE else []) + [np.linalg.norm(log(product(rest, qpos[a:a + 4])))]
        e += sum(stored(m.jnt_stiffness[j], m.jnt_stiffnesspoly[j], x) for x in parts)
    for t, length in enumerate(tendon_lengths(m, qpos)):
        low, high = m.tendon_lengthspring[t]
        e += stored(m.tendon_stiffness[t], m.tendon_stiffnesspoly[t], length - np.clip(length, low, high))
    return e


def tendon_lengths(m, qpos):
    """Weighted sums of joint coordinates."""
    joints = [range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t]) for t in range(m.ntendon)]
    return [sum(m.wrap_prm[w] * qpos[m.jnt_qposadr[m.wrap_objid[w]]] for w in ws) for ws in joints]


def spring_force(m, qpos, h=1e-6):
    """Minus the gradient of the springs' energy, by central differences."""
    eye = np.eye(m.nv) * h
    return np.array([-(spring_energy(m, move(m, qpos, e)) - spring_energy(m, move(m, qpos, -e))) / (2 * h) for e in eye])


def damper_force(m, qvel):
    """Forces of joint and tendon dampers."""

    def drag(b, p, kind, k, v):
        for i in lenders(m, kind, k):
            g = m.actuator_gear[i, 0] ** 2
            b, p = b + g * m.actuator_damping[i], p + g * m.actuator_dampingpoly[i]
        return -v * (b + p[0] * abs(v) + p[1] * v**2)

    f = np.array([drag(m.dof_damping[k], m.dof_dampingpoly[k], "joint", m.dof_jntid[k], qvel[k]) for k in range(m.nv)])
    for t, row in enumerate(tendon_jacobian(m)):
        f += row * drag(m.tendon_damping[t], m.tendon_dampingpoly[t], "tendon", t, row @ qvel)
    return f


def actuator_forces(m, ctrl, act, length, velocity):
    """(act_dot, forces before the joints' limits) of scalar actuators without ball servos."""
    u = np.where(m.actuator_ctrllimited, np.clip(ctrl, *m.actuator_ctrlrange.T), ctrl)
    rate, force = np.zeros(m.na), np.zeros(m.nactuator)
    for i in range(m.nactuator):
        a, h, kind = m.actuator_actadr[i], m.opt_timestep, m.actuator_dyntype[i]
        x = u[i]
        if a >= 0:
            if kind == DYN_INTEGRATOR:
                rate[a] = u[i]
            elif kind in (DYN_FILTER, DYN_FILTEREXACT):
                tau = m.actuator_dynprm[i, 0]
                rate[a] = (u[i] - act[a]) / tau
                h = tau * (1 - np.exp(-h / tau)) if kind == DYN_FILTEREXACT else h
            x = act[a] + h * rate[a] * m.actuator_actearly[i]
            if m.actuator_actearly[i] and m.actuator_actlimited[i]:
                x = np.clip(x, *m.actuator_actrange[i])
        state = np.array([1.0, length[i], velocity[i]])
        gain = m.actuator_gainprm[i, :3] @ state if m.actuator_gaintype[i] == GAIN_AFFINE else m.actuator_gainprm[i, 0]
        force[i] = gain * x + (m.actuator_biasprm[i, :3] @ state if m.actuator_biastype[i] == BIAS_AFFINE else 0)
    for t in range(m.ntendon):
        on = [i for i in range(m.nactuator) if m.actuator_trntype[i] == TRN_TENDON and m.actuator_trnid[i, 0] == t]
        total = force[on].sum()
        if m.tendon_actfrclimited[t] and total:
            force[on] *= np.clip(total, *m.tendon_actfrcrange[t]) / total
    return rate, np.where(m.actuator_forcelimited, np.clip(force, *m.actuator_forcerange.T), force)


def dense(m, rows):
    """Full symmetric matrix of the numbers in M's rows."""
    full = np.zeros((m.nv, m.nv))
    for i in range(m.nv):
        for a in range(m.M_rowadr[i], m.M_rowadr[i] + m.M_rownnz[i]):
            full[i, m.M_colind[a]] = full[m.M_colind[a], i] = rows[a]
    return full


def csr(rownnz, rowadr, colind, values, ncol):
    """Full matrix of CSR rows."""
    full = np.zeros((len(rownnz), ncol))
    for i, (n, a) in enumerate(zip(rownnz, rowadr)):
        full[i, colind[a:a + n]] = values[a:a + n]
    return full
