"""Where bodies are at any joint coordinates, how they have turned since the start of the step, and the twists of their dofs.

Velocities are difference quotients: v = (x - x2) / h and w = 2 u / h, where (s, u) is the rotation from the start to the pose, s >= 0.

Source: Dojo (engine/hard/__init__.py), equations 18 and 48.
"""
from __future__ import annotations

from physics.engine.kinematics.joints import coordinate_count, joint_advance, joint_difference, joint_place, joint_twists
from physics.engine.linalg.quat import conj4, mul4, rotate, unit4
from physics.engine.linalg.vec import add3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld4, st3, st4, st6


@helper
def moves(m, b):
    """Whether body b has a tree: others, mocap bodies among them, are the world."""
    return m.body_treeid[b] >= 0


@helper
def moving_body(m, b):
    """Body b, 0 where it does not move."""
    if moves(m, b):
        return b
    return 0


@helper
def carrier_of(m, b):
    """The parent of body b, 0 where that does not move."""
    return moving_body(m, m.body_parentid[b])


@helper
def copy_joint(m, one, j, two):
    """The coordinates of joint j in `one` to `two`."""
    a = m.jnt_qposadr[j]
    for k in range(a, a + coordinate_count(m.jnt_type[j])):
        two[k] = one[k]


@helper
def note_motion(d, b, com, q):
    """How body b has moved since the start of the step to the centre of mass com and the principal axes q: its turn, and the difference quotients."""
    t = mul4(q, conj4(ld4(d.hard_quat2, b)))
    if t[0] < 0.0:
        t = (-t[0], -t[1], -t[2], -t[3])
    st4(d.hard_turn, b, t)
    w = 1.0 / d.hard_h
    x = ld3(d.hard_x2, b)
    st6(d.hard_vel, b, ((com[0] - x[0]) * w, (com[1] - x[1]) * w, (com[2] - x[2]) * w, 2.0 * t[1] * w, 2.0 * t[2] * w, 2.0 * t[3] * w))


@kernel("m d i")
def place_body(m, d, b):
    """Place body b at the coordinates hard_qpos; its parent has been placed, where it moves.

    Reads: hard_qpos, xpos, xquat, hard_x2, hard_quat2, hard_h
    Writes: hard_xpos, hard_xquat, hard_x, hard_quat, hard_axis, hard_turn, hard_vel
    """
    a = m.body_parentid[b]
    p = ld3(m.body_pos, b)
    q = ld4(m.body_quat, b)
    if m.body_treeid[a] >= 0:
        p = add3(rotate(ld4(d.hard_xquat, a), p), ld3(d.hard_xpos, a))
        q = mul4(ld4(d.hard_xquat, a), q)
    elif a > 0:
        p = add3(rotate(ld4(d.xquat, a), p), ld3(d.xpos, a))
        q = mul4(ld4(d.xquat, a), q)
    # joints one after the other, then their twists about the centre of mass
    first = m.body_jntadr[b]
    end = first + m.body_jntnum[b]
    for j in range(first, end):
        p, q = joint_place(m, d.hard_qpos, j, p, q, d.hard_axis)
    q = unit4(q)
    com = add3(p, rotate(q, ld3(m.body_ipos, b)))
    for j in range(first, end):
        joint_twists(m, j, com, d.hard_axis)
    st3(d.hard_xpos, b, p)
    st4(d.hard_xquat, b, q)
    st3(d.hard_x, b, com)
    q = mul4(q, ld4(m.body_iquat, b))
    st4(d.hard_quat, b, q)
    note_motion(d, b, com, q)


@kernel()
def place_all(m, d):
    """Place all bodies that move.

    Reads: what place_body reads
    Writes: what place_body writes
    """
    for b in range(1, m.nbody):
        if moves(m, b):
            place_body(m, d, b)


@kernel()
def place_island(m, d):
    """Place the bodies of the present island, and find the velocities that lead there.

    Reads: hard_order, hard_first, hard_end, hard_qpos, hard_qpos2, hard_h and what place_body reads
    Writes: hard_qd, and what place_body writes
    """
    for k in range(d.hard_end - 1, d.hard_first - 1, -1):
        b = d.hard_order[k]
        place_body(m, d, b)
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            joint_difference(m, d.hard_qpos2, d.hard_qpos, j, d.hard_h, d.hard_qd)


@kernel()
def start_island(m, d):
    """Put the trial pose of the present island where the velocities of before lead, in a projection where those that were found do.

    Reads: hard_order, hard_first, hard_end, hard_qpos2, hard_qd0, hard_vel0, hard_project, hard_h, and what place_island reads
    Writes: hard_qpos, and what place_island writes
    """
    for k in range(d.hard_first, d.hard_end):
        b = d.hard_order[k]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            copy_joint(m, d.hard_qpos2, j, d.hard_qpos)
            if d.hard_project != 0:
                joint_advance(m, d.hard_qpos, d.hard_vel0, j, d.hard_h)
            else:
                joint_advance(m, d.hard_qpos, d.hard_qd0, j, d.hard_h)
    place_island(m, d)


@kernel()
def keep_pose(m, d):
    """Keep the coordinates of the present island, which a line search starts from.

    Reads: hard_order, hard_first, hard_end, hard_qpos
    Writes: hard_qkept
    """
    for k in range(d.hard_first, d.hard_end):
        b = d.hard_order[k]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            copy_joint(m, d.hard_qpos, j, d.hard_qkept)


@kernel("m d f")
def move_pose(m, d, fraction):
    """Follow hard_dir from the kept coordinates by a part of it."""
    for k in range(d.hard_first, d.hard_end):
        b = d.hard_order[k]
        for j in range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b]):
            copy_joint(m, d.hard_qkept, j, d.hard_qpos)
            joint_advance(m, d.hard_qpos, d.hard_dir, j, fraction * d.hard_h)
    place_island(m, d)
