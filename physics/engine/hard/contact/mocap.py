"""Mocap bodies as they move: what the user has moved one by since the last step goes on through the next, so that it carries what lies on it and does not jump through things.

    mocap_before   time and pose at the end of the last step: (t, x, q)
    velocity       v = (x - x_before) / h, and likewise the rotation vector, where the last step ended at the present time; 0 where it did not
    in a solve     from the pose at its start by the velocity over hard_h; for contacts a mocap body is one that moves so whatever pushes it

The state has no such velocity: a step is a function of it and of the pose at the last step's end. A body that is farther off than its own size, or turned by more than
FAST, has been put elsewhere: it has no velocity.

Source: our own.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.kinematics.shapes import PLANE
from physics.engine.linalg.quat import conj4, mul4, to_rotvec, turn, unit4
from physics.engine.linalg.vec import add3, dot3, norm3, scl3, sub3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld4, off, st3, st4

# places in a row of hard_mocap: velocity [m/s] and turning [rad/s]; of the present solve the position at its start and at its end, the rotation between, and the difference
# quotients as those of other bodies (poses.py), the orientation at its start; poses that are put back: of the start of the whole step, and while looking again
LINEAR, ANGULAR, START, END, TURN, QUOTIENT, QUAT, FIRST, PEEK = 0, 3, 6, 9, 12, 16, 22, 26, 33
WIDTH = 40     # numbers of a row
FAST = 1.0     # rad: of a step
WIDE = 1.0     # m: size of a plane


@helper
def size_of(m, d, b):
    """How far the geoms that are fixed to mocap body b reach from its frame [m], as they were placed last."""
    r = 0.0
    for g in range(m.ngeom):
        if m.body_rootid[m.geom_bodyid[g]] == b and m.body_treeid[m.geom_bodyid[g]] < 0:
            p = sub3(ld3(d.geom_xpos, g), ld3(d.xpos, b))
            x = WIDE if m.geom_type[g] == PLANE else m.geom_rbound[g]
            r = max(r, sqrt(dot3(p, p)) + x)
    return r


@helper
def is_known(d, k):
    """Whether the pose of mocap body k at the present time is known from the step that ended there."""
    s = 0.0
    for i in range(4, 8):
        s += d.mocap_before[k, i] * d.mocap_before[k, i]
    return d.mocap_before[k, 0] == d.time and s > 0.0


@kernel()
def find_mocap_motion(m, d):
    """Velocities of the mocap bodies at the start of a step.

    Reads: time, mocap_pos, mocap_quat, mocap_before, xpos, geom_xpos
    Writes: hard_mocap
    """
    if m.nmocap == 0:
        return
    for b in range(1, m.nbody):
        k = m.body_mocapid[b]
        if k < 0:
            continue
        x = off(d.hard_mocap, WIDTH * k)
        for i in range(6):
            x[i] = 0.0
        if not is_known(d, k):
            continue
        before = off(d.mocap_before, 8 * k)
        v = sub3(ld3(d.mocap_pos, k), (before[1], before[2], before[3]))
        t = mul4(unit4(ld4(d.mocap_quat, k)), conj4(unit4((before[4], before[5], before[6], before[7]))))
        w = to_rotvec(t)
        far = norm3(v)
        if far == 0.0 and norm3(w) == 0.0:
            continue
        if far > size_of(m, d, b) or norm3(w) > FAST:
            continue
        over = 1.0 / m.opt_timestep
        for i in range(3):
            x[LINEAR + i] = over * (v[0] if i == 0 else (v[1] if i == 1 else v[2]))
            x[ANGULAR + i] = over * (w[0] if i == 0 else (w[1] if i == 1 else w[2]))


@kernel()
def place_mocap(m, d):
    """Where mocap bodies are at the start of a solve and lead to its end.

    Reads: mocap_pos, mocap_quat, hard_h
    Writes: hard_mocap
    """
    h = d.hard_h
    for k in range(m.nmocap):
        x = off(d.hard_mocap, WIDTH * k)
        p = ld3(d.mocap_pos, k)
        q = ld4(d.mocap_quat, k)
        v = (x[LINEAR], x[LINEAR + 1], x[LINEAR + 2])
        t = turn((1.0, 0.0, 0.0, 0.0), (x[ANGULAR], x[ANGULAR + 1], x[ANGULAR + 2]), h)
        e = add3(p, scl3(v, h))
        for i in range(3):
            x[START + i] = d.mocap_pos[k, i]
            x[END + i] = e[0] if i == 0 else (e[1] if i == 1 else e[2])
            x[QUOTIENT + i] = x[LINEAR + i]
            x[QUOTIENT + 3 + i] = 2.0 / h * (t[1] if i == 0 else (t[2] if i == 1 else t[3]))
        for i in range(4):
            x[TURN + i] = t[0] if i == 0 else (t[1] if i == 1 else (t[2] if i == 2 else t[3]))
            x[QUAT + i] = q[0] if i == 0 else (q[1] if i == 1 else (q[2] if i == 2 else q[3]))


@helper
def carried_by(m, d, b):
    """-1 - k where body b is, or is fixed to, mocap body k that moves; 0: it does not move."""
    k = m.body_mocapid[m.body_rootid[b]]
    if k < 0:
        return 0
    x = off(d.hard_mocap, WIDTH * k)
    s = 0.0
    for i in range(6):
        s += abs(x[i])
    return -1 - k if s > 0.0 else 0


@helper
def mocap_row(d, b):
    """Row of hard_mocap of a body that carried_by has named."""
    return off(d.hard_mocap, WIDTH * (-1 - b))


@kernel()
def mocap_to_end(m, d):
    """Put mocap bodies where they are at the end of the solve.

    Reads: hard_mocap
    Writes: mocap_pos, mocap_quat
    """
    for k in range(m.nmocap):
        x = off(d.hard_mocap, WIDTH * k)
        q = mul4((x[TURN], x[TURN + 1], x[TURN + 2], x[TURN + 3]), (x[QUAT], x[QUAT + 1], x[QUAT + 2], x[QUAT + 3]))
        st3(d.mocap_pos, k, (x[END], x[END + 1], x[END + 2]))
        st4(d.mocap_quat, k, q)


@kernel("m d i")
def keep_mocap(m, d, at):
    """Keep where mocap bodies are (FIRST or PEEK), which a callback may have changed since the start of the solve.

    Reads: mocap_pos, mocap_quat
    Writes: hard_mocap
    """
    for k in range(m.nmocap):
        x = off(d.hard_mocap, WIDTH * k + at)
        for i in range(3):
            x[i] = d.mocap_pos[k, i]
        for i in range(4):
            x[3 + i] = d.mocap_quat[k, i]


@kernel("m d i")
def mocap_back(m, d, at):
    """Put mocap bodies where keep_mocap has found them.

    Reads: hard_mocap
    Writes: mocap_pos, mocap_quat
    """
    for k in range(m.nmocap):
        x = off(d.hard_mocap, WIDTH * k + at)
        st3(d.mocap_pos, k, (x[0], x[1], x[2]))
        st4(d.mocap_quat, k, (x[3], x[4], x[5], x[6]))


@kernel()
def note_mocap(m, d):
    """Keep the poses for the next step, at the end of one.

    Reads: time, mocap_pos, mocap_quat
    Writes: mocap_before
    """
    for k in range(m.nmocap):
        x = off(d.mocap_before, 8 * k)
        x[0] = d.time
        for i in range(3):
            x[1 + i] = d.mocap_pos[k, i]
        for i in range(4):
            x[4 + i] = d.mocap_quat[k, i]


@kernel("m d d")
def take_mocap(m, d, e):
    """Let e have what d knows of its mocap bodies' motion."""
    for k in range(m.nmocap):
        for i in range(8):
            e.mocap_before[k, i] = d.mocap_before[k, i]
        for i in range(WIDTH):
            e.hard_mocap[k, i] = d.hard_mocap[k, i]
