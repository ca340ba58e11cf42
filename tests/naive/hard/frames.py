"""Where the bodies are at any qpos, in formulas that hold for complex numbers too.

A derivative is the imaginary part of the function a tiny imaginary step away (Squire and Trapp, "Using complex variables to estimate
derivatives of real functions", SIAM Review 40, 1998): exact to rounding, whatever the function.
"""
from __future__ import annotations

import numpy as np

from physics.enums import JNT_FREE, JNT_HINGE, JNT_SLIDE
from tests.naive.smooth import product

TINY = 1e-30   # the imaginary step


def cross(v):
    """The matrix of v x."""
    x, y, z = v
    return np.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]])


def unit(q):
    """q of length 1."""
    q = np.asarray(q)
    return q / np.sqrt(q @ q)


def conj(q):
    """The inverse of a unit quaternion."""
    return np.array([q[0], -q[1], -q[2], -q[3]])


def matrix(q):
    """Rotation matrix of a unit quaternion."""
    v = cross(q[1:])
    return np.eye(3) + 2 * q[0] * v + 2 * v @ v


def body_frames(m, qpos):
    """(position, unit quaternion) of every body's frame."""
    found = [(np.zeros(3), np.array([1.0, 0, 0, 0]))]
    for b in range(1, m.nbody):
        p0, q0 = found[m.body_parentid[b]]
        p, q = p0 + matrix(q0) @ m.body_pos[b], product(q0, m.body_quat[b])
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            a, kind = m.jnt_qposadr[j], m.jnt_type[j]
            if kind == JNT_FREE:
                p, q = qpos[a:a + 3], unit(qpos[a + 3:a + 7])
                continue
            anchor = p + matrix(q) @ m.jnt_pos[j]
            if kind == JNT_SLIDE:
                p = p + matrix(q) @ m.jnt_axis[j] * (qpos[a] - m.qpos0[a])
                continue
            if kind == JNT_HINGE:
                half = (qpos[a] - m.qpos0[a]) / 2
                turn = np.array([np.cos(half), *(np.sin(half) * m.jnt_axis[j])])
            else:
                turn = unit(qpos[a:a + 4])
            q = product(q, turn)
            p = anchor - matrix(q) @ m.jnt_pos[j]
        found.append((p, q))
    return found


def centres(m, qpos):
    """Position (nbody, 3) and orientation (nbody, 4) of every body's inertial frame."""
    places = [(p + matrix(q) @ m.body_ipos[b], product(q, m.body_iquat[b])) for b, (p, q) in enumerate(body_frames(m, qpos))]
    return np.array([p for p, _ in places]), np.array([q for _, q in places])


def nudged(m, qpos, k, step):
    """qpos after the small displacement `step` along dof k, to first order in it."""
    out = qpos.astype(complex) if isinstance(step, complex) else qpos.copy()
    j = m.dof_jntid[k]
    a, i, kind = m.jnt_qposadr[j], k - m.jnt_dofadr[j], m.jnt_type[j]
    if kind in (JNT_SLIDE, JNT_HINGE) or kind == JNT_FREE and i < 3:
        out[a + i] += step
        return out
    if kind == JNT_FREE:
        a, i = a + 3, i - 3
    half = np.zeros(3, out.dtype)
    half[i] = step / 2
    out[a:a + 4] = product(unit(qpos[a:a + 4]).astype(out.dtype), np.array([1, *half]))
    return out


def motions(m, qpos):
    """How every body's inertial frame moves with every dof, (nbody, 6, nv): velocity of the centre of mass and angular velocity, in world axes."""
    out = np.zeros((m.nbody, 6, m.nv))
    _, q = centres(m, qpos)
    for k in range(m.nv):
        moved, turned = centres(m, nudged(m, qpos, k, 1j * TINY))
        out[:, :3, k] = moved.imag / TINY
        out[:, 3:, k] = [2 * product(turned[b].imag / TINY, conj(q[b]))[1:] for b in range(m.nbody)]
    return out


def turned_by(q, angle):
    """The orientation q after the small rotation vector `angle` in world axes, to first order in it."""
    return product(np.array([1, *(np.asarray(angle) / 2)]), q)


def moving_bodies(m):
    """Bodies that hang on some joint; all others are the world."""
    return [b for b in range(1, m.nbody) if m.body_treeid[b] >= 0]
