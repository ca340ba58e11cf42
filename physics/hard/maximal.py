"""Maximal coordinates: pose and velocity of every body's inertial frame, from joint coordinates and back, and the derivative of that.

A state is two configurations: qpos, and the one that qvel has led away from a time step before. So is its image: x and q now, and velocities that are
difference quotients, v = (x - x1) / h and w = 2 u / h with the turn (s, u) = q conj(q1), in world axes. Both maps are exact inverses of each other.

Source: Howell and others, "Dojo: A Differentiable Physics Engine for Robotics", section III.C; Sola, Deray and Atchuthan, "A micro Lie theory for state
estimation in robotics", 2018, (143), (144).
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.engine.kinematics.joints import dof_count, is_free, joint_advance, joint_difference, joint_place, joint_twists, rotation_dof
from physics.hard.gradients import right_jacobian
from physics.model.data import Data
from physics.model.model import Model
from physics.query.configuration import integrate_pos
from physics.query.jacobian import jac_body_com
from physics.query.quaternion import mul_quat, neg_quat, quat2_mat, quat2_vel, quat_integrate
from physics.simulate.stages import com_pos, kinematics
from physics.simulate.step import check_pair

TURNS = 30        # Newton steps for a body with several joints
CLOSE = 1e-14     # m, rad: its pose is met
STILL = (1.0, 0.0, 0.0, 0.0)


class Maximal(NamedTuple):
    """Of every body: centre of mass x [m], unit quaternion q of the principal axes of inertia, velocity v [m/s], angular velocity w [rad/s]; world axes, (nbody, 3 or 4)."""

    x: np.ndarray
    q: np.ndarray
    v: np.ndarray
    w: np.ndarray


def to_maximal(m: Model, d: Data) -> Maximal:
    """The state of d in maximal coordinates; d stays as it is. Raises ValueError where d is not of m."""
    check_pair(m, d)
    work = d.copy()
    x, q = _frames(m, work, d.qpos)
    x1, q1 = _frames(m, work, integrate_pos(m, d.qpos, d.qvel, -m.opt_timestep))
    turn = np.array([_short(mul_quat(a, neg_quat(b))) for a, b in zip(q, q1, strict=True)])
    return Maximal(x, q, (x - x1) / m.opt_timestep, 2 * turn[:, 1:] / m.opt_timestep)


def to_minimal(m: Model, d: Data, x, q, v, w) -> None:
    """Write qpos and qvel of d from maximal coordinates, which the joints must allow (to_maximal tells of what is what).

    Bodies with several joints are placed from the coordinates that d has: of several solutions the near one. Raises ValueError for a turn of more than half a
    round in a step, and where such a body's joints do not reach its pose.
    """
    check_pair(m, d)
    x, q, v, w = (np.asarray(a, float) for a in (x, q, v, w))
    half = 0.5 * m.opt_timestep * w
    size = (half * half).sum(1)
    if (size > 1).any():
        raise ValueError(f"body {int(np.argmax(size))} turns by more than half a round in a step")
    turn = np.concatenate([np.sqrt(1 - size)[:, None], half], axis=1)
    before = np.array([mul_quat(neg_quat(t), a) for t, a in zip(turn, q, strict=True)])
    still = d.copy()   # where the bodies are that no joint moves
    kinematics(m, still)
    now = _coordinates(m, still, x, q, d.qpos)
    old = _coordinates(m, still, x - m.opt_timestep * v, before, now)
    d.qpos[:] = now
    speed = np.zeros(m.nv)
    for j in range(m.njnt):
        joint_difference(m, old, now, j, m.opt_timestep, speed)
    d.qvel[:] = speed


def maximal_jacobian(m: Model, d: Data) -> np.ndarray:
    """Derivative of maximal coordinates by the state, (nbody, 12, 2 nv).

    Rows: motion of the centre of mass, small rotation in world axes, and the same of velocities; columns: qpos along its tangents, qvel.
    """
    check_pair(m, d)
    h, nv = m.opt_timestep, m.nv
    work = d.copy()
    was = integrate_pos(m, d.qpos, d.qvel, -h)
    _, q1 = _frames(m, work, was)
    old = _motions(m, work)
    x, q = _frames(m, work, d.qpos)
    new = _motions(m, work)
    # how the configuration of before follows from both halves of the state
    by_place, by_speed = np.eye(nv), -h * np.eye(nv)
    for k in filter(lambda k: k >= 0, (rotation_dof(m, j) for j in range(m.njnt))):
        own = slice(k, k + 3)
        step = h * d.qvel[own]
        by_place[own, own], by_speed[own, own] = quat2_mat(quat_integrate(STILL, step, 1.0)), -h * right_jacobian(-step)
    out = np.zeros((m.nbody, 12, 2 * nv))
    out[:, :6, :nv] = new
    before = np.concatenate([old @ by_place, old @ by_speed], axis=2)
    out[:, 6:9] = (out[:, :3] - before[:, :3]) / h
    for b in range(m.nbody):
        s, *u = _short(mul_quat(q[b], neg_quat(q1[b])))
        out[b, 9:] = ((s * np.eye(3) - _cross(u)) @ out[b, 3:6] - (s * np.eye(3) + _cross(u)) @ before[b, 3:]) / h
    return out


def _frames(m: Model, work: Data, qpos: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    work.qpos[:] = qpos
    kinematics(m, work)
    com_pos(m, work)
    return work.xipos.copy(), work.xiquat.copy()


def _motions(m: Model, work: Data) -> np.ndarray:
    """(nbody, 6, nv): how the frames move with the dofs, where work's positions have been looked at."""
    return np.array([np.concatenate(jac_body_com(m, work, b)) for b in range(m.nbody)])


def _cross(u) -> np.ndarray:
    """The matrix of u x."""
    x, y, z = u
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def _short(q: np.ndarray) -> np.ndarray:
    return q if q[0] >= 0 else -q


# ---------------------------------------------------------------- from poses to joints


def _coordinates(m: Model, still: Data, x: np.ndarray, q: np.ndarray, near: np.ndarray) -> np.ndarray:
    """qpos from the poses of all inertial frames; where there is a choice the one that is next to `near`."""
    out = np.array(near, float)
    place: list[tuple[np.ndarray, np.ndarray]] = []
    for b in range(m.nbody):
        if m.body_treeid[b] < 0:
            place.append((np.array(still.xpos[b]), np.array(still.xquat[b])))
            continue
        turn = mul_quat(q[b] / np.linalg.norm(q[b]), neg_quat(m.body_iquat[b]))
        place.append((x[b] - quat2_mat(turn) @ m.body_ipos[b], turn))
        _place_body(m, b, place, out)
    return out


def _place_body(m: Model, b: int, place: list[tuple[np.ndarray, np.ndarray]], qpos: np.ndarray) -> None:
    """Coordinates of the joints of body b from its place and its parent's."""
    p, turn = place[b]
    first, count = m.body_jntadr[b], m.body_jntnum[b]
    if count == 0:
        return
    a = m.jnt_qposadr[first]
    if is_free(m, b):
        qpos[a:a + 3], qpos[a + 3:a + 7] = p, turn
        return
    p0, q0 = place[m.body_parentid[b]]
    frame = p0 + quat2_mat(q0) @ m.body_pos[b], mul_quat(q0, m.body_quat[b])
    for _ in range(TURNS):
        reached, axes = _through(m, range(first, first + count), frame, qpos)
        away = np.concatenate([p - reached[0], quat2_vel(mul_quat(turn, neg_quat(reached[1])), 1.0)])
        step, *_ = np.linalg.lstsq(axes, away, rcond=None)
        _advance(m, range(first, first + count), qpos, step)
        if np.abs(step).max() < CLOSE:
            break
    reached, _ = _through(m, range(first, first + count), frame, qpos)
    off = max(np.abs(p - reached[0]).max(), np.abs(quat2_vel(mul_quat(turn, neg_quat(reached[1])), 1.0)).max())
    if off > 1e-6:
        raise ValueError(f"the joints of body {b} do not reach its pose: {off:.1e} m or rad are left")


def _through(m: Model, joints: range, frame: tuple[np.ndarray, np.ndarray], qpos: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], np.ndarray]:
    """The place of a body behind its joints, and how it moves with their dofs (6, dofs)."""
    axes, (p, q) = np.zeros((m.nv, 6)), (tuple(part.tolist()) for part in frame)
    for j in joints:
        p, q = joint_place(m, qpos, j, p, q, axes)
    for j in joints:
        joint_twists(m, j, p, axes)
    first, last = joints[0], joints[-1]
    return (np.array(p), np.array(q)), axes[m.jnt_dofadr[first]:m.jnt_dofadr[last] + dof_count(m.jnt_type[last])].T


def _advance(m: Model, joints: range, qpos: np.ndarray, step: np.ndarray) -> None:
    speed, k = np.zeros(m.nv), 0
    for j in joints:
        n = dof_count(m.jnt_type[j])
        speed[m.jnt_dofadr[j]:m.jnt_dofadr[j] + n] = step[k:k + n]
        joint_advance(m, qpos, speed, j, 1.0)
        k += n
